"""Single decisions (contracts/edge.md): from five or seven cards and an open card to the worth of each choice."""

import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from casino.cards import RANKS as RANK_NAMES
from casino.cards import SUITS as SUIT_NAMES
from casino.cards import VALUE
from casino.games.poker import small_strength, strength
from casino.games.split.sheet import PAID_CATEGORIES, Sheet

from . import SheetError, deals, report, solve
from .ranks import RANKS, SUITS, strength_of
from .report import spell
from .worth import Pays

Array = Any
_KEYS = {"id", "cards", "open", "games", "coefficients"}


class StateError(ValueError):
    """A line is not a state; `code`, `message` and `path` as adjudicate.md has them."""

    def __init__(self, code: str, message: str, path: str) -> None:
        super().__init__(message)
        self.code, self.message, self.path = code, message, path


class Solver:
    """Answers states by a sheet; what that needs is made once for each table of coefficients and each `games`."""

    def __init__(self, sheet: Sheet, ante_units: int | None, games: bool, threads: int, folder: Path | None) -> None:
        self.sheet, self.ante_units, self.games = sheet, ante_units, games
        self.threads, self.folder = threads, folder
        self._known: dict[tuple[Any, bool], solve.Solution] = {}

    def answer(self, state: Any) -> dict[str, Any]:
        """The contract's answer.

        :raises StateError: if it is not a state.
        """
        cards, open_card, games, sheet = self._read(state)
        suits = np.zeros((1, SUITS), dtype=np.int64)
        for card in cards:
            suits[0, SUIT_NAMES.index(card[1])] |= 1 << RANK_NAMES.index(card[0])
        suit, rank = SUIT_NAMES.index(open_card[1]), RANK_NAMES.index(open_card[0])
        if len(cards) == 5:
            hands = deals.Hands(suits, np.ones(1, dtype=np.int64))
            solution = solve.choices(self._solution(sheet, games), hands, self.threads, _quiet)
            choices = {
                "fold": -1.0,
                "bet": float(solution.bet[0, suit, rank]),
                "buy": float(solution.buy[0, suit, rank]),
            }
            return {"id": state.get("id"), **_best(choices)}
        payments = report.pays(sheet, self.ante_units, games)
        best = max(_settings(payments, cards, suits[0], suit, rank))
        return {
            "id": state.get("id"),
            **_best({"fold": -2.0, "bet": best[0] - 1.0}),
            "setting": {"big": list(best[3]), "small": list(best[4])},
        }

    def _solution(self, sheet: Sheet, games: bool) -> solve.Solution:
        key = (sheet.coefficients, games)
        if key not in self._known:
            tables = solve.tables(self.threads, _quiet, self.folder)
            nobody = deals.Hands(np.zeros((0, SUITS), dtype=np.int64), np.zeros(0, dtype=np.int64))
            self._known[key] = solve.solve(
                report.pays(sheet, self.ante_units, games), tables, self.threads, _quiet, nobody,
                house=sheet.unseen_cards == "house_way",
            )  # fmt: skip
        return self._known[key]

    def _read(self, state: Any) -> tuple[tuple[str, ...], str, bool, Sheet]:
        if not isinstance(state, dict):
            raise StateError("bad_field", "A state is a JSON object with cards and an open card.", "")
        for key in state:
            if key not in _KEYS:
                raise StateError("bad_field", f"A state has no value {key!r}; it has {', '.join(sorted(_KEYS))}.", key)
        cards, open_card = state.get("cards"), state.get("open")
        if not isinstance(cards, list) or len(cards) not in (5, 7):
            raise StateError("bad_field", "The player's cards are a list of five or seven.", "cards")
        for number, card in enumerate(cards):
            _check(card, f"cards[{number}]")
        _check(open_card, "open")
        seen: set[str] = set()
        for number, card in enumerate([*cards, open_card]):
            if card in seen:
                where = f"cards[{number}]" if number < len(cards) else "open"
                raise StateError("duplicate_card", f"{card} is there twice.", where)
            seen.add(card)
        games = state.get("games", self.games)
        if not isinstance(games, bool):
            raise StateError("bad_field", "`games` is true or false.", "games")
        sheet = self.sheet
        if "coefficients" in state:
            sheet = sheet._replace(coefficients=_coefficients(state["coefficients"], sheet))
        return tuple(cards), str(open_card), games, sheet


def _check(card: Any, path: str) -> None:
    if not isinstance(card, str) or card not in VALUE:
        raise StateError("bad_card", f"{card!r} is no card; a card is a rank and a suit, as in Qh.", path)


def _coefficients(value: Any, sheet: Sheet) -> Any:
    if not isinstance(value, list) or len(value) != len(PAID_CATEGORIES):
        raise StateError("bad_field", "The coefficients are a list of nine, from pair to royal flush.", "coefficients")
    names = {
        name: one if isinstance(one, str) and ":" in one else f"{one}:1"
        for name, one in zip(PAID_CATEGORIES, value, strict=True)
    }
    try:
        rules = {"coefficients": names, "small_hand_loss_pays": sheet.small_hand_loss_pays}
        return report.read(rules).coefficients
    except SheetError as error:
        raise StateError(error.code, error.message, error.path or "coefficients") from None


def answers(lines: Iterable[str], solver: Solver) -> Iterator[dict[str, Any]]:
    """One answer for each line; that of a wrong line has `error`, and the others are still answered."""
    for line in lines:
        if not line.strip():
            continue
        state: Any = None
        try:
            state = json.loads(line)
            yield solver.answer(state)
        except (ValueError, RecursionError) as error:
            fault = error if isinstance(error, StateError) else StateError("bad_json", "The line is no JSON.", "")
            yield {
                "id": state.get("id") if isinstance(state, dict) else None,
                "error": {"code": fault.code, "message": fault.message, "path": fault.path},
            }


def _quiet(share: float) -> None:
    """A progress that says nothing: nobody waits for a single state."""


def _number(value: float) -> float:
    return float(spell(value))


def _best(choices: dict[str, float]) -> dict[str, Any]:
    return {
        "choices": {name: _number(value) for name, value in choices.items()},
        "best": max(choices, key=choices.__getitem__),
    }


def _settings(
    payments: Pays, cards: tuple[str, ...], suits: Array, suit: int, rank: int
) -> Iterator[tuple[float, Any, Any, tuple[str, ...], tuple[str, ...]]]:
    """The 21 settings, each with its value, the Big Hand's and the Small Hand's strength: the greatest is the best."""
    known: dict[Any, float] = {}
    for small in combinations(cards, 2):
        big = tuple(card for card in cards if card not in small)
        hand, pair = strength(big), small_strength(small)
        if (hand, pair) not in known:
            spread = np.zeros(RANKS, dtype=np.int8)
            for card in big:
                spread[RANK_NAMES.index(card[0])] += 1
            code = int(strength_of(spread, len({card[1] for card in big}) == 1))
            ranks = (pair.high - 2, pair.low - 2)
            known[hand, pair] = round(float(solve.setting(payments, suits, code, ranks)[suit, rank]), 12)
        yield known[hand, pair], hand, pair, big, small
