"""How many of the house's chips are in patrons' hands: pure, from what accounts hold, and nothing else.

Chips that the house ever issued are in its cage, at its tables, on their way between the two, or in patrons' hands.
What patrons gave as tips is no longer theirs, but not the house's either: it is in circulation until it is cashed.
Since each transfer debits as much as it credits, what is in circulation is also what patrons paid for chips and won
from the house, less what they were paid for chips, plus what counts found missing: see `took`.
"""

from typing import NamedTuple

from .wording import WORDING


class Holdings(NamedTuple):
    """What accounts hold, by kind, in units. `issued` is how many chips were issued and are in use; None, which is not
    0, if the house has not said so. A cage that opened tables before then is below 0."""

    issued: int | None
    cage: int = 0
    floats: int = 0
    transit: int = 0
    rake: int = 0


class Circulation(NamedTuple):
    """`units` is None if it is not known; then `reason` says why."""

    units: int | None
    reason: str = ""


def circulation(held: Holdings) -> Circulation:
    """The chips that are in patrons' hands.

    >>> circulation(Holdings(issued=50_000_000, cage=31_500_000, floats=16_000_000, transit=40_000, rake=60_000))
    Circulation(units=2400000, reason='')
    >>> circulation(Holdings(issued=None, cage=-16_000_000, floats=16_000_000))
    Circulation(units=None, reason='The house hasn’t said how many chips it issued.')
    """
    if held.issued is None:
        return Circulation(None, WORDING("issue_unsaid"))
    return Circulation(held.issued - held.cage - held.floats - held.transit - held.rake)


def took(balances: dict[str, int]) -> int:
    """The same from the other accounts, whose sums by kind are `balances`: patrons have the chips that they won, bought
    and dropped cash for, plus what they gave as tips and what counts miss. A missing kind holds nothing.

    >>> took({"patrons": 1_500_000, "cash": 1_000_000, "variance": -100_000, "cage": 7})
    2400000
    """
    inside = {"issued", "cage", "float", "transit", "rake"}
    return sum(units for kind, units in balances.items() if kind not in inside)
