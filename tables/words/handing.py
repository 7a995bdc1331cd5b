"""What a payment means at the table: what is to move between the table and a box, and how people say it.

Only this place decides it. Screens look up what they show by `Handing.verb`; the verbs work out the units left to move
(`results.Paid.left_units`), since a tick depends on them.
"""

from typing import Literal, NamedTuple

from .wording import WORDING

_ORDERS = {"pay": "order.pay", "collect": "order.collect", "back": "order.back", "take": "order.take"}
_WITHIN = {
    "pay": "order.within.pay",
    "collect": "order.within.collect",
    "back": "order.within.back",
    "take": "order.within.take",
}
_HEADINGS = {
    "pay": "heading.pay",
    "collect": "heading.collect",
    "back": "heading.back",
    "take": "heading.take",
    "none": "heading.none",
}
_CORRECTED = {
    "pay": "heading.corrected.pay",
    "collect": "heading.corrected.collect",
    "none": "heading.corrected.none",
}
_SAYINGS = {"pay": "saying.pay", "back": "saying.back", "take": "saying.take"}
_FURTHER = {"pay": "saying.further.pay", "collect": "saying.further.collect"}


class Handing(NamedTuple):
    """What moves between the table and a box.

    `pay`: the table hands `units` over. `collect`: the box gives `units` back. `back`: its stakes of `units` go back,
    and nothing is paid. `take`: its stakes of `units` are taken. `none`: nothing moves, and `units` is 0.

    `stakes_back` are stakes that go back beside what is paid. `share`: what is paid is a share of the pot. `further`:
    it counts from what the box has been handed already; else it is the whole payment.
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
    """What leaves the house's float for a box, and what comes into it: all stakes and fees that do not go back."""
    due = done_or_due(paid)
    if due.further:
        return (due.units, 0) if due.verb == "pay" else (0, due.units)
    return paid.paid, paid.staked - paid.returned


def whole(paid):
    """What a payment means for a box that has had nothing from the round yet."""
    if paid.lies == "pot":
        units = paid.returned + paid.paid
        return Handing("pay", units, share=True) if units else Handing("none", 0)
    if paid.paid:
        return Handing("pay", paid.paid, stakes_back=paid.returned)
    if paid.returned:
        return Handing("back", paid.returned)
    return Handing("take", paid.staked)


def order(paid, spell, *, within=False):
    """What the croupier has to do, as a sentence; "" if nothing moves.

    :param within: whether it stands within another sentence.
    """
    due = of(paid)
    if due.verb == "none":
        return ""
    if due.stakes_back:
        return WORDING(
            "order.within.pay:stakes_back" if within else "order.pay:stakes_back",
            units=spell(due.units),
            box=paid.box,
            stakes_back=spell(due.stakes_back),
        )
    return WORDING(_WITHIN[due.verb] if within else _ORDERS[due.verb], units=spell(due.units), box=paid.box)


def heading(paid):
    """The heading of a box's payment: what is done; the amount stands beside it."""
    due = of(paid)
    if paid.done_in_round:
        return WORDING("heading.done.paid" if _hands_over(paid) else "heading.done.taken", box=paid.box)
    if due.further and paid.corrected:
        return WORDING(_CORRECTED[due.verb], box=paid.box)
    if due.further and due.verb == "none":
        return WORDING("heading.further.none", box=paid.box)
    return WORDING(_HEADINGS[due.verb], box=paid.box)


def amount(paid):
    """The units beside the heading: what moves or, below 0, what the house took."""
    due = done_or_due(paid)
    return due.units if due.further or due.verb in {"pay", "back"} else paid.net


def chips(paid):
    """The units that are counted out in chips: what is handed over or collected; stakes that go back lie there."""
    due = of(paid)
    return due.units if due.verb in {"pay", "collect"} else 0


def saying(paid, spell):
    """What the croupier says about a box with its tick, and the amount that goes with it; a difference has its own."""
    due = of(paid)
    units = spell(due.units)
    if due.further and due.verb == "none":
        return WORDING("saying.further.none", box=paid.box), ""
    if due.further:
        return WORDING(_FURTHER[due.verb], box=paid.box, units=units), ""
    return WORDING(_SAYINGS[due.verb], box=paid.box), units


def done(paid):
    """What a tick says was done at the table, in a word."""
    if of(paid).verb == "collect":
        return WORDING("done.collected")
    return WORDING("done.paid" if _hands_over(paid) else "done.taken")


def undone(paid):
    """What stands there until that tick."""
    if of(paid).verb == "collect":
        return WORDING("due.collected")
    return WORDING("due.paid" if _hands_over(paid) else "due.taken")


def _hands_over(paid):
    """Whether the whole payment goes to the box."""
    return whole(paid).verb in {"pay", "back"}


def parts(paid):
    """What a payment is made of, as pairs of a word and units."""
    staked, net = (WORDING("part.staked"), paid.staked), (WORDING("part.net"), paid.net)
    if paid.lies == "pot":
        return [staked, (WORDING("part.from_pot"), whole(paid).units), net]
    return [staked, (WORDING("part.returned"), paid.returned), (WORDING("part.paid"), paid.paid), net]
