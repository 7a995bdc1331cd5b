"""Where a person may go from everywhere: one list for the pages and the back office."""

from django.urls import reverse

from casino.roles import Right

_DOORS = (
    (Right.READ_FLOOR, "People", "people", "next"),
    (Right.READ_SLIPS, "Fills and credits", "slips", "next"),
    (Right.READ_CASE, "Cases", "cases", "flag"),
    (Right.READ_DROP_BOXES, "Drop boxes", "drop-boxes", "cash"),
    (Right.READ_TIPS, "Tips", "tips", "tip"),
    (Right.READ_CAGE, "Cage", "cage", "chip"),
    (Right.READ_DAY, "Gaming days", "days", "list"),
    (Right.READ_SHEETS, "Sheets", "sheets", "list"),
    (Right.READ_ADMIN, "Back office", "admin:house", "menu"),
    (Right.READ_STAFF, "Staff", "staff", "next"),
    (Right.READ_SETTINGS, "Settings", "settings", "list"),
)


def of(staff):
    """The doors that a person may open, each with its name, its address and its icon; the tables come first."""
    first = {"name": "floor" if staff.has_perm(Right.READ_FLOOR) else "tables", "to": reverse("home"), "icon": "play"}
    first["label"] = first["name"].capitalize()
    rest = [
        {"name": name, "label": label, "to": reverse(name), "icon": icon}
        for right, label, name, icon in _DOORS
        if staff.has_perm(right)
    ]
    return [first, *rest]
