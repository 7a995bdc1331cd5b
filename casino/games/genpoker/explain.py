"""Why the pot of a Genpoker round goes where it goes, in the order of reasoning."""

from collections.abc import Iterator

from casino.games.decks import looks
from casino.games.game import Reason, Result
from casino.games.genpoker.cards import SIXTY_FOUR
from casino.games.genpoker.classes import CLASSES, Shape, describe, ranked, shape
from casino.games.genpoker.facts import Facts
from casino.games.reasons import share_reasons, void_reasons
from casino.games.sentences import named, who

_WHATEVER_ELSE_IS_HELD = ("two_countries", "children", "parents", "country")
"""The classes that genpoker.30 names."""


def explain(facts: Facts, result: Result) -> tuple[Reason, ...]:
    """Every reason: each hand in seat order, then each other hand against the best, from the top down, then the pot."""
    if facts.void is not None:
        return void_reasons(facts)
    hands = {player: cards for player, cards in facts.hands if cards is not None}
    shapes = {player: shape(cards) for player, cards in hands.items()}
    reasons = [reason for player, cards in hands.items() for reason in _shown(player, cards, shapes[player])]
    best, *others = [player for group in result["ranking"] for player in group]
    for player in others:
        reasons += _compared(best, player, shapes[best], shapes[player])
    winners = result["ranking"][0]
    return (*reasons, *share_reasons(facts, winners, result.get("shares"), "genpoker.3"))


def _shown(player: str, cards: tuple[str, ...], hand: Shape) -> Iterator[Reason]:
    hand_class = ranked(hand).hand_class
    values = {
        "who": who(player),
        "cards": looks(SIXTY_FOUR, sorted(cards)),
        "hand": describe(hand),
        "held": hand_class.held,
    }
    yield Reason(player, hand_class.clause, "shows", values)
    if hand_class.name in _WHATEVER_ELSE_IS_HELD:
        lower = CLASSES[CLASSES.index(hand_class) + 1 : -2]  # A pair or a high card is no surprise.
        also = next((other.held for other in lower if other.is_held(hand)), None)
        if also:
            yield Reason(player, "genpoker.30", "counts_first", {**values, "also": also})


def _compared(best: str, player: str, ahead: Shape, behind: Shape) -> Iterator[Reason]:
    better, worse = ranked(ahead).hand_class, ranked(behind).hand_class
    values = {"ahead": best, "best": who(best), "whom": named(player), "better": better.words, "words": worse.words}
    values["held"] = worse.held
    if better != worse:
        yield Reason(player, better.clause, "class_below", values)
        return
    tie = next((tie for tie in worse.ties if tie.value(ahead) != tie.value(behind)), None)
    if tie is None:
        yield Reason(player, worse.clause, "equal", values)
        return
    # The lower value wins, so more of one colour is counted below 0.
    values |= {"rule": tie.words, "value": str(abs(tie.value(ahead))), "own": str(abs(tie.value(behind)))}
    yield Reason(player, worse.clause, "tie_broken", values)
    if ahead.numbers > behind.numbers:
        yield Reason(player, "genpoker.29", "tie_goes_first", values)
