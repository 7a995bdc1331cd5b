"""Nobody waits: without a broker all goes on as always, without a database everybody learns that at once."""

import functools
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connections

from casino import outages
from casino.lab.proxy import Proxy
from casino.models import Command
from tables.models import Action

from ..support import factories, faulty, proof, stack, waiting
from ..support.terminal import actions, begin, expect, play, press, step, type_cards
from ..tables.terminal.test_live import Client, Events

STAKED = (
    ("ante", 1, {"units": 2500}),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "9d"}),
    ("bet", 1, {}),
)


@pytest.fixture(scope="module")
def running():
    with stack.clone(stack.SEEDED) as database, faulty.FaultyStack(database) as started:
        yield started


@pytest.fixture
def lines(running):
    yield running
    running.all_normal()
    waiting.until(lambda: Client(running, None).send("GET", "/api/v1/tables/")[0].status == 401)


@pytest.fixture(scope="module")
def anna(running):
    return Client(running, "anna")


def test_nobody_waits_for_a_broker_that_is_down_hung_or_slow(lines, anna, monkeypatch):
    """Whole rounds are played before the broker answers again. The figure is the bench's to judge, see the proof; that
    ringing may take for ever is shown by `test_a_broker_that_never_answers_makes_nobody_wait`."""
    longest, send = [], anna.send

    def timed(*args, **kwargs):
        begun = time.monotonic()
        try:
            return send(*args, **kwargs)
        finally:
            longest.append(time.monotonic() - begun)

    monkeypatch.setattr(anna, "send", timed)
    played = []
    for state in ("down", "hung", "slow"):
        lines.broker_line.be(state)
        played.append(anna.play(1))
    print(f"The slowest of {len(longest)} requests without a broker: {max(longest):.2f} s")
    lines.broker_line.be("normal")
    for round_ in played:
        anna.until_settled(round_)


def answered(client, method, path, body=None):
    """The answer to a request; it comes while the database is still out of reach, after so long."""
    begun = time.monotonic()
    answer, data = client.send(method, path, body, key="k")
    print(f"{method} {path}: {answer.status} after {time.monotonic() - begun:.1f} s")
    return answer, data.decode()


@pytest.mark.parametrize("state", ["down", "hung"])
def test_without_a_database_each_door_says_so_in_its_own_way(lines, anna, state):
    rest = [("GET", "/api/v1/tables/"), ("POST", "/api/v1/rounds/1/close/", json.dumps({"version": 0}))]
    pages = [("GET", "/tables/1/terminal/"), ("POST", "/rounds/1/preview/", "{}")]
    lines.database_line.be(state)
    with ThreadPoolExecutor(4) as at_once:
        answers = list(at_once.map(lambda asked: answered(anna, *asked), [*rest, *pages]))
    for answer, _ in answers:
        assert (answer.status, answer.getheader("Retry-After")) == (503, "2")
        assert "default-src 'none'" in answer.getheader("Content-Security-Policy")
    for _, text in answers[:2]:
        refusal = json.loads(text)
        assert (refusal["code"], refusal["detail"]) == ("database_out_of_reach", {"retry_after": 2})
        assert "same Idempotency-Key" in refusal["way_out"]
    for (method, *_), (_, text) in zip(pages, answers[2:], strict=True):
        assert "<h1>The database doesn’t answer</h1>" in text
        assert ('http-equiv="refresh"' in text) == (method == "GET")
    for path in ("/healthz", "/login/"):
        assert answered(Client(lines, None), "GET", path)[0].status == 200
    assert "Traceback" not in lines.web.log.read_text()


def test_streams_end_with_a_word_and_nothing_of_the_old_database_is_left_in_the_pool(lines, anna):
    asked = functools.partial(anna.send, "GET", "/api/v1/tables/")
    with ThreadPoolExecutor(16) as many:
        list(many.map(lambda _: asked(), range(64)))
    stream = Events(anna, 1)
    lines.database_line.be("down")
    stream.join(waiting.PATIENCE)
    assert stream.ended
    assert stream.down
    assert anna.send("GET", "/live/tables/1/")[0].status == 503
    since = lines.web.log.stat().st_size
    lines.database_line.be("normal")
    waiting.until(lambda: b"answers again" in lines.web.log.read_bytes()[since:])
    assert [asked()[0].status for _ in range(16)] == [200] * 16


def test_a_command_that_waits_for_its_turn_is_not_given_up(lines, anna):
    with psycopg.connect(lines.database_url) as connection:
        connection.execute("SELECT FROM tables_table WHERE id = 1 FOR UPDATE")
        answer, text = anna.send("POST", "/api/v1/tables/1/rounds/", "{}", key="k")
    assert (answer.status, json.loads(text)["code"]) == (409, "in_flight")


class LosesTheAnswer(Proxy):
    """Passes a COMMIT on and what the server says to it never."""

    lost = 0

    async def carry(self, source, sink, *, answers):
        while data := await source.read(65536):
            if answers and self.lost == 1:
                self.lost += 1
                return
            if not answers and b"COMMIT" in data:
                self.lost += 1
            sink.write(data)
            await sink.drain()


def test_a_command_whose_commit_was_not_answered_is_done_once(seeded_db):
    opened = factories.open_round(factories.table())
    anna, path = factories.client("anna", raise_request_exception=False), f"/api/v1/rounds/{opened.pk}/actions/"
    ante = {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}}
    name, settings = ".s.PGSQL.5432", connections.settings["default"]
    listens = stack.folder() / name
    with LosesTheAnswer(listens, stack.cluster().socket_folder / name) as proxy:
        connections["default"].close()
        before, settings["HOST"] = settings["HOST"], str(listens.parent)
        try:
            lost = factories.send(anna, path, ante, key="k")
            again = factories.send(anna, path, ante, key="k")
        finally:
            connections["default"].close()
            settings["HOST"] = before
    assert proxy.lost >= 2
    assert (lost.status_code, lost.json()["code"]) == (503, "database_out_of_reach")
    assert (again.status_code, again.headers.get("Idempotency-Replayed")) == (200, "true")
    assert Action.objects.count() == Command.objects.count() == 1


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        (psycopg.OperationalError(), True),
        (psycopg.errors.ConnectionTimeout(), True),
        (psycopg.errors.AdminShutdown(), True),
        (psycopg.errors.TooManyConnections(), True),
        (psycopg.errors.LockNotAvailable(), False),
        (psycopg.errors.DeadlockDetected(), False),
    ],
)
def test_out_of_reach_is_what_the_database_could_not_be_asked(cause, expected):
    error = outages.OperationalError()
    error.__cause__ = cause
    assert outages.out_of_reach(error) is expected
    assert not outages.out_of_reach(ValueError())


def out_and_back(page, running, out, back):
    """Half entered when it begins, a command meanwhile, and when it is over all is where it was, done once.

    Gives the seconds until the screen said so, until it said so of the command, until the command was done.
    """
    band, seconds = page.locator("#offline"), []

    def clock(begun):
        seconds.append(time.monotonic() - begun)

    def said(words):
        visible = page.locator("#offline:visible")
        expect(visible).to_contain_text(re.compile(r"\s*".join(words.split())))

    begin(page, running, "anna")
    play(page, *STAKED)
    step(page, 4)
    page.evaluate("() => { window.stayed = true; }")
    type_cards(page, "As Kd")
    begun = time.monotonic()
    out()
    said("Disconnected What you have entered stays here.")
    clock(begun)
    type_cards(page, "7c 2h")
    begun = time.monotonic()
    page.keyboard.press("Enter")
    said("Disconnected “Reveal dealer” is kept and sent once when the line is back.")
    clock(begun)
    page.wait_for_timeout(1500)  # by the clock: it goes on waiting
    expect(page.get_by_role("button", name="Wait, not confirmed")).to_be_visible()
    begun = time.monotonic()
    back()
    expect(page.locator("#term")).to_have_attribute("data-version", "5")
    clock(begun)
    expect(band).to_be_hidden()
    expect(page.locator("[data-refusal]")).to_be_hidden()
    # Nothing waits for a hand: the round goes on.
    press(page, "Box 1 takes ANTE", 6)
    assert page.evaluate("() => window.stayed"), "the page was loaded again"
    assert [kind for kind, _ in actions(running, page)][-2:] == ["reveal", "take_ante"]
    return seconds


@pytest.mark.browser
@pytest.mark.parametrize("line", ["database_line", "front"])
def test_a_line_that_falls_silent_loses_nothing_that_was_entered(page, lines, line):
    cut = getattr(lines, line)
    out_and_back(page, lines, functools.partial(cut.be, "hung"), functools.partial(cut.be, "normal"))


@pytest.fixture(scope="module")
def own():
    with faulty.own_cluster() as started:
        yield started


@pytest.mark.proof
@pytest.mark.browser
@pytest.mark.parametrize("fault", ["stopped", "killed", "frozen", "web killed", "network silent"])
def test_the_terminal_says_so_within_three_seconds_and_goes_on_where_it_was(page, own, fault):
    postgres = faulty.Postgres(own.cluster)
    out, back = {
        "stopped": (postgres.stop, postgres.start),
        "killed": (postgres.kill, postgres.start),
        "frozen": (postgres.freeze, postgres.thaw),
        "web killed": (own.kill_web, own.start_web),
        "network silent": (functools.partial(own.front.be, "hung"), functools.partial(own.front.be, "normal")),
    }[fault]
    said, kept, done = out_and_back(page, own, out, back)
    print(f"\n{fault}: said after {said:.1f} s, of a command after {kept:.1f} s, done {done:.1f} s after the end")
    # A network that swallows everything is known by three seconds of silence.
    assert max(said, kept) < (4 if fault == "network silent" else 3)


@pytest.mark.proof
def test_no_state_of_the_broker_costs_a_command_a_third_of_a_second():
    commands, turns = proof.size(("600", "2"), ("150", "1"))
    print(f"\n{stack.manage('bench', 'broker', '--commands', commands, '--turns', turns)}")
