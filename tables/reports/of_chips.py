"""Reports of chips and cash on their way: slips, counts and drop boxes."""

from .columns import DATE, TO_DAY, TO_DROP_BOX, TO_SLIP, Chart, Column, Kind, Report, steps, table

FILLS_AND_CREDITS = Report(
    name="fills-and-credits",
    title="Fills and credits",
    answers="Which chips went between cage and tables, by which slip, and who asked, issued, carried and received.",
    chart=Chart("Slips requested", by="kind", at="requested_at"),
    order='filed.date, filed.slip COLLATE "C"',
    columns=(
        DATE,
        Column("slip", "Slip", Kind.ID, "the number of the slip", way=TO_SLIP),
        Column("kind", "Kind", Kind.TEXT, "fill, credit or change", choice=True),
        table(),
        Column("status", "State", Kind.TEXT, "RECEIVED; RETURNED: sent back; VOIDED: never issued", choice=True),
        Column("units", "On the slip", Kind.UNITS, "what was asked for", way=TO_SLIP),
        Column("fill", "Fill", Kind.UNITS, "the chips of a fill that was received", total=True, way=TO_SLIP),
        Column("credit", "Credit", Kind.UNITS, "the chips of a credit that was received", total=True, way=TO_SLIP),
        *steps("Requested", "requested", ("requested_by", "Requested by", "who asked for it")),
        *steps(
            "Issued", "issued", ("issued_by", "Issued by", "who gave the chips"),
            ("carried_by", "Carried by", "who carried them, if the slip says so"),
        ),
        *steps(
            "Received", "received", ("received_by", "Received by", "who counted them first"),
            ("received_with", "Received with", "who counted them second"),
        ),
        *steps(
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
    order='filed.date, filed.slip COLLATE "C"',
    columns=(
        DATE,
        Column("slip", "Slip", Kind.ID, "the number", way=TO_SLIP),
        Column("kind", "Kind", Kind.TEXT, "fill, credit or change", choice=True),
        table("the code of the table, empty for a number that is missing"),
        Column(
            "status", "State", Kind.TEXT, "VOIDED: never issued; RETURNED: the chips went back; MISSING: no such slip",
            choice=True,
        ),
        Column("units", "On the slip", Kind.UNITS, "what was asked for"),
        *steps(
            "Sent back or void", "voided", ("voided_by", "Voided by", "who sent it back or voided it"),
            ("approved_by", "Approved by", "who signed for that as the second"),
        ),
    ),
    sums="A number is taken when the slip is asked for, so none is left unused: one that is not issued is voided. A"
    " number that is missing stands on the day of the next number that there is.",
    absent=("status", "MISSING", "No number is missing up to the last slip of the period."),
)  # fmt: skip

COUNT_SHEETS = Report(
    name="count-sheets",
    title="Count sheets",
    answers="What each of two people counted, chip by chip: openers, closers, slips, drop boxes, cage and tips.",
    order='filed.date, filed.of COLLATE "C", filed.part COLLATE "C", filed.attempt, filed.place,'
    " filed.value NULLS FIRST",
    columns=(
        DATE,
        Column("of", "Of", Kind.ID, "what was counted, as the log names it"),
        table("the code of the table, empty for cage and tips"),
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
    chart=Chart("Variance of each table’s drop boxes", by="table", of="variance", days="Variance of all drop boxes"),
    order='filed.date, filed."table" COLLATE "C", filed.drop_box_id',
    columns=(
        DATE,
        table(),
        Column("box", "Drop box", Kind.ID, "the number that is printed on it", way=TO_DROP_BOX),
        Column("session", "Session", Kind.ID, "the session, as the log names it"),
        Column("status", "State", Kind.TEXT, "COUNTED; in a day that is open also MOUNTED and REMOVED", choice=True),
        Column("seal", "Seal", Kind.ID, "the seal with which it was mounted", group="Seals"),
        Column("removed_seal", "Seal taken off", Kind.ID, "the seal with which it was taken off", group="Seals"),
        *steps(
            "Mounted", "mounted", ("mounted_by", "Mounted by", "who mounted it"),
            ("mounted_with", "Mounted with", "who signed for that"),
        ),
        *steps(
            "Taken off", "removed", ("removed_by", "Taken off by", "who took it off"),
            ("removed_with", "Taken off with", "who signed for that"),
        ),
        *steps(
            "Counted", "counted", ("counted_by", "Counted by", "who signed for the count"),
            ("counted_with", "Counted with", "who signed for it as the second"),
        ),
        Column("recorded", "Buy-ins", Kind.UNITS, "what the table recorded", total=True, way=TO_DROP_BOX, counted=True),
        Column("counted", "Cash", Kind.UNITS, "what was counted", total=True, way=TO_DROP_BOX, counted=True),
        Column(
            "variance", "Variance", Kind.UNITS, "cash − buy-ins",
            total=True, way=TO_DROP_BOX, signed=True, counted=True,
        ),
    ),
    sums="Variance = cash − buy-ins. The cash is the drop of the master game report.",
)  # fmt: skip


def _at_the_end(name, label, says, *, counted=True):
    """A column of chips at the end of a gaming day, by the books."""
    return Column(name, label, Kind.UNITS, says, way=TO_DAY, counted=counted)


CHIPS_IN_CIRCULATION = Report(
    name="chips-in-circulation",
    title="Chips in circulation",
    answers="Where the house's chips were at the end of each gaming day, and how many were in patrons' hands.",
    chart=Chart("Chips in circulation", by="date", of="circulation", days="Chips in circulation"),
    order="filed.date",
    columns=(
        DATE,
        _at_the_end(
            "issued", "Issued", "the chips in use that were ever issued, if the house has said it", counted=False
        ),
        _at_the_end("cage", "Cage", "the chips in the cage; those that a table was closed with are there in the books"),
        _at_the_end("floats", "Floats", "the chips in the floats of tables"),
        _at_the_end("transit", "On their way", "the chips of credits and fills between cage and tables"),
        _at_the_end("rake", "Rake slots", "the chips in rake slots that are not counted"),
        _at_the_end(
            "circulation", "In circulation", "issued − cage − floats − on their way − rake slots", counted=False
        ),
        Column("brought", "New chips", Kind.UNITS, "the chips that were issued on that day", total=True, counted=True),
        Column(
            "withdrawn", "Out of use", Kind.UNITS, "the chips taken out of use on that day", total=True, counted=True
        ),
        Column("sold", "Sold", Kind.UNITS, "the chips that the cage sold on that day", total=True, counted=True),
        Column("cashed", "Cashed", Kind.UNITS, "the chips that the cage cashed on that day", total=True, counted=True),
    ),
    sums="The chips in circulation are in patrons' hands, or were given as tips and not cashed. Only what was done on"
    " days is added up over them. A day that is not closed has no figures: the cage is counted blind. The cage chip by"
    " chip is in the count sheets.",
)
