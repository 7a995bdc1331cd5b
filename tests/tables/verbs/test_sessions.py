"""Sessions closed and opened again: what keeps a table open, the count and its variance, and the books after it."""

import json

import pytest
from django.db import transaction

from audit.models import Entry
from casino.errors import Refused
from casino.roles import Right
from payouts import ledger
from payouts.models import Account, Movement, Snapshot, Transfer
from tables.management.commands.seed_demo import OPENER, STAFF
from tables.models import Round, Series, SignOn
from tables.people import staff
from tables.verbs import corrections, counts, sessions, settling, standing

from ...support import factories, stack
from ...support.factories import FOLDS, actor, close_session, open_session, person, refused, table
from ..rest.test_rest import is_refused

# Box 1's flush wins 100 of 20 at 5:1 and box 2 folds 5: by FLUSH_WINS the house loses 95.
WON = -9500
# The opener without that: a 5 more, a 100 less.
LEFT = OPENER | {10000: 99, 500: 101}


@pytest.fixture
def one(seeded_db):
    return table("T1")


def amounts(session):
    """What the movements of a session came to, without those that were none."""
    return {kind: units for kind, units in ledger.movement_units(session.ref).items() if units}


def won(session):
    at = session.table
    return ledger.settlement_units(
        debit=at.float_account, credit=at.patrons_account, account=at.float_account, subject=session.ref
    )


def held(kind, owner="house"):
    return Account.objects.with_balance().get(kind=kind, owner=owner).balance_units


def worth(denominations):
    return sum(value * count for value, count in denominations.items())


def events(at):
    """The table's entries from the newest on, as (event, facts)."""
    told = [json.loads(body) for body in Entry.objects.filter(chain=at.ref).values_list("body", flat=True)]
    return [(entry["event"], entry["facts"]) for entry in reversed(told)]


def test_a_table_closes_without_variance_where_the_count_is_what_the_rounds_leave(one):
    settled = factories.settled_round(one)
    cage = held("cage")
    closed = close_session(one, LEFT)
    closed.refresh_from_db()
    assert (closed.status, closed.closed_by.login, closed.closed_with.login) == ("CLOSED", "clara", "hugo")
    assert closed.closed_at > closed.opened_at
    assert worth(LEFT) - worth(OPENER) == won(closed) == WON
    assert amounts(closed) == {"opener": worth(OPENER), "closer": worth(LEFT)}
    assert (held("float", one.ref), held("variance"), held("cage") - cage) == (0, 0, worth(LEFT))
    closer = Movement.objects.get(subject=closed.ref, kind="closer")
    assert closer.denominations == {str(value): count for value, count in LEFT.items()}
    assert closer.business_date == closed.business_date == settled.session.business_date
    assert (closer.requested_by.login, closer.approved_by.login) == ("clara", "hugo")


@pytest.mark.parametrize(("fives", "variance"), [(102, 500), (99, -1000)])
def test_what_was_counted_beside_the_rounds_is_the_variance_and_stands_in_the_log(one, fives, variance):
    factories.settled_round(one)
    counted = LEFT | {500: fives}
    closed = close_session(one, counted)
    assert amounts(closed)["variance"] == variance
    assert held("variance") == -variance
    assert held("float", one.ref) == 0
    told = amounts(closed)
    assert told["closer"] - told["opener"] == won(closed) + variance
    (last, facts), *before = events(one)
    assert last == "session.closed"
    assert facts == {
        "business_date": closed.business_date.isoformat(),
        "denominations": {str(value): count for value, count in counted.items()},
        "signers": [person("clara").ref, person("hugo").ref],
        "variance": variance,
    }
    assert [(event, made.get("kind")) for event, made in before[:3]] == [
        ("movement.made", "closer"),
        ("movement.made", "variance"),
        ("staff.signed_off", None),
    ]


def test_an_empty_float_is_closed_too_and_a_chip_left_out_is_not_there(one):
    closed = close_session(one, {"100": 0})
    assert amounts(closed) == {"opener": worth(OPENER), "variance": -worth(OPENER)}
    assert events(one)[0][1]["denominations"] == {}


def test_closing_signs_the_croupier_off_and_he_stands_at_another_table_at_once(one):
    close_session(one, OPENER)
    assert not SignOn.objects.filter(table=one, signed_off_at=None).exists()
    refused("session_closed", close_session, one, OPENER)
    factories.send(factories.client("clara"), "/api/v1/tables/2/sign-off/", {})
    answer = factories.send(factories.client("clara"), "/api/v1/tables/2/sign-on/", {"staff": person("anna").pk})
    assert answer.status_code == 200
    # A table at which nobody is signed on closes likewise.
    factories.send(factories.client("clara"), "/api/v1/tables/2/sign-off/", {})
    close_session(table("T2"), OPENER)


def test_nothing_may_be_under_way_and_the_refusal_says_the_way_out(one):
    opened = factories.open_round(one)
    told = refused("round_open", close_session, one, OPENER)
    assert (told.message, told.way_out, told.detail) == (
        f"Round {opened} is still open.",
        "Close or void it first.",
        {"round": opened.pk},
    )
    factories.hold(opened)
    assert refused("round_open", close_session, one, OPENER).detail == {"round": opened.pk}
    factories.release(opened)
    factories.act_all(opened, FOLDS)
    factories.close(opened)
    assert refused("round_unsettled", close_session, one, OPENER).way_out == "Send it again in a moment."
    factories.hold(opened)
    told = refused("round_held", close_session, one, OPENER)
    assert (told.message, told.way_out) == (f"Round {opened} is held.", "A pit boss releases it first.")
    # An open one is named before what waits.
    later = factories.open_round(one)
    assert refused("round_open", close_session, one, OPENER).detail == {"round": later.pk}
    factories.void(later)
    factories.release(opened)
    settling.settle_due()
    running = Series.objects.create(table=one, session=one.sessions.get(), game="dynastia", seats=[1, 2])
    assert "break it off" in refused("series_running", close_session, one, OPENER).way_out
    Series.objects.filter(pk=running.pk).update(status="CLOSED", closed_at="2026-11-21T05:00Z")
    assert amounts(close_session(one, OPENER)) == {
        "opener": worth(OPENER),
        "closer": worth(OPENER),
        "variance": -500,
    }


@pytest.mark.parametrize(
    ("counted", "code", "path"),
    [
        ({200: 1}, "chip_unknown", "denominations.200"),
        ({"0100": 1}, "chip_unknown", "denominations.0100"),
        ({"": 1}, "chip_unknown", "denominations."),
        ({100: -1}, "count_wrong", "denominations.100"),
        ({100: True}, "count_wrong", "denominations.100"),
        ({100: "1"}, "count_wrong", "denominations.100"),
        ({100: None}, "count_wrong", "denominations.100"),
        ({100: 1.0}, "count_wrong", "denominations.100"),
        ({100: counts.MOST_CHIPS + 1}, "count_wrong", "denominations.100"),
    ],
)
def test_a_count_is_of_the_table_s_chips_in_whole_numbers(counting, counted, code, path):
    told = refused(code, close_session, counting, counted)
    assert (told.status, told.path) == (422, path)
    assert told.way_out


@pytest.fixture(scope="module")
def counting(django_test_environment, django_db_blocker):
    """T1 in a database for all that is refused."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield table("T1")


def test_it_takes_two_people_and_an_opener_takes_chips(one):
    told = refused("same_person", close_session, one, OPENER, signed_with="clara")
    assert (told.status, told.path) == (422, "signature")
    close_session(one, OPENER)
    for none in ({}, {100: 0}):
        assert refused("nothing_counted", open_session, one, none).path == "denominations"
    assert refused("chip_unknown", open_session, one, {200: 1}).path == "denominations.200"
    open_session(one, {"100": 1, 500: 0})
    assert events(one)[1] == (
        "session.opened",
        {
            "business_date": sessions.business_date().isoformat(),
            "denominations": {"100": 1},
            "signers": [person("clara").ref, person("hugo").ref],
        },
    )


def test_a_croupier_of_the_pit_a_pit_boss_or_the_cage_counts_along_and_nobody_else(counting):
    """With the table's pit boss; who may not is refused before the count is looked at."""
    everybody = [person(login) for login in STAFF]
    assert {one.login for one in everybody if one.has_perm(Right.COUNT, counting)} == {
        "anna", "boris", "erik", "clara", "frank", "karl", "hugo",
    }  # fmt: skip
    for address in ("sessions/", "sessions/close/"):
        body = {"denominations": {"200": 1}, "signature": factories.signature("david")}
        answer = factories.send(factories.client("clara"), f"/api/v1/tables/{counting.pk}/{address}", body)
        assert is_refused(answer, 403, "signature_without_right", path="signature")


def test_each_session_wins_what_is_settled_after_the_one_before(one):
    """A correction while the table is closed is the next one's: its croupier hands over."""
    settled = factories.settled_round(one)
    first = close_session(one, LEFT)
    with transaction.atomic():
        corrections.correct(
            standing=standing.locked(settled.pk),
            line=1,
            changes={"boxes[0].ante": 1500},
            clause="split.33",
            reason="Entered wrong.",
            actor=actor("clara", "frank"),
        )
    between = held("float", one.ref)
    assert between == -5000
    assert open_session(one, OPENER) != first
    with transaction.atomic():
        staff.sign_on(staff=person("anna"), table=one, actor=actor("clara"))
    factories.settled_round(one)
    second = close_session(one, OPENER)
    assert (won(first), won(second)) == (WON, WON + between)
    told = amounts(second)
    assert told["closer"] - told["opener"] == won(second) + told["variance"]


def test_a_balance_is_the_same_with_snapshots_as_without(one):
    factories.settled_round(one)
    close_session(one, LEFT)
    open_session(one, OPENER)
    for account in Account.objects.with_balance():
        received = sum(Transfer.objects.filter(debit=account).values_list("units", flat=True))
        gave = sum(Transfer.objects.filter(credit=account).values_list("units", flat=True))
        assert account.balance_units == received - gave, account
    assert Snapshot.objects.filter(account__owner=one.ref).count() == 3
    assert Snapshot.objects.get(account=one.patrons_account).units == -WON


def test_of_a_round_that_opens_and_a_closing_at_once_one_is_refused(one):
    for _ in range(5):
        outcome = factories.at_once(lambda: close_session(one, OPENER), lambda: factories.open_round(one))
        (refusal,) = (each for each in outcome if isinstance(each, Exception))
        assert isinstance(refusal, Refused), refusal
        (done,) = (each for each in outcome if each is not refusal)
        if isinstance(done, Round):
            assert refusal.code == "round_open"
            factories.void(done)
        else:
            assert refusal.code == "session_closed"
            open_session(one, OPENER)
            with transaction.atomic():
                staff.sign_on(staff=person("anna"), table=one, actor=actor("clara"))
