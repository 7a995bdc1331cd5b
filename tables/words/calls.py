"""Who calls the pit boss, which alarms stand and which rounds are held, for the terminal and the pit boss's pages.

A held round is one row, with its alarm once the worker has raised it. Even if no worker lives, the row is shown.
"""

import datetime as dt
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from audit import log
from casino import settings_of_house
from casino.games import registry
from casino.models import Casino, Staff
from casino.money import spell
from casino.roles import Right

from ..models import Alarm, Case, DropBox, Intervention, Relief, Round, SignOn, Slip
from ..people import access, footing
from ..verbs import alarms
from ..verbs.alarms import MAX_WORD
from .actions import person
from .alarms import differences
from .console import CONSOLE
from .timeline import Reader
from .wording import WORDING

# What an alarm of a kind is about, if its row shows it.
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
    **dict.fromkeys((Alarm.Kind.ROUND_HELD, Alarm.Kind.ROUND_LONG, Alarm.Kind.SETTLEMENT_RETRIED), Round),
    **dict.fromkeys((Alarm.Kind.LOCK_OUT, Alarm.Kind.BREAK_DUE), Staff),
}
# The order of urgency, from what stops a table to what is only slow.
ORDER = {
    kind: rank
    for rank, kinds in enumerate(
        (
            (Alarm.Kind.ROUND_HELD,),
            (Alarm.Kind.CALL,),
            (Alarm.Kind.LOG_DAMAGED, Alarm.Kind.SEAL_LATE),
            (Alarm.Kind.SETTLEMENT_LATE, Alarm.Kind.SETTLEMENT_RETRIED),
            (
                Alarm.Kind.LOCK_OUT,
                Alarm.Kind.SLIP_LATE,
                Alarm.Kind.CASE_LATE,
                Alarm.Kind.DROP_BOX_OVERDUE,
                Alarm.Kind.ROUND_LONG,
            ),
            (
                Alarm.Kind.CLOSER_VARIANCE,
                Alarm.Kind.OPENER_VARIANCE,
                Alarm.Kind.DROP_VARIANCE,
                Alarm.Kind.DROP_BOX_SWAPPED,
                Alarm.Kind.DROP_BOX_SEAL,
                Alarm.Kind.LARGE_CASH,
                Alarm.Kind.LUCK,
            ),
            (Alarm.Kind.FLOAT_LOW, Alarm.Kind.BREAK_DUE),
            (Alarm.Kind.PACE, Alarm.Kind.VOID_RATE, Alarm.Kind.CORRECTION_RATE),
        ),
        start=1,
    )
    for kind in kinds
}

_REASONS = {
    Alarm.Reason.CHIPS: "reason.chips",
    Alarm.Reason.SIGNATURE: "reason.signature",
    Alarm.Reason.ERROR: "reason.error",
    Alarm.Reason.DISPUTE: "reason.dispute",
    Alarm.Reason.PLAYER: "reason.player",
    Alarm.Reason.RELIEF: "reason.relief",
    Alarm.Reason.EQUIPMENT: "reason.equipment",
    Alarm.Reason.OTHER: "reason.other",
}
_REASONS_WITHIN = {
    Alarm.Reason.CHIPS: "reason.within.chips",
    Alarm.Reason.SIGNATURE: "reason.within.signature",
    Alarm.Reason.ERROR: "reason.within.error",
    Alarm.Reason.DISPUTE: "reason.within.dispute",
    Alarm.Reason.PLAYER: "reason.within.player",
    Alarm.Reason.RELIEF: "reason.within.relief",
    Alarm.Reason.EQUIPMENT: "reason.within.equipment",
    Alarm.Reason.OTHER: "reason.within.other",
}
# What whoever took an alarm does about it.
_TAKEN = {"comes": "taken.comes", "handles": "taken.handles", "looks": "taken.looks"}


def at_table(alarm, time_zone):
    """A call as its own table shows it: who called, when and what for, and who is on the way."""
    called, taken = _clock(alarm.raised_at, time_zone), alarm.taken_by_id is not None
    if not taken:
        fact, short = WORDING("called"), WORDING("called.short")
        return {"taken": False, "fact": fact, "short": short, "at": called, "more": _more(alarm)}
    fact = WORDING("on_the_way", who=person(alarm.taken_by_id))
    at = _clock(alarm.taken_at, time_zone)
    return {"taken": True, "fact": fact, "short": fact, "at": at, "more": WORDING("called.before", at=called)}


def reasons():
    """What a pit boss may be called for, each with the digit that chooses it."""
    return [
        {"reason": reason.value, "label": WORDING(_REASONS[reason]), "digit": str(digit)}
        for digit, reason in enumerate(Alarm.Reason, 1)
    ]


def corner(staff):
    """The call of the table where somebody is signed on: the path by which to call, with the reasons, or who called and
    who came.

    None for a person who deals nowhere.
    """
    if footing.of(staff).table_id is None:
        return None
    signed_on = SignOn.objects.filter(staff=staff, signed_off_at=None).select_related("table__pit").first()
    if signed_on is None or not staff.has_perm(Right.CALL, signed_on.table):
        return None
    table = signed_on.table
    call = Alarm.objects.standing().filter(kind=Alarm.Kind.CALL, subject=table.ref).first()
    relief = Relief.objects.standing().filter(table=table).values_list("staff_id", flat=True).first()
    return {
        "path": f"/api/v1/tables/{table.pk}/call/",
        "live": reverse("live", args=[table.pk]),
        "reasons": reasons(),
        "called": call and at_table(call, Casino.objects.get().time_zone),
        "relief": relief and WORDING("relief.corner", who=person(relief)),
    }


class Desk(NamedTuple):
    """Who looks at calls and alarms, when, and from where: `near` are the ids of the tables whose floor they read,
    `patience` is after how many minutes an alarm that nobody took goes to the pit bosses of all pits, `decimals` are
    those of the house's money."""

    staff: Staff
    reader: Reader
    near: frozenset
    patience: int
    now: dt.datetime
    decimals: int

    @classmethod
    def of(cls, staff, casino=None, patience=None):
        near = access.tables(staff, Right.READ_FLOOR).values_list("pk", flat=True)
        casino = casino or Casino.objects.get()
        reader = Reader(named=True, zone=ZoneInfo(casino.time_zone))
        patience = patience or settings_of_house.value("alarm_escalation_minutes")
        return cls(staff, reader, frozenset(near), patience, timezone.now(), casino.currency_decimals)

    def unanswered(self, alarm):
        """For how many minutes nobody came to a standing alarm, once that is too long; else None."""
        return unanswered(alarm.raised_at, alarm.taken_at, self.now, self.patience)

    def may_take(self, alarm):
        """Whether they may take it: at their tables, for the house, and anywhere once nobody came for too long."""
        came = alarm.taken_at or alarm.over_at or self.now
        left = came - alarm.raised_at >= dt.timedelta(minutes=self.patience)
        return self.staff.has_perm(Right.TAKE_ALARM, None if left else alarm.table)


def unanswered(raised_at, taken_at, now, patience):
    """For how many minutes nobody came, once that is as long as `patience`; None before that, or if somebody came.

    >>> noon = dt.datetime(2026, 11, 25, 12)
    >>> unanswered(noon, None, noon + dt.timedelta(minutes=7), 5), unanswered(noon, noon, noon, 5)
    (7, None)
    """
    minutes = (now - raised_at) // dt.timedelta(minutes=1)
    return minutes if taken_at is None and minutes >= patience else None


def listed(staff, casino=None, patience=None):
    """What waits within somebody's reach: held rounds, calls and alarms, the most urgent first, those that somebody
    took last.

    None for a person who reads no floor. `casino` and `patience`: the casino's row and the setting *Nobody came*, if
    the caller has read them.
    """
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    desk = Desk.of(staff, casino, patience)
    standing = alarms.within(staff, Right.READ_FLOOR, desk.patience).standing()
    standing = standing.select_related("table__pit", "raised_by", "taken_by")
    of_holds, others = {}, []
    for alarm in standing.order_by("raised_at", "pk"):
        if alarm.kind == Alarm.Kind.ROUND_HELD:
            of_holds[alarm.subject_id] = alarm
        else:
            others.append(alarm)
    subjects, of_cases = _subjects(others), _cases(others, desk)
    rows = [_ROWS[alarm.kind](alarm, desk, *subjects.get(alarm.subject, ())) for alarm in others]
    for row, alarm in zip(rows, others, strict=True):
        if case := of_cases.get(alarm.pk):
            row |= {
                "detail": ", ".join((row["detail"], str(case))),
                "href": reverse("case", args=[case.pk]),
                "case": case.pk,
            }
    rows += _held(_holds(desk.near, of_holds), of_holds, desk)
    return sorted(rows, key=lambda row: (row["state"] == "taken", row["order"], row["since"]))


def _holds(near, of_holds):
    """The rounds that are held: at the tables near, and those whose alarms reach somebody."""
    held = Round.objects.filter(held_at__isnull=False)
    return held.filter(table__in=near) | held.filter(pk__in=list(of_holds))


def _subjects(standing):
    """The slips, cases, drop boxes, rounds and people that alarms are about, by reference: one query for each kind."""
    subjects = {}
    for model in dict.fromkeys(SUBJECTS.values()):
        numbers = [alarm.subject_id for alarm in standing if SUBJECTS.get(alarm.kind) is model]
        if numbers:
            subjects |= {each.ref: (each,) for each in model.objects.filter(pk__in=numbers)}
    return subjects


def _cases(standing, desk):
    """The cases of the variances that alarms are about, by alarm: it leads there, so that the two are shown as one."""
    varied = {
        alarm.subject: alarm.pk
        for alarm in standing
        if alarm.kind in alarms.OF_CASES and desk.staff.has_perm(Right.READ_CASE, alarm.table)
    }
    if not varied:
        return {}
    opened = Case.objects.filter(kind__in=(Case.Kind.VARIANCE, Case.Kind.DROP_VARIANCE), subject__in=varied)
    return {varied[case.subject]: case for case in opened}


def standing(staff):
    """What `listed` shows, as a value that differs when that does, and the chains that concern it.

    None for a person who reads no floor.
    """
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    tables = access.tables(staff, Right.READ_FLOOR)
    now, patience = timezone.now(), settings_of_house.value("alarm_escalation_minutes")
    alarms_now = [
        (number, taken_at, unanswered(raised_at, taken_at, now, patience))
        for number, raised_at, taken_at in alarms.within(staff, Right.READ_FLOOR, patience)
        .standing()
        .values_list("pk", "raised_at", "taken_at")
    ]
    held = Round.objects.filter(held_at__isnull=False, table__in=tables).values_list("pk", "held_at")
    numbers = tables.order_by("pk").values_list("pk", flat=True)
    chains = (*(f"table:{number}" for number in numbers), log.HOUSE)
    return chains, (sorted(map(str, alarms_now)), sorted(map(str, held)))


def _alarm(alarm, desk, *, does="handles"):
    """What every alarm shows: who took it, for how long nobody did, and the key by which it is taken.

    :param does: what its taker does, one of `_TAKEN`.
    """
    taken, minutes = alarm.taken_by is not None, desk.unanswered(alarm)
    more = CONSOLE("nobody_came", minutes=minutes) if minutes is not None else ""
    if taken:
        who = desk.reader.person(alarm.taken_by)
        said = CONSOLE(_TAKEN[does], who=who, time=_minute(alarm.taken_at, desk.reader))
        more = " ".join(filter(None, [said, alarm.word and CONSOLE("quoted", words=alarm.word)]))
    return {
        "key": f"{alarm.noun}-{alarm.pk}",
        "icon": "ok" if taken else "bell",
        "state": "taken" if taken else "new",
        "more": more,
        "left": minutes is not None,
        "command": f"alarms/{alarm.pk}/take/",
        "asks_word": not taken,
        "most": MAX_WORD,
        "may": desk.may_take(alarm),
        "since": alarm.raised_at.isoformat(),
        "order": ORDER[alarm.kind],
        "table": alarm.table_id,
        "leads": "",
        "case": None,
    }


def _measured(alarm, desk, to, *, icon="warn", right=None, **words):
    """An alarm that stands as long as its reason: whoever took it goes there.

    :param to: the address of the page where something is done about it, as a name and its arguments.
    :param right: the right that this page takes at the alarm's table; the list of alarms is open to everybody here.
    """
    row = _alarm(alarm, desk)
    name, *arguments = to
    reached = desk.staff.has_perm(right or Right.READ_FLOOR, alarm.table)
    row |= {"button": "I’ll handle it", "href": reverse(name, args=arguments) if reached else reverse("alarms")}
    if row["state"] == "taken":
        return row | {"command": "", "button": "Go there"} | words
    return row | {"icon": icon} | words


def _call(alarm, desk):
    taken = alarm.taken_by is not None
    title = CONSOLE("calls", table=alarm.table.name)
    if alarm.reason:
        title = CONSOLE("calls:why", table=alarm.table.name, reason=alarm.get_reason_display())
    return _alarm(alarm, desk, does="comes") | {
        "title": title,
        "detail": ", ".join((_minute(alarm.raised_at, desk.reader), desk.reader.person(alarm.raised_by))),
        "command": f"alarms/{alarm.pk}/{'over' if taken else 'take'}/",
        "button": "Done" if taken else "On my way",
        "leads": "Go there" if alarm.table_id in desk.near else "",
        "href": _near(alarm, desk, "terminal", alarm.table_id),
    }


def _near(alarm, desk, name, *arguments):
    """The address of a page of the alarm's table; for people from another pit, the list of alarms."""
    return reverse(name, args=arguments) if alarm.table_id in desk.near else reverse("alarms")


def _late(alarm, desk, late):
    """A slip or a case whose time is over."""
    if isinstance(late, Slip):
        since = CONSOLE("late.slip", time=_minute(late.issued_at, desk.reader), limit=alarm.bound)
    else:
        since = CONSOLE("late.case", day=desk.reader.day(late.due_at), time=_minute(late.due_at, desk.reader))
    return _measured(
        alarm,
        desk,
        (late._meta.model_name, late.pk),
        icon="bell",
        case=late.pk if isinstance(late, Case) else None,
        title=CONSOLE("late", what=late),
        detail=", ".join((alarm.table.name, since)),
    )


def _looked_into(alarm, desk, title, detail, to):
    """Something to answer for: it is over when somebody takes it and so answers for it."""
    return _alarm(alarm, desk, does="looks") | {
        "title": title,
        "detail": ", ".join((_minute(alarm.raised_at, desk.reader), detail)),
        "button": "I’ll look into it",
        "href": _near(alarm, desk, *to),
    }


def _passes(alarm, desk):
    """What was counted less what should be there, and what the house lets pass."""
    sign = "+" if alarm.value > 0 else ""
    allowed = CONSOLE("allowed", amount=spell(alarm.bound, desk.decimals))
    return f"{sign}{spell(alarm.value, desk.decimals)}", allowed


def _variance(alarm, desk):
    """An opener or a closer outside what the house lets pass."""
    off, detail = _passes(alarm, desk)
    is_opener = alarm.kind == Alarm.Kind.OPENER_VARIANCE
    title = CONSOLE("variance.opener" if is_opener else "variance.closer", table=alarm.table.name, amount=off)
    return _looked_into(alarm, desk, title, detail, ("session", alarm.subject_id))


def _seal(alarm, desk, drop_box):
    """A drop box that was taken off with another seal than it was mounted with."""
    title = CONSOLE("seal", table=alarm.table.name, drop_box=drop_box)
    detail = CONSOLE("seal.other", seal=drop_box.removed_seal, mounted=drop_box.seal)
    return _looked_into(alarm, desk, title, detail, ("drop_box", drop_box.pk))


def _drop_variance(alarm, desk, drop_box):
    """A drop outside what the house lets pass."""
    off, detail = _passes(alarm, desk)
    title = CONSOLE("variance.drop", table=alarm.table.name, drop_box=drop_box, amount=off)
    return _looked_into(alarm, desk, title, detail, ("drop_box", drop_box.pk))


def _swapped(alarm, desk, drop_box):
    """Two people took off a box with another number than the one that was mounted."""
    title, detail = CONSOLE("swapped", table=alarm.table.name), CONSOLE("swapped.mounted", drop_box=drop_box)
    return _looked_into(alarm, desk, title, detail, ("drop_box", drop_box.pk))


def _overdue(alarm, desk, drop_box):
    """A drop box that nobody has counted for too long."""
    off = _minute(drop_box.removed_at, desk.reader)
    return _measured(
        alarm,
        desk,
        ("drop_box", drop_box.pk),
        icon="bell",
        title=CONSOLE("overdue", drop_box=drop_box),
        detail=CONSOLE("overdue.since", table=alarm.table.name, time=off, limit=alarm.bound),
    )


def _large_cash(alarm, desk):
    """A box whose buy-ins come near to what is reported, or to it."""
    cash, bound = spell(alarm.value, desk.decimals), spell(alarm.bound, desk.decimals)
    return _alarm(alarm, desk) | {
        "title": CONSOLE("cash", table=alarm.table.name, box=alarm.box, amount=cash),
        "detail": CONSOLE("cash.reported", time=_minute(alarm.raised_at, desk.reader), amount=bound),
        "button": "I’ll handle it",
        "href": reverse("large-cash"),
    }


def _long(alarm, desk, round_):
    return _measured(
        alarm,
        desk,
        ("terminal", alarm.table_id),
        icon="wait",
        title=CONSOLE("long", table=alarm.table.name, round=round_.number),
        detail=CONSOLE("long.since", time=_minute(round_.opened_at, desk.reader), limit=alarm.bound),
    )


def _unsettled(alarm, desk):
    return _measured(
        alarm,
        desk,
        ("terminal", alarm.table_id),
        title=CONSOLE("settling", table=alarm.table.name),
        detail=CONSOLE("settling.since", time=_minute(alarm.raised_at, desk.reader), limit=alarm.bound),
    )


def _retried(alarm, desk, round_):
    return _measured(
        alarm,
        desk,
        ("round", round_.pk),
        title=CONSOLE("tried", table=alarm.table.name, round=round_.number),
        detail=CONSOLE("tried.times", count=alarm.value, time=_minute(alarm.raised_at, desk.reader), limit=alarm.bound),
    )


def _pace(alarm, desk):
    slow, at = alarm.value < alarm.bound, _minute(alarm.raised_at, desk.reader)
    return _measured(
        alarm,
        desk,
        ("table-session", alarm.table_id),
        icon="wait",
        right=Right.READ_SESSION,
        title=CONSOLE("pace.slow" if slow else "pace.fast", table=alarm.table.name),
        detail=CONSOLE("pace.least" if slow else "pace.most", count=alarm.value, time=at, limit=alarm.bound),
    )


def _float(alarm, desk):
    asks = desk.staff.has_perm(Right.REQUEST_SLIP, alarm.table)
    return _measured(
        alarm,
        desk,
        ("slip-new" if asks else "table-session", alarm.table_id),
        icon="chip",
        right=Right.READ_SESSION,
        title=CONSOLE("low", table=alarm.table.name),
        detail=CONSOLE(
            "low.percent", percent=alarm.value, time=_minute(alarm.raised_at, desk.reader), limit=alarm.bound
        ),
    )


def _rate(alarm, desk):
    of_voids = alarm.kind == Alarm.Kind.VOID_RATE
    return _measured(
        alarm,
        desk,
        ("session", alarm.subject_id),
        right=Right.READ_SESSION,
        title=CONSOLE("rate.voids" if of_voids else "rate.corrections", table=alarm.table.name),
        detail=CONSOLE("rate", count=alarm.value, time=_minute(alarm.raised_at, desk.reader), limit=alarm.bound),
    )


def _unsealed(alarm, desk):
    return _measured(
        alarm,
        desk,
        ("admin:index",),
        right=Right.READ_LOG,
        title="The log isn’t sealed",
        detail=CONSOLE("unsealed", time=_minute(alarm.raised_at, desk.reader), limit=alarm.bound),
    )


def _damaged(alarm, desk):
    at, named = _minute(alarm.raised_at, desk.reader), differences(alarm.value)
    return _measured(
        alarm,
        desk,
        ("admin:audit_inspection_changelist",),
        right=Right.INSPECT,
        title="The house isn’t as its log says",
        detail=CONSOLE("damaged", time=at, inspection=alarm.subject_id, differences=named),
    )


def _locked_out(alarm, desk, person_):
    tables = access.tables(desk.staff, Right.ENROL)
    table = tables.order_by("code").first() if desk.staff.has_perm(Right.UNLOCK) else None
    return _measured(
        alarm,
        desk,
        ("enrol", table.pk) if table else ("alarms",),
        icon="wait",
        title=CONSOLE("locked_out", who=desk.reader.person(person_)),
        detail=CONSOLE("locked_out.after", time=_minute(alarm.raised_at, desk.reader), count=alarm.value),
    )


def _break_due(alarm, desk, person_):
    return _measured(
        alarm,
        desk,
        ("people",),
        icon="wait",
        title=CONSOLE("break", table=alarm.table.name),
        detail=CONSOLE("break.limit", who=desk.reader.person(person_), limit=alarm.bound),
    )


def _luck(alarm, desk):
    """At most one in this many honest table-years comes so far; whoever checks cards, sheet and payments takes it."""
    title, detail = CONSOLE("luck", table=alarm.table.name), CONSOLE("luck.rare", years=spell(alarm.value, 0))
    return _looked_into(alarm, desk, title, detail, ("luck-table", alarm.table_id))


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
    Alarm.Kind.ROUND_LONG: _long,
    Alarm.Kind.SETTLEMENT_LATE: _unsettled,
    Alarm.Kind.SETTLEMENT_RETRIED: _retried,
    Alarm.Kind.PACE: _pace,
    Alarm.Kind.FLOAT_LOW: _float,
    Alarm.Kind.VOID_RATE: _rate,
    Alarm.Kind.CORRECTION_RATE: _rate,
    Alarm.Kind.SEAL_LATE: _unsealed,
    Alarm.Kind.LOG_DAMAGED: _damaged,
    Alarm.Kind.LOCK_OUT: _locked_out,
    Alarm.Kind.BREAK_DUE: _break_due,
    Alarm.Kind.LUCK: _luck,
}


def _held(rounds, of_holds, desk):
    """Held rounds, each with why it is held and, once its alarm stands, with who sees to it."""
    rounds = list(rounds.select_related("table__pit", "sheet").order_by("held_at", "pk"))
    last = {
        each.round_id: each
        for each in Intervention.objects.filter(round__in=rounds, kind=Intervention.Kind.HELD)
        .select_related("by")
        .order_by("ordinal")
    }
    for round_ in rounds:
        hold, alarm = last[round_.pk], of_holds.get(round_.pk)
        cases = registry.GAMES[round_.sheet.game].irregularities
        event = next((case.event for case in cases if case.clause == hold.clause), None)
        reason = CONSOLE("held.event", event=event, clause=hold.clause) if event else CONSOLE("held.unsettled")
        row = _alarm(alarm, desk) if alarm else _UNRAISED | {"since": round_.held_at.isoformat()}
        taken, at = row["state"] == "taken", _minute(round_.held_at, desk.reader)
        # The terminal shows only a table's newest round.
        newest = round_.number == round_.table.last_number
        page = ("terminal", round_.table_id) if newest else ("round", round_.pk)
        yield row | {
            "key": f"held-{round_.pk}",
            "icon": "ok" if taken else "pause",
            "state": "taken" if taken else "held",
            "title": CONSOLE("held", table=round_.table.name),
            "detail": CONSOLE("held.at", time=at, round=round_.number, who=desk.reader.person(hold.by)),
            # The words of whoever held it come first.
            "more": " ".join(filter(None, [hold.reason and CONSOLE("quoted", words=hold.reason), reason, row["more"]])),
            "command": row["command"] if alarm and not taken else "",
            "button": "I’ll handle it" if alarm and not taken else "Go there",
            "leads": "Go there" if alarm and not taken else "",
            "table": round_.table_id,
            "href": reverse(page[0], args=page[1:]) if round_.table_id in desk.near else reverse("alarms"),
        }


# A held round before the worker has looked.
_UNRAISED = {
    "state": "held",
    "more": "",
    "left": False,
    "command": "",
    "asks_word": False,
    "most": 0,
    "may": True,
    "order": ORDER[Alarm.Kind.ROUND_HELD],
    "case": None,
}


def _more(alarm):
    """What a call is for, and who called; calls from before there were reasons have none."""
    parts = [WORDING(_REASONS_WITHIN[alarm.reason])] if alarm.reason else []
    return ", ".join(["", *parts, person(alarm.raised_by_id)])


def _clock(at, time_zone):
    return at.astimezone(ZoneInfo(time_zone)).strftime("%H:%M")


def _minute(at, reader):
    return reader.clock(at)[:5]
