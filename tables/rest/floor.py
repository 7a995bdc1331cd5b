"""REST for the floor: who is signed on at a table, its terminals, and people who locked themselves out."""

from django.db import transaction
from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Staff
from casino.roles import Verb
from casino.web import rest

from ..models import Terminal
from ..people import access, signatures, staff, terminals
from ..verbs import series
from . import schema


class TableSignOn(APIView):
    """POST signs a croupier on: oneself at a terminal of the table, or by its pit boss whom `staff` names.

    `relieve` is the number of the croupier who hands over; who came too late learns who stands there now.
    """

    verbs = {"POST": Verb.SIGN_ON}
    may = {"staff": int, "relieve": int}
    gives = {"POST": (200, "SignOn")}
    refuses = {
        403: "terminal_needed",
        409: "table_taken signed_on_here signed_on_elsewhere",
        422: "not_a_croupier_here",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Verb.SIGN_ON, table_id)
        told = rest.fields(request.data, {}, self.may)

        def work():
            access.still(request.user, Verb.SIGN_ON, table_id)
            person = request.user if told["staff"] is None else Staff.objects.filter(pk=told["staff"]).first()
            if person is None:
                raise staff.not_a_croupier_here(table)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            made = staff.sign_on(staff=person, table=table, actor=actor, relieve=told["relieve"])
            return 200, _sign_on_json(made)

        return rest.carried_out(request, work)


class TableSignOff(APIView):
    """POST signs the croupier off: oneself, or by the pit boss."""

    verbs = {"POST": Verb.SIGN_ON}
    gives = {"POST": (200, "SignOn")}
    refuses = {409: "nobody_signed_on"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Verb.SIGN_ON, table_id)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Verb.SIGN_ON, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            ended = staff.sign_off(table=table, actor=actor)
            return 200, _sign_on_json(ended)

        return rest.carried_out(request, work)


class TableSeriesEnd(APIView):
    """POST breaks the table's series off before its last round; a pit boss signs."""

    verbs = {"POST": Verb.SEE_TABLE}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Series")}
    refuses = {
        403: "signature_wrong signature_without_right",
        409: "no_series round_open",
        429: "locked",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Verb.SEE_TABLE, table_id)
        told = rest.fields(request.data, self.must)
        if not request.user.has_perm(Verb.REPORT, table):
            raise access.not_your_right()
        signer = signatures.signed(request, told["signature"], table=table, verb=Verb.RULE)

        def work():
            access.still(request.user, Verb.REPORT, table_id)
            signatures.still_signed(signer, Verb.RULE, table_id)
            second = signer if signer.pk != request.user.pk else None
            actor = Actor(request.user, second, access.terminal_of(request))
            ended = series.end(table_id=table_id, actor=actor)
            return 200, {"id": ended.pk, "table": table_id, "seats": ended.seats, "rounds": ended.rounds.count()}

        return rest.carried_out(request, work)


class TableTerminals(APIView):
    """The terminals of one table: POST enrols another. Its token is shown this once.

    It takes no Idempotency-Key, since an answer that is kept would keep the token.
    """

    verbs = {"GET": Verb.ENROL, "POST": Verb.ENROL}
    idempotent = False
    must = {"name": str}
    gives = {"GET": (200, "Terminals"), "POST": (201, "NewTerminal")}
    refuses = {409: "terminal_taken", 422: "terminal_name_wrong"}

    def get(self, request, table_id):
        table = access.table_or_404(request.user, Verb.ENROL, table_id)
        return Response({"terminals": [_terminal_json(terminal) for terminal in table.terminals.order_by("name")]})

    def post(self, request, table_id):
        access.table_or_404(request.user, Verb.ENROL, table_id)
        told = rest.fields(request.data, self.must)
        with transaction.atomic():
            access.still(request.user, Verb.ENROL, table_id)
            terminal, token = terminals.enrol(table_id=table_id, name=told["name"], actor=Actor(request.user))
        answer = {"id": terminal.pk, "name": terminal.name, "token": token}
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})


class TerminalRevoke(APIView):
    """POST takes a terminal's token away."""

    verbs = {"POST": Verb.ENROL}
    gives = {"POST": (200, "Terminal")}
    refuses = {409: "terminal_revoked"}

    def post(self, request, terminal_id):
        within = access.tables(request.user, Verb.ENROL)
        terminal = Terminal.objects.filter(pk=terminal_id, table__in=within).first()
        if terminal is None:
            raise Http404
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Verb.ENROL, terminal.table_id)
            terminals.revoke(terminal_id=terminal_id, actor=Actor(request.user))
            return 200, _terminal_json(Terminal.objects.get(pk=terminal_id))

        return rest.carried_out(request, work)


class StaffUnlock(APIView):
    """POST lets a person who mistyped a password too often try again, at every terminal."""

    verbs = {"POST": Verb.UNLOCK}
    gives = {"POST": (200, "Unlocked")}
    refuses = {409: "not_locked"}

    def post(self, request, staff_id):
        person = Staff.objects.filter(pk=staff_id).first()
        if person is None:
            raise Http404
        rest.fields(request.data, {})

        def work():
            staff.unlock(staff=person, actor=Actor(request.user))
            return 200, {"staff": person.pk}

        return rest.carried_out(request, work)


def _sign_on_json(record):
    record.refresh_from_db()
    return {
        "table": record.table_id,
        "staff": record.staff_id,
        "terminal": record.terminal and record.terminal.name,
        "signed_on_at": record.signed_on_at.isoformat(),
        "signed_off_at": record.signed_off_at and record.signed_off_at.isoformat(),
    }


def _terminal_json(terminal):
    return {
        "id": terminal.pk,
        "name": terminal.name,
        "enrolled_at": terminal.enrolled_at.isoformat(),
        "revoked_at": terminal.revoked_at and terminal.revoked_at.isoformat(),
    }
