"""A house with nights behind it, made by a command: its reports are what its export gives, and two whole stacks in two
time zones give the same bytes of them."""

import datetime as dt
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from casino.games.game import Refusal
from tables.lab import evenings
from tables.lab.month import nights, run
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period

from ...support.up import BASE_DIR, OURS, Person, Up
from ...support.waiting import until

NIGHTS = 3
# Each report that a token reads as CSV; of one every form, since all are made of the CSV in the same way.
ASKED = [
    *((name, "csv") for name, report in REPORTS.items() if report.right is None),
    ("master-game", "xlsx"),
    ("master-game", "pdf"),
]
# What a machine may have set otherwise than another: nothing of it is in a report.
AUCKLAND = {"TZ": "Pacific/Auckland", "PGTZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}
LOS_ANGELES = {"TZ": "America/Los_Angeles", "PGTZ": "UTC", "LANG": "C", "LC_ALL": "C"}


def month(folder, *options):
    """`manage.py month` in a folder, as a person runs it."""
    env = {name: value for name, value in os.environ.items() if name not in OURS} | {"DATA_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "manage.py", "month", *options],
        cwd=BASE_DIR,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_folder_in_which_something_lies_is_refused_and_stays(tmp_path):
    (tmp_path / "kept").write_text("")
    said = month(tmp_path)
    assert said.returncode == 1
    assert said.stderr == f"CommandError: {tmp_path} is not empty; name a new folder with DATA_DIR.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("number", ["0", "201"])
def test_so_many_nights_are_refused(tmp_path, number):
    said = month(tmp_path / "new", "--nights", number)
    assert said.stderr == f"CommandError: --nights {number}: it must be 1 to 200.\n"
    assert not (tmp_path / "new").exists()


def test_each_difference_and_all_that_was_not_checked_is_told():
    told = [
        *run.lines(
            [
                run.Result("master-game", 210, "ab" * 32, [], []),
                run.Result("statistics", 7, "cd" * 32, ["Row 1 is another."], ["The currency."]),
            ]
        )
    ]
    assert told[1:] == [
        "master-game                  210  abababababab            0",
        "statistics                     7  cdcdcdcdcdcd            1",
        "  statistics: Row 1 is another.",
        "  statistics: The currency.",
        "2 reports, 1 difference.",
    ]


@pytest.mark.parametrize("name", nights.EVENINGS.values())
def test_the_rounds_of_a_series_stay_together(name):
    """Each begins with nothing carried: the next one could be played at another table."""
    values, dealt = evenings.evening(name)
    game, together = evenings.game_of(name), [*nights.series(name)]
    assert [round_ for series in together for round_ in series] == dealt[: sum(map(len, together))]
    for series in together:
        state = game.start(game.sheet(values), series[0].seats, None)
        for action in series[0].actions:
            state = game.act(state, action)
            assert not isinstance(state, Refusal)


@pytest.fixture(scope="module")
def place():
    """A short path, since sockets lie below it, that every account can enter."""
    with tempfile.TemporaryDirectory(prefix="casino-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture(scope="module")
def made(place):
    """The folder of a house with a few nights behind it, and what the command said."""
    said = month(place / "made", "--nights", str(NIGHTS))
    assert said.returncode == 0, said.stdout + said.stderr
    return place / "made", said.stdout


@pytest.mark.proof
def test_each_report_of_the_nights_is_what_the_export_gives(made):
    _, said = made
    lines = said.splitlines()
    assert lines[-1] == f"{len(REPORTS)} reports, 0 differences."
    told = dict(
        re.fullmatch(r"(\S+) +([0-9,]+)  [0-9a-f]{12} +0", line).groups() for line in lines[-len(REPORTS) - 1 : -1]
    )
    assert [*told] == [*REPORTS]
    # Whatever a report is about happened: where nothing stands nothing was worked out.
    assert [name for name, rows in told.items() if rows == "0"] == []


def files_of(house, period):
    """The bytes of what is asked for over REST, fetched by a program with its token."""
    with house:
        house.ready()
        administrator, auditor = (Person(house, login) for login in ("ida", "david"))
        signature = {"login": "frank", "password": house.logins["frank"]}
        token = administrator.post("/api/v1/report-tokens/", {"name": "accounts", "signature": signature})["token"]
        for name, form in ASKED:
            auditor.post("/api/v1/report-files/", {"report": name, "period": str(period), "form": form})
        program = Program(house, token)

        def done():
            listed = program.json(f"/api/v1/report-files/?period={period}")["files"]
            assert not [each for each in listed if each["failure"]]
            return len(listed) == len(ASKED) and all(each["href"] for each in listed) and listed

        fetched = {each["href"]: program.get(each["href"]) for each in until(done, ask=0.5)}
        house.end()
        assert house.ended() == 0
    return fetched


class Program(Person):
    """Another program, which has a token of reports and nothing else."""

    def __init__(self, stack, token):
        super().__init__(stack, None)
        self.token = token

    def headers(self, **more):
        return {"Authorization": f"Reports {self.token}", **more}

    def get(self, path):
        answer, data = self.send("GET", path)
        assert answer.status == 200, data
        return data

    def json(self, path):
        return json.loads(self.get(path))


@pytest.mark.proof
def test_two_stacks_in_two_time_zones_give_the_same_bytes(made, place):
    folder, _ = made
    first = dt.date.fromisoformat(re.search(r"nights, ([0-9-]{10})\.\.", made[1])[1])
    # Of these days nobody has made a file yet.
    period = Period(first, first + dt.timedelta(1))
    given = []
    for name, machine in (("auckland", AUCKLAND), ("los-angeles", LOS_ANGELES)):
        subprocess.run(["cp", "-a", folder, place / name], check=True)
        given.append(files_of(Up(place / name, **machine), period))
    one, other = given
    assert len(one) == len(ASKED)
    assert [path for path in one if one[path] != other[path]] == []
    assert one.keys() == other.keys()
