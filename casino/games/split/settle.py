"""What every box of a Split Poker round wins or loses, by the clauses of rules/split.md."""

from collections.abc import Sequence
from typing import NamedTuple

from casino.games.game import Carry, Json, Outcome, Pay, Result, Wager
from casino.games.poker import HIGH_CARD, Strength, small_strength, strength
from casino.games.split.facts import BETTING, Box, Facts, Hands, Ruling
from casino.games.split.sheet import Sheet
from casino.money import EVEN, Ratio, paid_units


class Table(NamedTuple):
    """What all boxes share: whether the dealer had a game at first, and the hand that counts in the end."""

    first_game: bool
    hand: Strength
    game: bool


class Verdict(NamedTuple):
    """One box before any money: `paid_on` is the wager that is paid, at `ratio`; the others come back or are lost."""

    outcome: str
    clauses: tuple[str, ...]
    returned: tuple[str, ...] = ()
    paid_on: str | None = None
    ratio: Ratio = EVEN


_STAKES = ("ante", "bet")
_EVERYTHING = ("ante", "bet", "cards_fee", "game_fee")
_FOLD = Verdict("fold", ("split.6",))
_NO_GAME = Verdict("no_game", ("split.11",), _STAKES, "ante")
_NO_GAME_BOUGHT = Verdict("no_game_bought", ("split.12", "split.13", "split.14"), _STAKES)


def settle(facts: Facts) -> dict[str, Json]:
    """The contract's answer for a round, without its `id`."""
    table = table_of(facts)
    boxes = [_box(facts, box, table) for box in facts.boxes]
    bought = any(box.buys_game for box in facts.boxes)
    return {
        "game": "split",
        "dealer": {
            "category": None if table is None else table.hand.name,
            "has_game": None if table is None else table.game,
            "bought": bought,
        },
        "boxes": boxes,
        "house_net": -sum([box["net"] for box in boxes]),
    }


def table_of(facts: Facts) -> Table | None:
    """The dealer's side of a round (split.10, split.13); None where a void round leaves his cards out."""
    dealer = facts.dealer
    if dealer.cards is None or dealer.counting is None:
        return None
    first = strength(dealer.cards)
    hand = first if dealer.replacement is None else strength(dealer.counting)
    return Table(first.category > HIGH_CARD, hand, hand.category > HIGH_CARD)


def wagers(box: Box) -> tuple[tuple[str, int], ...]:
    """What a box staked, as (kind, units), in the contract's order.

    >>> wagers(Box(1, 10, "buy_bet", None, None, None, True, None))
    (('ante', 10), ('bet', 20), ('cards_fee', 10), ('game_fee', 10))
    """
    ante = box.ante_units
    staked = [("ante", ante)]
    if box.action in BETTING:
        staked.append(("bet", 2 * ante))
    if box.action in ("buy_bet", "buy_fold"):
        staked.append(("cards_fee", ante))
    if box.buys_game:
        staked.append(("game_fee", ante))
    return tuple(staked)


def verdict(facts: Facts, box: Box, table: Table | None, hands: Hands | None) -> Verdict:
    """How a box ends and by which clauses; split.24 and split.23 are for `payment` to add.

    `hands` are those of `facts.hands(box)`, for the caller needs them too.
    """
    ruling = facts.ruling(box)
    if ruling is not None:
        return _ruled(ruling)
    if box.action not in BETTING or table is None:
        return _FOLD
    if not table.first_game:
        if not box.buys_game:
            return _NO_GAME
        if not table.game:
            return _NO_GAME_BOUGHT
    if hands is None or facts.dealer.small is None:
        raise ValueError(f"Box {box.number} is compared, but cards are missing.")
    course = ("split.12", "split.13") if box.buys_game else ()
    big = strength(hands.big)
    if big < table.hand:
        return Verdict("lose", (*course, "split.17"))
    if big == table.hand:
        return Verdict("stand_off", (*course, "split.18"), _STAKES)
    coefficient = facts.coefficients[big.category - 1]
    if small_strength(hands.small) >= small_strength(facts.dealer.small):
        return Verdict("win_bet", (*course, "split.19"), _STAKES, "bet", coefficient)
    ratio = coefficient if facts.small_hand_loss_pays == "coefficient" else EVEN
    return Verdict("win_ante", (*course, "split.20"), _STAKES, "ante", ratio)


def _ruled(ruling: Ruling) -> Verdict:
    return Verdict(ruling.what, (ruling.clause,), () if ruling.what == "forfeit" else _EVERYTHING)


class Payment(NamedTuple):
    """What is paid, and whether the maximum (split.24) and the smallest chip (split.23) made it less."""

    units: int
    capped: bool
    rounded: bool


def payment(facts: Facts, stake_units: int, ratio: Ratio) -> Payment:
    """First the cap, then down to the chip; a part of a unit counts as cut, too."""
    cap = facts.max_payment_units
    units = paid_units(stake_units, ratio, chip_units=facts.chip_units, cap_units=cap)
    due, parts = stake_units * ratio.numerator, ratio.denominator
    capped = False
    if cap is not None and due > cap * parts:
        capped, due = True, cap * parts
    return Payment(units, capped, due > units * parts)


def _box(facts: Facts, box: Box, table: Table | None) -> dict[str, Json]:
    hands = facts.hands(box)
    found = verdict(facts, box, table, hands)
    clauses = [*found.clauses]
    net = 0
    rows = []
    for kind, stake in wagers(box):
        returned = stake if kind in found.returned else 0
        paid = 0
        if kind == found.paid_on:
            paid, capped, rounded = payment(facts, stake, found.ratio)
            if capped:
                clauses.append("split.24")
            if rounded:
                clauses.append("split.23")
        net += returned + paid - stake
        rows.append({"kind": kind, "stake": stake, "returned": returned, "paid": paid})
    return {
        "box": box.number,
        "outcome": found.outcome,
        "category": None if hands is None else strength(hands.big).name,
        "net": net,
        "wagers": rows,
        "clauses": clauses,
    }


def outcomes(facts: Facts, result: Result) -> tuple[Outcome, ...]:
    """The result box by box."""
    return tuple(Outcome(box["box"], box["outcome"], tuple(box["clauses"])) for box in result["boxes"])


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """What becomes of each wager, in their order.

    :raises ValueError: if the wagers are not exactly those of the result.
    """
    rows = {(box["box"], row["kind"]): row for box in result["boxes"] for row in box["wagers"]}
    pays = []
    for wager in wagers:
        row = rows.pop((wager.box, wager.kind), None)
        if row is None:
            raise ValueError(f"The result has no further {wager.kind} of box {wager.box}.")
        if row["stake"] != wager.units:
            raise ValueError(
                f"The {wager.kind} of box {wager.box} is {wager.units} on the table and {row['stake']} in the result."
            )
        pays.append(Pay(wager.ordinal, wager.box, wager.kind, wager.units, row["returned"], row["paid"]))
    if rows:
        box, kind = next(iter(rows))
        raise ValueError(f"The {kind} of box {box} is in the result, but not on the table.")
    return tuple(pays)


def carry(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Carry:
    """A round of Split Poker leaves nothing to the next."""
    return None


def totals(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> dict[str, Json]:
    """Nothing is added up from round to round."""
    return {}
