"""Settling: each due round once, a bad one alone, a lost worker found out, nobody waiting for a broker."""

import datetime as dt
import json
import os
import socket
import subprocess
import sys

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from audit.log import Actor
from audit.models import Entry
from casino import bell
from casino.celery import app
from casino.errors import Refused
from casino.running import stack as product
from payouts.models import Account, Payment, Settlement, Transfer
from tables.models import Line, Round
from tables.verbs import dates, settling, standing

from ...audit.test_log import verify
from ...support import factories, stack, waiting

OPENER = 5_310_000


@pytest.fixture
def one(seeded_db):
    return factories.table("T1")


def poison(round_, text, wagers="[]"):
    """A second line, as whoever holds the app's password could write it; the newest line is what is settled."""
    people = {"by": factories.croupier(), "approved_by": factories.person("clara")}
    Line.objects.create(round=round_, ordinal=2, text=text, wagers=wagers, **people)


def expire():
    """As if all leases and pauses had just run out."""
    Round.objects.filter(status=Round.Status.CLOSED).update(next_at=Now())


def clock():
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def counts(*rounds):
    """(status, leases, alone, failures) of each round."""
    rows = Round.objects.in_bulk([each.pk for each in rounds])
    return [
        (rows[each.pk].status, rows[each.pk].leases, rows[each.pk].alone, rows[each.pk].failures) for each in rounds
    ]


def settled(*rounds):
    """Whether each has one settlement and one entry of it, none of them twice."""
    for round_ in rounds:
        round_.refresh_from_db()
        assert round_.status == Round.Status.SETTLED
        assert Settlement.objects.get(round_key=round_.ref) == round_.settlement
        assert Entry.objects.filter(subject=round_.ref, event="round.settled").count() == 1
    return True


def untouched(round_):
    """Whether nothing was written for a round that could not be settled."""
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED
    assert not Settlement.objects.filter(round_key=round_.ref).exists()
    assert not Transfer.objects.filter(key__startswith=f"{round_.ref}:").exists()
    assert not Entry.objects.filter(subject=round_.ref, event="round.settled").exists()
    return True


def test_two_workers_at_once_settle_each_round_once(one):
    played = [factories.play_round(place, factories.FOLDS) for place in (one, one, factories.table("T2"))]
    assert sum(factories.at_once(settling.settle_due, settling.settle_due)) == 3
    assert settled(*played)


def test_two_workers_that_both_hold_a_round_settle_it_once(one):
    played = factories.play_round(one, factories.FOLDS)
    [leased] = settling.lease()

    def work():
        return settling._settle_table(leased.table_id, [leased.round_id])

    assert sorted(factories.at_once(work, work)) == [0, 1]
    assert work() == 0
    assert settled(played)


def test_one_batch_takes_two_tables_each_in_one_transaction_and_in_order(one):
    two = factories.table("T2")
    played = [factories.play_round(place, factories.FOLDS) for place in (one, two, one, two)]
    assert settling.settle_due() == 4
    assert settled(*played)
    moments = {place.pk: set(place.rounds.values_list("settled_at", flat=True)) for place in (one, two)}
    assert len(moments[one.pk]) == len(moments[two.pk]) == 1
    assert moments[one.pk] != moments[two.pk]
    for place, rounds in ((one, played[::2]), (two, played[1::2])):
        entries = Entry.objects.filter(chain=place.ref, event="round.settled").order_by("seq")
        assert [entry.subject for entry in entries] == [each.ref for each in rounds]
        assert verify(place.ref) > 0


def test_accounts_are_locked_before_the_chain(one, owner_connection):
    """As whoever moves chips locks them; with the chain first each of the two could wait for the other."""
    played = factories.play_round(one, factories.FOLDS)

    owner_connection.execute("BEGIN")
    owner_connection.execute("SELECT FROM payouts_account WHERE owner = %s FOR UPDATE", [one.ref])

    def look():
        try:
            waiting.until(lambda: waiting.behind(owner_connection))
            owner_connection.execute("SELECT FROM audit_chain WHERE key = %s FOR UPDATE NOWAIT", [one.ref])
        finally:
            owner_connection.execute("ROLLBACK")
        return "free"

    assert factories.at_once(look, settling.settle_due) == ["free", 1]
    assert settled(played)


def test_the_house_s_win_goes_into_the_float_and_its_loss_out_of_it(one):
    won = factories.settled_round(one, factories.FOLDS)
    [transfer] = Transfer.objects.filter(settlement=won.settlement)
    assert (transfer.debit, transfer.credit, transfer.units) == (one.float_account, one.patrons_account, 500)
    lost = factories.settled_round(one)
    transfers = {each.units: each for each in Transfer.objects.filter(settlement=lost.settlement)}
    assert (transfers[10000].debit, transfers[10000].credit) == (one.patrons_account, one.float_account)
    balances = dict(Account.objects.with_balance().filter(owner=one.ref).values_list("kind", "balance_units"))
    gained = {"float": OPENER + 500 + 500 - 10000, "patrons": -500 - 500 + 10000}
    assert balances == gained | dict.fromkeys(("pot", "rake", "drop_box"), 0)


def test_a_wager_whose_net_is_0_makes_no_transfer(one):
    back = factories.settled_round(one, factories.STAND_OFF)
    assert list(back.settlement.payments.values_list("outcome", "staked_units", "net_units")) == [
        ("stand_off", 3000, 0)
    ]
    assert not back.settlement.transfers.exists()
    won = factories.settled_round(one)
    # Ordinal 1 is the winner's ANTE, which goes back; 2 the ANTE of the box that folds; 3 the winner's BET.
    assert {each.key.rsplit(":", 1)[1] for each in won.settlement.transfers.all()} == {"2", "3"}


def test_payments_carry_the_clauses_that_decided(one):
    won = factories.settled_round(one)
    assert list(won.settlement.payments.values_list("box", "outcome", "clauses")) == [
        (1, "win_bet", ["split.19"]),
        (2, "fold", ["split.6"]),
    ]


def test_the_business_date_is_the_session_s_however_late_it_is_settled(one, owner_connection):
    session = one.sessions.get()
    played = factories.play_round(one, factories.FOLDS)
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):  # 26 hours apart
        owner_connection.execute("UPDATE casino_casino SET time_zone = %s", [zone])
        if dates.business_date() != session.business_date:
            break
    assert dates.business_date() != session.business_date
    settling.settle_due()
    assert Settlement.objects.get(round_key=played.ref).business_date == session.business_date
    assert Transfer.objects.get(settlement__round_key=played.ref).business_date == session.business_date


def test_a_held_round_is_not_due_and_a_released_one_is(one):
    held, other = (factories.play_round(one, factories.FOLDS) for _ in range(2))
    factories.hold(held)
    assert not Round.objects.due().filter(pk=held.pk).exists()
    assert settling.settle_due() == 1
    assert settled(other)
    assert untouched(held)
    factories.release(held)
    assert settling.settle_due() == 1
    assert settled(held)


def with_id(line, id_):
    """A line that the game reads and the log can't tell."""
    return json.dumps(json.loads(line) | {"id": id_})


# What the newest line and its stakes are made from the right ones; what is of no game is refused by the database.
POISONS = {
    "no round": lambda line, wagers: ('{"game": "split"}', wagers),
    "no stakes": lambda line, wagers: (line, "[]"),
    "no list of stakes": lambda line, wagers: (line, '{"ordinal": 1}'),
    "other stakes": lambda line, wagers: (line, wagers.replace("500", "501")),
    "a fraction": lambda line, wagers: (with_id(line, 1.5), wagers),
    "a control character": lambda line, wagers: (with_id(line, "a\nb"), wagers),
}


def test_rounds_that_can_t_be_settled_fail_alone(one):
    before = factories.play_round(one, factories.FOLDS)
    bad = {claim: factories.play_round(one, factories.FOLDS) for claim in POISONS}
    after, elsewhere = (factories.play_round(factories.table(code), factories.FOLDS) for code in ("T1", "T2"))
    for claim, round_ in bad.items():
        first = round_.lines.get()
        poison(round_, *POISONS[claim](first.text, first.wagers))
    assert settling.settle_due() == 3
    assert settled(before, after, elsewhere)
    for claim, round_ in bad.items():
        assert untouched(round_), claim
        assert counts(round_) == [("CLOSED", 0, False, 1)], claim


def test_a_round_that_waits_is_tried_at_once_when_somebody_asks(one):
    bad = factories.play_round(one, factories.FOLDS)
    assert "is open" in refused_try(factories.open_round(factories.table("T2")), "round_wrong_moment")
    assert [due.round_id for due in settling.lease()] == [bad.pk]
    assert "is settling round" in refused_try(bad, "round_in_work")
    poison(bad, '{"game": "split"}')
    expire()
    assert settling.settle_due() == 0
    assert settling.settle_due() == 0
    assert counts(bad)[0][3] == 1
    try_now(bad)
    assert settling.settle_due() == 0
    assert counts(bad)[0][3] == 2
    factories.hold(bad)
    assert "is held" in refused_try(bad, "round_held")


def try_now(round_):
    with transaction.atomic():
        return settling.try_now(standing=standing.locked(round_.pk), actor=Actor(factories.person("clara")))


def refused_try(round_, code):
    before = factories.written()
    with pytest.raises(Refused) as refusal:
        try_now(round_)
    assert refusal.value.code == code
    assert factories.written() == before
    return refusal.value.message


def test_a_bad_round_is_tried_eight_times_ever_later_and_then_held_by_the_system(one):
    bad = factories.play_round(one, factories.FOLDS)
    poison(bad, '{"game": "split"}')
    assert (bad.failures, bad.failure) == (0, "")
    for failures, pause in enumerate((1, 2, 4, 8, 15, 15, 15, 15), start=1):
        assert not Entry.objects.filter(event="round.held").exists()
        expire()
        since = clock()
        assert settling.settle_due() == 0
        assert counts(bad) == [("CLOSED", 0, False, failures)]
        bad.refresh_from_db()
        assert since <= bad.next_at - dt.timedelta(seconds=pause) <= clock()
        assert bad.failure == "TypeError: The dealer is missing."
    assert bad.held_at is not None
    held = json.loads(Entry.objects.get(event="round.held").body)
    assert (held["subject"], held["by"], held["facts"], held["chain"]) == (bad.ref, "system", {}, one.ref)

    later = factories.play_round(one, factories.FOLDS)
    expire()
    assert settling.settle_due() == 1
    assert settled(later)
    assert untouched(bad)
    assert counts(bad) == [("CLOSED", 0, False, 8)]

    # Released, it is tried again from the start.
    factories.release(bad)
    assert settling.settle_due() == 0
    assert counts(bad) == [("CLOSED", 0, False, 1)]


@pytest.mark.parametrize(
    "between",
    [
        factories.hold,
        lambda round_: poison(round_, round_.lines.get().text),
        lambda round_: settling.settle_due(),
    ],
    ids=["held", "another line", "settled"],
)
def test_a_round_that_is_no_longer_as_it_was_read_is_not_written(one, between):
    played = factories.play_round(one, factories.FOLDS)
    rows = settling.read([played.pk], Round.Status.CLOSED)
    settlements = [settling.settlement_of(row, generation=1) for row in rows]
    between(played)
    before = Entry.objects.count(), Settlement.objects.count()
    assert settling._write(one.pk, rows, settlements, Round.Status.CLOSED) is False
    assert (Entry.objects.count(), Settlement.objects.count()) == before


def test_a_doorbell_takes_three_calls_for_what_is_due_at_a_table(one):
    settling.settle_due()
    played = [factories.play_round(one, factories.FOLDS) for _ in range(3)]
    with CaptureQueriesContext(connection) as asked:
        assert settling.settle_due() == 3
    assert [query["sql"].partition("(")[0] for query in asked] == [
        "SELECT * FROM lease_due",
        "SELECT * FROM read_rounds",
        "SELECT settle_rounds",
    ]
    assert settled(*played)


def test_what_is_due_at_two_tables_takes_no_more_calls(one):
    settling.settle_due()
    played = [factories.play_round(factories.table(code), factories.FOLDS) for code in ("T1", "T2", "T1")]
    with CaptureQueriesContext(connection) as asked:
        assert settling.settle_due() == 3
    assert [query["sql"].partition("(")[0] for query in asked] == [
        "SELECT * FROM lease_due",
        "SELECT * FROM read_rounds",
        "CALL settle_tables",
    ]
    assert settled(*played)


def test_what_the_database_refuses_at_one_table_keeps_no_other_from_being_settled(one, owner_connection):
    """A call for several tables ends where one is refused; what is left goes table by table."""
    rounds = [factories.play_round(factories.table(code), factories.FOLDS) for code in ("T1", "T2", "T3")]
    first, bad, last = sorted(rounds, key=lambda each: each.table_id)
    owner_connection.execute(
        f"ALTER TABLE payouts_settlement ADD CONSTRAINT none_of_it CHECK (table_key <> 'table:{bad.table_id}')"
    )
    try:
        assert settling.settle_due() == 2
    finally:
        owner_connection.execute("ALTER TABLE payouts_settlement DROP CONSTRAINT none_of_it")
    assert settled(first, last)
    assert untouched(bad)
    assert counts(bad) == [("CLOSED", 0, False, 1)]
    expire()
    assert settling.settle_due() == 1
    assert settled(bad)


def test_rounds_of_a_lost_lease_go_alone_and_are_settled(one):
    played = [factories.play_round(factories.table(code), factories.FOLDS) for code in ("T1", "T1", "T2")]
    assert len(settling.lease()) == 3
    assert counts(*played) == [("CLOSED", 1, False, 0)] * 3
    assert settling.lease() == []
    expire()
    assert len(settling.lease()) == 1
    assert sorted(counts(*played)) == [("CLOSED", 1, False, 0)] * 2 + [("CLOSED", 2, True, 0)]
    assert settling.settle_due() == 2
    assert sorted(counts(*played)) == [("CLOSED", 2, True, 0)] + [("SETTLED", 0, False, 0)] * 2


def lose(times, *rounds):
    """So many workers in a row take what is due and are lost with it."""
    for _ in range(times):
        assert settling.lease()
        expire()
    return counts(*rounds)


def test_eight_workers_lost_in_a_row_hold_no_healthy_round(one):
    """Nor do thirty: with a batch in their hands, and with the only round there is."""
    played = [factories.play_round(factories.table(code), factories.FOLDS) for code in ("T1", "T1", "T2")]
    assert {(status, failures) for status, _, _, failures in lose(8, *played)} == {("CLOSED", 0)}
    # The first is settled; only that counts against the other two, once, and they are next.
    assert settling.settle_due() == 1
    expire()
    assert settling.settle_due() == 2
    assert settled(*played)

    lonely = factories.play_round(one, factories.FOLDS)
    assert lose(30, lonely) == [("CLOSED", 30, True, 0)]
    assert settling.settle_due() == 1
    assert settled(lonely)
    assert not Entry.objects.filter(event="round.held").exists()


def test_a_round_lost_alone_waits_for_all_others_and_has_failed_once_they_are_settled(one):
    lost = factories.play_round(one, factories.FOLDS)
    lose(2)
    other = factories.play_round(one, factories.FOLDS)
    assert [due.round_id for due in settling.lease()] == [other.pk]
    assert settling._settle_table(one.pk, [other.pk]) == 1
    since = clock()
    assert settling.lease() == []
    assert counts(lost) == [("CLOSED", 1, False, 1)]
    lost.refresh_from_db()
    assert since <= lost.next_at - dt.timedelta(seconds=1) <= clock()
    # What broke a worker alone goes alone again, so that nobody else waits for it.
    third = factories.play_round(one, factories.FOLDS)
    expire()
    assert [due.round_id for due in settling.lease()] == [third.pk]
    assert [due.round_id for due in settling.lease()] == [lost.pk]
    expire()
    for last in (third, lost):
        assert settling.settle_due() == 1
        assert settled(last)
        expire()
    assert settled(lost, other, third)


def test_a_round_that_kills_every_worker_is_held_when_eight_others_went_past_it(one):
    killer = factories.play_round(one, factories.FOLDS)
    lose(1)
    for failures in range(1, 9):
        assert [due.round_id for due in settling.lease()] == [killer.pk]
        expire()
        lose(3)
        assert counts(killer)[0][3] == failures - 1
        other = factories.play_round(one, factories.FOLDS)
        assert [due.round_id for due in settling.lease()] == [other.pk]
        assert settling._settle_table(one.pk, [other.pk]) == 1
        assert settling.lease() == []
        assert counts(killer)[0][3] == failures
        expire()
    killer.refresh_from_db()
    assert killer.held_at is not None
    assert Entry.objects.get(event="round.held").subject == killer.ref
    assert untouched(killer)


def test_the_command_does_the_work_without_a_broker(one):
    played = factories.play_round(one, factories.FOLDS)
    assert "1 rounds settled" in stack.manage("settle", BROKER_URL="redis+socket:///nowhere/valkey.sock")
    assert settled(played)


@pytest.fixture
def worker(seeded_db, tmp_path):
    """A Celery worker on this test's database; gives its process once it takes messages."""
    told = tmp_path / "worker.log"
    options = ["--pool", "solo", "-Q", "settlement", "--without-gossip", "--without-mingle", "-l", "INFO"]
    with told.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "casino.celery", "worker", *options],
            cwd=stack.BASE_DIR,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        waiting.until(lambda: " ready." in told.read_text() or process.poll() is not None)
        assert process.poll() is None, told.read_text()
        yield process
    finally:
        process.terminate()
        try:
            process.wait(waiting.PATIENCE)
        finally:
            process.kill()


def test_closing_a_round_rings_and_a_worker_settles_it(worker):
    played = factories.play_round(factories.table("T1"))
    waiting.until(lambda: Round.objects.filter(pk=played.pk, status=Round.Status.SETTLED).exists())
    assert settled(played)
    assert Payment.objects.filter(settlement__round_key=played.ref).count() == 2


def test_doorbells_do_not_pile_up_while_no_worker_reads_them(one, tmp_path):
    """Neither those of closed rounds nor beat's; the next one rings again once they are read."""
    with app.connection_for_read() as connection:

        def lying(queue="settlement"):
            return bell.waiting(connection.default_channel, queue)

        connection.default_channel.queue_purge("settlement")
        beat = product.beat(log=tmp_path, env=dict(os.environ), schedule=tmp_path / "beat-schedule")
        beat.start()
        try:
            waiting.until(lying)
            connection.default_channel.queue_purge("settlement")
            waiting.until(lying)  # so beat goes on after a purge
            for _ in range(20):
                bell.send()
            factories.play_round(one, factories.FOLDS)
            # Beat goes on trying: as often as it rings the other bell, which is taken away each time.
            for _ in range(3):
                connection.default_channel.queue_purge("log")
                waiting.until(lambda: lying("log"))
        finally:
            beat.stop()
        assert lying() == bell.WAITING_AT_MOST
        connection.default_channel.queue_purge("settlement")
        assert bell.send()
        assert lying() == 1
        for queue in ("settlement", "log"):
            connection.default_channel.queue_purge(queue)


# The second close is timed: the first one of a process loads the broker's library. The bell's ringer waits for longer
# than a test does.
CLOSE_TWO = """
import sys, time, django
django.setup()
from casino import bell
from tests.support import factories, waiting
bell.WAIT_SECONDS = 2 * waiting.PATIENCE
for _ in range(2):
    opened = factories.open_round(factories.table(sys.argv[1]))
    factories.act_all(opened, factories.FOLDS)
    begun = time.monotonic()
    factories.close(opened)
print(f"closed without a broker in {time.monotonic() - begun:.3f} s")
"""


def test_a_broker_that_never_answers_makes_nobody_wait(one):
    """One that is not there, and one that takes connections and is silent until all is closed: whoever waited for it
    would not come to an end here."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        brokers = {
            "T1": "redis+socket:///nowhere/valkey.sock",
            "T2": f"redis://127.0.0.1:{port}/0",
            "T3": f"amqp://127.0.0.1:{port}//",
        }
        children = [
            subprocess.Popen(
                [sys.executable, "-c", CLOSE_TWO, code],
                cwd=stack.BASE_DIR,
                env=os.environ | {"BROKER_URL": url, "DJANGO_SETTINGS_MODULE": "casino.settings"},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for code, url in brokers.items()
        ]
        for child in children:
            output, told = child.communicate(timeout=waiting.PATIENCE)
            assert child.returncode == 0, told
            print(output)
    assert Round.objects.filter(status=Round.Status.CLOSED).count() == 6
    assert settling.settle_due() == 6
