"""How a scanner spells cards is set for a terminal and a game, checked, and recorded before and after."""

import json

import pytest
from django.db import transaction

from audit import log
from audit.models import Entry
from casino.games import registry
from tables.people import terminals
from tables.verbs import scanners

from ...support import factories


@pytest.fixture
def terminal(seeded_db):
    with transaction.atomic():
        return terminals.enrol(table_id=1, name="T1-left", actor=factories.actor("clara"))[0]


def refused(code, terminal, **content):
    content = {"game": "split", "prefix": "", "suffix": "", "codes": {}} | content
    return factories.refused(
        code, scanners.set_profile, terminal_id=terminal.pk, actor=factories.actor("clara"), **content
    )


def test_the_newest_counts_and_the_log_has_it_before_and_after(terminal):
    assert scanners.newest(terminal.pk, "split") is None
    first = factories.set_scanner(terminal, prefix="]C1")
    second = factories.set_scanner(terminal, suffix="#", codes={"Td": "D10", "As": "SA"})
    other = factories.set_scanner(terminal, game="bigtwo", prefix="*")
    assert scanners.newest(terminal.pk, "split") == second
    assert scanners.newest(terminal.pk, "bigtwo") == other
    of = {"terminal": f"terminal:{terminal.pk}", "game": "split"}
    before = {"prefix": "]C1", "suffix": "", "codes": {"Td": "D10"}}
    after = {"prefix": "", "suffix": "#", "codes": {"Td": "D10", "As": "SA"}}
    entries = [Entry.objects.get(subject=each.ref) for each in (first, second)]
    assert [entry.chain_id for entry in entries] == [log.HOUSE] * 2
    assert [json.loads(entry.body)["facts"] for entry in entries] == [
        {"what": first.ref, "after": of | before},
        {"what": second.ref, "before": before, "after": of | after},
    ]


def test_the_same_again_is_refused_and_so_is_nothing_at_first(terminal):
    refused("scanner_unchanged", terminal)
    factories.set_scanner(terminal)
    refused("scanner_unchanged", terminal, codes={"Td": "D10"})


def test_a_revoked_terminal_gets_none(terminal):
    with transaction.atomic():
        terminals.revoke(terminal_id=terminal.pk, actor=factories.actor("clara"))
    refused("terminal_revoked", terminal, prefix="*")


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({"prefix": "a b"}, "prefix"),
        ({"suffix": "."}, "suffix"),
        ({"suffix": "?"}, "suffix"),
        ({"prefix": "é"}, "prefix"),
        ({"prefix": "x" * 21}, "prefix"),
        ({"suffix": "\n"}, "suffix"),
        ({"codes": {"Xx": "1A"}}, "codes.Xx"),
        ({"codes": {"Td": ""}}, "codes.Td"),
        ({"codes": {"Td": 10}}, "codes.Td"),
        ({"codes": {"Td": "1"}}, "codes.Td"),
        ({"codes": {"Td": "1A", "As": "1A"}}, "codes.As"),
        # The ace of spades is typed as on the keyboard still.
        ({"codes": {"Td": "as"}}, "codes.Td"),
    ],
)
def test_what_no_scan_can_be_is_refused_with_its_place(terminal, content, path):
    assert refused("scanner_wrong", terminal, **content).path == path


def test_a_game_that_nobody_plays_has_no_scanner(terminal):
    refused("game_unknown", terminal, game="tarot")


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_card_of_every_game_may_have_a_code(terminal, game):
    codes = {card: f"{number:03d}" for number, card in enumerate(scanners.faces(game))}
    assert factories.set_scanner(terminal, game=game, codes=codes).codes == codes
