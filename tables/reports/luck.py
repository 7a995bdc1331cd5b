"""Luck as primitives for its pages: what tables and croupiers won beside what was expected, day by day.

The rows are added up already; nothing is worked out from rounds here. A span must be chosen before looking: if it is
chosen by what it shows, its deviation says nothing.
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
from . import charts, deviations, grading
from .charts import tenths
from .period import Period

SPAN = 30
"""Without a choice the page shows this many gaming days, up to today."""
SAID = 12
"""A drawing round by round is read out in about this many sentences."""
WIDTH, LEFT, HEIGHT = 902, 96, 250
_TOP, _BOTTOM, _PAD = 14, 220, 18
_REASONS = dict(RoundLuck.LeftOut.choices)


def span(text):
    """The gaming days in an address: a period of reports, or else the last 30.

    :raises Refused: `report_period_wrong`, `report_period_long` (422).
    """
    today = grading.today()
    return Period.of(text) if text else Period(today - dt.timedelta(SPAN - 1), today)


def spans(period, path):
    """The spans to choose from, as links to a path."""
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
    """All tables and croupiers with a round that was looked at in a span, each with its sums."""
    scale, days = words.Scale(), {}
    known = LuckDay.objects.filter(business_date__range=period).select_related("table", "croupier")
    for day in words.readable(known):
        days.setdefault(day.table or day.croupier, []).append(day)
    rows = [_row(whose, own, scale, period) for whose, own in days.items()]
    rows.sort(key=_by_name)
    return {
        "lanes": _lanes(days, scale),
        "spans": spans(period, reverse("luck")),
        "currency": scale.currency,
        "once_in": money.spell(scale.once_in, 0),
        "groups": [
            {"name": name, "label": label, "rows": [row for row in rows if row["of"] == name]}
            for name, label in (("tables", "Tables"), ("croupiers", "Croupiers"))
        ],
    }


def _by_name(row):
    return row["name"]


def _lanes(days, scale):
    """The win of the tables of a span on the bands of what was expected; None if no round of a table counts."""
    marks, sums = [], []
    for table in sorted((each for each in days if isinstance(each, Table)), key=lambda table: table.code):
        counted = [day for day in days[table] if day.rounds]
        if counted:
            sums.append(luck.together(counted))
            # For a span over New Year, it covers both years, as in the reports.
            alarm = deviations.alarm_of(max(day.highest for day in counted), scale.once_in)
            marks.append(deviations.lane(table.name, sums[-1], scale.spell, alarm or ""))
    marks += deviations.all_of(sums, scale.spell)
    title = f"Win of the tables against expected, {scale.currency}"
    return charts.lanes(title, marks, scale.spell) if marks else None


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
        "round_chart": _round_chart(only, period, scale) if counted and period.days == 1 else None,
        "day_chart": _day_chart(counted),
        "days": [words.sums([day], scale) | {"date": _day(day.business_date)} for day in reversed(days)],
        "left_out": [
            {"words": _REASONS[reason], "rounds": number}
            for reason, number in left_out.values_list("left_out").annotate(Count("pk")).order_by("left_out")
        ],
    }


def _day(date):
    return f"{date.day} {date:%b %Y}"


def _short(days):
    return [f"{day.business_date.day} {day.business_date:%b}" for day in days]


def _sum_chart(days, scale):
    """The win summed up over the span as a line, beside what was expected of it and its band of two deviations."""
    if len(days) < 2:
        return None
    points, sums = [], luck.together([])
    for day in days:
        sums = bets.together([sums, luck.together([day])])
        points.append((sums.win_units, sums.expected_units, *bets.band(sums)))
    chart = _Frame(len(days), [0, *[value for point in points for value in point]])
    return (
        chart.drawing(_short(days))
        | chart.sums(points, scale)
        | {
            "dots": chart.dots([point[0] for point in points], [point[2:] for point in points]),
            "says": [_says(_day(day.business_date), point, scale) for day, point in zip(days, points, strict=True)],
        }
    )


def _round_chart(only, period, scale):
    """The win of one day summed up round by round, as `_sum_chart` does it day by day; only the last round has a dot:
    before that, the line leaves its band more often than 1 time in 20.

    :param only: whose rounds, as a filter.
    """
    rows = RoundLuck.objects.filter(business_date=period.first, left_out="", **only).order_by("round")
    points, sums = [(0, Fraction(0), 0, 0)], luck.together([])
    for row in rows.only("win_units", "expected", "variance"):
        sums = bets.together([sums, luck.together([row])])
        points.append((sums.win_units, sums.expected_units, *bets.band(sums)))
    chart, last = _Frame(len(points), [value for point in points for value in point]), len(points) - 1
    dots = chart.dots([point[0] for point in points], [point[2:] for point in points])
    shown = sorted({*range(0, last, max(1, math.ceil(Fraction(last, SAID)))), last} - {0})
    return (
        chart.drawing([f"{number}" for number in range(len(points))])
        | chart.sums(points, scale)
        | {
            "dots": dots[-1:],
            "says": [_says(f"after {number} round{'s' * (number > 1)}", points[number], scale) for number in shown],
        }
    )


def _says(when, point, scale):
    """A point of the summed-up line, in words."""
    won, expected, low, high = (scale.spell(round(value)) for value in point)
    return f"{when}: {won}, expected {expected}, band {low} to {high}"


def _day_chart(days):
    """The deviation of each gaming day, in standard deviations, on the band from -2 to 2."""
    known = [(day, bets.deviation(luck.together([day]))) for day in days]
    known = [(day, Decimal(text)) for day, text in known if text is not None]
    if len(known) < 2:
        return None
    values = [Fraction(value) for _, value in known]
    most = max(3, *[math.ceil(abs(value)) for value in values])
    chart = _Frame(len(known), [Fraction(-most), Fraction(most)])
    return chart.drawing(_short(day for day, _ in known)) | {
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
    """The places of gaming days (or rounds) and values in a drawing; all values are exact until they are written."""

    def __init__(self, across, values):
        self.least, self.most = Fraction(min(values)), Fraction(max(values))
        if self.least == self.most:
            self.most += 1
        self.across = Fraction(WIDTH - LEFT - 2 * _PAD, max(1, across - 1))

    def x(self, number):
        return tenths(LEFT + _PAD + number * self.across)

    def y(self, value):
        return tenths(_BOTTOM - (value - self.least) * Fraction(_BOTTOM - _TOP) / (self.most - self.least))

    def at(self, number, value):
        return f"{self.x(number)} {self.y(value)}"

    def dots(self, values, bounds):
        return [
            {"x": self.x(number), "y": self.y(value), "beyond": not low <= value <= high}
            for number, (value, (low, high)) in enumerate(zip(values, bounds, strict=True))
        ]

    def scale(self, values, spell):
        """Lines across; a name that would overlap another is left out."""
        lines, free = [], None
        for value in values:
            y = self.y(value)
            if free is None or abs(Decimal(y) - free) >= 18:
                lines.append({"y": y, "says": spell(value), "zero": value == 0})
                free = Decimal(y)
        return lines

    def sums(self, points, scale):
        """The parts of a drawing of sums, each point as (won, expected, low, high)."""
        lows, highs = ([self.at(number, point[end]) for number, point in enumerate(points)] for end in (2, 3))
        return {
            "band": f"M{'L'.join(highs)}L{'L'.join(reversed(lows))}Z",
            "expected": f"M{'L'.join(self.at(number, point[1]) for number, point in enumerate(points))}",
            "actual": f"M{'L'.join(self.at(number, point[0]) for number, point in enumerate(points))}",
            "scale": self.scale(sorted({self.least, Fraction(0), self.most}), lambda value: scale.spell(round(value))),
        }

    def drawing(self, names):
        """The names below: about six of those of the days or rounds, always with the last one."""
        step = max(1, math.ceil(len(names) * Fraction(1, 6)))
        shown = [number for number in range(0, len(names), step) if number + step // 2 < len(names) - 1]
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "left": LEFT,
            "names": [{"x": self.x(number), "says": names[number]} for number in [*shown, len(names) - 1]],
            "bottom": HEIGHT - 6,
        }
