"""Rounds of any game adjudicated line by line, without a database (contracts/adjudicate.md)."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

from casino import strict_json
from casino.games.game import Fault, Json
from casino.games.registry import GAMES
from casino.games.sentences import tell

_encode = json.JSONEncoder().encode


class TextOut(Protocol):
    """What answers are written to: a text file or Django's wrapper of one."""

    def write(self, text: str, /) -> Any: ...
    def flush(self) -> None: ...


class UnreadableError(Exception):
    """The input broke off while it was being read; the message says why."""


def run(stream_in: BinaryIO, stream_out: TextOut, *, explain: bool) -> int:
    """Answer every line in order, each before the next is read; return the exit status: 0, or 1 if any gave an error.

    :raises UnreadableError: if the input can't be read on.
    """
    status = 0
    for number, data in enumerate(_lines(stream_in), 1):
        if data.isspace():
            continue
        reply, ok = answer(data, number, explain=explain)
        if not ok:
            status = 1
        stream_out.write(f"{_dumps(reply)}\n")
        stream_out.flush()
    return status


def answer(data: bytes, number: int, *, explain: bool = False) -> tuple[dict[str, Json], bool]:
    """The answer to one line, and whether it was adjudicated; `number` counts lines from 1 for a line that is not JSON.

    >>> answer(b'{"id": 7, "game": "chess"}', 1)
    ({'id': 7, 'error': {'code': 'unknown_game', 'message': 'There is no game "chess".', 'path': 'game'}}, False)
    """
    try:
        line = strict_json.loads(data)
    except strict_json.NotJsonError as error:
        return _error(None, Fault("bad_json", f"Line {number}: {error}")), False
    except strict_json.KeyTwiceError as error:
        return _error(error.document.get("id"), Fault("bad_field", str(error), error.path)), False
    result = _adjudicated(line, explain=explain)
    if isinstance(result, Fault):
        return _error(line.get("id"), result), False
    return {"id": line.get("id"), **result}, True


def _adjudicated(line: dict[str, Json], *, explain: bool) -> dict[str, Json] | Fault:
    code = line.get("game")
    if code is None:
        return Fault("missing_field", "The game is missing.", "game")
    if not isinstance(code, str):
        return Fault("bad_field", "The game is not named by a text.", "game")
    game = GAMES.get(code)
    if game is None:
        return Fault("unknown_game", f"There is no game {json.dumps(code)}.", "game")
    facts = game.read(line)
    if isinstance(facts, Fault):
        return facts
    result = game.settle(facts)
    if explain:
        result["explanation"] = [
            {
                "player" if isinstance(reason.box, str) else "box": reason.box,
                "clause": reason.clause,
                "text": tell(game.sentences, reason),
            }
            for reason in game.explain(facts, result)
        ]
    return result


def _error(identity: Json, fault: Fault) -> dict[str, Json]:
    return {"id": identity, "error": fault._asdict()}


def _dumps(reply: dict[str, Json]) -> str:
    """ASCII JSON, its id as it was written."""
    try:
        return _encode(reply)
    except TypeError:
        identity = _spelled(reply.pop("id"))
        return f'{{"id": {identity}, {_encode(reply)[1:]}'


def _spelled(value: Json) -> str:
    """JSON in which a `Number` keeps its own text, which no float could echo."""
    if isinstance(value, strict_json.Number):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_encode(name)}: {_spelled(item)}" for name, item in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([_spelled(item) for item in value]) + "]"
    return _encode(value)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    try:
        yield from stream
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from error
