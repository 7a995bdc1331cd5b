"""`verify_export.py --report`: the files of reports worked out again from an export, and what is tampered with found.

The house and its files are kept as the product wrote them, see `test_reports_of_an_export.py`.
"""

import csv
import datetime as dt
import hashlib
import io

import pytest

from audit import verify_export as verifier

from ..support import exports
from ..support.desk import Desk
from ..support.exports import KEPT_DAYS

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
CLOCK = "Europe/Berlin/06:00"
FILES = {path.name: path.read_bytes() for path in sorted(KEPT_DAYS.glob("*.csv"))}
NAMES = {report: next(name for name in FILES if name.startswith(report)) for report in verifier.FORMS}
DAVID = "staff:8"


def told(at, event, subject, **facts):
    """An entry of the house's chain."""
    entry = {"at": at, "by": DAVID, "chain": "house", "event": event, "facts": facts, "prev": "", "seq": 0}
    return {**entry, "subject": subject, "terminal": None, "v": 1}


def kept_days(*more, without=lambda entry: False, change=lambda entry: entry):
    """The log of the house, which goes on two days later; then with more entries."""
    entries = exports.kept_night(KEPT_DAYS / "entries.jsonl")
    later = dt.datetime.fromisoformat(entries[-1]["at"]) + dt.timedelta(days=2)
    entries = [change(entry) for entry in entries if not without(entry)]
    entries = [*entries, told(exports.spelled(later), "history.read", "history", what="all"), *more]
    return exports.Log(exports.chained(entries), [len(entries)])


@pytest.fixture(scope="module")
def log():
    return kept_days()


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


def held(desk, log, *files, more=("--clock", CLOCK), export=None):
    """What comes of files, given by their names or as (name, bytes): the verifier's JSON with its `reports`."""
    words = []
    for file in files:
        name, data = (file, FILES[file]) if type(file) is str else file
        (desk.folder / name).write_bytes(data)
        words += ["--report", str(desk.folder / name)]
    return desk.report(export or log.all(), *words, *more)


def rows(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True))


def written(rows):
    """Rows as the house writes them; `None` in a list stands for none."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [*rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def digest_of(data):
    return hashlib.sha256(data).hexdigest()


def differences(desk, log, report, data, **options):
    """The differences of a changed file, without that of its SHA-256, which is always there."""
    told = held(desk, log, (NAMES[report], data), **options)
    (result,) = told["reports"]
    first, *rest = result["differences"]
    assert first.startswith(f"{NAMES[report]}: its SHA-256 is {digest_of(data)}, and the file of {report} of ")
    assert (told["verdict"], told["says"]) == ("tampered", first)
    return rest


# What is honest


def test_what_is_kept_is_what_was_written():
    for report, name in NAMES.items():
        assert written(rows(FILES[name])) == FILES[name], report


def test_each_file_of_a_house_is_what_its_export_gives(desk, log):
    told = held(desk, log, *FILES)
    assert (told["verdict"], told["looks"]["reports"]) == ("whole", f"{len(FILES)} files, 0 differences")
    assert len(FILES) == len(NAMES) == len(told["reports"])
    for result in told["reports"]:
        name = NAMES[result["report"]]
        assert (result["differences"], result["not_checked"]) == ([], [])
        assert (result["file"], result["digest"]) == (name, digest_of(FILES[name]))
        assert result["rows"] == len(rows(FILES[name])) > 0
        assert result["given"].startswith(f"given to {DAVID} at 20")


def test_people_read_what_came_of_a_file(desk, log):
    name = NAMES["master-game"]
    (desk.folder / name).write_bytes(FILES[name])
    code, lines = desk.judge(log.all(), "--report", str(desk.folder / name))
    (given,) = (entry for entry in log.entries if entry["facts"].get("digest") == digest_of(FILES[name]))
    first, last = rows(FILES[name])[0]["date"], rows(FILES[name])[-1]["date"]
    assert (code, lines[1:4]) == (
        WHOLE,
        [
            f"Report {name}, master-game of {first} to {last}: 4 rows,"
            f" given to {DAVID} at {given['at']} (house {given['seq']}).",
            "  0 differences.",
            "  Not in the log: the currency's decimals (the file has 2).",
        ],
    )


# What is tampered with


def other(cell, column, kind):
    """Another cell of the same kind."""
    if kind in {verifier.TIME, verifier.MOMENT}:
        at = dt.datetime.fromisoformat(cell or "2026-11-21T23:04:09+01:00")
        return (at + dt.timedelta(seconds=30)).isoformat()
    if kind == verifier.DATE:
        return (dt.date.fromisoformat(cell) + dt.timedelta(days=40)).isoformat()
    return {verifier.UNITS: "7.77", verifier.COUNT: "77", verifier.PERMILLE: "7.7", verifier.STAFF: "Staff 77"}.get(
        kind, "other"
    )


@pytest.mark.parametrize("report", NAMES)
def test_each_cell_that_is_changed_is_named_with_what_the_export_says(report, desk, log):
    form, name = verifier.FORMS[report], NAMES[report]
    place = len(rows(FILES[name])) // 2
    for column, kind in form.columns.items():
        changed = rows(FILES[name])
        before = changed[place][column]
        changed[place][column] = other(before, column, kind)
        found = differences(desk, log, report, written(changed))
        if column in form.key:
            line, *rest = found
            assert line.startswith(f"{name} line {place + 2}: the row of ")
            assert line.endswith(" is not what this export has.")
            (missing,) = rest
            assert missing.endswith(" is missing, and this export has it.")
            continue
        (sentence,) = found
        start = f"{name} line {place + 2}, {column}: {changed[place][column]} stands there, and the export says "
        assert sentence.startswith(start), sentence
        said = sentence.removeprefix(start).removesuffix(".")
        if kind in {verifier.TIME, verifier.MOMENT} and before:
            at = dt.datetime.fromisoformat(said)
            assert abs(at - dt.datetime.fromisoformat(before)) < dt.timedelta(seconds=2)
        else:
            assert said == (before.removeprefix("'") or "nothing")


@pytest.mark.parametrize("report", NAMES)
def test_a_row_that_is_missing_doubled_or_elsewhere_is_named(report, desk, log):
    name, whole = NAMES[report], rows(FILES[NAMES[report]])
    form, place = verifier.FORMS[report], len(whole) // 2

    def called(row):
        cells = ((column, row[column].removeprefix("'") or "nothing") for column in form.key)
        return f"the row of {', '.join(f'{column} {verifier.safe(cell)}' for column, cell in cells)}"

    missing = whole[:place] + whole[place + 1 :]
    assert differences(desk, log, report, written(missing)) == [
        f"{name}: {called(whole[place])} is missing, and this export has it."
    ]
    doubled = whole[: place + 1] + whole[place:]
    assert differences(desk, log, report, written(doubled)) == [
        f"{name} line {place + 3}: {called(whole[place])} stands there once too often."
    ]
    swapped = [*whole[: place - 1], whole[place], whole[place - 1], *whole[place + 1 :]]
    assert differences(desk, log, report, written(swapped)) == [
        f"{name} line {place + 2}: {called(whole[place - 1])} stands behind line {place + 1}, before which it belongs."
    ]
    assert differences(desk, log, report, written(whole).split(b"\n")[0] + b"\n") == [
        f"{name}: {called(row)} is missing, and this export has it." for row in whole
    ]
