"""Files of reports as a house gives them, held against its export: not one difference.

What is tampered with is found in `test_verify_reports.py`, on a copy of this house that is kept beside it. To keep it
anew, as a report is added: `RECORD_DAYS=1 pytest tests/audit/test_reports_of_an_export.py -m "not proof"`.
"""

import os
import shutil

import pytest
from django.conf import settings
from django.db import transaction

from audit import exports, keys, log, verify_export
from audit.models import Export
from casino.models import Casino
from tables.reports import files, grading
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period

from ..support import closed_days, factories, stack
from ..support.exports import KEPT_DAYS

WHOLE = 0
BY_CLOCK = {"exceptions"}


class Home:
    """What an auditor takes home: files of reports, an export, the keys and the anchor."""

    def __init__(self, folder, periods):
        self.folder, self.files = folder, {}
        for name, report in REPORTS.items():
            for period in periods:
                self.files[name, period] = self.make(name, report, period)
        with transaction.atomic():
            export = exports.ask(kind="all", by=factories.person("david"))
        while export.status == Export.Status.ASKED:
            exports.write_due(within=10)
            export.refresh_from_db()
        self.export = exports.folder(export)

    def make(self, name, report, period):
        """As the worker does, which makes no file of a day that is open."""
        path = self.folder / f"{name}-{period}.csv"
        with path.open("wb") as content:
            made = files.csv(report, period, content)
        facts = {"what": name, "period": str(period), "grade": "FINAL", "digest": made.digest}
        with transaction.atomic():
            actor = log.Actor(factories.person("david"))
            log.record("report.made", "reports", chain=log.HOUSE, actor=actor, facts=facts)
        return path

    def judge(self, *paths):
        house = Casino.objects.get()
        clock = f"{house.time_zone}/{house.day_starts_at:%H:%M}"
        words = [str(self.export), "--key", f"{settings.LOG_KEYS}/public", "--anchor", settings.ANCHOR_FILE]
        return verify_export.judge([*words, "--clock", clock, *(f"--report={path}" for path in paths)])


@pytest.fixture(scope="module")
def home(django_test_environment, django_db_blocker, tmp_path_factory):
    """Of a house with two closed gaming days, and of today."""
    folder = tmp_path_factory.mktemp("home")
    with (
        stack.clone(stack.SEEDED) as database,
        django_db_blocker.unblock(),
        stack.django_on(database),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(settings, "LOG_KEYS", str(folder / "keys"))
        patch.setattr(settings, "ANCHOR_FILE", str(folder / "outside" / "checkpoints"))
        patch.setattr(settings, "EXPORTS", str(folder / "exports"))
        keys.make()
        nights = closed_days.furnished()
        yield Home(folder, (nights, Period(nights.first, nights.first), Period(*[grading.today()] * 2)))


def test_each_file_of_closed_days_is_what_the_export_gives(home):
    paths = [path for (_, period), path in home.files.items() if period.last < grading.today()]
    code, told = home.judge(*paths)
    assert code == WHOLE, told
    assert told.count("  0 differences.") == len(paths) == 2 * len(REPORTS)
    assert not [line for line in told if line.startswith("  Not checked")]


def test_the_house_is_kept(home):
    if "RECORD_DAYS" not in os.environ:
        return
    shutil.rmtree(KEPT_DAYS, ignore_errors=True)
    KEPT_DAYS.mkdir()
    shutil.copyfile(home.export / "entries.jsonl", KEPT_DAYS / "entries.jsonl")
    for (name, period), path in home.files.items():
        # Reports by the clock have today: a house is not made in the past, its business dates are.
        if period.last == grading.today() if name in BY_CLOCK else period.first != period.last:
            shutil.copyfile(path, KEPT_DAYS / path.name)
