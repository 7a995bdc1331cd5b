"""The file of a dispute's case: the round with its cards and stakes, the calculation before and after, the money."""

import json

from django.utils.functional import cached_property

from . import blocks, generations, places, timeline
from .case_files import Signed
from .case_rounds import OfRound
from .console import CONSOLE
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
        """The generation that settled the ruling's line, after the one before it; None if there is none."""
        line = self.about.line
        after = next((each for each in self.generations if line and each["line"] == line.ordinal), None)
        number = after and after["number"] - 1
        return next((each for each in self.generations if each["number"] == number), None), after

    def decided(self, at, by):
        dispute, outcome = self.about, self.case.get_outcome_display().capitalize()
        changed = [CONSOLE("ruling.kept")]
        if dispute.line_id:
            changed = [CONSOLE("ruling.changed", line=dispute.line.ordinal), *self._moves()]
        return [
            blocks.verdict(
                CONSOLE("ruling.outcome", outcome=outcome, clause=dispute.clause),
                " ".join((CONSOLE("ruling.by", at=at, by=by), *changed)),
            ),
            blocks.text(CONSOLE("claim", boxes=boxes(dispute).lower())),
            blocks.quote(dispute.statement),
            blocks.text(CONSOLE("clause.says", text=self.words.game.clauses.get(dispute.clause, ""))),
            blocks.text("Their reason:"),
            blocks.quote(dispute.reason),
        ]

    def _moves(self):
        """What the ruling changes in the boxes' money, in a sentence; none before it is settled."""
        before, after = self._before_and_after()
        if before is None:
            return []
        differ = [each for each in after["payments"] if each["difference"] not in {"", self._amount(0)}]
        said = [
            CONSOLE("ruling.moves.box", box=each["box"], amount=each["difference"], currency=self.casino.currency)
            for each in differ
        ]
        return [CONSOLE("ruling.moves", boxes=", ".join(said)) if said else CONSOLE("ruling.moves:none")]

    def signed(self):
        dispute = self.about
        return [Signed("The ruling on the dispute", dispute.ruled_by, dispute.approved_by, dispute.ruled_at)]

    def lacks(self):
        if self.about.ruling and self.about.approved_by is None:
            return [CONSOLE("lacks.second")]
        return []

    def middle(self):
        dispute, words = self.about, self.words
        round_ = dispute.round
        lines = list(round_.lines.all())
        dealt = self._dealt()
        newest_first = self.generations
        rows = [
            ("Round", CONSOLE("file.round", round=round_, game=words.game.name)),
            ("State of the round", round_.get_status_display()),
            ("About", about_words(dispute)),
            ("Claimed by", boxes(dispute)),
            ("Raised by", ", ".join((self._person(dispute.raised_by, "raised it"), self._utc(dispute.raised_at)))),
            ("Dealt by", dealt),
        ]
        if dispute.about in words.game.clauses:
            rows.insert(3, (CONSOLE("file.clause", clause=dispute.about), words.game.clauses[dispute.about]))
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
        # The line before the ruling's, which may be the first; or the newest, if no ruling made one.
        before = lines[: len(lines) if ruled is None else ruled][-1:]
        shown += [(CONSOLE("laid.recorded", line=line.ordinal), places.of_line(words, line)) for line in before]
        if ruled is not None:
            shown.append((CONSOLE("laid.ruled", line=lines[ruled].ordinal), places.of_line(words, lines[ruled])))
        parts = self._laid(shown)
        if ruled:
            pair = (json.loads(lines[ruled - 1].text), json.loads(lines[ruled].text))
            changed = [list(change) for change in timeline.changes(words, *pair)]
            columns = [
                blocks.column("What the ruling changed", 2),
                blocks.column("Before", 2),
                blocks.column("After", 2),
            ]
            parts += [blocks.head("Before and after"), blocks.table(columns, changed, CONSOLE("changed.none"))]
        return parts

    def _calculation(self, newest_first):
        if not newest_first:
            return [blocks.text(CONSOLE("calculation.none"))]
        return [blocks.text(CONSOLE("calculation")), *self._generations(newest_first)]

    def _generations(self, newest_first):
        dispute = self.about
        before, after = self._before_and_after()
        if after is None:
            if dispute.line_id:
                return [
                    blocks.text(CONSOLE("calculation.not_anew")),
                    *self._worked("Before the ruling", newest_first[0]),
                ]
            return [
                blocks.text(CONSOLE("calculation.kept" if dispute.ruling else "calculation.unruled")),
                *self._worked("As the round is settled", newest_first[0]),
            ]
        if before is None:
            return [blocks.text(CONSOLE("calculation.before")), *self._worked("By the ruling", after)]
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
            [CONSOLE("box", box=paid["box"]), each["clause"], each["text"]]
            for paid in generation["payments"]
            for each in paid["reasons"]
        ]
        why = [["All", each["clause"], each["text"]] for each in generation["reasons"]] + why
        reasons = [blocks.column("For"), blocks.column("Clause"), blocks.column("Because", 6)]
        return [
            blocks.head(CONSOLE("settlement", head=head, settlement=generation["number"], line=generation["line"])),
            blocks.table(columns, rows, CONSOLE("played.none")),
            blocks.table(reasons, why, CONSOLE("reasons.none")),
        ]

    def _difference(self, before, after):
        earlier = {paid["box"]: paid for paid in before["payments"]}
        rows = []
        for paid in after["payments"]:
            was, tick = earlier.get(paid["box"]), paid["tick"]
            done = CONSOLE("due.none" if paid["nothing"] else "due.open")
            if tick:
                done = CONSOLE("due.left") if tick["left"] else CONSOLE("ticked", who=tick["by"], time=tick["at"])
            rows.append(
                [
                    str(paid["box"]),
                    was["net"] if was else "0",
                    paid["net"],
                    paid["difference"] or paid["net"],
                    CONSOLE("due", due=paid["due"], done=done) if paid["due"] else done,
                ]
            )
        columns = [
            blocks.column("Box"),
            *(blocks.column(name, right=True) for name in ("Net before", "Net after", "Difference")),
            blocks.column("At the table", 4),
        ]
        return blocks.table(columns, rows, CONSOLE("played.none"))
