"""REST for calls and alarms: the pit boss is called to a table, comes, and says that it is over."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import Alarm
from ..people import access
from ..verbs import alarms


class TableCall(APIView):
    """POST calls the pit boss to the table: whoever is signed on there, or stands at one of its terminals."""

    rights = {"POST": Right.CALL}
    gives = {"POST": (201, "Alarm")}
    refuses = {403: "terminal_needed", 409: "called_already"}

    def post(self, request, table_id):
        access.table_or_404(request.user, Right.CALL, table_id)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.CALL, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            return 201, _now(alarms.call(table_id=table_id, actor=actor))

        return rest.carried_out(request, work)


class Alarms(APIView):
    """The calls and alarms that stand at tables within reach, the oldest first."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "Alarms")}

    def get(self, request):
        within = access.tables(request.user, Right.READ_FLOOR)
        standing = _rows().standing().filter(table__in=within).order_by("raised_at", "pk")
        return Response({"alarms": [_json(alarm) for alarm in standing]})


class AlarmTake(APIView):
    """POST takes a call or an alarm: one person sees to it, and whoever is late learns who."""

    rights = {"POST": Right.TAKE_ALARM}
    may = {"word": str}
    gives = {"POST": (200, "Alarm")}
    refuses = {409: "alarm_taken alarm_over", 422: "word_wrong"}

    def post(self, request, alarm_id):
        table_id = _table_or_404(request.user, alarm_id)
        body = rest.fields(request.data, {}, self.may)

        def work():
            access.still(request.user, Right.TAKE_ALARM, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            return 200, _now(alarms.take(alarm_id=alarm_id, word=body["word"] or "", actor=actor))

        return rest.carried_out(request, work)


class AlarmOver(APIView):
    """POST says that a call which somebody has taken is over; every other alarm ends with its reason."""

    rights = {"POST": Right.TAKE_ALARM}
    gives = {"POST": (200, "Alarm")}
    refuses = {409: "alarm_measured alarm_not_taken alarm_over"}

    def post(self, request, alarm_id):
        table_id = _table_or_404(request.user, alarm_id)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.TAKE_ALARM, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            return 200, _now(alarms.end(alarm_id=alarm_id, actor=actor))

        return rest.carried_out(request, work)


def _table_or_404(staff, alarm_id):
    """The id of an alarm's table, where the person may take it."""
    within = access.tables(staff, Right.TAKE_ALARM)
    table_id = Alarm.objects.filter(pk=alarm_id, table__in=within).values_list("table_id", flat=True).first()
    if table_id is None:
        raise Http404
    return table_id


def _rows():
    return Alarm.objects.select_related("raised_by", "taken_by")


def _now(alarm):
    """An alarm's JSON, as the alarm is after a command."""
    return _json(_rows().get(pk=alarm.pk))


def _json(alarm):
    return {
        "id": alarm.pk,
        "kind": alarm.kind,
        "of": alarm.subject,
        "table": alarm.table_id,
        "raised_at": alarm.raised_at.isoformat(),
        "value": alarm.value,
        "limit": alarm.bound,
        "raised_by": alarm.raised_by and alarm.raised_by.ref,
        "taken_by": alarm.taken_by and alarm.taken_by.ref,
        "taken_at": alarm.taken_at and alarm.taken_at.isoformat(),
        "word": alarm.word,
        "over_at": alarm.over_at and alarm.over_at.isoformat(),
    }
