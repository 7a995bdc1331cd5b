"""What a table's signed rule sheet sets in Split Poker, and the clauses that it prints and that every result cites."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from casino.games.game import Fault, Json, Parameter
from casino.games.poker import CATEGORIES, category_name
from casino.games.reading import MAXIMUM_UNITS, FaultError, check_chips, read_choice, read_count, read_units, shown
from casino.money import Ratio
from casino.phrases import phrases

CLAUSES: Mapping[str, str] = phrases(
    "clause",
    {
        "split.1": "One deck of 52 cards without jokers is used; ranks run from ace down to two and suits never rank.",
        "split.2": "Big Hands rank, low to high, high card, pair, two pair, three of a kind, straight, flush, full "
        "house, four of a kind, straight flush, royal flush, then by their ranks; an ace is low in 5-4-3-2-A alone.",
        "split.3": "In a Small Hand a pair beats two unpaired cards, then the higher rank and then the other card "
        "decide; straights and flushes don’t count.",
        "split.4": "Each of the 1 to 6 boxes in play puts up an ANTE within the table’s limits and decides by itself.",
        "split.5": "Each box gets five cards face down and the dealer five, the fifth face up.",
        "split.6": "After a look at five cards the player folds and loses the ANTE, bets 2 x ANTE with two more cards "
        "unseen, or buys two cards for 1 x ANTE and then bets or folds.",
        "split.7": "The fee for two cards is a price: it is never returned and never paid on.",
        "split.8": "After a plain bet the first five cards are the Big Hand and the two unseen cards the Small Hand, "
        "unless the sheet lets the house set them; the dealer never rearranges.",
        "split.9": "A player who bought sets any five and two of the seven; left to the house, the best Big Hand is "
        "set and among equal ones the best Small Hand.",
        "split.10": "The dealer has a game with a pair of twos or better.",
        "split.11": "When the dealer has no game, a box still in that doesn’t buy the game is paid ANTE 1:1 and gets "
        "its BET back.",
        "split.12": "When the dealer has no game, a box still in may buy the game once for 1 x ANTE; the fee is a "
        "price and the payment for no game is given up.",
        "split.13": "If any box buys the game, the dealer’s highest card is replaced by the next card, once for the "
        "whole table.",
        "split.14": "If the dealer still has no game, the boxes that bought it get ANTE and BET back and nothing is "
        "paid.",
        "split.15": "If the dealer has a game after the replacement, two more cards are the dealer’s Small Hand and "
        "the boxes that bought are compared.",
        "split.16": "When the dealer has a game, two more cards are the dealer’s Small Hand.",
        "split.17": "A Big Hand below the dealer’s loses ANTE and BET; the Small Hand is not looked at.",
        "split.18": "Equal Big Hands are a stand-off: ANTE and BET are returned; the Small Hand is not looked at.",
        "split.19": "A Big Hand above with a Small Hand above or equal is paid on BET at its category’s coefficient; "
        "ANTE is returned unpaid.",
        "split.20": "A Big Hand above with a Small Hand below is paid on ANTE, 1:1 or at the coefficient as the sheet "
        "says; BET is returned.",
        "split.21": "The published coefficients are pair 1, two pair 1, three of a kind 3, straight 4, flush 5, full "
        "house 7.",
        "split.22": "The sheet gives a coefficient for every category from pair to royal flush; nothing is paid by "
        "guess.",
        "split.23": "A payment that is no multiple of the smallest chip is rounded down to it.",
        "split.24": "The sheet may set a maximum payment per box and round; the part above it is not paid.",
        "split.25": "There is no bonus and no insurance.",
        "split.30": "Closed cards thrown in are not given back: the claim is refused and the house takes the wagers "
        "and the cards.",
        "split.31": "Another of the dealer’s cards faced than the fifth stays open, the others are dealt closed, the "
        "round goes on.",
        "split.32": "A combination announced wrongly is corrected by the dealer; the cards decide.",
        "split.33": "A wrong payment is corrected: the difference is paid or collected.",
        "split.34": "The pack is changed between rounds only; no player can demand or stop it.",
        "split.35": "Players may not exchange information or take cards off the table; it is recorded and the pit boss "
        "rules.",
        "split.36": "A card exposed, missing, double or misdealt holds the round; the pit boss voids it, all wagers "
        "and fees returned, or lets it stand, with a reason.",
        "house.1": "Where a pot’s chips don’t divide evenly, those left over go one each to the tied winners in seat "
        "order from the dealer’s left.",
        "house.2": "A card entered twice is refused with the place where it lies; if it truly lies twice, the round is "
        "held.",
        "house.3": "In the pot games each player puts the table’s stake into the pot before the deal.",
        "house.4": "An irregularity without a clause of its own holds the round; the pit boss voids it or lets it "
        "stand, with a reason.",
        "house.5": "Nothing is staked or paid that no chip can pay: stakes, bets, raises and the price of a point are "
        "multiples of the smallest chip; the rake and what is owed for a part of a point are rounded down to it.",
        "house.6": "A correction that would leave a finished round unfinished, make a series that has ended go on, "
        "or end one before a round that was played, is refused; boxes are ruled instead, or the round is voided, "
        "gives no points and counts as played.",
        "house.7": "What is swept or handed over in a round, as it is when a box folds, shows a Big Hand below or "
        "does not buy the game, is asked for no second time; what changes of it later is a difference.",
    },
)
CHAPTERS: Mapping[str, str] = phrases(
    "chapter",
    {
        "split.1": "Cards and hands",
        "split.4": "The round",
        "split.11": "The dealer has no game",
        "split.16": "The dealer has a game",
        "split.21": "The coefficient table",
        "split.30": "Disputes that the rules settle",
    },
)

PAID_CATEGORIES = CATEGORIES[1:]
"""The categories that have a coefficient, low to high (split.22)."""

STARTING_TABLE: dict[str, str] = {
    "pair": "1:1",
    "two_pair": "1:1",
    "three_of_a_kind": "3:1",
    "straight": "4:1",
    "flush": "5:1",
    "full_house": "7:1",
    "four_of_a_kind": "20:1",
    "straight_flush": "50:1",
    "royal_flush": "100:1",
}
SMALL_HAND_LOSS_PAYS = ("even", "coefficient")
UNSEEN_CARDS = ("small_hand", "house_way")
BOX_ORDERS = ("ascending", "descending")

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("chip", "units", 1, "split.23", "Smallest chip", "limits", minimum=1, maximum=MAXIMUM_UNITS),
    Parameter("ante_minimum", "units", 10, "split.4", "Lowest ANTE", "limits", minimum=1, maximum=MAXIMUM_UNITS),
    Parameter("ante_maximum", "units", 1000, "split.4", "Highest ANTE", "limits", minimum=1, maximum=MAXIMUM_UNITS),
    Parameter("boxes", "count", 6, "split.4", "Boxes", "limits", minimum=1, maximum=6),
    Parameter(
        "max_payment",
        "units",
        None,
        "split.24",
        "Maximum payment per box and round",
        "limits",
        optional=True,
        minimum=1,
        maximum=MAXIMUM_UNITS,
    ),
    Parameter(
        "small_hand_loss_pays",
        "choice",
        "even",
        "split.20",
        "Big Hand above, Small Hand below pays on ANTE",
        options=SMALL_HAND_LOSS_PAYS,
    ),
    Parameter(
        "unseen_cards", "choice", "small_hand", "split.8", "The two unseen cards of a plain bet", options=UNSEEN_CARDS
    ),
    Parameter("box_order", "choice", "ascending", "split.4", "Boxes decide in the order", options=BOX_ORDERS),
    Parameter("coefficients", "ratios", STARTING_TABLE, "split.22", "Coefficients", "coefficients"),
)
_RATIO = re.compile(r"([1-9][0-9]{0,4}):([1-9][0-9]{0,4})\Z", re.ASCII)


class Sheet(NamedTuple):
    """A rule sheet, checked; `coefficients` stand in the order of PAID_CATEGORIES."""

    chip_units: int
    ante_minimum_units: int
    ante_maximum_units: int
    boxes: int
    max_payment_units: int | None
    small_hand_loss_pays: str
    unseen_cards: str
    box_order: str
    coefficients: tuple[Ratio, ...]

    def coefficient(self, category: str) -> Ratio:
        """The ratio at which a category from pair to royal flush is paid."""
        return self.coefficients[PAID_CATEGORIES.index(category)]


def sheet(values: Mapping[str, Json]) -> Sheet | Fault:
    """Check a rule sheet's values; those left out or None get their defaults.

    >>> sheet({"chip": 5, "ante_minimum": 12}).message
    'The lowest ANTE is 12; it must be a multiple of the smallest chip, 5.'
    """
    try:
        return _sheet(values)
    except FaultError as error:
        return error.fault


def values(sheet: Sheet) -> dict[str, Json]:
    """All values of a sheet by the names of PARAMETERS; `sheet(values(s)) == s`."""
    return {
        "chip": sheet.chip_units,
        "ante_minimum": sheet.ante_minimum_units,
        "ante_maximum": sheet.ante_maximum_units,
        "boxes": sheet.boxes,
        "max_payment": sheet.max_payment_units,
        "small_hand_loss_pays": sheet.small_hand_loss_pays,
        "unseen_cards": sheet.unseen_cards,
        "box_order": sheet.box_order,
        "coefficients": spell_coefficients(sheet.coefficients),
    }


def spell_coefficients(coefficients: tuple[Ratio, ...]) -> dict[str, str]:
    """A coefficient table as a line or a sheet writes it.

    >>> spell_coefficients(read_coefficients(STARTING_TABLE))["flush"]
    '5:1'
    """
    return {category: str(ratio) for category, ratio in zip(PAID_CATEGORIES, coefficients, strict=True)}


def read_coefficients(value: Json, path: str = "coefficients") -> tuple[Ratio, ...]:
    """A coefficient table in the order of PAID_CATEGORIES (split.22, split.23).

    :raises FaultError: if a category lacks its ratio, an unknown one is named, or a ratio isn't `n:d` of 1 to 10,000,
        or is lower than that of the category before.
    """
    if not isinstance(value, Mapping):
        raise FaultError("bad_field", f"The coefficients are {shown(value)}, not an object of ratios.", path)
    for name in value:
        if name not in STARTING_TABLE:
            raise FaultError("bad_field", f"There is no category {shown(name)} that is paid.", f"{path}.{name}")
    ratios = tuple([_ratio(value.get(category), category, path) for category in PAID_CATEGORIES])
    _check_rising(ratios, path)
    return ratios


def _sheet(values: Mapping[str, Json]) -> Sheet:
    given: dict[str, Json] = {parameter.name: parameter.default for parameter in PARAMETERS}
    for name, value in values.items():
        if name not in given:
            raise FaultError("bad_field", f"A Split Poker sheet has no value {shown(name)}.", str(name))
        if value is not None:
            given[name] = value
    chip = read_units(given["chip"], "The smallest chip", "chip")
    lowest = _read_ante(given["ante_minimum"], chip, "The lowest ANTE", "ante_minimum")
    highest = _read_ante(given["ante_maximum"], chip, "The highest ANTE", "ante_maximum")
    if lowest > highest:
        raise FaultError("bad_field", f"The lowest ANTE, {lowest}, is above the highest, {highest}.", "ante_minimum")
    boxes = read_count(given["boxes"], 1, 6, "The number of boxes", "boxes")
    cap = given["max_payment"]
    return Sheet(
        chip,
        lowest,
        highest,
        boxes,
        None if cap is None else read_units(cap, "The maximum payment", "max_payment"),
        read_small_hand_loss_pays(given["small_hand_loss_pays"]),
        read_unseen_cards(given["unseen_cards"]),
        read_choice(given["box_order"], BOX_ORDERS, "The order of the boxes", "box_order"),
        read_coefficients(given["coefficients"]),
    )


def read_small_hand_loss_pays(value: Json) -> str:
    """Read the parameter of split.20."""
    return read_choice(value, SMALL_HAND_LOSS_PAYS, "What a lost Small Hand pays", "small_hand_loss_pays")


def read_unseen_cards(value: Json) -> str:
    """Read the parameter of split.8."""
    return read_choice(value, UNSEEN_CARDS, "The use of the unseen cards", "unseen_cards")


def _read_ante(value: Json, chip: int, what: str, path: str) -> int:
    ante = read_units(value, what, path)
    check_chips(ante, chip, what, path)
    return ante


def _ratio(value: Json, category: str, path: str) -> Ratio:
    if value is None:
        raise FaultError("coefficient_missing", f"{category_name(category)} has no coefficient.", f"{path}.{category}")
    if isinstance(value, str):
        ratio = _parse(value)
        if ratio is not None:
            return ratio
    name = category_name(category).lower()
    raise FaultError(
        "bad_field",
        f"The coefficient of {name} is {shown(value)}, not a ratio like 3:2 of numbers from 1 to 10000.",
        f"{path}.{category}",
    )


@lru_cache(maxsize=1024)
def _parse(text: str) -> Ratio | None:
    match = _RATIO.match(text)
    if match is None:
        return None
    ratio = Ratio(int(match[1]), int(match[2]))
    return ratio if max(ratio) <= 10_000 else None


def _check_rising(ratios: tuple[Ratio, ...], path: str) -> None:
    for index in range(1, len(ratios)):
        before, here = ratios[index - 1], ratios[index]
        if here.numerator * before.denominator < before.numerator * here.denominator:
            name, lower = (category_name(PAID_CATEGORIES[i]).lower() for i in (index, index - 1))
            raise FaultError(
                "bad_field",
                f"The coefficient of {name}, {here}, is lower than that of {lower}, {before}.",
                f"{path}.{PAID_CATEGORIES[index]}",
            )
