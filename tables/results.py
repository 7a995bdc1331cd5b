"""What a settled round came to, box by box, with the reasons: from its line and its settlement alone."""

import json
from typing import NamedTuple

from casino.games import registry
from casino.games.game import tell
from casino.models import Casino
from payouts.models import Payment

from .models import Line


class Paid(NamedTuple):
    """A box's payment in units. `difference` is what a correction hands over beyond the newest generation before it in
    which the box was ticked, below 0 what it collects; None where the box was never ticked: it is then owed this whole
    payment, as if it were the first. `ticked`: the croupier has said that it is done. `of_pot`: the stakes lie in the
    pot, so that there is nothing to take from a box."""

    box: int
    outcome: str
    staked: int
    returned: int
    paid: int
    net: int
    clauses: list
    ticked: bool
    difference: int | None
    of_pot: bool = False

    @property
    def due(self):
        """Whether the croupier has something to do for the box."""
        if not self.of_pot:
            return True
        return bool(self.returned + self.paid if self.difference is None else self.difference)

    @property
    def left_units(self):
        """What is still to move to the box, below 0 from it, if it is not ticked."""
        if self.difference is not None:
            return self.difference
        return self.returned + self.paid if self.of_pot else self.net


class Results(NamedTuple):
    """The newest generation; `payments` are `Paid`, `reasons` (box, clause, text)."""

    generation: int
    result: dict
    payments: list
    reasons: list


def of(round_):
    """The newest generation of a settled round, or None while it is not settled."""
    settlement = round_.settlement
    if settlement is None:
        return None
    line = Line.objects.get(round=round_, ordinal=settlement.line_ordinal)
    result = json.loads(settlement.result)
    told = json.loads(line.text)
    of_pot = registry.GAMES[told["game"]].BANK == "pot"
    return Results(settlement.generation, result, payments(settlement, of_pot=of_pot), explain(told, result))


def payments(settlement, *, of_pot=False):
    """A generation's payments, each with its difference to what the box has: what was never ticked it has not."""
    earlier = Payment.objects.filter(
        settlement__round_key=settlement.round_key, settlement__generation__lt=settlement.generation, tick__isnull=False
    )
    had = dict(earlier.order_by("settlement__generation").values_list("box", "net_units"))
    return [
        Paid(
            payment.box,
            payment.outcome,
            payment.staked_units,
            payment.returned_units,
            payment.paid_units,
            payment.net_units,
            payment.clauses,
            hasattr(payment, "tick"),
            payment.net_units - had[payment.box] if payment.box in had else None,
            of_pot,
        )
        for payment in settlement.payments.select_related("tick").order_by("box")
    ]


def explain(line, result):
    """The reasons of a result as (box, clause, text), amounts in the casino's currency."""
    game = registry.GAMES[line["game"]]
    decimals = Casino.objects.get().currency_decimals
    reasons = game.explain(game.read(line), result)
    return [(reason.box, reason.clause, tell(game.SENTENCES, reason, decimals)) for reason in reasons]
