"""How every game puts things into words: codes, sentences with their values, players and boxes."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from string import Formatter
from typing import Any

from casino.games.game import Json, Reason
from casino.money import Units, spell, spell_exact
from casino.phrases import Phrase, phrase, phrases


def word(words: Mapping[str, str], code: str) -> str:
    """What a game's words call a code, or the code as people read it; a clause is its own word.

    >>> word({"win_bet": "BET pays"}, "win_bet"), word({}, "stand_off"), word({}, "split.36")
    ('BET pays', 'Stand off', 'split.36')
    """
    return words.get(code) or (code if "." in code else code.replace("_", " ").capitalize())


def fill(sentence: str, values: Mapping[str, Json], decimals: int = 0) -> str:
    """A sentence with its values; amounts (`Units`, `Fraction`) in a currency with `decimals`, or in units.

    >>> fill("Box {box} folded: ANTE {ante} is lost.", {"ante": Units(150), "box": 3}, 2)
    'Box 3 folded: ANTE 1.50 is lost.'
    """
    return sentence.format(**_texts(values, decimals))


def _texts(values: Mapping[str, Json], decimals: int) -> dict[str, Json]:
    texts = dict(values)
    for name, value in values.items():
        if value.__class__ is Units:
            texts[name] = spell(value, decimals)
        elif value.__class__ is Fraction:
            texts[name] = spell_exact(value, decimals)
    return texts


def tell(sentences: Mapping[str, str], reason: Reason, decimals: int = 0) -> str:
    """A reason in English."""
    return fill(sentences[reason.message], reason.values, decimals)


class Ear(Formatter):
    """Fills what is said aloud; its extra conversion `!l` begins a value with a small letter."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion != "l":
            return super().convert_field(value, conversion)
        text = str(value)
        return text[:1].lower() + text[1:]


def hear(spoken: Mapping[str, str], reason: Reason, decimals: int = 0) -> str | None:
    """A reason as it is said aloud, its numbers in digits; None if it decides nothing.

    >>> reason = Reason(3, "split.22", "amount", {"category": "Flush", "ratio": "5:1"})
    >>> hear({"amount": "{category!l}, {ratio}"}, reason)
    'flush, 5:1'
    """
    sentence = spoken.get(reason.message)
    return None if sentence is None else Ear().vformat(sentence, (), _texts(reason.values, decimals))


def is_box(player: str) -> bool:
    """Whether a player is a box: at a table each is, named by its number."""
    return player.isascii() and player.isdigit()


_BOX = phrase("box", "Box {number}")


def who(player: str) -> str:
    """A player at the beginning of a sentence: a box is a phrase, any other name stays what it is.

    >>> who("3"), who("Anna")
    ('Box 3', 'Anna')
    """
    return _BOX.format(number=player) if is_box(player) else player


def named(player: str) -> str:
    """A player within a sentence.

    >>> named("3"), named("Anna")
    ('box 3', 'Anna')
    """
    return _BOX.format(number=player).within() if is_box(player) else player


def within(text: str) -> str:
    """A text within an English sentence, where it begins with a small letter; a phrase stays one."""
    return text.within() if isinstance(text, Phrase) else text[:1].lower() + text[1:]


_NEXT = phrase("list.next", "{names}, {name}")
_LAST = phrase("list.last", "{names} and {name}")


def in_a_row(names: Iterable[str]) -> str:
    """Names one after the other, at least one.

    >>> in_a_row(["ace", "king", "two"])
    'ace, king, two'
    """
    return reduce(lambda names, name: _NEXT.format(names=names, name=name), names)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, at least one.

    >>> listed(["Anna"]), listed(["box 2", "box 5", "box 6"])
    ('Anna', 'box 2, box 5 and box 6')
    """
    *before, last = names
    return _LAST.format(names=in_a_row(before), name=last) if before else last


_NUMBERS = phrases(
    "number",
    {
        "0": "zero",
        "1": "one",
        "2": "two",
        "3": "three",
        "4": "four",
        "5": "five",
        "6": "six",
        "7": "seven",
        "8": "eight",
        "9": "nine",
        "10": "ten",
    },
)
_ANNOUNCED = phrases("announced", {"box": "Box {number}", "boxes": "Boxes {numbers}"})


def spoken_number(number: int) -> str:
    """A number as a croupier says it, up to ten in words.

    >>> spoken_number(6), spoken_number(12)
    ('six', '12')
    """
    return _NUMBERS.get(str(number)) or str(number)


def announced(boxes: Iterable[int]) -> Phrase:
    """Boxes as a croupier says them.

    >>> announced([3]), announced([2, 5, 12])
    ('Box three', 'Boxes two, five and 12')
    """
    numbers = [spoken_number(box) for box in boxes]
    if len(numbers) == 1:
        return _ANNOUNCED["box"].format(number=numbers[0])
    return _ANNOUNCED["boxes"].format(numbers=listed(numbers))
