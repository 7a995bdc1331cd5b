"""What every box of a Split Poker round wins or loses, by the clauses of rules/split.md."""

from typing import NamedTuple

from casino.games.game import Json, Outcome, Result
from casino.games.poker import HIGH_CARD, Strength, small_strength, strength
from casino.games.split.facts import BETTING, Box, Facts, Hands, Ruling
from casino.money import EVEN, Ratio, paid_units


class Dealer(NamedTuple):
    """The dealer's side, which all boxes share: whether it had a game at first, and what counts in the end."""

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
    dealer = dealer_of(facts)
    boxes = [_box(facts, box, dealer) for box in facts.boxes]
    bought = any(box.buys_game for box in facts.boxes)
    return {
        "game": "split",
        "dealer": {
            "category": None if dealer is None else dealer.hand.name,
            "has_game": None if dealer is None else dealer.game,
            "bought": bought,
        },
        "boxes": boxes,
        "house_net": -sum([box["net"] for box in boxes]),
    }


def dealer_of(facts: Facts) -> Dealer | None:
    """The dealer's side of a round (split.10, split.13); None if a void round leaves the dealer's cards out."""
    dealt = facts.dealer
    if dealt.cards is None or dealt.counting is None:
        return None
    first = strength(dealt.cards)
    hand = first if dealt.replacement is None else strength(dealt.counting)
    return Dealer(first.category > HIGH_CARD, hand, hand.category > HIGH_CARD)


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


def verdict(facts: Facts, box: Box, dealer: Dealer | None, hands: Hands | None) -> Verdict:
    """How a box ends and by which clauses; `payment` adds split.24 and split.23.

    `hands` is `facts.hands(box)`, passed in because the caller needs it too.
    """
    ruling = facts.ruling(box)
    if ruling is not None:
        return _ruled(ruling)
    if box.action not in BETTING or dealer is None:
        return _FOLD
    if not dealer.first_game:
        if not box.buys_game:
            return _NO_GAME
        if not dealer.game:
            return _NO_GAME_BOUGHT
    if hands is None or facts.dealer.small is None:
        raise ValueError(f"Box {box.number} is compared, but cards are missing.")
    purchase = ("split.12", "split.13") if box.buys_game else ()
    big = strength(hands.big)
    if big < dealer.hand:
        return Verdict("lose", (*purchase, "split.17"))
    if big == dealer.hand:
        return Verdict("stand_off", (*purchase, "split.18"), _STAKES)
    if hands.small is None:
        raise ValueError(f"The Small Hand of box {box.number} is compared, but its cards are missing.")
    coefficient = facts.coefficients[big.category - 1]
    if small_strength(hands.small) >= small_strength(facts.dealer.small):
        return Verdict("win_bet", (*purchase, "split.19"), _STAKES, "bet", coefficient)
    ratio = coefficient if facts.small_hand_loss_pays == "coefficient" else EVEN
    return Verdict("win_ante", (*purchase, "split.20"), _STAKES, "ante", ratio)


def _ruled(ruling: Ruling) -> Verdict:
    return Verdict(ruling.what, (ruling.clause,), () if ruling.what == "forfeit" else _EVERYTHING)


class Payment(NamedTuple):
    """What is paid, and whether the maximum (split.24) and the smallest chip (split.23) reduced it."""

    units: int
    capped: bool
    rounded: bool


def payment(facts: Facts, stake_units: int, ratio: Ratio) -> Payment:
    """What a stake is paid: the cap first, then down to the chip; a fraction of a unit lost counts as rounded, too."""
    cap = facts.max_payment_units
    units = paid_units(stake_units, ratio, chip_units=facts.chip_units, cap_units=cap)
    due, parts = stake_units * ratio.numerator, ratio.denominator
    capped = False
    if cap is not None and due > cap * parts:
        capped, due = True, cap * parts
    return Payment(units, capped, due > units * parts)


def _box(facts: Facts, box: Box, dealer: Dealer | None) -> dict[str, Json]:
    hands = facts.hands(box)
    ending = verdict(facts, box, dealer, hands)
    clauses = [*ending.clauses]
    net = 0
    rows = []
    for kind, stake in wagers(box):
        returned = stake if kind in ending.returned else 0
        paid = 0
        if kind == ending.paid_on:
            paid, capped, rounded = payment(facts, stake, ending.ratio)
            if capped:
                clauses.append("split.24")
            if rounded:
                clauses.append("split.23")
        net += returned + paid - stake
        rows.append({"kind": kind, "stake": stake, "returned": returned, "paid": paid})
    return {
        "box": box.number,
        "outcome": ending.outcome,
        "category": None if hands is None else strength(hands.big).name,
        "net": net,
        "wagers": rows,
        "clauses": clauses,
    }


def outcomes(facts: Facts, result: Result) -> tuple[Outcome, ...]:
    """The result box by box."""
    return tuple(Outcome(box["box"], box["outcome"], tuple(box["clauses"])) for box in result["boxes"])
