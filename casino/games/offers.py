"""Whether an action takes up an offer: the form of every action of every game, checked in one place."""

from collections.abc import Mapping, Sequence
from functools import reduce

from casino.games.decks import Deck
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal
from casino.money import Units
from casino.phrases import phrases

_ACTION = phrases(
    "refusal.action",
    {
        "unknown": "There is no action {kind} in this game.",
        "known": "Use one of these: {kinds}.",
        "wrong_moment": "{what} isn’t possible now ({phase}).",
        "wrong_moment_for_box": "{what} isn’t possible for box {box} now ({phase}).",
        "now": "Possible now: {now}.",
        "next": "{names}; {name}",
        "close": "close the round",
        "no_argument": "{what} has no argument {name}.",
        "leave_out": "Leave it out.",
    },
)
_BOX = phrases(
    "refusal.box",
    {
        "missing": "{what}: name the box.",
        "wrong_moment": "{what} isn’t possible for box {box} now.",
        "unexpected": "{what} is for the whole table.",
        "leave_out": "Leave the box out.",
        "one": "Choose box {boxes}.",
        "several": "Choose one of these boxes: {boxes}.",
        "one_now": "Box {boxes} can do it. Possible now: {now}.",
        "several_now": "Boxes {boxes} can do it. Possible now: {now}.",
    },
)
_FIELD = phrases(
    "refusal.field",
    {
        "missing": "{label} is missing.",
        "give": "Enter it.",
        "no_option": "{label} can’t be {value}.",
        "options": "Choose one of these: {options}.",
        "no_flag": "{label} is neither true nor false.",
        "flag": "Send true or false.",
        "no_list": "{label} isn’t a list of cards.",
        "list": "Send {example}.",
        "no_number": "{label} isn’t a whole number.",
        "number": "Send a whole number.",
        "range": "{label} is {value}; it runs from {minimum} to {maximum}.",
        "range_in_steps": "{label} is {value}; it runs from {minimum} to {maximum} in multiples of {step}.",
        "choose_multiple": "Choose a multiple of {step}.",
        "choose_amount": "Choose an amount in that range.",
        "choose_number": "Choose a number in that range.",
    },
)
_CARDS = phrases(
    "refusal.cards",
    {
        "unknown": "{card} isn’t a card of this deck.",
        "form": "Write it as the deck does: {example}.",
        "twice": "The {card} is entered twice.",
        "other": "Enter another card.",
        "one": "{label}: one card is entered, not {wanted}.",
        "several": "{label}: {count} cards are entered, not {wanted}.",
        "enter": "Enter {wanted}.",
        "range": "{least} to {most}",
    },
)


def offered(
    offers: Sequence[Offer], kinds: Mapping[str, ActionKind], deck: Deck, action: Action, phase: str
) -> Offer | Refusal:
    """The offer that an action takes up, its arguments checked against the offer's fields, or why there is none.

    Every game's `act` begins with it, so that what `legal` offers and what `act` accepts can't differ in form.
    """
    if action.kind not in kinds:
        return Refusal(
            "action_unknown",
            _ACTION["unknown"].format(kind=repr(action.kind)),
            "kind",
            way_out=_ACTION["known"].format(kinds=", ".join(kinds)),
        )
    of_kind = [offer for offer in offers if offer.kind == action.kind]
    offer = next((offer for offer in of_kind if offer.box == action.box), None)
    if offer is None:
        return _not_offered(offers, of_kind, kinds, action, phase)
    names = {field.name for field in offer.fields}
    for name in action.arguments:
        if name not in names:
            return Refusal(
                "field_unknown",
                _ACTION["no_argument"].format(what=kinds[action.kind].label, name=repr(name)),
                name,
                way_out=_ACTION["leave_out"],
            )
    for field in offer.fields:
        refusal = _check(field, action.arguments.get(field.name), deck)
        if refusal:
            return refusal
    return offer


def _not_offered(
    offers: Sequence[Offer], of_kind: Sequence[Offer], kinds: Mapping[str, ActionKind], action: Action, phase: str
) -> Refusal:
    what = kinds[action.kind].label
    labels = dict.fromkeys(kinds[offer.kind].label for offer in offers) or [_ACTION["close"]]
    now = reduce(lambda names, name: _ACTION["next"].format(names=names, name=name), labels)
    boxes = ", ".join(str(offer.box) for offer in of_kind)
    number = "one" if len(of_kind) == 1 else "several"
    if of_kind and action.box is None:
        way_out = _BOX[number].format(boxes=boxes)
        return Refusal("box_missing", _BOX["missing"].format(what=what), "box", way_out=way_out)
    if of_kind and of_kind[0].box is not None:
        return Refusal(
            "box_wrong_moment",
            _BOX["wrong_moment"].format(what=what, box=action.box),
            "box",
            way_out=_BOX[f"{number}_now"].format(boxes=boxes, now=now),
        )
    if of_kind:
        message = _BOX["unexpected"].format(what=what)
        return Refusal("box_unexpected", message, "box", way_out=_BOX["leave_out"])
    code = "wrong_moment" if action.box is None else "wrong_moment_for_box"
    return Refusal(
        "action_wrong_moment",
        _ACTION[code].format(what=what, box=action.box, phase=phase),
        "kind",
        way_out=_ACTION["now"].format(now=now),
    )


def _check(field: Field, value: Json, deck: Deck) -> Refusal | None:
    if value is None:
        return None if field.optional else _wrong(field, "missing", "give", code="field_missing")
    if field.kind in {"units", "count"}:
        return _check_number(field, value)
    if field.kind == "choice":
        if value in field.options:
            return None
        return _wrong(field, "no_option", "options", value=repr(value), options=", ".join(field.options))
    if field.kind == "flag":
        return None if isinstance(value, bool) else _wrong(field, "no_flag", "flag")
    cards = [value] if field.kind == "card" else value
    example = next(iter(deck.copies))
    if not isinstance(cards, list | tuple):
        return _wrong(field, "no_list", "list", example=f'["{example}"]')
    least, most = (1, 1) if field.kind == "card" else (field.minimum, field.maximum)
    for index, card in enumerate(cards):
        path = field.name if field.kind == "card" else f"{field.name}[{index}]"
        if not isinstance(card, str) or card not in deck.copies:
            message, way_out = _CARDS["unknown"].format(card=repr(card)), _CARDS["form"].format(example=example)
            return Refusal("bad_card", message, path, way_out=way_out)
        if cards.index(card) != index and deck.copies[card] == 1:
            message = _CARDS["twice"].format(card=deck.faces[card].name)
            return Refusal("card_duplicate", message, path, "house.2", _CARDS["other"])
    if not least <= len(cards) <= most:
        wanted = str(least) if least == most else _CARDS["range"].format(least=least, most=most)
        counted = _CARDS["one" if len(cards) == 1 else "several"]
        return Refusal(
            "wrong_card_count",
            counted.format(label=field.label, count=len(cards), wanted=wanted),
            field.name,
            field.clause,
            _CARDS["enter"].format(wanted=wanted),
        )
    return None


def _wrong(field: Field, fact: str, way_out: str, *, code: str = "field_wrong", **values: str) -> Refusal:
    """The refusal of a field; a malformed value, such as text for a number, breaks no clause."""
    message = _FIELD[fact].format(label=field.label, **values)
    clause = None if fact in {"no_list", "no_number"} else field.clause
    return Refusal(code, message, field.name, clause, _FIELD[way_out].format(**values))


def _check_number(field: Field, value: Json) -> Refusal | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return _wrong(field, "no_number", "number")
    within = field.minimum <= value <= field.maximum
    if within and value % field.step == 0:
        return None
    kind = Units if field.kind == "units" else int
    way_out = "choose_multiple" if within else "choose_amount" if field.kind == "units" else "choose_number"
    return Refusal(
        "field_out_of_range",
        _FIELD["range_in_steps" if field.step > 1 else "range"],
        field.name,
        field.clause,
        _FIELD[way_out],
        {
            "label": field.label,
            "value": kind(value),
            "minimum": kind(field.minimum),
            "maximum": kind(field.maximum),
            "step": kind(field.step),
        },
    )
