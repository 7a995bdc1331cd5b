"""What a table's signed rule sheet sets in Genpoker, and the clauses that it prints and that every result cites."""

from collections.abc import Mapping

from casino.games import pot
from casino.games.game import Fault, Json, Parameter
from casino.games.reading import FaultError, read_values
from casino.phrases import phrases

PLAYERS = (2, 8)

CLAUSES: Mapping[str, str] = phrases(
    "clause",
    {
        "genpoker.1": "The 64 cards are two #1 children, two #2 parents, four #3 grandparents, eight #4 XX century, "
        "sixteen #5 Victorian and thirty-two #6 Europe, half of each red and half black; colours never rank.",
        "genpoker.2": "The thirty-two #6 are a couple, one red and one black card, of each of 16 nations.",
        "genpoker.3": "Each player gets five cards and may once exchange up to three; then all show, the best hand "
        "takes the pot, and equal hands split it.",
        "genpoker.4": "A lower number is always worth more.",
        "genpoker.5": "A hand counts as the first class, from the best down, that it satisfies.",
        "genpoker.11": "America is 1-2-3-4-5 in one colour; two of them split.",
        "genpoker.12": "Ancestors are 2-3-4-5-6 in one colour; two of them split.",
        "genpoker.13": "A straight is 1-2-3-4-5 or 2-3-4-5-6 in mixed colours; the one from 1 wins, the same ones "
        "split.",
        "genpoker.14": "Grandparents are all four #3 and any fifth card.",
        "genpoker.15": "XX century is five of #4.",
        "genpoker.16": "Two countries are two couples of #6 and any fifth card; the lower fifth card wins, the same "
        "ones split, and nations are equal.",
        "genpoker.17": "Victorian is five of #5; the hand with more cards of one colour wins, and hands with as many "
        "split.",
        "genpoker.18": "Europe is five of #6; the hand with more cards of one colour wins, and hands with as many "
        "split.",
        "genpoker.19": "Children are both #1 and any three cards.",
        "genpoker.20": "Parents are both #2 and any three cards.",
        "genpoker.21": "A country is one couple of #6 and any three cards; the lowest of those three decides, then the "
        "lower total of all five, then it is a split.",
        "genpoker.22": "Four of a kind are four of #4, #5 or #6; the lower four wins, then the lower fifth card, "
        "then it is a split.",
        "genpoker.23": "A full house is three and two of a kind; the lower three wins, then the lower pair, then it "
        "is a split.",
        "genpoker.24": "A flush is five of one colour; the hand with the lowest card wins, then the lower total, "
        "then it is a split.",
        "genpoker.25": "Three of a kind are three of #3 to #6; the lower three wins, then the lowest of the other two "
        "decides, then the lower total, then it is a split.",
        "genpoker.26": "Two pair: the lower of the lower-numbered pairs wins, then the lower of the other pairs, "
        "then the lower fifth card, then it is a split.",
        "genpoker.27": "A pair is two of a kind; the lower pair wins, then the lowest of the other three decides, "
        "then the lower total, then it is a split.",
        "genpoker.28": "A high card is none of these; the lowest card decides, then the next lowest, and so on, and "
        "equal ones split.",
        "genpoker.29": "A class’s own tie-break goes before the general rule that low cards break ties: a pair of 5s "
        "with 1-3-4, total 18, beats one with 1-2-6, total 19.",
        "genpoker.30": "By genpoker.5 five #6 with two couples are two countries, both #1 are children and both #2 "
        "parents whatever else is held, and a hand with one couple and in no higher class is a country, whatever it "
        "makes besides.",
        "house.1": "Where a pot’s chips don’t divide evenly, those left over go one each to the tied winners in seat "
        "order from the dealer’s left.",
        "house.2": "A card entered more often than the deck has it is refused with the place where it lies; if it "
        "truly lies there, the round is held.",
        "house.3": "Each player puts the table’s stake into the pot before the deal.",
        "house.4": "An irregularity without a clause of its own holds the round; the pit boss voids it or lets it "
        "stand, with a reason.",
        "house.5": "Nothing is staked or paid that no chip can pay: stakes, bets, raises and the price of a point are "
        "multiples of the smallest chip; the rake and what is owed for a part of a point are rounded down to it.",
        "house.6": "A correction that would leave a finished round unfinished, make a series that has ended go on, "
        "or end one before a round that was played, is refused; boxes are ruled instead, or the round is voided, "
        "gives no points and counts as played.",
    },
)
CHAPTERS: Mapping[str, str] = phrases(
    "chapter",
    {
        "genpoker.1": "Deck",
        "genpoker.3": "Play",
        "genpoker.5": "Hands, best first",
    },
)

PARAMETERS: tuple[Parameter, ...] = pot.parameters(PLAYERS[1])

Sheet = pot.Terms


def sheet(values: Mapping[str, Json]) -> Sheet | Fault:
    """Check a rule sheet's values; those left out or None get their defaults.

    >>> sheet({"stake": 25, "rake_percent": 2})
    Terms(stake_units=25, rake_percent=2, rake_cap_units=None, chip_units=1)
    """
    try:
        return pot.terms(read_values(PARAMETERS, values, "Genpoker"))
    except FaultError as error:
        return error.fault


def values(sheet: Sheet) -> dict[str, Json]:
    """All values of a sheet by the names of PARAMETERS; `sheet(values(s)) == s`."""
    return pot.values(sheet)
