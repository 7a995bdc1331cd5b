"""Disputes: raised on any round, ruled once by who did not deal it, and what an upheld one makes of the money."""

import datetime as dt
import hashlib
import json
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit import verify_export
from audit.log import Actor
from audit.models import Entry
from casino.roles import Role
from payouts.models import Settlement, Transfer
from tables.models import Case, Dispute, Line, Round
from tables.people import staff
from tables.verbs import disputes, payments, settling, standing
from tables.words import timeline

from ...support import factories
from .test_cases import follow
from .test_corrections import PAIR_OF_THREES, moved, paid

SAID = "Frau Adler says that her last card was the eight of hearts."
# Box 1 has no flush by it: 130 come back.
EIGHT_OF_HEARTS = {"boxes[0].cards[4]": "8h"}


def contest(round_, about="ranking", boxes=(1,), statement=SAID, by="anna"):
    return factories.contest(round_, about=about, boxes=boxes, statement=statement, by=factories.person(by))


def ruled(dispute, ruling="upheld", changes=None, *, by="clara", approved_by=None, line=None, **more):
    """Frank signs a refusal, if nobody else is named."""
    approved_by = approved_by or ("frank" if ruling == "refused" else None)
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
        # Box 5 is at the table, and nobody played there.
        ({"boxes": [1, 5]}, "box_unknown", "boxes"),
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
    assert (made.ruled_by, made.approved_by) == (factories.person("clara"), factories.person("frank"))
    assert (Line.objects.count(), Settlement.objects.count(), Transfer.objects.count()) == before
    (entry,) = told("dispute.ruled", settled)
    assert entry["facts"]["reason"] == hashlib.sha256(f"{made.reason_salt}The camera shows it.".encode()).hexdigest()
    assert "generation" not in entry["facts"]
    assert [closed["facts"]["dispute"] for closed in told("dispute.closed", settled)] == [made.ref]


def test_an_upheld_one_makes_the_next_line_and_generation_and_says_what_to_collect(settled):
    factories.ticked(settled)
    made = ruled(contest(settled), changes=EIGHT_OF_HEARTS, approved_by="frank")
    assert (made.status, made.line.ordinal, made.closed_at) == ("RULED", 2, None)
    assert (made.ruled_by.login, made.approved_by.login) == ("clara", "frank")
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
    assert entry["facts"]["approver"] == factories.person("frank").ref
    assert [entry["event"] for entry in of_round(settled)[-4:]] == [
        "dispute.raised", "round.corrected", "round.settled", "dispute.ruled",
    ]  # fmt: skip


def of_round(round_):
    entries = Entry.objects.filter(subject=round_.ref).order_by("pk")
    return [json.loads(entry.body) for entry in entries]


def test_it_closes_with_the_tick_of_the_last_box_that_something_is_due_at(settled):
    factories.ticked(settled)
    made = ruled(contest(settled), changes=EIGHT_OF_HEARTS | {"boxes[1].ante": 1000}, approved_by="frank")
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
    made = ruled(contest(settled), changes=EIGHT_OF_HEARTS, approved_by="frank")
    assert left_of(settled) == {1: -13000}
    factories.correct(settled, {"boxes[0].cards[4]": "8s"})
    made.refresh_from_db()
    assert (made.status, left_of(settled)) == ("CLOSED", {})


def test_on_a_closed_round_the_ruling_s_line_is_what_is_settled_first(seeded_db):
    closed = factories.play_round(factories.table("T1"))
    made = ruled(contest(closed), changes=PAIR_OF_THREES, approved_by="frank")
    assert (made.status, made.line.ordinal) == ("CLOSED", 2)
    settling.settle_due()
    assert paid(closed, 1) == [(1, "lose", -3000), (2, "fold", -500)]
    assert told("dispute.ruled", closed)[0]["facts"]["generation"] == 1


def test_a_held_closed_round_is_changed_and_stays_held(seeded_db):
    held = factories.hold(factories.play_round(factories.table("T1")))
    ruled(contest(held), changes=PAIR_OF_THREES, approved_by="frank")
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
    refused = factories.refused("round_wrong_moment", ruled, made, changes={"boxes[0].ante": 1000}, approved_by="frank")
    assert refused.way_out.startswith({"open": "Undo or amend", "void": "Rule without changes"}[status])
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
        ({"ruling": "refused", "changes": EIGHT_OF_HEARTS, "approved_by": "frank"}, "changes_unexpected"),
        ({"changes": EIGHT_OF_HEARTS}, "same_person"),
        ({"changes": EIGHT_OF_HEARTS, "approved_by": "clara"}, "same_person"),
        ({"changes": EIGHT_OF_HEARTS, "approved_by": "anna"}, "second_raised"),
        ({"changes": {"boxes[0].cards[4]": "8s"}, "approved_by": "frank"}, "nothing_changed"),
        ({"changes": {"boxes[0].cards[4]": "Ac"}, "approved_by": "frank"}, "card_duplicate"),
        ({"changes": {"chip": 1}, "approved_by": "frank"}, "bad_field"),
    ],
)
def test_a_wrong_ruling_is_refused_and_changes_nothing(settled, wrong, code):
    made = contest(settled)
    before = Dispute.objects.values().get()
    factories.refused(code, ruled, made, **wrong)
    assert Dispute.objects.values().get() == before


def test_a_dispute_is_ruled_once(settled):
    made = ruled(contest(settled), "refused")
    refused = factories.refused("dispute_ruled", ruled, made, changes=EIGHT_OF_HEARTS, approved_by="frank")
    assert refused.message == f"Staff {made.ruled_by_id} has ruled in the meantime: {made} was refused under split.17."
    assert contest(settled).status == "OPEN", "who contests the round again raises another"


def test_of_two_pit_bosses_at_once_one_rules(settled):
    with transaction.atomic():
        staff.post(
            staff=factories.person("frank"),
            role=Role.PIT_BOSS,
            pit=settled.table.pit,
            actor=factories.actor("ida", "clara"),
        )
    for _ in range(10):
        made = contest(settled)
        lines = settled.lines.count()
        changes = {"boxes[0].ante": 1000 + 500 * lines}
        answers = factories.at_once(
            partial(ruled, made, by="clara", line=lines, changes=changes, approved_by="frank"),
            partial(ruled, made, "refused", by="frank", line=lines, approved_by="clara"),
        )
        done = [answer for answer in answers if isinstance(answer, Dispute)]
        refused = [answer for answer in answers if not isinstance(answer, Dispute)]
        assert (len(done), [other.code for other in refused]) == (1, ["dispute_ruled"])
        made.refresh_from_db()
        assert made.ruled_by == done[0].ruled_by
        assert refused[0].message.startswith(f"Staff {made.ruled_by_id} has ruled in the meantime")
        assert settled.lines.count() == lines + (made.ruling == "upheld")
        assert len([entry for entry in told("dispute.ruled", settled) if entry["facts"]["dispute"] == made.ref]) == 1


# --- Its case, and who rules with whom ---


def case_of(dispute):
    return Case.objects.get(subject=dispute.ref)


def test_a_dispute_opens_a_case_and_its_ruling_decides_that(settled):
    made = contest(settled)
    case = case_of(made)
    assert (str(case), case.units, case.status) == (f"D-{settled.session.business_date.year}-000001", None, "OPEN")
    assert case.owner.login == "clara", "the pit boss who signed for the table's opening"
    assert case.due_at - case.opened_at == pytest.approx(dt.timedelta(hours=24), abs=dt.timedelta(minutes=5))
    factories.move_case(case, video="C3-20:24:28")
    for wrong in ("Frau Adler", "x" * 41, "C3\n"):
        assert factories.refused("video_wrong", factories.move_case, case, video=wrong).path == "video"
    assert factories.refused("case_of_dispute", factories.decide_case, case).way_out == f"Rule on dispute {made.pk}."
    ruled(made, changes=EIGHT_OF_HEARTS, approved_by="frank")
    case.refresh_from_db()
    assert (case.status, case.outcome, case.reason, case.video) == ("DECIDED", "upheld", "", "C3-20:24:28")
    assert (case.decided_by.login, case.approved_by.login) == ("clara", "frank")
    entries = [json.loads(body) for body in Entry.objects.filter(subject=case.ref).values_list("body", flat=True)]
    assert [entry["event"] for entry in entries] == ["case.opened", "case.moved", "case.decided"]
    assert entries[0]["facts"]["of"] == made.ref
    assert entries[1]["facts"] == {"case": case.ref, "video": "C3-20:24:28"}
    assert entries[2]["facts"] == {
        "case": case.ref,
        "outcome": "upheld",
        "requester": factories.person("clara").ref,
        "approver": factories.person("frank").ref,
    }
    moments = timeline.of(settled)
    times = [moment.at for moment in moments]
    assert times == sorted(times), "times never run backwards"
    assert [moment.what.partition(",")[0] for moment in moments[-3:]] == [
        "Corrected", "Settled again", f"{made} upheld",
    ]  # fmt: skip


def test_whoever_raised_it_rules_with_a_second_who_has_no_part_in_it_and_nobody_refuses_alone(settled):
    own = contest(settled, by="clara")
    assert case_of(own).owner.login == "clara"
    factories.refused("same_person", ruled, own, "upheld")
    for login in ("anna", "clara"):
        factories.refused(
            "second_dealt" if login == "anna" else "same_person", ruled, own, "refused", approved_by=login
        )
    made = contest(settled, boxes=(2,), by="frank")
    factories.refused("second_raised", ruled, made, "refused", approved_by="frank")
    assert ruled(own, "upheld", approved_by="frank").approved_by.login == "frank"
    assert ruled(contest(settled), "upheld").approved_by is None, "words for somebody else's dispute"


def alone(dispute, by="clara", ruling="refused"):
    with transaction.atomic():
        return disputes.rule(
            standing=standing.locked(dispute.round_id), dispute_id=dispute.pk, line=1, ruling=ruling,
            clause="split.17", reason="The camera shows it.", actor=factories.actor(by),
        )  # fmt: skip


def test_the_house_may_let_one_person_refuse_but_never_the_one_who_raised_it(settled):
    made, own = contest(settled), contest(settled, boxes=(2,), by="clara")
    factories.refused("same_person", alone, made)
    factories.set_setting(1, name="refusal_people")
    assert (alone(made).status, case_of(made).approved_by) == ("CLOSED", None)
    factories.refused("same_person", alone, own)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"ruling": "refused"}, "alone does not rule so"),
        ({"ruled_by": "frank", "ruling": "upheld"}, "alone does not rule so"),
        ({"ruling": "refused", "approved_by": "anna"}, "does not approve its ruling"),
        ({"ruling": "refused", "approved_by": "frank"}, "does not approve its ruling"),
    ],
)
def test_the_database_wants_the_second_person_too(settled, change, says):
    made = contest(settled, by="frank")
    people = {name: factories.person(login) for name, login in change.items() if name != "ruling"}
    with pytest.raises(IntegrityError, match=says), transaction.atomic():
        Dispute.objects.filter(pk=made.pk).update(
            status="RULED", clause="split.17", reason="x", reason_salt="y", ruled_at=timezone.now(),
            ruling=change["ruling"], **{"ruled_by": factories.person("clara")} | people,
        )  # fmt: skip


def test_at_home_a_dispute_s_case_is_followed_to_its_ruling(settled):
    own = contest(settled, by="clara")
    ruled(own, "refused", approved_by="frank")
    entries = [json.loads(body) for body in Entry.objects.order_by("pk").values_list("body", flat=True)]
    follow(entries)
    opened, decided = (
        next(place for place, entry in enumerate(entries) if entry["event"] == event)
        for event in ("case.opened", "case.decided")
    )
    clara = factories.person("clara").ref
    for place, change in (
        (opened, {"of": "dispute:99"}),
        (decided, {"outcome": "upheld"}),
        (decided, {"approver": clara}),
        (decided, {"approver": None}),
    ):
        facts = {name: value for name, value in (entries[place]["facts"] | change).items() if value is not None}
        with pytest.raises(verify_export.Difference):
            follow([*entries[:place], entries[place] | {"facts": facts}, *entries[place + 1 :]])
    # Both entries changed alike: the raiser rules alone.
    for place in (decided - 1, decided):
        entries[place]["facts"].pop("approver")
    with pytest.raises(verify_export.Difference, match="did not raise the dispute"):
        follow(entries)
