"""Whether an action takes up an offer: the form of every action of every game, checked in one place."""

from collections.abc import Mapping, Sequence

from casino.games.decks import Deck
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal
from casino.money import Units


def offered(
    offers: Sequence[Offer], kinds: Mapping[str, ActionKind], deck: Deck, action: Action, phase: str
) -> Offer | Refusal:
    """The offer that an action takes up, its arguments checked against the offer's fields, or why there is none.

    Every game's `act` begins with it, so that what `legal` offers and what `act` accepts can't differ in form.
    """
    if action.kind not in kinds:
        return Refusal(
            "action_unknown",
            f"There is no action {action.kind!r} in this game.",
            "kind",
            way_out=f"One of: {', '.join(kinds)}.",
        )
    of_kind = [offer for offer in offers if offer.kind == action.kind]
    offer = next((offer for offer in of_kind if offer.box == action.box), None)
    if offer is None:
        what = kinds[action.kind].label
        now = "; ".join(dict.fromkeys(kinds[offer.kind].label for offer in offers)) or "close the round"
        if of_kind and action.box is None:
            return Refusal("box_missing", f"{what}: name the box.", "box", way_out=f"Open to boxes {_boxes(of_kind)}.")
        if of_kind and of_kind[0].box is not None:
            return Refusal(
                "box_wrong_moment",
                f"{what} is not open to box {action.box} now.",
                "box",
                way_out=f"Open to boxes {_boxes(of_kind)}. Possible now: {now}.",
            )
        if of_kind:
            return Refusal("box_unexpected", f"{what} is for the whole table.", "box", way_out="Leave the box out.")
        where = "" if action.box is None else f" for box {action.box}"
        return Refusal(
            "action_wrong_moment",
            f"{what} is not possible{where} now ({phase}).",
            "kind",
            way_out=f"Possible now: {now}.",
        )
    names = {field.name for field in offer.fields}
    for name in action.arguments:
        if name not in names:
            return Refusal(
                "field_unknown", f"{kinds[action.kind].label} has no argument {name!r}.", name, way_out="Leave it out."
            )
    for field in offer.fields:
        refusal = _check(field, action.arguments.get(field.name), deck)
        if refusal:
            return refusal
    return offer


def _boxes(offers: Sequence[Offer]) -> str:
    return ", ".join(str(offer.box) for offer in offers)


def _check(field: Field, value: Json, deck: Deck) -> Refusal | None:
    if value is None:
        if field.optional:
            return None
        return Refusal("field_missing", f"{field.label} is missing.", field.name, field.clause, "Give it.")
    if field.kind in {"units", "count"}:
        return _check_number(field, value)
    if field.kind == "choice":
        if value in field.options:
            return None
        return Refusal(
            "field_wrong",
            f"{field.label} can't be {value!r}.",
            field.name,
            field.clause,
            f"One of: {', '.join(field.options)}.",
        )
    if field.kind == "flag":
        if isinstance(value, bool):
            return None
        return Refusal(
            "field_wrong", f"{field.label} is not true or false.", field.name, field.clause, "Send true or false."
        )
    cards = [value] if field.kind == "card" else value
    example = next(iter(deck.copies))
    if not isinstance(cards, list | tuple):
        return Refusal(
            "field_wrong", f"{field.label} is not a list of cards.", field.name, way_out=f'Send ["{example}"].'
        )
    least, most = (1, 1) if field.kind == "card" else (field.minimum, field.maximum)
    for index, card in enumerate(cards):
        path = field.name if field.kind == "card" else f"{field.name}[{index}]"
        if not isinstance(card, str) or card not in deck.copies:
            return Refusal(
                "bad_card", f"{card!r} is no card of this deck.", path, way_out=f"Write it as the deck does: {example}."
            )
        if cards.index(card) != index and deck.copies[card] == 1:
            name = deck.faces[card].name
            return Refusal("card_duplicate", f"The {name} is entered twice.", path, "house.2", "Enter another card.")
    if not least <= len(cards) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        return Refusal(
            "wrong_card_count",
            f"{field.label}: {len(cards)} cards, not {wanted}.",
            field.name,
            field.clause,
            f"Enter {wanted}.",
        )
    return None


def _check_number(field: Field, value: Json) -> Refusal | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return Refusal("field_wrong", f"{field.label} is not a whole number.", field.name, way_out="Send an integer.")
    within = field.minimum <= value <= field.maximum
    if within and value % field.step == 0:
        return None
    kind = Units if field.kind == "units" else int
    what = "an amount" if field.kind == "units" else "a number"
    multiple = " in multiples of {step}" if field.step > 1 else ""
    return Refusal(
        "field_out_of_range",
        "{label} is {value}; it runs from {minimum} to {maximum}" + multiple + ".",
        field.name,
        field.clause,
        "Choose a multiple of {step}." if within else f"Choose {what} in that range.",
        {
            "label": field.label,
            "value": kind(value),
            "minimum": kind(field.minimum),
            "maximum": kind(field.maximum),
            "step": kind(field.step),
        },
    )
