"""Luck told apart in reports: each figure as the pages of luck have it, sums as sums of their rounds, and nothing of a
table whose chips are counted blind."""

import datetime as dt
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino import money
from payouts import ledger
from payouts import luck as bets
from tables.models import LuckDay, RoundLuck
from tables.reports import charts, deviations, grading, pits, queries, screens
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import dates, luck

from ...support import factories
from ...support.factories import FLUSH_WINS, FOLDS, client, person, settled_round, table
from ..verbs.test_luck import nights

GAME, STATISTICS = REPORTS["master-game"], REPORTS["statistics"]


@pytest.fixture
def tables(seeded_db):
    """T1 lost on two gaming days, T2 won on the last of them; gives that day."""
    day = dates.business_date() - dt.timedelta(1)
    nights(table("T1"), [FOLDS], [FLUSH_WINS] * 8, last=day)
    nights(table("T2"), [FOLDS, FOLDS], last=day)
    luck.keep_up()
    return day


def tally(**only):
    """What the rounds of some days come to, round by round."""
    return luck.together(RoundLuck.objects.filter(left_out="", **only))


def spelled(deviation):
    return deviation.replace("-", "−")


def test_a_table_has_what_its_rounds_come_to_and_the_page_of_its_luck_says_the_same(tables):
    rows = {row["table"]: row for row in queries.look(GAME, Period(tables, tables), {}, limit=10).rows}
    for code in ("T1", "T2"):
        known = tally(table=table(code), business_date=tables)
        row = rows[code]
        assert (row["won"], row["expected"]) == (known.win_units, round(known.expected_units))
        assert (row["band"], row["deviation"]) == (bets.band(known), bets.deviation(known))
        page = client("clara").get(f"/luck/tables/{table(code).pk}/", {"period": f"{tables}"}).context["page"]["sums"]
        assert page["deviation"] == spelled(row["deviation"])
        assert page["band"] == " to ".join(money.spell(end, 2) for end in row["band"])
    # T1's band is left, T2's is not; both have a way to the very day.
    content = client("clara").get(f"/reports/master-game/{tables - dt.timedelta(1)}..{tables}/").content.decode()
    assert content.count(", off its band") == 1 + 1, "T1 on its day, and the sum"
    assert f"/luck/tables/{table('T1').pk}/?period={tables}" in content


def test_a_sum_deviates_by_the_root_of_the_sum_of_squares(tables):
    period = Period(tables - dt.timedelta(1), tables)
    seen = queries.look(GAME, period, {}, limit=1)
    known = tally(business_date__range=period)
    total = seen.totals["deviation"]
    assert (total.units, total.of, total.luck) == (bets.deviation(known), 3, bets.together([known])._replace(rounds=1))
    squares = sum(luck.together([day]).variance for day in LuckDay.objects.filter(table__isnull=False))
    assert known.variance == squares
    deviation = (known.win_units - known.expected_units) / Fraction(math.sqrt(squares))
    assert abs(Fraction(total.units) - deviation) <= Fraction("0.006")
    assert seen.totals["won"].units == known.win_units
    assert seen.totals["expected"].units == round(known.expected_units)
    # Cut down to one table it is that table's.
    assert queries.look(GAME, period, {"table": "T2"}, limit=1).totals["won"].units == 1_000


def test_pits_have_the_sums_of_their_counted_tables_and_a_deviation_opens_to_its_terms_and_band(tables):
    screen = screens.Screen(GAME, person("clara"))
    day = Period(tables, tables)
    page, totals = pits.shown(screen, queries.look(GAME, day, {}, limit=10).rows, day, {})
    known = tally(business_date=tables)
    assert totals["deviation"].units == bets.deviation(known)
    lines = {line["name"]: line for line in page["lines"]} | {"all": page["whole"]}
    place = GAME.by_pit.index("deviation")
    assert {name: line["cells"][place]["off"] for name, line in lines.items()} == {
        "Main floor": True, "Split 1": True, "Split 2": False, "all": True,
    }  # fmt: skip
    for name, rounds in (("all", known), ("Split 1", tally(table=table("T1"), business_date=tables))):
        (why,) = (why for why in lines[name]["whys"] if why["id"].endswith("-deviation"))
        assert why["text"] == spelled(bets.deviation(rounds))
        *_, spread, band = (term["text"] for term in why["terms"])
        assert band == " to ".join(screen.spell(end) for end in bets.band(rounds))
        assert spread == screen.spell(round(math.sqrt(rounds.variance)))
        assert client("clara").get(why["ways"][0]["to"]).status_code == 200


def test_the_lanes_are_the_tables_and_all_of_them_together(tables):
    page = client("clara").get(f"/reports/master-game/{tables}/").context["page"]
    rows = page["lanes"]["rows"]
    assert [row["name"] for row in rows] == ["Split 1", "Split 2", "Together"]
    assert [row["off"] for row in rows] == [True, False, True]
    assert rows[0]["deviation"].endswith(" sd low")
    assert page["lanes"]["marks"][2]["at"][:2] == (
        tally(business_date=tables).win_units, round(tally(business_date=tables).expected_units)
    )  # fmt: skip
    # Of one table there is nothing to put together.
    page = client("clara").get(f"/reports/master-game/{tables}/", {"table": "T2"}).context["page"]
    assert [row["name"] for row in page["lanes"]["rows"]] == ["Split 2"]
    # No file has anything of it, and no sentence of a print.
    assert not {column.name for report in REPORTS.values() for column in report.filed if column.luck is not None}


def test_an_alarm_stands_at_its_table_in_words_on_each_report(tables):
    factories.set_setting(10, name="luck_once_in")
    assert bets.alarms(
        bets.Bets(1, (), LuckDay.objects.get(table__code="T1", business_date=tables).highest), once_in=10
    )
    both = Period(tables - dt.timedelta(1), tables)
    for name, period in (("master-game", tables), ("master-game", both), ("statistics", tables)):
        answer = client("clara").get(f"/reports/{name}/{period}/")
        assert "lost more than luck explains" in answer.content.decode()
        alarms = {mark["name"]: mark["alarm"] for mark in answer.context["page"]["lanes"]["marks"]}
        assert alarms == {"Split 1": "lost more than luck explains", "Split 2": "", "Together": ""}
    # On the day before it was none yet.
    (row,) = queries.look(GAME, Period(*[tables - dt.timedelta(1)] * 2), {}, limit=10).rows
    assert row["luck_alarm"] is None


def test_over_new_year_the_lanes_of_a_report_and_of_luck_have_the_same_alarm(seeded_db):
    factories.set_setting(10, name="luck_once_in")
    one, first = table("T1"), dt.date(grading.today().year - 1, 1, 1)
    period = Period(first - dt.timedelta(1), first)
    nights(one, [FLUSH_WINS] * 8, last=period.first)
    factories.open_session(one, factories.pile(2_000_000))
    nights(one, [FOLDS], last=period.last)
    luck.keep_up()
    pages = (f"/reports/master-game/{period}/", f"/luck/?period={period}")
    alarms = [client("clara").get(page).context["page"]["lanes"]["marks"][0]["alarm"] for page in pages]
    assert alarms == ["lost more than luck explains"] * 2


def test_what_was_expected_says_at_the_top_of_how_many_tables_it_is(tables):
    one, today = table("T1"), grading.today()
    factories.open_session(one, factories.pile(2_000_000))
    factories.sign_on(person("anna"), one)
    settled_round(one, FOLDS)
    factories.close_session(one, factories.pile(ledger.balance(one.float_account)))
    factories.open_session(table("T2"), factories.pile(2_000_000))
    factories.sign_on(person("boris"), table("T2"))
    settled_round(table("T2"), FOLDS)
    luck.keep_up()
    page = client("clara").get(f"/reports/master-game/{today}/").context["page"]
    facts = {fact["label"]: fact["value"] for fact in page["facts"]}
    counted = page["by_pit"]["whole"]["more"]
    assert facts[f"Expected, {counted}"] == "0.22"
    assert f"Win, {counted}" in facts


def test_statistics_have_the_days_of_a_month_and_a_year_added_up_each_once(tables):
    rows = {row["table"]: row for row in queries.look(STATISTICS, Period(tables, tables), {}, limit=10).rows}
    for code in ("T1", "T2"):
        for span, first in (("day", tables), ("month", tables.replace(day=1)), ("year", dt.date(tables.year, 1, 1))):
            known = tally(table=table(code), business_date__range=(first, tables))
            row = {name: rows[code][f"{span}_{name}"] for name in ("won", "expected", "deviation")}
            assert row == {
                "won": known.win_units, "expected": round(known.expected_units), "deviation": bets.deviation(known)
            }  # fmt: skip
    page = client("clara").get(f"/reports/statistics/{tables}/").content.decode()
    assert f"?period={Period(dt.date(tables.year, 1, 1), tables)}" in page


def test_the_luck_of_a_table_stands_in_one_row_of_the_statistics_however_many_games_its_day_had(tables):
    one, chips = table("T1"), factories.pile(2_000_000)
    with factories.days_ago(1):
        # A second session, of no round.
        factories.open_session(one, chips)
        factories.close_session(one, chips)
    seen = queries.look(STATISTICS, Period(tables, tables), {"table": "T1"}, limit=10)
    assert len(seen.rows) == 2
    assert [row["game"] for row in seen.rows if row["year_won"] is not None] == ["split"]
    assert seen.totals["year_won"].units == tally(table=one).win_units


def test_nothing_of_a_table_is_read_while_its_chips_are_counted_blind(tables):
    one, today = table("T1"), grading.today()
    factories.open_session(one, factories.pile(2_000_000))
    factories.sign_on(person("anna"), one)
    settled_round(one, FLUSH_WINS)
    luck.keep_up()

    def seen(report, period):
        looked = queries.look(report, period, {"table": "T1"}, limit=10)
        return looked.rows[-1], looked.totals, looked.lanes

    now = Period(today, today)
    (row, totals, lanes), (of_year, *_) = seen(GAME, now), seen(STATISTICS, now)
    assert (row["won"], totals["won"].of, lanes[0][1]) == (-9_500, 1, -9_500)
    assert of_year["year_won"] == tally(table=one).win_units
    session = factories.stop_session(one)
    for counted in (False, True):
        if counted:
            factories.count_session(session, factories.pile(ledger.balance(one.float_account)), by="hugo")
        (row, totals, lanes), (of_year, *_) = seen(GAME, now), seen(STATISTICS, now)
        assert {row[name] for name in ("won", "expected", "band", "deviation", "luck_alarm")} == {None}
        assert (totals["won"].of, totals["deviation"].units) == (0, None)
        assert lanes == [["T1", None, None, None, None]]
        # What is known of the days before stands.
        assert of_year["day_won"] is None
        assert of_year["year_won"] == tally(table=one, business_date__lt=today).win_units
    page = client("clara").get(f"/reports/master-game/{tables}..{today}/").context["page"]
    assert [each["name"] for each in page["lanes"]["rows"] if each["waits"]] == []
    factories.open_session(table("T2"), factories.pile(2_000_000))
    factories.sign_on(person("boris"), table("T2"))
    settled_round(table("T2"), FOLDS)
    luck.keep_up()
    page = client("clara").get(f"/reports/master-game/{today}/").context["page"]
    rows = {each["name"]: each for each in page["lanes"]["rows"]}
    assert (rows["Split 1"]["waits"], rows["Split 1"]["win"]) == (True, "being counted")
    assert (rows["Split 2"]["waits"], rows["Split 2"]["win"]) == (False, "5")


def test_more_days_and_tables_take_no_more_statements(tables, django_assert_max_num_queries):
    clara = person("clara")

    def asked(name, period):
        with django_assert_max_num_queries(40) as statements:
            screens.shown(REPORTS[name], period, clara, {}, 1)
        return len(statements)

    few = {name: asked(name, Period(tables, grading.today())) for name in ("master-game", "statistics")}
    factories.open_session(table("T1"), factories.pile(2_000_000))
    factories.sign_on(person("anna"), table("T1"))
    settled_round(table("T1"), FOLDS)
    luck.keep_up()
    for name, number in few.items():
        assert asked(name, Period(tables - dt.timedelta(1), grading.today())) == number


UNITS = st.integers(-(10**9), 10**9)


@given(st.lists(st.tuples(UNITS, UNITS, st.integers(0, 10**12)), min_size=1, max_size=charts.MOST_BARS))
def test_a_lane_has_its_dot_where_its_win_lies_and_a_lead_off_its_band_alone(rounds):
    known = [bets.Tally(1, won, Fraction(expected), Fraction(spread)) for won, expected, spread in rounds]
    marks = [deviations.lane(f"T{number}", each, str) for number, each in enumerate(known)]
    drawn = charts.lanes("Win", marks, str)
    if drawn is None:
        assert {value for mark in marks for value in mark.at} == {0}
        return
    places = []
    for row, each in zip(drawn["rows"], known, strict=True):
        low, high = bets.band(each)
        left, right = float(row["band"]["x"]), float(row["band"]["x"]) + float(row["band"]["width"])
        assert min(left, float(row["dot"])) >= charts.LEFT
        assert max(right, float(row["dot"])) <= charts.LANE_RIGHT
        assert left - 0.1 <= float(row["expected"]) <= right + 0.1
        assert row["off"] == deviations.is_off(each) == (not low <= each.win_units <= high)
        if row["off"]:
            assert abs(float(row["lead"]) - (left if each.win_units < low else right)) <= 1.2
        else:
            assert row["lead"] == ""
            assert left - 0.1 <= float(row["dot"]) <= right + 0.1
        places.append((each.win_units, float(row["dot"])))
    places.sort()
    assert [dot for _, dot in places] == sorted(dot for _, dot in places)
    scale = [(int(line["says"]), float(line["x"])) for line in drawn["scale"]]
    assert len(scale) <= charts.LANE_LINES
    assert [line["says"] for line in drawn["scale"] if line["zero"]] == ["0"]
    assert scale == sorted(scale)


def test_of_many_tables_the_first_are_drawn_and_all_together():
    known = bets.Tally(1, 5, Fraction(3), Fraction(100))
    marks = [deviations.lane(f"T{number}", known, str) for number in range(charts.MOST_BARS + 5)]
    marks[-1] = marks[-1]._replace(alarm="lost more than luck explains")
    drawn = charts.lanes("Win", [*marks, *deviations.all_of([known] * len(marks), str)], str)
    assert len(drawn["rows"]) == charts.MOST_BARS
    assert drawn["title"] == f"Win, the first {charts.MOST_BARS - 1} of {len(marks)} tables"
    # An alarm stands there whether or not its table is drawn.
    assert [each["name"] for each in drawn["alarms"]] == [marks[-1].name]
    assert (drawn["rows"][-1]["name"], drawn["marks"][-1]["at"][0]) == ("Together", 5 * len(marks))
