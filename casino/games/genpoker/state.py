"""What lies on a table of Genpoker in the course of a round, and what it waits for.

A state is only ever the fold of accepted actions over the start; nothing of it is stored.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from casino.games.game import Carry, Wager
from casino.games.genpoker.sheet import Sheet

HELD = 5


class Seat(NamedTuple):
    """`drawn` is None until the player has stood or exchanged, `cards` are () until they are shown."""

    number: int
    staked: bool = False
    drawn: int | None = None
    cards: tuple[str, ...] = ()


class State(NamedTuple):
    """`seats` in seat order from the dealer's left, which is the order of play; `staking` as the stakes came in."""

    sheet: Sheet
    seats: tuple[Seat, ...]
    staking: tuple[int, ...] = ()

    @property
    def phase(self) -> str:
        if not all(seat.staked for seat in self.seats):
            return "betting"
        return "drawing" if any(seat.drawn is None for seat in self.seats) else "showing"

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Those who have not yet done what the phase asks, the next one first."""
        done: Callable[[Seat], bool] = {
            "betting": lambda seat: seat.staked,
            "drawing": lambda seat: seat.drawn is not None,
            "showing": lambda seat: bool(seat.cards),
        }[self.phase]
        return tuple(seat for seat in self.seats if not done(seat))

    @property
    def wagers(self) -> tuple[Wager, ...]:
        stake = self.sheet.stake_units
        return tuple(Wager(ordinal, box, "ante", stake) for ordinal, box in enumerate(self.staking, 1))

    @property
    def staked_units(self) -> int:
        return self.sheet.stake_units * len(self.staking)


def start(sheet: Sheet, seats: Sequence[int], carry: Carry) -> State:
    """A round before the first stake; no round leaves anything to the next."""
    return State(sheet, tuple(Seat(number) for number in seats))
