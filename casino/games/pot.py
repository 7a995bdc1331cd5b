"""A pot: what is staked into it and raked from it, how it is shared, and what becomes of each wager."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from casino.games.game import Json, Parameter, Pay, Wager
from casino.games.leaflets import Row, Sentence, limit, row, ruled
from casino.games.reading import MAXIMUM_UNITS
from casino.money import Units, whole_chips
from casino.phrases import phrase

LEFT_OVER = "house.1"
STAKE = "house.3"
WHOLE_CHIPS = "house.5"

CHIP = Parameter("chip", "units", 1, WHOLE_CHIPS, "Smallest chip", "limits", minimum=1, maximum=MAXIMUM_UNITS)
"""What all stakes, bets, shares and prices are multiples of. A sheet from before house.5 has none, which is 1."""


class Terms(NamedTuple):
    """What a signed sheet says of the pot: each player's stake (house.3), what the house takes of the pot, and the
    smallest chip (house.5)."""

    stake_units: int
    rake_percent: int = 0
    rake_cap_units: int | None = None
    chip_units: int = 1

    def pot_units(self, staked_units: int) -> int:
        """What the players play for: all stakes less the rake, which is capped first, then cut down to the chip.

        >>> Terms(10, rake_percent=5).pot_units(1030), Terms(10, rake_percent=5, rake_cap_units=20).pot_units(1030)
        (979, 1010)
        >>> Terms(2000, rake_percent=5, rake_cap_units=250, chip_units=100).pot_units(6000)
        5800
        """
        rake = staked_units * self.rake_percent // 100
        if self.rake_cap_units is not None:
            rake = min(rake, self.rake_cap_units)
        return staked_units - whole_chips(rake, self.chip_units)


def parameters(players: int, *, highest_chip: int = MAXIMUM_UNITS) -> tuple[Parameter, ...]:
    """The parameters of `Terms` for a game of at most `players`; the pot stays an amount that a line can carry.

    The chip's maximum is the lowest maximum of the amounts in chips, so that each can be at least one chip.

    >>> [parameter.name for parameter in parameters(8)]
    ['chip', 'stake', 'rake_percent', 'rake_cap']
    """
    highest = MAXIMUM_UNITS // players
    return (
        CHIP._replace(maximum=min(highest, highest_chip)),
        Parameter(
            "stake", "units", 10, STAKE, "Stake of each player", "limits", minimum=1, maximum=highest, in_chips=True
        ),
        Parameter("rake_percent", "count", 0, STAKE, "Rake of the pot, in percent", minimum=0, maximum=99),
        Parameter("rake_cap", "units", None, STAKE, "Highest rake", optional=True, minimum=1, maximum=MAXIMUM_UNITS),
    )


def terms(values: Mapping[str, Json]) -> Terms:
    """Terms from values that `reading.read_values` checked by `parameters`."""
    return Terms(values["stake"], values["rake_percent"], values["rake_cap"], values["chip"])


def values(terms: Terms) -> dict[str, Json]:
    """The values of terms, by the names of `parameters`."""
    return {
        "chip": terms.chip_units,
        "stake": terms.stake_units,
        "rake_percent": terms.rake_percent,
        "rake_cap": terms.rake_cap_units,
    }


_RAKE = phrase("leaflet.value", "{percent} % of the pot")


def rows(terms: Terms, stake: str = "Stake of each player") -> tuple[Row, ...]:
    """What a leaflet lists of the pot; `stake` is what the game calls it, a literal.

    >>> [(row.label, row.value) for row in rows(Terms(10, rake_percent=5))]
    [('Stake of each player', 10), ('Smallest chip', 1), ('Rake', '5 % of the pot'), ('Rake, most', 'no limit')]
    """
    staked = row(stake, Units(terms.stake_units), STAKE, house=True)
    chip = chip_row(terms.chip_units)
    if not terms.rake_percent:
        return staked, chip, row("Rake", "none", STAKE, house=True)
    return (
        staked,
        chip,
        row("Rake", _RAKE.format(percent=terms.rake_percent), STAKE, house=True),
        row("Rake, most", limit(terms.rake_cap_units), STAKE, house=True),
    )


def chip_row(chip_units: int) -> Row:
    """What a leaflet lists of the chips."""
    return row("Smallest chip", Units(chip_units), WHOLE_CHIPS, house=True)


def sentences(terms: Terms) -> tuple[Sentence, ...]:
    """What a leaflet says of the pot, to go on after words such as `The stake`."""
    staked = ruled(STAKE, "is put into the pot by each player before the deal.")
    if not terms.rake_percent:
        return staked, ruled(WHOLE_CHIPS, "All is staked and paid in whole chips.")
    return staked, ruled(WHOLE_CHIPS, "All is staked and paid in whole chips; the house’s rake is rounded down to one.")


def share(pot_units: int, winners: Sequence[str], chip_units: int = 1) -> dict[str, int]:
    """Equal shares in whole chips; odd chips go one each in the order of `winners`, which is seat order (house.1).

    >>> share(1001, ["A", "C"], 1), share(700, ["A", "C"], 100)
    ({'A': 501, 'C': 500}, {'A': 400, 'C': 300})

    :raises ValueError: if the pot is not whole chips: nobody is to lose the rest.
    """
    chips, rest = divmod(pot_units, chip_units)
    if rest:
        raise ValueError(f"A pot of {pot_units} is not whole chips of {chip_units}.")
    each, left_over = divmod(chips, len(winners))
    return {player: (each + (index < left_over)) * chip_units for index, player in enumerate(winners)}


def pay_shares(shares: Mapping[str, int], wagers: Sequence[Wager]) -> tuple[Pay, ...]:
    """A winner's wagers come back as far as the share goes; the rest of it is paid on the first of them.

    >>> pay_shares({"2": 50}, [Wager(1, 2, "ante", 10), Wager(2, 4, "ante", 30), Wager(3, 2, "call", 20)])[0]
    Pay(ordinal=1, box=2, kind='ante', stake_units=10, returned_units=10, paid_units=20)
    """
    left = {int(player): units for player, units in shares.items()}
    returned = []
    for wager in wagers:
        units = min(wager.units, left.get(wager.box, 0))
        returned.append(units)
        if units:
            left[wager.box] -= units
    pays = [Pay(*wager, units, left.pop(wager.box, 0)) for wager, units in zip(wagers, returned, strict=True)]
    highest = max((wager.ordinal for wager in wagers), default=0)
    without = (box for box, units in left.items() if units)
    return (*pays, *(Pay(highest + count, box, "share", 0, 0, left[box]) for count, box in enumerate(without, 1)))


def pay_back(wagers: Iterable[Wager]) -> tuple[Pay, ...]:
    """Return everything: a void round."""
    return tuple(Pay(*wager, wager.units, 0) for wager in wagers)
