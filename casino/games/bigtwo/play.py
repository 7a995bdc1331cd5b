"""Big Two as it is played at a table: what may happen now, and what it changes. Pure."""

from collections.abc import Mapping, Sequence

from casino.cards import VALUE, card_name, spell
from casino.games.bigtwo.combinations import describe
from casino.games.bigtwo.course import Course, Illegal, begin, judge, step
from casino.games.bigtwo.facts import HAND, Play
from casino.games.bigtwo.sentences import counted
from casino.games.bigtwo.state import Hand, State
from casino.games.decks import FIFTY_TWO
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal
from casino.games.offers import offered

PHASES: Mapping[str, str] = {"dealing": "Deal", "playing": "Play"}

ACTIONS: Mapping[str, ActionKind] = {
    "deal": ActionKind(("dealing",), "Deal", boxed=True),
    "play": ActionKind(("playing",), "Play", boxed=True),
    "pass": ActionKind(("playing",), "Pass", boxed=True),
}
_DEALT = Field("cards", "cards", "Thirteen cards", HAND, HAND, clause="bigtwo.1")
_LEAD = Field("cards", "cards", "Combination", 1, 5, clause="bigtwo.7")

MESSAGES: Mapping[str, tuple[str, str]] = {
    "round_over": ("The round is over: box {winner} has no cards left.", "Close the round."),
    "not_your_turn": ("It is not the turn of box {box}, but of box {turn}.", "Enter what box {turn} does."),
    "leader_must_play": ("Box {box} leads the trick and must play.", "Enter its cards."),
    "card_not_held": ("Box {box} does not hold the {card}.", "Enter the cards that it played."),
    "card_played_twice": ("Box {box} holds the {card} once only.", "Enter the cards that it played."),
    "not_a_combination": (
        "{cards} is no combination.",
        "A single, a pair or a triple of one rank, or five cards from a straight up.",
    ),
    "lowest_card_required": ("The first play must include the {card}, the lowest card dealt.", "Play it, with others."),
    "wrong_card_count": ("{count} can't be played on {standing}.", "Play {needed}, or pass."),
    "not_higher": ("{cards} is not above {standing}.", "Play a stronger combination, or pass."),
    "no_higher_bomb": ("{cards} is no higher bomb than {standing}.", "Play a higher bomb, or pass."),
}
"""Why a play is refused, by the contract's codes, and the way out."""
_OF_THE_MOMENT = {"round_over", "not_your_turn", "leader_must_play"}


def legal(state: State) -> tuple[Offer, ...]:
    """What may happen now; exactly one offer is primary, none once the round is final."""
    turn = state.turn
    if turn is None:
        return ()
    if state.course is None:
        dealt = {hand.box for hand in state.hands}
        return tuple(
            Offer("deal", box, f"Cards of box {box}", (_DEALT,), primary=box == turn)
            for box in state.seats
            if box not in dealt
        )
    play = Offer("play", turn, f"Box {turn} plays", (_combination(state.course),), primary=True)
    return (play,) if state.course.standing is None else (play, Offer("pass", turn, f"Box {turn} passes"))


def _combination(course: Course) -> Field:
    """As many cards as the lead, or up to five where a bomb may go on it."""
    if course.standing is None:
        return _LEAD
    size = course.standing.size
    return Field("cards", "cards", "Combination", size, 5 if course.options.bombs else size, clause="bigtwo.4")


def act(state: State, action: Action) -> State | Refusal:
    """The state after an action, or why it is not done; a refusal changes nothing."""
    offer = offered(legal(state), ACTIONS, FIFTY_TWO, action, PHASES[state.phase])
    if state.course is not None:
        refusal = _illegal(state, state.course, action, offer if isinstance(offer, Refusal) else None)
        return refusal or _played(state, state.course, action)
    if isinstance(offer, Refusal):
        return offer
    return _twice(state, action.arguments["cards"]) or _dealt(state, action)


def facts(state: State) -> dict[str, Json]:
    """The line of contracts/adjudicate.md for a final state, every parameter spelled out.

    :raises ValueError: if the round is not final: there is no line of half a round.
    """
    if not state.final:
        raise ValueError(f"The round is not final: it is the turn of box {state.turn}.")
    dealt = {hand.box: hand.cards for hand in state.hands}
    leader = state.leader
    return {
        "game": "bigtwo",
        "seats": [str(box) for box in state.playing_order],
        "first_round": state.series.leader is None,
        "leader": None if leader is None else str(leader),
        "options": state.sheet.options._asdict(),
        "deal": {str(box): list(dealt[box]) for box in state.playing_order},
        "plays": [{"player": play.player, "cards": list(play.cards)} for play in state.plays],
    }


def _twice(state: State, cards: Sequence[str]) -> Refusal | None:
    """A card lies in one place only (house.2)."""
    for index, card in enumerate(cards):
        for hand in state.hands:
            if card in hand.cards:
                return Refusal(
                    "card_duplicate",
                    f"The {card_name(card)} already lies with box {hand.box}.",
                    f"cards[{index}]",
                    "house.2",
                    "Enter another card; if it truly lies twice, report it to the pit boss.",
                )
    return None


def _dealt(state: State, action: Action) -> State:
    hands = (*state.hands, Hand(action.box or 0, tuple(action.arguments["cards"])))
    if len(hands) < len(state.seats):
        return state._replace(hands=hands)
    of_box = dict(hands)
    leader = None if state.leader is None else state.place(state.leader)
    course = begin(state.sheet.options, [of_box[box] for box in state.playing_order], leader)
    return state._replace(hands=hands, course=course)


def _played(state: State, course: Course, action: Action) -> State:
    cards = tuple(action.arguments.get("cards", ()))
    return state._replace(plays=(*state.plays, Play(str(action.box), cards)), course=step(course, cards))


def _illegal(state: State, course: Course, action: Action, refusal: Refusal | None) -> Refusal | None:
    """Why a play or a pass breaks the rules, by the contract's first reason; else what is wrong with its form."""
    cards = _cards(action)
    if cards is None or action.box not in state.seats:
        return refusal
    illegal = judge(course, state.place(action.box), cards)
    if illegal is None:
        return refusal
    reason = _reason(state, course, action.box, cards, illegal)
    if illegal.code in _OF_THE_MOMENT and refusal is not None:
        return reason._replace(code=refusal.code, path=refusal.path)
    return reason


def _cards(action: Action) -> tuple[str, ...] | None:
    """The cards of a play or of a pass; None if the action isn't formed like one."""
    given = action.arguments
    if action.kind == "pass":
        return () if not given else None
    if action.kind != "play" or set(given) != {"cards"} or not isinstance(given["cards"], list | tuple):
        return None
    cards = given["cards"]
    well_formed = cards and all(isinstance(card, str) and card in VALUE for card in cards)
    return tuple(cards) if well_formed else None


def _reason(state: State, course: Course, box: int, cards: tuple[str, ...], illegal: Illegal) -> Refusal:
    code, clause, index = illegal
    standing = course.standing
    card = (course.lowest or "3d") if code == "lowest_card_required" else cards[index or 0] if cards else ""
    values = {
        "box": box,
        "turn": state.turn,
        "winner": state.playing_order[course.left.index(0)] if code == "round_over" else 0,
        "card": card_name(card) if card else "",
        "cards": spell(cards),
        "count": counted(len(cards)).capitalize(),
        "needed": counted(standing.size) if standing else "",
        "standing": describe(standing) if standing else "",
    }
    fact, way_out = (text.format(**values) for text in MESSAGES[illegal.message(cards)])
    return Refusal(code, fact, "cards" if index is None else f"cards[{index}]", clause, way_out)
