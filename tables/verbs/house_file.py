"""The file that a house is founded from, in TOML: read strictly, every fault found at once, with its place and cure.

Amounts are in the currency, as people write them: 2.50 is exact, and never a float.
"""

import datetime as dt
import os
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Callable
from decimal import Context, Decimal, Inexact, InvalidOperation
from typing import Any, NamedTuple
from zoneinfo import available_timezones

from casino.errors import Refused
from casino.games import registry
from casino.games.reading import MAXIMUM_UNITS, shown
from casino.models import euro_cash

from ..people.lockout import LOGIN
from . import rulesheets
from .employment import MAX_NAME
from .wording import WORDING

ADMINISTRATORS = 2
"""So many people found a house; they add all others."""
MOST_DECIMALS = 4
MOST_BYTES = 1_000_000
"""A house of thousands of tables is shorter."""
# Letters that leave no ink, by which two names look the same: Hangul fillers, and the empty pattern of Braille.
_INKLESS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Names that tell a machine that it has no zone, or has one; neither is a place.
_NO_ZONES = ("Factory", "localtime")
_EXACT = Context(prec=40, traps=[Inexact])


class House(NamedTuple):
    """What a file lays out: the columns of rows, and drafts of sheets as game and values. Amounts are in units.

    A table names its pit by code, and its chip set by name.
    """

    casino: dict
    administrators: list
    chip_sets: list
    pits: list
    tables: list
    sheets: list


class HouseFileError(ValueError):
    """A file from which no house is founded; `faults` are sentences, each with its place and its cure."""

    def __init__(self, faults):
        self.faults = [plain(fault) for fault in faults]
        super().__init__(" ".join(self.faults))


class _Check(NamedTuple):
    """A check: how a value is read (ValueError if it can't be), and what to write instead."""

    read: Callable[[Any], Any]
    cure: Callable[[], str]


class _Unread:
    """A number as it is written, for which there is no Decimal."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


def plain(text):
    """A text that is safe on a terminal: control characters, which would command it, are written as escapes.

    >>> plain("T1\\x1b[2J")
    'T1\\\\x1b[2J'
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def open_file(path):
    """The text of a file.

    :raises HouseFileError: unless it is a regular file of at most `MOST_BYTES` in UTF-8.
    """
    try:
        # A pipe would make us wait for whoever writes into it.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            content = file.read(MOST_BYTES + 1) if is_regular else b""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HouseFileError([WORDING("house_file:unread", reason=reason)]) from None
    if not is_regular:
        raise HouseFileError([WORDING("house_file:not_regular")])
    if len(content) > MOST_BYTES:
        raise HouseFileError([WORDING("house_file:bytes", most=MOST_BYTES)])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise HouseFileError([WORDING("house_file:encoding", line=line)]) from None


def read(text):
    """The house of a file.

    :raises HouseFileError: with every fault.
    """
    try:
        document = tomllib.loads(text, parse_float=_number)
    except tomllib.TOMLDecodeError as error:
        raise HouseFileError([WORDING("house_file:toml", error=error)]) from None
    except ValueError:
        # Python refuses to read a whole number of thousands of digits.
        line = _line(text, lambda line: max(map(len, re.findall(r"[0-9_]+", line)), default=0))
        raise HouseFileError([WORDING("house_file:number", line=line)]) from None
    except RecursionError:
        line = _line(text, lambda line: line.count("[") + line.count("{"))
        raise HouseFileError([WORDING("house_file:nested", line=line)]) from None
    return _Reader().house(document)


def _line(text, measure):
    """The number of the line with the most of something."""
    lines = text.split("\n")
    return 1 + max(range(len(lines)), key=lambda number: measure(lines[number]))


def _number(text):
    try:
        return Decimal(text)
    except InvalidOperation:
        return _Unread(text)


def _written(value):
    """A value in a message, a number as people write it."""
    text = str(value) if isinstance(value, Decimal | _Unread) else shown(value)
    return text if len(text) <= 40 else f"{text[:39]} ..."


def _text(pattern, most):
    """A check's reading of a text in one line that matches."""

    def reading(value):
        if not isinstance(value, str) or not 1 <= len(value) <= most or not pattern.fullmatch(value):
            raise ValueError
        return value

    return reading


def _name(most):
    def reading(value):
        if not isinstance(value, str) or len(value) > most or not value.isprintable() or value != value.strip():
            raise ValueError
        if not any(sign.isalnum() for sign in value) or _INKLESS & set(value):
            raise ValueError
        return value

    return _Check(reading, lambda: WORDING("house_file:name_cure", most=most))


_UNKNOWN = {"pit": "house_file:no_pit", "chip_set": "house_file:no_chip_set"}


def _one_of(kind, rows, name):
    """A check of a value that names one of these rows; if there are none, that is the fault."""
    known = [row[name] for row in rows if name in row]

    def reading(value):
        if known and value not in known:
            raise ValueError(WORDING(_UNKNOWN[kind], value=_written(value)))
        return value

    return _Check(reading, lambda: WORDING("house_file:one_of_cure", values=", ".join(known)))


def _title(value):
    """What a table begins with, so that people find it in the file."""
    return value[:40] if isinstance(value, str) else _written(value)


def _time(value):
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", value if isinstance(value, str) else "", re.ASCII):
        raise ValueError
    return dt.time.fromisoformat(value)


def _zone(value):
    if not isinstance(value, str) or value in _NO_ZONES or value not in available_timezones():
        raise ValueError
    return value


def _decimals(value):
    if type(value) is not int or not 0 <= value <= MOST_DECIMALS:
        raise ValueError
    return value


ZONE_PLACE = "[casino] time_zone"
_CASINO = {
    "code": _Check(
        _text(re.compile("[a-z0-9][a-z0-9-]*"), 20),
        lambda: WORDING("house_file:casino_code_cure"),
    ),
    "name": _name(80),
    "currency": _Check(_text(re.compile("[A-Z]{3}"), 3), lambda: WORDING("house_file:currency_cure")),
    "decimals": _Check(_decimals, lambda: WORDING("house_file:decimals_cure", most=MOST_DECIMALS)),
    "time_zone": _Check(_zone, lambda: WORDING("house_file:zone_cure")),
    "day_starts": _Check(_time, lambda: WORDING("house_file:time_cure")),
}
# Values that a file calls by other names.
_COLUMNS = {
    "decimals": "currency_decimals",
    "day_starts": "day_starts_at",
    "cash": "cash_denominations",
    "chips": "chip_set",
}
_ADMINISTRATOR = {
    "login": _Check(_text(LOGIN, 40), lambda: WORDING("house_file:login_cure")),
    "name": _name(MAX_NAME),
}
_CODE = _Check(_text(re.compile("[A-Z][A-Z0-9]*"), 8), lambda: WORDING("house_file:code_cure"))
_CHIP = '{ value = 5, colour = "#ad1f2b" }'
_colour = _text(re.compile("#[0-9a-fA-F]{6}"), 7)


class _Reader:
    """Reads a document and notes what is wrong with it."""

    def __init__(self):
        self.faults, self.decimals = [], 2

    def house(self, document):
        parts = {"casino": dict} | dict.fromkeys(("administrator", "chip_set", "pit", "table", "sheet"), list)
        self._known("", document, parts)
        casino = self._casino(document.get("casino"))
        people = self._each(document, "administrator", _ADMINISTRATOR, once=("login", "name"))
        if len(people) != ADMINISTRATORS:
            self._wrong("[[administrator]]", WORDING("house_file:founders"), WORDING("house_file:founders_cure"))
        chip_sets = self._each(
            document,
            "chip_set",
            {"name": _name(40), "chips": _Check(self._chips, lambda: WORDING("house_file:chips_cure", example=_CHIP))},
            once=("name",),
        )
        pits = self._each(document, "pit", {"code": _CODE, "name": _name(40)}, once=("code", "name"))
        of_table = {
            "code": _CODE,
            "name": _name(40),
            "pit": _one_of("pit", pits, "code"),
            "chips": _one_of("chip_set", chip_sets, "name"),
        }
        tables = self._each(document, "table", of_table, once=("code", "name"))
        for name, rows in (("chip_set", chip_sets), ("pit", pits), ("table", tables)):
            if not rows:
                self._wrong(f"[[{name}]]", WORDING("house_file:none"), WORDING("house_file:none_cure"))
        sheets = [self._sheet(*row, chip_sets) for row in self._rows(document, "sheet")]
        if self.faults:
            raise HouseFileError(self.faults)
        return House(
            {_COLUMNS.get(name, name): value for name, value in casino.items()},
            people,
            [{"name": each["name"], **each["chips"]} for each in chip_sets],
            pits,
            [{_COLUMNS.get(name, name): value for name, value in table.items()} for table in tables],
            sheets,
        )

    def _wrong(self, place, message, cure):
        self.faults.append(WORDING("house_file:fault", place=place, fault=message, cure=cure))

    def _known(self, place, values, names):
        for name in values:
            if name not in names:
                cure = WORDING("house_file:one_of_cure", values=", ".join(names))
                self._wrong(f"{place} {name}".strip(), WORDING("house_file:setting"), cure)

    def _rows(self, document, name):
        """The tables of an array with their places: `[[table]] 2 (T2)`."""
        rows = document.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self._wrong(name, WORDING("house_file:list"), WORDING("house_file:list_cure", name=name))
            return []
        return [
            (f"[[{name}]] {number} ({_title(next(iter(row.values()), ''))})", row)
            for number, row in enumerate(rows, start=1)
        ]

    def _each(self, document, name, checks, *, once):
        """The rows of an array; no two may have the same value in a field of `once`."""
        read_rows = []
        seen = {field: Counter() for field in once}
        for place, row in self._rows(document, name):
            fields = self._fields(place, row, checks)
            for field in once:
                value = fields.get(field)
                seen[field][value and value.casefold()] += 1
                if value and seen[field][value.casefold()] == 2:
                    fault = WORDING("house_file:twice", value=shown(value))
                    self._wrong(f"{place} {field}", fault, WORDING("house_file:twice_cure"))
            read_rows.append(fields)
        return read_rows

    def _fields(self, place, values, checks, *, also=()):
        """The values of a table that can be read; all of `checks` must be there. Those of `also` are read elsewhere."""
        self._known(place, values, [*checks, *also])
        fields = {}
        for name, check in checks.items():
            if name not in values:
                self._wrong(f"{place} {name}", WORDING("house_file:missing"), check.cure())
                continue
            try:
                fields[name] = check.read(values[name])
            except ValueError as error:
                fault = str(error) or WORDING("house_file:unreadable", value=_written(values[name]))
                self._wrong(f"{place} {name}", fault, check.cure())
        return fields

    def _casino(self, values):
        if not isinstance(values, dict):
            self._wrong("[casino]", WORDING("house_file:missing"), WORDING("house_file:casino_cure"))
            return {}
        values = dict(values)
        cash = values.pop("cash", None)
        fields = self._fields("[casino]", values, _CASINO, also=("cash",))
        self.decimals = fields.get("decimals", 2)
        if cash is None and fields.get("currency") == "EUR" and self.decimals == 2:
            fields["cash"] = euro_cash()
            return fields
        check = _Check(self._cash, lambda: WORDING("house_file:cash_cure"))
        fields |= self._fields("[casino]", {} if cash is None else {"cash": cash}, {"cash": check})
        return fields

    def _units(self, value):
        """An amount in the currency, as units."""
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise ValueError(WORDING("house_file:no_amount", value=_written(value)))
        most = MAXIMUM_UNITS // 10**self.decimals
        if (isinstance(value, Decimal) and not value.is_finite()) or value <= 0:
            raise ValueError(WORDING("house_file:no_amount", value=_written(value)))
        if value > most:
            raise ValueError(WORDING("house_file:highest", value=_written(value), most=most))
        try:
            amount = Decimal(value).quantize(Decimal(1).scaleb(-self.decimals), context=_EXACT)
        except Inexact:
            raise ValueError(WORDING("house_file:digits", value=_written(value), decimals=self.decimals)) from None
        return int(amount.scaleb(self.decimals))

    def _ascending(self, values):
        if not values:
            raise ValueError(WORDING("house_file:empty"))
        if values != sorted(set(values)):
            raise ValueError(WORDING("house_file:rising"))
        return values

    def _cash(self, value):
        if not isinstance(value, list):
            raise ValueError
        return self._ascending([self._units(each) for each in value])

    def _chips(self, value):
        """Values and colours, as a chip set keeps them."""
        if not isinstance(value, list) or not all(
            isinstance(each, dict) and each.keys() == {"value", "colour"} for each in value
        ):
            raise ValueError(WORDING("house_file:chip"))
        colours = []
        for each in value:
            try:
                colours.append(_colour(each["colour"]))
            except ValueError:
                raise ValueError(WORDING("house_file:colour", value=_written(each["colour"]))) from None
        return {"denominations": self._ascending([self._units(each["value"]) for each in value]), "colours": colours}

    def _sheet(self, place, row, chip_sets):
        """A draft's game and values; the smallest chip of the house where it names none."""
        values = dict(row)
        game = values.pop("of", None)
        if not isinstance(game, str) or game not in registry.GAMES:
            cure = WORDING("house_file:one_of_cure", values=", ".join(registry.GAMES))
            self._wrong(f"{place} of", WORDING("house_file:game", value=_written(game)), cure)
            return None
        parameters = {parameter.name: parameter for parameter in registry.GAMES[game].parameters}
        self._known(place, row, ["of", *parameters])
        for name, parameter in parameters.items():
            if parameter.kind == "units" and name in values:
                try:
                    values[name] = self._units(values[name])
                except ValueError as error:
                    self._wrong(f"{place} {name}", str(error), WORDING("house_file:amount_cure"))
                    return None
        smallest = [min(each["chips"]["denominations"]) for each in chip_sets if "chips" in each]
        if "chip" in parameters and smallest:
            values.setdefault("chip", min(smallest))
        try:
            rulesheets.whole(game, {name: value for name, value in values.items() if name in parameters})
        except Refused as refused:
            refused = rulesheets.in_currency(refused, game=game, decimals=self.decimals)
            self._wrong(f"{place} {refused.path}", refused.message, refused.way_out)
        else:
            if "chip" in values and not any(values["chip"] % chip == 0 for chip in smallest):
                self._wrong(f"{place} chip", WORDING("house_file:unpayable"), WORDING("house_file:chip_cure"))
        return {"game": game, "values": values}
