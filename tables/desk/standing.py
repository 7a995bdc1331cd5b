"""How the log stands, in words: sealed, anchored, as the auditor saw it, and looked through again."""

import datetime as dt
import re
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone

from audit import inspections, status, visits
from audit.models import Checkpoint, Finding, Inspection

from .wording import WORDING

_DAY = 86_400
_AGO = {_DAY: "ago.days:one", 3_600: "ago.hours", 60: "ago.minutes", 1: "ago.seconds"}
_VERIFIER = "verify_export.py"
_OWN = re.compile("([1-9][0-9]{0,17}):([0-9a-f]{64})", re.ASCII)


class Row(NamedTuple):
    """A line about the log's state: up to which entry, and since when, in words; `wrong` needs a person to look.

    `said` is its short form at the top, if all is well.
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

    It queries outside of a transaction, as `/readyz` does.
    """
    measured = status.of_log()
    newest = Checkpoint.objects.filter(size=measured["sealed"]).first()
    seconds = measured["anchored_seconds"]
    rows = _sealed(measured, newest), _anchored(measured), _seen(since.visit, reader), _read_again(reader)
    return Standing(newest, measured["anchored"], seconds or 0, rows)


def compared(own, size):
    """Compare what an auditor's own witness has with the log as it stands here: a row, None if nothing was given.

    :param own: `SIZE:ROOT`, the root in 64 hexadecimal digits, with spaces as printed.
    """
    if not own:
        return None
    known = _OWN.fullmatch(own.lower().replace(" ", ""))
    if known is None:
        return Row("own", "Your own", None, WORDING("own.unread", program=_VERIFIER), wrong=True)
    theirs, root = int(known[1]), known[2]
    if theirs > size:
        return Row("own", "Your own", theirs, WORDING("own.longer", size=size), wrong=True)
    if visits.root(theirs) != root:
        return Row("own", "NOT as your own", theirs, WORDING("own.other"), wrong=True)
    return Row("own", "Agrees with your own", theirs, WORDING("own.same"), wrong=False)


def ago(seconds):
    """How long ago, for people.

    >>> [ago(each) for each in (0, 38, 150, 7300, 200_000)]
    ['0 s ago', '38 s ago', '2 min ago', '2 h ago', '2 days ago']
    """
    if seconds >= 2 * _DAY:
        return WORDING("ago.days", count=seconds // _DAY)
    for unit in _AGO:
        if seconds >= unit:
            break
    return WORDING(_AGO[unit], count=seconds // unit)


def _sealed(measured, newest):
    """Whether a seal covers every entry, or how many wait for one."""
    if newest is None:
        return Row("sealed", "Sealed", None, WORDING("sealed.nothing"), wrong=True)
    unsealed, age = measured["unsealed"], max(0, int((timezone.now() - newest.at).total_seconds()))
    if not unsealed:
        words = WORDING("sealed", ago=ago(age))
    elif unsealed == 1:
        words = WORDING("sealed.waits:one", ago=ago(age))
    else:
        words = WORDING("sealed.waits", ago=ago(age), count=unsealed)
    reasons = " ".join(measured["reasons"])
    return Row("sealed", "Sealed", newest.size, reasons or words, wrong=bool(reasons) or measured["state"] == "late")


def _anchored(measured):
    """Whether a checkpoint lies outside, where nobody in the house can take it back."""
    size, sealed = measured["anchored"], measured["sealed"]
    if not size:
        return Row("anchored", "Anchored", None, WORDING("anchored.nothing"), wrong=True)
    words = ago(measured["anchored_seconds"] or 0)
    if sealed > size:
        words = WORDING("anchored.since", ago=words, count=sealed - size)
    return Row("anchored", "Anchored", size, words, wrong=sealed < size)


def _seen(visit, reader):
    """Whether the log begins with what the auditor saw. Their own witness at home proves more: the house knows only
    what they recorded here."""
    if visit is None:
        return Row("seen", "As you saw it", None, WORDING("seen.never"), wrong=False, said=WORDING("says.never_seen"))
    when = reader.moment(dt.datetime.fromisoformat(visit.at))
    if not visits.agrees(visit):
        words = WORDING("seen.other", at=when)
        return Row("seen", "NOT as you saw it", visit.size, words, wrong=True)
    words = WORDING("seen.same", at=when)
    return Row("seen", "Begins as you saw it", visit.size, words, wrong=False, said=WORDING("says.seen"))


def _read_again(reader):
    """Whether the house has looked through all that it wrote."""
    last = Inspection.objects.filter(kind=Inspection.Kind.ALL, ended_at__isnull=False).order_by("-ended_at").first()
    left, to = Finding.objects.open().count(), reverse("admin:audit_inspection_changelist")
    if left:
        named = WORDING("differences:one") if left == 1 else WORDING("differences", count=left)
    else:
        named = WORDING("differences:none")
    if last is None:
        under_way = next((each for each in inspections.under_way() if each.kind == Inspection.Kind.ALL), None)
        if under_way:
            percent = int(100 * inspections.share(under_way))
            words = WORDING("read.unfinished:share", percent=percent, differences=named)
        else:
            words = WORDING("read.unfinished", differences=named)
        return Row("read", "Read again", None, words, wrong=bool(left), to=to)
    size = last.counts.get("entries")
    when = reader.moment(last.ended_at)
    words = WORDING("read", at=when, differences=named)
    return Row("read", "Read again", size, words, bool(left), to, WORDING("says.read", at=when))
