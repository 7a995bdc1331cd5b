"""The cage: shifts in which chips are issued, sold and cashed, each by two people, and the count that ends one.

A shift knows totals alone: no patron is anywhere in it. Two people count the cage chip by chip, the second blind to the
first; neither is shown what the books have there until both counts are in. When chips of the cage move meanwhile - a
fill goes out, a table is closed - they begin anew. If the counts differ, they are made again, once; then a pit boss
says which one stands. All of a shift stands in the chain `house`: the cage belongs to no table.
"""

from typing import NamedTuple

from django.db import connection
from django.db.models import Max
from django.db.models.functions import Now

from audit import log
from audit.models import Chain
from casino import settings_of_house
from casino.games.reading import shown
from casino.models import ChipSet
from payouts import ledger
from payouts.models import MOST_UNITS, Account, Movement

from ..models import CageShift, Count
from . import counts, dates, grounds
from .sessions import ATTEMPTS, Standing, wants_reason
from .wording import WORDING

STATUS, PART = CageShift.Status, Count.Part
MOST_HELD = 1000 * MOST_UNITS
"""The most that the cage is counted to hold, in units: more than one transfer moves, for it came in many."""
KINDS = (Movement.Kind.ISSUED, Movement.Kind.WITHDRAWN, Movement.Kind.SOLD, Movement.Kind.CASHED)
"""The movements that a shift has beside its variance."""
BY_CHIP = (Movement.Kind.ISSUED, Movement.Kind.WITHDRAWN)
"""Those of which it is known which chips they are."""
_KIND = Account.Kind
# Which account receives and which one gives.
_ENDS = {
    Movement.Kind.ISSUED: (_KIND.CAGE, _KIND.ISSUED),
    Movement.Kind.WITHDRAWN: (_KIND.ISSUED, _KIND.CAGE),
    Movement.Kind.SOLD: (_KIND.CASH, _KIND.CAGE),
    Movement.Kind.CASHED: (_KIND.CAGE, _KIND.CASH),
}


class Chips(NamedTuple):
    """The chips of all sets of the house, as one set has them: ascending, each once, with a colour each."""

    denominations: list[int]
    colours: list[str]


class Cage(NamedTuple):
    """The cage as something to count, in the place of a table: its chips, and the chain in which it stands."""

    chip_set: Chips
    ref: str = log.HOUSE

    def __str__(self):
        return "the cage"


def cage():
    """The cage with the chips of the house; a value that several sets have is one chip."""
    colours = {}
    for each in ChipSet.objects.order_by("pk"):
        for value, colour in zip(each.denominations, each.colours, strict=True):
            colours.setdefault(value, colour)
    values = sorted(colours)
    return Cage(Chips(values, [colours[value] for value in values]))


def running():
    """The shift that is open, or None."""
    return CageShift.objects.filter(status=STATUS.OPEN).first()


def totals(shift):
    """What a shift came to, in units, by the kind of movement."""
    moved = ledger.movement_units(shift.ref)
    return {kind: moved[kind] for kind in KINDS}


def standing(shift):
    """How far the count of the cage is; None if the shift is closed."""
    if shift.status != STATUS.OPEN:
        return None
    entered = counts.last(shift.ref, PART.CAGE, shift.counts_from) if shift.counts_from else []
    if len(entered) == 1 and _moved(shift):
        entered = []
    if len(entered) < 2:
        return Standing(PART.CAGE, entered, equal=False, decides=False)
    equal = counts.agreed(entered)
    return Standing(
        PART.CAGE,
        entered,
        equal,
        decides=not equal and attempt_of(shift, entered) >= ATTEMPTS,
        expected=shift.expected_units,
        bound=settings_of_house.value("cage_variance_units"),
    )


def attempt_of(shift, entered):
    """How often the cage was counted since counting began, by the counts of the last attempt."""
    return entered[0].attempt - shift.counts_from + 1


def is_blind(shift):
    """Whether the cage's books are hidden from a person who may count it: until both have counted."""
    stands = shift and standing(shift)
    return stands is not None and not stands.both


def open_shift(*, actor):
    """Open a shift of the cage, on the current gaming day.

    :raises Refused: `shift_open` if one is open.
    """
    date = dates.today()
    # The chain of the house, which the entry locks anyway: if two open a shift at once, the second is refused.
    Chain.objects.select_for_update(no_key=True).get(key=log.HOUSE)
    shift = running()
    if shift:
        raise WORDING.refused("shift_open", detail={"shift": shift.pk})
    last = CageShift.objects.last()
    shift = CageShift.objects.create(business_date=date, opened_by=actor.by)
    facts = {"business_date": shift.business_date.isoformat(), "after": last and last.ref}
    log.record("cage.opened", shift.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return shift


def move(*, shift_id, kind, denominations=None, units=None, actor):
    """Issue chips, take some out of use, sell some to patrons for cash or cash some, as two people.

    :param kind: one of `KINDS`.
    :param denominations: chip value in units to the number of chips; a sum in `units` is enough for `sold`, `cashed`.
    :param actor: `approved_by` is who signs too.
    :raises Refused: `shift_closed`; `same_person`, `kind_unknown`, `amount_wrong`, `chip_unknown`, `count_wrong` (422).
    """
    shift = _locked(shift_id)
    grounds.two_people(actor)
    if kind not in KINDS:
        raise WORDING.refused("kind_unknown", kind=shown(kind), kinds=", ".join(KINDS))
    chips = _amount(kind, denominations, units)
    return _move(shift, kind, chips, actor)


def count(*, shift_id, denominations, actor):
    """Count the cage, as one of two people. If its chips moved since the first count, the second begins anew.

    :param denominations: chip value in units to the number of chips; what is not named is not there.
    :returns: the shift and the counts of this attempt.
    :raises Refused: `shift_closed`; `counted_already`; `counted_twice` when the counts differed twice; `chip_unknown`,
        `count_wrong` (422).
    """
    shift = _locked(shift_id)
    stands = standing(shift)
    if stands.both and attempt_of(shift, stands.entered) >= ATTEMPTS:
        raise WORDING.refused("counted_twice:cage_equal" if stands.equal else "counted_twice:cage")
    place, held = cage(), _hold()
    counts.checked(place, denominations, most=MOST_HELD)
    if not stands.entered or held != shift.expected_units:
        _begin_count(shift, held, actor)
    entered = counts.enter(
        of=shift.ref,
        part=PART.CAGE,
        table=place,
        denominations=denominations,
        actor=actor,
        since=shift.counts_from,
        most=MOST_HELD,
    )
    return shift, entered


def sign(*, shift_id, place=None, reason="", actor):
    """Two people sign for what was counted, and the shift is closed: its variance is what that is above or below the
    books.

    :param place: which count stands after they differed twice, the first or the second; one of the two who sign is then
        a pit boss, which the door checks.
    :param actor: `approved_by` is who signs too.
    :raises Refused: `shift_closed`; `count_missing`, `counts_differ` until there is something to sign for;
        `same_person`, `place_missing`, `reason_wrong`, `reason_missing` (422): see `sessions.wants_reason`;
        `amount_wrong` (422), as `ledger.move`.
    """
    shift = _locked(shift_id)
    grounds.two_people(actor)
    stands = standing(shift)
    counted = stands.choice(
        place,
        what=WORDING("cage_itself"),
        missing=WORDING("cage_uncounted:moved"),
    )
    signers = (actor.by, actor.approved_by)
    reason = grounds.checked_reason(reason, needed=wants_reason(stands, counted, signers))
    salt = log.salt(reason) if reason else ""
    variance = stands.difference(counted)
    counts.record_agreed(
        counted,
        table=cage(),
        signers=signers,
        actor=actor,
        reason=grounds.salted(salt, reason) if reason else None,
        expected=stands.expected,
        variance=variance,
    )
    if variance:
        _move(shift, Movement.Kind.VARIANCE, {"1": abs(variance)}, actor, gains=variance > 0)
    shift.status, shift.closed_at = STATUS.CLOSED, Now()
    shift.closed_by, shift.closed_with = signers
    shift.denominations, shift.variance_units = counted.denominations, variance
    shift.reason, shift.salt = reason, salt
    shift.save(
        update_fields=[
            "status", "closed_at", "closed_by", "closed_with", "denominations", "variance_units", "reason", "salt",
        ],
    )  # fmt: skip
    facts = {
        "business_date": shift.business_date.isoformat(),
        "denominations": counted.denominations,
        "signers": [actor.ref, actor.approver],
        "expected": stands.expected,
        "variance": variance,
    }
    log.record("cage.closed", shift.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return shift


def _locked(shift_id):
    """A shift that is open, locked.

    :raises Refused: `shift_closed`.
    """
    shift = CageShift.objects.select_for_update(no_key=True).get(pk=shift_id)
    if shift.status != STATUS.OPEN:
        raise WORDING.refused("shift_closed", detail={"shift": shift.pk})
    return shift


def _moved(shift):
    """Whether the books have something else in the cage than when it began to be counted."""
    return ledger.balance(_account(_KIND.CAGE)) != shift.expected_units


def _hold():
    """What the books have in the cage; no chip of it moves until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT hold_cage()")
        return cursor.fetchone()[0]


def _begin_count(shift, expected, actor):
    made = Count.objects.filter(of=shift.ref, part=PART.CAGE).aggregate(last=Max("attempt"))["last"] or 0
    shift.counts_from, shift.expected_units = made + 1, expected
    shift.save(update_fields=["counts_from", "expected_units"])
    facts = {"attempt": shift.counts_from, "expected": shift.expected_units}
    log.record("cage.count_begun", shift.ref, chain=log.HOUSE, actor=actor, facts=facts)


def _amount(kind, denominations, units):
    """The chips that move, value to number; a sum counts as chips of the smallest unit."""
    if (denominations is None) == (units is None) or (units is not None and kind in BY_CHIP):
        raise WORDING.refused("amount_wrong:chips_only" if kind in BY_CHIP else "amount_wrong:chips_or_sum")
    if units is not None:
        if not 0 < units <= MOST_UNITS:
            raise WORDING.refused(
                "amount_wrong:sum",
                units=grounds.spelled(units),
                smallest=grounds.spelled(1),
                most=grounds.spelled(MOST_UNITS),
            )
        return {"1": units}
    chips = counts.checked(cage(), denominations)
    if not chips:
        raise WORDING.refused("amount_wrong:no_chip")
    return chips


def _account(kind):
    return Account.objects.get(kind=kind, owner=log.HOUSE)


def _move(shift, kind, chips, actor, *, gains=True):
    """The next movement of a kind in a shift; `gains`: a variance of more chips than the books have."""
    ends = _ENDS.get(kind) or ((_KIND.CAGE, _KIND.VARIANCE) if gains else (_KIND.VARIANCE, _KIND.CAGE))
    debit, credit = map(_account, ends)
    return ledger.move(
        kind=kind,
        subject=shift.ref,
        number=Movement.objects.filter(subject=shift.ref, kind=kind).count() + 1,
        debit=debit,
        credit=credit,
        denominations=chips,
        business_date=shift.business_date,
        actor=actor,
        chain=log.HOUSE,
    )
