"""Genpoker: five cards of the Six Generations deck, one exchange, and a showdown for the pot (rules/genpoker.md)."""

from collections.abc import Sequence
from typing import Literal

from casino.games.game import Deck, Goal
from casino.games.genpoker.cards import SIXTY_FOUR
from casino.games.genpoker.explain import SENTENCES, explain
from casino.games.genpoker.leaflet import leaflet
from casino.games.genpoker.play import ACTIONS, PHASES, act, facts, legal, start
from casino.games.genpoker.settle import IRREGULARITIES, carry, pay, read, settle, slots, stakes, totals
from casino.games.genpoker.sheet import CLAUSES, PARAMETERS, PLAYERS, Sheet, sheet, values
from casino.games.genpoker.view import WORDS, view
from casino.games.showdown import outcomes

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

CODE = "genpoker"
NAME = "Genpoker"

BANK: Literal["house", "pot"] = "pot"
SEATS = PLAYERS


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> Deck:
    """One deck of 64 cards on every sheet (genpoker.1)."""
    return SIXTY_FOUR


def goal(sheet: Sheet, seats: Sequence[int]) -> Goal | None:
    """Each round of Genpoker stands for itself."""
    return None
