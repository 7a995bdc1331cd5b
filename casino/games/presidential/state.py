"""What lies on a Presidential Poker table in the course of a round, and which step the rules expect next.

A state is only ever the fold of accepted actions over a table without stakes; nothing of it is stored.
"""

from typing import Any, Literal, NamedTuple

from casino.games.game import Wager
from casino.games.presidential.hands import CARDS
from casino.games.presidential.sheet import Sheet
from casino.games.reading import MAXIMUM_UNITS
from casino.games.showdown import place_with
from casino.money import whole_chips

DECK = 72
StakeKind = Literal["ante", "open", "call", "raise"]
BETTING = ("first", "second")


class Player(NamedTuple):
    """A box in the round. `put_units`: what it has bet in this interval; `spoke`: it has acted since the bet last rose.

    `drawn` is None until it has drawn or stood pat; `cards` are known once shown.
    """

    box: int
    anted: bool = False
    dropped: bool = False
    put_units: int = 0
    spoke: bool = False
    drawn: int | None = None
    cards: tuple[str, ...] = ()


class Stake(NamedTuple):
    box: int
    kind: StakeKind
    units: int


class State(NamedTuple):
    """The whole table. `players` in seat order from the dealer's left, the dealer last; `leader` is the box from which
    a betting interval goes round, `opener` the one that opened the first; `deals` counts from 1 (presidential.5)."""

    sheet: Sheet
    players: tuple[Player, ...]
    places: tuple[int, ...]
    phase: str = "antes"
    deals: int = 1
    leader: int = 0
    opener: int | None = None
    opened: bool = False
    raises: int = 0
    stock: int = 0
    discards: int = 0
    stakes: tuple[Stake, ...] = ()

    @property
    def wagers(self) -> tuple[Wager, ...]:
        return tuple(Wager(ordinal, *stake) for ordinal, stake in enumerate(self.stakes, 1))

    @property
    def staked_units(self) -> int:
        return sum(stake.units for stake in self.stakes)

    @property
    def active(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if not player.dropped)

    @property
    def dealer(self) -> int:
        return self.players[-1].box

    @property
    def bet_units(self) -> int:
        """The bet to meet in this interval."""
        return max(player.put_units for player in self.players)

    @property
    def unmet(self) -> bool:
        """Nobody met the last bet: it wins the pot (presidential.6)."""
        return len(self.active) == 1

    def player(self, box: int) -> Player:
        return next(player for player in self.players if player.box == box)

    def from_box(self, box: int) -> tuple[Player, ...]:
        """The players in seat order from a box on."""
        at = [player.box for player in self.players].index(box)
        return self.players[at:] + self.players[:at]

    @property
    def room_units(self) -> int:
        """How much a bet may rise, in whole chips, so that the pot stays an amount even if everybody meets it."""
        owed = sum(self.bet_units - other.put_units for other in self.active)
        room = (MAXIMUM_UNITS - self.staked_units - owed) // len(self.active)
        highest = self.sheet.bet_maximum_units
        return whole_chips(room if highest is None else min(room, highest), self.sheet.terms.chip_units)


def start(sheet: Sheet, seats: Any, carry: object) -> State:
    """Nothing is staked; `seats` in seat order from the dealer's left, the dealer last."""
    return State(sheet, tuple(Player(box) for box in seats), tuple(seats))


def dealer(state: State) -> int:
    """Who dealt last: if nobody opens, the next player deals (presidential.5)."""
    return state.dealer


def turn(state: State) -> Player | None:
    """The box that is expected to act now; None: the round is final."""
    if state.unmet:
        return None
    match state.phase:
        case "antes":
            waiting = [player for player in state.players if not player.anted]
        case "drawing":
            waiting = [player for player in state.active if player.drawn is None]
        case "showing":
            waiting = [player for player in state.active if not player.cards]
        case _:
            waiting = [player for player in state.from_box(state.leader) if not player.dropped and not player.spoke]
    return waiting[0] if waiting else None


def onward(state: State) -> State:
    """The next phase, once nobody is left to act in this one."""
    if state.unmet or turn(state) is not None:
        return state
    match state.phase:
        case "antes":
            stock = DECK - CARDS * len(state.players)
            return state._replace(phase="first", leader=state.players[0].box, stock=stock, discards=0)
        case "first" if not state.opened:
            return _dealt_again(state)
        case "first":
            return state._replace(phase="drawing")
        case "drawing":
            return _second_interval(state)
        case "second":
            return state._replace(phase="showing")
    return state


def _dealt_again(state: State) -> State:
    """Nobody opened: another ante, and a deal by the next player to the left; the pot stays (presidential.5)."""
    first, *others = (Player(player.box) for player in state.players)
    return state._replace(phase="antes", deals=state.deals + 1, players=(*others, first))


def _second_interval(state: State) -> State:
    """The second interval, begun by the opener or the next active player to the left (presidential.6)."""
    begins = next(player for player in state.from_box(state.opener or 0) if not player.dropped)
    players = tuple(player._replace(put_units=0, spoke=False) for player in state.players)
    return state._replace(phase="second", leader=begins.box, players=players, opened=False, raises=0)


def lying(state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The cards that have been seen, by the place where they lie (house.2)."""
    return tuple((place_with(str(player.box)), player.cards) for player in state.players if player.cards)
