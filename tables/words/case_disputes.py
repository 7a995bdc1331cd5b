"""The file of a dispute's case: the round with its cards and stakes, the calculation before and after, the money."""

import json

from django.utils.functional import cached_property

from . import blocks, generations, places, timeline
from .case_files import Signed
from .case_rounds import OfRound
from .disputes import about as about_words
from .disputes import boxes


class OfDispute(OfRound):
    title = "Dispute about a round"

    @property
    def round(self):
        return self.about.round

    @cached_property
    def generations(self):
        return generations.of(self.round, self.words, self.reader)

    def _before_and_after(self):
        """The generation that settled the ruling's line, after the one before it; None where there is none."""
        line = self.about.line
        after = next((each for each in self.generations if line and each["line"] == line.ordinal), None)
        number = after and after["number"] - 1
        return next((each for each in self.generations if each["number"] == number), None), after

    def decided(self, at, by):
        dispute, outcome = self.about, self.case.get_outcome_display().capitalize()
        changed = "The ruling left the round as it was."
        if dispute.line_id:
            changed = f"The ruling changed the record of the round: line {dispute.line.ordinal} of it is the ruling's."
            changed += self._moves()
        return [
            blocks.verdict(f"{outcome} by clause {dispute.clause}", f"Ruled on {at} by {by}. {changed}"),
            blocks.text(f"What was claimed at {boxes(dispute).lower()}:"),
            blocks.quote(dispute.statement),
            blocks.text(f"The clause says: {self.words.game.clauses.get(dispute.clause, '')}"),
            blocks.text("Their reason:"),
            blocks.quote(dispute.reason),
        ]

    def _moves(self):
        """What the ruling makes of the boxes' money, in a sentence that goes on; "" before it is settled."""
        before, after = self._before_and_after()
        if before is None:
            return ""
        differ = [each for each in after["payments"] if each["difference"] not in {"", self._amount(0)}]
        said = [f"box {each['box']} by {each['difference']} {self.casino.currency}" for each in differ]
        return f" It changes what boxes get: {', '.join(said)}." if said else " No box gets more or less by it."

    def signed(self):
        dispute = self.about
        return [Signed("The ruling on the dispute", dispute.ruled_by, dispute.approved_by, dispute.ruled_at)]

    def lacks(self):
        if self.about.ruling and self.about.approved_by is None:
            return ["A second signature under the ruling: the house asks for none there."]
        return []

    def middle(self):
        dispute, words = self.about, self.words
        round_ = dispute.round
        lines = list(round_.lines.all())
        dealt = self._dealt()
        newest_first = self.generations
        rows = [
            ("Round", f"{round_} of {words.game.name}: from the first stake to paid bets, mostly one deal"),
            ("State of the round", round_.get_status_display()),
            ("About", about_words(dispute)),
            ("Claimed by", boxes(dispute)),
            ("Raised by", f"{self._person(dispute.raised_by, 'raised it')}, {self._utc(dispute.raised_at)}"),
            ("Dealt by", dealt),
        ]
        if dispute.about in words.game.clauses:
            rows.insert(3, (f"Clause {dispute.about}", words.game.clauses[dispute.about]))
        return [
            {
                "heading": "What is disputed",
                "blocks": [blocks.facts(rows), blocks.text("The statement:"), blocks.quote(dispute.statement)],
            },
            {"heading": "The cards and the stakes", "blocks": self._cards(lines, words)},
            {"heading": "The calculation", "blocks": self._calculation(newest_first)},
            {"heading": "Money moved", "blocks": self._moved(round_)},
            {
                "heading": "The clauses, in the rules' own words",
                "blocks": self._clauses({dispute.about, dispute.clause, *generations.clauses(newest_first)}),
            },
        ]

    def _cards(self, lines, words):
        dispute = self.about
        ruled = next((place for place, line in enumerate(lines) if line.pk == dispute.line_id), None)
        shown = [] if lines else [("As they lie on the table", places.of_round(dispute.round, words))]
        # The line before the ruling's, which may be the first; the newest, where no ruling made one.
        before = lines[: len(lines) if ruled is None else ruled][-1:]
        shown += [(f"As recorded, line {line.ordinal}", places.of_line(words, line)) for line in before]
        if ruled is not None:
            shown.append((f"As ruled, line {lines[ruled].ordinal}", places.of_line(words, lines[ruled])))
        parts = self._laid(shown)
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
            "To settle a round is to work out what each box gets. Each time that this is done is a settlement,"
            " with a number. Net is from the box's side: what was returned and paid, less what was staked."
        )
        return [said, *self._generations(newest_first)]

    def _generations(self, newest_first):
        dispute = self.about
        before, after = self._before_and_after()
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
            blocks.head(f"{head}: settlement {generation['number']}, of line {generation['line']}"),
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
