"""Payments that wait for their tick keep a table open; of a patron who has left two people say so. What is left for the
next session stands on the closing form and in the log."""

import json

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from audit.models import Entry
from payouts.models import PaymentTick
from tables.management.commands.seed_demo import OPENER
from tables.models import Round, Session
from tables.verbs import payments, results, sessions, settling, standing, unfinished

from ...support import factories
from ...support.factories import FLUSH_WINS, FOLDS, STAND_OFF, actor, close_session, person, refused, table
from .test_sessions import LEFT

CARD = {"boxes[0].cards[4]": "9c"}  # box 1's flush becomes a straight


@pytest.fixture
def one(seeded_db):
    return table("T1")


def stop(session):
    with transaction.atomic():
        return sessions.stop(session_id=session.pk, actor=actor("clara"))


def leave(round_, box, *, by="anna", signed="clara", generation=None):
    with transaction.atomic():
        return payments.leave(
            standing=standing.locked(round_.pk),
            generation=generation or Round.objects.get(pk=round_.pk).settlement.generation,
            box=box,
            actor=actor(by, signed),
        )


def tick(round_, box):
    with transaction.atomic():
        generation = Round.objects.get(pk=round_.pk).settlement.generation
        locked = standing.locked(round_.pk)
        return payments.tick(standing=locked, generation=generation, box=box, actor=actor("anna"))


def test_no_last_round_is_called_while_a_box_waits_for_its_payment(one):
    settled = factories.settled_round(one)
    session = one.sessions.get()
    refusal = refused("payment_unticked", stop, session)
    assert str(refusal) == f"Box 1 of round {settled} isn’t ticked."
    assert refusal.way_out.startswith("Tick it when it’s done. If the patron has left,")
    assert refusal.detail == {"round": settled.pk, "boxes": [1]}
    assert Session.objects.get(pk=session.pk).status == "OPEN"
    tick(settled, 1)
    assert stop(session).status == "CLOSING"


def test_of_several_rounds_the_first_is_named_with_all_its_boxes(one):
    first, second = factories.settled_round(one, STAND_OFF), factories.settled_round(one)
    assert refused("payment_unticked", stop, one.sessions.get()).detail == {"round": first.pk, "boxes": [1]}
    tick(first, 1)
    assert refused("payment_unticked", stop, one.sessions.get()).detail == {"round": second.pk, "boxes": [1]}


def test_a_box_that_was_done_with_in_the_round_keeps_no_table_open(one):
    settled = factories.settled_round(one, FOLDS)
    assert not PaymentTick.objects.exists()
    assert stop(one.sessions.get()).status == "CLOSING"
    assert Round.objects.get(pk=settled.pk).status == "SETTLED"


def test_two_say_that_a_patron_has_left_and_the_count_has_the_chips_as_a_variance(one):
    settled = factories.settled_round(one)
    leave(settled, 1)
    tick_ = PaymentTick.objects.get()
    assert (tick_.by.login, tick_.left_with.login) == ("anna", "clara")
    entry = json.loads(Entry.objects.filter(subject=settled.ref).order_by("-seq").first().body)
    assert (entry["event"], entry["facts"]) == (
        "payment.left",
        {
            "payment": f"payment:{tick_.payment_id}",
            "generation": 1,
            "box": 1,
            "requester": person("anna").ref,
            "approver": person("clara").ref,
        },
    )
    # The 100 that box 1 won lie in the float still; the books have paid them.
    closed = close_session(one, LEFT | {10000: 100})
    assert closed.status == "CLOSED"
    (box_1, _) = results.of(Round.objects.get(pk=settled.pk)).payments
    assert (box_1.ticked, box_1.left) == (True, True)


def test_whose_patron_has_left_has_had_nothing_so_a_correction_owes_the_box_the_whole(one):
    settled = factories.settled_round(one)
    leave(settled, 1)
    factories.correct(settled, CARD)
    settling.settle_due()
    (owed, *_) = payments.outstanding(Round.objects.get(pk=settled.pk))
    assert (owed.box, owed.difference) == (1, None)


@pytest.mark.parametrize("moves", [FLUSH_WINS, STAND_OFF], ids=["won", "stake back"])
def test_the_database_calls_no_last_round_either_while_a_box_waits(one, moves):
    settled = factories.settled_round(one, moves)
    session = one.sessions.get()
    session.status, session.stopped_at, session.stopped_by = "CLOSING", Now(), person("clara")
    for _ in range(2):
        with pytest.raises(IntegrityError, match="a payment of it is not ticked"), transaction.atomic():
            session.save(update_fields=["status", "stopped_at", "stopped_by"])
    tick(settled, 1)
    session.save(update_fields=["status", "stopped_at", "stopped_by"])


def test_leaving_is_refused_to_one_person_twice_and_where_nothing_is_due(one):
    settled = factories.settled_round(one)
    assert refused("same_person", leave, settled, 1, signed="anna").status == 422
    assert refused("nothing_due", leave, settled, 2).path == "box"
    assert refused("box_unknown", leave, settled, 6).status == 422
    assert refused("stale_version", leave, settled, 1, generation=2).detail == {"generation": 1}
    assert not PaymentTick.objects.exists()
    leave(settled, 1)
    refused("ticked_already", leave, settled, 1)
    refused("ticked_already", tick, settled, 1)
    assert PaymentTick.objects.count() == 1


def test_what_is_unfinished_stands_on_the_form_and_in_the_log_and_goes_on_to_the_next_session(one):
    on_its_way = factories.issue(factories.slip(one, "credit"))
    corrected = factories.ticked(factories.settled_round(one))
    disputed = factories.ticked(factories.settled_round(one))
    dispute = factories.contest(disputed)
    factories.correct(corrected, CARD)
    settling.settle_due()
    closed = close_session(one, OPENER)
    left = [on_its_way.ref, dispute.ref, corrected.ref]
    assert closed.unfinished == left
    facts = json.loads(Entry.objects.get(subject=closed.ref, event="session.closed").body)["facts"]
    assert facts["unfinished"] == left
    assert [unfinished.waits(ref) for ref in left] == [True] * 3

    for paid in payments.outstanding(Round.objects.get(pk=corrected.pk)):
        tick(corrected, paid.box)
    following = factories.open_session(one, OPENER)
    assert [unfinished.waits(ref) for ref in left] == [True, True, False]
    assert close_session(one, OPENER).unfinished == left[:2]
    assert Session.objects.get(pk=closed.pk).unfinished == left
    assert following.unfinished == []
