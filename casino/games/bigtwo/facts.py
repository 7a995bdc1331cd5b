"""A line of contracts/adjudicate.md for Big Two in its three forms, checked: what `settle` may rely on."""

from collections.abc import Mapping
from typing import NamedTuple

from casino.cards import VALUE, card_name
from casino.games.bigtwo.combinations import ORDER, cards_set
from casino.games.bigtwo.course import HAND, Course, Illegal, begin, judge, step
from casino.games.bigtwo.sheet import BASES, CLAUSES, FIRST_PLAYERS, MULTIPLIERS, SCORINGS, Options
from casino.games.game import Fault, Json
from casino.games.reading import FaultError, check_names, read_choice, read_clause, read_object, shown

_FIELDS_OF_FORM: Mapping[str, frozenset[str]] = {
    "deal": frozenset(("seats", "options", "deal", "plays", "first_round", "leader", "void")),
    "left": frozenset(("seats", "options", "left")),
    "compare": frozenset(("options", "compare")),
}
_LINE_FIELDS = frozenset(("id", "game")).union(*_FIELDS_OF_FORM.values())
_SWITCHES = ("bombs", "auto_skip")
_CHOICES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "first_player": (FIRST_PLAYERS, "Who plays first"),
    "base": (BASES, "The penalty's base"),
    "multiplier": (MULTIPLIERS, "The multiplier"),
    "scoring": (SCORINGS, "The scoring"),
}


class Play(NamedTuple):
    """One play; no cards mean a pass."""

    player: str
    cards: tuple[str, ...]


class Deal(NamedTuple):
    """A round play by play. `seats` are in playing order, `hands` in theirs; `leader` won the round before, where that
    counts; `void` is the clause of a round ruled void."""

    options: Options
    seats: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    leader: str | None
    plays: tuple[Play, ...]
    void: str | None


class Left(NamedTuple):
    """A round that is over, by the cards left; `hands` in the order of `seats`."""

    options: Options
    seats: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]


class Compare(NamedTuple):
    """Two sets of cards: may the first be played on the second?"""

    options: Options
    sides: tuple[tuple[str, ...], tuple[str, ...]]


Facts = Deal | Left | Compare


class Followed(NamedTuple):
    """A deal followed up to its first illegal play; `courses[n]` is before play n, the last one at the end."""

    courses: tuple[Course, ...]
    illegal: Illegal | None

    @property
    def course(self) -> Course:
        return self.courses[-1]


def follow(deal: Deal) -> Followed:
    """Follow a deal play by play; nothing after an illegal play is judged."""
    place_of = {player: place for place, player in enumerate(deal.seats)}
    leader = None if deal.leader is None else place_of[deal.leader]
    hands = [cards_set(cards) for cards in deal.hands]
    courses = [begin(deal.options, deal.hands, leader)]
    for play in deal.plays:
        place = place_of[play.player]
        illegal = judge(courses[-1], place, play.cards, hands[place])
        if illegal is not None:
            return Followed(tuple(courses), illegal)
        courses.append(step(courses[-1], play.cards))
    return Followed(tuple(courses), None)


def left_with(deal: Deal, course: Course) -> dict[str, tuple[str, ...]]:
    """The cards that each player still holds, from the lowest up."""
    hands = (in_order(cards_set(cards) & course.unplayed) for cards in deal.hands)
    return dict(zip(deal.seats, hands, strict=True))


def in_order(held: int) -> tuple[str, ...]:
    """The cards of a set, lowest first."""
    return tuple([card for place, card in enumerate(ORDER) if held >> place & 1])


def read(line: Mapping[str, Json]) -> Facts | Fault:
    """A line of contracts/adjudicate.md, checked; `id` and `game` are the caller's.

    >>> read({"seats": ["N", "W"], "left": {"N": [], "W": ["3c", "1d"]}})
    Fault(code='bad_card', message='"1d" is no card; a card is a rank and a suit, as Td.', path='left.W[1]')
    """
    try:
        return _line(line)
    except FaultError as error:
        return error.fault


def _line(line: Mapping[str, Json]) -> Facts:
    check_names(line, _LINE_FIELDS, "The line", "")
    forms = [form for form in _FIELDS_OF_FORM if line.get(form) is not None]
    if not forms:
        raise FaultError("missing_field", "The line has neither deal, left nor compare.", "deal")
    form = forms[0]
    for name in line:
        if name not in ("id", "game") and name not in _FIELDS_OF_FORM[form] and line[name] is not None:
            raise FaultError("bad_field", f"A line with {form} has no {name}.", name)
    options = _options(line.get("options"))
    if form == "compare":
        return Compare(options, _sides(line["compare"]))
    seats = _seats(line.get("seats"))
    if form == "left":
        return Left(options, seats, _left(line["left"], seats))
    return _deal(line, options, seats)


def _deal(line: Mapping[str, Json], options: Options, seats: tuple[str, ...]) -> Deal:
    void = line.get("void")
    return Deal(
        options,
        seats,
        _hands(line["deal"], seats, HAND, "deal", judged=void is None),
        _leader(line, options, seats),
        () if void is not None and line.get("plays") is None else _plays(line.get("plays"), seats),
        None if void is None else read_clause(read_object(void, ("clause",), "The void", "void"), CLAUSES, "void"),
    )


def _options(value: Json) -> Options:
    if value is None:
        return Options()
    options: dict[str, Json] = {}
    for name, option in read_object(value, Options._fields, "The set of options", "options").items():
        path = f"options.{name}"
        if option is None:
            continue
        if name in _CHOICES:
            choices, what = _CHOICES[name]
            options[name] = read_choice(option, choices, what, path)
        elif isinstance(option, bool):
            options[name] = option
        else:
            what = "Whether there are bombs" if name == "bombs" else "Whether turns are skipped"
            raise FaultError("bad_field", f"{what} is {shown(option)}, not true or false.", path)
    return Options(**options)


def _seats(value: Json) -> tuple[str, ...]:
    if value is None:
        raise FaultError("missing_field", "The seats are missing.", "seats")
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The seats are {shown(value)}, not a list.", "seats")
    if not 2 <= len(value) <= 4:
        raise FaultError("bad_field", f"A round has 2 to 4 players, not {len(value)}.", "seats")
    for index, player in enumerate(value):
        path = f"seats[{index}]"
        if not isinstance(player, str) or not player:
            raise FaultError("bad_field", f"A player is {shown(player)}, not a name.", path)
        if player in value[:index]:
            raise FaultError("bad_field", f"The player {shown(player)} is named twice.", path)
    return tuple(value)


def _leader(line: Mapping[str, Json], options: Options, seats: tuple[str, ...]) -> str | None:
    first_round, leader = line.get("first_round"), line.get("leader")
    if first_round is None:
        first_round = True
    elif not isinstance(first_round, bool):
        message = f"Whether it is the first round is {shown(first_round)}, not true or false."
        raise FaultError("bad_field", message, "first_round")
    if options.first_player == "lowest_card" or first_round:
        if leader is not None:
            raise FaultError("bad_field", "The lowest card leads this round; it names no leader.", "leader")
        return None
    if leader is None:
        raise FaultError("missing_field", "The last round's winner leads this round; name the leader.", "leader")
    return _player(leader, seats, "leader")


def _player(value: Json, seats: tuple[str, ...], path: str) -> str:
    if not isinstance(value, str) or value not in seats:
        raise FaultError("bad_field", f"There is no player {shown(value)}.", path)
    return value


def _hands(
    value: Json, seats: tuple[str, ...], most: int, path: str, *, judged: bool = True
) -> tuple[tuple[str, ...], ...]:
    """The cards of each player in the order of the seats, no card twice.

    Unless `judged`, their number and duplicates aren't checked: a round may be void for just these (house.2).
    """
    hands = read_object(value, seats, "The deal" if path == "deal" else "What is left", path)
    lying: dict[str, str] | None = {} if judged else None
    cards_of: list[tuple[str, ...]] = []
    for player in seats:
        if hands.get(player) is None:
            if not judged:
                cards_of.append(())
                continue
            raise FaultError("missing_field", f"The cards of {player} are missing.", f"{path}.{player}")
        cards_of.append(_cards(hands[player], player, f"{path}.{player}", f"with {player}", lying))
    for player, cards in zip(seats, cards_of, strict=True) if judged else ():
        count = f"{len(cards)} card{'s'[: len(cards) != 1]}"
        if path == "deal" and len(cards) != most:
            raise FaultError("wrong_card_count", f"{player} was dealt {count}, not {most}.", f"{path}.{player}")
        if len(cards) > most:
            raise FaultError("wrong_card_count", f"{player} has {count} left, more than {most}.", f"{path}.{player}")
    return tuple(cards_of)


def _left(value: Json, seats: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    hands = _hands(value, seats, HAND, "left")
    out = [player for player, cards in zip(seats, hands, strict=True) if not cards]
    if len(out) != 1:
        message = f"{' and '.join(out)} hold" if out else "Nobody holds"
        raise FaultError("bad_field", f"{message} no cards; a round ends with exactly one player who has none.", "left")
    return hands


def _sides(value: Json) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"What is compared is {shown(value)}, not a list.", "compare")
    if len(value) != 2:
        raise FaultError("bad_field", f"{len(value)} combinations are compared, not two.", "compare")
    lying: dict[str, str] = {}
    first = _cards(value[0], "the first", "compare[0]", "in the first combination", lying)
    return first, _cards(value[1], "the second", "compare[1]", "in the second combination", lying)


def _plays(value: Json, seats: tuple[str, ...]) -> tuple[Play, ...]:
    if value is None:
        raise FaultError("missing_field", "The plays are missing.", "plays")
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The plays are {shown(value)}, not a list.", "plays")
    plays = []
    for index, item in enumerate(value):
        path = f"plays[{index}]"
        play = read_object(item, Play._fields, "A play", path)
        player, cards = play.get("player"), play.get("cards")
        if player is None:
            raise FaultError("missing_field", "A play names its player.", f"{path}.player")
        player = _player(player, seats, f"{path}.player")
        if cards is None:
            raise FaultError("missing_field", "A play has its cards; a pass has none: [].", f"{path}.cards")
        plays.append(Play(player, _cards(cards, player, f"{path}.cards", "", None)))
    return tuple(plays)


def _cards(value: Json, whose: str, path: str, where: str, lying: dict[str, str] | None) -> tuple[str, ...]:
    """Cards that lie nowhere yet. With `lying` None, a card may come twice: the rules judge that."""
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The cards of {whose} are {shown(value)}, not a list.", path)
    for index, card in enumerate(value):
        if card.__class__ is not str or card not in VALUE:
            message = f"{shown(card)} is no card; a card is a rank and a suit, as Td."
            raise FaultError("bad_card", message, f"{path}[{index}]")
        if lying is None:
            continue
        if card in lying:
            message = f"The {card_name(card)} already lies {lying[card]}."
            raise FaultError("card_duplicate", message, f"{path}[{index}]")
        lying[card] = where
    return tuple(value)
