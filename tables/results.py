"""What a settled round came to, box by box, with the reasons: from its line and its settlement alone."""

import json
from typing import NamedTuple

from casino.games import registry
from casino.games.game import tell
from casino.models import Casino

from .models import Line


class Results(NamedTuple):
    """`payments` as (box, outcome, staked, returned, paid, net, clauses), `reasons` as (box, clause, text)."""

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
    return Results(
        settlement.generation,
        result,
        list(
            settlement.payments.order_by("box").values_list(
                "box", "outcome", "staked_units", "returned_units", "paid_units", "net_units", "clauses"
            )
        ),
        explain(json.loads(line.text), result),
    )


def explain(line, result):
    """The reasons of a result as (box, clause, text), amounts in the casino's currency."""
    game = registry.GAMES[line["game"]]
    decimals = Casino.objects.get().currency_decimals
    reasons = game.explain(game.read(line), result)
    return [(reason.box, reason.clause, tell(game.SENTENCES, reason, decimals)) for reason in reasons]
