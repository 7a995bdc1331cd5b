"""Five thousand texts that a spreadsheet would make something else of go into a report and come back as they are."""

import csv as comma_separated
import datetime as dt
import io
import os
import re
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest

from casino.errors import Refused
from casino.running import embedded
from tables.reports import about, files, prints, workbooks
from tables.reports.columns import Column, Kind, Report
from tables.reports.period import Period

from ...support import cells, proof, stack

PERIOD = Period(dt.date(2026, 11, 21), dt.date(2026, 11, 21))
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Texts(Report):
    """A report of the rows of a table that no house has."""

    sql = "SELECT * FROM hostile"


REPORT = Texts(
    name="hostile",
    title="Hostile texts",
    answers="Whether they are texts still.",
    order="filed.number",
    columns=(
        Column("number", "Number", Kind.COUNT, "its place"),
        Column("text", "Text", Kind.TEXT, "the text"),
        Column("id", "ID", Kind.ID, "the text as a number of something"),
    ),
)


@pytest.fixture(scope="module")
def texts(django_test_environment, django_db_blocker):
    listed = cells.hostile()
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        with stack.cluster().connect(embedded.OWNER, database) as owner:
            owner.execute("CREATE TABLE hostile (number bigint, text text, id text)")
            owner.execute("GRANT SELECT ON hostile TO casino_app")
            with owner.cursor() as cursor, cursor.copy("COPY hostile FROM STDIN") as rows:
                for number, text in enumerate(listed, 1):
                    rows.write_row((number, text, text))
        yield listed


@pytest.fixture(scope="module")
def paper(texts, tmp_path_factory):
    """The report as CSV."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.csv"
    with open(path, "wb") as content:
        files.csv(REPORT, PERIOD, content)
    return path


def test_there_are_five_thousand_of_each_kind(texts):
    assert len(texts) == len(set(texts)) >= 5_000
    kinds = {cells.becomes(text) for text in texts}
    assert kinds == {"formula", "link", "number", "date", "truth", ""}


def test_no_cell_of_a_csv_becomes_what_it_is_not(texts, paper):
    head, *records = cells.records(paper.read_bytes().decode("utf-8"))
    assert head == ["number", "text", "id"]
    assert [record[0] for record in records] == [str(number) for number in range(1, len(texts) + 1)]
    for text, (_, one, other) in zip(texts, records, strict=True):
        assert one == other
        assert cells.becomes(one) == "", text
        assert one.removeprefix("'") == text
    assert [row[1:] for row in files.rows(REPORT, paper)] == [[text or None] * 2 for text in texts]


def workbook(paper):
    content = io.BytesIO()
    workbooks.write(REPORT, about.of(REPORT, PERIOD, "0" * 64), paper, content, lambda rows: None)
    return content.getvalue()


def meant(text):
    """A text of a workbook's markup: `_x0041_` is a character there (ECMA-376, 22.9.2.19)."""
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda match: chr(int(match[1], 16)), text)


def test_in_a_workbook_each_is_a_text_to_the_letter(texts, paper):
    with zipfile.ZipFile(io.BytesIO(workbook(paper))) as parts:
        markup = parts.read("xl/worksheets/sheet1.xml")
        assert not [name for name in parts.namelist() if "_rels/sheet1" in name]
    root = ElementTree.fromstring(markup)
    assert not [*root.iter(f"{_SHEET}f"), *root.iter(f"{_SHEET}hyperlink")]
    rows = [
        [(cell.get("t", "n"), meant("".join(cell.itertext()))) for cell in row] for row in root.iter(f"{_SHEET}row")
    ][1:]
    for number, (text, row) in enumerate(zip(texts, rows, strict=True), 1):
        assert row == [("n", str(number)), *[("inlineStr", text)] * 2], text


# What LibreOffice makes of each column of a CSV whose kind it is left to guess, dates and numbers with marks included:
# commas, double quotes, UTF-8, from the first line on, in a language.
CSV_IN = "CSV:44,34,76,1,,{},false,true"
ENGLISH, GERMAN = 1033, 1031


def reopened(path, folder, *options):
    """A file as LibreOffice saves it once it has opened it, as a workbook: the rows of its first sheet, each cell its
    type and its text; and whatever in it is more than a value."""
    soffice = shutil.which("soffice")
    if soffice is None:
        pytest.skip("LibreOffice is not installed: libreoffice-calc-nogui.")
    out = folder / "reopened"
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    done = subprocess.run(
        [soffice, "--headless", profile, *options, "--convert-to", "xlsx", "--outdir", out, path],
        env=os.environ | {"HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    made = out / f"{path.stem}.xlsx"
    assert made.exists(), done.stdout + done.stderr
    with zipfile.ZipFile(made) as parts:
        root = ElementTree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
        strings = ElementTree.fromstring(parts.read("xl/sharedStrings.xml"))
        more = [name for name in parts.namelist() if "externalLink" in name]
        for name in parts.namelist():
            if name.endswith(".rels"):
                linked = ElementTree.fromstring(parts.read(name))
                more += [each.get("Target") for each in linked if each.get("TargetMode") == "External"]
    more += [element.tag for name in ("f", "hyperlink") for element in root.iter(f"{_SHEET}{name}")]
    known = [meant("".join(string.itertext())) for string in strings.iter(f"{_SHEET}si")]
    rows = []
    for row in root.iter(f"{_SHEET}row"):
        cells_of = {re.match("[A-Z]+", cell.get("r"))[0]: cell for cell in row if len(cell)}
        rows.append({at: _told(cell, known) for at, cell in cells_of.items()})
    return rows, more


def _told(cell, strings):
    value = "".join(cell.itertext())
    return (cell.get("t", "n"), strings[int(value)] if cell.get("t") == "s" else value)


def shown(text):
    """A text without what LibreOffice spells its own way: ends of lines, and what is no character of XML."""
    return re.sub("[\x00-\x1f\x7f\ufffe\uffff]+", "", text)


def check(texts, rows, more, mark):
    assert not more
    assert len(rows) == len(texts) + 1
    for number, (text, row) in enumerate(zip(texts, rows[1:], strict=True), 1):
        assert row.pop("A") == ("n", str(number))
        assert {kind for kind, _ in row.values()} == {"s"}, (text, row)
        for _, found in row.values():
            assert shown(found) in {shown(text), mark + shown(text)}, text


@pytest.mark.proof
@pytest.mark.parametrize("language", [ENGLISH, GERMAN][: proof.size(2, 1)])
def test_libreoffice_opens_a_csv_and_each_text_is_a_text(texts, paper, language, tmp_path):
    check(texts, *reopened(paper, tmp_path, f"--infilter={CSV_IN.format(language)}"), mark="'")


@pytest.mark.proof
def test_libreoffice_opens_a_workbook_and_each_text_is_a_text(texts, paper, tmp_path):
    path = tmp_path / "hostile.xlsx"
    path.write_bytes(workbook(paper))
    check(texts, *reopened(path, tmp_path), mark="")


@pytest.mark.proof
def test_libreoffice_would_make_something_else_of_the_texts_themselves(texts, tmp_path):
    """So that the proof can fail: the same texts, as nobody made them sure."""
    path = tmp_path / "bare.csv"
    with open(path, "w", encoding="utf-8", newline="") as content:
        lines = comma_separated.writer(content, lineterminator="\n")
        lines.writerows([number, text, text] for number, text in enumerate(texts))
    rows, more = reopened(path, tmp_path, f"--infilter={CSV_IN.format(ENGLISH)}")
    assert {"n", "b"} <= {kind for row in rows for at, (kind, _) in row.items() if at != "A"}
    assert f"{_SHEET}f" in more


def test_what_no_cell_holds_is_refused_and_never_cut(texts, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"number,text,id\n1,{'x' * 32_768},x\n")
    with pytest.raises(Refused, match="Row 1 has a text of more than 32767 letters"):
        workbook(path)


def test_on_paper_no_text_is_markup(texts, tmp_path):
    path = tmp_path / "some.csv"
    some = [text for text in texts if len(text) < 60][:: len(texts) // 200]
    with open(path, "w", newline="") as content:
        content.write("number,text,id\n")
        for number, text in enumerate(some):
            quoted = text.replace('"', '""')
            content.write(f'{number},"{quoted}","{quoted}"\n')
    assert prints.pdf(REPORT, about.of(REPORT, PERIOD, "0" * 64), path).startswith(b"%PDF-")
