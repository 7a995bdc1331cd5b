"""Luck told apart as primitives for its pages: what tables and croupiers won beside what was expected, day by day.

The rows are added up already; nothing is worked out of rounds here. A span is chosen before one looks: the deviation of
one that was chosen by what it shows says nothing.
"""

import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction

from django.db.models import Count
from django.urls import reverse

from casino import money
from payouts import luck as bets

from ..models import LuckDay, RoundLuck, Table
from ..verbs import luck
from ..words import luck as words
from ..words.luck import MINUS
from . import grading
from .period import Period

SPAN = 30
"""Without a choice the page shows this many gaming days, up to today."""
WIDTH, LEFT, HEIGHT = 902, 96, 250
_TOP, _BOTTOM, _PAD = 14, 220, 18
_REASONS = dict(RoundLuck.LeftOut.choices)


def span(text):
    """The gaming days that an address asks for: a period of reports, or the last 30.

    :raises Refused: `report_period_wrong`, `report_period_long` (422).
    """
    today = grading.today()
    return Period.of(text) if text else Period(today - dt.timedelta(SPAN - 1), today)


def spans(period, path):
    """The spans that one chooses from, as links to a path."""
    today = grading.today()
    month = Period.of(f"{today:%Y-%m}")
    known = [
        ("Last 30 days", span("")),
        ("Yesterday", Period(today, today).before()),
        ("This month", month),
        ("Last month", month.before()),
        ("This year", Period.of(f"{today:%Y}")),
    ]
    return {
        "near": [{"label": label, "to": f"{path}?period={each}", "here": each == period} for label, each in known],
        "first": period.first.isoformat(),
        "last": period.last.isoformat(),
        "today": today.isoformat(),
        "words": period.words(),
        "text": str(period),
    }


def overview(period):
    """All tables and croupiers of whom a round was looked at in a span, each with its sums."""
    scale, days = words.Scale(), {}
    known = LuckDay.objects.filter(business_date__range=period).select_related("table", "croupier")
    for day in words.readable(known):
        days.setdefault(day.table or day.croupier, []).append(day)
    rows = [_row(whose, own, scale, period) for whose, own in days.items()]
    return {
        "spans": spans(period, reverse("luck")),
        "currency": scale.currency,
        "once_in": money.spell(scale.once_in, 0),
        "groups": [
            {"name": name, "label": label, "rows": sorted((row for row in rows if row["of"] == name), key=_by_name)}
            for name, label in (("tables", "Tables"), ("croupiers", "Croupiers"))
        ],
    }


def _by_name(row):
    return row["name"]


def _row(whose, days, scale, period):
    return words.sums(days, scale) | {
        "of": "tables" if isinstance(whose, Table) else "croupiers",
        "name": str(whose) if isinstance(whose, Table) else whose.named,
        "to": f"{_address(whose)}?period={period}",
    }


def _address(whose):
    return reverse("luck-table" if isinstance(whose, Table) else "luck-croupier", args=[whose.pk])


def of(whose, period):
    """What a table, or a croupier, won in a span beside what was expected, in drawings and figures.

    :param whose: a Table or a Staff.
    """
    scale, is_table = words.Scale(), isinstance(whose, Table)
    only = {"table": whose} if is_table else {"croupier": whose}
    days = words.readable(LuckDay.objects.filter(business_date__range=period, **only))
    left_out = RoundLuck.objects.filter(business_date__range=period, **only).exclude(left_out="")
    counted = [day for day in days if day.rounds]
    return {
        "name": str(whose) if is_table else whose.named,
        "spans": spans(period, _address(whose)),
        "currency": scale.currency,
        "once_in": money.spell(scale.once_in, 0),
        "sums": words.sums(days, scale),
        "sum_chart": _sum_chart(counted, scale),
        "day_chart": _day_chart(counted),
        "days": [words.sums([day], scale) | {"date": _day(day.business_date)} for day in reversed(days)],
        "left_out": [
            {"words": _REASONS[reason], "rounds": number}
            for reason, number in left_out.values_list("left_out").annotate(Count("pk")).order_by("left_out")
        ],
    }


def _day(date):
    return f"{date.day} {date:%b %Y}"


def _sum_chart(days, scale):
    """The win summed up over the span as a line, beside what was expected of it and its band of two deviations."""
    if len(days) < 2:
        return None
    points, sums = [], luck.together([])
    for day in days:
        sums = bets.together([sums, luck.together([day])])
        points.append((sums.win_units, sums.expected_units, *bets.band(sums)))
    chart = _Frame(len(days), [0, *[value for point in points for value in point]])
    lows = [chart.at(number, point[2]) for number, point in enumerate(points)]
    highs = [chart.at(number, point[3]) for number, point in enumerate(points)]
    return chart.drawing(days) | {
        "band": f"M{'L'.join(highs)}L{'L'.join(reversed(lows))}Z",
        "expected": f"M{'L'.join(chart.at(number, point[1]) for number, point in enumerate(points))}",
        "actual": f"M{'L'.join(chart.at(number, point[0]) for number, point in enumerate(points))}",
        "dots": chart.dots([point[0] for point in points], [point[2:] for point in points]),
        "scale": chart.scale(sorted({chart.least, Fraction(0), chart.most}), lambda value: scale.spell(round(value))),
        "says": [
            f"{_day(day.business_date)}: {scale.spell(point[0])}, expected {scale.spell(round(point[1]))},"
            f" band {scale.spell(point[2])} to {scale.spell(point[3])}"
            for day, point in zip(days, points, strict=True)
        ],
    }


def _day_chart(days):
    """The deviation of each gaming day, in standard deviations, on the band from -2 to 2."""
    known = [(day, bets.deviation(luck.together([day]))) for day in days]
    known = [(day, Decimal(text)) for day, text in known if text is not None]
    if len(known) < 2:
        return None
    values = [Fraction(value) for _, value in known]
    most = max(3, *[math.ceil(abs(value)) for value in values])
    chart = _Frame(len(known), [Fraction(-most), Fraction(most)])
    return chart.drawing([day for day, _ in known]) | {
        "band": f"M{LEFT} {chart.y(2)}H{WIDTH}V{chart.y(-2)}H{LEFT}Z",
        "expected": f"M{LEFT} {chart.y(0)}H{WIDTH}",
        "actual": "",
        "dots": chart.dots(values, [(-2, 2)] * len(values)),
        "scale": chart.scale([Fraction(-most), Fraction(-2), Fraction(0), Fraction(2), Fraction(most)], _of_deviation),
        "says": [f"{_day(day.business_date)}: {f'{value}'.replace('-', MINUS)}" for day, value in known],
    }


def _of_deviation(value):
    return f"{value}".replace("-", MINUS)


class _Frame:
    """Where gaming days and values stand in a drawing; all values are exact until they are written."""

    def __init__(self, days, values):
        self.least, self.most = Fraction(min(values)), Fraction(max(values))
        if self.least == self.most:
            self.most += 1
        self.across = Fraction(WIDTH - LEFT - 2 * _PAD, max(1, days - 1))

    def x(self, number):
        return _tenths(LEFT + _PAD + number * self.across)

    def y(self, value):
        return _tenths(_BOTTOM - (value - self.least) * Fraction(_BOTTOM - _TOP) / (self.most - self.least))

    def at(self, number, value):
        return f"{self.x(number)} {self.y(value)}"

    def dots(self, values, bounds):
        return [
            {"x": self.x(number), "y": self.y(value), "beyond": not low <= value <= high}
            for number, (value, (low, high)) in enumerate(zip(values, bounds, strict=True))
        ]

    def scale(self, values, spell):
        """Lines across; what would stand on the name of another is left out."""
        lines, free = [], None
        for value in values:
            y = self.y(value)
            if free is None or abs(Decimal(y) - free) >= 18:
                lines.append({"y": y, "says": spell(value), "zero": value == 0})
                free = Decimal(y)
        return lines

    def drawing(self, days):
        step = max(1, math.ceil(len(days) * Fraction(1, 6)))
        shown = [number for number in range(0, len(days), step) if number + step // 2 < len(days) - 1]
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "left": LEFT,
            "days": [
                {"x": self.x(number), "says": f"{days[number].business_date.day} {days[number].business_date:%b}"}
                for number in [*shown, len(days) - 1]
            ],
            "bottom": HEIGHT - 6,
        }


def _tenths(value):
    """A place in a drawing, with one place behind the point.

    >>> _tenths(Fraction(1, 3)), _tenths(Fraction(-5, 2))
    ('0.3', '-2.5')
    """
    tenths = round(Fraction(value) * 10)
    sign = "-" if tenths < 0 else ""
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10}"
