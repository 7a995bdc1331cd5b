"""REST for the floor: tables, and rounds opened, acted in, closed and read."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import api
from casino.errors import Refused
from casino.games import registry
from casino.roles import Verb

from . import access, results, rounds, rulesheets
from .models import Round

ROLE_VERB = {"croupier": Verb.ACT, "pit_boss": Verb.RULE}


def plain(value):
    """A core value as JSON: named tuples become objects, all else stays."""
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def round_json(round_):
    """A round as a client reads it: where it is, what may be seen, what is legal now, and what it came to."""
    game, state, version = rounds.fold(round_)
    return {
        "id": round_.pk,
        "number": str(round_),
        "table": round_.table_id,
        "game": game.CODE,
        "status": round_.status,
        "phase": round_.phase,
        "version": version,
        "held": round_.held_at is not None,
        "sheet": round_.sheet.digest,
        "opened_at": _at(round_.opened_at),
        "closed_at": _at(round_.closed_at),
        "settled_at": _at(round_.settled_at),
        "view": plain(game.view(state)),
        "legal": plain(game.legal(state)) if round_.status == Round.Status.OPEN and not round_.held_at else [],
        "result": _result(results.of(round_)),
    }


def _at(moment):
    """JSON text has no dates of its own, and an answer is stored as text."""
    return moment and moment.isoformat()


def _result(found):
    if found is None:
        return None
    names = ("box", "outcome", "staked", "returned", "paid", "net", "clauses")
    return {
        "generation": found.generation,
        "payments": [dict(zip(names, payment, strict=True)) for payment in found.payments],
        "explanation": [{"box": box, "clause": clause, "text": text} for box, clause, text in found.reasons],
    }


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

    def get(self, request):
        found = access.tables(request.user, Verb.SEE_TABLE).select_related("pit", "chip_set").order_by("code")
        running = dict(Round.objects.filter(table__in=found, status=Round.Status.OPEN).values_list("table_id", "id"))
        return Response({"tables": [_table_json(table, running.get(table.pk)) for table in found]})


class TableRounds(APIView):
    """The rounds of one table: POST opens the next."""

    verbs = {"POST": Verb.SEE_TABLE}

    def post(self, request, table_id):
        access.table_or_404(request.user, Verb.SEE_TABLE, table_id)
        api.fields(request.data, {})

        def work():
            access.still(request.user, Verb.ACT, table_id)
            return 201, _sent(rounds.open_round(table_id=table_id, by=request.user))

        return api.carried_out(request, work)


class RoundDetail(APIView):
    """One round."""

    verbs = {"GET": Verb.SEE_TABLE}

    def get(self, request, round_id):
        return Response(round_json(_round_or_404(request.user, round_id)))


class RoundActions(APIView):
    """What happens in a round: POST lets one thing happen. One endpoint for every game."""

    verbs = {"POST": Verb.SEE_TABLE}

    def post(self, request, round_id):
        found = _round_or_404(request.user, round_id)
        told = api.fields(request.data, {"version": int, "kind": str}, {"box": int, "arguments": dict})
        kind = registry.GAMES[found.sheet.game].ACTIONS.get(told["kind"])

        def work():
            access.still(request.user, ROLE_VERB[kind.role if kind else "croupier"], found.table_id)
            acted = rounds.act(
                round_id=round_id,
                version=told["version"],
                kind=told["kind"],
                box=told["box"],
                arguments=told["arguments"] or {},
                by=request.user,
            )
            return 200, _sent(acted)

        return _with_round(request, round_id, work)


class RoundClose(APIView):
    """The end of a round: POST makes its complete line, and it is settled."""

    verbs = {"POST": Verb.SEE_TABLE}

    def post(self, request, round_id):
        found = _round_or_404(request.user, round_id)
        told = api.fields(request.data, {"version": int})

        def work():
            access.still(request.user, Verb.ACT, found.table_id)
            return 200, _sent(rounds.close(round_id=round_id, version=told["version"], by=request.user))

        return _with_round(request, round_id, work)


def _sent(round_):
    """A round as it is after a command."""
    return round_json(_rounds().get(pk=round_.pk))


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
        return api.carried_out(request, work)
    except Refused as refused:
        if refused.code in {"stale_version", "round_wrong_moment", "round_held"}:
            refused.detail["round"] = _sent(_rounds().get(pk=round_id))
        raise
