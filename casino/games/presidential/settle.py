"""Who wins a round of Presidential Poker, by which clauses."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from casino.games import pot, showdown
from casino.games.game import Json, Outcome, Result
from casino.games.presidential.facts import Facts
from casino.games.presidential.hands import CLASSES, STRENGTH, Best, best
from casino.games.presidential.ties import CLAUSES as CLAUSES_OF_TIES
from casino.games.presidential.ties import OF_NUMBERS, Tie, decider, tie

DROPPED = "presidential.5"
NOBODY_MET = "presidential.6"
EQUAL = "presidential.35"
NUMBERS_OF_FIVE = "presidential.36"
_NO_TIE = Tie(0, (0, 0), (), (), 0)


class Shown(NamedTuple):
    """A hand at the showdown; `tie` is worked out only where another hand is of the same class."""

    player: str
    cards: tuple[str, ...]
    best: Best
    tie: Tie

    @property
    def strength(self) -> tuple[int, Tie]:
        """The greater hand wins."""
        return STRENGTH[self.best.name], self.tie

    @property
    def clause(self) -> str:
        return CLASSES[self.best.name]


def settle(facts: Facts) -> dict[str, Json]:
    """The contract's answer for a round, without its `id`."""
    if facts.showdown.void is not None:
        return {"game": "presidential", "void": True}
    if not facts.met:
        return _nobody_met(facts)
    hands = show(facts)
    ranking = groups(hands)
    deciders = [decided(better[0], worse[0]) for better, worse in pairwise(ranking)]
    clauses = _clauses(ranking, deciders)
    answer: dict[str, Json] = {
        "game": "presidential",
        "ranking": [[hand.player for hand in group] for group in ranking],
        "hands": {hand.player: {"class": hand.best.name, "clauses": clauses[hand.player]} for hand in hands},
    }
    if facts.showdown.pot_units is not None:
        answer["shares"] = pot.share(
            facts.showdown.pot_units, [hand.player for hand in ranking[0]], facts.showdown.chip_units
        )
    answer["decided_by"] = deciders[0] if deciders else None
    return answer


def _nobody_met(facts: Facts) -> dict[str, Json]:
    """One player is left and takes the pot, whatever the cards."""
    ((player, cards),) = facts.showdown.hands
    name = None if cards is None else best(facts.pack, cards).name
    answer: dict[str, Json] = {
        "game": "presidential",
        "ranking": [[player]],
        "hands": {player: {"class": name, "clauses": [NOBODY_MET]}},
    }
    if facts.showdown.pot_units is not None:
        answer["shares"] = {player: facts.showdown.pot_units}
    return {**answer, "decided_by": NOBODY_MET}


def show(facts: Facts) -> tuple[Shown, ...]:
    """The hands that meet, in seat order."""
    hands = [(player, cards, best(facts.pack, cards)) for player, cards in facts.showdown.hands if cards is not None]
    count = Counter(top.name for _, _, top in hands)
    return tuple(
        Shown(player, cards, top, tie(facts.pack, cards) if count[top.name] > 1 else _NO_TIE)
        for player, cards, top in hands
    )


def groups(hands: Sequence[Shown]) -> list[list[Shown]]:
    """Groups of equal hands, best first, each in seat order."""
    of = {hand.player: hand for hand in hands}
    return [[of[player] for player in group] for group in showdown.rank(of, lambda player: of[player].strength)]


def decided(first: Shown, second: Shown) -> str:
    """The clause that puts a hand ahead of another that is not its equal: its class, or presidential.31 to .35."""
    if first.best.name != second.best.name:
        return first.clause
    return decider(first.tie, second.tie) or EQUAL


def _clauses(ranking: Sequence[Sequence[Shown]], deciders: Sequence[str]) -> dict[str, list[str]]:
    """Each hand's clauses: its class, and what placed it there: behind the group before, ahead of the next, equal.

    `deciders` are the clauses that put each group ahead of the next.
    """
    clauses = {}
    for group, before, after in zip(ranking, ("", *deciders), (*deciders, ""), strict=True):
        deciding = {clause for clause in (before, after) if clause in CLAUSES_OF_TIES}
        if len(group) > 1:
            deciding.add(EQUAL)
        for hand in group:
            numbers = [NUMBERS_OF_FIVE] if deciding.intersection(OF_NUMBERS) and _counts_twice(hand) else []
            clauses[hand.player] = [hand.clause, *numbers, *sorted(deciding)]
    return clauses


def _counts_twice(hand: Shown) -> bool:
    """Whether it holds a card of Kingdom V; their numbers are the highest."""
    return bool(hand.tie.numbers) and hand.tie.numbers[0] > 16


def outcomes(facts: Facts, result: Result) -> tuple[Outcome, ...]:
    """The result box by box; a void round includes those who dropped."""
    if facts.showdown.void is not None:
        return showdown.outcomes(facts.everybody, result)
    dropped = (Outcome(int(player), "dropped", (DROPPED,)) for player in facts.dropped)
    return tuple(sorted((*showdown.outcomes(facts.showdown, result), *dropped)))
