"""What games share in which players show hands and the best takes a pot.

The lines of contracts/adjudicate.md that carry `hands` and `pot`, and the ranking of hands by any strength that
compares. It knows no game: decks, strengths and clauses are handed in.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from casino.games import lines
from casino.games.decks import Deck
from casino.games.game import Field, Json, Outcome, Refusal, Slot
from casino.games.pot import LEFT_OVER
from casino.games.reading import FaultError, check_chips, read_chip, read_clause, read_object, read_units, shown
from casino.games.sentences import is_box, listed, named, who, within
from casino.phrases import Phrase, phrase

LINE_FIELDS = frozenset(("id", "game", "chip", "pot", "hands", "void"))
"""What a line of each of these games may carry; a game adds its own."""
_HAND_FIELDS = frozenset(("player", "cards"))
_VOID_FIELDS = frozenset(("clause",))

CARD_TWICE = "house.2"


class Hand(NamedTuple):
    """A player's cards; None if the line leaves them out."""

    player: str
    cards: tuple[str, ...] | None


class Showdown(NamedTuple):
    """What a line says of any of these games. `hands` in seat order from the dealer's left; `void` is the clause of a
    round ruled void. `pot_units` are a multiple of `chip_units`."""

    pot_units: int | None
    hands: tuple[Hand, ...]
    void: str | None
    chip_units: int = 1

    @property
    def players(self) -> tuple[str, ...]:
        return tuple([hand.player for hand in self.hands])


class Showing(NamedTuple):
    """How hands are read: the deck, how many cards a hand has, how many players show, what a card looks like."""

    deck: Deck
    cards: int
    players: tuple[int, int]
    form: str


# Reading a line


def read_void(line: Mapping[str, Json], clauses: Collection[str]) -> str | None:
    """The clause under which the round is void, one of the game's."""
    void = line.get("void")
    return None if void is None else read_clause(read_object(void, _VOID_FIELDS, "The void", "void"), clauses, "void")


def read_pot(line: Mapping[str, Json]) -> tuple[int | None, int]:
    """What the winners get, None if the line leaves it out, and the chip that it is a multiple of (house.5)."""
    chip_units, pot = read_chip(line), line.get("pot")
    if pot is None:
        return None, chip_units
    pot_units = read_units(pot, "The pot", "pot")
    check_chips(pot_units, chip_units, "The pot", "pot")
    return pot_units, chip_units


def pot_facts(pot_units: int | None, chip_units: int) -> dict[str, Json]:
    """The pot as a line has it.

    A chip of 1 is left out, as in all lines from before house.5: rounds on old sheets give the same line when an export
    is replayed.
    """
    chip = {} if chip_units == 1 else {"chip": chip_units}
    return chip if pot_units is None else {**chip, "pot": pot_units}


def read_hands(value: Json, showing: Showing, *, optional: bool, judged: bool) -> tuple[Hand, ...]:
    """The players and their cards. `optional`: cards, and the list itself, may be left out (a void round).

    Unless `judged`, the number of cards and duplicates aren't checked: a round may be void for just these (house.2).
    """
    if value is None:
        if optional:
            return ()
        raise FaultError("missing_field", "The hands are missing.", "hands")
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The hands are {shown(value)}, not a list.", "hands")
    fewest, most = showing.players
    if not fewest <= len(value) <= most:
        raise FaultError("bad_field", f"{_number(len(value), 'hand')}, not {fewest} to {most}.", "hands")
    hands: list[Hand] = []
    names: set[str] = set()
    holders: dict[str, list[str]] = {}
    for index, item in enumerate(value):
        path = f"hands[{index}]"
        given = read_object(item, _HAND_FIELDS, "A hand", path)
        player = read_player(given.get("player"), names, f"{path}.player")
        cards = given.get("cards")
        if cards is not None:
            cards = _read_cards(cards, showing, player, holders if judged else None, f"{path}.cards")
        elif not optional:
            raise FaultError("missing_field", f"The cards of {named(player)} are missing.", f"{path}.cards")
        hands.append(Hand(player, cards))
    return tuple(hands)


def read_player(value: Json, names: set[str], path: str) -> str:
    """A player's name, which must be unique; it is added to `names`."""
    if value is None:
        raise FaultError("missing_field", "A hand names its player.", path)
    if not isinstance(value, str) or not value:
        raise FaultError("bad_field", f"A player is {shown(value)}, not a name.", path)
    if value in names:
        raise FaultError("bad_field", f"The player {shown(value)} is named twice.", path)
    names.add(value)
    return value


def _read_cards(
    value: Json, showing: Showing, player: str, holders: dict[str, list[str]] | None, path: str
) -> tuple[str, ...]:
    """Read a hand's cards. `holders` lists the players of each card before this hand, and this player is added; with
    None, only the form of the cards is checked."""
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The cards of {named(player)} are {shown(value)}, not a list.", path)
    copies = showing.deck.copies
    for index, card in enumerate(value):
        if card.__class__ is not str or card not in copies:
            raise FaultError("bad_card", f"{shown(card)} is no card; {showing.form}.", f"{path}[{index}]")
        if holders is None:
            continue
        holding = holders.setdefault(card, [])
        if len(holding) == copies[card]:
            places = [place_with(holder) for holder in holding]
            raise FaultError("card_duplicate", _too_many(showing.deck, card, places), f"{path}[{index}]")
        holding.append(player)
    if holders is not None and len(value) != showing.cards:
        raise FaultError(
            "wrong_card_count", f"{who(player)} has {_number(len(value), 'card')}, not {showing.cards}.", path
        )
    return tuple(value)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s'[: count != 1]}"


# The same at the table

_WITH = phrase("place.with", "with {whom}")
_IN_THIS_HAND = phrase("place.in_this_hand", "in this hand")
_LIES_ALREADY = phrase("refusal.lies_already", "The {card} already lies {where}.")
_LIE_ALREADY = phrase("refusal.lie_already", "The deck has {count} cards {card}; they already lie {where}.")
_ENTER_ANOTHER = phrase(
    "refusal.enter_another", "Enter another card; if it truly lies there, report it to the pit boss (house.4)."
)


@lru_cache(maxsize=64)
def place_with(player: str) -> Phrase:
    """Where a player's cards lie; cached, since each hand shown asks it for every box.

    >>> place_with("3")
    'with box 3'
    """
    return _WITH.format(whom=named(player))


def lie_already(
    deck: Deck, lying: Iterable[tuple[str, Sequence[str]]], cards: Sequence[str], name: str
) -> Refusal | None:
    """The refusal of `cards` (the field `name`) if, with those that lie elsewhere, there are more copies than the deck
    has (house.2). `lying` pairs each place, a phrase of `place_with`, with its cards."""
    seen: dict[str, list[str]] = {}
    for place, held in lying:
        for card in held:
            seen.setdefault(card, []).append(place)
    for index, card in enumerate(cards):
        places = seen.setdefault(card, [])
        if len(places) >= deck.copies[card]:
            return Refusal(
                "card_duplicate",
                _too_many(deck, card, places),
                f"{name}[{index}]",
                CARD_TWICE,
                _ENTER_ANOTHER,
            )
        places.append(_IN_THIS_HAND)
    return None


def _too_many(deck: Deck, card: str, places: Sequence[str]) -> Phrase:
    name, where = deck.faces[card].name, listed(list(dict.fromkeys(places)))
    if deck.copies[card] == 1:
        return _LIES_ALREADY.format(card=name, where=where)
    return _LIE_ALREADY.format(count=deck.copies[card], card=name, where=where)


# Who wins what


def rank(players: Iterable[str], strength: Callable[[str], Any]) -> list[list[str]]:
    """Groups of equal players, the greatest strength first; within a group they stay in the order given.

    >>> rank("ABC", {"A": 1, "B": 2, "C": 1}.__getitem__)
    [['B'], ['A', 'C']]
    """
    groups: dict[Any, list[str]] = {}
    for player in players:
        groups.setdefault(strength(player), []).append(player)
    return [groups[key] for key in sorted(groups, reverse=True)]


def outcomes(showdown: Showdown, result: Mapping[str, Json]) -> tuple[Outcome, ...]:
    """Outcomes by box: `win` for the best hand, `split` for each of several, else `lose`; all `void` in a void round.

    A share of the pot cites house.1 where its chips don't divide evenly.
    """
    if showdown.void is not None:
        return tuple(sorted(Outcome(int(player), "void", (showdown.void,)) for player in showdown.players))
    winners = result["ranking"][0]
    won = "win" if len(winners) == 1 else "split"
    odd = (LEFT_OVER,) if len(set(result.get("shares", {}).values())) > 1 else ()
    ends = [
        Outcome(int(player), won, (*hand["clauses"], *odd))
        if player in winners
        else Outcome(int(player), "lose", tuple(hand["clauses"]))
        for player, hand in result["hands"].items()
    ]
    return tuple(sorted(ends))


# Corrections

_OF_PLAYER = phrase("slot.player", "{who}: {what}")
_VOID_UNDER = phrase("slot.void", "Round void under")


def slots(line: Mapping[str, Json], cards: Field, void_clauses: tuple[str, ...]) -> Iterator[Slot]:
    """Each player's cards, and the clause of a void round; a player can't be added, removed or moved."""
    for index, hand in enumerate(line.get("hands") or ()):
        path, player = f"hands[{index}].cards", hand["player"]
        label = _OF_PLAYER.format(who=who(player), what=within(cards.label))
        yield Slot(path, cards, label, lines.at(line, path), int(player) if is_box(player) else None)
    void = Field("clause", "choice", _VOID_UNDER, options=void_clauses, optional=True)
    yield Slot("void.clause", void, void.label, lines.at(line, "void.clause"))
