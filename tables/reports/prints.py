"""Reports as PDF, for archive and desk: a sentence first, the chart, the rows with their sums, notes, room to sign, and
the fingerprint. All of it is made from the rows of the CSV, so that it has the same bytes whenever it is made."""

import datetime as dt
import itertools
import re
from decimal import Decimal

from django.template.loader import render_to_string

from casino import money

from ..words import printing
from . import charts, codes, files
from .columns import Kind
from .wording import WORDING

MOST_ROWS = 5_000
"""A printed report has at most so many; nobody reads more on paper, and the compiler holds all of them."""
TAGGED_ROWS = 500
"""A longer register is no document that a screen reader goes through: it is printed without tags, in half the time."""
_NUMBERS = {Kind.UNITS, Kind.COUNT, Kind.PERMILLE, Kind.TENTHS}
_WIDE = 9
# The compiler measures this many words of a column, those that look broadest: measuring all would make a print of many
# rows half as slow again. An amount has narrow blanks inside, and is one word.
_WORDS, _MEASURED = re.compile(r"[ \n]"), 5
_LINE = 26
_NARROW, _PLAIN = "fijlrtI.,:;'|!()[]-", "0123456789abcdeghknopqsuvxyz_\u2212\u2009"
# Between two sentences.
_NOTES = re.compile(r"(?<=\.) (?=[A-Z])")


def pdf(report, about, path):
    """The bytes of a printed report.

    :param path: of its CSV.
    :raises Refused: `report_too_long`.
    """
    listed = list(itertools.islice(files.rows(report, path), MOST_ROWS + 1))
    if len(listed) > MOST_ROWS:
        raise WORDING.refused("report_too_long:print", most=MOST_ROWS)
    document = _document(report, about, listed)
    at = dt.datetime.combine(about.last, dt.time(), tzinfo=dt.UTC)
    return printing.pdf(document, at, tagged=len(listed) <= TAGGED_ROWS)


def _document(report, about, listed):
    filed = report.filed
    places = itertools.groupby(range(len(filed)), key=lambda place: filed[place].group or filed[place].name)
    groups = [tuple(together) for _, together in places]
    heads = [filed[group[0]].group or filed[group[0]].label for group in groups]
    rows = [[_lines(filed, group, row, about) for group in groups] for row in listed]
    sums = _sums(filed, listed) if listed else {}
    if sums:
        rows.append(_foot(filed, groups, sums, about))
    columns = [
        {
            "label": head,
            "right": filed[group[0]].kind in _NUMBERS,
            "mono": False,
            **_room(head, [row[place] for row in rows]),
        }
        for place, (head, group) in enumerate(zip(heads, groups, strict=True))
    ]
    table = {"kind": "table", "columns": columns, "rows": rows, "empty": "No activity", "summed": bool(sums)}
    lead = {"kind": "lead", "text": _sentence(report, sums, about) or report.answers}
    chart = _chart(report, about, listed)
    notes = [{"kind": "notes", "texts": [*_NOTES.split(report.sums)]}] if report.sums else []
    signatures = {"kind": "signatures", "people": ["Prepared by, date", "Pit boss, date", "Accounting, date"]}
    facts = {"kind": "facts", "rows": [list(fact) for fact in about.facts]}
    parts = [
        {"heading": "", "blocks": [lead, *chart, table, *notes, signatures]},
        {"heading": "About this report", "blocks": [facts]},
    ]
    return {
        "title": report.title,
        "subtitle": about.subtitle,
        "language": "en",
        "author": about.casino,
        "foot": f"SHA-256 of the CSV: {about.digest}",
        "grade": "FINAL",
        "wide": len(groups) > _WIDE,
        "parts": parts,
    }


def _lines(filed, group, row, about):
    return "\n".join(filter(None, (_text(filed[place], row[place], about) for place in group)))


def _text(column, cell, about):
    """A cell as people read it; the log's names and people are as in the file."""
    kind = column.kind
    if cell is None:
        return ""
    if kind == Kind.UNITS:
        return money.spell(int(cell.scaleb(about.decimals)), about.decimals)
    if kind in {Kind.PERMILLE, Kind.TENTHS}:
        return f"{cell}".replace("-", "−")
    if kind == Kind.TIME:
        # The time zone stands above; the offset from UTC tells two equal times of an autumn night apart.
        return f"{cell[:10]} {cell[11:19]} {cell[19:]}"
    return str(cell) if column.name in codes.NAMING else codes.words(column, str(cell))


def _sums(filed, listed):
    """The sum of each figure, and a quotient of sums, by the names of columns."""
    place = {column.name: at for at, column in enumerate(filed)}
    sums = {
        column.name: sum((row[at] for row in listed if row[at] is not None), Decimal(0))
        for at, column in enumerate(filed)
        if column.total
    }  # fmt: skip
    for column in filed:
        names = column.of or column.an_hour or ()
        if names and all(name in sums for name in names):
            whole = all(row[place[name]] is not None for row in listed for name in names)
            tenths = column.quotient(*(sums[name] for name in names)) if whole else None
            if tenths is not None:
                sums[column.name] = Decimal(tenths).scaleb(-1)
    return sums


def _foot(filed, groups, sums, about):
    """The row below."""
    line = [
        _text(filed[group[0]], sums[filed[group[0]].name], about) if filed[group[0]].name in sums else ""
        for group in groups
    ]
    line[0] = line[0] or "Total"
    return line


def _sentence(report, sums, about):
    """What the sums come to, in the report's sentence; empty if it has none, or a sum is missing."""
    said = {
        column.name: _signed(column, sums[column.name], _text(column, sums[column.name], about))
        for column in report.filed
        if column.name in sums
    }
    try:
        return report.sentence.format(**said)
    except KeyError:
        return ""


def _signed(column, value, text):
    return f"+{text}" if column.signed and value > 0 else text


def _chart(report, about, listed):
    """The chart as a block, black on white, drawn as the page of the report draws it; none if there is none."""
    chart, filed = report.chart, report.filed
    if chart is None:
        return []
    place = {column.name: at for at, column in enumerate(filed)}
    days = chart.days and about.days > 1
    by, of = place["date" if days else chart.by], place.get(chart.of)
    title = chart.days if days else chart.title
    if of is not None and filed[of].kind == Kind.UNITS:
        title = f"{title}, {about.currency}"
    if chart.at:
        marks = [*_moments(filed, listed, by, place[chart.at], about)]
    else:
        marks = [*_figures(filed, listed, by, of, about)]
    drawing = charts.drawn(
        chart, title, marks, days=days, bounds=about.bounds, spell=lambda value: money.spell(value, about.decimals)
    )
    if drawing is None:
        return []
    svg = render_to_string("reports/chart.svg", {"chart": drawing})
    return [{"kind": "drawing", "head": drawing["title"], "svg": svg, "says": _says(drawing)}]


def _says(drawing):
    """A drawing's figures in words, for whoever doesn't see it."""
    return WORDING("drawing", title=drawing["title"], marks=_marks(drawing))


def _marks(drawing):
    return "; ".join(f"{mark['name']}: {mark['says']}" for mark in drawing["marks"])


def _moments(filed, listed, by, at, about):
    for row in listed:
        if row[at] is not None:
            since = dt.datetime.fromisoformat(row[at]) - about.bounds[0]
            yield charts.Mark(_named(filed[by], row[by]), int(since.total_seconds()), "")


def _figures(filed, listed, by, of, about):
    """Each value of a column with what its rows come to; None if something in them is not counted."""
    parts = {}
    for row in listed:
        parts.setdefault(_named(filed[by], row[by]), []).append(1 if of is None else row[of])
    for name, values in sorted(parts.items()):
        if None in values:
            yield charts.Mark(name, None, "no count")
        elif of is None or filed[of].kind != Kind.UNITS:
            yield charts.Mark(name, sum(values), str(sum(values)))
        else:
            units = int(sum(values).scaleb(about.decimals))
            yield charts.Mark(name, units, _signed(filed[of], units, money.spell(units, about.decimals)))


def _named(column, cell):
    return "none" if cell is None else codes.words(column, str(cell))


def _breadth(word):
    """A word's approximate breadth, so that the broadest is among those measured: digits and small letters count as 2,
    narrow ones as 1, all others as 4."""
    return sum(1 if each in _NARROW else 2 if each in _PLAIN else 4 for each in word)


def _room(head, cells):
    """The room that a column takes on the page: for the longest words of its head and cells, which are not broken if
    there is room; and, within reason, what its longest line takes beyond these."""
    words = {word for cell in set(cells) for word in _WORDS.split(cell) if word}
    longest = [*_WORDS.split(head), *sorted(words, key=lambda word: (-_breadth(word), word))[:_MEASURED]]
    line = max((len(line) for cell in cells for line in cell.split("\n")), default=0)
    return {"words": longest, "width": max(1, min(line, _LINE) - max(map(len, longest)))}
