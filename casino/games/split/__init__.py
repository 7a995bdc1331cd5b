"""Split Poker: boxes play a Big Hand of five and a Small Hand of two against the dealer (rules/split.md)."""

from collections.abc import Sequence
from typing import Literal

from casino.games.decks import FIFTY_TWO
from casino.games.game import Deck, Goal
from casino.games.split.corrections import slots, stakes
from casino.games.split.explain import explain
from casino.games.split.facts import read
from casino.games.split.irregularities import IRREGULARITIES
from casino.games.split.leaflet import leaflet
from casino.games.split.play import ACTIONS, PHASES, WORDS, act, facts, legal, start, view
from casino.games.split.retrace import retrace
from casino.games.split.sentences import SENTENCES
from casino.games.split.settle import carry, outcomes, pay, settle, totals
from casino.games.split.sheet import CLAUSES, PARAMETERS, Sheet, sheet, values

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
    "retrace",
    "settle",
    "sheet",
    "slots",
    "stakes",
    "start",
    "totals",
    "values",
    "view",
]

CODE = "split"
NAME = "Split Poker"

BANK: Literal["house", "pot"] = "house"
SEATS = None


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> Deck:
    """One deck of 52 cards on every sheet (split.1)."""
    return FIFTY_TWO


def goal(sheet: Sheet, seats: Sequence[int]) -> Goal | None:
    """Each round of Split Poker stands for itself."""
    return None
