"""What an outsider sends and a browser never would: bytes to a socket, and what that costs the web process."""

import random
import socket
import statistics
import time
import urllib.parse
from pathlib import Path

from django.conf import settings

from . import waiting

TOKEN = "a" * 32


class Web:
    """The web process of a live stack, as the network and the system see it."""

    def __init__(self, stack):
        self.stack = stack
        self.process = Path(f"/proc/{stack.web.process.pid}")
        self._cookies = {}

    def connect(self, *, receives=None):
        """:param receives: bytes that the kernel takes for us; few, for somebody who never reads."""
        made = socket.socket()
        if receives:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        made.settimeout(waiting.PATIENCE)
        made.connect(("127.0.0.1", self.stack.port))
        return made

    def send(self, *parts):
        """Send parts; return all that comes back until the other side closes. `taken` is then how many parts it took.

        A close before all was taken is a reset.

        :raises TimeoutError: if the other side does not close.
        """
        told, self.taken = b"", 0
        with self.connect() as connection:
            try:
                for part in parts:
                    connection.sendall(part)
                    self.taken += 1
            except (BrokenPipeError, ConnectionResetError):
                pass
            try:
                while data := connection.recv(65536):
                    told += data
            except ConnectionResetError:
                pass
        return told

    def ask(self, method, path, body=b"", **headers):
        """The status and the whole answer to one request; `_` of a header's name stands for a dash."""
        told = self.send(request(method, path, body, **headers))
        return status(told), told

    def login(self, login):
        """The session's cookie of one of the demo's people: the same each time."""
        if login in self._cookies:
            return self._cookies[login]
        form = urllib.parse.urlencode({"username": login, "password": self.stack.logins[login]}).encode()
        given, told = self.ask("POST", "/login/", form, content_type="application/x-www-form-urlencoded")
        assert given == 302, told
        name = settings.SESSION_COOKIE_NAME.encode()
        self._cookies[login] = (name + told.partition(name)[2].partition(b";")[0]).decode()
        return self._cookies[login]

    @property
    def memory(self):
        """MB that the process holds."""
        return int((self.process / "statm").read_text().split()[1]) * 4096 / 2**20

    @property
    def written(self):
        """MB that the process wrote: to files, sockets and logs."""
        told = (self.process / "io").read_text()
        return int(told.partition("wchar: ")[2].partition("\n")[0]) / 2**20

    @property
    def connections(self):
        """How many connections to it it has not closed, accepted or not."""
        rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        established, left_by_the_other = "01", "08"
        own = [row[3] for row in rows if row[1].endswith(f":{self.stack.port:04X}")]
        return own.count(established) + own.count(left_by_the_other)

    def served(self, count=10):
        """Check that the login page is served this many times meanwhile; return what it took, for people."""
        taken = []
        for _ in range(count):
            begun = time.monotonic()
            given, told = self.ask("GET", "/login/")
            taken.append(1000 * (time.monotonic() - begun))
            assert given == 200, told
        return f"a page in {statistics.median(taken):.0f} ms, at most {max(taken):.0f} ms"


def request(method, path, body=b"", **headers):
    """A request that is answered and then closed; a header that is None is left out."""
    headers = {"host": "localhost", "connection": "close", "x_csrftoken": TOKEN} | headers
    if headers.get("cookie", "") is not None:
        headers["cookie"] = f"{settings.CSRF_COOKIE_NAME}={TOKEN}; {headers.get('cookie', '')}".rstrip("; ")
    if body or method == "POST":
        headers = {"content_type": "application/json", "content_length": len(body)} | headers
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + body


def status(told):
    """The status of the first answer; 0 if there is none."""
    return int(told[9:12]) if told.startswith(b"HTTP/1.1 ") else 0


def mutated(chance, samples):
    """One of the samples, damaged in a few places as a fuzzer does it."""
    told = bytearray(chance.choice(samples))
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(told) + 1)
        match chance.randrange(5):
            case 0:
                told[at:at] = random.Random(chance.random()).randbytes(chance.randint(1, 4))
            case 1:
                del told[at : at + chance.randint(1, 8)]
            case 2:
                told[at:at] = chance.choice(
                    [b"\r\n", b"\n", b"\0", b" ", b":", b"0\r\n\r\n", b"%00", b"\xff", b"HTTP/1.0"]
                )
            case 3:
                told[at:at] = told[max(0, at - 40) : at] * chance.randint(1, 3)
            case 4 if told:
                told[at % len(told)] = chance.randrange(256)
    return bytes(told)
