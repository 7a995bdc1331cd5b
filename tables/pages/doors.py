"""Where a person may go from everywhere: one list for the pages and the back office."""

from django.urls import reverse

from casino.roles import Right

from ..people import languages
from ..words.wording import WORDING

_DOORS = (
    (Right.READ_FLOOR, "People", "people"),
    (Right.READ_SLIPS, "Fills and credits", "slips"),
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
_OF_CROUPIERS = {"slips": "doors.slips", "drop-boxes": "doors.drop_boxes"}
"""The doors to pages that speak the language of whoever is a croupier and nothing else."""


def of(staff):
    """The doors that a person may open, each with its name and its address; the tables come first."""
    label = "Floor" if staff.has_perm(Right.READ_FLOOR) else WORDING("doors.tables")
    first = {"name": "floor", "label": label, "to": reverse("home")}
    own = {name: WORDING(_OF_CROUPIERS[name]) for name in _OF_CROUPIERS} if languages.is_croupier(staff) else {}
    rest = [
        {"name": name, "label": own.get(name, label), "to": reverse(name)}
        for right, label, name in _DOORS
        if staff.has_perm(right)
    ]
    return [first, *rest]
