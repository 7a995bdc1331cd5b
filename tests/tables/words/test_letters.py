"""The letters and signs of the terminal: none twice at a moment, and the croupier's guide and the page say the same."""

import re
from itertools import chain

import pytest

from casino.games.decks import FIFTY_TWO
from tables.words import letters

from ...test_architecture import BASE_DIR
from ...test_docs import rows

ALL = [*letters.Always, *letters.Chips, *letters.Pause, *letters.Amount, *letters.Cards]
KEY = re.compile(r"`([A-Z+-])`")


def documented():
    """What the table of keys in the guide says of each letter, without the chips and the example of a card."""
    table = {tuple(KEY.findall(cell)): words.lower() for cell, words in rows(BASE_DIR / "docs" / "croupier.md", "Keys")}
    del table[()]
    chips = table.pop(tuple(letters.CHIPS[:3]))
    card = next(letters for letters, words in table.items() if words.startswith("a card as it is written"))
    del table[card]
    return chips, card, table


@pytest.mark.parametrize(
    "letters",
    [
        [*letters.Always, *letters.Chips, *letters.Pause],
        [*letters.Always, *letters.Chips, letters.Pause.NEXT, *letters.CHIPS, *letters.Amount],
        [
            *letters.Always,
            *letters.Chips,
            letters.Pause.NEXT,
            *letters.Cards,
            *{key for face in FIFTY_TWO.faces.values() for key in face.keys},
        ],
    ],
    ids=["pause", "amount", "cards"],
)
def test_no_letter_is_twice_at_one_moment(letters):
    assert sorted(set(letters)) == sorted(letters)
    assert all(len(letter) == 1 and letter.upper() == letter for letter in letters)


def test_the_croupiers_guide_names_each_letter_and_no_other():
    chips, card, table = documented()
    assert sorted(chain(*table)) == sorted(ALL)
    assert "chips" in chips
    assert "".join(card) in {face.keys for face in FIFTY_TWO.faces.values()}


@pytest.mark.parametrize("key", ALL, ids=lambda key: key.name)
def test_the_croupiers_guide_says_what_a_letter_does(key):
    says = next(words for letters, words in documented()[2].items() if key in letters)
    assert key.name.lower().replace("_", " ") in says


def test_the_page_answers_to_the_letter_that_it_names_itself():
    script = (BASE_DIR / "tables" / "static" / "tables" / "terminal.js").read_text("utf-8")
    assert re.findall(r'upper === "(\w)"', script) == [letters.Cards.PLAYER_SETS]
