"""What an inspection compares: the entries about a row, as read, and the row itself (see `inspections.py`)."""

import datetime as dt
import json
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db.models import Max

from . import bad_entries, form
from .models import Entry
from .wording import WORDING

logger = logging.getLogger(__name__)

# A number below those of all rows.
LOWEST = -(2**63)
# A row has the time of its statement, its entry the time at which the chain was locked: they may differ this much.
APART = dt.timedelta(minutes=5)
SHOWN = 60
# What looking can raise if somebody else wrote a row.
_UNREADABLE = (
    ArithmeticError, AttributeError, LookupError, ObjectDoesNotExist, RuntimeError, TypeError, ValidationError,
    ValueError,
)  # fmt: skip


class WrongRowError(ValueError):
    """A row such as the product never writes; the message says in plain words what is wrong with it."""


def why(error):
    """Why something can't be read, for the end of a sentence: the name of an error tells people nothing."""
    if isinstance(error, WrongRowError):
        return str(error)
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if isinstance(error, json.JSONDecodeError):
        return "what has to be JSON is none"
    if isinstance(error, ValueError) and "digits" in str(error):
        return "a number in it is too long"
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        return f"it does not say its {error.args[0]}"
    if isinstance(error, ObjectDoesNotExist):
        return "a row that it belongs to is not there"
    return "it is not as the product writes it"


class Difference(NamedTuple):
    """How something differs from the log: its subject (`round:81`), table and column, and a sentence."""

    subject: str
    what: str
    sentence: str


class Part(NamedTuple):
    """One kind of thing that an inspection looks through, by ascending numbers.

    `newest` gives the highest number there is now. `look` looks at those after one number up to another and returns how
    many there were and the differences; in the dictionary `state` it may keep what it needs to go on from there. `one`
    and `many` are the words for what it looks at.
    """

    name: str
    one: str
    many: str
    newest: Callable[[], int]
    look: Callable[[int, int, dict[str, Any]], tuple[int, list[Difference]]]
    at_a_time: int
    model: Any = None

    @classmethod
    def of_rows(cls, name, one, many, model, look, at_a_time):
        """A part that looks through the rows of a model, whatever their numbers."""

        def newest():
            return max(model.objects.aggregate(newest=Max("pk"))["newest"] or 0, 0)

        return cls(name, one, many, newest, look, at_a_time, model)

    def first(self, after):
        """The number after which the piece begins; the first piece has what lies below a sequence's numbers, too."""
        return LOWEST if self.model and not after else after

    def reach(self, after, last):
        """The number that ends the piece; numbers of rows may lie far apart, so rows are counted."""
        if self.model is None:
            return min(after + self.at_a_time, last)
        rows = self.model.objects.filter(pk__gt=after, pk__lte=last).order_by("pk").values_list("pk", flat=True)
        return next(iter(rows[self.at_a_time - 1 : self.at_a_time]), last)

    def keys(self, after, upto):
        """The numbers of the rows in a piece; none if the part does not look through rows."""
        rows = self.model and self.model.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
        return [] if rows is None else list(rows.values_list("pk", flat=True))

    def ref(self, key):
        """A row's reference, or what people call it if it has none."""
        ref = getattr(self.model(pk=key), "ref", "")
        return ref if ref.endswith(f":{key}") else f"{self.model._meta.verbose_name} {key}"

    def counted(self, count):
        """A number with its word: `1 anchor`, `20 anchors`."""
        return f"{count} {self.one if count == 1 else self.many}"


class Reading(NamedTuple):
    """An entry that was read back."""

    chain: str
    seq: int
    at: dt.datetime
    by: str
    event: str
    subject: str
    terminal: str | None
    facts: dict[str, Any]

    @classmethod
    def of(cls, chain, seq, entry):
        """:raises KeyError, TypeError, ValueError: if the entry lacks what each entry has."""
        at = dt.datetime.fromisoformat(entry["at"])
        facts = entry["facts"]
        if not isinstance(facts, dict):
            raise TypeError("The facts of an entry are an object.")
        return cls(chain, seq, at, entry["by"], entry["event"], entry["subject"], entry["terminal"], facts)


def readings(subjects):
    """The entries about each of these subjects, in the order in which they were written.

    Entries that can't be read are left out, as the log's own part names them; so are those that an auditor passed over.
    """
    of, bad = {subject: [] for subject in subjects}, bad_entries.passed_over()
    rows = Entry.objects.filter(subject__in=list(of)).order_by("chain", "seq").values_list("chain_id", "seq", "body")
    for chain, seq, body in rows.iterator():
        if (chain, seq) in bad:
            continue
        try:
            reading = Reading.of(chain, seq, json.loads(body))
        except (KeyError, RecursionError, TypeError, ValueError):
            continue
        if reading.subject in of:
            of[reading.subject].append(reading)
    return of


class Apart(NamedTuple):
    """The time of an entry; a row's own time is close to it."""

    at: dt.datetime

    def near(self, other):
        """Whether a row's time fits."""
        return isinstance(other, dt.datetime) and abs(other - self.at) <= APART


def differences(subject, table, row, expected, actual, source="the log says"):
    """Each column in which a row differs from the log.

    :param row: how people find the row among those of its subject: `action 5`; "" if it is the only one.
    :param expected: column to value, as the log has it; an `Apart` is a time.
    :param source: what says so, with its verb, for the sentence.
    """
    for column, value in expected.items():
        stands = actual[column]
        same = value.near(stands) if isinstance(value, Apart) else value == stands
        if not same:
            stood, said = _spell(stands), _spell(value)
            sentence = (
                WORDING("differs:row", row=row, column=column, stands=stood, source=source, value=said)
                if row
                else WORDING("differs", column=column, stands=stood, source=source, value=said)
            )
            yield Difference(subject, f"{table} {column}", sentence)


def absent(subject, table, row):
    """The difference of a row that the log records and that does not exist."""
    return Difference(subject, table, WORDING("absent", row=row))


def surplus(subject, table, row):
    """The difference of a row that the log does not record."""
    return Difference(subject, table, WORDING("surplus", row=row))


def matched(subject, table, word, expected, actual, places, source="the log says"):
    """Compare rows one by one with what the log says about them.

    :param expected: key to columns as the log has them; `actual`, key to columns as they stand.
    :param places: from a key to how people call it.
    """
    for key in sorted(expected.keys() | actual.keys(), key=str):
        row = f"{word} {places(key)}"
        if key not in actual:
            yield absent(subject, table, row)
        elif key not in expected:
            yield surplus(subject, table, row)
        else:
            yield from differences(subject, table, row, expected[key], actual[key], source)


def one_by_one(rows, look):
    """The differences of each row by itself: a row that can't be looked at is named and stops no other.

    :param rows: (subject, row) pairs.
    """
    for subject, row in rows:
        try:
            yield from look(subject, row)
        except _UNREADABLE as error:
            logger.warning("Inspection: %s", subject, exc_info=True)
            yield Difference(subject, "rows", WORDING("unreadable", why=why(error))[:500])


def all_at_once(entries, look):
    """The differences of these entries; if one of them is nonsense, each is looked at by itself."""
    try:
        return list(look(entries))
    except _UNREADABLE:
        return list(one_by_one(((f"{each.chain} {each.seq}", each) for each in entries), lambda _, each: look([each])))


def _spell(value):
    """A value for a sentence."""
    if isinstance(value, Apart):
        value = value.at
    if isinstance(value, dt.datetime):
        return form.spell_time(value)
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
