"""What a payment means at the table: what is to move between the table and a box, and how people say it.

The one place that decides it. Screens look up here by `Handing.verb` what they show; the units that are left to move
are the verbs' own (`results.Paid.left_units`), as a tick depends on them.
"""

from typing import Literal, NamedTuple

from .wording import WORDING


class Handing(NamedTuple):
    """What moves between the table and a box.

    `pay`: the table hands `units` over. `collect`: the box gives `units` back. `back`: its stakes of `units` go back,
    and nothing is paid. `take`: its stakes of `units` are taken. `none`: nothing moves, and `units` is 0.

    `stakes_back` are stakes that go back beside what is paid. `share`: what is paid is a share of the pot. `further`:
    it counts from what the box has been handed already; otherwise it is the whole payment.
    """

    verb: Literal["pay", "collect", "back", "take", "none"]
    units: int
    stakes_back: int = 0
    share: bool = False
    further: bool = False


def of(paid):
    """What is to be done at the table for a payment: the difference to what the box has, or the whole payment."""
    if paid.difference is None:
        return whole(paid)
    verb = "pay" if paid.difference > 0 else "collect" if paid.difference else "none"
    return Handing(verb, abs(paid.difference), further=True)


def done_or_due(paid):
    """What the round moves for a box, at its end or before (house.7); after a correction the difference."""
    return whole(paid) if paid.done_in_round else of(paid)


def of_float(paid):
    """What leaves the house's float for a box, and what comes into it: of stakes and fees all that does not go back."""
    due = done_or_due(paid)
    if due.further:
        return (due.units, 0) if due.verb == "pay" else (0, due.units)
    return paid.paid, paid.staked - paid.returned


def whole(paid):
    """What a payment is by itself, to a box that has nothing of the round yet."""
    if paid.lies == "pot":
        units = paid.returned + paid.paid
        return Handing("pay", units, share=True) if units else Handing("none", 0)
    if paid.paid:
        return Handing("pay", paid.paid, stakes_back=paid.returned)
    if paid.returned:
        return Handing("back", paid.returned)
    return Handing("take", paid.staked)


def order(paid, spell, *, within=False):
    """What the croupier is to do, as a sentence; "" where nothing moves.

    :param within: it stands within another sentence.
    """
    due = of(paid)
    if due.verb == "none":
        return ""
    code = f"order.within.{due.verb}" if within else f"order.{due.verb}"
    if due.stakes_back:
        return WORDING(f"{code}:stakes_back", units=spell(due.units), box=paid.box, stakes_back=spell(due.stakes_back))
    return WORDING(code, units=spell(due.units), box=paid.box)


def heading(paid):
    """What is done for a box, as the heading of its payment; the amount stands beside it."""
    due = of(paid)
    if paid.done_in_round:
        code = f"heading.done.{_done(paid)}"
    elif due.further and paid.corrected:
        code = f"heading.corrected.{due.verb}"
    elif due.further and due.verb == "none":
        code = "heading.further.none"
    else:
        code = f"heading.{due.verb}"
    return WORDING(code, box=paid.box)


def amount(paid):
    """The units beside the heading: what moves, or else what the house took, below 0."""
    due = done_or_due(paid)
    return due.units if due.further or due.verb in {"pay", "back"} else paid.net


def chips(paid):
    """The units that are counted out in chips: what is handed over or collected; stakes that go back lie there."""
    due = of(paid)
    return due.units if due.verb in {"pay", "collect"} else 0


def saying(paid, spell):
    """What the croupier says of a box by its tick, and the amount that goes with it; a difference says its own."""
    due = of(paid)
    units = spell(due.units)
    if due.further:
        return WORDING(f"saying.further.{due.verb}", box=paid.box, units=units), ""
    return WORDING(f"saying.{due.verb}", box=paid.box), units


def done(paid):
    """What a tick says was done at the table, in a word."""
    return WORDING(f"done.{'collected' if of(paid).verb == 'collect' else _done(paid)}")


def _done(paid):
    return "paid" if whole(paid).verb in {"pay", "back"} else "taken"


def parts(paid):
    """What a payment is made of, as pairs of a word and units."""
    if paid.lies == "pot":
        sums = {"staked": paid.staked, "from_pot": whole(paid).units, "net": paid.net}
    else:
        sums = {"staked": paid.staked, "returned": paid.returned, "paid": paid.paid, "net": paid.net}
    return [(WORDING(f"part.{code}"), units) for code, units in sums.items()]
