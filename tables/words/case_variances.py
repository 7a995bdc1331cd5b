"""The file of a variance's case, of a closing or of a drop box: counts, what was expected, what is left."""

from abc import abstractmethod

from django.db.models import Q

from payouts import ledger
from payouts.models import Movement

from ..models import Count, Round
from . import blocks, cases, counting
from .case_files import File, Signed, of_session
from .console import CONSOLE

# The movements of a session that a closing rests on; single buy-ins are in the drop box's file.
_MOVED = (Movement.Kind.OPENER, Movement.Kind.CLOSER, Movement.Kind.VARIANCE, Movement.Kind.RAKE)


class _OfVariance(File):
    def subjects(self):
        counted = Count.objects.filter(of=self.about.ref).values_list("pk", flat=True)
        moved = self.moved().values_list("pk", flat=True)
        return [self.about.ref, *(f"count:{pk}" for pk in counted), *(f"movement:{pk}" for pk in moved)]

    @abstractmethod
    def moved(self):
        """The movements that it rests on."""

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
                    blocks.column(", ".join((self._person(count.by, "counted"), f"{count.at:%H:%M:%S}")), 3, right=True)
                    for count in pair
                ),
                *([blocks.column("Signed for", 3, right=True)] if ends else []),
            ]
            head = CONSOLE("counted.each", part=part, attempt=attempt)
            parts += [blocks.head(head), blocks.table(columns, rows, "")]
        return parts or [blocks.text(CONSOLE("counted.none"))]

    def _said(self, event):
        return next((body["facts"] for entry, body in self.bodies[::-1] if entry.event == event), {})


def _again(counts_):
    """Whether a count was not the first."""
    return len({count.attempt for count in counts_}) > 1


class OfClosing(_OfVariance):
    title = "Variance at the closing of a table"

    def subjects(self):
        return [*super().subjects(), *(slip.ref for slip in self.about.slips.all())]

    def moved(self):
        slips = [slip.ref for slip in self.about.slips.all()]
        return Movement.objects.filter(Q(subject=self.about.ref, kind__in=_MOVED) | Q(subject__in=slips))

    def signed(self):
        return [*of_session(self.about), *super().signed()]

    def lacks(self):
        return [CONSOLE("lacks.cards")]

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
        said = " ".join(
            (
                CONSOLE("closing.counted:again" if _again(counts_) else "closing.counted"),
                CONSOLE(
                    "closing.less" if case.units < 0 else "closing.more",
                    amount=self._amount(abs(case.units)),
                    currency=self.casino.currency,
                ),
                CONSOLE("closing.signed", who=self._pair(session.closed_by, session.closed_with)),
            )
        )
        reason = session.closer_reason
        return [
            {
                "heading": "The facts",
                "blocks": [
                    blocks.text(said),
                    blocks.text(CONSOLE("closing.said" if reason else "closing.said:none")),
                    *([blocks.quote(reason)] if reason else []),
                ],
            },
            {"heading": "What was counted", "blocks": self._counts(counts_, facts["denominations"])},
            {
                "heading": "What was expected, and the variance",
                "blocks": [
                    blocks.text(CONSOLE("closing.lines")),
                    *([blocks.text(CONSOLE("closing.papers"))] if of_papers else []),
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
                str(round_) if round_.session_id == session.pk else CONSOLE("net.earlier", round=round_),
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
            blocks.text(CONSOLE("net")),
            blocks.table(columns, rows, ""),
            blocks.text(
                CONSOLE("net.void", count=len(void), rounds=", ".join(void)) if void else CONSOLE("net.void:none")
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
                CONSOLE("box", box=each.box),
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
        said = " ".join(
            (
                CONSOLE("drop.counted:again" if _again(counts_) else "drop.counted"),
                CONSOLE(
                    "drop.less" if case.units < 0 else "drop.more",
                    amount=self._amount(abs(case.units)),
                    currency=self.casino.currency,
                ),
            )
        )
        return [
            {
                "heading": "The facts",
                "blocks": [
                    blocks.text(said),
                    blocks.facts(
                        [
                            ("Drop box", box.number),
                            ("Seal when it was mounted", box.seal),
                            (
                                "Seal when it was taken off",
                                CONSOLE("drop.seal.other" if resealed else "drop.seal.same", seal=box.removed_seal),
                            ),
                        ]
                    ),
                    blocks.text(CONSOLE("drop.said" if box.reason else "drop.said:none")),
                    *([blocks.quote(box.reason)] if box.reason else []),
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
                        CONSOLE("drop.none"),
                    ),
                ],
            },
        ]
