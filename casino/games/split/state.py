"""What lies on a Split Poker table in the course of a round, and which step the rules expect next.

A state is only ever the fold of accepted actions over an empty table; nothing of it is stored.
"""

from functools import cache
from typing import Literal, NamedTuple

from casino.cards import VALUE
from casino.games import game
from casino.games.poker import best_setting, strength
from casino.games.split.facts import BETTING, Ruling, has_game
from casino.games.split.sheet import Sheet
from casino.phrases import phrases

Decision = Literal["fold", "bet", "buy", "buy_bet", "buy_fold"]
"""split.6. `buy` has bought two cards and still bets or folds; the others stand."""

StakeKind = Literal["ante", "bet", "cards_fee", "game_fee"]


class Box(NamedTuple):
    """A box with an ANTE. `cards` and `extra` are known once shown; `small` is the player's own setting (split.9).

    `handed_units`: what it had been handed when it was ruled on; None if it was not finished by then.
    """

    number: int
    ante_units: int
    decision: Decision | None = None
    buys_game: bool | None = None
    cards: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    ruling: Ruling | None = None
    handed_units: int | None = None

    @property
    def folded(self) -> bool:
        return self.decision in ("fold", "buy_fold")

    @property
    def still_in(self) -> bool:
        """Still in for split.11 to split.20: it bet, and no ruling took it out."""
        return self.decision in BETTING and self.ruling is None

    @property
    def undecided(self) -> bool:
        return self.decision in (None, "buy") and self.ruling is None

    @property
    def bought_cards(self) -> bool:
        return self.decision in ("buy", "buy_bet", "buy_fold")


class Stake(NamedTuple):
    box: int
    kind: StakeKind
    units: int


class State(NamedTuple):
    """The whole table; `boxes` by number, `stakes` in staking order.

    `closed` are the dealer's first four, known from the reveal on; `open_card` is the fifth (split.5).
    """

    sheet: Sheet
    phase: str = "betting"
    boxes: tuple[Box, ...] = ()
    stakes: tuple[Stake, ...] = ()
    open_card: str | None = None
    closed: tuple[str, ...] = ()
    replacement: str | None = None
    small: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(range(1, self.sheet.boxes + 1))

    @property
    def wagers(self) -> tuple[game.Wager, ...]:
        """The wagers. Ordinals are counted, not kept: an ANTE taken back, before `close_betting`, leaves no gap."""
        return tuple(game.Wager(ordinal, *stake) for ordinal, stake in enumerate(self.stakes, 1))

    @property
    def dealt(self) -> tuple[str, ...]:
        """The dealer's five as dealt, open card last; () before the reveal."""
        return (*self.closed, self.open_card) if self.closed and self.open_card else ()

    @property
    def counting(self) -> tuple[str, ...]:
        """The dealer's five that count: after split.13 with the replacement where the replaced card lay."""
        if self.replacement is None:
            return self.dealt
        return tuple(self.replacement if card == self.replaced else card for card in self.dealt)

    @property
    def replaced(self) -> str:
        """The dealer's highest card, ace high (split.13); it is one card, since a hand with a pair is a game."""
        return max(self.dealt, key=VALUE.__getitem__)

    @property
    def still_in(self) -> tuple[Box, ...]:
        return tuple(box for box in self.boxes if box.still_in)

    @property
    def compared(self) -> tuple[Box, ...]:
        """The boxes whose cards meet the dealer's game: all still in, or those that bought it (split.15, split.16)."""
        return self.still_in if has_game(self.dealt) else tuple(box for box in self.still_in if box.buys_game)

    def box(self, number: int) -> Box:
        """The box of a number; an empty place is a box without ANTE."""
        return next((box for box in self.boxes if box.number == number), Box(number, 0))

    def needs_extra(self, box: Box) -> bool:
        """Whether a box that shows its five cards has to show the two further ones.

        Unseen cards that are a Small Hand are looked at only if the Big Hand is above the dealer's (split.17,
        split.18); any other box sets its hands from seven.
        """
        if box.decision != "bet" or self.sheet.unseen_cards != "small_hand":
            return True
        return strength(box.cards) > strength(self.counting)

    def has_shown(self, box: Box) -> bool:
        """Whether a compared box has shown all that is looked at."""
        return bool(box.cards) and (bool(box.extra) or not self.needs_extra(box))

    def setting(self, box: Box) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The Big and the Small Hand of a box that has shown: as they lie (split.8), as the player set (split.9), or
        the house's way. The Small Hand is () while it is not seen."""
        if box.decision == "bet" and self.sheet.unseen_cards == "small_hand":
            return box.cards, box.extra
        seven = (*box.cards, *box.extra)
        if box.small:
            return tuple(card for card in seven if card not in box.small), box.small
        return best_setting(seven)

    def is_below(self, box: Box) -> bool:
        """Whether a box has shown a Big Hand below the dealer's, and so lost (split.17)."""
        return bool(box.cards) and strength(self.setting(box)[0]) < strength(self.counting)

    def ordered(self) -> tuple[Box, ...]:
        """The boxes in the order in which the table asks and shows them."""
        return self.boxes if self.sheet.box_order == "ascending" else self.boxes[::-1]


class Step(NamedTuple):
    """The action that is expected next, and the box that it is expected of."""

    kind: str
    box: int | None = None


def start(sheet: Sheet, seats: object, carry: object) -> State:
    """An empty table: boxes come in by their ANTE, and no round leaves anything to the next."""
    return State(sheet)


def expected(state: State) -> Step | None:
    """The one step that the rules expect now; None: the round is final."""
    match state.phase:
        case "betting":
            return Step("close_betting") if state.boxes else Step("ante", asked_places(state.sheet)[0])
        case "deciding":
            if state.open_card is None:
                return Step("open_card")
            asked = [box for box in state.ordered() if box.undecided]
            # A box that bought thinks over its seven cards while the others are asked (split.6).
            asked.sort(key=lambda box: box.decision == "buy")
            return Step("bet", asked[0].number) if asked else Step("reveal")
        case "revealed":
            return _after_the_reveal(state)
        case _:
            hidden = [box for box in state.ordered() if box in state.compared and not state.has_shown(box)]
            return Step("show", hidden[0].number) if hidden else None


def _after_the_reveal(state: State) -> Step | None:
    if has_game(state.dealt):
        return Step("small_hand") if state.still_in else None  # split.16
    asked = [box for box in state.ordered() if box.still_in and box.buys_game is None]
    if asked:
        return Step("take_ante", asked[0].number)  # split.11, split.12
    if not any(box.buys_game for box in state.boxes):
        return None
    if state.replacement is None:
        return Step("replacement")  # split.13, even if a ruling then took the buyer out
    return Step("small_hand") if has_game(state.counting) and state.compared else None  # split.14, split.15


def asked_places(sheet: Sheet) -> tuple[int, ...]:
    """All places in the order in which the table asks the boxes."""
    places = tuple(range(1, sheet.boxes + 1))
    return places if sheet.box_order == "ascending" else places[::-1]


_PLACES = phrases(
    "split.place", {"dealer": "with the dealer", "dealer_small": "in the dealer’s Small Hand", "box": "in box {box}"}
)


@cache
def place_in_box(number: int) -> str:
    """Where the cards of a box lie.

    >>> place_in_box(3)
    'in box 3'
    """
    return _PLACES["box"].format(box=number)


def lying(state: State) -> dict[str, str]:
    """Every card that has been seen, and where it lies (house.2); a replaced card stays used."""
    places: dict[str, str] = dict.fromkeys(
        filter(None, (state.open_card, *state.closed, state.replacement)), _PLACES["dealer"]
    )
    places.update(dict.fromkeys(state.small, _PLACES["dealer_small"]))
    for box in state.boxes:
        places.update(dict.fromkeys((*box.cards, *box.extra), place_in_box(box.number)))
    return places
