"""The web process against who means it harm, over real sockets: closed or refused, bounded, and others served."""

import json
import random
import resource
import time

import pytest
from django.db import transaction

from audit import log
from casino import settings
from tables import live

from . import stack, wire
from .live import LiveStack

SECONDS = 5
MB = 2**20
FORM = "application/x-www-form-urlencoded"
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


def until(condition, seconds=wire.PATIENCE):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.05)


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


# Who is slow.


def test_500_slow_sockets_are_closed_and_others_served_meanwhile(web):
    before, memory = web.sockets, web.memory
    begun = [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a",
        wire.request("POST", "/login/", content_type=FORM, content_length=60_000),
        post("/login/", transfer_encoding="chunked") + b"ff\r\n",
        wire.request("GET", "/healthz", connection="keep-alive") + b"\r\n",
    ]
    slow = [web.connect() for _ in range(500)]
    for number, connection in enumerate(slow):
        connection.sendall(begun[number % len(begun)])
    opened = time.monotonic()
    until(lambda: web.sockets - before > 300)

    def dribble():
        """Each open socket sends another byte; whether any is still open."""
        going = []
        for number, connection in enumerate(slow):
            try:
                connection.sendall(b"\n" if number % len(begun) == 4 else b"a" * bool(number % len(begun)))
                going.append(connection)
            except OSError:
                connection.close()
        return going

    median, longest = web.served(1)
    print(f"500 slow sockets: a page in {median * 1000:.0f} ms, at most {longest * 1000:.0f} ms")
    assert median < 2
    assert web.memory - memory < 32
    while web.sockets - before > 5:
        assert time.monotonic() - opened < wire.PATIENCE, web.sockets - before
        dribble()
        time.sleep(0.2)
    for connection in slow:
        connection.close()


def stalled(web, *requests):
    """Sends requests on a connection that takes next to nothing, and waits until the web has given it up."""
    before = web.sockets
    connection = web.connect(receives=1024)
    with connection:
        for one in requests:
            connection.sendall(one)
        until(lambda: web.sockets > before)
        yield connection
        until(lambda: web.sockets <= before)


def test_an_answer_that_is_never_read_is_given_up(web, anna):
    memory = web.memory
    asked = wire.request("GET", "/api/v1/schema/", cookie=anna, connection="keep-alive")
    for _ in stalled(web, *[asked] * 8):
        pass
    assert web.memory - memory < 16


def test_who_leaves_is_noticed_behind_pipelined_requests_too(web, anna):
    before = web.sockets
    with web.connect() as stream:
        stream.sendall(wire.request("GET", "/live/tables/1/", cookie=anna, connection="keep-alive") * 2)
        assert wire.status(stream.recv(65536)) == 200
        assert web.sockets > before
    until(lambda: web.sockets <= before)


def test_an_event_stream_that_is_never_read_is_closed(web, django_db_blocker):
    memory = web.memory
    hugo = web.login("hugo")
    with django_db_blocker.unblock(), stack.django_on(web.stack.database):
        for _ in stalled(web, wire.request("GET", "/live/tables/3/", cookie=hugo)):
            for _ in range(300):
                with transaction.atomic():
                    log.record("round.held", "round:1", chain="table:3", by=log.SYSTEM, facts={})
    assert web.memory - memory < 16


def test_pages_answer_beside_more_event_streams_than_the_pool_has_connections(web):
    before, people = web.sockets, {"boris": 2, "greta": 3}
    most = live.MAX_STREAMS
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
    median, longest = web.served(2)
    count = most * len(people)
    print(f"{count} event streams, 8 connections: a page in {median * 1000:.0f} ms, at most {longest * 1000:.0f} ms")
    assert median < 2
    assert web.ask("GET", "/", cookie=cookie)[0] == 302
    for stream in streams["boris"]:
        stream.close()
    until(lambda: web.sockets - before < count)
    # What was given back may be taken again.
    boris = web.login("boris")

    def again():
        with web.connect() as stream:
            stream.sendall(wire.request("GET", "/live/tables/2/", cookie=boris))
            return wire.status(stream.recv(65536)) == 200

    until(again)
    for stream in streams["greta"]:
        stream.close()


# What is no HTTP.

HOST = b"Host: localhost\r\n"
CLOSE = HOST + b"Connection: close\r\n"
POST = b"POST /login/ HTTP/1.1\r\n" + HOST
# Bytes, and the statuses of the answers that they get before the connection is closed.
ODD = {
    "HTTP/1.0": (b"GET /login/ HTTP/1.0\r\n" + HOST + b"\r\n", [200]),
    "HTTP/0.9": (b"GET /login/\r\n\r\n", [200]),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 500, [400]),
    "a whole address": (b"GET http://evil.example/login/ HTTP/1.1\r\n" + CLOSE + b"\r\n", [200]),
    "a star": (b"OPTIONS * HTTP/1.1\r\n" + CLOSE + b"\r\n", [404]),
    "a tunnel": (b"CONNECT evil.example:80 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    "a web socket": (
        b"GET /healthz HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        [200],
    ),
    "two hosts": (b"GET /login/ HTTP/1.1\r\n" + CLOSE + b"Host: evil.example\r\n\r\n", [400]),
    "length and chunks": (POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET", [400]),
    "chunks and length": (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET", [400]),
    "two lengths": (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\naaaaaa", [400]),
    "a length with a sign": (POST + b"Content-Length: +5\r\n\r\naaaaa", [400]),
    "a length below 0": (POST + b"Content-Length: -5\r\n\r\n", [400]),
    "a length beyond all": (POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", [400]),
    "a length in full-width": (POST + "Content-Length: １\r\n\r\na".encode(), [400]),
    "an unknown encoding": (POST + b"Transfer-Encoding: gzip\r\n\r\naaaaa", [400]),
    "chunks that are not last": (POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", [400]),
    "a chunk of no size": (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", [400]),
    "a chunk beyond all": (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 17 + b"\r\n", [400]),
    "a chunk longer than said": (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\naaaa\r\n0\r\n\r\n", [400]),
    "a space before the colon": (b"GET /login/ HTTP/1.1\r\nHost : localhost\r\n\r\n", [400]),
    "a folded header": (b"GET /login/ HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n", [400]),
    "bare line ends": (b"GET /login/ HTTP/1.1\nHost: localhost\n\n", [400]),
    "a NUL in the line": (b"GET /\0 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    "a NUL in a header": (b"GET /login/ HTTP/1.1\r\n" + HOST + b"Cookie: a=\0\r\n\r\n", [400]),
    "no UTF-8": (b"GET /?\xff HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    "an unknown method": (b"BREW /login/ HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    "a method that is known and not ours": (b"PROPFIND /login/ HTTP/1.1\r\n" + CLOSE + b"\r\n", [403]),
    "many at once": (
        (b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n") * 39 + b"GET /healthz HTTP/1.1\r\n" + CLOSE + b"\r\n",
        [200] * 40,
    ),
    "a body that nobody asked for": (b"GET /healthz HTTP/1.1\r\n" + CLOSE + b"Content-Length: 3\r\n\r\nabc", [200]),
}


@pytest.mark.parametrize(("told", "statuses"), ODD.values(), ids=ODD)
def test_a_request_of_another_form_is_answered_soberly(web, told, statuses):
    answers = web.send(told)
    assert [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]] == statuses


def test_trailers_are_no_headers(web, anna):
    """A proxy looks at headers alone: what comes behind a body must not log anybody in."""
    with_trailer = post("/", transfer_encoding="chunked").replace(b"POST", b"GET", 1)
    told = web.send(with_trailer + b"0\r\nCookie: " + anna.encode() + b"\r\nX-Forwarded-Proto: https\r\n\r\n")
    assert b"location: /login/?next=/" in told
    assert wire.status(web.send(wire.request("GET", "/", cookie=anna))) == 302


# What is no text and no number.

ADDRESSES = (
    "/{}", "/static/{}", "/static/tables/{}.css", "/rounds/{}/", "/tables/{}/terminal/", "/live/tables/{}/",
    "/api/v1/rounds/{}/", "/api/v1/{}", "/admin/{}", "/admin/tables/round/{}/change/", "/?{}", "/login/?next={}",
    "/rounds/1/?{}={}", "/tables/1/terminal/felt/?amend={}", "/disputes/1/?entry={}", "/api/v1/tables/?format={}",
    "/admin/tables/round/?q={}", "/admin/tables/round/?status__exact={}", "/admin/tables/round/?p={}",
    "/admin/tables/round/?o={}", "/admin/audit/entry/?event__exact={}", "/admin/tables/round/?table__id__exact={}",
    "/admin/search/?s={}",
)  # fmt: skip
TEXTS = {
    "NUL": "%00",
    "no UTF-8": "%FF%FE",
    "half a character": "%ED%A0%80",
    "a full-width digit": "%EF%BC%91",
    "5,000 digits": "9" * 5000,
    "beyond bigint": "9" * 20,
    "lines": "%0D%0ASet-Cookie:%20a=b",
    "dots": "..%2F..%2F..%2Fetc%2Fpasswd",
    "a template": "{{7*7}}%27%22%3E%3Cscript%3E",
}


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


HEADERS = {
    "a session of NULs": {"cookie": '{session}="\\000\\000\\000\\000\\000\\000\\000\\000\\000"'},
    "a session of bytes": {"cookie": "{session}=" + "\xff" * 32},
    "a terminal of NULs": {"cookie": '{terminal}="\\000"'},
    "a long cookie": {"cookie": "{session}=" + "a" * 12_000},
    "many cookies": {"cookie": "; ".join(f"c{number}=1" for number in range(1500))},
    "a host with a port beyond all": {"host": "localhost:99999999999"},
    "another host": {"host": "evil.example"},
    "a host of bytes": {"host": "\xff"},
    "a token": {"authorization": "Bearer " + "\xff" * 40},
    "no token": {"authorization": "Bearer"},
    "a language": {"accept_language": "x" * 9000},
    "a kind": {"accept": "text/" + "x" * 5000},
    "an encoding": {"content_type": f"{FORM}; charset=utf-16"},
    "a multipart of no bounds": {"content_type": "multipart/form-data"},
    "an event in full-width": {"last_event_id": "\xef\xbc\x91"},
    "an event beyond all": {"last_event_id": "9" * 5000},
    "a key in full-width": {"idempotency_key": "\xef\xbc\x91"},
    "another way": {"x_http_method_override": "DELETE", "x_forwarded_host": "evil.example"},
}


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_a_header_takes_any_text(web, headers):
    names = {"session": settings.SESSION_COOKIE_NAME, "terminal": settings.TERMINAL_COOKIE_NAME}
    cookie = headers.get("cookie", "").replace("{session}", names["session"]).replace("{terminal}", names["terminal"])
    for method, path in (("GET", "/"), ("GET", "/live/tables/1/"), ("POST", ROUNDS), ("POST", "/login/")):
        given, told = web.ask(method, path, b"{}" if method == "POST" else b"", **headers | {"cookie": cookie})
        assert given in {200, 302, 400, 401, 403, 404, 406, 415}, (path, told[:200])
        assert b"evil.example" not in told


BODIES = {
    "100,000 deep": (b'{"a":' + b"[" * 100_000, {413}),
    "30,000 deep": (b'{"a":' + b"[" * 30_000, {400}),
    "30,000 deep in objects": (b'{"a":' * 10_000, {400}),
    "NaN": (b'{"dealer": NaN}', {400}),
    "Infinity": (b'{"dealer": -Infinity}', {400}),
    "a key twice": (b'{"dealer": 1, "dealer": 2}', {400}),
    "5,000 digits": (b'{"dealer": ' + b"9" * 5000 + b"}", {422}),
    "an exponent": (b'{"dealer": 1e999999999}', {422}),
    "full-width digits": ('{"dealer": １}'.encode(), {400}),
    "full-width digits in a text": ('{"dealer": "１"}'.encode(), {422}),
    "half a character": (b'{"dealer": "\\ud800"}', {422}),
    "half a character as a name": (b'{"\\ud800": 1}', {422}),
    "a NUL": (b'{"dealer": "\\u0000"}', {422}),
    "a NUL as a name": (b'{"\\u0000": 1}', {422}),
    "a bare NUL": (b'{"dealer": "\0"}', {400}),
    "no UTF-8": (b'{"dealer": "\xff"}', {400}),
    "UTF-16": ('{"dealer": 1}'.encode("utf-16"), {400}),
    "a mark of order": (b"\xef\xbb\xbf{}", {400}),
    "no object": (b"[]", {400}),
    "two": (b"{}{}", {400}),
}


@pytest.mark.parametrize(("body", "statuses"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_command_is_refused_in_the_one_shape(web, anna, body, statuses):
    given, told = web.ask("POST", ROUNDS, body, cookie=anna, idempotency_key="k")
    assert given in statuses, told
    assert set(json.loads(told.partition(b"\r\n\r\n")[2])) == SHAPE


UPLOAD = (
    b'--x\r\nContent-Disposition: form-data; name="username"; filename="a%s"\r\n\r\n\0%%00\r\n'
    b'--x\r\nContent-Disposition: form-data; name="password"\r\nContent-Transfer-Encoding: base64\r\n\r\n=!\r\n--x--'
)
READ = {200, 403, 404, 409, 422}
FORMS = {
    "NUL": (FORM, b"username=a%00&password=b%00", {400}),
    "a NUL as a name": (FORM, b"a%00=1", {400}),
    "3,000 fields": (FORM, b"&".join(b"f%d=1" % number for number in range(3000)), {400}),
    "no UTF-8": (FORM, b"username=%FF&password=%ED%A0%80", READ),
    "full-width digits": (FORM, "sign_on=１&relieve=１&revoke=１&line=１&name=１".encode(), READ),
    "a file": ("multipart/form-data; boundary=x", UPLOAD % b"", READ),
    "a file with a NUL": ("multipart/form-data; boundary=x", UPLOAD % b"\0", READ),
    "no parts": ("multipart/form-data; boundary=" + "x" * 80, b"--x", READ),
    "2,000 files": (
        "multipart/form-data; boundary=x",
        b"--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n\r\n" * 900,
        {400},
    ),
}


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
def test_30_000_damaged_requests_break_nothing(web, chance):
    """Each gets an answer below 500 or is closed, within the time that a request has."""
    samples = [told for told, _ in ODD.values()]
    samples += [wire.request("POST", ROUNDS, body) for body, _ in BODIES.values() if len(body) < 10_000]
    samples += [wire.request("GET", address.replace("{}", text)) for address in ADDRESSES for text in TEXTS.values()]
    drawn, counted = random.Random(chance), {}
    before, memory = web.sockets, web.memory
    for _ in range(30_000):
        told = wire.mutated(drawn, samples)
        with web.connect() as connection:
            connection.sendall(told)
            connection.shutdown(1)
            given = wire.status(connection.recv(65536))
        assert given < 500, told
        counted[given] = counted.get(given, 0) + 1
    until(lambda: web.sockets - before < 5)
    print(f"seed {chance}: answers by status {dict(sorted(counted.items()))}, memory +{web.memory - memory:.0f} MB")
    assert web.memory - memory < 64


@pytest.mark.proof
def test_more_connections_than_there_may_be_are_closed_at_once(web):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 3000:
        pytest.skip("This machine gives a process fewer than 3,000 files.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    before, memory = web.sockets, web.memory
    held = [web.connect() for _ in range(2500)]
    time.sleep(0.5)
    print(f"2,500 connections: {web.sockets - before} held, memory +{web.memory - memory:.0f} MB")
    assert web.sockets - before <= 2000
    assert web.memory - memory < 100
    for connection in held:
        connection.close()
    until(lambda: web.sockets - before < 5)
    assert web.ask("GET", "/login/")[0] == 200
