"""Which reports there are: what each answers, what regulators call it, and its columns. One table."""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from casino.errors import Refused
from casino.roles import Right

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
    STAFF = "staff"


class Way(NamedTuple):
    """Where a cell leads: a page, the right that it takes, and the columns of its query that are its arguments.

    `at_table`: the right is asked at the row's table.
    """

    page: str
    right: Right
    arguments: tuple[str, ...]
    at_table: bool = True


class Column(NamedTuple):
    """A column of a file. `says` is what it is, in a sentence without its end.

    `total`: it is added up. `of`: two columns of which it is the quotient. `choice`: a screen can be cut down to one
    value of it. Columns of one `group` stand in one cell of a screen. `counted`: where
    nothing stands, nobody has counted. `later`: it changes when a day is closed already, so it is on screens alone.
    """

    name: str
    label: str
    kind: Kind
    says: str
    total: bool = False
    of: tuple[str, str] | None = None
    way: Way | None = None
    choice: bool = False
    signed: bool = False
    group: str = ""
    counted: bool = False
    later: bool = False


class Report(NamedTuple):
    """A report. `called` is what regulators call it: (whose words, the words).

    `order` is a total order of its rows, in SQL; `sums` says in words how its figures belong together.
    """

    name: str
    title: str
    answers: str
    called: tuple[tuple[str, str], ...]
    order: str
    columns: tuple[Column, ...]
    sums: str = ""

    @property
    def sql(self):
        return (_QUERIES / f"{self.name.replace('-', '_')}.sql").read_text("utf-8")

    @property
    def filed(self):
        """The columns of the file."""
        return [column for column in self.columns if not column.later]

    @property
    def choices(self):
        return [column for column in self.columns if column.choice]


_NJ, _MD = "New Jersey, N.J.A.C.", "Maryland, COMAR"
_OF_DAY = Way("day-table", Right.READ_DAY, ("day_id", "table_id"), at_table=False)
_DAY = Way("day", Right.READ_DAY, ("day_id",), at_table=False)
_SLIP = Way("slip", Right.READ_SLIPS, ("slip_id",))
_DROP_BOX = Way("drop_box", Right.READ_DROP_BOXES, ("drop_box_id",))
_ENTRY = Way("admin:audit_entry_change", Right.READ_LOG, ("entry_id",), at_table=False)
_DATE = Column("date", "Day", Kind.DATE, "the gaming day")


def _table(says="the code of the table"):
    return Column("table", "Table", Kind.TEXT, says, choice=True)


def _figure(name, label, says, *, signed=False):
    return Column(name, label, Kind.UNITS, says, total=True, way=_OF_DAY, signed=signed, counted=True)


def _steps(group, name, *people):
    """When a step was, and who took it."""
    yield Column(f"{name}_at", group, Kind.TIME, f"when it was {group.lower()}", group=group)
    for column, label, says in people:
        yield Column(column, label, Kind.STAFF, says, group=group)


MASTER_GAME = Report(
    name="master-game",
    title="Master game report",
    answers="What each table won, dropped and held on each gaming day, as the day was closed.",
    called=((_NJ, "Master Game Report, 13:69D-1.34"),),
    order='filed.date, filed."table" COLLATE "C"',
    columns=(
        _DATE,
        _table(),
        Column("game", "Game", Kind.TEXT, "the games that were played there, empty if there was no round"),
        Column("sessions", "Sessions", Kind.COUNT, "how many sessions the table had; each has an opener and a closer"),
        _figure("opener", "Opener", "the chips with which the sessions were opened"),
        _figure("fills", "Fills", "the chips that came from the cage"),
        _figure("credits", "Credits", "the chips that went to the cage, less those that came back"),
        _figure("closer", "Closer", "the chips with which the sessions were closed"),
        _figure("drop", "Drop", "the cash that was counted in the drop boxes"),
        _figure("buy_ins", "Buy-ins", "the cash that the table recorded"),
        _figure("win", "Win", "closer + drop + credits − opener − fills", signed=True),
        Column("hold", "Hold, %", Kind.PERMILLE, "the win in percent of the drop", of=("win", "drop")),
        _figure("rake", "Rake", "the chips that were counted in the rake slot; they are not part of the win"),
        _figure("tips", "Tips", "the tips that were entered; they are not part of the win"),
        _figure(
            "variance", "Variance", "what was counted in float and drop boxes less what the books had", signed=True
        ),
        Column(
            "corrected",
            "Corrected since",
            Kind.UNITS,
            "what later days changed in what the house won of its rounds",
            total=True,
            way=_DAY,
            signed=True,
            later=True,
        ),
    ),
    sums="Win = closer + drop + credits − opener − fills. Hold = win ÷ drop. Rake and tips are not part of the win."
    " What was corrected since is in no other figure and in no file: it stands in the day on which that was done. Where"
    " a table had several sessions, its openers and closers are the same chips counted again.",
)

FILLS_AND_CREDITS = Report(
    name="fills-and-credits",
    title="Fills and credits",
    answers="Which chips went between cage and tables, by which slip, and who asked, issued, carried and received.",
    called=((_NJ, "Credit Slip, 13:69D-1.23"),),
    order='filed.date, filed.slip COLLATE "C"',
    columns=(
        _DATE,
        Column("slip", "Slip", Kind.ID, "the number of the slip", way=_SLIP),
        Column("kind", "Kind", Kind.TEXT, "fill, credit or change", choice=True),
        _table(),
        Column("status", "State", Kind.TEXT, "RECEIVED; RETURNED: sent back; VOIDED: never issued", choice=True),
        Column("units", "On the slip", Kind.UNITS, "what was asked for", way=_SLIP),
        Column("fill", "Fill", Kind.UNITS, "the chips of a fill that was received", total=True, way=_SLIP),
        Column("credit", "Credit", Kind.UNITS, "the chips of a credit that was received", total=True, way=_SLIP),
        *_steps("Requested", "requested", ("requested_by", "Requested by", "who asked for it")),
        *_steps(
            "Issued", "issued", ("issued_by", "Issued by", "who gave the chips"),
            ("carried_by", "Carried by", "who carried them, if the slip says so"),
        ),
        *_steps(
            "Received", "received", ("received_by", "Received by", "who counted them first"),
            ("received_with", "Received with", "who counted them second"),
        ),
        *_steps(
            "Sent back or void", "voided", ("voided_by", "Voided by", "who sent it back or voided it"),
            ("approved_by", "Approved by", "who signed for that as the second"),
        ),
    ),
    sums="Fills and credits are those of the master game report: chips that were received.",
)  # fmt: skip

SLIP_NUMBERS = Report(
    name="slip-numbers",
    title="Slip numbers unused, void or missing",
    answers="Which numbers of fills, credits and changes brought no chips, and whether the numbers run without a gap.",
    called=((_NJ, "The accounting for each series of slips, 13:69D-1.23"),),
    order='filed.date, filed.slip COLLATE "C"',
    columns=(
        _DATE,
        Column("slip", "Slip", Kind.ID, "the number", way=_SLIP),
        Column("kind", "Kind", Kind.TEXT, "fill, credit or change", choice=True),
        _table("the code of the table, empty for a number that is missing"),
        Column(
            "status", "State", Kind.TEXT, "VOIDED: never issued; RETURNED: the chips went back; MISSING: no such slip",
            choice=True,
        ),
        Column("units", "On the slip", Kind.UNITS, "what was asked for"),
        *_steps(
            "Sent back or void", "voided", ("voided_by", "Voided by", "who sent it back or voided it"),
            ("approved_by", "Approved by", "who signed for that as the second"),
        ),
    ),
    sums="A number is taken when the slip is asked for, so none is left unused: one that is not issued is voided. A"
    " number that is missing stands on the day of the next number that there is.",
)  # fmt: skip

COUNT_SHEETS = Report(
    name="count-sheets",
    title="Count sheets",
    answers="What each of two people counted, chip by chip: openers, closers, slips, drop boxes, cage and tips.",
    called=((_NJ, "Table Inventory Slip, 13:69D-1.21"), (_MD, "Table Inventory Slip, 36.05.03.02")),
    order='filed.date, filed.of COLLATE "C", filed.part COLLATE "C", filed.attempt, filed.place,'
    " filed.value NULLS FIRST",
    columns=(
        _DATE,
        Column("of", "Of", Kind.ID, "what was counted, as the log names it"),
        _table("the code of the table, empty for cage and tips"),
        Column(
            "part", "Part", Kind.TEXT, "opener, closer, rake, fill, credit, change, cage, drop or tips", choice=True
        ),
        Column("attempt", "Attempt", Kind.COUNT, "which count it was; two that differ are made again"),
        Column("place", "Place", Kind.COUNT, "1 counted first, 2 second, blind to the first"),
        Column("counted_at", "Counted", Kind.TIME, "when the count was entered", group="Counted"),
        Column("counted_by", "Counted by", Kind.STAFF, "who counted", group="Counted"),
        Column("value", "Chip", Kind.UNITS, "the value of the chip, note or coin; empty where there was none"),
        Column("number", "Number", Kind.COUNT, "how many there were"),
        Column("units", "Amount", Kind.UNITS, "value × number"),
        Column("sheet", "Sheet", Kind.UNITS, "what the whole count comes to"),
    ),
    sums="Each sheet is the sum of its amounts. Nothing is added up over sheets: two people count the same chips.",
)

DROP_BOXES = Report(
    name="drop-boxes",
    title="Drop boxes and their variances",
    answers="Which drop boxes were mounted, taken off and counted, by whom, and how their cash differs from buy-ins.",
    called=(),
    order='filed.date, filed."table" COLLATE "C", filed.drop_box_id',
    columns=(
        _DATE,
        _table(),
        Column("box", "Drop box", Kind.ID, "the number that is printed on it", way=_DROP_BOX),
        Column("session", "Session", Kind.ID, "the session, as the log names it"),
        Column("status", "State", Kind.TEXT, "COUNTED; in a day that is open also MOUNTED and REMOVED", choice=True),
        Column("seal", "Seal", Kind.ID, "the seal with which it was mounted", group="Seals"),
        Column("removed_seal", "Seal taken off", Kind.ID, "the seal with which it was taken off", group="Seals"),
        *_steps(
            "Mounted", "mounted", ("mounted_by", "Mounted by", "who mounted it"),
            ("mounted_with", "Mounted with", "who signed for that"),
        ),
        *_steps(
            "Taken off", "removed", ("removed_by", "Taken off by", "who took it off"),
            ("removed_with", "Taken off with", "who signed for that"),
        ),
        *_steps(
            "Counted", "counted", ("counted_by", "Counted by", "who signed for the count"),
            ("counted_with", "Counted with", "who signed for it as the second"),
        ),
        Column("recorded", "Buy-ins", Kind.UNITS, "what the table recorded", total=True, way=_DROP_BOX, counted=True),
        Column("counted", "Cash", Kind.UNITS, "what was counted", total=True, way=_DROP_BOX, counted=True),
        Column(
            "variance", "Variance", Kind.UNITS, "cash − buy-ins", total=True, way=_DROP_BOX, signed=True, counted=True,
        ),
    ),
    sums="Variance = cash − buy-ins. The cash is the drop of the master game report.",
)  # fmt: skip

EXCEPTIONS = Report(
    name="exceptions",
    title="Voids, corrections, rulings and settings",
    answers="What was voided, corrected, ruled on, overridden or set anew, who asked for it and who approved it.",
    called=((_NJ, "Report of all exceptions, 13:69D-1.34"),),
    order='filed.made_at, filed.chain COLLATE "C", filed.seq',
    columns=(
        Column("date", "Day", Kind.DATE, "the gaming day by the casino's clock"),
        Column("made_at", "At", Kind.TIME, "when the log has it"),
        Column("what", "What", Kind.TEXT, "the event, as the log names it", choice=True),
        _table("the code of the table, empty for what is the house's"),
        Column("subject", "About", Kind.ID, "what it is about, as the log names it"),
        Column("detail", "Detail", Kind.TEXT, "the setting, the ruling, the sheet, or what was counted"),
        Column("clause", "Clause", Kind.TEXT, "the clause of the rules that was named"),
        Column("asked_by", "Asked by", Kind.STAFF, "who asked for it, or did it"),
        Column("approved_by", "Approved by", Kind.STAFF, "who signed for it as the second"),
        Column("terminal", "Terminal", Kind.TEXT, "the device at which it was done"),
        Column("before", "Before", Kind.TEXT, "the setting before, an amount in the smallest unit"),
        Column("after", "After", Kind.TEXT, "the setting after, an amount in the smallest unit"),
        Column("from_at", "From", Kind.TIME, "the moment from which a setting or a sheet counts"),
        Column("entry", "Entry", Kind.ID, "its entry in the log: the chain and the number there", way=_ENTRY),
    ),
    sums="Each row is an entry of the log. Reasons in words stay in the casino: the log has their hashes.",
)

REPORTS = {
    report.name: report
    for report in (MASTER_GAME, FILLS_AND_CREDITS, SLIP_NUMBERS, COUNT_SHEETS, DROP_BOXES, EXCEPTIONS)
}


def find(name):
    """The report of a name.

    :raises Refused: `report_unknown` (404).
    """
    if name not in REPORTS:
        raise Refused(
            "report_unknown",
            f"There is no report {name[:40]}.",
            status=404,
            way_out="Choose one of the list of reports.",
        )
    return REPORTS[name]
