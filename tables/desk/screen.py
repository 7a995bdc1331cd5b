"""The whole desk of one auditor, and their earlier visits, as primitives."""

import datetime as dt
from functools import reduce

from django.urls import reverse
from django.utils import timezone

from audit import log, samples, visits
from casino.models import Casino

from ..words import questions
from ..words.timeline import Reader
from . import line, rounds, standing
from .since import SHOWN, Span, changed, exceptions, given, in_all
from .wording import WORDING

VISITS = 20
# The things looked at, in words: one and several.
_LOOK = {
    "entries": "look.entries:one",
    "table": "look.table:one",
    "house": "look.house:one",
    "desk": "look.desk:one",
    "staff": "look.staff:one",
    "alarm": "look.alarm:one",
    "questions": "look.questions:one",
    "tips": "look.tips:one",
}
_LOOKS = {
    "entries": "look.entries",
    "table": "look.table",
    "house": "look.house",
    "desk": "look.desk",
    "staff": "look.staff",
    "alarm": "look.alarm",
    "questions": "look.questions",
    "tips": "look.tips",
}


def shown(staff, own=""):
    """The desk as it is now.

    :param own: the size and the root of a checkpoint, `SIZE:ROOT`, that the auditor's own witness has.
    """
    reader, casino, since = Reader.of(staff), Casino.objects.get(), visits.since(staff)
    stands = standing.of(staff, since, reader)
    compared = standing.compared(own.strip()[:120], stands.size)
    span = Span(since, stands.size, reader, casino.currency_decimals)
    exceptional, more = exceptions(span)
    changes, (files, more_files) = changed(span), given(span, SHOWN)
    drawn = next(iter(samples.of(staff, since.size)), None)
    period, new = span.period(), max(0, stands.size - since.size)
    return {
        "me": reader.person(staff),
        "whole": stands.whole,
        "says": _says(stands),
        "stands": stands.rows,
        "own": own.strip()[:120],
        "compared": compared,
        "clock": reader.clock(timezone.now()),
        "zone": reader.zone.key,
        "currency": casino.currency,
        "checkpoint": stands.size,
        "root": bytes(stands.checkpoint.root).hex() if stands.checkpoint else "",
        "new": new,
        "first": since.visit is None,
        "line": line.drawn(stands, span, exceptional),
        "exceptions": exceptional[:SHOWN],
        "exceptions_count": WORDING("more_than", count=len(exceptional)) if more else len(exceptional),
        "exceptions_more": max(0, len(exceptional) - SHOWN),
        "exceptions_to": reverse("report", args=["exceptions", period]),
        "first_days": visits.FIRST.days,
        "changed": changes,
        "changed_all": in_all(changes, span),
        "files": files,
        "files_more": more_files,
        "sample": drawn and _sample(drawn, span),
        "may_record": new > 0,
        "asked": questions.on_desk(staff),
    }


def _says(stands):
    """The sentence at the top, beside whether the log is whole."""
    if stands.checkpoint is None:
        return WORDING("says.unsealed")
    wrong = [row.label.lower() for row in stands.rows if row.wrong]
    if wrong:
        return WORDING("says.wrong", rows=", ".join(wrong))
    said = [row.said for row in stands.rows if row.said]
    return reduce(lambda one, other: WORDING("says.and", one=one, other=other), said) if said else ""


def _sample(drawn, span):
    date, size, root, number = drawn.seed.split("/")
    return {
        "seed": drawn.seed,
        "short": f"{date}/{size}/{root[:8]}…/{number}",
        "number": drawn.number,
        "of": drawn.of,
        "count": len(drawn.rounds),
        "rows": rounds.shown(drawn, span),
        "since": drawn.since,
        "checkpoint": drawn.checkpoint,
    }


def earlier(staff):
    """The visits of an auditor, the newest first, each with what they looked at since the visit before."""
    reader, made = Reader.of(staff), visits.of(staff, VISITS + 1)
    rows = []
    ends = log.spell_time(timezone.now())
    looked = visits.looks(staff, made[0].at if made else "", ends)
    for visit, before in zip(made, [*made, None][1:], strict=True):
        at = dt.datetime.fromisoformat(visit.at)
        rows.append(
            {
                "at": f"{reader.day(at)} {reader.clock(at)[:5]}",
                "size": visit.size,
                "new": visit.size - before.size if before else None,
                "root": " ".join(visit.root[place : place + 8] for place in range(0, 64, 8)),
                "same": visits.agrees(visit),
                "looks": _looks(visits.looks(staff, before.at if before else "", visit.at)),
                "to": reverse("admin:audit_entry_change", args=[visit.entry.pk]),
            }
        )
    return {"me": reader.person(staff), "zone": reader.zone.key, "rows": rows[:VISITS], "now": _looks(looked)}


def _looks(counts):
    """How often each thing was looked at, in words."""
    texts = []
    for kind, times in counts.items():
        what = kind.replace("_", " ")
        if times == 1:
            texts.append(WORDING(_LOOK[kind]) if kind in _LOOK else WORDING("look.other:one", what=what))
        elif kind in _LOOKS:
            texts.append(WORDING(_LOOKS[kind], count=times))
        else:
            texts.append(WORDING("look.other", count=times, what=what))
    return texts
