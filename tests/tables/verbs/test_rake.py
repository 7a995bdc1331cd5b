"""The rake of a pot: it lies in its table's slot, is counted with the closer and apart from it, and is in no win."""

import pytest

from audit.models import Entry
from payouts import ledger, winning
from payouts.models import Movement, Snapshot, Transfer
from tables.verbs import sessions, settling

from ...support import evening, factories
from ...support.factories import close_session, person, refused
from .test_sessions import amounts, events, held, won

OPENER = {100: 100}
_, DEALT = evening.evening("genpoker")


def pot_table():
    """A table of Genpoker at which half of the pot is the house's, opened with 100 chips of 1.00."""
    return factories.table_of("genpoker", evening.evening("genpoker")[0] | {"rake_percent": 50, "rake_cap": None})


def played(table, dealt=DEALT[0]):
    """A round of the evening, closed and due."""
    opened = factories.open_round(table, dealt.seats)
    for action in dealt.actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    return factories.close(opened)


def settled(table, dealt=DEALT[0]):
    closed = played(table, dealt)
    settling.settle_due()
    return closed


@pytest.fixture
def pot(seeded_db):
    return pot_table()


def slot(table):
    return held("rake", table.ref)


def rake_of(round_):
    (units,) = Transfer.objects.filter(settlement__round_key=round_.ref, reason="rake", reversed_by=None).values_list(
        "units", flat=True
    )
    return units


def test_the_rake_of_a_round_goes_into_the_slot_of_its_table_and_not_to_the_house(pot):
    rake = rake_of(settled(pot))
    assert rake > 0
    assert (slot(pot), held("rake"), held("pot", pot.ref)) == (rake, 0, 0)
    transfer = Transfer.objects.get(reason="rake")
    assert (transfer.debit, transfer.credit) == (pot.rake_account, pot.pot_account)


@pytest.mark.parametrize("off", [0, 300, -100])
def test_the_slot_is_counted_with_the_closer_and_what_it_differs_by_is_a_variance_of_its_own(pot, off):
    rake = rake_of(settled(pot))
    cage, variance = held("cage"), held("variance")
    closed = close_session(pot, OPENER | {100: 102}, rake={100: (rake + off) // 100})
    assert (slot(pot), held("float", pot.ref)) == (0, 0)
    assert held("cage") == cage + 10200 + rake + off
    assert held("variance") == variance - 200 - off
    assert amounts(closed) == {"opener": 10000, "closer": 10200, "variance": 200, "rake": rake + off}
    assert ledger.rake_variance(closed.ref) == off
    movement = Movement.objects.get(subject=closed.ref, kind="rake")
    assert (movement.key, movement.denominations) == (f"{closed.ref}:rake:1", {"100": (rake + off) // 100})
    assert Snapshot.objects.get(account=pot.rake_account).units == 0


def test_the_rake_is_in_no_win_and_a_win_at_a_pot_is_the_closer_s_variance_alone(pot):
    for dealt in DEALT[:3]:
        settled(pot, dealt)
    rake = slot(pot)
    closed = close_session(pot, OPENER | {100: 97}, rake={100: rake // 100 + 1})
    moved = ledger.movement_units(closed.ref)
    win = winning.win(winning.Chips(moved["opener"], moved["fill"], moved["credit"], moved["drop"], moved["closer"]))
    assert win.units == won(closed) + moved["variance"] == moved["variance"] == -300
    assert won(closed) == 0
    assert moved["rake"] == rake + ledger.rake_variance(closed.ref) == rake + 100


def test_the_log_says_both_counts_in_one_breath_and_what_two_signed_for(pot):
    rake = rake_of(settled(pot))
    closed = close_session(pot, OPENER, rake={100: rake // 100 - 1})
    told = [(event, facts.get("part") or facts.get("kind")) for event, facts in events(pot)[:12]]
    assert told[::-1] == [
        ("session.stopped", None),
        ("count.entered", "rake"),
        ("count.entered", "closer"),
        ("count.entered", "rake"),
        ("count.entered", "closer"),
        ("count.agreed", "closer"),
        ("count.agreed", "rake"),
        ("staff.signed_off", None),
        ("movement.made", "closer"),
        ("movement.made", "variance"),
        ("movement.made", "rake"),
        ("session.closed", None),
    ]
    agreed = next(facts for event, facts in events(pot) if event == "count.agreed" and facts["part"] == "rake")
    assert (agreed["expected"], agreed["variance"], agreed["units"]) == (rake, -100, rake - 100)
    closer = next(facts for event, facts in events(pot) if event == "count.agreed" and facts["part"] == "closer")
    assert (closer["variance"], closer["reason"]) == (0, agreed["reason"])
    assert set(events(pot)[0][1]) == {"business_date", "denominations", "signers", "variance", "expected"}
    assert Entry.objects.filter(event="movement.made", chain=pot.ref).count() == 4
    assert closed.closer_reason == "Counted twice."


def test_an_empty_slot_is_closed_too_and_a_difference_above_the_setting_wants_a_reason(pot):
    rake = rake_of(settled(pot))
    factories.set_setting(rake - 1)
    stopped = factories.stop_session(pot)
    for login in ("anna", "clara"):
        factories.count_session(stopped, OPENER, by=login, rake={})
    stands = sessions.standing(stopped)
    assert (stands.equal, stands.expected_rake) == (True, rake)
    assert refused("reason_missing", factories.sign_session, stopped, signed_with="anna").path == "reason"
    factories.set_setting(rake)
    factories.sign_session(stopped, signed_with="anna")
    assert (slot(pot), ledger.rake_variance(stopped.ref)) == (0, -rake)
    assert "rake" not in amounts(stopped)


def test_where_no_rake_moved_the_slot_is_not_counted(seeded_db):
    one = factories.table("T1")
    factories.settled_round(one)
    stopped = factories.stop_session(one)
    assert not sessions.standing(stopped).asks_rake
    refusal = refused("rake_surplus", factories.count_session, stopped, OPENER, by="anna", rake={100: 1})
    assert (refusal.status, refusal.path) == (422, "rake")
    factories.count_session(stopped, OPENER, by="anna")


def test_where_rake_moved_both_count_the_slot(pot):
    settled(pot)
    stopped = factories.stop_session(pot)
    for login in ("anna", "clara"):
        refusal = refused("rake_missing", factories.count_session, stopped, OPENER, by=login)
        assert (refusal.status, refusal.path) == (422, "rake")
        assert refused("chip_unknown", factories.count_session, stopped, OPENER, by=login, rake={7: 1}).path == "rake.7"
        factories.count_session(stopped, OPENER, by=login, rake={100: 1})


def test_equal_are_two_who_counted_both_parts_the_same_and_a_pit_boss_says_whose_both_stand(pot):
    rake = rake_of(settled(pot)) // 100
    stopped = factories.stop_session(pot)
    for attempt in (1, 2):
        factories.count_session(stopped, OPENER, by="anna", rake={100: rake})
        factories.count_session(stopped, OPENER | {100: 99}, by="clara", rake={100: rake + 1})
        if attempt == 1:
            refused("counts_differ", factories.sign_session, stopped, signed_with="anna", place=1)
    factories.sign_session(stopped, signed_with="anna", place=2, reason="The camera shows it.")
    assert amounts(stopped) == {"opener": 10000, "closer": 9900, "variance": -100, "rake": 100 * rake + 100}
    assert ledger.rake_variance(stopped.ref) == 100


def test_two_who_differ_in_the_slot_alone_differ(pot):
    settled(pot)
    stopped = factories.stop_session(pot)
    factories.count_session(stopped, OPENER, by="anna", rake={100: 1})
    factories.count_session(stopped, OPENER, by="clara", rake={100: 2})
    assert not sessions.standing(stopped).equal
    differ = refused("counts_differ", factories.sign_session, stopped, signed_with="anna")
    assert differ.way_out == "Have both people count it again."


def test_a_table_that_goes_on_counts_its_slot_anew(pot):
    first = rake_of(settled(pot))
    stopped = factories.stop_session(pot)
    factories.count_session(stopped, OPENER, by="anna", rake={100: 1})
    factories.resume_session(pot)
    rake = first + rake_of(settled(pot, DEALT[1]))
    stopped = factories.stop_session(pot)
    for login in ("anna", "clara"):
        factories.count_session(stopped, OPENER, by=login, rake={100: rake // 100})
    factories.sign_session(stopped, signed_with="anna")
    assert ledger.rake_variance(stopped.ref) == 0


def test_each_session_s_slot_begins_empty_and_what_a_correction_of_an_earlier_one_takes_the_cage_gives(pot):
    earlier = settled(pot)
    assert rake_of(earlier) > 0
    close_session(pot, OPENER)
    factories.void_later(earlier)
    assert slot(pot) == 0
    factories.open_session(pot, OPENER)
    stopped = factories.stop_session(pot)
    stands = sessions.standing(stopped)
    assert stands.asks_rake
    factories.resume_session(pot)
    closed = close_session(pot, OPENER, rake={})
    assert (slot(pot), ledger.rake_variance(closed.ref)) == (0, 0)
    factories.open_session(pot, OPENER)
    assert not sessions.standing(factories.stop_session(pot)).asks_rake


def test_rake_that_moves_after_both_counted_without_it_is_counted_before_anybody_signs(pot):
    """A correction comes while the table closes: the slot was not to be counted before it, and is now."""
    earlier = settled(pot)
    close_session(pot, OPENER)
    factories.open_session(pot, OPENER)
    stopped = factories.stop_session(pot)
    factories.count_session(stopped, OPENER, by="anna")
    factories.void_later(earlier)
    # The second counts what the first did.
    assert not sessions.standing(stopped).asks_rake
    factories.count_session(stopped, OPENER, by="clara")
    stands = sessions.standing(stopped)
    assert (stands.equal, stands.lacks_rake, stands.asks_rake) == (True, True, True)
    uncounted = refused("rake_uncounted", factories.sign_session, stopped, signed_with="anna")
    assert uncounted.way_out == "Have both people count again, the rake slot too."
    for login in ("anna", "clara"):
        factories.count_session(stopped, OPENER, by=login, rake={})
    factories.sign_session(stopped, signed_with="anna", reason="A round of yesterday is void.")
    assert slot(pot) == 0


def test_a_correction_of_an_old_round_takes_back_the_house_s_rake_and_fills_the_table_s_slot(pot):
    old = factories.settled_before_slots(played(pot))
    rake = rake_of(old)
    assert (held("rake"), slot(pot)) == (rake, 0)
    # The slot is not counted for what went elsewhere.
    closed = close_session(pot, OPENER)
    assert amounts(closed) == {"opener": 10000, "closer": 10000}
    factories.open_session(pot, OPENER)
    factories.void_later(old)
    assert (held("rake"), slot(pot)) == (0, 0)
    facts = next(facts for event, facts in events(pot) if event == "round.settled" and facts["generation"] == 2)
    (back,) = (each for each in facts["transfers"] if each["key"].endswith(":rake"))
    assert (back["debit"], back["credit"], back["reason"]) == (pot.pot_account.ref, "rake:house", "reversal")


def test_the_people_who_count_and_sign_are_named_by_the_movement(pot):
    settled(pot)
    closed = close_session(pot, OPENER)
    movement = Movement.objects.get(subject=closed.ref, kind="rake")
    assert (movement.requested_by, movement.approved_by) == (person("clara"), person("hugo"))
    assert movement.business_date == closed.business_date
