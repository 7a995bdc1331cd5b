"""Settlement is not broken by anything that the harness does, and the harness sees when it is."""

import io

import pytest

from casino.running import trial
from tables.lab.faults import plan, run

from ...support import broken_settlers, proof

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


@pytest.mark.parametrize(
    ("settler", "faults", "finding", "patience"),
    [
        (
            broken_settlers.PAYING_FIRST,
            [plan.Fault(plan.KILLS[0], AT["marking rounds as settled"])],
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


@pytest.mark.proof
@pytest.mark.parametrize("seed", [1, 2])
def test_thousands_of_rounds_are_not_broken(broken_stand, seed):
    found, told = play(broken_stand, rounds=proof.size(2000, 200), seed=seed)
    print(told)
    assert not found, told


@pytest.mark.proof
def test_twice_what_the_worker_manages_is_drained(broken_stand):
    found, told = play(broken_stand, rounds=100, seed=1, offered=proof.size(30, 10))
    print(told)
    assert not found, told
    assert "nothing due" in told
