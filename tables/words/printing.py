"""A document printed as PDF: the same document gives the same bytes, tagged, for readers with eyes or without.

What is printed goes into the source as data and never as markup, whatever stands in it.
"""

import datetime as dt
import json
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "templates" / "print" / "document.typ"
STANDARDS = ["ua-1", "a-2a"]
"""Readable by machines (PDF/UA-1), and for archives (PDF/A-2a): every font is in the file."""
TRIES = 8
_LACKS = re.compile(r'error: the (?:text|PDF contains the codepoint) `"((?:[^"\\]|\\.)+)"`')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


def pdf(document, at):
    """A document's bytes.

    A character that no font of the file has is printed as its number, `[U+6F22]`.

    :param document: the dictionary that `templates/print/document.typ` describes; texts, lists and flags alone.
    :param at: the moment that the file gives as its own.
    """
    # 84 MB of compiler, for the few processes that print.
    import typst

    data, source = json.dumps(document, ensure_ascii=False), SOURCE.read_bytes()
    for last in (False,) * TRIES + (True,):
        try:
            return typst.compile(
                source,
                format="pdf",
                sys_inputs={"data": data, "at": json.dumps(_moment(at))},
                ignore_system_fonts=True,
                pdf_standards=STANDARDS,
                timestamp=int(at.timestamp()),
            )
        except typst.TypstError as error:
            lacking = {_plain(each) for each in _LACKS.findall(error.diagnostic)}
            if last or not lacking:
                raise
            for character in set("".join(lacking)) - set(map(chr, range(128))):
                data = data.replace(character, f"[U+{ord(character):04X}]")
    raise AssertionError


def _plain(text):
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _moment(at):
    local = at.astimezone(dt.UTC)
    return [local.year, local.month, local.day, local.hour, local.minute, local.second]
