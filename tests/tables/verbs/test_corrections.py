"""Corrections after close: the next line, and once settled the next generation; what stood before stays."""

import json

import pytest
from django.db import transaction
from django.db.models import Sum

from audit.models import Entry
from casino import adjudicate
from payouts.models import Account, Payment, Settlement, Transfer
from tables.management.commands.seed_demo import OPENER
from tables.models import Line, Round, Session
from tables.people import staff
from tables.verbs import corrections, dates, payments, results, settling, standing

from ...support import factories

# Box 1 wins 50.00 on its BET of 20.00 and box 2 loses 5.00.
FLUSH = {"boxes[0].cards": ["3s", "4s", "5s", "6s", "8s"]}
# A pair of threes is below the dealer's pair of nines: ANTE and BET of box 1 are lost.
PAIR_OF_THREES = {"boxes[0].cards": ["3s", "3d", "5s", "6s", "8s"]}


def paid(round_, generation):
    of = {"settlement__round_key": round_.ref, "settlement__generation": generation}
    return list(Payment.objects.filter(**of).order_by("box").values_list("box", "outcome", "net_units"))


def moved(round_):
    """What the table's float gained by the round, over all its generations."""
    made = Transfer.objects.filter(settlement__round_key=round_.ref)
    total = {side: made.filter(**{side: round_.table.float_account}).aggregate(sum=Sum("units"))["sum"] or 0
             for side in ("debit", "credit")}  # fmt: skip
    return total["debit"] - total["credit"]


def told(event, round_):
    return [json.loads(entry.body)["facts"] for entry in Entry.objects.filter(event=event, subject=round_.ref)]


def test_a_card_found_wrong_is_settled_as_the_next_generation(settled):
    before = list(Settlement.objects.values()), list(Payment.objects.values()), list(Transfer.objects.values())
    first = settled.settlement
    corrected = factories.correct(settled, PAIR_OF_THREES)
    assert (corrected.status, corrected.settlement.generation) == ("SETTLED", 2)
    assert paid(settled, 1) == [(1, "win_bet", 10000), (2, "fold", -500)]
    assert paid(settled, 2) == [(1, "lose", -3000), (2, "fold", -500)]
    assert moved(settled) == 3500
    for model, rows in zip((Settlement, Payment, Transfer), before, strict=True):
        kept = {row["id"]: row for row in model.objects.values()}
        assert all(kept[row["id"]] == row for row in rows), "what was written stays"
    assert corrected.settled_at == settled.settled_at
    reversals = Transfer.objects.filter(settlement=corrected.settlement, reason="reversal")
    assert {made.reverses_id for made in reversals} == set(first.transfers.values_list("id", flat=True))
    assert {made.key for made in reversals} == {
        f"{corrected.settlement.key}:r:{made.key}" for made in first.transfers.all()
    }


def test_the_log_says_what_was_changed_and_by_whom_and_settles_again_by_itself(settled):
    factories.correct(settled, PAIR_OF_THREES)
    (fact,) = told("round.corrected", settled)
    after = PAIR_OF_THREES["boxes[0].cards"]
    assert fact["changes"] == [{"path": "boxes[0].cards", "before": FLUSH["boxes[0].cards"], "after": after}]
    assert fact["requester"] == factories.person("anna").ref
    assert fact["approver"] == factories.person("clara").ref
    assert fact["clause"] == "split.33"
    assert "wagers" not in fact
    first, second = told("round.settled", settled)
    assert (first["generation"], second["generation"]) == (1, 2)
    assert "round" not in first
    assert second["round"] == fact["round"]
    line = json.dumps(fact["round"])
    assert adjudicate.answer(line.encode(), 1)[0] == {"id": settled.pk, **second["result"]}
    assert [made["key"] for made in second["transfers"]] == sorted(made["key"] for made in second["transfers"])


def test_a_correction_is_corrected_and_each_transfer_is_reversed_once(settled):
    factories.correct(settled, PAIR_OF_THREES)
    factories.correct(settled, FLUSH)
    factories.correct(settled, {"boxes[1].ruling": {"what": "void", "clause": "split.36"}}, clause="split.36")
    assert [paid(settled, generation)[0][2] for generation in (1, 2, 3, 4)] == [10000, -3000, 10000, 10000]
    assert paid(settled, 4)[1] == (2, "void", 0)
    assert moved(settled) == -10000
    reversed_ = Transfer.objects.filter(settlement__round_key=settled.ref, reason="reversal").values_list("reverses")
    assert len(set(reversed_)) == len(reversed_)
    newest = Settlement.objects.get(round_key=settled.ref, generation=4)
    still = Transfer.objects.filter(settlement__round_key=settled.ref, reversed_by=None).exclude(reason="reversal")
    assert set(still) == set(newest.transfers.exclude(reason="reversal"))
    assert list(Line.objects.filter(round=settled).values_list("ordinal", flat=True)) == [1, 2, 3, 4]


def test_a_stake_found_wrong_changes_what_follows_from_it(settled):
    corrected = factories.correct(settled, {"boxes[0].ante": 2000})
    wagers = json.loads(corrected.lines.last().wagers)
    assert [(wager["ordinal"], wager["kind"], wager["units"]) for wager in wagers if wager["box"] == 1] == [
        (1, "ante", 2000),
        (3, "bet", 4000),
    ]
    assert paid(settled, 2)[0] == (1, "win_bet", 20000)
    (fact,) = told("round.corrected", settled)
    assert fact["wagers"] == wagers


def test_a_round_ruled_void_after_close_gives_everything_back(settled):
    factories.correct(settled, {"void": {"clause": "split.36"}}, clause="split.36")
    assert [(outcome, net) for _, outcome, net in paid(settled, 2)] == [("void", 0), ("void", 0)]
    assert moved(settled) == 0


def test_a_closed_round_that_is_not_settled_yet_is_settled_once_by_its_newest_line(seeded_db):
    closed = factories.play_round(factories.table("T1"))
    factories.hold(closed)
    factories.correct(closed, PAIR_OF_THREES)
    assert not Settlement.objects.exists()
    factories.release(closed)
    settling.settle_due()
    (settlement,) = Settlement.objects.filter(round_key=closed.ref)
    assert (settlement.generation, settlement.line_ordinal) == (1, 2)
    assert told("round.settled", closed)[0]["round"] == told("round.corrected", closed)[0]["round"]
    assert paid(closed, 1)[0] == (1, "lose", -3000)


def test_a_correction_carries_the_day_of_the_tables_open_session(settled):
    other = Session.objects.get(table=settled.table, status="OPEN")
    assert factories.correct(settled, PAIR_OF_THREES).settlement.business_date == other.business_date
    factories.close_session(settled.table, OPENER)
    with transaction.atomic():
        staff.sign_on(staff=factories.person("anna"), table=settled.table, actor=factories.actor("clara"))
    assert factories.correct(settled, FLUSH).settlement.business_date == dates.business_date()


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({}, "nothing_changed", "changes"),
        (FLUSH, "nothing_changed", "changes"),
        ({"boxes[0].buys_game": False}, "nothing_changed", "changes"),
        ({"boxes[0].cards": ["9s", "4s", "5s", "6s", "8s"]}, "card_duplicate", "boxes[0].cards[0]"),
        ({"boxes[0].cards": ["3s", "4s", "5s", "6s"]}, "wrong_card_count", "boxes[0].cards"),
        ({"boxes[0].cards[4]": "Xx"}, "bad_card", "boxes[0].cards[4]"),
        ({"boxes[0].ante": 550}, "bad_field", "boxes[0].ante"),
        ({"boxes[0].ante": "1000"}, "bad_field", "boxes[0].ante"),
        ({"boxes[7].ante": 500}, "bad_field", "boxes[7].ante"),
        ({"chip": 1}, "bad_field", "chip"),
        ({"coefficients": None}, "bad_field", "coefficients"),
        ({"boxes[0].box": 2}, "bad_field", "boxes[0].box"),
        ({"id": 7}, "bad_field", "id"),
        ({"dealer.cards[0]": "Td"}, "bad_field", "dealer.small"),
    ],
)
def test_a_wrong_correction_is_refused_at_its_place(settled, changes, code, path):
    assert factories.refused(code, factories.correct, settled, changes).path == path
    assert Round.objects.get(pk=settled.pk).settlement.generation == 1


def test_a_correction_takes_two_people_a_clause_and_a_reason(settled):
    more = {"round_id": settled.pk, "line": 1, "changes": PAIR_OF_THREES}
    factories.refused(
        "same_person",
        corrections.correct,
        **more,
        actor=factories.actor("clara", "clara"),
        clause="split.33",
        reason="x",
    )
    more["actor"] = factories.actor("clara", "frank")
    factories.refused("clause_unknown", corrections.correct, **more, clause="split.21", reason="x")
    factories.refused("reason_missing", corrections.correct, **more, clause="split.33", reason="  ")
    more["line"] = 2
    refusal = factories.refused("stale_version", corrections.correct, **more, clause="split.33", reason="x")
    assert (refusal.path, refusal.detail) == ("line", {"line": 1})


def test_before_close_there_is_nothing_to_correct(seeded_db):
    opened = factories.open_round(factories.table("T1"))
    factories.refused("round_wrong_moment", factories.correct, opened, FLUSH)


def test_a_box_that_was_never_ticked_is_owed_the_whole_payment_however_often_it_is_corrected(settled):
    for changes in (None, PAIR_OF_THREES, FLUSH):
        if changes:
            settled = factories.correct(settled, changes)
        assert [pay.difference for pay in results.of(settled).payments] == [None, 0]
    tick(settled, 1)
    # Box 1 has the whole payment of generation 3 now: nothing was handed over before it.
    assert [pay.difference for pay in results.of(settled).payments] == [None, 0]
    corrected = factories.correct(settled, PAIR_OF_THREES)
    assert [pay.difference for pay in results.of(corrected).payments] == [-13000, 0]


def test_the_difference_counts_from_what_was_ticked_last(settled):
    tick(settled, 1)
    corrected = factories.correct(settled, PAIR_OF_THREES)
    assert [pay.difference for pay in results.of(corrected).payments] == [-13000, 0]
    tick(corrected, 1)
    tick(corrected, 2)
    assert [pay.difference for pay in results.of(factories.correct(settled, FLUSH)).payments] == [13000, 0]


def tick(round_, box):
    with transaction.atomic():
        generation = results.of(round_).generation
        payments.tick(
            standing=standing.locked(round_.pk), actor=factories.actor("anna"), box=box, generation=generation
        )


def test_a_box_is_ticked_once_for_each_generation(settled):
    who = {"round_id": settled.pk, "actor": factories.actor("anna"), "box": 1}
    tick(settled, 1)
    assert [pay.ticked for pay in results.of(settled).payments] == [True, False]
    (fact,) = told("payment.ticked", settled)
    assert (fact["generation"], fact["box"]) == (1, 1)
    factories.refused("ticked_already", payments.tick, **who, generation=1)
    factories.refused("box_unknown", payments.tick, **who | {"box": 5}, generation=1)
    corrected = factories.correct(settled, PAIR_OF_THREES)
    assert [pay.ticked for pay in results.of(corrected).payments] == [False, False]
    factories.refused("stale_version", payments.tick, **who, generation=1)
    tick(corrected, 1)


def test_nothing_is_ticked_before_it_is_settled(seeded_db):
    closed = factories.play_round(factories.table("T1"))
    who = {"round_id": closed.pk, "actor": factories.actor("anna"), "box": 1, "generation": 1}
    factories.refused("round_wrong_moment", payments.tick, **who)


def test_all_balances_together_stay_zero(settled):
    for changes in (PAIR_OF_THREES, FLUSH, {"void": {"clause": "split.36"}}):
        factories.correct(settled, changes, clause="split.36")
        assert sum(Account.objects.with_balance().values_list("balance_units", flat=True)) == 0
