"""Texts of entries for laws: those that the writer writes, and damaged ones."""

import datetime as dt
import json
import re
import unicodedata

from hypothesis import strategies as st

from audit import form, log


def entry(*, chain, seq, prev, at, record):
    """The text of an entry at a place: what `append_entries` writes there."""
    begins, ends = log.pieces(chain, record)
    return f'{{"at":"{form.spell_time(at)}",{begins},"prev":"{prev}","seq":{seq},{ends}}}'


_ALPHABET = 'ab:,{}[]"\\ 01.eE-_é中😀\u0301=\u0338\u1100\u1161/'
_TEXTS = st.text(_ALPHABET, max_size=5) | st.text(st.characters(exclude_categories=("Cc", "Cn", "Cs")), max_size=4)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**19) + 1, 10**19 - 1) | st.integers(-9, 9) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=10,
)
# What an attacker puts in the place of something else: a piece of JSON, or what looks like one.
_PIECES = st.sampled_from(
    [
        "", " ", "\t", "\n", "\r\n", "\0", "\x01", "\x7f", "\x85", "\ufeff", "\u0301", "e\u0301", "\u212b", "\ud800",
        ",", ":", "{", "}", "[", "]", '"', "\\", "\\\\", '\\"', "\\u0041", "\\u00e9", "\\u0000", "\\ud800", "\\n",
        "\\/", "null", "true", "false", "NaN", "Infinity", "-Infinity", "0", "-0", "00", "01", "1.5", "1.0", "1e3",
        "1E-2", "-", "9" * 18, "9" * 19, "9" * 20, "-" + "9" * 20, "\uff11", "{}", "[]", '""', '"a":1',
        ',"a":1', '"a":1,', "[1.5]",
        '{"a":1,"a":2}', '{"b":1,"a":2}', "[[[[", "}}", '"now"', '"infinity"', '"2026-02-30T00:00:00.000000Z"',
        '"2026-11-20T24:00:00.000000Z"', '"2026-11-20T22:53:60.000000Z"', '"2026-11-20T22:53:01.123456+00:00"',
        '"staff:0"', '"staff:01"', '"table:0"', '"House"', '"v":1', '"terminal":null', '"a.b"', '"' + "x" * 81 + '"',
    ]
)  # fmt: skip
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null|[][{},:]', re.DOTALL)


def _terminals():
    return st.none() | st.sampled_from(["T1-left", '"v":1', ",", ""]) | _TEXTS


@st.composite
def entries(draw):
    """A text that the writer writes, whatever the facts."""
    record = log.Record(
        draw(st.sampled_from(["round.acted", "staff.signed_on", "a_b.c_d.e"])),
        draw(st.sampled_from(["round:81", "history", 'a"b', "\\"]) | _TEXTS.filter(bool)),
        draw(st.dictionaries(_TEXTS, _VALUES, max_size=5)),
        draw(st.sampled_from(["system", "staff:1", "staff:999999999999999999"])),
        draw(_terminals()),
    )
    at = draw(st.datetimes(dt.datetime(1000, 1, 1), timezones=st.just(dt.UTC)))  # noqa: DTZ001
    seq, prev = draw(st.integers(1, form.LARGEST - 1)), draw(st.text("0123456789abcdef", min_size=64, max_size=64))
    return entry(chain=draw(st.sampled_from(["house", "table:7"])), seq=seq, prev=prev, at=at, record=record)


@st.composite
def damaged_entries(draw):
    """Such a text with one to three changes; some are still in the one form."""
    text = draw(entries())
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(_DAMAGES))(draw, text)
    return text


def _place(draw, text):
    return draw(st.integers(0, len(text)))


def _piece_put_in(draw, text):
    place = _place(draw, text)
    return text[:place] + draw(_PIECES) + text[place:]


def _cut_out(draw, text):
    place = _place(draw, text)
    return text[:place] + text[place + draw(st.integers(1, 4)) :]


def _sign_replaced(draw, text):
    place = _place(draw, text)
    return text[:place] + draw(st.sampled_from(_ALPHABET)) + text[place + 1 :]


def _token_replaced(draw, text):
    """Replace a whole value, key or sign, so that most results are JSON."""
    tokens = list(_TOKENS.finditer(text))
    if not tokens:
        return draw(_PIECES)
    token = draw(st.sampled_from(tokens))
    return text[: token.start()] + draw(_PIECES) + text[token.end() :]


def _tokens_exchanged(draw, text):
    tokens = list(_TOKENS.finditer(text))
    if len(tokens) < 2:
        return text
    one, other = sorted(draw(st.lists(st.sampled_from(range(len(tokens))), min_size=2, max_size=2, unique=True)))
    one, other = tokens[one], tokens[other]
    return text[: one.start()] + other[0] + text[one.end() : other.start()] + one[0] + text[other.end() :]


def _written_otherwise(draw, text):
    """The same JSON, as other programs write it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return draw(
        st.sampled_from(
            [
                lambda: json.dumps(value),
                lambda: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
                lambda: json.dumps(value, sort_keys=True, separators=(",", ":")),
                lambda: json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1),
                lambda: (
                    json.dumps(dict(reversed(value.items())), ensure_ascii=False, separators=(",", ":"))
                    if isinstance(value, dict)
                    else text
                ),
            ]
        )
    )()


def _normalized_otherwise(draw, text):
    return unicodedata.normalize(draw(st.sampled_from(["NFD", "NFKC", "NFKD"])), text)


def _key_again(draw, text):
    """Repeat a pair, right after itself or in another object."""
    pairs = list(re.finditer(r'"(?:[^"\\]|\\.)*":(?:"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null)', text))
    if not pairs:
        return text
    pair, at = draw(st.sampled_from(pairs))[0], draw(st.sampled_from(pairs)).start()
    return f"{text[:at]}{pair},{text[at:]}"


_DAMAGES = [
    _piece_put_in,
    _cut_out,
    _sign_replaced,
    _token_replaced,
    _token_replaced,
    _tokens_exchanged,
    _written_otherwise,
    _normalized_otherwise,
    _key_again,
]
