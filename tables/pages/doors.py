"""Where a person may go from everywhere: one list for the pages and the back office."""

from django.urls import reverse

from casino.phrases import phrase
from casino.roles import Right
from casino.wording import read

_DOORS = (
    (Right.READ_FLOOR, "People", "people"),
    (Right.READ_SLIPS, phrase("doors.slips", "Fills and credits"), "slips"),
    (Right.READ_CASE, "Cases", "cases"),
    (Right.READ_DROP_BOXES, "Drop boxes", "drop-boxes"),
    (Right.READ_TIPS, "Tips", "tips"),
    (Right.READ_CAGE, "Cage", "cage"),
    (Right.READ_DAY, "Gaming days", "days"),
    (Right.READ_REPORTS, "Reports", "reports"),
    (Right.READ_DESK, "Desk", "desk"),
    (Right.READ_SHEETS, "Sheets", "sheets"),
    (Right.READ_ADMIN, "Back office", "admin:house"),
    (Right.READ_STAFF, "Staff", "staff"),
    (Right.READ_SETTINGS, "Settings", "settings"),
)

FLOOR, TABLES = phrase("doors.floor", "Floor"), phrase("doors.tables", "Tables")


def of(staff):
    """The doors that a person may open, each with its name and its address; the tables come first."""
    label = read(FLOOR if staff.has_perm(Right.READ_FLOOR) else TABLES)
    first = {"name": "floor", "label": label, "to": reverse("home")}
    rest = [
        {"name": name, "label": read(label), "to": reverse(name)}
        for right, label, name in _DOORS
        if staff.has_perm(right)
    ]
    return [first, *rest]
