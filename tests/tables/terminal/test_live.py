"""The real processes together: web over HTTP, events, broker, worker, beat."""

import http.client
import json
import os
import signal
import threading
import urllib.parse
import uuid

import psycopg
import pytest
from django.conf import settings

from audit import notes, tree
from casino.running.trial import ROUND

from ...support import waiting

TOKEN = "a" * 32


class Client:
    """A person's browser without a screen."""

    def __init__(self, stack, login):
        self.stack = stack
        self.cookie = ""
        if login:
            form = urllib.parse.urlencode({"username": login, "password": stack.logins[login]})
            answer, _ = self.send("POST", "/login/", form, kind="application/x-www-form-urlencoded")
            assert answer.status == 302
            self.cookie = next(v for k, v in answer.getheaders() if k.lower() == "set-cookie" and "sessionid" in v)
            self.cookie = self.cookie.split(";")[0]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.stack.port, timeout=waiting.PATIENCE)

    def headers(self, **more):
        return {"Cookie": f"{settings.CSRF_COOKIE_NAME}={TOKEN}; {self.cookie}", "X-CSRFToken": TOKEN, **more}

    def send(self, method, path, body=None, *, kind="application/json", key=None):
        connection = self.connect()
        more = {"Idempotency-Key": key} if key else {}
        connection.request(method, path, body, self.headers(**{"Content-Type": kind, **more}))
        answer = connection.getresponse()
        return answer, answer.read()

    def post(self, path, body):
        answer, data = self.send("POST", path, json.dumps(body), key=str(uuid.uuid4()))
        assert answer.status in {200, 201}, data
        return json.loads(data)

    def get(self, path):
        return json.loads(self.send("GET", path)[1])

    def play(self, table):
        """A short round: two antes, one bet, the dealer has a game; gives it closed."""
        round_ = self.post(f"/api/v1/tables/{table}/rounds/", {})
        for kind, box, arguments in ROUND:
            body = {"version": round_["version"], "kind": kind, "box": box, "arguments": arguments}
            round_ = self.post(f"/api/v1/rounds/{round_['id']}/actions/", body)
        return self.post(f"/api/v1/rounds/{round_['id']}/close/", {"version": round_["version"]})

    def until_settled(self, round_):
        """The round, once it is settled."""
        path = f"/api/v1/rounds/{round_['id']}/"

        def settled():
            self.stack.keep_running()
            return (answer := self.get(path)).get("status") == "SETTLED" and answer

        return waiting.until(settled, ask=0.1)


class Events(threading.Thread):
    """A stream of server-sent events; `ids` are those that came, `down` whether it said that the database is lost."""

    down = False

    def __init__(self, client, table, last=None):
        super().__init__(daemon=True)
        self.ids = []
        self.connection = client.connect()
        more = {"Last-Event-ID": str(last)} if last is not None else {}
        self.connection.request("GET", f"/live/tables/{table}/", headers=client.headers(**more))
        self.answer = self.connection.getresponse()
        self.start()

    @property
    def ended(self):
        return not self.is_alive()

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"id: "):
                    self.ids.append(int(line[4:]))
                self.down |= line == b"event: down\n"
        except (OSError, ValueError):
            return

    def wait_for(self, seq):
        waiting.until(lambda: (self.ids and self.ids[-1] >= seq) or self.ended)
        assert self.ids[-1:] >= [seq], f"The stream ended before event {seq}: {self.ids}"


def chain_seq(stack, table):
    with psycopg.connect(stack.database_url) as connection:
        return connection.execute("SELECT seq FROM audit_chain WHERE key = %s", [f"table:{table}"]).fetchone()[0]


@pytest.fixture(scope="module")
def anna(live_stack):
    return Client(live_stack, "anna")


def test_a_closed_round_is_settled_by_the_worker_and_told_by_an_event(live_stack, anna):
    events = Events(anna, 1)
    settled = anna.until_settled(anna.play(1))
    assert [payment["net"] for payment in settled["result"]["payments"]] == [10000, -500]
    assert {reason["box"] for reason in settled["result"]["explanation"]} == {1, 2}
    events.wait_for(chain_seq(live_stack, 1))
    assert events.ids == sorted(set(events.ids))


def test_who_comes_back_is_told_only_of_what_was_missed(live_stack, anna):
    seq = chain_seq(live_stack, 1)
    up_to_date = Events(anna, 1, last=seq)
    behind = Events(anna, 1, last=seq - 1)
    behind.wait_for(seq)
    assert up_to_date.ids == []
    anna.until_settled(anna.play(1))
    up_to_date.wait_for(chain_seq(live_stack, 1))


def test_who_lies_about_a_table_keeps_nothing_from_its_screens(live_stack, anna):
    """Whoever may connect may notify: of a length that is not reached yet, of none, of the same again."""
    stream, seq = Events(anna, 1), chain_seq(live_stack, 1)
    stream.wait_for(seq)
    with psycopg.connect(live_stack.database_url, autocommit=True) as connection:
        for lie in (seq + 1, seq + 1_000_000):
            connection.execute("SELECT pg_notify('chain', %s)", [f"table:1 {lie}"])
            # Of two that come together a stream tells the later alone.
            waiting.until(lambda lie=lie: stream.ids[-1] == lie)
        for lie in ("9" * 30, "-1", "", "x"):
            connection.execute("SELECT pg_notify('chain', %s)", [f"table:1 {lie}"])
        connection.execute("SELECT pg_notify('chain', 'table:1')")
    waiting.until(lambda: stream.ids[-1] == seq)
    heard = len(stream.ids)
    closed = anna.play(1)
    anna.until_settled(closed)
    true = chain_seq(live_stack, 1)
    waiting.until(lambda: stream.ids[-1] == true)
    assert len(stream.ids) > heard


def test_a_stream_of_a_foreign_table_is_not_found(live_stack, anna):
    answers = [
        anna.send("GET", "/live/tables/2/"),
        anna.send("GET", "/live/tables/999/"),
        Client(live_stack, None).send("GET", "/live/tables/1/"),
    ]
    assert {(answer.status, body) for answer, body in answers} == {(404, b"")}


def test_a_round_closed_without_a_worker_is_settled_when_one_comes(live_stack, anna):
    live_stack.stop_worker()
    closed = anna.play(1)
    assert anna.get(f"/api/v1/rounds/{closed['id']}/")["status"] == "CLOSED"
    live_stack.start_worker()
    anna.until_settled(closed)
    with psycopg.connect(live_stack.database_url) as connection:
        [(count,)] = connection.execute(
            "SELECT count(*) FROM payouts_settlement WHERE round_key = %s", [f"round:{closed['id']}"]
        )
    assert count == 1


def test_a_stream_ends_when_its_reader_may_no_longer_see_the_table_however_busy_it_is(live_stack):
    greta = Client(live_stack, "greta")
    stream, boss = Events(greta, 3), Events(Client(live_stack, "frank"), 3)
    with psycopg.connect(live_stack.database_url, autocommit=True) as connection:
        connection.execute(
            "UPDATE tables_signon SET signed_off_at = now() WHERE table_id = 3 AND signed_off_at IS NULL"
        )
        # Something is told of ten times as often as rights are asked again, which is each second here.
        waiting.until(lambda: connection.execute("SELECT pg_notify('chain', 'table:3')") and stream.ended, ask=0.1)
    assert not boss.ended


def test_what_is_played_is_sealed_and_anchored_though_the_worker_is_killed_again_and_again(live_stack):
    anna = Client(live_stack, "anna")
    with psycopg.connect(live_stack.database_url, autocommit=True) as asked:

        def row(statement):
            return asked.execute(statement).fetchone()

        def unsealed():
            return row("SELECT (SELECT sum(seq) FROM audit_chain) - (SELECT max(size) FROM audit_checkpoint)")[0]

        waiting.until(lambda: unsealed() == 0)
        before = row("SELECT max(size) FROM audit_checkpoint")[0]
        for _ in range(3):
            anna.until_settled(anna.play(1))
            os.killpg(live_stack.worker.process.pid, signal.SIGKILL)
            live_stack.start_worker()
        waiting.until(lambda: unsealed() == 0)
        assert row("SELECT max(size) FROM audit_checkpoint")[0] > before + 30
        size, root, note = row("SELECT size, root, note FROM audit_checkpoint ORDER BY size DESC LIMIT 1")
        bodies = asked.execute(
            "SELECT body FROM audit_leaf JOIN audit_entry USING (chain_id, seq) WHERE index < %s ORDER BY index", [size]
        ).fetchall()
        assert row("SELECT count(*) FROM audit_anchor")[0] > 0
    edge = tree.Edge()
    for (body,) in bodies:
        edge.append(tree.leaf_hash(body.encode()))
    assert edge.root() == root == notes.read(note).root
