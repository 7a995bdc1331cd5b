"""REST for terminals: the enrolled devices, all within reach and those of a table, and what is done with one."""

from django.db import transaction
from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import history
from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import Scanner, Terminal
from ..people import access, terminals
from ..verbs import scanners
from . import schema


class Terminals(APIView):
    """The terminals within reach, with when each was last seen."""

    rights = {"GET": Right.READ_TERMINALS}
    gives = {"GET": (200, "Terminals")}

    def get(self, request):
        within = access.tables(request.user, Right.READ_TERMINALS)
        rows = Terminal.objects.filter(table__in=within).order_by("name")
        history.look_at_records(what="terminal", by=request.user)
        return Response({"terminals": [_terminal_json(terminal) for terminal in rows]})


class TerminalDetail(APIView):
    """One terminal."""

    rights = {"GET": Right.READ_TERMINALS}
    gives = {"GET": (200, "Terminal")}

    def get(self, request, terminal_id):
        terminal = _terminal_or_404(request.user, terminal_id, Right.READ_TERMINALS)
        history.look_at_records(what=terminal.ref, by=request.user)
        return Response(_terminal_json(terminal))


class TableTerminals(APIView):
    """The terminals of one table: POST enrols another. Its token is shown only this once.

    POST takes no Idempotency-Key, since a kept answer would keep the token.
    """

    rights = {"GET": Right.ENROL, "POST": Right.ENROL}
    idempotent = False
    must = {"name": str}
    gives = {"GET": (200, "Terminals"), "POST": (201, "NewTerminal")}
    refuses = {409: "terminal_taken", 422: "terminal_name_wrong"}

    def get(self, request, table_id):
        table = access.table_or_404(request.user, Right.ENROL, table_id)
        return Response({"terminals": [_terminal_json(terminal) for terminal in table.terminals.order_by("name")]})

    def post(self, request, table_id):
        access.table_or_404(request.user, Right.ENROL, table_id)
        body = rest.fields(request.data, self.must)
        with transaction.atomic():
            access.still(request.user, Right.ENROL, table_id)
            terminal, token = terminals.enrol(table_id=table_id, name=body["name"], actor=Actor(request.user))
        answer = {"id": terminal.pk, "name": terminal.name, "token": token}
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})


class TerminalRename(APIView):
    """POST gives a terminal another name; its earlier name stays its own."""

    rights = {"POST": Right.ENROL}
    must = {"name": str}
    gives = {"POST": (200, "Terminal")}
    refuses = {409: "terminal_revoked terminal_taken terminal_name_same", 422: "terminal_name_wrong"}

    def post(self, request, terminal_id):
        terminal = _terminal_or_404(request.user, terminal_id)
        body = rest.fields(request.data, self.must)

        def work():
            access.still(request.user, Right.ENROL, terminal.table_id)
            renamed = terminals.rename(terminal_id=terminal_id, name=body["name"], actor=Actor(request.user))
            return 200, _terminal_json(renamed)

        return rest.carried_out(request, work)


class TerminalRevoke(APIView):
    """POST takes a terminal's token away."""

    rights = {"POST": Right.ENROL}
    gives = {"POST": (200, "Terminal")}
    refuses = {409: "terminal_revoked"}

    def post(self, request, terminal_id):
        terminal = _terminal_or_404(request.user, terminal_id)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.ENROL, terminal.table_id)
            terminals.revoke(terminal_id=terminal_id, actor=Actor(request.user))
            return 200, _terminal_json(Terminal.objects.get(pk=terminal_id))

        return rest.carried_out(request, work)


class TerminalScanner(APIView):
    """How the scanner at a terminal spells the cards of a game: POST sets all of it."""

    rights = {"GET": Right.ENROL, "POST": Right.ENROL}
    must = {"game": str, "prefix": str, "suffix": str, "codes": dict}
    shapes = schema.SHAPES
    gives = {"GET": (200, "Scanners"), "POST": (200, "Scanner")}
    refuses = {409: "terminal_revoked scanner_unchanged", 422: "game_unknown scanner_wrong"}

    def get(self, request, terminal_id):
        terminal = _terminal_or_404(request.user, terminal_id)
        newest = {scanner.game: scanner for scanner in terminal.scanners.select_related("set_by")}
        return Response({"scanners": [_scanner_json(newest[game]) for game in sorted(newest)]})

    def post(self, request, terminal_id):
        terminal = _terminal_or_404(request.user, terminal_id)
        body = rest.fields(request.data, self.must)

        def work():
            access.still(request.user, Right.ENROL, terminal.table_id)
            actor = Actor(request.user)
            scanner = scanners.set_profile(terminal_id=terminal_id, actor=actor, **body)
            return 200, _scanner_json(Scanner.objects.select_related("set_by").get(pk=scanner.pk))

        return rest.carried_out(request, work)


def _terminal_or_404(staff, terminal_id, right=Right.ENROL):
    within = access.tables(staff, right)
    terminal = Terminal.objects.filter(pk=terminal_id, table__in=within).first()
    if terminal is None:
        raise Http404
    return terminal


def _scanner_json(scanner):
    return {
        "terminal": scanner.terminal_id,
        "game": scanner.game,
        "prefix": scanner.prefix,
        "suffix": scanner.suffix,
        "codes": scanner.codes,
        "set_by": scanner.set_by.ref,
        "set_at": scanner.set_at.isoformat(),
    }


def _terminal_json(terminal):
    return {
        "id": terminal.pk,
        "name": terminal.name,
        "table": terminal.table_id,
        "enrolled_at": terminal.enrolled_at.isoformat(),
        "last_seen_at": terminal.last_seen_at and terminal.last_seen_at.isoformat(),
        "revoked_at": terminal.revoked_at and terminal.revoked_at.isoformat(),
    }
