"""Plays a round of any game at random, knowing only what the game offers: the protocol is all it needs."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from casino.games.decks import Deck
from casino.games.game import Action, Field, Game, Offer, Refusal

Draw = Callable[[st.SearchStrategy[Any]], Any]
MOST_ACTIONS = 120


class Played(NamedTuple):
    """A final state and the accepted actions that led to it; `states` are those before each action."""

    state: Any
    actions: tuple[Action, ...]
    states: tuple[Any, ...]


def finish(draw: Draw, game: Game[Any, Any, Any], state: Any, *, rulings: bool = False) -> Played:
    """Play on to a final state; with `rulings`, the pit boss may intervene, even after the end.

    `draw` is Hypothesis's: inside `@st.composite` its first argument, in a test `data.draw`. It shrinks to the actions
    that are expected. After a while it takes only those, so that a game that they can't end is noticed.
    """
    actions: list[Action] = []
    states: list[Any] = []
    while True:
        final = game.view(state).final
        offers = [offer for offer in game.legal(state) if offer.role == "croupier" and not final]
        if rulings and draw(st.integers(0, 15)) == 15:
            offers = [offer for offer in game.legal(state) if offer.role == "pit_boss"] or offers
        if final and (not offers or len(actions) > MOST_ACTIONS):
            return Played(state, tuple(actions), tuple(states))
        assert len(actions) < 2 * MOST_ACTIONS, f"No end in sight after {actions}"
        action = take(draw, pick(draw, offers, expected=len(actions) > MOST_ACTIONS), unseen(game, state))
        following = game.act(state, action)
        assert not isinstance(following, Refusal), f"{action} was offered in {state}: {following}"
        actions.append(action)
        states.append(state)
        state = following


def least(game: Game[Any, Any, Any], state: Any, offer: Offer) -> Action:
    """The offer taken up with the least that it takes, with cards that lie nowhere yet."""
    arguments: dict[str, Any] = {}
    cards = unseen(game, state)
    for field in offer.fields:
        if field.kind in {"units", "count"}:
            arguments[field.name] = -(-field.minimum // field.step) * field.step
        elif field.kind == "choice":
            arguments[field.name] = field.options[0]
        elif field.kind == "card":
            arguments[field.name] = cards.pop()
        elif not field.optional:
            arguments[field.name] = [cards.pop() for _ in range(field.minimum)]
    return Action(offer.kind, offer.box, arguments)


def fold(game: Game[Any, Any, Any], state: Any, actions: Iterable[Action]) -> Any:
    """The state after actions that are all accepted."""
    for action in actions:
        state = game.act(state, action)
        assert not isinstance(state, Refusal), f"{action}: {state}"
    return state


def pick(draw: Draw, offers: list[Offer], *, expected: bool = False) -> Offer:
    """Mostly any offer: the expected ones alone would close the betting after the first ante."""
    primary = [offer for offer in offers if offer.primary]
    if primary and (expected or draw(st.integers(0, 9)) == 0):
        return primary[0]
    chosen: Offer = draw(st.sampled_from(offers))
    return chosen


def take(draw: Draw, offer: Offer, cards: list[str]) -> Action:
    """The offer taken up with any arguments in range, its cards from `cards`."""
    arguments: dict[str, Any] = {}
    for field in offer.fields:
        if field.optional and not draw(st.booleans()):
            continue
        arguments[field.name] = value(draw, field, cards, arguments)
        if field.kind in {"card", "cards"}:
            cards = list((Counter(cards) - Counter(_entered(arguments))).elements())
    return Action(offer.kind, offer.box, arguments)


def value(draw: Draw, field: Field, cards: list[str], before: dict[str, Any]) -> Any:
    """Any value in the field's range. A list of cards with options arranges the cards of the fields before it."""
    match field.kind:
        case "units" | "count":
            step = field.step
            return step * draw(st.integers(-(-field.minimum // step), field.maximum // step))
        case "choice":
            return draw(st.sampled_from(field.options))
        case "flag":
            return draw(st.booleans())
        case "card":
            return draw(st.sampled_from(cards))
    some = _entered(before) if field.options else cards
    places = st.lists(st.sampled_from(range(len(some))), min_size=field.minimum, max_size=field.maximum, unique=True)
    return [some[place] for place in draw(places)]


def unseen(game: Game[Any, Any, Any], state: Any) -> list[str]:
    """The cards of the deck that don't lie open on the table."""
    deck: Deck = game.deck(state.sheet)
    lying = Counter(card for hand in game.view(state).hands for card in hand.cards if card)
    return list((Counter(deck.copies) - lying).elements())


def _entered(arguments: dict[str, Any]) -> list[str]:
    """The cards among arguments."""
    return [card for given in arguments.values() if isinstance(given, list) for card in given]
