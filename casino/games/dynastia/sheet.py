"""What a table's signed rule sheet sets in Dynastia, and the clauses that it prints and that every result cites."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.games import pot
from casino.games.decks import Deck
from casino.games.dynastia.cards import DECKS, PLAYERS, fitting
from casino.games.game import Fault, Json, Parameter
from casino.games.reading import FaultError, read_values
from casino.phrases import phrases

CLAUSES = phrases(
    "clause",
    {
        "dynastia.1": "The deck has 72 cards, half red and half black: two 1s, two 2s, four 3s, eight 4s, sixteen 5s "
        "and forty 6s; 64 cards, without four red and four black 6s, are for 2 to 9 players and 72 for 6 to 10; where "
        "both fit the sheet says which.",
        "dynastia.2": "Each player gets seven cards face down, and before the exchange the dealer shows the bottom "
        "card, whose colour is preferred for the round.",
        "dynastia.3": "Each player may exchange any number of cards, up to all seven, once; discards go under the deck "
        "and may be dealt again.",
        "dynastia.4": "A set is two to six different numbers in a row, however often each is held; a hand’s best set "
        "is the one that starts lowest, at its full length.",
        "dynastia.5": "The set with the lower start wins, whatever the length.",
        "dynastia.6": "Of two sets with the same start the longer wins.",
        "dynastia.7": "Of two same sets the one with more cards of the preferred colour wins; a number held in both "
        "colours uses the preferred one.",
        "dynastia.8": "If that is equal too, going up from the lowest number, the first that only one of the two holds "
        "in the preferred colour decides for its holder.",
        "dynastia.9": "If the sets are equal in colours too, the lower number in the preferred colour among the other "
        "cards wins, going up, and a hand that has no more of them loses; if that is equal, the prize is split.",
        "dynastia.10": "A hand without a set scores 0 and ranks below every hand with one; such hands compare by "
        "dynastia.9 with all seven cards.",
        "dynastia.11": "In the short game the best hand takes the pot; betting is possible.",
        "dynastia.12": "In the long game the winner receives the sum of all sets and each next player that sum less "
        "the sets placed before them; after an agreed number of rounds, or once an agreed target is reached, the "
        "highest total wins.",
        "dynastia.13": "Equal hands share equally what their places receive together.",
        "dynastia.14": "Where the published sample lets 3-4-5 win against 3-4-5-6, the written rule prevails: the "
        "longer set wins.",
        "house.1": "Where a pot’s chips don’t divide evenly, those left over go one each to the tied winners in seat "
        "order from the dealer’s left.",
        "house.2": "A card entered more often than the deck has it is refused with the place where it lies; if it "
        "truly lies there, the round is held.",
        "house.3": "In the pot games each player puts the table’s stake into the pot before the deal.",
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
        "dynastia.1": "Deck and deal",
        "dynastia.4": "Best set",
        "dynastia.11": "Settling",
    },
)

GAMES = ("short", "long")
_HIGHEST_PRICE = 1_000_000_000

PARAMETERS: tuple[Parameter, ...] = (
    *pot.parameters(PLAYERS[1], highest_chip=_HIGHEST_PRICE),
    Parameter("deck", "choice", "64", "dynastia.1", "Deck where both fit, with 6 to 9 players", options=("64", "72")),
    Parameter("game", "choice", "short", "dynastia.11", "Game", options=GAMES),
    Parameter(
        "rounds",
        "count",
        None,
        "dynastia.12",
        "Rounds of a long game, as many as players if none are set",
        optional=True,
        minimum=1,
        maximum=100,
    ),
    Parameter(
        "target",
        "count",
        None,
        "dynastia.12",
        "Target of a long game, played instead of a number of rounds",
        optional=True,
        minimum=1,
        maximum=10_000,
    ),
    Parameter(
        "price",
        "units",
        1,
        "dynastia.12",
        "Price of a point in a long game",
        "limits",
        minimum=1,
        maximum=_HIGHEST_PRICE,
        in_chips=True,
    ),
)


class Sheet(NamedTuple):
    """A rule sheet, checked. `rounds` None: as many as players; with a `target` the number of rounds is open."""

    terms: pot.Terms
    deck: int
    game: str
    rounds: int | None
    target: int | None
    price_units: int

    @property
    def is_long(self) -> bool:
        """Scores over rounds instead of a pot (dynastia.12)."""
        return self.game == "long"


def sheet(values: Mapping[str, Json]) -> Sheet | Fault:
    """Check a rule sheet's values; those left out or None get their defaults.

    >>> sheet({"deck": 64}).message
    'Deck where both fit, with 6 to 9 players is 64; it is one of 64, 72.'
    """
    try:
        read = read_values(PARAMETERS, values, "Dynastia")
    except FaultError as error:
        return error.fault
    return Sheet(pot.terms(read), int(read["deck"]), read["game"], read["rounds"], read["target"], read["price"])


def values(sheet: Sheet) -> dict[str, Json]:
    """All values of a sheet by the names of PARAMETERS; `sheet(values(s)) == s`."""
    return {
        **pot.values(sheet.terms),
        "deck": str(sheet.deck),
        "game": sheet.game,
        "rounds": sheet.rounds,
        "target": sheet.target,
        "price": sheet.price_units,
    }


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> Deck:
    """The deck of 64 or 72 cards: the one for that number of players, else as the sheet says (dynastia.1)."""
    return DECKS[fitting(sheet.deck, len(seats)) if seats else sheet.deck]
