"""What players at a table read about Split Poker (rules/split.md), as its sheet sets it."""

from casino.games.leaflets import (
    UNFORESEEN,
    Leaflet,
    Row,
    Rule,
    Sentence,
    chapter,
    limit,
    listing,
    page,
    row,
    rule,
    ruled,
    said,
)
from casino.games.poker import category_name
from casino.games.split.sheet import PAID_CATEGORIES, STARTING_TABLE, Sheet
from casino.money import Ratio, Units
from casino.phrases import phrase, phrases

PUBLISHED = PAID_CATEGORIES[: PAID_CATEGORIES.index("full_house") + 1]
"""The categories whose coefficients are published (split.21); the table's own completes them (split.22)."""

UNSEEN_CARDS = {
    "small_hand": (
        phrase("leaflet.value", "Small Hand"),
        ruled("split.8", "the first five cards are the Big Hand, the two unseen the Small Hand, as they lie."),
    ),
    "house_way": (
        phrase("leaflet.value", "set by the house"),
        ruled("split.8", "the house sets the best Big Hand of all seven, then the best Small Hand."),
    ),
}
"""What the sheet makes of the two unseen cards of a plain bet (split.8): in a word, and in a sentence."""
SMALL_HAND_BELOW = {
    "even": (
        phrase("leaflet.value", "ANTE 1 to 1"),
        ruled("split.20", "ANTE is paid 1 to 1. BET is returned."),
    ),
    "coefficient": (
        phrase("leaflet.value", "ANTE as listed"),
        ruled("split.20", "ANTE is paid as a BET is, as listed. BET is returned."),
    ),
}
"""What is paid on ANTE when the Small Hand alone is below (split.20)."""
BOX_ORDER = phrases("split.box_order", {"ascending": "lowest first", "descending": "highest first"})
_RATIO = phrase("leaflet.value", "{paid} to {staked}")

BIG_AND_SMALL = (
    rule("Big Hand below the dealer’s:", said("split.17", "ANTE and BET are lost.")),
    rule("Big Hands equal:", said("split.18", "ANTE and BET are returned.")),
    rule("Big Hand above, Small Hand above or equal:", said("split.19", "BET is paid as listed. ANTE is returned.")),
)

DISPUTES = (
    rule(
        "Closed cards thrown in",
        said("split.30", "aren’t given back, whatever is claimed for them. The house takes wagers and cards."),
    ),
    rule(
        "A dealer’s card faced too early",
        said("split.31", "stays open, the others are dealt closed, and the round goes on."),
    ),
    rule(
        "A wrong call or payment",
        said("split.32", "is corrected. The cards decide;"),
        said("split.33", "the difference is paid or collected."),
    ),
    rule("The pack", said("split.34", "is changed between rounds only. No player can demand or stop it.")),
    rule(
        "Cards stay on the table",
        said("split.35", "in view, and players tell each other nothing of theirs."),
        ruled("split.35", "The pit boss rules on what was done."),
    ),
    rule(
        "A card exposed, missing, double or misdealt",
        ruled("split.36", "holds the round. The pit boss voids it, all wagers and fees returned, or lets it stand."),
    ),
    UNFORESEEN,
)


def leaflet(sheet: Sheet) -> Leaflet:
    """The page of a sheet.

    >>> from casino.games.split.sheet import sheet
    >>> leaflet(sheet({"unseen_cards": "house_way"})).listings[1].rows[8]
    Row(label='Unseen cards', value='set by the house', clause='split.8', house=True)
    """
    return page(
        "Your Big Hand of five and Small Hand of two play against the dealer’s.",
        (listing("What a BET is paid", _paid(sheet)), listing("Limits and choices", _limits(sheet))),
        (chapter("The round", _round(sheet)), chapter("When something goes wrong", DISPUTES)),
    )


def _paid(sheet: Sheet) -> tuple[Row, ...]:
    return tuple(_coefficient(category, sheet.coefficient(category)) for category in PAID_CATEGORIES)


def _coefficient(category: str, ratio: Ratio) -> Row:
    """A row of coefficients; if a table pays other than published, that is the house's ruling too."""
    published = category in PUBLISHED and STARTING_TABLE[category] == str(ratio)
    value = _RATIO.format(paid=ratio.numerator, staked=ratio.denominator)
    return row(category_name(category), value, "split.21" if published else "split.22", house=not published)


def _limits(sheet: Sheet) -> tuple[Row, ...]:
    return (
        row("ANTE, least", Units(sheet.ante_minimum_units), "split.4"),
        row("ANTE, most", Units(sheet.ante_maximum_units), "split.4"),
        row("ANTE in steps of", Units(sheet.chip_units), "split.23", house=True),
        row("BET", "2 × ANTE", "split.6"),
        row("Two cards, fee", "1 × ANTE", "split.6"),
        row("The game, fee", "1 × ANTE", "split.12"),
        row("Boxes", str(sheet.boxes), "split.4", house=True),
        *([row("Boxes decide", BOX_ORDER[sheet.box_order], "split.4", house=True)] if sheet.boxes > 1 else ()),
        row("Unseen cards", UNSEEN_CARDS[sheet.unseen_cards][0], "split.8", house=True),
        row("Small Hand below", SMALL_HAND_BELOW[sheet.small_hand_loss_pays][0], "split.20", house=True),
        row("Most paid per box", limit(sheet.max_payment_units), "split.24", house=True),
    )


def _round(sheet: Sheet) -> tuple[Rule, ...]:
    several = (ruled("split.4", "Who plays several boxes decides each by itself."),) if sheet.boxes > 1 else ()
    return (
        rule(
            "You put up an ANTE.",
            said("split.5", "You get five cards face down. The dealer gets five, the fifth face up."),
            *several,
        ),
        rule(
            "Fold, bet or buy.",
            said(
                "split.6",
                "Folding loses the ANTE. A bet is twice the ANTE. Buying costs one ANTE and shows you two more "
                "cards; then you bet or fold.",
            ),
        ),
        rule("A fee is a price.", ruled("split.7", "It is never returned and never paid on.")),
        rule(
            "If you bet without buying,",
            ruled("split.6", "two more cards come, free and unseen;"),
            UNSEEN_CARDS[sheet.unseen_cards][1],
            said("split.8", "The dealer never rearranges."),
        ),
        rule(
            "If you bought,",
            said("split.9", "you set any five and two of the seven."),
            ruled("split.9", "No set is foul. Left to the house: best Big Hand, then best Small Hand."),
        ),
        rule(
            "The dealer has a game",
            said("split.10", "with a pair of twos or better."),
            said("split.16", "Then two more cards are the dealer’s Small Hand."),
        ),
        rule("No game:", said("split.11", "ANTE is paid 1 to 1."), ruled("split.11", "BET is returned.")),
        rule(
            "Or you buy the game",
            said("split.12", "instead, for a fee of one ANTE."),
            ruled("split.12", "Others are paid first; unseen cards stay unseen."),
            ruled("house.7", "What was paid or taken then isn’t asked for again."),
            ruled("split.13", "The dealer’s highest card is replaced, once for the whole table."),
            said("split.13", "The same rank again stands."),
            said("split.15", "With a game now, the dealer takes a Small Hand and you’re compared."),
        ),
        rule("Still no game:", said("split.14", "nothing is paid."), ruled("split.14", "ANTE and BET are returned.")),
        *BIG_AND_SMALL,
        rule("Big Hand above, Small Hand below:", SMALL_HAND_BELOW[sheet.small_hand_loss_pays][1]),
        rule("A payment", *_payment(sheet)),
        rule(
            "Big Hand:",
            said("split.1", "one pack of 52, ace to two."),
            said("split.2", "An ace is low only in 5-4-3-2-A."),
            ruled("split.2", "The rest ranks as in poker, kickers too; suits never rank."),
        ),
        rule("Small Hand:", ruled("split.3", "a pair, then the higher card. No straights or flushes.")),
    )


def _payment(sheet: Sheet) -> tuple[Sentence, ...]:
    rounded = ruled("split.23", "that is no multiple of the smallest chip is rounded down to it.")
    bonus = ruled("split.25", "There is no bonus and no insurance.")
    if sheet.max_payment_units is None:
        return rounded, bonus
    return rounded, ruled("split.24", "What exceeds the most per box and round isn’t paid."), bonus
