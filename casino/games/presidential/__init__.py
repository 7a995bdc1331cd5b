"""SIXCHEX Presidential Poker: draw poker with seven cards of six symbols each (rules/presidential.md)."""

from collections.abc import Sequence
from typing import Literal

from casino.games.game import Deck, Goal
from casino.games.presidential.explain import explain
from casino.games.presidential.facts import read
from casino.games.presidential.leaflet import leaflet
from casino.games.presidential.play import ACTIONS, PHASES, act, facts, legal
from casino.games.presidential.sentences import SENTENCES
from casino.games.presidential.settle import carry, outcomes, pay, settle, slots, stakes, totals
from casino.games.presidential.sheet import CLAUSES, IRREGULARITIES, PARAMETERS, PLAYERS, Sheet, sheet, values
from casino.games.presidential.state import start
from casino.games.presidential.view import WORDS, view

__all__ = [
    "ACTIONS",
    "BANK",
    "CLAUSES",
    "CODE",
    "IRREGULARITIES",
    "NAME",
    "PARAMETERS",
    "PHASES",
    "SEATS",
    "SENTENCES",
    "WORDS",
    "act",
    "carry",
    "deck",
    "explain",
    "facts",
    "goal",
    "leaflet",
    "legal",
    "outcomes",
    "pay",
    "read",
    "settle",
    "sheet",
    "slots",
    "stakes",
    "start",
    "totals",
    "values",
    "view",
]

CODE = "presidential"
NAME = "Presidential Poker"

BANK: Literal["house", "pot"] = "pot"
SEATS = PLAYERS


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> Deck:
    """The 72 cards of the deck that the sheet names (presidential.4)."""
    return sheet.pack.deck


def goal(sheet: Sheet, seats: Sequence[int]) -> Goal | None:
    """Each round stands for itself: a redeal stays within it (presidential.5)."""
    return None
