"""What somebody who means harm sends, and the answers that it may get: requests, addresses, headers, bodies, forms."""

FORM = "application/x-www-form-urlencoded"
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
ADDRESSES = (
    "/{}", "/static/{}", "/static/tables/{}.css", "/rounds/{}/", "/tables/{}/terminal/", "/live/tables/{}/",
    "/api/v1/rounds/{}/", "/api/v1/{}", "/admin/{}", "/admin/tables/round/{}/change/", "/?{}", "/login/?next={}",
    "/rounds/1/?{}={}", "/tables/1/terminal/felt/?amend={}", "/disputes/1/?action={}", "/api/v1/tables/?format={}",
    "/admin/tables/round/?q={}", "/admin/tables/round/?status__exact={}", "/admin/tables/round/?p={}",
    "/admin/tables/round/?o={}", "/admin/audit/entry/?event={}", "/admin/tables/round/?table__id__exact={}",
    "/admin/search/?s={}", "/admin/audit/entry/?staff={}", "/admin/audit/entry/?subject={}",
    "/admin/audit/entry/?from={}&to={}", "/admin/audit/entry/?before={}", "/admin/audit/entry/{}/change/",
    "/admin/audit/entry/round/{}/", "/admin/audit/checkpoint/?q={}",
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
# `{session}` and `{terminal}` stand for the cookies' names.
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
# What a command's body may not be, with the statuses.
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
