"""What each box got in every generation of a round, why, and what is still to be done about it at the table."""

import json

from payouts.models import Settlement

from ..verbs import results


def of(round_, words, reader):
    """Every generation of the result, the newest first: each box with its sums, its reasons and its tick."""
    found = Settlement.objects.filter(round_key=round_.ref).prefetch_related("payments", "transfers")
    settlements = list(found.order_by("generation"))
    lines = {line.ordinal: json.loads(line.text) for line in round_.lines.all()} if settlements else {}
    ticks = results.ticks(round_.ref) if settlements else []
    told = []
    for settlement in settlements:
        number = settlement.generation
        last = {payment["box"]: payment["units"] for payment in told[-1]["payments"]} if told else {}
        reasons = results.explain(lines[settlement.line_ordinal], json.loads(settlement.result), words.decimals)
        had = results.ticked(ticks, number)
        ticked = {tick.payment.box: tick for tick in ticks if tick.payment.settlement.generation == number}
        told.append(
            {
                "number": number,
                "line": settlement.line_ordinal,
                "at": f"{reader.day(settlement.begun_at)} {reader.clock(settlement.begun_at)}",
                "newest": settlement is settlements[-1],
                "payments": [
                    {
                        **_paid(words, paid, had.get(paid.box), reasons),
                        "before": number - 1,
                        "difference": words.amount(paid.net - last[paid.box], signed=True) if paid.box in last else "",
                        "tick": _tick(reader, ticked.get(paid.box)),
                    }
                    for paid in results.payments(settlement, ticks)
                ],
                "reasons": [reason(given) for given in reasons if given[0] is None],
            }
        )
    return told[::-1]


def _paid(words, paid, had, reasons):
    """A box's payment; what is due at the table counts from what it `had`, which need not be the generation before."""
    return {
        "box": paid.box,
        "word": words.word(paid.outcome),
        "staked": words.amount(paid.staked),
        "returned": words.amount(paid.returned),
        "paid": words.amount(paid.paid),
        "net": words.amount(paid.net, signed=True),
        "units": paid.net,
        "due": handed(words, paid),
        "since": had and had.generation,
        "handed": _tick_word(paid),
        "nothing": not paid.due,
        "paid_before": had.generation if had and not paid.difference else None,
        "clauses": paid.clauses,
        "reasons": [reason(given) for given in reasons if str(given[0]) == str(paid.box)],
    }


def _tick(reader, tick):
    return tick and {"by": reader.person(tick.by), "at": reader.clock(tick.at)}


def _tick_word(paid):
    """What a tick says was done at the table."""
    if paid.difference is not None and paid.difference < 0:
        return "Collected"
    return "Paid" if paid.paid or paid.returned else "Taken"


def handed(words, paid):
    """What is still to move between the table and a box: the difference to what it has, or its whole payment."""
    box, units = paid.box, paid.difference
    if units is not None:
        if not units:
            return ""
        amount = words.amount(abs(units))
        return f"Hand over {amount} to box {box}" if units > 0 else f"Collect {amount} from box {box}"
    if paid.lies == "pot":
        whole = paid.returned + paid.paid
        return f"Hand over {words.amount(whole)} to box {box}" if whole else ""
    if paid.paid:
        goes_back = f"; {words.amount(paid.returned)} of its stakes goes back" if paid.returned else ""
        return f"Hand over {words.amount(paid.paid)} to box {box}{goes_back}"
    if paid.returned:
        return f"Give back {words.amount(paid.returned)} to box {box}"
    return f"Take {words.amount(paid.staked)} from box {box}"


def reason(given):
    _, clause, text = given
    return {"clause": clause, "text": text}


def due(told):
    """What the newest correction has to be handed over or collected, once it was settled again."""
    if not told or told[0]["number"] == 1:
        return None
    return {
        "generation": told[0]["number"],
        "boxes": [payment for payment in told[0]["payments"] if payment["due"]],
    }
