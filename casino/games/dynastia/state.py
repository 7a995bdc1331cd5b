"""What lies on a table of Dynastia in the course of a round, and which step the rules expect next.

A state is only ever the fold of accepted actions over the start; nothing of it is stored.
"""

from collections.abc import Sequence
from typing import NamedTuple

from casino.games.dynastia.cards import HAND, fitting
from casino.games.dynastia.facts import Facts
from casino.games.dynastia.payments import points
from casino.games.dynastia.series import Series, reckoned, series
from casino.games.dynastia.settle import settle
from casino.games.dynastia.sheet import Sheet
from casino.games.game import Carry, Wager
from casino.games.showdown import Hand, Showdown


class Seat(NamedTuple):
    """A box that takes part. `exchanged` is None until it was asked; `cards` are known once shown."""

    number: int
    staked: bool = False
    exchanged: int | None = None
    cards: tuple[str, ...] = ()


class State(NamedTuple):
    """`seats` from the dealer's left; `staking` are the boxes in the order in which they staked.

    The sheet's deck is the one that fits the number of seats (dynastia.1). `bottom` is the card that the dealer
    showed before the exchange (dynastia.2).
    """

    sheet: Sheet
    carry: Carry
    seats: tuple[Seat, ...]
    staking: tuple[int, ...] = ()
    bottom: str | None = None

    @property
    def phase(self) -> str:
        if not self.sheet.is_long and not all(seat.staked for seat in self.seats):
            return "betting"
        if self.bottom is None:
            return "dealing"
        return "drawing" if any(seat.exchanged is None for seat in self.seats) else "showing"

    @property
    def bottom_dealt(self) -> bool:
        """Whether the exchange may have reached the bottom card, which then lies in a hand (dynastia.3)."""
        stock = self.sheet.deck - HAND * len(self.seats)
        return sum(seat.exchanged or 0 for seat in self.seats) >= stock

    @property
    def series(self) -> Series:
        """The long game before this round."""
        return series(self.sheet, [str(seat.number) for seat in self.seats], self.carry)

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """The stakes of a short game, or what is paid with the last round of a long one."""
        if not self.sheet.is_long:
            units = self.sheet.terms.stake_units
            return tuple(Wager(ordinal, box, "ante", units) for ordinal, box in enumerate(self.staking, 1))
        if expected(self) is not None:
            return ()
        facts = judged(self)
        end = reckoned(facts, settle(facts), self.sheet, self.carry)
        return points(end.owed if end else {})

    def seat(self, number: int) -> Seat:
        return next(seat for seat in self.seats if seat.number == number)


class Step(NamedTuple):
    """The action that is expected next, and the box that it is expected of."""

    kind: str
    box: int | None = None


def start(sheet: Sheet, seats: Sequence[int], carry: Carry) -> State:
    """The seats before the first stake, or before the deal of a long game's round, in which nobody stakes."""
    fitted = sheet._replace(deck=fitting(sheet.deck, len(seats)))
    return State(fitted, carry, tuple(Seat(number) for number in seats))


def expected(state: State) -> Step | None:
    """The one step that the rules expect now, of the first seat that has not done it; None: the round is final."""
    match state.phase:
        case "betting":
            return Step("ante", next(seat.number for seat in state.seats if not seat.staked))
        case "dealing":
            return Step("bottom")
        case "drawing":
            return Step("stand", next(seat.number for seat in state.seats if seat.exchanged is None))
    hidden = [seat for seat in state.seats if not seat.cards]
    return Step("show", hidden[0].number) if hidden else None


def judged(state: State) -> Facts:
    """A final round as `settle` takes it.

    :raises ValueError: if the round is not final: half a round has no line.
    """
    step = expected(state)
    if step is not None or state.bottom is None:
        raise ValueError(f"The round is not final: {step and step.kind} is still to come.")
    pot_units = None
    if not state.sheet.is_long:
        pot_units = state.sheet.terms.pot_units(sum(wager.units for wager in state.wagers))
    hands = tuple(Hand(str(seat.number), seat.cards) for seat in state.seats)
    return Facts(state.sheet.deck, state.bottom[1], Showdown(pot_units, hands, None, state.sheet.terms.chip_units))
