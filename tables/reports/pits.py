"""A report of one gaming day by pits: each pit with the sums of its tables, the tables below it, and all at the end.

A table with something uncounted is left out of every sum: what is missing is one gap with its reason, never 0.
"""

from types import MappingProxyType

from django.db.models import Exists, OuterRef

from ..models import Count, DropBox, Session, Table
from . import deviations, openings
from .queries import Total

# An uncounted figure is the reason why everything that follows from it is missing.
_FIRST = ("opener", "closer", "drop")
_PARTS = {Session.Status.OPENING: Count.Part.OPENER, Session.Status.CLOSING: Count.Part.CLOSER}


def shown(screen, rows, period, chosen):
    """The lines of a report of one day, and its sums over the tables that are counted: {name: Total}.

    :param rows: all of them, in the report's order. Tables that stayed closed are named if nothing was `chosen`.
    """
    columns = [screen.column(name) for name in screen.report.by_pit]
    ways, reasons = openings.ways(rows, period, screen.staff), _reasons(rows, period.first, screen)
    pits = {}
    for row in rows:
        pits.setdefault(screen.tables[row["table_id"]].pit, []).append(row)
    closed = {}
    for table in () if chosen else _closed(rows, period.first):
        closed.setdefault(table.pit, []).append(table)
    lines = []
    for pit in sorted({*pits, *closed}, key=lambda pit: pit.code):
        own = pits.get(pit, [])
        values, of = together(screen.report, own)
        line = _line(screen, columns, values, period, f"pit-{pit.pk}", str(pit), bool(of))
        lines.append(line | {"kind": "pit", "more": f"{of} of {len(own)}" if own else "", "mark": ""})
        for row in own:
            table = screen.tables[row["table_id"]]
            of_table = ways.get(table.pk, ()), reasons.get(table.pk, {})
            line = _line(screen, columns, row, period, table.pk, table.name, True, *of_table)
            sessions = f", {row['sessions']} sessions" if row.get("sessions", 1) > 1 else ""
            played = screen.text(screen.column("game"), row["game"]) if row.get("game") else ""
            mark = "ok" if counted(screen.report, row) else "warn"
            more = f"{played}{sessions}".lstrip(", ")
            lines.append(line | {"kind": "table", "more": more, "mark": mark, "alarm": row.get("luck_alarm")})
        lines += [{"kind": "closed", "name": table.name} for table in closed.get(pit, ())]
    values, of = together(screen.report, rows)
    line = _line(screen, columns, values, period, "all", "all tables", bool(of))
    return {
        "heads": [column.label for column in columns],
        "width": len(columns) + 1,
        "lines": lines,
        "sums": {column.name: screen.text(column, values[column.name]) for column in columns},
        "whole": line | {"name": "Counted", "more": f"{of} of {len(rows)}"},
        "left": [screen.tables[row["table_id"]].name for row in rows if not counted(screen.report, row)],
    }, {name: Total(value, of) for name, value in values.items()}


def counted(report, row):
    """Whether everything that has to be counted is counted."""
    return all(row[column.name] is not None for column in report.columns if column.counted)


def together(report, rows):
    """The sums of the counted rows, by the names of columns, and how many those are; a quotient is that of its sums."""
    own = [row for row in rows if counted(report, row)]
    values = {}
    for column in report.columns:
        if column.total:
            known = [row[column.name] for row in own if row[column.name] is not None]
            values[column.name] = sum(known) if known else None
    for column in report.columns:
        if column.of:
            values[column.name] = column.quotient(*(values[name] for name in column.of))
    for beginning in report.lucks:
        values |= deviations.together(beginning, own)
    return values, len(own)


def _line(screen, columns, values, period, key, name, known, ways=(), reasons=MappingProxyType({})):
    """A pit, a table, or all: its cells, with those that are missing together as one, and its figures opened up.

    :param known: whether anything is counted; else its cells are empty.
    """
    cells, gap = [], None
    for column in columns:
        value = values[column.name]
        if known and value is None and _missing(column, values, screen):
            if gap is None:
                gap = {"span": 0, "of": []}
                cells.append(gap)
            gap["span"] += 1
            gap["of"].append(column.name)
            continue
        gap = None
        if column.luck is None:
            why = openings.of(screen, column, values, key, name, ways)
        else:
            why = openings.of_luck(screen, column, values, key, name, period)
        way = "" if why or value is None or "table_id" not in values else screen.way(column, values)
        cells.append(
            {
                "span": 1,
                "text": screen.text(column, value),
                "to": f"#{why['id']}" if why else way,
                "id": f"of-{why['id']}" if why else "",
                "strong": bool(column.made_of),
                "off": screen.is_off(column, values),
                "why": why,
            }
        )
    for cell in cells:
        if "of" in cell:
            cell["gap"] = next((reasons[name] for name in _FIRST if name in cell["of"] and name in reasons), "not yet")
    return {"name": name, "cells": cells, "whys": [cell["why"] for cell in cells if cell.get("why")]}


def _missing(column, values, screen):
    """Whether a cell is empty because something is not counted; a hold is, if its win is."""
    names = column.of or (column.name,)
    return any(values[name] is None and screen.column(name).counted for name in names)


def _closed(rows, date):
    """Tables that had a session before a day, but none on it."""
    before = Session.objects.filter(table=OuterRef("pk"), business_date__lt=date)
    sat = {row["table_id"] for row in rows}
    return Table.objects.filter(Exists(before)).exclude(pk__in=sat).select_related("pit").order_by("code")


def _reasons(rows, date, screen):
    """Why figures of tables are missing, by table: {column: sentence}."""
    missing = {row["table_id"] for row in rows if not counted(screen.report, row)}
    if not missing:
        return {}
    reasons = {number: {} for number in missing}
    sessions = list(Session.objects.filter(business_date=date, table__in=missing).exclude(status=Session.Status.CLOSED))
    counts = {(count.of, count.part, count.attempt) for count in Count.objects.filter(of__in=[s.ref for s in sessions])}
    for session in sessions:
        part = _PARTS.get(session.status)
        of = reasons[session.table_id]
        if part is None:
            of["closer"] = "no count: the table is open"
            continue
        once = any(
            (of_, of_part) == (session.ref, part) and (part == Count.Part.OPENER or attempt >= session.counts_from)
            for of_, of_part, attempt in counts
        )
        of[part.value] = "no count: one signature missing" if once else "no count: nobody has counted"
    for box in DropBox.objects.filter(session__business_date=date, table__in=missing).exclude(
        status=DropBox.Status.COUNTED
    ):
        reasons[box.table_id].setdefault("drop", f"no count: drop box {box.number}")
    return reasons
