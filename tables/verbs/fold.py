"""The fold of a round: what its actions come to, one after the other, and the rows for queries that follow.

The state of a round is not stored anywhere: it is the fold, over the start, of the actions that count.
"""

from collections import Counter
from itertools import chain
from typing import Any, NamedTuple

from casino.games import registry
from casino.games.game import Action as GameAction
from casino.games.game import Refusal

from ..models import Action, Round
from . import rulesheets
from .wording import WORDING

UNSEEN = "?"
CARDS = {"card", "cards"}


class Folded(NamedTuple):
    """A round as its actions make it: the game's module, its state, and how many actions there are.

    `counting` are the actions that count, in the order in which they take effect, `steps` the same with the states.
    `wrong` is the first step that the game refuses, or None: somebody wrote that row bypassing the product, and neither
    it nor anything after it counts.
    """

    game: Any
    state: Any
    version: int
    counting: tuple
    steps: tuple
    wrong: Any = None


class Step(NamedTuple):
    """An action with the state in which it happens; `after` is the state that it leads to, or the game's refusal."""

    action: Action
    before: Any
    after: Any


class Covered(NamedTuple):
    """An action whose cards lie face down: their number, and its arguments with `UNSEEN` for each card."""

    cards: int
    arguments: dict


def of(round_, upto=None, actions=None):
    """All actions that count, in order, over the start: the one way from what is stored to a state.

    :param upto: the ordinal after which to stop, for the state as it was then.
    :param actions: all of the round's, in order, if they were read already.
    """
    game = game_of(round_)
    if actions is None:
        actions = round_.actions.order_by("ordinal")
    actions = [action for action in actions if upto is None or action.ordinal <= upto]
    counts = counting(actions)
    state = start(round_)
    happened, wrong = tuple(steps(game, state, counts)), None
    if happened and isinstance(happened[-1].after, Refusal):
        happened, wrong = happened[:-1], happened[-1]
    state = happened[-1].after if happened else state
    return Folded(game, state, len(actions), counts[: len(happened)], happened, wrong)


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


def lost(folded, actions):
    """Why actions that nobody took back do not count, by ordinal: the first does not follow, the others come after it.

    :param actions: all of the round's, in order.
    """
    if not folded.wrong:
        return {}
    first, *behind = (action.ordinal for action in counting(actions)[len(folded.counting) :])
    return {first: WORDING("lost:first")} | dict.fromkeys(behind, WORDING("lost:behind", action=first))


def offers(game, state):
    """What is legal in a state, by (kind, box)."""
    return {(offer.kind, offer.box): offer for offer in game.legal(state)}


def cards_of(offer, arguments):
    """How often each card is among the arguments of an action."""
    cards = Counter()
    for field in offer.fields:
        value = arguments.get(field.name)
        # A list of cards with options arranges the cards of other fields.
        if field.kind in CARDS and not field.options and value is not None:
            cards.update(value if isinstance(value, list) else [value])
    return cards


def face_down(round_, actions, folded=None):
    """The actions whose cards nobody at the table may see now, by ordinal, each as `Covered`.

    Once a round is over, its cards lie open.

    :param actions: all of the round's, in order; one that no longer counts is judged by what counted when it was
        entered.
    :param folded: the round as they make it, if it was folded already.
    """
    if round_.status != Round.Status.OPEN:
        return {}
    folded = folded or of(round_, actions=actions)
    game = folded.game
    gone = [action.ordinal for action in actions if action.arguments and action not in folded.counting]
    earlier = (steps(game, start(round_), counting(actions[:ordinal])) for ordinal in gone)
    covered = {}
    for action, before, after in chain(folded.steps, *earlier):
        if isinstance(after, Refusal) or not any(isinstance(value, list | str) for value in action.arguments.values()):
            continue
        lain, lying = _lying(game, before), _lying(game, after)
        if lying[None] <= lain[None]:
            continue
        offer = offers(game, before)[action.kind, action.box]
        cards = cards_of(offer, action.arguments)
        if cards and not any(card in lying for card in cards):
            covered[action.ordinal] = Covered(cards.total(), _covered(offer, action.arguments))
    return covered


def _lying(game, state):
    """How often each card lies on the table; None for backs."""
    return Counter(card for hand in game.view(state).hands for card in hand.cards)


def _covered(offer, arguments):
    hidden = {field.name for field in offer.fields if field.kind in CARDS}
    return {
        name: ([UNSEEN] * len(value) if isinstance(value, list) else UNSEEN) if value and name in hidden else value
        for name, value in arguments.items()
    }


class Rows(NamedTuple):
    """Rows for queries and people, as `write_action` (tables/sql/acting.sql) takes them. `phase`: a new one."""

    phase: str | None
    boxes: list
    hands: list
    wagers: list


def changes(before, after):
    """What changed between two views: the `Rows` that are gone or differ now, and those that are new or differ."""
    phase = after.phase if before.phase != after.phase else None
    gone, come = zip(*(_differences(rows(before), rows(after)) for rows in (_boxes, _hands, _wagers)), strict=True)
    return Rows(None, *gone), Rows(phase, *come)


def _differences(before, after):
    return (
        [row for key, row in before.items() if row != after.get(key)],
        [row for key, row in after.items() if row != before.get(key)],
    )


def _boxes(view):
    return {box.number: {"number": box.number, "state": box.state} for box in view.boxes}


def _wagers(view):
    return {wager.ordinal: wager._asdict() for wager in view.wagers}


def _hands(view):
    return {
        (hand.kind, hand.box): {"box": hand.box, "kind": hand.kind, "cards": [card or UNSEEN for card in hand.cards]}
        for hand in view.hands
    }
