"""Who may do what: one table of right by role. What is not in it is denied, to administrators too.

A role comes from a posting; a posting is for one pit or for all. `Reach` says how far the right carries: to the table
where the person is signed on, to the tables of the posting's pit, or everywhere.
"""

from enum import IntEnum, StrEnum


class Role(StrEnum):
    CROUPIER = "croupier"
    PIT_BOSS = "pit_boss"
    CAGE = "cage"
    COUNT_TEAM = "count_team"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


class Reach(IntEnum):
    SIGNED_ON = 1
    PIT = 2
    ALL = 3


class Right(StrEnum):
    SEE_TABLE = "table.see"
    SIGN_ON = "table.sign_on"
    ASK_RELIEF = "relief.ask"
    ACT = "round.act"
    REPORT = "round.report"
    RULE = "round.rule"
    COUNTERSIGN = "round.countersign"
    ASK_SIGNATURE = "signature.ask"
    RAISE = "dispute.raise"
    RULE_DISPUTE = "dispute.rule"
    CALL = "call.raise"
    TAKE_ALARM = "alarm.take"
    READ_CASE = "case.read"
    RUN_CASE = "case.run"
    APPROVE_CASE = "case.approve"
    RUN_SESSION = "session.run"
    COUNT = "session.count"
    READ_SESSION = "session.read"
    READ_SLIPS = "slip.read"
    REQUEST_SLIP = "slip.request"
    HAND_CHIPS = "slip.table"
    CASHIER = "slip.cage"
    TICK_AT_CAGE = "payment.cage"
    SUPERVISE = "slip.supervise"
    WITNESS = "slip.witness"
    READ_DROP_BOXES = "drop_box.read"
    MOUNT_DROP_BOX = "drop_box.mount"
    WITNESS_DROP_BOX = "drop_box.witness"
    BUY_IN = "buy_in.enter"
    COUNT_DROP = "drop_box.count"
    READ_DAY = "day.read"
    CLOSE_DAY = "day.close"
    SIGN_DAY = "day.sign"
    READ_QUESTIONS = "question.read"
    ASK_PIT = "question.ask"
    ANSWER_QUESTION = "question.answer"
    READ_REPORTS = "report.read"
    MAKE_REPORTS = "report.make"
    RUN_REPORTS = "report.run"
    APPROVE_REPORTS = "report.approve"
    TAKE_TIP = "tip.take"
    READ_TIPS = "tip.read"
    COUNT_TIPS = "tip.count"
    READ_CAGE = "cage.read"
    RUN_CAGE = "cage.run"
    COUNT_CAGE = "cage.count"
    DECIDE_CAGE = "cage.decide"
    READ_TERMINALS = "terminal.read"
    ENROL = "terminal.enrol"
    READ_NAMES = "staff.names"
    READ_STAFF = "staff.read"
    RUN_STAFF = "staff.run"
    APPROVE_STAFF = "staff.approve"
    UNLOCK = "staff.unlock"
    LOG_OUT = "staff.log_out"
    READ_SETTINGS = "setting.read"
    PROPOSE_SETTING = "setting.propose"
    APPROVE_SETTING = "setting.approve"
    READ_SHEETS = "sheet.read"
    DRAFT_SHEET = "sheet.draft"
    PUBLISH_SHEET = "sheet.publish"
    COMPUTE_EDGE = "sheet.compute_edge"
    PUT_IN_FORCE = "sheet.put_in_force"
    APPROVE_IN_FORCE = "sheet.approve_in_force"
    READ_ADMIN = "admin.read"
    READ_FLOOR = "floor.read"
    READ_MONEY = "money.read"
    READ_LOG = "log.read"
    READ_DESK = "desk.read"
    EXPORT_LOG = "log.export"
    INSPECT = "log.inspect"
    ACCEPT_FINDING = "finding.accept"


RIGHTS: dict[Right, dict[Role, Reach]] = {
    # --- At a table. ---
    Right.SEE_TABLE: {
        Role.CROUPIER: Reach.SIGNED_ON,
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Croupiers sign themselves on and off at one of the table's terminals; a pit boss any croupier, from anywhere.
    Right.SIGN_ON: {Role.CROUPIER: Reach.PIT, Role.PIT_BOSS: Reach.PIT},
    # Asking a croupier to take a table over, and withdrawing that.
    Right.ASK_RELIEF: {Role.PIT_BOSS: Reach.PIT},
    # --- In a round. ---
    # Opening, entering, undo, amendment, closing, and the ticks of what was paid.
    Right.ACT: {Role.CROUPIER: Reach.SIGNED_ON},
    # Irregularities, asking for a ruling, a void or a correction, and entering a round that was played on paper.
    Right.REPORT: {Role.CROUPIER: Reach.SIGNED_ON, Role.PIT_BOSS: Reach.PIT},
    # Release, ruling, void, correction (split.30 to split.36, house.4), and a round from paper with whoever enters it.
    Right.RULE: {Role.PIT_BOSS: Reach.PIT},
    # The second person of a void, a correction or a round from paper. A pit boss of another pit may be that, if one of
    # this pit rules.
    Right.COUNTERSIGN: {Role.CROUPIER: Reach.SIGNED_ON, Role.PIT_BOSS: Reach.ALL},
    # Whoever works here may have a second person sign by passkey; what that person may sign is checked then.
    Right.ASK_SIGNATURE: dict.fromkeys(Role, Reach.ALL),
    # --- Disputes. ---
    Right.RAISE: {Role.CROUPIER: Reach.SIGNED_ON, Role.PIT_BOSS: Reach.PIT},
    # The person who dealt the round is refused, whatever the role; if money changes, COUNTERSIGN gives the second
    # person.
    Right.RULE_DISPUTE: {Role.PIT_BOSS: Reach.PIT},
    # --- Calls and alarms. ---
    # Calling the pit boss: who is signed on at the table, or stands at one of its terminals to sign on.
    Right.CALL: {Role.CROUPIER: Reach.PIT},
    # Coming, and saying that it is over.
    Right.TAKE_ALARM: {Role.PIT_BOSS: Reach.PIT},
    # --- Cases. ---
    Right.READ_CASE: {Role.PIT_BOSS: Reach.PIT, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Owning one, giving it to another owner or more time, and deciding it; and signing for a decision as the second.
    Right.RUN_CASE: {Role.PIT_BOSS: Reach.PIT},
    Right.APPROVE_CASE: {Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.PIT},
    # --- Sessions. ---
    # Opening and closing a table, with a second person who counts the chips too.
    Right.RUN_SESSION: {Role.PIT_BOSS: Reach.PIT},
    Right.COUNT: {Role.CROUPIER: Reach.PIT, Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.PIT},
    # What a table was opened and closed with, and what it won: not for a person who is about to count.
    Right.READ_SESSION: {
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # --- Fills, credits and changes. ---
    Right.READ_SLIPS: {
        Role.CROUPIER: Reach.SIGNED_ON,
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    Right.REQUEST_SLIP: {Role.PIT_BOSS: Reach.PIT},
    # At the table: giving the chips of a credit, and counting a fill that comes.
    Right.HAND_CHIPS: {Role.CROUPIER: Reach.SIGNED_ON},
    # At the cage: issuing fills and changes, and counting a credit that comes.
    Right.CASHIER: {Role.CAGE: Reach.PIT},
    # Handing over, or collecting, what a correction leaves at a table that is closed, and the tick of it.
    Right.TICK_AT_CAGE: {Role.CAGE: Reach.PIT},
    # The second who counts what comes to a table, and who signs for a buy-in above what the house lets pass.
    Right.SUPERVISE: {Role.PIT_BOSS: Reach.ALL},
    # The second who counts what comes to the cage, the second of two who void a slip or send it back, and who signs for
    # chips issued, sold and cashed.
    Right.WITNESS: {Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.PIT},
    # --- Drop boxes and buy-ins. ---
    # Which are mounted, and which are off and not counted yet: a box that is left over concerns everybody.
    Right.READ_DROP_BOXES: {
        Role.CROUPIER: Reach.SIGNED_ON,
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.COUNT_TEAM: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Mounting a drop box and taking it off, with a second person who signs.
    Right.MOUNT_DROP_BOX: {Role.PIT_BOSS: Reach.PIT},
    Right.WITNESS_DROP_BOX: {Role.CROUPIER: Reach.PIT, Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.PIT},
    # Counting the cash of a drop box as one of two, blind, and signing for it.
    Right.COUNT_DROP: {Role.COUNT_TEAM: Reach.ALL},
    # Selling chips of the float for cash.
    Right.BUY_IN: {Role.CROUPIER: Reach.SIGNED_ON},
    # --- Gaming days. They are the house's, and no pit's. ---
    # The figures of a day, table by table, and what keeps it open.
    Right.READ_DAY: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Closing a day for good; and signing for it as the second.
    Right.CLOSE_DAY: {Role.PIT_BOSS: Reach.ALL},
    Right.SIGN_DAY: {Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.ALL},
    # --- Questions of auditors to the pit. ---
    Right.READ_QUESTIONS: {Role.PIT_BOSS: Reach.PIT, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Asking about anything of the house, accepting the answer, and asking again.
    Right.ASK_PIT: {Role.AUDITOR: Reach.ALL},
    # Answering, once: a pit boss of its pit if it is about a table, any if it is about the house.
    Right.ANSWER_QUESTION: {Role.PIT_BOSS: Reach.PIT},
    # --- Reports. ---
    # Reports over gaming days, on screens and as files: of the whole house. Having files made, and cancelling that.
    Right.READ_REPORTS: {Role.PIT_BOSS: Reach.ALL, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Right.MAKE_REPORTS: {Role.PIT_BOSS: Reach.ALL, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Pruning old files, giving programs a token by which they fetch files, and ending it; and signing as the second.
    Right.RUN_REPORTS: {Role.ADMINISTRATOR: Reach.ALL},
    Right.APPROVE_REPORTS: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # --- Tips. The tip box is the house's, and no pit's. ---
    # Entering what a patron gives, at the table.
    Right.TAKE_TIP: {Role.CROUPIER: Reach.SIGNED_ON},
    # Which days are not counted yet, and what was counted: what was entered is shown once two have counted.
    Right.READ_TIPS: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.COUNT_TEAM: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Counting the tips of a day as one of two, blind, and signing for them.
    Right.COUNT_TIPS: {Role.COUNT_TEAM: Reach.ALL},
    # --- The cage. It is the house's, and no pit's. ---
    # Shifts with what was issued, sold and cashed in them, and the chips in circulation.
    Right.READ_CAGE: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Opening a shift, issuing, selling and cashing chips, and closing it, each but the first with a second person.
    Right.RUN_CAGE: {Role.CAGE: Reach.ALL},
    # Counting the cage as one of two, blind: the books of the cage are not for a person who may count it.
    Right.COUNT_CAGE: {Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.ALL, Role.COUNT_TEAM: Reach.ALL},
    # Saying which of two counts of the cage, of a drop box or of tips stands after they differed twice.
    Right.DECIDE_CAGE: {Role.PIT_BOSS: Reach.ALL},
    # --- People and devices. ---
    # Seeing who did something by name as well as by number. A croupier's screen stands at a table, where guests look
    # on: there people are numbers.
    Right.READ_NAMES: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.COUNT_TEAM: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Who works here, as what and since when; and changing that, with a second person who signs. That may be a pit boss:
    # a house has few administrators. The auditor reads, and has no part in what they look at.
    Right.READ_STAFF: {Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Right.RUN_STAFF: {Role.ADMINISTRATOR: Reach.ALL},
    Right.APPROVE_STAFF: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Which devices are enrolled, and when each was seen last; and enrolling, renaming and revoking them.
    Right.READ_TERMINALS: {Role.PIT_BOSS: Reach.PIT, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Right.ENROL: {Role.PIT_BOSS: Reach.PIT, Role.ADMINISTRATOR: Reach.ALL},
    # Whichever pit boss is near lifts a lock-out.
    Right.UNLOCK: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # To see where somebody is logged in, and to end it.
    Right.LOG_OUT: {Role.ADMINISTRATOR: Reach.ALL},
    # --- Settings of the house. ---
    Right.READ_SETTINGS: {Role.PIT_BOSS: Reach.ALL, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Changing one and withdrawing a change, signed by another person who may approve it.
    Right.PROPOSE_SETTING: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Right.APPROVE_SETTING: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # --- Rule sheets. They are the house's, and no pit's; a table plays by them in its pit. ---
    Right.READ_SHEETS: {Role.PIT_BOSS: Reach.ALL, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Drafting a sheet, which others may try and somebody else publishes.
    Right.DRAFT_SHEET: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Publishing, for ever, what somebody else drafted.
    Right.PUBLISH_SHEET: {Role.PIT_BOSS: Reach.ALL},
    # Having the house edge of a sheet computed, and stopping that; who reads sheets reads it.
    Right.COMPUTE_EDGE: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Putting a published sheet in force at tables of the pit; and signing for it as the second.
    Right.PUT_IN_FORCE: {Role.PIT_BOSS: Reach.PIT},
    Right.APPROVE_IN_FORCE: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # --- In the back office. ---
    Right.READ_ADMIN: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    Right.READ_FLOOR: {Role.PIT_BOSS: Reach.PIT, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Right.READ_MONEY: {Role.CAGE: Reach.ALL, Role.AUDITOR: Reach.ALL},
    Right.READ_LOG: {Role.AUDITOR: Reach.ALL},
    # The auditor's desk: recording a visit there, and drawing rounds.
    Right.READ_DESK: {Role.AUDITOR: Reach.ALL},
    Right.EXPORT_LOG: {Role.AUDITOR: Reach.ALL},
    # Asking for an inspection now, and reading what inspections name.
    Right.INSPECT: {Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # Accepting a difference as known, so that sealing goes on.
    Right.ACCEPT_FINDING: {Role.AUDITOR: Reach.ALL},
}


# Whoever holds one of these proves a second step after the password, where the setting SECOND_STEP is on.
SECOND_STEP = frozenset({Role.PIT_BOSS, Role.CAGE, Role.AUDITOR, Role.ADMINISTRATOR})


def reach(role: Role, right: Right) -> Reach | None:
    """How far a role's right carries, or None if it has none.

    >>> reach(Role.AUDITOR, Right.ACT) is None
    True
    """
    return RIGHTS.get(right, {}).get(role)
