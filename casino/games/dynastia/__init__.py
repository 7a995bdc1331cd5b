"""Dynastia: seven cards, the run of numbers that starts lowest wins, for a pot or for scores (rules/dynastia.md)."""

from collections.abc import Sequence
from typing import Literal

from casino.games import game
from casino.games.dynastia.cards import DECKS, PLAYERS, fitting
from casino.games.dynastia.corrections import slots
from casino.games.dynastia.explain import explain
from casino.games.dynastia.facts import read
from casino.games.dynastia.irregularities import IRREGULARITIES
from casino.games.dynastia.leaflet import leaflet
from casino.games.dynastia.payments import pay, stakes
from casino.games.dynastia.play import ACTIONS, PHASES, act, facts, legal
from casino.games.dynastia.sentences import SENTENCES
from casino.games.dynastia.series import carry, totals
from casino.games.dynastia.settle import outcomes, settle
from casino.games.dynastia.sheet import CLAUSES, PARAMETERS, Sheet, sheet, values
from casino.games.dynastia.state import start
from casino.games.dynastia.view import WORDS, view

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

CODE = "dynastia"
NAME = "Dynastia"

BANK: Literal["house", "pot"] = "pot"
SEATS = PLAYERS


def deck(sheet: Sheet, seats: Sequence[int] = ()) -> game.Deck:
    """The deck of 64 or 72 cards: the one that fits so many players, else as the sheet says (dynastia.1)."""
    return DECKS[fitting(sheet.deck, len(seats)) if seats else sheet.deck]


def goal(sheet: Sheet, seats: Sequence[int]) -> game.Goal | None:
    """The agreed rounds of a long game, as many as players if none are agreed, or its target (dynastia.12)."""
    if not sheet.is_long:
        return None
    return game.Goal(target=sheet.target) if sheet.target is not None else game.Goal(rounds=sheet.rounds or len(seats))
