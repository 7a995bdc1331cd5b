"""The settings of the house: what there is to set, within which bounds, and the value of each by the database's clock.

A further setting is a further line of `SETTINGS`, and whatever reads it. Two people change one
(`tables/verbs/settings.py`); as long as nobody has, its default counts.
"""

from typing import NamedTuple

from django.db.models.functions import Now

from .models import Setting

UNITS = "units"
"""Of an amount of money in the currency's smallest unit; any other unit is a word that people read."""


class Definition(NamedTuple):
    """A setting: a whole number from `least` to `most`. `about` says what it does and where, in a sentence."""

    name: str
    label: str
    default: int
    least: int
    most: int
    unit: str
    about: str

    def fits(self, value):
        """Whether it may have this value; True is not a number.

        >>> SETTINGS["closer_variance_units"].fits(500), SETTINGS["closer_variance_units"].fits(True)
        (True, False)
        """
        return type(value) is int and self.least <= value <= self.most


# fmt: off
SETTINGS = {each.name: each for each in (
    Definition("closer_variance_units", "Variance of a closing", 0, 0, 10_000_000, UNITS,
               "A variance above this takes a reason, chips missing or too many; the closing form marks it."),
    Definition("opener_variance_units", "Difference of an opener", 0, 0, 10_000_000, UNITS,
               "An opener that differs by more from the closer before it takes a reason, and is marked."),
    Definition("cage_variance_units", "Variance of the cage", 0, 0, 10_000_000, UNITS,
               "A variance of the cage above this takes a reason, missing or too many; its form marks it."),
    Definition("buy_in_signed_units", "Buy-in that is signed for", 200_000, 0, 100_000_000, UNITS,
               "A buy-in above this needs a pit boss’s signature beside the croupier’s."),
    Definition("large_cash_units", "Large cash", 1_000_000, 1, 1_000_000_000, UNITS,
               "Buy-ins of one box in a gaming day that come to this are reported; an alarm comes before."),
    Definition("large_cash_near_percent", "Large cash is near", 80, 1, 100, "percent",
               "The alarm is raised when the buy-ins of a box come to this part of large cash."),
    Definition("drop_variance_units", "Variance of a drop", 0, 0, 10_000_000, UNITS,
               "A drop that differs from its buy-ins by more takes a reason, and an alarm is raised."),
    Definition("tips_variance_units", "Variance of the tips", 0, 0, 10_000_000, UNITS,
               "Tips of a day that differ by more from what the tables entered take a reason; their page marks it."),
    Definition("drop_box_hours", "Drop box not counted", 24, 1, 240, "hours",
               "An alarm is raised when a drop box that was taken off is not counted for this long."),
    Definition("slip_minutes", "Slip on its way", 15, 1, 240, "minutes",
               "An alarm is raised when the chips of a slip are on their way for this long."),
    Definition("case_hours", "Time for a case", 72, 1, 720, "hours",
               "So long the owner of a new case has to clear it up; then an alarm is raised."),
    Definition("dispute_hours", "Time for a dispute", 24, 1, 720, "hours",
               "So long a new dispute has until its ruling; then an alarm is raised."),
    Definition("question_hours", "Time for an answer to an auditor", 24, 1, 720, "hours",
               "So long the pit has to answer a question of an auditor; then it is marked as late."),
    Definition("refusal_people", "People who refuse a dispute", 2, 1, 2, "people",
               "So many people refuse a dispute; whoever raised it never does so alone."),
    Definition("settlement_seconds", "Settlement is late", 10, 1, 3_600, "seconds",
               "An alarm is raised when a closed round waits for its settlement for this long."),
    Definition("settlement_tries", "Settlement tried again", 3, 1, 7, "tries",
               "An alarm is raised when a round could not be settled more often; after eight it is held."),
    Definition("round_minutes", "Round open", 60, 1, 1_440, "minutes",
               "An alarm is raised when a round is open for this long and nobody holds it."),
    Definition("pace_least", "Pace, at least", 10, 0, 300, "rounds an hour",
               "An alarm is raised when a table that is open for an hour played fewer in the last hour."),
    Definition("pace_most", "Pace, at most", 90, 1, 300, "rounds an hour",
               "An alarm is raised when a table that is open for an hour played more in the last hour."),
    Definition("float_low_percent", "Float is low", 30, 0, 100, "percent",
               "An alarm is raised when less than this part of its opener is left in a table's float."),
    Definition("void_rate_percent", "Many voids", 5, 0, 100, "percent",
               "An alarm is raised when more rounds of a session are void, of those that were settled."),
    Definition("correction_rate_percent", "Many corrections", 5, 0, 100, "percent",
               "An alarm is raised when a session has more corrections, of the rounds that were settled."),
    Definition("rate_rounds", "Rounds before a rate", 40, 1, 1_000, "rounds",
               "The void and correction rates of a session count once it has settled this many rounds."),
    Definition("luck_once_in", "More lost than luck explains", 100, 10, 1_000_000, "table-years",
               "An alarm is raised when a Split table loses as an honest one does in one of so many years, at most."),
    Definition("signature_by_password", "Signatures by password", 1, 0, 1, "(1 taken, 0 refused)",
               "With 0 a second person signs with a passkey, which can be checked at home, and with nothing else."),
    Definition("edge_least", "House edge, at least", 50, 0, 10_000, "hundredths of a per cent of the ANTE",
               "A sheet of a game with a house whose edge is lower is published with a written reason alone."),
    Definition("edge_most", "House edge, at most", 3_000, 0, 10_000, "hundredths of a per cent of the ANTE",
               "A sheet of a game with a house whose edge is higher is published with a written reason alone."),
    Definition("report_files_forms", "Files of reports at the close of a day", 1, 0, 3,
               "(0 none, 1 CSV, 2 XLSX too, 3 PDF too)",
               "When a gaming day is closed, the files of its reports are made by themselves."),
    Definition("report_files_days", "Files of reports are kept", 2_555, 30, 36_500, "days",
               "Before two people prune it, a file of a report is kept for this long."),
    Definition("seal_seconds", "The log isn’t sealed", 10, 1, 3_600, "seconds",
               "An alarm is raised when an entry of the log waits for its seal for longer."),
    Definition("break_due_minutes", "Break is due", 60, 5, 480, "minutes",
               "Whoever deals for this long, at one table or at several, is due for a break, says the page of people."),
    Definition("break_minutes", "Break", 20, 1, 120, "minutes",
               "Whoever deals nowhere for this long has had a break; a shorter time off is none."),
    Definition("alarm_escalation_minutes", "Nobody came", 5, 1, 240, "minutes",
               "A call or an alarm that nobody took for this long goes to the pit bosses of all pits, with a tone."),
)}
# fmt: on


def value(name, at=None):
    """A setting's value now, by the database's clock, or at a moment: one statement.

    :raises KeyError: if there is no such setting.
    """
    definition = SETTINGS[name]
    rows = Setting.objects.filter(name=name, withdrawn_at=None, from_at__lte=at or Now())
    newest = rows.order_by("-from_at").values_list("value", flat=True).first()
    return definition.default if newest is None else newest


def values():
    """The values of all settings now, by their names: one statement."""
    rows = Setting.objects.filter(withdrawn_at=None, from_at__lte=Now()).order_by("name", "-from_at").distinct("name")
    defaults = {definition.name: definition.default for definition in SETTINGS.values()}
    return defaults | dict(rows.values_list("name", "value"))
