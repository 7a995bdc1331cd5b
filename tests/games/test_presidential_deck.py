"""A deck file is refused with the line at fault (presidential.1, .2), or loaded with a warning (presidential.3)."""

import csv
import io
from collections import Counter
from importlib import import_module
from itertools import pairwise

import pytest
from django.core.management import call_command

from casino.games.game import Fault
from casino.games.presidential import PRESIDENTIAL
from casino.games.presidential import pack as packs
from tests.support.presidential_cards import plain_deck

HOUSE_TEXT = packs.HOUSE_FILE.read_text("utf-8")


def changed(line, **cells):
    """The house deck with some cells of a line changed; line 1 is the header."""
    rows = list(csv.DictReader(io.StringIO(HOUSE_TEXT)))
    rows[line - 2] |= cells
    return written(rows)


def written(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, packs.COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def without(line):
    lines = HOUSE_TEXT.splitlines()
    return "\n".join([*lines[: line - 1], *lines[line:]])


def with_line(text):
    return f"{HOUSE_TEXT}{text}\n"


def test_the_house_deck_holds_to_every_published_fact():
    found = packs.house()
    assert found.warnings == ()
    assert len(found.cards) == 72
    assert set(Counter(symbol for symbols in found.symbols.values() for symbol in symbols).values()) == {4}
    assert Counter(card.kingdom for card in found.cards.values()) == {1: 16, 2: 16, 3: 16, 4: 16, 5: 8}
    assert {sum(card.numbers) for card in found.cards.values() if card.kingdom == 5} == {37}
    sizes = Counter(
        len({s for s in found.families if found.families[s] == kin}) for kin in set(found.families.values())
    )
    # Seven hues, grey, pink and the crowns of two symbols each; four shapes of four fills.
    assert sizes == {2: 10, 4: 4}


def test_every_card_has_its_place_in_the_grid_and_keys_of_its_own():
    for found in (packs.house(), packs.read(plain_deck())):
        deck = found.deck
        assert sorted(card for row in deck.order for card in row) == sorted(deck.copies) == sorted(deck.faces)
        keys = sorted(face.keys for face in deck.faces.values())
        assert not any(after.startswith(before) for before, after in pairwise(keys))
        assert all(face.keys.isascii() and face.keys.isalnum() and face.keys.isupper() for face in deck.faces.values())
        names = [face.name for face in deck.faces.values()]
        assert len(set(names)) == 72


def test_cards_that_letter_and_number_do_not_tell_apart_are_counted_letter_by_letter():
    keys = {face.keys for face in packs.read(plain_deck()).deck.faces.values()}
    assert keys == {f"{letter}{count}" for letter in "ABCDEFGHIJKLMNOPTU" for count in (1, 2, 3, 4)}


def test_only_dark_and_light_are_shades_of_a_hue():
    assert packs.family("colour dark-red") == packs.family("colour light-red")
    assert len({packs.family(f"colour {colour}") for colour in ("dark-green", "sea-green", "green-", "dark")}) == 4


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (changed(12, letter="D"), 12, "the letter D stands on 5 cards (lines 5, 8, 11, 12, 14), not on four"),
        (changed(12, letter="Z"), 12, "the letter Z stands on 1 card (line 12), not on four"),
        (changed(12, letter="dd"), 12, "the letter is dd, none from A to Z"),
        (changed(12, letter="d"), 12, "the letter is d, none from A to Z"),
        (changed(12, letter="DD"), 12, "the letter is DD, none from A to Z"),
        (changed(12, letter="Ä"), 12, "the letter is Ä, none from A to Z"),
        (changed(12, letter=""), 12, "the letter is missing"),
        (changed(30, picture="sheep"), 30, "the picture sheep stands on 5 cards"),
        (changed(30, figure="solid-cube"), 30, "the figure solid-cube stands on 1 card"),
        (changed(30, mystery="heart"), 30, "the mystery heart stands on 5 cards"),
        (changed(40, colour="grey"), 40, "the colour grey stands on 5 cards"),
        (changed(40, numbers="12"), 40, "the number 12 stands on 5 cards"),
        (changed(40, numbers="8"), 40, "play number 8 in Kingdom III, which has 9, 10, 11, 12"),
        (changed(40, numbers="9+10"), 40, "play number 9+10 in Kingdom III"),
        (changed(70, numbers="17+19"), 70, "play number 17+19 in Kingdom V, which has 17+20, 18+19"),
        (changed(70, numbers="17"), 70, "play number 17 in Kingdom V"),
        (changed(70, numbers="17+20"), 70, "the number 17+20 stands on 5 cards"),
        (changed(9, kingdom="VI"), 9, "kingdom VI; a kingdom is a number from 1 to 5"),
        (changed(9, kingdom="2"), 9, "play number 4 in Kingdom II"),
        (changed(9, card="1-dark-red"), 9, "the card 1-dark-red is already on line 2"),
        (without(20), 72, "the file ends here, and Kingdom II has 15 cards, not 16"),
        (without(73), 72, "the file ends here, and Kingdom V has 7 cards, not 8"),
        (with_line("x,5,17+20,T,tan,man,solid-crown,sun"), 74, "Kingdom V has 9 cards, not 8"),
        (with_line("x,5,17+20"), 74, "3 values for 8 columns"),
        (with_line("x,5,17+20,T,tan,man,solid-crown,sun,more"), 74, "9 values for 8 columns"),
        (with_line('x,"5'), 74, "no comma-separated values"),
        (HOUSE_TEXT.replace("mystery", "secret", 1), 1, "the columns are card, kingdom"),
        ("", 1, "the columns are missing"),
        (",".join(packs.COLUMNS), 1, "the file ends here, and Kingdom I has 0 cards, not 16"),
    ],
)
def test_a_deck_against_the_rules_is_refused_with_the_line_at_fault(text, line, said, tmp_path):
    file = tmp_path / "deck.csv"
    file.write_text(text)
    with pytest.raises(packs.InvalidDeckError) as refused:
        packs.load(str(file))
    assert str(refused.value).startswith(f"Line {line}: ")
    assert said in str(refused.value)
    fault = PRESIDENTIAL.read({"deck_file": str(file), "hands": []})
    assert isinstance(fault, Fault)
    assert (fault.code, fault.path, fault.message) == ("deck_invalid", "deck_file", str(refused.value))


def test_a_deck_that_differs_in_its_colours_alone_is_loaded_with_a_warning():
    # The four dark reds go to Kingdom III, its light reds to Kingdom I.
    swap = {"dark-red": "light-red", "light-red": "dark-red"}
    rows = list(csv.DictReader(io.StringIO(HOUSE_TEXT)))
    found = packs.read(written([row | {"colour": swap.get(row["colour"], row["colour"])} for row in rows]))
    assert len(found.warnings) == 8
    assert found.warnings[0] == "Line 2: light-red is no colour of Kingdom I (presidential.3)."


def test_columns_in_another_order_spaces_a_byte_order_mark_and_blank_lines_are_no_fault():
    rows = list(csv.reader(io.StringIO(HOUSE_TEXT)))
    text = "\ufeff" + "\r\n\r\n".join(" , ".join(reversed(row)) for row in rows)
    assert packs.read(text).symbols == packs.house().symbols


def test_a_file_that_changed_is_read_again(tmp_path):
    file = tmp_path / "deck.csv"
    file.write_text(HOUSE_TEXT)
    assert packs.load(str(file)).symbols == packs.house().symbols
    file.write_text(plain_deck())
    assert packs.load(str(file)).symbols != packs.house().symbols


@pytest.mark.parametrize("before", ["", "\n"])
def test_a_file_that_is_not_utf_8_is_refused_with_its_line(before, tmp_path):
    file = tmp_path / "deck.csv"
    file.write_bytes(before.encode() + HOUSE_TEXT.replace("pine", "p\xefne", 1).encode("latin-1"))
    with pytest.raises(packs.InvalidDeckError, match=rf"^Line {4 + len(before)} of the deck file .* is not UTF-8\."):
        packs.load(str(file))


def test_a_megabyte_is_a_deck_and_more_is_none(tmp_path):
    file = tmp_path / "deck.csv"
    file.write_text(HOUSE_TEXT.ljust(1_000_000, "\n"))
    assert packs.load(str(file)).symbols == packs.house().symbols
    file.write_text(HOUSE_TEXT.ljust(1_000_001, "\n"))
    with pytest.raises(packs.InvalidDeckError, match="or larger than a megabyte"):
        packs.load(str(file))


def test_what_can_not_be_read_is_no_deck(tmp_path):
    for path, why in (
        (str(tmp_path), "is no deck: it is no file, or larger than a megabyte."),
        (str(tmp_path / "none.csv"), "can't be read: No such file or directory."),
        ("a\0b", "can't be read: embedded null byte."),
    ):
        with pytest.raises(packs.InvalidDeckError) as refused:
            packs.load(path)
        assert str(refused.value) == f"The deck file {path} {why}"


def test_a_deck_by_itself_names_the_last_line_with_a_symbol_too_many():
    with pytest.raises(packs.InvalidDeckError, match=r"^Line 14: the letter D stands on 5 cards"):
        packs.read(changed(12, letter="D"))


def test_where_several_cards_differ_from_the_house_deck_the_last_line_is_named():
    """Which of lines 4 and 7 is wrong, nobody can say."""
    rows = list(csv.DictReader(io.StringIO(HOUSE_TEXT)))
    for line in (4, 7):
        rows[line - 2] |= {"letter": "D"}
    with pytest.raises(packs.InvalidDeckError, match=r"^Line 14: the letter D .* 6 cards \(lines 4, 5, 7, 8, 11, 14\)"):
        packs.read(written(rows), packs.house().cards)


# The command


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """Decks are loaded into a folder of the test."""
    folder = tmp_path / "decks"
    monkeypatch.setattr(packs, "LOADED", folder)
    return folder


def load_deck(*arguments):
    """Exit status, standard output, standard error."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    try:
        call_command("load_deck", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as ended:
        status = ended.code
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "printed.csv"
    file.write_text(changed(12, letter="C").replace("1-dark-yellow,1,1,C", "1-dark-yellow,1,1,A"))
    return file


def test_a_deck_is_loaded_under_its_name_and_a_line_finds_it_from_any_folder(own, loaded, tmp_path, monkeypatch):
    status, out, err = load_deck(own)
    assert (status, err) == (0, "")
    assert "Line 12: 3-dark-yellow differs from the house deck: letter C, there letter A." in out
    assert "Line 10: 1-dark-yellow differs from the house deck: letter A, there letter C." in out
    assert "Loaded as printed. Restart the casino" in out
    assert (loaded / "printed.csv").read_bytes() == own.read_bytes()
    assert packs.names() == ("house", "printed")
    monkeypatch.chdir(tmp_path)
    assert packs.load(packs.path_of("printed")).cards["3-dark-yellow"].letter == "C"
    assert load_deck(own)[0] == 0


def test_a_loaded_deck_is_read_from_its_folder_where_the_line_s_path_leads_nowhere(own, loaded, tmp_path, monkeypatch):
    loaded.mkdir()
    own.rename(loaded / "printed.csv")
    monkeypatch.chdir(tmp_path)
    path = packs.path_of("printed")
    assert packs.load(path).cards["3-dark-yellow"].letter == "C"
    there = tmp_path / path
    there.parent.mkdir(parents=True)
    there.write_text(plain_deck())
    assert packs.load(path).symbols == packs.read(plain_deck()).symbols


def test_checking_a_deck_leaves_nothing_behind(own, loaded):
    status, out, _ = load_deck(own, "--check")
    assert status == 0
    assert out.endswith("is a sound deck.\n")
    assert not loaded.exists()


def test_a_deck_that_rounds_may_refer_to_is_never_replaced(own, loaded):
    assert load_deck(own)[0] == 0
    before = own.read_text()
    own.write_text(HOUSE_TEXT)
    status, _, err = load_deck(own)
    assert status == 1
    assert "Another deck is already called printed" in err
    assert (loaded / "printed.csv").read_text() == before
    assert load_deck(own, "--name", "other")[0] == 0


@pytest.mark.parametrize("name", ["house", "../up", "Upper", "", "a" * 41, "a b"])
def test_a_name_that_no_sheet_could_write_is_refused(own, loaded, name):
    status, _, err = load_deck(own, f"--name={name}") if name else load_deck(own, "--name", " ")
    assert status == 1
    assert "can't name a deck" in err
    assert not loaded.exists()


def test_a_deck_against_the_rules_is_not_loaded(own, loaded):
    own.write_text(changed(12, letter="D"))
    status, out, err = load_deck(own)
    assert (status, out) == (1, "")
    assert "is refused. Line 12: the letter D stands on 5 cards" in err
    assert not loaded.exists()


def test_a_file_that_is_not_there_can_not_be_read(tmp_path, loaded):
    status, _, err = load_deck(tmp_path / "none.csv")
    assert status == 2
    assert "can't be read: No such file or directory." in err


def test_a_sheet_names_a_loaded_deck_and_is_faulty_once_the_file_is_broken(own, loaded, monkeypatch):
    load_deck(own)
    found = import_module("casino.games.presidential.sheet")
    # A restart reads the names anew.
    known = [p._replace(options=packs.names()) if p.name == "deck" else p for p in PRESIDENTIAL.parameters]
    monkeypatch.setattr(found, "PARAMETERS", tuple(known))
    sheet = PRESIDENTIAL.sheet({"deck": "printed"})
    assert PRESIDENTIAL.values(sheet)["deck"] == "printed"
    assert PRESIDENTIAL.deck(sheet).faces["3-dark-yellow"].mark == "C"
    assert PRESIDENTIAL.sheet({"deck": "lost"}).code == "bad_field"
    (loaded / "printed.csv").write_text("card\n")
    assert PRESIDENTIAL.sheet({"deck": "printed"}).code == "deck_invalid"
