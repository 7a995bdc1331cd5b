"""Correcting a round by a form: every slot of its newest line as a field, and what changed fields come to.

The server reads the fields, so that the page's script knows no rule: it sends the form to see, and what it saw to sign.
"""

import json
import re

from casino.errors import Refused
from casino.games.game import Fault, Field, Slot, Wager
from payouts import adjudication

from ..models import Round
from ..terminal import felt
from ..verbs import corrections, grounds, results, rulesheets
from ..words import generations, timeline

_AMOUNT = re.compile(r"([0-9]{1,15})(?:[.,]([0-9]{1,4}))?")
FLAGS = {"": None, "yes": True, "no": False}
# Before the name of a setting in a what-if, so that it is no path of a line.
SETTING = "setting."
CORRECTABLE = {Round.Status.CLOSED, Round.Status.SETTLED}


def place_name(box):
    return "Table" if box is None else f"Box {box}"


def label(slot):
    """A slot's label where the heading names the box already."""
    text = slot.label
    if slot.box is not None:
        text = slot.label.partition(": ")[2] or slot.label
    return text[0].upper() + text[1:]


def form(round_, words, line):
    """The form of a correction: every slot of the newest line, place by place, cards in a row of their own."""
    game = words.game
    places = {}
    for slot in game.slots(json.loads(line.text)):
        place = places.setdefault(slot.box, {"name": place_name(slot.box), "rows": ([], [])})
        place["rows"][slot.field.kind in {"card", "cards"}].append(_field(words, slot))
    deck = words.deck
    return {
        "line": line.ordinal,
        "places": list(places.values()),
        "clauses": _grounds(game),
        "deck": [[felt.face(deck, card) for card in row] for row in deck.order or [list(deck.copies)]],
        "copies": json.dumps(dict(deck.copies)),
        "reason_length": grounds.MAX_REASON,
    }


def _grounds(game):
    """The irregularities, first those after which the rules themselves ask for a correction."""
    asked = sorted(game.irregularities, key=lambda known: "correction" not in known.remedy)
    return [{"clause": known.clause, "event": known.event} for known in asked]


def _field(words, slot):
    field, value = slot.field, slot.value
    options = [{"value": option, "label": words.word(option)} for option in field.options]
    if field.kind == "flag":
        options = [{"value": text, "label": text} for text in FLAGS if text]
    return {
        "path": slot.path,
        "label": label(slot),
        "kind": field.kind,
        "text": _written(words, field, value),
        "options": options,
        "optional": field.optional,
        "places": 1 if field.kind == "card" else field.maximum if field.kind == "cards" else 0,
    }


def _written(words, field, value):
    """A value as the form's field has it; `read` is the way back."""
    if value is None:
        return ""
    match field.kind:
        case "cards":
            return " ".join(value)
        case "units":
            return words.amount(value).replace("\u2009", "")
        case "flag":
            return "yes" if value else "no"
    return str(value)


def preview(round_, told, *, settings=False):
    """The changes and what they come to, from the pure core alone: nothing is written.

    :param told: the form's texts by the paths of slots, and the `line` that it was made for.
    :param settings: whether the rule sheet's values may be changed too, to look what they would have made.
    :raises Refused: as `corrections.correct` would, but for the signature.
    """
    if round_.status not in CORRECTABLE:
        raise grounds.wrong_moment(round_, "Only a closed round is corrected.")
    words = timeline.words(round_)
    newest = round_.lines.last()
    if told.get("line") != str(newest.ordinal):
        raise Refused(
            "stale_version",
            f"Round {round_} was corrected meanwhile.",
            path="line",
            way_out="Load the page again and look at the round as it is now.",
        )
    before = json.loads(newest.text)
    sheet = rulesheets.checked(round_.sheet)
    changed = _changed(words, round_, before, told)
    other = _other_settings(words, sheet, told) if settings else {}
    after = before if other and not changed else corrections.amended(before, changed)
    changes = [change._asdict() for change in timeline.changes(words, before, after)]
    if other:
        changes += [change._asdict() for change in _changes_of_settings(words, sheet, other)]
        sheet, after = _with_settings(words.game, sheet, after, other)
    boxes, house = _would_be(round_, words, newest, after, sheet)
    return {
        "changes": changes,
        "warnings": _beyond_limits(round_, words, after, changed),
        "boxes": boxes,
        "house": house,
        "settled": round_.status == Round.Status.SETTLED,
        "other_settings": bool(other),
        "command": json.dumps(
            {
                "line": newest.ordinal,
                "changes": [{"path": path, "value": value} for path, value in changed.items()],
            }
        ),
    }


def settings_fields(words, sheet):
    """The rule sheet's plain values as fields of a what-if; a sheet itself is changed by publishing the next."""
    values = words.game.values(sheet)
    return [_field(words, slot) for slot in _settings(words.game, values)]


def _settings(game, values):
    return [
        Slot(
            f"{SETTING}{parameter.name}",
            Field(parameter.name, parameter.kind, parameter.label, options=parameter.options, optional=True),
            parameter.label,
            values[parameter.name],
        )
        for parameter in game.parameters
        if parameter.kind in {"units", "count", "choice"} and parameter.section == "parameters"
    ]


def _other_settings(words, sheet, told):
    """Name to value of the settings that the form has otherwise than the sheet."""
    found = {}
    for slot in _settings(words.game, words.game.values(sheet)):
        if slot.path in told:
            value = read(words, slot, told[slot.path], {})
            if value != slot.value:
                found[slot.path] = value
    return found


def _changes_of_settings(words, sheet, other):
    for slot in _settings(words.game, words.game.values(sheet)):
        if slot.path in other:
            yield timeline.Change(
                slot.label, words.value(slot.field, slot.value), words.value(slot.field, other[slot.path])
            )


def _with_settings(game, sheet, line, other):
    """The sheet and the line with other settings, checked as wholes.

    :raises Refused: with the place of what does not fit.
    """
    named = {path.removeprefix(SETTING): value for path, value in other.items()}
    values = game.values(sheet) | named
    changed = game.sheet(values)
    line = line | {name: value for name, value in named.items() if name in line or value is not None}
    for checked in (changed, game.read(line)):
        if isinstance(checked, Fault):
            raise Refused(
                checked.code,
                checked.message,
                status=422,
                path=f"{SETTING}{checked.path}" if checked.path in named else checked.path,
                way_out="Choose another setting.",
            )
    return changed, line


def _beyond_limits(round_, words, after, changed):
    """What the table would not have taken: a correction may say what truly lay there, but not unawares.

    The limits are those of what the round began by offering under the same label for the same box.
    """
    game = words.game
    state = game.start(rulesheets.checked(round_.sheet), tuple(round_.seats), round_.carry)
    limits = {
        (offer.box, field.label): field
        for offer in game.legal(state)
        for field in offer.fields
        if field.kind == "units"
    }
    told = []
    for slot in game.slots(after):
        limit = limits.get((slot.box, slot.field.label))
        if slot.path in changed and limit and not limit.minimum <= slot.value <= limit.maximum:
            span = f"{words.amount(limit.minimum)} to {words.amount(limit.maximum)}"
            told.append(f"{slot.label} {words.amount(slot.value)} is outside this table’s limits of {span}.")
    return told


def _changed(words, round_, line, told):
    """Path to value of what the form has otherwise than the line."""
    cards = {code.lower(): code for code in words.deck.copies}
    found = {}
    for slot in words.game.slots(line):
        if slot.path in told:
            value = read(words, slot, told[slot.path], cards)
            if value != slot.value:
                found[slot.path] = value
    return found


def read(words, slot, text, cards):
    """What a field's text means.

    :raises Refused: `field_wrong` with the slot's path.
    """
    text = text.strip()
    if not text:
        return None
    match slot.field.kind:
        case "cards":
            return [_card(code, cards) for code in text.replace(",", " ").split()]
        case "card":
            return _card(text, cards)
        case "units":
            return _units(text, words.decimals, slot.path)
        case "count":
            if not (text.isascii() and text.isdigit() and len(text) < 16):
                raise _wrong(slot.path, f"{text[:40]!r} is no whole number.")
            return int(text)
        case "flag":
            if text not in FLAGS:
                raise _wrong(slot.path, f"{text[:40]!r} is neither yes nor no.")
            return FLAGS[text]
    return text


def _card(text, cards):
    """A card's code however it was typed: `10H` is `Th`. What is none stays, for the rules to refuse by its place."""
    small = text.lower()
    return cards.get(small) or cards.get(small.replace("10", "t")) or text


def _units(text, decimals, path):
    found = _AMOUNT.fullmatch(re.sub(r"[\s\u2009\u202f]", "", text))
    part = ((found and found[2]) or "").rstrip("0")
    if not found or len(part) > decimals:
        raise _wrong(path, f"{text[:40]!r} is no amount.")
    return int(found[1] + part.ljust(decimals, "0"))


def _wrong(path, message):
    return Refused("field_wrong", message, status=422, path=path, way_out="Enter it again.")


def _would_be(round_, words, newest, after, sheet):
    """What each box and the house would get by a line, beside what they have by the newest one."""
    game = words.game
    stood = [Wager(**wager) for wager in json.loads(newest.wagers)]
    facts = game.read(after)
    staked = game.stakes(facts, stood, sheet, newest.carry)
    stakes = results.stakes_place(game, points=any(wager.kind == "points" for wager in staked))
    entries, result = _come_to(game, facts, staked, sheet, newest.carry)
    reasons = results.explain(after, result, words.decimals)
    settlement = round_.settlement
    if settlement:
        given = {payment.box: (payment.outcome, payment.net_units) for payment in settlement.payments.all()}
    else:
        facts, own = game.read(json.loads(newest.text)), rulesheets.checked(round_.sheet)
        found, _ = _come_to(game, facts, stood, own, newest.carry)
        given = {entry.box: (entry.outcome, entry.net) for entry in found}
    had = results.ticked(results.ticks(round_.ref), settlement.generation + 1) if settlement else {}
    shown = []
    for entry in entries:
        last = given.get(entry.box)
        has = had.get(entry.box)
        paid = results.Paid(
            entry.box,
            entry.outcome,
            entry.staked,
            entry.returned,
            entry.paid,
            entry.net,
            entry.clauses,
            False,
            results.difference(entry.net, has, stakes),
            stakes,
        )
        shown.append(
            {
                "box": entry.box,
                "before": f"{words.word(last[0])}, {words.amount(last[1], signed=True)}" if last else "",
                "word": words.word(entry.outcome),
                "net": words.amount(entry.net, signed=True),
                "due": generations.handed(words, paid) if last and settlement else "",
                "whole": bool(last) and bool(settlement) and has is None,
                "same": last == (entry.outcome, entry.net),
                "reasons": [generations.reason(given) for given in reasons if str(given[0]) == str(entry.box)],
            }
        )
    gave, gets = (-sum(nets) for nets in ((net for _, net in given.values()), (entry.net for entry in entries)))
    house = {
        "before": words.amount(gave, signed=True),
        "net": words.amount(gets, signed=True),
        "difference": words.amount(gets - gave, signed=True),
        "same": gave == gets,
    }
    return shown, house


def _come_to(game, facts, wagers, sheet, carry):
    """The payments that a line comes to, and its result."""
    result = game.settle(facts)
    return adjudication.payments(game.pay(facts, result, wagers, sheet, carry), game.outcomes(facts, result)), result
