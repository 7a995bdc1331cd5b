"""Evenings of the house's games, kept as data: a line with the rule sheet, then one for each round: who sits in it,
from the dealer's left, and what happens. `tests/support/evening.py` deals them anew."""

import json
from pathlib import Path
from typing import NamedTuple

from casino.games import registry
from casino.games.game import Action

_FOLDER = Path(__file__).parent


class Dealt(NamedTuple):
    """A round as it was dealt and played: `seats` from the dealer's left."""

    seats: tuple
    actions: tuple


def path(name):
    """Where an evening is kept."""
    return _FOLDER / f"{name}.jsonl"


def game_of(name):
    """The game of an evening: `dynastia_long` is of Dynastia."""
    return registry.GAMES[name.partition("_")[0]]


def evening(name):
    """The kept rule sheet and rounds of an evening."""
    values, *rounds = [json.loads(line) for line in path(name).read_text("utf-8").splitlines()]
    return values, [
        Dealt(tuple(kept["seats"]), tuple(Action(*action) for action in kept["actions"])) for kept in rounds
    ]
