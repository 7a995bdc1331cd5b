"""The file of a variance's case, of a closing or of a drop box: counts, what was expected, what is left."""

from abc import abstractmethod

from django.db.models import Q

from payouts import ledger
from payouts.models import Movement

from ..models import Count, Round
from . import blocks, cases, counting
from .case_files import File, Signed

# What movements of a session a closing rests on; its buy-ins, one by one, are with the drop box.
_MOVED = (Movement.Kind.OPENER, Movement.Kind.CLOSER, Movement.Kind.VARIANCE, Movement.Kind.RAKE)

_FROM_PAPER = (
    "From paper are rounds that were played on paper while the terminals were down, and entered after the chips were"
    " counted: what they won or lost explains a part of the variance. The rake slot holds what the house takes of pots."
)


class _OfVariance(File):
    def subjects(self):
        counted = Count.objects.filter(of=self.about.ref).values_list("pk", flat=True)
        moved = self.moved().values_list("pk", flat=True)
        return [self.about.ref, *(f"count:{pk}" for pk in counted), *(f"movement:{pk}" for pk in moved)]

    @abstractmethod
    def moved(self):
        """The movements that it rests on."""

    def _remark(self, head, reason):
        return [blocks.text(head), blocks.quote(reason)] if reason else [blocks.text(f"{head} nothing.")]

    def _counts(self, counts_, signed_for):
        """Each pair of counts, value by value, and what was signed for in the end."""
        parts, pairs = [], {}
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
                blocks.column("Each worth", 2, right=True),
                *(
                    blocks.column(f"{self._person(count.by, 'counted')}, {count.at:%H:%M:%S}", 3, right=True)
                    for count in pair
                ),
                *([blocks.column("Signed for", 3, right=True)] if ends else []),
            ]
            parts += [blocks.head(f"The {part}, attempt {attempt}: how many of each"), blocks.table(columns, rows, "")]
        return parts or [blocks.text("No count is recorded.")]

    def _said(self, event):
        return next((body["facts"] for entry, body in self.bodies[::-1] if entry.event == event), {})


def _again(counts_):
    """What is to be known of a count that was not the first."""
    if len({count.attempt for count in counts_}) < 2:
        return ""
    return " Their first counts differed: each was shown the other's, and both counted again."


class OfClosing(_OfVariance):
    title = "Variance at the closing of a table"

    def subjects(self):
        return [*super().subjects(), *(slip.ref for slip in self.about.slips.all())]

    def moved(self):
        slips = [slip.ref for slip in self.about.slips.all()]
        return Movement.objects.filter(Q(subject=self.about.ref, kind__in=_MOVED) | Q(subject__in=slips))

    def signed(self):
        session = self.about
        return [
            Signed("Opening the table", session.opened_by, session.opened_with, session.opened_at),
            Signed("Closing the table", session.closed_by, session.closed_with, session.closed_at),
            *super().signed(),
        ]

    def lacks(self):
        return ["The cards and the stakes of the rounds: an export of the table has them."]

    def middle(self):
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
            ["Variance: counted minus expected", self._amount(counted - expected, signed=True)],
        ]
        of_papers = cases.explained(case.table, session)
        rows += [[label, self._amount(units, signed=True)] for label, units in of_papers]
        columns = [blocks.column("Line", 5), blocks.column("Amount", right=True)]
        counts_ = Count.objects.filter(of=session.ref, part__in=["closer", "rake"], attempt__gte=session.counts_from)
        signers = self._pair(session.closed_by, session.closed_with)
        return [
            {
                "heading": "The facts",
                "blocks": [
                    blocks.text(
                        "When the table was closed its chips were counted by two people. Neither saw the other's count"
                        f" before both were in.{_again(counts_)} What they count then is called the closer. It came to"
                        f" {self._amount(abs(case.units))} {self.casino.currency}"
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
                    blocks.text(
                        "The opener is what the table began with. A fill brings chips from the cage, where the house"
                        " keeps them; a credit takes chips back there. The house's net is what the rounds won or lost."
                    ),
                    *([blocks.text(_FROM_PAPER)] if of_papers else []),
                    blocks.table(columns, rows, ""),
                ],
            },
            {"heading": "The rounds behind the house's net", "blocks": self._rounds()},
        ]

    def _rounds(self):
        """What each settled round brought the house, and how many were void."""
        session, status = self.about, Round.Status
        table = session.table
        nets = ledger.settlement_units_by_round(
            debit=table.float_account,
            credit=table.patrons_account,
            account=table.float_account,
            subject=session.ref,
        )
        own = session.rounds.at_the_table()
        numbers = {int(key.rpartition(":")[2]) for key in nets}
        settled = Round.objects.filter(Q(pk__in=numbers) | Q(pk__in=own.filter(status=status.SETTLED).values("pk")))
        rounds = settled.select_related("table", "session").order_by("number")
        rows = [
            [
                f"{round_}{'' if round_.session_id == session.pk else ', of an earlier session, settled anew'}",
                self._utc(round_.closed_at),
                self._amount(nets.get(round_.ref, 0), signed=True),
            ]
            for round_ in rounds
        ]
        whole = ledger.settlement_units(
            debit=table.float_account,
            credit=table.patrons_account,
            account=table.float_account,
            subject=session.ref,
        )
        if cage := whole - sum(nets.values()):
            rows.append(["Corrected while the table was closed, by the cage", "", self._amount(cage, signed=True)])
        rows.append(["House's net", "", self._amount(whole, signed=True)])
        void = [str(round_) for round_ in own.filter(status=status.VOIDED).select_related("table").order_by("number")]
        columns = [
            blocks.column("Round", 3),
            blocks.column("Closed (UTC)", 3),
            blocks.column("Net", 2, right=True),
        ]
        return [
            blocks.text(
                "Net is from the house's side: what the boxes lost in a round, less what they won. It is as the table"
                " was closed: what was corrected later is not in it."
            ),
            blocks.table(columns, rows, ""),
            blocks.text(
                f"Void, so that all stakes went back and they count for nothing: {len(void)}, {', '.join(void)}."
                if void
                else "No round was void."
            ),
        ]


class OfDrop(_OfVariance):
    title = "Variance of a drop box"

    def moved(self):
        return Movement.objects.filter(Q(subject=self.about.ref) | Q(buy_in__drop_box=self.about))

    def signed(self):
        box = self.about
        return [
            Signed("Mounting the drop box", box.mounted_by, box.mounted_with, box.mounted_at),
            Signed("Taking it off", box.removed_by, box.removed_with, box.removed_at),
            Signed("The count of its cash", box.counted_by, box.counted_with, box.counted_at),
            *super().signed(),
        ]

    def middle(self):
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
            ["Variance: counted minus recorded", self._amount(box.variance_units, signed=True)],
        ]
        counts_ = Count.objects.filter(of=box.ref)
        resealed = box.removed_seal is not None and box.removed_seal != box.seal
        return [
            {
                "heading": "The facts",
                "blocks": [
                    blocks.text(
                        "A drop box is the locked box at a table into which the cash goes that patrons pay for"
                        " chips. Each such payment is a buy-in, and is entered at the table. Two of the count team,"
                        " who work at no table, count the cash later. Neither sees the other's count before both are"
                        f" in.{_again(counts_)} In this box was {self._amount(abs(case.units))} {self.casino.currency}"
                        f" {'less' if case.units < 0 else 'more'} than was entered: that is the variance."
                    ),
                    blocks.facts(
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
                    blocks.table([blocks.column("Line", 5), blocks.column("Amount", right=True)], sums, ""),
                    blocks.head("The buy-ins, one by one"),
                    blocks.table(
                        [
                            blocks.column("At (UTC)", 2),
                            blocks.column("Box"),
                            blocks.column("Entered by", 2),
                            blocks.column("Amount", right=True),
                        ],
                        rows,
                        "No buy-in was entered.",
                    ),
                ],
            },
        ]
