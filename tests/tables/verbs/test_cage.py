"""Shifts of the cage: chips issued, sold and cashed, the count that ends one, and the chips in circulation."""

import json

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.models import Entry
from casino.models import ChipSet
from casino.money import spell
from payouts import circulation, ledger
from payouts.models import Account, Movement, Transfer
from tables.models import CageShift, Count
from tables.verbs import cage, counts

from ...support import factories, proof, stack
from ...support.factories import actor, count_cage, in_session, move_chips, refused, sign_cage, table

pytestmark = pytest.mark.usefixtures("seeded_db")
ISSUED = {100: 20_000, 500: 10_000, 2500: 5_000, 10000: 4_000, 50000: 1_000, 100000: 500}


def held(kind):
    return ledger.balances().get(kind, 0)


def in_cage():
    """Chips that come to what the books have in the cage."""
    return {"100": held("cage") // 100 % 100_000, "100000": held("cage") // 10_000_000 * 100}


def facts_of(event):
    entry = Entry.objects.filter(event=event).latest("pk")
    return entry.chain_id, json.loads(entry.body)["facts"]


def in_circulation():
    return circulation.circulation(ledger.holdings()).units


def test_the_demo_s_chips_are_issued_to_the_cage_and_none_is_in_circulation_before_the_first_bet():
    openers = ledger.balances()["float"]
    assert held("issued") == -counts.worth(ISSUED)
    assert held("cage") == counts.worth(ISSUED) - openers > 0
    assert in_circulation() == 0
    chain, facts = facts_of("cage.opened")
    assert (chain, set(facts)) == ("house", {"business_date"})


def test_chips_are_sold_for_cash_and_cashed_in_totals_of_the_shift():
    before = held("cage")
    sold = move_chips("sold", units=250_050)
    move_chips("sold", {"100000": 2, "100": 3})
    move_chips("cashed", units=90_000)
    shift = cage.running()
    assert cage.totals(shift) == {"issued": counts.worth(ISSUED), "withdrawn": 0, "sold": 450_350, "cashed": 90_000}
    assert (held("cash"), held("cage"), in_circulation()) == (360_350, before - 360_350, 360_350)
    assert (sold.key, sold.denominations) == (f"cage_shift:{shift.pk}:sold:1", {"1": 250_050})
    chain, facts = facts_of("movement.made")
    assert (chain, facts["kind"], facts["people"]) == ("house", "cashed", [actor("hugo").ref, actor("clara").ref])
    assert facts["transfer"] | {"debit": "cage:house", "credit": "cash:house", "units": 90_000} == facts["transfer"]


def test_chips_that_are_taken_out_of_use_are_in_circulation_no_more_nor_in_the_cage():
    move_chips("issued", {"500": 100})
    move_chips("withdrawn", {"500": 40})
    assert held("issued") == -counts.worth(ISSUED) - 30_000
    assert in_circulation() == 0


def test_what_moves_is_chips_or_of_chips_sold_and_cashed_a_sum_and_takes_two():
    shift = cage.running().pk
    by_two = actor("hugo", "clara")

    def try_to(code, path, **more):
        more = {"kind": "sold", "actor": by_two} | more
        assert refused(code, cage.move, shift_id=shift, **more).path == path

    try_to("amount_wrong", "denominations")
    try_to("amount_wrong", "denominations", units=5, denominations={"100": 1})
    try_to("amount_wrong", "denominations", kind="issued", units=5)
    try_to("amount_wrong", "denominations", denominations={"100": 0})
    try_to("amount_wrong", "units", units=0)
    try_to("amount_wrong", "units", units=-5)
    try_to("chip_unknown", "denominations.7", denominations={"7": 1})
    try_to("count_wrong", "denominations.100", denominations={"100": -1})
    try_to("kind_unknown", "kind", kind="variance", units=5)
    try_to("same_person", "signature", units=5, actor=actor("hugo"))
    try_to("same_person", "signature", units=5, actor=actor("hugo", "hugo"))


def test_no_more_moves_at_once_than_one_transfer_carries_though_the_cage_holds_more():
    ChipSet.objects.create(name="Plaques", denominations=[10**8], colours=["#22272b"])
    shift, by_two = cage.running(), actor("hugo", "clara")
    for kind in cage.KINDS:
        chips = {"100": 1, str(10**8): 10_000}
        refusal = refused("count_wrong", cage.move, shift_id=shift.pk, kind=kind, denominations=chips, actor=by_two)
        assert (refusal.status, refusal.path) == (422, "denominations")
        assert f"worth {spell(10**12 + 100, 2)}, and at most {spell(10**12, 2)}" in refusal.message
        assert refusal.way_out
    for _ in range(2):
        move_chips("issued", {str(10**8): 10_000})
    lacking = in_cage() | {"100000": 0, str(10**8): held("cage") // 10**8 - 10_000 - 1}
    for chips in (lacking, lacking | {str(10**8): held("cage") // 10**8}):
        for by in ("olga", "hugo"):
            count_cage(chips, by=by)
        if chips == lacking:
            refusal = refused("amount_wrong", cage.sign, shift_id=shift.pk, reason="x", actor=actor("hugo", "olga"))
            assert (refusal.status, "one transfer carries at most" in refusal.message) == (422, True)
            move_chips("sold", {"100": 1})
    assert sign_cage(reason="Counted anew.").status == "CLOSED"


def test_one_shift_is_open_at_a_time():
    shift = cage.running()
    assert refused("shift_open", cage.open_shift, actor=actor("hugo")).detail == {"shift": shift.pk}
    close()
    assert cage.running() is None
    refused("shift_closed", cage.move, shift_id=shift.pk, kind="sold", units=5, actor=actor("hugo", "clara"))
    refused("shift_closed", cage.count, shift_id=shift.pk, denominations={}, actor=actor("hugo"))
    refused("shift_closed", cage.sign, shift_id=shift.pk, actor=actor("hugo", "olga"))
    following = factories.cage_shift()
    assert facts_of("cage.opened")[1]["after"] == shift.ref
    assert following.pk != shift.pk


def test_two_of_many_who_open_one_at_once_get_one():
    close()

    def begin():
        with transaction.atomic():
            return cage.open_shift(actor=actor("hugo"))

    done = factories.at_once(begin, begin)
    assert CageShift.objects.filter(status="OPEN").count() == 1
    assert sorted(type(each).__name__ for each in done) == ["CageShift", "Refused"]


def close(chips=None, **signed):
    chips = in_cage() if chips is None else chips
    for by in ("olga", "hugo"):
        count_cage(chips, by=by)
    return sign_cage(**signed)


def test_two_count_the_same_and_the_shift_closes_without_variance():
    chips = in_cage()
    first = count_cage(chips, by="olga")
    stands = cage.standing(cage.running())
    assert (len(first), stands.both, stands.expected) == (1, False, None)
    assert cage.is_blind(cage.running())
    count_cage(chips, by="hugo")
    assert cage.standing(cage.running()).expected == held("cage")
    assert not cage.is_blind(cage.running())
    shift = sign_cage()
    assert (shift.status, shift.variance_units, shift.reason) == ("CLOSED", 0, "")
    chain, facts = facts_of("cage.closed")
    assert (chain, facts["variance"], facts["expected"]) == ("house", 0, held("cage"))
    assert facts["signers"] == [actor("hugo").ref, actor("olga").ref]
    for event in ("count.entered", "count.agreed", "cage.count_begun"):
        assert facts_of(event)[0] == "house"
    assert not Movement.objects.filter(kind="variance").exists()


@pytest.mark.parametrize("off", [-300, 500])
def test_what_is_counted_above_or_below_the_books_is_the_shift_s_variance(off):
    before = held("cage")
    chips = in_cage() | {"100": in_cage()["100"] + off // 100}
    for by in ("olga", "hugo"):
        count_cage(chips, by=by)
    refused("reason_missing", cage.sign, shift_id=cage.running().pk, actor=actor("hugo", "olga"))
    shift = sign_cage(reason="A stack was counted wrong yesterday.")
    assert shift.variance_units == off
    assert (held("cage"), held("variance")) == (before + off, -off)
    transfer = Transfer.objects.get(reason="variance")
    assert (transfer.units, transfer.debit.kind == "cage") == (abs(off), off > 0)
    # Chips that are missing are somebody's, chips too many nobody's.
    assert in_circulation() == -off


def test_within_what_the_house_lets_pass_no_reason_is_asked():
    factories.set_setting(500, name="cage_variance_units")
    chips = in_cage() | {"100": in_cage()["100"] - 5}
    assert close(chips).variance_units == -500


def test_counts_that_differ_are_made_again_and_then_one_of_the_two_stands():
    shift, right = cage.running(), in_cage()
    wrong = right | {"100": right["100"] + 1}
    for _ in range(2):
        count_cage(right, by="olga")
        count_cage(wrong, by="hugo")
        by_two = actor("hugo", "clara")
        if cage.standing(shift).decides:
            break
        shift.refresh_from_db()
        refused("counts_differ", cage.sign, shift_id=shift.pk, place=1, reason="x", actor=by_two)
    refused("counted_twice", cage.count, shift_id=shift.pk, denominations=right, actor=actor("olga"))
    refused("place_missing", cage.sign, shift_id=shift.pk, reason="x", actor=by_two)
    refused("reason_missing", cage.sign, shift_id=shift.pk, place=1, actor=by_two)
    closed = sign_cage(place=1, reason="Counted with the camera.", signed_with="clara")
    assert (closed.denominations, closed.variance_units) == ({k: v for k, v in right.items() if v}, 0)


def test_one_person_counts_once_and_nothing_is_signed_for_before_two_have():
    shift = cage.running()
    refused("count_missing", cage.sign, shift_id=shift.pk, actor=actor("hugo", "olga"))
    count_cage(in_cage(), by="hugo")
    refused("counted_already", cage.count, shift_id=shift.pk, denominations=in_cage(), actor=actor("hugo"))
    refused("count_missing", cage.sign, shift_id=shift.pk, actor=actor("hugo", "olga"))
    refused("same_person", cage.sign, shift_id=shift.pk, actor=actor("hugo", "hugo"))
    refused("chip_unknown", cage.count, shift_id=shift.pk, denominations={"7": 1}, actor=actor("olga"))


def test_chips_that_move_between_the_two_counts_let_them_begin_anew():
    chips = in_cage()
    count_cage(chips, by="olga")
    move_chips("sold", {"100": 5})
    assert not cage.standing(cage.running()).entered
    refused("count_missing", cage.sign, shift_id=cage.running().pk, actor=actor("hugo", "olga"))
    # The second person's count is the first of the new attempt.
    (begun,) = count_cage(in_cage(), by="hugo")
    assert (begun.attempt, begun.place) == (2, 1)
    count_cage(in_cage(), by="olga")
    assert sign_cage().variance_units == 0
    assert Count.objects.filter(part="cage").count() == 3


def test_chips_that_move_once_both_have_counted_are_no_variance():
    chips, before = in_cage(), held("cage")
    for by in ("olga", "hugo"):
        count_cage(chips, by=by)
    factories.issue(factories.slip(table("T1")))
    shift = sign_cage()
    assert (shift.expected_units, shift.variance_units, held("cage")) == (before, 0, before - 40_000)


def test_a_house_that_issued_nothing_has_no_figure_of_circulation(seeded_db):
    assert circulation.circulation(circulation.Holdings(None, cage=-5, floats=5)) == (
        None,
        "The house hasn’t said how many chips it issued.",
    )
    assert ledger.holdings().issued == 159_500_000
    with stack.cluster().connect(database=seeded_db) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute("ALTER TABLE payouts_transfer DISABLE TRIGGER USER")
        superuser.execute("DELETE FROM payouts_transfer WHERE reason = 'issued'")
    connection.close()
    assert ledger.holdings().issued is None


@settings(max_examples=proof.examples(25))
@given(
    st.lists(
        st.tuples(st.sampled_from(["issued", "withdrawn", "sold", "cashed", "fill", "variance"]), st.integers(1, 400)),
        max_size=8,
    )
)
def test_in_circulation_is_what_was_issued_and_lies_nowhere_and_what_patrons_paid_and_won(steps):
    """The law of circulation, whatever moves: two ways lead to the same figure, exact to the unit."""
    with transaction.atomic():
        in_session(table("T1"), {100: 100})
        expected = in_circulation()
        for kind, number in steps:
            if kind == "fill":
                factories.receive(factories.issue(factories.slip(table("T1"), "fill", {"100": number})))
            elif kind == "variance":
                chips = {"100": max(0, held("cage") // 100 - 1) % 100_000, "100000": held("cage") // 10_000_000 * 100}
                off = counts.worth(chips) - held("cage")
                close(chips, reason="A chip is missing.")
                expected -= off
            else:
                move_chips(kind, {"100": number})
                expected += {"sold": 100 * number, "cashed": -100 * number}.get(kind, 0)
            assert in_circulation() == expected == circulation.took(ledger.balances())
        assert sum(ledger.balances().values()) == 0
        transaction.set_rollback(True)


def test_the_accounts_of_the_house_are_all_there():
    assert {account.kind for account in Account.objects.filter(owner="house")} == set(Account.OF_THE_HOUSE)
