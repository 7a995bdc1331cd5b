"""The form that drafts a rule sheet, made from the game's parameters, and what its fields come to.

The server reads the fields, so that the page's script knows no rule: it sends the form for a preview, and the preview
to be saved.
"""

import json
import re
from typing import NamedTuple

from casino.errors import Refused
from casino.games.game import Field, Slot
from casino.models import Casino

from ..verbs import rulesheets
from . import correction_form
from .wording import WORDING

RATIOS = "n:d, whole numbers from 1 to 10\u2009000, none lower than the one before."


_BOUNDS = {
    (False, False): "bounds",
    (False, True): "bounds:optional",
    (True, False): "bounds:chips",
    (True, True): "bounds:chips_optional",
}
"""What a field takes by whether it is in whole chips and may be empty."""
_RATIO = re.compile("[1-9][0-9]{0,4}:[1-9][0-9]{0,4}")


class Section(NamedTuple):
    """Fields of a sheet that stand together; `note` says what all of them take."""

    title: str
    fields: list
    note: str


def form(words, values):
    """The fields of a game's sheet with these values: first the limits, then the other parameters, the coefficients."""
    currency = Casino.objects.get().currency
    sections = {"limits": "Limits", "parameters": "Rules", "coefficients": "Coefficients"}
    fields = {name: [] for name in sections}
    for parameter in words.game.parameters:
        slots = _slots(words, parameter, values[parameter.name])
        fields[parameter.section] += [_field(words, parameter, slot, currency) for slot in slots]
    notes = {"coefficients": RATIOS}
    return [Section(title, fields[name], notes.get(name, "")) for name, title in sections.items() if fields[name]]


def with_ratios(words, values, texts):
    """The values with the coefficients that an address gives (`coefficients.flush=13:2`); other text is ignored."""
    for parameter in words.game.parameters:
        if parameter.kind == "ratios":
            given = {name: texts.get(f"{parameter.name}.{name}", "") for name in values[parameter.name]}
            fitting = {name: text for name, text in given.items() if _RATIO.fullmatch(text)}
            values = values | {parameter.name: values[parameter.name] | fitting}
    return values


def _slots(words, parameter, value):
    """The parameter's slot; for coefficients, one for each category."""
    if parameter.kind == "ratios":
        kind = Field(parameter.name, "choice", parameter.label)
        return [Slot(f"{parameter.name}.{name}", kind, words.word(name), ratio) for name, ratio in value.items()]
    kind = Field(
        parameter.name, parameter.kind, parameter.label, options=parameter.options, optional=parameter.optional
    )
    return [Slot(parameter.name, kind, parameter.label, value)]


def _field(words, parameter, slot, currency):
    return correction_form.field(words, slot) | {
        "label": slot.label,
        "clause": parameter.clause,
        "bounds": _bounds(words, parameter),
        "unit": currency if parameter.kind == "units" else "",
    }


def _bounds(words, parameter):
    """What the field takes, in words."""
    if parameter.kind in {"ratios", "choice"}:
        return ""
    spell = words.amount if parameter.kind == "units" else str
    least = 1 if parameter.minimum is None else parameter.minimum
    return WORDING(_BOUNDS[parameter.in_chips, parameter.optional], least=spell(least), most=spell(parameter.maximum))


def read(words, texts):
    """The values that the form's texts give, by the names of the game's parameters.

    :raises Refused: `field_wrong` (422) at the field that can't be read.
    """
    values = {}
    for parameter in words.game.parameters:
        if parameter.kind == "ratios":
            names = words.game.values(words.game.sheet({}))[parameter.name]
            values[parameter.name] = {
                name: texts.get(f"{parameter.name}.{name}", "").replace(" ", "") for name in names
            }
            continue
        (slot,) = _slots(words, parameter, None)
        value = correction_form.read(words, slot, texts.get(parameter.name, ""), {})
        if value is None and not parameter.optional:
            rule = _bounds(words, parameter)
            if not rule:
                raise WORDING.refused("field_wrong:unchosen", path=parameter.name, label=parameter.label)
            raise WORDING.refused("field_wrong:empty", path=parameter.name, label=parameter.label, rule=rule)
        values[parameter.name] = value
    return values


def looked_at(words, texts):
    """The draft that the form makes, with what the page sends to save it. Nothing is written.

    :raises Refused: at its field, in the casino's currency.
    """
    values = read(words, texts)
    try:
        sheet = rulesheets.unsaved(game=words.game.code, values=values)
    except Refused as error:
        raise rulesheets.in_currency(error, game=words.game.code, decimals=words.decimals) from error
    return sheet, json.dumps({"game": sheet.game, "values": sheet.values})
