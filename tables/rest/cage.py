"""REST for the cage: shifts, chips issued, sold and cashed by two people, and the count that closes a shift.

Nobody who may count the cage sees its books - what should be there, and so what is in circulation - until both have
counted.
"""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Staff
from casino.roles import Right
from casino.web import rest
from payouts import circulation, ledger

from ..models import CageShift
from ..people import access, signatures
from ..verbs import cage
from . import schema
from .command import SIGNED
from .sessions import count_json
from .wording import WORDING

_PEOPLE = ("opened_by", "closed_by", "closed_with")


class Cage(APIView):
    """The cage as it stands: its open shift, and the chips in circulation with their parts."""

    rights = {"GET": Right.READ_CAGE}
    gives = {"GET": (200, "Cage")}

    def get(self, request):
        shift = cage.running()
        return Response(
            {"shift": shift and _json(shift, request.user), "circulation": _circulation(shift, request.user)}
        )


class CageShifts(APIView):
    """POST opens a shift of the cage."""

    rights = {"POST": Right.RUN_CAGE}
    shapes = schema.SHAPES
    gives = {"POST": (201, "CageShift")}
    refuses = {409: "shift_open"}

    def post(self, request):
        rest.fields(request.data, {})

        def work():
            access.still_in_house(request.user, Right.RUN_CAGE)
            return 201, _json(cage.open_shift(actor=_actor(request)), request.user)

        return rest.carried_out(request, work)


class CageShiftDetail(APIView):
    """A shift, with the counts of its last attempt; what somebody counted is shown when both have."""

    rights = {"GET": Right.READ_CAGE}
    gives = {"GET": (200, "CageShift")}

    def get(self, request, shift_id):
        return Response(_json(_shift_or_404(shift_id), request.user))


class CageMovements(APIView):
    """POST issues chips, takes some out of use, sells some for cash or cashes some; a second person signs.

    For chips sold and cashed, the sum in `units` is enough.
    """

    rights = {"POST": Right.RUN_CAGE}
    must = {"kind": str, "signature": dict}
    may = {"denominations": dict, "units": int}
    shapes = schema.SHAPES | {
        "kind": {"type": "string", "enum": list(cage.KINDS)},
        "units": {"type": "integer", "minimum": 1, "description": "What it comes to, in the smallest unit."},
    }
    gives = {"POST": (201, "CageShift")}
    refuses = SIGNED | {
        409: "shift_closed",
        422: "same_person kind_unknown amount_wrong chip_unknown count_wrong",
    }

    def post(self, request, shift_id):
        _shift_or_404(shift_id)
        body = rest.fields(request.data, self.must, self.may)
        signer = signatures.signed(request, body.pop("signature"), table=None, right=Right.WITNESS)

        def work():
            access.still_in_house(request.user, Right.RUN_CAGE)
            signatures.still_signed(signer, Right.WITNESS)
            cage.move(shift_id=shift_id, actor=_actor(request, signer), **body)
            return 201, _json(_shift_or_404(shift_id), request.user)

        return rest.carried_out(request, work)


class CageCounts(APIView):
    """POST counts the cage, as one of two people.

    With a `signature` it is the signer's count: so a second person counts where the first one is logged in. If chips of
    the cage moved since the first count, counting begins anew.
    """

    rights = {"POST": Right.COUNT_CAGE}
    must = {"denominations": dict}
    may = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "CageShift")}
    refuses = SIGNED | {
        409: "shift_closed counted_already counted_twice",
        422: "chip_unknown count_wrong",
    }

    def post(self, request, shift_id):
        _shift_or_404(shift_id)
        body = rest.fields(request.data, self.must, self.may)
        signature = body["signature"]
        signer = None
        if signature is not None:
            signer = signatures.signed(request, signature, table=None, right=Right.COUNT_CAGE)

        def work():
            access.still_in_house(request.user, Right.COUNT_CAGE)
            if signer:
                signatures.still_signed(signer, Right.COUNT_CAGE)
            actor = Actor(signer or request.user, terminal=access.terminal_of(request))
            cage.count(shift_id=shift_id, denominations=body["denominations"], actor=actor)
            return 200, _json(_shift_or_404(shift_id), request.user)

        return rest.carried_out(request, work)


class CageSign(APIView):
    """POST closes a shift with what was counted, signed by two people.

    `place` says which count stands after they differed twice; a pit boss is then one of the two. A `reason` is needed
    if they differed, if others sign than counted, and if the variance is above what the house lets pass.
    """

    rights = {"POST": Right.RUN_CAGE}
    must = {"signature": dict}
    may = {"place": int, "reason": str}
    shapes = schema.SHAPES
    gives = {"POST": (200, "CageShift")}
    refuses = SIGNED | {
        409: "shift_closed count_missing counts_differ",
        422: "same_person place_missing reason_missing reason_wrong amount_wrong",
    }

    def post(self, request, shift_id):
        _shift_or_404(shift_id)
        body = rest.fields(request.data, self.must, self.may)
        signer = signatures.signed(request, body["signature"], table=None, right=Right.COUNT_CAGE)

        def work():
            access.still_in_house(request.user, Right.RUN_CAGE)
            signatures.still_signed(signer, Right.COUNT_CAGE)
            # The shift is locked from here on: whether its counts differed no longer changes.
            shift = CageShift.objects.select_for_update(no_key=True).get(pk=shift_id)
            stands = cage.standing(shift)
            if stands and stands.decides:
                _one_decides(request.user, Staff.objects.get(pk=signer.pk))
            cage.sign(
                shift_id=shift_id,
                place=body["place"],
                reason=body["reason"] or "",
                actor=_actor(request, signer),
            )
            return 200, _json(_shift_or_404(shift_id), request.user)

        return rest.carried_out(request, work)


def _one_decides(*people):
    """:raises Refused: `signature_without_right` (403), if none of the two may say which count stands."""
    if not any(person.has_perm(Right.DECIDE_CAGE) for person in people):
        raise WORDING.refused("signature_without_right:cage")


def _shift_or_404(shift_id):
    shift = CageShift.objects.filter(pk=shift_id).select_related(*_PEOPLE).first()
    if shift is None:
        raise Http404
    return shift


def _actor(request, signer=None):
    return Actor(request.user, signer, access.terminal_of(request))


def _circulation(shift, staff):
    """The chips in circulation with their parts; None for a person who counts the cage without knowing its books."""
    if cage.is_blind(shift) and staff.has_perm(Right.COUNT_CAGE):
        return None
    held = ledger.holdings()
    return {"units": circulation.circulation(held).units, **held._asdict()}


def _json(shift, staff):
    """A shift's JSON; its totals are for people who may read the cage, not for those who only count it."""
    totals = cage.totals(shift) if staff.has_perm(Right.READ_CAGE) else dict.fromkeys(cage.KINDS)
    return {
        "id": shift.pk,
        "status": shift.status,
        "business_date": shift.business_date.isoformat(),
        "opened_at": shift.opened_at.isoformat(),
        "closed_at": shift.closed_at and shift.closed_at.isoformat(),
        **{name: getattr(shift, name) and getattr(shift, name).ref for name in _PEOPLE},
        **{kind.value: totals[kind] for kind in cage.KINDS},
        "denominations": shift.denominations,
        "expected": shift.expected_units if shift.status == CageShift.Status.CLOSED else None,
        "variance": shift.variance_units,
        "reason": shift.reason,
        "count": count_json(cage.standing(shift)),
    }
