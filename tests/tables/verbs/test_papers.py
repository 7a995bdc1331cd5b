"""Rounds from paper: entered late by two, in the session in which they were played and in the order of play.

Of sessions that are closed: test_late_papers."""

import datetime as dt
import json

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from audit import log
from audit.models import Entry
from tables.models import Round, RuleSheet
from tables.verbs import disputes, rulesheets, settling

from ...support import evening, factories
from ...support.factories import actor, enter_paper, person, refused, table

pytestmark = pytest.mark.usefixtures("seeded_db")
SECOND = dt.timedelta(seconds=1)


def opened(of="T1"):
    """When the table's session was opened."""
    return table(of).sessions.get(status="OPEN").opened_at


def facts_of(round_):
    [entry] = Entry.objects.filter(subject=round_.ref, event="round.opened")
    return json.loads(entry.body)


def another_sheet(game="split", **values):
    """Another sheet of a game, put in force at T1 from now on."""
    sheet = factories.published_sheet(game, factories.in_chips(game, values))
    with transaction.atomic():
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table().pk, actor=actor("clara", "frank"))
    return sheet


def test_a_round_from_paper_says_when_it_was_played_on_which_paper_and_by_which_two_it_was_entered():
    place, at = table(), opened()
    entered = enter_paper(place, " p-000412 ", at)
    entered.refresh_from_db()
    assert (entered.paper, entered.happened_at, entered.session.status) == ("P-000412", at, "OPEN")
    assert (entered.opened_by.login, entered.opened_with.login) == ("anna", "clara")
    assert entered.opened_at > at
    entry = facts_of(entered)
    assert (entry["by"], entry["facts"]["approver"]) == (person("anna").ref, person("clara").ref)
    assert (entry["facts"]["happened_at"], entry["facts"]["slip"]) == (log.spell_time(at), "P-000412")


def test_it_is_entered_closed_and_settled_as_any_other_with_the_date_of_its_session():
    entered = enter_paper(table(), happened_at=opened())
    factories.act_all(entered)
    factories.close(entered)
    assert settling.settle_due() == 1
    entered.refresh_from_db()
    assert entered.settlement.business_date == entered.session.business_date
    assert [(paid.box, paid.net_units) for paid in entered.settlement.payments.order_by("box")] == [
        (1, 10000),
        (2, -500),
    ]


def test_a_round_that_is_played_here_has_none_of_it():
    played = factories.open_round(table())
    assert (played.paper, played.happened_at, played.opened_with) == (None, None, None)
    assert not {"happened_at", "slip", "approver"} & facts_of(played)["facts"].keys()


def test_two_pit_bosses_or_a_pit_boss_and_a_croupier_are_the_two_and_never_one():
    one = refused("same_person", enter_paper, table(), by=person("clara"), signed_by=person("clara"))
    assert one.path == "signature"
    assert enter_paper(table(), by=person("clara"), signed_by=person("frank")).opened_with.login == "frank"


@pytest.mark.parametrize("paper", ["", " ", "-1", "12 3", "1" * 21, "Anna Adler!", "\u00e41"])
def test_the_number_is_one_that_is_printed(paper):
    assert refused("paper_wrong", enter_paper, table(), paper).path == "paper"


def test_a_paper_is_entered_once_at_whatever_table_and_again_only_once_its_round_is_void():
    entered = enter_paper(table(), "412", opened())
    refusal = refused("paper_entered", enter_paper, table("T2"), "412")
    assert (refusal.message, refusal.detail) == (
        f"Paper 412 has already been entered, as round {entered}.",
        {"round": entered.pk},
    )
    factories.void(entered)
    assert enter_paper(table("T2"), "412").paper == "412"
    refused("paper_entered", enter_paper, table(), "412")


def test_the_future_is_refused():
    refusal = refused("moment_to_come", enter_paper, table(), happened_at=timezone.now() + 60 * SECOND)
    assert (refusal.status, refusal.path) == (422, "happened_at")


def test_a_time_before_the_table_opened_is_refused():
    refusal = refused("paper_too_early", enter_paper, table(), happened_at=opened() - SECOND)
    assert refusal.message.startswith(f"{table()} wasn’t open on")


def test_while_the_closer_is_counted_nothing_is_entered():
    at = opened()
    factories.stop_session(table())
    refused("session_closed", enter_paper, table(), happened_at=at)


def test_papers_are_entered_in_the_order_in_which_they_were_played():
    place, at = table(), opened()
    first = enter_paper(place, "1", at + dt.timedelta(milliseconds=20))
    factories.act_all(first)
    factories.close(first)
    refusal = refused("paper_out_of_order", enter_paper, place, "2", at)
    assert refusal.detail == {"round": first.pk}
    same = enter_paper(place, "2", first.happened_at)
    factories.void(same)
    assert enter_paper(place, "2").happened_at > first.happened_at


def test_a_void_round_stands_in_the_way_of_none():
    place = table()
    wrong = enter_paper(place, "1")
    factories.void(wrong)
    assert enter_paper(place, "1", opened()).happened_at < wrong.happened_at


def test_a_round_that_was_played_here_meanwhile_stands_in_the_way_of_none():
    place = table()
    factories.play_round(place)
    assert enter_paper(place, happened_at=opened()).number == 2


def test_the_sheet_is_the_one_that_was_in_force_when_it_was_played():
    place, before = table(), timezone.now()
    old = rulesheets.in_force(place)
    new = another_sheet()
    assert enter_paper(place, "1", before).sheet == old
    assert rulesheets.since(place, before) == [old, new]
    factories.void(Round.objects.latest("pk"))
    assert enter_paper(place, "2").sheet == new
    assert RuleSheet.objects.filter(rounds__paper__isnull=False).count() == 2


def test_a_round_of_a_series_is_not_entered_before_one_of_its_rounds():
    values, dealt = evening.evening("dynastia_long")
    place, at = factories.table_of("dynastia", values), timezone.now()
    running = factories.open_round(place, dealt[0].seats)
    factories.void(running, clause="house.4")
    of_series = enter_paper(place, "1", at, dealer=dealt[0].seats[-1])
    assert (of_series.series, tuple(of_series.seats)) == (running.series, dealt[0].seats)
    factories.void(of_series, clause="house.4")
    live = factories.open_round(place, dealt[0].seats)
    for action in dealt[0].actions:
        factories.do(live, action.kind, action.box, **action.arguments)
    factories.close(live)
    refusal = refused("paper_out_of_order", enter_paper, place, "1", at)
    assert refusal.way_out == "Enter it once the series is over."


def test_who_entered_it_does_not_rule_on_it():
    entered = enter_paper(table(), by=person("clara"), signed_by=person("frank"))
    assert list(disputes.dealt_by(person("clara"))) == [entered]
    assert not disputes.dealt_by(person("frank")).exists()


@pytest.mark.parametrize("column", ["paper = '2'", "happened_at = now()", "opened_with_id = opened_by_id"])
def test_what_it_was_entered_with_stays(column):
    entered = enter_paper(table())
    with pytest.raises(DatabaseError, match="opened with stays"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tables_round SET {column} WHERE id = %s", [entered.pk])
