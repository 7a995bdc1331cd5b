"""The alarms of the last days in words: raised, taken by whom and after how long, and how long they stood."""

import datetime as dt
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino import settings_of_house
from casino.models import Casino
from casino.money import spell
from casino.roles import Right

from ..models import Alarm, Intervention
from ..people import access
from ..verbs import alarms
from . import names
from .console import CONSOLE
from .timeline import Reader

KIND = Alarm.Kind
# A kind's value and limit in words; a kind that is not listed has money or nothing.
_LIMITS = {
    KIND.SLIP_LATE: "limit.minutes",
    KIND.CASE_LATE: "limit.minutes",
    KIND.ROUND_LONG: "limit.minutes",
    KIND.BREAK_DUE: "limit.minutes",
    KIND.DROP_BOX_OVERDUE: "limit.hours",
    KIND.SETTLEMENT_LATE: "limit.seconds",
    KIND.SEAL_LATE: "limit.seconds",
    KIND.SETTLEMENT_RETRIED: "limit.tries",
    KIND.PACE: "limit.pace",
    KIND.FLOAT_LOW: "limit.percent",
    KIND.VOID_RATE: "limit.percent",
    KIND.CORRECTION_RATE: "limit.percent",
    KIND.LOCK_OUT: "limit.passwords",
    KIND.LUCK: "limit.years",
}
_ENDS = {Intervention.Kind.RELEASED: "alarm.released", Intervention.Kind.VOIDED: "alarm.voided"}


def page(staff, kind, table_id):
    """What the page shows: the alarms within somebody's reach, of one kind and at one table if these are given."""
    only = {name: value for name, value in (("kind", kind), ("table", table_id)) if value}
    rows = list(alarms.of_last_days(staff, Right.READ_FLOOR, **only))
    casino = Casino.objects.get()
    reader = Reader(named=True, zone=ZoneInfo(casino.time_zone))
    patience = settings_of_house.value("alarm_escalation_minutes")
    rounds = names.named([alarm.subject for alarm in rows])
    ends = _ends(rows, reader)
    tables = access.tables(staff, Right.READ_FLOOR).order_by("code")
    return {
        "days": alarms.DAYS,
        "cut": len(rows) == alarms.MOST_LISTED,
        "most": alarms.MOST_LISTED,
        "kind": kind,
        "table": table_id,
        "kinds": [(value, label.capitalize()) for value, label in KIND.choices],
        "tables": [(table.pk, table.name) for table in tables],
        "rows": [
            _row(alarm, reader, casino.currency_decimals, patience, rounds) | {"ended": ends.get(alarm.pk, "")}
            for alarm in rows
        ],
    }


def _ends(rows, reader):
    """How a hold ended, by the ids of its alarms that are over: the round was released or voided, and by whom."""
    held = {alarm.pk: alarm for alarm in rows if alarm.kind == KIND.ROUND_HELD and alarm.over_at}
    steps = Intervention.objects.filter(
        round__in=[int(alarm.subject.removeprefix("round:")) for alarm in held.values()],
        kind__in=_ENDS,
    )
    ends = {}
    for step in steps.select_related("by", "approved_by").order_by("-at"):
        who = reader.person(step.by)
        if step.approved_by:
            who = CONSOLE("and", one=who, other=reader.person(step.approved_by))
        for number, alarm in held.items():
            if alarm.subject == f"round:{step.round_id}" and alarm.raised_at <= step.at:
                ends[number] = CONSOLE(_ENDS[step.kind], who=who)
    return ends


def _row(alarm, reader, decimals, patience, rounds):
    now = timezone.now()
    waited = (alarm.taken_at or alarm.over_at or now) - alarm.raised_at
    number, _ = rounds.get(alarm.subject, ("", None))
    about = [
        alarm.get_reason_display(),
        number and CONSOLE("alarm.round", round=number),
        alarm.box and CONSOLE("alarm.box", box=alarm.box),
        measure(alarm, decimals),
    ]
    return {
        "key": f"alarm-{alarm.pk}",
        "day": reader.day(alarm.raised_at),
        "raised": reader.clock(alarm.raised_at),
        "table": alarm.table.name if alarm.table else "The house",
        "kind": alarm.get_kind_display().capitalize(),
        "about": ", ".join(filter(None, about)),
        "by": alarm.raised_by and reader.person(alarm.raised_by),
        "taken": alarm.taken_by and reader.person(alarm.taken_by),
        "after": span(waited),
        "left": waited >= dt.timedelta(minutes=patience),
        "word": alarm.word,
        "over": alarm.over_at and reader.clock(alarm.over_at),
        "stood": span((alarm.over_at or now) - alarm.raised_at),
    }


def name(kind, reason=None):
    """An alarm of a kind in words, with what a call is for.

    >>> name("pace"), name("call", "chips")
    ('Pace out of range', 'Call for a pit boss: chips short')
    """
    label = KIND(kind).label.capitalize()
    return CONSOLE("alarm.named", kind=label, reason=Alarm.Reason(reason).label) if reason else label


def measure(alarm, decimals):
    """What was measured and its limit, in words; "" if nothing was."""
    if alarm.value is None:
        return ""
    if alarm.kind == KIND.LOG_DAMAGED:
        return differences(alarm.value)
    if alarm.kind in _LIMITS:
        return CONSOLE(_LIMITS[alarm.kind], measured=alarm.value, limit=alarm.bound)
    return CONSOLE("limit", measured=spell(alarm.value, decimals), limit=spell(alarm.bound, decimals))


def differences(count):
    """In how many things the house differs from its log.

    >>> differences(1), differences(2)
    ('1 difference', '2 differences')
    """
    return CONSOLE("alarm.differences:one") if count == 1 else CONSOLE("alarm.differences", count=count)


def span(length):
    """A length of time as people say it.

    >>> [span(dt.timedelta(seconds=seconds)) for seconds in (40, 420, 7500, 180_000)]
    ['40 s', '7 min', '2 h 05 min', '2 d 2 h']
    """
    seconds = max(0, int(length.total_seconds()))
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86_400
    if days:
        return CONSOLE("span.days", days=days, hours=hours % 24)
    if hours:
        return CONSOLE("span.hours", hours=hours, minutes=minutes % 60)
    return CONSOLE("span.minutes", minutes=minutes) if minutes else CONSOLE("span.seconds", seconds=seconds)
