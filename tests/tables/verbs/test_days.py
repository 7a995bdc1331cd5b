"""The gaming day: what keeps it from being closed, what it says once it is, and that nothing enters it then."""

import datetime as dt
import hashlib
import json

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from audit import verify_export
from audit.models import Entry
from payouts import ledger
from payouts.models import Account, Movement
from tables.inspections import days as inspections
from tables.models import CageShift, GamingDay, Session
from tables.verbs import cage, corrections, dates, days, figures, sessions, standing

from ...payouts.test_books import tampered
from ...support import factories
from ...support.factories import actor, close_day, end_day, refused, table

pytestmark = pytest.mark.usefixtures("seeded_db")


def today():
    return GamingDay.objects.get(date=dates.business_date())


def kinds(day):
    return [obstacle.kind for obstacle in days.obstacles(day)]


def test_a_day_begins_with_its_first_session_and_lists_what_is_to_be_done():
    day = today()
    assert day.status == GamingDay.Status.OPEN
    assert kinds(day) == ["session"] * Session.objects.running().count() + ["cage"]
    slip = factories.slip(table("T1"))
    box = factories.mount(table("T2"))
    assert [tuple(what)[:3] for what in days.obstacles(day) if what.kind in {"slip", "drop_box"}] == [
        ("slip", slip.ref, f"{slip} of {table('T1')} hasn’t been received yet."),
        ("drop_box", box.ref, f"Drop box 101 of {table('T2')} hasn’t been counted yet."),
    ]


def test_two_people_close_a_day_and_it_says_what_it_came_to():
    factories.settled_round(table("T1"))
    day = end_day()
    closed = close_day(day)
    closed.refresh_from_db()
    assert (closed.status, closed.closed_by.login, closed.closed_with.login) == ("CLOSED", "clara", "hugo")
    entry = json.loads(Entry.objects.get(event="day.closed").body)
    assert (entry["chain"], entry["subject"]) == ("house", closed.ref)
    assert json.loads(closed.figures) == entry["facts"]["figures"]
    assert closed.digest == hashlib.sha256(closed.figures.encode()).hexdigest()
    assert entry["facts"]["people"] == [actor("clara").ref, actor("hugo").ref]
    (line,) = (line for line in entry["facts"]["figures"]["tables"] if line["table"] == table("T1").ref)
    won = ledger.balance(table("T1").patrons_account)
    assert (line["win"], line["variance"], line["grade"], line["why"]) == (-won, 0, "FINAL", None)
    assert won != 0


def test_what_is_unfinished_is_named_and_nothing_is_written():
    day = today()
    found = refused("day_unfinished", days.close, day_id=day.pk, actor=actor("clara", "hugo"))
    running = Session.objects.running().order_by("table__code").first()
    more = Session.objects.running().count()
    assert found.message == f"{day} can’t be closed: {running.table} isn’t closed yet. Left to do besides: {more}."
    assert found.detail["obstacles"][0] == {
        "kind": "session", "ref": running.ref, "words": f"{running.table} isn’t closed yet.",
    }  # fmt: skip


def test_a_day_is_closed_once_by_two_and_not_before_it_has_come():
    day = end_day()
    assert refused("same_person", days.close, day_id=day.pk, actor=actor("clara", "clara")).status == 422
    close_day(day)
    found = refused("day_closed", days.close, day_id=day.pk, actor=actor("clara", "hugo"))
    assert found.message == f"{day} is closed already."
    tomorrow = GamingDay.objects.get(date=factories.begin_session(table("T1")).business_date)
    assert tomorrow.date == day.date + dt.timedelta(days=1)
    found = refused("day_unfinished", days.close, day_id=tomorrow.pk, actor=actor("clara", "hugo"))
    assert found.message == f"{tomorrow} can’t be closed: {tomorrow} hasn’t begun yet. Left to do besides: 1."


def test_what_begins_after_a_day_was_closed_early_is_of_the_next():
    day = end_day()
    close_day(day)
    tomorrow = day.date + dt.timedelta(days=1)
    assert dates.business_date() == tomorrow
    assert factories.begin_session(table("T1")).business_date == tomorrow
    assert factories.cage_shift().business_date == tomorrow


def test_a_table_that_closes_after_the_cage_was_counted_wants_it_counted_again():
    day = today()
    factories.end_day()
    assert kinds(day) == []
    with transaction.atomic():
        cage.open_shift(actor=actor("hugo"))
    assert kinds(day) == ["cage"]
    factories.count_cage(factories.pile(held_in_cage()), by="hugo")
    factories.count_cage(factories.pile(held_in_cage()), by="olga")
    factories.sign_cage()
    assert kinds(day) == []
    factories.open_session(table("T1"), {"10000": 10})
    factories.close_session(table("T1"), {"10000": 10})
    (found,) = days.obstacles(day)
    assert found.words == "The cage hasn’t been counted since the last table closed."


def held_in_cage():
    return ledger.balance(Account.objects.get(kind="cage"))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO payouts_movement (key, kind, subject, number, denominations, business_date, requested_by_id,"
        " approved_by_id) SELECT subject || ':sold:9', 'sold', subject, 9, denominations, business_date,"
        " requested_by_id, approved_by_id FROM payouts_movement WHERE kind = 'issued' LIMIT 1",
        "UPDATE tables_gamingday SET figures = '{}'",
        "UPDATE tables_gamingday SET status = 'OPEN', closed_by_id = NULL, closed_with_id = NULL, closed_at = NULL,"
        " figures = '', digest = ''",
        "UPDATE tables_gamingday SET closed_with_id = closed_by_id + 1",
    ],
)
def test_nothing_enters_a_day_that_is_closed_and_nothing_of_it_changes(statement):
    close_day(end_day())
    with pytest.raises(IntegrityError, match="closed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_correction_at_a_closed_table_is_the_cage_s_and_has_a_date_of_its_own():
    at = table("T1")
    round_ = factories.settled_round(at)
    day = end_day()
    close_day(day)
    before = held_in_cage()
    paid = ledger.balance(at.patrons_account)
    staked = [line.stakes for line in figures.of_day(day.date).lines]
    with transaction.atomic():
        corrections.correct(
            standing=standing.locked(round_.pk),
            line=1,
            changes={"boxes[0].ante": 2000},
            clause="split.33",
            reason="Entered wrong.",
            actor=actor("clara", "frank"),
        )
    assert [line.stakes for line in figures.of_day(day.date).lines] == staked
    assert sum(staked) > 0
    moved = Movement.objects.get(subject=round_.ref)
    difference = ledger.balance(at.patrons_account) - paid
    assert difference != 0
    assert (moved.kind, moved.business_date) == ("correction", day.date + dt.timedelta(days=1))
    assert ledger.balance(at.float_account) == 0
    assert held_in_cage() == before - difference
    factories.open_session(at, {"10000": 10})
    session = sessions.running(at)
    factories.close_session(at, {"10000": 10})
    of_session = {"account": at.float_account, "subject": session.ref}
    assert ledger.settlement_units(debit=at.float_account, credit=at.patrons_account, **of_session) == 0
    (sitting,) = figures.of_day(session.business_date).lines[0].sittings
    assert (sitting.figures.win, sitting.figures.variance) == (0, 0)


def test_the_cage_s_shift_of_a_day_before_keeps_the_day_open():
    day = end_day()
    factories.cage_shift()
    assert CageShift.objects.last().business_date == day.date
    (found,) = days.obstacles(day)
    assert found == ("cage", CageShift.objects.last().ref, "The cage hasn’t been counted yet.", None)


def corrected_at_a_closed_table():
    """The entries of a round of a table that is closed, corrected there by two pit bosses."""
    round_ = factories.settled_at_a_closed_table()
    with transaction.atomic():
        corrections.correct(
            standing=standing.locked(round_.pk),
            line=1,
            changes={"boxes[0].ante": 2000},
            clause="split.33",
            reason="Entered wrong.",
            actor=actor("clara", "frank"),
        )
    return [json.loads(entry.body) for entry in Entry.objects.order_by("pk")]


def test_at_home_a_correction_at_a_closed_table_is_evened_by_the_cage():
    entries = corrected_at_a_closed_table()
    follow(entries)
    evened = next(entry for entry in entries if entry["facts"].get("kind") == "correction")
    place, others = entries.index(evened), [entry for entry in entries if entry is not evened]
    with pytest.raises(verify_export.Difference, match="follows a correction at a closed table that left float:table:"):
        follow([*others, evened | {"event": "staff.signed_on", "facts": {"staff": "staff:1"}}])
    with pytest.raises(verify_export.Difference, match="what it evens"):
        follow([*entries[:place], evened, evened])
    less = json.loads(json.dumps(evened))
    less["facts"]["denominations"] = {"1": 100}
    less["facts"]["transfer"]["units"] = 100
    with pytest.raises(verify_export.Difference, match="what it evens"):
        follow([*entries[:place], less])
    later = evened | {"facts": evened["facts"] | {"business_date": "2001-01-01"}}
    with pytest.raises(verify_export.Difference, match="what it evens"):
        follow([*entries[:place], later])


def follow(entries):
    resettling = verify_export.Resettling(verify_export.load_core(settings.BASE_DIR))
    for entry in entries:
        resettling.take(entry)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE tables_gamingday SET date = date - 1", "date"),
        ("UPDATE tables_gamingday SET closed_with_id = closed_with_id + 1", "closed_with_id"),
        ("UPDATE tables_gamingday SET figures = '{}'", "figures"),
        ("UPDATE tables_gamingday SET status = 'OPEN', closed_by_id = NULL, closed_with_id = NULL, closed_at = NULL,"
         " figures = '', digest = ''", "status"),
    ],
)  # fmt: skip
def test_an_inspection_names_a_closed_day_that_was_changed(seeded_db, statement, what):
    day = close_day(end_day())
    assert inspected(day) == []
    tampered(seeded_db, statement)
    assert what in {finding.what.split()[-1] for finding in inspected(day)}


def inspected(day):
    _, named = inspections.look(day.pk - 1, day.pk, {})
    return named


def test_the_database_too_wants_the_cage_counted_after_the_last_table_closed():
    at, day = table("T1"), today()
    for session in Session.objects.running().exclude(table=at).select_related("table"):
        factories.close_session(session.table, factories.pile(ledger.balance(session.table.float_account)))
    # Chips that are on no table's way to the cage leave what the books have there as it is.
    chips = factories.pile(held_in_cage() + ledger.balance(at.float_account))
    for by in ("hugo", "olga"):
        factories.count_cage(chips, by=by)
    factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    factories.sign_cage(reason="Counted before.")
    assert kinds(day) == ["cage"]
    with pytest.raises(IntegrityError, match="the cage was not counted after its last session"), transaction.atomic():
        GamingDay.objects.filter(pk=day.pk).update(
            status="CLOSED",
            closed_by=actor("clara").by,
            closed_with=actor("hugo").by,
            closed_at=timezone.now(),
            figures="{}",
            digest=hashlib.sha256(b"{}").hexdigest(),
        )
