"""Drop boxes as primitives for their pages: those mounted or waiting to be counted, a single one, and a count.

Until both counts are in, it has nothing of the first, and nothing of what the table recorded.
"""

from zoneinfo import ZoneInfo

from django.db.models import Q
from django.urls import reverse

from casino import settings_of_house
from casino.models import Casino
from casino.roles import Right
from casino.wording import amount
from payouts.models import Movement

from ..models import Case, Count, DropBox, Session
from ..people import access
from ..verbs import buy_ins, drops
from ..verbs.drop_boxes import mounted
from ..verbs.sessions import ATTEMPTS
from . import counting, dates
from .chips import amount_example, amount_pattern
from .console import CONSOLE
from .timeline import Reader
from .wording import WORDING

STATUS = DropBox.Status
LAST = 12
"""So many buy-ins of a session stand beside the form of the next."""
_PEOPLE = ("mounted_by", "mounted_with", "removed_by", "removed_with", "counted_by", "counted_with")
_GROUPS = (
    (STATUS.MOUNTED, "play"),
    (STATUS.REMOVED, "wait"),
    (STATUS.COUNTED, "ok"),
)
_TITLES = {STATUS.MOUNTED: "box.mounted", STATUS.REMOVED: "box.not_counted", STATUS.COUNTED: "step.counted"}
_STATUSES = {STATUS.MOUNTED: "box.mounted", STATUS.REMOVED: "box.removed", STATUS.COUNTED: "step.counted"}


def of_reach(staff):
    """The drop boxes that a person sees: those that are not counted yet, and those of sessions that are open."""
    listed = DropBox.objects.filter(table__in=access.tables(staff, Right.READ_DROP_BOXES))
    return listed.filter(~Q(status=STATUS.COUNTED) | Q(session__status=Session.Status.OPEN))


def standing(staff):
    """What `listed` shows, as a value that differs when that does, and the chains that concern it; None for a person
    who reads no drop box."""
    if not staff.has_perm(Right.READ_DROP_BOXES):
        return None
    numbers = access.tables(staff, Right.READ_DROP_BOXES).order_by("pk").values_list("pk", flat=True)
    rows = list(of_reach(staff).order_by("pk").values_list("pk", "status"))
    waiting = [f"drop_box:{pk}" for pk, status in rows if status == STATUS.REMOVED]
    entered = list(Count.objects.filter(of__in=waiting).order_by("pk").values_list("pk", flat=True))
    return tuple(f"table:{number}" for number in numbers), (rows, entered)


def listed(staff):
    """The list beside a drop box, in groups by what is to be done; in each the one that waits longest is first."""
    rows = list(of_reach(staff).select_related("table__pit", *_PEOPLE).order_by("pk"))
    groups = [
        {
            "title": WORDING(_TITLES[status]),
            "rows": [_row(drop_box, icon, staff) for drop_box in rows if drop_box.status == status],
        }
        for status, icon in _GROUPS
    ]
    return [group for group in groups if group["rows"]]


def mounted_at(staff):
    """The tables at which a person may mount a drop box now."""
    within = access.tables(staff, Right.MOUNT_DROP_BOX).filter(sessions__status=Session.Status.OPEN)
    within = within.exclude(drop_boxes__status=STATUS.MOUNTED).distinct().order_by("code")
    return [{"id": table.pk, "name": table.name} for table in within]


def within_reach(staff, drop_box_id):
    """A drop box within reach, or None."""
    within = access.tables(staff, Right.READ_DROP_BOXES)
    rows = DropBox.objects.filter(pk=drop_box_id, table__in=within)
    return rows.select_related("table__pit", "session", *_PEOPLE).first()


def shown(drop_box, staff):
    """A drop box with its steps, and whether the person who looks may take it off."""
    reader = Reader.of(staff)
    off = drop_box.status != STATUS.MOUNTED
    return {
        "id": drop_box.pk,
        "name": _name(drop_box),
        "number": drop_box.number,
        "table": {"id": drop_box.table_id, "name": drop_box.table.name, "pit": drop_box.table.pit.name},
        "date": dates.day(drop_box.business_date),
        "status": WORDING(_STATUSES[drop_box.status]),
        "session": drop_box.session_id if staff.has_perm(Right.READ_SESSION, drop_box.table) else None,
        "seal": drop_box.seal if off else None,
        "removed_seal": drop_box.removed_seal,
        "resealed": off and drop_box.seal != drop_box.removed_seal,
        "steps": _steps(drop_box, reader),
        "removes": not off and staff.has_perm(Right.MOUNT_DROP_BOX, drop_box.table),
        "counts": drop_box.status == STATUS.REMOVED and staff.has_perm(Right.COUNT_DROP, drop_box.table),
        "counted": _counted(drop_box, counting.Scale(Casino.objects.get(), reader)),
    }


def _counted(drop_box, scale):
    """What was counted, compared with what was recorded; None until it is counted."""
    if drop_box.status != STATUS.COUNTED:
        return None
    bound = settings_of_house.value("drop_variance_units", at=drop_box.counted_at)
    drop = Movement.objects.filter(subject=drop_box.ref, kind=Movement.Kind.DROP).first()
    return {
        "rows": [
            {"text": scale.spell(int(value)), "number": number, "amount": scale.spell(int(value) * number)}
            for value, number in sorted(drop.denominations.items(), key=lambda item: -int(item[0]))
        ]
        if drop
        else [],
        "case": Case.objects.filter(subject=drop_box.ref).first(),
        "cash": scale.spell(drop_box.cash_units),
        "recorded": scale.spell(drop_box.recorded_units),
        "variance": scale.spell(drop_box.variance_units, signed=True),
        "outside": abs(drop_box.variance_units) > bound,
        "bound": scale.spell(bound),
        "reason": drop_box.reason,
        "currency": scale.casino.currency,
    }


def buy_in(table):
    """The form of a buy-in at a table, and what was sold in its session, the newest first."""
    casino, session = Casino.objects.get(), Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    drop_box, zone = mounted(table), ZoneInfo(casino.time_zone)
    decimals, limit = casino.currency_decimals, settings_of_house.value("buy_in_signed_units")
    missing = ""
    if session is None:
        missing = WORDING("buy_in.closed", table=table)
    elif drop_box is None:
        missing = WORDING("buy_in.no_drop_box")
    made = session.buy_ins.select_related("movement").order_by("-pk")[:LAST] if session else ()
    return {
        "table": {"id": table.pk, "name": table.name},
        "missing": missing,
        "drop_box": drop_box and _name(drop_box),
        "currency": casino.currency,
        "decimals": decimals,
        "pattern": amount_pattern(decimals),
        "example": amount_example(250, decimals),
        "limit": limit,
        "spelled_limit": amount(limit, decimals),
        "boxes": buy_ins.places(table),
        "rows": [
            {
                "box": each.box,
                "amount": amount(each.units, decimals),
                "at": f"{each.movement.begun_at.astimezone(zone):%H:%M}",
            }
            for each in made
        ],
    }


def large_cash(staff):
    """The boxes whose buy-ins came near to what is reported or to it, in the gaming days of the last sessions."""
    casino, (near, large) = Casino.objects.get(), buy_ins.bounds()
    rows = [
        {
            "table": table,
            "box": box,
            "day": f"{date.day} {date:%B}",
            "at": f"{last.astimezone(ZoneInfo(casino.time_zone)):%H:%M}",
            "amount": amount(units, casino.currency_decimals),
            "reported": units >= large,
        }
        for _, table, date, box, units, last in buy_ins.by_box(access.tables(staff, Right.READ_SESSION), near)
    ]
    spelled = {
        "near": amount(near, casino.currency_decimals),
        "large": amount(large, casino.currency_decimals),
    }
    return {"rows": rows, "currency": casino.currency, **spelled}


def count(drop_box, staff, *, again=False):
    """What the person who counts a drop box may do now, as from `counting.shown`; None if it is not being counted."""
    stands = drops.standing(drop_box)
    if stands is None:
        return None
    scale, cash = counting.Scale(Casino.objects.get(), Reader.of(staff)), drops.bag(drop_box).chip_set
    may_again = stands.both and stands.entered[0].attempt < ATTEMPTS
    page = {
        "id": drop_box.pk,
        "table": {"name": str(drop_box)},
        "title": CONSOLE("drop.title", table=drop_box.table.name),
        "part": stands.part,
        "piece": "note or coin",
        "day": dates.day_of_year(drop_box.business_date),
        "currency": scale.casino.currency,
        "decimals": scale.casino.currency_decimals,
        "runs": True,
        "to": f"/api/v1/drop-boxes/{drop_box.pk}/",
        "back": reverse("drop_box", args=[drop_box.pk]),
        "live": reverse("live-drop-boxes"),
        "words": {
            "expected": "Recorded at the table",
            "second": CONSOLE("drop.who.second"),
            "decider": CONSOLE("who.decides"),
            "signer": CONSOLE("who.signs"),
            "waits": CONSOLE("drop.who.waits"),
        },
    }
    if stands.both and not (again and may_again):
        page |= counting.compared(stands, staff, scale, cash) | {"again": may_again, "effect": "Sign for the drop"}
    else:
        page |= counting.form(stands, staff, scale, cash, since=1)
    return page | counting.phases(stands.part, page["phase"])


def _name(drop_box):
    return WORDING("box.name", number=drop_box.number)


def _row(drop_box, icon, staff):
    reader = Reader.of(staff)
    at, by = drop_box.mounted_at, drop_box.mounted_by
    if drop_box.status != STATUS.MOUNTED:
        at, by = drop_box.removed_at, drop_box.removed_by
    if drop_box.status == STATUS.COUNTED:
        at, by = drop_box.counted_at, drop_box.counted_by
    return {
        "id": drop_box.pk,
        "name": _name(drop_box),
        "icon": icon,
        "detail": ", ".join((drop_box.table.name, reader.person(by))),
        "day": dates.day_of_year(drop_box.business_date),
        "at": reader.clock(at)[:5],
    }


def _steps(drop_box, reader):
    """Who did what and when, and what comes next."""

    def step(done, following, at, people):
        return {
            "label": done if at else following,
            "state": "done" if at else "",
            "icon": "ok" if at else "empty",
            "at": reader.clock(at)[:5] if at else "",
            "who": WORDING("and", one=reader.person(people[0]), other=reader.person(people[1])) if at else "",
        }

    steps = [
        step(WORDING("box.mounted"), "", drop_box.mounted_at, (drop_box.mounted_by, drop_box.mounted_with)),
        step(
            WORDING("box.taken_off"),
            WORDING("box.take_off"),
            drop_box.removed_at,
            (drop_box.removed_by, drop_box.removed_with),
        ),
        step(
            WORDING("step.counted"),
            WORDING("step.count"),
            drop_box.counted_at,
            (drop_box.counted_by, drop_box.counted_with),
        ),
    ]
    following = next((each for each in steps if not each["at"]), None)
    if following:
        following |= {"state": "next", "icon": "next"}
    return steps
