"""Which faults strike, in which order: the same for the same number of rounds and seed."""

import math
import random
from typing import NamedTuple


class Lock(NamedTuple):
    """A lock that stops a settling worker before a statement; `at` names the statement for people."""

    at: str
    table: str
    mode: str


# In the order in which a worker reaches them; SHARE ROW EXCLUSIVE allows reading and locking rows, but not writing.
LOCKS = (
    Lock("leasing or locking the next rounds", "tables_round", "EXCLUSIVE"),
    Lock("reading their lines", "tables_line", "ACCESS EXCLUSIVE"),
    Lock("writing settlements", "payouts_settlement", "SHARE ROW EXCLUSIVE"),
    Lock("writing payments", "payouts_payment", "SHARE ROW EXCLUSIVE"),
    Lock("writing transfers", "payouts_transfer", "SHARE ROW EXCLUSIVE"),
    Lock("marking rounds as settled", "tables_round", "SHARE ROW EXCLUSIVE"),
    Lock("locking the chain", "audit_chain", "EXCLUSIVE"),
    Lock("writing entries", "audit_entry", "SHARE ROW EXCLUSIVE"),
    Lock("moving the chain on", "audit_chain", "SHARE ROW EXCLUSIVE"),
    # Foreign keys are checked at the commit: once let go on, the server commits, though its client is long dead.
    Lock("committing", "payouts_account", "EXCLUSIVE"),
)
KILLS = ("worker's child killed", "worker killed with its group")
OTHERS = (
    "database killed",
    "database killed with its group",
    "broker killed",
    "broker stopped",
    "broker purged",
    "doorbells doubled",
    "doorbells dropped",
    "doorbells late and reversed",
    "beat absent",
    "beat doubled",
    "worker frozen, then goes on",
    "worker frozen, another comes",
    "worker deaf",
)
POISON = "poison round"
KINDS = (*KILLS, *OTHERS, POISON)
# A run of fewer rounds does not wait out the pauses between the failures of a poison round.
LONG = 1000
# A kill strikes while the worker waits at the lock, or this long after the worker may go on.
MOST_DELAY_MS = 20


class Fault(NamedTuple):
    """One fault: its kind; for a kill, before which statement, and how long after that went on (None: before)."""

    kind: str
    lock: Lock | None = None
    delay_ms: int | None = None

    @property
    def name(self):
        if self.lock is None:
            return self.kind
        moment = "" if self.delay_ms is None else f", {self.delay_ms} ms later"
        return f"{self.kind} at {self.lock.at}{moment}"


def faults(rounds, seed):
    """The faults of a run: as many as the square root of `rounds`; none strikes twice before all have struck.

    >>> len(faults(200, 1)), len(faults(10_000, 1))
    (14, 100)
    >>> faults(200, 1) == faults(200, 1) != faults(200, 2)
    True
    >>> {fault.kind for fault in faults(2000, 1)} == set(KINDS)
    True
    """
    chance = random.Random(f"faults of {seed}")  # noqa: S311 - a plan that can be made again
    planned = []
    while len(planned) < math.isqrt(rounds):
        deck = [Fault(kind) for kind in OTHERS]
        for kind in KILLS:
            deck += [Fault(kind, lock, chance.choice((None, chance.randrange(MOST_DELAY_MS)))) for lock in LOCKS]
        chance.shuffle(deck)
        planned += deck
    planned = planned[: math.isqrt(rounds)]
    # One round in a thousand is poison, at least one in all; in the first half, since it takes eight failures.
    for _ in range(max(1, rounds // LONG)):
        planned.insert(chance.randrange(len(planned) // 2 + 1), Fault(POISON))
        planned.pop()
    return planned
