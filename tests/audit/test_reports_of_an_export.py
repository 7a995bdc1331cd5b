"""Files of reports as a house gives them, held against its export: not one difference.

What is tampered with is found in `test_verify_reports.py`, on copies of these houses that are kept beside it. To keep
them anew, as a report is added: `RECORD_DAYS=1 pytest tests/audit/test_reports_of_an_export.py -m "not proof"`.
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

from ..support import factories
from ..support.exports import KEPT_DAYS, KEPT_DAYS_OF_PLAY
from ..tables.reports import test_of_play, test_recomputed

changed, played = test_recomputed.nights, test_of_play.nights
HOUSES = {"changed": KEPT_DAYS, "played": KEPT_DAYS_OF_PLAY}
WHOLE = 0
BY_CLOCK = {"exceptions", "investigations", "access-review", "disputes", "alarms"}


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


@pytest.fixture(scope="module", params=HOUSES)
def home(request, tmp_path_factory):
    """Of a house with two closed gaming days, and of today."""
    nights, folder = request.getfixturevalue(request.param), tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LOG_KEYS", str(folder / "keys"))
        patch.setattr(settings, "ANCHOR_FILE", str(folder / "outside" / "checkpoints"))
        patch.setattr(settings, "EXPORTS", str(folder / "exports"))
        keys.make()
        home = Home(folder, (nights, Period(nights.first, nights.first), Period(*[grading.today()] * 2)))
        home.kept = HOUSES[request.param]
        yield home


def test_each_file_of_closed_days_is_what_the_export_gives(home):
    paths = [path for (_, period), path in home.files.items() if period.last < grading.today()]
    code, told = home.judge(*paths)
    assert code == WHOLE, told
    assert told.count("  0 differences.") == len(paths) == 2 * len(REPORTS)
    assert not [line for line in told if line.startswith("  Not checked")]


def test_the_verifier_knows_each_report_by_its_columns():
    columns = {name: [column.name for column in report.filed] for name, report in REPORTS.items()}
    assert {name: [*form.columns] for name, form in verify_export.FORMS.items()} == columns


def test_the_house_is_kept(home):
    if "RECORD_DAYS" not in os.environ:
        return
    shutil.rmtree(home.kept, ignore_errors=True)
    home.kept.mkdir()
    shutil.copyfile(home.export / "entries.jsonl", home.kept / "entries.jsonl")
    for (name, period), path in home.files.items():
        # Reports by the clock have today: a house is not made in the past, its business dates are.
        is_asked = period.last == grading.today() if name in BY_CLOCK else period.first != period.last
        is_own = (name in test_of_play.NAMES) == (home.kept == KEPT_DAYS_OF_PLAY)
        if is_asked and is_own and path.read_bytes().count(b"\n") > 2:
            shutil.copyfile(path, home.kept / path.name)
