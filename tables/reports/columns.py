"""What a report is made of: its columns, the kind of each, and where its cells lead."""

from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from casino.roles import Right

from .regulators import CALLED

_QUERIES = Path(__file__).parent


class Kind(StrEnum):
    """What a cell is: how a file and a screen write it."""

    TEXT = "text"
    ID = "id"
    DATE = "date"
    TIME = "time"
    UNITS = "units"
    COUNT = "count"
    PERMILLE = "permille"
    TENTHS = "tenths"
    STAFF = "staff"
    BAND = "band"
    DEVIATION = "deviation"


class Way(NamedTuple):
    """Where a cell leads: a page, the right that it takes, and the columns of the query that are its arguments.

    `at_table`: the right must be held at the row's table.
    """

    page: str
    right: Right
    arguments: tuple[str, ...]
    at_table: bool = True


class Column(NamedTuple):
    """A column of a file. `says` describes it, in a sentence without a full stop.

    `total`: it is added up. `of`: two columns of which it is the quotient; `made_of`: those of which it is the sum,
    each behind its sign; `an_hour`: two columns; its own sum is tenths of the first per hour, by the minutes of the
    second. `choice`: a screen can be narrowed to one of its values; `asked`: the same, with a value that is typed.
    Columns of one `group` share a cell of a screen. `counted`: an empty cell means that nobody has counted. `later`: it
    changes after a day is closed, so it is only on screens. `long`: sentences, which stand below their row. `luck`:
    which of the report's `lucks` it is worked out from.
    """

    name: str
    label: str
    kind: Kind
    says: str
    total: bool = False
    of: tuple[str, str] | None = None
    way: Way | None = None
    choice: bool = False
    asked: bool = False
    signed: bool = False
    group: str = ""
    counted: bool = False
    later: bool = False
    long: bool = False
    made_of: tuple[str, ...] = ()
    an_hour: tuple[str, str] | None = None
    luck: str | None = None

    def quotient(self, one, other):
        """What a column comes to by the sums of the two columns of its `of` (tenths of a percent) or `an_hour`
        (tenths). None if there is nothing to divide, or to divide by.

        >>> Column("hold", "Hold, %", Kind.PERMILLE, "", of=("win", "drop")).quotient(100, 800)
        125
        >>> Column("pace", "Rounds an hour", Kind.TENTHS, "", an_hour=("rounds", "minutes")).quotient(41, 120)
        205
        """
        if one is None or not other:
            return None
        return round((1000 if self.of else 600) * Fraction(one) / Fraction(other))

    @property
    def terms(self):
        """The terms of a figure, each as its sign and the column's name.

        >>> Column("win", "Win", Kind.UNITS, "", made_of=("+closer", "-opener")).terms
        [('', 'closer'), ('−', 'opener')]
        """
        if self.of:
            return [("", self.of[0]), ("÷", self.of[1])]
        signed = [(each[0].replace("-", "−"), each[1:]) for each in self.made_of]
        return [(sign if place or sign != "+" else "", name) for place, (sign, name) in enumerate(signed)]


class Chart(NamedTuple):
    """A report's chart: a bar for each value of the column `by`, as long as the sum of the column `of`, or the number
    of rows; or, with `at`, a dot at each moment of that column. With `days`, it is a line by gaming days if there are
    several, and then has that title. A value with something uncounted is left out.
    """

    title: str
    by: str
    of: str = ""
    at: str = ""
    days: str = ""


class Report(NamedTuple):
    """A report. `order` is a total order of its rows, in SQL; `sums` says in words how its figures belong together.

    `edition` is raised when its columns, its rows or their order change: files of the same edition have the same bytes
    for ever. `right` is what it takes to read it besides the right to read reports. A report `of_the_year` has figures
    from the first day of the year on. If a row takes long to make, `found_by` are columns that tell it from all others,
    the first of which narrows it down; the columns that order the rows and narrow the report are among them. A query of
    these alone, with which the report's begins, finds a page, and then only its rows are made. A report with columns
    `by_pit` shows those, in that order, if all of its rows belong to one day: the tables below their pits. `sentence`,
    at the top of a print, says what the sums come to, by their names. `also` are words of questions that it answers, by
    which it is found; a report `of_roles` says beside its rows what each role may do. `absent` is a value of a column
    with `choice` that is a finding if it occurs, with the sentence that says it does not. `lanes` names one of its
    `lucks`: each table's win is drawn on the band of what was expected.
    """

    name: str
    title: str
    answers: str
    order: str
    columns: tuple[Column, ...]
    sums: str = ""
    edition: int = 1
    right: Right | None = None
    of_the_year: bool = False
    chart: Chart | None = None
    found_by: tuple[str, ...] = ()
    by_pit: tuple[str, ...] = ()
    sentence: str = ""
    also: str = ""
    of_roles: bool = False
    absent: tuple[str, str, str] | None = None
    lanes: str | None = None

    def since(self, period):
        """The first day of the figures in a period's report."""
        return period.last.replace(month=1, day=1) if self.of_the_year else period.first

    @property
    def sql(self):
        rows = self._query()
        return f"WITH outline AS (\n{self.outline}\n)\n{rows}" if self.found_by else rows

    @property
    def outline(self):
        """The query of the columns that a report is `found_by`: all of its rows, without what takes long."""
        return self._query("_outline")

    def _query(self, part=""):
        return (_QUERIES / f"{self.name.replace('-', '_')}{part}.sql").read_text("utf-8")

    @property
    def called(self):
        """What regulators call it: pairs of a source and its words."""
        return CALLED.get(self.name, ())

    @property
    def filed(self):
        """The columns of the file."""
        return [column for column in self.columns if not column.later]

    @property
    def lucks(self):
        """The prefixes of the luck columns in its query (`OF_LUCK`), each once.

        >>> columns = (*luck("day_", "day", "on that day"), *luck("year_", "year", "in its year until then"))
        >>> Report("statistics", "", "", "", columns).lucks
        ['day_', 'year_']
        """
        return list(dict.fromkeys(column.luck for column in self.columns if column.luck is not None))

    @property
    def choices(self):
        return [column for column in self.columns if column.choice]


TO_DAY_OF_TABLE = Way("day-table", Right.READ_DAY, ("day_id", "table_id"), at_table=False)
TO_DAY = Way("day", Right.READ_DAY, ("day_id",), at_table=False)
TO_LUCK = Way("luck-table", Right.READ_REPORTS, ("table_id",), at_table=False)
TO_SLIP = Way("slip", Right.READ_SLIPS, ("slip_id",))
TO_DROP_BOX = Way("drop_box", Right.READ_DROP_BOXES, ("drop_box_id",))
TO_CASE = Way("case", Right.READ_CASE, ("case_id",))
TO_PERSON = Way("staff-person", Right.READ_STAFF, ("staff_id",), at_table=False)
TO_ENTRY = Way("admin:audit_entry_change", Right.READ_LOG, ("entry_id",), at_table=False)
DATE = Column("date", "Day", Kind.DATE, "the gaming day")


def table(says="the code of the table"):
    """The column of the table, by which a screen can be narrowed."""
    return Column("table", "Table", Kind.TEXT, says, choice=True)


def figure(name, label, says, *, signed=False, made_of=()):
    """An amount of a table on a gaming day, which is added up; it leads to the day's page."""
    return Column(
        name, label, Kind.UNITS, says, total=True, way=TO_DAY_OF_TABLE, signed=signed, counted=True, made_of=made_of
    )


OF_LUCK = ("won", "expected", "spread", "highest")
"""What a query gives of luck told apart, behind a beginning of its own: the win of the rounds that count, what was
expected of them, their variance, and the logarithm of the purse when it was highest (`payouts.luck.Bets`). All are null
where no round counts, and while chips are to be counted blind; that they are is `waits`."""


def luck(beginning="", label="", words="on that gaming day", *, deviations="19 of 20 days"):
    """What was expected of the rounds of Split Poker, and how far off it they are; only on screens, since it changes
    with a correction and no log has it."""
    behind = f", {label}" if label else ""
    yield Column(
        f"{beginning}won", f"Win of the rounds{behind}", Kind.UNITS,
        f"what the house won of the rounds of Split Poker that count, {words}",
        way=TO_LUCK, signed=True, later=True, luck=beginning,
    )  # fmt: skip
    yield Column(
        f"{beginning}expected", f"Expected{behind}", Kind.UNITS,
        "what it was to win of them on average, by the best play",
        way=TO_LUCK, later=True, luck=beginning,
    )  # fmt: skip
    yield Column(
        f"{beginning}band", f"Band{behind}", Kind.BAND,
        f"what was expected, two standard deviations to both sides: {deviations} of an honest table lie within",
        way=TO_LUCK, later=True, luck=beginning,
    )  # fmt: skip
    yield Column(
        f"{beginning}deviation", f"Deviation{behind}", Kind.DEVIATION,
        "by how many standard deviations those rounds won more than expected; beyond 2 it is off its band",
        way=TO_LUCK, signed=True, later=True, luck=beginning,
    )  # fmt: skip
    yield Column(
        f"{beginning}luck_alarm", f"Alarm{behind}", Kind.TEXT,
        "whether the table had lost more in its year until then than luck explains; no proof against anybody",
        way=TO_LUCK, later=True, luck=beginning,
    )  # fmt: skip


def steps(group, name, *people):
    """When a step was taken, and by whom."""
    yield Column(f"{name}_at", group, Kind.TIME, f"when it was {group.lower()}", group=group)
    for column, label, says in people:
        yield Column(column, label, Kind.STAFF, says, group=group)
