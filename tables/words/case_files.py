"""The file of a case, for somebody who does not know the product: what was decided, and all that it rests on.

It depends only on the case and the log: the same state gives the same file, whoever asks and whenever. It names nobody;
people are numbers and roles. Its checkpoint is the first that covers its entries, so the file changes only when
something was added to its case.
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
from .console import CONSOLE
from .timeline import Reader

# What each kind of movement does, if the kind's own word says too little.
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

_VERIFIER = "verify_export.py"
_VERIFIER_PATH = "audit/verify_export.py"
_STAFF = re.compile(r'"staff:([0-9]+)"')


class Signed(NamedTuple):
    """What two people signed; without a `second`, `by` alone signed, and without `by`, nobody did."""

    what: str
    by: object
    second: object
    at: dt.datetime | None


def of_session(session):
    """What two people signed of a session."""
    return [
        Signed("Opening the table", session.opened_by, session.opened_with, session.opened_at),
        Signed("Closing the table", session.closed_by, session.closed_with, session.closed_at),
    ]


class File(ABC):
    """The file of one case, part by part. Each kind of case decides what stands between its head and its timeline."""

    title = ""

    def __init__(self, case, reader=None):
        self.case, self.casino = case, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        # Staff are numbers in print: no name may depend on who reads.
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
            "title": CONSOLE("file.title", case=case),
            "subtitle": CONSOLE("file.subtitle", kind=self.title, casino=self.casino.name, table=case.table.name),
            "language": "en",
            "author": self.casino.name,
            "foot": CONSOLE("file.foot", casino=self.casino.name, case=case),
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
        """The row that has the case's gaming day."""
        return self.about

    @abstractmethod
    def subjects(self):
        """The references in the log that the case rests on, besides its own."""

    def rests_on(self):
        """The entries of those references, and the case's own."""
        return Q(subject__in=[self.case.ref, *self.subjects()])

    @abstractmethod
    def middle(self):
        """The parts between the case and its timeline."""

    def decided(self, at, by):
        """The blocks of its decision."""
        case, head = self.case, self.case.get_outcome_display().capitalize()
        if case.units is not None:
            amount = self._amount(case.units, signed=True)
            head = CONSOLE("file.outcome", outcome=head, amount=amount, currency=self.casino.currency)
        return [
            blocks.verdict(head, CONSOLE("file.decided", at=at, by=by)),
            *([blocks.text("What was to be found out:"), blocks.quote(case.question)] if case.question else []),
            blocks.text("Their reason:"),
            blocks.quote(case.reason),
            *self._not_apart(),
        ]

    def _not_apart(self):
        """The note that whoever decided had signed what the case is about: the reader weighs that."""
        case = self.case
        if not cases.has_part(case.decided_by, case):
            return []
        one, two = self._person(case.decided_by, ""), self._person(case.approved_by, "")
        return [blocks.text(CONSOLE("file.part", one=one, other=two))]

    def signed(self):
        """What was signed for, in order of time, the decision last."""
        case = self.case
        return [Signed("The decision of the case", case.decided_by, case.approved_by, case.decided_at)]

    def moments(self):
        """What happened beside the entries: for each, when, who and what."""
        return []

    def tells(self, event):
        """Whether the timeline has an entry."""
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
            return [blocks.verdict("Not decided", CONSOLE("file.open", due=self._utc(case.due_at)))]
        at = CONSOLE("file.at", utc=self._utc(case.decided_at), house=self._by_the_house(case.decided_at))
        return self.decided(at, self._pair(case.decided_by, case.approved_by))

    def _head(self):
        case, date, newest = self.case, self.place.business_date, self._utc(self.at)
        made = CONSOLE("file.made:unsealed", at=newest)
        if self.checkpoint:
            made = CONSOLE("file.made", count=self.checkpoint.size, at=newest)
        rows = [
            ("Number", str(case)),
            ("Kind", self.title),
            ("State", case.get_status_display()),
            ("Casino", self.casino.name),
            ("Table", CONSOLE("file.table", table=case.table.name, short=case.table.code, pit=case.table.pit.name)),
            ("Gaming day", CONSOLE("file.day", date=date.isoformat())),
            ("Opened", self._utc(case.opened_at)),
            ("Due", self._utc(case.due_at)),
            ("Owner, who answers for it", self._person(case.owner, "owns the case")),
            ("Recording, as the house finds it", case.video or "none is named"),
            ("Made from the log at", made),
        ]
        return [
            blocks.text(CONSOLE("file.reading", zone=self.zone.key, currency=self.casino.currency)),
            blocks.facts(rows),
        ]

    def course(self):
        """What happened, in order of time: for each, when, who and what."""
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
                    self._by_the_house(at),
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
        return [blocks.table(columns, rows, CONSOLE("file.nothing"))]

    def _of_log(self):
        """The entries as the timeline has them, None for one that something else covers."""
        for entry, body in self.bodies:
            facts = body.get("facts", {})
            who = self._staff(body.get("by", ""))
            second = facts.get("approver") or next(iter(facts.get("signers", facts.get("people", []))[1:]), "")
            if second and second != body.get("by"):
                who = ", ".join((who, CONSOLE("by.second", who=self._staff(second))))
            what = ". ".join(
                filter(None, (history.WORDS[entry.event], self._facts_of(entry.event, facts, entry.subject)))
            )
            yield entry, (who, what) if self.tells(entry.event) else None

    def _facts_of(self, event, facts, subject):
        """What an entry says besides its event, in words; the amounts of counts and movements stand in their tables."""
        match event:
            case "case.opened":
                owner, due = self._staff(facts["owner"]), self._as_read(moment(facts["due"]))
                return CONSOLE("of.opened", owner=owner, due=due)
            case "case.moved":
                said = []
                if "owner" in facts:
                    said.append(CONSOLE("of.owner", owner=self._staff(facts["owner"])))
                if "due" in facts:
                    said.append(CONSOLE("of.due", due=self._as_read(moment(facts["due"]))))
                if "video" in facts:
                    said.append(
                        CONSOLE("of.video", video=facts["video"]) if facts["video"] else CONSOLE("of.video:none")
                    )
                return ". ".join(said)
            case "case.decided":
                return Case.Outcome(facts["outcome"]).label.capitalize()
            case "count.entered":
                return CONSOLE(
                    "of.count.first" if facts["place"] == 1 else "of.count.second",
                    part=facts["part"],
                    attempt=facts["attempt"],
                    money=self._money(facts["units"]),
                )
            case "count.agreed":
                return CONSOLE("of.agreed", part=facts["part"], money=self._money(facts["units"]))
            case "movement.made":
                moved, amount = _moved(facts), self._money(facts["transfer"]["units"])
                if "box" in facts:
                    return CONSOLE("of.movement.box", moved=moved, box=facts["box"], money=amount)
                return CONSOLE("labelled", label=moved, text=amount)
            case "session.closed" if "variance" in facts:
                return CONSOLE("of.variance", money=self._money(facts["variance"], signed=True))
            case "drop_box.mounted" | "drop_box.removed":
                return CONSOLE("of.drop_box", number=facts["number"], seal=facts["seal"])
            case "drop_box.counted":
                return CONSOLE("of.variance", money=self._money(facts["variance"], signed=True))
            case "slip.requested":
                return CONSOLE("labelled", label=_slip(facts), text=self._money(facts["units"]))
        return ""

    def _persons(self):
        roles = staff.roles(self.people, self.case.opened_at)
        rows = [
            [
                CONSOLE("staff", number=number),
                roles.get(number, "none"),
                ", ".join(sorted(parts)) or "see the times above",
            ]
            for number, parts in sorted(self.people.items())
        ]
        columns = [
            blocks.column("Person"),
            blocks.column("Role when the case was opened", 2),
            blocks.column("Part in it", 3),
        ]
        return [blocks.table(columns, rows, CONSOLE("file.nobody"))]

    def _signatures(self):
        rows = []
        for what, by, second, at in self.signed():
            if by:
                part = CONSOLE("part.signed", what=what.lower())
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
            blocks.text(CONSOLE("file.signatures")),
            blocks.table(columns, rows, CONSOLE("file.unsigned")),
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
            blocks.text(CONSOLE("proofs")),
            blocks.table(columns, rows, ""),
            *self._checkpoint(),
        ]

    def _checkpoint(self):
        if self.checkpoint is None:
            return [blocks.head("Checkpoint"), blocks.text(CONSOLE("proofs.none"))]
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
            blocks.text(CONSOLE("proofs.export")),
            blocks.text(CONSOLE("proofs.verify", program=_VERIFIER, path=_VERIFIER_PATH)),
            blocks.mono(
                f"python3 {_VERIFIER} export-NUMBER --key public --anchor checkpoints --asked all \\",
                f'  --seen "{self.checkpoint.size}:{_in_fours(note.root.hex())}"',
            ),
            blocks.text(CONSOLE("proofs.entries")),
            blocks.text(CONSOLE("proofs.filed")),
        ]

    def _missing(self):
        lacks = [
            CONSOLE("lacks.film"),
            CONSOLE("lacks.names"),
            CONSOLE("lacks.texts"),
        ]
        unsealed = sum(1 for entry in self.entries if not self._is_proven(entry))
        if unsealed:
            lacks.append(CONSOLE("lacks.proof:one") if unsealed == 1 else CONSOLE("lacks.proof", count=unsealed))
        lacks += self.lacks()
        if self.case.status == Case.Status.OPEN:
            lacks.append(CONSOLE("lacks.decision"))
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
        return self.reader.person(self._named[int(number)]) if self.reader.named else CONSOLE("staff", number=number)

    @cached_property
    def _named(self):
        """The people whom its entries name, by number."""
        return Staff.objects.in_bulk({int(number) for each in self.entries for number in _STAFF.findall(each.body)})

    def _pair(self, one, two, part=""):
        first = self._person(one, part)
        return CONSOLE("and", one=first, other=self._person(two, part)) if two else CONSOLE("alone", who=first)

    def _amount(self, units, *, signed=False):
        return ("+" if signed and units > 0 else "") + money.spell(units, self.casino.currency_decimals)

    def _money(self, units, *, signed=False):
        return CONSOLE("amount", amount=self._amount(units, signed=signed), currency=self.casino.currency)

    def _utc(self, at):
        return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}"

    def _by_the_house(self, at):
        return f"{at.astimezone(self.zone):%H:%M:%S}"

    def _as_read(self, at):
        """A moment by the reader's clock; in print, UTC."""
        return f"{at.astimezone(self.reader.zone):%Y-%m-%d %H:%M:%S}"


def _moved(facts):
    """What a movement did, in words."""
    kind = Movement.Kind(facts["kind"])
    if kind == Movement.Kind.VARIANCE:
        missing = facts["transfer"]["debit"].startswith("variance")
        return "Put down as missing" if missing else "Put down as too much"
    return _MOVED.get(kind, kind.label.capitalize())


def _slip(facts):
    return f"{Slip.LETTERS[facts['kind']]}-{facts['year']}-{facts['number']:06d}"


def _sealed(entries):
    """The first checkpoint that covers the last sealed of some entries, and their proofs; None and none before."""
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
