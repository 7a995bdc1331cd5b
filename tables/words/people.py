"""The people of a pit as primitives for their page: who deals where since when, whose break is due, who is free, who is
asked to relieve whom, and what each did this shift."""

import datetime as dt
from functools import reduce
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from audit import log
from casino import settings_of_house
from casino.models import Casino, named
from casino.roles import Right, Role

from ..models import Posting, Relief, SignOn, Terminal
from ..people import access, footing
from ..verbs import dealing
from ..verbs.dealing import HOURS, MINUTE
from .actions import croupier
from .console import CONSOLE
from .floor import day, spell_age
from .wording import WORDING


class Desk:
    """How people look to one person, who may ask for reliefs at some of the tables."""

    def __init__(self, staff):
        self.staff, self.casino = staff, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        values = settings_of_house.values()
        self.due = dt.timedelta(minutes=values["break_due_minutes"])
        self.rest = dt.timedelta(minutes=values["break_minutes"])
        self.people = dealing.now(access.extent(staff, Right.READ_FLOOR), values["break_minutes"])
        self.asks = access.extent(staff, Right.ASK_RELIEF)
        self.carries = access.extent(staff, Right.RUN_SESSION)

    def clock(self, at):
        return at.astimezone(self.zone).strftime("%H:%M")

    def rested_at(self, croupier):
        """When a croupier's break is over."""
        return self.clock(croupier.off + self.rest)

    def age(self, since):
        return spell_age(self.people.now, since)


def shown(staff, table=None):
    """The people of all pits within reach, or those of a table's pit with that table alone.

    None for a person who reads no floor.
    """
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    desk = Desk(staff)
    seats = [seat for seat in desk.people.seats if table is None or seat.id == table.pk]
    pits = {}
    for seat in seats:
        pits.setdefault(seat.pit_id, []).append(seat)
    return {
        "house": desk.casino.name,
        "title": "All pits" if len(pits) > 1 else next((each[0].pit for each in pits.values()), "No table"),
        "several": len(pits) > 1,
        "day": day(desk.people.now, desk.zone),
        "clock": desk.clock(desk.people.now),
        "now": desk.people.now.isoformat(),
        "zone": desk.casino.time_zone,
        "facts": _facts(desk),
        "due_minutes": desk.due // MINUTE,
        "rest_minutes": desk.rest // MINUTE,
        "pits": [_pit(pit, seats, desk) for pit, seats in pits.items()],
        "work": [] if table else [_work(each, desk) for each in desk.people.croupiers],
        "hours": HOURS,
    }


def standing(staff):
    """What the page shows, as a value that differs when that does, and the chains that concern it.

    None for a person who reads no floor. Breaks become due with time, so it differs with each minute.
    """
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    tables = list(access.tables(staff, Right.READ_FLOOR).order_by("pk").values_list("pk", flat=True))
    chains = (*(f"table:{number}" for number in tables), log.HOUSE)
    pits = access.tables(staff, Right.READ_FLOOR).values("pit")
    posted = Posting.objects.filter(role=Role.CROUPIER, ended_at=None)
    posted = posted.filter(pit=None) | posted.filter(pit__in=pits)
    value = (
        list(SignOn.objects.filter(signed_off_at=None).order_by("pk").values_list("pk", flat=True)),
        list(Relief.objects.standing().order_by("pk").values_list("pk", flat=True)),
        list(posted.order_by("pk").values_list("pk", flat=True)),
        list(Terminal.objects.filter(table__in=tables, revoked_at=None).order_by("pk").values_list("pk", flat=True)),
        timezone.now().replace(second=0, microsecond=0),
    )
    return chains, value


def minutes(span):
    """A time span in words.

    >>> minutes(dt.timedelta(minutes=7)), minutes(dt.timedelta(minutes=125)), minutes(dt.timedelta(hours=2))
    ('7 min', '2 h 5 min', '2 h')
    """
    hours, rest = divmod(span // MINUTE, 60)
    if not hours:
        return CONSOLE("span.minutes", minutes=rest)
    return CONSOLE("stint", hours=hours, minutes=rest) if rest else CONSOLE("stint:hours", hours=hours)


def _facts(desk):
    croupiers, seats = desk.people.croupiers, desk.people.seats
    dealing_now = [each for each in croupiers if each.table_id]
    due = [each for each in dealing_now if desk.people.now - each.stint >= desk.due]
    return [
        ("Deal now", str(len(dealing_now))),
        ("Free", str(len(croupiers) - len(dealing_now))),
        ("Breaks due", str(len(due))),
        ("No dealer", str(sum(1 for seat in seats if seat.is_open and not seat.croupier_id))),
    ]


def _pit(pit, seats, desk):
    """A pit: its tables, the next break due first, and who is free, the longest rested first."""
    of_pit = [each for each in desk.people.croupiers if each.pit_id in {None, pit}]
    by_id = {each.id: each for each in desk.people.croupiers}
    free = sorted((each for each in of_pit if not each.table_id), key=lambda each: _rested(each, desk))
    rows = [_seat(seat, by_id.get(seat.croupier_id), free, desk) for seat in seats]
    return {
        "id": pit,
        "name": seats[0].pit,
        "seats": sorted(rows, key=lambda row: row["order"]),
        "free": [_free(each, desk) for each in free],
    }


def _rested(croupier, desk):
    """People who did not deal within the day come first, then those who have been off the longest."""
    return (croupier.off is not None, croupier.off or desk.people.now, croupier.id)


def _seat(seat, dealer, free, desk):
    """A table; open tables without a dealer come first, then those whose dealer's break is due soonest."""
    row = {
        "key": f"seat-{seat.id}",
        "id": seat.id,
        "name": seat.name,
        "href": reverse("floor-table", args=[seat.id]),
        "open": seat.is_open,
        "dealer": "",
        "since": "",
        "stint": None,
        "due": "",
        "state": "empty" if seat.is_open else "shut",
        "order": (0 if seat.is_open else 2, 0, seat.name),
        "relief": seat.relief and _asked(seat.relief, desk),
        "asks": _within(desk.asks, seat),
        "sign_on": _sign_on(seat),
        "enrols": "" if seat.terminals else reverse("enrol", args=[seat.id]),
        "does": "Relieve" if seat.croupier_id else "Send a croupier",
        "free": [_free(each, desk) for each in free if not each.asked],
        "session": reverse("table-session", args=[seat.id]) if seat.is_open and _within(desk.carries, seat) else "",
    }
    if seat.croupier_id is None:
        return row
    if dealer is None:  # of another pit, or posted nowhere any more
        return row | {"dealer": named(seat.croupier_id, seat.croupier), "state": "deals", "order": (1, 0, seat.name)}
    at = dealer.stint + desk.due
    left = at - desk.people.now
    late = left <= dt.timedelta()
    return row | {
        "dealer": named(dealer.id, dealer.name),
        "since": desk.clock(dealer.since),
        "stint": desk.age(dealer.stint),
        "due": CONSOLE("break.due:late" if late else "break.due", time=desk.clock(at)),
        "state": "due" if late else "deals",
        "order": (1, dealer.stint.timestamp(), seat.name),
    }


def _sign_on(seat):
    """Where the relief signs on and, before they are sent, what keeps them from it or stands still until then."""
    if not seat.terminals:
        return {"warns": True, "text": CONSOLE("sign_on.no_terminal", table=seat.name)}
    terminals = reduce(lambda one, other: CONSOLE("or", one=one, other=other), seat.terminals)
    if seat.croupier_id is None and seat.is_open:
        return {"warns": True, "text": CONSOLE("sign_on:nobody", table=seat.name, terminals=terminals)}
    return {"warns": False, "text": CONSOLE("sign_on", terminals=terminals)}


def _asked(relief, desk):
    return {
        "id": relief["id"],
        "who": named(relief["staff"], relief["name"]),
        "by": CONSOLE("asked", time=desk.clock(relief["at"]), who=named(relief["by"], relief["by_name"])),
    }


def _free(each, desk):
    """A person who deals nowhere: since when, and whether that was a whole break."""
    rested = each.off and desk.people.now - each.off
    if rested is None:
        rest = CONSOLE("rest.none")
    elif rested < desk.rest:
        rest = CONSOLE("rest.until", time=desk.rested_at(each))
    else:
        rest = CONSOLE("rest", span=minutes(rested))
    return {
        "id": each.id,
        "who": named(each.id, each.name),
        "since": CONSOLE("rest.since", time=desk.clock(each.off)) if each.off else "",
        "rest": rest,
        "short": rested is not None and rested < desk.rest,
        "asked": each.asked["table"] if each.asked else "",
    }


def _within(extent, seat):
    return extent.everywhere or seat.pit_id in extent.pits or seat.id in extent.tables


def _work(each, desk):
    """What a croupier did in the shift."""
    breaks = each.breaks(desk.rest)
    return {
        "who": named(each.id, each.name),
        "dealt": minutes(each.dealt(desk.people.now, desk.people.since)),
        "spells": [_spell(spell, desk) for spell in each.spells],
        "breaks": [
            CONSOLE("break.taken", begun=desk.clock(begun), ended=desk.clock(ended), span=minutes(ended - begun))
            for begun, ended in breaks
        ],
    }


def _spell(spell, desk):
    """Where a croupier dealt, from when until when."""
    if spell.ended is None:
        return CONSOLE("dealt:now", table=spell.table, begun=desk.clock(spell.begun))
    return CONSOLE("dealt.spell", table=spell.table, begun=desk.clock(spell.begun), ended=desk.clock(spell.ended))


# --- What the people themselves see: who relieves them, and whom they relieve. ---


def asked_of(staff):
    """Where a croupier is asked to relieve: the table, and whoever deals there; None if they are not asked."""
    relief = Relief.objects.standing().filter(staff=staff).select_related("table__pit").first()
    if relief is None:
        return None
    dealer = SignOn.objects.filter(table=relief.table, signed_off_at=None).first()
    return {
        "fact": WORDING("relief.asked", croupier=croupier(dealer.staff_id)) if dealer else WORDING("relief.asked:free"),
        "where": ", ".join([relief.table.name, relief.table.pit.name]),
        "href": reverse("terminal", args=[relief.table_id]),
        "way_out": WORDING("relief.yours.way_out"),
    }


def waits(staff):
    """Whether a croupier is asked to relieve, as a value, and the chains that concern it; None for other people."""
    if not any(role == Role.CROUPIER for role, _ in footing.of(staff).postings):
        return None
    tables = access.tables(staff, Right.SIGN_ON).order_by("pk").values_list("pk", flat=True)
    relief = Relief.objects.standing().filter(staff=staff).values_list("pk", "table_id").first()
    dealer = (
        relief and SignOn.objects.filter(table=relief[1], signed_off_at=None).values_list("staff", flat=True).first()
    )
    return tuple(f"table:{number}" for number in tables), (relief, dealer)


def at_table(relief_staff_id, staff_id):
    """A relief as its table's terminal shows it to whoever looks: the croupier, or the one who comes."""
    if relief_staff_id == staff_id:
        return {"fact": WORDING("relief.yours"), "way_out": WORDING("relief.yours.way_out")}
    return {"fact": WORDING("relief", who=croupier(relief_staff_id)), "way_out": WORDING("relief.way_out")}
