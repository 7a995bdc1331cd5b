"""The rights in words, and when a person used each last."""

import pytest
from django.db import transaction

from audit import history
from audit.events import EVENTS
from audit.log import Actor
from casino.roles import RIGHTS, Right, Role
from tables.models import Table
from tables.people import staff, terminals
from tables.words import rights
from tables.words import staff as words

from ...support import factories


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


def shown(login):
    """The rights of a person's page by their words."""
    return {row["words"]: row for row in words.shown(factories.person(login))["rights"]}


def test_every_right_has_words_and_every_use_is_an_event():
    assert set(rights.WORDS) == set(RIGHTS) == set(Right)
    assert set(rights.EVENTS) <= set(EVENTS)


def test_a_right_is_held_by_each_posting_that_gives_it():
    anna = factories.person("anna")
    with transaction.atomic():
        staff.post(staff=anna, role=Role.PIT_BOSS, pit=None, actor=factories.actor("ida", "frank"))
    held = shown("anna")
    assert [by["role"] for by in held["Sign on and off at a table, relieve"]["by"]] == ["Croupier", "Pit boss"]
    assert [by["reach"] for by in held["Enter a tip"]["by"]] == [f"{factories.table('T1').pit}, where signed on"]
    assert [by["reach"] for by in held["Read gaming days and their figures"]["by"]] == ["Everywhere"]
    assert "Export the log" not in held


def test_the_last_use_is_the_newest_entry_that_takes_the_right():
    assert shown("clara")["Enrol, rename and revoke terminals"]["last"] == "Never"
    for reads in ("Read rule sheets, drafts too", "See and print fills, credits and changes"):
        assert shown("clara")[reads]["last"] == "Leaves no entry"
    with transaction.atomic():
        terminals.enrol(table_id=Table.objects.first().pk, name="T1-left", actor=Actor(factories.person("clara")))
    assert shown("clara")["Enrol, rename and revoke terminals"]["used"]
    assert not shown("frank")["Enrol, rename and revoke terminals"]["used"]
    # What the second of two signs is a use of theirs, and none of who asked.
    factories.void(factories.open_round(factories.table("T1")))
    assert shown("clara")["Be the second who signs for what happens in a round"]["used"]


def test_what_lies_behind_the_newest_entries_is_found_by_its_event_or_said_to_be_unknown(monkeypatch):
    """Anna dealt a lot since she last signed on."""
    with transaction.atomic():
        staff.sign_off(table=factories.table("T1"), actor=factories.actor("anna"))
    table = factories.table("T1")
    with transaction.atomic():
        staff.sign_on(staff=factories.person("anna"), table=table, actor=factories.actor("clara"), relieve=True)
    signing = "Sign on and off at a table, relieve"
    before = shown("anna")[signing]["last"]
    factories.act_all(factories.open_round(table), factories.FLUSH_WINS)
    monkeypatch.setattr(history, "LOOKED_AT", 5)
    anna = shown("anna")
    assert anna[signing]["last"] == before
    assert anna["Open, enter, undo, amend, close and tick in a round"]["used"]
    assert anna["Enter a buy-in"]["last"].startswith("Not since")
    assert anna["Call the pit boss"]["last"] == "Never"


def test_auditors_alone_have_entries_of_what_they_read():
    factories.client("david").get("/staff/")
    assert shown("david")["Read who works here, as what and since when"]["used"]
    factories.client("ida").get("/staff/")
    assert shown("ida")["Read who works here, as what and since when"]["last"] == "Leaves no entry"
