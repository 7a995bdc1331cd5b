"""The web process against people who mean it harm, over real sockets: closed or refused, bounded, and others served."""

import importlib.metadata
import json
import random
import resource
import select
import time
from collections import Counter
from contextlib import contextmanager, suppress

import pytest
from django.db import transaction

from audit import log
from casino import settings
from casino.web import connections
from tables.terminal import live

from ...support import proof, stack, waiting, wire
from ...support.hostile import ADDRESSES, BODIES, FORM, FORMS, HEADERS, ODD, TEXTS
from ...support.live import LiveStack

SECONDS = 5
MB = 2**20
SHAPE = {"code", "message", "clause", "path", "way_out", "detail"}
ROUNDS = "/api/v1/tables/1/rounds/"


@pytest.fixture(scope="module")
def web():
    with (
        stack.clone(stack.SEEDED) as database,
        LiveStack(database, REQUEST_SECONDS=str(SECONDS), STALLED_SECONDS="2") as running,
    ):
        yield wire.Web(running)
        told = running.web.log.read_text(errors="replace")
        for wrong in ("500 Internal Server Error", "Exception in ASGI application"):
            assert wrong not in told, told[told.index(wrong) - 500 :][:5000]
        assert running.web.alive


@pytest.fixture(scope="module")
def anna(web):
    return web.login("anna")


def test_the_parser_that_connections_override_is_the_one_that_was_read():
    version = importlib.metadata.version("uvicorn")
    assert f"read in uvicorn {version}." in " ".join(connections.__doc__.split())
    own = {"_watch", "_stop_watching"}
    overridden = {name for name, value in vars(connections.Connection).items() if callable(value)} - own
    assert overridden <= set(dir(connections.HttpToolsProtocol))


# What is too large.


def chunked(body, size):
    return (b"%x\r\n%s\r\n" % (len(part), part) for part in (body[at : at + size] for at in range(0, len(body), size)))


def post(path, **headers):
    return wire.request("POST", path, content_length=None, **headers)


HUNDRED = {
    "as declared": (post(ROUNDS)[:-2] + b"Content-Length: %d\r\n\r\n" % (100 * MB), *[b"a" * MB] * 100),
    "in chunks": (post(ROUNDS, transfer_encoding="chunked"), *[b"%x\r\n%s\r\n" % (MB, b"a" * MB)] * 100),
    "a form": (
        post("/login/", content_type=FORM)[:-2] + b"Content-Length: %d\r\n\r\n" % (100 * MB),
        *[b"a" * MB] * 100,
    ),
}


@pytest.mark.parametrize("parts", HUNDRED.values(), ids=HUNDRED)
def test_a_body_of_100_mb_is_refused_unread(web, parts):
    web.ask("GET", "/login/")
    memory, written = web.memory, web.written
    told = web.send(*parts)
    assert wire.status(told) == 413
    assert web.taken < 50
    if parts is not HUNDRED["a form"]:
        refusal = json.loads(told.partition(b"\r\n\r\n")[2])
        assert (set(refusal), refusal["code"]) == (SHAPE, "too_large")
    assert web.memory - memory < 16
    assert web.written - written < 1


@pytest.mark.parametrize("size", [70_000, 900_000])
def test_who_sends_little_too_much_reads_the_refusal_without_a_reset(web, size):
    with web.connect() as connection:
        connection.sendall(wire.request("POST", ROUNDS, b"a" * size))
        assert wire.status(connection.recv(65536)) == 413


def test_a_body_of_the_largest_size_arrives_whole(web, anna):
    largest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    for body in (b'{"a":"%s"}' % (b"a" * (largest - 8)), b" " * (largest - 7) + b'{"a":1}'):
        given, told = web.ask("POST", ROUNDS, body, cookie=anna, idempotency_key="k")
        assert (given, b"field_unknown" in told) == (422, True)
    whole = b"".join([*chunked(body, 1000), b"0\r\n\r\n"])
    told = web.send(post(ROUNDS, cookie=anna, idempotency_key="k", transfer_encoding="chunked"), whole)
    assert (wire.status(told), b"field_unknown" in told) == (422, True)


@pytest.mark.parametrize(
    "parts",
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", *[b"a" * MB] * 10),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", *[b"X: a\r\n" * 10_000] * 10),
        (b"GET /?" + b"a" * 60_000, *[b"a" * MB] * 10),
        (post("/login/", transfer_encoding="chunked"), b"1\r\na\r\n" * 60_000),
        (post("/login/", transfer_encoding="chunked"), b"1;" + b"a" * 100_000),
        (post("/login/", transfer_encoding="chunked"), b"0\r\nX: " + b"a" * 100_000),
        (b"\r\n" * 100_000,),
    ],
    ids=["a header", "headers", "a query", "chunks", "a chunk's extension", "a trailer", "empty lines"],
)
def test_what_is_around_a_body_is_bounded(web, parts):
    memory = web.memory
    assert wire.status(web.send(*parts)) == 400
    assert web.memory - memory < 16


# Slow clients.


def test_500_slow_sockets_are_closed_and_others_served_meanwhile(web):
    """Served while they are open; those that the web closes before that are opened again."""
    memory = web.memory
    begun = [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a",
        wire.request("POST", "/login/", content_type=FORM, content_length=60_000),
        post("/login/", transfer_encoding="chunked") + b"ff\r\n",
        wire.request("GET", "/healthz", connection="keep-alive") + b"\r\n",
    ]

    def send(connections, parts):
        for number, connection in enumerate(connections):
            with suppress(OSError):
                connection.sendall(parts[number % len(parts)])

    def served_meanwhile():
        more = [web.connect() for _ in range(500 - web.connections)]
        send(more, begun)
        slow.extend(more)
        page = web.served(1)
        return page if web.connections > 450 else None

    def closed():
        send(slow, (b"", b"a", b"a", b"a", b"\n"))
        return not web.connections

    slow = []
    print(f"500 slow sockets: {waiting.until(served_meanwhile)}")
    assert web.memory - memory < 32
    waiting.until(closed, ask=0.2)
    for connection in slow:
        connection.close()


@contextmanager
def stalled(web, *requests):
    """Somebody who sends requests and takes next to nothing; at the end the web has given them up."""
    waiting.until(lambda: not web.connections)
    with web.connect(receives=1024) as connection:
        waiting.until(lambda: web.connections == 1)
        for one in requests:
            connection.sendall(one)
        yield
        waiting.until(lambda: not web.connections)


def test_an_answer_that_is_never_read_is_given_up(web, anna):
    memory = web.memory
    asked = wire.request("GET", "/api/v1/schema/", cookie=anna, connection="keep-alive")
    with stalled(web, *[asked] * 8):
        pass
    assert web.memory - memory < 16


def test_who_leaves_is_noticed_behind_pipelined_requests_too(web, anna):
    with web.connect() as stream:
        stream.sendall(wire.request("GET", "/live/tables/1/", cookie=anna, connection="keep-alive") * 2)
        assert wire.status(stream.recv(65536)) == 200
    waiting.until(lambda: not web.connections)


def test_an_event_stream_that_is_never_read_is_closed(web, django_db_blocker):
    memory = web.memory
    hugo = web.login("hugo")
    watching = stalled(web, wire.request("GET", "/live/tables/3/", cookie=hugo))
    with django_db_blocker.unblock(), stack.django_on(web.stack.database), watching:
        for _ in range(300):
            with transaction.atomic():
                log.record("round.held", "round:1", chain="table:3", actor=log.SYSTEM, facts={})
    assert web.memory - memory < 16


def test_pages_answer_beside_more_event_streams_than_the_pool_has_connections(web):
    people, most = {"boris": 2, "greta": 3}, live.MAX_STREAMS
    streams = {}
    for login, table in people.items():
        cookie = web.login(login)
        streams[login] = [web.connect() for _ in range(most + 1)]
        for number, stream in enumerate(streams[login]):
            stream.sendall(wire.request("GET", f"/live/tables/{table}/", cookie=cookie))
            if number == most - 1:
                # Those all stand before one too many is asked for.
                assert {wire.status(one.recv(65536)) for one in streams[login][:most]} == {200}
        assert wire.status(streams[login][most].recv(65536)) == 429
    print(f"{most * len(people)} event streams, 8 connections: {web.served()}")
    # A page that found no connection would be a 503.
    assert [web.ask("GET", "/", cookie=cookie)[0] for _ in range(10)] == [302] * 10
    for stream in streams["boris"]:
        stream.close()
    waiting.until(lambda: web.connections <= most + 1)
    # What was given back may be taken again.
    boris = web.login("boris")

    def again():
        with web.connect() as stream:
            stream.sendall(wire.request("GET", "/live/tables/2/", cookie=boris))
            return wire.status(stream.recv(65536)) == 200

    waiting.until(again)
    for stream in streams["greta"]:
        stream.close()


# Requests that are not HTTP.


@pytest.mark.parametrize(("told", "statuses"), ODD.values(), ids=ODD)
def test_a_request_of_another_form_is_answered_soberly(web, told, statuses):
    answers = web.send(told)
    assert [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]] == statuses


def test_trailers_are_no_headers(web, anna):
    """A proxy looks at headers alone: what comes behind a body must not log anybody in."""
    asked = wire.request("GET", "/", cookie=None, transfer_encoding="chunked")
    told = web.send(asked + b"0\r\nCookie: " + anna.encode() + b"\r\nX-Forwarded-Proto: https\r\n\r\n")
    assert b"location: /login/?next=/" in told
    assert b"location: /tables/1/terminal/" in web.send(wire.request("GET", "/", cookie=anna))


# Neither text nor number.


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_address_takes_any_text(web, text):
    david = web.login("david")
    for address in ADDRESSES:
        given, told = web.ask("GET", address.replace("{}", text), cookie=david)
        assert given in ({400} if text == "%00" else {200, 302, 400, 404}), (address, told[:200])
        assert b"set-cookie: a=b" not in told.partition(b"\r\n\r\n")[0].lower()
        assert b"root:" not in told
        if "/api/" in address and given >= 400:
            assert set(json.loads(told.partition(b"\r\n\r\n")[2])) == SHAPE


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_a_header_takes_any_text(web, headers):
    names = {"session": settings.SESSION_COOKIE_NAME, "terminal": settings.TERMINAL_COOKIE_NAME}
    cookie = headers.get("cookie", "").replace("{session}", names["session"]).replace("{terminal}", names["terminal"])
    for method, path in (("GET", "/"), ("GET", "/live/tables/1/"), ("POST", ROUNDS), ("POST", "/login/")):
        given, told = web.ask(method, path, b"{}" if method == "POST" else b"", **headers | {"cookie": cookie})
        assert given in {200, 302, 400, 401, 403, 404, 406, 415}, (path, told[:200])
        assert b"evil.example" not in told


@pytest.mark.parametrize(("body", "statuses"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_command_is_refused_in_the_one_shape(web, anna, body, statuses):
    given, told = web.ask("POST", ROUNDS, body, cookie=anna, idempotency_key="k")
    assert given in statuses, told
    assert set(json.loads(told.partition(b"\r\n\r\n")[2])) == SHAPE


@pytest.mark.parametrize(("kind", "body", "statuses"), FORMS.values(), ids=FORMS)
def test_a_form_takes_any_text(web, kind, body, statuses):
    clara = web.login("clara")
    for path in ("/login/", "/tables/1/enrol/", "/rounds/1/preview/", "/disputes/1/what-if/", "/logout/"):
        given, told = web.ask("POST", path, body, content_type=kind, cookie=clara if path != "/logout/" else None)
        assert given in statuses | ({302} if path == "/logout/" else set()), (path, told[:300])
    given, told = web.ask("POST", ROUNDS, body, content_type=kind, cookie=clara, idempotency_key="k")
    assert given in ({400} if 400 in statuses else {415}), told
    assert set(json.loads(told.partition(b"\r\n\r\n")[2])) == SHAPE


# Longer runs.


@pytest.mark.proof
@pytest.mark.parametrize("chance", [1, 2])
def test_10_000_damaged_requests_break_nothing(web, chance):
    """No answer is 500 or above; a client that gets none, because its request is not whole, leaves again."""
    samples = [told for told, _ in ODD.values()]
    samples += [wire.request("POST", ROUNDS, body) for body, _ in BODIES.values() if len(body) < 10_000]
    samples += [wire.request("GET", address.replace("{}", text)) for address in ADDRESSES for text in TEXTS.values()]
    drawn, counted = random.Random(chance), Counter()
    memory = web.memory
    for _ in range(proof.size(500, 20)):
        sent = {}
        for _ in range(20):
            connection = web.connect()
            sent[connection] = wire.mutated(drawn, samples)
            connection.sendall(sent[connection])
        unanswered, deadline = set(sent), time.monotonic() + 1
        while unanswered and (left := deadline - time.monotonic()) > 0:
            for connection in select.select(unanswered, [], [], left)[0]:
                with suppress(ConnectionResetError):
                    given = wire.status(connection.recv(65536))
                    assert given < 500, sent[connection]
                    counted[given] += 1
                unanswered.remove(connection)
        counted["not whole"] += len(unanswered)
        for connection in sent:
            connection.close()
    waiting.until(lambda: not web.connections)
    print(f"seed {chance}: answers by status {dict(counted)}, memory +{web.memory - memory:.0f} MB")
    assert {200, 400, 404} <= set(counted)
    assert web.memory - memory < 64


@pytest.mark.proof
def test_more_connections_than_there_may_be_are_closed_at_once(web):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 3000:
        pytest.skip("This machine gives a process fewer than 3,000 files.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    memory = web.memory
    held = [web.connect() for _ in range(2500)]
    waiting.until(lambda: web.connections <= 2000)
    print(f"2,500 connections: {web.connections} held, memory +{web.memory - memory:.0f} MB")
    assert web.memory - memory < 100
    for connection in held:
        connection.close()
    waiting.until(lambda: not web.connections)
    assert web.ask("GET", "/login/")[0] == 200
