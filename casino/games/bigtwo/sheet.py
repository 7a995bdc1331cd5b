"""What a table's signed rule sheet sets in Big Two, and the clauses that it prints and that every result cites."""

from collections.abc import Mapping
from typing import NamedTuple

from casino.games.game import Fault, Json, Parameter
from casino.games.pot import CHIP
from casino.games.reading import MAXIMUM_UNITS, FaultError, read_values
from casino.phrases import phrases

PLAYERS = (2, 4)

CLAUSES = phrases(
    "clause",
    {
        "bigtwo.1": "Of one deck of 52 cards each player gets thirteen and the rest stays out; ranks run from 2, A, K, "
        "Q, J, 10 down to 3, suits from spades, hearts, clubs to diamonds, and the number of cards in a hand is "
        "public.",
        "bigtwo.2": "Turns go counter-clockwise.",
        "bigtwo.3": "The holder of the lowest card dealt leads and must include it, in every round or, as the sheet "
        "says, in the first alone; then the last round’s winner leads with any combination.",
        "bigtwo.4": "A play has as many cards as the lead and is stronger than the last play; a player may pass and "
        "play again later in the trick, but whoever leads it must play.",
        "bigtwo.5": "When all others have passed, the last to play leads the next trick.",
        "bigtwo.6": "The round ends at once when a player has no cards left; the others rank by cards left, fewest "
        "first.",
        "bigtwo.7": "A combination is a single, a pair or triple of one rank, or five cards, low to high: straight, "
        "flush, full house, four of a kind with one card, straight flush.",
        "bigtwo.8": "Of equal kinds the highest rank decides, then suit: a pair goes by its higher suit, a full house "
        "by its triple, a four by its four, a straight or a flush by its top card, rank before suit.",
        "bigtwo.9": "A straight is five ranks in a row from 3-4-5-6-7 up to J-Q-K-A-2; A-2-3-4-5 and 2-3-4-5-6 are no "
        "straights.",
        "bigtwo.10": "Where the sheet has bombs, a four with one card or a straight flush goes on any combination of "
        "any size, and only a higher bomb beats it.",
        "bigtwo.11": "Where the sheet says so, a turn is skipped when no combination of the cards not yet played, of "
        "no more cards than the player holds, could beat the one on the table.",
        "bigtwo.12": "The penalty is one point for each card left, the sum of the ranks left from 1 for a 3 to 13 for "
        "a 2, or always one, as the sheet says; the winner’s is nothing.",
        "bigtwo.13": "The sheet may multiply the penalty by the cards left: two, three and four times from 8, from 10 "
        "and at 13 cards, or two and three times from 10 and at 13.",
        "bigtwo.14": "As the sheet says, penalties are added up and the fewest points win over the agreed rounds, or "
        "each pays the winner, or each pays every player ranked higher; players with equal numbers of cards do not pay "
        "each other.",
        "bigtwo.15": "Hands are dealt face down and nobody but their players sees them: each play is entered as it is "
        "made, where the lowest card leads its holder says so, and when a player has none left the others show theirs; "
        "or a shoe or scanner enters the hands at the deal, as the sheet says.",
        "house.1": "Where chips don’t divide evenly among tied winners, those left over go one each in seat order from "
        "the dealer’s left.",
        "house.2": "A card entered twice is refused with the place where it lies; if it truly lies twice, the round is "
        "held.",
        "house.3": "In the pot games each player puts the table’s stake into the pot before the deal; Big Two has no "
        "pot.",
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
        "bigtwo.1": "Cards",
        "bigtwo.2": "Play",
        "bigtwo.7": "Combinations",
        "bigtwo.12": "Points",
        "bigtwo.15": "At a table of the house",
    },
)

FIRST_PLAYERS = ("lowest_card", "round_winner")
BASES = ("cards", "ranks", "one")
MULTIPLIERS = ("none", "8-10-13", "10-13")
SCORINGS = ("cumulative", "winner_takes_all", "pay_higher")
ROUNDS = ("5", "10", "20")
UNSEEN, ENTERED = HANDS = ("unseen", "entered")
_SWITCH = ("off", "on")

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("first_player", "choice", "lowest_card", "bigtwo.3", "First to play", options=FIRST_PLAYERS),
    Parameter("bombs", "choice", "off", "bigtwo.10", "Bombs", options=_SWITCH),
    Parameter("auto_skip", "choice", "off", "bigtwo.11", "Turns without a chance are skipped", options=_SWITCH),
    Parameter("base", "choice", "cards", "bigtwo.12", "Penalty", options=BASES),
    Parameter("multiplier", "choice", "none", "bigtwo.13", "Penalty multiplied by cards left", options=MULTIPLIERS),
    Parameter("scoring", "choice", "cumulative", "bigtwo.14", "Scoring", options=SCORINGS),
    Parameter("rounds", "choice", "5", "bigtwo.14", "Rounds of a series", options=ROUNDS),
    Parameter("hands", "choice", ENTERED, "bigtwo.15", "Hands at the deal", options=HANDS, proposed=UNSEEN),
    CHIP,
    Parameter(
        "price",
        "units",
        1,
        "bigtwo.14",
        "Price of a point",
        "limits",
        minimum=1,
        maximum=MAXIMUM_UNITS,
        in_chips=True,
    ),
)


class Options(NamedTuple):
    """What the rules leave to the sheet, spelled out in each line; the defaults are the rules'."""

    first_player: str = "lowest_card"
    bombs: bool = False
    auto_skip: bool = False
    base: str = "cards"
    multiplier: str = "none"
    scoring: str = "cumulative"


class Sheet(NamedTuple):
    """A rule sheet, checked. Points become money at `price_units` each, which are whole chips of `chip_units`.

    `unseen`: the hands are not entered at the deal (bigtwo.15); a line does not say so.
    """

    options: Options
    rounds: int
    price_units: int
    chip_units: int = 1
    unseen: bool = False


def sheet(values: Mapping[str, Json]) -> Sheet | Fault:
    """Check a rule sheet's values; those left out or None get their defaults.

    >>> sheet({"rounds": "7"}).message
    'Rounds of a series is "7"; it is one of 5, 10, 20.'
    """
    try:
        given = read_values(PARAMETERS, values, "Big Two")
    except FaultError as error:
        return error.fault
    rounds, price_units, chip_units = int(given.pop("rounds")), given.pop("price"), given.pop("chip")
    unseen = given.pop("hands") == UNSEEN
    switches = {name: given[name] == "on" for name in ("bombs", "auto_skip")}
    return Sheet(Options(**(given | switches)), rounds, price_units, chip_units, unseen)


def values(sheet: Sheet) -> dict[str, Json]:
    """All values of a sheet by the names of PARAMETERS; `sheet(values(s)) == s`."""
    switches = {name: _SWITCH[getattr(sheet.options, name)] for name in ("bombs", "auto_skip")}
    money = {"chip": sheet.chip_units, "price": sheet.price_units}
    hands = UNSEEN if sheet.unseen else ENTERED
    return {**sheet.options._asdict(), **switches, "rounds": str(sheet.rounds), "hands": hands, **money}
