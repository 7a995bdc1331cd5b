"""Rounds from paper whose session is closed: entered while its gaming day is open, and explained by its variance."""

import datetime as dt
import json
from collections import Counter

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from audit.models import Entry
from payouts import ledger
from payouts.models import Account, Movement, PaymentTick
from tables.models import GamingDay, Round
from tables.verbs import corrections, days, figures, interventions, rounds, settling, standing
from tables.words import session_rounds

from ...support import evening, factories
from ...support.chip_nights import pile
from ...support.factories import actor, close_session, enter_paper, open_session, person, refused, table

pytestmark = pytest.mark.usefixtures("seeded_db")
SECOND = dt.timedelta(seconds=1)
# Box 1 wins 100.00 and box 2 loses its ANTE of 5.00 (factories.FLUSH_WINS).
LOST = 9_500


def closed(of="T1", lacks=LOST):
    """A table's session, closed with so much less than the books had, and a moment of play within it."""
    place = table(of)
    session = place.sessions.get(status="OPEN")
    close_session(place, pile(ledger.balance(place.float_account) - lacks))
    session.refresh_from_db()
    return session, session.opened_at


def entered(session, at, paper="000412", **more):
    """A paper of a closed session, entered by two pit bosses."""
    return enter_paper(session.table, paper, at, by=person("clara"), signed_by=person("frank"), **more)


def settled(round_, moves=factories.FLUSH_WINS):
    factories.act_all(round_, moves)
    factories.close(round_)
    assert settling.settle_due() == 1
    round_.refresh_from_db()
    return round_


def balances(place):
    """What each account holds that a round of the table could touch."""
    held = {kind: ledger.balance(getattr(place, f"{kind}_account")) for kind in ("float", "patrons", "pot", "rake")}
    return held | {kind: ledger.balance(Account.objects.get(kind=kind)) for kind in ("cage", "variance")}


def moved(before, after):
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


def test_a_paper_of_a_closed_session_moves_what_its_variance_has():
    """By hand: the tray lacked 97.00, of which the paper explains 95.00.

    | account  | before | settled | evened | after  |
    | float    |      0 |   -9500 |  +9500 |      0 |
    | patrons  |      0 |   +9500 |        |   9500 |
    | variance |  +9700 |         |  -9500 |   +200 |
    """
    session, at = closed(lacks=LOST + 200)
    before = balances(session.table)
    assert (before["float"], before["variance"]) == (0, LOST + 200)
    late = entered(session, at)
    assert (late.session, late.number, late.series) == (session, 1, None)
    settled(late)
    after = balances(session.table)
    assert moved(before, after) == {"patrons": LOST, "variance": -LOST}
    assert (after["float"], after["variance"]) == (0, 200)
    assert late.settlement.business_date == session.business_date
    [movement] = Movement.objects.filter(subject=late.ref)
    assert (movement.kind, movement.business_date) == ("correction", session.business_date)
    assert (movement.requested_by.login, movement.approved_by.login) == ("clara", "frank")
    ticks = PaymentTick.objects.filter(payment__settlement=late.settlement)
    assert [(tick.payment.box, tick.by.login, tick.left) for tick in ticks.order_by("payment__box")] == [
        (1, "clara", False),
        (2, "clara", False),
    ]
    told = Entry.objects.filter(chain_id=session.table.ref).order_by("seq").values_list("event", flat=True)
    assert list(told)[-5:] == [
        "round.closed",
        "round.settled",
        "movement.made",
        "payment.ticked",
        "payment.ticked",
    ]
    sitting = next(each for each in figures.sittings(session.table.sessions.all()) if each.session == session)
    assert (sitting.figures.variance, sitting.figures.win, sitting.rounds) == (-200, -LOST - 200, 1)
    assert ledger.explained_units(session.table.float_account, late.ref) == -LOST


def test_what_the_rake_slot_had_is_explained_too():
    _, dealt = evening.evening("genpoker")
    place = factories.raked_table()
    session = place.sessions.get()
    at = session.opened_at
    # A second pot was played on paper: 5.00 of rake more lie in the slot.
    close_session(place, pile(ledger.balance(place.float_account)), rake={100: 10})
    before = balances(place)
    late = entered(session, at, seats=dealt[0].seats, dealer=dealt[0].seats[-1])
    settled(late, [(action.kind, action.box, action.arguments) for action in dealt[0].actions])
    assert moved(before, balances(place)) == {"patrons": -500, "variance": 500}
    assert [ledger.balance(account) for account in (place.float_account, place.rake_account, place.pot_account)] == [
        0
    ] * 3
    sitting = figures.sittings(place.sessions.all())[0]
    assert (sitting.figures.variance, sitting.figures.rake) == (0, 1_000)


def test_the_next_session_of_the_table_is_left_as_it_was():
    session, at = closed()
    place = session.table
    counted = ledger.movement_units(session.ref)["closer"]
    running = open_session(place, pile(counted))
    with transaction.atomic():
        factories.staff.sign_on(staff=person("anna"), table=place, actor=actor("clara"))
    before, seats = balances(place), rounds.series.last_seats(place)
    played = factories.open_round(place)
    late = entered(session, at)
    assert (late.number, late.session) == (played.number + 1, session)
    refused("round_open", enter_paper, place, "2", at, by=person("clara"), signed_by=person("frank"))
    refused("round_open", factories.open_round, place)
    for each in (late, played):
        factories.act_all(each)
        factories.close(each)
    assert settling.settle_due() == 2
    after = balances(place)
    assert moved(before, after) == {"float": -LOST, "patrons": 2 * LOST, "variance": -LOST}
    third = factories.open_round(place)
    assert (third.number, third.session, rounds.series.last_seats(place)) == (3, running, seats)
    lines = {line["name"]: line for line in session_rounds.shown(running, person("clara"), None)["sums"]}
    assert lines["other"]["label"] == f"Round {late} from paper, of an earlier session"
    assert lines["variance"]["label"] == "Variance explained by rounds from paper"
    assert [lines[name]["amount"] for name in ("own", "other", "variance", "won")] == ["−95", "−95", "+95", "−95"]
    of_rounds = {"debit": place.float_account, "credit": place.patrons_account}
    of_rounds |= {"account": place.float_account, "subject": running.ref}
    assert ledger.settlement_units(**of_rounds) == -LOST
    # One in which the table won is of that session no more than one in which it lost.
    settled(entered(session, at + dt.timedelta(microseconds=1), paper="000413"), factories.FOLDS)
    assert set(moved(after, balances(place))) == {"patrons", "variance"}
    assert ledger.settlement_units(**of_rounds) == -LOST


def test_a_session_that_was_carried_on_takes_its_papers():
    place, at = table(), table().sessions.get(status="OPEN").opened_at
    factories.carry_session(place, pile(ledger.balance(place.float_account)))
    late = enter_paper(place, happened_at=at)
    assert late.session.status == "CLOSED"
    factories.void(late)
    assert enter_paper(place).session.status == "OPEN"


def test_what_is_refused_says_the_way_out_and_changes_nothing():
    session, at = closed()
    place, two = session.table, {"by": person("clara"), "signed_by": person("frank")}
    refusal = refused(
        "paper_too_late", enter_paper, place, "1", session.stopped_at + dt.timedelta(microseconds=1), **two
    )
    assert refusal.message.startswith("The last round of Split 1 was called on")
    assert refused("session_closed", enter_paper, place, "1", at - SECOND, **two).status == 409
    refused("session_closed", enter_paper, place, "1", timezone.now(), **two)
    refused("same_person", enter_paper, place, "1", at, by=person("clara"), signed_by=person("clara"))
    settled(entered(session, at, "1"))
    refused("paper_entered", enter_paper, place, "1", at, **two)
    first = enter_paper(place, "2", at + dt.timedelta(microseconds=9), **two)
    factories.act_all(first)
    factories.close(first)
    refused("paper_out_of_order", enter_paper, place, "3", at, **two)


def test_a_day_waits_for_its_papers_and_takes_none_once_it_is_closed(owner_connection):
    session, at = closed()
    day = GamingDay.objects.get(date=session.business_date)
    late = entered(session, at)
    waits = ("round", late.ref, f"Round {late}, entered from paper, isn’t settled yet.")
    assert waits in [each[:3] for each in days.obstacles(day)]
    factories.act_all(late)
    factories.close(late)
    assert "round" in {each.kind for each in days.obstacles(day)}
    settling.settle_due()
    assert "round" not in {each.kind for each in days.obstacles(day)}
    with owner_connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tables_gamingday DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE tables_gamingday SET status = 'CLOSED', closed_by_id = %s, closed_with_id = %s, closed_at = now(),"
            " figures = '{}', digest = repeat('0', 64) WHERE date = %s",
            [person("clara").pk, person("hugo").pk, day.date],
        )
    two = {"by": person("clara"), "signed_by": person("frank")}
    refusal = refused("paper_too_late", enter_paper, session.table, "2", at, **two)
    assert refusal.message.endswith("that is closed.")
    assert "variance" in refusal.way_out
    with pytest.raises(DatabaseError, match="on a gaming day that is open"), transaction.atomic():
        Round.objects.create(
            table=session.table,
            session=session,
            sheet=late.sheet,
            number=late.number + 1,
            phase=late.phase,
            opened_by=person("clara"),
            opened_with=person("frank"),
            paper="2",
            happened_at=at,
        )


def test_a_correction_later_is_that_of_any_round_at_a_closed_table():
    session, at = closed()
    late = settled(entered(session, at))
    before = balances(session.table)
    with transaction.atomic():
        corrections.correct(
            standing=standing.locked(late.pk),
            line=1,
            changes={"boxes[1].ante": 1_000},
            clause="split.33",
            reason="Read again.",
            actor=actor("clara", "hugo"),
        )
    assert moved(before, balances(session.table)) == {"cage": 500, "patrons": -500}
    assert Counter(Movement.objects.filter(subject=late.ref).values_list("kind", flat=True)) == {"correction": 2}


def test_a_void_one_leaves_no_trace_in_the_books():
    session, at = closed()
    before = balances(session.table)
    wrong = entered(session, at)
    with transaction.atomic():
        interventions.void(
            standing=standing.locked(wrong.pk),
            version=0,
            clause="split.30",
            reason="Another paper.",
            actor=actor("clara", "frank"),
        )
    assert moved(before, balances(session.table)) == {}
    assert entered(session, at).paper == "000412"


def test_what_stands_in_the_log_is_what_stands_in_the_books():
    session, at = closed()
    late = settled(entered(session, at))
    [entry] = Entry.objects.filter(event="movement.made", body__contains=f'"{late.ref}:correction:1:1"')
    facts = json.loads(entry.body)["facts"]
    assert (facts["kind"], facts["people"]) == ("correction", [person("clara").ref, person("frank").ref])
    assert facts["transfer"] == {
        "key": f"{late.ref}:correction:1:1",
        "debit": f"float:{session.table.ref}",
        "credit": "variance:house",
        "units": LOST,
        "reason": "correction",
    }


def test_without_the_movement_the_database_refuses_it(monkeypatch):
    session, at = closed()
    late = entered(session, at)
    factories.act_all(late)
    factories.close(late)
    monkeypatch.setattr(settling, "_even", lambda *_: None)
    says = "its session is closed, and it changes the table's float"
    with transaction.atomic():
        settling._settle(session.table_id, [late.pk])
        with pytest.raises(DatabaseError, match=says), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)
    late.refresh_from_db()
    assert late.status == "CLOSED"
