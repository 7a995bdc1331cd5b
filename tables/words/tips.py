"""Tips as primitives for their pages: days that wait to be counted, a single one, and the croupier's form.

Until both counts are in, it has nothing of the first, and nothing of what the tables entered.
"""

from zoneinfo import ZoneInfo

from django.urls import reverse

from audit import log
from casino import settings_of_house
from casino.models import Casino
from casino.roles import Right
from casino.wording import amount

from ..models import Count, Session, TipCount
from ..verbs import tips
from ..verbs.sessions import ATTEMPTS
from . import counting, dates
from .chips import amount_example, amount_pattern, chip
from .console import CONSOLE
from .wording import WORDING

LAST = 12
"""So many tips of a session stand beside the form of the next, and so many counted days beside those that wait."""
_ENTERED = {0: "tips.entered:nobody", 1: "tips.entered:one", 2: "cage.both"}


def standing(staff):
    """What the pages of tips show, as a value that differs when that does, and the chain that concerns it; None for a
    person who reads no tips."""
    if not staff.has_perm(Right.READ_TIPS):
        return None
    waiting = tips.waiting()
    entered = Count.objects.filter(part=tips.PART, of__in=[tips.ref(date) for date in waiting]).count()
    running = [tips.running(date).count() for date in waiting]
    return (log.HOUSE,), (waiting, running, entered, TipCount.objects.count())


def listed(staff):
    """The list beside a day, in groups by what is to be done; the one that waits longest is first."""
    scale, rows = counting.Scale.of(staff), {"open": [], "due": []}
    for date in tips.waiting():
        running = tips.running(date).count()
        row = {"day": _number(date), "name": _date(date), "detail": _running(running), "amount": ""}
        rows["open" if running else "due"].append(row)
    counted = [
        {
            "day": _number(each.date),
            "name": _date(each.date),
            "detail": scale.reader.person(each.counted_by),
            "amount": scale.spell(each.counted_units),
        }
        for each in TipCount.objects.select_related("counted_by").order_by("-date")[:LAST]
    ]
    groups = (("Not counted", "wait", rows["due"]), ("Still come in", "play", rows["open"]), ("Counted", "ok", counted))
    return [{"title": title, "icon": icon, "rows": of} for title, icon, of in groups if of]


def _running(count):
    """How many tables of a day are still open."""
    if not count:
        return ""
    return CONSOLE("tips.open:one") if count == 1 else CONSOLE("tips.open", count=count)


def shown(date, staff):
    """The tips of a day, and whether the person who looks may count them; None for a day without any."""
    counted = TipCount.objects.filter(date=date).select_related("counted_by", "counted_with").first()
    if counted is None and not tips.uncounted(date):
        return None
    stands = None if counted else tips.standing(date)
    entered = len(stands.entered) if stands else 0
    return {
        "day": _number(date),
        "ref": tips.ref(date),
        "date": _date(date),
        "status": "Counted" if counted else "Not counted" if stands else "Still come in",
        "open": [table.name for table in tips.running(date)] if not counted else [],
        "entered": CONSOLE(_ENTERED[entered]),
        "counts": stands is not None and staff.has_perm(Right.COUNT_TIPS),
        "waits": stands is not None,
        "counted": counted and _counted(counted, counting.Scale.of(staff)),
    }


def _counted(counted, scale):
    """What was counted, compared with what was recorded."""
    bound = settings_of_house.value("tips_variance_units", at=counted.counted_at)
    chip_set = tips.tip_box().chip_set
    return {
        "rows": [
            {
                "chip": chip(chip_set, int(value), scale.casino.currency_decimals),
                "text": scale.spell(int(value)),
                "number": number,
                "amount": scale.spell(int(value) * number),
            }
            for value, number in sorted(counted.denominations.items(), key=lambda item: -int(item[0]))
        ],
        "at": scale.at(counted.counted_at),
        "people": CONSOLE(
            "and", one=scale.reader.person(counted.counted_by), other=scale.reader.person(counted.counted_with)
        ),
        "units": scale.spell(counted.counted_units),
        "recorded": scale.spell(counted.recorded_units),
        "variance": scale.spell(counted.variance_units, signed=True),
        "outside": abs(counted.variance_units) > bound,
        "bound": scale.spell(bound),
        "reason": counted.reason,
        "currency": scale.casino.currency,
    }


def count(date, staff, *, again=False):
    """What the person who counts the tips of a day may do now, as from `counting.shown`; None if nothing is counted."""
    stands = tips.standing(date)
    if stands is None:
        return None
    scale, chip_set = counting.Scale.of(staff), tips.tip_box().chip_set
    may_again = stands.both and stands.entered[0].attempt < ATTEMPTS
    page = {
        "id": _number(date),
        "table": {"name": "Tips"},
        "title": _date(date),
        "part": stands.part,
        "day": dates.day_of_year(date),
        "currency": scale.casino.currency,
        "decimals": scale.casino.currency_decimals,
        "runs": True,
        "to": f"/api/v1/tips/{_number(date)}/",
        "back": reverse("tips-of-day", args=[_number(date)]),
        "live": reverse("live-tips"),
        "words": {
            "expected": "Entered at the tables",
            "second": CONSOLE("drop.who.second"),
            "decider": CONSOLE("who.decides"),
            "signer": CONSOLE("who.signs:pit_boss"),
            "waits": CONSOLE("drop.who.waits"),
        },
    }
    if stands.both and not (again and may_again):
        page |= counting.compared(stands, staff, scale, chip_set) | {"again": may_again, "effect": "Sign for the tips"}
    else:
        page |= counting.form(stands, staff, scale, chip_set, since=1)
    return page | counting.phases(stands.part, page["phase"])


def tip(table):
    """The form of a tip at a table, and what was given in its session, the newest first."""
    casino, session = Casino.objects.get(), Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    decimals, zone = casino.currency_decimals, ZoneInfo(casino.time_zone)
    made = tips.taken(session).order_by("-pk")[:LAST] if session else ()
    return {
        "table": {"id": table.pk, "name": table.name},
        "missing": "" if session else WORDING("tips.closed", table=table),
        "currency": casino.currency,
        "decimals": decimals,
        "pattern": amount_pattern(decimals),
        "example": amount_example(2, decimals),
        "rows": [
            {
                "amount": amount(each.denominations["1"], decimals),
                "at": f"{each.begun_at.astimezone(zone):%H:%M}",
            }
            for each in made
        ],
    }


def _date(date):
    return dates.day_in_full(date)


def _number(date):
    return tips.number_of(date)
