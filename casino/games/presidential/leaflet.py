"""What players at a table read about Presidential Poker (rules/presidential.md), as its sheet sets it."""

from casino.games import pot
from casino.games.leaflets import (
    LEFT_OVER,
    UNFORESEEN,
    Leaflet,
    Row,
    Rule,
    chapter,
    limit,
    listing,
    page,
    row,
    rule,
    ruled,
    said,
)
from casino.games.presidential.pack import HOUSE
from casino.games.presidential.sheet import PLAYERS, Sheet
from casino.money import Units
from casino.phrases import phrase

CARDS = (
    row("Kingdom I", "16 cards, 1 to 4", "presidential.2"),
    row("Kingdom II", "16 cards, 5 to 8", "presidential.2"),
    row("Kingdom III", "16 cards, 9 to 12", "presidential.2"),
    row("Kingdom IV", "16 cards, 13 to 16", "presidential.2"),
    row("Kingdom V", "8 cards, 17+20 or 18+19", "presidential.2"),
)

HANDS = tuple(
    rule(f"{shape}:", said(clause, text))
    for clause, shape, text in (
        ("presidential.11", "7:7", "seven cards of Kingdom V."),
        ("presidential.12", "7:1", "the seven rainbow colours, all dark or all light."),
        ("presidential.13", "7:0", "four identical, three identical of another symbol of the family."),
        ("presidential.14", "6:1", "four identical, two identical of another symbol of the family."),
        ("presidential.15", "5:2", "four identical, one other of the family, a pair."),
        ("presidential.16", "5:1:1", "four identical, one other of the family, two similar."),
        ("presidential.17", "4:3", "four identical, three identical."),
        ("presidential.18", "4:2:1", "four identical, three similar, exactly two of them identical."),
        ("presidential.19", "4:1:1:1", "four identical, three similar."),
        ("presidential.20", "3:3:1", "two triples."),
        ("presidential.21", "3:2:2", "a triple and two pairs."),
        ("presidential.22", "3:2:1:1", "a triple and a pair."),
        ("presidential.23", "3:1:1:1:1", "a triple."),
        ("presidential.24", "2:2:2:1", "three pairs."),
        ("presidential.25", "2:2:1:1:1", "two pairs."),
        ("presidential.26", "2:1:1:1:1:1", "one pair."),
        ("presidential.27", "0:7", "none of these."),
    )
)

RANKING = (
    rule(
        "One symbol",
        said(
            "presidential.9",
            "of each card is used: number, letter, colour, picture, figure or mystery symbol. You choose which; "
            "the best class counts.",
        ),
        said("presidential.1", "Each symbol stands on four of the 72 cards."),
    ),
    rule(
        "Identical",
        said(
            "presidential.9",
            "is the same symbol. Similar, of one family, are the shades of a hue, black and grey, tan and pink, "
            "figures of one shape.",
        ),
        ruled("presidential.9", "Other symbols have no family."),
    ),
    rule("More than enough", said("presidential.10", "identical symbols meet a class too.")),
    rule(
        "Ties, in this order:",
        said("presidential.31", "seven numbers in a row, the higher top;"),
        said("presidential.32", "the largest group of equal numbers, then the higher number;"),
        ruled("presidential.32", "a group beats seven different numbers;"),
        said("presidential.33", "the numbers from high to low;"),
        ruled("presidential.34", "the letters from the latest down, without rows and groups;"),
        said("presidential.35", "the most pink."),
        ruled("presidential.35", "Then the pot is split."),
    ),
    rule("A card of Kingdom V", ruled("presidential.36", "counts as the number that serves you best.")),
    rule(
        "Colours:",
        ruled(
            "presidential.3",
            "I dark red, orange, yellow, green; II dark blue, indigo, violet, black; III and IV the light ones and "
            "grey; V tan and pink.",
        ),
    ),
)

_PLAYERS = phrase("presidential.leaflet", "{fewest} to {most}")
_HOUSE_DECK = phrase("presidential.leaflet", "house deck")
_DECK = phrase("presidential.leaflet", "{name} deck")


def leaflet(sheet: Sheet) -> Leaflet:
    """The page of a sheet.

    >>> from casino.games.presidential.sheet import sheet
    >>> leaflet(sheet({"raises": 0})).listings[1].rows[5].value
    'none'
    """
    return page(
        "Draw poker with seven cards and two betting intervals, against the other players. The highest hand takes the "
        "pot.",
        (listing("The 72 cards", CARDS), listing("Limits and choices", _limits(sheet))),
        (
            chapter("The round", _round(sheet)),
            chapter("Hands, best first", HANDS),
            chapter("How hands are ranked", RANKING),
        ),
    )


def _limits(sheet: Sheet) -> tuple[Row, ...]:
    players = _PLAYERS.format(fewest=PLAYERS[0], most=PLAYERS[1])
    deck = _HOUSE_DECK if sheet.deck == HOUSE else _DECK.format(name=sheet.deck)
    return (
        *pot.rows(sheet.terms, "Ante of each player"),
        row("Bet or raise, least", Units(sheet.bet_minimum_units), "presidential.5", house=True),
        row("Bet or raise, most", limit(sheet.bet_maximum_units), "presidential.5", house=True),
        row("Raises in an interval", str(sheet.raises) if sheet.raises else "none", "presidential.5", house=True),
        row("Players", players, house=True),
        row("Symbols on the cards", deck, "presidential.4", house=True),
    )


def _round(sheet: Sheet) -> tuple[Rule, ...]:
    return (
        rule("The ante", *pot.sentences(sheet.terms)),
        rule(
            "Seven cards each, then the first interval",
            said(
                "presidential.5",
                "from the dealer’s left: check or open, then call, raise or drop, until the bets are even. If nobody "
                "opens: another ante, and the next player to the left deals.",
            ),
        ),
        rule(
            "You replace",
            said("presidential.6", "any number of cards, in turn, or stand pat."),
            ruled("presidential.8", "If the stock is too short, earlier discards are shuffled into it."),
        ),
        rule(
            "The second interval",
            said(
                "presidential.6",
                "begins with the opener or the next active player to the left. A bet that nobody meets wins the pot.",
            ),
        ),
        rule("At the showdown", said("presidential.7", "the highest hand wins the pot."), LEFT_OVER),
        UNFORESEEN,
    )
