"""REST for tables: those within reach, the next round of one, and the end of its series."""

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
        running = dict(Round.objects.filter(table__in=tables, status=Round.Status.OPEN).values_list("table_id", "id"))
        return Response({"tables": [_table_json(table, running.get(table.pk)) for table in tables]})


class TableRounds(APIView):
    """The rounds of one table: POST opens the next.

    One that was played on paper during an outage has the time at which it happened, the paper's number, and a second
    person's signature: one of the two is a pit boss of the table.
    """

    rights = {"POST": Right.SEE_TABLE}
    gives = {"POST": (201, "Round")}
    brief = True
    may = {"seats": list, "dealer": int, "happened_at": str, "paper": str, "signature": dict}
    shapes = schema.SHAPES | {
        "happened_at": {
            "type": "string",
            "description": "When it was played: a moment of RFC 3339, or the time of the casino's clocks without an"
            " offset, as `2026-11-25T21:05`.",
        },
        "paper": {"type": "string", "description": "What is printed on the paper."},
    }
    refuses = SIGNED | {
        409: "round_open session_closed no_sheet paper_entered paper_too_late paper_too_early paper_out_of_order",
        422: "seats_unexpected seats_missing seats_wrong dealer_unknown paper_incomplete paper_wrong moment_to_come"
        " time_twice time_left_out signature_missing same_person",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        right = Right.REPORT if _is_from_paper(request.data) else Right.ACT
        if not request.user.has_perm(right, table):
            raise access.not_your_right()
        body = rest.fields(request.data, {}, self.may)
        seats = whole_numbers(body["seats"] or [], "seats")
        happened_at = body["happened_at"] and moments.shown(body["happened_at"], "happened_at")
        signer, signed_for = None, None
        if right == Right.REPORT:
            if body["signature"] is None:
                raise rounds.unsigned("Two people enter a round from paper, and one of them is a pit boss.")
            signer, signed_for = signatures.second(request, body["signature"], table=table)

        def work():
            access.still(request.user, right, table_id)
            if signer:
                signatures.still_signed(signer, signed_for, table_id)
                if signed_for == Right.COUNTERSIGN:
                    # Then the person who asks is the one of the two who rules.
                    access.still(request.user, Right.RULE, table_id)
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
    """POST breaks the table's series off before its last round; a pit boss signs."""

    rights = {"POST": Right.SEE_TABLE}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Series")}
    refuses = SIGNED | {409: "no_series round_open"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        if not request.user.has_perm(Right.REPORT, table):
            raise access.not_your_right()
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=table, right=Right.RULE)

        def work():
            access.still(request.user, Right.REPORT, table_id)
            signatures.still_signed(signer, Right.RULE, table_id)
            second = signer if signer.pk != request.user.pk else None
            ended = series.end(table_id=table_id, actor=Actor(request.user, second, access.terminal_of(request)))
            return 200, {"id": ended.pk, "table": table_id, "seats": ended.seats, "rounds": ended.rounds.count()}

        return rest.carried_out(request, work)


def _is_from_paper(body):
    """Whether a body, of which nothing is judged yet, is that of a round from paper."""
    return isinstance(body, dict) and any(body.get(name) is not None for name in ("paper", "happened_at", "signature"))


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
