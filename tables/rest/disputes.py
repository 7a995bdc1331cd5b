"""REST for disputes: raised on a round, read, and ruled on."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.errors import Refused
from casino.roles import Verb

from ..models import Dispute
from ..people import access, signatures
from ..verbs import disputes, rounds
from . import answers
from .rounds import LATE, OF_A_REASON, SIGNED, RoundCommand, changes, whole_numbers


class RoundDisputes(RoundCommand):
    """A round contested, whatever its status: what about, at which boxes, and in whose words.

    `about` is a clause of the game or one of the words; no boxes mean the whole table. Play and payment go on.
    """

    right = Verb.RAISE
    must = {"about": str, "boxes": list, "statement": str}
    gives = {"POST": (201, "Dispute")}
    refuses = {409: "dispute_raised", 422: "about_unknown box_unknown statement_missing statement_wrong"}

    def do(self, told, **who):
        boxes = whole_numbers(told["boxes"], "boxes")
        return disputes.raise_dispute(about=told["about"], boxes=boxes, statement=told["statement"], **who)

    def sent(self, done):
        return answers.dispute_json(_disputes().get(pk=done.pk))


class DisputeDetail(APIView):
    """One dispute: its statement, and its ruling once there is one."""

    verbs = {"GET": Verb.READ_FLOOR}
    gives = {"GET": (200, "Dispute")}

    def get(self, request, dispute_id):
        return Response(answers.dispute_json(_dispute_or_404(request.user, dispute_id, Verb.READ_FLOOR)))


class DisputeRule(RoundDisputes):
    """A dispute upheld or refused, once, by a pit boss who took no action in the round.

    With `changes` it makes the round's next line, once settled its next generation, and a second person signs. On an
    open or a void round it is ruled without changes.
    """

    right = Verb.RULE_DISPUTE
    must = {"line": int, "ruling": str, "clause": str, "reason": str}
    may = {"changes": list, "signature": dict}
    gives = {"POST": (200, "Dispute")}
    refuses = SIGNED | {
        403: f"{SIGNED[403]} dealt_it",
        409: f"{LATE} dispute_ruled round_open",
        422: f"signature_missing same_person ruling_unknown {OF_A_REASON} changes_unexpected nothing_changed bad_field"
        " missing_field bad_card card_duplicate wrong_card_count",
    }

    def post(self, request, dispute_id):
        self.dispute = _dispute_or_404(request.user, dispute_id, Verb.SEE_TABLE)
        try:
            return super().post(request, self.dispute.round_id)
        except Refused as refused:
            if refused.code == "dispute_ruled":
                refused.detail["dispute"] = self.sent(self.dispute)
            raise

    def signer(self, request, found, told):
        if told["signature"] is not None:
            return signatures.second(request, told["signature"], table=found.table)
        if told["changes"]:
            raise rounds.unsigned("A ruling that changes the round takes two people.")
        return None, None

    def do(self, told, *, round_id, **who):
        return disputes.rule(
            dispute_id=self.dispute.pk,
            line=told["line"],
            ruling=told["ruling"],
            clause=told["clause"],
            reason=told["reason"],
            changes=changes(told["changes"] or []),
            **who,
        )


def _disputes():
    people = ("raised_by", "ruled_by", "approved_by")
    return Dispute.objects.select_related("round__table", "round__settlement", "terminal", "line", *people)


def _dispute_or_404(staff, dispute_id, verb):
    found = _disputes().filter(pk=dispute_id, round__table__in=access.tables(staff, verb)).first()
    if found is None:
        raise Http404
    return found
