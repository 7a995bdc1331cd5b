"""Buy-ins: a patron's cash goes into the drop box, and chips for it come out of the float.

An amount and the box, and never who. The croupier enters it alone up to what the house lets pass; above it a supervisor
signs.
"""

from casino import settings_of_house
from casino.errors import Refused
from casino.games import registry
from casino.models import Casino
from casino.money import spell
from payouts import ledger
from payouts.models import MOST_UNITS, Account, Movement

from ..models import BuyIn, Session, Table
from . import drop_boxes, grounds, rulesheets


def places(table):
    """The numbers of a table's boxes, by the sheet that is in force; none without a sheet."""
    sheet = rulesheets.in_force(table)
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
        raise grounds.not_open(table, "Open the table first.")
    _check(table, box, units, actor)
    drop_box = drop_boxes.mounted(table)
    if drop_box is None:
        raise Refused(
            "drop_box_missing",
            f"No drop box is mounted at {table}.",
            way_out="The pit boss mounts one with a second person; then the cash goes in.",
        )
    if ledger.balance(table.float_account) < units:
        raise Refused(
            "float_short",
            f"The float of {table} does not hold as much by the books.",
            way_out="Enter what you can hand over; the pit boss asks the cage for a fill.",
        )
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
    return BuyIn.objects.create(
        movement=movement,
        drop_box=drop_box,
        session=session,
        box=box,
        units=units,
        by=actor.by,
        approved_by=actor.approved_by,
    )


def _check(table, box, units, actor):
    numbers, smallest = places(table), table.chip_set.denominations[0]
    if box not in numbers:
        raise Refused(
            "box_unknown",
            f"There is no box {box} at {table}.",
            status=422,
            path="box",
            way_out=f"Boxes: {', '.join(map(str, numbers)) or 'none, as long as no rule sheet is in force'}.",
        )
    if not 0 < units <= MOST_UNITS or units % smallest:
        raise Refused(
            "amount_wrong",
            f"No chips of {table} come to {units}.",
            status=422,
            path="units",
            way_out=f"Enter a multiple of {smallest}, at most {MOST_UNITS}.",
        )
    if actor.approved_by is not None:
        grounds.two_people(actor)
        return
    bound = settings_of_house.value("buy_in_signed_units")
    if units > bound:
        limit = spell(bound, Casino.objects.get().currency_decimals)
        raise Refused(
            "signature_missing",
            f"A buy-in above {limit} takes a supervisor.",
            status=422,
            path="signature",
            way_out="The pit boss signs with you.",
        )
