"""The form that corrects a round: every slot of its newest line as a field, and what changed fields come to.

The server reads the fields, so that the page's script knows no rule: it sends the form for a preview, and the preview
to be signed.
"""

import json
import re

from casino.errors import Refused
from casino.games import lines
from casino.games.game import Fault, Field, Slot, Wager
from casino.games.reading import shown
from casino.models import Casino
from payouts import adjudication

from ..models import Round
from ..verbs import corrections, grounds, results, rulesheets, series
from ..words import generations, handing, places, timeline
from ..words.cards import face
from ..words.wording import WORDING

_AMOUNT = re.compile(r"([0-9]{1,15})(?:[.,]([0-9]{1,4}))?")
FLAGS = {"": None, "yes": True, "no": False}
# The prefix of a setting's name in a what-if, which tells it from a path of a line.
SETTING = "setting."
CORRECTABLE = {Round.Status.CLOSED, Round.Status.SETTLED}


def form(round_, words, line):
    """The form of a correction: every slot of the newest line, place by place, cards in a row of their own."""
    game = words.game
    forms = {}
    for slot in lines.slots(game, json.loads(line.text)):
        place = forms.setdefault(slot.box, {"name": places.name(slot.box), "rows": ([], [])})
        place["rows"][slot.field.kind in {"card", "cards"}].append(field(words, slot))
    deck = words.deck
    return {
        "line": line.ordinal,
        "places": list(forms.values()),
        "clauses": _grounds(game),
        "deck": [[face(deck, card) for card in row] for row in deck.order or [list(deck.copies)]],
        "copies": json.dumps(dict(deck.copies)),
        "reason_length": grounds.MAX_REASON,
    }


def _grounds(game):
    """The irregularities, first those after which the rules themselves ask for a correction."""
    asked = sorted(game.irregularities, key=lambda case: "correction" not in case.remedy)
    return [{"clause": case.clause, "event": case.event} for case in asked]


def field(words, slot):
    field, value = slot.field, slot.value
    options = [{"value": option, "label": words.word(option)} for option in field.options]
    if field.kind == "flag":
        options = [{"value": "yes", "label": WORDING("yes")}, {"value": "no", "label": WORDING("no")}]
    return {
        "path": slot.path,
        "label": places.label(slot),
        "kind": field.kind,
        "text": _written(words, field, value),
        "options": options,
        "optional": field.optional,
        "places": 1 if field.kind == "card" else field.maximum if field.kind == "cards" else 0,
    }


def _written(words, field, value):
    """A value as the form's field has it; `read` reverses this."""
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


def preview(round_, texts, *, settings=False):
    """The changes and what they come to, only from the pure core: nothing is written.

    :param texts: the form's texts by the paths of slots, and the `line` that it was made for.
    :param settings: whether the rule sheet's values may be changed too, to see what they would have come to.
    :raises Refused: as `corrections.correct` would, except about the signature.
    """
    if round_.status not in CORRECTABLE:
        raise grounds.wrong_moment(round_, WORDING("corrected_when_closed"))
    if not settings:
        corrections.check_rests(round_)
    words = timeline.words(round_)
    newest = round_.lines.last()
    if texts.get("line") != str(newest.ordinal):
        raise WORDING.refused("stale_version", round=round_)
    before = json.loads(newest.text)
    sheet = rulesheets.checked(round_.sheet)
    changed = _changed(words, round_, before, texts)
    other = _other_settings(words, sheet, texts) if settings else {}
    after = before if other and not changed else corrections.amended(before, changed)
    changes = [change._asdict() for change in timeline.changes(words, before, after)]
    later = corrections.reaches(round_, newest, after, series.after(round_, lock=False)) if changed else []
    if other:
        changes += [change._asdict() for change in _changes_of_settings(words, sheet, other)]
        sheet, after = _with_settings(words.game, sheet, after, other)
    boxes, house = _would_be(round_, words, newest, after, sheet, newest.carry)
    settled, beyond = round_.status == Round.Status.SETTLED, [_later(words, *reached) for reached in later]
    return {
        "changes": changes,
        "later": beyond,
        "warnings": _beyond_limits(round_, words, after, changed),
        "boxes": boxes,
        "house": house,
        "settled": settled,
        "moves": _moves(boxes, beyond) if settled else _nets(boxes),
        "currency": Casino.objects.get().currency,
        "other_settings": bool(other),
        "command": json.dumps(
            {
                "line": newest.ordinal,
                "changes": [{"path": path, "value": value} for path, value in changed.items()],
            }
        ),
    }


def _moves(boxes, later):
    """What the changes require to be handed over or collected, box by box, in later rounds too."""
    of_later = [(each["number"], box["due"]) for each in later for box in each["boxes"]]
    moves = [box["due"] for box in boxes if not box["same"] and box["due"]]
    return moves + [WORDING("move.later", number=number, due=due) for number, due in of_later if due]


def _nets(boxes):
    """What the boxes of a round not yet settled will have after the changes."""
    return [
        WORDING("move.unsettled", box=box["box"], net=box["net"], outcome=box["word"], before=box["before"])
        for box in boxes
        if not box["same"]
    ]


def settings_fields(words, sheet):
    """The rule sheet's plain values as fields of a what-if; a sheet itself changes by publishing the next one."""
    values = words.game.values(sheet)
    return [field(words, slot) for slot in _settings(words.game, values)]


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


def _other_settings(words, sheet, texts):
    """The settings in which the form differs from the sheet: name to value."""
    other = {}
    for slot in _settings(words.game, words.game.values(sheet)):
        if slot.path in texts:
            value = read(words, slot, texts[slot.path], {})
            if value != slot.value:
                other[slot.path] = value
    return other


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
                way_out=WORDING("choose_another"),
            )
    return changed, line


def _beyond_limits(round_, words, after, changed):
    """What the table would not have taken: a correction may say what truly lay there, but not unnoticed.

    The limits are those of the round's first offer under the same label for the same box.
    """
    game = words.game
    state = game.start(rulesheets.checked(round_.sheet), tuple(round_.seats), round_.carry)
    limits = {
        (offer.box, field.label): field
        for offer in game.legal(state)
        for field in offer.fields
        if field.kind == "units"
    }
    warnings = []
    for slot in game.slots(after):
        limit = limits.get((slot.box, slot.field.label))
        if slot.path in changed and limit and not limit.minimum <= slot.value <= limit.maximum:
            warning = WORDING(
                "beyond_limits",
                slot=slot.label,
                amount=words.amount(slot.value),
                least=words.amount(limit.minimum),
                most=words.amount(limit.maximum),
            )
            warnings.append(warning)
    return warnings


def _changed(words, round_, line, texts):
    """The slots in which the form differs from the line: path to value."""
    cards = {code.lower(): code for code in words.deck.copies}
    changed = {}
    for slot in lines.slots(words.game, line):
        if slot.path in texts:
            value = read(words, slot, texts[slot.path], cards)
            if value != slot.value:
                changed[slot.path] = value
    return changed


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
                raise WORDING.refused("field_wrong:whole_number", path=slot.path, text=shown(text))
            return int(text)
        case "flag":
            if text not in FLAGS:
                raise WORDING.refused("field_wrong:flag", path=slot.path, text=shown(text))
            return FLAGS[text]
    return text


def _card(text, cards):
    """A card's code, however it was typed: `10H` is `Th`. Other text stays as it is: the rules refuse it."""
    small = text.lower()
    return cards.get(small) or cards.get(small.replace("10", "t")) or text


def _units(text, decimals, path):
    amount = _AMOUNT.fullmatch(re.sub(r"[\s\u2009\u202f]", "", text))
    part = ((amount and amount[2]) or "").rstrip("0")
    if not amount or len(part) > decimals:
        raise WORDING.refused("field_wrong:amount", path=path, text=shown(text))
    return int(amount[1] + part.ljust(decimals, "0"))


def _later(words, round_, line, carry):
    """What changes for the boxes of a later round of the series, which the correction lets begin otherwise."""
    boxes, _ = _would_be(round_, words, line, json.loads(line.text), rulesheets.checked(round_.sheet), carry)
    return {
        "id": round_.pk,
        "number": str(round_),
        "settled": round_.status == Round.Status.SETTLED,
        "boxes": [box for box in boxes if not box["same"]],
    }


def _would_be(round_, words, newest, after, sheet, carry):
    """What each box and the house would get by a line and its carry, beside what they have by the newest line."""
    wagers = [Wager(**wager) for wager in json.loads(newest.wagers)]
    before = _before(round_, words.game, newest, wagers)
    settlement = round_.settlement
    had = results.had(results.ticks(round_.ref), settlement.generation + 1, newest.handed) if settlement else {}
    payments, reasons = _after(words, after, sheet, wagers, carry, had)
    boxes = []
    for paid in payments:
        is_due = settlement is not None and paid.box in before
        boxes.append(
            {
                **_box(words, paid, before.get(paid.box), reasons),
                "due": handing.order(paid, words.amount) if is_due else "",
                "whole": is_due and paid.box not in had,
            }
        )
    return boxes, _house(words, -sum(net for _, net in before.values()), -sum(paid.net for paid in payments))


def _before(round_, game, newest, wagers):
    """Box to its outcome and its net by the newest line."""
    settlement = round_.settlement
    if settlement:
        return {payment.box: (payment.outcome, payment.net_units) for payment in settlement.payments.all()}
    facts, sheet = game.read(json.loads(newest.text)), rulesheets.checked(round_.sheet)
    payments, _ = _come_to(game, facts, wagers, sheet, newest.carry)
    return {payment.box: (payment.outcome, payment.net) for payment in payments}


def _after(words, after, sheet, wagers, carry, had):
    """The payments of the generation that a line would make, and its reasons."""
    game = words.game
    facts = game.read(after)
    staked = game.stakes(facts, wagers, sheet, carry)
    stakes = results.stakes_place(game, points=any(wager.kind == "points" for wager in staked))
    payments, result = _come_to(game, facts, staked, sheet, carry)
    would_be = [
        results.Paid(
            box=payment.box,
            outcome=payment.outcome,
            staked=payment.staked,
            returned=payment.returned,
            paid=payment.paid,
            net=payment.net,
            clauses=payment.clauses,
            ticked=False,
            difference=results.difference(payment.net, had.get(payment.box), stakes),
            lies=stakes,
        )
        for payment in payments
    ]
    return would_be, results.explain(after, result, words.decimals)


def _box(words, paid, before, reasons):
    """What a box has by the newest line, and what it would get."""
    return {
        "box": paid.box,
        "before": _came(words, before) if before else "",
        "word": words.word(paid.outcome),
        "net": words.amount(paid.net, signed=True),
        "same": before == (paid.outcome, paid.net),
        "reasons": [generations.reason(why) for why in reasons if why.is_about(paid.box)],
    }


def _came(words, before):
    outcome, net = before
    return WORDING("came", outcome=words.word(outcome), net=words.amount(net, signed=True))


def _house(words, before, after):
    """What the house has by the newest line, and what it would get."""
    return {
        "before": words.amount(before, signed=True),
        "net": words.amount(after, signed=True),
        "difference": words.amount(after - before, signed=True),
        "same": before == after,
    }


def _come_to(game, facts, wagers, sheet, carry):
    """The payments that a line comes to, and its result."""
    result = game.settle(facts)
    return adjudication.payments(game.pay(facts, result, wagers, sheet, carry), game.outcomes(facts, result)), result
