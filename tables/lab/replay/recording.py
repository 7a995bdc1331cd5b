"""A recorded night: a file of complete lines, each checked and turned back into the actions that make it."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from casino import adjudicate, strict_json
from casino.errors import Refused
from casino.games.game import Action, Refusal
from casino.games.split import SPLIT
from casino.games.split.facts import Facts
from casino.games.split.retrace import retrace
from casino.games.split.sheet import Sheet, spell_coefficients
from tables.verbs import rounds

SHIPPED = Path(__file__).with_name("split_rounds.jsonl")
# What a line says about the sheet that its table played by: a night has one sheet.
OF_THE_SHEET = ("chip_units", "max_payment_units", "small_hand_loss_pays", "unseen_cards", "coefficients")


class Line(NamedTuple):
    """A recorded round; `number` is that of its line, `data` its bytes as they stand in the file."""

    number: int
    data: bytes
    facts: Facts
    actions: tuple[Action, ...]


class Recording(NamedTuple):
    """A file's rounds and the sheet that they were played by; `digest` is the SHA-256 of the file."""

    name: str
    digest: str
    sheet: Sheet
    lines: tuple[Line, ...]

    @property
    def short(self):
        """The text that tells the tables and people of this file from those of other files."""
        return self.digest[:8]


def read(path, tick):
    """The rounds of a file in the form of contracts/adjudicate.md; `tick(done, of)` is called for each.

    :raises Refused: naming the line, if one cannot be adjudicated, is of another game or sheet, has the id of an
        earlier one, or has a round that no table would have taken.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _refused(f"{path} can't be read: {error.strerror}.") from None
    recorded = list(_facts(data))
    if not recorded:
        raise _refused(f"{path} has no rounds.")
    sheet = _sheet([facts for _, _, facts in recorded])
    lines = []
    for number, text, facts in recorded:
        actions = retrace(facts, sheet)
        if isinstance(actions, Refusal):
            refused = rounds.refused(actions)
            raise _at(number, f"no table would have taken it: {refused.message}", refused.path)
        lines.append(Line(number, text, facts, actions))
        tick(len(lines), len(recorded))
    return Recording(path.name, hashlib.sha256(data).hexdigest(), sheet, tuple(lines))


def _facts(data) -> Iterator[tuple[int, bytes, Facts]]:
    """(number, bytes, facts) of each line that is not blank."""
    first, seen = None, {}
    for number, text in enumerate(data.split(b"\n"), 1):
        if not text.strip():
            continue
        answer, adjudicated = adjudicate.answer(text, number)
        if not adjudicated:
            error = answer["error"]
            raise _at(number, error["message"].removeprefix(f"Line {number}: "), error["path"])
        line = strict_json.loads(text)
        if line["game"] != SPLIT.code:
            raise _at(number, f"its game is {line['game']}; {SPLIT.code} alone is replayed.", "game")
        if line.get("id") is not None and seen.setdefault(repr(line["id"]), number) != number:
            raise _at(number, f"its id {line['id']!r} is that of line {seen[repr(line['id'])]}.", "id")
        facts = SPLIT.read(line)
        first = first or (number, facts)
        for name in OF_THE_SHEET:
            if getattr(facts, name) != getattr(first[1], name):
                what = name.removesuffix("_units")
                raise _at(number, f"its {what} is not that of line {first[0]}; a night has one sheet.", what)
        yield number, text, facts


def _sheet(recorded) -> Sheet:
    """The sheet that all lines agree on; its limits are the lowest and the highest ANTE among them."""
    first, antes = recorded[0], [box.ante_units for facts in recorded for box in facts.boxes]
    return SPLIT.sheet(
        {
            "chip": first.chip_units,
            "ante_minimum": min(antes),
            "ante_maximum": max(antes),
            "max_payment": first.max_payment_units,
            "small_hand_loss_pays": first.small_hand_loss_pays,
            "unseen_cards": first.unseen_cards,
            "coefficients": spell_coefficients(first.coefficients),
        }
    )


def _at(number, what, path):
    return _refused(f"Line {number}{f', {path}' if path else ''}: {what}")


def _refused(message):
    return Refused("recording_wrong", message, way_out="Nothing was laid out or played.")
