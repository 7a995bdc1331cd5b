"""The class of a seven-card hand: the best that some choice of one symbol per card gives (presidential.9).

No choice is tried out. Cards of a hand are bits of a mask; each symbol has the mask of the cards that carry it, and
each class asks whether such masks can be met without using a card twice.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from casino.games.presidential.pack import RAINBOW, Pack
from casino.phrases import phrases

CARDS = 7
CLASSES: Mapping[str, str] = {
    "7:7": "presidential.11",
    "7:1": "presidential.12",
    "7:0": "presidential.13",
    "6:1": "presidential.14",
    "5:2": "presidential.15",
    "5:1:1": "presidential.16",
    "4:3": "presidential.17",
    "4:2:1": "presidential.18",
    "4:1:1:1": "presidential.19",
    "3:3:1": "presidential.20",
    "3:2:2": "presidential.21",
    "3:2:1:1": "presidential.22",
    "3:1:1:1:1": "presidential.23",
    "2:2:2:1": "presidential.24",
    "2:2:1:1:1": "presidential.25",
    "2:1:1:1:1:1": "presidential.26",
    "0:7": "presidential.27",
}
"""Best first, each with its clause."""

NAMES = phrases(
    "presidential.hand",
    {
        "7:7": "All seven of Kingdom V",
        "7:1": "The rainbow",
        "7:0": "Four and three of a family",
        "6:1": "Four and two of a family",
        "5:2": "Five of a family and a pair",
        "5:1:1": "Five of a family and two similar",
        "4:3": "Four and a triple",
        "4:2:1": "Four and three similar with a pair",
        "4:1:1:1": "Four and three similar",
        "3:3:1": "Two triples",
        "3:2:2": "A triple and two pairs",
        "3:2:1:1": "A triple and a pair",
        "3:1:1:1:1": "A triple",
        "2:2:2:1": "Three pairs",
        "2:2:1:1:1": "Two pairs",
        "2:1:1:1:1:1": "A pair",
        "0:7": "Nothing",
    },
)
"""What a croupier calls them, by what they are; within a sentence it is `NAMES[name].within()`."""

STRENGTH = {name: -place for place, name in enumerate(CLASSES)}

_ALL = (1 << CARDS) - 1
_COUNT = tuple(mask.bit_count() for mask in range(1 << CARDS))
_DARK = frozenset(f"colour dark-{hue}" for hue in RAINBOW)
_LIGHT = frozenset(f"colour light-{hue}" for hue in RAINBOW)


class Part(NamedTuple):
    """Cards that make part of a class: `size` of the mask `cards`, all with the symbol or of the family `what`."""

    what: str
    cards: int
    size: int


class Best(NamedTuple):
    """A hand's class, as `4:2:1`, and what it is made of."""

    name: str
    parts: tuple[Part, ...] = ()


Masks = Mapping[str, int]


def best(pack: Pack, cards: Sequence[str]) -> Best:
    """The best class of seven different cards of the deck (presidential.9 to .27)."""
    if all(pack.cards[card].kingdom == 5 for card in cards):
        return Best("7:7")
    symbols = pack.symbols
    masks: dict[str, int] = {}
    several: dict[str, int] = {}
    bit = 1
    for card in cards:
        for symbol in symbols[card]:
            if symbol in masks:
                masks[symbol] = several[symbol] = masks[symbol] | bit
            else:
                masks[symbol] = bit
        bit <<= 1
    if masks.keys() >= _DARK or masks.keys() >= _LIGHT:
        return Best("7:1")
    return _of_four(pack, masks, several) or _of_three(several) or _of_two(several)


def _of_four(pack: Pack, masks: Masks, several: Masks) -> Best | None:
    """The classes with four identical, presidential.13 to .19; no symbol stands on a fifth card."""
    fours = [symbol for symbol, mask in several.items() if _COUNT[mask] == 4]
    if not fours:
        return None
    kin: dict[str, int] = {}
    for symbol, mask in masks.items():
        name = pack.families.get(symbol)
        if name is not None:
            kin[name] = kin.get(name, 0) | mask
    hand = _Rest(pack, several, kin)
    choices = [choice for symbol in fours for choice in (hand.beside(symbol),) if choice]
    return max(choices, key=lambda choice: STRENGTH[choice.name]) if choices else None


class _Rest:
    """The three cards beside four identical ones, and the classes they make; `kin` are the masks of families."""

    def __init__(self, pack: Pack, several: Masks, kin: Masks) -> None:
        self.pack = pack
        self.several = several
        self.kin = kin

    def beside(self, four: str) -> Best | None:
        mask = self.several[four]
        own = self.pack.families.get(four)
        quad = Part(four, mask, 4)
        for name, parts in self._classes(own, _ALL & ~mask):
            if parts is not None:
                return Best(name, (quad, *parts))
        return None

    def _classes(self, own: str | None, rest: int) -> Iterator[tuple[str, tuple[Part, ...] | None]]:
        """The classes, best first, each with the parts that make it, or None if nothing does."""
        if own is not None:
            yield "7:0", self._identical(rest, 3, own)
            yield "6:1", self._identical(rest, 2, own)
            yield "5:2", self._with_one_of(own, rest, lambda two: self._identical(two, 2))
            yield "5:1:1", self._with_one_of(own, rest, self._similar)
        yield "4:3", self._identical(rest, 3)
        yield "4:2:1", self._two_of_three_similar(rest)
        yield "4:1:1:1", self._similar(rest)

    def _identical(self, among: int, size: int, own: str | None = None) -> tuple[Part, ...] | None:
        """`size` of these cards with one symbol, of the family `own` if one is named."""
        for symbol, mask in self.several.items():
            if _COUNT[mask & among] >= size and (own is None or self.pack.families.get(symbol) == own):
                return (Part(symbol, mask & among, size),)
        return None

    def _similar(self, among: int) -> tuple[Part, ...] | None:
        """All these cards of one family."""
        for name, mask in self.kin.items():
            if not among & ~mask:
                return (Part(name, among, _COUNT[among]),)
        return None

    def _two_of_three_similar(self, rest: int) -> tuple[Part, ...] | None:
        for name, mask in self.kin.items():
            two = None if rest & ~mask else self._identical(rest, 2, name)
            if two:
                return (*two, Part(name, rest & ~two[0].cards, 1))
        return None

    def _with_one_of(
        self, own: str, rest: int, of_two: Callable[[int], tuple[Part, ...] | None]
    ) -> tuple[Part, ...] | None:
        """One card of the family `own`; the other two as `of_two` wants them."""
        for bit in _bits(rest & self.kin[own]):
            parts = of_two(rest & ~bit)
            if parts:
                return (Part(own, bit, 1), *parts)
        return None


def _of_three(several: Masks) -> Best | None:
    """The classes with a triple, presidential.20 to .23; four identical are a triple too (presidential.10)."""
    triples = [Part(symbol, mask, 3) for symbol, mask in several.items() if _COUNT[mask] >= 3]
    if not triples:
        return None
    for some in combinations(triples, 2):
        if apart(some):
            return Best("3:3:1", some)
    pairs = _pairs(several)
    for triple in triples:
        for two in combinations(pairs, 2):
            if apart((triple, *two)):
                return Best("3:2:2", (triple, *two))
    for triple in triples:
        for pair in pairs:
            if apart((triple, pair)):
                return Best("3:2:1:1", (triple, pair))
    return Best("3:1:1:1:1", (triples[0],))


def _of_two(several: Masks) -> Best:
    """presidential.24 to .27; here no symbol is on more than two cards, so two pairs only must not share a card."""
    symbols = _symbols(several)
    for one, two, three in combinations(symbols, 3):
        if not (one & two or (one | two) & three):
            return Best("2:2:2:1", tuple([Part(symbols[mask], mask, 2) for mask in (one, two, three)]))
    for one, two in combinations(symbols, 2):
        if not one & two:
            return Best("2:2:1:1:1", (Part(symbols[one], one, 2), Part(symbols[two], two, 2)))
    return Best("2:1:1:1:1:1", (_pairs(several)[0],)) if several else Best("0:7")


def _pairs(several: Masks) -> list[Part]:
    return [Part(symbol, mask, 2) for mask, symbol in _symbols(several).items()]


def _symbols(several: Masks) -> dict[int, str]:
    """Symbols by their cards; of several on the same cards, any one will do."""
    return {mask: symbol for symbol, mask in several.items()}


def apart(parts: Sequence[Part]) -> bool:
    """Whether each part can have its cards, none used twice: any parts together have enough (Hall's theorem).

    >>> apart((Part("letter A", 0b0000111, 3), Part("picture owl", 0b0001100, 2)))
    False
    >>> apart((Part("letter A", 0b0001111, 3), Part("picture owl", 0b0011100, 2)))
    True
    """
    for count in range(2, len(parts) + 1):
        for some in combinations(parts, count):
            union = size = 0
            for _, mask, wanted in some:
                union |= mask
                size += wanted
            if _COUNT[union] < size:
                return False
    return True


def dealt_out(parts: Sequence[Part], taken: int = 0) -> tuple[tuple[int, ...], ...]:
    """Each part's cards as places in the hand, no place used twice.

    >>> dealt_out((Part("letter A", 0b0001111, 3), Part("picture owl", 0b0011100, 2)))
    ((0, 1, 2), (3, 4))
    """
    return next(_deals(tuple(parts), taken), ())


def _deals(parts: tuple[Part, ...], taken: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not parts:
        yield ()
        return
    first, *others = parts
    places = [bit.bit_length() - 1 for bit in _bits(first.cards & ~taken)]
    for chosen in combinations(places, first.size):
        now = taken | sum(1 << place for place in chosen)
        for further in _deals(tuple(others), now):
            yield (chosen, *further)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
