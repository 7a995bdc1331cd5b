"""JSON at the edge: an object, UTF-8, no NaN, no key twice, bounded depth and digits. For REST and `adjudicate`."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

MAX_DEPTH = 300
MAX_DIGITS = 4_300
"""Python's own bound on the digits of an int."""

_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class Number:
    """A number with a fraction, an exponent or endless digits. No amount is one; `text` echoes it as it was written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class NotJsonError(ValueError):
    """The bytes are no acceptable JSON object; the message says why."""


class KeyTwiceError(ValueError):
    """An object names a key twice; `path` says which, `document` is what was read with the last value kept."""

    def __init__(self, path: str, document: dict[str, Any]) -> None:
        super().__init__(f"The key {path!r} is given twice.")
        self.path = path
        self.document = document


class _Doubled(dict[str, Any]):
    """An object that named a key twice, until its path is known."""

    key: str


def loads(data: bytes) -> dict[str, Any]:
    """Read one JSON object.

    :raises NotJsonError: if it is not a JSON object, not UTF-8, nested too deep, or has NaN or Infinity.
    :raises KeyTwiceError: if any object in it names a key twice.

    >>> loads(b'{"a": [1]}')
    {'a': [1]}
    >>> loads(b'{"a": {"b": 1, "b": 2}}')
    Traceback (most recent call last):
    casino.strict_json.KeyTwiceError: The key 'a.b' is given twice.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise NotJsonError(f"Not UTF-8 at byte {error.start}.") from None
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH:
        _refuse_depth(data)
    doubled = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal doubled
        fields = dict(items)
        if len(fields) == len(items):
            return fields
        doubled = True
        marked = _Doubled(fields)
        marked.key = next(name for name, count in Counter(name for name, _ in items).items() if count > 1)
        return marked

    try:
        document = _decode(text, pairs)
    except NotJsonError:
        raise
    except json.JSONDecodeError as error:
        raise NotJsonError(f"Not JSON: {error.msg.removesuffix(' at')} at character {error.pos}.") from None
    if not isinstance(document, dict):
        raise NotJsonError("Not a JSON object.")
    if doubled:
        raise KeyTwiceError(_find_doubled(document, "") or "", document)
    return document


def _decode(text: str, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]]) -> Any:
    decode = partial(json.loads, text, object_pairs_hook=pairs, parse_float=Number, parse_constant=_refuse_constant)
    try:
        return decode()
    except json.JSONDecodeError:
        raise
    except ValueError:
        # An int beyond Python's bound; the hook costs time, so it is asked only then.
        return decode(parse_int=lambda digits: int(digits) if len(digits) <= MAX_DIGITS else Number(digits))


def _refuse_constant(name: str) -> Any:
    raise NotJsonError(f"Not JSON: {name} is no number.")


def _refuse_depth(data: bytes) -> None:
    depth = 0
    for token in _BRACKETS.finditer(data):
        if token[0] in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise NotJsonError(f"Nested deeper than {MAX_DEPTH}.")
        elif token[0] in b"]}":
            depth -= 1


def _find_doubled(value: Any, path: str) -> str | None:
    if isinstance(value, _Doubled):
        return _within(path, value.key)
    if isinstance(value, dict):
        places = (_find_doubled(item, _within(path, name)) for name, item in value.items())
        return next((place for place in places if place is not None), None)
    if isinstance(value, list):
        places = (_find_doubled(item, f"{path}[{index}]") for index, item in enumerate(value))
        return next((place for place in places if place is not None), None)
    return None


def _within(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
