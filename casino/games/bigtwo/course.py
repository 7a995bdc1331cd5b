"""The course of a round play by play: whose turn it is, what may be played, what is skipped (bigtwo.2 to bigtwo.6).

A table and a line of contracts/adjudicate.md follow the same course. Players are places in playing order, from 0. It
knows what is public: how many cards each player holds and which were played. It knows hands only if given them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from casino.games.bigtwo.combinations import (
    DECK,
    ORDER,
    PLACE,
    Combination,
    beats,
    cards_set,
    combination,
    could_beat,
)
from casino.games.bigtwo.sheet import Options

HAND = 13


class Illegal(NamedTuple):
    """Why a play is illegal: the contract's code, the clause and, if a single card is at fault, which one."""

    code: str
    clause: str
    card: int | None = None

    def message(self, cards: Sequence[str]) -> str:
        """The key of the sentence: the code, unless one code stands for two different things."""
        if self.card is not None and cards.index(cards[self.card]) < self.card:
            return "card_played_twice"
        if self.code == "card_not_held" and self.card is None:
            return "holds_fewer"
        return "no_higher_bomb" if (self.code, self.clause) == ("not_higher", "bigtwo.10") else self.code


class Skip(NamedTuple):
    """A turn skipped by bigtwo.11; `after` is the number of the play or pass before it."""

    after: int
    place: int


class Course(NamedTuple):
    """A round after some `entries`: plays and passes.

    `held` is how many cards each player holds. `turn` is None when the round is over, and before the first play where
    nobody knows yet who leads. `lowest` is the card that the first play must include, if one is known. `silent` are the
    places that passed or were skipped since the last play. `last` made that play, and its `cards` are to be beaten
    until all others are silent.
    """

    options: Options
    held: tuple[int, ...]
    turn: int | None
    lowest: str | None
    unplayed: int = DECK
    entries: int = 0
    standing: Combination | None = None
    cards: tuple[str, ...] = ()
    last: int | None = None
    silent: tuple[int, ...] = ()
    skipped: tuple[Skip, ...] = ()

    @property
    def over(self) -> bool:
        """Whether a player has no cards left (bigtwo.6)."""
        return 0 in self.held


def begin(options: Options, hands: Sequence[Sequence[str]], leader: int | None) -> Course:
    """A round before its first play. `leader` won the round before; None: the lowest card dealt leads (bigtwo.3)."""
    held = tuple([len(cards) for cards in hands])
    if leader is not None:
        return Course(options, held, leader, None)
    lowest = min([card for cards in hands for card in cards], key=PLACE.__getitem__)
    return Course(options, held, [lowest in cards for cards in hands].index(True), lowest)


def begin_unseen(options: Options, players: int, leader: int | None) -> Course:
    """A round before its first play, hands unseen (bigtwo.15): the lowest card is known only if every card is dealt."""
    lowest = ORDER[0] if leader is None and players * HAND == len(ORDER) else None
    return Course(options, (HAND,) * players, leader, lowest)


def led(course: Course, place: int) -> Course:
    """The course once it is known who leads: the player who says that they hold the lowest card (bigtwo.15)."""
    return course if course.entries or course.turn is not None else course._replace(turn=place)


def judge(course: Course, place: int, cards: Sequence[str], hand: int | None = None) -> Illegal | None:
    """Why a player may not play these cards now (or pass, with no cards), checked in the contract's order.

    :param hand: the set of cards that the player was dealt; None if nobody sees it.
    """
    if course.over:
        return Illegal("round_over", "bigtwo.6")
    if place != course.turn:
        return Illegal("not_your_turn", "bigtwo.2" if course.entries else "bigtwo.3")
    if not cards:
        return Illegal("leader_must_play", "bigtwo.4") if course.standing is None else None
    holds = course.unplayed if hand is None else hand & course.unplayed
    for index, card in enumerate(cards):
        if card in cards[:index]:
            return Illegal("card_not_held", "bigtwo.1", index)
        if not holds >> PLACE[card] & 1:
            broken = ("card_duplicate", "house.2") if hand is None else ("card_not_held", "bigtwo.1")
            return Illegal(*broken, index)
    if len(cards) > course.held[place]:
        return Illegal("card_not_held", "bigtwo.1")
    made = combination(cards)
    if made is None:
        return Illegal("not_a_combination", "bigtwo.7")
    if course.lowest is not None and not course.entries and course.lowest not in cards:
        return Illegal("lowest_card_required", "bigtwo.3")
    standing, bombs = course.standing, course.options.bombs
    if standing is None or beats(made, standing, bombs=bombs):
        return None
    if made.size != standing.size:
        return Illegal("wrong_card_count", "bigtwo.4")
    return Illegal("not_higher", "bigtwo.10" if bombs and standing.is_bomb else "bigtwo.4")


def step(course: Course, cards: Sequence[str]) -> Course:
    """The course after a play or pass that `judge` allows the player whose turn it is."""
    place = course.turn
    if place is None:
        raise ValueError("The round is over.")
    entries = course.entries + 1
    if not cards:
        return _next(course._replace(entries=entries, silent=(*course.silent, place)), place)
    played = cards_set(cards)
    held = tuple([count - len(cards) if other == place else count for other, count in enumerate(course.held)])
    course = course._replace(
        entries=entries,
        held=held,
        unplayed=course.unplayed & ~played,
        standing=combination(cards),
        cards=tuple(cards),
        last=place,
        silent=(),
    )
    return _next(course, place) if held[place] else course._replace(turn=None)


def _next(course: Course, place: int) -> Course:
    """Whose turn follows a player's: the next who could beat what lies there; if nobody can, its owner leads."""
    players = len(course.held)
    while course.standing is not None:
        place = (place + 1) % players
        if len(course.silent) == players - 1:  # bigtwo.5
            return course._replace(turn=place, standing=None, cards=(), silent=())
        if not course.options.auto_skip:
            break
        if could_beat(course.unplayed, course.held[place], course.standing, bombs=course.options.bombs):
            break
        skip = Skip(course.entries - 1, place)
        course = course._replace(silent=(*course.silent, place), skipped=(*course.skipped, skip))
    return course._replace(turn=place)
