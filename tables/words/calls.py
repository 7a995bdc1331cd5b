"""Who calls the pit boss, which alarms stand and which rounds are held, for the terminal and the pit boss's pages."""

from zoneinfo import ZoneInfo

from django.urls import reverse

from casino.games import registry
from casino.models import Casino
from casino.money import spell
from casino.roles import Right

from ..models import Alarm, Case, DropBox, Intervention, Round, SignOn, Slip
from ..people import access, footing
from ..verbs.alarms import MAX_WORD
from .actions import person
from .timeline import Reader

# What an alarm of a kind is about, where its row shows it.
SUBJECTS = {
    Alarm.Kind.SLIP_LATE: Slip,
    Alarm.Kind.CASE_LATE: Case,
    **dict.fromkeys(
        (
            Alarm.Kind.DROP_BOX_SEAL,
            Alarm.Kind.DROP_BOX_SWAPPED,
            Alarm.Kind.DROP_BOX_OVERDUE,
            Alarm.Kind.DROP_VARIANCE,
        ),
        DropBox,
    ),
}


def at_table(alarm, time_zone):
    """A call as its own table shows it: who called when, and who came."""
    called, taken = _clock(alarm.raised_at, time_zone), alarm.taken_by_id is not None
    if not taken:
        return {"taken": False, "fact": "Pit boss called", "short": "Called", "at": called, "more": _by(alarm)}
    fact = f"{person(alarm.taken_by_id)} came"
    at = _clock(alarm.taken_at, time_zone)
    return {"taken": True, "fact": fact, "short": fact, "at": at, "more": f", called {called}"}


def corner(staff):
    """The call of the table where somebody is signed on: the path that calls, or who was called and who came.

    None for a person who deals nowhere.
    """
    if footing.of(staff).table_id is None:
        return None
    signed_on = SignOn.objects.filter(staff=staff, signed_off_at=None).select_related("table__pit").first()
    if signed_on is None or not staff.has_perm(Right.CALL, signed_on.table):
        return None
    table = signed_on.table
    call = Alarm.objects.standing().filter(kind=Alarm.Kind.CALL, subject=table.ref).first()
    return {
        "path": f"/api/v1/tables/{table.pk}/call/",
        "live": reverse("live", args=[table.pk]),
        "called": call and at_table(call, Casino.objects.get().time_zone),
    }


def listed(staff, casino=None):
    """What waits at the tables whose floor somebody reads: calls, alarms, held rounds, and last what somebody took.

    None for a person who reads no floor. `casino`: the one row of it, where somebody has read it.
    """
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    tables = access.tables(staff, Right.READ_FLOOR)
    alarms = Alarm.objects.standing().filter(table__in=tables)
    alarms = list(alarms.select_related("table__pit", "raised_by", "taken_by").order_by("raised_at", "pk"))
    held = Round.objects.filter(held_at__isnull=False, table__in=tables)
    held = list(held.select_related("table__pit", "sheet").order_by("held_at", "pk"))
    casino = casino or Casino.objects.get()
    reader = Reader(named=True, zone=ZoneInfo(casino.time_zone))
    subjects = _subjects(alarms)
    rows = [_ROWS[alarm.kind](alarm, staff, reader, *subjects.get(alarm.subject, ())) for alarm in alarms]
    rows += _held(held, reader)
    return sorted(rows, key=lambda row: row["state"] == "taken")


def _subjects(alarms):
    """The slips, cases and drop boxes that alarms are about, by what these name: a query for each."""
    subjects = {}
    for model in dict.fromkeys(SUBJECTS.values()):
        numbers = [alarm.subject_id for alarm in alarms if SUBJECTS.get(alarm.kind) is model]
        if numbers:
            subjects |= {each.ref: (each,) for each in model.objects.filter(pk__in=numbers)}
    return subjects


def standing(staff):
    """What `listed` shows, as a value that differs when that does; and the chains that tell of it.

    None for a person who reads no floor.
    """
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    tables = access.tables(staff, Right.READ_FLOOR)
    alarms = Alarm.objects.standing().filter(table__in=tables).values_list("pk", "taken_at")
    held = Round.objects.filter(held_at__isnull=False, table__in=tables).values_list("pk", "held_at")
    numbers = tables.order_by("pk").values_list("pk", flat=True)
    return tuple(f"table:{number}" for number in numbers), (sorted(map(str, alarms)), sorted(map(str, held)))


def _alarm(alarm, staff, reader, *, verb):
    """What every alarm shows: who took it, and the key by which it is taken; `verb` is what they then did."""
    taken = alarm.taken_by is not None
    who = taken and f"{reader.person(alarm.taken_by)} {verb} {_minute(alarm.taken_at, reader)}"
    return {
        "key": f"{alarm.noun}-{alarm.pk}",
        "icon": "ok" if taken else "bell",
        "state": "taken" if taken else "new",
        "more": " ".join(filter(None, [who, alarm.word and f"“{alarm.word}”"])) if taken else "",
        "command": f"alarms/{alarm.pk}/take/",
        "asks_word": not taken,
        "most": MAX_WORD,
        "may": staff.has_perm(Right.TAKE_ALARM, alarm.table),
        "since": alarm.raised_at.isoformat(),
    }


def _call(alarm, staff, reader):
    taken = alarm.taken_by is not None
    return _alarm(alarm, staff, reader, verb="came") | {
        "title": f"{alarm.table.name} calls",
        "detail": f"{_minute(alarm.raised_at, reader)}, {reader.person(alarm.raised_by)}",
        "command": f"alarms/{alarm.pk}/{'over' if taken else 'take'}/",
        "button": "It is over" if taken else "I come",
        "href": reverse("terminal", args=[alarm.table_id]),
    }


def _late(alarm, staff, reader, late):
    """A slip or a case whose time is over: whoever took the alarm goes there."""
    row = _alarm(alarm, staff, reader, verb="sees to it since")
    if row["state"] == "taken":
        row |= {"command": "", "button": "Go there"}
    if isinstance(late, Slip):
        since = f"on its way since {_minute(late.issued_at, reader)}, limit {alarm.bound} min"
    else:
        since = f"due {reader.day(late.due_at)} {_minute(late.due_at, reader)}"
    return row | {
        "title": f"{late} is late",
        "detail": f"{alarm.table.name}, {since}",
        "button": row.get("button", "I see to it"),
        "href": reverse(late._meta.model_name, args=[late.pk]),
    }


def _variance(alarm, staff, reader):
    """An opener or a closer outside what the house lets pass; whoever takes it answers for it, and it is over."""
    decimals = Casino.objects.get().currency_decimals
    part = "opener" if alarm.kind == Alarm.Kind.OPENER_VARIANCE else "closer"
    sign = "+" if alarm.value > 0 else ""
    return _alarm(alarm, staff, reader, verb="looks into it since") | {
        "title": f"{alarm.table.name}, {part} {sign}{spell(alarm.value, decimals)}",
        "detail": f"{_minute(alarm.raised_at, reader)}, the house lets {spell(alarm.bound, decimals)} pass",
        "button": "I look into it",
        "href": reverse("session", args=[alarm.subject_id]),
    }


def _seal(alarm, staff, reader, drop_box):
    """A drop box that was taken off with another seal than it was mounted with."""
    return _alarm(alarm, staff, reader, verb="looks into it since") | {
        "title": f"{alarm.table.name}, {drop_box}: another seal",
        "detail": f"{_minute(alarm.raised_at, reader)}, {drop_box.removed_seal} for {drop_box.seal}",
        "button": "I look into it",
        "href": reverse("drop_box", args=[drop_box.pk]),
    }


def _drop_variance(alarm, staff, reader, drop_box):
    """A drop outside what the house lets pass; whoever takes it answers for it, and it is over."""
    decimals = Casino.objects.get().currency_decimals
    sign = "+" if alarm.value > 0 else ""
    return _alarm(alarm, staff, reader, verb="looks into it since") | {
        "title": f"{alarm.table.name}, {drop_box} {sign}{spell(alarm.value, decimals)}",
        "detail": f"{_minute(alarm.raised_at, reader)}, the house lets {spell(alarm.bound, decimals)} pass",
        "button": "I look into it",
        "href": reverse("drop_box", args=[drop_box.pk]),
    }


def _swapped(alarm, staff, reader, drop_box):
    """Two people took off a box with another number than the one that was mounted."""
    return _alarm(alarm, staff, reader, verb="looks into it since") | {
        "title": f"{alarm.table.name}, another box hangs there",
        "detail": f"{_minute(alarm.raised_at, reader)}, {drop_box} was mounted",
        "button": "I look into it",
        "href": reverse("drop_box", args=[drop_box.pk]),
    }


def _overdue(alarm, staff, reader, drop_box):
    """A drop box that nobody has counted for too long: whoever took the alarm goes to it."""
    row = _alarm(alarm, staff, reader, verb="sees to it since")
    if row["state"] == "taken":
        row |= {"command": "", "button": "Go there"}
    return row | {
        "title": f"{drop_box} is not counted",
        "detail": f"{alarm.table.name}, taken off {_minute(drop_box.removed_at, reader)}, limit {alarm.bound} hours",
        "button": row.get("button", "I see to it"),
        "href": reverse("drop_box", args=[drop_box.pk]),
    }


def _large_cash(alarm, staff, reader):
    """A box whose buy-ins come near to what is reported, or to it."""
    decimals = Casino.objects.get().currency_decimals
    return _alarm(alarm, staff, reader, verb="sees to it since") | {
        "title": f"{alarm.table.name}, box {alarm.box}: cash {spell(alarm.value, decimals)}",
        "detail": f"{_minute(alarm.raised_at, reader)}, reported from {spell(alarm.bound, decimals)}",
        "button": "I see to it",
        "href": reverse("large-cash"),
    }


_ROWS = {
    Alarm.Kind.CALL: _call,
    Alarm.Kind.SLIP_LATE: _late,
    Alarm.Kind.CASE_LATE: _late,
    Alarm.Kind.OPENER_VARIANCE: _variance,
    Alarm.Kind.CLOSER_VARIANCE: _variance,
    Alarm.Kind.DROP_BOX_SEAL: _seal,
    Alarm.Kind.DROP_BOX_SWAPPED: _swapped,
    Alarm.Kind.DROP_BOX_OVERDUE: _overdue,
    Alarm.Kind.DROP_VARIANCE: _drop_variance,
    Alarm.Kind.LARGE_CASH: _large_cash,
}


def _held(rounds, reader):
    """Held rounds, each with why it is held."""
    last = {
        each.round_id: each
        for each in Intervention.objects.filter(round__in=rounds, kind=Intervention.Kind.HELD)
        .select_related("by")
        .order_by("ordinal")
    }
    for round_ in rounds:
        hold = last[round_.pk]
        cases = registry.GAMES[round_.sheet.game].irregularities
        event = next((case.event for case in cases if case.clause == hold.clause), "It could not be settled")
        # The terminal shows a table's newest round alone.
        newest = round_.number == round_.table.last_number
        yield {
            "key": f"held-{round_.pk}",
            "icon": "pause",
            "state": "held",
            "title": f"{round_.table.name} held",
            "detail": f"{_minute(round_.held_at, reader)}, round {round_.number}, {reader.person(hold.by)}",
            "more": f"{event}, {hold.clause}" if hold.clause else event,
            "command": "",
            "button": "Go there",
            "asks_word": False,
            "most": 0,
            "may": True,
            "since": round_.held_at.isoformat(),
            "href": reverse("terminal", args=[round_.table_id]) if newest else reverse("round", args=[round_.pk]),
        }


def _by(alarm):
    return f", {person(alarm.raised_by_id)}"


def _clock(at, time_zone):
    return at.astimezone(ZoneInfo(time_zone)).strftime("%H:%M")


def _minute(at, reader):
    return reader.clock(at)[:5]
