"""Buy-ins: a patron's cash goes into the drop box, and chips for it come out of the float.

A buy-in has an amount and the box, never who. The croupier enters it alone up to what the house lets pass; above that,
a supervisor signs. The total of a box in a gaming day raises an alarm shortly before it has to be reported, and when it
has to.
"""

import datetime as dt
from typing import NamedTuple

from django.db.models import Max, Sum

from casino import settings_of_house
from casino.games import registry
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Alarm, BuyIn, Session, Table
from . import alarms, counts, drop_boxes, grounds, rulesheets
from .dates import business_date
from .wording import WORDING

DAYS = 31
"""So many gaming days the list of large cash goes back."""


def places(table):
    """The numbers of a table's boxes, by the sheet that is in force; none without a sheet."""
    return places_by(rulesheets.in_force(table))


def places_by(sheet):
    """The numbers of the boxes by a rule sheet; none without one."""
    if sheet is None:
        return ()
    game = registry.GAMES[sheet.game]
    if game.seats:
        return tuple(range(1, game.seats[1] + 1))
    return game.view(game.start(rulesheets.checked(sheet), (), None)).places


def enter(*, table_id, box, units, actor):
    """A patron at a box buys chips of the float for cash.

    :param units: what it comes to, in the smallest unit.
    :param actor: `approved_by` is the supervisor who signs for one above `buy_in_signed_units`.
    :raises Refused: `session_closed`; `drop_box_missing` while none is mounted; `float_short` for more than the float
        holds; `box_unknown`, `amount_wrong`, `signature_missing`, `same_person` (422).
    """
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("float_account", "chip_set")
    table = table.get(pk=table_id)
    session = Session.objects.select_for_update(no_key=True).filter(table=table, status=Session.Status.OPEN).first()
    if session is None:
        raise grounds.not_open(table, WORDING("opened_first:asked"))
    _check(table, box, units, actor)
    drop_box = drop_boxes.mounted(table)
    if drop_box is None:
        raise WORDING.refused("drop_box_missing", table=table)
    if ledger.balance(table.float_account) < units:
        raise WORDING.refused("float_short", table=table)
    movement = ledger.move(
        kind=Movement.Kind.BUY_IN,
        subject=session.ref,
        number=session.buy_ins.count() + 1,
        debit=Account.objects.get(kind=Account.Kind.DROP_BOX, owner=table.ref),
        credit=table.float_account,
        denominations={"1": units},
        business_date=session.business_date,
        actor=actor,
        chain=table.ref,
        drop_box=drop_box.ref,
        box=box,
    )
    buy_in = BuyIn.objects.create(
        movement=movement,
        drop_box=drop_box,
        session=session,
        box=box,
        units=units,
        by=actor.by,
        approved_by=actor.approved_by,
    )
    _watch(buy_in, table)
    return buy_in


class Bounds(NamedTuple):
    """What the buy-ins of a box in a gaming day may come to: `large` is reported, `near` alarms before."""

    near: int
    large: int


def bounds():
    """The house's bounds now, in units."""
    large = settings_of_house.value("large_cash_units")
    return Bounds(large * settings_of_house.value("large_cash_near_percent") // 100, large)


def of_day(table, box, date):
    """What the buy-ins at a box come to in a gaming day, in units."""
    made = BuyIn.objects.filter(session__table=table, session__business_date=date, box=box)
    return made.aggregate(units=Sum("units", default=0))["units"]


def by_box(tables, near):
    """The table's id and name, gaming day, box, units and time of the last one, of each box of these tables whose
    buy-ins in one of the last gaming days come to `near` or more; the newest day first."""
    since = business_date() - dt.timedelta(days=DAYS)
    made = BuyIn.objects.filter(session__table__in=tables, session__business_date__gte=since)
    grouped = made.values_list("session__table", "session__table__name", "session__business_date", "box").order_by()
    grouped = grouped.annotate(together=Sum("units"), last=Max("movement__begun_at")).filter(together__gte=near)
    return grouped.order_by("-session__business_date", "-last")


def _watch(buy_in, table):
    """Raise an alarm if this buy-in brings the box near to what is reported, or to it."""
    together = of_day(table, buy_in.box, buy_in.session.business_date)
    near, large = bounds()
    if any(together - buy_in.units < bound <= together for bound in (near, large)):
        subject = f"movement:{buy_in.pk}"
        alarms.stand(Alarm.Kind.LARGE_CASH, subject, table, value=together, bound=large, box=buy_in.box)


def _check(table, box, units, actor):
    numbers = places(table)
    if not numbers:
        raise WORDING.refused("box_unknown:no_sheet", table=table, box=box)
    if box not in numbers:
        raise WORDING.refused("box_unknown:buy_in", table=table, box=box, boxes=", ".join(map(str, numbers)))
    counts.adds_up(table, units)
    if actor.approved_by is not None:
        grounds.two_people(actor)
        return
    bound = settings_of_house.value("buy_in_signed_units")
    if units > bound:
        raise WORDING.refused("signature_missing:buy_in", limit=grounds.spelled(bound))
