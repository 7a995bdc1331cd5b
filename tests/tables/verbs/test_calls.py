"""A pit boss is called to a table, comes, and says that it is over: each once, whoever else tries."""

import hashlib
import json

import pytest
from django.db import transaction

from audit import log
from audit.models import Entry
from casino.errors import Refused
from tables.models import Alarm
from tables.people import staff, terminals
from tables.verbs import alarms

from ...support import factories


def call(table=None, by="anna", terminal=None, reason="chips"):
    table = table or factories.table()
    with transaction.atomic():
        return alarms.call(table_id=table.pk, reason=reason, actor=log.Actor(factories.person(by), None, terminal))


def take(alarm, by="clara", word=""):
    with transaction.atomic():
        return alarms.take(alarm_id=alarm.pk, word=word, actor=factories.actor(by))


def end(alarm, by="clara"):
    with transaction.atomic():
        return alarms.end(alarm_id=alarm.pk, actor=factories.actor(by))


def entries(alarm):
    told = Entry.objects.filter(subject=alarm.ref).order_by("seq")
    return [
        (entry.chain_id, entry.event, json.loads(entry.body)["by"], json.loads(entry.body)["facts"]) for entry in told
    ]


def test_a_call_is_raised_taken_and_over_in_the_chain_of_its_table(seeded_db):
    anna, clara = factories.actor("anna"), factories.actor("clara")
    alarm = call()
    take(alarm, word="  The scanner   was swapped. ")
    end(alarm)
    alarm.refresh_from_db()
    assert (alarm.kind, alarm.subject, alarm.table, alarm.raised_by) == ("call", "table:1", factories.table(), anna.by)
    assert alarm.reason == "chips"
    assert (alarm.taken_by, alarm.word) == (clara.by, "The scanner was swapped.")
    assert alarm.raised_at < alarm.taken_at < alarm.over_at
    raised = {"alarm": alarm.ref, "kind": "call", "of": "table:1", "reason": "chips"}
    digest = hashlib.sha256(f"{alarm.salt}{alarm.word}".encode()).hexdigest()
    assert entries(alarm) == [
        ("table:1", "alarm.raised", anna.ref, raised),
        ("table:1", "alarm.taken", clara.ref, {"alarm": alarm.ref, "word": digest}),
        ("table:1", "alarm.over", clara.ref, {"alarm": alarm.ref}),
    ]


def test_one_who_comes_says_nothing_and_has_no_salt(seeded_db):
    alarm = take(call())
    assert (alarm.word, alarm.salt) == ("", "")
    assert entries(alarm)[1][3] == {"alarm": alarm.ref}


def test_a_table_calls_again_only_when_its_call_is_over(seeded_db):
    alarm = call()
    again = {"table_id": 1, "reason": "player", "actor": factories.actor("anna")}
    assert factories.refused("called_already", alarms.call, **again).detail == {"alarm": alarm.pk}
    take(alarm)
    factories.refused("called_already", alarms.call, **again)
    end(alarm)
    assert call().pk != alarm.pk
    # Another table calls for itself.
    assert call(factories.table("T2"), by="boris").subject == "table:2"


def test_a_call_stays_when_the_croupier_is_relieved(seeded_db):
    alarm = call()
    with transaction.atomic():
        staff.sign_off(table=factories.table(), actor=factories.actor("anna"))
    assert Alarm.objects.standing().get() == alarm
    take(alarm)
    assert Alarm.objects.standing().get() == alarm
    end(alarm)
    assert not Alarm.objects.standing().exists()


def test_who_stands_at_a_terminal_of_the_table_calls_before_signing_on(seeded_db):
    with transaction.atomic():
        terminal, _ = terminals.enrol(table_id=1, name="T1-left", actor=factories.actor("clara"))
    assert call(by="boris", terminal=terminal).raised_by == factories.person("boris")
    anna = log.Actor(factories.person("anna"), None, terminal)
    refused = factories.refused("terminal_needed", alarms.call, table_id=2, reason="other", actor=anna)
    assert refused.status == 403


@pytest.mark.parametrize("reason", ["", "Frau Adler is rude", "CHIPS"])
def test_a_call_is_for_a_reason_of_the_list(seeded_db, reason):
    anna = factories.actor("anna")
    refused = factories.refused("call_reason_unknown", alarms.call, table_id=1, reason=reason, actor=anna)
    assert refused.way_out == "Choose one of these: chips, signature, error, dispute, player, relief, equipment, other."
    assert not Alarm.objects.exists()


def test_the_other_learns_who_came(seeded_db):
    alarm = take(call())
    clara = factories.person("clara")
    refused = factories.refused("alarm_taken", alarms.take, alarm_id=alarm.pk, word="", actor=factories.actor("frank"))
    assert refused.message == f"Staff {clara.pk} is already on the way to this call."
    assert refused.detail == {"alarm": alarm.pk, "staff": clara.pk}


def test_a_call_ends_after_somebody_came_and_once(seeded_db):
    alarm = call()
    factories.refused("alarm_not_taken", alarms.end, alarm_id=alarm.pk, actor=factories.actor("clara"))
    end(take(alarm))
    factories.refused("alarm_over", alarms.end, alarm_id=alarm.pk, actor=factories.actor("clara"))
    factories.refused("alarm_over", alarms.take, alarm_id=alarm.pk, word="", actor=factories.actor("clara"))


@pytest.mark.parametrize("word", ["x" * 201, "a\x00b"], ids=["long", "control"])
def test_a_word_is_short_and_plain(seeded_db, word):
    factories.refused("word_wrong", alarms.take, alarm_id=call().pk, word=word, actor=factories.actor("clara"))


def test_two_calls_at_once_make_one_and_of_two_takers_one_comes(seeded_db):
    one, other = factories.at_once(call, call)
    made = next(each for each in (one, other) if isinstance(each, Alarm))
    late = next(each for each in (one, other) if isinstance(each, Refused))
    assert (late.code, late.detail) == ("called_already", {"alarm": made.pk})
    results = factories.at_once(lambda: take(made, by="clara"), lambda: take(made, by="karl"))
    taken = next(each for each in results if isinstance(each, Alarm))
    late = next(each for each in results if isinstance(each, Refused))
    assert (late.code, late.detail["staff"]) == ("alarm_taken", taken.taken_by_id)
    assert [event for _, event, *_ in entries(made)] == ["alarm.raised", "alarm.taken"]
