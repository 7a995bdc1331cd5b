"""Big Two as it is played at a table: what may happen now, and what it changes. Pure."""

from collections.abc import Collection, Mapping, Sequence

from casino.cards import VALUE, card_name, spell
from casino.games.bigtwo.combinations import ORDER, cards_set, describe
from casino.games.bigtwo.course import HAND, Course, Illegal, begin, judge, led, step
from casino.games.bigtwo.facts import Play, in_order
from casino.games.bigtwo.sentences import counted
from casino.games.bigtwo.sheet import Sheet
from casino.games.bigtwo.state import Hand, State
from casino.games.decks import FIFTY_TWO
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal, action_kinds
from casino.games.offers import offered
from casino.phrases import Phrase, phrase, phrases

PHASES = phrases("bigtwo.phase", {"dealing": "Deal", "playing": "Play", "showing": "Show"})

ACTIONS = action_kinds(
    "bigtwo",
    {
        "deal": ActionKind(("dealing",), "Deal", boxed=True),
        "play": ActionKind(("playing",), "Play", boxed=True),
        "bomb": ActionKind(("playing",), "Bomb", boxed=True),
        "pass": ActionKind(("playing",), "Pass", boxed=True),
        "passes": ActionKind(("playing",), "Passes"),
        "left": ActionKind(("showing",), "Cards left", boxed=True),
    },
)
LABELS = phrases(
    "bigtwo.label",
    {
        "deal": "Cards of box {box}",
        "left": "Box {box} shows",
        "lead": "Box {box} leads",
        "play": "Box {box} plays",
        "bomb": "Box {box} plays a bomb",
        "pass": "Box {box} passes",
        "passes": "Passes, next",
    },
)
"""What a button says."""

_FIELDS = phrases(
    "bigtwo.field",
    {
        "dealt": "Thirteen cards",
        "play": "Combination",
        "bomb": "Bomb",
        "left": "Cards left",
        "to": "Who plays next?",
    },
)
_DEALT = Field("cards", "cards", _FIELDS["dealt"], HAND, HAND, clause="bigtwo.1")
_FIVE = 5

MESSAGES = phrases(
    "bigtwo.refusal",
    {
        "round_over": "The round is over: box {winner} has no cards left.",
        "not_your_turn": "It’s the turn of box {turn}, not of box {box}.",
        "leader_must_play": "Box {box} leads the trick and must play.",
        "card_not_held": "Box {box} doesn’t hold the {card}.",
        "card_played_twice": "Box {box} holds the {card} only once.",
        "card_duplicate": "Box {holder} has already played the {card}.",
        "card_lies": "The {card} already lies with box {holder}.",
        "holds_fewer": "Box {box} doesn’t hold {count}.",
        "not_a_combination": "{cards} isn’t a combination.",
        "lowest_card_required": "The first play must include the {card}, the lowest card dealt.",
        "wrong_card_count": "{count} can’t be played on {standing}.",
        "not_higher": "{cards} doesn’t beat {standing}.",
        "no_higher_bomb": "Only a higher bomb beats {standing}, and {cards} isn’t one.",
    },
)
"""Why a play is refused, by the contract's codes."""
_CARDS_PLAYED = phrase("bigtwo.way_out", "Enter the cards that it played.")
_LIES_TWICE = phrase("bigtwo.way_out", "Enter another card; if it truly lies twice, report it to the pit boss.")
_SHOW = phrase("bigtwo.way_out", "Enter what the others have left.")
_CLOSE = phrase("bigtwo.way_out", "Close the round.")
WAYS_OUT: Mapping[str, Phrase] = {
    "not_your_turn": phrase("bigtwo.way_out", "Enter what box {turn} does."),
    "leader_must_play": phrase("bigtwo.way_out", "Enter its cards."),
    "card_not_held": _CARDS_PLAYED,
    "card_played_twice": _CARDS_PLAYED,
    "card_duplicate": _LIES_TWICE,
    "holds_fewer": _CARDS_PLAYED,
    "not_a_combination": phrase(
        "bigtwo.way_out", "Play a single card, a pair or a triple of one rank, or five cards from a straight up."
    ),
    "lowest_card_required": phrase("bigtwo.way_out", "Play it, alone or with others."),
    "wrong_card_count": phrase("bigtwo.way_out", "Play {needed}, or pass."),
    "not_higher": phrase("bigtwo.way_out", "Play a stronger combination, or pass."),
    "no_higher_bomb": phrase("bigtwo.way_out", "Play a higher bomb, or pass."),
}
"""What to do then; of `round_over` it depends on whether hands are still to be shown."""
_OBSTACLE = phrase(
    "bigtwo.obstacle",
    "Box {holder} holds the {card}, the lowest card dealt; box {leader} led the round without it.",
)
_OF_THE_MOMENT = {"round_over", "not_your_turn", "leader_must_play"}


def stages(sheet: Sheet) -> Collection[str]:
    """Hands are dealt face up to the table, or shown at the end (bigtwo.15)."""
    return [phase for phase in PHASES if phase != ("dealing" if sheet.unseen else "showing")]


def legal(state: State) -> tuple[Offer, ...]:
    """What may happen now; nothing once the round is final.

    Exactly one offer is primary, except where nobody knows who leads: then each box may say that it does.
    """
    turn, course = state.turn, state.course
    if course is None:
        dealt = {hand.box for hand in state.hands}
        return tuple(
            Offer("deal", box, LABELS["deal"].format(box=box), (_DEALT,), primary=box == turn)
            for box in state.seats
            if box not in dealt
        )
    if course.over:
        return tuple(
            Offer(
                "left",
                box,
                LABELS["left"].format(box=box),
                (_left(course, state.place(box)),),
                primary=box == turn,
                at_once=True,
            )
            for box in state.to_show
        )
    if turn is None:
        fields = (_combination(course, HAND),)
        return tuple(Offer("play", box, LABELS["lead"].format(box=box), fields) for box in state.seats)
    if not state.sheet.unseen:
        play = Offer("play", turn, LABELS["play"].format(box=turn), (_combination(course, HAND),), primary=True)
        return (play,) if course.standing is None else (play, Offer("pass", turn, LABELS["pass"].format(box=turn)))
    return tuple(_unseen(state, course, turn))


def _unseen(state: State, course: Course, turn: int) -> list[Offer]:
    """What the box whose turn it is may do, by what is public: how many cards it holds, and what lies there."""
    held, standing = course.held[state.place(turn)], course.standing
    if standing is None:
        return [Offer("play", turn, LABELS["lead"].format(box=turn), (_combination(course, held),), primary=True)]
    offers = []
    if held >= standing.size:
        field = _cards_field("play", standing.size, standing.size)
        offers.append(Offer("play", turn, LABELS["play"].format(box=turn), (field,), primary=True, at_once=True))
    if course.options.bombs and standing.size < _FIVE <= held:
        bomb = _cards_field("bomb", _FIVE, _FIVE)
        offers.append(Offer("bomb", turn, LABELS["bomb"].format(box=turn), (bomb,), at_once=True))
    offers.append(Offer("pass", turn, LABELS["pass"].format(box=turn), primary=not offers))
    later = tuple(str(box) for box in _passing(state, course))
    if len(later) > 1:
        offers.append(Offer("passes", None, LABELS["passes"], (Field("to", "choice", _FIELDS["to"], options=later),)))
    return offers


def _passing(state: State, course: Course) -> dict[int, Course]:
    """The boxes that get the turn as one after another passes, each with the course by then; the last one leads."""
    after: dict[int, Course] = {}
    while course.standing is not None:
        course = step(course, ())
        after[state.playing_order[course.turn or 0]] = course
    return after


def _left(course: Course, place: int) -> Field:
    return _cards_field("left", course.held[place], course.held[place], "bigtwo.15")


def _combination(course: Course, held: int) -> Field:
    """As many cards as the lead, or up to five where a bomb may go on it; no more than the box holds."""
    if course.standing is None:
        return _cards_field("play", 1, min(_FIVE, held), "bigtwo.7")
    size = course.standing.size
    return _cards_field("play", size, _FIVE if course.options.bombs else size)


def _cards_field(what: str, least: int, most: int, clause: str = "bigtwo.4") -> Field:
    return Field("cards", "cards", _FIELDS[what], least, most, clause=clause)


def act(state: State, action: Action) -> State | Refusal:
    """The state after an action, or why it is refused; a refusal changes nothing."""
    offer = offered(legal(state), ACTIONS, FIFTY_TWO, action, PHASES[state.phase])
    if state.course is not None and action.kind not in {"passes", "left"}:
        refusal = _illegal(state, state.course, action, offer if isinstance(offer, Refusal) else None)
        return refusal or _played(state, state.course, action)
    if isinstance(offer, Refusal):
        return offer
    if state.course is not None and action.kind == "passes":
        return _passed(state, state.course, int(action.arguments["to"]))
    refusal = _twice(state, action.arguments["cards"])
    return refusal or (_dealt(state, action) if state.course is None else _shown(state, state.course, action))


def obstacle(state: State) -> str:
    """What keeps a round from closing: the hands may show that the first play was illegal (bigtwo.15, house.4)."""
    if state.missed is None:
        return ""
    holder = next(box for box, cards in state.dealt.items() if state.missed in cards)
    return _OBSTACLE.format(holder=holder, card=card_name(state.missed), leader=state.plays[0].player)


def facts(state: State) -> dict[str, Json]:
    """The line of contracts/adjudicate.md for a final state, every parameter spelled out.

    :raises ValueError: if the round is not final: half a round has no line.
    """
    if not state.final:
        raise ValueError(f"The round is not final: it is the turn of box {state.turn}.")
    dealt = state.dealt
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
    """The refusal of a card that already lies elsewhere (house.2)."""
    lying = {card: ("card_lies", hand.box) for hand in (*state.hands, *state.shown) for card in hand.cards}
    lying |= {card: ("card_duplicate", int(play.player)) for play in state.plays for card in play.cards}
    for index, card in enumerate(cards):
        if card in lying:
            message, holder = lying[card]
            fact = MESSAGES[message].format(card=card_name(card), holder=holder)
            return Refusal("card_duplicate", fact, f"cards[{index}]", "house.2", _LIES_TWICE)
    return None


def _dealt(state: State, action: Action) -> State:
    hands = (*state.hands, Hand(action.box or 0, tuple(action.arguments["cards"])))
    if len(hands) < len(state.seats):
        return state._replace(hands=hands)
    of_box = dict(hands)
    leader = None if state.leader is None else state.place(state.leader)
    course = begin(state.sheet.options, [of_box[box] for box in state.playing_order], leader)
    return state._replace(hands=hands, course=course)


def _shown(state: State, course: Course, action: Action) -> State:
    """Show a hand; the last of four is all that is left of the deck, so it fills itself in."""
    hands = (*state.shown, Hand(action.box or 0, tuple(action.arguments["cards"])))
    state = state._replace(shown=hands)
    if len(state.to_show) != 1 or len(state.seats) * HAND < len(ORDER):
        return state
    rest = course.unplayed & ~cards_set([card for hand in hands for card in hand.cards])
    return state._replace(shown=(*hands, Hand(*state.to_show, in_order(rest))))


def _played(state: State, course: Course, action: Action) -> State:
    cards = tuple(action.arguments.get("cards", ()))
    course = led(course, state.place(action.box or 0))
    return state._replace(plays=(*state.plays, Play(str(action.box), cards)), course=step(course, cards))


def _passed(state: State, course: Course, box: int) -> State:
    """Let one box after another pass until it is this one's turn."""
    after = _passing(state, course)
    plays = []
    for turn, then in after.items():
        if course.turn is not None:
            plays.append(Play(str(state.playing_order[course.turn]), ()))
        course = then
        if turn == box:
            break
    return state._replace(plays=(*state.plays, *plays), course=course)


def _illegal(state: State, course: Course, action: Action, refusal: Refusal | None) -> Refusal | None:
    """Why a play or a pass breaks the rules, by the contract's first reason; else what is wrong with its form."""
    cards = _cards(action)
    if cards is None or action.box not in state.seats:
        return refusal
    place = state.place(action.box)
    hand = None if state.sheet.unseen else cards_set(state.dealt[action.box])
    illegal = judge(led(course, place), place, cards, hand)
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
    if action.kind not in {"play", "bomb"} or set(given) != {"cards"} or not isinstance(given["cards"], list | tuple):
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
        "winner": state.playing_order[course.held.index(0)] if course.over else 0,
        "holder": next((play.player for play in state.plays if card in play.cards), ""),
        "card": card_name(card) if card else "",
        "cards": spell(cards),
        "count": counted(len(cards)),
        "needed": counted(standing.size) if standing else "",
        "standing": describe(standing) if standing else "",
    }
    message = illegal.message(cards)
    way_out = (_SHOW if state.to_show else _CLOSE) if message == "round_over" else WAYS_OUT[message]
    path = "cards" if index is None else f"cards[{index}]"
    return Refusal(code, MESSAGES[message].format(**values), path, clause, way_out.format(**values))
