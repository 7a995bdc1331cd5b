"""Reports as primitives for their pages: the list of them, and one of a period."""

import datetime as dt
import itertools

from django.urls import reverse

from casino import money
from casino.games import registry
from casino.gaming_day import DAY
from casino.models import Casino, Staff
from casino.roles import Reach, Right, Role, reach
from casino.settings_of_house import SETTINGS, UNITS

from ..models import GamingDay, Table
from ..words import names, rights
from ..words.timeline import Reader
from . import charts, codes, deviations, explanations, finding, grading, openings, pits, queries, shelf
from .catalogue import GROUPS, hidden
from .columns import Column, Kind
from .period import YEARS, Period
from .wording import WORDING

PAGE, FILES, NOBODY = 100, 5, "system"
# This many tables of one day fit on a page, by their pits.
TABLES = 200
# The sums at the top of a page.
_AT_THE_TOP = {"win", "expected", "drop", "hold", "fill", "credit", "recorded", "counted", "units"}
_AT_THE_TOP |= {"day_win", "month_win", "year_win", "pace"}
_NUMBERS = {Kind.UNITS, Kind.COUNT, Kind.PERMILLE, Kind.TENTHS, Kind.BAND, Kind.DEVIATION}
# The pages of things that the log names.
_PAGES = {
    "round": ("round", Right.SEE_TABLE),
    "session": ("session", Right.READ_SESSION),
    "slip": ("slip", Right.READ_SLIPS),
    "drop_box": ("drop_box", Right.READ_DROP_BOXES),
    "dispute": ("dispute", Right.READ_FLOOR),
    "cage_shift": ("cage-shift", Right.READ_CAGE),
}


def catalogue(period, staff, sought=""):
    """The reports that a person may read, each with its page of a period; only those that a search finds."""
    choice = finding.choice(sought, [report for _, reports in readable(staff) for report in reports])
    groups = [
        {
            "label": label,
            "reports": [
                {
                    "name": report.name,
                    "title": report.title,
                    "answers": report.answers,
                    "called": [{"whose": whose, "words": words} for whose, words in report.called],
                    "to": reverse("report", args=[report.name, period]),
                }
                for report in reports
                if report in choice.reports
            ],
        }
        for label, reports in readable(staff)
    ]
    return {
        "sought": sought,
        "some": choice.some,
        "groups": [group for group in groups if group["reports"]],
        "period": _period(period, None),
    }


def readable(staff):
    """The reports that a person who reads reports may read, in groups: (subject, reports)."""
    unread = hidden(staff)
    return [(label, [report for report in group if report.name not in unread]) for label, group in GROUPS.items()]


def newest():
    """The period shown if none is chosen: the last closed gaming day, or else the present one."""
    closed = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).order_by("date").last()
    day = closed.date if closed else grading.today()
    return Period(day, day)


def shown(report, period, staff, chosen, number):
    """A page of a report.

    :param chosen: values by the names of columns that can be chosen; `number` is the page's, from 1.
    """
    graded = grading.of(period, report.since(period))
    screen = Screen(report, staff, within_a_year=period.first.year == period.last.year)
    limit = TABLES if report.by_pit and period.days == 1 else PAGE
    seen = queries.look(report, period, chosen, limit=limit, number=max(1, number))
    rows, totals, number, first = seen.count, seen.totals, seen.number, (seen.number - 1) * limit + 1
    pages = max(1, -(-rows // limit))
    by_pit = None
    if report.by_pit and rows and period.days == 1 and pages == 1:
        by_pit, totals = pits.shown(screen, seen.rows, period, chosen)
    return {
        "name": report.name,
        "title": report.title,
        "answers": report.answers,
        "called": [{"whose": whose, "words": words} for whose, words in report.called],
        "sums": report.sums,
        "grade": graded.grade.value,
        "why": (graded.is_final and _signed(report, period, screen)) or graded.why,
        "final": graded.is_final,
        "period": _period(period, report),
        "currency": screen.casino.currency,
        "zone": screen.casino.time_zone,
        "heads": [
            {"label": label, "n": columns[0].kind in _NUMBERS}
            for label, columns in screen.groups
            if not columns[0].long
        ],
        "rows": [] if by_pit else screen.rows(seen.rows, period),
        "by_pit": by_pit,
        "totals": screen.totals(totals, rows) if totals and rows else None,
        "facts": screen.facts(totals, rows),
        "lanes": screen.lanes(seen.lanes),
        "chart": screen.chart(seen.drawn, period),
        "absent": _absent(report, seen.values),
        "clauses": _clauses(report, seen.rows),
        "count": rows,
        "part": f"Rows {first} to {first + len(seen.rows) - 1} of {rows}" if pages > 1 else "",
        "page": number,
        "before": number - 1 if number > 1 else None,
        "after": number + 1 if number < pages else None,
        "choices": screen.choices(seen.values, chosen),
        "asked": [
            {"name": column.name, "label": column.label, "value": chosen.get(column.name, "")}
            for column in report.columns
            if column.asked
        ],
        "chosen": bool(chosen),
        "roles": _roles() if report.of_roles else [],
        "columns": [{"label": column.label, "says": column.says} for column in report.columns],
        "others": [
            {
                "label": label,
                "reports": [
                    {"title": other.title, "to": reverse("report", args=[other.name, period]), "here": other is report}
                    for other in others
                ],
            }
            for label, others in readable(staff)
        ],
        "made": shelf.files(report, period, staff) if graded.is_final else None,
        "files": screen.files(shelf.given(report, period)[:FILES]) if graded.is_final else [],
    }


def _signed(report, period, screen):
    """Who signed for a report's single day; empty for several days, and if no table was open."""
    if period.days > 1 or report.of_the_year:
        return ""
    day = GamingDay.objects.filter(date=period.first).select_related("closed_by", "closed_with").first()
    if day is None:
        return ""
    one, other = (screen.reader.person(each) for each in (day.closed_by, day.closed_with))
    return WORDING("signed_by", first=one, second=other)


def _absent(report, values):
    """What is said if there is no finding."""
    if report.absent is None:
        return ""
    column, value, sentence = report.absent
    return "" if value in values[column] else sentence


def _clauses(report, rows):
    """The clauses that the rows of a page name, in the rules' own words and order."""
    columns = {column.name for column in report.columns} & {"clause", "clauses"}
    named = {(each, row.get("game")) for row in rows for name in columns for each in (row[name] or "").split(", ")}
    # Games have their own words for some of the house's clauses: if no game is given, each wording is shown once.
    said = {
        (clause, says): None
        for code, game in registry.GAMES.items()
        for clause, says in game.clauses.items()
        if (clause, code) in named or (clause, None) in named
    }
    return [{"clause": clause, "says": says} for clause, says in said]


def _roles():
    """What each role may do: the rights in words, each with the roles that have it."""
    return [
        {
            "right": words,
            "roles": ", ".join(
                f"{role.value.replace('_', ' ')}{' in their pit' if at == Reach.PIT else ''}"
                for role in Role
                if (at := reach(role, right)) is not None
            ),
        }
        for right, words in rights.WORDS.items()
    ]


def given(report, period, staff):
    """The newest files of a report of a period, as its page lists them below."""
    return Screen(report, staff).files(shelf.given(report, period)[:FILES])


class Screen:
    """How the cells of a report look to one person."""

    def __init__(self, report, staff, *, within_a_year=False):
        self.report, self.staff, self.casino, self.within_a_year = report, staff, Casino.objects.get(), within_a_year
        self.reader = Reader.of(staff)
        groups = itertools.groupby(report.columns, key=lambda column: column.group or column.name)
        together = [tuple(columns) for _, columns in groups]
        self.groups = [(columns[0].group or columns[0].label, columns) for columns in together]
        self.tables, self.reads, self.people = Table.objects.select_related("pit").in_bulk(), {}, {}
        self.called, self.addresses, self.columns = {}, {}, {column.name: column for column in report.columns}

    def column(self, name):
        return self.columns[name]

    def rows(self, rows, period):
        of_staff = [column.name for column in self.report.columns if column.kind == Kind.STAFF]
        self.people |= Staff.objects.in_bulk({row[name] for row in rows for name in of_staff if row[name]})
        of = [column.name for column in self.report.columns if column.name in codes.NAMING | {"detail"}]
        self.called = names.called({str(row[name]) for row in rows for name in of})
        explanations.add(rows, self.casino.currency_decimals)
        opened = any(column.terms for column in self.report.columns)
        ways = openings.ways(rows, period, self.staff) if opened else {}
        return [
            [self._cell(columns, row, place, ways) for _, columns in self.groups] for place, row in enumerate(rows, 1)
        ]

    def _cell(self, columns, row, place, ways):
        first = columns[0]
        cell = {
            "n": first.kind in _NUMBERS,
            "long": first.long,
            "lines": [line for column in columns if (line := self._line(column, row))["text"]],
            "gap": first.counted and row[first.name] is None,
            "off": self.is_off(first, row),
        }
        if first.terms:
            whose = f"{row['table']}, {self.text(self.column('date'), row['date'])}"
            day = {"label": "Gaming day of the table", "to": self.way(first, row)}
            on = [*ways.get(row["table_id"], ()), *([day] if day["to"] else [])]
            cell["why"] = openings.of(self, first, row, place, whose, on)
            if cell["why"]:
                cell["lines"][0]["to"] = f"#{cell['why']['id']}"
        return cell

    def is_off(self, column, values):
        """Whether a deviation is beyond its band."""
        known = values.get(f"{column.luck}luck") if column.kind == Kind.DEVIATION else None
        return known is not None and deviations.is_off(known)

    def totals(self, totals, rows):
        """The row of sums, each with how many rows it covers if one is missing."""
        cells = []
        for _, columns in self.groups:
            if columns[0].long:
                continue
            total = totals.get(columns[0].name)
            of = f"{total.of} of {rows}" if total and columns[0].counted and total.of < rows else ""
            text = self.text(columns[0], total.units) if total and total.of else ""
            off = total is not None and self.is_off(columns[0], {f"{columns[0].luck}luck": total.luck})
            cells.append({"n": True, "text": text, "of": of, "off": off})
        return cells

    def choices(self, values, chosen):
        """The values to which the report can be narrowed, column by column, if there are several or one was chosen;
        people go by number, and are shown as everywhere."""
        of_people = {column.name for column in self.report.choices if column.kind == Kind.STAFF}
        self.people |= Staff.objects.in_bulk({int(value) for name in of_people for value in values[name]})
        return [
            {
                "name": column.name,
                "label": column.label,
                "values": [
                    {
                        "value": value,
                        "text": self._person(int(value)) if column.name in of_people else codes.words(column, value),
                        "here": chosen.get(column.name) == value,
                    }
                    for value in sorted(values[column.name], key=int if column.name in of_people else str)
                ],
            }
            for column in self.report.choices
            if len(values[column.name]) > 1 or column.name in chosen
        ]

    def facts(self, totals, rows):
        """The figures at the top: how many rows, and the sums that the report is for."""
        facts = [{"label": "Rows" if rows != 1 else "Row", "value": str(rows)}]
        for column in self.report.columns:
            total = totals.get(column.name) if column.name in _AT_THE_TOP else None
            if total and total.of and total.units is not None:
                some = column.counted or column.luck is not None
                of = f", {total.of} of {rows}" if some and total.of < rows else ""
                facts.append({"label": f"{column.label}{of}", "value": self.text(column, total.units)})
        return facts

    def chart(self, drawn, period):
        """The chart of a report of a period, from its query; None if there is none."""
        chart = self.report.chart
        if chart is None:
            return None
        by = next(column for column in self.report.columns if column.name == chart.by)
        days = chart.days and period.days > 1
        of = next((column for column in self.report.columns if column.name == chart.of), None)
        if by.kind == Kind.STAFF:
            self.people |= Staff.objects.in_bulk([int(name) for name, _ in drawn if name])
        marks = [
            charts.Mark(
                self._day(name) if days or by.kind == Kind.DATE else self._name(by, name),
                value,
                ("no count" if value is None else self.text(of, value)) if of else str(value),
            )
            for name, value in drawn
        ]
        title = chart.days if days else chart.title
        if of and of.kind == Kind.UNITS:
            title = f"{title}, {self.casino.currency}"
        bounds = queries.bounds(period, self.casino)
        return charts.drawn(chart, title, marks, days=days, bounds=bounds, spell=lambda value: self.text(of, value))

    def lanes(self, drawn):
        """The win of tables on the bands of what was expected; None if nothing was."""
        if not drawn:
            return None
        at, of = self.report.lanes, {table.code: table.name for table in self.tables.values()}
        marks = deviations.lanes(drawn, of, self.spell)
        when = f" in the {at.rstrip('_')} until then" if at else ""
        return charts.lanes(f"Win against expected{when}, {self.casino.currency}", marks, self.spell)

    def _name(self, column, name):
        """What a chart calls a value of a column."""
        if name is None:
            return "none"
        return self.text(column, int(name) if column.kind == Kind.STAFF else name)

    def _day(self, name):
        return self.text(Column("date", "", Kind.DATE, ""), dt.date.fromisoformat(name))

    def _line(self, column, row):
        value = row[column.name]
        text = "" if value is None else self._of_setting(column, row) or self.text(column, value)
        return {"text": text, "to": self.way(column, row)}

    def _of_setting(self, column, row):
        """The name of a setting and its values as people read them; empty if the cell is neither."""
        if column.name not in {"detail", "before", "after"}:
            return ""
        setting, value = SETTINGS.get(row.get("detail")), row[column.name]
        if setting is None:
            return ""
        if column.name == "detail":
            return setting.label
        return self.spell(int(value)) if setting.unit == UNITS else f"{value} {setting.unit}"

    def spell(self, units):
        return money.spell(units, self.casino.currency_decimals)

    def text(self, column, value):
        """A cell as people read it."""
        if value is None:
            return ""
        match column.kind:
            case Kind.UNITS:
                text = self.spell(value)
                return f"+{text}" if column.signed and value > 0 else text
            case Kind.PERMILLE | Kind.TENTHS:
                whole, tenth = divmod(abs(value), 10)
                return f"{'−' if value < 0 else ''}{whole}.{tenth}"
            case Kind.DATE:
                return f"{value.day} {value:%b}" if self.within_a_year else f"{value.day} {value:%b %Y}"
            case Kind.TIME:
                return self.moment(value)
            case Kind.STAFF:
                return self._person(value)
            case Kind.BAND:
                return " to ".join(map(self.spell, value))
            case Kind.DEVIATION:
                return value.replace("-", "−")
        if value in self.called:
            return self.called[value]
        return codes.words(column, str(value))

    def _person(self, number):
        person = self.people.get(number)
        return self.reader.person(person) if person else f"Staff {number}"

    def files(self, rows):
        """Files that were given, as the page lists them."""
        by = [_number(row["by"]) for row in rows if row["by"] != NOBODY]
        people = {person.ref: person for person in Staff.objects.filter(pk__in=by)}
        return [
            row
            | {
                "at": self.moment(dt.datetime.fromisoformat(row["at"])),
                "by": "by the house" if row["by"] == NOBODY else self.reader.person(people[row["by"]]),
                "digest": " ".join(row["digest"][at : at + 8] for at in range(0, 64, 8)),
            }
            for row in rows
        ]

    def moment(self, at):
        return self.reader.moment(at)

    def way(self, column, row):
        """The page to which a cell leads; empty if there is none, or none for this person."""
        way, table = column.way, row.get("table_id")
        if way is None:
            if column.kind != Kind.ID:
                return ""
            kind, _, number = str(row[column.name]).partition(":")
            if kind not in _PAGES or not number.isdecimal():
                return ""
            page, right = _PAGES[kind]
            return self._to(page, (number,)) if self._reads(right, table) else ""
        arguments = tuple(row[name] for name in way.arguments)
        if None in arguments or not self._reads(way.right, table if way.at_table else None):
            return ""
        if column.luck is not None:
            return f"{self._to(way.page, arguments)}?period={deviations.span(column.luck, row['date'])}"
        return self._to(way.page, arguments)

    def _to(self, page, arguments):
        """An address; many rows lead to the same one."""
        if (page, arguments) not in self.addresses:
            self.addresses[page, arguments] = reverse(page, args=arguments)
        return self.addresses[page, arguments]

    def _reads(self, right, table):
        if (right, table) not in self.reads:
            place = self.tables.get(table)
            self.reads[right, table] = self.staff.has_perm(right, place) if place else self.staff.has_perm(right)
        return self.reads[right, table]


def _number(ref):
    return int(ref.removeprefix("staff:"))


def _period(period, report):
    """A period as a page shows it, with links to the ones before and after."""
    today = grading.today()
    before = period.before() if (period.first - DAY).year in YEARS else None
    after = period.after() if period.last < today else None
    near = [
        ("Yesterday", Period(today, today).before()),
        ("Today", Period(today, today)),
        ("This month", Period.of(f"{today:%Y-%m}")),
        ("Last month", Period.of(f"{today:%Y-%m}").before()),
        ("This year", Period.of(f"{today:%Y}")),
    ]

    def to(each):
        if each is None:
            return ""
        return reverse("report", args=[report.name, each]) if report else f"{reverse('reports')}?period={each}"

    return {
        "text": str(period),
        "words": period.words(),
        "first": period.first.isoformat(),
        "last": period.last.isoformat(),
        "today": today.isoformat(),
        "before": to(before),
        "after": to(after),
        "near": [{"label": label, "to": to(each), "here": each == period} for label, each in near],
    }


def chosen(report, asked):
    """The values in an address that narrow a report; empty ones don't count.

    :raises Refused: `report_no_such_table` (404).
    """
    columns = (column for column in report.columns if column.choice or column.asked)
    values = {column.name: asked[column.name] for column in columns if asked.get(column.name)}
    code = values.get("table")
    if code and not Table.objects.filter(code=code).exists():
        raise WORDING.refused("report_no_such_table", table=code[:40])
    return values
