"""The log's bytes are the contract's, and a chain has no gap."""

import datetime as dt
import hashlib
import json
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import example, given
from hypothesis import strategies as st

from audit import chains, form, log
from audit.models import FIRST_PREV, Entry
from tests.support import entry_texts

VECTOR = (
    '{"at":"2026-11-20T22:53:01.123456Z","by":"staff:12","chain":"table:7","event":"round.closed","facts":{"é":1},'
    '"prev":"0000000000000000000000000000000000000000000000000000000000000000","seq":1,"subject":"round:81",'
    '"terminal":"T7-left","v":1}'
)
ODD = ['","prev":"', "}", "\\", "e\u0301é😀", "[null]", ""]
AT = dt.datetime(2026, 11, 20, 22, 53, 1, 123456, tzinfo=dt.UTC)


def test_an_entry_is_the_contract_s_vector_byte_for_byte():
    record = log.Record("round.closed", "round:81", {"e\u0301": 1}, by="staff:12", terminal="T7-left")
    text = entry_texts.entry(chain="table:7", seq=1, prev=FIRST_PREV, at=AT, record=record)
    assert text == VECTOR
    assert log.digest(text) == "dd4a2e11507092df602231c203751785abd7eff255ccf45a43aaafe171521cf1"
    leaf = hashlib.sha256(b"\x00" + text.encode()).hexdigest()
    assert leaf == "6519887219936d043dd08bde96e82926cf5801c2fe70ea1d8ef61eaa1c1ff89b"


def test_a_fact_without_a_value_is_left_out_and_terminal_stands():
    record = log.Record("staff.posted", "staff:1", {"staff": "staff:1", "role": "cage", "pit": None})
    told = json.loads(entry_texts.entry(chain="house", seq=1, prev=FIRST_PREV, at=AT, record=record))
    assert told["facts"] == {"staff": "staff:1", "role": "cage"}
    assert told["terminal"] is None


@pytest.mark.parametrize("value", ["a\nb", "\x00", "\ud800", "tab\t", 1.5, {1, 2}, b"bytes"])
def test_what_can_t_stand_in_the_log_is_refused(value):
    with pytest.raises(ValueError, match="can't stand in the log"):
        log.canonical({"x": value})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["1.5", "4e8f", "\\"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
@example({"sheet": "4e8f", "clause": "split.19"})
@example([-1e9])
@example({"a": float("nan")})
def test_the_short_way_to_a_text_gives_the_same_as_the_long_one(value):
    def long_way():
        return json.dumps(form._clean(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    try:
        expected = long_way()
    except ValueError:
        with pytest.raises(ValueError, match="can't stand in the log"):
            log.canonical(value)
    else:
        assert log.canonical(value) == expected


@pytest.fixture
def chain(fresh_db):
    with transaction.atomic():
        log.start_chain("table:9")
    return "table:9"


def write(chain, count=1):
    with transaction.atomic():
        log.record_all(chain, [log.Record("staff.signed_on", "staff:1", {"staff": "staff:1"})] * count)


def verify(chain):
    """The chain recomputed from its bytes alone; gives its length."""
    return chains.verify(chain).seq


def test_a_chain_that_was_verified_is_verified_on_from_there(chain):
    write(chain, 2)
    sofar = chains.verify(chain)
    write(chain)
    assert chains.verify(chain, sofar) == chains.verify(chain)
    with pytest.raises(chains.Broken, match="entry 3 is missing, or doesn’t follow"):
        chains.verify(chain, sofar._replace(head=FIRST_PREV))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("UPDATE audit_entry SET body = replace(body, 'staff:1', 'staff:2') WHERE seq = 2", "entry 3 .* follow"),
        ("UPDATE audit_entry SET body = replace(body, ',', ', ') WHERE seq = 3", "entry 3 isn’t in the one form"),
        ("DELETE FROM audit_entry WHERE seq = 2", "entry 2 is missing"),
        ("DELETE FROM audit_entry WHERE seq = 3", "its head is entry 3"),
        ("UPDATE audit_chain SET head = repeat('0', 64)", "its head is entry 3, 0{64}"),
    ],
)
def test_a_damaged_chain_is_found(chain, owner_connection, damage, message):
    write(chain, 3)
    for table in ("audit_entry", "audit_chain"):
        owner_connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    owner_connection.execute(damage)
    with pytest.raises(chains.Broken, match=message):
        chains.verify(chain)


def test_the_database_writes_the_one_form_at_its_place(chain):
    held = [log.Record("round.held", f"round:{n}", {"clause": text}, terminal=text) for n, text in enumerate(ODD)]
    write(chain)
    with transaction.atomic():
        log.record_all(chain, held)
    first, *bodies = Entry.objects.order_by("seq").values_list("body", flat=True)
    prev = first
    for seq, (record, body) in enumerate(zip(held, bodies, strict=True), 2):
        at = dt.datetime.fromisoformat(json.loads(body)["at"])
        place = {"chain": chain, "seq": seq, "prev": log.digest(prev), "at": at}
        assert body == entry_texts.entry(**place, record=record)
        prev = body


def test_a_batch_shares_one_moment_and_continues_the_chain(chain):
    write(chain)
    write(chain, 3)
    assert verify(chain) == 4
    moments = [json.loads(body)["at"] for body in Entry.objects.values_list("body", flat=True)]
    assert moments[1] == moments[2] == moments[3]


def test_the_columns_are_read_out_of_the_text_by_the_database(chain):
    write(chain)
    entry = Entry.objects.get()
    assert (entry.event, entry.subject, entry.by) == ("staff.signed_on", "staff:1", "system")


def test_time_never_goes_back_within_a_chain(chain, owner_connection):
    write(chain)
    # The database's clock was ahead once.
    owner_connection.execute("ALTER TABLE audit_chain DISABLE TRIGGER USER")
    owner_connection.execute("UPDATE audit_chain SET at = '2999-01-01Z' WHERE key = %s", [chain])
    owner_connection.execute("ALTER TABLE audit_chain ENABLE ALWAYS TRIGGER moves_forward")
    write(chain)
    assert json.loads(Entry.objects.get(chain=chain, seq=2).body)["at"] == "2999-01-01T00:00:00.000000Z"


def test_four_writers_at_once_leave_no_gap(chain):
    def work():
        try:
            for _ in range(10):
                write(chain)
        finally:
            connection.close()

    writers = [threading.Thread(target=work) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert verify(chain) == 40


def test_a_rolled_back_entry_leaves_nothing(chain):
    with transaction.atomic():
        log.record("staff.signed_on", "staff:1", chain=chain, actor=log.SYSTEM, facts={"staff": "staff:1"})
        transaction.set_rollback(True)
    write(chain)
    assert verify(chain) == 1


@pytest.mark.parametrize(
    ("event", "chain_key", "facts", "message"),
    [
        ("round.invented", "table:9", {}, "No event"),
        ("staff.signed_on", "house", {"staff": "staff:1"}, "does not stand in the chain house"),
        ("staff.posted", "table:9", {"staff": "staff:1", "role": "cage"}, "does not stand in the chain table:9"),
        ("staff.signed_on", "table:9", {}, "has the facts \\[\\]"),
        ("staff.signed_on", "table:9", {"staff": "staff:1", "name": "Anna"}, "has the facts \\['name', 'staff'\\]"),
    ],
)
def test_an_entry_that_the_contract_does_not_know_is_refused(chain, event, chain_key, facts, message):
    with pytest.raises(ValueError, match=message), transaction.atomic():
        log.record(event, "staff:1", chain=chain_key, actor=log.SYSTEM, facts=facts)
    assert not Entry.objects.exists()


def test_there_is_no_entry_in_a_chain_that_is_not_there(chain):
    with pytest.raises(IntegrityError, match="there is no chain table:10"):
        write("table:10")
    assert not Entry.objects.exists()


def test_the_log_is_written_inside_a_transaction_only(chain):
    with pytest.raises(RuntimeError, match="in the transaction"):
        log.record("staff.signed_on", "staff:1", chain=chain, actor=log.SYSTEM, facts={"staff": "staff:1"})
