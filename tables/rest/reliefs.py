"""REST for the people of the pits: who deals and who is free, and reliefs: asked for, and withdrawn."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino import settings_of_house
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Relief
from ..people import access, reliefs
from ..verbs import dealing


class People(APIView):
    """The croupiers posted to the pits within reach and the tables there, with the work of the last eight hours."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "People")}

    def get(self, request):
        least = settings_of_house.value("break_minutes")
        shown = dealing.now(access.extent(request.user, Right.READ_FLOOR), least)
        return Response(
            {
                "at": shown.now.isoformat(),
                "since": shown.since.isoformat(),
                "croupiers": [_croupier(each, shown, least) for each in shown.croupiers],
                "tables": [_seat(each) for each in shown.seats],
            }
        )


class TableReliefs(APIView):
    """POST asks a croupier of the pit, who deals nowhere, to take the table over; it is done when they sign on."""

    rights = {"POST": Right.ASK_RELIEF}
    must = {"staff": int}
    gives = {"POST": (201, "Relief")}
    refuses = {
        409: "relief_asked relief_elsewhere signed_on_here signed_on_elsewhere",
        422: "not_a_croupier_here",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.ASK_RELIEF, table_id)
        body = rest.fields(request.data, self.must)

        def work():
            access.still(request.user, Right.ASK_RELIEF, table_id)
            person = Staff.objects.filter(pk=body["staff"]).first()
            if person is None:
                raise reliefs.not_a_croupier_here(table)
            relief = reliefs.ask(table_id=table_id, staff=person, actor=Actor(request.user))
            return 201, _relief(relief)

        return rest.carried_out(request, work)


class ReliefWithdraw(APIView):
    """POST withdraws a relief that is no longer wanted."""

    rights = {"POST": Right.ASK_RELIEF}
    gives = {"POST": (200, "Relief")}
    refuses = {409: "relief_over"}

    def post(self, request, relief_id):
        relief = Relief.objects.filter(pk=relief_id, table__in=access.tables(request.user, Right.ASK_RELIEF)).first()
        if relief is None:
            raise Http404
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.ASK_RELIEF, relief.table_id)
            return 200, _relief(reliefs.withdraw(relief_id=relief_id, actor=Actor(request.user)))

        return rest.carried_out(request, work)


def _relief(relief):
    relief.refresh_from_db()
    return {
        "id": relief.pk,
        "table": relief.table_id,
        "staff": relief.staff_id,
        "asked_by": relief.asked_by_id,
        "asked_at": relief.asked_at.isoformat(),
        "ended_at": relief.ended_at and relief.ended_at.isoformat(),
        "withdrawn_by": relief.withdrawn_by_id,
    }


def _croupier(each, shown, least):
    return {
        "staff": each.id,
        "pit": each.pit_id,
        "table": each.table_id,
        "since": each.since and each.since.isoformat(),
        "stint": each.stint and each.stint.isoformat(),
        "off": each.off and each.off.isoformat(),
        "relief": each.asked and each.asked["id"],
        "dealt_minutes": each.dealt(shown.now, shown.since) // dealing.MINUTE,
        "breaks": [
            {"begun": begun.isoformat(), "ended": ended.isoformat()}
            for begun, ended in each.breaks(least * dealing.MINUTE)
        ],
    }


def _seat(seat):
    return {
        "table": seat.id,
        "pit": seat.pit_id,
        "session": seat.session_id,
        "dealer": seat.croupier_id,
        "terminals": seat.terminals,
        "relief": seat.relief and seat.relief["id"],
    }
