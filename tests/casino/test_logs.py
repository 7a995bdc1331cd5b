"""The operational log of the real processes: lines for machines, the request's id from end to end, nobody named."""

import json
import logging
import os
import pty
import re
import subprocess
import sys
from datetime import datetime

import kombu
import psycopg
import pytest
from django.conf import settings
from structlog.contextvars import bound_contextvars

from casino import bell
from casino.running import embedded

from ..support import live, stack, waiting
from ..tables.terminal.test_live import Client, Events

MADE = re.compile(r"[0-9a-f]{12}")


class Caller(Client):
    """Keeps the request id of the last answer."""

    def send(self, *arguments, **more):
        answer, data = super().send(*arguments, **more)
        self.request_id = answer.getheader("X-Request-ID")
        return answer, data

    def get_as(self, request_id, path):
        """The id of the answer to a GET that came with one."""
        connection = self.connect()
        connection.request("GET", path, headers=self.headers(**{"X-Request-ID": request_id}))
        return connection.getresponse().getheader("X-Request-ID")


def lines(part):
    """What one of the live processes wrote so far, each line read as JSON."""
    return [json.loads(line) for line in part.log.read_text().splitlines(keepends=True) if line.endswith("\n")]


def said(part, **wanted):
    """The first line with these values, waited for."""

    def found():
        return next((line for line in lines(part) if wanted.items() <= line.items()), None)

    return waiting.until(found)


@pytest.fixture(scope="module")
def live_stack():
    """A stack of its own: its logs begin here, and nobody before has stopped any of the processes."""
    with stack.clone(stack.SEEDED) as database, live.LiveStack(database) as running:
        yield running


@pytest.fixture(scope="module")
def anna(live_stack):
    return Caller(live_stack, "anna")


def test_the_id_of_a_close_is_in_the_answer_in_the_web_s_line_and_in_the_worker_s(live_stack, anna):
    closed = anna.play(1)
    request_id = anna.request_id
    anna.until_settled(closed)
    line = said(live_stack.web, request_id=request_id)
    assert (line["event"], line["method"], line["status"]) == ("request", "POST", 200)
    assert line["path"] == f"/api/v1/rounds/{closed['id']}/close/"
    assert line["ms"] > 0
    settled = waiting.until(
        lambda: [line for line in lines(live_stack.worker) if request_id in line.get("request_ids", ())]
    )
    assert {line["event"] for line in settled} == {"settled"}
    assert sum(line["rounds"] for line in lines(live_stack.worker) if line["event"] == "settled") == 1


@pytest.mark.parametrize("path", ["/healthz", "/", "/nothing", "/static/tables/tokens.css", "/api/v1/tables/"])
def test_a_well_formed_id_is_taken_over_everywhere(live_stack, anna, path):
    sent = "proxy-7.F_" + path.replace("/", "-")
    assert anna.get_as(sent, path) == sent
    assert said(live_stack.web, request_id=sent)["path"] == path


@pytest.mark.parametrize("sent", ["", "two words", "x" * 65, "x;y", "a\xe9", '{"a":1}'])
def test_any_other_id_is_replaced(live_stack, anna, sent):
    assert MADE.fullmatch(anna.get_as(sent, "/healthz"))


def test_a_stream_has_an_id_and_one_line_as_it_begins(live_stack, anna):
    stream = Events(anna, 1)
    request_id = stream.answer.getheader("X-Request-ID")
    assert said(live_stack.web, request_id=request_id)["path"] == "/live/tables/1/"
    stream.connection.sock.close()


def test_what_breaks_says_its_number_and_the_log_has_the_traceback_under_it(live_stack, anna):
    owner = stack.cluster().url(embedded.OWNER, live_stack.database)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("ALTER TABLE tables_action RENAME TO tables_elsewhere")
        try:
            page, told = anna.send("GET", "/tables/1/terminal/")
            of_page = anna.request_id
            answer, body = anna.send("GET", "/api/v1/rounds/1/")
        finally:
            connection.execute("ALTER TABLE tables_elsewhere RENAME TO tables_action")
    assert (page.status, answer.status) == (500, 500)
    assert of_page in told.decode()
    refusal = json.loads(body)
    assert (refusal["code"], refusal["detail"]) == ("server_failed", {"request_id": anna.request_id})
    assert anna.request_id in refusal["way_out"]
    for request_id in (of_page, anna.request_id):
        broken = said(live_stack.web, request_id=request_id, level="error")
        assert broken["logger"] == "django.request"
        assert 'relation "tables_action" does not exist' in broken["exception"]


def test_nobody_is_named_and_no_query_string_is_kept(live_stack, anna):
    anna.send("GET", "/login/?next=/&token=hushhush")
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        anna.send("POST", "/login/", "username=boris&password=letmein", kind="application/x-www-form-urlencoded")
    anna.send("GET", "/login/?last")
    said(live_stack.web, request_id=anna.request_id)
    told = "".join(part.log.read_text() for part in (live_stack.web, live_stack.worker, live_stack.beat))
    for secret in ("anna", "boris", "letmein", "hushhush", "Mozilla", live_stack.logins["anna"]):
        assert secret not in told.lower()
    assert not any("127.0.0.1" in json.dumps(line) for line in lines(live_stack.web) if line["event"] == "request")


def test_every_line_of_every_process_is_json_with_time_level_logger_and_event(live_stack, anna):
    live_stack.beat.stop()
    for part in (live_stack.web, live_stack.worker, live_stack.beat):
        for line in lines(part):
            assert list(line)[:4] == ["time", "level", "logger", "event"]
            assert line["time"].endswith("Z")
            assert datetime.fromisoformat(line["time"]).tzinfo
    assert any(" ready." in line["event"] for line in lines(live_stack.worker))
    assert any("Uvicorn running" in line["event"] for line in lines(live_stack.web))


def test_presses_that_meet_lose_nobody_s_id():
    ids = {f"press-{number}" for number in range(20)}
    for request_id in sorted(ids):
        with bound_contextvars(request_id=request_id):
            bell.ring()
    named = []
    with kombu.Connection(settings.CELERY_BROKER_URL) as connection, connection.SimpleQueue("settlement") as queue:

        def all_named():
            bell.ring()  # for nobody; a request that was not sent is named by the next message
            message = queue.get(timeout=waiting.PATIENCE)
            message.ack()
            named.extend(message.headers.get("request_ids", []))
            return ids <= set(named)

        waiting.until(all_named)
    assert sorted(request_id for request_id in named if request_id in ids) == sorted(ids)


def test_a_person_at_a_terminal_reads_no_json():
    ours, theirs = pty.openpty()
    code = "import django, logging; django.setup(); logging.getLogger('tables.x').warning('The %s rings', 'bell')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=stack.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "casino.settings"},
        stderr=theirs,
        timeout=waiting.PATIENCE,
        check=False,
    )
    os.close(theirs)
    told = re.sub(r"\x1b\[[0-9;]*m", "", os.read(ours, 4096).decode())
    os.close(ours)
    assert done.returncode == 0
    assert "The bell rings" in told
    assert "warning" in told
    assert "tables.x" in told
    assert "{" not in told


def test_only_what_is_named_is_written_beside_the_event(capsys):
    record = logging.makeLogRecord({"msg": "x", "name": "y", "levelname": "INFO", "status": 200, "password": "z"})
    from casino import logs

    line = json.loads(logs.formatter().format(record))
    assert line["status"] == 200
    assert "password" not in line
