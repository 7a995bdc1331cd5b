"""What a settled round came to, box by box, with the reasons: from its line and its settlement alone."""

import json
from typing import Literal, NamedTuple

from django.db.models import Exists, OuterRef

from casino.games import registry
from casino.games.sentences import tell
from casino.models import Casino
from casino.statements import Statement
from payouts.models import Payment, PaymentTick, Transfer

from ..models import Line


class Paid(NamedTuple):
    """A box's payment in units.

    `ticked`: the croupier has said that it is done. `difference`: what is handed over beyond the newest generation
    before this one in which the box was ticked, below 0 what is collected; None where the box was never ticked, which
    is then owed this whole payment, as if it were the first; of points nothing was staked before, so that all of it is
    a difference. `lies`: where its stakes were when the round was settled: on the box, in the pot, or nowhere yet, as
    points are. `corrected`: it is not the first generation.
    """

    box: int
    outcome: str
    staked: int
    returned: int
    paid: int
    net: int
    clauses: list
    ticked: bool
    difference: int | None
    lies: Literal["box", "pot", "nowhere"] = "box"
    corrected: bool = False

    @property
    def due(self):
        """Whether the croupier has something to do for the box: of a pot nothing is taken from it."""
        if self.lies == "box":
            return True
        return bool(self.returned + self.paid if self.difference is None else self.difference)

    @property
    def left_units(self):
        """What is still to move to the box, below 0 from it, if it is not ticked."""
        if self.difference is not None:
            return self.difference
        return self.returned + self.paid if self.lies == "pot" else self.net


class Ticked(NamedTuple):
    """What a box was ticked for: the generation, and its net units there."""

    generation: int
    net: int


class Results(NamedTuple):
    """The newest generation; `payments` are `Paid`, `reasons` (box, clause, text)."""

    generation: int
    result: dict
    payments: list
    reasons: list


_PAYMENTS = Statement(
    lambda settlement: (
        Payment.objects.filter(settlement=settlement)
        .order_by("box")
        .annotate(
            done=Exists(PaymentTick.objects.filter(payment=OuterRef("pk"))),
            of_points=Exists(Transfer.objects.filter(settlement=OuterRef("settlement"), reason="points")),
        )
    )
)
_LINE = Statement(lambda round_, ordinal: Line.objects.filter(round=round_, ordinal=ordinal))


def of(round_, decimals=None):
    """The newest generation of a settled round, or None while it is not settled.

    :param decimals: those of the currency, if they were asked for already.
    """
    settlement = round_.settlement
    if settlement is None:
        return None
    line = _LINE.first(round_=round_.pk, ordinal=settlement.line_ordinal)
    result = json.loads(settlement.result)
    decimals = Casino.objects.get().currency_decimals if decimals is None else decimals
    reasons = explain(json.loads(line.text), result, decimals)
    return Results(settlement.generation, result, payments(settlement), reasons)


def ticks(round_key):
    """The ticks of a round, those of earlier generations first."""
    of_round = PaymentTick.objects.filter(payment__settlement__round_key=round_key)
    return list(of_round.select_related("by", "payment__settlement").order_by("payment__settlement__generation"))


def ticked(ticks, before):
    """Each box that was ticked, to what it was ticked for last in a generation before another.

    :param before: that other generation.
    """
    return {
        tick.payment.box: Ticked(tick.payment.settlement.generation, tick.payment.net_units)
        for tick in ticks
        if tick.payment.settlement.generation < before
    }


def difference(net, last, place):
    """How much a box's net is above that for which it was ticked last; None where it was never ticked. Of points all
    is a difference: nothing of them was staked.

    :param last: a `Ticked`, or None.
    :param place: where the stakes were, by `stakes_place`.
    """
    if last is None:
        return net if place == "nowhere" else None
    return net - last.net


def stakes_place(game, *, points):
    """Where the stakes of a round were when it was settled; `points`: these moved money."""
    return "box" if game.bank == "house" else "nowhere" if points else "pot"


def payments(settlement):
    """A generation's payments."""
    of_round = ticks(settlement.round_key) if settlement.generation > 1 else []
    paid = _PAYMENTS.all(settlement=settlement.pk)
    points = any(payment.of_points for payment in paid)
    return _paid(settlement, paid, {payment.pk for payment in paid if payment.done}, of_round, points)


def payments_beside(settlement, of_round):
    """The same of a settlement whose payments and transfers were read with others.

    :param of_round: the round's ticks.
    """
    points = any(transfer.reason == "points" for transfer in settlement.transfers.all())
    done = {tick.payment_id for tick in of_round}
    return _paid(settlement, settlement.payments.all(), done, of_round, points)


def _paid(settlement, paid, done, of_round, points):
    before = ticked(of_round, settlement.generation)
    place = stakes_place(registry.GAMES[json.loads(settlement.result)["game"]], points=points)
    return [
        Paid(
            payment.box,
            payment.outcome,
            payment.staked_units,
            payment.returned_units,
            payment.paid_units,
            payment.net_units,
            payment.clauses,
            payment.pk in done,
            difference(payment.net_units, before.get(payment.box), place),
            place,
            settlement.generation > 1,
        )
        for payment in paid
    ]


def explain(line, result, decimals):
    """The reasons of a result as (box, clause, text), amounts with the decimals of the currency."""
    game = registry.GAMES[line["game"]]
    reasons = game.explain(game.read(line), result)
    return [(reason.box, reason.clause, tell(game.sentences, reason, decimals)) for reason in reasons]
