"""What people call things, and how rounds are searched for: by `T1-00003` or `T1-3`, the number alone, the table's
code, the day, or several of these."""

import datetime as dt
import re

from django.db.models import TextField, Value
from django.db.models.functions import Cast, Concat

from ..models import Case, DropBox, Round, Slip, Table

HELP = "Round T1-00003 or T1-3, number 3, table T1 or its name, day 2026-11-21, or several of them"
_NAME = re.compile(r"([A-Z][A-Z0-9]*)-([0-9]{1,18})")
_NUMBER = re.compile(r"[0-9]{1,18}")
_REF = re.compile(r"ROUND:([0-9]{1,18})")
_ROW = re.compile(r"([a-z_]+):([0-9]{1,18})")
_MODELS = {
    "round": Round.objects.select_related("table"),
    "slip": Slip.objects,
    "drop_box": DropBox.objects,
    "case": Case.objects,
    "table": Table.objects,
}


def find(words):
    """The rounds that fit every word, as a queryset; None if a word is not a round's name, a table or a day."""
    words = " ".join(words.upper().split())
    rounds = Round.objects.all()
    left, named = _table_named(words)
    if named:
        rounds = rounds.filter(table__in=named)
    for word in left.split():
        wanted = _wanted(word)
        if wanted is None:
            return None
        rounds = rounds.filter(**wanted)
    return rounds if words else None


def _table_named(words):
    """The words without a table's name among them, and the tables of that name: `SPLIT 3 2026-11-21`, where `Split 3`
    is a name of two words."""
    names = {}
    for table in Table.objects.all():
        names.setdefault(" ".join(table.name.upper().split()), []).append(table)
    for name in sorted(names, key=len, reverse=True):
        left, among = re.subn(rf"(?<!\S){re.escape(name)}(?!\S)", " ", words, count=1)
        if among:
            return left, names[name]
    return words, []


def named(refs):
    """The names of rounds: each reference to the round's number and its game."""
    keys = [ref.removeprefix("round:") for ref in refs if _REF.fullmatch(ref.upper())]
    rounds = Round.objects.filter(pk__in=keys).select_related("table", "sheet")
    return {round_.ref: (str(round_), round_.sheet.game) for round_ in rounds}


def called(refs):
    """The names of rounds, slips, drop boxes, cases and tables: each existing reference to its name."""
    keys = {}
    for ref in refs:
        match = _ROW.fullmatch(ref)
        if match and match[1] in _MODELS:
            keys.setdefault(match[1], []).append(int(match[2]))
    rows = [row for kind, pks in keys.items() for row in _MODELS[kind].filter(pk__in=pks)]
    return {row.ref: row.code if isinstance(row, Table) else str(row) for row in rows}


def refs(words):
    """`find` as the references by which money and log know a round: `round:81`."""
    rounds = find(words)
    if rounds is None:
        return None
    ref = Concat(Value("round:"), Cast("pk", TextField()), output_field=TextField())
    return rounds.annotate(named=ref).values("named")


def _wanted(word):
    if name := _NAME.fullmatch(word):
        return {"table__code": name[1], "number": int(name[2])}
    if _NUMBER.fullmatch(word):
        return {"number": int(word)}
    if ref := _REF.fullmatch(word):
        return {"pk": int(ref[1])}
    try:
        return {"session__business_date": dt.date.fromisoformat(word)}
    except ValueError:
        return {"table__code": word} if Table.objects.filter(code=word).exists() else None
