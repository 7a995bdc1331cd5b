"""REST for rounds: opened, acted in, corrected, held, voided, closed, ticked and read; and the tables they are at.

Each command is one class: what its body takes, which right it needs, whose signature, and the one verb that it calls.
"""

from abc import ABC, abstractmethod

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.errors import Refused
from casino.games import registry
from casino.roles import Verb
from casino.web import rest

from ..models import Round
from ..people import access, signatures
from ..verbs import corrections, interventions, payments, rounds, rulesheets
from . import answers, schema

# A command that came too late is answered with the round as it is now.
TOO_LATE = {"stale_version", "round_wrong_moment", "round_held", "round_not_held", "ticked_already", "nothing_to_undo"}
# What `casino/web/openapi.py` says of the commands: the codes of their refusals.
LATE, NOT_NOW = "stale_version round_wrong_moment", "stale_version round_wrong_moment round_held"
OF_THE_GAME = "field_out_of_range bad_card card_duplicate wrong_card_count"
OF_A_REASON = "clause_unknown reason_missing reason_wrong"
SIGNED = {403: "signature_wrong signature_without_right", 429: "locked"}


def _table_json(table, running):
    sheet = rulesheets.in_force(table)
    return {
        "id": table.pk,
        "code": table.code,
        "name": table.name,
        "pit": table.pit.name,
        "game": sheet and sheet.game,
        "sheet": sheet and sheet.digest,
        "chips": table.chip_set.denominations,
        "open_round": running,
    }


class Tables(APIView):
    """The tables that the caller may see."""

    verbs = {"GET": Verb.SEE_TABLE}
    gives = {"GET": (200, "Tables")}

    def get(self, request):
        found = access.tables(request.user, Verb.SEE_TABLE).select_related("pit", "chip_set").order_by("code")
        running = dict(Round.objects.filter(table__in=found, status=Round.Status.OPEN).values_list("table_id", "id"))
        return Response({"tables": [_table_json(table, running.get(table.pk)) for table in found]})


class TableRounds(APIView):
    """The rounds of one table: POST opens the next."""

    verbs = {"POST": Verb.SEE_TABLE}
    right = Verb.ACT
    gives = {"POST": (201, "Round")}
    may = {"seats": list, "dealer": int}
    shapes = schema.SHAPES
    refuses = {
        409: "round_open session_closed no_sheet",
        422: "seats_unexpected seats_missing seats_wrong dealer_unknown",
    }

    def post(self, request, table_id):
        access.table_or_404(request.user, Verb.SEE_TABLE, table_id)
        told = rest.fields(request.data, {}, self.may)
        seats = whole_numbers(told["seats"] or [], "seats")

        def work():
            access.still(request.user, self.right, table_id)
            return 201, _sent(
                rounds.open_round(
                    table_id=table_id,
                    seats=seats,
                    dealer=told["dealer"],
                    actor=Actor(request.user, terminal=access.terminal_of(request)),
                )
            )

        return rest.carried_out(request, work)


class RoundDetail(APIView):
    """One round."""

    verbs = {"GET": Verb.SEE_TABLE}
    gives = {"GET": (200, "Round")}

    def get(self, request, round_id):
        return Response(answers.round_json(_round_or_404(request.user, round_id)))


class RoundCommand(APIView, ABC):
    """Something done to a round. Subclasses say what the body takes and call their verb in `do`.

    `right` is asked again under the table's lock. A signature is another person's login and password, checked before
    the transaction, so that a wrong one is counted although nothing else happens.
    """

    verbs = {"POST": Verb.SEE_TABLE}
    right = Verb.ACT
    must = {"version": int}
    may = {}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Round")}

    def post(self, request, round_id):
        found = _round_or_404(request.user, round_id)
        told = rest.fields(request.data, self.must, self.may)
        right = self.right_for(found, told)
        if not request.user.has_perm(right, found.table):
            raise access.not_your_right()
        signer, signed_for = self.signer(request, found, told)

        second = signer if signer and signer.pk != request.user.pk else None

        def work():
            access.still(request.user, right, found.table_id)
            if signer:
                signatures.still_signed(signer, signed_for, found.table_id)
            if signed_for == Verb.COUNTERSIGN:
                # Who asked is then the one of the two who rules.
                access.still(request.user, Verb.RULE, found.table_id)
            done = self.do(
                told,
                round_id=round_id,
                actor=Actor(request.user, second, access.terminal_of(request)),
            )
            return self.gives["POST"][0], self.sent(done)

        return _with_round(request, round_id, work)

    def right_for(self, found, told):
        return self.right

    def signer(self, request, found, told):
        """Who signed, and the right that the signature stands for; None where nobody has to."""
        return None, None

    @abstractmethod
    def do(self, told, **who):
        """Call the verb."""

    def sent(self, done):
        return _sent(done)


def _boss(request, found, told):
    signature = told.get("signature")
    if signature is None:
        return None, None
    return signatures.signed(request, signature, table=found.table, verb=Verb.RULE), Verb.RULE


class RoundActions(RoundCommand):
    """What happens in a round: POST lets one thing happen. One endpoint for every game."""

    must = {"version": int, "kind": str}
    may = {"box": int, "arguments": dict, "signature": dict}
    refuses = SIGNED | {
        409: f"{NOT_NOW} action_wrong_moment box_wrong_moment box_missing box_unexpected",
        422: f"action_unknown box_unknown {OF_THE_GAME} signature_missing",
    }

    def right_for(self, found, told):
        return Verb.REPORT if self._is_ruling(found, told) else Verb.ACT

    def signer(self, request, found, told):
        signer, right = _boss(request, found, told)
        if signer is None and self._is_ruling(found, told):
            raise rounds.unsigned("A ruling is the pit boss's.")
        return signer, right

    def _is_ruling(self, found, told):
        return rounds.role_of(registry.GAMES[found.sheet.game], told["kind"]) == "pit_boss"

    def do(self, told, **who):
        return rounds.act(
            version=told["version"], kind=told["kind"], box=told["box"], arguments=told["arguments"] or {}, **who
        )


class RoundUndo(RoundCommand):
    """The last action taken back: inside its phase by the croupier, across phases with a pit boss's signature."""

    may = {"signature": dict}
    refuses = SIGNED | {409: f"{NOT_NOW} nothing_to_undo", 422: "signature_missing"}

    def signer(self, request, found, told):
        return _boss(request, found, told)

    def do(self, told, **who):
        return rounds.undo(version=told["version"], **who)


class RoundAmend(RoundCommand):
    """A mis-entered card or stake entered again, in the place of the action that had it."""

    must = {"version": int, "ordinal": int, "arguments": dict}
    may = {"signature": dict}
    refuses = SIGNED | {
        409: NOT_NOW,
        422: f"ordinal_unknown nothing_to_amend {OF_THE_GAME} does_not_follow signature_missing",
    }

    def signer(self, request, found, told):
        return _boss(request, found, told)

    def do(self, told, **who):
        return rounds.amend(version=told["version"], ordinal=told["ordinal"], arguments=told["arguments"], **who)


class RoundClose(RoundCommand):
    """The end of a round: POST makes its complete line, and it is settled."""

    refuses = {409: f"{NOT_NOW} round_not_final"}

    def do(self, told, **who):
        return rounds.close(version=told["version"], **who)


class RoundReport(RoundCommand):
    """An irregularity of the rules' list: one that stops the round holds it."""

    right = Verb.REPORT
    must = {"clause": str}
    may = {"box": int, "reason": str}
    refuses = {409: "round_wrong_moment round_held", 422: f"{OF_A_REASON} box_missing box_unknown box_unexpected"}

    def do(self, told, **who):
        return interventions.report(clause=told["clause"], box=told["box"], reason=told["reason"] or "", **who)


class RoundRelease(RoundCommand):
    """A held round goes on as it stands; a pit boss signs."""

    right = Verb.REPORT
    must = {"version": int, "hold": int, "signature": dict}
    may = {"reason": str}
    refuses = SIGNED | {409: "stale_version round_not_held", 422: "reason_missing reason_wrong"}

    def signer(self, request, found, told):
        return _boss(request, found, told)

    def do(self, told, **who):
        return interventions.release(version=told["version"], hold=told["hold"], reason=told["reason"] or "", **who)


class RoundVoid(RoundCommand):
    """An open round called off, all stakes back: two people, one of them a pit boss of the table."""

    right = Verb.REPORT
    must = {"version": int, "clause": str, "reason": str, "signature": dict}
    refuses = SIGNED | {409: LATE, 422: f"same_person {OF_A_REASON}"}

    def signer(self, request, found, told):
        return signatures.second(request, told["signature"], table=found.table)

    def do(self, told, **who):
        return interventions.void(version=told["version"], clause=told["clause"], reason=told["reason"], **who)


class RoundCorrections(RoundCommand):
    """A card, a stake or a ruling after close: the next line, once settled the next generation; two people."""

    right = Verb.REPORT
    must = {"line": int, "changes": list, "clause": str, "reason": str, "signature": dict}
    refuses = SIGNED | {
        409: LATE,
        422: f"same_person {OF_A_REASON} nothing_changed bad_field missing_field bad_card card_duplicate"
        " wrong_card_count",
    }

    def signer(self, request, found, told):
        return signatures.second(request, told["signature"], table=found.table)

    def do(self, told, **who):
        return corrections.correct(
            line=told["line"],
            changes=changes(told["changes"]),
            clause=told["clause"],
            reason=told["reason"],
            **who,
        )


class RoundTicks(RoundCommand):
    """The croupier's word that a box has got its payment."""

    must = {"generation": int, "box": int}
    refuses = {409: f"{LATE} ticked_already", 422: "box_unknown"}

    def do(self, told, **who):
        return payments.tick(generation=told["generation"], box=told["box"], **who)


def whole_numbers(told, name):
    for index, value in enumerate(told):
        if not rest.is_whole(value):
            place = f"{name}[{index}]"
            raise Refused(
                "field_wrong",
                f"{place} is not a whole number.",
                status=422,
                path=place,
                way_out="Send a whole number.",
            )
    return told


def changes(told):
    """Path to value, each path once."""
    found = {}
    for index, change in enumerate(told):
        place = f"changes[{index}]"
        if not isinstance(change, dict):
            raise Refused("field_wrong", f"{place} is not an object.", status=422, path=place, way_out="Send one.")
        try:
            path = rest.fields(change, {"path": str}, {"value": object})["path"]
        except Refused as refused:
            refused.path = f"{place}.{refused.path}"
            raise
        if path in found:
            raise Refused("field_wrong", f"{path} is set twice.", status=422, path=place, way_out="Set it once.")
        found[path] = change.get("value")
    return found


def _sent(round_):
    """A round as it is after a command."""
    return answers.round_json(_rounds().get(pk=round_.pk))


def _rounds():
    return Round.objects.select_related("table", "sheet", "settlement")


def _round_or_404(staff, round_id):
    found = _rounds().filter(pk=round_id, table__in=access.tables(staff, Verb.SEE_TABLE)).first()
    if found is None:
        raise Http404
    return found


def _with_round(request, round_id, work):
    """Carry out a command; who came too late gets the round as it is now."""
    try:
        return rest.carried_out(request, work)
    except Refused as refused:
        if refused.code in TOO_LATE:
            refused.detail["round"] = _sent(_rounds().get(pk=round_id))
        raise
