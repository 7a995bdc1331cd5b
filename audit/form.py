"""The one form of an entry (contracts/log.md), for all that writes, seals, shows and exports the log.

The database refuses every other text (`entry_envelope` of `sql/entries.sql`); a law of the tests holds that the two
always agree.
"""

import contextlib
import datetime as dt
import functools
import hashlib
import json
import re
import unicodedata

KEYS = ("at", "by", "chain", "event", "facts", "prev", "seq", "subject", "terminal", "v")
# With its newline, an entry is one line of an export, and the verifier refuses longer lines.
MOST_BYTES = (1 << 20) - 1
# The most levels of objects and lists, digits, and characters of what has a column of its own.
DEEPEST, MOST_DIGITS, MOST_CHARACTERS = 100, 19, 80
LARGEST = 10**18


class BadEntryError(ValueError):
    """A text that is not an entry in the one form; the message goes on after "it"."""


def canonical(value):
    """The one text of a JSON value: sorted keys, no spaces, no escapes but JSON's own, NFC.

    :raises ValueError: if a string has a character of category Cc or Cs, or a number is not an integer.

    >>> canonical({"b": 1, "a": "e\\u0301"})
    '{"a":"é","b":1}'
    """
    with contextlib.suppress(TypeError, ValueError):
        text = _dumped(value)
        # Plain ASCII without an escape and no float: there is nothing to clean, which takes far longer.
        if text.isascii() and text.isprintable() and "\\" not in text and not _may_have_float(text):
            return text
    return _dumped(_clean(value))


def _may_have_float(text):
    """Whether digits stand around a point or before an exponent, in a number or in a string; no pattern is as fast."""
    data = text.encode().translate(_ALIKE)
    return b"0.0" in data or b"0e+" in data or b"0e-" in data


_dumped = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def _clean(value):
    if isinstance(value, str):
        if value.isascii() and value.isprintable():
            return value
        for character in value:
            if unicodedata.category(character) in {"Cc", "Cs"}:
                raise ValueError(f"The character U+{ord(character):04X} can't stand in the log.")
        return unicodedata.normalize("NFC", value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    raise ValueError(f"{value!r} can't stand in the log: text, whole numbers, lists and objects only.")


def spell_time(at):
    """An instant as the log writes it: UTC with six digits of the second.

    >>> spell_time(dt.datetime(2026, 11, 20, 22, 53, 1, 123456, tzinfo=dt.UTC))
    '2026-11-20T22:53:01.123456Z'
    """
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def digest(text):
    """SHA-256 in hex of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def fault(text):
    """What keeps a text from being an entry, in words that go on after "it"; empty if nothing does.

    >>> fault("{}")
    'has not exactly the keys of an entry'
    """
    try:
        read(text)
    except BadEntryError as error:
        return str(error)
    return ""


def read(text):
    """The entry that a text is.

    :raises BadEntryError: if it is not an entry in the one form.
    """
    entry = _parsed(text)
    if not isinstance(entry, dict) or tuple(entry) != KEYS:
        raise BadEntryError("has not exactly the keys of an entry")
    head = _HEAD.match(text)
    if head is None or not _is_day(head[1]):
        raise BadEntryError("has a time, a person, a chain or an event that is none")
    facts, subject = entry["facts"], entry["subject"]
    if (
        not isinstance(subject, str)
        or not 0 < len(subject) <= MOST_CHARACTERS
        or len(entry["event"]) > MOST_CHARACTERS
        or not isinstance(entry["terminal"], str | None)
        or not isinstance(entry["prev"], str)
        or not _DIGEST.fullmatch(entry["prev"])
        or not _is_count(entry["seq"])
        or not _is_count(entry["v"])
    ):
        raise BadEntryError("has a field that is not what it should be")
    if None in facts.values():
        raise BadEntryError("has a fact without a value")
    return entry


def lenient(text):
    """Whatever can be read of an entry in any form: an object, empty if nothing can."""
    with contextlib.suppress(ValueError, RecursionError):
        # Python reads no number of more than 4,300 digits.
        value = json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 100 else digits)
        if isinstance(value, dict):
            return value
    return {}


def facts(text):
    """The facts that can be read of an entry in any form, empty if none can."""
    value = lenient(text).get("facts")
    return value if isinstance(value, dict) else {}


def _refuse(_):
    raise ValueError


_scanned = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse).scan_once
_HEAD = re.compile(
    r'\{"at":"([0-9]{4}-[01][0-9]-[0-3][0-9])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}\.[0-9]{6}Z",'
    r'"by":"(?:system|staff:[1-9][0-9]{0,17})","chain":"(?:house|table:[1-9][0-9]{0,17})",'
    r'"event":"[a-z_]+(?:\.[a-z_]+)+","facts":\{'
)
_DIGEST = re.compile("[0-9a-f]{64}")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = re.compile("[\x7f-\x9f]")
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)
# One pass over the bytes makes all digits the same, so finding long numbers needs no regular expression.
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_TOO_MANY = b"0" * (MOST_DIGITS + 1)


def _parsed(text):
    """The value of a text in the one form of JSON, as deep and with numbers as long as they may be."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise BadEntryError("has half a character") from None
    if len(data) > MOST_BYTES:
        raise BadEntryError(f"is longer than {MOST_BYTES:,} bytes")
    if text.count("{") + text.count("[") > DEEPEST and _depth(text) > DEEPEST:
        raise BadEntryError("is nested too deep")
    try:
        value, _ = _scanned(text, 0)
    except (ValueError, StopIteration, RecursionError):
        raise BadEntryError("is no JSON of whole numbers") from None
    if _dumped(value) != text:
        raise BadEntryError("is not in the one form: keys sorted and each once, no blanks, no needless escapes")
    if _TOO_MANY in data.translate(_ALIKE) and _has_long_number(value):
        raise BadEntryError(f"has a number of more than {MOST_DIGITS} digits")
    if not text.isascii() or "\\" in text or "\x7f" in text:
        if any(sign not in '"\\' for sign in _ESCAPED.findall(text)) or _CONTROL.search(text):
            raise BadEntryError("has a control character")
        if not unicodedata.is_normalized("NFC", text):
            raise BadEntryError("is not in Unicode's normal form NFC")
    return value


def _depth(text):
    deepest = depth = 0
    for sign in _NESTING.findall(text):
        depth += (sign in "{[") - (sign in "}]")
        deepest = max(deepest, depth)
    return deepest


def _has_long_number(value):
    if isinstance(value, dict):
        return any(map(_has_long_number, value.values()))
    if isinstance(value, list):
        return any(map(_has_long_number, value))
    return isinstance(value, int) and abs(value) >= 10**MOST_DIGITS


@functools.lru_cache(maxsize=1000)
def _is_day(text):
    try:
        return bool(dt.date.fromisoformat(text))
    except ValueError:
        return False


def _is_count(value):
    return type(value) is int and 0 < value < LARGEST
