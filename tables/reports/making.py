"""Files of reports made by a worker: the row is the task. A finished file lies in the folder of its period.

A file is written beside its place and moved there when it is whole. A worker killed on the way leaves the row as it is,
and the next one makes the file anew, with the same bytes.
"""

import contextlib
import errno
import fcntl
import hashlib
import logging
import time
from pathlib import Path

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction

from casino import settings_of_house
from casino.errors import Refused

from ..models import GamingDay, ReportFile
from ..verbs import report_files
from . import about, catalogue, files, grading, prints, workbooks
from .period import Period
from .wording import WORDING

logger = logging.getLogger(__name__)
STATUS, FORM = ReportFile.Status, ReportFile.Form
SCHEDULED = 31
"""How many of the newest closed days get the files of the schedule, if they have none."""
# The forms of each report that the casino has made when it closes a day, by the setting `report_files_forms`.
_FORMS = (FORM.CSV, FORM.XLSX, FORM.PDF)
TOLD_SECONDS = 1


class _CancelledError(Exception):
    """The file was cancelled."""


def ask(*, report, period, form, by):
    """Ask for a file of a report of a period that is FINAL.

    :param report: its name; `period` is its text, `form` one of `ReportFile.Form`, `by` whoever asks.
    :raises Refused: as `catalogue.find`, `Period.of`, `grading.final` and `report_files.ask`.
    """
    days, asked = Period.of(period), catalogue.find(report, by)
    grading.final(days, asked.since(days))
    return _ask(asked, days, form, by)


def _ask(report, period, form, by=None):
    return report_files.ask(
        report=report.name,
        edition=report.edition,
        period=str(period),
        first=period.first,
        last=period.last,
        form=form,
        by=by,
    )


def place(file):
    """Where a file lies."""
    return Path(settings.REPORTS) / file.period / file.name


def make_due(*, within):
    """Make what was asked for, the oldest first, for some seconds; return how many files. One process at a time."""
    until, made = time.monotonic() + within, 0
    schedule()
    with _alone() as alone:
        while alone and time.monotonic() < until and (file := _due()):
            _make(file)
            made += 1
    return made


def schedule():
    """Ask, once, for the files that the casino wants for each closed gaming day."""
    wanted = _FORMS[: settings_of_house.value("report_files_forms")]
    if not wanted:
        return
    days = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).order_by("-date")[:SCHEDULED]
    dates = {str(Period(day.date, day.date)): day.date for day in days}
    asked = ReportFile.objects.filter(asked_by=None, period__in=dates).values_list("period", flat=True).distinct()
    for period in sorted(dates.keys() - set(asked)):
        with transaction.atomic():
            for report in catalogue.REPORTS.values():
                for form in wanted:
                    _ask(report, Period.of(period), form)


def prune(*, actor):
    """Prune the files that were kept long enough, and remove them; return their ids.

    :raises Refused: as `report_files.prune`.
    """
    pruned = report_files.prune(actor=actor)
    transaction.on_commit(lambda: [place(file).unlink(missing_ok=True) for file in pruned])
    return [file.pk for file in pruned]


def sweep():
    """Remove from among the files what belongs to pruned files and to killed attempts, and put back what is missing."""
    with _alone() as alone:
        if not alone:
            return
        # Read once nobody else makes files: one made meanwhile would be missing here.
        kept = {place(file): file for file in ReportFile.objects.filter(status=STATUS.DONE)}
        for path in Path(settings.REPORTS).glob("*/*"):
            if path not in kept:
                path.unlink(missing_ok=True)
        for path, file in kept.items():
            if not path.exists():
                try:
                    restore(file)
                except (Refused, OSError):
                    logger.exception("%s was not put back", file.ref)


def _due():
    """The oldest file that was asked for and can be made: its period is FINAL. Each period is graded once, since files
    of a day that is closed before it is over wait for hours."""
    asked, final = ReportFile.objects.filter(status=STATUS.ASKED, report__in=catalogue.REPORTS), {}
    for file in asked.select_related("asked_by").order_by("pk"):
        period = Period(file.first, file.last)
        days = period, catalogue.find(file.report).since(period)
        if days not in final:
            final[days] = grading.of(*days).is_final
        if final[days]:
            return file
    return None


@contextlib.contextmanager
def _alone():
    """Whether no other process of this machine makes files; when ours ends, however it ends, another one may."""
    folder = Path(settings.REPORTS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _make(file):
    """Make a file, or record why that can't be: only what will be so at the next try, too. A missing database is not of
    that kind."""
    part = _part(file)
    try:
        _write(file, part)
    except _CancelledError:
        logger.info("report cancelled", extra={"file": file.ref})
    except Refused as refused:
        report_files.fail(file, f"{refused.message} {refused.way_out}")
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        logger.exception("%s was not made", file.ref)
        report_files.fail(file, WORDING("disk_full") if full else f"{type(error).__name__}: {error}")
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        # Whatever it is, it would be so at the next try, and the files behind it would wait for ever.
        logger.exception("%s was not made", file.ref)
        report_files.fail(file, f"{type(error).__name__}: {error}")
    finally:
        part.unlink(missing_ok=True)


def _write(file, part):
    with _Watch(file) as watch:
        rows, digest, file_digest = _written(file, part, watch)
    _refuse_other_bytes(file, digest)
    report, period = catalogue.find(file.report), Period(file.first, file.last)
    with transaction.atomic():
        size, grade = part.stat().st_size, grading.of(period, report.since(period)).grade.value
        if not report_files.done(file, rows=rows, digest=digest, file_digest=file_digest, size=size, grade=grade):
            raise _CancelledError
        part.replace(place(file))


def _written(file, part, watch):
    """Write the bytes of a file; return its number of rows, the digest of its CSV, and that of these bytes."""
    report, period = catalogue.find(file.report), Period(file.first, file.last)
    part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.form == FORM.CSV:
        with open(part, "wb") as content:
            made = files.csv(report, period, content, watch)
        return made.rows, made.digest, made.digest
    paper = _csv_of(file, report, period)
    says = about.of(report, period, paper.digest)
    with open(part, "w+b") as content:
        if file.form == FORM.XLSX:
            workbooks.write(report, says, place(paper), content, watch)
        else:
            content.write(prints.pdf(report, says, place(paper)))
    return paper.rows_made, paper.digest, digest_of(part)


def _csv_of(file, report, period):
    """The CSV that a file is made from; if there is none, it is made first."""
    paper = _ask(report, period, FORM.CSV, file.asked_by)
    if paper.status == STATUS.ASKED:
        _make(paper)
        paper.refresh_from_db()
    if paper.status != STATUS.DONE:
        if paper.failure:
            raise WORDING.refused("report_not_made:csv_failed", fault=paper.failure)
        raise WORDING.refused("report_not_made:csv")
    if not place(paper).exists() or digest_of(place(paper)) != paper.file_digest:
        restore(paper)
    return paper


def restore(file):
    """Put a file back that is no longer in its place: the same bytes.

    :raises Refused: `report_differs` if its days give other bytes now.
    """
    part = _part(file)
    try:
        *_, digest = _written(file, part, files.nobody)
        if digest != file.file_digest:
            raise _differs()
        part.replace(place(file))
    finally:
        part.unlink(missing_ok=True)


def _part(file):
    """The place where a file is written until it is whole."""
    return place(file).with_suffix(f".{file.form}.part")


def _refuse_other_bytes(file, digest):
    others = ReportFile.objects.filter(report=file.report, period=file.period, edition=file.edition)
    if others.exclude(digest__in=["", digest]).exists():
        raise _differs()


def _differs():
    return WORDING.refused("report_differs")


def digest_of(path):
    """The SHA-256 of a file."""
    with open(path, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


class _Watch:
    """Notes in the row how many rows are made, each second, on a connection of its own, since the file's is busy.

    Called with the number of rows; raises `_CancelledError` if the file was cancelled.
    """

    def __init__(self, file):
        self.file, self.beside, self.next = file, None, time.monotonic() + TOLD_SECONDS

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.beside:
            self.beside.close()

    def __call__(self, rows):
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + TOLD_SECONDS
        self.beside = self.beside or connection.copy()
        with self.beside.cursor() as cursor:
            cursor.execute(
                "UPDATE tables_reportfile SET rows_made = %s WHERE id = %s AND status = 'ASKED'", [rows, self.file.pk]
            )
            if not cursor.rowcount:
                raise _CancelledError
