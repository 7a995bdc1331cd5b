"""The file of a case, for somebody who knows nothing of the product: what was decided, and all that it rests on.

It is a function of the case and of the log: whoever asks, and whenever, the same state gives the same file. Nobody is
named in it, people are their numbers and roles. The checkpoint is the first one that covers its entries, so that a file
is another one only when something was added to its case.
"""

import datetime as dt
import re
from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q

from audit import checkpoints, form, history, inclusion, log, notes
from audit.models import Entry
from casino import money
from casino.models import Casino, Staff
from payouts.models import Movement

from ..models import Case, Slip
from ..verbs import cases
from . import blocks, staff
from .timeline import Reader

# What each kind of movement does, where the kind's own word says too little.
_MOVED = {
    Movement.Kind.OPENER: "From the cage, where the house keeps its chips, to the table, as it was opened",
    Movement.Kind.CLOSER: "From the table back to the cage, as it was closed",
    Movement.Kind.RAKE: "The house's share of pots, from the table to the cage",
    Movement.Kind.FILL_ISSUED: "From the cage, on the way to the table",
    Movement.Kind.FILL: "Come to the table from the cage",
    Movement.Kind.FILL_RETURNED: "Sent back to the cage",
    Movement.Kind.CREDIT: "From the table, on the way to the cage",
    Movement.Kind.CREDIT_RECEIVED: "Come to the cage from the table",
    Movement.Kind.CREDIT_RETURNED: "Sent back to the table",
    Movement.Kind.BUY_IN: "Sold for cash",
    Movement.Kind.DROP: "Cash from the drop box to the count room",
}

_STAFF = re.compile(r'"staff:([0-9]+)"')


class Signed(NamedTuple):
    """What two people signed, or `by` alone where there is no `second`; nobody has where there is no `by`."""

    what: str
    by: object
    second: object
    at: dt.datetime | None


class File(ABC):
    """The file of one case, part by part. Each kind of case says what is between its head and its timeline."""

    title = ""

    def __init__(self, case, reader=None):
        self.case, self.casino = case, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        # Staff by number in what is printed: nobody's name depends on who reads.
        self.reader = reader or Reader(named=False, zone=dt.UTC)
        self.about = cases.about(case)
        self.people = {}
        self.entries = list(Entry.objects.filter(self.rests_on()).order_by("chain", "seq"))
        self.bodies = [(entry, form.lenient(entry.body)) for entry in self.entries]

    @cached_property
    def at(self):
        """The moment of its newest fact."""
        return moment(max(entry.at for entry in self.entries))

    @cached_property
    def _sealed(self):
        return _sealed(self.entries)

    @property
    def checkpoint(self):
        return self._sealed[0]

    @property
    def proofs(self):
        return self._sealed[1]

    def document(self):
        """The file as `printing.pdf` takes it."""
        case = self.case
        middle, moments, signatures = self.middle(), self._timeline(), self._signatures()
        return {
            "title": f"Case file {case}",
            "subtitle": f"{self.title}. {self.casino.name}, {case.table.name}.",
            "language": "en",
            "author": self.casino.name,
            "foot": f"{self.casino.name}, case file {case}",
            "parts": [
                {"heading": "Outcome", "blocks": self._outcome()},
                {"heading": "The case", "blocks": self._head()},
                *middle,
                {"heading": "What happened, in order of time", "blocks": moments},
                {"heading": "People and signatures", "blocks": [*self._persons(), *signatures]},
                {"heading": "Proofs", "blocks": self._proven()},
                {"heading": "What this file does not show", "blocks": self._missing()},
            ],
        }

    # --- What each kind of case says for itself. ---

    @property
    def place(self):
        """What has the case's gaming day."""
        return self.about

    @abstractmethod
    def subjects(self):
        """The references of what the case rests on in the log, besides its own."""

    def rests_on(self):
        """Which entries of the log those are, and the case's own."""
        return Q(subject__in=[self.case.ref, *self.subjects()])

    @abstractmethod
    def middle(self):
        """The parts between the case and its timeline."""

    def decided(self, at, by):
        """The blocks of its decision."""
        case, head = self.case, self.case.get_outcome_display().capitalize()
        if case.units is not None:
            head += f": a variance of {self._amount(case.units, signed=True)} {self.casino.currency}"
        return [
            blocks.verdict(head, f"Decided on {at} by {by}."),
            *([blocks.text("What was to be found out:"), blocks.quote(case.question)] if case.question else []),
            blocks.text("Their reason:"),
            blocks.quote(case.reason),
            *self._not_apart(),
        ]

    def _not_apart(self):
        """That who decided had signed what the case is about: the reader weighs that."""
        case = self.case
        if not cases.has_part(case.decided_by, case):
            return []
        one, two = self._person(case.decided_by, ""), self._person(case.approved_by, "")
        return [blocks.text(f"{one}, who decided it, had also signed what the case is about. {two} had not.")]

    def signed(self):
        """What was signed for, in order of time: the decision at the end."""
        case = self.case
        return [Signed("The decision of the case", case.decided_by, case.approved_by, case.decided_at)]

    def moments(self):
        """What happened besides what the entries tell: each its time, who and what."""
        return []

    def tells(self, event):
        """Whether the timeline tells of an entry."""
        return True

    def is_linked(self, entry):
        """Whether something in the file leads to an entry among the proofs."""
        return False

    def lacks(self):
        """What the file does not show, in sentences."""
        return []

    # --- What every file has. ---

    def _outcome(self):
        case = self.case
        if case.status == Case.Status.OPEN:
            return [blocks.verdict("Not decided", f"The case is open. It is due on {self._utc(case.due_at)} UTC.")]
        house = case.decided_at.astimezone(self.zone)
        at = f"{self._utc(case.decided_at)} UTC, {house:%H:%M:%S} by the house's clock,"
        return self.decided(at, self._pair(case.decided_by, case.approved_by))

    def _head(self):
        case, date = self.case, self.place.business_date
        last = f"the first {self.checkpoint.size} entries" if self.checkpoint else "none of them sealed yet"
        rows = [
            ("Number", str(case)),
            ("Kind", self.title),
            ("State", case.get_status_display()),
            ("Casino", self.casino.name),
            ("Table", f"{case.table.name} ({case.table.code}), pit {case.table.pit.name}"),
            ("Gaming day", f"{date.isoformat()}: from one morning's start of business to the next"),
            ("Opened", self._utc(case.opened_at)),
            ("Due", self._utc(case.due_at)),
            ("Owner, who answers for it", self._person(case.owner, "owns the case")),
            ("Recording, as the house finds it", case.video or "none is named"),
            ("Made from the log at", f"{last}; newest fact of {self._utc(self.at)}"),
        ]
        return [
            blocks.text(
                f"All times are UTC. Where a second time stands beside, it is the house's own ({self.zone.key})."
                f" Amounts are in {self.casino.currency}. People are numbers: the casino knows who they are."
            ),
            blocks.facts(rows),
        ]

    def course(self):
        """What happened, in order of time: each its time, who and what."""
        moments = [(moment(entry.at), place, row) for place, (entry, row) in enumerate(self._of_log()) if row]
        moments += [(at, -1, row) for at, *row in self.moments()]
        return [(at, *row) for at, _, row in sorted(moments, key=lambda each: each[:2])]

    def _timeline(self):
        rows, day = [], ""
        for at, who, what in self.course():
            utc = at.astimezone(dt.UTC)
            rows.append(
                [
                    f"{utc:%Y-%m-%d}" if f"{utc:%Y-%m-%d}" != day else "",
                    f"{utc:%H:%M:%S}",
                    f"{at.astimezone(self.zone):%H:%M:%S}",
                    who,
                    what,
                ]
            )
            day = f"{utc:%Y-%m-%d}"
        columns = [
            blocks.column("Day"),
            blocks.column("UTC"),
            blocks.column("House"),
            blocks.column("By", 3),
            blocks.column("What", 7),
        ]
        return [blocks.table(columns, rows, "Nothing is recorded.")]

    def _of_log(self):
        """The entries as the timeline tells of them, None for one of which something else tells."""
        for entry, body in self.bodies:
            facts = body.get("facts", {})
            who = self._staff(body.get("by", ""))
            second = facts.get("approver") or next(iter(facts.get("signers", facts.get("people", []))[1:]), "")
            if second and second != body.get("by"):
                who += f", with {self._staff(second)}"
            what = ". ".join(
                filter(None, (history.WORDS[entry.event], self._facts_of(entry.event, facts, entry.subject)))
            )
            yield entry, (who, what) if self.tells(entry.event) else None

    def _facts_of(self, event, facts, subject):
        """What an entry says besides its event, in words; the amounts of counts and movements stand in their tables."""
        match event:
            case "case.opened":
                owner, due = self._staff(facts["owner"]), self._as_read(moment(facts["due"]))
                return f"The owner is {owner}. Due {due}"
            case "case.moved":
                said = []
                if "owner" in facts:
                    said.append(f"The owner is {self._staff(facts['owner'])}")
                if "due" in facts:
                    said.append(f"Due {self._as_read(moment(facts['due']))}")
                if "video" in facts:
                    said.append(f"Recording {facts['video'] or 'none'}")
                return ". ".join(said)
            case "case.decided":
                return Case.Outcome(facts["outcome"]).label.capitalize()
            case "count.entered":
                place = "First" if facts["place"] == 1 else "Second"
                return (
                    f"{place} count of the {facts['part']}, attempt {facts['attempt']}: {self._money(facts['units'])}"
                )
            case "count.agreed":
                return f"The {facts['part']} stands at {self._money(facts['units'])}"
            case "movement.made":
                box = f", box {facts['box']}" if "box" in facts else ""
                return f"{_moved(facts)}{box}: {self._money(facts['transfer']['units'])}"
            case "session.closed" if "variance" in facts:
                return f"Variance {self._money(facts['variance'], signed=True)}"
            case "drop_box.mounted" | "drop_box.removed":
                return f"Box {facts['number']}, seal {facts['seal']}"
            case "drop_box.counted":
                return f"Variance {self._money(facts['variance'], signed=True)}"
            case "slip.requested":
                letter = Slip.LETTERS[facts["kind"]]
                return f"{letter}-{facts['year']}-{facts['number']:06d}: {self._money(facts['units'])}"
        return ""

    def _persons(self):
        roles = staff.roles(self.people, self.case.opened_at)
        rows = [
            [f"Staff {number}", roles.get(number, "none"), ", ".join(sorted(parts)) or "see the times above"]
            for number, parts in sorted(self.people.items())
        ]
        columns = [
            blocks.column("Person"),
            blocks.column("Role when the case was opened", 2),
            blocks.column("Part in it", 3),
        ]
        return [blocks.table(columns, rows, "Nobody has a part in it.")]

    def _signatures(self):
        rows = []
        for what, by, second, at in self.signed():
            if by:
                part = f"signed: {what.lower()}"
                one, two = self._person(by, part), self._person(second, part) if second else "nobody"
                rows.append([what, one, two, self._utc(at)])
        columns = [
            blocks.column("What", 3),
            blocks.column("Signed by", 2),
            blocks.column("and by", 2),
            blocks.column("At (UTC)", 3),
        ]
        return [
            blocks.head("Signatures"),
            blocks.text(
                "The first person is logged in under their own name; the second signs at the same screen, by password"
                " or with a passkey of their own. The log keeps both numbers, in the entry “Signature given” which of"
                " the two it was, and no password. Only what a passkey signed can be proved later."
            ),
            blocks.table(columns, rows, "Nothing is signed yet."),
        ]

    def _proven(self):
        rows = []
        for entry in self.entries:
            proof = self.proofs.get(entry.pk)
            place = "not sealed" if proof is None or not proof.proven else str(proof.index)
            name = blocks.goal(str(entry)) if self.is_linked(entry) else str(entry)
            rows.append([name, history.WORDS[entry.event], place, log.digest(entry.body)])
        columns = [
            blocks.column("Entry"),
            blocks.column("What", 2),
            blocks.column("Place", right=True),
            blocks.column("SHA-256 of the entry", 4, mono=True),
        ]
        return [
            blocks.text(
                "Everything above is written in the log, entry by entry, when it happens. A chain is the log of one"
                " table: each entry in it holds the SHA-256 of the one before, a number that changes with every"
                " letter of what it was made from. All chains together are the leaves of one tree of hashes. A"
                " checkpoint is the number at the tree's root, signed; it shows that nothing before it was changed"
                " since. These are all the entries that this file rests on; Place is where the entry lies among the"
                " leaves. The numbers of a chain have gaps here: the entries between are of other business of the"
                " table, and no part of this case."
            ),
            blocks.table(columns, rows, ""),
            *self._checkpoint(),
        ]

    def _checkpoint(self):
        if self.checkpoint is None:
            return [blocks.head("Checkpoint"), blocks.text("None of these entries is under a checkpoint yet.")]
        note = notes.read(self.checkpoint.note)
        return [
            blocks.head("Checkpoint"),
            blocks.facts(
                [
                    ("Log", note.origin),
                    ("Size, in entries", str(self.checkpoint.size)),
                    ("Signed by key", ", ".join(data[:4].hex() for _, data in note.signatures)),
                ]
            ),
            blocks.text("Its root:"),
            blocks.mono(_in_fours(note.root.hex())),
            blocks.head("How to check it, away from the casino"),
            blocks.text(
                "1. Ask the casino for an export of everything, made after this file, and for the log's public key. The"
                " anchor is a file of checkpoints that is kept where nobody of the casino can change it: ask whoever"
                " keeps it for a copy."
            ),
            blocks.text(
                "2. verify_export.py is the program that checks an export, one file of the table system's source,"
                " audit/verify_export.py: take your own copy from whoever publishes that source, not from the casino."
                " With Python 3.11 and nothing else, give this command; NUMBER is that of the export. The first"
                " word of its answer is whole if nothing was changed."
            ),
            blocks.mono(
                "python3 verify_export.py export-NUMBER --key public --anchor checkpoints --asked all \\",
                f'  --seen "{self.checkpoint.size}:{_in_fours(note.root.hex())}"',
            ),
            blocks.text(
                "3. Each line of the export's file entries.jsonl is an entry: the SHA-256 of the line, without its"
                " end, is the one in the table above."
            ),
            blocks.text(
                "4. The SHA-256 of this very file stands in the same log, in an entry case.filed that was written"
                " when the file was made."
            ),
        ]

    def _missing(self):
        lacks = [
            "The film of the recording: the file has its reference alone.",
            "The names of people, and anything of a patron: the log has neither.",
            "Statements and reasons stand here as they were written; the log has their SHA-256 behind a salt, a secret"
            " that the casino tells an investigator. A letter that this file has no type for stands as its number,"
            " [U+...].",
        ]
        unsealed = sum(1 for entry in self.entries if not self._is_proven(entry))
        if unsealed:
            lacks.append(f"{_number(unsealed, 'entry', 'entries')} not sealed yet: a file made later has the proof.")
        lacks += self.lacks()
        if self.case.status == Case.Status.OPEN:
            lacks.append("A decision: there is none yet.")
        return [blocks.text(each) for each in lacks]

    def _is_proven(self, entry):
        proof = self.proofs.get(entry.pk)
        return proof is not None and proof.proven

    def _person(self, staff, part):
        if staff is None:
            return "the system"
        parts = self.people.setdefault(staff.pk, set())
        if part:
            parts.add(part)
        return self.reader.person(staff)

    def _staff(self, ref):
        """A person as the log names them."""
        kind, _, number = ref.partition(":")
        if kind != "staff":
            return "the system"
        self.people.setdefault(int(number), set())
        return self.reader.person(self._named[int(number)]) if self.reader.named else f"Staff {number}"

    @cached_property
    def _named(self):
        """Those whom its entries name, by their numbers."""
        return Staff.objects.in_bulk({int(number) for each in self.entries for number in _STAFF.findall(each.body)})

    def _pair(self, one, two, part=""):
        return f"{self._person(one, part)} and {self._person(two, part)}" if two else f"{self._person(one, part)} alone"

    def _amount(self, units, *, signed=False):
        return ("+" if signed and units > 0 else "") + money.spell(units, self.casino.currency_decimals)

    def _money(self, units, *, signed=False):
        return f"{self._amount(units, signed=signed)} {self.casino.currency}"

    def _utc(self, at):
        return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}"

    def _as_read(self, at):
        """A moment by the clock of who reads: UTC in what is printed."""
        return f"{at.astimezone(self.reader.zone):%Y-%m-%d %H:%M:%S}"


def _moved(facts):
    """What a movement did, in words."""
    kind = Movement.Kind(facts["kind"])
    if kind == Movement.Kind.VARIANCE:
        missing = facts["transfer"]["debit"].startswith("variance")
        return "Put down as missing" if missing else "Put down as too much"
    return _MOVED.get(kind, kind.label.capitalize())


def _sealed(entries):
    """The first checkpoint that covers the last sealed one of some entries, and their proofs; None and none before."""
    newest = inclusion.newest()
    places = [proof.index for proof in inclusion.prove(entries, newest).values() if proof.index is not None]
    over = checkpoints.first_over(max(places)) if places else None
    return (over, inclusion.prove(entries, over)) if over else (None, {})


def moment(text):
    """A moment as the log spells it."""
    return dt.datetime.fromisoformat(text)


def _in_fours(digest):
    """A digest as `verify_export.py` takes it from paper."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))


def _number(number, one, more):
    return f"1 {one} is" if number == 1 else f"{number} {more} are"
