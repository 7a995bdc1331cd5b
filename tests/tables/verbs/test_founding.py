"""A house founded from its file: what is wrong with a file, and that nothing is laid down if anything is."""

import errno
import io
import json
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, transaction

from audit.log import Actor
from audit.models import Entry
from casino.errors import Refused
from casino.models import Casino, ChipSet, Staff
from payouts.models import MOST_UNITS
from tables.models import OneTimeCode, Pit, RuleSheet, Table
from tables.people import codes, staff
from tables.verbs import founding, house_file

from ...test_architecture import BASE_DIR

FILE = BASE_DIR / "docs" / "house.toml"
# What the file says, what stands there instead, and what the command says of it.
WRONG = [
    ('code = "riverside" ', 'code = "River side" ', '[casino] code: "River side" can’t be read. Write at most 20'),
    ('currency = "EUR"', 'currency = "euro"', '[casino] currency: "euro" can’t be read. Write its three capital'),
    ('currency = "EUR"', "", "[casino] currency: It’s missing. Write its three"),
    ("decimals = 2", "decimals = true", "[casino] decimals: true can’t be read. Write how many"),
    ("decimals = 2", "decimals = 2\npaint = 1", "[casino] paint: There is no such setting. Use one of these: code,"),
    ("Europe/Berlin", "Berlin", '[casino] time_zone: "Berlin" can’t be read.'),
    ('"06:00"', '"26:00"', '[casino] day_starts: "26:00" can’t be read. Write hours and minutes'),
    ("cash = [1, 2,", "cash = [2, 1,", "[casino] cash: Its values aren’t in rising order."),
    ("cash = [1, 2,", "cash = [0.005, 2,", "[casino] cash: 0.005 has more than 2 digits after the decimal point."),
    ("cash = [1, 2,", "cash = [nan, 2,", "[casino] cash: NaN isn’t an amount."),
    ('login = "jan"', 'login = "ida"', '[[administrator]] 2 (ida) login: "ida" is there twice. Write another.'),
    ('"Jan Jansen"', '"Jan Jansen"\n[[administrator]]\nlogin = "eve"\nname = "Eve"', "founded by two people. Name two"),
    ('"Jan Jansen"', '""', '[[administrator]] 2 (jan) name: "" can’t be read.'),
    ("value = 5,", "value = 0.5,", "[[chip_set]] 1 (Cash chips) chips: Its values aren’t in rising order."),
    ('colour = "#ad1f2b"', 'colour = "red"', '(Cash chips) chips: "red" isn’t a colour. Write six hexadecimal'),
    ('code = "S2"', 'code = "S1"', '[[table]] 2 (S1) code: "S1" is there twice.'),
    ('code = "S2"', 'code = "S-2"', '[[table]] 2 (S-2) code: "S-2" can’t be read. Write at most 8 capital'),
    ('name = "Split 2"\npit = "M"', 'name = "Split 2"\npit = "X"', 'There is no pit "X". Use one of these: M'),
    ('of = "split"', 'of = "whist"', '(whist) of: The house has no game "whist". Use one of these: split,'),
    ("ante_minimum = 5", "ante_minimum = 500", "[[sheet]] 1 (split) ante_minimum: The lowest ANTE"),
    ("ante_minimum = 5", "ante_minimum = 5.001", "(split) ante_minimum: 5.001 has more than 2 digits"),
    ("boxes = 6", "boxes = 7", "[[sheet]] 1 (split) boxes: The number of boxes is 7; it runs from 1 to 6."),
    ("boxes = 6", "chip = 0.5", "[[sheet]] 1 (split) chip: No table has chips that add up to it."),
    ("decimals = 2", 'decimals = 2\n"\\u001b[2J" = 1', "[casino] \\x1b[2J: There is no such setting. Use one of"),
    ('code = "S1"', 'code = "\\u001b[2J"', "[[table]] 1 (\\x1b[2J) code: "),
    ("decimals = 2", "paint = 1", "starts, cash."),
    ('code = "riverside" ', 'code = "-" ', '[casino] code: "-" can’t be read.'),
    ("Europe/Berlin", "Factory", '[casino] time_zone: "Factory" can’t be read. Write a name from IANA’s list'),
    ("Europe/Berlin", "localtime", '[casino] time_zone: "localtime" can’t be read.'),
    ('"Jan Jansen"', '"\u3164"', "[[administrator]] 2 (jan) name: "),
    ('"Jan Jansen"', '"Ida Imhof\u3164"', "[[administrator]] 2 (jan) name: "),
    ('"Jan Jansen"', '"\u0301\u0308"', "[[administrator]] 2 (jan) name: "),
    ("value = 1,", "value = 1e9999999999999999999,", "chips: 1e9999999999999999999 isn’t an amount."),
    ("value = 1,", f"value = {'9' * 5000},", "Line 27: A number has too many digits. Write a shorter one."),
    ("value = 1,", f"value = 0x{'f' * 4000},", "too long to show is more than 10000000000, the highest amount."),
    ("value = 1,", "value = 1.0000000000000000000000000000001,", "has more than 2 digits after the decimal point."),
    ("value = 1000,", "value = 10_000_000_001,", "10000000001 is more than 10000000000, the highest amount."),
    ("rake_percent = 5", f"rake_percent = 0x{'f' * 4000}", "(genpoker) rake_percent: "),
    ("boxes = 6", f"boxes = {'[' * 3000}{']' * 3000}", "Line 66: The brackets are nested too deeply."),
    ("boxes = 6", f"{'.'.join('a' * 3000)} = 1", "[[sheet]] 1 (split) a: There is no such setting."),
    ("[[sheet]]", "[sheet]", "It isn’t TOML"),
    ("[casino]", "[house]", "[casino]: It’s missing."),
]


def founded(file):
    """What the command says."""
    said = io.StringIO()
    call_command("open_house", str(file), stdout=said)
    return said.getvalue()


def laid_down():
    return [model.objects.count() for model in (Casino, Staff, ChipSet, Pit, Table, RuleSheet, OneTimeCode, Entry)]


@pytest.mark.django_db
def test_a_file_with_a_fault_is_refused_with_its_place_and_its_cure_and_lays_nothing_down(tmp_path):
    text, file, nothing = FILE.read_text(), tmp_path / "house.toml", laid_down()
    for says, instead, words in WRONG:
        assert says in text
        file.write_text(text.replace(says, instead, 1))
        with pytest.raises(CommandError) as refused:
            founded(file)
        assert words in str(refused.value), (instead, str(refused.value))
        assert "nothing was changed" in str(refused.value)
    for says, instead, _ in WRONG[:2]:
        text = text.replace(says, instead, 1)
    with pytest.raises(house_file.HouseFileError) as refused:
        house_file.read(text.replace('pit = "M"', 'pit = "X"').replace("boxes = 6", "boxes = 7"))
    assert len(refused.value.faults) == 1 + 1 + 3 + 1
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long.toml").write_text("#" * (house_file.MOST_BYTES + 1))
    file.write_bytes(b"\n\xff")
    for wrong, words in (
        (file, "Line 2: It isn’t written in UTF-8"),
        (tmp_path / "none.toml", "can’t be read: No such file"),
        (tmp_path / "\x1b[2J", r"\\x1b\[2J is refused"),
        (tmp_path, "can’t be read: Is a directory"),
        (tmp_path / "pipe", "It isn’t a regular file"),
        (Path("/dev/zero"), "It isn’t a regular file"),
        (tmp_path / "long.toml", "It’s longer than 1000000 bytes"),
    ):
        with pytest.raises(CommandError, match=words):
            founded(wrong)
    assert laid_down() == nothing == [0] * len(nothing)


def test_a_file_as_notepad_writes_it_is_read_and_the_highest_amount_is_one_that_moves(tmp_path):
    text, file = FILE.read_text(), tmp_path / "house.toml"
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert house_file.read(house_file.open_file(file)) == house_file.read(text)
    fine = text.replace("decimals = 2", "decimals = 4").replace("value = 1000,", "value = 100_000_000.0,")
    assert house_file.read(fine).chip_sets[0]["denominations"][-1] == MOST_UNITS


class Full(io.StringIO):
    """An output that takes nothing any more once it has taken these words."""

    def __init__(self, last):
        super().__init__()
        self.last = last

    def write(self, text):
        if self.last in self.getvalue():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(text)


def test_a_house_is_founded_only_where_its_codes_can_be_shown_and_else_it_says_how_to_get_others(fresh_db):
    nothing = laid_down()
    for code in (None, "ida"):
        command, options = ("open_house",) if code else ("open_house", str(FILE)), {"code": code} if code else {}
        with pytest.raises(CommandError, match=r"can't be written: No space left on device\. .+ Nothing was changed\."):
            call_command(*command, stdout=Full(""), **options)
        assert laid_down() == nothing
        with pytest.raises(CommandError) as refused:
            call_command(*command, stdout=Full("shown this once"), **options)
        done = "The code was given, and the one before is over." if code else "The house is founded."
        assert str(refused.value).startswith(f"{done} What is to be shown can't be written: No space left on device.")
        who = "ida" if code else "ida and jan"
        assert str(refused.value).endswith(f"manage.py open_house --code LOGIN gives {who} another code.")
        nothing = laid_down()
    assert Staff.objects.count() == 2


def test_what_an_output_cant_encode_is_escaped_and_no_code_is_lost(fresh_db, tmp_path):
    file, out = tmp_path / "house.toml", io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    file.write_text(FILE.read_text().replace("Jan Jansen", "Żurek"))
    call_command("open_house", str(file), stdout=out)
    assert b"  \\u017burek   login jan   code " in out.buffer.getvalue()


def test_what_is_refused_last_takes_back_all_that_was_laid_down_before(fresh_db):
    house, nothing = house_file.read(FILE.read_text()), laid_down()
    house.sheets.append({"game": "split", "values": {"boxes": 0}})
    with pytest.raises(Refused, match="The number of boxes is 0"), transaction.atomic():
        founding.lay_down(house)
    assert laid_down() == nothing


def test_a_house_is_founded_once_by_the_system_and_its_sheets_are_drafts(fresh_db):
    said = founded(FILE)
    ida, jan = Staff.objects.order_by("pk")
    assert (ida.login, jan.login) == ("ida", "jan")
    assert not ida.has_usable_password()
    casino = Casino.objects.get()
    assert (casino.code, casino.day_starts_at.hour, casino.cash_denominations[0]) == ("riverside", 6, 100)
    assert ChipSet.objects.get().denominations == [100, 500, 2500, 10000, 50000, 100000]
    sheets = {sheet.game: sheet for sheet in RuleSheet.objects.all()}
    assert sheets.keys() == {"split", "genpoker", "dynastia", "presidential", "bigtwo"}
    assert {sheet.status for sheet in sheets.values()} == {"DRAFT"}
    assert {sheet.values["chip"] for sheet in sheets.values()} == {100}
    assert sheets["split"].values["ante_minimum"] == 500
    entries = [json.loads(entry.body) for entry in Entry.objects.order_by("id")]
    by = {entry["event"]: entry["by"] for entry in entries}
    assert by.pop("sheet.drafted") == ida.ref
    assert by == dict.fromkeys(("staff.added", "staff.posted", "setting.changed", "staff.code_given"), "system")
    for person in (ida, jan):
        assert f"login {person.login}   code " in said
        assert codes.holder(person.login, said.split(f"login {person.login}   code ")[1][:19]) == person
    before = laid_down()
    with pytest.raises(CommandError, match="This database already has a house"):
        founded(FILE)
    assert laid_down() == before


def test_a_code_names_nobody_only_as_long_as_there_are_no_two_others(fresh_db):
    founded(FILE)
    ida, jan = Staff.objects.order_by("pk")

    def again(login):
        said = io.StringIO()
        call_command("open_house", code=login, stdout=said)
        return said.getvalue().split(f"login {login}   code ")[1][:19]

    lapsed = codes.standing().get(staff=jan)
    first = again("jan")
    lapsed.refresh_from_db()
    assert lapsed.ended_at is not None
    assert codes.holder("jan", first) == jan
    with pytest.raises(CommandError, match="No administrator has the login eve"):
        again("eve")
    for wrong in ("", "\x1b[2J", "\udcff"):
        with pytest.raises(CommandError, match=r'^"(\\u001b\[2J|\\udcff)?" can’t be a login\. .+ Nothing was changed'):
            again(wrong)
    with pytest.raises(CommandError, match=r"leave one out\. Nothing was changed\."):
        call_command("open_house", code="jan", check=True)
    with transaction.atomic():
        for login in ("eve", "fay"):
            staff.add(login=login, name=login.title(), password="stranger-1", actor=Actor(ida, jan))
    with pytest.raises(CommandError, match="Two other people can give jan a code"):
        again("jan")
    with pytest.raises(DatabaseError, match="there are two others who could give it"), transaction.atomic():
        codes.give(staff=jan, actor=founding.SYSTEM)
    with pytest.raises(IntegrityError, match="onetimecode_given_whole"), transaction.atomic():
        OneTimeCode.objects.create(staff=jan, digest="0" * 64, given_by=ida)
    assert codes.holder("jan", first) == jan
