"""What the screens may show of a Split Poker round, and the words for it."""

from collections.abc import Mapping

from casino.cards import VALUE, rank_name
from casino.games import poker
from casino.games.game import BoxView, HandView, View
from casino.games.sentences import spoken_number
from casino.games.split.facts import has_game
from casino.games.split.state import Box, State, Step, expected
from casino.phrases import Phrase, phrases

WORDS: Mapping[str, str] = phrases(
    "split.word",
    {
        # wagers
        "ante": "ANTE",
        "bet": "BET",
        "cards_fee": "FEE, CARDS",
        "game_fee": "FEE, GAME",
        # hands
        "big": "Big Hand",
        "small": "Small Hand",
        "extra": "Two bought",
        "replaced": "Replaced",
        "not_seen": "Not seen",
        # boxes
        "wait": "Waits",
        "staked": "Staked",
        "next": "Next",
        "bet_placed": "Bet",
        "bought": "Bought two",
        "folded": "Folded",
        "takes_ante": "Takes ANTE",
        "buys_game": "Buys the game",
        "buy_bet": "Bought two, bet",
        "buy_fold": "Bought two, folded",
        "shown": "Shown",
        "taken": "Taken",
        "paid": "Paid",
        # outcomes
        "fold": "Folded",
        "no_game": "ANTE pays 1:1",
        "no_game_bought": "Still no game",
        "lose": "Big below",
        "stand_off": "Stand-off",
        "win_bet": "BET pays",
        "win_ante": "ANTE pays",
        "forfeit": "Forfeit",
        "void": "Void",
        # limits
        "ante_limit": "ANTE",
    },
)
"""What a code is called on screens: of a wager, a hand, a box, an outcome."""

NOTES: Mapping[str, str] = phrases(
    "split.note",
    {
        "decides": "Folds, buys or bets",
        "decides_bought": "To decide: bets or folds",
        "chooses": "Takes ANTE or buys the game",
        "fold": "Take back five cards.",
        "buy_fold": "Take back seven cards.",
        "buy_bet": "Two cards bought",
    },
)

SAY: Mapping[str, str] = phrases(
    "split.say",
    {
        "ante": "Place your antes.",
        "close_betting": "Place your antes.",
        "open_card": "No more antes.",
        "bet": "Box {box}, your decision.",
        "bet_bought": "Box {box}: bet or fold?",
        "reveal": "The dealer shows.",
        "take_ante": "Box {box}: ANTE or buy the game?",
        "replacement": "The game is bought. The {rank} is replaced.",
        "small_hand": "{hand}. The dealer has a game.",
        "show": "Box {box} shows.",
        "show_small": "Box {box} is above. The Small Hand.",
        "no_game": "No game. ANTE one to one.",
        "no_game_bought": "Still no game. ANTE and BET go back.",
        "shown": "All hands are shown.",
        "none_compared": "No hands to compare.",
    },
)

DEALER: Mapping[str, Phrase] = phrases(
    "split.dealer",
    {
        "closed": "Game from a pair of twos",
        "no_game": "No game: {hand}",
    },
)


def view(state: State) -> View:
    """What is seen of the round: closed cards are None; a folded box has none on the table."""
    step = expected(state)
    turn = None if step is None or state.phase == "betting" else step.box
    return View(
        phase=state.phase,
        places=state.places,
        boxes=tuple(_box(state, box, turn) for box in state.boxes),
        hands=(*_dealer_hands(state), *(hand for box in state.boxes for hand in _hands(state, box))),
        wagers=state.wagers,
        turn=turn,
        pot_units=0,
        final=step is None,
        say=_say(state, step),
        dealer=_dealer(state),
    )


def _box(state: State, box: Box, turn: int | None) -> BoxView:
    number = box.number
    if box.ruling:
        return BoxView(number, "ruled", WORDS[box.ruling.what], box.ruling.clause)
    if box.folded:
        return BoxView(number, "folded", WORDS["folded"], NOTES[box.decision or ""])
    if state.phase == "betting":
        return BoxView(number, "bet", WORDS["staked"])
    if number == turn:
        return BoxView(number, "next", WORDS["next"], _asked(state, box))
    if state.has_shown(box):
        return BoxView(number, "shown", WORDS["taken" if state.is_below(box) else "shown"])
    if box.decision == "buy":
        return BoxView(number, "bought", WORDS["bought"], NOTES["decides_bought"])
    if box.decision is None or _to_choose(state, box) or (state.phase == "showing" and box in state.compared):
        return BoxView(number, "wait", WORDS["wait"])
    if box.buys_game is not None:
        paid = "takes_ante" if state.replacement is None else "paid"
        return BoxView(number, "bet", WORDS["buys_game" if box.buys_game else paid])
    return BoxView(number, "bet", WORDS["bet_placed"], NOTES.get(box.decision, ""))


def _to_choose(state: State, box: Box) -> bool:
    """Whether a box has still to choose between taking its ANTE and buying the game (split.12)."""
    return state.phase == "revealed" and box.buys_game is None and not has_game(state.dealt)


def _asked(state: State, box: Box) -> str:
    """What the box whose turn it is may choose."""
    if state.phase == "deciding":
        return NOTES["decides_bought" if box.decision == "buy" else "decides"]
    return NOTES["chooses"] if state.phase == "revealed" else ""


def _dealer_hands(state: State) -> list[HandView]:
    if state.phase == "betting":
        return []
    if not state.dealt:
        return [HandView(None, "big", (None, None, None, None, state.open_card))]
    hands = [HandView(None, "big", state.counting, _announced(state.counting))]
    if state.replacement:
        hands.append(HandView(None, "replaced", (state.replaced,)))
    if state.small:
        hands.append(HandView(None, "small", state.small, poker.describe_small(poker.small_strength(state.small))))
    return hands


def _hands(state: State, box: Box) -> list[HandView]:
    number = box.number
    if box.cards:
        big, small = state.setting(box)
        if not small:
            return [
                HandView(number, "big", big, _announced(big)),
                HandView(number, "small", (None,) * 2, _unseen(state, box)),
            ]
        return [
            HandView(number, "big", big, _announced(big)),
            HandView(number, "small", small, poker.describe_small(poker.small_strength(small))),
        ]
    if state.phase == "betting" or box.folded or box.ruling:
        return []
    hands = [HandView(number, "big", (None,) * 5)]
    if box.bought_cards:
        hands.append(HandView(number, "extra", (None,) * 2))
    elif box.decision == "bet":
        kind = "small" if state.sheet.unseen_cards == "small_hand" else "extra"  # split.8
        hands.append(HandView(number, kind, (None,) * 2))
    return hands


def _unseen(state: State, box: Box) -> str:
    """What is said of two unseen cards beside open ones: that nobody looks at them, or nothing yet."""
    return "" if state.needs_extra(box) else WORDS["not_seen"]


def _say(state: State, step: Step | None) -> str:
    message = step.kind if step else _ending(state)
    number = step.box if step and step.box else 0
    if message == "bet" and state.box(number).decision == "buy":
        message = "bet_bought"
    if message == "show" and state.box(number).cards:
        message = "show_small"
    hand = _announced(state.counting) if state.dealt else ""
    rank = rank_name(VALUE[state.replaced]) if state.dealt else ""
    return SAY[message].format(box=spoken_number(number), hand=hand, rank=rank)


def _ending(state: State) -> str:
    if any(box.cards for box in state.boxes):
        return "shown"
    if state.compared:
        return "no_game_bought"
    return "no_game" if state.still_in and not has_game(state.counting) else "none_compared"


def _dealer(state: State) -> str:
    if not state.dealt:
        return DEALER["closed"]
    announced = _announced(state.counting)
    if has_game(state.counting):
        return announced
    return DEALER["no_game"].format(hand=announced.within())


def _announced(five: tuple[str, ...]) -> Phrase:
    return poker.describe(poker.strength(five))
