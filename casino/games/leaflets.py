"""What players read of a table's rules: the values of the page that every game fills from its sheet.

A diamond marks this house's rulings: sentences that the rule files mark so, and what the sheet adds without them, such
as a rake or the price of a point. What they leave to each table's sheet unmarked has none.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from casino.money import Units
from casino.phrases import Phrase, phrase


class Row(NamedTuple):
    """A value at a glance. `clause` is "" if no clause has it."""

    label: str
    value: str | Units
    clause: str = ""
    house: bool = False


class Listing(NamedTuple):
    """Values one below the other; if one is an amount, the page names the currency after the title."""

    title: str
    rows: tuple[Row, ...]


class Sentence(NamedTuple):
    clause: str
    text: str
    house: bool = False


class Rule(NamedTuple):
    """Sentences that belong together; `lead` stands before them in bold and may be the beginning of the first."""

    lead: str
    sentences: tuple[Sentence, ...]


class Chapter(NamedTuple):
    title: str
    rules: tuple[Rule, ...]


class Leaflet(NamedTuple):
    """Everything that a game says on its page; `lede` is the game in a sentence or two."""

    lede: str
    listings: tuple[Listing, ...]
    chapters: tuple[Chapter, ...]

    def statements(self) -> Iterator[Row | Sentence]:
        """Everything that has a clause or a mark, in the order of the page."""
        for listing in self.listings:
            yield from listing.rows
        for chapter in self.chapters:
            for rule in chapter.rules:
                yield from rule.sentences


# Functions that make these values out of literal sentences, each a phrase. If a text has places, the caller fills a
# phrase of its own: phrase("leaflet.value", "up to {count}").format(count=3).


def _text(context: str, text: str) -> str:
    """A literal as a phrase; digits and phrases stay as they are."""
    if isinstance(text, Phrase) or not any(map(str.isalpha, text)):
        return text
    return phrase(f"leaflet.{context}", text)


def said(clause: str, text: str) -> Sentence:
    """A sentence of the published rules."""
    return Sentence(clause, _text(clause, text))


def ruled(clause: str, text: str) -> Sentence:
    """A sentence that is this house's ruling."""
    return Sentence(clause, _text(clause, text), house=True)


def row(label: str, value: str | Units, clause: str = "", *, house: bool = False) -> Row:
    """A value at a glance; `value` is an amount, digits, a literal or a filled phrase."""
    return Row(_text("row", label), value if isinstance(value, Units) else _text("value", value), clause, house)


def rule(lead: str, *sentences: Sentence) -> Rule:
    """Sentences that belong together."""
    return Rule(_text("lead", lead), sentences)


def listing(title: str, rows: Iterable[Row]) -> Listing:
    """Values one below the other."""
    return Listing(_text("title", title), tuple(rows))


def chapter(title: str, rules: Iterable[Rule]) -> Chapter:
    """Rules below a heading."""
    return Chapter(_text("title", title), tuple(rules))


def page(lede: str, listings: Iterable[Listing], chapters: Iterable[Chapter]) -> Leaflet:
    """The whole page.

    >>> page("The highest card wins.", (), (chapter("The round", (UNFORESEEN,)),)).chapters[0].title.context
    'leaflet.title'
    """
    return Leaflet(_text("lede", lede), tuple(listings), tuple(chapters))


NO_LIMIT = phrase("leaflet.value", "no limit")


def limit(units: int | None) -> str | Units:
    """An upper limit, or words if there is none.

    >>> limit(500), limit(None)
    (500, 'no limit')
    """
    return NO_LIMIT if units is None else Units(units)


LEFT_OVER = ruled("house.1", "Chips left over go one each to the winners in seat order from the dealer’s left.")

VOID_AFTERWARDS = ruled("house.6", "A round voided after its end gives no points and counts as played.")

UNFORESEEN = rule(
    "What no clause covers",
    ruled("house.4", "holds the round. The pit boss voids it, all stakes returned, or lets it stand, with a reason."),
    ruled("house.2", "A card that lies twice holds it too; what can’t be entered can’t be let stand."),
)
"""The last rule of every game."""
