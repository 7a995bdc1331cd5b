"""REST for drop boxes, mounted, taken off and counted by two people, and for the buy-ins whose cash goes into them.

Nobody sees what a drop box should hold until both have counted it.
"""

from django.db import transaction
from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import history
from audit.log import Actor
from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import BuyIn, DropBox
from ..people import access, signatures
from ..verbs import buy_ins, drop_boxes, drops
from . import schema
from .command import SIGNED
from .sessions import count_json
from .slips import may
from .wording import WORDING

_PEOPLE = ("mounted_by", "mounted_with", "removed_by", "removed_with", "counted_by", "counted_with")
_MOMENTS = ("mounted_at", "removed_at", "counted_at")
_SIGNERS = (Right.COUNT_DROP, Right.DECIDE_CAGE)
_PRINTED = schema.SHAPES | {
    "number": {"type": "string", "description": "What is printed on the box."},
    "seal": {"type": "string", "description": "What is printed on its seal."},
}


class DropBoxes(APIView):
    """The drop boxes that are mounted, or taken off and not counted yet, the oldest first."""

    rights = {"GET": Right.READ_DROP_BOXES}
    gives = {"GET": (200, "DropBoxes")}

    def get(self, request):
        within = access.tables(request.user, Right.READ_DROP_BOXES)
        listed = DropBox.objects.waiting().filter(table__in=within).select_related("table", *_PEOPLE).order_by("pk")
        return Response({"drop_boxes": [drop_box_json(drop_box) for drop_box in listed]})


class TableDropBoxes(APIView):
    """POST mounts a drop box at a table that is open, with what is printed on it and on its seal; a second signs."""

    rights = {"POST": Right.READ_DROP_BOXES}
    must = {"number": str, "seal": str, "signature": dict}
    shapes = _PRINTED
    gives = {"POST": (201, "DropBox")}
    refuses = SIGNED | {
        409: "session_closed drop_box_mounted drop_box_elsewhere",
        422: "same_person number_wrong seal_wrong",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.READ_DROP_BOXES, table_id)
        may(request.user, (Right.MOUNT_DROP_BOX,), table)
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body.pop("signature"), table=table, right=Right.WITNESS_DROP_BOX)

        def work():
            access.still(request.user, Right.MOUNT_DROP_BOX, table_id)
            signatures.still_signed(signer, Right.WITNESS_DROP_BOX, table_id)
            drop_box = drop_boxes.mount(table_id=table_id, actor=_actor(request, signer), **body)
            return 201, _now(drop_box.pk)

        return rest.carried_out(request, work)


class DropBoxDetail(APIView):
    """One drop box. Its seal is shown once it is taken off: whoever takes it off reads the seal from the box."""

    rights = {"GET": Right.READ_DROP_BOXES}
    gives = {"GET": (200, "DropBox")}

    def get(self, request, drop_box_id):
        drop_box_or_404(request.user, drop_box_id)
        return Response(_now(drop_box_id))


class DropBoxRemove(APIView):
    """POST takes a drop box off its table, with what is printed on it and on its seal; a second signs.

    A seal other than the recorded one is recorded and raises an alarm; another box is refused, and raises one too.
    """

    rights = {"POST": Right.READ_DROP_BOXES}
    must = {"number": str, "seal": str, "signature": dict}
    shapes = _PRINTED
    gives = {"POST": (200, "DropBox")}
    refuses = SIGNED | {
        409: "drop_box_wrong_moment",
        422: "same_person number_wrong seal_wrong drop_box_other",
    }

    def post(self, request, drop_box_id):
        drop_box = drop_box_or_404(request.user, drop_box_id)
        may(request.user, (Right.MOUNT_DROP_BOX,), drop_box.table)
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body.pop("signature"), table=drop_box.table, right=Right.WITNESS_DROP_BOX)

        def work():
            access.still(request.user, Right.MOUNT_DROP_BOX, drop_box.table_id)
            signatures.still_signed(signer, Right.WITNESS_DROP_BOX, drop_box.table_id)
            drop_boxes.remove(drop_box_id=drop_box_id, actor=_actor(request, signer), **body)
            return 200, _now(drop_box_id)

        try:
            return rest.carried_out(request, work)
        except Refused as refused:
            # The refused command is rolled back, so the alarm is written separately.
            if refused.code == "drop_box_other":
                with transaction.atomic():
                    drop_boxes.alarm_swapped(drop_box_id)
            raise


class DropBoxCounts(APIView):
    """POST counts the cash of a drop box, as one of two of the count team.

    With a `signature` it is the signer's count: so the second counts where the first one is logged in.
    """

    rights = {"POST": Right.READ_DROP_BOXES}
    must = {"denominations": dict}
    may = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "DropBox")}
    refuses = SIGNED | {
        409: "drop_box_wrong_moment counted_already counted_twice",
        422: "cash_unknown count_wrong",
    }

    def post(self, request, drop_box_id):
        drop_box = drop_box_or_404(request.user, drop_box_id)
        may(request.user, (Right.COUNT_DROP,), drop_box.table)
        body = rest.fields(request.data, self.must, self.may)
        signature, signer = body["signature"], None
        if signature is not None:
            signer = signatures.signed(request, signature, table=drop_box.table, right=Right.COUNT_DROP)

        def work():
            access.still(request.user, Right.COUNT_DROP, drop_box.table_id)
            if signer:
                signatures.still_signed(signer, Right.COUNT_DROP, drop_box.table_id)
            actor = _actor(request)._replace(by=signer or request.user)
            drops.count(drop_box_id=drop_box_id, denominations=body["denominations"], actor=actor)
            return 200, _now(drop_box_id)

        return rest.carried_out(request, work)


class DropBoxSign(APIView):
    """POST says what a drop box held, signed by two people; its cash goes to the count room.

    `place` says which count stands after they differed twice; a pit boss then signs. A `reason` is needed if they
    differed, if others sign than counted, and if the variance is above what the house lets pass.
    """

    rights = {"POST": Right.READ_DROP_BOXES}
    must = {"signature": dict}
    may = {"place": int, "reason": str}
    shapes = schema.SHAPES
    gives = {"POST": (200, "DropBox")}
    refuses = SIGNED | {
        409: "drop_box_wrong_moment count_missing counts_differ",
        422: "same_person place_missing reason_missing reason_wrong amount_wrong",
    }

    def post(self, request, drop_box_id):
        drop_box = drop_box_or_404(request.user, drop_box_id)
        may(request.user, (Right.COUNT_DROP,), drop_box.table)
        body = rest.fields(request.data, self.must, self.may)
        signer = signatures.signed(request, body["signature"], table=drop_box.table, right=_SIGNERS)

        def work():
            access.still(request.user, Right.COUNT_DROP, drop_box.table_id)
            # The table is locked from here on: whether its counts differed no longer changes.
            _check_signer(drop_box_or_404(request.user, drop_box_id), Staff.objects.get(pk=signer.pk))
            drops.sign(
                drop_box_id=drop_box_id,
                place=body["place"],
                reason=body["reason"] or "",
                actor=_actor(request, signer),
            )
            return 200, _now(drop_box_id)

        return rest.carried_out(request, work)


def _check_signer(drop_box, signer):
    """:raises Refused: `signature_without_right` (403), if another person has to sign with the one who counts now."""
    stands = drops.standing(drop_box)
    decides = stands is not None and stands.decides
    if not signer.has_perm(Right.DECIDE_CAGE if decides else Right.COUNT_DROP, drop_box.table):
        raise WORDING.refused("signature_without_right:decides" if decides else "signature_without_right:count_team")


class TableBuyIns(APIView):
    """POST sells chips of the float for cash that goes into the drop box: the box and the amount, never who.

    Above the house's limit, a pit boss signs.
    """

    rights = {"POST": Right.SEE_TABLE}
    must = {"box": int, "units": int}
    may = {"signature": dict}
    shapes = schema.SHAPES | {
        "box": {"type": "integer", "minimum": 1},
        "units": {"type": "integer", "minimum": 1, "description": "What it comes to, in the smallest unit."},
    }
    gives = {"POST": (201, "BuyIn")}
    refuses = SIGNED | {
        409: "session_closed drop_box_missing float_short",
        422: "box_unknown amount_wrong signature_missing same_person",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        may(request.user, (Right.BUY_IN,), table)
        body = rest.fields(request.data, self.must, self.may)
        signature, signer = body.pop("signature"), None
        if signature is not None:
            signer = signatures.signed(request, signature, table=table, right=Right.SUPERVISE)

        def work():
            access.still(request.user, Right.BUY_IN, table_id)
            if signer:
                signatures.still_signed(signer, Right.SUPERVISE, table_id)
            buy_in = buy_ins.enter(table_id=table_id, actor=_actor(request, signer), **body)
            return 201, _bought(buy_in.pk)

        return rest.carried_out(request, work)


class LargeCash(APIView):
    """The boxes whose buy-ins in one of the last 31 gaming days came near or up to what is reported; never who."""

    rights = {"GET": Right.READ_SESSION}
    gives = {"GET": (200, "LargeCash")}

    def get(self, request):
        near, large = buy_ins.bounds()
        rows = buy_ins.by_box(access.tables(request.user, Right.READ_SESSION), near)
        boxes = [
            {
                "table": table,
                "business_date": date.isoformat(),
                "box": box,
                "units": units,
                "last_at": last.isoformat(),
                "reported": units >= large,
            }
            for table, _, date, box, units, last in rows
        ]
        history.look_at_records(what="buy_in", by=request.user)
        return Response({"near": near, "large": large, "boxes": boxes})


def drop_box_or_404(staff, drop_box_id):
    """The drop box, if the person reads those of its table.

    :raises Http404: if there is no such drop box or it is out of reach; both read the same.
    """
    within = access.tables(staff, Right.READ_DROP_BOXES)
    drop_box = DropBox.objects.filter(pk=drop_box_id, table__in=within).select_related("table__pit").first()
    if drop_box is None:
        raise Http404
    return drop_box


def _actor(request, signer=None):
    return Actor(request.user, signer, access.terminal_of(request))


def _now(drop_box_id):
    """A drop box's JSON, as it is after a command."""
    return drop_box_json(DropBox.objects.select_related("table", *_PEOPLE).get(pk=drop_box_id))


def drop_box_json(drop_box):
    return {
        "id": drop_box.pk,
        "number": drop_box.number,
        "table": drop_box.table_id,
        "session": drop_box.session_id,
        "business_date": drop_box.business_date.isoformat(),
        "status": drop_box.status,
        "seal": None if drop_box.status == DropBox.Status.MOUNTED else drop_box.seal,
        "removed_seal": drop_box.removed_seal,
        **{name: getattr(drop_box, name) and getattr(drop_box, name).ref for name in _PEOPLE},
        **{name: getattr(drop_box, name) and getattr(drop_box, name).isoformat() for name in _MOMENTS},
        "cash": drop_box.cash_units,
        "recorded": drop_box.recorded_units,
        "variance": drop_box.variance_units,
        "reason": drop_box.reason,
        "count": count_json(drops.standing(drop_box)),
    }


def _bought(movement_id):
    buy_in = BuyIn.objects.select_related("movement", "session", "by", "approved_by").get(pk=movement_id)
    return {
        "id": buy_in.pk,
        "table": buy_in.session.table_id,
        "session": buy_in.session_id,
        "drop_box": buy_in.drop_box_id,
        "box": buy_in.box,
        "units": buy_in.units,
        "by": buy_in.by.ref,
        "approved_by": buy_in.approved_by and buy_in.approved_by.ref,
        "at": buy_in.movement.begun_at.isoformat(),
    }
