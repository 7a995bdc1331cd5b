"""What lies on the table of a round, place by place, as primitives for the templates: cards, stakes, and notes."""

import json

from casino.games import lines
from casino.games.game import Wager
from casino.wording import read

from ..models import Round
from ..verbs import fold
from .cards import face
from .wording import WORDING


def name(box):
    return WORDING("place.table") if box is None else WORDING("place.box", box=box)


def label(slot):
    """A slot's label where the heading names the box already."""
    text = read(slot.label)
    if slot.box is not None:
        text = text.partition(": ")[2] or text
    return text[0].upper() + text[1:]


def of_line(words, line):
    """A complete line as it lies: each place with its cards, its stakes and whatever else was entered."""
    places = {}
    for slot in lines.slots(words.game, json.loads(line.text)):
        place = places.setdefault(slot.box, _empty(slot.box))
        if slot.value is None:
            continue
        if slot.field.kind in {"cards", "card"}:
            codes = slot.value if slot.field.kind == "cards" else [slot.value]
            place["hands"].append({"word": label(slot), "cards": [face(words.deck, code) for code in codes]})
        elif slot.field.kind != "units":
            place["notes"].append({"word": label(slot), "value": words.value(slot.field, slot.value)})
    return _with_stakes(words, places, [Wager(**wager) for wager in json.loads(line.wagers)])


def of_round(round_, words, upto=None):
    """What lies on the table of a round without a complete line, or what lay there after the action `upto`."""
    game, state, *_ = fold.of(round_, upto)
    view = game.view(state)
    places = {None: _empty(None)}
    for box in view.boxes:
        places[box.number] = _empty(box.number)
        if upto is not None or round_.status == Round.Status.OPEN:
            places[box.number]["notes"].append({"word": box.label, "value": box.note})
    for hand in view.hands:
        cards = [card and face(words.deck, card) for card in hand.cards]
        places[hand.box]["hands"].append({"word": words.word(hand.kind), "cards": cards})
    return _with_stakes(words, places, view.wagers)


def _empty(box):
    return {"name": name(box), "hands": [], "stakes": [], "notes": []}


def _with_stakes(words, places, wagers):
    if None in places and places[None]["hands"]:
        places[None]["name"] = WORDING("place.dealer")
    for wager in wagers:
        stake = {"word": words.word(wager.kind), "amount": words.amount(wager.units)}
        # A box that dropped has stakes and no cards.
        places.setdefault(wager.box, _empty(wager.box))["stakes"].append(stake)
    return [place for place in places.values() if place["hands"] or place["stakes"] or place["notes"]]
