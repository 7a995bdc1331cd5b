"""The people of a pit as primitives for their page: who deals where since when, whose break is due, who is free, who is
asked to relieve whom, and what each did in the shift."""

import datetime as dt
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
from .floor import day, spell_age


class Desk:
    """How the people look to one person, who may ask for reliefs at some of the tables."""

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
    """What the page shows, as a value that differs when that does, and the chains that tell of it.

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
    return " ".join(filter(None, [hours and f"{hours} h", (rest or not hours) and f"{rest} min"]))


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
    """A pit: its tables, whose break is due next first, and who is free, the longest rested first."""
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
    """Who did not deal within the day comes first, then who has been off for longest."""
    return (croupier.off is not None, croupier.off or desk.people.now, croupier.id)


def _seat(seat, dealer, free, desk):
    """A table: without a dealer while it is open comes first, then whose break is due soonest."""
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
        "due": f"Break due since {desk.clock(at)}" if late else f"Break due {desk.clock(at)}",
        "state": "due" if late else "deals",
        "order": (1, dealer.stint.timestamp(), seat.name),
    }


def _sign_on(seat):
    """Where whoever comes signs on; and, before they are sent, what keeps them from it or stands still until then."""
    if not seat.terminals:
        return {
            "warns": True,
            "text": f"{seat.name} has no terminal, so whoever comes cannot sign on there. First make the device at the"
            " table a terminal, or sign them on yourself when they are there.",
        }
    where = f"at {' or '.join(seat.terminals)}"
    if seat.croupier_id is None and seat.is_open:
        text = f"Nobody is signed on at {seat.name}: no round opens until whoever comes signs on {where}."
        return {"warns": True, "text": text}
    return {"warns": False, "text": f"Whoever comes signs on {where}."}


def _asked(relief, desk):
    return {
        "id": relief["id"],
        "who": named(relief["staff"], relief["name"]),
        "by": f"asked {desk.clock(relief['at'])}, {named(relief['by'], relief['by_name'])}",
    }


def _free(each, desk):
    """Who deals nowhere: since when, and whether that was a whole break."""
    rested = each.off and desk.people.now - each.off
    if rested is None:
        rest = "not dealt in the last day"
    elif rested < desk.rest:
        rest = f"break until {desk.clock(each.off + desk.rest)}"
    else:
        rest = f"rested {minutes(rested)}"
    return {
        "id": each.id,
        "who": named(each.id, each.name),
        "since": f"off since {desk.clock(each.off)}" if each.off else "",
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
        "spells": [
            f"{spell.table} {desk.clock(spell.begun)}–{desk.clock(spell.ended) if spell.ended else 'now'}"
            for spell in each.spells
        ],
        "breaks": [f"{desk.clock(begun)}–{desk.clock(ended)}, {minutes(ended - begun)}" for begun, ended in breaks],
    }


# --- What the people themselves see: who relieves them, and whom they relieve. ---


def asked_of(staff):
    """Where a croupier is asked to relieve: the table, and whoever deals there; None for nobody who is asked."""
    relief = Relief.objects.standing().filter(staff=staff).select_related("table__pit").first()
    if relief is None:
        return None
    dealer = SignOn.objects.filter(table=relief.table, signed_off_at=None).first()
    return {
        "fact": f"You relieve {croupier(dealer.staff_id)}" if dealer else "You are asked to deal",
        "where": f"{relief.table.name}, {relief.table.pit.name}",
        "href": reverse("terminal", args=[relief.table_id]),
        "way_out": "Sign on at its terminal.",
    }


def waits(staff):
    """Whether a croupier is asked to relieve, as a value, and the chains that tell of it; None for no croupier."""
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
        return {"fact": "You are asked to take this table over.", "way_out": "Sign on at its terminal."}
    return {
        "fact": f"{croupier(relief_staff_id)} comes to relieve you.",
        "way_out": "They sign on at this table's terminal; you are signed off then.",
    }
