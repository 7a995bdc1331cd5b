"""How every game puts things into words: codes, sentences with their values, players and boxes."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

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
    texts = dict(values)
    for name, value in values.items():
        if value.__class__ is Units:
            texts[name] = spell(value, decimals)
        elif value.__class__ is Fraction:
            texts[name] = spell_exact(value, decimals)
    return sentence.format(**texts)


def tell(sentences: Mapping[str, str], reason: Reason, decimals: int = 0) -> str:
    """A reason in English."""
    return fill(sentences[reason.message], reason.values, decimals)


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
