"""Luck, set apart, in words: sums of gaming days, how the bets stand, and what was expected of a round."""

import math
from typing import NamedTuple

from django.db.models import Exists, F
from django.urls import reverse

from casino import money, settings_of_house
from casino.models import Casino
from payouts import luck as bets

from ..models import LuckDay, RoundLuck, Session
from ..verbs import luck
from .console import CONSOLE

MINUS = "\u2212"


class Fact(NamedTuple):
    """A line about a session's luck; `mark` is `off` beyond its band, and `alarm` if one is to be answered."""

    label: str
    value: str
    mark: str = ""


ALARM = "lost more than luck explains"
BLIND = (Session.Status.OPENING, Session.Status.CLOSING)


class Scale:
    """How the house spells amounts, and when it raises the alarm."""

    def __init__(self):
        casino = Casino.objects.get()
        self.currency, self.decimals = casino.currency, casino.currency_decimals
        self.once_in = settings_of_house.value("luck_once_in")

    def spell(self, units):
        return money.spell(units, self.decimals)


def sums(days, scale):
    """The figures of some gaming days together, and how the bets stand after the last of them."""
    tally = luck.together([day for day in days if day.rounds])
    low, high = bets.band(tally)
    last = max((day for day in days if day.rounds), key=lambda day: day.business_date, default=None)
    purse = last and bets.Bets(last.days, tuple(last.logs), last.highest)
    deviation = bets.deviation(tally)
    return {
        "rounds": tally.rounds,
        "left_out": sum(day.left_out for day in days),
        "stale": any(day.stale for day in days),
        "win": scale.spell(tally.win_units),
        "expected": scale.spell(round(tally.expected_units)),
        "band": CONSOLE("range", low=scale.spell(low), high=scale.spell(high)) if tally.rounds else "",
        "deviation": deviation and deviation.replace("-", MINUS),
        "beyond": bool(tally.rounds) and not low <= tally.win_units <= high,
        "purse": purse and _purse(bets.purse(purse)),
        "rarity": purse and money.spell(bets.rarity(purse), 0),
        # A croupier's purse is only a figure to read: among many, some pass the bound without a cause.
        "alarm": bool(purse) and last.table_id is not None and bets.alarms(purse, once_in=scale.once_in),
    }


def spread(tally):
    """A standard deviation in whole units; half a unit is rounded up.

    >>> spread(bets.Tally(1, 0, 0, 6)), spread(bets.Tally(1, 0, 0, 7))
    (2, 3)
    """
    return (math.isqrt(math.floor(4 * tally.variance)) + 1) // 2


def of_sessions(session_ids):
    """The gaming day's luck of the tables of sessions, by the tables' keys; one statement. Tables whose chips are still
    to be counted blind are left out: their win would give the count away."""
    days = LuckDay.objects.filter(
        table__sessions__in=Session.objects.filter(pk__in=session_ids).exclude(status__in=BLIND),
        business_date=F("table__sessions__business_date"),
        rounds__gt=0,
    )
    return {day.table_id: day for day in days}


def readable(days):
    """Those of some days of luck that may be read: no chips are still to be counted blind, at their table or at one
    that their croupier dealt at."""
    counted = set(Session.objects.filter(status__in=BLIND).values_list("table", "business_date"))
    dealt = RoundLuck.objects.filter(
        croupier__isnull=False,
        table__in={table for table, _ in counted},
        business_date__in={date for _, date in counted},
    ).values_list("table", "business_date", "croupier")
    hidden = {("table", *each) for each in counted}
    hidden |= {("croupier", croupier, date) for table, date, croupier in dealt if (table, date) in counted}
    return [
        day
        for day in days
        if ("table" if day.table_id else "croupier", day.table_id or day.croupier_id, day.business_date) not in hidden
    ]


def of_today(day, spell, once_in):
    """What a tile of the floor says about a table's gaming day."""
    tally = luck.together([day])
    low, high = bets.band(tally)
    deviation = bets.deviation(tally)
    purse = bets.Bets(day.days, tuple(day.logs), day.highest)
    return {
        "expected": spell(round(tally.expected_units)),
        "band": CONSOLE("range", low=spell(low), high=spell(high)),
        "deviation": deviation and deviation.replace("-", MINUS),
        "beyond": not low <= tally.win_units <= high,
        "alarm": bets.alarms(purse, once_in=once_in),
        "to": reverse("luck-table", args=[day.table_id]),
    }


def of_session(session, scale):
    """What a closed session's rounds of Split Poker won beside what was expected, line by line; () if none was looked
    at, and while its chips are still to be counted blind. While a later session of its gaming day still has chips to
    count, it says nothing about the table's year: the bets include that session's rounds."""
    rows = list(RoundLuck.objects.filter(round__session=session)) if session.status == Session.Status.CLOSED else []
    if not rows:
        return ()
    counted = [row for row in rows if not row.left_out]
    tally = luck.together(counted)
    low, high = bets.band(tally)
    of_day = {"table": session.table_id, "business_date": session.business_date}
    counted_blind = Session.objects.filter(status__in=BLIND, **of_day)
    day = LuckDay.objects.filter(~Exists(counted_blind), rounds__gt=0, **of_day).first()
    purse = day and bets.Bets(day.days, tuple(day.logs), day.highest)
    rarity = day and bets.rarity(purse)
    is_off = not low <= tally.win_units <= high
    deviation = (bets.deviation(tally) or "0").replace("-", MINUS)
    of_counted = (
        Fact("Expected win of its rounds", scale.spell(round(tally.expected_units))),
        Fact("Band of two standard deviations", CONSOLE("range", low=scale.spell(low), high=scale.spell(high))),
        Fact("Win of these rounds", scale.spell(tally.win_units)),
        Fact(
            "Deviation",
            CONSOLE("luck.deviation:beyond" if is_off else "luck.deviation", number=deviation),
            "off" if is_off else "",
        ),
    )
    return (
        Fact("Rounds that count", CONSOLE("part", count=len(counted), whole=len(rows))),
        *(of_counted if counted else ()),
        *((Fact("Rarity of the table's year until then", _rare(rarity)),) if day else ()),
        *(
            (Fact("The table", CONSOLE("luck.alarm"), "alarm"),)
            if day and bets.alarms(purse, once_in=scale.once_in)
            else ()
        ),
    )


def _rare(rarity):
    """How rare a table's year is among honest ones.

    >>> _rare(1), _rare(120)
    ('nothing rare', 'once in 120 honest years, at most')
    """
    return CONSOLE("luck.rarity:none") if rarity == 1 else CONSOLE("luck.rarity", years=money.spell(rarity, 0))


def _purse(text):
    """A purse with thousands apart.

    >>> _purse("1234.50")
    '1\u2009234.50'
    """
    whole, _, places = text.partition(".")
    return f"{money.spell(int(whole), 0)}.{places}"
