"""What the croupier says about a box as it is paid, for the ear: `Box three, flush, five to one: seven hundred fifty.`

Numbers are put into words of the reader's language; the sentence around them is the room's wording.
"""

import functools
import re

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language
from num2words import num2words

from . import handing
from .wording import WORDING

_DONE = {"pay": "aloud.pay", "collect": "aloud.collect", "take": "aloud.take"}
_CORRECTED = {"pay": "aloud.corrected.pay", "collect": "aloud.corrected.collect"}
_MINUS = re.compile(r"−(\d)")
_HALF = re.compile(r"(\d+)½")
_RATIO = re.compile(r"(\d+):(\d+)")
# With thin spaces between thousands, as amounts are spelled.
_NUMBER = re.compile(r"\d+(?:\u2009\d{3})*")
# An amount with decimals: the whole and the rest, by the reader's decimal mark.
_AMOUNTS = {
    ".": re.compile(r"(\d+(?:\u2009\d{3})*)\.(\d+)"),
    ",": re.compile(r"(\d+(?:\u2009\d{3})*),(\d+)"),
}
# Points: a part beside the whole; the half is a sign of its own.
_PART = re.compile(r"(\d+) (\d+)/(\d+)")


def sentence(paid, reasons, spell):
    """What is said about a box, all numbers in words.

    :param reasons: those of the round, as `results.Why`.
    :param spell: gives units as an amount.
    """
    return _said(paid.box, _done(paid, spell), reasons)


def _done(paid, spell):
    due = handing.done_or_due(paid)
    if due.verb == "back":
        return WORDING("aloud.back")
    if due.verb == "none" and not due.further:
        return WORDING("aloud.none")
    if due.verb == "none":
        return WORDING("aloud.corrected.none" if paid.corrected else "aloud.further.none")
    is_correction = due.further and paid.corrected
    return WORDING(_CORRECTED[due.verb] if is_correction else _DONE[due.verb], units=spell(due.units))


def of_points(box, points, reasons):
    """What is said about a box after a round of a series that moves no money.

    :param points: the round's points with their word.
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
    """A fraction in words, for points that several share."""
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
