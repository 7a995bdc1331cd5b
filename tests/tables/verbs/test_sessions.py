"""Sessions closed and opened again: what keeps a table open, the count and its variance, and the books after it."""

import json

import pytest
from django.db import IntegrityError, transaction

from audit.models import Entry
from casino.errors import Refused
from casino.roles import Right
from payouts import ledger
from payouts.models import Account, Movement, Snapshot, Transfer
from tables.management.commands.seed_demo import OPENER, STAFF
from tables.models import Round, Series, Session, SignOn
from tables.people import staff
from tables.verbs import corrections, counts, dates, grounds, settling, standing

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
    """The table's entries from the newest on, as (event, facts), but for alarms and cases."""
    of_table = Entry.objects.filter(chain=at.ref).exclude(event__in=["alarm.raised", "case.opened"])
    bodies = reversed(list(of_table.values_list("body", flat=True)))
    return [(entry["event"], entry["facts"]) for entry in map(json.loads, bodies)]


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
    refusal = amounts(closed)
    assert refusal["closer"] - refusal["opener"] == won(closed) + variance
    (last, facts), *before = events(one)
    assert last == "session.closed"
    assert facts == {
        "business_date": closed.business_date.isoformat(),
        "denominations": {str(value): count for value, count in counted.items()},
        "signers": [person("clara").ref, person("hugo").ref],
        "expected": worth(LEFT),
        "variance": variance,
    }
    assert [(event, made.get("kind")) for event, made in before[:7]] == [
        ("movement.made", "closer"),
        ("movement.made", "variance"),
        ("staff.signed_off", None),
        ("count.agreed", None),
        ("count.entered", None),
        ("count.entered", None),
        ("session.stopped", None),
    ]
    agreed = before[3][1]
    assert (agreed["part"], agreed["attempt"], agreed["units"]) == ("closer", 1, worth(counted))
    assert (agreed["expected"], agreed["variance"], agreed["signers"]) == (worth(LEFT), variance, facts["signers"])
    assert agreed["reason"] == grounds.salted(closed.closer_salt, "Counted twice.")


def test_an_empty_float_is_closed_too_and_a_chip_left_out_is_not_there(one):
    closed = close_session(one, {"100": 0})
    assert amounts(closed) == {"opener": worth(OPENER), "variance": -worth(OPENER)}
    assert events(one)[0][1]["denominations"] == {}


def test_closing_signs_the_croupier_off_and_he_stands_at_another_table_at_once(one):
    closed = close_session(one, OPENER)
    assert not SignOn.objects.filter(table=one, signed_off_at=None).exists()
    refused("session_wrong_moment", factories.sign_session, closed)
    factories.send(factories.client("clara"), "/api/v1/tables/2/sign-off/", {})
    answer = factories.send(factories.client("clara"), "/api/v1/tables/2/sign-on/", {"staff": person("anna").pk})
    assert answer.status_code == 200
    # A table at which nobody is signed on closes likewise.
    factories.send(factories.client("clara"), "/api/v1/tables/2/sign-off/", {})
    close_session(table("T2"), OPENER)


def test_nothing_may_be_under_way_and_the_refusal_says_the_way_out(one):
    opened = factories.open_round(one)
    refusal = refused("round_open", close_session, one, OPENER)
    assert (refusal.message, refusal.way_out, refusal.detail) == (
        f"Round {opened} is still open.",
        "Close or void it first.",
        {"round": opened.pk},
    )
    factories.hold(opened)
    assert refused("round_open", close_session, one, OPENER).detail == {"round": opened.pk}
    factories.release(opened)
    factories.act_all(opened, FOLDS)
    factories.close(opened)
    assert refused("round_unsettled", close_session, one, OPENER).way_out == "Try again in a moment."
    factories.hold(opened)
    refusal = refused("round_held", close_session, one, OPENER)
    assert (refusal.message, refusal.way_out) == (f"Round {opened} is held.", "Ask a pit boss to release it first.")
    # An open one is named before what waits.
    later = factories.open_round(one)
    assert refused("round_open", close_session, one, OPENER).detail == {"round": later.pk}
    factories.void(later)
    factories.release(opened)
    settling.settle_due()
    running = Series.objects.create(table=one, session=one.sessions.get(), game="dynastia", seats=[1, 2])
    assert "to end it now" in refused("series_running", close_session, one, OPENER).way_out
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
    refusal = refused(code, close_session, counting, counted)
    assert (refusal.status, refusal.path) == (422, path)
    assert refusal.way_out


@pytest.fixture(scope="module")
def counting(django_test_environment, django_db_blocker):
    """T1 in a database for all that is refused."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield table("T1")


def test_it_takes_two_people_and_an_opener_takes_chips(one):
    stopped = factories.stop_session(one)
    factories.count_session(stopped, OPENER, by="anna")
    refusal = refused("counted_already", factories.count_session, stopped, OPENER, by="anna")
    assert refusal.way_out == "Have a second person count now, at their own login or by their signature here."
    assert refused("count_missing", factories.sign_session, stopped).way_out.startswith("Have two people count it")
    factories.count_session(stopped, OPENER, by="clara")
    refusal = refused("same_person", factories.sign_session, stopped, signed_with="clara")
    assert (refusal.status, refusal.path) == (422, "signature")
    factories.sign_session(stopped, signed_with="anna")
    begun = factories.begin_session(one)
    for none in ({}, {100: 0}):
        assert refused("nothing_counted", factories.count_session, begun, none, by="anna").path == "denominations"
    refusal = refused("chip_unknown", factories.count_session, begun, {200: 1}, by="anna")
    assert refusal.path == "denominations.200"
    for login in ("anna", "clara"):
        factories.count_session(begun, {"100": 1, 500: 0}, by=login)
    factories.sign_session(begun, signed_with="anna", reason="The cage gave one chip.")
    assert events(one)[2] == (
        "session.opened",
        {
            "business_date": dates.business_date().isoformat(),
            "denominations": {"100": 1},
            "signers": [person("clara").ref, person("anna").ref],
            "expected": worth(OPENER),
            "variance": 100 - worth(OPENER),
        },
    )


def test_a_table_is_opened_step_by_step_and_no_round_opens_before_its_opener_is_signed(one):
    closed = close_session(one, OPENER)
    begun = factories.begin_session(one)
    assert (begun.status, begun.begun_by.login, begun.opened_by_id) == ("OPENING", "clara", None)
    assert events(one)[0] == (
        "session.begun",
        {"business_date": begun.business_date.isoformat(), "after": closed.ref},
    )
    refusal = refused("session_open", factories.begin_session, one)
    assert (refusal.message, refusal.way_out) == (
        "Split 1 is being opened already.",
        "Have two people count its opener and sign.",
    )
    signed_on(one)
    refusal = refused("session_closed", factories.open_round, one)
    assert refusal.way_out == "Have two people count its opener first."
    assert refused("session_wrong_moment", factories.stop_session, one).message == "Split 1 is being opened."
    for login in ("anna", "clara"):
        factories.count_session(begun, OPENER, by=login)
    factories.sign_session(begun, signed_with="anna")
    begun.refresh_from_db()
    assert (begun.status, begun.opened_by.login, begun.opened_with.login) == ("OPEN", "clara", "anna")
    assert begun.begun_at < begun.opened_at
    # Nothing differs from the closer before it: no variance, and nobody has to say why.
    assert (begun.opener_reason, begun.opener_salt, held("variance")) == ("", "", 0)
    assert held("float", one.ref) == worth(OPENER)
    factories.void(factories.open_round(one))


def test_what_an_opener_differs_by_from_the_closer_before_it_is_the_cage_s_and_no_part_of_a_win(one):
    close_session(one, OPENER)
    cage = held("cage")
    begun = factories.begin_session(one)
    less = OPENER | {500: 98}
    for login in ("anna", "clara"):
        factories.count_session(begun, less, by=login)
    refusal = refused("reason_missing", factories.sign_session, begun, signed_with="anna")
    assert (refusal.status, refusal.path) == (422, "reason")
    factories.sign_session(begun, signed_with="anna", reason="Two chips of 5 were not in the tray.")
    assert (held("variance"), held("cage"), held("float", one.ref)) == (1000, cage - worth(OPENER), worth(less))
    assert amounts(begun) == {"opener": worth(less)}
    variance = Movement.objects.get(subject=begun.ref, kind="variance")
    moved = Transfer.objects.get(movement=variance)
    assert (moved.debit.kind, moved.credit.kind) == ("variance", "cage")
    # Its closing has a variance of its own.
    closed = close_session(one, less | {500: 99})
    assert amounts(closed)["variance"] == 500
    assert (held("variance"), held("float", one.ref)) == (500, 0)
    # What the house lets pass needs no reason.
    factories.set_setting(500, name="opener_variance_units")
    begun = factories.begin_session(one)
    for login in ("anna", "clara"):
        factories.count_session(begun, less, by=login)
    factories.sign_session(begun, signed_with="anna")
    assert held("variance") == 1000


def test_counts_that_differ_are_made_again_and_then_a_pit_boss_says_which_one_stands(one):
    stopped = factories.stop_session(one)
    wrong = OPENER | {500: 101}
    for attempt in (1, 2):
        factories.count_session(stopped, OPENER, by="anna")
        entered = factories.count_session(stopped, wrong, by="clara")
        assert [(count.attempt, count.place) for count in entered] == [(attempt, 1), (attempt, 2)]
        if attempt == 1:
            refusal = refused("counts_differ", factories.sign_session, stopped, signed_with="anna", place=1)
            assert refusal.way_out == "Have both people count it again."
    refusal = refused("counted_twice", factories.count_session, stopped, OPENER, by="anna")
    assert refusal.way_out == "Ask a pit boss to say which count stands."
    for place in (None, 0, 3):
        refusal = refused("place_missing", factories.sign_session, stopped, signed_with="anna", place=place, reason="x")
        assert refusal.path == "place"
    # The first count is what should be there: that alone is no reason.
    assert refused("reason_missing", factories.sign_session, stopped, signed_with="anna", place=1).path == "reason"
    factories.sign_session(stopped, signed_with="anna", place=1, reason="Counted a third time under the camera.")
    entries = events(one)
    assert amounts(stopped) == {"opener": worth(OPENER), "closer": worth(OPENER)}
    (agreed,) = (facts for event, facts in entries if event == "count.agreed" and facts["part"] == "closer")
    assert (agreed["attempt"], agreed["variance"], agreed["units"]) == (2, 0, worth(OPENER))
    assert agreed["reason"] == grounds.salted(
        Session.objects.get(pk=stopped.pk).closer_salt, "Counted a third time under the camera."
    )


def test_who_signs_without_having_counted_says_why(one):
    stopped = factories.stop_session(one)
    for login in ("anna", "clara"):
        factories.count_session(stopped, OPENER, by=login)
    assert refused("reason_missing", factories.sign_session, stopped, signed_with="hugo").path == "reason"
    factories.sign_session(stopped, signed_with="hugo", reason="Anna fell ill.")
    assert Session.objects.get(pk=stopped.pk).closed_with.login == "hugo"


def test_two_let_a_table_go_on_whose_last_round_was_called_and_it_is_counted_anew(one):
    stopped = factories.stop_session(one)
    refusal = refused("session_closed", factories.open_round, one)
    assert refusal.way_out == "Have two people either count its chips or let the table go on."
    refused("session_closed", factories.slip, one)
    factories.count_session(stopped, OPENER | {500: 1}, by="anna")
    assert refused("same_person", factories.resume_session, one, signed_with="clara").path == "signature"
    factories.resume_session(one)
    assert events(one)[0] == (
        "session.resumed",
        {"requester": person("clara").ref, "approver": person("hugo").ref},
    )
    refused("session_wrong_moment", factories.count_session, stopped, OPENER, by="clara")
    factories.settled_round(one)
    stopped = factories.stop_session(one)
    assert stopped.counts_from == 2
    # What Anna counted before is no first count now.
    assert [count.place for count in factories.count_session(stopped, LEFT, by="anna")] == [1]
    factories.count_session(stopped, LEFT, by="clara")
    factories.sign_session(stopped, signed_with="anna")
    assert "variance" not in amounts(stopped)


def test_a_credit_that_comes_to_the_cage_during_the_count_changes_nothing_at_the_table(one):
    on_its_way = factories.issue(factories.slip(one, "credit"))
    stopped = factories.stop_session(one)
    left = OPENER | {10000: OPENER[10000] - 2, 500: OPENER[500] - 40}
    factories.count_session(stopped, left, by="anna")
    refused("session_closed", factories.send_back, on_its_way)
    factories.receive(on_its_way)
    factories.count_session(stopped, left, by="clara")
    factories.sign_session(stopped, signed_with="anna")
    assert "variance" not in amounts(stopped)


def signed_on(at):
    with transaction.atomic():
        staff.sign_on(staff=person("anna"), table=at, actor=actor("clara"))


def test_a_croupier_of_the_pit_a_pit_boss_or_the_cage_counts_and_of_the_two_one_is_the_table_s_pit_boss(one):
    everybody = [person(login) for login in STAFF]
    assert {each.login for each in everybody if each.has_perm(Right.COUNT, one)} == {
        "anna", "boris", "erik", "clara", "frank", "karl", "hugo",
    }  # fmt: skip
    path = f"/api/v1/sessions/{factories.stop_session(one).pk}/counts/"
    body = {"denominations": {str(value): number for value, number in OPENER.items()}}
    assert is_refused(factories.send(factories.client("david"), path, body), 403, "not_your_right")
    signed = body | {"signature": factories.signature("david")}
    answer = factories.send(factories.client("clara"), path, signed)
    assert is_refused(answer, 403, "signature_without_right", path="signature")
    first = factories.send(factories.client("anna"), path, body)
    assert (first.status_code, first.json()["count"]["counts"][0]["place"]) == (200, 1)
    for login in ("hugo", "frank"):
        answer = factories.send(factories.client(login), path, body)
        assert is_refused(answer, 403, "not_your_right")
        assert "one of them has to be that pit boss" in answer.json()["way_out"]
        signed = body | {"signature": factories.signature(login)}
        assert is_refused(factories.send(factories.client("anna"), path, signed), 403, "signature_without_right")
    signed = body | {"signature": factories.signature("clara")}
    both = factories.send(factories.client("anna"), path, signed).json()["count"]
    assert (both["equal"], both["expected"], len(both["counts"])) == (True, worth(OPENER), 2)


def test_what_the_first_counted_and_what_should_be_there_is_told_when_both_have_counted(one):
    stopped = factories.stop_session(one)
    factories.count_session(stopped, OPENER | {500: 77}, by="anna")
    for login in ("anna", "boris", "clara", "frank", "hugo", "david", "ida"):
        answer = factories.client(login).get(f"/api/v1/sessions/{stopped.pk}/")
        if login in {"boris", "frank"}:
            assert answer.status_code == 404
            continue
        count = answer.json()["count"]
        assert (count["equal"], count["expected"]) == (None, None)
        assert [each["denominations"] for each in count["counts"]] == [None]
        assert str(worth(OPENER)) not in answer.content.decode()
    factories.count_session(stopped, OPENER, by="clara")
    count = factories.client("anna").get(f"/api/v1/sessions/{stopped.pk}/").json()["count"]
    assert (count["equal"], count["expected"]) == (False, worth(OPENER))
    assert [each["denominations"]["500"] for each in count["counts"]] == [77, OPENER[500]]


def test_who_does_not_read_sessions_reads_one_only_while_they_may_count_it(one):
    running = one.sessions.get()
    answer = factories.client("anna").get(f"/api/v1/sessions/{running.pk}/")
    assert is_refused(answer, 403, "not_your_right")
    assert factories.client("clara").get(f"/api/v1/sessions/{running.pk}/").json()["count"] is None


def test_each_session_wins_what_is_settled_after_the_one_before(one):
    """A correction while the table is closed is of neither: the cage hands over."""
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
    assert held("float", one.ref) == 0
    assert open_session(one, OPENER) != first
    with transaction.atomic():
        staff.sign_on(staff=person("anna"), table=one, actor=actor("clara"))
    factories.settled_round(one)
    second = close_session(one, OPENER)
    assert (won(first), won(second)) == (WON, WON)
    refusal = amounts(second)
    assert refusal["closer"] - refusal["opener"] == won(second) + refusal["variance"]


def test_a_balance_is_the_same_with_snapshots_as_without(one):
    factories.settled_round(one)
    close_session(one, LEFT)
    open_session(one, OPENER)
    for account in Account.objects.with_balance():
        received = sum(Transfer.objects.filter(debit=account).values_list("units", flat=True))
        gave = sum(Transfer.objects.filter(credit=account).values_list("units", flat=True))
        assert account.balance_units == received - gave, account
    assert Snapshot.objects.filter(account__owner=one.ref).count() == 4
    assert Snapshot.objects.get(account=one.patrons_account).units == -WON


def test_of_a_round_that_opens_and_a_closing_at_once_one_is_refused(one):
    for _ in range(5):
        outcome = factories.at_once(lambda: factories.stop_session(one), lambda: factories.open_round(one))
        (refusal,) = (each for each in outcome if isinstance(each, Exception))
        assert isinstance(refusal, Refused), refusal
        (done,) = (each for each in outcome if each is not refusal)
        if isinstance(done, Round):
            assert refusal.code == "round_open"
            factories.void(done)
        else:
            assert refusal.code == "session_closed"
            assert refusal.way_out == "Have two people either count its chips or let the table go on."
            factories.resume_session(one)


def counted(session, chips):
    for login in ("clara", "hugo"):
        factories.count_session(session, chips, by=login)
    return session


def test_a_table_is_carried_on_by_one_count_and_its_people_stay(one):
    factories.settled_round(one)
    deals = SignOn.objects.get(table=one, signed_off_at=None).pk
    cage, before = held("cage"), factories.stop_session(one)
    factories.sign_session(counted(before, LEFT), carry=True)
    before.refresh_from_db()
    after = one.sessions.running().get()
    assert (before.status, after.status, after.carried_from) == ("CLOSED", "OPEN", before)
    assert (after.opened_by, after.opened_with) == (before.closed_by, before.closed_with)
    assert SignOn.objects.get(table=one, signed_off_at=None).pk == deals
    assert amounts(after) == {"opener": worth(LEFT)}
    assert (held("float", one.ref), held("cage") - cage, held("variance")) == (worth(LEFT), 0, 0)
    told = dict(events(one)[:6])
    assert told["session.closed"]["carried"] == after.ref
    assert told["session.opened"]["carried"] == told["session.begun"]["after"] == before.ref
    assert told["session.opened"]["denominations"] == told["session.closed"]["denominations"]
    # The next round is one of the new session, and so is what it wins.
    assert factories.settled_round(one).session == after
    close_session(one, LEFT | {10000: 98, 500: 102})
    assert won(before) == won(after) == WON


def test_a_variance_of_what_is_carried_on_is_the_session_s_that_closes(one):
    factories.settled_round(one)
    short = LEFT | {500: 99}
    before = counted(factories.stop_session(one), short)
    refused("reason_missing", factories.sign_session, before, carry=True)
    factories.sign_session(before, reason="Not found: two 5s short.", carry=True)
    after = one.sessions.running().get()
    assert amounts(before)["variance"] == -1000
    assert amounts(after) == {"opener": worth(short)}
    assert held("float", one.ref) == worth(short)


def test_an_opener_is_not_carried_on_nor_a_table_without_chips(one):
    close_session(one, {})
    begun = counted(factories.begin_session(one), OPENER)
    assert refused("carry_wrong", factories.sign_session, begun, reason="New chips.", carry=True).path == "carry"
    factories.sign_session(begun, reason="New chips.")
    counted(factories.stop_session(one), {})
    refused("carry_wrong", factories.sign_session, begun, reason="All gone.", carry=True)
    assert one.sessions.running().get() == begun


def test_a_session_is_carried_on_in_the_transaction_that_closes_the_one_before_alone(one):
    factories.sign_session(counted(factories.stop_session(one), OPENER), carry=True)
    before, after = one.sessions.order_by("-pk")[1], one.sessions.running().get()
    close_session(one, OPENER)
    wanted = {"table": one, "business_date": after.business_date, "begun_by": person("clara")}
    for late in (before, after, table("T2").sessions.get()):
        with pytest.raises(IntegrityError, match="carried from"), transaction.atomic():
            Session.objects.create(**wanted, carried_from=late)
