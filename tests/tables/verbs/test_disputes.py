"""Disputes: raised on any round, ruled once by who did not deal it, and what an upheld one makes of the money."""

import hashlib
import json
from functools import partial

import pytest
from django.db import transaction

from audit.log import Actor
from audit.models import Entry
from casino.roles import Role
from payouts.models import Settlement, Transfer
from tables.models import Dispute, Line, Round
from tables.people import staff
from tables.verbs import disputes, payments, settling, standing

from ...support import factories
from .test_corrections import PAIR_OF_THREES, moved, paid

SAID = "Frau Adler says that her last card was the eight of hearts."
# Box 1 has no flush by it: 130 come back.
EIGHT_OF_HEARTS = {"boxes[0].cards[4]": "8h"}


def contest(round_, about="ranking", boxes=(1,), statement=SAID, by="anna"):
    return factories.contest(round_, about=about, boxes=boxes, statement=statement, by=factories.person(by))


def ruled(dispute, ruling="upheld", changes=None, *, by="clara", approved_by=None, line=None, **more):
    told = {"clause": "split.17", "reason": "The camera shows it.", **more}
    with transaction.atomic():
        return disputes.rule(
            standing=standing.locked(dispute.round_id),
            dispute_id=dispute.pk,
            line=dispute.round.lines.count() if line is None else line,
            ruling=ruling,
            changes=changes,
            actor=factories.actor(by, approved_by),
            **told,
        )


def told(event, round_):
    return [json.loads(entry.body) for entry in Entry.objects.filter(event=event, subject=round_.ref)]


def tick(round_, box):
    newest = Round.objects.get(pk=round_.pk).settlement.generation
    with transaction.atomic():
        payments.tick(standing=standing.locked(round_.pk), generation=newest, box=box, actor=factories.actor("anna"))


def left_of(round_):
    return {paid.box: paid.left_units for paid in payments.outstanding(round_)}


# --- Raising ---


@pytest.mark.parametrize("about", [*disputes.ABOUT, "split.17", "house.4"])
def test_a_round_is_contested_by_a_clause_or_a_word(settled, about):
    made = contest(settled, about, boxes=(2, 1))
    assert (made.status, made.about, made.boxes, made.statement) == ("OPEN", about, [1, 2], SAID)
    assert made.raised_by == factories.person("anna")


def test_a_statement_stands_outside_the_log_which_has_its_salted_digest(settled):
    made = contest(settled)
    (entry,) = told("dispute.raised", settled)
    assert entry["facts"] == {
        "dispute": made.ref,
        "clause": "ranking",
        "boxes": [1],
        "reason": hashlib.sha256(f"{made.salt}{SAID}".encode()).hexdigest(),
        "requester": factories.person("anna").ref,
    }
    assert not Entry.objects.filter(body__contains="Adler").exists()


def rounds_of_every_kind():
    one, two, three = (factories.table(code) for code in ("T1", "T2", "T3"))
    settled = factories.settled_round(one)
    closed = factories.play_round(two, factories.FOLDS)
    held = factories.hold(factories.play_round(two, factories.FOLDS))
    void = factories.open_round(three)
    factories.void(void)
    return {
        "settled": settled,
        "closed": closed,
        "closed and held": held,
        "void": Round.objects.get(pk=void.pk),
        "open": factories.open_round(three),
    }


def test_a_round_of_any_status_is_contested_and_goes_on_as_it_was(seeded_db):
    for name, round_ in rounds_of_every_kind().items():
        with transaction.atomic():
            made = disputes.raise_dispute(
                standing=standing.locked(round_.pk),
                about="other",
                boxes=[],
                statement=SAID,
                actor=Actor(factories.boss(round_)),
            )
        assert made.status == "OPEN", name
        now = Round.objects.get(pk=round_.pk)
        assert (now.status, now.held_at) == (round_.status, round_.held_at), name
    settling.settle_due()
    assert Round.objects.filter(status="SETTLED").count() == 2


@pytest.mark.parametrize(
    ("wrong", "code", "path"),
    [
        ({"about": "split.99"}, "about_unknown", "about"),
        ({"about": ""}, "about_unknown", "about"),
        ({"boxes": [7]}, "box_unknown", "boxes"),
        ({"boxes": [1, 1]}, "box_unknown", "boxes"),
        ({"boxes": [0]}, "box_unknown", "boxes"),
        ({"statement": " \u200b "}, "statement_missing", "statement"),
        ({"statement": "x" * 2001}, "statement_wrong", "statement"),
    ],
)
def test_what_nobody_can_follow_is_refused_at_its_place(settled, wrong, code, path):
    given = {"about": "payment", "boxes": [1], "statement": SAID} | wrong
    refused = factories.refused(
        code, disputes.raise_dispute, round_id=settled.pk, actor=factories.actor("anna"), **given
    )
    assert (refused.status, refused.path, bool(refused.way_out)) == (422, path, True)


def test_the_very_same_is_not_raised_twice_while_it_waits(settled):
    first = contest(settled)
    refused = factories.refused("dispute_raised", contest, settled)
    assert refused.message.startswith(f"Dispute {first.pk} of round")
    contest(settled, boxes=(2,))
    ruled(first, "refused")
    assert contest(settled).status == "OPEN"


# --- Ruling ---


def test_a_refused_dispute_leaves_the_round_and_its_money_as_they_are(settled):
    before = Line.objects.count(), Settlement.objects.count(), Transfer.objects.count()
    made = ruled(contest(settled), "refused")
    assert (made.status, made.ruling, made.clause, made.line) == ("CLOSED", "refused", "split.17", None)
    assert (made.ruled_by, made.approved_by) == (factories.person("clara"), None)
    assert (Line.objects.count(), Settlement.objects.count(), Transfer.objects.count()) == before
    (entry,) = told("dispute.ruled", settled)
    assert entry["facts"]["reason"] == hashlib.sha256(f"{made.reason_salt}The camera shows it.".encode()).hexdigest()
    assert "generation" not in entry["facts"]
    assert [closed["facts"]["dispute"] for closed in told("dispute.closed", settled)] == [made.ref]


def test_an_upheld_one_makes_the_next_line_and_generation_and_says_what_to_collect(settled):
    factories.ticked(settled)
    made = ruled(contest(settled), changes=EIGHT_OF_HEARTS, approved_by="anna")
    assert (made.status, made.line.ordinal, made.closed_at) == ("RULED", 2, None)
    assert (made.ruled_by.login, made.approved_by.login) == ("clara", "anna")
    assert (made.line.by, made.line.approved_by) == (made.ruled_by, made.approved_by)
    assert paid(settled, 1) == [(1, "win_bet", 10000), (2, "fold", -500)]
    assert paid(settled, 2) == [(1, "lose", -3000), (2, "fold", -500)]
    assert moved(settled) == 3500
    newest = Round.objects.get(pk=settled.pk).settlement
    reversed_ = Transfer.objects.filter(settlement=newest, reason="reversal").values_list("reverses_id", flat=True)
    assert set(reversed_) == set(settled.settlement.transfers.values_list("pk", flat=True))
    assert left_of(settled) == {1: -13000}
    (entry,) = told("dispute.ruled", settled)
    assert (entry["facts"]["line"], entry["facts"]["generation"]) == (2, 2)
    assert entry["facts"]["approver"] == factories.person("anna").ref
    assert [entry["event"] for entry in of_round(settled)[-4:]] == [
        "dispute.raised", "round.corrected", "round.settled", "dispute.ruled",
    ]  # fmt: skip


def of_round(round_):
    entries = Entry.objects.filter(subject=round_.ref).order_by("pk")
    return [json.loads(entry.body) for entry in entries]


def test_it_closes_with_the_tick_of_the_last_box_that_something_is_due_at(settled):
    factories.ticked(settled)
    made = ruled(contest(settled), changes=EIGHT_OF_HEARTS | {"boxes[1].ante": 1000}, approved_by="anna")
    assert left_of(settled) == {1: -13000, 2: -500}
    tick(settled, 1)
    made.refresh_from_db()
    assert made.status == "RULED"
    tick(settled, 2)
    made.refresh_from_db()
    assert made.status == "CLOSED"
    assert told("dispute.closed", settled)[0]["facts"] == {"dispute": made.ref, "generation": 2}


def test_it_closes_when_a_later_correction_leaves_nothing_due(settled):
    factories.ticked(settled)
    made = ruled(contest(settled), changes=EIGHT_OF_HEARTS, approved_by="anna")
    assert left_of(settled) == {1: -13000}
    factories.correct(settled, {"boxes[0].cards[4]": "8s"})
    made.refresh_from_db()
    assert (made.status, left_of(settled)) == ("CLOSED", {})


def test_on_a_closed_round_the_ruling_s_line_is_what_is_settled_first(seeded_db):
    closed = factories.play_round(factories.table("T1"))
    made = ruled(contest(closed), changes=PAIR_OF_THREES, approved_by="anna")
    assert (made.status, made.line.ordinal) == ("CLOSED", 2)
    settling.settle_due()
    assert paid(closed, 1) == [(1, "lose", -3000), (2, "fold", -500)]
    assert told("dispute.ruled", closed)[0]["facts"]["generation"] == 1


def test_a_held_closed_round_is_changed_and_stays_held(seeded_db):
    held = factories.hold(factories.play_round(factories.table("T1")))
    ruled(contest(held), changes=PAIR_OF_THREES, approved_by="anna")
    settling.settle_due()
    assert Round.objects.get(pk=held.pk).held_at
    factories.release(held)
    settling.settle_due()
    assert paid(held, 1) == [(1, "lose", -3000), (2, "fold", -500)]


@pytest.mark.parametrize("status", ["open", "void"])
def test_on_an_open_or_a_void_round_the_ruling_is_words_alone(seeded_db, status):
    round_ = factories.open_round(factories.table("T1"))
    factories.do(round_, "ante", 1, units=500)
    if status == "void":
        factories.void(round_)
    made = contest(round_, "announcement")
    refused = factories.refused("round_wrong_moment", ruled, made, changes={"boxes[0].ante": 1000}, approved_by="anna")
    assert refused.way_out
    assert ruled(made, "upheld").status == "CLOSED"


def test_who_dealt_the_round_does_not_rule_on_it(settled):
    made = contest(settled)
    refused = factories.refused("dealt_it", ruled, made, "refused", by="anna")
    assert refused.status == 403
    assert disputes.dealt_by(factories.person("anna")).get() == settled
    assert not disputes.dealt_by(factories.person("clara")).exists()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"line": 0}, "stale_version"),
        ({"line": 2}, "stale_version"),
        ({"ruling": "perhaps"}, "ruling_unknown"),
        ({"clause": "split.99"}, "clause_unknown"),
        ({"clause": "payment"}, "clause_unknown"),
        ({"reason": "  "}, "reason_missing"),
        ({"reason": "x" * 501}, "reason_wrong"),
        ({"ruling": "refused", "changes": EIGHT_OF_HEARTS, "approved_by": "anna"}, "changes_unexpected"),
        ({"changes": EIGHT_OF_HEARTS}, "same_person"),
        ({"changes": EIGHT_OF_HEARTS, "approved_by": "clara"}, "same_person"),
        ({"changes": {"boxes[0].cards[4]": "8s"}, "approved_by": "anna"}, "nothing_changed"),
        ({"changes": {"boxes[0].cards[4]": "Ac"}, "approved_by": "anna"}, "card_duplicate"),
        ({"changes": {"chip": 1}, "approved_by": "anna"}, "bad_field"),
    ],
)
def test_a_wrong_ruling_is_refused_and_changes_nothing(settled, wrong, code):
    made = contest(settled)
    before = Dispute.objects.values().get()
    factories.refused(code, ruled, made, **wrong)
    assert Dispute.objects.values().get() == before


def test_a_dispute_is_ruled_once(settled):
    made = ruled(contest(settled), "refused")
    refused = factories.refused("dispute_ruled", ruled, made, changes=EIGHT_OF_HEARTS, approved_by="anna")
    assert "refused meanwhile by split.17" in refused.message
    assert contest(settled).status == "OPEN", "who contests the round again raises another"


def test_of_two_pit_bosses_at_once_one_rules(settled):
    with transaction.atomic():
        staff.post(
            staff=factories.person("frank"),
            role=Role.PIT_BOSS,
            pit=settled.table.pit,
            actor=factories.actor("ida"),
        )
    for _ in range(10):
        made = contest(settled)
        lines = settled.lines.count()
        changes = {"boxes[0].ante": 1000 + 500 * lines}
        answers = factories.at_once(
            partial(ruled, made, by="clara", line=lines, changes=changes, approved_by="anna"),
            partial(ruled, made, "refused", by="frank", line=lines),
        )
        done = [answer for answer in answers if isinstance(answer, Dispute)]
        refused = [answer for answer in answers if not isinstance(answer, Dispute)]
        assert (len(done), [other.code for other in refused]) == (1, ["dispute_ruled"])
        made.refresh_from_db()
        assert made.ruled_by == done[0].ruled_by
        assert settled.lines.count() == lines + (made.ruling == "upheld")
        assert len([entry for entry in told("dispute.ruled", settled) if entry["facts"]["dispute"] == made.ref]) == 1
