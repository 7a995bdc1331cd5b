"""REST for tips: taken at a table by its croupier, and counted once a gaming day by two.

Nobody sees what the tables entered until both have counted.
"""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import TipCount
from ..people import access, signatures
from ..verbs import tips
from . import schema
from .command import SIGNED
from .sessions import count_json
from .slips import may
from .wording import WORDING

_SIGNERS = (Right.COUNT_TIPS, Right.DECIDE_CAGE)


class TableTips(APIView):
    """POST puts what a patron gives into the tip box: the amount, never who."""

    rights = {"POST": Right.SEE_TABLE}
    must = {"units": int}
    shapes = schema.SHAPES | {
        "units": {"type": "integer", "minimum": 1, "description": "What it comes to, in the smallest unit."},
    }
    gives = {"POST": (201, "Tip")}
    refuses = {409: "session_closed tips_counted", 422: "amount_wrong"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        may(request.user, (Right.TAKE_TIP,), table)
        body = rest.fields(request.data, self.must)

        def work():
            access.still(request.user, Right.TAKE_TIP, table_id)
            return 201, _taken(tips.take(table_id=table_id, actor=_actor(request), **body), table_id)

        return rest.carried_out(request, work)


class Tips(APIView):
    """The gaming days with tips that nobody has counted yet, the oldest first."""

    rights = {"GET": Right.READ_TIPS}
    gives = {"GET": (200, "TipsOfDays")}

    def get(self, request):
        return Response({"tips": [_now(date) for date in tips.waiting()]})


class TipsDetail(APIView):
    """The tips of a gaming day. What the tables entered is shown once two people have counted."""

    rights = {"GET": Right.READ_TIPS}
    gives = {"GET": (200, "Tips")}

    def get(self, request, tips_id):
        return Response(_now(date_or_404(tips_id)))


class TipsCounts(APIView):
    """POST counts the tips of a gaming day, as one of two of the count team, when all its tables are closed.

    With a `signature` it is the signer's count: so the second counts where the first one is logged in.
    """

    rights = {"POST": Right.COUNT_TIPS}
    must = {"denominations": dict}
    may = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Tips")}
    refuses = SIGNED | {
        409: "tips_wrong_moment tips_counted counted_already counted_twice",
        422: "chip_unknown count_wrong",
    }

    def post(self, request, tips_id):
        date = date_or_404(tips_id)
        body = rest.fields(request.data, self.must, self.may)
        signature, signer = body["signature"], None
        if signature is not None:
            signer = signatures.signed(request, signature, table=None, right=Right.COUNT_TIPS)

        def work():
            access.still_in_house(request.user, Right.COUNT_TIPS)
            if signer:
                signatures.still_signed(signer, Right.COUNT_TIPS)
            actor = _actor(request)._replace(by=signer or request.user)
            tips.count(date=date, denominations=body["denominations"], actor=actor)
            return 200, _now(date)

        return rest.carried_out(request, work)


class TipsSign(APIView):
    """POST says what the tips of a gaming day come to, signed by two people.

    `place` says which count stands after they differed twice; a pit boss then signs. A `reason` is needed if they
    differed, if others sign than counted, and if the variance is above what the house lets pass.
    """

    rights = {"POST": Right.COUNT_TIPS}
    must = {"signature": dict}
    may = {"place": int, "reason": str}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Tips")}
    refuses = SIGNED | {
        409: "tips_wrong_moment tips_counted count_missing counts_differ",
        422: "same_person place_missing reason_missing reason_wrong amount_wrong",
    }

    def post(self, request, tips_id):
        date = date_or_404(tips_id)
        body = rest.fields(request.data, self.must, self.may)
        signer = signatures.signed(request, body["signature"], table=None, right=_SIGNERS)

        def work():
            access.still_in_house(request.user, Right.COUNT_TIPS)
            # The tips are locked from here on: whether their counts differed no longer changes.
            tips.hold()
            _check_signer(date, Staff.objects.get(pk=signer.pk))
            tips.sign(
                date=date,
                place=body["place"],
                reason=body["reason"] or "",
                actor=_actor(request, signer),
            )
            return 200, _now(date)

        return rest.carried_out(request, work)


def _check_signer(date, signer):
    """:raises Refused: `signature_without_right` (403), if another person has to sign with the one who counts now."""
    stands = tips.standing(date)
    decides = stands is not None and stands.decides
    if not signer.has_perm(Right.DECIDE_CAGE if decides else Right.COUNT_TIPS):
        raise WORDING.refused("signature_without_right:decides" if decides else "signature_without_right:count_team")


def date_or_404(tips_id):
    """The date of a gaming day that has tips.

    :raises Http404: if there is no such date, or it has no tips.
    """
    date = tips.date_of(tips_id)
    if date is None or not (tips.uncounted(date) or TipCount.objects.filter(date=date).exists()):
        raise Http404
    return date


def _actor(request, signer=None):
    return Actor(request.user, signer, access.terminal_of(request))


def _now(date):
    """The tips of a day as they are after a command."""
    counted = TipCount.objects.filter(date=date).select_related("counted_by", "counted_with").first()
    return {
        "day": tips.number_of(date),
        "date": date.isoformat(),
        "runs": [] if counted else [table.pk for table in tips.running(date)],
        "chips": counted and counted.denominations,
        "counted": counted and counted.counted_units,
        "recorded": counted and counted.recorded_units,
        "variance": counted and counted.variance_units,
        "counted_by": counted and counted.counted_by.ref,
        "counted_with": counted and counted.counted_with.ref,
        "counted_at": counted and counted.counted_at.isoformat(),
        "reason": counted.reason if counted else "",
        "count": count_json(tips.standing(date)),
    }


def _taken(movement, table_id):
    return {
        "id": movement.pk,
        "table": table_id,
        "session": int(movement.subject.partition(":")[2]),
        "units": movement.denominations["1"],
        "by": movement.requested_by.ref,
        "at": movement.begun_at.isoformat(),
    }
