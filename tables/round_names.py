"""What people call rounds: `T1-00003` or `T1-3`, the number alone, the table's code, the day, or several of these."""

import datetime as dt
import re

from django.db.models import TextField, Value
from django.db.models.functions import Cast, Concat

from .models import Round, Table

HELP = "Round T1-00003 or T1-3, number 3, table T1, day 2026-11-21, or several of them"
_NAME = re.compile(r"([A-Z][A-Z0-9]*)-([0-9]{1,18})")
_NUMBER = re.compile(r"[0-9]{1,18}")
_REF = re.compile(r"ROUND:([0-9]{1,18})")


def find(words):
    """The rounds that fit every word, as a queryset; None where a word is no round's name, table or day."""
    found = Round.objects.all()
    for word in words.upper().split():
        wanted = _wanted(word)
        if wanted is None:
            return None
        found = found.filter(**wanted)
    return found if words.split() else None


def refs(words):
    """`find` as the references by which money and log know a round: `round:81`."""
    found = find(words)
    if found is None:
        return None
    ref = Concat(Value("round:"), Cast("pk", TextField()), output_field=TextField())
    return found.annotate(named=ref).values("named")


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
