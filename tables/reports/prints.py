"""Reports as PDF, for archive and desk: what it is, the rows with their sums, room to sign, and the fingerprint."""

import datetime as dt
import itertools
from decimal import Decimal
from fractions import Fraction

from casino import money
from casino.errors import Refused

from ..words import printing
from . import files
from .columns import Kind

MOST_ROWS = 5_000
"""A printed report has at most so many; nobody reads more on paper, and the compiler holds all of them."""
TAGGED_ROWS = 500
"""A longer register is no document that a screen reader goes through: it is printed without tags, in half the time."""
_NUMBERS = {Kind.UNITS, Kind.COUNT, Kind.PERMILLE, Kind.TENTHS}
_WIDE = 9


def pdf(report, about, path):
    """The bytes of a printed report.

    :param path: of its CSV.
    :raises Refused: `report_too_long`.
    """
    listed = list(itertools.islice(files.rows(report, path), MOST_ROWS + 1))
    if len(listed) > MOST_ROWS:
        raise Refused(
            "report_too_long",
            f"The report has more than {MOST_ROWS} rows, which nobody reads on paper.",
            way_out="Take it as CSV or XLSX, or a shorter period.",
        )
    document = _document(report, about, listed)
    at = dt.datetime.combine(about.last, dt.time(), tzinfo=dt.UTC)
    return printing.pdf(document, at, tagged=len(listed) <= TAGGED_ROWS)


def _document(report, about, listed):
    filed = report.filed
    places = itertools.groupby(range(len(filed)), key=lambda place: filed[place].group or filed[place].name)
    groups = [tuple(together) for _, together in places]
    heads = [filed[group[0]].group or filed[group[0]].label for group in groups]
    rows = [[_lines(filed, group, row, about) for group in groups] for row in listed]
    if listed and any(column.total for column in filed):
        rows.append(_sums(filed, groups, listed, about))
    widths = [_width(head, [row[place] for row in rows]) for place, head in enumerate(heads)]
    columns = [
        {"label": head, "width": width, "right": filed[group[0]].kind in _NUMBERS, "mono": False}
        for head, width, group in zip(heads, widths, groups, strict=True)
    ]
    table = {"kind": "table", "columns": columns, "rows": rows, "empty": "No activity"}
    notes = [{"kind": "text", "text": report.sums}] if report.sums else []
    signatures = {"kind": "signatures", "people": ["Prepared by, date", "Pit boss, date", "Accounting, date"]}
    facts = {"kind": "facts", "rows": [list(fact) for fact in about.facts]}
    parts = [
        {"heading": "", "blocks": [{"kind": "text", "text": report.answers}, table, *notes, signatures]},
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
    return "\n".join(filter(None, (_text(filed[place].kind, row[place], about) for place in group)))


def _text(kind, cell, about):
    if cell is None:
        return ""
    if kind == Kind.UNITS:
        return money.spell(int(cell.scaleb(about.decimals)), about.decimals)
    if kind in {Kind.PERMILLE, Kind.TENTHS}:
        return f"{cell}".replace("-", "−")
    if kind == Kind.TIME:
        # The time zone stands above; its distance from UTC tells two like times of an autumn night apart.
        return f"{cell[:10]} {cell[11:19]} {cell[19:]}"
    return str(cell)


def _sums(filed, groups, listed, about):
    """The row below: each figure added up, a quotient that of the sums."""
    place = {column.name: at for at, column in enumerate(filed)}
    sums = {
        column.name: sum((row[at] for row in listed if row[at] is not None), Decimal(0))
        for at, column in enumerate(filed)
        if column.total
    }  # fmt: skip
    for column in filed:
        if column.of and all(name in sums for name in column.of):
            one, other = (sums[name] for name in column.of)
            both = [row for row in listed if None not in (row[place[column.of[0]]], row[place[column.of[1]]])]
            if other and len(both) == len(listed):
                sums[column.name] = Decimal(round(1000 * Fraction(one) / Fraction(other))) / 10
    line = [
        _text(filed[group[0]].kind, sums[filed[group[0]].name], about) if filed[group[0]].name in sums else ""
        for group in groups
    ]
    line[0] = line[0] or "Total"
    return line


def _width(head, cells):
    """A column's part of the page: as its longest line, within reason."""
    longest = max(len(line) for cell in [head.split()[0], *cells] for line in cell.split("\n"))
    return max(5, min(longest, 26))
