"""What players at a table read about Genpoker (rules/genpoker.md), as its sheet sets it."""

from casino.games import pot
from casino.games.genpoker.sheet import PLAYERS, Sheet
from casino.games.leaflets import (
    LEFT_OVER,
    UNFORESEEN,
    Leaflet,
    chapter,
    listing,
    page,
    row,
    rule,
    ruled,
    said,
)
from casino.phrases import phrase

CARDS = tuple(
    row(name, str(count), "genpoker.1")
    for name, count in (
        ("#1 children", 2),
        ("#2 parents", 2),
        ("#3 grandparents", 4),
        ("#4 XX century", 8),
        ("#5 Victorian", 16),
        ("#6 Europe, 16 couples", 32),
    )
)

_PLACE = phrase("leaflet.lead", "{place}. {name}:")
HANDS = tuple(
    rule(_PLACE.format(place=place, name=phrase("leaflet.lead", name)), said(clause, text))
    for place, (clause, name, text) in enumerate(
        (
            ("genpoker.11", "America", "1-2-3-4-5 in one colour. Tie: split."),
            ("genpoker.12", "Ancestors", "2-3-4-5-6 in one colour. Tie: split."),
            ("genpoker.13", "Straight", "1-2-3-4-5 or 2-3-4-5-6, colours mixed. Tie: the one from 1, else split."),
            ("genpoker.14", "Grandparents", "all four #3 and any fifth card."),
            ("genpoker.15", "XX century", "five of #4."),
            ("genpoker.16", "Two countries", "two couples of #6 and any fifth card. Tie: lower fifth, else split."),
            ("genpoker.17", "Victorian", "five of #5. Tie: more of one colour, else split."),
            ("genpoker.18", "Europe", "five of #6. Tie: more of one colour, else split."),
            ("genpoker.19", "Children", "both #1 and any three."),
            ("genpoker.20", "Parents", "both #2 and any three."),
            (
                "genpoker.21",
                "Country",
                "a couple of #6 and any three. Tie: lowest of those three, lower total of all five, else split.",
            ),
            ("genpoker.22", "Four of a kind", "of #4, #5 or #6. Tie: lower four, lower fifth card, else split."),
            ("genpoker.23", "Full house", "three and two of a kind. Tie: lower three, lower pair, else split."),
            ("genpoker.24", "Flush", "five of one colour. Tie: lowest card, lower total, else split."),
            (
                "genpoker.25",
                "Three of a kind",
                "of #3 to #6. Tie: lower three, lowest of the other two, lower total, else split.",
            ),
            (
                "genpoker.26",
                "Two pair",
                "Tie: lower of the lower pairs, lower of the other pairs, lower fifth card, else split.",
            ),
            ("genpoker.27", "Pair", "Tie: lower pair, lowest of the other three, lower total, else split."),
            ("genpoker.28", "High card", "none of these. Tie: lowest card, the next lowest and so on, else split."),
        ),
        1,
    )
)
"""Each with what breaks a tie in it, in this order."""

RANKING = (
    rule(
        "A hand counts",
        said("genpoker.5", "as the first class that it satisfies."),
        said("genpoker.4", "A lower number is always worth more."),
        said("genpoker.1", "Half of each number is red, half black; colours never rank."),
    ),
    rule("A couple", said("genpoker.2", "is the red and the black card of one of the 16 nations of #6.")),
    rule("A tie", ruled("genpoker.29", "inside a class is broken by its own rule first: 5-5-1-3-4 beats 5-5-1-2-6.")),
    rule(
        "Two couples",
        said("genpoker.30", "are two countries, both #1 children and both #2 parents, whatever else is held."),
        ruled("genpoker.30", "One couple is a country, unless in a higher class."),
    ),
)


def leaflet(sheet: Sheet) -> Leaflet:
    """The page of a sheet.

    >>> from casino.games.genpoker.sheet import sheet
    >>> leaflet(sheet({"rake_percent": 5})).listings[1].rows[2].value
    '5 % of the pot'
    """
    limits = (
        *pot.rows(sheet),
        row("Players", phrase("leaflet.value", "{least} to {most}").format(least=PLAYERS[0], most=PLAYERS[1])),
        row("Cards dealt", "5", "genpoker.3"),
        row("Exchanged, once", "up to 3", "genpoker.3"),
    )
    play = (
        rule("The stake", *pot.sentences(sheet)),
        rule(
            "Five cards each.",
            said(
                "genpoker.3",
                "In turn you may discard up to three, once, and draw as many. Then all hands are shown.",
            ),
        ),
        rule("The best hand", said("genpoker.3", "takes the pot. Equal hands split it."), LEFT_OVER),
        UNFORESEEN,
    )
    return page(
        "You play for the pot, against the other players: five cards, one exchange, and the best hand takes it.",
        (listing("The 64 cards", CARDS), listing("Limits and choices", limits)),
        (chapter("The round", play), chapter("Hands, best first", HANDS), chapter("How hands are ranked", RANKING)),
    )
