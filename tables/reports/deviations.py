"""Luck in a report: for rows and their sums, what was expected, its band, and how far off they are.

A query gives the parts (`columns.OF_LUCK`), which add up exactly: variances of different rounds are added, so the
standard deviation of a sum is the root of the sum of squares. Everything else is worked out from them here, as on the
pages of luck.
"""

from decimal import Decimal
from fractions import Fraction

from casino import settings_of_house
from payouts import luck as bets

from ..words.luck import ALARM
from .charts import Lane
from .columns import OF_LUCK
from .period import Period


def add(report, rows):
    """Give each row its figures of luck, in place of the query's parts."""
    if not report.lucks:
        return
    once_in = settings_of_house.value("luck_once_in")
    for beginning in report.lucks:
        for row in rows:
            won, expected, spread, highest = (row[f"{beginning}{name}"] for name in OF_LUCK)
            known = None if won is None else tally(won, expected, spread)
            row.update(figures(beginning, known), **{f"{beginning}luck_alarm": alarm_of(highest, once_in)})


def tally(won, expected, spread):
    """A tally of rounds, from a query's decimals."""
    return bets.Tally(1, int(won), Fraction(expected), Fraction(spread))


def figures(beginning, known):
    """A tally in the columns of a report; None if there is none, or nothing varied."""
    names = ("luck", "won", "expected", "band", "deviation")
    values = (None,) * len(names)
    if known is not None:
        values = (known, known.win_units, round(known.expected_units), bets.band(known), bets.deviation(known))
    return {f"{beginning}{name}": value for name, value in zip(names, values, strict=True)}


def together(beginning, rows):
    """The figures of several rows together; None if no row has any."""
    known = [row[f"{beginning}luck"] for row in rows if row[f"{beginning}luck"] is not None]
    return figures(beginning, bets.together(known) if known else None)


def is_off(known):
    """Whether rounds won less or more than their band.

    >>> [is_off(bets.Tally(9, win, Fraction(0), Fraction(2_500))) for win in (-101, -100, 100, 101)]
    [True, False, False, True]
    """
    low, high = bets.band(known)
    return not low <= known.win_units <= high


def span(beginning, date):
    """The gaming days that a row's figure covers: its date, or its month or year until then."""
    first = {"month_": date.replace(day=1), "year_": date.replace(month=1, day=1)}
    return Period(first.get(beginning, date), date)


def lanes(drawn, names, spell):
    """The tables of `queries.look` as lanes; if there are several, all of them together come last.

    :param names: the tables' names by code; `spell` spells an amount for people.
    """
    once_in, marks, sums = settings_of_house.value("luck_once_in"), [], []
    for code, *of_luck in drawn:
        won, expected, spread, highest = of_luck
        if won is None:
            marks.append(Lane(names[code], None, "", "", "", ""))
            continue
        sums.append(tally(won, Decimal(expected), Decimal(spread)))
        marks.append(lane(names[code], sums[-1], spell, alarm_of(highest, once_in) or ""))
    return [*marks, *all_of(sums, spell)]


def all_of(sums, spell):
    """The lane of several tables together, in a list; empty for one table."""
    return [lane("Together", bets.together(sums), spell)._replace(together=True)] if len(sums) > 1 else []


def lane(name, known, spell, alarm=""):
    """The lane of one table, by its tally."""
    low, high = bets.band(known)
    deviation = bets.deviation(known)
    return Lane(
        name,
        (known.win_units, round(known.expected_units), low, high),
        spell(known.win_units),
        f"expected {spell(round(known.expected_units))}, band {spell(low)} to {spell(high)}",
        "" if deviation is None else f"{deviation.lstrip('-')} sd {'low' if deviation.startswith('-') else 'high'}",
        alarm,
    )


def alarm_of(highest, once_in):
    """The words that a table lost more than luck explains, by the highest purse of its year; None if it did not."""
    if highest is None:
        return None
    return ALARM if bets.alarms(bets.Bets(1, (), highest), once_in=once_in) else None
