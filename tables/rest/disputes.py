"""REST for disputes: raised on a round, read, and ruled on."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import history
from casino.roles import Right

from ..models import Dispute
from ..people import access, signatures
from ..verbs import disputes
from . import answers
from .command import LATE, OF_A_REASON, SIGNED, RoundCommand, changes, whole_numbers
from .wording import WORDING


class RoundDisputes(RoundCommand):
    """A round contested, whatever its status: what about, at which boxes, and in whose words.

    `about` is a clause of the game or one of the words; `boxes` are in play, and none mean the whole table. Play and
    payment go on.
    """

    right = Right.RAISE
    brief = False
    must = {"about": str, "boxes": list, "statement": str}
    gives = {"POST": (201, "Dispute")}
    refuses = {409: "dispute_raised", 422: "about_unknown box_unknown statement_missing statement_wrong"}

    def do(self, body, **who):
        boxes = whole_numbers(body["boxes"], "boxes")
        return disputes.raise_dispute(about=body["about"], boxes=boxes, statement=body["statement"], **who)

    def answer(self, row):
        return _dispute_now(row.pk)


class DisputeDetail(APIView):
    """One dispute: its statement, and its ruling once there is one."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "Dispute")}

    def get(self, request, dispute_id):
        dispute = _dispute_or_404(request.user, dispute_id, Right.READ_FLOOR)
        answer = answers.dispute_json(dispute)
        history.look_at_records(what=dispute.ref, by=request.user)
        return Response(answer)


class DisputeRule(RoundCommand):
    """A dispute upheld or refused, once, by a pit boss who took no action in the round.

    With `changes` it makes the round's next line and, if the round was settled, its next generation. A second person
    signs for changes, for a refusal (unless the house sets otherwise), and for a ruling by whoever raised the dispute:
    somebody who neither raised it nor acted in the round. On an open or a void round, the ruling has no changes.
    """

    right = Right.RULE_DISPUTE
    brief = False
    must = {"line": int, "ruling": str, "clause": str, "reason": str}
    may = {"changes": list, "signature": dict}
    gives = {"POST": (200, "Dispute")}
    refuses = SIGNED | {
        403: f"{SIGNED[403]} dealt_it",
        409: f"{LATE} dispute_ruled round_open",
        422: f"signature_missing same_person second_raised second_dealt ruling_unknown {OF_A_REASON} changes_unexpected"
        " nothing_changed bad_field missing_field bad_card card_duplicate wrong_card_count",
    }

    def find(self, staff, dispute_id):
        return _dispute_or_404(staff, dispute_id, Right.SEE_TABLE).round

    def number(self, dispute_id):
        return Dispute.objects.values_list("round_id", flat=True).filter(pk=dispute_id).first() or 0

    def part(self, dispute_id):
        return {"dispute_id": dispute_id}

    def signer(self, request, round_, body):
        if body["signature"] is not None:
            return signatures.second(request, body["signature"], table=round_.table)
        if disputes.takes_two(body["ruling"], body["changes"]):
            raise WORDING.refused("signature_missing:dispute")
        return None, None

    def do(self, body, **who):
        return disputes.rule(
            line=body["line"],
            ruling=body["ruling"],
            clause=body["clause"],
            reason=body["reason"],
            changes=changes(body["changes"] or []),
            **who,
        )

    def answer(self, row):
        return _dispute_now(row.pk)

    def as_it_is_now(self, code, dispute_id):
        if code == "dispute_ruled":
            return {"dispute": _dispute_now(dispute_id)}
        return super().as_it_is_now(code, dispute_id=dispute_id)


def _dispute_now(dispute_id):
    """A dispute's JSON, as the dispute is after a command."""
    return answers.dispute_json(_disputes().get(pk=dispute_id))


def _disputes():
    people = ("raised_by", "ruled_by", "approved_by")
    return Dispute.objects.select_related("round__table", "round__settlement", "terminal", "line", *people)


def _dispute_or_404(staff, dispute_id, right):
    dispute = _disputes().filter(pk=dispute_id, round__table__in=access.tables(staff, right)).first()
    if dispute is None:
        raise Http404
    return dispute
