"""How fast reports are: each over one gaming day, with few days behind it and with years; and how fast their files are
made, and with how much memory: CSV beside a bare COPY, XLSX and PDF from the CSV.

The database makes up the files' rows, with one cell of each kind; the product's own functions write them.
"""

import datetime as dt
import logging
import os
import resource
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, transaction

from casino.running.progress import Progress
from casino.running.trial import TEMPLATE, Trial, django_on, new_folder
from tables.reports import about, files, prints, workbooks
from tables.reports.columns import DATE, Column, Kind, Report, table
from tables.reports.period import Period

from ..house import lay_out
from . import years

OF_COPY = 0.7
_PERIOD = Period(dt.date(2026, 1, 1), dt.date(2026, 12, 31))
_ROWS = """
    SELECT date '2026-01-01' + n / 4000 AS date, 'T' || mod(n, 20) AS "table",
        'F-2026-' || lpad(n::text, 7, '0') AS slip, CASE mod(n, 50) WHEN 0 THEN '=1+' || n ELSE 'flush' END AS category,
        (mod(n * 37::bigint, 100000) - 50000)::bigint AS units, mod(n, 7) AS number,
        timestamptz '2026-01-01 12:00+00' + n * interval '20 seconds' AS at, mod(n, 90) + 1 AS by
    FROM generate_series(1, {}) n
"""


class MadeUp(Report):
    """A report of some rows, which the database makes up."""

    @property
    def sql(self):
        return _ROWS.format(self.edition)


def made_up(rows):
    """The report of `rows` rows; its edition is their number."""
    return MadeUp(
        name="made-up",
        title="Made up",
        answers="How long it takes to write it.",
        order='filed.date, filed."table" COLLATE "C", filed.slip COLLATE "C"',
        columns=(
            DATE,
            table(),
            Column("slip", "Slip", Kind.ID, "the number"),
            Column("category", "Category", Kind.TEXT, "the category"),
            Column("units", "Amount", Kind.UNITS, "an amount", total=True),
            Column("number", "Number", Kind.COUNT, "a number", total=True),
            Column("at", "At", Kind.TIME, "a moment"),
            Column("by", "By", Kind.STAFF, "a person"),
        ),
        edition=rows,
    )


def add_arguments(parser):
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the CSV; default: 1,000,000")
    parser.add_argument("--xlsx", type=int, default=200_000, help="rows of the workbook; default: 200,000")
    parser.add_argument("--pdf", type=int, default=2_000, help="rows of the print; default: 2,000")
    parser.add_argument("--turns", type=int, default=3, help="how often two ways take turns; default: 3")
    parser.add_argument("--transfers", type=int, default=10_000_000, help="in the larger house; default: 10,000,000")
    parser.add_argument("--few", type=int, default=100_000, help="in the smaller house; default: 100,000")
    parser.add_argument("--days", type=int, default=1_000, help="gaming days of the larger house; default: 1,000")


def run(out, *, rows, xlsx, pdf, turns, transfers, few, days):
    """:raises CommandError: if CSV is written at less than 0.7 of the speed of a bare COPY, at best, or if
    a report over one day takes more than 200 ms, or twice as long as in the smaller house."""
    progress = Progress(out._out)
    # No line for each request, nor for bells that nobody hears.
    logging.disable(logging.WARNING)
    with new_folder() as folder, Trial(Path(folder)) as trial:
        settings.SECRET_KEY = trial.secret_key
        slow = years.measured(trial, progress, transfers=transfers, few=few, days=days, turns=turns)
        with django_on(trial.environment(TEMPLATE)["DATABASE_URL"]):
            of_copy = _files(progress, rows, xlsx, pdf, turns)
    faults = [f"These reports are slower than they may be: {', '.join(slow)}."] if slow else []
    if of_copy < OF_COPY:
        faults.append(f"CSV is written at less than {OF_COPY} of the speed of a bare COPY.")
    if faults:
        raise CommandError(" ".join(faults))


def _files(progress, rows, xlsx, pdf, turns):
    """Say what files take; return the speed of CSV relative to COPY."""
    lay_out(1)
    report, took = made_up(rows), {"COPY": [], "CSV": []}
    ways = [("COPY", _copied), ("CSV", files.csv)]
    for turn in range(turns):
        for what, write in ways if turn % 2 else reversed(ways):
            progress.show(turn, turns, what)
            took[what].append(_timed(lambda content, write=write: write(report, _PERIOD, content)))
    progress.end()
    best = {what: min(seconds) for what, seconds in took.items()}
    progress.say(
        f"CSV   {rows:>9,} rows {best['CSV']:6.1f} s, a bare COPY {best['COPY']:.1f} s:"
        f" {best['COPY'] / best['CSV']:.2f} of its speed; {_peak()} MB at most"
    )
    for form, count in (("XLSX", xlsx), ("PDF", pdf)):
        progress.say(f"{form:<5} {count:>9,} rows {_made(form, made_up(count)):6.1f} s; {_peak()} MB at most")
    return best["COPY"] / best["CSV"]


def _copied(report, period, content):
    """The same rows by COPY, as the database spells them."""
    with transaction.atomic(), connection.cursor() as cursor:
        select = f"SELECT * FROM ({report.sql}) filed ORDER BY {report.order}"  # noqa: S608 - of this module
        with cursor.copy(f"COPY ({select}) TO STDOUT (FORMAT csv, HEADER)") as pieces:
            for piece in pieces:
                content.write(piece)


def _timed(write):
    with tempfile.TemporaryFile() as content:
        begun = time.monotonic()
        write(content)
        os.fsync(content.fileno())
        return time.monotonic() - begun


def _made(form, report):
    """How many seconds a form takes, without its CSV."""
    with tempfile.NamedTemporaryFile() as paper:
        made = files.csv(report, _PERIOD, paper)
        paper.flush()
        says = about.of(report, _PERIOD, made.digest)
        if form == "PDF":
            return _timed(lambda content: content.write(prints.pdf(report, says, paper.name)))
        return _timed(lambda content: workbooks.write(report, says, paper.name, content, lambda rows: None))


def _peak():
    """The most memory that this process has had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
