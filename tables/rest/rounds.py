"""REST for rounds: acted in, corrected, held, voided, closed, ticked and read.

Each command is one class: what its body takes, which right it needs, whose signature, and the one verb that it calls.
"""

from rest_framework.response import Response
from rest_framework.views import APIView

from audit import history
from casino.games import registry
from casino.roles import Right

from ..people import signatures
from ..verbs import corrections, interventions, payments, rounds, settling
from . import answers
from .command import (
    LATE,
    NOT_NOW,
    OF_A_REASON,
    OF_THE_GAME,
    SIGNED,
    RoundCommand,
    changes,
    late_right,
    round_or_404,
    signed_by_boss,
)
from .wording import WORDING


class RoundDetail(APIView):
    """One round."""

    rights = {"GET": Right.SEE_TABLE}
    gives = {"GET": (200, "Round")}

    def get(self, request, round_id):
        round_ = round_or_404(request.user, round_id)
        answer = answers.round_json(round_)
        history.look_at_records(what=round_.ref, by=request.user)
        return Response(answer)


class RoundActions(RoundCommand):
    """What happens in a round: POST lets one thing happen. One endpoint for every game."""

    must = {"version": int, "kind": str}
    may = {"box": int, "arguments": dict, "signature": dict}
    refuses = SIGNED | {
        409: f"{NOT_NOW} action_wrong_moment box_wrong_moment box_missing box_unexpected",
        422: f"action_unknown box_unknown {OF_THE_GAME} signature_missing",
    }

    def right_for(self, round_, unjudged):
        return Right.REPORT if self._is_ruling(round_, unjudged) else late_right(round_, Right.ACT)

    def signer(self, request, round_, body):
        signer, right = signed_by_boss(request, round_, body)
        if signer is None and self._is_ruling(round_, body):
            raise WORDING.refused("signature_missing:ruling")
        return signer, right

    def _is_ruling(self, round_, body):
        kind = body.get("kind")
        return isinstance(kind, str) and rounds.role_of(registry.GAMES[round_.sheet.game], kind) == "pit_boss"

    def do(self, body, **who):
        return rounds.act(
            version=body["version"], kind=body["kind"], box=body["box"], arguments=body["arguments"] or {}, **who
        )


class RoundUndo(RoundCommand):
    """The last action taken back: inside its phase by the croupier, across phases with a pit boss's signature."""

    may = {"signature": dict}
    refuses = SIGNED | {409: f"{NOT_NOW} nothing_to_undo", 422: "signature_missing"}

    def signer(self, request, round_, body):
        return signed_by_boss(request, round_, body)

    def do(self, body, **who):
        return rounds.undo(version=body["version"], **who)


class RoundAmend(RoundCommand):
    """A wrong card or stake entered again, in the place of the action that had it."""

    must = {"version": int, "ordinal": int, "arguments": dict}
    may = {"signature": dict}
    refuses = SIGNED | {
        409: NOT_NOW,
        422: f"ordinal_unknown nothing_to_amend {OF_THE_GAME} does_not_follow signature_missing",
    }

    def signer(self, request, round_, body):
        return signed_by_boss(request, round_, body)

    def do(self, body, **who):
        return rounds.amend(version=body["version"], ordinal=body["ordinal"], arguments=body["arguments"], **who)


class RoundClose(RoundCommand):
    """The end of a round: POST makes its complete line, and it is settled."""

    refuses = {409: f"{NOT_NOW} round_not_final"}

    def do(self, body, **who):
        return rounds.close(version=body["version"], **who)


class RoundReport(RoundCommand):
    """An irregularity of the rules' list: one that stops the round holds it."""

    right = Right.REPORT
    must = {"clause": str}
    may = {"box": int, "reason": str}
    refuses = {409: "round_wrong_moment round_held", 422: f"{OF_A_REASON} box_missing box_unknown box_unexpected"}

    def do(self, body, **who):
        return interventions.report(clause=body["clause"], box=body["box"], reason=body["reason"] or "", **who)


class RoundRelease(RoundCommand):
    """A held round goes on as it stands; a pit boss signs."""

    right = Right.REPORT
    must = {"version": int, "hold": int, "signature": dict}
    may = {"reason": str}
    refuses = SIGNED | {409: "stale_version round_not_held", 422: "reason_missing reason_wrong"}

    def signer(self, request, round_, body):
        return signed_by_boss(request, round_, body)

    def do(self, body, **who):
        return interventions.release(version=body["version"], hold=body["hold"], reason=body["reason"] or "", **who)


class RoundTry(RoundCommand):
    """A closed round that waits for its next try is settled at once, if it can be."""

    right = Right.REPORT
    must = {}
    refuses = {409: "round_wrong_moment round_held round_in_work"}

    def do(self, body, **who):
        return settling.try_now(**who)


class RoundVoid(RoundCommand):
    """An open round called off, all stakes back: two people, one of them a pit boss of the table."""

    right = Right.REPORT
    must = {"version": int, "clause": str, "reason": str, "signature": dict}
    refuses = SIGNED | {409: LATE, 422: f"same_person {OF_A_REASON}"}

    def signer(self, request, round_, body):
        return signatures.second(request, body["signature"], table=round_.table)

    def do(self, body, **who):
        return interventions.void(version=body["version"], clause=body["clause"], reason=body["reason"], **who)


class RoundCorrections(RoundCommand):
    """A card, a stake or a ruling after close: the next line and, if settled, the next generation; two people."""

    right = Right.REPORT
    must = {"line": int, "changes": list, "clause": str, "reason": str, "signature": dict}
    refuses = SIGNED | {
        409: LATE,
        422: f"same_person {OF_A_REASON} nothing_changed bad_field missing_field bad_card card_duplicate"
        " wrong_card_count",
    }

    def signer(self, request, round_, body):
        return signatures.second(request, body["signature"], table=round_.table)

    def do(self, body, **who):
        return corrections.correct(
            line=body["line"],
            changes=changes(body["changes"]),
            clause=body["clause"],
            reason=body["reason"],
            **who,
        )


class RoundTicks(RoundCommand):
    """The croupier's word that a box has got its payment; at a closed table the cage's, after a correction."""

    must = {"generation": int, "box": int}
    refuses = {409: f"{LATE} ticked_already", 422: "box_unknown"}

    def right_for(self, round_, unjudged):
        return payments.right_to_tick(round_.table)

    def do(self, body, **who):
        return payments.tick(generation=body["generation"], box=body["box"], **who)


class RoundLeft(RoundCommand):
    """Two people's word that a payment was not handed over or collected: the patron has left."""

    right = Right.REPORT
    must = {"generation": int, "box": int, "signature": dict}
    refuses = SIGNED | {409: f"{LATE} ticked_already nothing_due", 422: "box_unknown same_person"}

    def signer(self, request, round_, body):
        return signatures.second(request, body["signature"], table=round_.table)

    def do(self, body, **who):
        return payments.leave(generation=body["generation"], box=body["box"], **who)
