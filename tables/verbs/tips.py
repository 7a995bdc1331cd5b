"""Tips: chips that patrons give go into the tip box, and two of the count team count them once each gaming day.

A tip is an amount, never a person: neither who gave it nor for whom; it comes from the patrons' chips and never touches
the float. It is counted under its business date, once no session of that date is open: chip by chip, the second person
blind to the first count. What the tables entered is shown when both counts are in. If the counts differ, they are made
again, once; then a pit boss says which one stands. From then on the tips are what was counted, and their variance is
the difference from what was entered. All of a count stands in the chain `house`: the tip box belongs to no table.
"""

from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, TextField, Value
from django.db.models.functions import Cast, Concat
from django.utils.formats import date_format

from audit import log
from casino import settings_of_house
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Count, GamingDay, Session, Table, TipCount
from . import cage, counts, grounds
from .sessions import ATTEMPTS, Standing, counted_twice, wants_reason
from .wording import WORDING

PART = Count.Part.TIPS
_KIND, _CLOSED = Account.Kind, Session.Status.CLOSED


class TipBox(NamedTuple):
    """The tip box as something to count, in the place of a table: any chips of the house; its chain is the house's."""

    chip_set: cage.Chips
    ref: str = log.HOUSE

    def __str__(self):
        return WORDING("tip_box")


def tip_box():
    """The tip box with the chips that the house has."""
    return TipBox(cage.cage().chip_set)


def take(*, table_id, units, actor):
    """Enter a tip that a patron at a table gives; it goes into the tip box.

    :param units: what its chips come to, in the smallest unit.
    :returns: its movement.
    :raises Refused: `session_closed`; `tips_counted` if those of the day are counted; `amount_wrong` (422).
    """
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("patrons_account", "chip_set")
    table = table.get(pk=table_id)
    session = Session.objects.select_for_update(no_key=True).filter(table=table, status=Session.Status.OPEN).first()
    if session is None:
        raise grounds.not_open(table, WORDING("opened_first:asked"))
    counts.adds_up(table, units)
    if TipCount.objects.filter(date=session.business_date).exists():
        raise WORDING.refused("tips_counted:later", date=_day(session.business_date))
    return ledger.move(
        kind=Movement.Kind.TIP,
        subject=session.ref,
        number=taken(session).count() + 1,
        debit=_account(_KIND.TIPS),
        credit=table.patrons_account,
        denominations={"1": units},
        business_date=session.business_date,
        actor=actor,
        chain=table.ref,
    )


def taken(session):
    """The movements of a session's tips."""
    return Movement.objects.filter(subject=session.ref, kind=Movement.Kind.TIP)


def ref(date):
    """The tips of a gaming day, as the log names them."""
    return f"tips:{date.isoformat()}"


def number_of(date):
    """The number of a gaming day that has tips, by which addresses name it."""
    return GamingDay.objects.values_list("pk", flat=True).get(date=date)


def date_of(number):
    """The gaming day that an address names; None if there is none."""
    return GamingDay.objects.values_list("date", flat=True).filter(pk=number).first()


def recorded(date):
    """What the tips of a gaming day come to, as the tables entered them, in units."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tips_recorded(%s)", [date])
        return cursor.fetchone()[0]


def uncounted(date):
    """Whether there are tips of a gaming day, and nobody has counted them yet."""
    return _waiting().filter(business_date=date).exists()


def waiting():
    """The gaming days that have tips which nobody has counted, the oldest first; those with open sessions too."""
    return list(_waiting().values_list("business_date", flat=True).distinct().order_by("business_date"))


def running(date):
    """The tables with a session of a gaming day that is not closed: until then its tips are not counted."""
    sessions = Session.objects.filter(business_date=date).exclude(status=_CLOSED)
    return Table.objects.filter(sessions__in=sessions).order_by("code")


def hold():
    """Keep everybody else from counting or adding tips until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT hold_tips()")


def standing(date):
    """How far the count of a day's tips is; None if nothing is to be counted now."""
    if not uncounted(date) or running(date).exists():
        return None
    entered = counts.last(ref(date), PART)
    if len(entered) < 2:
        return Standing(PART, entered, equal=False, decides=False)
    equal = counts.agreed(entered)
    return Standing(
        PART,
        entered,
        equal,
        decides=not equal and entered[0].attempt >= ATTEMPTS,
        expected=recorded(date),
        bound=settings_of_house.value("tips_variance_units"),
    )


def count(*, date, denominations, actor):
    """Count the tips of a gaming day, as one of two people.

    :param denominations: chip value in units to the number of chips; none for an empty box.
    :returns: the counts of this attempt.
    :raises Refused: `tips_wrong_moment`, `tips_counted`; `counted_already`; `counted_twice` when the counts differed
        twice; `chip_unknown`, `count_wrong` (422).
    """
    stands = _locked(date)
    if stands.both and stands.entered[0].attempt >= ATTEMPTS:
        raise counted_twice(stands, WORDING("tips_of", date=_day(date)))
    return counts.enter(of=ref(date), part=PART, table=tip_box(), denominations=denominations, actor=actor)


def sign(*, date, place=None, reason="", actor):
    """Two people sign for what was counted: from now on that is the tips.

    :param place: which count stands after they differed twice, the first or the second; one of the two who sign is then
        a pit boss, which the door checks.
    :param actor: `approved_by` is who signs too.
    :raises Refused: `tips_wrong_moment`, `tips_counted`; `count_missing`, `counts_differ` until there is something to
        sign for; `same_person`, `place_missing`, `reason_wrong`, `reason_missing` (422): see `sessions.wants_reason`;
        `amount_wrong` (422), as `ledger.move`.
    """
    stands = _locked(date)
    grounds.two_people(actor)
    tips, way_out = WORDING("tips_of", date=_day(date)), WORDING("tips_counters")
    counted = stands.choice(place, what=tips, way_out=way_out)
    signers = (actor.by, actor.approved_by)
    reason = grounds.checked_reason(reason, needed=wants_reason(stands, counted, signers))
    salt = log.salt(reason) if reason else ""
    variance = stands.difference(counted)
    counts.record_agreed(
        counted,
        table=tip_box(),
        signers=signers,
        actor=actor,
        reason=grounds.salted(salt, reason) if reason else None,
        expected=stands.expected,
        variance=variance,
    )
    if variance:
        _vary(date, variance, actor)
    tips = TipCount.objects.create(
        date=date,
        denominations=counted.denominations,
        counted_units=counted.units,
        recorded_units=stands.expected,
        counted_by=signers[0],
        counted_with=signers[1],
        reason=reason,
        salt=salt,
    )
    facts = {
        "date": date.isoformat(),
        "chips": counted.denominations,
        "units": counted.units,
        "recorded": stands.expected,
        "variance": variance,
        "people": [actor.ref, actor.approver],
    }
    log.record("tips.counted", tips.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return tips


def _waiting():
    """The sessions that have tips which nobody has counted."""
    ref_of = Concat(Value("session:"), Cast(OuterRef("pk"), TextField()))
    tips = Movement.objects.filter(subject=ref_of, kind=Movement.Kind.TIP)
    counted = TipCount.objects.filter(date=OuterRef("business_date"))
    return Session.objects.filter(~Exists(counted), Exists(tips))


def _locked(date):
    """How far the count of a day's tips is; until the transaction ends, nobody else counts tips and none is taken.

    :raises Refused: `tips_wrong_moment`, `tips_counted`.
    """
    hold()
    stands = standing(date)
    if stands is not None:
        return stands
    if TipCount.objects.filter(date=date).exists():
        raise WORDING.refused("tips_counted", date=_day(date))
    tables = ", ".join(table.name for table in running(date))
    if tables:
        raise WORDING.refused("tips_wrong_moment:running", date=_day(date), tables=tables)
    raise WORDING.refused("tips_wrong_moment", date=_day(date))


def _vary(date, variance, actor):
    """Move the difference between what was counted and what the tables entered."""
    ends = (_KIND.TIPS, _KIND.VARIANCE) if variance > 0 else (_KIND.VARIANCE, _KIND.TIPS)
    debit, credit = map(_account, ends)
    ledger.move(
        kind=Movement.Kind.VARIANCE,
        subject=ref(date),
        number=1,
        debit=debit,
        credit=credit,
        denominations={"1": abs(variance)},
        business_date=date,
        actor=actor,
        chain=log.HOUSE,
    )


def _account(kind):
    return Account.objects.get(kind=kind, owner=log.HOUSE)


def _day(date):
    return date_format(date, "MONTH_DAY_FORMAT")
