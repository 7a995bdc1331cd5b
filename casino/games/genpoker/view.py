"""What the screens may show of a Genpoker round, and the words for it."""

from collections.abc import Mapping

from casino.games.game import BoxView, HandView, View
from casino.games.genpoker.classes import describe, shape, strength
from casino.games.genpoker.state import HELD, Seat, State
from casino.games.sentences import announced
from casino.phrases import phrase, phrases

WORDS: Mapping[str, str] = phrases(
    "genpoker.word",
    {
        # wagers
        "ante": "Stake",
        "share": "Share",
        # hands
        "hand": "Hand",
        # boxes
        "wait": "Waits",
        "next": "Next",
        "bet": "Staked",
        "stood": "Stood",
        "bought": "Exchanged",
        "shown": "Shown",
        # outcomes
        "win": "Takes the pot",
        "split": "Splits the pot",
        "lose": "Lost",
        "void": "Void",
    },
)
"""What a code is called on screens: of a wager, a hand, a box, an outcome."""

NOTES: Mapping[str, str] = phrases(
    "genpoker.note",
    {
        "decides": "Stands or exchanges up to three",
        "stood": "Stood",
        "drawn": "{count} exchanged",
    },
)

SAY: Mapping[str, str] = phrases(
    "genpoker.say",
    {
        "betting": "Place your stakes.",
        "drawing": "{boxes}: how many cards?",
        "showing": "{boxes} shows.",
        "won": "{hand}. {boxes} takes the pot.",
        "split": "{hand}. {boxes} split the pot.",
    },
)

AHEAD = phrase("genpoker.ahead", "Ahead: {hand}")
BEST = phrase("genpoker.best", "Best hand: {hand}")


def view(state: State) -> View:
    """What is seen of the round: hands not yet shown are five closed cards."""
    waiting = state.waiting
    turn = waiting[0] if waiting else None
    best = _best(state)
    return View(
        phase=state.phase,
        places=tuple(sorted(seat.number for seat in state.seats)),
        boxes=tuple(sorted(_box(state, seat, turn) for seat in state.seats)),
        hands=() if state.phase == "betting" else tuple(_hand(seat) for seat in state.seats),
        wagers=state.wagers,
        turn=turn.number if turn else None,
        pot_units=state.staked_units,
        final=turn is None,
        say=_say(state, turn, best),
        dealer=(AHEAD if turn else BEST).format(hand=describe(shape(best[0].cards))) if best else "",
    )


def _box(state: State, seat: Seat, turn: Seat | None) -> BoxView:
    note = "" if seat.drawn is None else NOTES["drawn" if seat.drawn else "stood"].format(count=seat.drawn)
    if seat == turn:
        return BoxView(seat.number, "next", WORDS["next"], NOTES["decides"] if state.phase == "drawing" else note)
    if seat.cards:
        return BoxView(seat.number, "shown", WORDS["shown"], note)
    if state.phase == "betting":
        return BoxView(seat.number, *(("bet", WORDS["bet"]) if seat.staked else ("wait", WORDS["wait"])), note)
    if seat.drawn == 0:
        return BoxView(seat.number, "bet", WORDS["stood"])
    code = "bought" if seat.drawn else "wait"
    return BoxView(seat.number, code, WORDS[code], note)


def _hand(seat: Seat) -> HandView:
    if not seat.cards:
        return HandView(seat.number, "hand", (None,) * HELD)
    return HandView(seat.number, "hand", seat.cards, describe(shape(seat.cards)))


def _best(state: State) -> tuple[Seat, ...]:
    """The players who are ahead of all hands shown so far."""
    open_hands = [seat for seat in state.seats if seat.cards]
    best = max((strength(seat.cards) for seat in open_hands), default=None)
    return tuple(seat for seat in open_hands if strength(seat.cards) == best)


def _say(state: State, turn: Seat | None, best: tuple[Seat, ...]) -> str:
    if turn is not None:
        return SAY[state.phase].format(boxes=announced([turn.number]))
    boxes = announced(seat.number for seat in best)
    return SAY["won" if len(best) == 1 else "split"].format(hand=describe(shape(best[0].cards)), boxes=boxes)
