"""The sentences of a hand history: how the program explains the clauses that decided a settlement.

They are worked out for the rows of a page, and are not in files: the wording may become better one day.
"""

import json

from payouts.models import Settlement

from ..models import Line
from ..verbs import results


def add(rows, decimals):
    """Give each box's row its explanation, and that of the whole round."""
    settlements = Settlement.objects.in_bulk({row["settlement_id"] for row in rows if row.get("settlement_id")})
    if not settlements:
        return
    rounds = {row["round_id"] for row in rows}
    lines = {
        (line.round.ref, line.ordinal): line for line in Line.objects.filter(round__in=rounds).select_related("round")
    }
    reasons = {
        key: results.explain(
            json.loads(lines[settlement.round_key, settlement.line_ordinal].text),
            json.loads(settlement.result),
            decimals,
        )
        for key, settlement in settlements.items()
    }
    for row in rows:
        of_round = reasons.get(row["settlement_id"], ())
        row["explanation"] = " ".join(why.text for why in of_round if why.box is None or why.is_of(row["box"])) or None
