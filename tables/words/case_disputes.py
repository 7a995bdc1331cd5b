"""The file of a dispute's case: the round with its cards and stakes, the calculation before and after, the money."""

import json

from django.utils.functional import cached_property

from payouts.models import Settlement

from ..verbs import disputes
from . import blocks, generations, places, timeline
from .cards import SIGNS
from .case_files import File, Signed
from .disputes import about as about_words
from .disputes import boxes

_SIGN = {letter: sign for sign, letter in SIGNS.items()}


class OfDispute(File):
    title = "Dispute about a round"

    @property
    def place(self):
        return self.about.round.session

    @cached_property
    def words(self):
        return timeline.words(self.about.round)

    def subjects(self):
        return [self.about.round.ref]

    def decided(self, at, by):
        dispute, outcome = self.about, self.case.get_outcome_display().capitalize()
        changed = "The ruling left the round as it was."
        if dispute.line_id:
            changed = f"The ruling changed the record of the round: line {dispute.line.ordinal} of it is the ruling's."
        return [
            blocks.verdict(f"{outcome} by clause {dispute.clause}", f"Ruled on {at} by {by}. {changed}"),
            blocks.text(f"The clause says: {self.words.game.clauses.get(dispute.clause, '')}"),
            blocks.text("Their reason:"),
            blocks.quote(dispute.reason),
        ]

    def signed(self):
        dispute = self.about
        return [Signed("The ruling on the dispute", dispute.ruled_by, dispute.approved_by, dispute.ruled_at)]

    def moments(self):
        return [(each.at, *self._of_round(each)) for each in timeline.of(self.about.round)]

    def tells(self, event):
        """Of the round the round itself tells, with what was taken back."""
        return event.startswith("case.")

    def lacks(self):
        if self.about.ruling and self.about.approved_by is None:
            return ["A second signature under the ruling: the house asks for none there."]
        return []

    def middle(self):
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
                "blocks": [blocks.facts(rows), blocks.text("The statement:"), blocks.quote(dispute.statement)],
            },
            {"heading": "The cards and the stakes", "blocks": self._laid(lines, words)},
            {"heading": "The calculation", "blocks": self._calculation(newest_first)},
            {"heading": "Money moved", "blocks": self._moved(round_)},
            {"heading": "The clauses, in the rules' own words", "blocks": self._clauses(newest_first)},
        ]

    def _laid(self, lines, words):
        dispute = self.about
        ruled = next((place for place, line in enumerate(lines) if line.pk == dispute.line_id), None)
        shown = [] if lines else [("As they lie on the table", places.of_round(dispute.round, words))]
        # The line before the ruling's, which may be the first; the newest, where no ruling made one.
        before = lines[: len(lines) if ruled is None else ruled][-1:]
        shown += [(f"As recorded, line {line.ordinal}", places.of_line(words, line)) for line in before]
        if ruled is not None:
            shown.append((f"As ruled, line {lines[ruled].ordinal}", places.of_line(words, lines[ruled])))
        columns = [
            blocks.column("Place"),
            blocks.column("Cards", 4),
            blocks.column("Stakes", 2),
            blocks.column("Also entered", 2),
        ]
        seen = [
            card for _, laid in shown for place in laid for hand in place["hands"] for card in hand["cards"] if card
        ]
        named = {_card(card): card["name"] for card in seen if not card["sign"]}
        suits = " ♠ is spades, ♥ hearts, ♦ diamonds, ♣ clubs." if len(named) < len(seen) else ""
        parts = [blocks.text(f"A box is a place at the table, and a line is the round as it is recorded.{suits}")]
        if named:
            spelled = "; ".join(f"{card}: {name}" for card, name in sorted(named.items()))
            parts.append(blocks.text(f"The cards, with their names. {spelled}."))
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
            parts += [blocks.head(head), blocks.table(columns, rows, "Nothing lies on the table.")]
        if ruled:
            pair = (json.loads(lines[ruled - 1].text), json.loads(lines[ruled].text))
            changed = [list(change) for change in timeline.changes(words, *pair)]
            columns = [
                blocks.column("What the ruling changed", 2),
                blocks.column("Before", 2),
                blocks.column("After", 2),
            ]
            parts += [blocks.head("Before and after"), blocks.table(columns, changed, "Only stakes differ.")]
        return parts

    def _calculation(self, newest_first):
        if not newest_first:
            return [blocks.text("The round is not settled, so nothing was calculated.")]
        said = blocks.text(
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
                    blocks.text("The round is not settled anew yet."),
                    *self._worked("Before the ruling", newest_first[0]),
                ]
            return [
                blocks.text("The ruling changed nothing of it." if dispute.ruling else "There is no ruling yet."),
                *self._worked("As the round is settled", newest_first[0]),
            ]
        before = numbers.get(after["number"] - 1)
        if before is None:
            return [blocks.text("The ruling came before the round was settled."), *self._worked("By the ruling", after)]
        return [
            *self._worked("Before the ruling", before),
            *self._worked("After the ruling", after),
            blocks.head("The difference, box by box"),
            self._difference(before, after),
        ]

    def _worked(self, head, generation):
        columns = [
            blocks.column("Box"), blocks.column("Result", 3),
            *(blocks.column(name, right=True) for name in ("Staked", "Returned", "Paid", "Net")),
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
        reasons = [blocks.column("For"), blocks.column("Clause"), blocks.column("Because", 6)]
        return [
            blocks.head(f"{head}: generation {generation['number']}, of line {generation['line']}"),
            blocks.table(columns, rows, "Nobody played."),
            blocks.table(reasons, why, "No reason is recorded."),
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
            blocks.column("Box"),
            *(blocks.column(name, right=True) for name in ("Net before", "Net after", "Difference")),
            blocks.column("At the table", 4),
        ]
        return blocks.table(columns, rows, "Nobody played.")

    def _moved(self, round_):
        rows = [
            [
                str(settlement.generation),
                transfer.get_reason_display(),
                str(transfer.credit.ref),
                str(transfer.debit.ref),
                self._amount(transfer.units),
            ]
            for settlement in Settlement.objects.filter(round_key=round_.ref).order_by("generation")
            for transfer in settlement.transfers.select_related("debit", "credit").order_by("pk")
        ]
        columns = [
            blocks.column("Generation"),
            blocks.column("Why", 2),
            blocks.column("From", 3),
            blocks.column("To", 3),
            blocks.column("Amount", right=True),
        ]
        return [
            blocks.text(
                "The float is the table's own stock of chips, patrons are all players of the table together. A"
                " generation after the first takes the one before back, and moves everything anew."
            ),
            blocks.table(columns, rows, "No money moved."),
        ]

    def _clauses(self, newest_first):
        named = {self.about.about, self.about.clause, *generations.clauses(newest_first)}
        rows = [[clause, text] for clause, text in self.words.game.clauses.items() if clause in named]
        return [blocks.table([blocks.column("Clause"), blocks.column("It says", 6)], rows, "No clause is named.")]

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


def _cards(cards):
    """Cards in a line; one that nobody saw is face down."""
    return " ".join(_card(card) if card else "face down" for card in cards)


def _card(card):
    return card["text"] + _SIGN.get(card["sign"], card["mark"])
