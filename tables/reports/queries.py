"""Reports queried from PostgreSQL: their rows, their sums, and their cells as a file has them.

The statements come from the files of this room and the columns of the catalogue; what people enter is always a
parameter.
"""

import datetime as dt
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from django.db import connection, transaction

from audit.form import spell_time
from casino import gaming_day
from casino.models import Casino
from casino.settings_of_house import SETTINGS

from . import deviations
from .columns import OF_LUCK, Kind

# A cell that a spreadsheet would turn into a formula, a link, a date, a number or a truth value; and one that begins
# with the mark itself, so that removing one mark always gives the original. Invisible characters may come first:
# blanks, marks of direction, control characters.
_UNSEEN = (
    "\\s\\u0001-\\u001f\\u007f-\\u00a0\\u00ad\\u0600-\\u0605\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f"
    "\\u205f-\\u206f\\u3000\\ufeff\\ufff9-\\ufffb"
)
_UNSAFE = (
    f"'^[{_UNSEEN}]*([-=+@\\uff1d\\uff0b\\uff0d\\uff20''0-9.,($\\u20ac\\u00a3\\u00a5]|[[:alpha:]][[:alnum:]+.-]*://|www\\.|mailto:"
    "|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[[:alpha:]]*[[:space:]./-]*[0-9]"
    "|(true|false|inf|infinity|nan)$)|^[\\t\\r\\n]'"
)
# Most cells begin with a letter that no link, date or truth value begins with: recognizing those takes a tenth of the
# time, and even less by looking up the other beginnings in small and in capital letters.
_BEGINNINGS = (
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    *("www", "mai", "tru", "fal", "inf", "nan"),
)
_CASES = ["".join(letters) for word in _BEGINNINGS for letters in product(*zip(word, word.upper(), strict=True))]
_PLAIN = (
    "(ascii({0}) BETWEEN 65 AND 90 OR ascii({0}) BETWEEN 97 AND 122)"
    ' AND {0} COLLATE "C" NOT LIKE \'%%://%%\' AND left({0}, 3) COLLATE "C" NOT IN ('
    + ", ".join(f"'{word}'" for word in _CASES)
    + ")"
)
TEXT = f"CASE WHEN {_PLAIN} THEN {{0}} WHEN {{0}} COLLATE \"C\" ~* {_UNSAFE} THEN '''' || {{0}} ELSE {{0}} END"
# Each kind of cell as a file has it: in the style of dates that `file` sets, of no session's number format and of no
# locale's letters. COPY spells numbers and dates; turning them into text before would take a fifth of its time.
_WRITTEN = {
    Kind.TEXT: TEXT,
    Kind.ID: TEXT,
    Kind.DATE: "{0}",
    Kind.TIME: """to_char({0}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')""",
    Kind.UNITS: "{0} * %(unit)s",
    Kind.COUNT: "{0}",
    Kind.PERMILLE: "{0} * 0.1",
    Kind.TENTHS: "{0} * 0.1",
    Kind.STAFF: "'Staff ' || {0}",
}
# Thousandths of `{1}` in `{0}`, rounded as `figures.hold` is: exactly, and a half to the even one.
PERMILLE = """CASE WHEN {1} > 0 THEN (
    SELECT half - CASE WHEN rest = 0 AND mod(half, 2) <> 0 THEN 1 ELSE 0 END FROM (
        SELECT rest, div(twice, 2 * {1}) - CASE WHEN rest < 0 THEN 1 ELSE 0 END AS half FROM (
            SELECT twice, mod(twice, 2 * {1}) AS rest FROM (SELECT 2000 * {0}::numeric + {1} AS twice) a
        ) b
    ) c
) END::bigint"""


class Total(NamedTuple):
    """A sum, and over how many of the rows it is; a quotient in thousandths, None if there is none. Figures of luck are
    as `deviations.figures` has them, with `luck` their tally."""

    units: int | None
    of: int
    luck: object = None


def parameters(period):
    """The parameters of the queries: the period as days, and as the log spells times; and the settings' defaults, by
    name."""
    casino = Casino.objects.get()
    begins, ends = moments(period, casino)
    return {
        "first": period.first,
        "last": period.last,
        "begins": begins,
        "ends": ends,
        "zone": casino.time_zone,
        "starts": casino.day_starts_at,
        # The limits as long as the house has set nothing else.
        **{definition.name: definition.default for definition in SETTINGS.values()},
        "unit": Decimal(1).scaleb(-casino.currency_decimals),
    }


def bounds(period, casino):
    """The instants at which a period begins and is over."""
    return tuple(
        gaming_day.begins(day, zone=casino.time_zone, starts=casino.day_starts_at)
        for day in (period.first, period.last + dt.timedelta(1))
    )


def moments(period, casino):
    """The bounds of a period as the log spells them."""
    return tuple(map(spell_time, bounds(period, casino)))


def file(report, period, write):
    """A report as CSV, written piece by piece as PostgreSQL makes it, whatever the session is set to.

    :param write: takes bytes.
    """
    cells = ", ".join(
        f"{_WRITTEN[column.kind].format(_quoted(column.name))} AS {_quoted(column.name)}" for column in report.filed
    )
    # Rows are written out after sorting, since the written ones are wide; behind OFFSET, nothing is worked out earlier.
    rows = f"SELECT * FROM ({_rows(report)}) filed ORDER BY {report.order} OFFSET 0"  # noqa: S608 - the catalogue's own
    select = f"SELECT {cells} FROM ({rows}) filed"  # noqa: S608 - as above
    given = parameters(period)
    with transaction.atomic(), connection.cursor() as cursor:
        before = _set(cursor, given["zone"], "ISO, YMD", "off")
        with cursor.copy(f"COPY ({select}) TO STDOUT (FORMAT csv, HEADER, ENCODING 'UTF8')", given) as pieces:
            for piece in pieces:
                write(piece)
        _set(cursor, *before)


# A chart shows at most this many.
DRAWN = 5_000


class Look(NamedTuple):
    """A page of a report: its rows, each as a dict that also has what its links need; the page's number, and how many
    rows there are; each figure summed over all of them, by the names of columns; the values, in the period, of each
    column with a choice; what its chart shows, as [name, value]; and its lanes, as [table, the query's parts of luck].
    """

    rows: list[dict]
    number: int
    count: int
    totals: dict[str, Total]
    values: dict[str, list[str]]
    drawn: list[list]
    lanes: list[list]


def look(report, period, chosen, *, limit, number=1):
    """A page of a report, or its last one if it has fewer: all in one statement, which computes the rows once.

    A quotient's total is that of the sums, over the rows that have both.

    :param chosen: values by the names of columns, as texts.
    """
    added, listed = _sums(report), [f'array_agg(DISTINCT {_quoted(c.name)}::text COLLATE "C")' for c in report.choices]
    numbered = [f"{each} AS s{place}" for place, each in enumerate(added)]
    known = [f"{each} AS v{place}" for place, each in enumerate(listed)] or ["count(*) AS v0"]
    select = f"""
        WITH filed AS MATERIALIZED ({_looked_through(report)}),
            cut AS NOT MATERIALIZED (SELECT * FROM filed{_where(chosen)}),
            sums AS (SELECT {", ".join(numbered)} FROM cut),
            known AS (SELECT {", ".join(known)} FROM filed),
            drawn AS ({_drawn(report, period)}),
            lanes AS ({_lanes(report)})
        SELECT sums.*, known.*, drawn.*, lanes.*, filed.*
        FROM sums CROSS JOIN known CROSS JOIN drawn CROSS JOIN lanes LEFT JOIN (
            {_page(report)}
        ) filed ON true ORDER BY {report.order}"""  # noqa: S608 - the catalogue's own
    given = parameters(period) | chosen | {"limit": limit, "offset": (number - 1) * limit}
    with connection.cursor() as cursor:
        cursor.execute(select, given)
        answers = cursor.fetchall()
        names = [column.name for column in cursor.description]
    begins = len(numbered) + len(known) + 2
    count, *figures = answers[0][: len(numbered)]
    of_columns = zip(report.choices, answers[0][len(numbered) :], strict=False)
    rows = [dict(zip(names[begins + 1 :], row[begins + 1 :], strict=True)) for row in answers if row[begins]]
    deviations.add(report, rows)
    return Look(
        rows,
        min(number, max(1, -(-count // limit))),
        count,
        _totals(report, figures),
        {column.name: [value for value in of or () if value is not None] for column, of in of_columns},
        answers[0][begins - 2] or [],
        answers[0][begins - 1] or [],
    )


def _looked_through(report):
    """What a page, its sums and its chart are made from: the rows or, if those take long, what tells them apart."""
    if not report.found_by:
        return _rows(report)
    names = ", ".join(map(_quoted, report.found_by))
    return f"SELECT {names} FROM ({report.outline}) filed"  # noqa: S608 - as above


def _page(report):
    """The rows of a page, in any order; what takes long to make is made only for these."""
    part = f"""ORDER BY {report.order} LIMIT %(limit)s
        OFFSET (SELECT least(%(offset)s, greatest(s0 - 1, 0) / %(limit)s * %(limit)s) FROM sums)"""  # noqa: S608 - as above
    if not report.found_by:
        return f"SELECT true AS stands, filed.* FROM cut filed {part}"  # noqa: S608 - as above
    names = [_quoted(name) for name in report.found_by]
    same = " AND ".join(f"filed.{name} IS NOT DISTINCT FROM page.{name}" for name in names)
    narrowed = f"filed.{names[0]} = ANY (ARRAY(SELECT {names[0]} FROM page))"  # noqa: S608 - as above
    made = f"SELECT true AS stands, filed.* FROM ({_rows(report)}) filed WHERE {narrowed}"  # noqa: S608 - as above
    return f"""
        WITH page AS MATERIALIZED (SELECT * FROM cut filed {part})
        {made} AND EXISTS (SELECT FROM page WHERE {same})"""  # noqa: S608 - as above


def _drawn(report, period):
    """What the chart of a report shows: a list of a name and a value, or of a name and a moment, in seconds since the
    period began."""
    chart = report.chart
    if chart is None:
        return "SELECT NULL::json AS drawn"
    by = "date" if chart.days and period.days > 1 else chart.by
    if chart.at:
        value, group = f"extract(epoch FROM {_quoted(chart.at)} - %(begins)s::timestamptz)::bigint", ""
    elif chart.of:
        of = _quoted(chart.of)
        value, group = f"CASE WHEN count({of}) = count(*) THEN sum({of})::bigint END", "GROUP BY 1"
    else:
        value, group = "count(*)", "GROUP BY 1"
    pairs = f"SELECT {_quoted(by)}::text AS name, {value} AS value FROM cut {group} LIMIT {DRAWN}"  # noqa: S608 - as above
    ordered = 'ORDER BY name COLLATE "C", value'
    return f"SELECT json_agg(json_build_array(name, value) {ordered}) AS drawn FROM ({pairs}) each"  # noqa: S608 - as above


def _lanes(report):
    """The luck of each table: a list of its code and the query's parts; decimals as texts, since JSON readers have
    none."""
    if report.lanes is None:
        return "SELECT NULL::json AS lanes"
    won, expected, spread, highest, waits = (_quoted(f"{report.lanes}{name}") for name in (*OF_LUCK, "waits"))
    of_tables = f"""SELECT "table" AS name, sum({won})::bigint AS won, sum({expected})::text AS expected,
            sum({spread})::text AS spread, max({highest}) AS highest
        FROM cut GROUP BY "table" HAVING count({won}) > 0 OR bool_or({waits}) LIMIT {DRAWN}"""  # noqa: S608 - as above
    built = 'json_agg(json_build_array(name, won, expected, spread, highest) ORDER BY name COLLATE "C")'
    return f"SELECT {built} AS lanes FROM ({of_tables}) each"  # noqa: S608 - as above


def listed(report, period):
    """All rows of a report, each as a dict that also has what its links need."""
    with connection.cursor() as cursor:
        cursor.execute(f"{_rows(report)} ORDER BY {report.order}", parameters(period))
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def page(report, period, chosen, *, limit):
    """The first rows of a report."""
    return look(report, period, chosen, limit=limit).rows


def sums(report, period, chosen):
    """How many rows a report has, and the total of each figure: (rows, {name: Total})."""
    seen = look(report, period, chosen, limit=1)
    return seen.count, seen.totals


def _sums(report):
    added = ["count(*)"]
    for column in report.columns:
        if column.total:
            added += [f"coalesce(sum({_quoted(column.name)}), 0)::bigint", f"count({_quoted(column.name)})"]
        if column.of:
            one, other = map(_quoted, column.of)
            both = f"FILTER (WHERE {one} IS NOT NULL AND {other} IS NOT NULL)"
            added += [f"coalesce(sum({one}) {both}, 0)::bigint", f"coalesce(sum({other}) {both}, 0)::bigint"]
            added += [f"count(*) {both}"]
    for beginning in report.lucks:
        won, expected, spread, _ = (_quoted(f"{beginning}{name}") for name in OF_LUCK)
        added += [f"sum({won})::bigint", f"sum({expected})", f"sum({spread})", f"count({won})"]
    return added


def _totals(report, figures):
    """What `_sums` gave after the number of rows, by the names of columns."""
    cells, totals = iter(figures), {}
    for column in report.columns:
        if column.total:
            totals[column.name] = Total(next(cells), next(cells))
        if column.of:
            one, other, both = next(cells), next(cells), next(cells)
            totals[column.name] = Total(column.quotient(one, other), both)
    for column in report.columns:
        if column.an_hour:
            number, minutes = (totals[name] for name in column.an_hour)
            totals[column.name] = Total(column.quotient(number.units, minutes.units), minutes.of)
    for beginning in report.lucks:
        *of_luck, of = (next(cells) for _ in OF_LUCK)
        known = deviations.tally(*of_luck) if of else None
        values = deviations.figures(beginning, known)
        totals |= {column.name: Total(values.get(column.name), of, known) for column in _of_luck(report, beginning)}
    return totals


def _of_luck(report, beginning):
    return (column for column in report.columns if column.luck == beginning)


def _rows(report):
    """The query of a report, with its quotients."""
    quotients = [
        f", {PERMILLE.format(*(f'filed.{_quoted(name)}' for name in column.of))} AS {_quoted(column.name)}"
        for column in report.columns
        if column.of
    ]
    return f"SELECT filed.*{''.join(quotients)} FROM ({report.sql}) filed"  # noqa: S608 - as above


def _where(chosen):
    each = (f"{_quoted(name)}::text = %({name})s" for name in chosen)
    return "".join(f" {'AND' if place else 'WHERE'} {one}" for place, one in enumerate(each))


def _quoted(name):
    return f'"{name}"'


def _set(cursor, zone, dates, compiled):
    """Set the transaction's time zone, its style of dates and whether it compiles expressions, which takes longer than
    it saves; return the earlier ones. They must be restored, since Django and the driver read times by them."""
    cursor.execute(
        "SELECT current_setting('TimeZone'), current_setting('DateStyle'), current_setting('jit'),"
        " set_config('TimeZone', %s, true), set_config('DateStyle', %s, true), set_config('jit', %s, true)",
        [zone, dates, compiled],
    )
    return cursor.fetchone()[:3]
