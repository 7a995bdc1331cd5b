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
    ACT = "round.act"
    RULE = "round.rule"
    READ_ADMIN = "admin.read"
    READ_FLOOR = "floor.read"
    READ_MONEY = "money.read"
    READ_LOG = "log.read"


RIGHTS: dict[Verb, dict[Role, Reach]] = {
    Verb.SEE_TABLE: {
        Role.CROUPIER: Reach.SIGNED_ON,
        Role.PIT_BOSS: Reach.PIT,
        Role.CAGE: Reach.PIT,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    # Opening a round, what happens in it, and closing it.
    Verb.ACT: {Role.CROUPIER: Reach.SIGNED_ON},
    # Rulings inside an open round (split.30 to split.36, house.4).
    Verb.RULE: {Role.PIT_BOSS: Reach.PIT},
    Verb.READ_ADMIN: {
        Role.PIT_BOSS: Reach.ALL,
        Role.CAGE: Reach.ALL,
        Role.AUDITOR: Reach.ALL,
        Role.ADMINISTRATOR: Reach.ALL,
    },
    Verb.READ_FLOOR: {Role.PIT_BOSS: Reach.PIT, Role.AUDITOR: Reach.ALL, Role.ADMINISTRATOR: Reach.ALL},
    Verb.READ_MONEY: {Role.CAGE: Reach.ALL, Role.AUDITOR: Reach.ALL},
    Verb.READ_LOG: {Role.AUDITOR: Reach.ALL},
}


def reach(role: Role, verb: Verb) -> Reach | None:
    """How far a role's right carries, or None where it has none.

    >>> reach(Role.AUDITOR, Verb.ACT) is None
    True
    """
    return RIGHTS.get(verb, {}).get(role)
