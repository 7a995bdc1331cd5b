"""REST for calls and alarms: the pit boss is called to a table, comes, and says that it is over."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import history
from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import Alarm
from ..people import access
from ..verbs import alarms


class TableCall(APIView):
    """POST calls the pit boss to the table, for one of the reasons: whoever is signed on there, or stands at one of its
    terminals."""

    rights = {"POST": Right.CALL}
    must = {"reason": str}
    shapes = {"reason": {"enum": Alarm.Reason.values}}
    gives = {"POST": (201, "Alarm")}
    refuses = {403: "terminal_needed", 409: "called_already", 422: "call_reason_unknown"}

    def post(self, request, table_id):
        access.table_or_404(request.user, Right.CALL, table_id)
        body = rest.fields(request.data, self.must)

        def work():
            access.still(request.user, Right.CALL, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            return 201, _now(alarms.call(table_id=table_id, reason=body["reason"], actor=actor))

        return rest.carried_out(request, work)


class Alarms(APIView):
    """The standing calls and alarms within reach, the oldest first: at one's tables, of the house, and those to which
    nobody came for long."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "Alarms")}

    def get(self, request):
        standing = _rows(alarms.within(request.user, Right.READ_FLOOR).standing()).order_by("raised_at", "pk")
        return Response({"alarms": [_json(alarm) for alarm in standing]})


class AlarmsOfLastDays(APIView):
    """The newest calls and alarms of the last seven days within reach, over or not, the newest first; at most 500."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "Alarms")}

    def get(self, request):
        return _listed(request)


class TableAlarms(APIView):
    """The newest calls and alarms of the last seven days at one table, over or not, the newest first; at most 500."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "Alarms")}

    def get(self, request, table_id):
        access.table_or_404(request.user, Right.READ_FLOOR, table_id)
        return _listed(request, table=table_id)


def _listed(request, **only):
    listed = alarms.of_last_days(request.user, Right.READ_FLOOR, **only)
    history.look_at_records(what="alarm", by=request.user)
    return Response({"alarms": [_json(alarm) for alarm in listed]})


class AlarmTake(APIView):
    """POST takes a call or an alarm: one person sees to it, and whoever is late learns who."""

    rights = {"POST": Right.TAKE_ALARM}
    may = {"word": str}
    gives = {"POST": (200, "Alarm")}
    refuses = {409: "alarm_taken alarm_over", 422: "word_wrong"}

    def post(self, request, alarm_id):
        _reach_or_404(request.user, alarm_id)
        body = rest.fields(request.data, {}, self.may)

        def work():
            alarms.still(request.user, Right.TAKE_ALARM, alarm_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            return 200, _now(alarms.take(alarm_id=alarm_id, word=body["word"] or "", actor=actor))

        return rest.carried_out(request, work)


class AlarmOver(APIView):
    """POST says that a call which somebody has taken is over; every other alarm ends with its reason."""

    rights = {"POST": Right.TAKE_ALARM}
    gives = {"POST": (200, "Alarm")}
    refuses = {409: "alarm_measured alarm_not_taken alarm_over"}

    def post(self, request, alarm_id):
        _reach_or_404(request.user, alarm_id)
        rest.fields(request.data, {})

        def work():
            alarms.still(request.user, Right.TAKE_ALARM, alarm_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            return 200, _now(alarms.end(alarm_id=alarm_id, actor=actor))

        return rest.carried_out(request, work)


def _reach_or_404(staff, alarm_id):
    """Whether the person may take an alarm.

    :raises Http404: if there is no such alarm or it is out of reach.
    """
    if not alarms.within(staff, Right.TAKE_ALARM).filter(pk=alarm_id).exists():
        raise Http404


def _rows(rows):
    return rows.select_related("raised_by", "taken_by")


def _now(alarm):
    """An alarm's JSON, as the alarm is after a command."""
    return _json(_rows(Alarm.objects).get(pk=alarm.pk))


def _json(alarm):
    return {
        "id": alarm.pk,
        "kind": alarm.kind,
        "of": alarm.subject,
        "table": alarm.table_id,
        "raised_at": alarm.raised_at.isoformat(),
        "reason": alarm.reason,
        "value": alarm.value,
        "limit": alarm.bound,
        "raised_by": alarm.raised_by and alarm.raised_by.ref,
        "taken_by": alarm.taken_by and alarm.taken_by.ref,
        "taken_at": alarm.taken_at and alarm.taken_at.isoformat(),
        "word": alarm.word,
        "over_at": alarm.over_at and alarm.over_at.isoformat(),
    }
