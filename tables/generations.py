"""What each box got in every generation of a round, why, and what is still to be done about it at the table."""

import json

from payouts.models import PaymentTick, Settlement

from . import results


def of(round_, words, reader):
    """Every generation of the result, the newest first: each box with its sums, its reasons and its tick."""
    settlements = list(Settlement.objects.filter(round_key=round_.ref).order_by("generation"))
    lines = {line.ordinal: json.loads(line.text) for line in round_.lines.all()} if settlements else {}
    ticks = ticks_of(round_)
    told = []
    for settlement in settlements:
        last = {payment["box"]: payment["units"] for payment in told[-1]["payments"]} if told else {}
        reasons = results.explain(lines[settlement.line_ordinal], json.loads(settlement.result))
        told.append(
            {
                "number": settlement.generation,
                "line": settlement.line_ordinal,
                "at": f"{reader.day(settlement.begun_at)} {reader.clock(settlement.begun_at)}",
                "newest": settlement is settlements[-1],
                "payments": [
                    _paid(words, reader, payment, settlement, last.get(payment.box), ticks, reasons)
                    for payment in settlement.payments.all()
                ],
                "reasons": [reason(given) for given in reasons if given[0] is None],
            }
        )
    return told[::-1]


def ticks_of(round_):
    """Box and generation to the tick there."""
    found = PaymentTick.objects.filter(payment__settlement__round_key=round_.ref)
    found = found.select_related("by", "payment__settlement").order_by("payment__settlement__generation")
    return {(tick.payment.box, tick.payment.settlement.generation): tick for tick in found}


def last_ticked(ticks, box, before):
    """The newest tick of a box in a generation before another, as (generation, net units)."""
    found = [(number, tick.payment.net_units) for (of, number), tick in ticks.items() if of == box and number < before]
    return found[-1] if found else None


def _paid(words, reader, payment, settlement, last_units, ticks, reasons):
    """A box's payment; `last_units` is its net in the generation before.

    What is due at the table counts from the generation that was ticked last, which need not be the one before; a box
    that was never ticked is owed the whole payment.
    """
    box, net, generation = payment.box, payment.net_units, settlement.generation
    tick = ticks.get((box, generation))
    ticked = last_ticked(ticks, box, generation)
    due = net - ticked[1] if ticked else net if results.lies(settlement) == "nowhere" else None
    return {
        "box": box,
        "word": words.word(payment.outcome),
        "staked": words.amount(payment.staked_units),
        "returned": words.amount(payment.returned_units),
        "paid": words.amount(payment.paid_units),
        "net": words.amount(net, signed=True),
        "units": net,
        "difference": "" if last_units is None else words.amount(net - last_units, signed=True),
        "before": generation - 1,
        "due": handed(words, due, box, payment.staked_units, payment.returned_units, payment.paid_units),
        "since": ticked and ticked[0],
        "handed": _tick_word(payment, due),
        "nothing": words.game.BANK == "pot"
        and not (payment.returned_units + payment.paid_units if due is None else due),
        "paid_before": ticked[0] if due == 0 else None,
        "clauses": payment.clauses,
        "tick": tick and {"by": reader.person(tick.by), "at": reader.clock(tick.at)},
        "reasons": [reason(given) for given in reasons if str(given[0]) == str(box)],
    }


def _tick_word(payment, due):
    """What a tick says was done at the table."""
    if due is not None and due < 0:
        return "Collected"
    return "Paid" if payment.paid_units or payment.returned_units else "Taken"


def handed(words, units, box, staked, returned, paid):
    """What is still to move between the table and a box.

    :param units: the difference to what the box has; None where it has nothing yet: then the whole payment is due.
    """
    if units is not None:
        if not units:
            return ""
        amount = words.amount(abs(units))
        return f"Hand over {amount} to box {box}" if units > 0 else f"Collect {amount} from box {box}"
    if words.game.BANK == "pot":
        return f"Hand over {words.amount(returned + paid)} to box {box}" if returned + paid else ""
    if paid:
        goes_back = f"; {words.amount(returned)} of its stakes goes back" if returned else ""
        return f"Hand over {words.amount(paid)} to box {box}{goes_back}"
    if returned:
        return f"Give back {words.amount(returned)} to box {box}"
    return f"Take {words.amount(staked)} from box {box}"


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
