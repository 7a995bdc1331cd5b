"""The rows of the house inspected: whether each still agrees with the log (`audit/inspections.py`).

It only reads. `tests/tables/test_inspections.py` lists the columns that no entry has, each with its reason.
"""

from audit.comparing import Part
from audit.leaves import missing
from casino.models import Setting, Staff
from payouts.models import Movement

from ..models import (
    Alarm,
    CageShift,
    Case,
    CaseFile,
    Count,
    Credential,
    Dispute,
    DropBox,
    GamingDay,
    InForce,
    OneTimeCode,
    Pit,
    Posting,
    Question,
    RecoveryCode,
    Relief,
    ReportFile,
    ReportToken,
    Round,
    RuleSheet,
    Scanner,
    Series,
    Session,
    SignOn,
    Slip,
    SlipNumber,
    Table,
    Terminal,
    TipCount,
)
from . import (
    alarms,
    cage,
    cases,
    days,
    drop_boxes,
    floor,
    movements,
    people,
    questions,
    reports,
    rounds,
    settings,
    slips,
    tips,
)


def rows_of_entries(read):
    """The rows that these entries record and that do not exist."""
    named = []
    for event, (model, table) in _BEGIN.items():
        named += missing(read, event, table, _there(model))
    for name, (model, table) in _SET.items():
        laid_out = [each for each in read if each.subject.startswith(f"{name}:")]
        named += missing(laid_out, "setting.changed", table, _there(model))
    disputed = [each._replace(subject=each.facts["dispute"]) for each in read if "dispute" in each.facts]
    named += missing(disputed, "dispute.raised", "tables_dispute", _there(Dispute))
    # Entries from before files had rows are about reports as such.
    of_files = [each for each in read if each.event == "report.made" and each.subject != "reports"]
    named += missing(of_files, "report.made", "tables_reportfile", _there(ReportFile))
    return [*named, *floor.sheets_not_in_force(read), *people.nobody_there(read), *tips.not_there(read)]


# The entry that a row begins with.
_BEGIN = {
    "round.opened": (Round, "tables_round"),
    "credential.added": (Credential, "tables_credential"),
    "session.begun": (Session, "tables_session"),
    "session.opened": (Session, "tables_session"),
    "series.opened": (Series, "tables_series"),
    "movement.made": (Movement, "payouts_movement"),
    "sheet.drafted": (RuleSheet, "tables_rulesheet"),
    "sheet.published": (RuleSheet, "tables_rulesheet"),
    "staff.added": (Staff, "casino_staff"),
    "terminal.enrolled": (Terminal, "tables_terminal"),
    "alarm.raised": (Alarm, "tables_alarm"),
    "case.opened": (Case, "tables_case"),
    "question.asked": (Question, "tables_question"),
    "relief.asked": (Relief, "tables_relief"),
    "case.filed": (CaseFile, "tables_casefile"),
    "slip.requested": (Slip, "tables_slip"),
    "count.entered": (Count, "tables_count"),
    "cage.opened": (CageShift, "tables_cageshift"),
    "drop_box.mounted": (DropBox, "tables_dropbox"),
    "day.closed": (GamingDay, "tables_gamingday"),
    "report_token.given": (ReportToken, "tables_reporttoken"),
}
# The rows that `setting.changed` creates.
_SET = {
    "pit": (Pit, "tables_pit"),
    "table": (Table, "tables_table"),
    "scanner": (Scanner, "tables_scanner"),
    "setting": (Setting, "casino_setting"),
}


def _there(model):
    return lambda numbers: model.objects.filter(pk__in=numbers).values_list("pk", flat=True)


PARTS = (
    Part.of_rows(
        "rounds",
        "round, with all that was done and settled in it",
        "rounds, with all that was done and settled in them",
        Round,
        rounds.look,
        50,
    ),
    Part.of_rows("alarms", "call", "calls", Alarm, alarms.look_at_alarms, 500),
    Part.of_rows("cases", "case", "cases", Case, cases.look, 500),
    Part.of_rows("case files", "file of a case", "files of cases", CaseFile, cases.look_at_files, 50),
    Part.of_rows("questions", "question to the pit", "questions to the pit", Question, questions.look, 500),
    Part.of_rows("movements", "movement of chips", "movements of chips", Movement, movements.look, 500),
    Part.of_rows("slips", "slip", "slips", Slip, slips.look_at_slips, 500),
    Part.of_rows("counts", "count of chips", "counts of chips", Count, slips.look_at_counts, 500),
    Part.of_rows(
        "slip numbers", "kind of slip in a year", "kinds of slips in a year", SlipNumber, slips.look_at_numbers, 500
    ),
    Part.of_rows("sessions", "session", "sessions", Session, floor.look_at_sessions, 500),
    Part.of_rows("shifts", "shift of the cage", "shifts of the cage", CageShift, cage.look, 500),
    Part.of_rows("drop boxes", "drop box", "drop boxes", DropBox, drop_boxes.look, 500),
    Part.of_rows("gaming days", "gaming day", "gaming days", GamingDay, days.look, 20),
    Part.of_rows("tips", "count of tips", "counts of tips", TipCount, tips.look, 500),
    Part.of_rows("series", "series", "series", Series, floor.look_at_series, 500),
    Part.of_rows("sheets", "rule sheet", "rule sheets", RuleSheet, floor.look_at_sheets, 100),
    Part.of_rows("sheets in force", "sheet in force", "sheets in force", InForce, floor.look_at_sheets_in_force, 500),
    Part.of_rows("pits", "pit", "pits", Pit, floor.look_at_pits, 500),
    Part.of_rows("tables", "table", "tables", Table, floor.look_at_tables, 20),
    Part.of_rows("staff", "person", "people", Staff, people.look_at_staff, 100),
    Part.of_rows("postings", "posting", "postings", Posting, people.look_at_postings, 100),
    Part.of_rows("one-time codes", "one-time code", "one-time codes", OneTimeCode, people.look_at_codes, 100),
    Part.of_rows("credentials", "credential", "credentials", Credential, people.look_at_credentials, 100),
    Part.of_rows("recovery codes", "recovery code", "recovery codes", RecoveryCode, people.look_at_recovery_codes, 100),
    Part.of_rows("sign-ons", "sign-on", "sign-ons", SignOn, people.look_at_sign_ons, 100),
    Part.of_rows("reliefs", "relief", "reliefs", Relief, people.look_at_reliefs, 100),
    Part.of_rows("files of reports", "file of a report", "files of reports", ReportFile, reports.look_at_files, 100),
    Part.of_rows("tokens", "token of reports", "tokens of reports", ReportToken, reports.look_at_tokens, 100),
    Part.of_rows("terminals", "terminal", "terminals", Terminal, people.look_at_terminals, 500),
    Part.of_rows("scanners", "scanner", "scanners", Scanner, floor.look_at_scanners, 100),
    Part.of_rows("settings", "setting", "settings", Setting, settings.look_at_settings, 500),
)
