"""Reports as files. A report is its CSV; XLSX and PDF are made from that, and print its SHA-256."""

import csv as comma_separated
import hashlib
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from . import queries
from .columns import Kind

WATCHED = 1_000
"""How many rows are written together; after each of these parts the row of the file says how far it is."""
_AMOUNTS = {Kind.UNITS, Kind.PERMILLE, Kind.TENTHS}


class Made(NamedTuple):
    """How many rows a file has, and the SHA-256 of its bytes."""

    rows: int
    digest: str


def nobody(rows):
    """A progress that says nothing: nobody waits."""


def csv(report, period, content, watch=nobody):
    """Write a report, in flat memory.

    :param content: has a `write` that takes bytes.
    :param watch: is called with the number of rows written, now and then.
    """
    digest, lines, waiting = hashlib.sha256(), 0, []

    def write(piece):
        nonlocal lines
        # PostgreSQL sends a line at a time, the head first.
        lines += 1
        waiting.append(piece)
        if len(waiting) == WATCHED:
            put()
            watch(lines - 1)

    def put():
        together = b"".join(waiting)
        waiting.clear()
        content.write(together)
        digest.update(together)

    queries.file(report, period, write)
    put()
    return Made(lines - 1, digest.hexdigest())


def rows(report, path) -> Iterator[list]:
    """The rows of a report from its CSV, each a list of its cells' values: texts without the mark, amounts and
    percentages as `Decimal`, counts as numbers, None for an empty cell."""
    with open(path, encoding="utf-8", newline="") as content:
        lines = comma_separated.reader(content, strict=True)
        next(lines)
        for line in lines:
            yield [_meant(column.kind, cell) for column, cell in zip(report.filed, line, strict=True)]


def _meant(kind, cell):
    if not cell:
        return None
    if kind in _AMOUNTS:
        return Decimal(cell)
    if kind == Kind.COUNT:
        return int(cell)
    return cell.removeprefix("'")
