"""Entries taken back and entered again before close: they stay in the list and in the log, and count no more."""

import json

import pytest

from audit.models import Entry
from tables.models import Action, Box, Hand, Wager
from tables.verbs import fold, rounds

from ...support import factories

ANTES = (("ante", 1, {"units": 1000}), ("ante", 2, {"units": 500}))
DECIDED = factories.FLUSH_WINS[:6]
REVEALED = factories.FLUSH_WINS[:7]


@pytest.fixture
def opened(seeded_db):
    return factories.open_round(factories.table("T1"))


def rows(round_):
    """What stands in the tables for queries and people."""
    return (
        [(wager.ordinal, wager.box, wager.kind, wager.units) for wager in Wager.objects.filter(round=round_)],
        [(box.number, box.state) for box in Box.objects.filter(round=round_)],
        sorted((hand.kind, hand.box or 0, tuple(hand.cards)) for hand in Hand.objects.filter(round=round_)),
    )


def told(round_, ordinal):
    entries = Entry.objects.filter(event="round.acted", subject=round_.ref)
    (facts,) = [facts for entry in entries if (facts := json.loads(entry.body)["facts"])["ordinal"] == ordinal]
    return facts


def test_the_last_entry_is_taken_back_and_stays_in_the_list_and_in_the_log(opened):
    factories.act_all(opened, ANTES[:1])
    before = rows(opened), fold.of(opened).state
    factories.act_all(opened, ANTES[1:])
    factories.undo(opened)
    assert (rows(opened), fold.of(opened).state) == before
    kinds = list(opened.actions.values_list("ordinal", "kind", "box", "undoes"))
    assert kinds == [(1, "ante", 1, None), (2, "ante", 2, None), (3, "undo", 2, 2)]
    assert told(opened, 3) == {"ordinal": 3, "phase": "betting", "kind": "undo", "arguments": {"box": 2}, "undoes": 2}
    assert told(opened, 2)["arguments"] == {"box": 2, "units": 500}


def test_undo_goes_back_entry_by_entry_and_what_is_taken_back_is_never_taken_back_again(opened):
    factories.act_all(opened, ANTES)
    factories.undo(opened)
    factories.do(opened, "ante", 3, units=700)
    for _ in range(2):
        factories.undo(opened)
    assert fold.of(opened).counting == ()
    assert list(opened.actions.exclude(undoes=None).values_list("undoes", flat=True)) == [2, 4, 1]
    factories.refused("nothing_to_undo", factories.undo, opened)


def test_the_version_counts_what_is_undone_and_the_slower_of_two_is_refused(opened):
    factories.act_all(opened, ANTES)
    factories.undo(opened)
    assert fold.of(opened).version == 3
    stale = {"round_id": opened.pk, "version": 2, "actor": factories.actor("anna")}
    assert factories.refused("stale_version", rounds.undo, **stale).detail == {"version": 3}


def test_the_step_that_ended_a_phase_takes_the_pit_boss(opened):
    factories.act_all(opened, REVEALED)
    refusal = factories.refused("signature_missing", factories.undo, opened)
    assert refusal.path == "signature"
    factories.undo(opened, signed=True)
    assert fold.of(opened).state.phase == opened.actions.get(ordinal=7).phase == "deciding"
    undo = opened.actions.last()
    assert (undo.kind, undo.by, undo.approved_by) == ("undo", factories.person("anna"), factories.person("clara"))
    assert told(opened, 8)["approver"] == factories.person("clara").ref
    # And inside the phase that it is in again, the croupier goes on alone.
    factories.undo(opened)


def test_a_held_or_closed_round_takes_no_undo_and_no_amendment(opened):
    factories.act_all(opened)
    factories.hold(opened)
    factories.refused("round_held", factories.undo, opened)
    factories.refused("round_held", factories.amend, opened, 1, units=1500)
    factories.release(opened)
    factories.close(opened)
    factories.refused("round_wrong_moment", factories.undo, opened)
    factories.refused("round_wrong_moment", factories.amend, opened, 1, units=1500)


def test_a_mis_entered_stake_is_entered_again_in_its_place(opened):
    factories.act_all(opened, ANTES)
    factories.amend(opened, 1, units=2000)
    assert rows(opened)[0] == [(1, 1, "ante", 2000), (2, 2, "ante", 500)]
    assert [action.ordinal for action in fold.of(opened).counting] == [3, 2]
    assert told(opened, 3) == {
        "ordinal": 3,
        "phase": "betting",
        "kind": "ante",
        "arguments": {"box": 1, "units": 2000},
        "undoes": 1,
    }
    # The amendment is amended, and the last place of the table is what undo takes back.
    factories.amend(opened, 3, units=2500)
    factories.undo(opened)
    assert rows(opened)[0] == [(1, 1, "ante", 2500)]
    factories.undo(opened)
    assert rows(opened)[0] == []


def test_a_stake_of_an_earlier_phase_takes_the_pit_boss_and_what_follows_from_it_follows(opened):
    factories.act_all(opened, DECIDED)
    factories.refused("signature_missing", factories.amend, opened, 1, units=2000)
    factories.amend(opened, 1, signed=True, units=2000)
    assert rows(opened)[0] == [(1, 1, "ante", 2000), (2, 2, "ante", 500), (3, 1, "bet", 4000)]


def test_a_mis_entered_card_is_entered_again_and_the_line_has_it(opened):
    factories.act_all(opened)
    factories.amend(opened, 7, signed=True, cards=["9s", "9d", "Ac", "Qh"])
    factories.amend(opened, 9, cards=["3s", "4s", "5s", "6s", "7s"], extra=["Ah", "Ad"])
    line = json.loads(factories.close(opened).lines.get().text)
    assert line["dealer"]["cards"] == ["9s", "9d", "Ac", "Qh", "2s"]
    assert line["boxes"][0]["cards"] == ["3s", "4s", "5s", "6s", "7s"]


def test_an_amendment_that_a_later_entry_does_not_follow_is_refused_with_that_entry(opened):
    factories.act_all(opened)
    refusal = factories.refused(
        "does_not_follow", factories.amend, opened, 7, signed=True, cards=["9s", "Jd", "Ac", "Kh"]
    )
    assert refusal.detail == {"ordinal": 8}  # without a pair no Small Hand is dealt
    refusal = factories.refused(
        "does_not_follow", factories.amend, opened, 7, signed=True, cards=["9s", "9d", "Ac", "3s"]
    )
    assert "already lies" in refusal.message


def test_an_amendment_is_checked_like_an_entry(opened):
    factories.act_all(opened, DECIDED)
    refusal = factories.refused("field_out_of_range", factories.amend, opened, 1, signed=True, units=1)
    assert (refusal.path, refusal.clause) == ("arguments.units", "split.4")
    factories.refused("bad_card", factories.amend, opened, 4, card="Zz")


@pytest.mark.parametrize(
    ("ordinal", "code"),
    [(0, "ordinal_unknown"), (99, "ordinal_unknown"), (2, "ordinal_unknown"), (3, "nothing_to_amend")],
)
def test_only_a_standing_entry_with_cards_or_a_stake_is_amended(opened, ordinal, code):
    factories.act_all(opened, ANTES)
    factories.undo(opened)  # action 2 no longer counts, action 3 took it back
    factories.do(opened, "close_betting")
    if ordinal == 3:
        ordinal = 4
    factories.refused(code, factories.amend, opened, ordinal, signed=True, units=700)


def test_entering_the_same_again_is_refused(opened):
    factories.act_all(opened, ANTES)
    factories.refused("nothing_to_amend", factories.amend, opened, 1, units=1000)


def test_a_ruling_is_taken_back_by_the_pit_boss_alone(opened):
    factories.act_all(opened, REVEALED)
    factories.do(opened, "rule", 1, what="void", clause="split.36")
    factories.refused("signature_missing", factories.undo, opened)
    factories.undo(opened, signed=True)
    assert fold.of(opened).state.box(1).ruling is None
    assert Action.objects.filter(round=opened, kind="undo").count() == 1
