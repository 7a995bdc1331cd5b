"""What a settled round came to, box by box, with the reasons: from its line and its settlement alone."""

import json
from typing import Literal, NamedTuple

from casino.games import registry
from casino.games.game import tell
from casino.models import Casino
from payouts.models import Payment

from .models import Line


class Paid(NamedTuple):
    """A box's payment in units. `difference` is what is handed over beyond the newest generation before it in which the
    box was ticked, below 0 what is collected; None where the box was never ticked: it is then owed this whole payment,
    as if it were the first. Of points nothing was staked before, so that all of it is a difference. `ticked`: the
    croupier has said that it is done. `corrected`: it is not the first generation. `lies`: where its stakes were when
    the round was settled, on the box, in the pot, or nowhere yet, as points are."""

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
    return Results(settlement.generation, result, payments(settlement), explain(json.loads(line.text), result))


def lies(settlement):
    """Where the stakes of the settled round were."""
    if registry.GAMES[json.loads(settlement.result)["game"]].BANK == "house":
        return "box"
    return "nowhere" if settlement.transfers.filter(reason="points").exists() else "pot"


def payments(settlement):
    """A generation's payments, each with its difference to what the box has: what was never ticked it has not."""
    earlier = Payment.objects.filter(
        settlement__round_key=settlement.round_key, settlement__generation__lt=settlement.generation, tick__isnull=False
    )
    had = dict(earlier.order_by("settlement__generation").values_list("box", "net_units"))
    stakes = lies(settlement)
    unticked = 0 if stakes == "nowhere" else None
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
            None if had.get(payment.box, unticked) is None else payment.net_units - had.get(payment.box, 0),
            stakes,
            settlement.generation > 1,
        )
        for payment in settlement.payments.select_related("tick").order_by("box")
    ]


def explain(line, result):
    """The reasons of a result as (box, clause, text), amounts in the casino's currency."""
    game = registry.GAMES[line["game"]]
    decimals = Casino.objects.get().currency_decimals
    reasons = game.explain(game.read(line), result)
    return [(reason.box, reason.clause, tell(game.SENTENCES, reason, decimals)) for reason in reasons]
