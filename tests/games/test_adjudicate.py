"""`manage.py adjudicate` as a program: contracts/adjudicate.md by its input, its output and its exit status."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from casino import adjudicate
from casino.games.split import SPLIT

from ..support import waiting

REPOSITORY = Path(__file__).parents[2]
ROUNDS = REPOSITORY / "tables" / "lab" / "replay" / "split_rounds.jsonl"
"""Two thousand rounds as tables recorded them."""

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"

EXAMPLE = """
{"id": 1, "game": "split", "chip": 1, "max_payment": null, "small_hand_loss_pays": "even", "unseen_cards": "small_hand",
 "coefficients": {"pair": "1:1", "two_pair": "1:1", "three_of_a_kind": "3:1", "straight": "4:1", "flush": "5:1",
                  "full_house": "7:1", "four_of_a_kind": "20:1", "straight_flush": "50:1", "royal_flush": "100:1"},
 "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"], "replacement": "Kh", "small": ["Qd", "3d"]},
 "boxes": [{"box": 1, "ante": 10, "action": "bet", "cards": ["3s", "4s", "5s", "6s", "8s"], "extra": ["Ah", "Ad"],
            "small": null, "buys_game": true}]}
"""
ANSWER = """
{"id": 1, "game": "split",
 "dealer": {"category": "pair", "has_game": true, "bought": true},
 "boxes": [{"box": 1, "outcome": "win_bet", "category": "flush", "net": 90,
            "wagers": [{"kind": "ante", "stake": 10, "returned": 10, "paid": 0},
                       {"kind": "bet", "stake": 20, "returned": 20, "paid": 100},
                       {"kind": "game_fee", "stake": 10, "returned": 0, "paid": 0}],
            "clauses": ["split.12", "split.13", "split.19"]}],
 "house_net": -90}
"""
EXAMPLE_LINE = json.dumps(json.loads(EXAMPLE)).encode()


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, REPOSITORY / "manage.py", "adjudicate", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "DATABASE_URL": NOWHERE},
    )


def run(*arguments, given=b""):
    """The program's exit status, its answers and what it complains of."""
    process = start(*arguments)
    out, err = process.communicate(given, timeout=waiting.PATIENCE)
    return process.returncode, [json.loads(line) for line in out.splitlines()], err.decode()


def judged(given, **options):
    """The same without a process: the exit status and the answers to bytes."""
    out = io.StringIO()
    status = adjudicate.run(io.BytesIO(given), out, **{"explain": False} | options)
    assert out.getvalue().isascii()
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def answered(data, number=1):
    found, ok = adjudicate.answer(data, number)
    assert ok is ("error" not in found)
    return found


def test_the_contracts_example_is_answered_to_the_letter_and_the_exit_status_is_0(tmp_path):
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(EXAMPLE_LINE + b"\n")
    status, answers, err = run(str(file))
    assert (status, err) == (0, "")
    assert json.dumps(answers) == json.dumps([json.loads(ANSWER)])


def test_standard_input_is_read_blank_lines_are_skipped_and_errors_let_the_next_line_go_on():
    lines = [b"", EXAMPLE_LINE, b"   \r", b'{"id": "x", "game": "split"}', b"nonsense", EXAMPLE_LINE]
    status, answers, err = run(given=b"\n".join(lines))
    assert (status, err) == (1, "")
    assert [answer["id"] for answer in answers] == [1, "x", None, 1]
    assert [answer.get("error", {}).get("code") for answer in answers] == [None, "missing_field", "bad_json", None]
    assert answers[2]["error"]["message"].startswith("Line 5: ")


def test_no_lines_are_no_answers_and_no_error():
    assert judged(b"\n\n") == (0, [])


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_an_input_that_cannot_be_read_is_told_in_a_sentence_and_the_exit_status_is_2(tmp_path, name):
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("adjudicate", str(tmp_path / name), stdout=out, stderr=err)
    assert (ended.value.code, out.getvalue()) == (2, "")
    assert re.fullmatch(rf"{tmp_path}\S* can't be read: .+\.\n", err.getvalue())


def test_a_line_is_answered_before_the_next_one_comes():
    process = start("-", "--explain")
    try:
        for _ in range(2):
            process.stdin.write(EXAMPLE_LINE + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["house_net"] == -90
    finally:
        _, err = process.communicate(timeout=waiting.PATIENCE)
    assert (process.returncode, err) == (0, b"")


def test_it_ends_quietly_when_its_reader_leaves():
    process = start()
    process.stdin.write(EXAMPLE_LINE + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    try:
        process.stdin.write((EXAMPLE_LINE + b"\n") * 100)
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.wait(timeout=waiting.PATIENCE) == 1
    assert process.stderr.read() == b""
    process.stderr.close()


def test_all_rounds_of_the_sample_are_adjudicated_in_order_and_balance():
    status, answers = judged(ROUNDS.read_bytes())
    assert status == 0
    assert [answer["id"] for answer in answers] == list(range(1, 2001))
    for answer in answers:
        assert answer["house_net"] == -sum(box["net"] for box in answer["boxes"])


def test_explain_adds_the_reasons_of_each_box_with_clauses_of_the_rules():
    status, (answer,) = judged(EXAMPLE_LINE, explain=True)
    assert status == 0
    explanation = answer.pop("explanation")
    assert answer == json.loads(ANSWER)
    assert [list(reason) for reason in explanation] == [["box", "clause", "text"]] * len(explanation)
    assert {reason["box"] for reason in explanation} == {1}
    assert {reason["clause"] for reason in explanation} <= set(SPLIT.clauses)
    assert explanation[-1] == {
        "box": 1,
        "clause": "split.22",
        "text": "Flush pays 5:1: on 20 that is 100.",
    }


def test_answers_are_ascii_even_with_suits_and_half_characters():
    line = json.dumps({**json.loads(EXAMPLE), "id": "\ud800"}).encode()
    assert "♠" in str(adjudicate.answer(line, 1, explain=True))
    status, (answer,) = judged(line, explain=True)
    assert (status, answer["id"]) == (0, "\ud800")


# One line at a time, without a process.


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"nonsense", "Line 7: Not JSON: Expecting value at character 0."),
        (b'{"id": 1', "Line 7: Not JSON: Expecting ',' delimiter at character 8."),
        (b"[1]", "Line 7: Not a JSON object."),
        (b"null", "Line 7: Not a JSON object."),
        (b'{"id": "\xff"}', "Line 7: Not UTF-8 at byte 8."),
        (b'{"id": 1, "chip": NaN}', "Line 7: Not JSON: NaN is no number."),
        (b'{"id": 1, "chip": -Infinity}', "Line 7: Not JSON: -Infinity is no number."),
        (b'{"id": 1} {"id": 2}', "Line 7: Not JSON: Extra data at character 10."),
    ],
)
def test_what_is_no_json_object_is_bad_json_without_id_that_names_the_line(data, message):
    assert answered(data, 7) == {"id": None, "error": {"code": "bad_json", "message": message, "path": ""}}


@pytest.mark.parametrize(
    "identity",
    ["1e999", "-1E-400", "12345678.123456789012345", '[1.50, {"a": 2.0}]', "9" * 5000, "[" * 200 + "]" * 200],
)
def test_an_id_is_echoed_as_it_was_written_whatever_json_it_is(identity):
    line = b'{"id": %s, "game": "chess"}' % identity.encode()
    out = io.StringIO()
    assert adjudicate.run(io.BytesIO(line + b"\n"), out, explain=False) == 1
    assert out.getvalue().startswith(f'{{"id": {identity}, "error": ')


@pytest.mark.parametrize("ante", ["1e1", "10.0", "9" * 5000])
def test_a_number_that_is_no_plain_integer_is_no_amount(ante):
    line = EXAMPLE_LINE.replace(b'"ante": 10', b'"ante": ' + ante.encode())
    assert answered(line, 1)["error"]["path"] == "boxes[0].ante"


def test_a_key_given_twice_among_thousands_is_found_at_once():
    keys = ", ".join(f'"k{number}": 1' for number in range(40_000))
    error = answered(f'{{"id": 1, {keys}, ".k": 1, ".k": 2}}'.encode(), 1)["error"]
    assert (error["code"], error["path"]) == ("bad_field", ".k")


def test_answers_that_can_t_be_written_end_in_a_sentence_and_status_3():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, REPOSITORY / "manage.py", "adjudicate"],
            input=EXAMPLE_LINE,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (3, b"The answers can't be written: No space left on device.\n")


@pytest.mark.parametrize(
    ("data", "code", "path"),
    [
        (b'{"id": 3}', "missing_field", "game"),
        (b'{"id": 3, "game": null}', "missing_field", "game"),
        (b'{"id": 3, "game": ["split"]}', "bad_field", "game"),
        (b'{"id": 3, "game": 5}', "bad_field", "game"),
        (b'{"id": 3, "game": "Split"}', "unknown_game", "game"),
        (b'{"id": 3, "game": "split", "game": "split"}', "bad_field", "game"),
        (b'{"id": 3, "game": "split", "dealer": {"small": null, "small": null}}', "bad_field", "dealer.small"),
        (b'{"id": 3, "game": "split", "boxes": [{}, {"box": 1, "box": 1}]}', "bad_field", "boxes[1].box"),
    ],
)
def test_a_line_that_names_no_game_or_a_key_twice_is_refused_with_its_id(data, code, path):
    found = answered(data)
    assert found["id"] == 3
    assert (found["error"]["code"], found["error"]["path"]) == (code, path)


@pytest.mark.parametrize("identity", [None, 0, "a", "\ud800", "é", True, [1, {"x": None}], {"round": "T7-00081"}])
def test_an_id_of_any_kind_is_echoed(identity):
    line = {**json.loads(EXAMPLE), "id": identity}
    assert answered(json.dumps(line).encode())["id"] == identity
    assert answered(json.dumps({"id": identity, "game": "split"}).encode())["id"] == identity


def test_a_line_without_id_is_answered_with_null():
    line = json.loads(EXAMPLE)
    del line["id"]
    assert answered(json.dumps(line).encode()) == {**json.loads(ANSWER), "id": None}


def test_only_a_line_feed_ends_a_line():
    given = '{"id": "a\u2028b\u0085c", "game": "none"}\r\n{"id": 2, "game": "none"}'
    status, answers = judged(given.encode())
    assert (status, [answer["id"] for answer in answers]) == (1, ["a\u2028b\u0085c", 2])
