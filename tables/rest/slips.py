"""REST for slips: fills, credits and changes between the cage and a table, step by step."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.games.reading import shown
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Slip
from ..people import access, signatures
from ..verbs import counts, slips
from . import schema
from .command import SIGNED
from .wording import WORDING

_WHOSE = {
    Right.REQUEST_SLIP: "by_pit_boss",
    Right.HAND_CHIPS: "by_croupier",
    Right.CASHIER: "by_cage",
    Right.SUPERVISE: "by_supervisor",
    Right.RUN_SESSION: "by_pit_boss_of_two",
    Right.COUNT: "by_counter",
    Right.WITNESS: "by_witness",
    Right.MOUNT_DROP_BOX: "by_pit_boss_and_second",
    Right.COUNT_DROP: "by_count_team",
    Right.BUY_IN: "by_croupier",
    Right.TAKE_TIP: "by_croupier",
}


class TableSlips(APIView):
    """The slips of a table: those of its last session and those under way, the newest first. POST asks for one.

    `exchanged` is what the table gives in a change.
    """

    rights = {"GET": Right.READ_SLIPS, "POST": Right.READ_SLIPS}
    right = Right.REQUEST_SLIP
    must = {"kind": str, "denominations": dict}
    may = {"exchanged": dict}
    shapes = schema.SHAPES | {"kind": {"enum": Slip.Kind.values}, "exchanged": schema.SHAPES["denominations"]}
    gives = {"GET": (200, "Slips"), "POST": (201, "Slip")}
    refuses = {
        409: "session_closed",
        422: "kind_unknown nothing_asked exchange_wrong chip_unknown count_wrong",
    }

    def get(self, request, table_id):
        table = access.table_or_404(request.user, Right.READ_SLIPS, table_id)
        listed = Slip.objects.of_table(table).order_by("-pk")
        return Response({"slips": [slip_json(slip) for slip in _rows(listed)]})

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.READ_SLIPS, table_id)
        may(request.user, (Right.REQUEST_SLIP,), table)
        body = rest.fields(request.data, self.must, self.may)

        def work():
            access.still(request.user, Right.READ_SLIPS, table_id)
            may(request.user, (Right.REQUEST_SLIP,), table)
            slip = slips.request(table_id=table_id, actor=_actor(request), **body)
            return 201, _now(slip.pk)

        return rest.carried_out(request, work)


class SlipDetail(APIView):
    """One slip, with the counts of its last attempt; what somebody counted is shown when both have."""

    rights = {"GET": Right.READ_SLIPS}
    gives = {"GET": (200, "Slip")}

    def get(self, request, slip_id):
        _slip_or_404(request.user, slip_id)
        return Response(_now(slip_id))


class SlipStep(APIView):
    """A step of a slip. Subclasses say which rights lead to it and what its body is, and call their verb in `do`."""

    rights = {"POST": Right.READ_SLIPS}
    must, may = {}, {}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Slip")}

    def post(self, request, slip_id):
        slip = _slip_or_404(request.user, slip_id)
        may(request.user, self.ways(slip), slip.table)
        body = rest.fields(request.data, self.must, self.may)
        signer = self.signer(request, slip)

        def work():
            access.still(request.user, Right.READ_SLIPS, slip.table_id)
            # The table is locked from here on: what the right depends on no longer changes.
            now = _slip_or_404(request.user, slip_id)
            person = Staff.objects.get(pk=signer.pk) if signer else request.user
            may(person, self.ways_now(now, person), now.table, signed=signer)
            self.do(request, slip_id, body, signer)
            return 200, _now(slip_id)

        return rest.carried_out(request, work)

    def ways_now(self, slip, person):
        """The rights, any one of which a person needs, as the slip is now."""
        return self.ways(slip)

    def signer(self, request, slip):
        """Whoever acts in the place of the caller, by signature; mostly nobody."""


class SlipIssue(SlipStep):
    """POST issues the chips: the cage those of a fill or a change, the croupier those of a credit.

    `carrier` is the reference of the person who carries them, such as `staff:12`, if it is another.
    """

    may = {"carrier": str}
    refuses = {409: "slip_wrong_moment float_short", 422: "same_person carrier_unknown"}

    def ways(self, slip):
        return (Right.HAND_CHIPS if slips.at_cage(slip) else Right.CASHIER,)

    def do(self, request, slip_id, body, signer):
        slips.issue(slip_id=slip_id, carrier=_carrier(body["carrier"]), actor=_actor(request))


class SlipCounts(SlipStep):
    """POST counts the chips of a slip on arrival, as one of two people; if both counted what it says, the second
    receives it. Else they count anew, or two send it back.

    With a `signature` it is the signer's count: so a supervisor counts at the croupier's terminal.
    """

    must = {"denominations": dict}
    may = {"signature": dict}
    refuses = SIGNED | {
        409: "slip_wrong_moment counted_already",
        422: "same_person chip_unknown count_wrong",
    }

    def ways(self, slip):
        return (Right.CASHIER, Right.WITNESS) if slips.at_cage(slip) else (Right.HAND_CHIPS, Right.SUPERVISE)

    def ways_now(self, slip, person):
        """The first and the second who count each need a right of their own. The verb refuses a slip that nobody counts
        now, and one person who counts twice."""
        entered = counts.last(slip.ref, slip.kind)
        if slip.status != Slip.Status.ISSUED:
            return self.ways(slip)
        if len(entered) != 1:
            return self.ways(slip)[:1]
        return self.ways(slip)[entered[0].by_id != person.pk :]

    def signer(self, request, slip):
        signature = rest.unjudged(request)[0].get("signature")
        if signature is None:
            return None
        return signatures.signed(request, signature, table=slip.table, right=self.ways(slip))

    def do(self, request, slip_id, body, signer):
        actor = Actor(signer or request.user, terminal=access.terminal_of(request))
        slips.count(slip_id=slip_id, denominations=body["denominations"], actor=actor)


class SlipReturn(APIView):
    """POST sends chips that are under way back to where they came from, with a reason and a second person."""

    rights = {"POST": Right.READ_SLIPS}
    must = {"reason": str, "signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Slip")}
    refuses = SIGNED | {409: "slip_wrong_moment session_closed", 422: "same_person reason_missing reason_wrong"}
    verb = staticmethod(slips.send_back)

    def post(self, request, slip_id):
        slip = _slip_or_404(request.user, slip_id)
        self._may(request, slip)
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=slip.table, right=Right.WITNESS)

        def work():
            access.still(request.user, Right.READ_SLIPS, slip.table_id)
            self._may(request, slip)
            signatures.still_signed(signer, Right.WITNESS, slip.table_id)
            actor = Actor(request.user, signer, access.terminal_of(request))
            self.verb(slip_id=slip_id, reason=body["reason"], actor=actor)
            return 200, _now(slip_id)

        return rest.carried_out(request, work)

    def _may(self, request, slip):
        may(request.user, (Right.REQUEST_SLIP, Right.CASHIER), slip.table)


class SlipVoid(SlipReturn):
    """POST voids a slip whose chips have not set out, with a reason and a second person. Its number stays taken."""

    refuses = SIGNED | {409: "slip_wrong_moment", 422: "same_person reason_missing reason_wrong"}
    verb = staticmethod(slips.void)


class SlipPrints(SlipStep):
    """POST counts a print of the slip: the paper says which one it is."""

    def ways(self, slip):
        return (Right.READ_SLIPS,)

    def do(self, request, slip_id, body, signer):
        slips.print_copy(slip_id=slip_id, actor=_actor(request))


def may(person, rights, table, *, signed=None):
    """Refuse a person who reads slips but may not take this step: one of the rights is enough.

    :raises Refused: `not_your_right` (403), `signature_without_right` (403) for the signer.
    """
    if any(person.has_perm(right, table) for right in rights):
        return
    if signed:
        raise WORDING.refused("signature_without_right:second", way_out=WORDING(_WHOSE[rights[-1]]))
    raise WORDING.refused("not_your_right", way_out=WORDING(_WHOSE[rights[0]]))


def _actor(request):
    return Actor(request.user, terminal=access.terminal_of(request))


def _carrier(ref):
    """The person who carries; None if that is the one who issues."""
    if ref is None:
        return None
    number = ref.removeprefix("staff:")
    person = number.isdecimal() and len(number) < 10 and Staff.objects.filter(pk=number, is_active=True).first()
    if not person or ref != person.ref:
        raise WORDING.refused("carrier_unknown", carrier=shown(ref))
    return person


def _slip_or_404(staff, slip_id):
    within = access.tables(staff, Right.READ_SLIPS)
    slip = Slip.objects.filter(pk=slip_id, table__in=within).select_related("table__pit").first()
    if slip is None:
        raise Http404
    return slip


def _rows(listed):
    return listed.select_related(*_PEOPLE)


def _now(slip_id):
    """A slip's JSON, as the slip is after a command."""
    return slip_json(_rows(Slip.objects).get(pk=slip_id))


def slip_json(slip):
    return {
        "id": slip.pk,
        "kind": slip.kind,
        "number": str(slip),
        "table": slip.table_id,
        "session": slip.session_id,
        "status": slip.status,
        "denominations": slip.denominations,
        "exchanged": slip.exchanged,
        "units": slip.units,
        **{name: getattr(slip, name) and getattr(slip, name).ref for name in _PEOPLE},
        **{name: getattr(slip, name) and getattr(slip, name).isoformat() for name in _MOMENTS},
        "reason": slip.reason,
        "prints": slip.prints,
        "counts": _counts(counts.last(slip.ref, slip.kind)),
    }


_PEOPLE = ("requested_by", "issued_by", "carried_by", "received_by", "received_with", "voided_by", "approved_by")
_MOMENTS = ("requested_at", "issued_at", "received_at", "voided_at")


def _counts(entered):
    """Who counted and, once both have, what."""
    both = len(entered) == 2
    return [
        {
            "attempt": count.attempt,
            "place": count.place,
            "by": count.by.ref,
            "at": count.at.isoformat(),
            "denominations": count.denominations if both else None,
        }
        for count in entered
    ]
