"""Rounds from paper of games whose rounds belong together, entered once their session is closed: they are a series of
that session, which goes by the same rules as any and runs beside what is played at the table."""

import copy
import datetime as dt
import json

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from audit import verify_export
from audit.models import Entry
from payouts import ledger
from payouts.models import Movement, PaymentTick
from tables.models import GamingDay, Round, Series
from tables.verbs import days, interventions, series, settling, standing
from tables.words import case_printing
from tables.words import cases as words
from tables.words import papers as form

from ...support import evening, factories
from ...support.chip_nights import pile
from ...support.factories import (
    actor,
    client,
    close_session,
    enter_paper,
    open_session,
    person,
    refused,
    send,
    signature,
)
from .test_late_papers import balances, moved

pytestmark = pytest.mark.usefixtures("seeded_db")
TICK = dt.timedelta(microseconds=1)
TWO = {"by": "clara", "signed_by": "frank"}


def shut(name, rake=None, **more):
    """A closed table of an evening's game, its session, and the rounds that were dealt that evening."""
    values, dealt = evening.evening(name)
    place = factories.table_of(name.partition("_")[0], values | more)
    session = place.sessions.get()
    close_session(place, pile(ledger.balance(place.float_account)), **({"rake": rake} if rake else {}))
    session.refresh_from_db()
    return place, session, dealt


def elsewhere(game="dynastia", values=None):
    """Another table that is open, with Anna at it, who dealt at the one that is closed."""
    with transaction.atomic():
        factories.staff.sign_on(staff=person("anna"), table=factories.table("T1"), actor=actor("clara"))
    return factories.table_of(game, values or evening.evening("dynastia_long")[0])


def enter(session, number, dealt=None, **more):
    """The next paper of a closed session; each was played a microsecond after the one before."""
    two = {name: person(login) for name, login in TWO.items()}
    if dealt:
        more |= {"seats": dealt.seats, "dealer": dealt.seats[-1]}
    return enter_paper(session.table, f"S-{number}", session.opened_at + number * TICK, **two, **more)


def close(late, dealt):
    for action in dealt.actions:
        factories.do(late, action.kind, action.box, **action.arguments)
    factories.close(late)
    late.refresh_from_db()
    return late


def finish(session, dealt, *numbers):
    """Papers with these numbers, entered and settled."""
    late = [close(enter(session, number, dealt[number]), dealt[number]) for number in numbers]
    assert settling.settle_due() == len(late)
    for each in late:
        each.refresh_from_db()
    return late


def void(late):
    with transaction.atomic():
        interventions.void(
            standing=standing.locked(late.pk),
            version=0,
            clause="house.4",
            reason="Another paper.",
            actor=actor("clara", "frank"),
        )


def end(session, by="clara", signed_by="frank"):
    with transaction.atomic():
        return series.end(table_id=session.table_id, session_id=session.pk, actor=actor(by, signed_by))


def nets(round_):
    round_.refresh_from_db()
    return {paid.box: paid.net_units for paid in round_.settlement.payments.all()}


# Worked by hand, in units, at 100 a point.
# Dynastia, dynastia.12: 136, 55 and 125 points after four rounds: box 2 is 81 behind and box 3 is 11; both pay box 1.
# Big Two, bigtwo.14: the cards left are 9, 0, 6, 2 in the first round; what each loses is worked out by its rules.
DYNASTIA = {1: 9_200, 2: -8_100, 3: -1_100}


def test_a_dynastia_series_pays_once_with_its_last_paper_what_its_points_come_to():
    place, session, dealt = shut("dynastia_long")
    before = balances(place)
    late = finish(session, dealt, 0, 1, 2, 3)
    (begun,) = Series.objects.filter(table=place)
    assert {each.series for each in late} == {begun}
    assert (begun.session, begun.status, begun.rounds_agreed, begun.seats) == (session, "CLOSED", 4, [1, 2, 3])
    assert [each.carry and each.carry["rounds_left"] for each in late] == [None, 3, 2, 1]
    assert {box: units for box, units in nets(late[3]).items() if units} == DYNASTIA
    assert not any(units for each in late[:3] for units in nets(each).values())
    # The players pay each other: float and rake slot had nothing of it, and the variance has nothing to give back.
    assert moved(before, balances(place)) == {}
    assert not Movement.objects.filter(subject__in=[each.ref for each in late]).exists()
    ticks = PaymentTick.objects.filter(payment__settlement=late[3].settlement)
    assert {tick.by.login for tick in ticks} == {"clara"}


def test_big_two_papers_come_to_what_they_would_at_the_table():
    """bigtwo.14: a series of five rounds; the same five, played here, are the other side of the law."""
    place, session, dealt = shut("bigtwo")
    late = finish(session, dealt, *range(5))
    here = elsewhere("bigtwo", evening.evening("bigtwo")[0])
    played = []
    for each in dealt[:5]:
        played.append(close(factories.open_round(here, each.seats), each))
    settling.settle_due()
    assert [nets(each) for each in late] == [nets(each) for each in played]
    assert any(nets(late[-1]).values())
    assert [each.carry for each in late] == [each.carry for each in played]
    assert set(Series.objects.values_list("status", flat=True)) == {"CLOSED"}
    assert balances(place)["float"] == balances(place)["rake"] == 0


def test_presidential_papers_are_each_by_themselves_and_the_rake_slot_is_evened():
    """5% of the pot, 200 at most: the slot had it when it was counted, and the variance gives it back."""
    place, session, dealt = shut("presidential", rake_percent=5, rake_cap=200)
    before = balances(place)
    (late,) = finish(session, dealt, 0)
    assert late.series is None
    raked = sum(transfer.units for transfer in late.settlement.transfers.filter(debit=place.rake_account))
    assert raked == 200
    assert sum(nets(late).values()) == -raked
    assert moved(before, balances(place)) == {"patrons": -raked, "variance": raked}
    assert ledger.explained_units(place.rake_account, late.ref) == raked


def test_the_table_s_own_series_runs_beside_it_and_each_goes_on_from_its_own():
    place, session, dealt = shut("dynastia_long")
    running = open_session(place, {100: 100})
    with transaction.atomic():
        factories.staff.sign_on(staff=person("anna"), table=place, actor=actor("clara"))
    live = close(factories.open_round(place, dealt[4].seats), dealt[4])
    late = close(enter(session, 0, dealt[0]), dealt[0])
    assert late.series != live.series
    assert (series.running(place), series.running_in(session)) == (live.series, late.series)
    second = factories.open_round(place)
    assert (second.series, second.seats) == (live.series, list(dealt[5].seats))
    # The dealer goes round among those of the papers, too; they stay seated.
    following = enter(session, 1)
    assert (following.series, following.seats, following.carry["rounds_left"]) == (late.series, [2, 3, 1], 3)
    refused("round_open", end, session)
    void(following)
    assert form.form(place, person("clara"))["rows"][0]["goes_on"] == session.pk
    assert form.form(place, person("clara"))["seating"] is None
    # The table closes with its own at an end: the papers do not keep it open.
    factories.void(second, clause="house.4")
    settling.settle_due()
    refused("series_running", close_session, place, {100: 100})
    with transaction.atomic():
        series.end(table_id=place.pk, actor=actor("clara"))
    assert series.running_in(session) == late.series
    close_session(place, pile(ledger.balance(place.float_account)))
    running.refresh_from_db()
    assert running.status == "CLOSED"
    ended = end(session)
    ended.refresh_from_db()
    assert (ended, ended.status) == (late.series, "CLOSED")
    refused("no_series", end, session)
    # What was broken off is not gone on with: the next paper begins another.
    other = enter(session, 2, dealt[0])
    assert (other.series == ended, other.carry) == (False, None)


def test_a_day_waits_for_the_series_of_its_papers():
    place, session, dealt = shut("dynastia_long")
    finish(session, dealt, 0)
    day = GamingDay.objects.get(date=session.business_date)
    (found,) = [each for each in days.obstacles(day) if each.kind in {"series", "round"}]
    assert found[:3] == (
        "series",
        Series.objects.get().ref,
        f"A series entered from paper is still running at {place}: enter the rest of it, or end it there.",
    )
    clara = client("clara")
    page = clara.get(reverse("late-paper", args=[session.pk])).content.decode()
    assert f'name="session" data-int value="{session.pk}"' in page
    ending = {"session": session.pk, "signature": signature("clara")}
    answer = send(clara, f"/api/v1/tables/{place.pk}/series/end/", ending)
    assert answer.status_code == 200, answer.content
    assert not [each for each in days.obstacles(day) if each.kind in {"series", "round"}]


def test_what_is_refused_says_the_way_out_and_changes_nothing():
    place, session, dealt = shut("dynastia_long")
    refused("seats_missing", enter, session, 0)
    first = close(enter(session, 5, dealt[0]), dealt[0])
    assert refused("seats_wrong", enter, session, 6, dealt[4]).way_out == "Leave the seats out."
    refused("paper_entered", enter, session, 5)
    forgotten = refused("paper_out_of_order", enter, session, 4)
    for said in ("Paper S-5", f"round {first}", str(place)):
        assert said in forgotten.message
    assert forgotten.way_out.endswith("have the pit boss keep it with the case about the variance.")
    assert forgotten.detail == {"round": first.pk}
    second = enter(session, 7)
    void(second)
    assert enter(session, 6).series == first.series
    other = elsewhere()
    with pytest.raises(Exception, match="No series entered from paper is running") as caught, transaction.atomic():
        series.end(table_id=other.pk, session_id=session.pk, actor=actor("clara", "frank"))
    assert caught.value.code == "no_series"


def test_the_database_takes_no_round_into_another_series_and_no_series_without_a_paper():
    place, session, dealt = shut("dynastia_long")
    late = finish(session, dealt, 0)[0]
    ended = end(session)
    other, at = elsewhere(), session.opened_at + 9 * TICK
    running = factories.open_round(other, dealt[0].seats).series
    row = {
        "table": place, "session": session, "sheet": late.sheet, "number": late.number + 1, "phase": late.phase,
        "opened_by": person("clara"), "opened_with": person("frank"), "paper": "S-9", "happened_at": at,
    }  # fmt: skip
    two = {"table": place, "session": session, "game": "dynastia", "seats": [1, 2]}

    def refuses(says, work):
        with pytest.raises(DatabaseError, match=says), transaction.atomic():
            work()

    def twice():
        Series.objects.create(**two)
        Series.objects.create(**two)

    def alone():
        Series.objects.create(**two)
        connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")

    # One that is over, another table's, one of other boxes, and one of another game.
    for wrong in (ended, running):
        refuses("its series with the same boxes", lambda wrong=wrong: Round.objects.create(**row, series=wrong))
    of_another = two | {"game": "bigtwo"}
    refuses(
        "its series with the same boxes",
        lambda: Round.objects.create(**row, series=Series.objects.create(**of_another)),
    )
    refuses(
        "its series with the same boxes",
        lambda: Round.objects.create(**row | {"seats": [1, 2, 3]}, series=Series.objects.create(**two)),
    )
    refuses("no round from paper begins it", alone)
    refuses("series_one_open", twice)


def test_at_home_a_series_of_papers_is_held_to_the_rules_of_any():
    _, session, dealt = shut("dynastia_long")
    finish(session, dealt, 0, 1)
    end(session)
    entries = [json.loads(entry.body) for entry in Entry.objects.order_by("pk")]
    follow(entries)
    begun = next(each for each in entries if each["event"] == "series.opened")
    ended = next(each for each in entries if each["event"] == "series.closed")
    first, second = (each for each in entries if each["event"] == "round.opened" and "slip" in each["facts"])
    without = [entry for entry in entries if entry is not begun]
    latest = max(each["at"] for each in entries if each["event"] == "session.stopped")
    tampered = {
        "is in no series": changed(entries, second, series=None),
        "which does not run": without,
        "begins while .* runs in its session": inserted(entries, first, begun | {"subject": "series:999"}),
        "or at another table": changed(entries, begun, session=of_another_table(entries, session)),
        "has another game, sheet or other boxes": changed(entries, begun, seats=[1, 2]),
        "was played at .* and entered after": changed(entries, first, happened_at=latest),
        "starts with .* which": changed(
            entries, second, carry={"totals": {"1": "0", "2": "0", "3": "0"}, "rounds_left": 3}
        ),
        "in series:[0-9]+, which does not run": inserted(entries, second, ended),
    }
    for says, forged in tampered.items():
        with pytest.raises(verify_export.Difference, match=says):
            follow(forged)


def changed(entries, which, **facts):
    """The entries with other facts in one of them; None takes one out."""
    place = entries.index(which)
    made = copy.deepcopy(entries)
    made[place]["facts"] |= facts
    made[place]["facts"] = {name: fact for name, fact in made[place]["facts"].items() if fact is not None}
    return made


def inserted(entries, before, entry):
    place = entries.index(before)
    return [*entries[:place], entry, *entries[place:]]


def of_another_table(entries, session):
    """The session of another table that the log saw begin."""
    return next(
        each["subject"] for each in entries if each["event"] == "session.opened" and each["subject"] != session.ref
    )


def follow(entries):
    resettling = verify_export.Resettling(verify_export.load_core(settings.BASE_DIR))
    for entry in entries:
        resettling.take(entry)


def test_a_case_says_what_is_left_of_float_and_of_rake_slot_each():
    """By hand: the float lacked 2.00 and the slot had 9.00 too much; the paper's rake explains 5.00 of the slot's."""
    _, dealt = evening.evening("genpoker")
    place = factories.raked_table()
    session = place.sessions.get()
    close_session(place, pile(ledger.balance(place.float_account) - 200), rake={100: 14})
    session.refresh_from_db()
    finish(session, dealt, 0)
    case = place.cases.get()
    assert case.units == 900
    facts = {each["label"]: each["value"] for each in words.shown(case, person("clara"))["facts"]}
    left = {label: value.replace("\u2212", "-") for label, value in facts.items() if "aper" in label or "left" in label}
    assert left == {
        "Of which from paper": "+5", "Variance left": "+4", "From paper, float": "0", "Variance left, float": "-2",
    }  # fmt: skip
    # Its file says the same.
    tables = [block for part in case_printing.of(case).document()["parts"] for block in part["blocks"]]
    rows = {row[0]: row[-1].replace("\u2212", "-") for block in tables for row in block.get("rows", ())}
    assert {label: rows[label] for label in left} == left
