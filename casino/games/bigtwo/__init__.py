"""Big Two: two to four players shed cards, whoever is first without cards wins the round (rules/bigtwo.md)."""

from collections.abc import Sequence
from typing import Literal

from casino.games.bigtwo.corrections import slots
from casino.games.bigtwo.explain import explain
from casino.games.bigtwo.facts import read
from casino.games.bigtwo.irregularities import IRREGULARITIES
from casino.games.bigtwo.leaflet import leaflet
from casino.games.bigtwo.play import ACTIONS, PHASES, act, facts, legal, start
from casino.games.bigtwo.sentences import SENTENCES
from casino.games.bigtwo.series import carry, pay, stakes, totals
from casino.games.bigtwo.settle import outcomes, settle
from casino.games.bigtwo.sheet import CLAUSES, PARAMETERS, Sheet, sheet, values
from casino.games.bigtwo.view import WORDS, view
from casino.games.decks import FIFTY_TWO
from casino.games.game import Deck, Goal

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

CODE = "bigtwo"
NAME = "Big Two"

BANK: Literal["house", "pot"] = "pot"
SEATS = (2, 4)


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> Deck:
    """One deck of 52 cards on every sheet (bigtwo.1)."""
    return FIFTY_TWO


def goal(sheet: Sheet, seats: Sequence[int]) -> Goal | None:
    """The agreed rounds (bigtwo.14)."""
    return Goal(rounds=sheet.rounds)
