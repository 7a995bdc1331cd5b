"""Why the pot of a Genpoker round goes where it goes, in the order of reasoning."""

from collections.abc import Iterator, Mapping

from casino.games import showdown
from casino.games.game import Reason, Result
from casino.games.genpoker.classes import CLASSES, Class, Shape, describe, ranked, shape
from casino.games.genpoker.settle import Facts
from casino.games.showdown import named, who

SENTENCES: Mapping[str, str] = {
    **showdown.SENTENCES,
    "shows": "{who} shows {cards}: {hand}.",
    "counts_first": "Though it would also be {also}, it counts as {held}: the first class that it satisfies.",
    "class_below": "{best} is ahead of {whom}: {better} against {words}.",
    "tie_broken": "{best} and {whom} both hold {held}. {rule}: {value} against {own}.",
    "tie_goes_first": "This tie-break of {held} goes before the general rule that low cards break ties.",
    "equal": "{best} and {whom} both hold {held}, and nothing tells them apart: they split.",
}

_WHATEVER_ELSE_IS_HELD = ("two_countries", "children", "parents", "country")
"""The classes that genpoker.30 names."""


def explain(facts: Facts, result: Result) -> tuple[Reason, ...]:
    """First every hand in seat order, then every other against the best from the top down, then the pot."""
    if facts.void is not None:
        return showdown.void_reasons(facts)
    hands = {player: cards for player, cards in facts.hands if cards is not None}
    shapes = {player: shape(cards) for player, cards in hands.items()}
    reasons = [reason for player, cards in hands.items() for reason in _shown(player, cards, shapes[player])]
    best, *others = [player for group in result["ranking"] for player in group]
    for player in others:
        reasons += _compared(best, player, shapes[best], shapes[player])
    winners = result["ranking"][0]
    return (*reasons, *showdown.share_reasons(facts, winners, result.get("shares"), "genpoker.3"))


_ONE_OF_ITS_KIND = ("straight", "country", "full_house", "flush", "pair", "high_card")


def _held(made: Class) -> str:
    """A class as one holds it: a flush, but children."""
    return f"a {made.words}" if made.name in _ONE_OF_ITS_KIND else made.words


def _shown(player: str, cards: tuple[str, ...], hand: Shape) -> Iterator[Reason]:
    made = ranked(hand).made
    told = {"who": who(player), "cards": " ".join(sorted(cards)), "hand": describe(hand), "held": _held(made)}
    yield Reason(player, made.clause, "shows", told)
    if made.name in _WHATEVER_ELSE_IS_HELD:
        lower = CLASSES[CLASSES.index(made) + 1 : -2]  # A pair or a high card is no surprise.
        also = next((_held(other) for other in lower if other.is_held(hand)), None)
        if also:
            yield Reason(player, "genpoker.30", "counts_first", {**told, "also": also})


def _compared(best: str, player: str, ahead: Shape, behind: Shape) -> Iterator[Reason]:
    better, made = ranked(ahead).made, ranked(behind).made
    told = {"best": who(best), "whom": named(player), "better": better.words, "words": made.words}
    told["held"] = _held(made)
    if better != made:
        yield Reason(player, better.clause, "class_below", told)
        return
    tie = next((tie for tie in made.ties if tie.value(ahead) != tie.value(behind)), None)
    if tie is None:
        yield Reason(player, made.clause, "equal", told)
        return
    # More of one colour is counted below 0, for the lower value wins.
    told |= {"rule": tie.words, "value": str(abs(tie.value(ahead))), "own": str(abs(tie.value(behind)))}
    yield Reason(player, made.clause, "tie_broken", told)
    if ahead.numbers > behind.numbers:
        yield Reason(player, "genpoker.29", "tie_goes_first", told)
