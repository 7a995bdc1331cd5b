"""What every game has in common in which players show hands and the best takes a pot.

The lines of contracts/adjudicate.md that carry `hands` and `pot`, the ranking of hands by any strength that compares,
the shares of a pot, and what becomes of each wager. It knows no game: decks, strengths and clauses are handed in.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from casino.games import lines
from casino.games.game import Deck, Field, Json, Outcome, Parameter, Pay, Reason, Refusal, Slot, Wager
from casino.games.leaflets import Row, Sentence, limit, ruled
from casino.games.reading import MAXIMUM_UNITS, FaultError, read_clause, read_object, read_units, shown
from casino.money import Units

LINE_FIELDS = frozenset(("id", "game", "pot", "hands", "void"))
"""What a line of each of these games may carry; a game adds its own."""
_HAND_FIELDS = frozenset(("player", "cards"))
_VOID_FIELDS = frozenset(("clause",))

ODD_UNITS = "house.1"
CARD_TWICE = "house.2"
STAKE = "house.3"


class Hand(NamedTuple):
    """A player's cards; None where the line leaves them out."""

    player: str
    cards: tuple[str, ...] | None


class Showdown(NamedTuple):
    """What a line says of any of these games. `hands` in seat order from the dealer's left; `void` is the clause of a
    round ruled void."""

    pot_units: int | None
    hands: tuple[Hand, ...]
    void: str | None

    @property
    def players(self) -> tuple[str, ...]:
        return tuple([hand.player for hand in self.hands])


class Showing(NamedTuple):
    """How hands are read: the deck, how many cards a hand has, how many players show, what a card looks like."""

    deck: Deck
    cards: int
    players: tuple[int, int]
    form: str


class Terms(NamedTuple):
    """What a signed sheet says of the pot: each player's stake (house.3) and what the house takes of the pot."""

    stake_units: int
    rake_percent: int = 0
    rake_cap_units: int | None = None

    def pot_units(self, staked_units: int) -> int:
        """What the players play for: all that was staked less the rake, which is rounded down.

        >>> Terms(10, rake_percent=5).pot_units(1030), Terms(10, rake_percent=5, rake_cap_units=20).pot_units(1030)
        (979, 1010)
        """
        rake = staked_units * self.rake_percent // 100
        return staked_units - (rake if self.rake_cap_units is None else min(rake, self.rake_cap_units))


def parameters(players: int) -> tuple[Parameter, ...]:
    """The parameters of `Terms` for a game of at most so many players, whose pot stays an amount that a line carries.

    >>> [parameter.name for parameter in parameters(8)]
    ['stake', 'rake_percent', 'rake_cap']
    """
    highest = MAXIMUM_UNITS // players
    return (
        Parameter("stake", "units", 10, STAKE, "Stake of each player", "limits", minimum=1, maximum=highest),
        Parameter("rake_percent", "count", 0, STAKE, "Rake of the pot, in percent", minimum=0, maximum=99),
        Parameter("rake_cap", "units", None, STAKE, "Highest rake", optional=True, minimum=1, maximum=MAXIMUM_UNITS),
    )


def terms(values: Mapping[str, Json]) -> Terms:
    """From values that `reading.read_values` checked by `parameters`."""
    return Terms(values["stake"], values["rake_percent"], values["rake_cap"])


def values(terms: Terms) -> dict[str, Json]:
    """By the names of `parameters`."""
    return {"stake": terms.stake_units, "rake_percent": terms.rake_percent, "rake_cap": terms.rake_cap_units}


def pot_rows(terms: Terms, stake_is: str = "Stake") -> tuple[Row, ...]:
    """What a leaflet lists of the pot.

    >>> [(row.label, row.value) for row in pot_rows(Terms(10, rake_percent=5))]
    [('Stake of each player', 10), ('Rake', '5 % of the pot'), ('Rake, most', 'no limit')]
    """
    stake = Row(f"{stake_is} of each player", Units(terms.stake_units), STAKE, house=True)
    if not terms.rake_percent:
        return stake, Row("Rake", "none", STAKE, house=True)
    return (
        stake,
        Row("Rake", f"{terms.rake_percent} % of the pot", STAKE, house=True),
        Row("Rake, most", limit(terms.rake_cap_units), STAKE, house=True),
    )


def pot_sentences(terms: Terms) -> tuple[Sentence, ...]:
    """What a leaflet says of the pot, to go on after words such as `The stake`."""
    staked = ruled(STAKE, "is put into the pot by each player before the deal.")
    return (staked, ruled(STAKE, "The house takes the rake, rounded down.")) if terms.rake_percent else (staked,)


# Reading a line


def read_void(line: Mapping[str, Json], clauses: Collection[str]) -> str | None:
    """The clause under which the round is void, one of the game's."""
    void = line.get("void")
    return None if void is None else read_clause(read_object(void, _VOID_FIELDS, "The void", "void"), clauses, "void")


def read_pot(line: Mapping[str, Json]) -> int | None:
    """What the winners get; None where the line leaves it out."""
    pot = line.get("pot")
    return None if pot is None else read_units(pot, "The pot", "pot")


def read_hands(value: Json, showing: Showing, *, optional: bool = False, judged: bool = True) -> tuple[Hand, ...]:
    """The players and their cards. `optional`: cards, and the list itself, may be left out (a void round).

    Not `judged`: how many cards there are, and whether one lies twice, is what a round may be void for (house.2).
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
    """A player's name, which no other has; it is added to `names`."""
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
    """`holders` of each card before this hand, the player is added to those of his cards; None: all are cards, and no
    more is asked."""
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
            places = [f"with {named(holder)}" for holder in holding]
            raise FaultError("card_duplicate", _too_many(showing.deck, card, places), f"{path}[{index}]")
        holding.append(player)
    if holders is not None and len(value) != showing.cards:
        raise FaultError(
            "wrong_card_count", f"{who(player)} has {_number(len(value), 'card')}, not {showing.cards}.", path
        )
    return tuple(value)


# The same at the table


def lie_already(
    deck: Deck, lying: Iterable[tuple[str, Sequence[str]]], cards: Sequence[str], name: str
) -> Refusal | None:
    """The refusal of `cards`, the field `name`, if with those that lie elsewhere there are more copies than the deck
    has (house.2). `lying` are pairs of a place, as `with box 3`, and its cards."""
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
                "Enter another card; if it truly lies there, report it to the pit boss (house.4).",
            )
        places.append("in this hand")
    return None


def _too_many(deck: Deck, card: str, places: Sequence[str]) -> str:
    name = deck.faces[card].name
    where = " and ".join(dict.fromkeys(places))
    if deck.copies[card] == 1:
        return f"The {name} already lies {where}."
    return f"The deck has {deck.copies[card]} cards {name}; they already lie {where}."


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


def share(pot_units: int, winners: Sequence[str]) -> dict[str, int]:
    """Equal shares, the odd units one each in the order of `winners`, which is seat order (house.1).

    >>> share(1001, ["A", "C"])
    {'A': 501, 'C': 500}
    """
    units, odd = divmod(pot_units, len(winners))
    return {player: units + (index < odd) for index, player in enumerate(winners)}


def outcomes(showdown: Showdown, result: Mapping[str, Json]) -> tuple[Outcome, ...]:
    """`win` for the best hand, `split` for each of several, else `lose`; all `void` in a void round. By box number.

    A share of the pot cites house.1 where it doesn't divide evenly.
    """
    if showdown.void is not None:
        return tuple(sorted(Outcome(int(player), "void", (showdown.void,)) for player in showdown.players))
    winners = result["ranking"][0]
    won = "win" if len(winners) == 1 else "split"
    odd = (ODD_UNITS,) if len(set(result.get("shares", {}).values())) > 1 else ()
    found = [
        Outcome(int(player), won, (*hand["clauses"], *odd))
        if player in winners
        else Outcome(int(player), "lose", tuple(hand["clauses"]))
        for player, hand in result["hands"].items()
    ]
    return tuple(sorted(found))


def pay_shares(shares: Mapping[str, int], wagers: Sequence[Wager]) -> tuple[Pay, ...]:
    """A winner's wagers come back as far as his share goes; the rest of it is paid on his first wager.

    >>> pay_shares({"2": 50}, [Wager(1, 2, "ante", 10), Wager(2, 4, "ante", 30), Wager(3, 2, "call", 20)])[0]
    Pay(ordinal=1, box=2, kind='ante', stake_units=10, returned_units=10, paid_units=20)
    """
    left = {int(player): units for player, units in shares.items()}
    returned = []
    for wager in wagers:
        units = min(wager.units, left.get(wager.box, 0))
        returned.append(units)
        if units:
            left[wager.box] -= units
    pays = [Pay(*wager, units, left.pop(wager.box, 0)) for wager, units in zip(wagers, returned, strict=True)]
    highest = max((wager.ordinal for wager in wagers), default=0)
    without = (box for box, units in left.items() if units)
    return (*pays, *(Pay(highest + count, box, "share", 0, 0, left[box]) for count, box in enumerate(without, 1)))


def pay_back(wagers: Iterable[Wager]) -> tuple[Pay, ...]:
    """Everything returned: a void round."""
    return tuple(Pay(*wager, wager.units, 0) for wager in wagers)


# Corrections


def slots(line: Mapping[str, Json], cards: Field, void_clauses: tuple[str, ...]) -> Iterator[Slot]:
    """Each player's cards, and the clause of a void round; a player can't come in, go, or change his place."""
    for index, hand in enumerate(line.get("hands") or ()):
        path, player = f"hands[{index}].cards", hand["player"]
        label = f"{who(player)}: {cards.label[0].lower()}{cards.label[1:]}"
        yield Slot(path, cards, label, lines.at(line, path), int(player) if is_box(player) else None)
    void = Field("clause", "choice", "Round void under", options=void_clauses, optional=True)
    yield Slot("void.clause", void, void.label, lines.at(line, "void.clause"))


# What is said

SENTENCES: Mapping[str, str] = {
    "void": "The round is void under {clause}: all stakes are returned.",
    "void_player": "The round is void under {clause}: all that {whom} staked is returned.",
    "best_hand": "{who} has the best hand.",
    "takes_pot": "{who} has the best hand and takes the pot of {pot}.",
    "shares_pot": "{count} equal hands share the pot of {pot}: {who} gets {share}.",
    "odd_unit": "The pot doesn't divide by {count}: the odd units go one each in seat order from the dealer's left, "
    "one of them to {whom}.",
}


def is_box(player: str) -> bool:
    """At a table a player is a box, named by its number."""
    return player.isascii() and player.isdigit()


def who(player: str) -> str:
    """A player at the beginning of a sentence.

    >>> who("3"), who("Anna")
    ('Box 3', 'Anna')
    """
    return f"Box {player}" if is_box(player) else player


def named(player: str) -> str:
    """A player within a sentence.

    >>> named("3"), named("Anna")
    ('box 3', 'Anna')
    """
    return f"box {player}" if is_box(player) else player


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def announced(boxes: Iterable[int]) -> str:
    """Boxes as a croupier says them.

    >>> announced([3]), announced([2, 5, 12])
    ('Box three', 'Boxes two, five and 12')
    """
    *before, last = (_NUMBERS[box] if box < len(_NUMBERS) else str(box) for box in boxes)
    return f"Boxes {', '.join(before)} and {last}" if before else f"Box {last}"


def void_reasons(showdown: Showdown) -> tuple[Reason, ...]:
    """One for each player of a void round; one for the table where the line names none."""
    clause = showdown.void or ""
    if not showdown.hands:
        return (Reason(None, clause, "void", {"clause": clause}),)
    return tuple(
        Reason(player, clause, "void_player", {"whom": named(player), "clause": clause}) for player in showdown.players
    )


def share_reasons(
    showdown: Showdown, winners: Sequence[str], shares: Mapping[str, int] | None, clause: str
) -> Iterator[Reason]:
    """What each winner gets, by the clause that gives a pot to the best hand, and why one gets a unit more; `shares`
    are None where the line has no pot."""
    pot = Units(showdown.pot_units or 0)
    least = min(shares.values()) if shares else 0
    message = "best_hand" if shares is None else "takes_pot" if len(winners) == 1 else "shares_pot"
    for player in winners:
        units = shares[player] if shares else 0
        told = {"who": who(player), "whom": named(player), "pot": pot, "share": Units(units), "count": len(winners)}
        yield Reason(player, clause, message, told)
        if units > least:
            yield Reason(player, ODD_UNITS, "odd_unit", told)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s'[: count != 1]}"
