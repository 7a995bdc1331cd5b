"""What came since an auditor's last visit: exceptions, figures that changed after their day was closed, files given.

Each is bounded by two sizes of the log, the one that they saw then and the one that they see now.
"""

import datetime as dt
import functools
import json
from typing import NamedTuple

from django.db import connection
from django.urls import reverse

from audit import history, visits
from audit.models import Entry
from casino import gaming_day, money
from casino.models import Casino, Staff
from casino.settings_of_house import SETTINGS, UNITS

from ..models import GamingDay, ReportFile, Round, Table
from ..reports import grading, making, queries
from ..reports.catalogue import REPORTS
from ..reports.of_exceptions import EXCEPTIONS
from ..reports.of_tables import ADJUSTMENTS
from ..reports.period import MOST_DAYS, Period
from ..words import names
from ..words.timeline import NOTHING
from .wording import WORDING

MOST = 2_000
"""At most this many exceptions are looked at; the report lists the rest."""
SHOWN = 6
_ICONS = {
    "round.corrected": "undo",
    "round.voided": "fold",
    "slip.voided": "fold",
    "slip.returned": "back",
    "dispute.ruled": "scale",
    "setting.changed": "flag",
    "sheet.published": "flag",
    "table.sheet_set": "flag",
    "table.sheet_withdrawn": "flag",
}


class Span(NamedTuple):
    """What is shown: the leaves from `since` to before `size`; who looks, and how times and people appear to them."""

    since: visits.Since
    size: int
    reader: object
    decimals: int

    def within(self, entries, key):
        """Those that lie in the span, with their leaves: [(leaf, row), ...]."""
        leaves = visits.places([key(each) for each in entries])
        placed = [(leaves.get(key(each)), each) for each in entries]
        return [(leaf, each) for leaf, each in placed if leaf is not None and self.since.size <= leaf < self.size]

    def period(self):
        """The gaming days that the span touches, as far back as a report reaches."""
        today, casino = grading.today(), Casino.objects.get()
        first = gaming_day.gaming_day(
            dt.datetime.fromisoformat(self.since.at), zone=casino.time_zone, starts=casino.day_starts_at
        ) if self.since.at else today  # fmt: skip
        return Period(min(max(first, today - dt.timedelta(MOST_DAYS - 1)), today), today)

    def day(self, at):
        return self.reader.day(at).rsplit(" ", 1)[0]

    def person(self, staff):
        """A person in a narrow column: by name alone, for whoever reads names."""
        return staff.name if staff and self.reader.named else self.reader.person(staff)


# Exceptions


def exceptions(span):
    """The exceptions of the span, the newest first, with the leaf of each; and whether there are more than is looked
    at."""
    period = span.period()
    given = queries.parameters(period) | {"begins": span.since.at, "ends": "9", "most": MOST + 1}
    with connection.cursor() as cursor:
        cursor.execute(f"{EXCEPTIONS.sql} ORDER BY people.id DESC LIMIT %(most)s", given)
        columns = [column.name for column in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    placed = span.within(rows, lambda row: (row["chain"], row["seq"]))
    people = Staff.objects.in_bulk({row[name] for _, row in placed for name in ("asked_by", "approved_by")} - {None})
    called = names.called({row["subject"] for _, row in placed if row["subject"].startswith(("round:", "slip:"))})
    return [
        {
            "leaf": leaf,
            "icon": _ICONS.get(row["what"], "list"),
            "what": _what(row, called, span),
            "to": _way(row),
            "table": row["table"] or "House",
            "when": span.day(row["made_at"]),
            "people": [span.person(people[row[name]]) for name in ("asked_by", "approved_by") if row[name] in people],
            "alone": row["approved_by"] is None,
        }
        for leaf, row in placed
    ], len(rows) > MOST


def _what(row, called, span):
    """What happened, in words: `Round corrected: T1-00911`."""
    words, subject, detail = history.WORDS.get(row["what"], row["what"]), row["subject"], row["detail"]
    setting = SETTINGS.get(detail)
    if setting:
        before, after = (_value(setting, row[name], span) for name in ("before", "after"))
        if after:
            return WORDING("setting", setting=setting.label, before=before or NOTHING, after=after)
        return WORDING("setting:as_before", setting=setting.label, before=before or NOTHING)
    if subject in called:
        return WORDING("what", what=words, of=called[subject])
    return WORDING("what", what=words, of=detail) if detail and ":" not in detail else words


def _value(setting, text, span):
    if text is None:
        return ""
    return money.spell(int(text), span.decimals) if setting.unit == UNITS else " ".join([text, setting.unit])


def _way(row):
    """The page of a round or session, else that of the entry."""
    kind, _, number = row["subject"].partition(":")
    if kind in {"round", "session"} and number.isdecimal():
        return reverse(kind, args=[number])
    return reverse("admin:audit_entry_change", args=[row["entry_id"]])


# Figures that changed after their day was closed, as the report of adjustments has them.


def changed(span):
    """The tables and closed days whose win changed in the span: as closed, since then, and now."""
    entries = Entry.objects.filter(event="round.corrected", at__gte=span.since.at).order_by("at", "pk")
    made = [entry for _, entry in span.within(list(entries), lambda entry: (entry.chain_id, entry.seq))]
    facts = {}
    for entry in made:
        facts.setdefault(int(entry.subject.partition(":")[2]), []).append(history.facts(entry))
    rounds = Round.objects.filter(pk__in=facts).select_related("session", "table")
    dates = {round_.session.business_date for round_ in rounds}
    if not dates:
        return []
    days = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).in_bulk(dates, field_name="date")
    later, rows = _adjustments(min(dates)), {}
    for round_ in rounds:
        place = round_.session.business_date, round_.table_id
        if round_.session.business_date in days and any(each["subject"] == round_.ref for each in later.get(place, ())):
            row = rows.setdefault(place, {"rounds": [], "people": [], "table": round_.table})
            row["rounds"].append(round_)
            row["people"] += [each[name] for each in facts[round_.pk] for name in ("requester", "approver")]
    people = Staff.objects.in_bulk({int(ref.partition(":")[2]) for row in rows.values() for ref in row["people"]})
    return [
        _changed(days[place[0]], row, sum(each["units"] for each in later[place]), people, span)
        for place, row in sorted(rows.items(), reverse=True)
    ]


def _adjustments(first):
    """What later days changed for each table and day, from a day on: {(day, table): rows of the report}."""
    rows, later = queries.listed(ADJUSTMENTS, Period(first, max(first, grading.today()))), {}
    for row in rows:
        later.setdefault((row["of_date"], row["table_id"]), []).append(row)
    return later


def _changed(day, row, since, people, span):
    table = row["table"]
    closed = next((each["win"] for each in json.loads(day.figures)["tables"] if each["table"] == table.ref), None)
    rounds = row["rounds"]
    numbers = sorted({int(ref.partition(":")[2]) for ref in row["people"]} & people.keys())
    return {
        "day": span.day(dt.datetime.combine(day.date, dt.time(12), span.reader.zone)),
        "to": reverse("day-table", args=[day.pk, table.pk]),
        "table": table.code,
        "closed": "" if closed is None else _signed(closed, span),
        "units": since,
        "since": _signed(since, span),
        "round": reverse("round", args=[rounds[0].pk]) if len(rounds) == 1 else "",
        "now": "" if closed is None else _signed(closed + since, span),
        "people": [span.person(people[number]) for number in numbers],
    }


def _signed(units, span):
    return f"{'+' if units > 0 else ''}{money.spell(units, span.decimals)}"


def in_all(rows, span):
    """The sum of what changed."""
    return _signed(sum(row["units"] for row in rows), span)


# Files that were given


def given(span, shown=MOST):
    """The files of reports and the exports of the log that were made in the span, the newest first, and how many more
    than are shown."""
    entries = Entry.objects.filter(event__in=["report.made", "export.made"], at__gte=span.since.at)
    entries = list(entries.order_by("-at", "-pk")[: MOST + 1])
    placed = [entry for _, entry in span.within(entries, lambda entry: (entry.chain_id, entry.seq))]
    numbers = {int(entry.by.partition(":")[2]) for entry in placed if entry.by.startswith("staff:")}
    people, tables = Staff.objects.in_bulk(numbers), {table.ref: table.code for table in Table.objects.all()}
    files = ReportFile.objects.in_bulk({_file_of(entry) for entry in placed[:shown]} - {None})
    return [_given(entry, people, tables, files, span) for entry in placed[:shown]], max(0, len(placed) - shown)


def _file_of(entry):
    """The number of the file that an entry is about; None if it is about none."""
    kind, _, number = entry.subject.partition(":")
    return int(number) if kind == "report_file" and number.isdecimal() else None


def _given(entry, people, tables, files, span):
    facts = history.facts(entry)
    kind, _, number = entry.by.partition(":")
    row = {"by": span.person(people.get(int(number)) if kind == "staff" else None)}
    if entry.event == "export.made":
        of = tables.get(facts["what"]) or {"all": "everything", "period": "a period"}.get(facts["what"], "")
        to = reverse("admin:audit_export_changelist")
        what = WORDING("given.export", of=of)
        return row | {"what": what, "to": to, "grade": "whole", "digest": "", "check": ""}
    report, period = REPORTS.get(facts["what"]), Period.of(facts["period"])
    return row | {
        "what": ", ".join([report.title if report else facts["what"], _short(period)]),
        "form": facts.get("form", "csv").upper(),
        "to": reverse("report", args=[report.name, period]) if report else "",
        "grade": facts["grade"],
        "digest": f"{facts['digest'][:4]} {facts['digest'][4:8]}",
        "check": _check(files.get(_file_of(entry)), facts),
    }


def _short(period):
    """A period in a narrow column, without years.

    >>> [_short(Period.of(text)) for text in ("2026-11-26", "2026-11-25..2026-11-26", "2026-11")]
    ['26 Nov', '25 Nov to 26 Nov', 'November 2026']
    """
    if len(str(period)) < len("2026-11-26"):
        return period.words()
    first, last = (f"{day.day} {day:%b}" for day in (period.first, period.last))
    return first if first == last else WORDING("period", first=first, last=last)


def _check(file, facts):
    """Whether the file in the house still has the SHA-256 that the log has."""
    if file is None or "file" not in facts:
        return ""
    if file.status == ReportFile.Status.PRUNED:
        return "pruned"
    try:
        digest = _digest(making.place(file))
    except FileNotFoundError:
        return "gone"
    return "same" if digest == facts["file"] else "ANOTHER"


def _digest(path):
    """The SHA-256 of a file, worked out once until somebody touches the file."""
    stat = path.stat()
    # The system itself sets the time of change: whoever writes into a file can reset the other time, not this one.
    return _digest_of(path, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


@functools.lru_cache(maxsize=4 * SHOWN)
def _digest_of(path, *_):
    return making.digest_of(path)
