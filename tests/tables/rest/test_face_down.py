"""Hands that were entered face down: as long as the round is open no door shows them, afterwards all do."""

import html
import json
import re

import pytest

from audit.models import Entry
from casino.games.bigtwo import BIGTWO
from tables.words.cards import spell

from ...support import evening, factories

VALUES, ROUNDS = evening.evening("bigtwo")
DECK = BIGTWO.deck(None)
HIDDEN = ["?"] * 13
PLAYS = 6


@pytest.fixture
def table(seeded_db):
    return factories.table_of("bigtwo", VALUES)


def rest(round_):
    answer = factories.client("anna").get(f"/api/v1/rounds/{round_.pk}/").json()
    return [(entry["kind"], entry["arguments"].get("cards")) for entry in answer["actions"]]


def page(path):
    return html.unescape(factories.client("clara").get(path).content.decode())


def told(path, cards):
    """Those of the cards that a page names."""
    content = page(path)
    return {card for card in cards if spell(DECK, [card]) in content}


def auditors(path):
    return html.unescape(factories.client("david").get(path).content.decode())


def history(path, cards):
    """Those of the cards that the auditor's history names, in words or as the log spells them."""
    content = auditors(path)
    return {card for card in cards if spell(DECK, [card]) in content or f'"{card}"' in content}


def test_no_door_tells_a_hand_before_the_round_is_closed(table):
    dealt = ROUNDS[0]
    hands = [action for action in dealt.actions if action.kind == "deal"]
    plays = [action for action in dealt.actions[len(hands) :][:PLAYS] if action.kind == "play"]
    opened = factories.open_round(table, dealt.seats)
    factories.act_all(opened, [hands[0]])
    factories.undo(opened)
    factories.act_all(opened, [hands[1], hands[2]])
    factories.amend(opened, 4, cards=hands[0].arguments["cards"])
    factories.undo(opened)
    factories.act_all(opened, [hands[0], hands[2], *dealt.actions[3 : len(hands) + PLAYS]])
    contested = factories.contest(opened, about="illegal play")
    paths = [f"/rounds/{opened.pk}/", f"/disputes/{contested.pk}/", f"/tables/{table.pk}/terminal/"]
    entries = rest(opened)
    assert {tuple(cards) for kind, cards in entries if kind == "deal"} == {tuple(HIDDEN)}
    lain = {card for action in plays for card in action.arguments["cards"]}
    assert {card for kind, cards in entries if kind == "play" for card in cards} == lain
    for path in paths:
        assert told(path, DECK.copies) == lain, path
        assert page(path).count("13 cards, face down") >= 7
    of_round = f"/admin/audit/entry/round/{opened.pk}/"
    assert history(of_round, DECK.copies) == lain
    assert "lie face down" in auditors(of_round)
    assert factories.client("david").get(f"{of_round}proof/").status_code == 409
    deals = Entry.objects.filter(subject=opened.ref, body__contains='"kind":"deal"').values_list("pk", flat=True)
    assert [history(f"/admin/audit/entry/{pk}/change/", DECK.copies) for pk in deals] == [set()] * len(deals)
    factories.act_all(opened, dealt.actions[len(hands) + PLAYS :])
    factories.close(opened)
    assert history(of_round, DECK.copies) == set(DECK.copies)
    assert [cards for kind, cards in rest(opened) if kind == "deal"][-1] == hands[3].arguments["cards"]
    for path in paths[:2]:
        assert told(path, DECK.copies) == set(DECK.copies), path


def test_a_hand_is_amended_without_being_shown(table):
    dealt = ROUNDS[0]
    opened = factories.open_round(table, dealt.seats)
    factories.act_all(opened, dealt.actions[:3])
    felt = factories.client("anna").get(f"/tables/{table.pk}/terminal/felt/?amend=1").content.decode()
    (told,) = re.findall(r'data-client="([^"]*)"', felt)
    (amended,) = (offer for offer in json.loads(html.unescape(told))["offers"] if offer["kind"] == "amend")
    assert amended["values"] == {"cards": []}
    assert set(re.findall(r'data-left="(.*)"', felt)) == {"1"}
    *_, last = dealt.actions[3].arguments["cards"]
    other = [last, *dealt.actions[0].arguments["cards"][1:]]
    factories.amend(opened, 1, cards=other)
    assert opened.actions.last().arguments == {"cards": other}
