"""A document printed as PDF: the same document gives the same bytes, tagged, for readers with eyes or without.

Text is printed as data and never as markup, whatever it contains.
"""

import datetime as dt
import json
import re
import unicodedata
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "templates" / "print" / "document.typ"
STANDARDS = ["ua-1", "a-2a"]
"""Readable by machines (PDF/UA-1), and for archives (PDF/A-2a): every font is in the file."""
UNTAGGED = ["a-2b"]
"""For archives alone."""
# What the fonts of the compiler have: Latin, Greek and Cyrillic, punctuation, fractions, signs and suits. Anything
# else, and letters composed of several characters, might make the compiler fail.
_OTHERS = re.compile(
    r"[^\n\x20-\x7e\xa0-\xac\xae-\u024f\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u1e80-\u1e85"
    r"\u2009\u2010-\u2027\u2030-\u203a\u20ac\u2116\u2122\u2153-\u215e\u2190-\u2193\u2212\u2260-\u2265"
    r"\u25a0-\u25cf\u2640\u2642\u2660-\u2667]"
)


def pdf(document, at, *, tagged=True):
    """A document's bytes.

    A character that the fonts may lack is printed as its number, `[U+6F22]`.

    :param document: the dictionary that `templates/print/document.typ` describes; only texts, lists and flags.
    :param at: the moment that the file gives as its date.
    :param tagged: false for long registers: half of the time would go into tags that nobody reads there.
    """
    # The compiler takes 84 MB, so only the few processes that print load it.
    import typst

    return typst.compile(
        SOURCE.read_bytes(),
        format="pdf",
        sys_inputs={"data": json.dumps(_printable(document), ensure_ascii=False), "at": json.dumps(_moment(at))},
        ignore_system_fonts=True,
        pdf_standards=STANDARDS if tagged else UNTAGGED,
        pdf_tags=tagged,
        timestamp=int(at.timestamp()),
    )


def _printable(value):
    """A document with only such characters as can be printed."""
    match value:
        case dict():
            return {name: _printable(each) for name, each in value.items()}
        case list() | tuple():
            return [_printable(each) for each in value]
        case str():
            return _OTHERS.sub(lambda match: f"[U+{ord(match[0]):04X}]", unicodedata.normalize("NFC", value))
    return value


def _moment(at):
    local = at.astimezone(dt.UTC)
    return [local.year, local.month, local.day, local.hour, local.minute, local.second]
