"""REST for people: who is signed on at a table, and whose lock-out is lifted."""

from django.http import Http404
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..people import access, reliefs, staff


class TableSignOn(APIView):
    """POST signs a croupier on: oneself at a terminal of the table, or by its pit boss whom `staff` names.

    `relieve` is the number of the croupier who hands over; who came too late learns who stands there now.
    """

    rights = {"POST": Right.SIGN_ON}
    may = {"staff": int, "relieve": int}
    gives = {"POST": (200, "SignOn")}
    refuses = {
        403: "terminal_needed",
        409: "table_taken signed_on_here signed_on_elsewhere relief_elsewhere",
        422: "not_a_croupier_here",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SIGN_ON, table_id)
        body = rest.fields(request.data, {}, self.may)

        def work():
            access.still(request.user, Right.SIGN_ON, table_id)
            person = request.user if body["staff"] is None else Staff.objects.filter(pk=body["staff"]).first()
            if person is None:
                raise reliefs.not_a_croupier_here(table)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            record = staff.sign_on(staff=person, table=table, actor=actor, relieve=body["relieve"])
            return 200, _sign_on_json(record)

        return rest.carried_out(request, work)


class TableSignOff(APIView):
    """POST signs the croupier off: oneself, or by the pit boss."""

    rights = {"POST": Right.SIGN_ON}
    gives = {"POST": (200, "SignOn")}
    refuses = {409: "nobody_signed_on"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SIGN_ON, table_id)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.SIGN_ON, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            record = staff.sign_off(table=table, actor=actor)
            return 200, _sign_on_json(record)

        return rest.carried_out(request, work)


class StaffUnlock(APIView):
    """POST lets a person who mistyped a password too often try again, at every terminal."""

    rights = {"POST": Right.UNLOCK}
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
