"""Charts of reports as primitives for their drawing: bars by what the rows are about, or a line by gaming days.

Everything is drawn on the server, and each figure also stands in a table below the drawing.
"""

import datetime as dt
from fractions import Fraction
from typing import NamedTuple

WIDTH, ROW, HEIGHT = 902, 24, 190
LEFT, RIGHT = 174, 750
"""Where names end, if none is longer, and where figures begin."""
_LETTER = 7.5
MOST_BARS = 30
LANE_RIGHT, WIN_X, LANE_LINES = 694, 790, 6
"""Where lanes end and their wins do, and how many lines down they have at most."""
_PAD = 12


class Mark(NamedTuple):
    """One thing in a chart: its name, its value, and that as people read it; no value means that nobody counted."""

    name: str
    value: int | None
    says: str


class Lane(NamedTuple):
    """One table's lane: its win, what was expected of it and the two ends of its band, in units and as people read
    them; no `at`: nobody may read it while its chips are still to be counted blind.

    `deviation` is in words, and so is `alarm`, that the table lost more than luck explains, if it did. All tables
    `together` have a lane, too.
    """

    name: str
    at: tuple[int, int, int, int] | None
    win: str
    says: str
    deviation: str
    alarm: str
    together: bool = False


def drawn(chart, title, marks, *, days, bounds, spell):
    """The chart of a report: the drawing that its marks ask for; None if there is nothing to draw.

    :param chart: the catalogue's; `days`: its marks are gaming days. `bounds` are the period's two instants; `spell`
        spells an amount for people.
    """
    if chart.at:
        return moments(title, bounds, marks)
    if days:
        return line(title, marks, spell)
    return bars(title, marks)


def bars(title, marks):
    """A bar for each mark, from 0 to the right or, below 0, to the left; None if there is nothing to draw."""
    if len(marks) > MOST_BARS:
        title, marks = f"{title}, the first {MOST_BARS} of {len(marks)}", marks[:MOST_BARS]
    known = [mark.value for mark in marks if mark.value is not None]
    if len(known) < 2 or not any(known):
        return None
    least, most, left = min(0, *known), max(0, *known), _left(mark.name for mark in marks)
    scale = (RIGHT - left - 2 * _PAD) / (most - least)

    def x(value):
        return left + _PAD + (value - least) * scale

    rows = []
    for number, mark in enumerate(marks):
        top = number * ROW
        row = {"name": mark.name, "says": mark.says, "text_y": top + 17, "gap": mark.value is None}
        if mark.value is not None:
            at = sorted((x(0), x(mark.value)))
            row |= {"x": f"{at[0]:.1f}", "width": f"{max(at[1] - at[0], 1):.1f}", "y": top + 6, "below": mark.value < 0}
        rows.append(row)
    return {
        "kind": "bars",
        "title": title,
        "rows": rows,
        "zero": f"{x(0):.1f}",
        "width": WIDTH,
        "height": len(rows) * ROW + 4,
        "bottom": len(rows) * ROW,
        "marks": [mark._asdict() for mark in marks],
    }


def line(title, marks, spell):
    """A line through the marks of gaming days, in their order; a day that nobody has counted leaves a gap.

    :param spell: an amount as people read it, for the lines across.
    """
    known = [mark.value for mark in marks if mark.value is not None]
    if len(known) < 2:
        return None
    least, most = min(0, *known), max(0, *known)
    if least == most:
        return None
    top, bottom = 16, HEIGHT - 30
    across = (WIDTH - LEFT - 2 * _PAD) / max(1, len(marks) - 1)

    def y(value):
        return bottom - (value - least) * (bottom - top) / (most - least)

    points, parts = [], [[]]
    for number, mark in enumerate(marks):
        if mark.value is None:
            parts.append([])
            continue
        at = {"x": f"{LEFT + _PAD + number * across:.1f}", "y": f"{y(mark.value):.1f}"}
        points.append(at | {"name": mark.name, "says": mark.says})
        parts[-1].append(f"{at['x']} {at['y']}")
    shown = {0, len(marks) - 1, *range(0, len(marks), max(1, len(marks) // 6))}
    return {
        "kind": "line",
        "title": title,
        "points": points if len(points) <= 62 else [],
        "paths": ["M" + "L".join(part) for part in parts if len(part) > 1],
        # A name that would overlap that of 0 is left out.
        "scale": [
            {"y": f"{y(value):.1f}", "says": spell(value)}
            for value in sorted({least, 0, most})
            if value == 0 or abs(y(value) - y(0)) > ROW
        ],
        "days": [
            {"x": f"{LEFT + _PAD + number * across:.1f}", "says": marks[number].name}
            for number in sorted(shown)
            if number == len(marks) - 1 or number + len(marks) // 12 < len(marks) - 1
        ],
        "left": LEFT,
        "width": WIDTH,
        "height": HEIGHT,
        "bottom": HEIGHT - 8,
        "marks": [mark._asdict() for mark in marks],
    }


def lanes(title, marks, spell):
    """A lane for each mark: the band as a bar, what was expected as a tick in it, the win as a dot, or as a diamond off
    the band, with a dotted line to it. None if there is nothing to draw. If there are many, only the first and all
    together are drawn; `alarms` has those of all.

    :param spell: an amount as people read it, for the lines down.
    """
    alarms = [mark._asdict() for mark in marks if mark.alarm]
    if len(marks) > MOST_BARS:
        of_tables, sums = ([mark for mark in marks if mark.together is together] for together in (False, True))
        shown = MOST_BARS - len(sums)
        title, marks = f"{title}, the first {shown} of {len(of_tables)} tables", [*of_tables[:shown], *sums]
    ends = [0, *(value for mark in marks if mark.at for value in mark.at)]
    least, most, left = min(ends), max(ends), _left(mark.name for mark in marks)
    if least == most:
        return None
    scale = Fraction(LANE_RIGHT - left - 2 * _PAD, most - least)

    def x(value):
        return left + _PAD + (value - least) * scale

    return {
        "title": title,
        "rows": [
            {
                "name": mark.name,
                "sum": mark.together,
                "middle": number * ROW + 12,
                "text_y": number * ROW + 17,
                **_lane(mark, x),
            }
            for number, mark in enumerate(marks)
        ],
        "scale": [
            {"x": tenths(x(value)), "says": spell(value), "zero": value == 0}
            for value in _steps(least, most, LANE_LINES)
        ],
        "win_x": WIN_X,
        "width": WIDTH,
        "bottom": len(marks) * ROW + 4,
        "foot": len(marks) * ROW + 20,
        "height": len(marks) * ROW + 26,
        "alarms": alarms,
        "marks": [mark._asdict() for mark in marks],
    }


def _lane(mark, x):
    if mark.at is None:
        return {"waits": True, "deviation": "no win yet", "win": "being counted"}
    win, expected, low, high = mark.at
    off = not low <= win <= high
    return {
        "waits": False,
        "band": {"x": tenths(x(low)), "width": tenths(max(x(high) - x(low), 1))},
        "expected": tenths(x(expected)),
        "dot": tenths(x(win)),
        "lead": tenths(x(low if win < low else high)) if off else "",
        "off": off,
        "win": mark.win,
        "deviation": mark.deviation,
        "alarm": mark.alarm,
    }


def _steps(least, most, lines):
    """Round amounts from one to the other, at most `lines`, including 0.

    >>> _steps(-620_000, 1_250_000, 5)
    [-500000, 0, 500000, 1000000]
    """
    steps = (lead * 10**power for power in range(30) for lead in (1, 2, 5))
    step = next(step for step in steps if most // step + -least // step + 1 <= lines)
    return [number * step for number in range(-(-least // step), most // step + 1)]


def tenths(value):
    """A place in a drawing, with one decimal.

    >>> tenths(Fraction(1, 3)), tenths(Fraction(-5, 2))
    ('0.3', '-2.5')
    """
    rounded = round(Fraction(value) * 10)
    sign = "-" if rounded < 0 else ""
    return f"{sign}{abs(rounded) // 10}.{abs(rounded) % 10}"


def moments(title, period, marks):
    """A dot for each moment on a line from the beginning of the period to its end; earlier moments have none.

    :param period: the two instants; the values of `marks` are seconds since the first.
    """
    whole = (period[1] - period[0]) / dt.timedelta(seconds=1)
    marks = [mark for mark in marks if mark.value is not None and 0 <= mark.value < whole]
    if not marks:
        return None
    names = sorted({mark.name for mark in marks})[:MOST_BARS]
    rows, left = [], _left(names)
    for number, name in enumerate(names):
        own = [mark for mark in marks if mark.name == name]
        middle = number * ROW + 12
        rows.append(
            {
                "name": name,
                "says": str(len(own)),
                "text_y": middle + 5,
                "y": middle,
                "dots": sorted({f"{left + _PAD + mark.value / whole * (RIGHT - left - 2 * _PAD):.1f}" for mark in own}),
            }
        )
    return {
        "kind": "moments",
        "title": title,
        "rows": rows,
        "left": left,
        "right": RIGHT,
        "width": WIDTH,
        "height": len(rows) * ROW + 4,
        "bottom": len(rows) * ROW,
        "marks": [{"name": row["name"], "says": row["says"]} for row in rows],
    }


def _left(names):
    """Where the longest name ends, in the text's 14 pixels."""
    return max(LEFT, *(min(RIGHT // 2, round(len(name) * _LETTER)) for name in names))
