"""What a croupier says of a box as it is paid."""

import re

import pytest
from django.utils import translation

from casino.games import registry
from tables.verbs.results import Paid, Why
from tables.words import aloud

SPLIT = [
    Why(1, "split.6", "Box 1 put up a BET.", None),
    Why(1, "split.22", "Flush pays 5:1.", "flush, 5:1"),
    Why(2, "split.17", "Box 2 is below.", "king high, below"),
]


def paid(box, *, staked=0, returned=0, units=0, difference=None, corrected=False, lies="box"):
    net = returned + units - staked
    return Paid(box, "", staked, returned, units, net, [], False, difference, lies, corrected)


@pytest.mark.parametrize(
    ("payment", "words"),
    [
        (paid(1, staked=450, returned=450, units=750), "Box one, flush, five to one: seven hundred fifty."),
        (paid(2, staked=75), "Box two, king high, below: seventy-five taken."),
        (paid(3, staked=75, returned=75), "Box three: stakes go back."),
        (paid(4, staked=75, lies="pot"), "Box four: no share."),
        (paid(12, staked=20, units=1057, lies="pot"), "Box twelve: one thousand fifty-seven."),
        (paid(1, difference=30, corrected=True), "Box one, flush, five to one: thirty more."),
        (paid(1, difference=-30, corrected=True), "Box one, flush, five to one: thirty back to the house."),
        (paid(1, difference=0, corrected=True), "Box one, flush, five to one: nothing changes."),
        (paid(1, difference=30, lies="nowhere"), "Box one, flush, five to one: thirty."),
        (paid(3, difference=-30, lies="nowhere"), "Box three: thirty from the box."),
        (paid(3, difference=0, lies="nowhere"), "Box three: nothing changes hands."),
    ],
)
def test_a_box_is_announced_with_its_result_and_its_amount(payment, words):
    assert aloud.sentence(payment, SPLIT, str) == words


def test_all_that_decides_is_a_reason_of_its_game():
    for game in registry.GAMES.values():
        assert game.spoken.keys() <= game.sentences.keys(), game.code
        for message, text in game.spoken.items():
            known = set(re.findall(r"\{(\w+)", game.sentences[message]))
            assert set(re.findall(r"\{(\w+)", text)) <= known | {"held", "code"}, (game.code, message)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Box 3: 750.", "Box drei: siebenhundertfünfzig."),
        ("28,50", "achtundzwanzig fünfzig"),
        ("3,00", "drei"),
        ("1\u2009057", "eintausendsiebenundfünfzig"),
    ],
)
def test_numbers_are_said_in_the_reader_s_language_and_read_by_its_decimal_mark(text, words):
    with translation.override("de"):
        assert aloud.in_words(text) == words
