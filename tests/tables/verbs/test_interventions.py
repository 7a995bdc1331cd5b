"""Irregularities reported, rounds held, released and voided (split.30 to split.36, house.4)."""

import hashlib
import json

import pytest
from django.db import transaction

from audit.models import Entry
from casino.games.split import SPLIT
from payouts.models import Settlement, Transfer
from tables.verbs import fold, interventions, settling, standing

from ...support import factories

STOPS = {found.clause for found in SPLIT.irregularities if found.stops}


@pytest.fixture
def opened(seeded_db):
    opened = factories.open_round(factories.table("T1"))
    factories.act_all(opened, factories.FLUSH_WINS[:6])
    return opened


def report(round_, clause, **more):
    with transaction.atomic():
        return interventions.report(
            standing=standing.locked(round_.pk), clause=clause, actor=factories.actor("anna"), **more
        )


def facts(event, round_):
    body = json.loads(Entry.objects.get(event=event, subject=round_.ref).body)
    return body["by"], body["facts"]


@pytest.mark.parametrize("found", SPLIT.irregularities, ids=lambda found: found.clause)
def test_what_stops_the_round_holds_it_and_all_else_is_on_record(opened, found):
    reason = "Seen by the inspector." if found.reason else ""
    reported = report(opened, found.clause, box=1 if found.asks_box else None, reason=reason)
    assert bool(reported.held_at) == found.stops == (found.clause in STOPS)
    made = opened.interventions.get()
    assert (made.kind, made.clause, made.reason) == ("held" if found.stops else "reported", found.clause, reason)
    by, told = facts("round.held" if found.stops else "dispute.raised", opened)
    assert (by, told["clause"], told["requester"]) == (made.by.ref, found.clause, made.by.ref)
    assert told.get("box") == made.box
    if not found.stops:
        factories.do(opened, "reveal", cards=["9s", "9d", "Ac", "Kh"])


def test_the_log_has_a_reason_as_its_salted_hash_alone(opened):
    factories.hold(opened, reason="Frau Adler saw two aces.")
    made = opened.interventions.get()
    assert len(made.salt) == 32
    expected = hashlib.sha256(f"{made.salt}Frau Adler saw two aces.".encode()).hexdigest()
    assert facts("round.held", opened)[1]["reason"] == expected
    assert not Entry.objects.filter(body__contains="Adler").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "path"),
    [
        ({"clause": "split.99"}, "clause_unknown", "clause"),
        ({"clause": "split.7"}, "clause_unknown", "clause"),
        ({"clause": "split.30"}, "box_missing", "box"),
        ({"clause": "split.30", "box": 3}, "box_unknown", "box"),
        ({"clause": "split.36", "box": 1, "reason": "x"}, "box_unexpected", "box"),
        ({"clause": "split.36"}, "reason_missing", "reason"),
        ({"clause": "house.4", "reason": " \t "}, "reason_missing", "reason"),
        ({"clause": "split.36", "reason": "x" * 501}, "reason_wrong", "reason"),
        ({"clause": "split.36", "reason": "a\0b"}, "reason_wrong", "reason"),
        ({"clause": "split.36", "reason": "a\ud800b"}, "reason_wrong", "reason"),
    ],
)
def test_a_report_that_does_not_say_what_is_refused(opened, arguments, code, path):
    who = {"round_id": opened.pk, "actor": factories.actor("anna")}
    assert factories.refused(code, interventions.report, **who, **arguments).path == path


def test_a_held_round_allows_release_ruling_and_void_and_nothing_else(opened):
    factories.hold(opened)
    factories.refused("round_held", factories.do, opened, "reveal", cards=["9s", "9d", "Ac", "Kh"])
    factories.refused("round_held", factories.close, opened)
    factories.refused("round_held", factories.hold, opened)
    factories.refused("round_open", factories.open_round, opened.table)
    factories.do(opened, "rule", 1, what="forfeit", clause="split.30")
    assert fold.of(opened).state.box(1).ruling.what == "forfeit"
    factories.release(opened)
    factories.do(opened, "reveal", cards=["9s", "9d", "Ac", "Kh"])


def test_what_is_reported_while_held_and_does_not_stop_is_put_on_record(opened):
    factories.hold(opened)
    report(opened, "split.34")
    assert list(opened.interventions.values_list("kind", flat=True)) == ["held", "reported"]


def test_a_release_says_who_asked_and_who_allowed_it(opened):
    factories.hold(opened)
    released = factories.release(opened, reason="It lay face down.")
    assert released.held_at is None
    by, told = facts("round.released", opened)
    anna, clara = factories.person("anna").ref, factories.person("clara").ref
    assert (by, told["requester"], told["approver"], told["clause"]) == (anna, anna, clara, "split.36")
    factories.refused("round_not_held", factories.release, opened)


def test_a_release_needs_a_reason_where_the_clause_that_held_does(opened):
    factories.hold(opened)
    factories.refused("reason_missing", factories.release, opened, reason="")
    factories.release(opened)
    factories.hold(opened, clause="split.30", reason="", box=2)
    factories.release(opened, reason="")


def test_a_closed_round_is_held_until_it_is_released_and_then_settled_once(opened):
    factories.act_all(opened, factories.FLUSH_WINS[6:])
    closed = factories.close(opened)
    factories.hold(closed)
    assert settling.settle_due() == 0
    # It keeps no table: the next round goes on and is settled.
    factories.settled_round(opened.table, factories.FOLDS)
    assert factories.release(closed).failures == 0
    assert settling.settle_due() == 1
    assert Settlement.objects.filter(round_key=opened.ref).count() == 1


def test_a_settled_round_can_t_be_held_and_its_irregularity_is_on_record(seeded_db):
    settled = factories.settled_round(factories.table("T1"))
    assert factories.hold(settled).held_at is None
    assert settled.interventions.get().kind == "reported"
    factories.refused("round_not_held", factories.release, settled)


def test_a_void_gives_all_stakes_back_and_nothing_is_settled(opened):
    factories.hold(opened)
    voided = factories.void(opened)
    assert (voided.status, voided.held_at) == ("VOIDED", None)
    assert settling.settle_due() == 0
    assert not Settlement.objects.exists()
    assert not Transfer.objects.exclude(settlement=None).exists()
    assert not voided.lines.exists()
    by, told = facts("round.voided", opened)
    anna, clara = factories.person("anna").ref, factories.person("clara").ref
    assert (by, told["requester"], told["approver"], told["clause"]) == (anna, anna, clara, "split.36")
    factories.open_round(opened.table)


def test_a_void_round_takes_nothing_any_more(opened):
    factories.void(opened)
    for work in (factories.hold, factories.void, factories.undo, factories.close):
        factories.refused("round_wrong_moment", work, opened)
    factories.refused("round_not_held", factories.release, opened)
    factories.refused("round_wrong_moment", factories.correct, opened, {"boxes[0].ante": 500})


def test_a_closed_round_is_not_voided(opened):
    factories.act_all(opened, factories.FLUSH_WINS[6:])
    factories.close(opened)
    factories.refused("round_wrong_moment", factories.void, opened)


@pytest.mark.parametrize("second", ["anna", None])
@pytest.mark.parametrize("login", ["anna", "clara", "ida"])
def test_nobody_voids_alone_whatever_the_role(opened, login, second):
    more = {"version": 6, "clause": "split.36", "reason": "x", "round_id": opened.pk}
    alone = factories.actor(login, login if second else None)
    factories.refused("same_person", interventions.void, **more, actor=alone)


def test_a_release_is_of_the_hold_that_was_seen(opened):
    factories.hold(opened)
    factories.release(opened)
    factories.hold(opened)
    refusal = factories.refused("stale_version", factories.release, opened, hold=1)
    assert (refusal.path, refusal.detail) == ("hold", {"hold": 3})


@pytest.mark.parametrize("reason", ["", " ", "\u200b", "\u200b \u2060"])
def test_a_reason_that_nobody_can_see_is_none(opened, reason):
    factories.refused("reason_missing", factories.hold, opened, reason=reason)


def test_the_slower_of_two_is_told_the_version(opened):
    factories.hold(opened)
    seen = {"round_id": opened.pk, "version": 5, "reason": "x", "actor": factories.actor("clara", "anna")}
    factories.refused("stale_version", interventions.release, **seen, hold=1)
    factories.refused("stale_version", interventions.void, **seen, clause="split.36")
