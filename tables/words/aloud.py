"""What the croupier says of a box as it is paid, for the ear: `Box three, flush, five to one: seven hundred fifty.`

Numbers are put into words of the reader's language; what stands around them is the room's wording.
"""

import functools
import re

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language
from num2words import num2words

from . import handing
from .wording import WORDING

_MINUS = re.compile(r"−(\d)")
_HALF = re.compile(r"(\d+)½")
_RATIO = re.compile(r"(\d+):(\d+)")
# With thin spaces between thousands, as amounts are spelled.
_NUMBER = re.compile(r"\d+(?:\u2009\d{3})*")
# Of an amount with decimals, the whole and the rest, by the reader's decimal mark.
_AMOUNTS = {
    ".": re.compile(r"(\d+(?:\u2009\d{3})*)\.(\d+)"),
    ",": re.compile(r"(\d+(?:\u2009\d{3})*),(\d+)"),
}
# Of points, a part beside the whole; the half is a sign of its own.
_PART = re.compile(r"(\d+) (\d+)/(\d+)")


def sentence(paid, reasons, spell):
    """What is said of a box, all numbers in words.

    :param reasons: those of the round, as `results.Why`.
    :param spell: gives units as an amount.
    """
    due = handing.done_or_due(paid)
    if due.further and paid.corrected:
        code = f"aloud.corrected.{due.verb}"
    elif due.further and due.verb == "none":
        code = "aloud.further.none"
    else:
        code = f"aloud.{due.verb}"
    return _said(paid.box, WORDING(code, units=spell(due.units)), reasons)


def of_points(box, points, reasons):
    """What is said of a box after a round of a series that moves no money.

    :param points: those of the round with their word.
    :param reasons: those of the round, as `results.Why`.
    """
    return _said(box, points, reasons)


def _said(box, done, reasons):
    why = ", ".join(why.heard for why in reasons if why.heard and why.is_of(box))
    return in_words(WORDING("aloud:why", box=box, why=why, done=done) if why else WORDING("aloud", box=box, done=done))


def in_words(text):
    """A text with its numbers as they are said.

    >>> in_words("Box 3, flush, 5:1: 750."), in_words("Box 12, 2-3-4: 28.50.")
    ('Box three, flush, five to one: seven hundred fifty.', 'Box twelve, two-three-four: twenty-eight fifty.')
    >>> in_words("28.05, 0.50, 3.00")
    'twenty-eight oh five, zero fifty, three'
    >>> in_words("−7, 24½, 8 2/3")
    'minus seven, twenty-four and a half, eight and two thirds'
    """
    text = _MINUS.sub(lambda minus: WORDING("number.minus", number=minus[1]), text)
    text = _HALF.sub(_half, text)
    text = _PART.sub(_part, text)
    text = _RATIO.sub(lambda ratio: WORDING("number.ratio", one=ratio[1], other=ratio[2]), text)
    text = _AMOUNTS[get_format("DECIMAL_SEPARATOR")].sub(_amount, text)
    return _NUMBER.sub(lambda number: _words(int(re.sub(r"\D", "", number[0])), _language()), text)


def _amount(amount):
    whole, rest = amount[1], amount[2].lstrip("0")
    zeros = [WORDING("number.zero")] * (len(amount[2]) - len(rest))
    return " ".join([whole, *zeros, rest]) if rest else whole


def _half(half):
    return WORDING("number.half:one") if half[1] == "1" else WORDING("number.half", number=half[1])


def _part(part):
    """A part of a whole: of points that several share."""
    ordinal = num2words(int(part[3]), to="ordinal", lang=_language())
    if part[2] == "1":
        return WORDING("number.part:one", whole=part[1], ordinal=ordinal)
    return WORDING("number.part", whole=part[1], count=part[2], ordinal=ordinal)


def _language():
    """The reader's language as the library calls it."""
    return (get_language() or settings.LANGUAGE_CODE).partition("-")[0]


@functools.lru_cache(4096)
def _words(number, language):
    return num2words(number, lang=language).replace(" and ", " ").replace(",", "")
