"""What the croupier says of a box as it is paid, for the ear: `Box three, flush, five to one: seven hundred fifty.`"""

import functools
import re

from num2words import num2words

from . import handing

_RATIO = re.compile(r"(\d+):(\d+)")
# With thin spaces between thousands, as amounts are spelled.
_NUMBER = re.compile(r"\d+(?:\u2009\d{3})*")
# Of an amount with decimals, the whole and the rest.
_AMOUNT = re.compile(r"(\d+(?:\u2009\d{3})*)\.(\d+)")
# Of points, a part beside the whole; the half is a sign of its own.
_PART = re.compile(r" (\d+)/(\d+)")
_DONE = {"pay": "{units}", "back": "stakes go back", "take": "{units} taken", "none": "no share"}
_OF_POINTS = {"pay": "{units}", "collect": "{units} from the box", "none": "nothing changes hands"}
_CORRECTED = {"pay": "{units} more", "collect": "{units} back to the house", "none": "nothing changes"}


def sentence(paid, reasons, spell):
    """What is said of a box, all numbers in words.

    :param reasons: those of the round, as `results.Why`.
    :param spell: gives units as an amount.
    """
    due = handing.done_or_due(paid)
    parts = [why.heard for why in reasons if why.heard and why.is_of(paid.box)]
    done = (_DONE if not due.further else _CORRECTED if paid.corrected else _OF_POINTS)[due.verb]
    return in_words(f"{', '.join([f'Box {paid.box}', *parts])}: {done.format(units=spell(due.units))}.")


def of_points(box, points, reasons):
    """What is said of a box after a round of a series that moves no money.

    :param points: those of the round with their word.
    :param reasons: those of the round, as `results.Why`.
    """
    parts = [why.heard for why in reasons if why.heard and why.is_of(box)]
    return in_words(f"{', '.join([f'Box {box}', *parts])}: {points}.")


def in_words(text):
    """A text with its numbers as they are said.

    >>> in_words("Box 3, flush, 5:1: 750."), in_words("Box 12, 2-3-4: 28.50.")
    ('Box three, flush, five to one: seven hundred fifty.', 'Box twelve, two-three-four: twenty-eight fifty.')
    >>> in_words("28.05, 0.50, 3.00")
    'twenty-eight oh five, zero fifty, three'
    >>> in_words("−7, 24½, 8 2/3")
    'minus seven, twenty-four and a half, eight and two thirds'
    """
    text = text.replace("−", "minus ").replace("½", " and a half")
    text = _PART.sub(_part, text)
    text = _RATIO.sub(r"\1 to \2", text)
    text = _AMOUNT.sub(_amount, text)
    return _NUMBER.sub(lambda number: _words(int(re.sub(r"\D", "", number[0]))), text)


def _amount(amount):
    whole, rest = amount[1], amount[2].lstrip("0")
    return f"{whole} {'oh ' * (len(amount[2]) - len(rest))}{rest}" if rest else whole


def _part(part):
    """A part of a whole: of points that several share."""
    kind = num2words(int(part[2]), to="ordinal")
    return f" and {part[1]} {kind}{'s'[: int(part[1]) != 1]}"


@functools.lru_cache(4096)
def _words(number):
    return num2words(number).replace(" and ", " ").replace(",", "")
