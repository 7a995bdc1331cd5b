"""What a table's signed rule sheet sets in Presidential Poker, and the clauses that it prints and that results cite."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.games import pot
from casino.games.decks import Deck
from casino.games.game import Fault, Json, Parameter
from casino.games.presidential.pack import HOUSE, InvalidDeckError, Pack, load, names, path_of
from casino.games.reading import MAXIMUM_UNITS, FaultError, read_values
from casino.phrases import phrases

PLAYERS = (2, 8)

CLAUSES = phrases(
    "clause",
    {
        "presidential.1": "72 cards are used; each carries one symbol of each of six categories - play number, letter, "
        "colour, picture, figure, mystery symbol - and each symbol stands on four cards.",
        "presidential.2": "Kingdoms I to IV have 16 cards each with the play numbers 1-4, 5-8, 9-12, 13-16; Kingdom V "
        "has 8 with two play numbers each, 17+20 or 18+19.",
        "presidential.3": "Kingdom I is dark red, orange, yellow and green, II dark blue, indigo, violet and black, "
        "III and IV are the light colours and grey, V is tan and pink.",
        "presidential.4": "Which symbols share a card is in a deck file: the house deck, or a house’s own, which is "
        "refused if it breaks presidential.1 or .2 and loaded with a warning if it differs only from .3.",
        "presidential.5": "After an ante and seven cards each, the first betting interval begins at the dealer’s left: "
        "check or open, then call, raise or drop until the bets are even; if nobody opens, there is another ante and a "
        "deal by the next player to the left.",
        "presidential.6": "Each active player in turn replaces any number of cards or stands pat; the opener or the "
        "next active player to the left begins the second interval; a bet that nobody meets wins the pot.",
        "presidential.7": "At the showdown the highest hand wins the pot.",
        "presidential.8": "If the stock is too short for a draw, the discards of the players who have already drawn "
        "are shuffled and become the stock.",
        "presidential.9": "Only one symbol of each card is used, chosen so that the hand makes its best class; similar "
        "are the dark and the light shade of a hue, black and grey, tan and pink, and figures of one shape.",
        "presidential.10": "More identical symbols than a class needs make it, too: four identical with three "
        "unrelated cards are a triple, or the best class with a triple, and so are five similar with two unrelated "
        "ones.",
        "presidential.11": "7:7 is seven cards of Kingdom V.",
        "presidential.12": "7:1 is the seven rainbow colours, all dark or all light.",
        "presidential.13": "7:0 is four identical and three identical of another symbol of the same family.",
        "presidential.14": "6:1 is four identical, two identical of another symbol of the same family, and any card.",
        "presidential.15": "5:2 is four identical, one other of the same family, and a pair of identical symbols.",
        "presidential.16": "5:1:1 is four identical, one other of the same family, and two similar.",
        "presidential.17": "4:3 is four identical and three identical.",
        "presidential.18": "4:2:1 is four identical and three similar, exactly two of them identical.",
        "presidential.19": "4:1:1:1 is four identical and three similar.",
        "presidential.20": "3:3:1 is two triples of identical symbols.",
        "presidential.21": "3:2:2 is a triple and two pairs.",
        "presidential.22": "3:2:1:1 is a triple and a pair.",
        "presidential.23": "3:1:1:1:1 is a triple.",
        "presidential.24": "2:2:2:1 is three pairs.",
        "presidential.25": "2:2:1:1:1 is two pairs.",
        "presidential.26": "2:1:1:1:1:1 is one pair.",
        "presidential.27": "0:7 is a hand of no other class.",
        "presidential.31": "Of two hands of one class a straight, seven play numbers in sequence, beats a hand without "
        "one; of two straights the higher top number wins.",
        "presidential.32": "Then the largest group of equal play numbers decides: more cards first, then the higher "
        "number; a hand with such a group beats one of seven different numbers.",
        "presidential.33": "Then all seven play numbers from high to low decide at the first difference.",
        "presidential.34": "Then the letters, from the latest in the alphabet down, decide at the first difference.",
        "presidential.35": "Then the hand with the most pink cards wins; equal hands split the pot.",
        "presidential.36": "A card of Kingdom V counts as whichever of its two numbers serves its holder best.",
        "house.1": "Where a pot’s chips don’t divide evenly, those left over go one each to the tied winners in seat "
        "order from the dealer’s left.",
        "house.2": "A card entered twice is refused with the place where it lies; if it truly lies twice, the round is "
        "held.",
        "house.3": "Each player puts the table’s stake into the pot before the deal.",
        "house.4": "An irregularity without a clause of its own holds the round; the pit boss voids it or lets it "
        "stand, with a reason.",
        "house.5": "Nothing is staked or paid that no chip can pay: stakes, bets, raises and the price of a point are "
        "multiples of the smallest chip; the rake and what is owed for a part of a point are rounded down to it.",
        "house.6": "A correction that would leave a finished round unfinished, make a series that has ended go on, or "
        "end one before a round that was played, is refused; boxes are ruled instead, or the round is voided, gives no "
        "points and counts as played.",
    },
)
CHAPTERS = phrases(
    "chapter",
    {
        "presidential.1": "Deck",
        "presidential.5": "Play",
        "presidential.9": "Hands, best first",
        "presidential.31": "Ties inside a class, in this order",
    },
)

_DEALS = 1_000
"""How often everyone may check at the highest stake before the pot is more than a line can carry."""

PARAMETERS: tuple[Parameter, ...] = (
    *pot.parameters(PLAYERS[1] * _DEALS),
    Parameter(
        "bet_minimum",
        "units",
        10,
        "presidential.5",
        "Lowest bet or raise",
        "limits",
        maximum=MAXIMUM_UNITS,
        in_chips=True,
    ),
    Parameter(
        "bet_maximum",
        "units",
        None,
        "presidential.5",
        "Highest bet or raise",
        "limits",
        optional=True,
        maximum=MAXIMUM_UNITS,
    ),
    Parameter("raises", "count", 3, "presidential.5", "Raises in a betting interval", minimum=0, maximum=100),
    Parameter("deck", "choice", HOUSE, "presidential.4", "Deck", options=names()),
)


class Sheet(NamedTuple):
    """A rule sheet, checked; `deck` is the name of a deck that can be loaded."""

    terms: pot.Terms
    bet_minimum_units: int
    bet_maximum_units: int | None
    raises: int
    deck: str

    @property
    def pack(self) -> Pack:
        return load(path_of(self.deck))


def sheet(values: Mapping[str, Json]) -> Sheet | Fault:
    """Check a rule sheet's values; those left out or None get their defaults.

    >>> sheet({"bet_minimum": 50, "bet_maximum": 20}).message
    'The lowest bet, 50, is above the highest, 20.'
    """
    try:
        checked = read_values(PARAMETERS, values, "Presidential Poker")
    except FaultError as error:
        return error.fault
    lowest, highest = checked["bet_minimum"], checked["bet_maximum"]
    if highest is not None and lowest > highest:
        return Fault("bad_field", f"The lowest bet, {lowest}, is above the highest, {highest}.", "bet_minimum")
    try:
        load(path_of(checked["deck"]))
    except InvalidDeckError as error:
        return Fault("deck_invalid", str(error), "deck")
    return Sheet(pot.terms(checked), lowest, highest, checked["raises"], checked["deck"])


def values(sheet: Sheet) -> dict[str, Json]:
    """All values of a sheet by the names of PARAMETERS; `sheet(values(s)) == s`."""
    return {
        **pot.values(sheet.terms),
        "bet_minimum": sheet.bet_minimum_units,
        "bet_maximum": sheet.bet_maximum_units,
        "raises": sheet.raises,
        "deck": sheet.deck,
    }


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> Deck:
    """The 72 cards of the deck that the sheet names (presidential.4)."""
    return sheet.pack.deck
