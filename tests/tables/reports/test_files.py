"""Files of reports: made once by a worker from the row alone, the same bytes each time, cancelled, killed, pruned."""

import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.db import connection, transaction
from django.test import Client
from pypdf import PdfReader

from audit.models import Entry
from casino import settings_of_house
from casino.errors import Refused
from casino.running import embedded
from tables.models import GamingDay, ReportFile
from tables.reports import about, files, grading, making, prints, queries, screens
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import report_files

from ...support import closed_days, factories, stack
from ...support.factories import actor, client, person, send

STATUS = ReportFile.Status
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.fixture(scope="module")
def nights(django_test_environment, django_db_blocker):
    with django_db_blocker.unblock(), stack.clone(stack.NIGHTS) as database, stack.django_on(database):
        factories.set_setting(0, name="report_files_forms")
        yield closed_days.closed()


@pytest.fixture(autouse=True)
def folder(request, settings, tmp_path):
    """Each test has a folder of its own, and no file that another test had made."""
    settings.REPORTS = str(tmp_path / "reports")
    yield tmp_path / "reports"
    prune_all()


def as_owner(*statements):
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute("ALTER TABLE tables_reportfile DISABLE TRIGGER USER")
        for statement in statements:
            owner.execute(statement)
        owner.execute("ALTER TABLE tables_reportfile ENABLE TRIGGER USER")
        owner.execute("ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER moves")
        owner.execute("ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER timed")
        owner.execute("ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER kept")
        owner.execute("ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER kept_truncate")


def prune_all():
    """As when the casino had kept them long enough."""
    ReportFile.objects.filter(status=STATUS.ASKED).update(status=STATUS.CANCELLED, ended_at="2026-01-01T00:00Z")
    as_owner("UPDATE tables_reportfile SET ended_at = ended_at - interval '9000 days' WHERE status = 'DONE'")
    if report_files.old().exists():
        with transaction.atomic():
            making.prune(actor=actor("ida", "frank"))


def ask(form="csv", report="master-game", *, period, by="clara"):
    return making.ask(report=report, period=str(period), form=form, by=person(by))


def made(form="csv", report="master-game", *, period, by="clara"):
    file = ask(form, report, period=period, by=by)
    making.make_due(within=60)
    file.refresh_from_db()
    return file


def bytes_of(file):
    return making.place(file).read_bytes()


def entries():
    found = Entry.objects.filter(event="report.made").order_by("seq")
    return [json.loads(entry.body) for entry in found]


@pytest.mark.parametrize("name", REPORTS)
def test_each_file_has_the_same_bytes_when_it_is_made_again(nights, name):
    before = len(entries())
    first = {form: made(form, name, period=nights, by="david") for form in ("csv", "xlsx", "pdf")}
    assert {file.status for file in first.values()} == {STATUS.DONE}
    content = {form: bytes_of(file) for form, file in first.items()}
    for form, file in first.items():
        assert file.file_digest == hashlib.sha256(content[form]).hexdigest()
        assert file.digest == first["csv"].digest
        assert file.size == len(content[form])
        # A file that is done is not made twice, whoever asks.
        assert ask(form, name, period=nights, by="ida") == file
    assert [
        (entry["by"], {name: entry["facts"].get(name) for name in ("what", "form", "digest", "file", "grade")})
        for entry in entries()[before:]
    ] == [
        (
            person("david").ref,
            {"what": name, "form": form, "digest": file.digest, "file": file.file_digest, "grade": "FINAL"},
        )
        for form, file in first.items()
    ]
    prune_all()
    assert not any(making.place(file).exists() for file in first.values())
    for form in ("pdf", "xlsx", "csv"):
        again = made(form, name, period=nights, by="ida")
        assert again != first[form]
        assert bytes_of(again) == content[form], form


def sheet(content, number):
    """A sheet of a workbook as (type, text) cells by their place, read by its own markup."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        assert {part.compress_type for part in parts.infolist()} == {zipfile.ZIP_STORED}
        assert {part.date_time for part in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        root = ElementTree.fromstring(parts.read(f"xl/worksheets/sheet{number}.xml"))
    assert not list(root.iter(f"{_SHEET}f")) + list(root.iter(f"{_SHEET}hyperlink"))
    return {
        cell.get("r"): (cell.get("t", "n"), "".join(cell.itertext()))
        for row in root.iter(f"{_SHEET}row")
        for cell in row.iter(f"{_SHEET}c")
        if "".join(cell.itertext())
    }


def test_a_workbook_has_the_rows_of_the_csv_cell_by_cell(nights):
    for name in ("master-game", "fills-and-credits", "count-sheets"):
        report = REPORTS[name]
        book = made("xlsx", name, period=nights)
        cells = sheet(bytes_of(book), 1)
        rows = list(files.rows(report, making.place(made("csv", name, period=nights))))
        assert book.rows_made == len(rows)
        letters = [chr(ord("A") + place) for place in range(len(report.filed))]
        for letter, column in zip(letters, report.filed, strict=True):
            assert cells.pop(f"{letter}1") == ("inlineStr", column.label)
        for number, row in enumerate(rows, 2):
            for letter, column, value in zip(letters, report.filed, row, strict=True):
                kind, text = cells.pop(f"{letter}{number}", (None, None))
                if value is None:
                    assert text is None
                elif column.kind in {"units", "count", "permille"}:
                    assert (kind, Decimal(text)) == ("n", Decimal(value))
                elif column.kind == "date":
                    assert kind == "n"
                else:
                    assert (kind, text) == ("inlineStr", value)
        assert not cells
        assert ("inlineStr", book.digest) in sheet(bytes_of(book), 2).values()


def test_a_print_says_its_rows_its_sums_and_the_digest_of_the_csv(nights):
    file = made("pdf", period=nights)
    reader = PdfReader(io.BytesIO(bytes_of(file)))
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert file.digest in text.replace("\n", "")
    _, totals = queries.sums(REPORTS["master-game"], nights, {})
    for name in ("opener", "drop", "closer"):
        assert f"{totals[name].units // 100:,}".replace(",", "\u2009") in text
    assert "FINAL" in text
    assert "Accounting, date" in text


def figures(part):
    """What the figures of a tagged print say to who does not see them."""
    part = part.get_object() if hasattr(part, "get_object") else part
    if not isinstance(part, dict):
        return []
    parts = part.get("/K", [])
    own = [part["/Alt"]] if part.get("/S") == "/Figure" else []
    return own + [said for each in (parts if isinstance(parts, list) else [parts]) for said in figures(each)]


def test_a_print_begins_with_a_sentence_and_its_chart_says_its_figures_in_words(nights):
    day = Period(nights.last, nights.last)
    reader = PdfReader(io.BytesIO(bytes_of(made("pdf", period=day))))
    shown = screens.shown(REPORTS["master-game"], day, person("david"), {}, 1)
    (said,) = figures(reader.trailer["/Root"]["/StructTreeRoot"])
    marks = [f"{mark['name']}: {mark['says']}" for mark in shown["chart"]["marks"]]
    assert len(marks) == 2
    assert said == f"{shown['chart']['title']}. {'; '.join(marks)}."
    text = reader.pages[0].extract_text()
    win, drop, hold = (shown["by_pit"]["sums"][name] for name in ("win", "drop", "hold"))
    sentence = f"The tables won {win} on a drop of {drop}: a hold of {hold} %."
    assert sentence in text
    # The sentence, the chart with its names, the rows, and the notes, in this order.
    places = [text.index(each) for each in (sentence, shown["chart"]["title"], "Sessions", "Notes", "Accounting")]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [name for name, report in REPORTS.items() if report.chart])
def test_the_chart_of_a_print_is_that_of_the_page(nights, name):
    """Its codes are those of the file, where the page has words."""
    report = REPORTS[name]
    paper = making.place(made("csv", name, period=nights))
    says = about.of(report, nights, "0" * 64)
    drawn = prints._chart(report, says, list(files.rows(report, paper)))
    chart = screens.shown(report, nights, person("david"), {}, 1)["chart"]
    assert bool(drawn) == bool(chart)
    for block in drawn:
        assert block["head"] == chart["title"]
        assert sorted(each.rpartition(": ")[2] for each in block["says"].removesuffix(".").split("; ")) == sorted(
            mark["says"] for mark in chart["marks"]
        )
        drawing = ElementTree.fromstring(block["svg"])
        marks = {"bars": "rect", "line": "circle", "moments": "circle"}[chart["kind"]]
        shapes = [each for each in drawing.iter() if each.tag.endswith(f"}}{marks}")]
        many = sum(len(row["dots"]) for row in chart["rows"]) if chart["kind"] == "moments" else len(chart["marks"])
        assert len(shapes) == many


def test_a_period_that_is_open_or_wrong_has_no_file(nights):
    today = grading.today()
    for report, period, form, code in (
        ("master-game", f"{today}", "csv", "report_not_final"),
        ("master-game", "2999", "csv", "report_to_come"),
        ("nothing", f"{nights}", "csv", "report_unknown"),
        ("master-game", f"{nights}", "docx", "report_form_unknown"),
        # A pit boss does not read of staff.
        ("access-review", f"{nights}", "csv", "report_unknown"),
        ("master-game", "soon", "csv", "report_period_wrong"),
    ):
        with pytest.raises(Refused) as refused:
            making.ask(report=report, period=period, form=form, by=person("clara"))
        assert refused.value.code == code
    assert not ReportFile.objects.filter(status=STATUS.ASKED).exists()


def test_a_file_is_cancelled_before_and_while_it_is_made(nights, folder, monkeypatch):
    file = ask(period=nights)
    with transaction.atomic():
        report_files.cancel(file_id=file.pk)
    assert making.make_due(within=60) == 0
    with pytest.raises(Refused, match="already cancelled"), transaction.atomic():
        report_files.cancel(file_id=file.pk)
    # A worker that has the row in hand and tells how far it is after each row: it learns there that nobody wants it.
    monkeypatch.setattr(files, "WATCHED", 1)
    monkeypatch.setattr(making, "TOLD_SECONDS", 0)
    late = ask("xlsx", period=nights)
    in_hand = ReportFile.objects.get(pk=late.pk)
    with transaction.atomic():
        report_files.cancel(file_id=late.pk)
    before = len(entries())
    making._make(in_hand)
    late.refresh_from_db()
    assert late.status == STATUS.CANCELLED
    assert not making.place(late).exists()
    assert not list(folder.rglob("*.part"))
    # Its CSV was wanted by nobody else, and is whole.
    assert [entry["facts"]["form"] for entry in entries()[before:]] == ["csv"]


def test_while_it_is_made_the_row_says_how_far(nights, monkeypatch):
    monkeypatch.setattr(files, "WATCHED", 1)
    monkeypatch.setattr(making, "TOLD_SECONDS", 0)
    file, told = ask(report="count-sheets", period=nights), []
    with making._Watch(file) as watch:
        for rows in (1, 2, 50):
            watch(rows)
            told.append(ReportFile.objects.get(pk=file.pk).rows_made)
    assert told == [1, 2, 50]
    making.make_due(within=60)
    file.refresh_from_db()
    assert (file.status, file.rows_made) == (STATUS.DONE, bytes_of(file).count(b"\n") - 1)


HOLDER = """
import fcntl, sys, time
lock = open(sys.argv[1], "w")
fcntl.flock(lock, fcntl.LOCK_EX)
open(sys.argv[2], "wb").write(b"half a fi")
print("held", flush=True)
time.sleep(600)
"""


def test_a_worker_that_is_killed_leaves_the_task_and_no_half_file(nights, folder):
    file = ask(period=nights)
    place = making.place(file)
    place.parent.mkdir(parents=True)
    part = place.with_suffix(".csv.part")
    command = [sys.executable, "-c", HOLDER, str(folder / ".lock"), str(part)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
        worker.stdout.readline()
        assert making.make_due(within=60) == 0
        assert not place.exists()
        worker.kill()
    assert making.make_due(within=60) == 1
    file.refresh_from_db()
    assert file.status == STATUS.DONE
    assert not part.exists()
    (folder / str(nights) / "stray.csv").write_text("x")
    part.write_bytes(b"half")
    making.sweep()
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def test_a_full_disk_is_a_sentence_and_leaves_nothing(nights, folder):
    file = ask(period=nights)
    part = making.place(file).with_suffix(".csv.part")
    part.parent.mkdir(parents=True)
    part.symlink_to("/dev/full")
    making.make_due(within=60)
    file.refresh_from_db()
    assert (file.status, file.failure) == (STATUS.FAILED, "The disk of the casino is full. Make room, then ask again.")
    assert list(part.parent.iterdir()) == []
    assert made(period=nights).status == STATUS.DONE


def test_rows_that_are_not_what_they_were_make_no_file(nights):
    file = ask(period=nights)
    digest, two = "0" * 64, [person(login).pk for login in ("ida", "frank")]
    as_owner(
        f"UPDATE tables_reportfile SET status = 'PRUNED', digest = '{digest}', file_digest = '{digest}', size = 1,"
        f" ended_at = now(), pruned_at = now(), pruned_by_id = {two[0]}, pruned_with_id = {two[1]} WHERE id = {file.pk}"
    )
    other = made(period=nights)
    assert other.status == STATUS.FAILED
    assert other.failure.startswith("The rows of these closed days aren’t those that the report was made of before.")
    as_owner(
        "UPDATE tables_reportfile SET digest = '', file_digest = '', size = NULL, status = 'FAILED', failure = 'x',"
        f" pruned_at = NULL, pruned_by_id = NULL, pruned_with_id = NULL WHERE id = {file.pk}"
    )


def test_a_file_that_is_lost_comes_back_when_another_is_made_of_it(nights):
    file = made(period=nights)
    content = bytes_of(file)
    making.place(file).unlink()
    assert client("clara").get(f"/reports/master-game/{nights}.csv").status_code == 410
    assert made("xlsx", period=nights).status == STATUS.DONE
    assert bytes_of(file) == content


def test_files_that_are_lost_are_put_back_within_the_hour(nights, folder):
    lost = [made(form, period=nights) for form in ("xlsx", "pdf", "csv")]
    content = {file: bytes_of(file) for file in lost}
    for file in lost:
        making.place(file).unlink()
    making.sweep()
    assert {file: bytes_of(file) for file in lost} == content
    making.place(lost[0]).unlink()
    as_owner(f"UPDATE tables_reportfile SET file_digest = '{'0' * 64}' WHERE id = {lost[0].pk}")
    making.sweep()
    assert not making.place(lost[0]).exists()
    assert not list(folder.rglob("*.part"))


def test_a_file_that_can_never_be_made_lets_those_behind_it_be_made(nights):
    """Of a report that an earlier program had; and of days that are closed and not over."""
    unknown = ask(period=nights)
    as_owner(f"UPDATE tables_reportfile SET report = 'of-before' WHERE id = {unknown.pk}")
    assert made(period=nights).status == STATUS.DONE
    unknown.refresh_from_db()
    assert unknown.status == STATUS.ASKED


def test_the_casino_has_the_files_of_each_closed_day_made_once(nights, monkeypatch):
    factories.set_setting(2, name="report_files_forms")
    making.make_due(within=300)
    days = GamingDay.objects.filter(status="CLOSED").values_list("date", flat=True)
    scheduled = ReportFile.objects.filter(asked_by=None, status=STATUS.DONE)
    assert {(file.report, file.period, file.form) for file in scheduled} == {
        (name, str(day), form) for name in REPORTS for day in days for form in ("csv", "xlsx")
    }
    assert all(making.place(file).exists() for file in scheduled)
    assert {entry["by"] for entry in entries()[-3:]} == {"system"}
    made_already = ReportFile.objects.count()
    making.make_due(within=300)
    assert ReportFile.objects.count() == made_already
    factories.set_setting(0, name="report_files_forms")


def test_what_two_people_prune_was_kept_long_enough(nights):
    file = made(period=nights)
    with pytest.raises(Refused, match=f"No file of a report is older than {_kept()} days."), transaction.atomic():
        making.prune(actor=actor("ida", "frank"))
    with pytest.raises(Refused) as same, transaction.atomic():
        making.prune(actor=actor("ida", "ida"))
    assert same.value.code == "same_person"
    as_owner(f"UPDATE tables_reportfile SET ended_at = ended_at - interval '{_kept() + 1} days' WHERE id = {file.pk}")
    answer = send(client("ida"), "/api/v1/report-files/prune/", {"signature": factories.signature("frank")})
    assert [each["status"] for each in answer.json()["files"]] == ["PRUNED"]
    assert not making.place(file).exists()
    entry = Entry.objects.filter(event="report.pruned").latest("seq")
    facts = json.loads(entry.body)["facts"]
    assert (facts["number"], facts["requester"], facts["approver"]) == (1, person("ida").ref, person("frank").ref)
    assert client("clara").get(f"/reports/master-game/{nights}.csv").status_code == 409


def _kept():
    return settings_of_house.value("report_files_days")


def test_a_program_reads_files_with_its_token_and_does_nothing_else(nights):
    file = made(period=nights)
    body = {"name": "accounting", "signature": factories.signature("frank")}
    given = client("ida").post("/api/v1/report-tokens/", body, content_type="application/json")
    assert given.status_code == 201
    shown = {"Authorization": f"Reports {given.json()['token']}"}
    program = Client(headers=shown)
    listed = program.get(f"/api/v1/report-files/?report=master-game&period={nights}").json()["files"]
    assert listed[0]["href"] == f"/reports/master-game/{nights}.csv"
    assert program.get(f"/api/v1/report-files/{file.pk}/").json()["digest"] == file.digest
    answer = program.get(listed[0]["href"])
    assert hashlib.sha256(b"".join(answer.streaming_content)).hexdigest() == file.digest
    entry = json.loads(Entry.objects.filter(event="records.read").latest("seq").body)
    assert (entry["by"], entry["facts"]) == ("system", {"what": file.ref, "range": {"token": "accounting"}})
    for path in ("/api/v1/tables/", "/api/v1/report-tokens/", "/api/v1/staff/", f"/reports/master-game/{nights}/"):
        assert program.get(path).status_code in {302, 401, 403}, path
    asked = {"report": "master-game", "period": str(nights), "form": "pdf"}
    for path, sent in (("/api/v1/report-files/", asked), (f"/api/v1/report-files/{file.pk}/cancel/", {})):
        assert send(program, path, sent).status_code in {401, 403}
    row = given.json()["id"]
    ended = send(client("ida"), f"/api/v1/report-tokens/{row}/end/", {"signature": factories.signature("frank")})
    assert ended.status_code == 200
    for path in ("/api/v1/report-files/", listed[0]["href"]):
        assert (program.get(path).status_code, program.get(path).json()["code"]) == (401, "token_unknown")
    events = Entry.objects.filter(event__startswith="report_token.").order_by("seq").values_list("event", flat=True)
    assert list(events) == ["report_token.given", "report_token.ended"]


def test_a_name_of_a_token_is_given_once(nights):
    with transaction.atomic():
        report_files.give_token(name="books", actor=actor("ida", "frank"))
    for name, code in (("books", "report_token_taken"), ("a b", "report_token_name_wrong")):
        with pytest.raises(Refused) as refused, transaction.atomic():
            report_files.give_token(name=name, actor=actor("ida", "frank"))
        assert refused.value.code == code
    with pytest.raises(Refused) as same, transaction.atomic():
        report_files.give_token(name="other", actor=actor("ida", "ida"))
    assert same.value.code == "same_person"


def test_the_page_shows_what_is_made_and_who_may_have_more(nights):
    page = client("clara").get(f"/reports/slip-numbers/{nights}/").content.decode()
    assert "Make CSV" in page
    file = ask("csv", "slip-numbers", period=nights)
    part = client("clara").get(f"/reports/slip-numbers/{nights}/files/").content.decode()
    assert "CSV is being made" in part
    assert f"/api/v1/report-files/{file.pk}/cancel/" in part
    making.make_due(within=60)
    assert (
        f'href="/reports/slip-numbers/{nights}.csv"'
        in client("clara").get(f"/reports/slip-numbers/{nights}/files/").content.decode()
    )
    listed = client("ida").get("/reports/files/").content.decode()
    assert f"/reports/slip-numbers/{nights}.csv" in listed
    assert "Give a token" in listed
    assert "Give a token" not in client("clara").get("/reports/files/").content.decode()


def test_periods_are_made_anew_by_anybody_on_another_machine(nights, tmp_path):
    """In another time zone and locale the report's bytes are these."""
    csv = bytes_of(made(period=nights))
    program = (
        "import django; django.setup()\n"
        "from tables.reports import files\nfrom tables.reports.catalogue import REPORTS\n"
        "from tables.reports.period import Period\nimport sys\n"
        f"files.csv(REPORTS['master-game'], Period.of('{nights}'), sys.stdout.buffer)\n"
    )
    url = stack.cluster().url(embedded.APP, connection.settings_dict["NAME"])
    env = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "casino.settings", "TZ": "Asia/Kolkata"}
    env |= {"PGTZ": "America/Lima", "PGDATESTYLE": "German", "LC_ALL": "C", "SECRET_KEY": "x" * 50}
    root = Path(__file__).resolve().parents[3]
    got = subprocess.run([sys.executable, "-c", program], cwd=root, env=env, capture_output=True, check=True)
    assert got.stdout == csv
    assert Period.of(str(nights)) == nights
