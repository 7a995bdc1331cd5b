"""The cage as primitives for its pages: a shift with its totals, the chips in circulation, and the count.

Until both have counted, nothing here shows a person who may count what the first one counted, or what the books have.
"""

from django.urls import reverse

from audit import log
from audit.models import Entry
from casino import settings_of_house
from casino.roles import Right
from payouts import circulation, ledger
from payouts.models import Movement

from ..models import CageShift, Count
from ..verbs import cage, counts
from ..verbs.sessions import ATTEMPTS
from . import counting, dates, slips
from .chips import amount_pattern, chip
from .console import CONSOLE

LISTED = 30
"""So many shifts stand beside one, the newest first."""
_KIND = Movement.Kind
_LABELS = {
    _KIND.SOLD: "Sold for cash",
    _KIND.CASHED: "Cashed",
    _KIND.ISSUED: "Issued",
    _KIND.WITHDRAWN: "Taken out of use",
}
_EFFECTS = {_KIND.SOLD: "Sell", _KIND.CASHED: "Cash", _KIND.ISSUED: "Issue", _KIND.WITHDRAWN: "Take out of use"}


def live(staff):
    """The chains that concern the cage and slips, and a pair that differs when what its pages show does: how the shift
    stands, and what waits for the cage. None for a person who neither reads nor counts it."""
    if not (staff.has_perm(Right.READ_CAGE) or staff.has_perm(Right.COUNT_CAGE)):
        return None
    chains, waiting = (log.HOUSE,), ()
    if standing := slips.standing(staff):
        chains = (log.HOUSE, *standing[0])
        waiting = tuple(row["id"] for row in slips.at_cage(staff))
    shift = CageShift.objects.last()
    if shift is None:
        return chains, (None, waiting)
    entered = Count.objects.filter(of=shift.ref).count()
    moved = Movement.objects.filter(subject=shift.ref).count()
    return chains, ((shift.pk, shift.status, shift.counts_from, entered, moved), waiting)


def shown(shift, staff):
    """A shift (or the fact that none is open) beside the others, and beside an open one the chips in circulation."""
    scale = counting.Scale.of(staff)
    runs, running = staff.has_perm(Right.RUN_CAGE), cage.running()
    is_open = shift is not None and shift.status == CageShift.Status.OPEN
    _, (state, _) = live(staff)
    return {
        "state": "-".join(map(str, state or ())),
        "shift": shift and _shift(shift, scale),
        "waiting": slips.at_cage(staff),
        "count": _count(shift, scale) if is_open else None,
        "counts": is_open and staff.has_perm(Right.COUNT_CAGE),
        "circulation": _circulation(shift, staff, scale) if is_open or shift is None else None,
        "moves": _form(shift, scale) if is_open and runs else None,
        "opens": runs and running is None,
        "shifts": [_row(each, scale) for each in CageShift.objects.order_by("-pk")[:LISTED]],
        "currency": scale.casino.currency,
        "house": scale.casino.name,
    }


def _date(shift):
    return f"{shift.business_date.day} {shift.business_date:%B %Y}"


def _row(shift, scale):
    closed = shift.status == CageShift.Status.CLOSED
    return {
        "id": shift.pk,
        "date": _date(shift),
        "icon": "ok" if closed else "play",
        "detail": CONSOLE("times", start=scale.at(shift.opened_at), end=scale.at(shift.closed_at))
        if closed
        else "open now",
        "variance": scale.spell(shift.variance_units, signed=True) if closed else "",
    }


def _shift(shift, scale):
    closed, person = shift.status == CageShift.Status.CLOSED, scale.reader.person
    totals = cage.totals(shift)
    facts = [("Opened", ", ".join((scale.at(shift.opened_at), person(shift.opened_by))))]
    if closed:
        facts.append(("Closed", ", ".join((scale.at(shift.closed_at), person(shift.closed_by)))))
        facts.append(("Closed with", person(shift.closed_with)))
    return {
        "id": shift.pk,
        "date": _date(shift),
        "status": "Closed" if closed else "Open",
        "facts": [{"label": label, "value": value} for label, value in facts],
        "totals": [{"label": _LABELS[kind], "amount": scale.spell(totals[kind])} for kind in _LABELS],
        "cash": scale.spell(totals[_KIND.SOLD] - totals[_KIND.CASHED], signed=True),
        "closing": _closing(shift, scale) if closed else None,
    }


def _closing(shift, scale):
    """What two signed for, against what the books had."""
    entry = Entry.objects.get(subject=shift.ref, event="cage.closed")
    bound = settings_of_house.value("cage_variance_units", at=shift.closed_at)
    digest = log.digest(entry.body)
    return {
        "rows": [
            {
                "chip": chip(cage.cage().chip_set, int(value), scale.casino.currency_decimals),
                "text": scale.spell(int(value)),
                "number": number,
                "amount": scale.spell(int(value) * number),
            }
            for value, number in reversed(shift.denominations.items())
        ],
        "counted": scale.spell(counts.worth(shift.denominations)),
        "expected": scale.spell(shift.expected_units),
        "variance": scale.spell(shift.variance_units, signed=True),
        "outside": abs(shift.variance_units) > bound,
        "bound": scale.spell(bound),
        "reason": shift.reason,
        "entry": {
            "seq": entry.seq,
            "digest": " ".join(digest[at : at + 4] for at in range(0, 24, 4)),
        },
    }


def _count(shift, scale):
    """How far the count is: who has counted, and what comes next."""
    stands = cage.standing(shift)
    if stands.both:
        words = CONSOLE("cage.both" if stands.equal else "cage.both:differ")
    elif stands.entered:
        words = CONSOLE("cage.second", who=scale.reader.person(stands.entered[0].by))
    else:
        words = CONSOLE("cage.moved" if shift.counts_from else "cage.first")
    return {"words": words, "step": counting.way(stands) or "Count the cage"}


def _circulation(shift, staff, scale):
    """The chips in circulation with their parts; neither for a person who may count the cage and has not yet."""
    if cage.is_blind(shift) and staff.has_perm(Right.COUNT_CAGE):
        return {"hidden": True}
    held = ledger.holdings()
    figure = circulation.circulation(held)
    if figure.units is None:
        return {"unsaid": figure.reason}
    parts = [
        ("Issued and in use", held.issued),
        ("In the cage", -held.cage),
        ("At the tables, in their floats", -held.floats),
        ("On the way between cage and tables", -held.transit),
        ("In the rake", -held.rake),
    ]
    return {
        "parts": [{"label": label, "amount": scale.spell(units)} for label, units in parts],
        "units": scale.spell(figure.units),
    }


def _form(shift, scale):
    """The form by which chips are sold, cashed, issued and taken out of use."""
    decimals = scale.casino.currency_decimals
    chip_set = cage.cage().chip_set
    return {
        "to": f"/api/v1/cage/shifts/{shift.pk}/movements/",
        "currency": scale.casino.currency,
        "decimals": decimals,
        "pattern": amount_pattern(decimals),
        "kinds": [{"code": kind.value, "label": _EFFECTS[kind], "by_chip": kind in cage.BY_CHIP} for kind in _EFFECTS],
        "chips": [chip(chip_set, units, decimals) for units in chip_set.denominations],
    }


def count(staff, *, again=False):
    """What the person who counts the cage may do now, as from `counting.shown`; None if no shift is open."""
    shift = cage.running()
    if shift is None:
        return None
    stands, scale, place = cage.standing(shift), counting.Scale.of(staff), cage.cage()
    may_again = stands.both and cage.attempt_of(shift, stands.entered) < ATTEMPTS
    reads = staff.has_perm(Right.READ_CAGE)
    page = {
        "id": shift.pk,
        "table": {"name": "Cage"},
        "title": "Closing the shift",
        "part": stands.part,
        "day": dates.day_of_year(shift.business_date),
        "currency": scale.casino.currency,
        "decimals": scale.casino.currency_decimals,
        "runs": staff.has_perm(Right.RUN_CAGE),
        "to": f"/api/v1/cage/shifts/{shift.pk}/",
        "back": reverse("cage") if reads else reverse("home"),
        "live": reverse("live-cage"),
        "words": {
            "second": CONSOLE("cage.who.second"),
            "decider": CONSOLE("who.decides"),
            "signer": CONSOLE("who.signs:pit_boss"),
            "waits": CONSOLE("cage.who.waits"),
            "expected": "Expected in the cage",
        },
    }
    if stands.both and not (again and may_again):
        page |= counting.compared(stands, staff, scale, place.chip_set) | {
            "again": may_again,
            "effect": "Close the shift",
        }
    else:
        page |= counting.form(stands, staff, scale, place.chip_set, since=shift.counts_from + 1)
    return page | counting.phases(stands.part, page["phase"])
