"""What players at a table read about Dynastia (rules/dynastia.md), as its sheet sets it."""

from casino.games import pot
from casino.games.decks import Deck
from casino.games.dynastia.cards import CARDS_OF, DECKS, NUMBER, PLAYERS, fitting
from casino.games.dynastia.sheet import Sheet
from casino.games.leaflets import (
    LEFT_OVER,
    UNFORESEEN,
    VOID_AFTERWARDS,
    Leaflet,
    Row,
    Rule,
    chapter,
    listing,
    page,
    row,
    rule,
    ruled,
    said,
)
from casino.money import Units
from casino.phrases import phrases

RANKING = (
    rule(
        "A set",
        said("dynastia.4", "is two to six different numbers in a row. How often you hold a number doesn’t matter."),
        said("dynastia.4", "Your best set is the one that starts lowest, at its full length."),
    ),
    rule("The lower start wins,", ruled("dynastia.5", "whatever the length: 2-3-4 beats 3-4-5-6.")),
    rule(
        "Same start:",
        said("dynastia.6", "the longer set wins: 3-4-5-6 beats 3-4-5."),
        ruled("dynastia.14", "Where the published sample says otherwise, this rule prevails."),
    ),
    rule(
        "Same set:",
        said("dynastia.7", "more cards of the preferred colour in it win."),
        ruled("dynastia.7", "A number held in both colours counts as the preferred one."),
    ),
    rule(
        "Still equal:",
        said(
            "dynastia.8",
            "going up from the lowest number, the first that only one of you holds in the preferred colour decides "
            "for its holder.",
        ),
    ),
    rule(
        "Equal in colours too:",
        ruled(
            "dynastia.9",
            "the other cards decide, going up: the lower number in the preferred colour wins, and a hand that runs out "
            "of them first loses.",
        ),
        said("dynastia.9", "Still equal: the prize is split."),
    ),
    rule(
        "No set",
        said("dynastia.10", "scores 0."),
        ruled(
            "dynastia.10",
            "It ranks below every set; two such hands compare by their cards of the preferred colour, going up.",
        ),
    ),
)

SHORT = (rule("The best hand", said("dynastia.11", "takes the pot."), LEFT_OVER),)
LONG = (
    rule(
        "A set is worth",
        said(
            "dynastia.12",
            "the sum of its numbers. The winner scores the sum of all sets, the second that sum less the winner’s set, "
            "and so on; the last scores only their own set.",
        ),
        ruled("dynastia.13", "Equal hands share equally what their places score together."),
    ),
    rule(
        "At the end",
        said("dynastia.12", "the highest total wins."),
        ruled("dynastia.12", "Every other player pays it the price of a point for every point that they are behind,"),
        ruled("house.5", "down to a whole chip."),
        LEFT_OVER,
        VOID_AFTERWARDS,
    ),
)

_VALUES = phrases(
    "dynastia.leaflet",
    {
        "number": "Number {number}",
        "fewer": "{count}, in 64 cards {fewer}",
        "decks": "Deck, {fewest} to {most} players",
        "deck": "Deck, {most} players",
        "cards": "{count} cards",
        "target": "{target} points",
    },
)


def leaflet(sheet: Sheet) -> Leaflet:
    """The page of a sheet; a long game has no pot, a short one no points.

    >>> from casino.games.dynastia.sheet import sheet
    >>> [row.label for row in leaflet(sheet({"game": "long", "target": 500})).listings[1].rows][-3:]
    ['Played until', 'Price of a point', 'Smallest chip']
    """
    return page(
        "Seven cards build your dynasty, a run of numbers one after the other. The run that starts lowest wins.",
        (listing("The cards", _cards()), listing("Limits and choices", _limits(sheet))),
        (chapter("The round", _round(sheet)), chapter("How hands are ranked", RANKING)),
    )


def _cards() -> tuple[Row, ...]:
    """How often each number is there, in the larger deck and in the smaller."""
    small, large = (_counts(DECKS[size]) for size in sorted(DECKS))
    return tuple(
        row(
            _VALUES["number"].format(number=number),
            str(count) if count == small[number] else _VALUES["fewer"].format(count=count, fewer=small[number]),
            "dynastia.1",
        )
        for number, count in large.items()
    )


def _counts(deck: Deck) -> dict[int, int]:
    return {number: sum(deck.copies[card] for card in deck.copies if NUMBER[card] == number) for number in CARDS_OF}


def _limits(sheet: Sheet) -> tuple[Row, ...]:
    game = ("long, for points", "dynastia.12") if sheet.is_long else ("short, for the pot", "dynastia.11")
    return (row("Game", *game), *_decks(sheet), *(_points(sheet) if sheet.is_long else pot.rows(sheet.terms)))


def _decks(sheet: Sheet) -> tuple[Row, ...]:
    """The deck for each number of players, where both fit that of the sheet (dynastia.1)."""
    by_deck: dict[int, list[int]] = {}
    for players in range(PLAYERS[0], PLAYERS[1] + 1):
        by_deck.setdefault(fitting(sheet.deck, players), []).append(players)
    return tuple(
        row(
            _VALUES["decks" if len(players) > 1 else "deck"].format(fewest=players[0], most=players[-1]),
            _VALUES["cards"].format(count=size),
            "dynastia.1",
            house=True,
        )
        for size, players in by_deck.items()
    )


def _points(sheet: Sheet) -> tuple[Row, ...]:
    if sheet.target is not None:
        end = row("Played until", _VALUES["target"].format(target=sheet.target), "dynastia.12")
    else:
        end = row("Rounds", str(sheet.rounds) if sheet.rounds else "as many as players", "dynastia.12")
    price = row("Price of a point", Units(sheet.price_units), "dynastia.12", house=True)
    return end, price, pot.chip_row(sheet.terms.chip_units)


def _round(sheet: Sheet) -> tuple[Rule, ...]:
    return (
        *(() if sheet.is_long else (rule("The stake", *pot.sentences(sheet.terms)),)),
        rule(
            "Seven cards each,",
            said(
                "dynastia.2",
                "face down. Before the exchange the dealer shows the bottom card: its colour is preferred for the "
                "round.",
            ),
        ),
        rule(
            "You may exchange",
            said(
                "dynastia.3",
                "any number of cards, up to all seven, once. Discards go under the deck and may be dealt again.",
            ),
        ),
        *(LONG if sheet.is_long else SHORT),
        UNFORESEEN,
    )
