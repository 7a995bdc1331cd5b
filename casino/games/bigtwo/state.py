"""What lies on a Big Two table in the course of a round. A state is only ever the fold of accepted actions."""

from collections.abc import Sequence
from typing import NamedTuple

from casino.games.bigtwo.course import Course
from casino.games.bigtwo.facts import Play
from casino.games.bigtwo.series import Score, score
from casino.games.bigtwo.sheet import Sheet
from casino.games.game import Carry


class Hand(NamedTuple):
    """A box's thirteen cards as they were dealt."""

    box: int
    cards: tuple[str, ...]


class State(NamedTuple):
    """`seats` in seat order from the dealer's left; `course` begins when every one of them is dealt."""

    sheet: Sheet
    seats: tuple[int, ...]
    series: Score
    hands: tuple[Hand, ...] = ()
    plays: tuple[Play, ...] = ()
    course: Course | None = None

    @property
    def phase(self) -> str:
        return "dealing" if self.course is None else "playing"

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
        """The box that is expected to act: the next to be dealt, or whose turn it is; None: the round is over."""
        if self.course is None:
            dealt = {hand.box for hand in self.hands}
            return next(box for box in self.seats if box not in dealt)
        return None if self.course.turn is None else self.playing_order[self.course.turn]

    @property
    def final(self) -> bool:
        return self.turn is None

    def place(self, box: int) -> int:
        """A box's place in playing order."""
        return self.playing_order.index(box)


def start(sheet: Sheet, seats: Sequence[int], carry: Carry) -> State:
    """A round before the deal. `carry` is what `series.carry` made of the round before."""
    return State(sheet, tuple(seats), score(sheet, [str(box) for box in seats], carry))
