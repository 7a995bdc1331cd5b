"""REST for tables: those within reach, the next round of one, rounds from paper, and the end of its series."""

from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import Round
from ..people import access, signatures
from ..verbs import rounds, rulesheets, series
from . import answers, moments, schema
from .command import SIGNED, round_now, whole_numbers


class Tables(APIView):
    """The tables that the caller may see."""

    rights = {"GET": Right.SEE_TABLE}
    gives = {"GET": (200, "Tables")}

    def get(self, request):
        tables = access.tables(request.user, Right.SEE_TABLE).select_related("pit", "chip_set").order_by("code")
        running = Round.objects.at_the_table().filter(table__in=tables, status=Round.Status.OPEN)
        running = dict(running.values_list("table_id", "id"))
        return Response({"tables": [_table_json(table, running.get(table.pk)) for table in tables]})


class TableRounds(APIView):
    """The rounds of one table: POST opens the next."""

    rights = {"POST": Right.SEE_TABLE}
    right = Right.ACT
    gives = {"POST": (201, "Round")}
    brief = True
    may = {"seats": list, "dealer": int}
    shapes = schema.SHAPES
    refuses = {
        409: "round_open session_closed no_sheet",
        422: "seats_unexpected seats_missing seats_wrong dealer_unknown",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        if not request.user.has_perm(self.right, table):
            raise access.not_your_right()
        body = rest.fields(request.data, {}, self.may)
        seats = whole_numbers(body["seats"] or [], "seats")

        def work():
            access.still(request.user, self.right, table_id)
            opened = rounds.open_round(
                table_id=table_id,
                seats=seats,
                dealer=body["dealer"],
                actor=Actor(request.user, terminal=access.terminal_of(request)),
            )
            return 201, answers.brief_json(opened.pk, 0) if rest.is_brief(request) else round_now(opened.pk)

        return rest.carried_out(request, work, brief=self.brief)


class TablePaperRounds(APIView):
    """POST opens a round that was played on paper during an outage, with the paper's number and the time of play.

    Two people enter it, one of them a pit boss of the table, while the gaming day of the session in which it was played
    is open.
    """

    rights = {"POST": Right.SEE_TABLE}
    right = Right.REPORT
    gives = {"POST": (201, "Round")}
    brief = True
    must = {"paper": str, "happened_at": str, "signature": dict}
    may = {"seats": list, "dealer": int}
    shapes = schema.SHAPES | {
        "paper": {"type": "string", "description": "What is printed on the paper."},
        "happened_at": {
            "type": "string",
            "description": "When the round was played: a moment of RFC 3339, or the time that the casino's clocks"
            " showed, as 2026-11-25T21:05.",
        },
    }
    refuses = SIGNED | {
        409: f"{TableRounds.refuses[409]} paper_entered paper_too_late paper_too_early paper_out_of_order",
        422: f"{TableRounds.refuses[422]} same_person paper_wrong moment_to_come time_twice time_left_out",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        if not request.user.has_perm(self.right, table):
            raise access.not_your_right()
        body = rest.fields(request.data, self.must, self.may)
        seats = whole_numbers(body["seats"] or [], "seats")
        happened_at = moments.shown(body["happened_at"], "happened_at")
        signer, signed_for = signatures.second(request, body["signature"], table=table)

        def work():
            access.still(request.user, self.right, table_id)
            if signed_for == Right.COUNTERSIGN:
                # Then, of the two, the person who asks is the one who rules.
                access.still(request.user, Right.RULE, table_id)
            signatures.still_signed(signer, signed_for, table_id)
            opened = rounds.open_round(
                table_id=table_id,
                seats=seats,
                dealer=body["dealer"],
                happened_at=happened_at,
                paper=body["paper"],
                actor=Actor(request.user, signer, access.terminal_of(request)),
            )
            return 201, answers.brief_json(opened.pk, 0) if rest.is_brief(request) else round_now(opened.pk)

        return rest.carried_out(request, work, brief=self.brief)


class TableSeriesEnd(APIView):
    """POST breaks the table's series off before its last round, or that of a closed session's rounds from paper; a pit
    boss signs."""

    rights = {"POST": Right.SEE_TABLE}
    must = {"signature": dict}
    may = {"session": int}
    shapes = schema.SHAPES | {
        "session": {
            "type": "integer",
            "description": "The closed session whose series from paper ends, if one is meant.",
        }
    }
    gives = {"POST": (200, "Series")}
    refuses = SIGNED | {409: "no_series round_open"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        if not request.user.has_perm(Right.REPORT, table):
            raise access.not_your_right()
        body = rest.fields(request.data, self.must, self.may)
        signer = signatures.signed(request, body["signature"], table=table, right=Right.RULE)

        def work():
            access.still(request.user, Right.REPORT, table_id)
            signatures.still_signed(signer, Right.RULE, table_id)
            second = signer if signer.pk != request.user.pk else None
            actor = Actor(request.user, second, access.terminal_of(request))
            ended = series.end(table_id=table_id, session_id=body["session"], actor=actor)
            return 200, {"id": ended.pk, "table": table_id, "seats": ended.seats, "rounds": ended.rounds.count()}

        return rest.carried_out(request, work)


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
