"""Each guard of the database is dropped alone, to see whether the attacks notice: one of them is then accepted, or
refused in other words than its test expects.

All of it happens in one transaction of a superuser who takes the attacker's role, and is rolled back after each attack.
"""

import re
from string import Template
from typing import NamedTuple

import psycopg

from casino.running import embedded

from . import attacks, strangers


class Attack(NamedTuple):
    """Statements of a role, and how they are refused; without an `error` they are accepted, and the last gives true."""

    claim: str
    role: str
    error: type | None
    says: str
    sql: str


def known():
    """The attacks that can be sent within a transaction, including those of strangers and an owner's slips."""
    for role, of_role in ((embedded.APP, attacks.APP), (embedded.SEALER, attacks.SEALER)):
        for error, cases in of_role.items():
            for claim, says, sql in cases:
                if not re.search(r"\b(BEGIN|COMMIT|ROLLBACK|TRANSACTION|AUTHORIZATION|DROP DATABASE|VACUUM)\b", sql):
                    yield Attack(claim, role, error, says, sql)
    for role, moments in ((embedded.APP, attacks.MOMENTS), (embedded.SEALER, attacks.SEALED_MOMENTS)):
        for moment, forged in moments:
            sql = f"{forged.rstrip(';')} RETURNING {moment} = statement_timestamp()"
            yield Attack(f"{moment} of long ago", role, None, "", sql)
    for sql in (attacks.TAKES_ID, attacks.MADE_HERE, attacks.MOVED_HERE):
        yield Attack("what the row says by itself", embedded.APP, None, "", sql)
    for error, cases in attacks.OWNER.items():
        for claim, says, sql in cases:
            yield Attack(claim, embedded.OWNER, error, says, sql)
    for rows in strangers.ATTACKS.values():
        for claim, (role, sql, refusal) in rows.items():
            state, _, says = refusal.partition(" ")
            if state.startswith("23") and "TRANSACTION" not in sql:
                yield Attack(claim, role, psycopg.errors.lookup(state), re.escape(says), sql)


class Court:
    """The database that attacks are tried on, with all guards or without one."""

    def __init__(self, connection, names):
        self.connection, self.names = connection, names

    def outcome(self, attack):
        """The refusal of an attack; None if it was accepted."""
        self.connection.execute("SAVEPOINT attack")
        try:
            self.connection.execute(f"SET LOCAL ROLE {attack.role}")
            self.connection.execute(Template(attack.sql).substitute(self.names))
            self.connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except psycopg.Error as refusal:
            return refusal
        finally:
            self.connection.execute("ROLLBACK TO attack")
        return None

    def notices(self, attack):
        """Whether an attack's test would fail."""
        if attack.error is None:
            return not self.holds(attack)
        refusal = self.outcome(attack)
        return refusal is None or type(refusal) is not attack.error or not re.search(attack.says or "", str(refusal))

    def holds(self, attack):
        """Whether the database writes something other than what an accepted statement asks for."""
        self.connection.execute("SAVEPOINT attack")
        try:
            self.connection.execute(f"SET LOCAL ROLE {attack.role}")
            answer = self.connection.execute(Template(attack.sql).substitute(self.names))
            while answer.nextset():
                pass
            return answer.fetchone() == (True,)
        except psycopg.Error:
            return False
        finally:
            self.connection.execute("ROLLBACK TO attack")

    def without(self, guard, tried):
        """The first attack that notices that a guard is gone; None if none does."""
        self.connection.execute("BEGIN")
        try:
            for statement in dropped(guard):
                self.connection.execute(statement)
            return next((attack for attack in tried if self.notices(attack)), None)
        finally:
            self.connection.execute("ROLLBACK")


def dropped(guard):
    """Statements that take a guard away."""
    if guard.kind == "trigger":
        return [f"DROP TRIGGER {guard.name} ON {guard.table}"]
    return [
        f"ALTER TABLE {guard.table} DROP CONSTRAINT IF EXISTS {guard.name}",
        f"DROP INDEX IF EXISTS {guard.name}",
    ]


def refuser(refusal):
    """What caused a refusal: the name of a constraint, or the functions that were at work."""
    return refusal.diag.constraint_name or refusal.diag.context or ""


def nearest_first(guard, tried, refusers):
    """Attacks in the order in which they are likely to notice: first those that this guard refused."""
    name = guard.function or guard.name
    return sorted(tried, key=lambda attack: (name not in refusers[attack], guard.table not in attack.sql))
