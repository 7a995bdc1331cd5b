"""What the screens may show of a Big Two round, and the words for it. Cards in the hand stay hidden."""

from collections.abc import Mapping

from casino.cards import card_name
from casino.games.bigtwo.combinations import announce
from casino.games.bigtwo.course import HAND, Course
from casino.games.bigtwo.payments import WAGER, moves
from casino.games.bigtwo.points import settled
from casino.games.bigtwo.sentences import counted
from casino.games.bigtwo.sheet import PLAYERS
from casino.games.bigtwo.state import State
from casino.games.game import BoxView, HandView, View, Wager
from casino.games.sentences import announced, who
from casino.phrases import phrases

WORDS: Mapping[str, str] = {
    **phrases(
        "bigtwo.word",
        {
            # wagers
            "points": "Points",
            # hands
            "hand": "Hand",
            "trick": "To beat",
            # boxes
            "wait": "Waits",
            "next": "Next",
            "dealt": "Dealt",
            "played": "Played",
            "passed": "Passed",
            "skipped": "Skipped",
            "out": "No cards left",
            "cards_left": "Cards left",
            # outcomes
            "win": "First out",
            "lose": "Cards left over",
            "unfinished": "Not played out",
            "void": "Void",
            # options
            "lowest_card": "The lowest card, in every round",
            "round_winner": "The last round’s winner",
            "cards": "A point for each card",
            "ranks": "The sum of the ranks",
            "one": "Always one point",
            "none": "Not at all",
            "unseen": "Unseen; shown at the end",
            "entered": "Entered by a shoe or scanner",
            "8-10-13": "Twice from 8, three times from 10, four times at 13",
            "10-13": "Twice from 10, three times at 13",
            "cumulative": "Points are added up, the fewest win",
            "winner_takes_all": "Each pays the winner",
            "pay_higher": "Each pays all ranked higher",
            "on": "Yes",
            "off": "No",
        },
    ),
    **{str(number): who(str(number)) for number in range(1, PLAYERS[1] + 1)},
}
"""What a code is called on screens: of a wager, a hand, a box, an outcome, an option."""

NOTES = phrases("bigtwo.note", {"so_far": "{points} so far", "both": "{cards}, {points} so far"})

SAY = phrases(
    "bigtwo.say",
    {
        "deal": "Thirteen cards each.",
        "who_leads": "Whoever has the {card} leads with it.",
        "who_leads_unknown": "Whoever has the lowest card dealt leads with it.",
        "lead_lowest": "{box} leads with the {card}.",
        "lead": "{box} leads.",
        "lead_skipped": "Nobody can beat it. {box} leads.",
        "turn": "{box}: play or pass?",
        "turn_skipped": "{skipped} skipped. {box}: play or pass?",
        "show": "{box}, show your cards, please.",
        "over": "{box} is out. The round is over.",
        "over_last": "{box} is out. The series is over.",
        "held": "The round can’t stand. The pit boss voids it.",
    },
)

DEALER = phrases(
    "bigtwo.dealer",
    {
        "dealing": "{scoring}; {rounds} to play",
        "lead": "Any combination leads",
        "lead_lowest": "The first play includes the {card}",
        "lead_unknown": "The first play includes the lowest card dealt",
        "standing": "{made}, box {box}",
        "out": "Box {box} is out",
        "held": "The lowest card wasn’t led",
    },
)


def view(state: State) -> View:
    """What is seen of the round: how many cards each box holds, never which; the combination to beat lies open.

    At its end, where the hands were unseen, those who are not out show theirs.
    """
    course = state.course
    wagers = wagers_of(state)
    trick = (
        ()
        if course is None or course.standing is None
        else (HandView(None, "trick", course.cards, _announced(course)),)
    )
    return View(
        phase=state.phase,
        places=tuple(sorted(state.seats)),
        boxes=tuple(_box(state, box) for box in sorted(state.seats)),
        hands=(*trick, *_hands(state)),
        wagers=wagers,
        turn=state.turn,
        pot_units=sum(wager.units for wager in wagers),
        final=state.final,
        say=_say(state),
        dealer=_dealer(state),
        gone=_gone(state),
    )


def _gone(state: State) -> tuple[HandView, ...]:
    """The cards that were played and no longer lie there to be beaten."""
    standing = state.course.cards if state.course else ()
    played = {box: tuple([card for card in cards if card not in standing]) for box, cards in state.played.items()}
    return tuple(HandView(box, "played", cards) for box, cards in played.items() if cards)


def _hands(state: State) -> list[HandView]:
    shown = dict(state.shown)
    counts = {box: count for box, count in _left(state).items() if count}
    return [HandView(box, "hand", shown.get(box, (None,) * count)) for box, count in counts.items()]


def wagers_of(state: State) -> tuple[Wager, ...]:
    """What boxes pay for points, once the round that moves the money is over; in seat order."""
    if not state.final:
        return ()
    scoring = state.sheet.options.scoring
    left = {str(box): state.left[box] for box in state.seats}
    net = settled(state.sheet.options, left)["net"]
    units = moves(state.sheet, scoring, list(left), net, state.series)
    paying = [(box, -due) for box, due in units.items() if due < 0]
    return tuple(Wager(ordinal, box, WAGER, due) for ordinal, (box, due) in enumerate(paying, 1))


def _left(state: State) -> dict[int, int]:
    """How many cards each box that was dealt holds, in seat order."""
    course = state.course
    if course is None:
        dealt = {hand.box for hand in state.hands}
        return {box: HAND for box in state.seats if box in dealt}
    return {box: course.held[state.place(box)] for box in state.seats}


def _announced(course: Course) -> str:
    return "" if course.standing is None else announce(course.standing)


def _box(state: State, box: int) -> BoxView:
    """A box's mark: `wait`, `next`, `bet` if it has played to the trick, `shown` for the winner."""
    note = _note(state, box)
    if box == state.turn:
        return BoxView(box, "next", WORDS["next"], note)
    course = state.course
    if course is None:
        mark, label = ("bet", "dealt") if box in _left(state) else ("wait", "wait")
        return BoxView(box, mark, WORDS[label], note)
    place = state.place(box)
    if course.over:
        if course.held[place]:
            return BoxView(box, "wait", WORDS["cards_left"], note)
        return BoxView(box, "shown", WORDS["out"], note)
    if place in course.silent:
        return BoxView(box, "wait", WORDS["skipped" if place in _skipped(course) else "passed"], note)
    if course.standing is not None and place == course.last:
        return BoxView(box, "bet", WORDS["played"], note)
    return BoxView(box, "wait", WORDS["wait"], note)


def _note(state: State, box: int) -> str:
    """The cards in the hand, and the points of the series so far once a round of it was played."""
    left = _left(state).get(box)
    cards = counted(left) if left else ""
    if state.series.leader is None:
        return cards
    points = counted(state.series.totals[str(box)], "point")
    return NOTES["both" if cards else "so_far"].format(cards=cards, points=points)


def _skipped(course: Course) -> list[int]:
    """The places that were skipped after the last entry."""
    return [skip.place for skip in course.skipped if skip.after == course.entries - 1]


def _say(state: State) -> str:
    course = state.course
    if course is None:
        return SAY["deal"]
    skipped = [state.playing_order[place] for place in _skipped(course)]
    box = state.turn
    if state.missed is not None:
        return SAY["held"]
    if course.over and box is not None:
        message = "show"
    elif course.over:
        box, message = state.playing_order[course.held.index(0)], _over(state)
    elif box is None:
        message = "who_leads" if course.lowest else "who_leads_unknown"
    elif not course.entries:
        message = "lead" if course.lowest is None else "lead_lowest"
    elif course.standing is None:
        message = "lead_skipped" if skipped else "lead"
    else:
        message = "turn_skipped" if skipped else "turn"
    return SAY[message].format(
        box=announced([box or 0]),
        card=card_name(course.lowest) if course.lowest else "",
        skipped=announced(skipped) if skipped else "",
    )


def _over(state: State) -> str:
    return "over" if state.series.rounds_left > 1 else "over_last"


def _dealer(state: State) -> str:
    course = state.course
    if course is None:
        rounds = counted(state.series.rounds_left, "round")
        return DEALER["dealing"].format(scoring=WORDS[state.sheet.options.scoring], rounds=rounds)
    if state.missed is not None:
        return DEALER["held"]
    if course.over:
        return DEALER["out"].format(box=state.playing_order[course.held.index(0)])
    if course.standing is not None and course.last is not None:
        return DEALER["standing"].format(made=_announced(course), box=state.playing_order[course.last])
    if state.turn is None or (course.lowest and not course.entries):
        if course.lowest is None:
            return DEALER["lead_unknown"]
        return DEALER["lead_lowest"].format(card=card_name(course.lowest))
    return DEALER["lead"]
