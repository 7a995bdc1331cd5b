"""How every game puts things into words: codes, sentences with their values, players and boxes."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from string import Formatter
from typing import Any

from casino.games.game import Json, Reason
from casino.money import Units, spell, spell_exact


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
    """Fills what is said aloud, with a conversion more, by which a value begins with a small letter."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion != "l":
            return super().convert_field(value, conversion)
        text = str(value)
        return text[:1].lower() + text[1:]


def hear(spoken: Mapping[str, str], reason: Reason, decimals: int = 0) -> str | None:
    """What is said aloud by a reason, its numbers in digits; None where it decides nothing.

    >>> reason = Reason(3, "split.22", "amount", {"category": "Flush", "ratio": "5:1"})
    >>> hear({"amount": "{category!l}, {ratio}"}, reason)
    'flush, 5:1'
    """
    sentence = spoken.get(reason.message)
    return None if sentence is None else Ear().vformat(sentence, (), _texts(reason.values, decimals))


def is_box(player: str) -> bool:
    """At a table a player is a box, named by its number."""
    return player.isascii() and player.isdigit()


def who(player: str) -> str:
    """A player at the beginning of a sentence.

    >>> who("3"), who("Anna")
    ('Box 3', 'Anna')
    """
    return f"Box {player}" if is_box(player) else player


def named(player: str) -> str:
    """A player within a sentence.

    >>> named("3"), named("Anna")
    ('box 3', 'Anna')
    """
    return f"box {player}" if is_box(player) else player


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def announced(boxes: Iterable[int]) -> str:
    """Boxes as a croupier says them.

    >>> announced([3]), announced([2, 5, 12])
    ('Box three', 'Boxes two, five and 12')
    """
    *before, last = (_NUMBERS[box] if box < len(_NUMBERS) else str(box) for box in boxes)
    return f"Boxes {', '.join(before)} and {last}" if before else f"Box {last}"
