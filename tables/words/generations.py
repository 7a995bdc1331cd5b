"""What each box got in every generation of a round, why, and what is still to be done at the table."""

import json

from payouts.models import Settlement

from ..verbs import results
from . import handing
from .wording import WORDING


def of(round_, words, reader):
    """Every generation of the result, the newest first: each box with its sums, its reasons and its tick."""
    settlements = Settlement.objects.filter(round_key=round_.ref).prefetch_related("payments", "transfers")
    settlements = list(settlements.order_by("generation"))
    if not settlements:
        return []
    of_round = list(round_.lines.all())
    lines = {line.ordinal: json.loads(line.text) for line in of_round}
    handed = of_round[0].handed
    ticks = results.ticks(round_.ref)
    generations = []
    for settlement in settlements:
        number = settlement.generation
        last = {payment["box"]: payment["units"] for payment in generations[-1]["payments"]} if generations else {}
        reasons = results.explain(lines[settlement.line_ordinal], json.loads(settlement.result), words.decimals)
        earlier = results.had(ticks, number, handed)
        ticked = {tick.payment.box: tick for tick in ticks if tick.payment.settlement.generation == number}
        generations.append(
            {
                "number": number,
                "line": settlement.line_ordinal,
                "at": reader.exact(settlement.begun_at),
                "newest": settlement is settlements[-1],
                "payments": [
                    {
                        **_payment(words, paid, earlier.get(paid.box), reasons),
                        "before": number - 1,
                        "difference": words.amount(paid.net - last[paid.box], signed=True) if paid.box in last else "",
                        "tick": _tick(reader, ticked.get(paid.box)),
                    }
                    for paid in results.payments_beside(settlement, ticks, handed)
                ],
                "reasons": [reason(why) for why in reasons if why.box is None],
            }
        )
    return generations[::-1]


def _payment(words, paid, before, reasons):
    """A box's payment; what is due counts from what the box had `before`, not from the generation before."""
    return {
        "box": paid.box,
        "word": words.word(paid.outcome),
        "staked": words.amount(paid.staked),
        "returned": words.amount(paid.returned),
        "paid": words.amount(paid.paid),
        "net": words.amount(paid.net, signed=True),
        "units": paid.net,
        "due": handing.order(paid, words.amount),
        "since": _since(before),
        "handed": handing.done(paid),
        "not_handed": handing.undone(paid),
        "nothing": not paid.due,
        "gives": handing.of(paid).verb in {"collect", "take"},
        "paid_before": _when(before) if before and not paid.difference else None,
        "clauses": paid.clauses,
        "reasons": [reason(why) for why in reasons if why.is_about(paid.box)],
    }


def _since(before):
    if before is None:
        return ""
    if before.generation == 0:
        return WORDING("difference.since:round")
    return WORDING("difference.since", settlement=before.generation)


def _when(before):
    return WORDING("before", settlement=before.generation) if before.generation else WORDING("before:round")


def _tick(reader, tick):
    if tick is None:
        return None
    by = reader.person(tick.by)
    if tick.left:
        by = WORDING("and", one=by, other=reader.person(tick.left_with))
    return {"by": by, "at": reader.clock(tick.at), "left": tick.left}


def reason(why):
    return {"clause": why.clause, "text": why.text}


def clauses(generations):
    """The clauses that generations name, as a set."""
    named = set()
    for generation in generations:
        named |= {why["clause"] for why in generation["reasons"]}
        for paid in generation["payments"]:
            named |= {*paid["clauses"], *(why["clause"] for why in paid["reasons"])}
    return named


def due(generations):
    """What has to be handed over or collected for the newest correction, once the round is settled again."""
    if not generations or generations[0]["number"] == 1:
        return None
    return {
        "generation": generations[0]["number"],
        "boxes": [payment for payment in generations[0]["payments"] if payment["due"]],
    }
