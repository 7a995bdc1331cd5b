"""The pages of luck told apart, and its alarm: what is drawn, who reads it, raised once and answered for."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Entry
from payouts import ledger
from tables.models import Alarm, LuckDay
from tables.reports import luck as reports
from tables.reports import queries
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import alarms, dates, luck
from tables.words import alarms as of_last_days
from tables.words import calls, case_printing, session_rounds

from ...support import factories
from ...support.factories import FLUSH_WINS, FOLDS, settled_round, table
from ..verbs.test_luck import nights

SPAN = {"period": ""}


@pytest.fixture
def one(seeded_db):
    """T1, whose sheet comes with its result: against an open two a box loses 4.33 % of its ANTE on average."""
    return table("T1")


def shown(path, login="clara", **query):
    return factories.client(login).get(path, query)


def lost(one, rounds=8):
    """The house lost rounds on end, as an honest table does in one of ten years, at most."""
    factories.set_setting(10, name="luck_once_in")
    played = [settled_round(one, FLUSH_WINS) for _ in range(rounds)]
    luck.keep_up()
    return played


def test_a_span_is_shown_in_drawings_and_the_same_figures(one):
    nights(one, [FOLDS, FLUSH_WINS], [FOLDS])
    factories.open_session(one, factories.pile(500_000))
    luck.keep_up()
    year = dates.business_date().year - 1
    page = shown(f"/luck/tables/{one.pk}/", period=f"{year}-07").context["page"]
    assert [row["date"] for row in page["days"]] == [f"10 Jul {year}", f"9 Jul {year}"]
    assert [row["win"] for row in page["days"]] == ["5", "\u221290"]
    # 500 + 1,500 of ANTE, then 500: 4.33 %, in euros.
    assert [row["expected"] for row in page["days"]] == ["0.22", "0.87"]
    sums = page["sums"]
    assert (sums["rounds"], sums["win"], sums["expected"], sums["left_out"]) == (3, "\u221285", "1.08", 0)
    assert sums["deviation"] == "\u22122.38"
    assert page["sum_chart"]["says"][1].startswith(f"10 Jul {year}: \u221285, expected 1.08, band ")
    assert [dot["beyond"] for dot in page["day_chart"]["dots"]] == [True, False]
    (row,) = next(group for group in shown("/luck/", period=f"{year}-07").context["page"]["groups"])["rows"]
    assert (row["name"], row["win"], row["to"]) == ("Split 1", "\u221285", f"/luck/tables/{one.pk}/?period={year}-07")


def test_one_day_is_drawn_round_by_round_to_what_the_day_comes_to(one):
    nights(one, [FOLDS, FLUSH_WINS, FOLDS], [FOLDS])
    luck.keep_up()
    year = dates.business_date().year - 1
    page = shown(f"/luck/tables/{one.pk}/", period=f"{year}-07-09").context["page"]
    drawn, sums = page["round_chart"], page["sums"]
    assert [each["says"] for each in drawn["names"]] == ["0", "1", "2", "3"]
    assert [says.partition(":")[0] for says in drawn["says"]] == ["after 1 round", "after 2 rounds", "after 3 rounds"]
    assert drawn["says"][-1].partition(": ")[2] == f"{sums['win']}, expected {sums['expected']}, band {sums['band']}"
    assert drawn["says"][0].startswith("after 1 round: 5, expected 0.22, band ")
    assert [dot["beyond"] for dot in drawn["dots"]] == [sums["beyond"]]
    assert page["sum_chart"] is None
    anna = factories.person("anna")
    assert shown(f"/luck/croupiers/{anna.pk}/", period=f"{year}-07-09").context["page"]["round_chart"] == drawn
    assert shown(f"/luck/tables/{one.pk}/", period=f"{year}-07").context["page"]["round_chart"] is None
    # A day of one round has a line, and one of none no drawing.
    assert len(shown(f"/luck/tables/{one.pk}/", period=f"{year}-07-10").context["page"]["round_chart"]["says"]) == 1
    assert shown(f"/luck/tables/{one.pk}/", period=f"{year}-07-11").context["page"]["round_chart"] is None


def test_a_day_of_more_rounds_takes_no_more_statements_and_says_a_few_of_them_in_words(one):
    nights(one, [FOLDS] * (2 * reports.SAID + 1), [FOLDS])
    luck.keep_up()
    year, asked = dates.business_date().year - 1, {}
    for day in (9, 10):
        with CaptureQueriesContext(connection) as statements:
            page = reports.of(one, Period.of(f"{year}-07-{day:02d}"))
        asked[day] = len(statements)
    assert asked[9] == asked[10]
    said = reports.of(one, Period.of(f"{year}-07-09"))["round_chart"]["says"]
    assert len(said) <= reports.SAID + 1
    assert said[-1].startswith(f"after {2 * reports.SAID + 1} rounds: ")
    assert page["sums"]["rounds"] == 1


def test_the_tables_of_a_span_are_lanes_beside_one_another(one):
    nights(one, [FLUSH_WINS])
    nights(table("T2"), [FOLDS])
    factories.open_session(one, factories.pile(500_000))
    luck.keep_up()
    page = shown("/luck/", period=f"{dates.business_date().year - 1}-07").context["page"]
    tables = {row["name"]: row for row in page["groups"][0]["rows"]}
    lanes = {row["name"]: row for row in page["lanes"]["rows"]}
    assert [*lanes] == ["Split 1", "Split 2", "Together"]
    for name, row in tables.items():
        assert (lanes[name]["win"], lanes[name]["off"]) == (row["win"], row["beyond"])
    assert shown("/luck/", period="2001").context["page"]["lanes"] is None


def test_what_is_left_out_is_counted_with_its_reason(seeded_db):
    # Capped, with an ANTE between the limits at which its edge was computed.
    factories.plays_by(table("T1"), values={"max_payment": 1_000, "ante_minimum": 100, "ante_maximum": 700})
    settled_round(table("T1"), FOLDS)
    luck.keep_up()
    page = shown(f"/luck/tables/{table('T1').pk}/").context["page"]
    assert (page["sums"]["rounds"], page["sums"]["left_out"], page["sum_chart"]) == (0, 1, None)
    assert page["left_out"] == [{"words": "the house edge of its sheet is not computed", "rounds": 1}]


def test_a_croupier_is_read_by_name_by_who_reads_reports(one):
    settled_round(one)
    luck.keep_up()
    anna = factories.person("anna")
    page = shown(f"/luck/croupiers/{anna.pk}/", "david")
    assert (page.context["page"]["name"], page.context["page"]["sums"]["rounds"]) == (anna.named, 1)
    assert shown(f"/luck/croupiers/{anna.pk}/", "anna").status_code == 404
    assert shown("/luck/croupiers/999999/").status_code == 404


def test_a_span_is_chosen_by_a_form_or_refused_in_words(one):
    answer = shown("/luck/", first="2026-07-01", last="2026-07-31")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/luck/?period=2026-07")
    answer = shown("/luck/", period="2026-13")
    assert answer.status_code == 422
    assert "isn’t a period" in answer.content.decode()


def test_more_lost_than_luck_explains_is_raised_once_and_somebody_answers_for_it(one):
    lost(one)
    assert alarms.look() == (1, 0)
    assert alarms.look() == (0, 0)
    alarm = Alarm.objects.get(kind="luck")
    assert (alarm.subject, alarm.table, alarm.bound) == (LuckDay.objects.get(table=one).ref, one, 10)
    assert alarm.value >= 10
    row = next(row for row in calls.listed(factories.person("clara")) if row["key"] == f"alarm-{alarm.pk}")
    assert row["title"] == "Split 1 lost more than luck explains"
    assert row["detail"].endswith("honest years is like this; it proves nothing against anybody")
    assert (row["href"], row["button"]) == (f"/luck/tables/{one.pk}/", "I’ll look into it")
    page = shown(f"/luck/tables/{one.pk}/").context["page"]
    assert page["sums"]["alarm"]
    # Her purse is as large, and raises none.
    anna = shown(f"/luck/croupiers/{factories.person('anna').pk}/").context["page"]
    assert (anna["sums"]["purse"], anna["sums"]["alarm"]) == (page["sums"]["purse"], False)
    assert "table-years, limit 10" in of_last_days.page(factories.person("clara"), "luck", None)["rows"][0]["about"]
    factories.take(alarm, word="The deck was counted.")
    alarm.refresh_from_db()
    assert alarm.over_at
    settled_round(one, FLUSH_WINS)
    luck.keep_up()
    # Nobody is called a second time for the same year.
    assert alarms.look() == (0, 0)
    entry = Entry.objects.get(event="alarm.raised", subject=alarm.ref)
    assert entry.chain_id == one.ref


def test_it_ends_by_itself_where_a_correction_shows_that_it_was_none(one):
    played = lost(one)
    alarms.look()
    for round_ in played:
        factories.correct(round_, {"boxes[0].cards[4]": "8h"})
    luck.keep_up()
    assert alarms.look() == (0, 1)
    assert Alarm.objects.get(kind="luck").taken_by is None


def test_it_is_raised_once_though_the_first_day_of_its_year_counts_no_more(one):
    factories.set_setting(10, name="luck_once_in")
    day = dt.date(dates.business_date().year - 1, 7, 10)
    (first,), _ = nights(one, [FOLDS], [FLUSH_WINS] * 8, last=day)
    luck.keep_up()
    assert alarms.look() == (1, 0)
    factories.take(Alarm.objects.get(kind="luck"), word="The deck was counted.")
    factories.open_session(one, factories.pile(500_000))
    factories.sign_on(factories.person("anna"), one)
    factories.correct(first, {"boxes[0].ruling": {"what": "void", "clause": "split.35"}})
    luck.keep_up()
    assert LuckDay.objects.filter(table=one).earliest("business_date").rounds == 0
    assert alarms.look() == (0, 0)


def test_nobody_reads_the_win_of_a_table_whose_chips_are_counted_blind(one):
    settled_round(one, FLUSH_WINS)
    luck.keep_up()
    anna = factories.person("anna")
    today = dates.business_date()
    of_day = [f"/luck/{whose}/?period={today}" for whose in (f"tables/{one.pk}", f"croupiers/{anna.pk}")]
    pages = (f"/luck/tables/{one.pk}/", f"/luck/croupiers/{anna.pk}/", "/luck/", *of_day)

    def told():
        tiles = {tile["name"]: tile for pit in shown("/").context["page"]["pits"] for tile in pit["tiles"]}
        report = queries.look(REPORTS["master-game"], Period(today, today), {}, limit=10, number=1).rows
        deviations = [row["deviation"] for row in report if row["table"] == one.code]
        return [("\u221295" in shown(page).content.decode()) for page in pages], tiles["Split 1"]["luck"], deviations

    seen, tile, deviations = told()
    assert (seen, bool(tile)) == ([True] * 5, True)
    session = factories.stop_session(one)
    seen, tile, deviations = told()
    assert (seen, tile, deviations) == ([False] * 5, False, [None])
    factories.count_session(session, factories.pile(ledger.balance(one.float_account)), by="hugo")
    assert told() == ([False] * 5, False, [None])


def test_no_alarm_is_raised_while_chips_are_counted_blind_and_one_that_stands_stays(one):
    factories.set_setting(10, name="luck_once_in")
    for _ in range(8):
        settled_round(one, FLUSH_WINS)
    factories.stop_session(one)
    luck.keep_up()
    assert alarms.look() == (0, 0)
    factories.resume_session(one)
    assert alarms.look() == (1, 0)
    factories.stop_session(one)
    assert alarms.look() == (0, 0)
    assert Alarm.objects.standing().filter(kind=Alarm.Kind.LUCK).count() == 1


def test_a_year_that_is_long_over_raises_nothing(one):
    factories.set_setting(10, name="luck_once_in")
    nights(one, [FLUSH_WINS] * 8, last=dt.date(dates.business_date().year - 2, 7, 1))
    luck.keep_up()
    assert LuckDay.objects.get(table=one).highest > 2 * 10**9
    assert alarms.look() == (0, 0)


def test_a_tile_of_the_floor_says_what_was_expected_today(one):
    settled_round(one, FOLDS)
    luck.keep_up()
    tiles = {tile["name"]: tile for pit in shown("/").context["page"]["pits"] for tile in pit["tiles"]}
    assert tiles["Split 1"]["luck"] | {"band": ""} == {
        "expected": "0.22",
        "band": "",
        "deviation": "0.36",
        "beyond": False,
        "alarm": False,
        "to": f"/luck/tables/{one.pk}/",
    }
    assert tiles["Split 2"]["luck"] is False
    page = shown(f"/floor/tables/{one.pk}/").content.decode()
    assert "were expected to win 0.22" in page


def test_the_investigation_of_a_closed_session_says_what_was_expected(one):
    settled_round(one, FOLDS)
    session = one.sessions.get()
    case = factories.investigate(session)
    luck.keep_up()

    def facts():
        of_luck = shown(f"/cases/{case.pk}/").context["case"]["luck"]
        return {fact["label"]: fact["value"] for fact in of_luck}

    def parts():
        return {part["heading"] for part in case_printing.of(case).document()["parts"]}

    # While its chips are to be counted blind, nothing of its win is read.
    assert "Deviation" not in facts()
    assert "Luck told apart" not in parts()
    factories.close_session(one, factories.pile(ledger.balance(one.float_account)))
    assert facts()["Rounds that count"] == "1 of 1"
    assert (facts()["Expected win of its rounds"], facts()["Win of these rounds"]) == ("0.22", "5")
    assert facts()["Deviation"] == "0.36 standard deviations"
    assert facts()["Rarity of the table's year until then"] == "nothing rare"
    assert "Luck told apart" in parts()


def test_an_investigation_and_the_page_of_a_session_have_its_band_and_the_alarm_of_its_table(one):
    factories.set_setting(10, name="luck_once_in")
    nights(one, [FLUSH_WINS] * 8, last=dates.business_date() - dt.timedelta(1))
    luck.keep_up()
    session = one.sessions.latest("pk")
    case = factories.investigate(session)
    facts = shown(f"/cases/{case.pk}/").context["case"]["luck"]
    assert {fact["label"]: fact["mark"] for fact in facts if fact["mark"]} == {"Deviation": "off", "The table": "alarm"}
    by_label = {fact["label"]: fact["value"] for fact in facts}
    sums = shown(f"/luck/tables/{one.pk}/", period=f"{session.business_date}").context["page"]["sums"]
    assert by_label["Band of two standard deviations"] == sums["band"]
    assert by_label["Deviation"] == f"{sums['deviation']} standard deviations, beyond the band"
    assert by_label["The table"].startswith("lost more than luck explains")
    rounds = shown(f"/sessions/{session.pk}/rounds/")
    assert rounds.context["page"]["luck"] == facts
    assert "lost more than luck explains" in rounds.content.decode()
    # Who reads no reports has no figure of it.
    assert session_rounds.shown(session, factories.person("hugo"), None)["luck"] == []


def test_a_closed_session_says_nothing_of_its_tables_year_while_a_later_one_of_its_day_is_counted_blind(one):
    lost(one, 1)
    first = one.sessions.running().get()
    factories.close_session(one, factories.pile(ledger.balance(one.float_account)))
    first.refresh_from_db()
    factories.open_session(one, factories.pile(2_000_000))
    factories.sign_on(factories.person("anna"), one)
    for _ in range(7):
        settled_round(one, FLUSH_WINS)
    luck.keep_up()

    def said():
        return {fact["label"] for fact in shown(f"/sessions/{first.pk}/rounds/").context["page"]["luck"]}

    of_the_year = {"Rarity of the table's year until then", "The table"}
    before = said()
    assert of_the_year <= before
    factories.stop_session(one)
    assert said() == before - of_the_year
    factories.resume_session(one)
    assert said() == before


def test_the_master_game_report_has_what_was_expected_on_the_screen_alone(one):
    nights(one, [FOLDS, FLUSH_WINS], last=dates.business_date() - dt.timedelta(1))
    luck.keep_up()
    day = dates.business_date() - dt.timedelta(1)
    report = REPORTS["master-game"]
    (row,) = queries.look(report, Period(day, day), {}, limit=10, number=1).rows
    assert (row["expected"], row["deviation"]) == (87, "-2.70")
    assert {column.name for column in report.filed} & {"expected", "deviation"} == set()
    page = shown(f"/reports/master-game/{day}/").content.decode()
    assert "0.87" in page
    # Of several days each has a row with a way to its table's luck.
    page = shown(f"/reports/master-game/{day}..{day + dt.timedelta(1)}/").content.decode()
    assert f"/luck/tables/{one.pk}/" in page
    assert "\u22122.70" in page
