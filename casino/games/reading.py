"""Reading what comes in: lines of contracts/adjudicate.md and values of rule sheets, checked strictly for every game.

Each function raises a `FaultError` at the first thing that is wrong; a game's `read` and `sheet` give its fault back.
"""

import json
from collections.abc import Collection, Mapping

from casino.games.game import Fault, Json, Parameter

MAXIMUM_UNITS = 1_000_000_000_000
"""The highest amount that comes in (contracts/adjudicate.md)."""


class FaultError(Exception):
    """Ends reading at the first thing that is wrong; `fault` says what."""

    def __init__(self, code: str, message: str, path: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(code, message, path)


def read_units(value: Json, what: str, path: str) -> int:
    """An amount from 1 to MAXIMUM_UNITS.

    :raises FaultError: if it is anything else; True is no amount.
    """
    return read_count(value, 1, MAXIMUM_UNITS, what, path)


def read_count(value: Json, minimum: int, maximum: int, what: str, path: str) -> int:
    """A whole number in a range; `what` names it at the beginning of a sentence."""
    if value.__class__ is not int:
        raise FaultError("bad_field", f"{what} is {shown(value)}, not a whole number.", path)
    number: int = value
    if not minimum <= number <= maximum:
        raise FaultError("bad_field", f"{what} is {shown(value)}; it runs from {minimum} to {maximum}.", path)
    return number


def read_choice(value: Json, options: tuple[str, ...], what: str, path: str) -> str:
    """One of `options`; `what` names it at the beginning of a sentence."""
    if value not in options:
        raise FaultError("bad_field", f"{what} is {shown(value)}; it is one of {', '.join(options)}.", path)
    choice: str = value
    return choice


def read_object(value: Json, names: Collection[str], what: str, path: str) -> Mapping[str, Json]:
    """An object with no fields but `names`; `what` names it at the beginning of a sentence."""
    if not isinstance(value, dict):
        raise FaultError("bad_field", f"{what} is {shown(value)}, not an object.", path)
    check_names(value, names, what, path)
    return value


def check_names(value: Mapping[str, Json], names: Collection[str], what: str, path: str) -> None:
    """Refuse unknown fields: nothing is ignored silently."""
    for name in value:
        if name not in names:
            raise FaultError("bad_field", f"{what} has no field {shown(name)}.", f"{path}.{name}" if path else name)


def read_clause(ruling: Mapping[str, Json], clauses: Collection[str], path: str) -> str:
    """The clause that a ruling or a void round names, one of the game's."""
    clause = ruling.get("clause")
    if clause is None:
        raise FaultError("missing_field", "A ruling names its clause.", f"{path}.clause")
    if not isinstance(clause, str) or clause not in clauses:
        raise FaultError("bad_field", f"The game's rules have no clause {shown(clause)}.", f"{path}.clause")
    return clause


def read_values(parameters: tuple[Parameter, ...], values: Mapping[str, Json], game: str) -> dict[str, Json]:
    """A rule sheet's values by their names, each checked by its parameter, those left out or None by their defaults.

    A value of the kind `ratios` is left as it is. The `chip`, if there is one, comes before what is a multiple of it.
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    for name in values:
        if name not in by_name:
            raise FaultError("bad_field", f"A {game} sheet has no value {shown(name)}.", str(name))
    checked: dict[str, Json] = {}
    for name, parameter in by_name.items():
        chip = checked["chip"] if parameter.in_chips else 1
        checked[name] = _value(parameter, values.get(name), chip)
        if parameter.in_chips:
            check_chips(checked[name], chip, parameter.label, name)
    return checked


def check_chips(units: int, chip_units: int, what: str, path: str) -> None:
    """An amount that chips can pay; `what` names it at the beginning of a sentence (house.5, split.23)."""
    if units % chip_units:
        message = f"{what} is {units}; it must be a multiple of the smallest chip, {chip_units}."
        raise FaultError("bad_field", message, path)


def read_chip(line: Mapping[str, Json]) -> int:
    """The smallest chip of a line; 1 where the line leaves it out."""
    chip = line.get("chip")
    return 1 if chip is None else read_units(chip, "The smallest chip", "chip")


def _value(parameter: Parameter, value: Json, chip: int) -> Json:
    if value is None:
        value = parameter.default
        if parameter.in_chips:
            value += -value % chip
    if value is None and parameter.optional:
        return None
    match parameter.kind:
        case "units" | "count":
            minimum = 1 if parameter.minimum is None else parameter.minimum
            maximum = MAXIMUM_UNITS if parameter.maximum is None else parameter.maximum
            return read_count(value, minimum, maximum, parameter.label, parameter.name)
        case "choice":
            return read_choice(value, parameter.options, parameter.label, parameter.name)
    return value


def shown(value: Json) -> str:
    """A value as JSON for a message, cut if it is long; words, if it can't be written out.

    >>> shown("x" * 100), shown(True)
    ('"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ...', 'true')
    """
    try:
        text = json.dumps(value, default=str)
    except (ValueError, RecursionError):
        return "a value that is too long to show"
    return text if len(text) <= 40 else f"{text[:39]} ..."
