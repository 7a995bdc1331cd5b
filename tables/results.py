"""What a settled round came to, box by box, with the reasons: from its line and its settlement alone."""

import json
from typing import NamedTuple

from casino.games import registry
from casino.games.game import tell
from casino.models import Casino
from payouts.models import Payment

from .models import Line


class Paid(NamedTuple):
    """A box's payment in units. `difference` is what a correction hands over beyond what the box has, below 0 what it
    collects: since the generation that was ticked last, else since the one before; None where nothing was corrected.
    `ticked`: the croupier has said that it is done. `of_pot`: the stakes lie in the pot, so that there is nothing to
    take from a box."""

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
    """A generation's payments, each with its difference to what the box has."""
    earlier = Payment.objects.filter(
        settlement__round_key=settlement.round_key, settlement__generation__lt=settlement.generation
    )
    before = {}
    # The one before, unless an older one is the last that was ticked.
    for box, net, tick in earlier.order_by("settlement__generation").values_list("box", "net_units", "tick"):
        known = before.get(box)
        before[box] = (net, tick) if tick or known is None or not known[1] else known
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
            payment.net_units - before[payment.box][0] if payment.box in before else None,
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
