"""Who wins a round of Dynastia, what of the pot everyone gets, and what everyone scores."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from casino.games import pot, showdown
from casino.games.dynastia.facts import Facts
from casino.games.dynastia.sets import Strength, decides, strength
from casino.games.game import Json, Outcome, Result

WITH_SET, WITHOUT_SET = "dynastia.4", "dynastia.10"
EQUAL = "dynastia.9"


def settle(facts: Facts) -> dict[str, Json]:
    """The contract's answer for a round, without its `id`."""
    if facts.void is not None:
        return {"game": "dynastia", "void": True}
    hands = strengths(facts)
    ranking = showdown.rank(hands, hands.__getitem__)
    clauses = _clauses(ranking, hands)
    result: dict[str, Json] = {
        "game": "dynastia",
        "ranking": ranking,
        "hands": {player: {"class": hand.name, "clauses": clauses[player]} for player, hand in hands.items()},
    }
    if facts.showdown.pot_units is not None:
        result["shares"] = pot.share(facts.showdown.pot_units, ranking[0], facts.showdown.chip_units)
    result["decided_by"] = decides(hands[ranking[0][0]], hands[ranking[1][0]]) if len(ranking) > 1 else None
    result["scores"] = {player: str(score) for player, score in scores(ranking, hands).items()}
    return result


def strengths(facts: Facts) -> dict[str, Strength]:
    """What each player's hand is worth, in seat order; nothing in a void round, which may leave cards out."""
    preferred = facts.preferred or ""
    return {hand.player: strength(hand.cards or (), preferred) for hand in facts.showdown.hands}


def _clauses(ranking: Sequence[Sequence[str]], hands: Mapping[str, Strength]) -> dict[str, list[str]]:
    """Each player's clauses: those that name the hand, that give it its place (the winner's ahead of the second, any
    other's behind the one before it) and that keep equal hands equal."""
    clauses = {}
    for place, group in enumerate(ranking):
        hand = hands[group[0]]
        decided = [WITH_SET if hand.has_set else WITHOUT_SET]
        if place:
            decided.append(decides(hands[ranking[place - 1][0]], hand))
        elif len(ranking) > 1:
            decided.append(decides(hand, hands[ranking[1][0]]))
        if len(group) > 1:
            decided.append(EQUAL)
        for player in group:
            clauses[player] = list(dict.fromkeys(decided))
    return clauses


def scores(ranking: Sequence[Sequence[str]], hands: Mapping[str, Strength]) -> dict[str, Fraction]:
    """What each player receives in a long game, in seat order.

    The winner receives the sum of all sets, the next that sum less the winner's set, and so on (dynastia.12); equal
    hands share equally what their places receive together (dynastia.13). With sets worth 12, 9, 9 and 0 in this order
    30 go to the first, 18 and 9 are 27/2 each for the two, and the last has their own 0.
    """
    left = sum([hand.worth for hand in hands.values()])
    received = dict.fromkeys(hands, Fraction(0))
    for group in ranking:
        worth, count = hands[group[0]].worth, len(group)
        together = sum([left - place * worth for place in range(count)])
        left -= count * worth
        received.update(dict.fromkeys(group, Fraction(together, count)))
    return received


def outcomes(facts: Facts, result: Result) -> tuple[Outcome, ...]:
    """By box number; in a round without a pot everyone has `scored`."""
    if facts.void is not None or "shares" in result:
        return showdown.outcomes(facts.showdown, result)
    tied = {player for group in result["ranking"] if len(group) > 1 for player in group}
    scored = [
        Outcome(int(player), "scored", (*hand["clauses"], "dynastia.12", *(["dynastia.13"] if player in tied else [])))
        for player, hand in result["hands"].items()
    ]
    return tuple(sorted(scored))
