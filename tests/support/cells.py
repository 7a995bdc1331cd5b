"""Texts that a spreadsheet would turn into something else, and what a spreadsheet makes of a cell, judged without the
product's own pattern."""

import itertools
import random
import re
import unicodedata

_BLANKS = ("", " ", "  ", "\t", "\u00a0", "\ufeff", "\u2003", "\u3000", "\r", "\n", "\r\n", "\x0b", "\x0c")
_LEADS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'", "''", '"=')
_CALLS = (
    "1+1", "SUM(A1:A9)", 'HYPERLINK("http://x","y")', "cmd|'/C calc'!A0", 'WEBSERVICE("http://x")', "DDE(1,2,3)",
    "IMPORTXML(1)", "A1", "x",
)  # fmt: skip
_NUMBERS = (
    "1", "12", "007", "1.5", "1,5", "1,000", "1.000,00", "1e5", "1E+5", ".5", ",5", "5.", "1/2", "50%", "(3)", "$5",
    "€5", "£5", "¥5", "5 €", "0x1F", "1d2", "٣", "１２", "½", "12:30", "1:2:3", "2026-11-21", "21.11.2026", "11/21/26",
    "2-1", "1 Jan", "10 000",
)  # fmt: skip
_MONTHS = ("Jan", "feb", "MAR", "April", "may", "june", "Jul", "AUG", "Sept", "oct", "Nov", "december")
_DATES = tuple(f"{month}{between}{day}" for month in _MONTHS for between in ("", " ", "-", "/", ".") for day in (1, 21))
_WORDS = ("TRUE", "false", "True", "INF", "nan", "Infinity")
_LINKS = ("http://x", "HTTPS://x.y/z", "ftp://x", "javascript://x", "www.x.y", "WWW.X", "mailto:a@b.c", "file://x")
_OF_CSV = ('"', '""', ",", ";", "a,b", 'a"b', "a\nb", "a\r\nb", "a\rb", "\t", "a\tb", "sep=;", "ID", "ID;P", "\\")
_OTHERS = (
    "_x0041_", "_x000D_", "__x0041_", "\x01", "a\x1fb", "\x7f", "\u202egnp.exe", "e\u0301", "\U0001f0a1", "\u200b=1",
    "<b>", "&amp;", "]]>", "{=1}", "#REF!", "#N/A", "T1", "F-2026-000001", "session:12", "split.36", "ä", "漢字",
)  # fmt: skip


def hostile(number=5_000, seed=23):
    """This many different texts, the same each time."""
    chance = random.Random(seed)
    whole = [
        *(blank + lead + call for blank, lead, call in itertools.product(_BLANKS, _LEADS, _CALLS)),
        *(blank + text for blank, text in itertools.product(_BLANKS, (*_NUMBERS, *_WORDS, *_LINKS, *_OTHERS))),
        *_DATES, *_OF_CSV, "x" * 32_767,
    ]  # fmt: skip
    parts = [*_LEADS, *_CALLS, *_NUMBERS, *_WORDS, *_LINKS, *_OF_CSV, *_OTHERS, *_BLANKS]
    texts = dict.fromkeys(whole)
    while len(texts) < number:
        texts["".join(chance.choices(parts, k=chance.randint(2, 4)))] = None
    return list(texts)[: max(number, len(whole))]


def becomes(cell):
    """What a spreadsheet makes of a cell of a CSV: "formula", "link", "number", "date", "truth", or "" for a text."""
    seen = (at for at, each in enumerate(cell) if unicodedata.category(each) not in {"Zs", "Zl", "Zp", "Cf", "Cc"})
    bare = cell[next(seen, len(cell)) :]
    if cell.startswith("'"):
        return ""
    if re.match("[=+@\uff1d\uff0b\uff0d\uff20-]", bare):
        return "formula"
    if re.match(r"([a-z][a-z0-9+.-]*://|www\.|mailto:)", bare, re.IGNORECASE):
        return "link"
    if re.match(r"[($€£¥]*[0-9.,]", bare):
        return "number"
    if re.match(r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ ./-]*[0-9]+$", bare, re.IGNORECASE):
        return "date"
    return "truth" if bare.lower() in {"true", "false"} else ""


def records(text):
    """The records of a CSV by RFC 4180 to the letter, except that a line ends in LF; anything else is an error.

    :raises ValueError: for a quote within a plain field, or anything behind a closing one.
    """
    listed, record, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            field, at = [], at + 1
            while True:
                end = text.index('"', at)
                field.append(text[at:end])
                at = end + 1
                if text[at : at + 1] != '"':
                    break
                field.append('"')
                at += 1
            record.append("".join(field))
        else:
            end = min(text.find(mark, at) for mark in ",\n" if text.find(mark, at) >= 0)
            if '"' in text[at:end] or "\r" in text[at:end]:
                raise ValueError(f"A plain field has a quote or a CR: {text[at:end]!r}")
            record.append(text[at:end])
            at = end
        if text[at] == ",":
            at += 1
            continue
        if text[at] != "\n":
            raise ValueError(f"Behind a field stands {text[at]!r}.")
        listed.append(record)
        record, at = [], at + 1
    return listed
