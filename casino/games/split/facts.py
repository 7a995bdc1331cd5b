"""A round of Split Poker as contracts/adjudicate.md writes it, checked: what `settle` may rely on."""

from collections.abc import Mapping
from typing import NamedTuple

from casino.cards import VALUE, card_name
from casino.games.game import Fault, Json
from casino.games.poker import HIGH_CARD, best_setting, strength
from casino.games.reading import (
    FaultError,
    check_chips,
    check_names,
    read_chip,
    read_choice,
    read_clause,
    read_count,
    read_object,
    read_units,
    shown,
)
from casino.games.split.sheet import (
    CLAUSES,
    STARTING_TABLE,
    read_coefficients,
    read_small_hand_loss_pays,
    read_unseen_cards,
)
from casino.money import Ratio

ACTIONS = ("fold", "bet", "buy_bet", "buy_fold")
BETTING = ("bet", "buy_bet")
RULINGS = ("forfeit", "void")
_LINE_FIELDS = frozenset(
    (
        "id",
        "game",
        "chip",
        "max_payment",
        "small_hand_loss_pays",
        "unseen_cards",
        "coefficients",
        "dealer",
        "boxes",
        "void",
    )
)
_DEALER_FIELDS = frozenset(("cards", "replacement", "small"))
_BOX_FIELDS = frozenset(("box", "ante", "action", "cards", "extra", "small", "buys_game", "ruling"))
_STARTING_COEFFICIENTS = read_coefficients(STARTING_TABLE)


class DealerCards(NamedTuple):
    """The dealer's five as dealt, the open card last, and what came later; only a void round leaves `cards` out."""

    cards: tuple[str, ...] | None
    replacement: str | None
    small: tuple[str, ...] | None

    @property
    def replaced(self) -> str | None:
        """The dealer's highest card if it was replaced, ace high (split.13): one card, since a pair would be a game."""
        if self.cards is None or self.replacement is None:
            return None
        return max(self.cards, key=VALUE.__getitem__)

    @property
    def counting(self) -> tuple[str, ...] | None:
        """The five that count: the replacement lies where the replaced card lay."""
        if self.cards is None or self.replacement is None:
            return self.cards
        replaced, replacement = self.replaced, self.replacement
        return tuple([replacement if card == replaced else card for card in self.cards])


class Ruling(NamedTuple):
    """The pit boss decides the box, whatever its cards: `forfeit` or `void`, by a clause."""

    what: str
    clause: str


class Box(NamedTuple):
    """A box as it stood at the end. `small` is the player's own setting; None leaves it to the house (split.9)."""

    number: int
    ante_units: int
    action: str
    cards: tuple[str, ...] | None
    extra: tuple[str, ...] | None
    small: tuple[str, ...] | None
    buys_game: bool
    ruling: Ruling | None


class Hands(NamedTuple):
    """A box's Big Hand of five cards and Small Hand of two; None if nobody looked at it (split.17, split.18)."""

    big: tuple[str, ...]
    small: tuple[str, ...] | None


class Facts(NamedTuple):
    """All that a settlement depends on. `void` is the clause of a round ruled void; then every box is."""

    chip_units: int
    max_payment_units: int | None
    small_hand_loss_pays: str
    unseen_cards: str
    coefficients: tuple[Ratio, ...]
    dealer: DealerCards
    boxes: tuple[Box, ...]
    void: str | None

    def ruling(self, box: Box) -> Ruling | None:
        """What the pit boss decided for a box, by itself or with the whole round."""
        return box.ruling if self.void is None else Ruling("void", self.void)

    def hands(self, box: Box) -> Hands | None:
        """What a box holds in the end (split.8, split.9).

        None after a fold or a ruling, and if its cards, or those that the house needs to set it, were left out.
        """
        if box.cards is None or box.action not in BETTING or self.ruling(box) is not None:
            return None
        if box.extra is None:
            return Hands(box.cards, None) if self.unseen_cards == "small_hand" else None
        if box.small is not None:
            small = box.small
            return Hands(tuple([card for card in box.cards + box.extra if card not in small]), small)
        if box.action == "buy_bet" or self.unseen_cards == "house_way":
            return Hands(*best_setting(box.cards + box.extra))
        return Hands(box.cards, box.extra)


def has_game(five: tuple[str, ...]) -> bool:
    """Whether five cards are a game: a pair of twos or better (split.10).

    >>> has_game(("As", "Kd", "9c", "7h", "2s"))
    False
    """
    return strength(five).category > HIGH_CARD


def read(line: Mapping[str, Json]) -> Facts | Fault:
    """A line of contracts/adjudicate.md, checked; `id` and `game` are the caller's.

    >>> read({"dealer": {"cards": ["As", "Kd", "9c", "7h", "1s"]}, "boxes": []})
    Fault(code='bad_card', message='"1s" is no card; a card is a rank and a suit, as Td.', path='dealer.cards[4]')
    """
    try:
        facts = _line(line)
        _check_course(facts)
    except FaultError as error:
        return error.fault
    return facts


def _line(line: Mapping[str, Json]) -> Facts:
    check_names(line, _LINE_FIELDS, "The line", "")
    get = line.get
    cap, loss, unseen = get("max_payment"), get("small_hand_loss_pays"), get("unseen_cards")
    coefficients, void = get("coefficients"), get("void")
    clause = None if void is None else read_clause(read_object(void, ("clause",), "The void", "void"), CLAUSES, "void")
    chip = read_chip(line)
    lying: dict[str, str] = {}
    return Facts(
        chip,
        None if cap is None else read_units(cap, "The maximum payment", "max_payment"),
        "even" if loss is None else read_small_hand_loss_pays(loss),
        "small_hand" if unseen is None else read_unseen_cards(unseen),
        _STARTING_COEFFICIENTS if coefficients is None else read_coefficients(coefficients),
        _dealer(get("dealer"), lying, needed=clause is None),
        _boxes(get("boxes"), chip, lying),
        clause,
    )


def _dealer(value: Json, lying: dict[str, str], *, needed: bool) -> DealerCards:
    if value is None:
        if needed:
            raise FaultError("missing_field", "The dealer is missing.", "dealer")
        return DealerCards(None, None, None)
    dealer = read_object(value, _DEALER_FIELDS, "The dealer", "dealer")
    cards, replacement, small = dealer.get("cards"), dealer.get("replacement"), dealer.get("small")
    if cards is None and (needed or replacement is not None or small is not None):
        raise FaultError("missing_field", "The dealer's five cards are missing.", "dealer.cards")
    if cards is not None:
        cards = _cards(cards, 5, "The dealer", "dealer.cards", lying, "among the dealer's first five cards")
    if replacement is not None:
        _lay(replacement, "dealer.replacement", lying, "with the dealer as his replacement")
    if small is not None:
        small = _cards(small, 2, "The dealer's Small Hand", "dealer.small", lying, "in the dealer's Small Hand")
    return DealerCards(cards, replacement, small)


def _boxes(value: Json, chip: int, lying: dict[str, str]) -> tuple[Box, ...]:
    if value is None:
        raise FaultError("missing_field", "The boxes are missing.", "boxes")
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The boxes are {shown(value)}, not a list.", "boxes")
    if not 1 <= len(value) <= 6:
        raise FaultError("bad_field", f"There are {len(value)} boxes; a round has 1 to 6.", "boxes")
    boxes: list[Box] = []
    numbers: set[int] = set()
    for index, item in enumerate(value):
        path = f"boxes[{index}]"
        box = _box(item, chip, lying, path)
        if box.number in numbers:
            raise FaultError("bad_field", f"Box {box.number} is named twice.", f"{path}.box")
        numbers.add(box.number)
        boxes.append(box)
    return tuple(boxes)


def _box(value: Json, chip: int, lying: dict[str, str], path: str) -> Box:
    box = read_object(value, _BOX_FIELDS, "A box", path)
    get = box.get
    number = get("box")
    if number is None:
        raise FaultError("missing_field", "A box has no number.", f"{path}.box")
    read_count(number, 1, 6, "The number of a box", f"{path}.box")
    ante, action = get("ante"), get("action")
    if ante is None:
        raise FaultError("missing_field", f"Box {number} has no ANTE.", f"{path}.ante")
    read_units(ante, f"The ANTE of box {number}", f"{path}.ante")
    check_chips(ante, chip, f"The ANTE of box {number}", f"{path}.ante")
    if action is None:
        raise FaultError("missing_field", f"Box {number} has no action.", f"{path}.action")
    if action not in ACTIONS:
        read_choice(action, ACTIONS, f"The action of box {number}", f"{path}.action")
    buys_game, ruling = get("buys_game"), get("ruling")
    if buys_game is None:
        buys_game = False
    elif buys_game.__class__ is not bool:
        raise FaultError(
            "bad_field",
            f"Whether box {number} buys the game is {shown(buys_game)}, not true or false.",
            f"{path}.buys_game",
        )
    if ruling is not None:
        ruling = _ruling(ruling, number, f"{path}.ruling")
    return Box(number, ante, action, *_hand(box, action, number, lying, path), buys_game, ruling)


_Cards = tuple[str, ...] | None


def _hand(
    box: Mapping[str, Json], action: str, number: int, lying: dict[str, str], path: str
) -> tuple[_Cards, _Cards, _Cards]:
    """The first five cards, the further two, and the player's own Small Hand among the seven."""
    cards, extra, small = box.get("cards"), box.get("extra"), box.get("small")
    if small is not None and action != "buy_bet":
        message = f"Box {number} did not buy cards and bet; it can't set a Small Hand."
        raise FaultError("bad_field", message, f"{path}.small")
    if extra is not None and action == "fold":
        message = f"Box {number} folded without buying; it has no further cards."
        raise FaultError("bad_field", message, f"{path}.extra")
    if cards is None:
        if extra is not None or small is not None:
            raise FaultError("missing_field", f"Box {number} has no first five cards.", f"{path}.cards")
        return None, None, None
    where = f"in box {number}"
    first = _cards(cards, 5, f"Box {number}", f"{path}.cards", lying, where)
    if extra is None:
        if action == "buy_bet":
            message = f"Box {number} bet; its two further cards are missing."
            raise FaultError("missing_field", message, f"{path}.extra")
        return first, None, None
    further = _cards(extra, 2, f"The further cards of box {number}", f"{path}.extra", lying, where)
    return first, further, None if small is None else _setting(small, first + further, number, f"{path}.small")


def _setting(value: Json, seven: tuple[str, ...], number: int, path: str) -> tuple[str, ...]:
    """The two that a player set as the Small Hand: any two of the seven (split.9)."""
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The Small Hand of box {number} is {shown(value)}, not a list.", path)
    for index, card in enumerate(value):
        _check_card(card, f"{path}[{index}]")
        if card not in seven:
            message = f"The {card_name(card)} is none of the seven cards of box {number}."
            raise FaultError("bad_field", message, f"{path}[{index}]")
    if len(value) != 2 or value[0] == value[1]:
        message = f"The Small Hand of box {number} is not two different cards of its seven."
        raise FaultError("bad_field", message, path)
    return tuple(value)


def _ruling(value: Json, number: int, path: str) -> Ruling:
    ruling = read_object(value, ("what", "clause"), f"The ruling of box {number}", path)
    what = ruling.get("what")
    if what is None:
        raise FaultError("missing_field", f"The ruling of box {number} does not say what it is.", f"{path}.what")
    return Ruling(
        read_choice(what, RULINGS, f"The ruling of box {number}", f"{path}.what"),
        read_clause(ruling, CLAUSES, path),
    )


def _cards(value: Json, count: int, what: str, path: str, lying: dict[str, str], where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"{what}: {shown(value)} is no list of cards.", path)
    for index, card in enumerate(value):
        if card.__class__ is not str or card not in VALUE or card in lying:
            _lay(card, f"{path}[{index}]", lying, where)
        lying[card] = where
    if len(value) != count:
        raise FaultError("wrong_card_count", f"{what}: {len(value)} card{'s'[: len(value) != 1]}, not {count}.", path)
    return tuple(value)


def _lay(card: Json, path: str, lying: dict[str, str], where: str) -> None:
    _check_card(card, path)
    if card in lying:
        raise FaultError("card_duplicate", f"The {card_name(card)} already lies {lying[card]}.", path)
    lying[card] = where


def _check_card(card: Json, path: str) -> None:
    if not isinstance(card, str) or card not in VALUE:
        raise FaultError("bad_card", f"{shown(card)} is no card; a card is a rank and a suit, as Td.", path)


def _check_course(facts: Facts) -> None:
    """Check what the course of the round demands or rules out: bought games, the replacement, the cards compared."""
    dealer, void = facts.dealer, facts.void is not None
    first_game = dealer.cards is not None and has_game(dealer.cards)
    bought = False
    for index, box in enumerate(facts.boxes):
        if not box.buys_game:
            continue
        bought = True
        if box.action not in BETTING:
            raise FaultError(
                "bad_field", f"Box {box.number} folded; it can't buy the game.", f"boxes[{index}].buys_game"
            )
        if first_game:
            raise FaultError(
                "bad_field",
                f"Box {box.number} can't buy the game: the dealer's first five cards are one.",
                f"boxes[{index}].buys_game",
            )
    if bought and dealer.replacement is None and not void:
        raise FaultError(
            "missing_field", "The game was bought; the dealer's replacement is missing.", "dealer.replacement"
        )
    if dealer.replacement is not None and not bought:
        raise FaultError("bad_field", "No box bought the game; the dealer has no replacement.", "dealer.replacement")
    counting = dealer.counting
    if counting is None:
        return
    game = first_game if dealer.replacement is None else has_game(counting)
    if not game:
        if dealer.small is not None:
            raise FaultError("bad_field", "The dealer has no game, so he takes no Small Hand.", "dealer.small")
        return
    if void:
        return
    for index, box in enumerate(facts.boxes):
        if box.action in BETTING and box.ruling is None and (first_game or box.buys_game):
            if box.cards is None:
                raise FaultError(
                    "missing_field", f"Box {box.number} is compared; its cards are missing.", f"boxes[{index}].cards"
                )
            if dealer.small is None:
                raise FaultError(
                    "missing_field",
                    f"Box {box.number} is compared; the dealer's Small Hand is missing.",
                    "dealer.small",
                )
            if box.extra is None and (facts.unseen_cards != "small_hand" or strength(box.cards) > strength(counting)):
                message = f"Box {box.number} bet; its two further cards are missing."
                raise FaultError("missing_field", message, f"boxes[{index}].extra")
