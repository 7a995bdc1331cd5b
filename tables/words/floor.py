"""The floor as primitives for its pages: what needs a person, the tables as tiles, and one table in detail."""

import datetime as dt
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.text import Truncator

from casino import money, settings_of_house
from casino.games import registry
from casino.models import Casino, named
from casino.roles import Right
from payouts import winning
from payouts.winning import Grade

from ..models import Case, Dispute, Slip
from ..people import access
from ..verbs import floor
from ..verbs.floor import HOURS, STEP, STEPS, State
from . import calls, luck
from .console import CONSOLE
from .timeline import Reader

# How a state looks: its word, its icon, and the pattern of its strip. Never by colour alone.
STATES = {
    State.CLOSED: ("Closed", "empty"),
    State.OPENING: ("Opening", "bet"),
    State.IDLE: ("Idle", "play"),
    State.PLAYING: ("In play", "play"),
    State.SETTLING: ("Settling", "wait"),
    State.HELD: ("Held", "pause"),
    State.CLOSING: ("Closing", "bet"),
}
# In a strip it does not matter whether a round was under way.
STRIP = {State.PLAYING: State.IDLE, State.SETTLING: State.IDLE}
STRIP_WORDS = {
    State.CLOSED: "closed",
    State.OPENING: "opener counted",
    State.IDLE: "open",
    State.HELD: "held",
    State.CLOSING: "closer counted",
}
DRAWN = {State.OPENING, State.HELD, State.CLOSING}
"""States whose part of a strip has a pattern."""
WIDE, HIGH = 320, 56
"""The room of a chart in its own units; the page gives it its size."""
# Where other waiting things stand among calls and alarms (`calls.ORDER`); those that can wait come after them.
DISPUTED, LATE, RULED, ON_ITS_WAY, CASE = 4, 5, 9, 10, 11
KEYS = "123456789"


class Desk:
    """How the floor looks to one person: names, times and amounts."""

    def __init__(self, staff):
        self.staff, self.casino = staff, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        self.reader = Reader(named=True, zone=self.zone)
        self.values = settings_of_house.values()
        self.floor = floor.now(access.extent(staff, Right.READ_FLOOR))
        self.running = access.extent(staff, Right.RUN_SESSION)
        sessions = [place.session_id for place in self.floor.places if place.session_id]
        # The page that it leads to belongs to the reports.
        self.luck = luck.of_sessions(sessions) if staff.has_perm(Right.READ_REPORTS) else {}

    def runs(self, place):
        """Whether they open and close a table."""
        return self.running.everywhere or place.pit_id in self.running.pits

    def spell(self, units, *, signed=False):
        sign = "+" if signed and units > 0 else ""
        return f"{sign}{money.spell(units, self.casino.currency_decimals)}"

    def clock(self, at):
        return at.astimezone(self.zone).strftime("%H:%M")

    def age(self, since):
        return spell_age(self.floor.now, since)

    def place_in_shift(self, at):
        """A moment's place in the shift, in the units of a chart."""
        return max(0, min(WIDE, WIDE * (at - self.floor.since) // dt.timedelta(hours=HOURS)))


def spell_age(now, since):
    """A clock that the page lets run on: whole seconds since a moment, or until it."""
    seconds = int(abs((now - since).total_seconds()))
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    text = f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
    return {"at": since.isoformat(), "text": text}


def shown(staff):
    """The whole floor for its page; None for a person who reads no floor."""
    if not staff.has_perm(Right.READ_FLOOR):
        return None
    desk = Desk(staff)
    needs = _needs(desk)
    pits = {}
    for place in desk.floor.places:
        pits.setdefault(place.pit_id, []).append(place)
    several = len(pits) > 1
    return {
        "title": "All pits" if several else next((places[0].pit for places in pits.values()), "No table"),
        "house": desk.casino.name,
        "currency": desk.casino.currency,
        "day": day(desk.floor.now, desk.zone),
        "clock": desk.clock(desk.floor.now),
        "now": desk.floor.now.isoformat(),
        "zone": desk.casino.time_zone,
        "facts": _facts(desk, desk.floor.places),
        "needs": needs,
        "waiting": _waiting(needs),
        "first": next((row for row in needs if row["urgent"]), None),
        "slips": sum(len(place.slips) for place in desk.floor.places),
        "cases": sum(len(place.cases) for place in desk.floor.places),
        "pits": [
            {
                "id": pit,
                "name": places[0].pit,
                "several": several,
                "facts": _facts(desk, places),
                "tiles": [_tile(place, desk, needs) for place in places],
            }
            for pit, places in pits.items()
        ],
        "legend": _legend(),
    }


def of_table(staff, table):
    """One table in detail: its tile, its charts with their figures in a table, and links from here."""
    desk = Desk(staff)
    place = next((each for each in desk.floor.places if each.id == table.pk), None)
    if place is None:
        return None
    needs = [row for row in _needs(desk) if row["table"] == place.id]
    return {
        "tile": _tile(place, desk, needs),
        "needs": needs,
        "house": desk.casino.name,
        "currency": desk.casino.currency,
        "clock": desk.clock(desk.floor.now),
        "now": desk.floor.now.isoformat(),
        "zone": desk.casino.time_zone,
        "rows": _rows(place, desk),
        "spells": [
            {
                "word": STRIP_WORDS[STRIP.get(spell.state, spell.state)],
                "from": desk.clock(spell.begun),
                "to": desk.clock(spell.ended) if spell.ended else "now",
            }
            for spell in place.spells
        ],
        "ticks": _ticks(desk),
        "legend": _legend(),
        "acts": _acts(place, staff, table),
        "ways": _ways(place, staff, table),
    }


def standing(staff):
    """What the page of the floor shows, as a value that differs when that does, and the chains that concern it.

    None for a person who reads no floor.
    """
    looked = calls.standing(staff)
    if looked is None:
        return None
    chains, waiting = looked
    return chains, (waiting, floor.digests(access.extent(staff, Right.READ_FLOOR)))


# --- What needs a person. ---


def _needs(desk):
    """Calls, alarms, held rounds and whatever else waits: the most urgent first, those that somebody took last."""
    rows = calls.listed(desk.staff, desk.casino, desk.values["alarm_escalation_minutes"])
    for row in rows:
        since = dt.datetime.fromisoformat(row["since"])
        row |= {"age": desk.age(since), "ago": "so far", "urgent": row["state"] != "taken"}
    late = {row["href"] for row in rows}
    for place in desk.floor.places:
        rows += _disputes(place, desk)
        rows += [row for row in (*_slips(place, desk), *_cases(place, desk)) if row["href"] not in late]
    rows.sort(key=lambda row: (row["state"] == "taken", row["order"], row["age"]["at"]))
    for key, row in zip(KEYS, rows, strict=False):
        row["digit"] = key
    return rows


def _waiting(needs):
    """How much there is to do, how much somebody took, and how much is on its way; zeros are left out.

    >>> _waiting([{"urgent": True, "state": "new"}, {"urgent": False, "state": "taken"}]), _waiting([])
    ('1 to do, 1 taken', 'nothing to do')
    """
    taken = sum(1 for row in needs if row["state"] == "taken")
    urgent = sum(1 for row in needs if row["urgent"])
    rest = len(needs) - urgent - taken
    counts = (
        urgent and CONSOLE("waiting.to_do", count=urgent),
        taken and CONSOLE("waiting.taken", count=taken),
        rest and CONSOLE("waiting.under_way", count=rest),
    )
    return ", ".join(filter(None, counts)) or CONSOLE("waiting.none")


def _row(key, place, **more):
    """A row that only leads somewhere."""
    row = {"key": key, "state": "new", "more": "", "command": "", "urgent": True, "table": place.id} | more
    return row | {"button": "" if row["state"] == "quiet" else "Go there"}


def _disputes(place, desk):
    for dispute in place.disputes:
        is_open = dispute["status"] == Dispute.Status.OPEN
        yield _row(
            f"dispute-{dispute['id']}",
            place,
            icon="scale",
            state="new" if is_open else "quiet",
            title=CONSOLE("disputed", table=place.name),
            detail=_disputed(dispute),
            more=_said(dispute["statement"]) if is_open else "Ruled, to be handed over at the table",
            href=reverse("dispute", args=[dispute["id"]]),
            order=DISPUTED if is_open else RULED,
            urgent=is_open,
            age=desk.age(dispute["raised_at"]),
            ago="so far",
        )


def _disputed(dispute):
    """The round, what it is about, and the boxes that are named."""
    round_, about, boxes = dispute["round"], dispute["about"], dispute["boxes"]
    if not boxes:
        return CONSOLE("disputed.round", round=round_, about=about)
    return CONSOLE(
        "disputed.round:box" if len(boxes) == 1 else "disputed.round:boxes",
        round=round_,
        boxes=", ".join(map(str, boxes)),
        about=about,
    )


def _said(statement):
    """What the guest said, shortened; the dispute's page has all of it."""
    return CONSOLE("quoted", words=Truncator(statement).chars(160))


def _slips(place, desk):
    for each in place.slips:
        slip = Slip(kind=each["kind"], year=each["year"], number=each["number"], units=each["units"])
        way = each["issued_at"] is not None
        allowed = dt.timedelta(minutes=desk.values["slip_minutes"])
        late = way and desk.floor.now - each["issued_at"] >= allowed
        yield _row(
            f"slip-{each['id']}",
            place,
            icon="next",
            state="new" if late else "quiet",
            title=str(slip),
            detail=", ".join([slip.get_kind_display().capitalize(), place.name, desk.spell(slip.units)]),
            more="" if way else "Asked for, not issued",
            href=reverse("slip", args=[each["id"]]),
            order=LATE if late else ON_ITS_WAY,
            urgent=late,
            age=desk.age(each["issued_at"] or each["requested_at"]),
            ago="late" if late else "on its way" if way else "waits",
        )


def _cases(place, desk):
    for each in place.cases:
        case = Case(kind=each["kind"], year=each["year"], number=each["number"])
        if case.kind == Case.Kind.DISPUTE:  # the dispute itself stands there
            continue
        late = each["due_at"] <= desk.floor.now
        units = [] if each["units"] is None else [desk.spell(each["units"], signed=True)]
        yield _row(
            f"case-{each['id']}",
            place,
            icon="flag",
            state="new" if late else "quiet",
            title=str(case),
            detail=", ".join([case.get_kind_display().capitalize(), place.name, *units]),
            href=reverse("case", args=[each["id"]]),
            order=LATE if late else CASE,
            urgent=late,
            age=desk.age(each["due_at"]),
            ago="late" if late else "left",
        )


# --- The tiles. ---


def _tile(place, desk, needs):
    word, icon = STATES[place.state]
    pace = _pace(place, desk)
    low = place.is_low(desk.values["float_low_percent"])
    game = registry.GAMES.get(place.game)
    return {
        "id": place.id,
        "name": place.name,
        "pit": place.pit,
        "href": reverse("floor-table", args=[place.id]),
        "game": game.name if game else "No sheet",
        "state": place.state.value,
        "word": word,
        "icon": icon,
        "since": place.round_since and desk.age(place.round_since),
        "shut": place.state == State.CLOSED,
        "looks": place.state == State.HELD or any(row["table"] == place.id and row["state"] == "new" for row in needs),
        "dealer": named(*place.dealer) if place.dealer else "No dealer signed on",
        "dealer_since": desk.clock(place.dealer_since) if place.dealer else "",
        "round": _round(place),
        "boxes": _boxes(place.boxes) if place.state == State.PLAYING else "",
        "pace": pace,
        **_won(place, desk),
        "why": place.win.reason,
        "luck": place.id in desk.luck and luck.of_today(desk.luck[place.id], desk.spell, desk.values["luck_once_in"]),
        "act": _next_act(place, desk),
        "float": None if place.float_units is None else desk.spell(place.float_units),
        "low": low,
        "slips": len(place.slips),
        "marks": _marks(place, low, pace),
        "chart": _chart(place, desk),
    }


def _won(place, desk):
    """The win of the gaming day with its grade, its parts if it has several sessions, and the link to the rounds; in a
    pot game, the rake stands in its place."""
    rake = desk.spell(place.rake) if place.is_pot and place.is_open else None
    day, shows = place.day, place.day.units is not None and rake is None
    return {
        "win": desk.spell(day.units, signed=True) if shows else None,
        "grade": day.grade.value if shows else "",
        "made": _made(place, desk),
        "rake": rake,
        "rounds": place.session_id and reverse("session-rounds", args=[place.session_id]),
    }


def _made(place, desk):
    """What the day's sessions won, in order, if there are several; words for what is not counted."""
    *before, now = [won for _, won in place.day.sessions] or [place.win]
    if not before:
        return ""
    known = [won.units for won in before if won.units is not None]
    parts = [CONSOLE("won", amount=desk.spell(sum(known), signed=True), grade=Grade.FINAL)] if known else []
    parts += [won.reason.rstrip(".") for won in before if won.units is None]
    if now.units is None:
        parts.append(now.reason.rstrip("."))
    else:
        parts.append(CONSOLE("won.then", amount=desk.spell(now.units, signed=True), grade=now.grade))
    return "; ".join(parts)


def _next_act(place, desk):
    """What the pit boss of a table that is not open does next at it."""
    words = {State.CLOSED: "Open the table", State.OPENING: "Count the opener", State.CLOSING: "Count the closer"}
    if place.state not in words or not desk.runs(place):
        return None
    return {"label": words[place.state], "href": reverse("table-session", args=[place.id])}


def _round(place):
    if place.state in {State.PLAYING, State.SETTLING, State.HELD}:
        return CONSOLE("round", round=place.round_number)
    return CONSOLE("round.over", round=place.round_number) if place.round_number else CONSOLE("round.none")


def _boxes(count):
    return CONSOLE("boxes:one") if count == 1 else CONSOLE("boxes", count=count)


def _pace(place, desk):
    """The rounds of the last hour against what the house expects; a table open for less than an hour has no pace."""
    least, most = desk.values["pace_least"], desk.values["pace_most"]
    off = ""
    if place.is_open and _open_for(place, desk) >= dt.timedelta(hours=1):
        if place.pace < least:
            off = CONSOLE("pace.under", limit=least)
        elif place.pace > most:
            off = CONSOLE("pace.over", limit=most)
    return {"count": place.pace, "range": CONSOLE("range", low=least, high=most), "off": off}


def _open_for(place, desk):
    """How long it has been open without a break, as far as the shift shows."""
    opened = desk.floor.now
    for spell in reversed(place.spells):
        if spell.state in {State.CLOSED, State.OPENING, State.CLOSING}:
            break
        opened = spell.begun
    return desk.floor.now - opened


def _marks(place, low, pace):
    """What else there is to see at a table, one word each."""
    marks = []
    if pace["off"]:
        marks.append({"word": pace["off"], "icon": "wait"})
    if low:
        marks.append({"word": "Float low", "icon": "warn"})
    if place.is_open and not place.dealer:
        marks.append({"word": "No dealer", "icon": "warn"})
    if place.relief:
        marks.append({"word": CONSOLE("comes", who=named(*place.relief)), "icon": "next", "quiet": True})
    opened = [dispute for dispute in place.disputes if dispute["status"] == Dispute.Status.OPEN]
    if opened:
        disputes = CONSOLE("disputes:one") if len(opened) == 1 else CONSOLE("disputes", count=len(opened))
        marks.append({"word": disputes, "icon": "scale"})
    return marks


def _chart(place, desk):
    """The strip of states, the bars of the pace and the line of the win over the shift, in the units of a chart."""
    strip = []
    for spell in place.spells:
        left, right = desk.place_in_shift(spell.begun), desk.place_in_shift(spell.ended or desk.floor.now)
        if right > left:
            state = STRIP.get(spell.state, spell.state)
            strip.append({"state": state.value, "x": left, "width": right - left, "drawn": state in DRAWN})
    step = WIDE // STEPS
    most = max(place.paces, default=0)
    bars = [
        {"x": number * step, "y": HIGH - height, "height": height, "width": step - 2}
        for number, height in enumerate(HIGH * count // most if most else 0 for count in place.paces)
        if height
    ]
    line, zero = "", None
    if place.win.units is not None and place.is_open:
        low, high = min(0, *place.wins), max(0, *place.wins)
        if high > low:
            heights = [HIGH - 3 - (HIGH - 6) * (units - low) // (high - low) for units in (0, *place.wins)]
            zero, first = heights[0], _begun(place, desk)
            # The last step has not ended: its net is the present one.
            at = [min(number * step, desk.place_in_shift(desk.floor.now)) for number in range(len(heights))]
            line = "M" + " ".join(f"{at[number]} {y}" for number, y in enumerate(heights) if number >= first)
    return {
        "strip": strip,
        "bars": bars,
        "line": line,
        "zero": zero,
        "title": CONSOLE("chart", table=place.name, hours=HOURS),
        "about": _told(place, desk),
    }


def _begun(place, desk):
    """The step in which the table was opened, or the first of the shift."""
    opened = next((spell.begun for spell in place.spells if spell.state != State.CLOSED), desk.floor.now)
    return (opened - desk.floor.since) // STEP


def _told(place, desk):
    """The chart in a sentence, for people who hear it."""
    spells = [
        CONSOLE("chart.spell", state=STRIP_WORDS[STRIP.get(spell.state, spell.state)], time=desk.clock(spell.begun))
        for spell in place.spells
    ]
    states, count = ", ".join(spells).capitalize(), sum(place.paces)
    rounds = CONSOLE("chart.rounds:one") if count == 1 else CONSOLE("chart.rounds", count=count)
    if place.win.units is None or not place.is_open:
        return CONSOLE("chart.about", states=states, rounds=rounds)
    net = desk.spell(place.win.units, signed=True)
    return CONSOLE("chart.about:net", states=states, rounds=rounds, net=net)


def _rows(place, desk):
    """What the charts show, step by step, for people who read figures."""
    shows = place.win.units is not None and place.is_open
    first = _begun(place, desk)
    return [
        {
            "from": desk.clock(desk.floor.since + number * STEP),
            "rounds": count,
            "net": desk.spell(net, signed=True) if shows and number >= first else "",
        }
        for number, (count, net) in enumerate(zip(place.paces, place.wins, strict=True))
    ]


def _legend():
    return [{"state": state.value, "word": word, "drawn": state in DRAWN} for state, word in STRIP_WORDS.items()]


def _ticks(desk):
    """The full hours of the shift, with their places."""
    hours = [desk.floor.since + dt.timedelta(hours=number) for number in range(HOURS)]
    return [{"x": desk.place_in_shift(at), "name": desk.clock(at)} for at in hours]


# --- Sums, and the ways from a table. ---


def day(now, zone):
    """The day of a moment as the head of a page has it."""
    local = now.astimezone(zone)
    return f"{local:%A} {local.day} {local:%B}"


def _facts(desk, places):
    """Tables open, rounds of the last hour, and what the tables won as far as anybody knows."""
    opened = [place for place in places if place.state not in {State.CLOSED, State.OPENING}]
    of_tables = [[won for _, won in place.day.sessions] or [place.win] for place in places]
    together = winning.together(won for wins in of_tables for won in wins)
    known = together.units is not None
    return {
        "open": CONSOLE("part", count=len(opened), whole=len(places)),
        "rounds": str(sum(place.pace for place in places)),
        "win": desk.spell(together.units, signed=True) if known else "—",
        "grade": together.grade.value if known else "",
        "of": part(of_tables),
    }


def part(of_tables):
    """Over how many of some tables a win is, if part of it is missing: "" if nothing is missing, or everything.

    :param of_tables: for each table, what its sessions won. A table counts if a part of its win is known; then the win
        is not whole.
    """
    whole = sum(1 for wins in of_tables if all(won.units is not None for won in wins))
    known = sum(1 for wins in of_tables if any(won.units is not None for won in wins))
    if not known or whole == len(of_tables):
        return ""
    return CONSOLE("part.tables" if whole == known else "part.whole", count=whole, whole=len(of_tables))


def _acts(place, staff, table):
    """What a pit boss does at a table as it stands: void the round in play, ask for chips, and open or close
    the table."""
    running = {
        State.CLOSED: (CONSOLE("act.open", table=place.name), CONSOLE("act.open.says")),
        State.OPENING: ("Count the opener", CONSOLE("act.open.says")),
        State.CLOSING: ("Count the closer", CONSOLE("act.closing.says")),
    }
    acts = []
    if place.voidable and staff.has_perm(Right.RULE, table):
        label, void = CONSOLE("act.void", round=place.round_number), f"{reverse('round', args=[place.round_id])}#void"
        acts.append({"label": label, "words": CONSOLE("act.void.says"), "href": void})
    if place.state not in running and staff.has_perm(Right.REQUEST_SLIP, table):
        words = CONSOLE("act.chips.says")
        acts.append({"label": "Ask for chips", "words": words, "href": reverse("slip-new", args=[table.pk])})
    if staff.has_perm(Right.RUN_SESSION, table):
        closing = (CONSOLE("act.close", table=place.name), CONSOLE("act.close.says"))
        label, words = running.get(place.state, closing)
        acts.append({"label": label, "words": words, "href": reverse("table-session", args=[table.pk])})
    return acts


def _ways(place, staff, table):
    """Where a person may go from a table, first to what its figures are made of."""
    ways = []
    if place.session_id:
        ways.append(("Rounds and win", reverse("session-rounds", args=[place.session_id])))
    if staff.has_perm(Right.SEE_TABLE, table):
        ways.append(("Terminal", reverse("terminal", args=[table.pk])))
    if staff.has_perm(Right.READ_SESSION, table):
        ways.append(("Session", reverse("table-session", args=[table.pk])))
    if place.round_id:
        ways.append((CONSOLE("round", round=place.round_number), reverse("round", args=[place.round_id])))
    if staff.has_perm(Right.ENROL, table):
        ways.append(("Croupier and terminals", reverse("enrol", args=[table.pk])))
    ways.append(("Rules", reverse("rules", args=[table.pk])))
    return [{"label": label, "href": href} for label, href in ways]
