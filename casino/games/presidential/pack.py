"""A SIXCHEX deck as data: a file of 72 cards, checked by presidential.1 and .2 before anything relies on it."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from casino.games.decks import Deck, Face
from casino.games.presidential.symbols import name as symbol_name
from casino.phrases import phrase

CATEGORIES = ("number", "letter", "colour", "picture", "figure", "mystery")
"""The six categories of symbols, in the order of a deck file's columns (presidential.1)."""

COLUMNS = ("card", "kingdom", "numbers", *CATEGORIES[1:])
ROMAN = ("", "I", "II", "III", "IV", "V")
COPIES = 4
"""How many cards each symbol stands on (presidential.1)."""

KINGDOMS: Mapping[int, tuple[int, tuple[tuple[int, ...], ...]]] = {
    1: (16, ((1,), (2,), (3,), (4,))),
    2: (16, ((5,), (6,), (7,), (8,))),
    3: (16, ((9,), (10,), (11,), (12,))),
    4: (16, ((13,), (14,), (15,), (16,))),
    5: (8, ((17, 20), (18, 19))),
}
"""presidential.2: how many cards a kingdom has, and the play numbers on them."""

RAINBOW = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
_LIGHT = frozenset((*(f"light-{hue}" for hue in RAINBOW), "grey"))
COLOURS: Mapping[int, frozenset[str]] = {
    1: frozenset(("dark-red", "dark-orange", "dark-yellow", "dark-green")),
    2: frozenset(("dark-blue", "dark-indigo", "dark-violet", "black")),
    3: _LIGHT,
    4: _LIGHT,
    5: frozenset(("tan", "pink")),
}
"""presidential.3"""

_COLOUR_FAMILIES = {"black": "grey", "grey": "grey", "tan": "pink", "pink": "pink"}

_GAMES = Path(__file__).parent.parent
HOUSE = "house"
HOUSE_FILE = _GAMES.joinpath("sixchex_house_deck.csv")
LOADED = _GAMES.joinpath("sixchex_decks")
"""Where `manage.py load_deck` puts a house's own decks; a rule sheet names one by its file's name."""
_LOADED_PREFIX = "casino/games/sixchex_decks/"
_MOST_BYTES = 1_000_000


class InvalidDeckError(Exception):
    """A deck file that can't be read or breaks presidential.1 or .2; the message names the line at fault."""


class Card(NamedTuple):
    """A row of a deck file; `numbers` holds one play number, or two on a card of Kingdom V."""

    code: str
    line: int
    kingdom: int
    numbers: tuple[int, ...]
    letter: str
    colour: str
    picture: str
    figure: str
    mystery: str

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols with their categories, since a letter may look like a mystery symbol: `letter X`, `mystery X`."""
        own = (spell_numbers(self.numbers), self.letter, self.colour, self.picture, self.figure, self.mystery)
        return tuple(f"{category} {symbol}" for category, symbol in zip(CATEGORIES, own, strict=True))


class Pack(NamedTuple):
    """A checked deck. `symbols` of each card; `families` of each symbol that has one; `warnings` by presidential.3."""

    cards: Mapping[str, Card]
    symbols: Mapping[str, tuple[str, ...]]
    families: Mapping[str, str]
    deck: Deck
    warnings: tuple[str, ...]


def spell_numbers(numbers: Sequence[int]) -> str:
    """Play numbers as a deck file writes them.

    >>> spell_numbers((18, 19))
    '18+19'
    """
    return "+".join(map(str, numbers))


def family(symbol: str) -> str | None:
    """What makes symbols similar (presidential.9): a hue, black and grey, tan and pink, the shape of a figure.

    >>> family("colour light-red"), family("colour black"), family("figure solid-crown"), family("letter A")
    ('hue red', 'hue grey', 'shape crown', None)
    """
    category, _, name = symbol.partition(" ")
    if category == "figure":
        return f"shape {name.partition('-')[2] or name}"
    if category == "colour":
        shade, _, hue = name.partition("-")
        return f"hue {hue if hue and shade in ('dark', 'light') else _COLOUR_FAMILIES.get(name, name)}"
    return None


# A deck by its name or its path


@lru_cache(maxsize=1)
def house() -> Pack:
    """The deck that is used unless a house loads its own."""
    return read(HOUSE_FILE.read_text("utf-8"))


def names() -> tuple[str, ...]:
    """The decks that a rule sheet may name."""
    return (HOUSE, *sorted(file.stem for file in LOADED.glob("*.csv")))


def path_of(name: str) -> str | None:
    """What a line of contracts/adjudicate.md writes as its `deck_file`.

    >>> path_of("house"), path_of("printed")
    (None, 'casino/games/sixchex_decks/printed.csv')
    """
    return None if name == HOUSE else f"{_LOADED_PREFIX}{name}.csv"


def load(path: str | None) -> Pack:
    """The deck of a file, None for the house deck. A loaded deck's path holds from any current folder.

    :raises InvalidDeckError: if it can't be read, or breaks presidential.1 or .2.
    """
    if path is None:
        return house()
    file = Path(path)
    if path.startswith(_LOADED_PREFIX) and not file.exists():
        file = LOADED.joinpath(path.removeprefix(_LOADED_PREFIX))
    try:
        status = file.stat()
        if not file.is_file() or status.st_size > _MOST_BYTES:
            raise InvalidDeckError(f"The deck file {path} is no deck: it is no file, or larger than a megabyte.")
        return _load(file.resolve(), status.st_mtime_ns, status.st_size)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidDeckError(f"Line {line} of the deck file {path} is not UTF-8.") from error
    except (OSError, ValueError) as error:
        raise InvalidDeckError(f"The deck file {path} can't be read: {_reason(error)}.") from error


@lru_cache(maxsize=8)
def _load(file: Path, changed: int, size: int) -> Pack:
    """The deck of a file, which is read once, and again when it has changed."""
    return read(file.read_bytes().decode(), house().cards)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


# Reading and checking


def read(text: str, model: Mapping[str, Card] | None = None) -> Pack:
    """A deck file's text, checked; `model` is a sound deck that helps to tell which card of several is the wrong one.

    :raises InvalidDeckError: at the first breach of presidential.1 or .2; its message begins with the line.
    """
    cards: dict[str, Card] = {}
    for card in _rows(text):
        if card.code in cards:
            raise _at(card.line, f"the card {card.code} is already on line {cards[card.code].line}")
        cards[card.code] = card
    rows = tuple(cards.values())
    _check_kingdoms(rows)
    _check_symbols(rows, model or {})
    symbols = {card.code: card.symbols for card in rows}
    families = {
        symbol: kin for of_card in symbols.values() for symbol in of_card if (kin := family(symbol)) is not None
    }
    return Pack(cards, symbols, families, _deck(rows), tuple(_warnings(rows)))


def _at(line: int, message: str, clause: str = "presidential.1") -> InvalidDeckError:
    return InvalidDeckError(f"Line {line}: {message} ({clause}).")


def _rows(text: str) -> Iterator[Card]:
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
        if sorted(header) != sorted(COLUMNS):
            raise _at(1, f"the columns are {', '.join(header) or 'missing'}; a deck has {', '.join(COLUMNS)}")
        for row in rows:
            if row:
                yield _card(dict(zip(header, (cell.strip() for cell in row), strict=False)), len(row), rows.line_num)
    except csv.Error as error:
        raise _at(rows.line_num, f"no comma-separated values: {error}") from error


def _card(row: Mapping[str, str], cells: int, line: int) -> Card:
    if cells != len(COLUMNS):
        raise _at(line, f"{cells} values for {len(COLUMNS)} columns")
    for column in COLUMNS:
        if not row[column]:
            raise _at(line, f"the {column} is missing")
    kingdom = row["kingdom"]
    if kingdom not in ("1", "2", "3", "4", "5"):
        raise _at(line, f"kingdom {kingdom}; a kingdom is a number from 1 to 5", "presidential.2")
    _, on_cards = KINGDOMS[int(kingdom)]
    numbers = next((some for some in on_cards if spell_numbers(some) == row["numbers"]), None)
    if numbers is None:
        one_of = ", ".join(map(spell_numbers, on_cards))
        what = f"play number {row['numbers']} in Kingdom {ROMAN[int(kingdom)]}, which has {one_of}"
        raise _at(line, what, "presidential.2")
    letter = row["letter"]
    if not (len(letter) == 1 and letter.isascii() and letter.isupper()):
        raise _at(line, f"the letter is {letter}, none from A to Z")
    return Card(row["card"], line, int(kingdom), numbers, *(row[category] for category in CATEGORIES[1:]))


def _check_kingdoms(cards: Sequence[Card]) -> None:
    members: dict[int, list[Card]] = defaultdict(list)
    for card in cards:
        members[card.kingdom].append(card)
    for kingdom, (count, _) in KINGDOMS.items():
        of_kingdom = members[kingdom]
        what = f"Kingdom {ROMAN[kingdom]} has {len(of_kingdom)} cards, not {count}"
        if len(of_kingdom) > count:
            raise _at(of_kingdom[count].line, what, "presidential.2")
        if len(of_kingdom) < count:
            last = cards[-1].line if cards else 1
            raise _at(last, f"the file ends here, and {what}", "presidential.2")


def _check_symbols(cards: Sequence[Card], model: Mapping[str, Card]) -> None:
    """Check that each symbol is on four cards. One on too many is named first, the likelier slip; else the rarest."""
    carriers: dict[str, list[Card]] = defaultdict(list)
    for card in cards:
        for symbol in card.symbols:
            carriers[symbol].append(card)
    wrong = [symbol for symbol, carrying in carriers.items() if len(carrying) != COPIES]
    if not wrong:
        return
    too_many = [symbol for symbol in wrong if len(carriers[symbol]) > COPIES]
    symbol = too_many[0] if too_many else min(wrong, key=lambda symbol: len(carriers[symbol]))
    carrying = carriers[symbol]
    # Where the file agrees with a sound deck on all carriers but one, that one is at fault; else the last.
    differing = [card for card in carrying if card.code in model and symbol not in model[card.code].symbols]
    suspect = differing[0] if len(differing) == 1 else carrying[-1]
    lines = ", ".join(str(card.line) for card in carrying)
    count = f"{len(carrying)} card{'s'[: len(carrying) != 1]} (line{'s'[: len(carrying) != 1]} {lines})"
    raise _at(suspect.line, f"the {symbol} stands on {count}, not on four")


def _warnings(cards: Sequence[Card]) -> Iterator[str]:
    for card in cards:
        if card.colour not in COLOURS[card.kingdom]:
            kingdom = ROMAN[card.kingdom]
            yield f"Line {card.line}: {card.colour} is no colour of Kingdom {kingdom} (presidential.3)."


# How screens show it


def _deck(cards: Sequence[Card]) -> Deck:
    keys, called = _keys(cards), _names(cards)
    return Deck(
        copies=dict.fromkeys((card.code for card in cards), 1),
        order=tuple(tuple(card.code for card in cards if card.kingdom == kingdom) for kingdom in KINGDOMS),
        faces={
            card.code: Face(spell_numbers(card.numbers), card.letter, card.colour, called[card.code], keys[card.code])
            for card in cards
        },
    )


_CARD = phrase("presidential.card", "{colour} {number}")
_WITH_PICTURE = phrase("presidential.card", "{card} with the {picture}")


def _names(cards: Sequence[Card]) -> dict[str, str]:
    """`light green 9`; equal names get the picture added, or else are the file's."""
    short = [
        _CARD.format(colour=symbol_name("colour", card.colour), number=spell_numbers(card.numbers)) for card in cards
    ]
    longer = [
        _WITH_PICTURE.format(card=name, picture=symbol_name("picture", card.picture))
        for card, name in zip(cards, short, strict=True)
    ]
    names = {}
    for card, *called in zip(cards, short, longer, strict=True):
        alone = (name for name, among in zip(called, (short, longer), strict=True) if among.count(name) == 1)
        names[card.code] = next(alone, card.code)
    return names


def _keys(cards: Sequence[Card]) -> dict[str, str]:
    """Keys: the letter and the number that a card shows, in Kingdom V the colour too: `J10`, `T17P`.

    In a deck whose cards these don't tell apart, the cards of a letter are counted: `J1` to `J4`.
    """
    keys = {
        card.code: f"{card.letter}{card.numbers[0]}{card.colour[0] if len(card.numbers) > 1 else ''}".upper()
        for card in cards
    }
    if not any(after.startswith(before) for before, after in pairwise(sorted(keys.values()))):
        return keys
    counted: dict[str, int] = defaultdict(int)
    for card in cards:
        counted[card.letter] += 1
        keys[card.code] = f"{card.letter}{counted[card.letter]}"
    return keys
