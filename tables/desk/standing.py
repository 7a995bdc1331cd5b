"""How the log stands, in words: sealed, anchored, as the auditor saw it, and looked through again."""

import datetime as dt
import re
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone

from audit import inspections, status, visits
from audit.models import Checkpoint, Finding, Inspection

_OWN = re.compile("([1-9][0-9]{0,17}):([0-9a-f]{64})", re.ASCII)


class Row(NamedTuple):
    """A line of how the log stands: up to which entry, and since when, in words; `wrong` is for a person to look at.

    `said` is what stands of it in one breath at the top, where all is well.
    """

    name: str
    label: str
    size: int | None
    words: str
    wrong: bool
    to: str = ""
    said: str = ""


class Standing(NamedTuple):
    """The log as it is at one moment: the newest checkpoint, what lies outside, and whether all is well."""

    checkpoint: Checkpoint | None
    anchored: int
    anchored_seconds: int
    rows: tuple[Row, ...]

    @property
    def size(self):
        return self.checkpoint.size if self.checkpoint else 0

    @property
    def whole(self):
        return self.checkpoint is not None and not any(row.wrong for row in self.rows)


def of(person, since, reader):
    """How the log stands for an auditor who saw it last at a visit, or never.

    It asks outside of a transaction, as `/readyz` does.
    """
    measured = status.of_log()
    newest = Checkpoint.objects.filter(size=measured["sealed"]).first()
    seconds = measured["anchored_seconds"]
    rows = _sealed(measured, newest), _anchored(measured), _seen(since.visit, reader), _read_again(reader)
    return Standing(newest, measured["anchored"], seconds or 0, rows)


def compared(own, size):
    """What an auditor's own witness has held against the log as it stands here: a row, None where nothing was given.

    :param own: `SIZE:ROOT`, the root in 64 hexadecimal digits, with spaces as they are printed.
    """
    if not own:
        return None
    known = _OWN.fullmatch(own.lower().replace(" ", ""))
    if known is None:
        return Row("own", "Your own", None, "Write SIZE:ROOT, as verify_export.py witness prints it", wrong=True)
    theirs, root = int(known[1]), known[2]
    if theirs > size:
        return Row("own", "Your own", theirs, f"Yours is longer than the {size} entries sealed here", wrong=True)
    if visits.root(theirs) != root:
        return Row("own", "NOT as your own", theirs, "Another root: keep your export and compare it", wrong=True)
    return Row("own", "Agrees with your own", theirs, "The log here begins with it", wrong=False)


def ago(seconds):
    """How long ago, for people.

    >>> [ago(each) for each in (0, 38, 150, 7300, 200_000)]
    ['0 s ago', '38 s ago', '2 min ago', '2 h ago', '2 days ago']
    """
    for unit, word in ((86_400, "day"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            many = "s" if word == "day" and seconds >= 2 * unit else ""
            return f"{seconds // unit} {word}{many} ago"
    return f"{seconds} s ago"


def _sealed(measured, newest):
    """A seal covers every entry, or how many wait for one."""
    if newest is None:
        return Row("sealed", "Sealed", None, "Nothing is sealed yet", wrong=True)
    unsealed, age = measured["unsealed"], max(0, int((timezone.now() - newest.at).total_seconds()))
    words = f"Every entry, the newest {ago(age)}"
    if unsealed:
        entries = "entry waits" if unsealed == 1 else "entries wait"
        words = f"{ago(age)}; {unsealed} {entries} for a seal since"
    reasons = " ".join(measured["reasons"])
    return Row("sealed", "Sealed", newest.size, reasons or words, wrong=bool(reasons) or measured["state"] == "late")


def _anchored(measured):
    """Outside lies a checkpoint that nobody in the house can take back."""
    size, sealed = measured["anchored"], measured["sealed"]
    if not size:
        return Row("anchored", "Anchored", None, "Nothing lies outside the house yet", wrong=True)
    more = f"; {sealed - size} sealed since then" if sealed > size else ""
    return Row("anchored", "Anchored", size, f"{ago(measured['anchored_seconds'] or 0)}{more}", wrong=sealed < size)


def _seen(visit, reader):
    """The log begins with what the auditor saw. Their own witness at home holds more: the house knows only what they
    recorded here."""
    if visit is None:
        return Row(
            "seen", "As you saw it", None, "You have recorded no visit yet", wrong=False, said="no visit of yours yet"
        )
    when = reader.moment(dt.datetime.fromisoformat(visit.at))
    if not visits.agrees(visit):
        words = f"It no longer begins with what you saw {when}: keep your export and compare it"
        return Row("seen", "NOT as you saw it", visit.size, words, wrong=True)
    words = f"The same root as at your visit, {when}"
    return Row("seen", "Begins as you saw it", visit.size, words, wrong=False, said="it begins as you saw it")


def _read_again(reader):
    """The house has looked through all that it wrote."""
    last = Inspection.objects.filter(kind=Inspection.Kind.ALL, ended_at__isnull=False).order_by("-ended_at").first()
    left, to = Finding.objects.open().count(), reverse("admin:audit_inspection_changelist")
    named = f"{left} difference{'s' if left != 1 else ''} not accepted" if left else "0 differences"
    if last is None:
        under_way = next((each for each in inspections.under_way() if each.kind == Inspection.Kind.ALL), None)
        share = f", {int(100 * inspections.share(under_way))}% of the first time" if under_way else ""
        return Row("read", "Read again", None, f"Not to its end yet{share}; {named}", wrong=bool(left), to=to)
    size = last.counts.get("entries")
    when = reader.moment(last.ended_at)
    return Row("read", "Read again", size, f"All of it, {when}, {named}", bool(left), to, f"read again {when}")
