"""The fold of a round: what its actions come to, one after the other, and the rows for queries that follow.

The state of a round is nowhere stored: it is the fold of the actions that count over the start.
"""

import functools
import operator
from collections import Counter
from typing import Any, NamedTuple

from django.db.models import Q

from casino.games import registry
from casino.games.game import Action as GameAction
from casino.games.game import Refusal

from ..models import Action, Box, Hand, Round, Wager
from . import rulesheets

UNSEEN = "?"
CARDS = {"card", "cards"}


class Folded(NamedTuple):
    """A round as its actions make it: the game's module, its state, and how many actions there are.

    `counting` are the actions that count, in the order in which they take effect.
    """

    game: Any
    state: Any
    version: int
    counting: tuple


class Step(NamedTuple):
    """An action with the state in which it happens; `after` is the state that it leads to, or the game's refusal."""

    action: Action
    before: Any
    after: Any


class Covered(NamedTuple):
    """An action whose cards lie face down: how many they are, and its arguments with `UNSEEN` for each."""

    cards: int
    arguments: dict


def of(round_, upto=None, actions=None):
    """All actions that count, in order, over the start: the one way from what is stored to a state.

    :param upto: the ordinal after which to stop, for the state as it was then.
    :param actions: all of the round's, in order, if they were asked for already.
    """
    game = game_of(round_)
    if actions is None:
        actions = round_.actions.order_by("ordinal")
    actions = [action for action in actions if upto is None or action.ordinal <= upto]
    counts = counting(actions)
    state = start(round_)
    for action, _, after in steps(game, state, counts):
        if isinstance(after, Refusal):
            raise RuntimeError(f"Round {round_.pk}: its action {action.ordinal} does not follow: {after.message}")
        state = after
    return Folded(game, state, len(actions), counts)


def game_of(round_):
    return registry.GAMES[round_.sheet.game]


def start(round_):
    """The round's state before its first action."""
    return game_of(round_).start(rulesheets.checked(round_.sheet), tuple(round_.seats), round_.carry)


def steps(game, state, actions):
    """Let actions happen one after the other, beginning in a state; the first that is refused is the last step."""
    for action in actions:
        after = game.act(state, GameAction(action.kind, action.box, action.arguments))
        yield Step(action, state, after)
        if isinstance(after, Refusal):
            return
        state = after


def counting(actions):
    """The actions that count: what was undone is out, what was amended is replaced where it stood."""
    later = {action.undoes: action for action in actions if action.undoes}
    counts = []
    for first in actions:
        newest = first
        while newest.ordinal in later:
            newest = later[newest.ordinal]
        if not first.undoes and newest.kind != Action.UNDO:
            counts.append(newest)
    return tuple(counts)


def offers(game, state):
    """What is legal in a state, by (kind, box)."""
    return {(offer.kind, offer.box): offer for offer in game.legal(state)}


def cards_of(offer, arguments):
    """How often each card is among the arguments of an action."""
    cards = Counter()
    for field in offer.fields:
        value = arguments.get(field.name)
        # An optional list of cards arranges those of the fields before it.
        if field.kind in CARDS and not field.optional and value is not None:
            cards.update(value if isinstance(value, list) else [value])
    return cards


def face_down(round_, actions):
    """The actions whose cards nobody at the table may see now, by ordinal, each as `Covered`.

    Once a round is over, its cards lie open.

    :param actions: all of the round's, in order; one that no longer counts is judged by what counted when it was made.
    """
    if round_.status != Round.Status.OPEN:
        return {}
    game, counts = game_of(round_), counting(actions)
    gone = [action.ordinal for action in actions if action.arguments and action not in counts]
    covered = {}
    for folded in (counts, *(counting(actions[:ordinal]) for ordinal in gone)):
        for action, before, after in steps(game, start(round_), folded):
            # Most actions have no card; their offers need not be made again.
            if not any(isinstance(value, list | str) for value in action.arguments.values()):
                continue
            offer = offers(game, before)[action.kind, action.box]
            cards = cards_of(offer, action.arguments)
            if cards and _lie_face_down(game, cards, before, after):
                covered[action.ordinal] = Covered(cards.total(), _covered(offer, action.arguments))
    return covered


def _lie_face_down(game, cards, before, after):
    """Whether cards that were entered came to lie where only backs are seen."""
    lain, lying = (Counter(card for hand in game.view(state).hands for card in hand.cards) for state in (before, after))
    return lying[None] > lain[None] and not any(card in lying for card in cards)


def _covered(offer, arguments):
    hidden = {field.name for field in offer.fields if field.kind in CARDS}
    return {
        name: ([UNSEEN] * len(value) if isinstance(value, list) else UNSEEN) if value and name in hidden else value
        for name, value in arguments.items()
    }


def write(round_, before, after):
    """Bring the rows for queries and people up to the state: only what changed between two views."""
    if before.phase != after.phase:
        Round.objects.filter(pk=round_.pk).update(phase=after.phase)
    _sync(Box, round_, _boxes(before), _boxes(after), "number")
    _sync(Hand, round_, _hands(before), _hands(after), "kind", "box")
    _sync(Wager, round_, _wagers(before), _wagers(after), "ordinal")


def _boxes(view):
    return {(box.number,): {"number": box.number, "state": box.state} for box in view.boxes}


def _wagers(view):
    return {(wager.ordinal,): wager._asdict() for wager in view.wagers}


def _hands(view):
    return {
        (hand.kind, hand.box): {"box": hand.box, "kind": hand.kind, "cards": [card or UNSEEN for card in hand.cards]}
        for hand in view.hands
    }


def _sync(model, round_, before, after, *names):
    """Delete the rows that are gone or changed, insert those that are new or changed; keys are values of `names`."""
    gone = [Q(**dict(zip(names, key, strict=True))) for key, row in before.items() if row != after.get(key)]
    if gone:
        model.objects.filter(functools.reduce(operator.or_, gone), round=round_).delete()
    model.objects.bulk_create(model(round=round_, **row) for key, row in after.items() if row != before.get(key))
