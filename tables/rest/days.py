"""REST for gaming days: the days, one with its figures and what keeps it open, and its closing by two people."""

from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import GamingDay
from ..people import access, signatures
from ..verbs import days, figures
from . import schema
from .command import SIGNED


class GamingDays(APIView):
    """The gaming days, the newest first: which are open, and by whom the others were closed."""

    rights = {"GET": Right.READ_DAY}
    gives = {"GET": (200, "GamingDays")}

    def get(self, request):
        listed = GamingDay.objects.select_related("closed_by", "closed_with").order_by("-date")[:100]
        return Response({"days": [_brief(day) for day in listed]})


class GamingDayDetail(APIView):
    """A gaming day: its figures, table by table, and what keeps it from being closed."""

    rights = {"GET": Right.READ_DAY}
    gives = {"GET": (200, "GamingDay")}

    def get(self, request, day_id):
        return Response(_now(get_object_or_404(GamingDay, pk=day_id)))


class GamingDayClose(APIView):
    """POST closes a gaming day for good; a second person signs. Nothing enters it afterwards."""

    rights = {"POST": Right.CLOSE_DAY}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "GamingDay")}
    refuses = SIGNED | {409: "day_closed day_unfinished", 422: "same_person"}

    def post(self, request, day_id):
        get_object_or_404(GamingDay, pk=day_id)
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=None, right=Right.SIGN_DAY)

        def work():
            access.still_in_house(request.user, Right.CLOSE_DAY)
            signatures.still_signed(signer, Right.SIGN_DAY)
            days.close(day_id=day_id, actor=Actor(request.user, signer, access.terminal_of(request)))
            return 200, _now(GamingDay.objects.get(pk=day_id))

        return rest.carried_out(request, work)


def _brief(day):
    return {
        "id": day.pk,
        "date": day.date.isoformat(),
        "status": day.status,
        "closed_by": day.closed_by and day.closed_by.ref,
        "closed_with": day.closed_with and day.closed_with.ref,
        "closed_at": day.closed_at and day.closed_at.isoformat(),
        "digest": day.digest or None,
    }


def _now(day):
    left = [] if day.status == GamingDay.Status.CLOSED else days.obstacles(day)
    return {
        **_brief(day),
        "grade": "FINAL" if day.status == GamingDay.Status.CLOSED else "ESTIMATE",
        "obstacles": [obstacle.facts() for obstacle in left],
        **figures.of_day(day.date).facts(),
    }
