"""Table-years of Split Poker by the thousand: rounds drawn from split_nets.csv, and the bets of `payouts.luck` on them.

The draws are exact: the expected win of a round is the mean of all lines with the same open card, so an honest table
here has no drift at all. A round is an index into the lines; its effect on each bettor is looked up. `test_luck.py`
compares these bets with those of `payouts.luck`.
"""

from typing import NamedTuple

import numpy as np

from payouts.luck import DAYS, LEAST, SHARES

from .split_nets import frozen

ROUNDS_OF_A_DAY, DAYS_OF_A_YEAR = 165, 364
MOST = 200
NEVER = 10**9


class Rounds(NamedTuple):
    """`excess`, `least` and `most` of each line in ANTE, and the line of each round played, to draw from."""

    excess: np.ndarray
    least: np.ndarray
    most: np.ndarray
    lines: np.ndarray

    @property
    def standard_deviation(self):
        """The standard deviation of a round's mean over its boxes from the expected."""
        return float(np.sqrt(np.mean(self.excess[self.lines] ** 2)))


def played(boxes, cut=MOST):
    """The rounds of one box or of three; `cut`: a box's win above it is left out, from the expected too."""
    rows = frozen(boxes)
    gain = np.array([np.mean([min(net, cut) for net in row.nets]) for row in rows])
    count = np.array([row.count for row in rows])
    ranks = np.array([row.rank for row in rows])
    expected = np.zeros(len(rows))
    for rank in set(ranks):
        same = ranks == rank
        expected[same] = np.average(gain[same], weights=count[same])
    return Rounds(gain - expected, float(LEAST) - expected, cut - expected, np.repeat(np.arange(len(rows)), count))


def mirrored(rounds):
    """For whoever bets that the house wins too much."""
    return rounds._replace(excess=-rounds.excess, least=-rounds.most, most=-rounds.least)


def first_alarms(rounds, years, *, seed, drift=0.0, honest_days=0, days=DAYS_OF_A_YEAR, once_in=100):
    """After how many rounds of the drift each of `years` tables alarms; NEVER, and before the drift below 1.

    `drift` is added to each round after `honest_days`, in standard deviations of a round.
    """
    chance = np.random.default_rng(seed)
    shares = np.array([float(share) for share in SHARES])[:, None]
    added = drift * rounds.standard_deviation
    honest, drifted = (np.log1p(shares * (rounds.excess + more) / -rounds.least) for more in (0.0, added))
    logs = np.full((len(SHARES), years), -np.log(2 * len(SHARES)))
    alarms = np.full(years, NEVER)
    for day in range(days):
        logs = np.logaddexp(logs, -np.log(2 * DAYS * len(SHARES)))
        lines = rounds.lines[chance.integers(0, len(rounds.lines), (years, ROUNDS_OF_A_DAY))]
        purse = np.full((years, ROUNDS_OF_A_DAY), (DAYS - day - 1) / (2 * DAYS))
        for bettor, step in enumerate(drifted if day >= honest_days else honest):
            course = logs[bettor][:, None] + np.cumsum(step[lines], axis=1)
            purse += np.exp(np.minimum(course, 100))
            logs[bettor] = course[:, -1]
        over = purse >= once_in
        new = (alarms == NEVER) & over.any(axis=1)
        alarms[new] = (day - honest_days) * ROUNDS_OF_A_DAY + over[new].argmax(axis=1) + 1
    return alarms


def first_alarms_by_plug_in(rounds, years, *, seed, drift=0.0, honest_days=0, days=DAYS_OF_A_YEAR, once_in=100):
    """First alarms by the paper's aGRAPA: one bettor, whose share follows mean and variance of all earlier rounds."""
    chance = np.random.default_rng(seed)
    added = drift * rounds.standard_deviation
    log, mean, square = np.zeros(years), np.zeros(years), np.full(years, 1.0)
    alarms = np.full(years, NEVER)
    for number in range(days * ROUNDS_OF_A_DAY):
        lines = rounds.lines[chance.integers(0, len(rounds.lines), years)]
        part = (rounds.excess[lines] + added * (number >= honest_days * ROUNDS_OF_A_DAY)) / -rounds.least[lines]
        log += np.log1p(np.clip(mean / square, 0, 0.9) * part)
        # The first round follows an imaginary one of 0 with a variance of 1.
        mean += (part - mean) / (number + 2)
        square += (part**2 - square) / (number + 2)
        alarms[(alarms == NEVER) & (log >= np.log(once_in))] = number + 1 - honest_days * ROUNDS_OF_A_DAY
    return alarms
