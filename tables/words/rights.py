"""The rights in words, and when a person used each last, as far as the log tells."""

import json
from typing import NamedTuple

from audit import history
from casino.roles import Right, Role, reach

WORDS = {
    Right.SEE_TABLE: "see a table and its rounds",
    Right.SIGN_ON: "sign on and off at a table, relieve",
    Right.ASK_RELIEF: "ask a croupier to relieve, withdraw that",
    Right.ACT: "open, enter, undo, amend, close and tick in a round",
    Right.REPORT: "report; ask for a ruling, a void, a correction; enter a round from paper, with a second",
    Right.RULE: "release, rule, void, correct, and be one of the two who enter a round from paper",
    Right.RAISE: "raise a dispute",
    Right.RULE_DISPUTE: "rule on a dispute, unless one dealt the round",
    Right.COUNTERSIGN: "be the second who signs for what happens in a round",
    Right.CALL: "call the pit boss",
    Right.TAKE_ALARM: "come to a call, say that it is over; see to an alarm",
    Right.READ_CASE: "read cases",
    Right.RUN_CASE: "open a case, own it, give it to another or more time, decide it",
    Right.APPROVE_CASE: "be the second who signs for the decision of a case, unless one signed the closing",
    Right.RUN_SESSION: "open and close a table",
    Right.COUNT: "count what opens or closes a table, as one of two",
    Right.READ_SESSION: "read sessions and closing forms",
    Right.READ_SLIPS: "see and print fills, credits and changes",
    Right.REQUEST_SLIP: "ask for a fill, credit or change; void it or send it back, with a second",
    Right.HAND_CHIPS: "hand over a credit, count first what comes to the table",
    Right.CASHIER: "issue fills and changes, count first what comes to the cage; void or send back, with a second",
    Right.TICK_AT_CAGE: "hand over and tick what a correction leaves at a closed table",
    Right.SUPERVISE: "count second what comes to the table, and sign for a large buy-in",
    Right.WITNESS: "count second what comes to the cage; be the second who voids, sends back, or signs for chips sold,"
    " cashed and issued",
    Right.READ_DROP_BOXES: "read drop boxes",
    Right.MOUNT_DROP_BOX: "mount a drop box and take it off, with a second",
    Right.WITNESS_DROP_BOX: "be the second who mounts or takes off a drop box",
    Right.COUNT_DROP: "count a drop box, as one of two",
    Right.BUY_IN: "enter a buy-in",
    Right.TAKE_TIP: "enter a tip",
    Right.READ_TIPS: "read tips: the days that are not counted, and what was counted",
    Right.COUNT_TIPS: "count the tips of a day, as one of two",
    Right.READ_DAY: "read gaming days and their figures",
    Right.CLOSE_DAY: "close a gaming day, with a second",
    Right.SIGN_DAY: "be the second who signs for a closed gaming day",
    Right.READ_QUESTIONS: "read the questions of auditors",
    Right.ASK_PIT: "ask the pit, accept its answer or ask again",
    Right.ANSWER_QUESTION: "answer a question of an auditor, unless one asked it",
    Right.READ_REPORTS: "read reports over gaming days, and take their files",
    Right.MAKE_REPORTS: "have files of reports made, and cancel that",
    Right.RUN_REPORTS: "prune old files of reports; give programs tokens for them, and end those",
    Right.APPROVE_REPORTS: "sign for that as the second",
    Right.READ_CAGE: "read the cage: its shifts, and the chips in circulation",
    Right.RUN_CAGE: "open a shift of the cage, move its chips and close it, each but the first with a second",
    Right.COUNT_CAGE: "count the cage, as one of two",
    Right.DECIDE_CAGE: "say which of two counts of the cage, of a drop box or of tips stands",
    Right.READ_TERMINALS: "read the terminals: where they stand, and when they were seen last",
    Right.ENROL: "enrol, rename and revoke terminals",
    Right.READ_NAMES: "read people by name; at a table, where patrons look on, they are numbers",
    Right.READ_STAFF: "read who works here, as what and since when",
    Right.RUN_STAFF: "add people, post them, let them leave and return, with a second",
    Right.APPROVE_STAFF: "be the second, not concerned, who signs for a change of staff",
    Right.UNLOCK: "lift a lock-out",
    Right.LOG_OUT: "see where somebody is logged in, and end it",
    Right.ASK_SIGNATURE: "have a second person sign by passkey",
    Right.READ_SETTINGS: "read the house's settings",
    Right.PROPOSE_SETTING: "change a setting, withdraw a change",
    Right.APPROVE_SETTING: "be the second who signs for a setting",
    Right.READ_SHEETS: "read rule sheets, drafts too",
    Right.DRAFT_SHEET: "draft a rule sheet",
    Right.PUBLISH_SHEET: "publish a sheet that somebody else drafted",
    Right.COMPUTE_EDGE: "have the house edge of a sheet computed, and stop that",
    Right.PUT_IN_FORCE: "put a sheet in force at a table or withdraw it, with a second",
    Right.APPROVE_IN_FORCE: "be the second who signs for a sheet in force",
    Right.READ_ADMIN: "open the back office",
    Right.READ_FLOOR: "read floor and rounds in the back office",
    Right.READ_MONEY: "read accounts and transfers",
    Right.READ_LOG: "read the log, its history and proofs",
    Right.READ_DESK: "read the auditor's desk, record a visit there, draw a sample of rounds",
    Right.EXPORT_LOG: "export the log",
    Right.INSPECT: "ask for an inspection, read what it names",
    Right.ACCEPT_FINDING: "accept a difference that an inspection names",
}

_CHIPS = "movement.made/{0}".format
# The entries that a right allows: `event`, or `event/what it is about`; behind `+` those that the person signed as the
# second of two. An entry that several rights allow stands with each. A right without entries here leaves none.
USES = {
    Right.SIGN_ON: "staff.signed_on staff.signed_off",
    Right.ASK_RELIEF: "relief.asked relief.over",
    Right.ACT: "round.opened round.acted round.closed payment.ticked series.opened series.closed",
    Right.REPORT: "round.held round.opened/paper round.released round.voided round.corrected payment.left",
    Right.RULE: "round.released round.voided round.corrected round.opened/paper +round.released +round.voided"
    " +round.corrected +round.opened/paper +round.acted +payment.left +series.closed",
    Right.COUNTERSIGN: "+round.released +round.voided +round.corrected +round.opened/paper +payment.left"
    " +dispute.ruled",
    Right.RAISE: "dispute.raised",
    Right.RULE_DISPUTE: "dispute.ruled",
    Right.CALL: "alarm.raised/call",
    Right.TAKE_ALARM: "alarm.taken alarm.over",
    Right.READ_CASE: "case.filed records.read/case",
    Right.RUN_CASE: "case.opened case.moved case.decided",
    Right.APPROVE_CASE: "+case.decided",
    Right.RUN_SESSION: "session.begun session.opened session.stopped session.resumed session.closed",
    Right.COUNT: "count.entered/session count.agreed/session +count.agreed/session +session.resumed",
    Right.READ_SESSION: "records.read/session",
    Right.READ_SLIPS: "slip.printed records.read/slip",
    Right.REQUEST_SLIP: "slip.requested slip.voided slip.returned",
    Right.HAND_CHIPS: "slip.issued count.entered/slip",
    Right.CASHIER: "slip.issued count.entered/slip slip.voided slip.returned",
    Right.TICK_AT_CAGE: "payment.ticked",
    Right.SUPERVISE: f"count.entered/slip slip.received +{_CHIPS('buy_in')}",
    Right.WITNESS: "count.entered/slip slip.received +slip.voided +slip.returned"
    f" +{_CHIPS('issued')} +{_CHIPS('sold')} +{_CHIPS('cashed')}",
    Right.READ_DROP_BOXES: "records.read/drop_box records.read/buy_in",
    Right.MOUNT_DROP_BOX: "drop_box.mounted drop_box.removed",
    Right.WITNESS_DROP_BOX: "+drop_box.mounted +drop_box.removed",
    Right.COUNT_DROP: "count.entered/drop_box drop_box.counted +drop_box.counted",
    Right.BUY_IN: _CHIPS("buy_in"),
    Right.TAKE_TIP: _CHIPS("tip"),
    Right.READ_TIPS: "records.read/tips",
    Right.COUNT_TIPS: "count.entered/tips tips.counted +tips.counted",
    Right.READ_DAY: "records.read/day",
    Right.CLOSE_DAY: "day.closed",
    Right.SIGN_DAY: "+day.closed",
    Right.READ_REPORTS: "records.read/report",
    Right.MAKE_REPORTS: "report.made",
    Right.RUN_REPORTS: "report.pruned report_token.given report_token.ended",
    Right.APPROVE_REPORTS: "+report.pruned +report_token.given +report_token.ended",
    Right.READ_CAGE: "records.read/cage_shift",
    Right.RUN_CAGE: f"cage.opened cage.closed {_CHIPS('issued')} {_CHIPS('sold')} {_CHIPS('cashed')}",
    Right.COUNT_CAGE: "count.entered/cage_shift cage.closed +cage.closed",
    Right.DECIDE_CAGE: "cage.closed drop_box.counted tips.counted +cage.closed +drop_box.counted +tips.counted",
    Right.ENROL: "terminal.enrolled terminal.renamed terminal.revoked setting.changed/scanner",
    Right.READ_TERMINALS: "records.read/terminal",
    Right.READ_STAFF: "records.read/staff",
    Right.RUN_STAFF: "staff.added staff.posted staff.posting_ended staff.left staff.returned staff.code_given",
    Right.APPROVE_STAFF: "+staff.added +staff.posted +staff.posting_ended +staff.left +staff.returned"
    " +staff.code_given",
    Right.UNLOCK: "staff.unlocked",
    Right.LOG_OUT: "login.ended/other",
    Right.PROPOSE_SETTING: "setting.changed/setting",
    Right.APPROVE_SETTING: "+setting.changed/setting",
    Right.DRAFT_SHEET: "sheet.drafted",
    Right.PUBLISH_SHEET: "sheet.published",
    Right.PUT_IN_FORCE: "table.sheet_set table.sheet_withdrawn",
    Right.APPROVE_IN_FORCE: "+table.sheet_set +table.sheet_withdrawn",
    Right.READ_FLOOR: "records.read/round records.read/alarm records.read/dispute",
    Right.READ_MONEY: "records.read/account records.read/transfer records.read/movement records.read/settlement",
    Right.READ_LOG: "history.read",
    Right.READ_QUESTIONS: "records.read/questions",
    Right.ASK_PIT: "question.asked question.settled",
    Right.ANSWER_QUESTION: "question.answered",
    Right.READ_DESK: "visit.made sample.drawn records.read/desk",
    Right.EXPORT_LOG: "export.made",
    Right.INSPECT: "inspection.asked",
    Right.ACCEPT_FINDING: "finding.accepted entry.passed_over leaves.passed_over",
}
_READ = "records.read"
EVENTS = sorted({use.lstrip("+").partition("/")[0] for uses in USES.values() for use in uses.split()})


class LastUse(NamedTuple):
    """When a right was last used (`at`, as the log spells it), else how far back the search got (None: all the way)."""

    at: str | None
    reached: str | None


def last_uses(person):
    """When a person last used each right, as far as the log says; a right that leaves no entry is left out.

    Among those who read, the log has only auditors.
    """
    deeds = history.deeds(person.ref, EVENTS)
    newest = {}
    for deed in deeds.newest:
        for use in (deed.event, f"{deed.event}/{_about(deed)}"):
            newest.setdefault(f"{'+' * deed.signed}{use}", deed.at)
    reads = person.has_perm(Right.READ_LOG)
    last = {}
    for right, text in USES.items():
        uses = [use for use in text.split() if reads or not use.startswith(_READ)]
        at = max((newest[use] for use in uses if use in newest), default=None)
        # Somebody whose reading leaves no entry may have read.
        if at or uses == text.split():
            far = [deeds.reached.get((use.lstrip("+").partition("/")[0], use.startswith("+"))) for use in uses]
            last[right] = LastUse(at, None if at else max((each for each in far if each), default=None))
    return last


def _about(deed):
    """What an entry is about, if its event alone does not say which right it took."""
    if deed.event not in _ABOUT:
        return ""
    entry = json.loads(deed.body)
    return _ABOUT[deed.event](entry["facts"], entry)


def _kind(ref):
    return ref.partition(":")[0]


_ABOUT = {
    "round.opened": lambda facts, entry: "paper" if "slip" in facts else "",
    "alarm.raised": lambda facts, entry: facts["kind"],
    "count.entered": lambda facts, entry: _kind(facts["of"]),
    "count.agreed": lambda facts, entry: _kind(facts["of"]),
    "login.ended": lambda facts, entry: "own" if entry["by"] == facts["staff"] else "other",
    "movement.made": lambda facts, entry: facts["kind"],
    "setting.changed": lambda facts, entry: _kind(entry["subject"]),
    "records.read": lambda facts, entry: _kind(facts["what"]),
}


def held(postings):
    """The rights of a person's standing postings, one by one, each with the postings that give it and how far.

    :returns: [(right, [(posting, reach), ...]), ...] in the order of the table of rights.
    """
    rights = []
    for right in WORDS:
        gives = [(posting, far) for posting in postings if (far := reach(Role(posting.role), right))]
        if gives:
            rights.append((right, gives))
    return rights
