"""What the screens may show of a round of Dynastia, and the words for it."""

from collections.abc import Sequence
from fractions import Fraction

from casino.games.boards import points
from casino.games.dynastia.cards import HAND
from casino.games.dynastia.sentences import set_words
from casino.games.dynastia.sets import strength
from casino.games.dynastia.settle import settle
from casino.games.dynastia.state import Seat, State, Step, expected, judged
from casino.games.game import BoxView, HandView, Result, View
from casino.games.sentences import announced
from casino.phrases import phrase, phrases

WORDS = phrases(
    "dynastia.word",
    {
        # wagers
        "ante": "Stake",
        "points": "Points",
        "share": "Share",
        # hands
        "hand": "Hand",
        "bottom": "Bottom card",
        # colours
        "R": "Red",
        "B": "Black",
        # boxes
        "wait": "Waits",
        "next": "Next",
        "staked": "Staked",
        "stood": "Stood",
        "exchanged": "Exchanged {count}",
        "shown": "Shown",
        # outcomes
        "win": "Takes the pot",
        "split": "Splits the pot",
        "lose": "Lost",
        "scored": "Scored",
        "void": "Void",
    },
)
"""What a code is called on screens: of a wager, a hand, a colour, a box, an outcome."""

SO_FAR = phrase("dynastia.note", "{score} so far")

DEALER = phrases(
    "dynastia.dealer",
    {"unknown": "The preferred colour isn’t known yet", "R": "Red is preferred", "B": "Black is preferred"},
)

SAY = phrases(
    "dynastia.say",
    {
        "ante": "Place your stakes.",
        "bottom": "The bottom card gives the preferred colour.",
        "stand": "{boxes}: how many cards?",
        "show": "{boxes} shows.",
        "win": "{boxes} takes the pot: {set}.",
        "split": "{boxes} split the pot: {set}.",
        "first": "{boxes} is first: {set}.",
        "firsts": "{boxes} are first: {set}.",
        "highest": "The long game ends. {boxes} is highest with {total}.",
        "highests": "The long game ends. {boxes} are highest with {total}.",
    },
)


def view(state: State) -> View:
    """What is seen of the round; a hand that is not shown is seven closed cards."""
    step = expected(state)
    result = settle(judged(state)) if step is None else None
    wagers = state.wagers
    return View(
        phase=state.phase,
        places=tuple(sorted(seat.number for seat in state.seats)),
        boxes=tuple(sorted(_box(state, seat, step, result) for seat in state.seats)),
        hands=(*_bottom(state), *(hand for seat in state.seats for hand in _hand(state, seat))),
        wagers=wagers,
        turn=step.box if step else None,
        pot_units=sum(wager.units for wager in wagers),
        final=step is None,
        say=_say(state, step, result),
        dealer=_dealer(state),
    )


def _box(state: State, seat: Seat, step: Step | None, result: Result | None) -> BoxView:
    note = _total(state, seat, result)
    if seat.cards:
        return BoxView(seat.number, "shown", WORDS["shown"], note)
    if step is not None and seat.number == step.box:
        return BoxView(seat.number, "next", WORDS["next"], note)
    if state.phase in ("betting", "dealing"):
        return BoxView(seat.number, *(("bet", WORDS["staked"]) if seat.staked else ("wait", WORDS["wait"])), note)
    if seat.exchanged is None:
        return BoxView(seat.number, "wait", WORDS["wait"], note)
    if seat.exchanged:
        return BoxView(seat.number, "bought", WORDS["exchanged"].format(count=seat.exchanged), note)
    return BoxView(seat.number, "bet", WORDS["stood"], note)


def _total(state: State, seat: Seat, result: Result | None) -> str:
    """In a long game what a box has scored so far, this round included once it is final."""
    if not state.sheet.is_long:
        return ""
    series = state.series if result is None else state.series.scored(result)
    return SO_FAR.format(score=points(series.totals[str(seat.number)]))


def _bottom(state: State) -> list[HandView]:
    """The bottom card, as long as it certainly lies there."""
    if state.bottom is None or state.bottom_dealt:
        return []
    return [HandView(None, "bottom", (state.bottom,))]


def _hand(state: State, seat: Seat) -> list[HandView]:
    if state.phase == "betting":
        return []
    if not seat.cards or state.bottom is None:
        return [HandView(seat.number, "hand", (None,) * HAND)]
    return [HandView(seat.number, "hand", seat.cards, set_words(strength(seat.cards, state.bottom[1]).name))]


def _dealer(state: State) -> str:
    return DEALER["unknown" if state.bottom is None else state.bottom[1]]


def _say(state: State, step: Step | None, result: Result | None) -> str:
    if step is not None:
        return SAY[step.kind].format(boxes=announced([step.box or 0]))
    if result is None:
        return ""
    winners = result["ranking"][0]
    name = set_words(result["hands"][winners[0]]["class"])
    if not state.sheet.is_long:
        return _announce("win", "split", winners, name=name)
    after = state.series.scored(result)
    if after.is_over(state.sheet):
        return _announce("highest", "highests", after.best, total=after.highest)
    return _announce("first", "firsts", winners, name=name)


def _announce(one: str, several: str, players: Sequence[str], name: str = "", total: Fraction = Fraction(0)) -> str:
    boxes = announced(map(int, players))
    return SAY[one if len(players) == 1 else several].format(boxes=boxes, set=name, total=points(total))
