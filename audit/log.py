"""Writing the log: one entry for each effect, in the transaction of the effect (contracts/log.md).

The chain's head row is the last lock that a transaction takes and is kept to commit. Each batch ends with one NOTIFY of
the chain's key and length, so that live screens know that something happened there.
"""

import json
import secrets
from contextvars import ContextVar
from typing import Any, NamedTuple

from django.db import connection

from casino.errors import key_reused

from .events import EVENTS
from .form import canonical
from .form import digest as digest
from .form import spell_time as spell_time
from .models import KEY, REQUESTER, SIGNATURE, Chain, Entry

CHANNEL = "chain"
HOUSE = "house"


class Actor(NamedTuple):
    """Who does something: a person (nobody: the system), a second one who signed (`approved_by`), the terminal.

    People have a `ref`, terminals a `name`.
    """

    by: Any
    approved_by: Any = None
    terminal: Any = None

    @property
    def ref(self):
        """`staff:12`, or `system`."""
        return self.by.ref if self.by else "system"

    @property
    def approver(self):
        """The second person's reference, or None."""
        return self.approved_by and self.approved_by.ref

    @property
    def terminal_name(self):
        return self.terminal and self.terminal.name


SYSTEM = Actor(None)


class Record(NamedTuple):
    """An entry to be written: `subject` and `by` are references (`round:81`, `staff:12`), `facts` is JSON."""

    event: str
    subject: str
    facts: dict[str, Any]
    by: str = SYSTEM.ref
    terminal: str | None = None


class Signature:
    """A person's signature under a command: what `signature.given` says, and the salts of the command's texts.

    Within it (`with signature:`), the first entry of each chain that names the signer has the signature right before
    it.

    :param signer: the reference of who signed; `facts` are those of the entry.
    :param salts: for each free text of the command, the salt behind which its hash stands in the facts.
    """

    def __init__(self, signer, facts, salts):
        self.signer, self.facts, self.salts = signer, facts, salts
        self._chains, self._before = set(), None

    def __enter__(self):
        self._chains, self._before = set(), _SIGNED.set(self)
        return self

    def __exit__(self, *failed):
        _SIGNED.reset(self._before)

    def given(self, chain, item):
        """The signature's entry, if it goes before this one; else None.

        :raises Refused: `key_reused` (422) if the requester had something signed with this key before.
        """
        if chain in self._chains or not self._is_named(item):
            return None
        if not self._chains and self._was_given():
            raise key_reused()
        self._chains.add(chain)
        return Record(SIGNATURE, item.subject, self.facts, self.signer, item.terminal)

    def _was_given(self):
        """Whether the requester had something signed with this key before; if two ask at once, one waits."""
        requester, key = self.facts["requester"], self.facts["key"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"signature {requester} {key}"])
        given = Entry.objects.filter(event=SIGNATURE).alias(requester=REQUESTER, key=KEY)
        return given.filter(requester=requester, key=key).exists()

    def _is_named(self, item):
        """Whether this entry names the signer: as its author, or in one of its facts."""
        people = (item.by, *item.facts.values())
        return any(self.signer == each or (isinstance(each, list | tuple) and self.signer in each) for each in people)


_SIGNED = ContextVar("signature", default=None)


def salt(text):
    """The salt behind which a text is hashed: 32 hexadecimal digits, the command's own for a text of a signed one."""
    signature = _SIGNED.get()
    return (signature and signature.salts.get(text)) or secrets.token_hex(16)


def record(event, subject, *, chain, actor, facts):
    """Write one entry; see `record_all`."""
    record_all(chain, [Record(event, subject, facts, actor.ref, actor.terminal_name)])


def record_all(chain, records):
    """Write entries to one chain in order, under one lock, with one time.

    :raises ValueError: if an event is unknown, stands in the wrong chain, or lacks or adds a fact.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("The log is written in the transaction of what it tells.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT append_entries(%s, %s)", addition(chain, records))


def addition(chain, records):
    """Records as `append_entries` (audit/sql/append.sql) takes them: the chain, and the pieces of each as JSON.

    :raises ValueError: as `record_all`.
    """
    entries, signature = [], _SIGNED.get()
    for item in records:
        for each in (signature and signature.given(chain, item), item):
            if each:
                _check(chain, each)
                entries.append(pieces(chain, each))
    return [chain, json.dumps(entries, ensure_ascii=False)]


def pieces(chain, item):
    """An entry in the one form without its place: the text between its `at` and its `prev`, and that after its `seq`.

    The envelope's keys never change; `v` is the version of the event's facts.

    >>> pieces("table:7", Record("round.held", "round:81", {}))
    ['"by":"system","chain":"table:7","event":"round.held","facts":{}', '"subject":"round:81","terminal":null,"v":1']
    """
    facts = {name: fact for name, fact in item.facts.items() if fact is not None}
    begins = canonical({"by": item.by, "chain": chain, "event": item.event, "facts": facts})
    ends = canonical({"subject": item.subject, "terminal": item.terminal, "v": 1})
    return [begins[1:-1], ends[1:-1]]


def start_chain(key):
    """Make an empty chain, once, along with what it is about."""
    Chain.objects.create(key=key)


def _check(chain, item):
    event = EVENTS.get(item.event)
    if event is None:
        raise ValueError(f"No event {item.event!r} in contracts/log.md.")
    if event.house not in {None, chain == HOUSE}:
        raise ValueError(f"{item.event} does not stand in the chain {chain}.")
    names = {name for name, fact in item.facts.items() if fact is not None}
    if not event.must <= names <= event.must | event.may:
        raise ValueError(
            f"{item.event} has the facts {sorted(names)}, not {sorted(event.must)} (+ {sorted(event.may)})."
        )
