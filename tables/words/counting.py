"""The count that opens or closes a table as primitives for its page: what is counted, or the two counts side by side.

Until both are in, it has nothing of the first count, and nothing of the books.
"""

from collections import Counter
from zoneinfo import ZoneInfo

from django.urls import reverse

from casino import wording
from casino.models import Casino
from casino.roles import Right
from payouts import ledger
from payouts.models import Movement

from ..models import Count, Round, Session, Slip
from ..verbs import counts, sessions
from . import dates
from .chips import chip
from .console import CONSOLE
from .timeline import Reader
from .wording import WORDING

_PHASES = {Count.Part.OPENER: ("first", "second", "compare", "signed")}
_PHASES[Count.Part.CLOSER] = ("last_round", *_PHASES[Count.Part.OPENER])
_PHASES |= dict.fromkeys((Count.Part.CAGE, Count.Part.DROP, Count.Part.TIPS), _PHASES[Count.Part.OPENER])
_NAMES = {
    "last_round": "phase.last_round",
    "first": "phase.first",
    "second": "phase.second",
    "compare": "phase.compare",
    "signed": "phase.signed",
}

# Causes of a variance, before the sentence that says more.
_KINDS = ("Not found", "A payment", "A slip")


class Scale:
    """How amounts, people and times of a count look to one person, by their reader."""

    def __init__(self, casino, reader):
        self.casino, self.reader = casino, reader

    @classmethod
    def of(cls, staff):
        """That of a member of staff who looks."""
        casino = Casino.objects.get()
        return cls(casino, Reader(staff.has_perm(Right.READ_NAMES), ZoneInfo(casino.time_zone)))

    def spell(self, units, *, signed=False):
        text = wording.amount(units, self.casino.currency_decimals)
        return f"+{text}" if signed and units > 0 else text

    def at(self, at):
        return self.reader.clock(at)[:5]


def shown(session, staff, *, again=False):
    """What the person who looks may do now; None if nothing is counted.

    :param again: whether they want to count again, though both counts are in.
    """
    stands = sessions.standing(session)
    if stands is None:
        return None
    table, scale = session.table, Scale(Casino.objects.get(), Reader.of(staff))
    may_again = stands.both and _attempt(session, stands) < sessions.ATTEMPTS
    page = {
        "id": session.pk,
        "table": {"id": table.pk, "name": table.name},
        "title": WORDING("count.opening" if session.status == Session.Status.OPENING else "count.closing"),
        "part": stands.part,
        "day": dates.day_of_year(session.business_date),
        "currency": scale.casino.currency,
        "decimals": scale.casino.currency_decimals,
        "runs": staff.has_perm(Right.RUN_SESSION, table),
        "to": f"/api/v1/sessions/{session.pk}/",
        "back": reverse("session", args=[session.pk]) if staff.has_perm(Right.READ_SESSION, table) else reverse("home"),
        "live": reverse("live", args=[table.pk]),
        "words": {
            "second": WORDING("count.who.second"),
            "decider": WORDING("count.who.decides"),
            "signer": CONSOLE("who.signs"),
            "waits": WORDING("count.who.waits"),
            "expected": WORDING("expected.opener" if stands.part == Count.Part.OPENER else "expected.closer"),
        },
    }
    if stands.both and not (again and may_again):
        page |= _compared(session, stands, staff, scale) | {"again": may_again}
    else:
        page |= _counting(session, stands, staff, scale)
    return page | phases(stands.part, page["phase"])


def way(stands):
    """What comes next once both have counted; nothing while they have not."""
    if not stands.both:
        return ""
    return "Compare and sign" if stands.equal else "Compare"


def _attempt(session, stands):
    return stands.entered[0].attempt - session.counts_from + 1


def phases(part, now):
    """The phases of a count in order, and the one that it is in, by their names."""
    codes = _PHASES[part]
    states = ["done" if place < codes.index(now) else "now" if code == now else "" for place, code in enumerate(codes)]
    return {
        "phase": WORDING(_NAMES[now]),
        "phases": [{"label": WORDING(_NAMES[code]), "state": state} for code, state in zip(codes, states, strict=True)],
    }


def _counting(session, stands, staff, scale):
    first_by = stands.entered[0] if len(stands.entered) == 1 else None
    boss = first_by is None or first_by.by_id == staff.pk or _one_is_boss(first_by, staff, session.table)
    return form(stands, staff, scale, session.table.chip_set, since=session.counts_from, alone=boss)


def form(stands, staff, scale, chip_set, *, since, alone=True):
    """The form of a count. Whoever counted first lends it to the second, who signs.

    :param since: the first attempt that matters.
    :param alone: whether the one who looks may be the second without another's signature.
    """
    first = None if stands.both or not stands.entered else stands.entered[0]
    own = bool(first and first.by_id == staff.pk)
    attempt = stands.entered[0].attempt + stands.both if stands.entered else since
    return {
        "moment": "count",
        "phase": "second" if first else "first",
        "state": f"count-{attempt}-{2 if first else 1}{'-rake' * stands.asks_rake}",
        "signs": own or not alone,
        "other": first
        and {
            "who": WORDING("count.mine") if own else scale.reader.person(first.by),
            "since": scale.at(first.at),
            "own": own,
        },
        "chips": [chip(chip_set, units, scale.casino.currency_decimals) for units in reversed(chip_set.denominations)],
        "slot": stands.asks_rake,
        "asked": len(chip_set.denominations) * (1 + stands.asks_rake),
        "most": counts.MOST_CHIPS,
    }


def _one_is_boss(first, staff, table):
    """Whether one of the two who count is a pit boss of the table."""
    return any(person.has_perm(Right.RUN_SESSION, table) for person in (first.by, staff))


def _compared(session, stands, staff, scale):
    page = compared(stands, staff, scale, session.table.chip_set)
    if session.status == Session.Status.OPENING:
        return page | {"effect": "Open the table"}
    page |= {"effect": "Close the table", "kinds": _KINDS}
    if page["against"]:
        page["formula"] = _formula(session, scale)
        page["carries"] = any(count.denominations for count in stands.entered)
    return page


def _formula(session, scale):
    """What the closer should be, line by line in the order of the day."""
    return [{"label": label, "amount": scale.spell(units, signed=signed)} for label, units, signed in terms(session)]


def terms(session):
    """What the closer should be as (label, units, signed), in the order of the day; they come to what is expected."""
    table, kind = session.table, Movement.Kind
    slips = session.slips.filter(out__isnull=False).exclude(status=Slip.Status.RETURNED)
    moved = ledger.movement_units(session.ref, *(slip.ref for slip in slips))
    net = ledger.settlement_units(
        debit=table.float_account, credit=table.patrons_account, account=table.float_account, subject=session.ref
    )
    numbers = Counter(slips.values_list("kind", flat=True))
    settled = session.rounds.filter(status=Round.Status.SETTLED).count()
    return [
        (WORDING("term.opener"), moved[kind.OPENER], False),
        (_fills(numbers[Slip.Kind.FILL]), moved[kind.FILL], True),
        (_credits(numbers[Slip.Kind.CREDIT]), -moved[kind.CREDIT], True),
        *([(WORDING("term.sold"), -moved[kind.BUY_IN], True)] if moved[kind.BUY_IN] else []),
        (WORDING("term.net:one") if settled == 1 else WORDING("term.net", count=settled), net, True),
    ]


def _fills(count):
    if count < 2:
        return WORDING("term.fills:one" if count else "term.fills:none")
    return WORDING("term.fills", count=count)


def _credits(count):
    if count < 2:
        return WORDING("term.credits:one" if count else "term.credits:none")
    return WORDING("term.credits", count=count)


def compared(stands, staff, scale, chip_set):
    """Both counts side by side, and what both come to against what should be there, once one of them stands."""
    one, two = stands.entered
    settled = (stands.equal or stands.decides) and not stands.lacks_rake
    # The signers, if they are the two who counted: the one who looks and the other.
    others = [count.by for count in stands.entered if count.by_id != staff.pk]
    return {
        "moment": "compare",
        "phase": "compare",
        "state": f"compare-{one.attempt}",
        "equal": stands.equal,
        "decides": stands.decides,
        "lacks_rake": stands.lacks_rake,
        "people": [
            {"place": count.place, "who": scale.reader.person(count.by), "at": scale.at(count.at)}
            for count in stands.entered
        ],
        "lists": [_list(chip_set, *two, scale) for two in (stands.entered, stands.rakes) if two],
        "against": [_against(stands, count, scale) for count in stands.entered[: 1 if stands.equal else 2]]
        if settled
        else [],
        "wants_reason": settled and any(sessions.wants_reason(stands, count, (one.by, two.by)) for count in (one, two)),
        "other": others[0].pk if len(others) == 1 else None,
    }


def _list(chip_set, one, two, scale):
    """Two counts of one place, chip by chip, the largest first."""
    values = [
        value
        for value in reversed(chip_set.denominations)
        if str(value) in one.denominations or str(value) in two.denominations
    ]
    return {
        "part": one.part,
        "rows": [_row(chip_set, value, one, two, scale) for value in values],
        "totals": [scale.spell(count.units) for count in (one, two)],
        "differs": None if one.units == two.units else scale.spell(abs(one.units - two.units)),
    }


def _row(chip_set, value, one, two, scale):
    numbers = [count.denominations.get(str(value), 0) for count in (one, two)]
    equal = numbers[0] == numbers[1]
    return {
        "chip": chip(chip_set, value, scale.casino.currency_decimals),
        "text": scale.spell(value),
        "numbers": numbers,
        "equal": equal,
        "differs": abs(numbers[0] - numbers[1]),
        "amount": scale.spell(value * numbers[0]) if equal else "",
    }


def _against(stands, count, scale):
    """Compare a count with what should be there. `from_` and `to` place the difference on a scale of 100, on which the
    house lets 30 to 70 pass."""
    difference = stands.difference(count)
    bound = max(stands.bound, 1)
    place = 50 + max(-45, min(45, difference * 20 // bound))
    rake = stands.rake(count)
    return {
        "place": count.place,
        "expected": None if stands.expected is None else scale.spell(stands.expected),
        "counted": scale.spell(count.units),
        "difference": scale.spell(difference, signed=True),
        "outside": stands.outside(count),
        "bound": scale.spell(stands.bound),
        "at": place,
        "from_": min(50, place),
        "width": abs(place - 50),
        "slot": rake
        and {
            "counted": scale.spell(rake.units),
            "expected": scale.spell(stands.expected_rake),
            "difference": scale.spell(stands.difference(rake), signed=True),
            "outside": stands.outside(rake),
        },
    }
