"""What an outsider needs is in the log: chains, results, payments and transfers recomputed from the entries alone."""

import json
from collections import Counter

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from audit import log
from audit.models import Entry
from casino.games import registry
from casino.games.game import Action, Wager
from casino.models import Staff
from payouts.models import Account, Payment, Transfer
from tables import rounds, rulesheets, settling
from tables.models import Round, Table
from tests import play
from tests.audit.test_log import verify


def enter(table, actions):
    """Play actions through the verbs, close, and give the round."""
    anna = Staff.objects.get(login="anna")
    with transaction.atomic():
        opened = rounds.open_round(table_id=table.pk, by=anna)
    for version, (kind, box, arguments) in enumerate(actions):
        with transaction.atomic():
            rounds.act(round_id=opened.pk, version=version, kind=kind, box=box, arguments=arguments, by=anna)
    with transaction.atomic():
        return rounds.close(round_id=opened.pk, version=len(actions), by=anna)


def recompute(bodies):
    """Replay entries with the pure core alone: sheets, rounds, results.

    :returns: payments as (round, generation, box, outcome, staked, returned, paid, net), and transfers as
        (key, debit, credit, units, reason).
    """
    sheets, started, states, lines, stakes = {}, {}, {}, {}, {}
    payments, transfers = set(), set()
    for body in bodies:
        told = json.loads(body)
        subject, facts = told["subject"], told["facts"]
        match told["event"]:
            case "sheet.published":
                assert log.digest(log.canonical(facts["rules"])) == facts["sheet"]
                sheets[facts["sheet"]] = log.canonical(facts["rules"])
            case "round.opened":
                game = registry.GAMES[facts["game"]]
                started[subject] = (game, facts["sheet"])
                states[subject] = game.start(rulesheets.from_rules(sheets[facts["sheet"]]), (), None)
            case "round.acted":
                arguments = dict(facts["arguments"])
                action = Action(facts["kind"], arguments.pop("box", None), arguments)
                states[subject] = started[subject][0].act(states[subject], action)
            case "round.closed":
                game, _ = started[subject]
                assert facts["round"] == {"id": int(subject.split(":")[1]), **game.facts(states[subject])}
                assert facts["wagers"] == [wager._asdict() for wager in game.view(states[subject]).wagers]
                lines[subject], stakes[subject] = facts["round"], [Wager(**wager) for wager in facts["wagers"]]
            case "movement.made":
                transfers.add(tuple(facts["transfer"][name] for name in ("key", "debit", "credit", "units", "reason")))
            case "round.settled":
                game, sheet = started[subject]
                assert facts["sheet"] == sheet
                read = game.read(facts.get("round", lines[subject]))
                result = game.settle(read)
                assert facts["result"] == result
                pays = game.pay(read, result, stakes[subject], rulesheets.from_rules(sheets[sheet]), None)
                paid, moved = _settled(told, pays, game.outcomes(result))
                assert facts["payments"] == paid
                assert facts["transfers"] == moved
                payments |= {(subject, facts["generation"], *row.values()) for row in paid}
                transfers |= {tuple(row.values()) for row in moved}
    return payments, transfers


def _settled(told, pays, outcomes):
    """Payments and transfers as the log should have them, worked out another way than settling does."""
    table = told["chain"]
    staked, returned, paid = Counter(), Counter(), Counter()
    moved = []
    for pay in pays:
        staked[pay.box] += pay.stake_units
        returned[pay.box] += pay.returned_units
        paid[pay.box] += pay.paid_units
        gain = pay.returned_units + pay.paid_units - pay.stake_units
        ends = [f"patrons:{table}", f"float:{table}"]
        if gain:
            debit, credit = ends if gain > 0 else reversed(ends)
            key = f"{told['subject']}:{told['facts']['generation']}:{pay.ordinal}"
            moved.append({"key": key, "debit": debit, "credit": credit, "units": abs(gain), "reason": "wager"})
    rows = [
        {
            "box": box,
            "outcome": outcome,
            "staked": staked[box],
            "returned": returned[box],
            "paid": paid[box],
            "net": returned[box] + paid[box] - staked[box],
        }
        for box, outcome, _ in outcomes
    ]
    return rows, sorted(moved, key=lambda row: row["key"])


def play_and_recompute(rounds_played):
    """Play random rounds, settle each, and hold what the database has against what its log alone gives."""
    table = Table.objects.get(code="T1")
    game = registry.GAMES["split"]
    start = game.start(rulesheets.checked(rulesheets.in_force(table)), (), None)

    @settings(max_examples=rounds_played, deadline=None, database=None)
    @given(data=st.data())
    def play_one(data):
        closed = enter(table, play.finish(data.draw, game, start, rulings=True).actions)
        assert settling.settle_due() == 1
        closed.refresh_from_db()
        assert closed.status == Round.Status.SETTLED

    play_one()
    assert verify("house") > 0
    assert verify(table.ref) > 0
    payments, transfers = recompute(Entry.objects.order_by("id").values_list("body", flat=True))
    columns = ("box", "outcome", "staked_units", "returned_units", "paid_units", "net_units")
    stored = Payment.objects.values_list("settlement__round_key", "settlement__generation", *columns)
    assert set(stored) == payments
    stored = Transfer.objects.select_related("debit", "credit")
    assert {(t.key, t.debit.ref, t.credit.ref, t.units, t.reason) for t in stored} == transfers
    assert sum(account.balance_units for account in Account.objects.with_balance()) == 0
    return len(payments), len(transfers)


def test_everything_follows_from_the_log_alone(seeded_db):
    payments, transfers = play_and_recompute(12)
    assert payments > 0
    assert transfers > 0


@pytest.mark.proof
def test_a_thousand_rounds_follow_from_the_log_alone(seeded_db):
    payments, transfers = play_and_recompute(1000)
    print(f"\n1,000 rounds: {payments} payments and {transfers} transfers recomputed from the log, 0 differences")
