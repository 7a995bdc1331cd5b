"""What lies on a Big Two table in the course of a round. A state is only ever the fold of accepted actions."""

from collections.abc import Sequence
from typing import NamedTuple

from casino.games.bigtwo.combinations import DECK, PLACE, cards_set
from casino.games.bigtwo.course import Course, begin_unseen
from casino.games.bigtwo.facts import Play, in_order
from casino.games.bigtwo.series import Score, score
from casino.games.bigtwo.sheet import Sheet
from casino.games.game import Carry


class Hand(NamedTuple):
    """Cards of a box: the thirteen that it was dealt, or those that it has left at the end."""

    box: int
    cards: tuple[str, ...]


class State(NamedTuple):
    """`seats` in seat order from the dealer's left; `course` begins when every one of them is dealt.

    With unseen hands (bigtwo.15) it begins at once, without `hands`; at the end, those who are not out show the cards
    that they have left, `shown`.
    """

    sheet: Sheet
    seats: tuple[int, ...]
    series: Score
    hands: tuple[Hand, ...] = ()
    plays: tuple[Play, ...] = ()
    course: Course | None = None
    shown: tuple[Hand, ...] = ()

    @property
    def phase(self) -> str:
        if self.course is None:
            return "dealing"
        return "showing" if self.sheet.unseen and self.course.over else "playing"

    @property
    def playing_order(self) -> tuple[int, ...]:
        """Seats run clockwise, turns counter-clockwise (bigtwo.2)."""
        return self.seats[::-1]

    @property
    def leader(self) -> int | None:
        """The last round's winner, if that box leads this one; None: the lowest card dealt does (bigtwo.3)."""
        return self.series.leader if self.sheet.options.first_player == "round_winner" else None

    @property
    def turn(self) -> int | None:
        """The box that is expected to act: the next to be dealt, whose turn it is, or the next to show its cards.

        None: the round is over, or nobody knows yet who leads.
        """
        if self.course is None:
            dealt = {hand.box for hand in self.hands}
            return next(box for box in self.seats if box not in dealt)
        if self.course.over:
            return next(iter(self.to_show), None)
        return None if self.course.turn is None else self.playing_order[self.course.turn]

    @property
    def to_show(self) -> tuple[int, ...]:
        """The boxes that still have to show their cards at the end, as they rank: the fewest cards first (bigtwo.6)."""
        if self.course is None or not self.course.over or not self.sheet.unseen:
            return ()
        known = {hand.box for hand in self.shown}
        held = dict(zip(self.playing_order, self.course.held, strict=True))
        return tuple(sorted([box for box in held if held[box] and box not in known], key=held.__getitem__))

    @property
    def left(self) -> dict[int, tuple[str, ...]]:
        """The cards left in each hand that is known, lowest first."""
        course = self.course
        if self.sheet.unseen:
            shown = {hand.box: in_order(cards_set(hand.cards)) for hand in self.shown}
            out = [] if course is None or not course.over else [self.playing_order[course.held.index(0)]]
            return shown | dict.fromkeys(out, ())
        unplayed = DECK if course is None else course.unplayed
        return {hand.box: in_order(cards_set(hand.cards) & unplayed) for hand in self.hands}

    @property
    def played(self) -> dict[int, tuple[str, ...]]:
        """The cards that each box has played, in their order."""
        return {
            box: tuple([c for play in self.plays if play.player == str(box) for c in play.cards]) for box in self.seats
        }

    @property
    def dealt(self) -> dict[int, tuple[str, ...]]:
        """The deal: as it was entered, or what was played and what is left, once that is shown (bigtwo.15)."""
        if not self.sheet.unseen:
            return {hand.box: hand.cards for hand in self.hands}
        left, played = self.left, self.played
        return {box: (*played[box], *left[box]) for box in self.seats if box in left}

    @property
    def missed(self) -> str | None:
        """The lowest card dealt, if the first play had to include it and the hands at the end show that it did not."""
        if not self.sheet.unseen or self.leader is not None or len(self.dealt) < len(self.seats):
            return None
        lowest = min([card for cards in self.dealt.values() for card in cards], key=PLACE.__getitem__)
        return None if lowest in self.plays[0].cards else lowest

    @property
    def final(self) -> bool:
        over = self.course is not None and self.course.over
        return over and not self.to_show and self.missed is None

    def place(self, box: int) -> int:
        """A box's place in playing order."""
        return self.playing_order.index(box)


def start(sheet: Sheet, seats: Sequence[int], carry: Carry) -> State:
    """A round before the deal. `carry` is what `series.carry` made of the round before."""
    state = State(sheet, tuple(seats), score(sheet, [str(box) for box in seats], carry))
    if not sheet.unseen:
        return state
    leader = None if state.leader is None else state.place(state.leader)
    return state._replace(course=begin_unseen(sheet.options, len(state.seats), leader))
