"""`verify_export.py --report`: the files of reports worked out again from an export, and what is tampered with found.

The house and its files are kept as the product wrote them, see `test_reports_of_an_export.py`.
"""

import csv
import datetime as dt
import functools
import hashlib
import io

import pytest

from audit import verify_export as verifier

from ..support import exports
from ..support.desk import Desk
from ..support.exports import KEPT_DAYS, KEPT_DAYS_OF_PLAY

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
CLOCK = "Europe/Berlin/06:00"
PATHS = {path.name: path for house in (KEPT_DAYS, KEPT_DAYS_OF_PLAY) for path in sorted(house.glob("*.csv"))}
FILES = {name: path.read_bytes() for name, path in PATHS.items()}
NAMES = {report: name for report in verifier.FORMS for name in FILES if name.startswith(f"{report}-2")}
DAVID = "staff:8"


def told(at, event, subject, **facts):
    """An entry of the house's chain."""
    entry = {"at": at, "by": DAVID, "chain": "house", "event": event, "facts": facts, "prev": "", "seq": 0}
    return {**entry, "subject": subject, "terminal": None, "v": 1}


def kept_days(*more, house=KEPT_DAYS, without=lambda entry: False, change=lambda entry: entry):
    """The log of the house, which goes on two days later; then with more entries."""
    entries = exports.kept_night(house / "entries.jsonl")
    later = dt.datetime.fromisoformat(entries[-1]["at"]) + dt.timedelta(days=2)
    entries = [change(entry) for entry in entries if not without(entry)]
    entries = [*entries, told(exports.spelled(later), "history.read", "history", what="all"), *more]
    return exports.Log(exports.chained(entries), [len(entries)])


@functools.cache
def log_of(house):
    return kept_days(house=house)


@pytest.fixture
def log(request):
    """Of the house whose report a test is about."""
    known = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    return log_of(PATHS[NAMES[known.get("report", "master-game")]].parent)


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


def held(desk, log, *files, more=("--clock", CLOCK), export=None):
    """What comes of files, given by their names or as (name, bytes): the verifier's JSON with its `reports`."""
    words = []
    for place, file in enumerate(files):
        name, data = (file, FILES[file]) if type(file) is str else file
        path = desk.folder / str(place) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        words += ["--report", str(path)]
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


def differences(desk, log, report, *changed, **options):
    """The differences of a changed file, without that of its SHA-256, which is always there; of several, of each."""
    told = held(desk, log, *((NAMES[report], data) for data in changed), **options)
    found = []
    for data, result in zip(changed, told["reports"], strict=True):
        first, *rest = result["differences"]
        assert first.startswith(f"{NAMES[report]}: its SHA-256 is {digest_of(data)}, and the file of {report} of ")
        found.append(rest)
    assert (told["verdict"], told["says"]) == ("tampered", told["reports"][0]["differences"][0])
    return found if len(changed) > 1 else found[0]


# What is honest


def test_what_is_kept_is_what_was_written():
    for report, name in NAMES.items():
        assert written(rows(FILES[name])) == FILES[name], report


@pytest.mark.parametrize("house", [KEPT_DAYS, KEPT_DAYS_OF_PLAY], ids=lambda house: house.name)
def test_each_file_of_a_house_is_what_its_export_gives(house, tmp_path):
    names = [name for name, path in PATHS.items() if path.parent == house]
    told = held(Desk(tmp_path, log_of(house)), log_of(house), *names)
    assert (told["verdict"], told["looks"]["reports"]) == ("whole", f"{len(names)} files, 0 differences")
    assert len(names) == len(told["reports"])
    for result in told["reports"]:
        name = NAMES[result["report"]]
        assert (result["differences"], result["not_checked"]) == ([], [])
        assert (result["file"], result["digest"]) == (name, digest_of(FILES[name]))
        assert result["rows"] == len(rows(FILES[name])) > 0
        assert result["given"].startswith(f"made for {DAVID} at 20")


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
            f" made for {DAVID} at {given['at']} (house {given['seq']}).",
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
    if kind == verifier.RANGE:
        # In the houses that are kept tables were open for moments, in which any pace is fast enough, but not any slow.
        return "0.1" if column == "pace" else f"9{cell}"
    if kind == verifier.SECONDS:
        return str(int(cell or 0) + 12)
    if kind == verifier.DATE:
        return (dt.date.fromisoformat(cell) + dt.timedelta(days=40)).isoformat()
    return {verifier.UNITS: "7.77", verifier.COUNT: "77", verifier.PERMILLE: "7.7", verifier.STAFF: "Staff 77"}.get(
        kind, "other"
    )


@pytest.mark.parametrize("report", NAMES)
def test_each_cell_that_is_changed_is_named_with_what_the_export_says(report, desk, log):
    form, name = verifier.FORMS[report], NAMES[report]
    place, files = len(rows(FILES[name])) // 2, []
    for column, kind in form.columns.items():
        changed = rows(FILES[name])
        changed[place][column] = other(changed[place][column], column, kind)
        files.append(changed)
    each = differences(desk, log, report, *map(written, files))
    for (column, kind), changed, found in zip(form.columns.items(), files, each, strict=True):
        before = rows(FILES[name])[place][column]
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
        elif kind == verifier.RANGE:
            least, _, most = said.partition(" to ")
            assert float(least) <= float(before) <= float(most)
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
    doubled = whole[: place + 1] + whole[place:]
    swapped = [*whole[: place - 1], whole[place], whole[place - 1], *whole[place + 1 :]]
    none = written(whole).split(b"\n")[0] + b"\n"
    files = (*map(written, (missing, doubled, swapped)), none)
    assert differences(desk, log, report, *files) == [
        [f"{name}: {called(whole[place])} is missing, and this export has it."],
        [f"{name} line {place + 3}: {called(whole[place])} stands there once too often."],
        [
            f"{name} line {place + 2}: {called(whole[place - 1])} stands behind line {place + 1}, before which it"
            " belongs."
        ],
        [f"{name}: {called(row)} is missing, and this export has it." for row in whole],
    ]


def test_no_more_than_a_hundred_differences_are_said_one_by_one(desk, log):
    name = NAMES["count-sheets"]
    changed = [row | {"number": "99", "units": "9.99"} for row in rows(FILES[name])]
    (desk.folder / name).write_bytes(written(changed))
    code, lines = desk.judge(log.all(), "--report", str(desk.folder / name))
    many = 2 * len(changed) + 1
    assert (code, lines[2]) == (TAMPERED, f"  {many} differences.")
    assert lines[103] == f"  And {many - 100} more."
    assert lines[102].endswith("line 51, number: 99 stands there, and the export says 3.")


def test_a_text_that_lacks_its_mark_or_has_one_too_many_is_the_same_text_and_another_file(desk, log):
    name = NAMES["drop-boxes"]
    bare = written([row | {"box": row["box"].removeprefix("'")} for row in rows(FILES[name])])
    assert bare != FILES[name]
    assert differences(desk, log, "drop-boxes", bare) == []


@pytest.mark.parametrize(("shift", "well"), [(11, True), (12, False), (-10, True), (-13, False)])
def test_a_time_is_that_of_its_entry_to_one_transaction(shift, well, desk, log):
    name, changed = NAMES["drop-boxes"], rows(FILES[NAMES["drop-boxes"]])
    at = dt.datetime.fromisoformat(changed[0]["counted_at"])
    changed[0]["counted_at"] = (at + dt.timedelta(seconds=shift)).isoformat()
    found = differences(desk, log, "drop-boxes", written(changed))
    assert [each.partition(":")[0] for each in found] == [f"{name} line 2, counted_at"] * (not well)


@pytest.mark.parametrize(("shift", "well"), [(0, True), (1, False), (-1, False)])
def test_a_moment_of_the_log_is_that_to_the_second(shift, well, desk, log):
    changed = rows(FILES[NAMES["exceptions"]])
    at = dt.datetime.fromisoformat(changed[0]["made_at"])
    changed[0]["made_at"] = (at + dt.timedelta(seconds=shift)).isoformat()
    found = differences(desk, log, "exceptions", written(changed)) if shift else []
    assert bool(found) is not well


@pytest.mark.parametrize("cell", ["", "2026", "2026-13-21T23:04:09+01:00", "2026-11-21 23:04:09+01:00", "now"])
def test_what_is_no_time_is_a_difference(cell, desk, log):
    changed = rows(FILES[NAMES["drop-boxes"]])
    changed[0]["mounted_at"] = cell
    (found,) = differences(desk, log, "drop-boxes", written(changed))
    assert f"mounted_at: {cell or 'nothing'} stands there" in found


def test_times_are_held_to_the_casino_s_clock_where_that_is_given(desk, log):
    changed, elsewhere = rows(FILES[NAMES["drop-boxes"]]), dt.timezone(dt.timedelta(hours=3))
    at = dt.datetime.fromisoformat(changed[0]["mounted_at"])
    changed[0]["mounted_at"] = at.astimezone(elsewhere).isoformat()
    assert differences(desk, log, "drop-boxes", written(changed), more=()) == []
    (found,) = differences(desk, log, "drop-boxes", written(changed))
    assert f"line 2, mounted_at: {changed[0]['mounted_at']} stands there" in found


def test_amounts_have_the_decimals_that_most_of_them_have(desk, log):
    changed = rows(FILES[NAMES["fills-and-credits"]])
    changed[3]["units"] = changed[3]["units"].replace(".", "")
    (found,) = differences(desk, log, "fills-and-credits", written(changed))
    assert found.endswith(
        f"units: {changed[3]['units']} stands there, and the export says {changed[3]['units'][:-2]}.00."
    )


# What is no report


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        ("master-game-2026-11-25.csv", b"date,table\n", " has the columns of no report: date,table."),
        ("master-game-2026-11-25.csv", b"", " has the columns of no report: ."),
        ("slip-numbers-2026-11-25.csv", b"\xff\n", " is no UTF-8."),
        ("slip-numbers-2026-11-25.csv", None, "slip-numbers-2026-11-25.csv line 2 has 1 cell, and not 9."),
        ("slip-numbers-2026-11-25.csv", '"a"b', "slip-numbers-2026-11-25.csv line 2 is no CSV: "),
        ("slip-numbers-2026-13-25.csv", "", "slip-numbers-2026-13-25.csv does not say of which days it is"),
        ("fills-2026-11-25.csv", "", "fills-2026-11-25.csv does not say of which days it is: say so with --period."),
    ],
)
def test_what_is_no_file_of_a_report_is_malformed(name, data, wanted, desk, log):
    header = FILES[NAMES["slip-numbers"]].split(b"\n")[0] + b"\n"
    if type(data) is not bytes:
        data = header + ("x\n" if data is None else data).encode()
    told = held(desk, log, (name, data))
    assert told["verdict"] == "malformed"
    assert wanted in told["says"]


def test_a_file_by_another_name_is_of_the_days_that_are_given(desk, log):
    name = NAMES["slip-numbers"]
    days = name.removeprefix("slip-numbers-").removesuffix(".csv")
    told = held(desk, log, ("mine.csv", FILES[name]), more=("--period", days))
    assert (told["verdict"], told["reports"][0]["period"]) == ("whole", days.replace("..", " to "))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--period", "2026-11-31"),
        ("--period", "2026-12..2026-11"),
        ("--clock", "Europe/Berlin"),
        ("--clock", "X/06:00"),
    ],
)
def test_a_wrong_option_is_malformed(option, value, desk, log):
    told = held(desk, log, NAMES["slip-numbers"], more=(option, value))
    assert (told["verdict"], value in told["says"]) == ("malformed", True)


def test_a_file_is_not_looked_at_where_the_export_is_tampered(desk, log):
    told = held(desk, log, NAMES["slip-numbers"], export=log.all(entries=7))
    assert (told["verdict"], told["gaps"]["reports"]) == (
        "tampered",
        "not worked out again, since the export is tampered",
    )
    assert "reports" not in told


# What the log says of the file


def test_a_file_that_the_log_knows_nothing_of_is_not_covered(tmp_path):
    log = kept_days(without=lambda entry: entry["event"] == "report.made")
    name = NAMES["drop-boxes"]
    told = held(Desk(tmp_path, log), log, name)
    (result,) = told["reports"]
    digest = digest_of(FILES[name])
    assert (told["verdict"], result["differences"], result["given"]) == ("not covered", [], None)
    assert told["says"] == f"{name}: the log here has no report.made with its SHA-256, {digest}."


def test_a_file_of_no_activity_may_have_been_given_for_other_days(tmp_path):
    """Its bytes are those of each day without any."""
    empty = FILES[NAMES["slip-numbers"]].split(b"\n")[0] + b"\n"
    given = told("2026-12-30T10:00:00.000000Z", "report.made", "reports")
    given["facts"] = {"what": "slip-numbers", "period": "2026-10-01", "grade": "FINAL", "digest": digest_of(empty)}
    log = kept_days(given, without=lambda entry: entry["facts"].get("what") == "slip-numbers")
    result = held(Desk(tmp_path, log), log, ("slip-numbers-2026-10-02.csv", empty))
    seq = len(log.of("house"))
    assert result["says"].endswith(f", {digest_of(empty)}, but for that of slip-numbers of 2026-10-01 (house {seq}).")
    assert (result["verdict"], result["reports"][0]["differences"]) == ("not covered", [])
    result = held(Desk(tmp_path, log), log, ("slip-numbers-2026-10-01.csv", empty))
    assert (result["verdict"], result["reports"][0]["given"]) == (
        "whole",
        f"made for {DAVID} at {given['at']} (house {seq})",
    )


# What an export does not have


def test_an_export_that_ends_before_a_day_was_closed_says_so(tmp_path):
    whole = kept_days()
    closings = [place for place, entry in enumerate(whole.entries) if entry["event"] == "day.closed"]
    days = [whole.entries[place]["facts"]["date"] for place in closings]
    log = kept_days(without=lambda entry: entry["event"] == "day.closed" and entry["facts"]["date"] == days[1])
    name = NAMES["fills-and-credits"]
    told = held(Desk(tmp_path, log), log, name)
    assert told["says"] == f"{name}: this export has not all of {days[1]}: ask for a newer one, of everything."
    assert (told["verdict"], told["reports"][0]["differences"]) == ("not covered", [])
    # What is of the other day is looked at.
    changed = rows(FILES[name])
    changed[0]["units"] = changed[-1]["units"] = "1.00"
    (found,) = differences(Desk(tmp_path, log), log, "fills-and-credits", written(changed))
    assert found.startswith(f"{name} line 2, units: 1.00 stands there")


def test_an_export_of_a_table_has_no_day_of_a_report(desk, log):
    name = NAMES["master-game"]
    told = held(desk, log, name, export=log.table("table:1"))
    days = [row["date"] for row in rows(FILES[name])]
    (result,) = told["reports"]
    assert (told["verdict"], result["differences"]) == ("not covered", [])
    assert result["not_checked"] == [
        f"the log here has no report.made with its SHA-256, {result['digest']}",
        f"this export has not all of {days[0]} to {days[-1]}: ask for a newer one, of everything",
    ]


def period(log, date):
    """An export from the begin of a gaming day to the log's end."""
    begins = next(entry["at"] for entry in log.entries if entry["facts"].get("business_date") == date)
    return log.period(begins, "2100-01-01T00:00:00.000000Z")


@pytest.mark.parametrize("report", ["master-game", "fills-and-credits", "slip-numbers", "count-sheets", "drop-boxes"])
def test_an_export_of_a_period_holds_its_days_but_the_first(report, desk, log):
    """The codes of tables, which were added before, are those of the rows that agree."""
    name, whole = NAMES[report], rows(FILES[NAMES[report]])
    first = whole[0]["date"]
    export = period(log, first)
    told = held(desk, log, name, export=export)
    (result,) = told["reports"]
    assert (told["verdict"], result["differences"]) == ("not covered", [])
    codes = "which table has which code, taken from the rows that agree: ask for an export of everything"
    assert result["not_checked"][:2] == [
        f"this export has not all of {first}: ask for a newer one, of everything",
        codes,
    ]


@pytest.mark.parametrize("report", ["fills-and-credits", "count-sheets"])
def test_of_a_period_a_table_has_the_code_of_most_of_its_rows(report, desk, log):
    whole = rows(FILES[NAMES[report]])
    last = max(place for place, row in enumerate(whole) if row["table"])
    whole[last]["table"] = "T3"
    (found,) = differences(desk, log, report, written(whole), export=period(log, whole[0]["date"]))
    assert found == f"{NAMES[report]} line {last + 2}, table: T3 stands there, and the export says T2."
    whole[last] |= {"table": "T2", "date": "2026-11-01"}
    (found, *_) = differences(desk, log, report, written(whole), export=period(log, whole[0]["date"]))
    assert found.startswith(f"{NAMES[report]} line {last + 2}, date: 2026-11-01 stands there")


def test_of_a_table_of_a_period_whose_rows_all_differ_nothing_is_known(desk, log):
    name, whole = NAMES["drop-boxes"], rows(FILES[NAMES["drop-boxes"]])
    whole[-1] |= {"table": "T3", "recorded": "1.00"}
    export = period(log, whole[0]["date"])
    told = held(desk, log, (name, written(whole)), export=export)
    (result,) = told["reports"]
    assert len(result["differences"]) == 1
    assert result["not_checked"][-1] == "this export has not all that table come of: ask for one of everything"


def test_a_report_of_days_together_is_not_looked_at_where_one_of_them_is_missing(desk, log):
    changed = rows(FILES[NAMES["statistics"]])
    changed[0]["year_win"] = "1.00"
    name = NAMES["statistics"]
    told = held(desk, log, (name, written(changed)), export=log.table("table:1"))
    (result,) = told["reports"]
    assert len(result["differences"]) == 0
    year = changed[0]["date"][:4]
    assert (
        f"this export has not all of {year}-01-01 to {changed[0]['date']}: ask for a newer one, of everything"
        in (result["not_checked"])
    )


@pytest.mark.parametrize("report", ["investigations", "access-review", "daily-exceptions"])
def test_what_stood_at_the_end_of_days_is_not_looked_at_without_the_clock(report, desk, log):
    (result,) = held(desk, log, NAMES[report], more=())["reports"]
    assert result["not_checked"] == ["which entries its days have: give the casino's --clock"]


def test_the_cage_of_a_period_is_not_known_and_what_it_sold_is(desk, log):
    name, changed = NAMES["chips-in-circulation"], rows(FILES[NAMES["chips-in-circulation"]])
    changed[1] |= {"cage": "1.00", "cashed": "1.00"}
    (found,) = differences(desk, log, "chips-in-circulation", written(changed), export=period(log, changed[0]["date"]))
    assert found == f"{name} line 3, cashed: 1.00 stands there, and the export says 400.00."


def test_of_the_clock_s_days_an_export_has_those_that_it_goes_beyond(desk, log):
    name = NAMES["exceptions"]
    date = rows(FILES[name])[0]["date"]
    last = exports.Log(log.entries[:-1], [log.size - 1])
    told = held(Desk(desk.folder, last), last, name)
    assert told["says"] == f"{name}: this export has not all of {date}: ask for a newer one, of everything."
    assert told["verdict"] == "not covered"


def test_without_the_clock_entries_between_the_first_row_and_the_last_are_held(desk, log):
    name, whole = NAMES["exceptions"], rows(FILES[NAMES["exceptions"]])
    told = held(desk, log, name, more=())
    assert told["says"] == f"{name}: which entries its days have: give the casino's --clock."
    assert (told["verdict"], told["reports"][0]["differences"]) == ("not covered", [])
    assert differences(desk, log, "exceptions", written(whole[1:-1]), more=()) == []
    (found,) = differences(desk, log, "exceptions", written([*whole[:5], *whole[6:]]), more=())
    assert found == f"{name}: the row of entry {whole[5]['entry']} is missing, and this export has it."


# What rows are worked out from


def register_of(*entries):
    register = verifier.Register()
    for entry in entries:
        register.take(entry)
    return register


def asked(register, *, days=None, clock=None):
    return verifier.Asked(register, days, clock, verifier.period_of("2026-11-21"))


def row_of(event, subject="round:7", *, chain="table:1", by="staff:1", terminal="T1-left", **facts):
    """The exception that an entry is, None if it is none."""
    entry = told("2026-11-21T05:10:00.500000Z", event, subject, **facts)
    register = register_of(entry | {"chain": chain, "by": by, "terminal": terminal, "seq": 12})
    rows = verifier._exceptions(asked(register))
    return rows[0] if rows else None


@pytest.mark.parametrize(
    ("event", "facts", "wanted"),
    [
        ("round.acted", {"ordinal": 1, "kind": "draw", "phase": "deal"}, None),
        (
            "round.acted",
            {"ordinal": 1, "kind": "draw", "approver": "staff:2"},
            {"detail": "draw", "approved_by": "staff:2"},
        ),
        ("series.closed", {"seats": []}, None),
        ("series.closed", {"approver": "staff:2"}, {"asked_by": "staff:1", "approved_by": "staff:2", "detail": None}),
        ("count.agreed", {"part": "closer", "signers": ["staff:3", "staff:4"]}, None),
        (
            "count.agreed",
            {"part": "closer", "signers": ["staff:3", "staff:4"], "reason": "hash"},
            {"detail": "closer", "asked_by": "staff:3", "approved_by": "staff:4"},
        ),
        (
            "sheet.published",
            {"sheet": "0123456789", "author": "staff:5", "signer": "staff:6"},
            {"detail": "01234567", "asked_by": "staff:5", "approved_by": "staff:6"},
        ),
        (
            "dispute.ruled",
            {"ruling": "STANDS", "clause": "house.3", "requester": "staff:5"},
            {"detail": "STANDS", "clause": "house.3", "asked_by": "staff:5", "approved_by": None},
        ),
        (
            "setting.changed",
            {"what": "limit", "before": 5, "after": {"b": True, "aa": [1, {"c": "é"}]}, "requester": "staff:9"},
            {"detail": "limit", "before": "5", "after": '{"b": true, "aa": [1, {"c": "é"}]}'},
        ),
        ("table.sheet_set", {"sheet": "ab", "from": "soon"}, {"from_at": None, "detail": "ab"}),
        (
            "table.sheet_withdrawn",
            {"sheet": "ab", "from": "2026-11-21T05:00:00.000000Z", "requester": "nobody", "approver": "staff:12"},
            {"from_at": "2026-11-21T05:00:00.000000Z", "asked_by": None, "approved_by": "staff:12"},
        ),
        ("round.held", {"requester": "staff:1"}, None),
        ("payment.left", {"kind": "draw", "requester": "staff:1", "approver": "staff:2"}, {"detail": None}),
        *((f"round.{each}", {"requester": "staff:3"}, {"asked_by": "staff:3"}) for each in ("released", "corrected")),
        ("session.resumed", {"requester": "staff:3"}, {"what": "session.resumed"}),
    ],
)
def test_an_exception_is_an_entry_with_who_asked_and_who_approved(event, facts, wanted):
    row = row_of(event, **facts)
    if wanted is None:
        assert row is None
        return
    assert {name: row[name] for name in wanted} == wanted
    assert (row["table"], row["entry"], row["terminal"]) == ("table:1", "table:1/12", "T1-left")
    assert row["date"] is verifier.UNKNOWN


def test_what_is_the_house_s_has_no_table_and_a_day_of_the_clock_begins_in_the_morning():
    clock = verifier._clock("Europe/Berlin/06:15")
    for at, date in (("2026-11-21T05:14:59.999999Z", "2026-11-20"), ("2026-11-21T05:15:00.000000Z", "2026-11-21")):
        register = register_of(told(at, "setting.changed", "setting:1", what="limit"))
        (row,) = verifier._exceptions(asked(register, clock=clock))
        assert (row["table"], row["date"]) == (None, date)


def slip(number, *, kind="fill", session="session:1", year=2026, units=100):
    facts = {"kind": kind, "number": number, "year": year, "session": session, "units": units, "requester": "staff:1"}
    return told("2026-11-21T20:00:00.000000Z", "slip.requested", f"slip:{kind}{number}", **facts)


class Kept:
    """As much of `Days` as slips need."""

    def __init__(self, kind):
        self.kind = kind


@pytest.mark.parametrize("kind", ["all", "period"])
def test_a_number_of_slips_that_is_missing_stands_on_the_day_of_the_next_one(kind):
    begun = [
        told("2026-11-21T20:00:00.000000Z", "session.begun", f"session:{place}", business_date=f"2026-11-2{place}")
        for place in (1, 2)
    ]
    slips = [slip(2), slip(5, session="session:2"), slip(1, kind="change"), slip(2, kind="credit", year=2025)]
    found = verifier._slip_numbers(asked(register_of(*begun, *slips), days=Kept(kind)))
    wanted = [("F", 2026, 1, 1), ("F", 2026, 3, 2), ("F", 2026, 4, 2), ("C", 2025, 1, 1)] if kind == "all" else []
    assert found == [
        {
            "date": f"2026-11-2{day}",
            "slip": f"{letter}-{year}-{number:06d}",
            "kind": {"F": "fill", "C": "credit"}[letter],
            "status": "MISSING",
        }
        for letter, year, number, day in wanted
    ]


def test_a_slip_is_as_far_as_its_entries_go():
    begun = told("2026-11-21T20:00:00.000000Z", "session.begun", "session:1", business_date="2026-11-21")
    steps = {"REQUESTED": (), "ISSUED": ("issued",), "RECEIVED": ("issued", "received"), "VOIDED": ("voided",)}
    for status, events in steps.items():
        went_on = [
            told("2026-11-21T20:01:00.000000Z", f"slip.{event}", "slip:fill1", slip="slip:1") for event in events
        ]
        (row,) = verifier._fills_and_credits(asked(register_of(begun, slip(1), *went_on)))
        assert (row["status"], row.get("fill")) == (status, 100 if status == "RECEIVED" else None)
        assert (row["slip"], row["issued_at"] is None) == ("F-2026-000001", "issued" not in events)


def test_what_one_of_two_has_counted_is_in_no_row_and_what_nobody_needs_to_count_has_one():
    begun = told("2026-11-21T20:00:00.000000Z", "cage.opened", "cage_shift:1", business_date="2026-11-21")
    head = {"of": "cage_shift:1", "part": "cage", "denominations": {}, "units": 0}
    counted = [
        told("2026-11-21T20:01:00.000000Z", "count.entered", f"count:{place}", **head, attempt=attempt, place=place)
        for attempt, place in ((1, 1), (1, 2), (2, 1))
    ]
    found = verifier._count_sheets(asked(register_of(begun, *counted)))
    assert [(row["attempt"], row["place"], row["units"], row["table"]) for row in found] == [
        (1, 1, 0, None),
        (1, 2, 0, None),
    ]
    assert not any("value" in row for row in found)


@pytest.mark.parametrize(
    "event", ["cage.opened", "session.begun", "slip.requested", "drop_box.mounted", "count.entered", "round.acted"]
)
def test_an_entry_that_can_not_be_read_is_tampered(event):
    with pytest.raises(verifier.Difference, match=f"slip:1: its {event} has not the form of one"):
        register_of(told("2026-11-21T20:00:00.000000Z", event, "slip:1", approver=7))


def test_a_step_that_can_not_be_read_is_tampered(tmp_path):
    def bare(entry):
        return entry | {"facts": {"drop_box": "drop_box:1"}} if entry["event"] == "drop_box.removed" else entry

    log, name = kept_days(change=bare), NAMES["drop-boxes"]
    found = held(Desk(tmp_path, log), log, name)
    assert found["verdict"] == "tampered"
    assert found["says"] == (
        f"{name}: drop-boxes can't be worked out: an entry that it comes of has not the form of one."
    )


class Closed:
    """As much of `Days` as daily exceptions need: a day that was closed at a time."""

    def __init__(self, date, at):
        self.days = {date: self}
        self.closed = verifier.Place("house", at, 1)


AT = "2026-11-21T23:00:00.000000Z"


def of_a_day(*more, closed=AT, clock=None):
    """The exceptions of a day at table:1 as (kind, amount or number, limit, the two), by their subjects."""
    begun = told("2026-11-21T19:00:00.000000Z", "session.begun", "session:1", business_date="2026-11-21")
    opened = told(
        "2026-11-21T19:00:01.000000Z",
        "round.opened",
        "round:1",
        session="session:1",
        game="split",
        sheet="0" * 64,
        number=1,
    )
    entries = [entry | {"chain": "table:1"} for entry in (begun, opened, *more)]
    found = verifier._daily_exceptions(asked(register_of(*entries), days=Closed("2026-11-21", closed), clock=clock))
    return {
        (row["subject"], row["kind"]): tuple(
            row.get(name) for name in ("units", "bound_units", "number", "bound", "measure", "one", "other", "case")
        )
        for row in found
    }


def test_daily_exceptions_are_those_that_were_known_when_the_day_was_closed():
    raised = told(AT, "alarm.raised", "alarm:1", alarm="alarm:1", kind="void_rate", of="session:1", value=9, limit=5)
    held = told(AT, "round.held", "round:1", requester="staff:2", approver="staff:3")
    corrected = told(AT, "round.corrected", "round:1", changes=[])
    voided = told(AT, "round.voided", "round:1", clause="split.36")
    assert of_a_day(raised, held, corrected, voided) == {
        ("session:1", "void_rate"): (None, None, 9, 5, "percent", None, None, None),
        ("round:1", "round_held"): (None, None, None, None, None, "staff:2", "staff:3", None),
        ("table:1", "voids"): (None, None, 1, None, "rounds", None, None, None),
        ("table:1", "corrections"): (None, None, 1, None, "rounds", None, None, None),
    }
    before = "2026-11-21T22:59:59.999999Z"
    assert [kind for _, kind in of_a_day(raised, held, corrected, voided, closed=before)] == ["voids"]
    other = told(AT, "alarm.raised", "alarm:2", alarm="alarm:2", kind="seal_late", of="session:1", value=9, limit=5)
    assert of_a_day(other) == {}


@pytest.mark.parametrize(("kind", "units"), [("closer_variance", -500), ("opener_variance", 700)])
def test_a_variance_has_its_limit_its_people_and_its_case(kind, units):
    event = "session.closed" if kind == "closer_variance" else "session.opened"
    step = told(AT, event, "session:1", business_date="2026-11-21", signers=["staff:5", "staff:6"])
    raised = told(AT, "alarm.raised", "alarm:1", alarm="alarm:1", kind=kind, of="session:1", value=units, limit=400)
    case = {"case": "case:1", "kind": "variance", "of": "session:1", "year": 2026, "number": 7}
    opened = told(AT, "case.opened", "case:1", **case)
    number = "V-2026-000007" if kind == "closer_variance" else None
    assert of_a_day(step, raised, opened) == {
        ("session:1", kind): (units, 400, None, None, None, "staff:5", "staff:6", number)
    }
    later = opened | {"at": "2026-11-22T00:00:00.000000Z"}
    assert of_a_day(step, raised, later)["session:1", kind][-1] is None


def setting(name, after, *, ref="setting:1", since="2026-11-21T10:00:00.000000Z"):
    return told(since, "setting.changed", ref, what=name, before=0, after=after, **{"from": since})


@pytest.mark.parametrize(("passes", "well"), [(None, False), (299, False), (300, True)])
def test_what_the_house_lets_pass_is_no_exception(passes, well):
    signed = {"people": ["staff:5", "staff:6"], "signers": ["staff:5", "staff:6"], "variance": -300}
    tips = told(AT, "tips.counted", "tips:2026-11-21", date="2026-11-21", **signed)
    cage = told(AT, "cage.closed", "cage_shift:1", business_date="2026-11-21", **signed)
    names = ("tips_variance_units", "cage_variance_units")
    known = [setting(name, passes, ref=f"setting:{place}") for place, name in enumerate(names)] * (passes is not None)
    later = [setting(name, 9, ref=f"setting:{name}", since="2026-11-22T10:00:00.000000Z") for name in names]
    row = (-300, passes or 0, None, None, None, "staff:5", "staff:6", None)
    wanted = {("tips:2026-11-21", "tips_variance"): row, ("cage_shift:1", "cage_variance"): row}
    assert of_a_day(*known, *later, tips, cage) == ({} if well else wanted)
    # What two withdrew before its moment never was.
    withdrawn = [entry | {"facts": {"what": entry["facts"]["what"], "before": passes}} for entry in known]
    wanted = dict.fromkeys(wanted, (-300, 0, *row[2:]))
    assert of_a_day(*known, *withdrawn, tips, cage) == wanted


@pytest.mark.parametrize(("minutes", "late"), [(14, False), (15, True)])
@pytest.mark.parametrize("ended", ["received", "returned"])
def test_a_slip_that_takes_long_is_an_exception(minutes, late, ended):
    issued = told("2026-11-21T20:01:00.000000Z", "slip.issued", "slip:fill1", issuer="staff:3")
    at = f"2026-11-21T20:{1 + minutes:02d}:59.000000Z"
    who = {"received": {"receiver": "staff:4"}, "returned": {"requester": "staff:4"}}[ended]
    came = told(at, f"slip.{ended}", "slip:fill1", **who)
    found = of_a_day(slip(1), issued, came)
    row = (None, None, minutes, 15, "minutes", "staff:3", "staff:4", None)
    wanted = {("slip:fill1", "slip_late"): row} if late else {}
    undone = {("table:1", "slips_undone"): (None, None, 1, None, "slips", None, None, None)}
    assert found == wanted | (undone if ended == "returned" else {})


@pytest.mark.parametrize(("hours", "late"), [(23, False), (24, True)])
def test_a_drop_box_that_waits_long_is_an_exception(hours, late):
    facts = {"session": "session:1", "business_date": "2026-11-21", "people": ["staff:1", "staff:2"]}
    removed = dt.datetime(2026, 11, 21, 20, 30, tzinfo=dt.UTC)
    ats = (
        "2026-11-21T20:00:00.000000Z",
        exports.spelled(removed),
        exports.spelled(removed + dt.timedelta(hours=hours)),
    )
    steps = [
        told(at, f"drop_box.{step}", "drop_box:1", **facts)
        for at, step in zip(ats, ("mounted", "removed", "counted"), strict=True)
    ]
    row = (None, None, hours, 24, "hours", "staff:1", "staff:2", None)
    assert of_a_day(*steps, setting("slip_minutes", 1)) == ({("drop_box:1", "drop_box_overdue"): row} if late else {})


def test_lock_outs_failed_logins_and_findings_are_of_the_clock_s_day():
    locked = told(AT, "staff.locked", "staff:9", staff="staff:9")
    failed = [
        told(at, "login.failed", "logins", minute=at, number=number)
        for at, number in ((AT, 40), ("2026-11-22T03:00:00.000000Z", 2))
    ]
    found = told(AT, "finding.named", "finding:1", inspection="inspection:1", of="round:81", what="round.status")
    assert of_a_day(locked, *failed, found) == {}
    assert of_a_day(locked, *failed, found, clock=verifier._clock(CLOCK)) == {
        ("staff:9", "lock_out"): (None, None, None, None, None, "staff:9", None, None),
        ("logins", "logins_failed"): (None, None, 42, None, "logins", None, None, None),
        ("round:81", "finding"): (None,) * 8,
    }


@pytest.mark.parametrize(("limit", "well"), [(None, True), (900_001, True), (900_000, False)])
def test_large_cash_is_what_a_box_bought_on_a_day_by_the_limit_of_its_last_buy_in(limit, well):
    box = {"session": "session:1", "business_date": "2026-11-21", "people": ["staff:1", "staff:2"]}
    mounted = [told(AT, "drop_box.mounted", f"drop_box:{number}", number=number, **box) for number in ("102", "101")]
    bought = [
        told(
            AT,
            "movement.made",
            f"movement:{place}",
            kind="buy_in",
            business_date="2026-11-21",
            box=1 + (place == 2),
            drop_box=f"drop_box:{drop_box}",
            people=people,
            transfer={"key": f"session:1:buy_in:{place}:1", "units": units, "debit": "drop_box:1", "credit": "float:1"},
        )
        for place, (units, drop_box, people) in enumerate(
            ((600_000, "102", ["staff:1"]), (300_000, "101", ["staff:1", "staff:2"]), (899_999, "101", ["staff:1"]))
        )
    ]
    known = [setting("large_cash_units", limit)] if limit else []
    found = verifier._large_cash(asked(register_of(*known, *mounted, *bought)))
    row = {"date": "2026-11-21", "table": "house", "box": 1, "units": 900_000, "bound": limit, "buy_ins": 2}
    row |= {"largest": 600_000, "signed": 1, "drop_boxes": "101, 102", "first_at": AT, "last_at": AT}
    assert found == ([] if well else [row])


def test_of_what_was_taken_back_it_is_the_error_of_whoever_entered_it():
    begun = told(AT, "session.begun", "session:1", business_date="2026-11-21")
    opened = told(AT, "round.opened", "round:1", session="session:1", game="split", sheet="0" * 64, number=1) | {
        "by": "staff:1"
    }
    acted = [
        told(AT, "round.acted", "round:1", ordinal=ordinal, kind=kind, **undoes) | {"by": by}
        for ordinal, kind, by, undoes in (
            (1, "ante", "staff:1", {}),
            (2, "undo", "staff:2", {"undoes": 1}),
            (3, "ante", "staff:2", {}),
            (4, "ante", "staff:1", {"undoes": 3}),
        )
    ]
    ruled = {"dispute": "dispute:1", "clause": "split.1", "requester": "staff:5"}
    disputes = [
        told(AT, "dispute.ruled", "round:1", **ruled | {"dispute": ref, "ruling": ruling})
        for ref, ruling in (("dispute:1", "upheld"), ("dispute:2", "refused"))
    ]
    register = register_of(begun, opened, *acted, *disputes)
    first, second = verifier._dealer_errors(asked(register, clock=verifier._clock(CLOCK)))
    assert first == {
        "staff": "staff:1", "number": 1, "rounds": 1, "undone": 1, "amended": 0, "voids": 0, "void_clauses": None,
        "corrections": 0, "upheld": 1, "errors": 1, "rate": 10_000,
    }  # fmt: skip
    assert (second["staff"], second["amended"], second["errors"], "rate" in second) == ("staff:2", 1, 1, False)


def test_a_hand_of_which_the_log_has_no_clauses_and_a_void_round_are_in_the_history():
    entries = [
        told(AT, "session.begun", "session:1", business_date="2026-11-21"),
        told(AT, "setting.changed", "table:1", what="table:1", after={"code": "X1", "pit": "pit:1"}),
    ]
    for number in (1, 2):
        facts = {"session": "session:1", "game": "bigtwo", "sheet": "0" * 64, "number": number}
        entries.append(told(AT, "round.opened", f"round:{number}", **facts) | {"chain": "table:1"})
    line = {"deal": {"1": ["4h", "3h"]}}
    entries.append(told(AT, "round.closed", "round:1", round=line, wagers=[{"box": 1, "kind": "ante", "units": 550}]))
    sums = {"staked": 550, "returned": 0, "paid": 0, "net": -550}
    payment = {"box": 1, "outcome": "lose", **sums}
    settled = {"generation": 1, "result": {"game": "bigtwo", "hands": {}}, "payments": [payment], "transfers": []}
    entries.append(told(AT, "round.settled", "round:1", sheet="0" * 64, **settled))
    entries.append(told(AT, "round.voided", "round:2", clause="bigtwo.9"))
    hand, void = verifier._hand_history(asked(register_of(*entries)))
    wanted = {"date": "2026-11-21", "table": "table:1", "game": "bigtwo", "sheet": "00000000", "played_at": AT}
    wanted |= {"croupier": DAVID, "wagers": "ante 5.50", "cards": "4h 3h", "outcome": "lose", "generation": 1, **sums}
    wanted |= {"round": "X1-00001", "box": 1, "settled_at": AT, "dealer": None, "category": None}
    assert {name: hand[name] for name in wanted} == wanted
    assert hand["clauses"] is verifier.ABSENT
    assert (void["round"], void["outcome"], void["clauses"]) == ("X1-00002", "void", "bigtwo.9")
    assert void["wagers"] is None


@pytest.mark.parametrize(
    ("shares", "clauses"),
    [
        ({"1": 501, "3": 500}, ["dynastia.4, house.1", "dynastia.10", "dynastia.4, house.1"]),
        ({"1": 500, "3": 500}, ["dynastia.4", "dynastia.10", "dynastia.4"]),
        ({"1": 1000}, ["dynastia.4", "dynastia.10", "dynastia.4"]),
        (None, ["dynastia.4", "dynastia.10", "dynastia.4"]),
    ],
)
def test_whoever_has_a_share_of_a_pot_that_leaves_chips_over_has_that_clause(shares, clauses):
    hands = {str(box): {"class": "set", "clauses": [f"dynastia.{10 if box == 2 else 4}"]} for box in (1, 2, 3)}
    result = {"game": "dynastia", "hands": hands} | ({"shares": shares} if shares else {})
    sums = {"staked": 400, "returned": 0, "paid": 0, "net": -400, "outcome": "lose"}
    facts = {"result": result, "generation": 1, "payments": [{"box": box, **sums} for box in (1, 2, 3)]}
    entry = {"at": AT, "facts": facts}
    assert [hand["clauses"] for hand in verifier._hands(entry, "round:1", facts, {}, [])] == clauses


@pytest.mark.parametrize("is_void", [False, True])
def test_pace_is_rounds_by_the_hours_of_the_clock_in_which_a_table_was_open(is_void):
    """From 22:30 to 0:15 by the clock, a round in the second hour."""
    spans = {"session.opened": "2026-11-21T21:30:00.000000Z", "session.closed": "2026-11-21T23:15:00.000000Z"}
    facts = {"session": "session:1", "game": "split", "sheet": "0" * 64, "number": 1}
    entries = [
        *(told(at, event, "session:1", business_date="2026-11-21") for event, at in spans.items()),
        told("2026-11-21T22:59:59.000000Z", "round.opened", "round:1", **facts),
        *[told(AT, "round.voided", "round:1", clause="split.36")] * is_void,
    ]
    found = verifier._pace(asked(register_of(*entries), clock=verifier._clock(CLOCK)))
    hours = [f"2026-11-{day}:00:00+01:00" for day in ("21T22", "21T23", "22T00")]
    assert [(row["hour"], row["minutes"], row["rounds"], row["voids"], row["game"]) for row in found] == [
        (hours[0], (29, 31, 0), 0, 0, None),
        (hours[1], (60, 61, 0), int(not is_void), int(is_void), "split"),
        (hours[2], (14, 16, 0), 0, 0, None),
    ]
    # Tenths: one in an hour.
    assert [row["pace"] for row in found] == [(0, 1, 1), (0, 1, 1) if is_void else (10, 11, 1), (0, 1, 1)]
    assert all("boxes" not in row for row in found)


def test_a_table_that_was_open_for_less_than_its_entries_may_be_late_has_any_pace():
    """Its row may have any part of a second, so a round may come to any number an hour."""
    facts = {"session": "session:1", "game": "split", "sheet": "0" * 64, "number": 1}
    entries = [
        told("2026-11-21T21:30:00.000000Z", "session.opened", "session:1", business_date="2026-11-21"),
        told("2026-11-21T21:30:01.000000Z", "session.closed", "session:1", business_date="2026-11-21"),
        told("2026-11-21T21:30:00.500000Z", "round.opened", "round:1", **facts),
    ]
    (row,) = verifier._pace(asked(register_of(*entries), clock=verifier._clock(CLOCK)))
    assert row["pace"] == (36_000 // 21, 36_000_000_001, 1)


def at_day(day, hour=12):
    return f"2026-11-{day:02d}T{hour:02d}:00:00.000000Z"


def person(event, day, ref="staff:7", *, subject=None, **facts):
    two = {"requester": "staff:1", "approver": "staff:2"} if "post" in event or event == "staff.left" else {}
    return told(at_day(day), event, subject or ref, staff=ref, **two | facts)


def reviewed(*entries):
    """The rows of the 21st: of each its person, state, role, pit, moments, and how many keys and lock-outs."""
    names = ("person", "state", "role", "pit", "posted_at", "ended_at", "ended_by", "passkeys", "apps", "lock_outs")
    found = verifier._access_review(asked(register_of(*entries), clock=verifier._clock(CLOCK)))
    return [(*(row[name] for name in names), row["changes"]) for row in found]


def test_the_access_review_has_each_posting_that_stood_and_who_works_here_without_one():
    posted = [person("staff.posted", day, role=role, **pit) for day, role, pit in (
        (1, "croupier", {"pit": "pit:1"}), (2, "croupier", {"pit": "pit:2"}), (3, "cage", {}), (25, "auditor", {}),
    )]  # fmt: skip
    ended = [person("staff.posting_ended", day, role=role, **pit) for day, role, pit in (
        (20, "croupier", {"pit": "pit:2"}), (21, "cage", {}), (22, "croupier", {"pit": "pit:1"}),
    )]  # fmt: skip
    keys = [
        person("credential.added", 4, subject="credential:1", kind="passkey"),
        person("credential.added", 4, subject="credential:2", kind="app"),
        person("credential.added", 5, subject="credential:3", kind="app"),
        person("credential.removed", 21, subject="credential:2"),
        person("staff.locked", 20),
        person("staff.locked", 21),
        person("staff.locked", 22),
    ]
    changes = "credential.removed, staff.posting_ended"
    assert reviewed(person("staff.added", 1), *posted, *ended, *keys) == [
        ("staff:7", "working", "croupier", "pit:1", at_day(1), None, None, 1, 1, 1, changes),
        ("staff:7", "working", "cage", None, at_day(3), at_day(21), "staff:1", 1, 1, 1, changes),
    ]
    assert reviewed(person("staff.added", 1)) == [("staff:7", "working", None, None, None, None, None, 0, 0, 0, None)]
    assert reviewed(person("staff.added", 22)) == []


@pytest.mark.parametrize(("left", "back", "rows"), [(20, None, 0), (21, None, 1), (22, None, 1), (19, 20, 1)])
def test_whoever_left_before_is_in_no_access_review_and_leaving_ends_what_they_were(left, back, rows):
    entries = [person("staff.added", 1), person("staff.posted", 2, role="cage"), person("staff.left", left)]
    found = reviewed(*entries, *([person("staff.returned", back)] if back else ()))
    assert len(found) == rows
    for _, state, role, _, _, ended, *_ in found:
        assert (state, role) == {21: ("left", "cage"), 22: ("working", "cage"), 19: ("working", None)}[left]
        assert ended == (at_day(21) if left == 21 else None)


@pytest.mark.parametrize(
    ("line", "generation", "kind"),
    [({}, 2, "correction"), ({"void": {"clause": "house.4"}}, 2, "void"), ({}, 3, "ruling")],
)
def test_what_a_later_day_changed_is_an_adjustment_of_the_day_of_its_round(line, generation, kind):
    begun = told(at_day(20), "session.begun", "session:1", business_date="2026-11-20")
    opened = told(at_day(20), "round.opened", "round:1", session="session:1", game="split", sheet="0", number=1)
    payments, result = (
        [{"box": 1, "net": 0, "staked": 0, "returned": 0, "paid": 0, "outcome": "fold"}],
        {"game": "split"},
    )
    transfers = [
        {"debit": "float:house", "credit": "patrons:house", "units": 700},
        {"debit": "patrons:house", "credit": "rake:house", "units": 200},
    ]
    settled = {"sheet": "0", "payments": payments, "result": result, "transfers": transfers}
    two = {"requester": "staff:5", "approver": "staff:6", "clause": "split.1"}
    cage = {"debit": "cage:house", "credit": "float:house", "units": 500, "key": "round:1:correction:1:1"}
    entries = [
        told(at_day(20), "round.settled", "round:1", generation=1, **settled),
        told(at_day(20), "round.corrected", "round:1", round=line, changes=[], **two),
        told(at_day(20), "round.settled", "round:1", generation=9, business_date="2026-11-20", **settled),
        told(at_day(21), "round.corrected", "round:1", round=line, changes=[], **two),
        told(at_day(21), "round.settled", "round:1", generation=generation, business_date="2026-11-21", **settled),
        told(at_day(21), "movement.made", "movement:1", kind="correction", business_date="2026-11-21", transfer=cage),
        told(at_day(21), "dispute.ruled", "round:1", dispute="dispute:1", generation=3, ruling="upheld", **two),
    ]
    (row,) = verifier._adjustments(asked(register_of(begun, opened, *entries)))
    assert row == {
        "date": "2026-11-21", "of_date": "2026-11-20", "table": "house", "subject": "round:1", "kind": kind,
        "generation": generation, "units": 500, "cage": 500, "clause": "split.1", "made_at": at_day(21),
        "asked_by": "staff:5", "approved_by": "staff:6", "place": 1,
    }  # fmt: skip
