"""Settlement is not broken by anything that the harness does, and the harness sees when it is."""

import io
import re

import pytest

from casino.running import trial
from tables.lab.faults import plan, run
from tables.lab.faults.verdict import Verdict
from tables.management.commands.seed_demo import OPENER

from ...payouts.test_books import tampered
from ...support import broken_settlers, factories, proof

AT = {lock.at: lock for lock in plan.LOCKS}


@pytest.fixture(scope="module")
def broken_stand(django_db_blocker):
    """A cluster with fsync and a broker that may be killed, shared by the runs of this module."""
    with trial.new_folder() as folder, django_db_blocker.unblock(), trial.Trial(folder) as started:
        yield started


def play(broken_stand, **wanted):
    told = io.StringIO()
    found = run.run(broken_stand, out=told, **wanted)
    return found, told.getvalue()


@pytest.mark.proof
@pytest.mark.parametrize(
    ("settler", "faults", "finding", "patience"),
    [
        (
            broken_settlers.PAYING_FIRST,
            # One may strike as rounds are leased, which locks the same rows, and before any money is paid.
            [plan.Fault(plan.KILLS[0], AT["marking rounds as settled"])] * 3,
            "settled twice, or settled without being marked so",
            {},
        ),
        (broken_settlers.NO_UNIQUE_KEY, [plan.Fault("doorbells doubled")], "settled twice", {}),
        # It never settles them: there is nothing to wait for.
        (broken_settlers.MESSAGE_ONLY, [plan.Fault("doorbells dropped")], "not settled: round:", {"patience": 3}),
    ],
    ids=["paying first", "no unique key", "message only"],
)
def test_a_broken_settler_is_caught(broken_stand, settler, faults, finding, patience):
    few = {"croupiers": [("T1", "G1")]} | patience
    found, told = play(broken_stand, rounds=12, seed=1, settler=settler, faults=faults, **few)
    assert any(finding in what for what in found), told
    assert "\nBROKEN: " in told


@pytest.mark.proof
def test_the_product_s_own_settlement_is_not_broken_by_these_faults_and_others(broken_stand):
    faults = [
        plan.Fault(plan.POISON),
        plan.Fault(plan.KILLS[0], AT["marking rounds as settled"]),
        plan.Fault("doorbells doubled"),
        plan.Fault("doorbells dropped"),
        plan.Fault(plan.KILLS[1], AT["writing entries"], delay_ms=5),
        plan.Fault("beat doubled"),
    ]
    found, told = play(broken_stand, rounds=30, seed=1, faults=faults)
    assert not found, told
    assert "Not broken: 30 rounds, 6 faults, " in told
    assert "settled exactly once, 1 held that could not be" in told
    assert chips(told)[0] > 0


def chips(told):
    """How many slips were received, and how many sessions closed and of these carried on."""
    words = r"(\d+) of \d+ slips were received and (\d+) sessions closed, (\d+) of them carried on"
    return [int(number) for number in re.search(words, told).groups()]


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("DELETE FROM tables_slip WHERE status = 'VOIDED'", "numbers of slips with a gap"),
        ("DELETE FROM audit_entry WHERE event = 'slip.received'", "not one entry for each step of a slip"),
        ("UPDATE tables_slip SET units = units + 5 WHERE status = 'ISSUED'", "chips are on their way that no slip"),
        ("UPDATE payouts_snapshot SET units = units + 5", "a table that is closed, or opens, and has chips"),
        ("UPDATE payouts_transfer SET units = units + 5 WHERE reason = 'fill'", "by its chips won something else"),
    ],
)
def test_what_is_wrong_with_chips_is_seen(seeded_db, statement, finding):
    one, two = factories.table("T1"), factories.table("T2")
    factories.receive(factories.issue(factories.slip(one)))
    factories.void_slip(factories.slip(one))
    factories.issue(factories.slip(two))
    factories.close_session(one, OPENER | {500: 140, 10000: 102})
    assert Verdict().now() == []
    tampered(seeded_db, statement)
    assert any(finding in what for what in Verdict().now())


def test_a_variance_is_seen_where_all_count_what_the_books_have(seeded_db):
    factories.close_session(factories.table("T1"), OPENER | {500: 99})
    wrong = Verdict().now()
    assert "a variance where two counted what the books have: session:1:variance:1" in wrong
    assert any("by its chips won something else" in what for what in wrong)


@pytest.mark.proof
@pytest.mark.parametrize("seed", [1, 2][: proof.size(2, 1)])
def test_thousands_of_rounds_are_not_broken(broken_stand, seed):
    found, told = play(broken_stand, rounds=proof.size(2000, 100), seed=seed)
    print(told)
    assert not found, told
    assert all(chips(told))


@pytest.mark.proof
def test_twice_what_the_worker_manages_is_drained(broken_stand):
    found, told = play(broken_stand, rounds=proof.size(100, 40), seed=1, offered=proof.size(30, 3))
    print(told)
    assert not found, told
    assert "nothing due" in told
