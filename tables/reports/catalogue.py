"""The table of reports: what each answers, what regulators call it, and its columns."""

from .of_cases import DAILY_EXCEPTIONS, INVESTIGATIONS
from .of_chips import CHIPS_IN_CIRCULATION, COUNT_SHEETS, DROP_BOXES, FILLS_AND_CREDITS, SLIP_NUMBERS
from .of_exceptions import EXCEPTIONS
from .of_people import ACCESS_REVIEW
from .of_play import ALARMS, DEALER_ERRORS, DISPUTES, HAND_HISTORY, LARGE_CASH, PACE, PAYMENTS
from .of_tables import ADJUSTMENTS, MASTER_GAME, STATISTICS
from .wording import WORDING

GROUPS = {
    "Win, drop and hold": (MASTER_GAME, ADJUSTMENTS, DAILY_EXCEPTIONS, STATISTICS, INVESTIGATIONS),
    "Chips, slips and people": (
        *(FILLS_AND_CREDITS, SLIP_NUMBERS, COUNT_SHEETS, DROP_BOXES, CHIPS_IN_CIRCULATION, EXCEPTIONS, ACCESS_REVIEW),
    ),
    "Play": (DISPUTES, ALARMS, PAYMENTS, PACE, DEALER_ERRORS, LARGE_CASH, HAND_HISTORY),
}
REPORTS = {report.name: report for group in GROUPS.values() for report in group}


def hidden(reader):
    """The names of the reports that somebody who reads reports may not read."""
    return [name for name, report in REPORTS.items() if not _reads(reader, report)]


def find(name, reader=None):
    """The report of a name; for a reader who may not read it, there is none.

    :raises Refused: `report_unknown` (404).
    """
    report = REPORTS.get(name)
    if report is None or (reader is not None and not _reads(reader, report)):
        raise WORDING.refused("report_unknown", name=name[:40])
    return report


def _reads(reader, report):
    return report.right is None or reader.has_perm(report.right)
