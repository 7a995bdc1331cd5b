"""The file of the case of a void round: what it was, who voided it and why, and what went back to whom."""

from ..verbs import cases, fold
from . import blocks, places
from .case_files import Signed
from .case_rounds import OfRound
from .chips import given_back
from .console import CONSOLE
from .timeline import done


class OfVoid(OfRound):
    title = "Void round"

    @property
    def round(self):
        return self.about

    def signed(self):
        void = cases.void_of(self.round)
        return [Signed("The void of the round", void.by, void.approved_by, void.at), *super().signed()]

    def lacks(self):
        return [CONSOLE("lacks.settlement")]

    def middle(self):
        round_, words, void = self.round, self.words, cases.void_of(self.round)
        interventions = list(round_.interventions.select_related("by", "approved_by").order_by("ordinal"))
        rows = [
            ("Round", CONSOLE("file.round", round=round_, game=words.game.name)),
            ("State of the round", round_.get_status_display()),
            ("Opened", self._utc(round_.opened_at)),
            ("Dealt by", self._dealt()),
            ("Void since", self._utc(void.at)),
            ("Asked for by", self._person(void.by, "asked for the void")),
            ("Approved by", self._person(void.approved_by, "approved the void")),
            (CONSOLE("file.clause", clause=void.clause), words.game.clauses.get(void.clause, "")),
        ]
        if round_.paper:
            played = CONSOLE("void.paper", paper=round_.paper, time=self._utc(round_.happened_at))
            rows.insert(2, ("From paper", played))
        return [
            {
                "heading": "What is asked, and what was voided",
                "blocks": [
                    blocks.text(CONSOLE("void.question")),
                    blocks.quote(self.case.question),
                    blocks.text(CONSOLE("void.what")),
                    blocks.facts(rows),
                    blocks.text(CONSOLE("void.why")),
                    blocks.quote(void.reason),
                ],
            },
            {
                "heading": "The cards and the stakes",
                "blocks": self._laid([("As they lay on the table", places.of_round(round_, words))]),
            },
            {"heading": "What went back", "blocks": self._given_back()},
            {"heading": "What was reported and decided", "blocks": [self._decisions(interventions)]},
            {"heading": "Money moved", "blocks": self._moved(round_)},
            {
                "heading": "The clauses, in the rules' own words",
                "blocks": self._clauses({each.clause for each in interventions}),
            },
        ]

    def _given_back(self):
        game, state, *_ = fold.of(self.round)
        view, handed = game.view(state), {each.box: each.units for each in game.handed(state)}
        rows = [
            [
                CONSOLE("box", box=box),
                self._amount(sum(wager.units for wager in view.wagers if wager.box == box)),
                self._amount(handed.get(box, 0), signed=True),
                self._amount(units, signed=True),
            ]
            for box, units in sorted(given_back(view, handed).items())
        ]
        columns = [
            blocks.column("Place"),
            blocks.column("Staked, with fees", 2, right=True),
            blocks.column("Handed over in the round", 2, right=True),
            blocks.column("Goes back to the box", 2, right=True),
        ]
        return [
            blocks.text(CONSOLE("void.back")),
            blocks.table(columns, rows, CONSOLE("void.back.none")),
        ]

    def _decisions(self, interventions):
        rows = []
        for each in interventions:
            what = done(each, self.words.game)
            by = self._pair(each.by, each.approved_by) if each.approved_by else self._person(each.by, "")
            rows.append(
                [
                    self._utc(each.at),
                    what,
                    each.clause or "",
                    by,
                    CONSOLE("quoted", words=each.reason) if each.reason else "",
                ]
            )
        columns = [
            blocks.column("At (UTC)", 2),
            blocks.column("What", 3),
            blocks.column("Clause"),
            blocks.column("By", 2),
            blocks.column("Reason", 3),
        ]
        return blocks.table(columns, rows, CONSOLE("void.reported.none"))
