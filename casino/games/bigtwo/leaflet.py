"""What players at a table read about Big Two (rules/bigtwo.md), as its sheet sets it."""

from casino.games.bigtwo.points import MULTIPLIED
from casino.games.bigtwo.sheet import Options, Sheet
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
from casino.games.pot import chip_row
from casino.money import Units
from casino.phrases import phrases

FIRST_PLAYER = {
    "lowest_card": (
        "the lowest card",
        "Whoever holds the lowest card dealt leads each round and must include it.",
    ),
    "round_winner": (
        "the last winner",
        "Whoever holds the lowest card dealt leads the first round and must include it; later rounds are led by the "
        "last round’s winner with any combination.",
    ),
}
"""Who plays first (bigtwo.3): in a word, and in a sentence."""
BASE = {
    "cards": ("Each card left", "1 point"),
    "ranks": ("Ranks left, added up", "3 is 1 … 2 is 13"),
    "one": ("Any cards left", "1 point"),
}
"""bigtwo.12."""
SCORING = {
    "cumulative": (
        "added up",
        "Points add up over the series. The fewest win: each other pays the price of a point for every point above "
        "the fewest.",
    ),
    "winner_takes_all": ("to the winner", "Each pays the price of their points to the round’s winner."),
    "pay_higher": (
        "to all ranked higher",
        "Each pays the price of their points to every player ranked higher; equal numbers of cards don’t pay each "
        "other.",
    ),
}
"""bigtwo.14."""
COMBINATIONS = (
    rule(
        "A combination",
        said(
            "bigtwo.7",
            "is a single, a pair or a triple of one rank, or five cards, from low to high: straight, flush, full "
            "house, four of a kind with one card, straight flush.",
        ),
    ),
    rule(
        "Ranks",
        said(
            "bigtwo.1", "from high to low: 2 A K Q J 10 … 3. Suits from high to low: spades, hearts, clubs, diamonds."
        ),
    ),
    rule(
        "Of equal kinds",
        said(
            "bigtwo.8",
            "the highest rank decides, then its suit: a pair goes by its higher suit, a full house by its triple, "
            "a four by its four, a straight or flush by its top card, rank before suit.",
        ),
    ),
    rule(
        "A straight",
        ruled("bigtwo.9", "is five ranks in a row, from 3-4-5-6-7 up to J-Q-K-A-2. A-2-3-4-5 and 2-3-4-5-6 are none."),
    ),
)
BOMBS = rule(
    "A bomb,",
    said(
        "bigtwo.10",
        "a four with one card or a straight flush, may be played on any combination of any size. Only a higher bomb "
        "beats it.",
    ),
)
UNSEEN = rule(
    "Nobody but you",
    said("bigtwo.15", "sees your hand. When a player has no cards left the others show theirs."),
    ruled("bigtwo.15", "A lowest card that wasn’t in the first play then holds the round."),
)
ENTERED = rule("A shoe or scanner", said("bigtwo.15", "enters the hands at the deal, face down."))
SKIPPED = rule(
    "A turn is skipped",
    ruled(
        "bigtwo.11",
        "when no combination of the cards not yet played, of no more cards than you hold, could beat the one on the "
        "table.",
    ),
)

_LEFT = phrases(
    "bigtwo.leaflet",
    {"one": "{fewest} cards left", "range": "{fewest} to {most} cards left"},
)


def leaflet(sheet: Sheet) -> Leaflet:
    """The page of a sheet.

    >>> from casino.games.bigtwo.sheet import sheet
    >>> [row.label for row in leaflet(sheet({"multiplier": "10-13"})).listings[0].rows]
    ['Each card left', '10 to 12 cards left', '13 cards left', 'No card left']
    """
    options = sheet.options
    return page(
        "Play your thirteen cards before the others play theirs. Whoever is out first wins; cards left cost points.",
        (listing("What cards left cost", _costs(options)), listing("Limits and choices", _limits(sheet))),
        (
            chapter("The round", _round(sheet)),
            chapter("Combinations", (*COMBINATIONS, *((BOMBS,) if options.bombs else ()))),
        ),
    )


def _costs(options: Options) -> tuple[Row, ...]:
    steps = MULTIPLIED[options.multiplier][::-1]
    ends = [fewest - 1 for fewest, _ in steps[1:]] + [13]
    taken = tuple(
        row(_span(fewest, last), f"× {factor}", "bigtwo.13", house=True)
        for (fewest, factor), last in zip(steps, ends, strict=False)
    )
    return (
        row(*BASE[options.base], "bigtwo.12"),
        *(taken or (row("Many cards left", "no extra points", "bigtwo.13", house=True),)),
        row("No card left", "nothing", "bigtwo.12"),
    )


def _span(fewest: int, most: int) -> str:
    return _LEFT["one" if fewest == most else "range"].format(fewest=fewest, most=most)


def _limits(sheet: Sheet) -> tuple[Row, ...]:
    options = sheet.options
    return (
        row("Price of a point", Units(sheet.price_units), "bigtwo.14", house=True),
        chip_row(sheet.chip_units),
        row("Points are paid", SCORING[options.scoring][0], "bigtwo.14", house=True),
        row("Rounds of a series", str(sheet.rounds), "bigtwo.14"),
        row("Players", "2 to 4", house=True),
        row("First to play", FIRST_PLAYER[options.first_player][0], "bigtwo.3"),
        row("Hands at the deal", "unseen" if sheet.unseen else "entered", "bigtwo.15"),
        row("Bombs", "yes" if options.bombs else "no", "bigtwo.10"),
        row("Turns without a chance", "skipped" if options.auto_skip else "not skipped", "bigtwo.11", house=True),
    )


def _round(sheet: Sheet) -> tuple[Rule, ...]:
    options = sheet.options
    shared = (LEFT_OVER,) if options.scoring == "cumulative" else ()
    return (
        rule(
            "Thirteen cards each",
            said("bigtwo.1", "of one deck of 52."),
            ruled("bigtwo.1", "With two or three players the rest stays out."),
            said("bigtwo.1", "How many cards you hold is public."),
        ),
        UNSEEN if sheet.unseen else ENTERED,
        rule(
            "Turns",
            said("bigtwo.2", "go counter-clockwise."),
            said("bigtwo.3", FIRST_PLAYER[options.first_player][1]),
        ),
        rule(
            "You play or pass.",
            said(
                "bigtwo.4",
                "A play has as many cards as the lead and is stronger than the last play. Who passes may play again "
                "later in the trick.",
            ),
            *((said("bigtwo.10", "A bomb may be played on anything."),) if options.bombs else ()),
            ruled("bigtwo.4", "Who leads a trick must play."),
        ),
        *((SKIPPED,) if options.auto_skip else ()),
        rule("When all others have passed,", said("bigtwo.5", "the last to play leads the next trick.")),
        rule(
            "The round ends",
            said("bigtwo.6", "at once when a player has no cards left. The others rank by cards left, fewest first."),
        ),
        rule("Scoring:", ruled("bigtwo.14", SCORING[options.scoring][1]), *shared, VOID_AFTERWARDS),
        UNFORESEEN,
    )
