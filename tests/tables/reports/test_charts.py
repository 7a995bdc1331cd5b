"""Charts of reports: what is drawn stands where its value says, and nothing is drawn of nothing."""

import datetime as dt
import itertools

from hypothesis import given
from hypothesis import strategies as st

from tables.reports import charts
from tables.reports.charts import Mark

VALUES = st.lists(st.one_of(st.none(), st.integers(-(10**12), 10**12)), min_size=2, max_size=charts.MOST_BARS)


def marks(values):
    return [Mark(f"T{number}", value, str(value)) for number, value in enumerate(values)]


@given(VALUES)
def test_a_bar_is_as_long_as_its_value_and_on_its_side_of_nothing(values):
    drawn = charts.bars("Win", marks(values))
    known = [value for value in values if value is not None]
    if len(known) < 2 or not any(known):
        assert drawn is None
        return
    zero, longest = float(drawn["zero"]), max(map(abs, known))
    lengths = [float(row["width"]) for row in drawn["rows"] if not row["gap"]]
    for row, value in zip(drawn["rows"], values, strict=True):
        assert row["gap"] is (value is None)
        if value is None:
            continue
        left, right = float(row["x"]), float(row["x"]) + float(row["width"])
        assert charts.LEFT <= left <= right <= charts.RIGHT + 1
        assert abs((right if value < 0 else left) - zero) < 1.1
        assert row["below"] is (value < 0)
        assert abs(float(row["width"]) - max(lengths) * abs(value) / longest) < 1.2


@given(VALUES)
def test_a_line_goes_up_where_the_value_does_and_breaks_where_nobody_counted(values):
    drawn = charts.line("Win", marks(values), str)
    known = [value for value in values if value is not None]
    if len(known) < 2 or not any(known):
        assert drawn is None
        return
    heights = [float(point["y"]) for point in drawn["points"]]
    assert len(heights) == len(known)
    for (one, low), (other, high) in itertools.pairwise(zip(known, heights, strict=True)):
        assert (other > one) <= (high <= low)
    across = [float(point["x"]) for point in drawn["points"]]
    assert across == sorted(across)
    runs = "".join("x" if value is None else "o" for value in values).split("x")
    assert [path.count("L") + 1 for path in drawn["paths"]] == [len(run) for run in runs if len(run) > 1]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-90_000, 180_000)), min_size=1))
def test_each_moment_of_the_period_is_a_dot_in_its_row(pairs):
    begins = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    drawn = charts.moments("Calls", (begins, begins + dt.timedelta(1)), [Mark(*pair, "") for pair in pairs])
    pairs = [(name, at) for name, at in pairs if 0 <= at < 86_400]
    if not pairs:
        assert drawn is None
        return
    assert [row["name"] for row in drawn["rows"]] == sorted({name for name, _ in pairs})
    for row in drawn["rows"]:
        own = [at for name, at in pairs if name == row["name"]]
        assert row["says"] == str(len(own))
        assert 1 <= len(row["dots"]) <= len(set(own))
        for dot in row["dots"]:
            assert charts.LEFT < float(dot) < charts.RIGHT
    assert charts.moments("Calls", (begins, begins), []) is None


def test_a_long_name_ends_before_its_dots_and_bars_begin():
    begins, name = dt.datetime(2026, 11, 21, tzinfo=dt.UTC), "Sheet of a table withdrawn by them"
    drawn = charts.moments("Calls", (begins, begins + dt.timedelta(1)), [Mark(name, 0, ""), Mark("Void", 0, "")])
    assert all(float(row["dots"][0]) > drawn["left"] > charts.LEFT for row in drawn["rows"])
    assert drawn["left"] >= 7 * len(name)
    bars = charts.bars("Calls", [Mark(name, -1, "-1"), Mark("Void", 5, "5")])
    assert all(float(row["x"]) >= 7 * len(name) for row in bars["rows"])
