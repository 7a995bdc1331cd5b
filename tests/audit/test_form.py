"""What an entry is: the writer, the database, Python and the verifier agree on every text."""

import datetime as dt
import json
import tempfile

import pytest
from django.db import connection
from hypothesis import HealthCheck, example, given, settings

from audit import form, log, verify_export
from audit.models import Entry

from ..support import entry_texts, proof

AT = dt.datetime(2026, 11, 20, 22, 53, 1, 123456, tzinfo=dt.UTC)
SIMPLE = entry_texts.entry(
    chain="table:7", seq=1, prev="0" * 64, at=AT, record=log.Record("round.held", "round:81", {"clause": "house.4"})
)


def by_database(text):
    """What the database says is wrong with a text; empty if it is an entry."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce((entry_envelope(%s))[1], '')", [text])
        return cursor.fetchone()[0]


def by_verifier(text):
    """What somebody else's program says, which shares no code with the house."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(text.encode() + b"\n")
        file.flush()
        block = verify_export.Block(0, file.tell(), 1, 1)
        claim = verify_export.Claim(**dict.fromkeys(verify_export.Claim._fields) | {"kind": "all", "chains": {}})
        try:
            verify_export.scan(verify_export.Part(file.name, block, (verify_export.Run(0, 1),), claim))
        except verify_export.Malformed as error:
            return str(error)
    return ""


def storable(text):
    """Whether PostgreSQL holds such a text at all."""
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


def agree(text):
    fault = form.fault(text)
    if storable(text):
        assert bool(by_database(text)) == bool(fault), (text, fault, by_database(text))
    else:
        assert fault, text
    if not fault:
        assert not by_verifier(text), (text, by_verifier(text))
    return fault


@settings(max_examples=proof.examples(160), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entry_texts.entries())
@example(SIMPLE)
def test_what_the_writer_writes_is_an_entry_for_all(db, text):
    assert agree(text) == ""


@settings(max_examples=proof.examples(600), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entry_texts.damaged_entries())
def test_of_a_damaged_entry_database_and_python_say_the_same(db, text):
    agree(text)


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        ('"clause":"house.4"', '"n":9999999999999999999', True),
        ('"clause":"house.4"', '"n":10000000000000000000', False),
        ('"clause":"house.4"', '"n":-9999999999999999999', True),
        ('"clause":"house.4"', '"a":{"b":null},"c":[null]', True),
        ('"clause":"house.4"', '"a":"b":"c"', False),
        ('"clause":"house.4"', '"a":":{\\"b\\\\","b":1', True),
        ('"clause":"house.4"', '"!":1,"\\"":2,"[":3,"\\\\":4,"]":5', True),
        ('"clause":"house.4"', '"!":1,"\\\\":2,"[":3', False),
        ('"clause":"house.4"', '"a\\\\":1,"b":",\\"c\\":"', True),
        ('"clause":"house.4"', "", True),
        ('"clause":"house.4"', '"":1,"A":2,"Z":3,"a":4,"z":5,"é":6,"中":7,"😀":8', True),
        ('"clause":"house.4"', '"\uffff":1,"😀":2', True),
        ('"clause":"house.4"', '"😀":1,"\uffff":2', False),
        ('"clause":"house.4"', f'"a":{"[" * 98}{"]" * 98}', True),
        ('"clause":"house.4"', f'"a":{"[" * 99}{"]" * 99}', False),
        ('"clause":"house.4"', f'"a":{"[[1,2]," * 60}1{"]" * 60}', True),
        ('"clause":"house.4"', f'"a":"{"[{" * 99}"', True),
        ('"clause":"house.4"', f'"a":"{"x" * (form.MOST_BYTES - len(SIMPLE) + 12)}"', True),
        ('"clause":"house.4"', f'"a":"{"x" * (form.MOST_BYTES - len(SIMPLE) + 13)}"', False),
        ('"subject":"round:81"', f'"subject":"{"é" * 80}"', True),
        ('"subject":"round:81"', f'"subject":"{chr(92) * 160}"', True),
        ('"subject":"round:81"', f'"subject":"{chr(92) * 162}"', False),
        ('"terminal":null', '"terminal":"\\"v\\":1"', True),
        ('"terminal":null', '"terminal":","', True),
        ('"terminal":null', '"terminal":""', True),
        ('"terminal":null', '"terminal":{"terminal":null}', False),
        ('"event":"round.held"', f'"event":"a.{"b" * 78}"', True),
        ("2026-11-20", "2028-02-29", True),
        ("2026-11-20", "2000-02-29", True),
        ("2026-11-20", "0001-01-01", True),
        ("2026-11-20", "9999-12-31", True),
        ("22:53:01", "23:59:59", True),
        ('"v":1', f'"v":{"9" * 18}', True),
    ],
)
def test_at_the_borders_all_agree(db, before, after, is_one):
    text = SIMPLE.replace(before, after, 1)
    assert text != SIMPLE
    assert (agree(text) == "") == is_one


def test_each_entry_of_a_night_is_one(settled_db):
    texts = list(Entry.objects.values_list("body", flat=True))
    assert len(texts) > 20
    assert {agree(text) for text in texts} == {""}
    assert form.read(texts[0]) == json.loads(texts[0])


@pytest.mark.parametrize("text", ["", "[]", "7", "null", '"a"', "{", "{}", '{"a":1}', "\0", "\ud800", "[" * 100_000])
def test_what_is_hardly_json_is_said_to_be_none_and_read_as_nothing_more(db, text):
    assert agree(text)
    assert form.lenient(text) == ({"a": 1} if text == '{"a":1}' else {})
