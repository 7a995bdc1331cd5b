"""The file of a case, for somebody who knows nothing of the product: what was decided, and all that it rests on.

It is a function of the case and of the log: whoever asks, and whenever, the same state gives the same file. Nobody is
named in it, people are their numbers and roles. The checkpoint is the first one that covers its entries, so that a file
is another one only when something was added to its case.
"""

import datetime as dt
import json
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils.functional import cached_property

from audit import checkpoints, form, history, inclusion, log, notes
from audit.models import Entry
from casino import money
from casino.models import Casino
from payouts import ledger
from payouts.models import Movement, Settlement

from ..models import Case, Count, Posting, Slip
from ..verbs import cases, disputes
from . import counting, generations, places, printing, timeline
from .disputes import about as about_words
from .disputes import boxes
from .timeline import Reader

KIND = Case.Kind
TITLES = {
    KIND.VARIANCE: "Variance at the closing of a table",
    KIND.DROP_VARIANCE: "Variance of a drop box",
    KIND.DISPUTE: "Dispute about a round",
}
# What movements of a session a closing rests on; its buy-ins, one by one, are with the drop box.
_MOVED = (Movement.Kind.OPENER, Movement.Kind.CLOSER, Movement.Kind.VARIANCE, Movement.Kind.RAKE)


class Printed(NamedTuple):
    """A file as bytes, and the size of the log that it shows proofs for; None where none of its entries is sealed."""

    content: bytes
    size: int | None


def printed(case):
    """The file of a case as PDF."""
    file = File(case)
    return Printed(printing.pdf(file.document(), file.at), file.checkpoint and file.checkpoint.size)


class File:
    """The file of one case, part by part."""

    def __init__(self, case):
        self.case, self.casino = case, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        # Staff by number: nobody's name depends on who reads.
        self.reader = Reader(named=False, zone=dt.UTC)
        self.about = cases.about(case)
        self.disputed = case.kind == KIND.DISPUTE
        self.of_drop = case.kind == KIND.DROP_VARIANCE
        self.session = self.about.round.session if self.disputed else None if self.of_drop else self.about
        self.people = {}
        self.entries = _entries(case, self.about)
        self.bodies = [(entry, form.lenient(entry.body)) for entry in self.entries]
        self.at = _moment(max(entry.at for entry in self.entries))
        self.checkpoint, self.proofs = _sealed(self.entries)

    def document(self):
        """The file as `printing.pdf` takes it."""
        case = self.case
        middle = self._dispute() if self.disputed else self._drop() if self.of_drop else self._closing()
        moments = self._timeline()
        signatures = self._signatures()
        return {
            "title": f"Case file {case}",
            "subtitle": f"{TITLES[case.kind]}. {self.casino.name}, {case.table.name}.",
            "language": "en",
            "author": self.casino.name,
            "foot": f"{self.casino.name}, case file {case}",
            "parts": [
                {"heading": "What came of it", "blocks": self._outcome()},
                {"heading": "The case", "blocks": self._head()},
                *middle,
                {"heading": "What happened, in order of time", "blocks": moments},
                {"heading": "People and signatures", "blocks": [*self._persons(), *signatures]},
                {"heading": "Proofs", "blocks": self._proven()},
                {"heading": "What this file does not show", "blocks": self._missing()},
            ],
        }

    # --- What every file has. ---

    def _outcome(self):
        case, waits = self.case, self.case.status == Case.Status.OPEN
        if waits:
            return [_verdict("Not decided", f"The case is open. It is due on {self._utc(case.due_at)}.")]
        at, by = self._utc(case.decided_at), self._pair(case.decided_by, case.approved_by)
        if not self.disputed:
            said = f"Decided on {at} by {by}. Their reason:"
            return [_verdict(case.get_outcome_display().capitalize(), said), _quote(case.reason)]
        clause = self.words.game.clauses.get(self.about.clause, "")
        head = f"{case.get_outcome_display().capitalize()} by clause {self.about.clause}"
        changed = (
            f"The ruling changed the record of the round: line {self.about.line.ordinal} of it is the ruling's."
            if self.about.line_id
            else "The ruling left the round as it was."
        )
        return [
            _verdict(head, f"Ruled on {at} by {by}. {changed}"),
            _text(f"The clause says: {clause}"),
            _text("Their reason:"),
            _quote(self.about.reason),
        ]

    def _head(self):
        case, place = self.case, self.about.round.session if self.disputed else self.about
        last = f"the first {self.checkpoint.size} entries" if self.checkpoint else "none of them sealed yet"
        rows = [
            ("Number", str(case)),
            ("Kind", TITLES[case.kind]),
            ("State", case.get_status_display()),
            ("Casino", self.casino.name),
            ("Table", f"{case.table.name} ({case.table.code}), pit {case.table.pit.name}"),
            ("Gaming day", f"{place.business_date.isoformat()}: from one morning's start of business to the next"),
            ("Opened", self._utc(case.opened_at)),
            ("Due", self._utc(case.due_at)),
            ("Owner, who answers for it", self._person(case.owner, "owns the case")),
            ("Recording, as the house finds it", case.video or "none is named"),
            ("Made from the log at", f"{last}; newest fact of {self._utc(self.at)}"),
        ]
        return [
            _text(
                f"All times are UTC. Where a second time stands beside, it is the house's own ({self.zone.key})."
                f" Amounts are in {self.casino.currency}. People are numbers: the casino knows who they are."
            ),
            _facts(rows),
        ]

    def _timeline(self):
        moments = [(_moment(entry.at), place, row) for place, (entry, row) in enumerate(self._of_log()) if row]
        if self.disputed:
            moments += [(each.at, -1, self._of_round(each)) for each in timeline.of(self.about.round)]
        rows, day = [], ""
        for at, _, (who, what) in sorted(moments, key=lambda each: each[:2]):
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
        columns = [_column("Day"), _column("UTC"), _column("House"), _column("By", 3), _column("What", 7)]
        return [_table(columns, rows, "Nothing is recorded.")]

    def _of_log(self):
        """The entries as the timeline tells of them: of a dispute those of its case, as its round tells for itself."""
        for entry, body in self.bodies:
            facts = body.get("facts", {})
            of_round = self.disputed and not entry.event.startswith("case.")
            who = self._staff(body.get("by", ""))
            second = facts.get("approver") or next(iter(facts.get("signers", facts.get("people", []))[1:]), "")
            if second and second != body.get("by"):
                who += f", with {self._staff(second)}"
            what = ". ".join(filter(None, (history.WORDS[entry.event], self._facts_of(entry.event, facts))))
            yield entry, None if of_round else (who, what)

    def _facts_of(self, event, facts):
        """What an entry says besides its event, in words; the amounts of counts and movements stand in their tables."""
        match event:
            case "case.opened":
                owner, due = self._staff(facts["owner"]), self._utc(_moment(facts["due"]))
                return f"The owner is {owner}. Due {due}"
            case "case.moved":
                said = []
                if "owner" in facts:
                    said.append(f"The owner is {self._staff(facts['owner'])}")
                if "due" in facts:
                    said.append(f"Due {self._utc(_moment(facts['due']))}")
                if "video" in facts:
                    said.append(f"Recording {facts['video'] or 'none'}")
                return ". ".join(said)
            case "case.decided":
                return Case.Outcome(facts["outcome"]).label.capitalize()
            case "count.entered":
                place = "First" if facts["place"] == 1 else "Second"
                return (
                    f"{place} count of the {facts['part']}, attempt {facts['attempt']}: {self._amount(facts['units'])}"
                )
            case "count.agreed":
                return f"The {facts['part']} stands at {self._amount(facts['units'])}"
            case "movement.made":
                kind = Movement.Kind(facts["kind"]).label
                box = f", box {facts['box']}" if "box" in facts else ""
                return f"{kind.capitalize()}{box}: {self._amount(facts['transfer']['units'])}"
            case "session.closed" if "variance" in facts:
                return f"Variance {self._amount(facts['variance'], signed=True)}"
            case "drop_box.mounted" | "drop_box.removed":
                return f"Box {facts['number']}, seal {facts['seal']}"
            case "drop_box.counted":
                return f"Variance {self._amount(facts['variance'], signed=True)}"
            case "slip.requested":
                letter = Slip.LETTERS[facts["kind"]]
                return f"{letter}-{facts['year']}-{facts['number']:06d}: {self._amount(facts['units'])}"
        return ""

    def _of_round(self, moment):
        who = self._person(moment.by, "")
        if moment.approved_by:
            who += f", with {self._person(moment.approved_by, '')}"
        if moment.terminal:
            who += f", at {moment.terminal}"
        what = moment.what if moment.box is None else f"Box {moment.box}: {moment.what}"
        what += f", by clause {moment.clause}" if moment.clause else ""
        what += f" ({moment.struck})" if moment.struck else ""
        return who, f"{what}. Reason: “{moment.reason}”" if moment.reason else what

    def _persons(self):
        rows = [
            [f"Staff {number}", _role(number, self.case), ", ".join(sorted(parts)) or "see the times above"]
            for number, parts in sorted(self.people.items())
        ]
        columns = [_column("Person"), _column("Role when the case was opened", 2), _column("Part in it", 3)]
        return [_table(columns, rows, "Nobody has a part in it.")]

    def _signatures(self):
        case, about, rows = self.case, self.about, []

        def signed(what, one, two, at):
            if one:
                part = f"signed: {what.lower()}"
                second = self._person(two, part) if two else "nobody"
                rows.append([what, self._person(one, part), second, self._utc(at)])

        if self.disputed:
            signed("The ruling on the dispute", about.ruled_by, about.approved_by, about.ruled_at)
        elif self.of_drop:
            signed("Mounting the drop box", about.mounted_by, about.mounted_with, about.mounted_at)
            signed("Taking it off", about.removed_by, about.removed_with, about.removed_at)
            signed("The count of its cash", about.counted_by, about.counted_with, about.counted_at)
        else:
            signed("Opening the table", about.opened_by, about.opened_with, about.opened_at)
            signed("Closing the table", about.closed_by, about.closed_with, about.closed_at)
        if not self.disputed:
            signed("The decision of the case", case.decided_by, case.approved_by, case.decided_at)
        columns = [_column("What", 3), _column("Signed by", 2), _column("and by", 2), _column("At (UTC)", 3)]
        return [
            _head("Signatures"),
            _text(
                "The first person is logged in under their own name; the second signs with their own login and password"
                " at the same screen. The log keeps both numbers, and no password."
            ),
            _table(columns, rows, "Nothing is signed yet."),
        ]

    def _proven(self):
        rows = []
        for entry in self.entries:
            proof = self.proofs.get(entry.pk)
            place = "not sealed" if proof is None or not proof.proven else str(proof.index)
            rows.append([f"{entry.chain_id} {entry.seq}", history.WORDS[entry.event], place, log.digest(entry.body)])
        columns = [
            _column("Entry"),
            _column("What", 2),
            _column("Place", right=True),
            _column("SHA-256 of the entry", 4, mono=True),
        ]
        return [
            _text(
                "Everything above is written in the log, entry by entry, when it happens. A chain is the log of one"
                " table: each entry in it holds the SHA-256 of the one before, a number that changes with every"
                " letter of what it was made from. All chains together are the leaves of one tree of hashes. A"
                " checkpoint is the number at the tree's root, signed; it shows that nothing before it was changed"
                " since. These are all the entries that this file rests on; Place is where the entry lies among the"
                " leaves."
            ),
            _table(columns, rows, ""),
            *self._checkpoint(),
        ]

    def _checkpoint(self):
        if self.checkpoint is None:
            return [_head("Checkpoint"), _text("None of these entries is under a checkpoint yet.")]
        note = notes.read(self.checkpoint.note)
        return [
            _head("Checkpoint"),
            _facts(
                [
                    ("Log", note.origin),
                    ("Size, in entries", str(self.checkpoint.size)),
                    ("Signed by key", ", ".join(data[:4].hex() for _, data in note.signatures)),
                ]
            ),
            _text("Its root:"),
            {"kind": "mono", "lines": [_in_fours(note.root.hex())]},
            _head("How to check it, away from the casino"),
            _text(
                "1. Ask the casino for an export of everything, made after this file, and for the log's public key. Ask"
                " whoever keeps the anchor, which should be somebody else, for the file of checkpoints."
            ),
            _text(
                "2. With Python 3.11 and your own copy of verify_export.py, which needs nothing else, give this"
                " command; NUMBER is that of the export. The first word of its answer is whole if nothing was changed."
            ),
            {
                "kind": "mono",
                "lines": [
                    "python3 verify_export.py export-NUMBER --key public --anchor checkpoints --asked all \\",
                    f'  --seen "{self.checkpoint.size}:{_in_fours(note.root.hex())}"',
                ],
            },
            _text(
                "3. Each line of the export's file entries.jsonl is an entry: the SHA-256 of the line, without its"
                " end, is the one in the table above."
            ),
            _text(
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
        if not self.disputed and not self.of_drop:
            lacks.append(
                "The rounds of the session, one by one: their sum is in what was expected, and an export of the"
                " table has each of them."
            )
        if self.case.status == Case.Status.OPEN:
            lacks.append("A decision: there is none yet.")
        if self.disputed and self.about.approved_by is None and self.about.ruling:
            lacks.append("A second signature under the ruling: the house asks for none there.")
        return [_text(each) for each in lacks]

    def _is_proven(self, entry):
        proof = self.proofs.get(entry.pk)
        return proof is not None and proof.proven

    # --- A dispute. ---

    @cached_property
    def words(self):
        return timeline.words(self.about.round)

    def _dispute(self):
        dispute, words = self.about, self.words
        round_ = dispute.round
        lines = list(round_.lines.all())
        dealt = disputes.dealers(round_)
        for staff in {*dealt}:
            self.people.setdefault(staff, set()).add("dealt the round")
        newest_first = generations.of(round_, words, self.reader)
        rows = [
            ("Round", f"{round_} of {words.game.name}: from the first stake to paid bets, mostly one deal"),
            ("State of the round", round_.get_status_display()),
            ("About", about_words(dispute)),
            ("Claimed by", boxes(dispute)),
            ("Raised by", f"{self._person(dispute.raised_by, 'raised it')}, {self._utc(dispute.raised_at)}"),
            ("Dealt by", ", ".join(f"Staff {number}" for number in sorted(dealt))),
        ]
        if dispute.about in words.game.clauses:
            rows.insert(3, (f"Clause {dispute.about}", words.game.clauses[dispute.about]))
        return [
            {
                "heading": "What is disputed",
                "blocks": [_facts(rows), _text("The statement:"), _quote(dispute.statement)],
            },
            {"heading": "The cards and the stakes", "blocks": self._laid(lines, words)},
            {"heading": "The calculation", "blocks": self._calculation(newest_first)},
            {"heading": "Money moved", "blocks": self._moved(round_)},
            {"heading": "The clauses, in the rules' own words", "blocks": self._clauses(newest_first)},
        ]

    def _laid(self, lines, words):
        dispute = self.about
        shown = [("As they lie on the table", places.of_round(dispute.round, words))] if not lines else []
        if lines:
            ruled = next((place for place, line in enumerate(lines) if line.pk == dispute.line_id), None)
            before = lines[ruled - 1] if ruled else lines[-1] if ruled is None else None
            if before:
                shown.append((f"As recorded, line {before.ordinal}", places.of_line(words, before)))
            if ruled is not None:
                shown.append((f"As ruled, line {lines[ruled].ordinal}", places.of_line(words, lines[ruled])))
        columns = [_column("Place"), _column("Cards", 4), _column("Stakes", 2), _column("Also entered", 2)]
        seen = [
            card for _, laid in shown for place in laid for hand in place["hands"] for card in hand["cards"] if card
        ]
        named = {_card(card): card["name"] for card in seen if not card["sign"]}
        suits = " ♠ is spades, ♥ hearts, ♦ diamonds, ♣ clubs." if len(named) < len(seen) else ""
        blocks = [_text(f"A box is a place at the table, and a line is the round as it is recorded.{suits}")]
        if named:
            spelled = "; ".join(f"{card}: {name}" for card, name in sorted(named.items()))
            blocks.append(_text(f"The cards, with their names. {spelled}."))
        for head, laid in shown:
            rows = [
                [
                    place["name"],
                    "\n".join(f"{hand['word']}: {_cards(hand['cards'])}" for hand in place["hands"]),
                    "\n".join(f"{stake['word']} {stake['amount']}" for stake in place["stakes"]),
                    "\n".join(": ".join(filter(None, note.values())) for note in place["notes"]),
                ]
                for place in laid
            ]
            blocks += [_head(head), _table(columns, rows, "Nothing lies on the table.")]
        if dispute.line_id and len(lines) > 1:
            ruled = next(place for place, line in enumerate(lines) if line.pk == dispute.line_id)
            if ruled:
                pair = (json.loads(lines[ruled - 1].text), json.loads(lines[ruled].text))
                changed = [list(change) for change in timeline.changes(words, *pair)]
                columns = [_column("What the ruling changed", 2), _column("Before", 2), _column("After", 2)]
                blocks += [_head("Before and after"), _table(columns, changed, "Only stakes differ.")]
        return blocks

    def _calculation(self, newest_first):
        if not newest_first:
            return [_text("The round is not settled, so nothing was calculated.")]
        said = _text(
            "To settle a round is to work out what each box gets. Each time that this is done is a generation. Net"
            " is from the box's side: what was returned and paid, less what was staked."
        )
        return [said, *self._generations(newest_first)]

    def _generations(self, newest_first):
        dispute = self.about
        by_line = {each["line"]: each for each in newest_first}
        after = by_line.get(dispute.line.ordinal) if dispute.line_id else None
        numbers = {each["number"]: each for each in newest_first}
        if after is None:
            if dispute.line_id:
                return [
                    _text("The round is not settled anew yet."),
                    *self._worked("Before the ruling", newest_first[0]),
                ]
            return [
                _text("The ruling changed nothing of it." if dispute.ruling else "There is no ruling yet."),
                *self._worked("As the round is settled", newest_first[0]),
            ]
        before = numbers.get(after["number"] - 1)
        if before is None:
            return [_text("The ruling came before the round was settled."), *self._worked("By the ruling", after)]
        return [
            *self._worked("Before the ruling", before),
            *self._worked("After the ruling", after),
            _head("The difference, box by box"),
            self._difference(before, after),
        ]

    def _worked(self, head, generation):
        columns = [
            _column("Box"), _column("Result", 3),
            *(_column(name, right=True) for name in ("Staked", "Returned", "Paid", "Net")),
        ]  # fmt: skip
        rows = [
            [str(paid["box"]), paid["word"], paid["staked"], paid["returned"], paid["paid"], paid["net"]]
            for paid in generation["payments"]
        ]
        why = [
            [f"Box {paid['box']}", each["clause"], each["text"]]
            for paid in generation["payments"]
            for each in paid["reasons"]
        ]
        why = [["All", each["clause"], each["text"]] for each in generation["reasons"]] + why
        reasons = [_column("For"), _column("Clause"), _column("Because", 6)]
        return [
            _head(f"{head}: generation {generation['number']}, of line {generation['line']}"),
            _table(columns, rows, "Nobody played."),
            _table(reasons, why, "No reason is recorded."),
        ]

    def _difference(self, before, after):
        earlier = {paid["box"]: paid for paid in before["payments"]}
        rows = []
        for paid in after["payments"]:
            was, tick = earlier.get(paid["box"]), paid["tick"]
            done = "nothing to hand over" if paid["nothing"] else "to be handed over"
            if tick:
                done = "the patron had left" if tick["left"] else f"ticked as done by {tick['by']}, {tick['at']}"
            rows.append(
                [
                    str(paid["box"]),
                    was["net"] if was else "0",
                    paid["net"],
                    paid["difference"] or paid["net"],
                    f"{paid['due']}: {done}" if paid["due"] else done,
                ]
            )
        columns = [
            _column("Box"),
            *(_column(name, right=True) for name in ("Net before", "Net after", "Difference")),
            _column("At the table", 4),
        ]
        return _table(columns, rows, "Nobody played.")

    def _moved(self, round_):
        rows = [
            [
                str(settlement.generation),
                transfer.get_reason_display(),
                *self._ends(transfer),
                self._amount(transfer.units),
            ]
            for settlement in Settlement.objects.filter(round_key=round_.ref).order_by("generation")
            for transfer in settlement.transfers.select_related("debit", "credit").order_by("pk")
        ]
        columns = [
            _column("Generation"),
            _column("Why", 2),
            _column("From", 3),
            _column("To", 3),
            _column("Amount", right=True),
        ]
        return [
            _text(
                "The float is the table's own stock of chips, patrons are all players of the table together. A"
                " generation after the first takes the one before back, and moves everything anew."
            ),
            _table(columns, rows, "No money moved."),
        ]

    def _ends(self, transfer):
        return [str(transfer.credit.ref), str(transfer.debit.ref)]

    def _clauses(self, newest_first):
        named = {self.about.about, self.about.clause}
        for generation in newest_first:
            named |= {each["clause"] for each in generation["reasons"]}
            for paid in generation["payments"]:
                named |= {*paid["clauses"], *(each["clause"] for each in paid["reasons"])}
        rows = [[clause, text] for clause, text in self.words.game.clauses.items() if clause in named]
        return [_table([_column("Clause"), _column("It says", 6)], rows, "No clause is named.")]

    # --- The variance of a closing, or of a drop. ---

    def _closing(self):
        session, case = self.about, self.case
        facts = self._said("session.closed")
        counted = sum(int(value) * number for value, number in facts["denominations"].items())
        expected = facts.get("expected", counted - facts.get("variance", case.units))
        terms = counting.terms(session)
        rows = [[label, self._amount(units, signed=signed)] for label, units, signed in terms]
        if rest := expected - sum(units for _, units, _ in terms):
            rows.append(
                ["Not in these lines any more: corrected later, or by a later rule", self._amount(rest, signed=True)]
            )
        rows += [
            ["Expected", self._amount(expected)],
            ["Counted", self._amount(counted)],
            ["Variance: counted less expected", self._amount(counted - expected, signed=True)],
        ]
        late = [round_.ref for round_ in session.rounds.entered_late()]
        papers = ledger.explained_units(case.table.float_account, *late) if late else 0
        if late:
            rows += [
                [
                    "Of which rounds explained that were played on paper and entered later",
                    self._amount(papers, signed=True),
                ],
                ["Variance left", self._amount(case.units - papers, signed=True)],
            ]
        columns = [_column("Line", 5), _column("Amount", right=True)]
        counts_ = Count.objects.filter(of=session.ref, part__in=["closer", "rake"], attempt__gte=session.counts_from)
        signers = self._pair(session.closed_by, session.closed_with)
        return [
            {
                "heading": "The facts",
                "blocks": [
                    _text(
                        "When the table was closed its chips were counted by two people, neither of whom saw the"
                        f" other's count. They came to {self._amount(abs(case.units))} {self.casino.currency}"
                        f" {'less' if case.units < 0 else 'more'} than the books said: that is the variance."
                        f" {signers} signed for what was counted."
                    ),
                    *self._remark("Said at the closing:", session.closer_reason),
                ],
            },
            {"heading": "What was counted", "blocks": self._counts(counts_, facts["denominations"])},
            {
                "heading": "What was expected, and the variance",
                "blocks": [
                    _text(
                        "The opener is what the table began with. A fill brings chips from the cage, where the house"
                        " keeps them; a credit takes chips back there. The house's net is what the rounds won or lost."
                    ),
                    _table(columns, rows, ""),
                ],
            },
        ]

    def _drop(self):
        box, case = self.about, self.case
        facts = self._said("drop_box.counted")
        bought = box.buy_ins.select_related("movement", "by", "approved_by").order_by("pk")
        rows = [
            [
                self._utc(each.movement.begun_at),
                f"Box {each.box}",
                self._pair(each.by, each.approved_by) if each.approved_by else self._person(each.by, "sold chips"),
                self._amount(each.units),
            ]
            for each in bought
        ]
        sums = [
            ["Recorded at the table: the sum of the buy-ins", self._amount(box.recorded_units)],
            ["Counted in the drop box", self._amount(box.cash_units)],
            ["Variance: counted less recorded", self._amount(box.variance_units, signed=True)],
        ]
        counts_ = Count.objects.filter(of=box.ref)
        resealed = box.removed_seal is not None and box.removed_seal != box.seal
        return [
            {
                "heading": "The facts",
                "blocks": [
                    _text(
                        "A drop box is the locked box at a table into which the cash goes that patrons pay for"
                        " chips. Each such payment is a buy-in, and is entered at the table. Two of the count team,"
                        " who work at no table, count the cash later, neither seeing the other's count. In this box was"
                        f" {self._amount(abs(case.units))} {self.casino.currency}"
                        f" {'less' if case.units < 0 else 'more'} than was entered: that is the variance."
                    ),
                    _facts(
                        [
                            ("Drop box", box.number),
                            ("Seal when it was mounted", box.seal),
                            (
                                "Seal when it was taken off",
                                f"{box.removed_seal}{': another one' if resealed else ', the same'}",
                            ),
                        ]
                    ),
                    *self._remark("Said at the count:", box.reason),
                ],
            },
            {"heading": "What was counted", "blocks": self._counts(counts_, facts["cash"])},
            {
                "heading": "What was recorded, and the variance",
                "blocks": [
                    _table([_column("Line", 5), _column("Amount", right=True)], sums, ""),
                    _head("The buy-ins, one by one"),
                    _table(
                        [
                            _column("At (UTC)", 2),
                            _column("Box"),
                            _column("Entered by", 2),
                            _column("Amount", right=True),
                        ],
                        rows,
                        "No buy-in was entered.",
                    ),
                ],
            },
        ]

    def _remark(self, head, reason):
        return [_text(head), _quote(reason)] if reason else [_text(f"{head} nothing.")]

    def _counts(self, counts_, signed_for):
        """Each pair of counts, value by value, and what was signed for in the end."""
        blocks, pairs = [], {}
        for count in counts_.select_related("by").order_by("attempt", "place"):
            pairs.setdefault((count.part, count.attempt), []).append(count)
        last = max((attempt for part, attempt in pairs if part != "rake"), default=None)
        for (part, attempt), pair in pairs.items():
            ends = part != "rake" and attempt == last
            values = {int(value) for count in pair for value in count.denominations}
            values |= {int(value) for value in signed_for} if ends else set()
            rows = []
            for value in sorted(values, reverse=True):
                numbers = [count.denominations.get(str(value), 0) for count in pair]
                row = [self._amount(value), *map(str, numbers)]
                rows.append([*row, str(signed_for.get(str(value), 0))] if ends else row)
            worth = sum(int(value) * number for value, number in signed_for.items())
            sums = ["Comes to", *(self._amount(count.units) for count in pair)]
            rows.append([*sums, self._amount(worth)] if ends else sums)
            columns = [
                _column("Each worth", 2, right=True),
                *(
                    _column(f"{self._person(count.by, 'counted')}, {count.at:%H:%M:%S}", 3, right=True)
                    for count in pair
                ),
                *([_column("Signed for", 3, right=True)] if ends else []),
            ]
            blocks += [_head(f"The {part}, attempt {attempt}: how many of each"), _table(columns, rows, "")]
        return blocks or [_text("No count is recorded.")]

    def _said(self, event):
        return next((body["facts"] for entry, body in self.bodies[::-1] if entry.event == event), {})

    # --- Small things. ---

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
        return f"Staff {number}"

    def _pair(self, one, two):
        return f"{self._person(one, '')} and {self._person(two, '')}" if two else f"{self._person(one, '')} alone"

    def _amount(self, units, *, signed=False):
        return ("+" if signed and units > 0 else "") + money.spell(units, self.casino.currency_decimals)

    def _utc(self, at):
        return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}"


def _entries(case, about):
    """The entries of the log that a case rests on, in their order."""
    subjects = [case.ref, about.ref]
    if case.kind == KIND.DISPUTE:
        subjects = [case.ref, about.round.ref]
    else:
        subjects += [f"count:{pk}" for pk in Count.objects.filter(of=about.ref).values_list("pk", flat=True)]
        moved = Movement.objects.filter(subject=about.ref)
        if case.kind == KIND.VARIANCE:
            slips = list(about.slips.all())
            subjects += [slip.ref for slip in slips]
            moved = Movement.objects.filter(
                Q(subject=about.ref, kind__in=_MOVED) | Q(subject__in=[slip.ref for slip in slips])
            )
        else:
            moved = Movement.objects.filter(Q(subject=about.ref) | Q(buy_in__drop_box=about))
        subjects += [f"movement:{pk}" for pk in moved.values_list("pk", flat=True)]
    return list(Entry.objects.filter(subject__in=subjects).order_by("chain", "seq"))


def _sealed(entries):
    """The first checkpoint that covers the last sealed one of some entries, and their proofs; None and none before."""
    newest = inclusion.newest()
    places = [proof.index for proof in inclusion.prove(entries, newest).values() if proof.index is not None]
    over = checkpoints.first_over(max(places)) if places else None
    return (over, inclusion.prove(entries, over)) if over else (None, {})


def _role(number, case):
    posted = Posting.objects.filter(staff=number, posted_at__lte=case.opened_at)
    posted = posted.filter(Q(ended_at=None) | Q(ended_at__gt=case.opened_at)).order_by("role")
    return ", ".join(dict.fromkeys(each.get_role_display() for each in posted)) or "none"


def _moment(text):
    """A moment as the log spells it."""
    return dt.datetime.fromisoformat(text)


def _in_fours(digest):
    """A digest as `verify_export.py` takes it from paper."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))


def _number(number, one, more):
    return f"1 {one} is" if number == 1 else f"{number} {more} are"


def _cards(cards):
    """Cards in a line; one that nobody saw is face down."""
    return " ".join(_card(card) if card else "face down" for card in cards)


def _card(card):
    return card["text"] + _SIGN.get(card["sign"], card["mark"])


_SIGN = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def _text(text):
    return {"kind": "text", "text": text}


def _head(text):
    return {"kind": "head", "text": text}


def _quote(text):
    return {"kind": "quote", "text": f"“{text}”"}


def _verdict(head, text):
    return {"kind": "verdict", "head": head, "text": text}


def _facts(rows):
    return {"kind": "facts", "rows": [list(row) for row in rows]}


def _column(label, width=0, *, right=False, mono=False):
    return {"label": label, "width": width, "right": right, "mono": mono}


def _table(columns, rows, empty):
    return {"kind": "table", "columns": columns, "rows": rows, "empty": empty}
