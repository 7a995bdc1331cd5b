"""Who may do what: one table of verb by role. What is not in it is denied, to administrators too.

A role comes from a posting; a posting is for one pit or for all. `Reach` says how far the right carries: to the table
where the person is signed on, to the tables of the posting's pit, or everywhere.
"""

from enum import IntEnum, StrEnum


class Role(StrEnum):
    CROUPIER = "croupier"
    PIT_BOSS = "pit_boss"
    CAGE = "cage"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


class Reach(IntEnum):
    SIGNED_ON = 1
    PIT = 2
    ALL = 3


class Verb(StrEnum):
    SEE_TABLE = "table.see"
    SIGN_ON = "table.sign_on"
    ACT = "round.act"
    REPORT = "round.report"
    RULE = "round.rule"
    COUNTERSIGN = "round.countersign"
    RAISE = "dispute.raise"
    RULE_DISPUTE = "dispute.rule"
    RUN_SESSION = "session.run"
    COUNT = "session.count"
    READ_SESSION = "session.read"
    ENROL = "terminal.enrol"
    UNLOCK = "staff.unlock"
    READ_ADMIN = "admin.read"
    READ_FLOOR = "floor.read"
    READ_MONEY = "money.read"
    READ_LOG = "log.read"
    EXPORT_LOG = "log.export"


RIGHTS: dict[Verb, dict[Role, Reach]] = {
    # --- At a table. ---
    Verb.SEE_TABLE: {
        Role.CROUPIER: Reach.SIGNED_ON,
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Croupiers sign themselves on and off at one of the table's terminals; a pit boss any croupier, from anywhere.
    Verb.SIGN_ON: {Role.CROUPIER: Reach.PIT, Role.PIT_BOSS: Reach.PIT},
    # --- In a round. ---
    # Opening, entering, undo, amendment, closing, and the ticks of what was paid.
    Verb.ACT: {Role.CROUPIER: Reach.SIGNED_ON},
    # Irregularities, and asking for a ruling, a void or a correction.
    Verb.REPORT: {Role.CROUPIER: Reach.SIGNED_ON, Role.PIT_BOSS: Reach.PIT},
    # Release, ruling, void, correction (split.30 to split.36, house.4).
    Verb.RULE: {Role.PIT_BOSS: Reach.PIT},
    # The second person of a void or a correction. A pit boss of another pit may be that, if one of this pit rules.
    Verb.COUNTERSIGN: {Role.CROUPIER: Reach.SIGNED_ON, Role.PIT_BOSS: Reach.ALL},
    # --- Disputes. ---
    Verb.RAISE: {Role.CROUPIER: Reach.SIGNED_ON, Role.PIT_BOSS: Reach.PIT},
    # The person who dealt the round is refused, whatever the role; if money changes, COUNTERSIGN gives the second one.
    Verb.RULE_DISPUTE: {Role.PIT_BOSS: Reach.PIT},
    # --- Sessions. ---
    # Opening and closing a table, with a second person who counts the chips too.
    Verb.RUN_SESSION: {Role.PIT_BOSS: Reach.PIT},
    Verb.COUNT: {Role.CROUPIER: Reach.PIT, Role.PIT_BOSS: Reach.ALL, Role.CAGE: Reach.PIT},
    # What a table was opened and closed with, and what it won: not for a person who is about to count.
    Verb.READ_SESSION: {
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # --- People and devices. ---
    Verb.ENROL: {Role.PIT_BOSS: Reach.PIT, Role.ADMINISTRATOR: Reach.ALL},
    # A person is locked out at every terminal, so any pit boss who is near lifts it.
    Verb.UNLOCK: {Role.PIT_BOSS: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    # --- In the back office. ---
    Verb.READ_ADMIN: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    Verb.READ_FLOOR: {Role.PIT_BOSS: Reach.PIT, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Verb.READ_MONEY: {Role.CAGE: Reach.ALL, Role.AUDITOR: Reach.ALL},
    Verb.READ_LOG: {Role.AUDITOR: Reach.ALL},
    Verb.EXPORT_LOG: {Role.AUDITOR: Reach.ALL},
}


def reach(role: Role, verb: Verb) -> Reach | None:
    """How far a role's right carries, or None where it has none.

    >>> reach(Role.AUDITOR, Verb.ACT) is None
    True
    """
    return RIGHTS.get(verb, {}).get(role)
