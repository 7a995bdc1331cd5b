"""A house with a past, in a folder that `make up` starts from; then its reports, and what the verifier says."""

import contextlib
import datetime as dt
import io
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from audit import anchor, exports, keys, verify_export
from audit.models import Export
from casino import celery
from casino.gaming_day import DAY, gaming_day
from casino.models import Casino, Staff
from casino.running import embedded, stack
from casino.running.embedded import Failed, folders
from casino.running.progress import Progress
from casino.running.trial import Trial, django_on
from tables.lab.clock import Clock, adjustable
from tables.models import ReportFile
from tables.reports import making
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period

from .nights import Nights

AUDITOR = "david"
MOST_NIGHTS = 200
ZONE, STARTS = "Europe/Berlin", dt.time(6)


class Result(NamedTuple):
    """A report of the month: its rows, its SHA-256, and what the verifier objects to or could not check."""

    report: str
    rows: int
    digest: str
    differences: list[str]
    not_checked: list[str]


def run(folder, *, nights, seed, out):
    """Make the house and its reports.

    :param folder: `settings.DATA_DIR`, in which there is no house yet.
    :returns: a `Result` for each report.
    :raises Failed: if there is something in the folder, or a step fails.
    """
    progress = Progress(out)
    if folder.exists() and any(folder.iterdir()):
        raise Failed(f"{folder} is not empty; name a new folder with DATA_DIR.")
    stack.forget_foreign_settings()
    stack.make_folder(folder)
    with folders.lock(folder), _house(folder) as cluster:
        begun = time.monotonic()
        period = _live(cluster, nights, seed, progress)
        progress.say(f"  {nights} nights, {period}, in {time.monotonic() - begun:.0f} s")
        begun = time.monotonic()
        made = _files(period, progress)
        export = _export(progress)
        progress.say(
            f"  {len(made)} files and an export of {export.entries} entries in {time.monotonic() - begun:.0f} s"
        )
        begun = time.monotonic()
        results = _verified(export, made, progress)
        progress.say(f"  each worked out again from the export alone in {time.monotonic() - begun:.0f} s")
    return results


@contextlib.contextmanager
def _house(folder):
    """A database as `make up` makes one, with nobody in it; Django's own connections lead there."""
    home = folders.reachable(folder)
    stack.make_folder(home)
    # If the machine stops meanwhile, only a house is lost that nobody has seen yet.
    cluster = embedded.Cluster(home / "postgres", durable=False)
    cluster.start()
    try:
        cluster.ensure_roles()
        cluster.create_database(stack.DATABASE)
        url, sealing = (cluster.url(role, stack.DATABASE) for role in (embedded.APP, embedded.SEALER))
        trial = Trial(folder)
        as_owner = {"DATABASE_OWNER_URL": cluster.url(embedded.OWNER, stack.DATABASE), "DATABASE_URL": url}
        env = os.environ | as_owner | {"SECRET_KEY": trial.secret_key}
        trial.manage("migrate", "--database", "owner", "--no-input", "-v0", env=env)
        # Nobody hears the bell: the rounds are settled here.
        celery.app.conf.broker_url = "memory://localhost/"
        with django_on(url, sealer=sealing):
            yield cluster
    finally:
        cluster.stop()
        os.sync()
        stack.close_to_others(folder)


def _live(cluster, nights, seed, progress):
    """Play the nights up to yesterday; return their period."""
    with adjustable(cluster, stack.DATABASE):
        # The demo's own zone and start of the day, since it is not there yet.
        today = gaming_day(dt.datetime.now(dt.UTC), zone=ZONE, starts=STARTS)
        period = Period(today - nights * DAY, today - DAY)
        clock = Clock(dt.datetime.combine(period.first, dt.time(16), ZoneInfo(ZONE)).astimezone(dt.UTC))
        call_command("seed_demo", stdout=io.StringIO())
        keys.make()
        nights_ = Nights(clock, first=period.first, seed=seed)
        nights_.prepare()
        for number in range(nights):
            progress.show(number, nights, str(period.first + number * DAY))
            nights_.night(number)
        progress.end()
        clock.right()
    return period


def _files(period, progress):
    """Each report of the nights as CSV, which the auditor asks for and is made as the worker makes it."""
    auditor = Staff.objects.get(login=AUDITOR)
    with transaction.atomic():
        asked = [making.ask(report=name, period=str(period), form="csv", by=auditor) for name in REPORTS]
    files = ReportFile.objects.filter(pk__in=[file.pk for file in asked]).order_by("pk")
    while waiting := files.filter(status=ReportFile.Status.ASKED).count():
        progress.show(len(asked) - waiting, len(asked), "reports")
        making.make_due(within=0.5)
    progress.end()
    failed = files.exclude(status=ReportFile.Status.DONE).first()
    if failed:
        raise Failed(f"{failed.name} was not made. {failed.failure}")
    return list(files)


def _export(progress):
    """The whole log, sealed and anchored, as an auditor takes it home."""
    # From now on, something could be missing.
    Path(settings.ANCHOR_FILE).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with transaction.atomic():
        export = exports.ask(kind=Export.Kind.ALL, by=Staff.objects.get(login=AUDITOR))
    while export.status == Export.Status.ASKED:
        exports.write_due(within=2)
        export.refresh_from_db()
        progress.show(export.leaves_written, export.leaves or 0, "export")
    progress.end()
    if export.status == Export.Status.FAILED:
        raise Failed(f"{export} failed. {export.failure}")
    return export


def _verified(export, made, progress):
    """What the verifier says about each file. It runs in a process of its own, with the export, the public keys, the
    anchor and the file, and nothing of this program."""
    casino = Casino.objects.get()
    # In a folder by itself, so that it could not import the project even if it tried.
    words = [sys.executable, "-I", verify_export.__file__, exports.folder(export), "--json", "--jobs", "1"]
    words += ["--key", keys.folder() / keys.PUBLIC, "--anchor", anchor.path()]
    words += ["--clock", f"{casino.time_zone}/{casino.day_starts_at:%H:%M}"]

    def verified(file):
        done = subprocess.run(
            [*words, "--report", making.place(file), "--period", f"{file.first}..{file.last}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env={},
        )
        try:
            verdict = json.loads(done.stdout)
            (report,) = verdict["reports"]
        except (ValueError, KeyError):
            raise Failed(f"The verifier said nothing of {file.name}: {done.stderr or done.stdout}") from None
        wrong = [] if verdict["verdict"] == "whole" else [verdict["says"]]
        return Result(
            file.report, report["rows"], report["digest"], report["differences"] or wrong, report["not_checked"]
        )

    results = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for result in pool.map(verified, made):
            results.append(result)
            progress.show(len(results), len(made), result.report)
    progress.end()
    return results


def lines(results):
    """The table of results, and a sentence for each difference."""
    yield f"{'report':<24}{'rows':>8}  {'SHA-256':<14}{'differences':>11}"
    for result in results:
        yield f"{result.report:<24}{result.rows:>8,}  {result.digest[:12]:<14}{len(result.differences):>11}"
    for result in results:
        for line in (*result.differences, *result.not_checked):
            yield f"  {result.report}: {line}"
    differences = sum(len(result.differences) for result in results)
    yield f"{len(results)} reports, {differences} difference{'' if differences == 1 else 's'}."
