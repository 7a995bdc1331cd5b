"""Printed reports: no word of a table reaches into the next column, however long what stands there is."""

import csv
import datetime as dt
import itertools
from collections import Counter, defaultdict

import pypdfium2
import pytest

from tables.reports import prints
from tables.reports.about import About
from tables.reports.catalogue import REPORTS
from tables.reports.columns import Kind

DAY = dt.date(2026, 11, 21)
BEGINS = dt.datetime(2026, 11, 21, 5, tzinfo=dt.UTC)
ABOUT = About(
    title="A report", period="21 November 2026", last=DAY, casino="demo", currency="EUR", decimals=2,
    zone="Europe/Vienna", starts="06:00", digest="0" * 64, called=(), bounds=(BEGINS, BEGINS + dt.timedelta(1)), days=1,
)  # fmt: skip
LETTERS = "ЖШЩЮФДЦЫЪ"
LONG = {
    Kind.DATE: "2026-11-21",
    Kind.TIME: "2026-11-21T23:04:09+01:00",
    Kind.UNITS: "-1234567890.25",
    Kind.PERMILLE: "-1234.5",
    Kind.TENTHS: "1234.5",
    Kind.COUNT: "123456789",
    Kind.STAFF: "Staff 123456",
}


def printed(report, tmp_path, texts):
    """The lines of a print of two rows, each as the words that stand apart on it, from the left."""
    path = tmp_path / f"{report.name}.csv"
    with path.open("w", newline="") as content:
        rows = csv.writer(content)
        rows.writerow([column.name for column in report.filed])
        rows.writerows([[LONG.get(column.kind, texts[place]) for place, column in enumerate(report.filed)]] * 2)
    return [line for page in pypdfium2.PdfDocument(prints.pdf(report, ABOUT, path)) for line in lines_of(page)]


def lines_of(page):
    """By where its letters stand, whatever order they are printed in."""
    letters, lines = page.get_textpage(), defaultdict(list)
    for place in range(letters.count_chars()):
        left, bottom, right, _ = letters.get_charbox(place, loose=True)
        letter = letters.get_text_range(place, 1)
        if letter.strip("\u200b \r\n"):
            lines[round(bottom)].append((left, place, right, letter))
    for _, line in sorted(lines.items(), reverse=True):
        words, end = [], None
        for left, _, right, letter in sorted(line):
            if end is None or left > end + 0.8:
                words.append("")
            words[-1], end = words[-1] + letter, right
        # A narrow blank within an amount is none between words.
        yield [word.replace("\u2009", "") for word in words]


@pytest.mark.parametrize("longest", [60, 5])
@pytest.mark.parametrize("name", REPORTS)
def test_no_word_of_a_print_reaches_into_the_next_column(name, longest, tmp_path):
    """Each column has letters of its own, so that no two of them pass for one word."""
    report = REPORTS[name]
    texts = [LETTERS[place % len(LETTERS)] * longest for place in range(len(report.filed))]
    lines = printed(report, tmp_path, texts)
    (head,) = (number for number, line in enumerate(lines) if line[0] == report.filed[0].label.split()[0])
    end = next(number for number, line in enumerate(lines) if line[0] in {"Total", "Notes", "Prepared"})
    known = {word for column in report.filed for word in (column.group or column.label).split()}
    known |= {word for text in LONG.values() for word in text.split()} | {"23:04:09", "+01:00", "−1234.5"}
    # And sums of two, with the quotient of like ones.
    known |= {"−1234567890.25", "246913578", "100.0", *texts}
    for line in lines[head:end]:
        for word in line:
            assert word in known or (longest > 5 and any(word in each for each in known)), (line, word)
    written = Counter("".join(word for line in lines[head:end] for word in line))
    for place, column in enumerate(report.filed):
        if column.kind in {Kind.TEXT, Kind.ID}:
            assert written[texts[place][0]] >= 2 * longest


def test_a_broad_word_among_longer_narrow_ones_has_its_room(tmp_path):
    report = REPORTS["pace"]
    narrow, broad = [f"{letter * 12}" for letter in "iltfrj"], "Ж" * 11
    path = tmp_path / "pace.csv"
    with path.open("w", newline="") as content:
        rows = csv.writer(content)
        rows.writerow([column.name for column in report.filed])
        rows.writerows([[LONG.get(column.kind, text) for column in report.filed] for text in (*narrow, broad)])
    lines = [line for page in pypdfium2.PdfDocument(prints.pdf(report, ABOUT, path)) for line in lines_of(page)]
    words = [*itertools.chain(*lines)]
    # And in the chart.
    assert words.count(broad) == 1 + sum(column.kind in {Kind.TEXT, Kind.ID} for column in report.filed)
