"""Why a round of Dynastia ended as it did: every hand, every comparison of neighbours, and what each player gets."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from casino.games.boards import points
from casino.games.dynastia.cards import COLOURS, spell
from casino.games.dynastia.facts import Facts
from casino.games.dynastia.sentences import NONE, RANKING, set_words
from casino.games.dynastia.sets import Strength, decides
from casino.games.dynastia.settle import EQUAL, WITH_SET, WITHOUT_SET, strengths
from casino.games.game import Reason, Result
from casino.games.reasons import share_reasons, void_reasons
from casino.games.sentences import listed, named, who

Hands = Mapping[str, Strength]
Ranking = Sequence[Sequence[str]]


def explain(facts: Facts, result: Result) -> tuple[Reason, ...]:
    """Hands in seat order, then place by place what decided, then the pot or, where none is played for, the scores."""
    if facts.void is not None:
        return void_reasons(facts.showdown)
    hands = strengths(facts)
    colour = COLOURS[facts.preferred or ""]
    ranking = result["ranking"]
    reasons = [*_hands(facts, hands), *_places(ranking, hands, colour)]
    if "shares" in result:
        reasons += share_reasons(facts.showdown, ranking[0], result["shares"], "dynastia.11")
    else:
        reasons += _scores(ranking, hands, result["scores"])
    return tuple(reasons)


def _hands(facts: Facts, hands: Hands) -> Iterator[Reason]:
    for player, cards in facts.showdown.hands:
        hand = hands[player]
        values = {"who": who(player), "cards": spell(cards or ()), "set": set_words(hand.name)}
        if hand.has_set:
            yield Reason(player, WITH_SET, "set", values)
        else:
            yield Reason(player, WITHOUT_SET, "no_set", values)


def _places(ranking: Ranking, hands: Hands, colour: str) -> Iterator[Reason]:
    """For each group what keeps its players equal and what puts it before the next."""
    for group, following in pairwise((*ranking, ())):
        if len(group) > 1:
            message = "equal" if hands[group[0]].has_set else "equal_without"
            yield Reason(group[0], EQUAL, message, {"players": _names(group), "colour": colour})
        if following:
            better, worse = hands[group[0]], hands[following[0]]
            order = RANKING["one" if len(group) == 1 else "more"].format(better=_names(group), worse=_within(following))
            values = {"ranking": order, "same": _within(group), "colour": colour, "behind": list(following)}
            clause = decides(better, worse)
            yield Reason(group[0], clause, _message(clause, better, worse), {**values, **_compared(better, worse)})


_MESSAGES: Mapping[str, str] = {
    "dynastia.10": "set_before_none",
    "dynastia.5": "lower_start",
    "dynastia.6": "longer",
    "dynastia.7": "more_preferred",
    "dynastia.8": "first_preferred",
}


def _message(clause: str, better: Strength, worse: Strength) -> str:
    if clause in _MESSAGES:
        return _MESSAGES[clause]
    compared = "others" if better.has_set else "none"
    ran_out = better.others[: len(worse.others)] == worse.others
    return f"{compared}_more" if ran_out else f"{compared}_lower"


def _compared(better: Strength, worse: Strength) -> dict[str, Any]:
    """The values for a comparison's sentence; `number` is the first that only the better hand has in the colour."""
    colours = zip(better.numbers, better.in_colour, worse.in_colour, strict=False)
    return {
        "set": set_words(better.name),
        "other_set": set_words(worse.name),
        "count": better.preferred,
        "other_count": worse.preferred,
        "number": next((number for number, mine, other in colours if mine and not other), None),
        "others": _numbers(better.others),
        "other_others": _numbers(worse.others),
    }


def _scores(ranking: Ranking, hands: Hands, scores: Mapping[str, str]) -> Iterator[Reason]:
    """Why each player scores what they do, place by place (dynastia.12); equal hands go by dynastia.13."""
    placed = [player for group in ranking for player in group]
    for group in ranking:
        first, count = placed.index(group[0]), len(group)
        # What each place of the group receives: all sets from there on.
        sums = [[hands[player].worth for player in placed[place:]] for place in range(first, first + count)]
        for player in group:
            values = {"who": who(player), "score": points(Fraction(scores[player]))}
            if count > 1:
                places = " + ".join(str(sum(worths)) for worths in sums)
                yield Reason(player, "dynastia.13", "score_shared", {**values, "count": count, "places": places})
            else:
                message = "score_first" if first == 0 else "score_last" if len(sums[0]) == 1 else "score"
                yield Reason(player, "dynastia.12", message, {**values, "worths": " + ".join(map(str, sums[0]))})


def _numbers(others: Sequence[int]) -> str:
    return ", ".join(str(-number) for number in others) or NONE["cards"]


def _names(players: Sequence[str]) -> str:
    """Players at the beginning of a sentence.

    >>> _names(["1", "2", "Anna"])
    'Box 1, box 2 and Anna'
    """
    return listed([who(players[0]), *map(named, players[1:])])


def _within(players: Sequence[str]) -> str:
    return listed([named(player) for player in players])
