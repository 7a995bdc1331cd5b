"""The rounds of a series: how many there are, what they add up to, and what one hands on to the next (bigtwo.14)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from casino.games.bigtwo.facts import Compare, Facts
from casino.games.bigtwo.settle import counts_as_played, is_over
from casino.games.bigtwo.sheet import Sheet
from casino.games.game import Carry, Goal, Result


class Score(NamedTuple):
    """A series before a round: who won the last one, None before the first, and each box's points so far."""

    leader: int | None
    totals: Mapping[str, int]
    rounds_left: int


def goal(sheet: Sheet, seats: Sequence[int]) -> Goal | None:
    """The agreed rounds (bigtwo.14)."""
    return Goal(rounds=sheet.rounds)


def boxes_of(facts: Facts) -> tuple[str, ...]:
    """The boxes in seat order from the dealer's left, the reverse of playing order (bigtwo.2)."""
    return () if isinstance(facts, Compare) else facts.seats[::-1]


def score(sheet: Sheet, boxes: Iterable[str], carry: Carry) -> Score:
    """What a round starts with; without a carry a series begins."""
    if carry is None:
        return Score(None, dict.fromkeys(boxes, 0), sheet.rounds)
    return Score(carry["leader"], carry["totals"], carry["rounds_left"])


def carry(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Carry:
    """The leader, the totals and the rounds left; a round that did not come to its end is played again, unless it is
    void by house.6."""
    before = score(sheet, boxes_of(facts), carry)
    if not is_over(result) and not counts_as_played(facts):
        return _spelled(before)
    if before.rounds_left == 1:
        return None
    leader = int(result["ranking"][0][0]) if is_over(result) else before.leader
    return _spelled(Score(leader, totals(facts, result, sheet, carry), before.rounds_left - 1))


def totals(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Mapping[str, int]:
    """The totals up to this round: penalties added up, or points won, below 0 if lost (bigtwo.14)."""
    before = score(sheet, boxes_of(facts), carry).totals
    return {box: total + result["net"][box] for box, total in before.items()} if is_over(result) else dict(before)


def _spelled(score: Score) -> dict[str, object]:
    return {"leader": score.leader, "totals": dict(score.totals), "rounds_left": score.rounds_left}
