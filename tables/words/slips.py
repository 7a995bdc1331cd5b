"""Slips as primitives for their pages: the list within reach, a single one with its steps and chips, and its paper."""

import datetime as dt
from collections import Counter
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from audit import log
from audit.models import Entry
from casino import settings_of_house
from casino.models import Casino
from casino.roles import Right
from casino.wording import amount
from payouts import ledger
from payouts.models import Movement

from ..models import Count, Session, Slip
from ..people import access
from ..verbs import counts, slips
from .chips import chip
from .console import CONSOLE
from .timeline import Reader
from .wording import WORDING

KIND, STATUS = Slip.Kind, Slip.Status
_PEOPLE = ("requested_by", "issued_by", "carried_by", "received_by", "received_with", "voided_by", "approved_by")
_GROUPS = (
    ("requested", {STATUS.REQUESTED}, "wait"),
    ("issued", {STATUS.ISSUED}, "next"),
    ("received", {STATUS.RECEIVED}, "ok"),
    ("ended", {STATUS.RETURNED, STATUS.VOIDED}, "fold"),
)
_TITLES = {
    "requested": "status.requested",
    "issued": "slips.issued",
    "received": "status.received",
    "ended": "slips.ended",
}
_STATUSES = {
    STATUS.REQUESTED: "status.requested",
    STATUS.ISSUED: "status.issued",
    STATUS.RECEIVED: "status.received",
    STATUS.RETURNED: "status.returned",
    STATUS.VOIDED: "status.voided",
}
_SIGNS = {Movement.Kind.FILL: 1, Movement.Kind.CREDIT: -1, Movement.Kind.CREDIT_RETURNED: 1}
"""What a movement of a slip does to the tray; a fill that was sent back has never come there."""
_HEADINGS = {KIND.FILL: "heading.fill", KIND.CREDIT: "heading.credit", KIND.CHANGE: "heading.change"}
_WAYS = {KIND.FILL: "way.fill", KIND.CREDIT: "way.credit", KIND.CHANGE: "way.change"}


class Till:
    """How slips look to one person: names, times and amounts."""

    def __init__(self, staff):
        self.staff, self.casino = staff, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        self.minutes_allowed = settings_of_house.value("slip_minutes")

    def is_late(self, slip):
        """Whether its chips have been on their way for longer than the house lets pass."""
        allowed = dt.timedelta(minutes=self.minutes_allowed)
        return slip.status == STATUS.ISSUED and timezone.now() - slip.issued_at >= allowed

    def spell(self, units):
        return amount(units, self.casino.currency_decimals)

    def signed(self, units):
        return f"+{self.spell(units)}" if units > 0 else self.spell(units)

    def chip(self, table, units):
        return chip(table.chip_set, units, self.casino.currency_decimals)

    def person(self, staff):
        return Reader(self.staff.has_perm(Right.READ_NAMES), self.zone).person(staff)

    def clock(self, at):
        return at and at.astimezone(self.zone).strftime("%H:%M")

    def minutes(self, since):
        seconds = max(0, int((timezone.now() - since).total_seconds()))
        return f"{seconds // 60}:{seconds % 60:02d}"


def of_reach(staff):
    """The slips that a person sees: under way at tables within reach, or of sessions that are open there."""
    within = access.tables(staff, Right.READ_SLIPS)
    listed = Slip.objects.filter(table__in=within)
    return listed.filter(Q(status__in=Slip.RUNNING) | Q(session__status=Session.Status.OPEN))


def listed(staff):
    """The list beside a slip, in groups by what is to be done, and the sums above it."""
    till = Till(staff)
    rows = list(of_reach(staff).select_related("table__pit", *_PEOPLE).order_by("-pk"))
    groups = [
        {"title": WORDING(_TITLES[name]), "rows": [_row(slip, icon, till) for slip in rows if slip.status in within]}
        for name, within, icon in _GROUPS
    ]
    way, received = ([slip for slip in rows if slip.status == each] for each in (STATUS.ISSUED, STATUS.RECEIVED))
    fills, credits = ([slip for slip in received if slip.kind == kind] for kind in (KIND.FILL, KIND.CREDIT))
    sums = [(WORDING("slips.issued"), way), (WORDING("sum.fills"), fills), (WORDING("sum.credits"), credits)]
    return {
        "groups": [group for group in groups if group["rows"]],
        "sums": [
            {"label": ", ".join([label, till.casino.currency]), "value": till.spell(sum(slip.units for slip in these))}
            for label, these in sums
        ],
    }


def standing(staff):
    """What `listed` shows, as a value that differs when that does, and the chains that concern it; None for a person
    who reads no slip."""
    if not staff.has_perm(Right.READ_SLIPS):
        return None
    numbers = access.tables(staff, Right.READ_SLIPS).order_by("pk").values_list("pk", flat=True)
    rows = list(of_reach(staff).order_by("pk").values_list("pk", "status", "prints"))
    running = [f"slip:{pk}" for pk, status, _ in rows if status in Slip.RUNNING]
    entered = list(Count.objects.filter(of__in=running).order_by("pk").values_list("pk", flat=True))
    return tuple(f"table:{number}" for number in numbers), (rows, entered)


def at_cage(staff):
    """What waits for the cage, the oldest first: slips to be issued, and credits to be counted.

    A digit leads to each of the first nine. Nothing for a person who does not read the cage, such as a croupier, who
    reads the slips of their own table.
    """
    if not (staff.has_perm(Right.READ_CAGE) and staff.has_perm(Right.READ_SLIPS)):
        return []
    till = Till(staff)
    waiting = Q(status=STATUS.REQUESTED) & ~Q(kind=KIND.CREDIT) | Q(status=STATUS.ISSUED, kind=KIND.CREDIT)
    rows = of_reach(staff).filter(waiting).select_related("table__pit", *_PEOPLE).order_by("requested_at", "pk")
    return [
        {
            "id": slip.pk,
            "number": str(slip),
            "title": WORDING(_HEADINGS[slip.kind], table=slip.table.name),
            "says": "Count what comes" if slip.kind == KIND.CREDIT else "Issue its chips",
            "by": till.person(slip.requested_by),
            "amount": till.spell(slip.units),
            "since": till.minutes(slip.issued_at or slip.requested_at),
            "at": (slip.issued_at or slip.requested_at).isoformat(),
            "late": till.is_late(slip),
            "digit": str(place) if place < 10 else "",
        }
        for place, slip in enumerate(rows, 1)
    ]


def at_table(slip, spell):
    """A slip as the terminal of its table shows it to the croupier."""
    at_cage = slips.at_cage(slip)
    return {
        "id": slip.pk,
        "fact": WORDING("slip.credit" if at_cage else "slip.coming", amount=spell(slip.units)),
        "way_out": WORDING("slip.credit.way_out" if at_cage else "slip.coming.way_out", slip=slip),
    }


def asked_at(staff):
    """The tables at which a person may ask for chips now."""
    within = access.tables(staff, Right.REQUEST_SLIP)
    open_ones = within.filter(sessions__status=Session.Status.OPEN).distinct().order_by("code")
    return [{"id": table.pk, "name": table.name} for table in open_ones]


def blank(table, staff):
    """The form that asks for chips at a table."""
    till = Till(staff)
    tray = _tray(table, till) or {"pieces": {}, "sums": []}
    chips = [till.chip(table, units) | {"lie": tray["pieces"].get(units)} for units in table.chip_set.denominations]
    return {
        "table": {"id": table.pk, "name": table.name},
        "kinds": _kinds(),
        "tray": tray["sums"],
        **_form(table, till, chips),
    }


def _tray(table, till):
    """What the table was opened with and what slips changed since, chip by chip, and what the books say lies there now.

    None while no session is open: whoever counts an opener or a closer does so without the books. The books do not know
    the chips of bets and payments, so for those there is only the sum.
    """
    session = table.sessions.filter(status=Session.Status.OPEN).first()
    if session is None:
        return None
    opened, moved = Counter(), Counter()
    refs = [session.ref, *(slip.ref for slip in session.slips.filter(out__isnull=False))]
    for made in Movement.objects.filter(subject__in=refs, denominations__isnull=False):
        pieces = _pieces(made.denominations)
        if made.kind == Movement.Kind.OPENER:
            opened.update(pieces)
        elif sign := _SIGNS.get(made.kind):
            moved.update({value: sign * number for value, number in pieces.items()})
    for slip in session.slips.filter(kind=KIND.CHANGE, status=STATUS.RECEIVED):
        moved.update(_pieces(slip.denominations))
        moved.subtract(_pieces(slip.exchanged))
    opener, slips_units = (sum(value * number for value, number in of.items()) for of in (opened, moved))
    balance = ledger.balance(table.float_account)
    sums = [
        ("Opened with", till.spell(opener)),
        ("Slips since", till.signed(slips_units)),
        ("Play, and chips sold", till.signed(balance - opener - slips_units)),
        ("In the tray by the books", till.spell(balance)),
    ]
    values = table.chip_set.denominations
    return {
        "pieces": {value: {"opened": opened[value], "books": opened[value] + moved[value]} for value in values},
        "sums": [{"label": label, "value": value} for label, value in sums],
    }


def _pieces(denominations):
    return {int(value): number for value, number in denominations.items()}


def _kinds():
    words = {
        KIND.FILL: "Fill: chips from the cage",
        KIND.CREDIT: "Credit: chips to the cage",
        KIND.CHANGE: "Change: other chips of equal worth",
    }
    return [{"code": kind.value, "label": words[kind]} for kind in KIND]


def _form(table, till, chips):
    return {
        "decimals": till.casino.currency_decimals,
        "currency": till.casino.currency,
        "most": counts.MOST_CHIPS,
        "chips": chips,
    }


def within_reach(staff, slip_id):
    """A slip within reach, or None."""
    within = access.tables(staff, Right.READ_SLIPS)
    rows = Slip.objects.filter(table__in=within).select_related("table__pit", "table__chip_set", "session", *_PEOPLE)
    return rows.filter(pk=slip_id).first()


def shown(slip, staff):
    """A slip with its people, its chips and what the person who looks may do next."""
    till = Till(staff)
    entered = counts.last(slip.ref, slip.kind)
    both = entered if len(entered) == 2 else []
    units = [value for value in slip.table.chip_set.denominations if _has(slip, both, str(value))]
    chips = [till.chip(slip.table, value) for value in slip.table.chip_set.denominations]
    return {
        "id": slip.pk,
        "number": str(slip),
        "kind": slip.kind,
        "title": WORDING(_HEADINGS[slip.kind], table=slip.table.name),
        "way": CONSOLE(_WAYS[slip.kind], table=slip.table.name),
        "table": {"id": slip.table_id, "name": slip.table.name, "pit": slip.table.pit.name},
        "date": f"{slip.session.business_date.day} {slip.session.business_date:%B %Y}",
        "house": till.casino.name,
        "status": WORDING(_STATUSES[slip.status]),
        "ended": slip.status not in Slip.RUNNING,
        "amount": till.spell(slip.units),
        "pieces": sum(slip.denominations.values()),
        "given": sum((slip.exchanged or {}).values()),
        "exchange": slip.kind == KIND.CHANGE,
        "since": till.minutes(slip.issued_at or slip.requested_at) if slip.status in Slip.RUNNING else "",
        "since_at": (slip.issued_at or slip.requested_at).isoformat(),
        "now": timezone.now().isoformat(),
        "late": till.is_late(slip),
        "limit": till.minutes_allowed if slip.status == STATUS.ISSUED else None,
        "steps": _steps(slip, entered, till),
        "rows": [_chips(slip, both, value, till) for value in reversed(units)],
        "both": [
            {
                "who": till.person(each.by),
                "pieces": sum(each.denominations.values()),
                "amount": till.spell(each.units),
            }
            for each in both
        ],
        "agrees": bool(both) and counts.agreed(both) and both[0].denominations == slip.denominations,
        "attempt": both[0].attempt if both else 0,
        "reason": slip.reason,
        "prints": slip.prints,
        "may": _may(slip, entered, staff),
        "entry": _entry(slip),
        **_form(slip.table, till, chips),
    }


def _row(slip, icon, till):
    done = slip.received_at or slip.voided_at
    who = slip.received_with or slip.voided_by or slip.carried_by or slip.issued_by or slip.requested_by
    running = slip.status in Slip.RUNNING
    late = till.is_late(slip)
    return {
        "id": slip.pk,
        "number": str(slip),
        "icon": "warn" if late else icon,
        "late": late,
        "detail": ", ".join([slip.table.name, till.person(who)]),
        "amount": till.spell(slip.units),
        "struck": slip.status in {STATUS.VOIDED, STATUS.RETURNED},
        "at": till.minutes(slip.issued_at or slip.requested_at) if running else till.clock(done),
    }


def _steps(slip, entered, till):
    """Who did what and when, and what comes next."""

    def step(label, next_label, person, at, note=""):
        return {
            "label": label if at else next_label,
            "state": "done" if at else "",
            "icon": "ok" if at else "empty",
            "at": till.clock(at) or "",
            "who": till.person(person) if at else "",
            "note": note,
        }

    at_cage = slips.at_cage(slip)
    first = entered[0] if entered else None
    place = WORDING("at.cage" if at_cage else "at.table")
    steps = [
        step(WORDING("status.requested"), "", slip.requested_by, slip.requested_at),
        step(
            WORDING("step.handed_over" if at_cage else "step.issued"),
            WORDING("step.hand_over" if at_cage else "step.issue"),
            slip.issued_by,
            slip.issued_at,
            slip.carried_by and WORDING("carried", who=till.person(slip.carried_by)),
        ),
    ]
    if slip.status in {STATUS.RETURNED, STATUS.VOIDED}:
        with_ = WORDING("ended.with", who=till.person(slip.approved_by))
        ended = step(WORDING(_STATUSES[slip.status]), "", slip.voided_by, slip.voided_at, with_) | {
            "state": "ended",
            "icon": "fold",
        }
        return [each for each in steps if each["at"]] + [ended]
    # After an attempt that did not agree, another one begins.
    agrees = len(entered) < 2 or slip.status == STATUS.RECEIVED
    first = first if agrees else None
    counted, received = WORDING("step.counted"), WORDING("status.received")
    steps.append(step(counted, WORDING("step.count"), first and first.by, first and first.at, place))
    steps.append(step(received, WORDING("step.receive"), slip.received_with, slip.received_at, place))
    following = next((each for each in steps if not each["at"]), None)
    if following:
        following |= {"state": "next", "icon": "next"}
    return steps


def _has(slip, both, value):
    return any(value in each for each in (slip.denominations, slip.exchanged or {}, *(c.denominations for c in both)))


def _chips(slip, both, value, till):
    """A row of the table: what the slip says of a chip, and what the two counted."""
    asked = slip.denominations.get(str(value), 0)
    numbers = [count.denominations.get(str(value), 0) for count in both]
    return {
        "chip": till.chip(slip.table, value),
        "text": till.spell(value),
        "asked": asked,
        "given": (slip.exchanged or {}).get(str(value), 0) if slip.exchanged else None,
        "counted": numbers,
        "equal": all(number == asked for number in numbers),
        "amount": till.spell(value * asked),
    }


def _may(slip, entered, staff):
    """What the person may do now: the step by its name, and who else takes part."""
    waits = len(entered) == 1
    at_cage = slips.at_cage(slip)
    own = bool(waits and entered[0].by_id == staff.pk)
    signs = ends = False
    step = ""
    if slip.status == STATUS.REQUESTED:
        right = Right.HAND_CHIPS if at_cage else Right.CASHIER
        step = "issue" if staff.has_perm(right, slip.table) and slip.requested_by_id != staff.pk else ""
    elif slip.status == STATUS.ISSUED:
        if waits:
            right = Right.WITNESS if at_cage else Right.SUPERVISE
        else:
            right = Right.CASHIER if at_cage else Right.HAND_CHIPS
        mine = staff.has_perm(right, slip.table) and not own and slip.issued_by_id != staff.pk
        first = Right.CASHIER if at_cage else Right.HAND_CHIPS
        # Whoever counted first lends the terminal to the second, who signs for what they counted.
        signs = waits and not mine and staff.has_perm(first, slip.table)
        step = "count" if mine or signs else ""
    if slip.status in Slip.RUNNING:
        ends = any(staff.has_perm(each, slip.table) for each in (Right.REQUEST_SLIP, Right.CASHIER))
        ends = ends and (slip.status == STATUS.REQUESTED or slip.session.status == Session.Status.OPEN)
    return {
        "step": step,
        "signs": signs,
        "place": 2 if waits else 1,
        "ends": ends and ("void" if slip.status == STATUS.REQUESTED else "return"),
        "next": _next(slip, step, signs=signs, second=waits, own=own),
    }


def _next(slip, step, *, signs, second, own):
    """Who does what next, as the person who looks reads it."""
    at_cage = slips.at_cage(slip)
    if step == "issue":
        return WORDING("next.issue:at_table" if at_cage else "next.issue")
    if step == "count" and signs:
        return WORDING("next.count:signs")
    if step == "count":
        return WORDING("next.count:second" if second else "next.count")
    return _waits_for(slip, at_cage=at_cage, second=second, own=own)


def _waits_for(slip, *, at_cage, second, own):
    if slip.status == STATUS.REQUESTED:
        return WORDING("waits.issue:at_table" if at_cage else "waits.issue")
    if slip.status != STATUS.ISSUED:
        return ""
    if second and own:
        return WORDING("waits.second:at_cage_own" if at_cage else "waits.second:own")
    if second:
        return WORDING("waits.second:at_cage" if at_cage else "waits.second")
    return WORDING("waits.count:at_cage" if at_cage else "waits.count")


def _entry(slip):
    """The slip's newest entry in the log."""
    entry = Entry.objects.filter(subject=slip.ref).exclude(event="slip.printed").order_by("-seq").first()
    digest = log.digest(entry.body)[:24]
    return {
        "seq": entry.seq,
        "chain": entry.chain_id,
        "digest": " ".join(digest[at : at + 4] for at in range(0, len(digest), 4)),
    }
