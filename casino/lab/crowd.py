"""Many who log in at once, in a process of their own, so that they do not slow down what is measured beside them.

That process imports this module and nothing else of ours.
"""

import asyncio
import multiprocessing
import re
import secrets
import time
import urllib.parse
from collections import Counter

PEOPLE, STRANGERS = "people", "strangers"
_HOST = "127.0.0.1"
_TOKEN = re.compile(rb'csrfmiddlewaretoken" value="([^"]+)"')
_COOKIE = re.compile(rb"(?i)set-cookie: ([^;]+)")
_RETRY_AFTER = re.compile(rb"(?i)retry-after: ([0-9]+)")


class Crowd:
    """The people p0, p1, ..., or strangers who make up a name each time, who log in until the end of the block."""

    def __init__(self, port, kind, count, password):
        context = multiprocessing.get_context("spawn")
        self._over, (self._answers, answering) = context.Event(), context.Pipe(duplex=False)
        arguments = (port, kind, count, password, self._over, answering)
        self._process = context.Process(target=_attend, args=arguments, daemon=True)
        self._process.start()
        answering.close()

    def __enter__(self):
        # At the end of a process that failed this raises EOFError.
        self._answers.recv()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._counts = self._answers.recv()
        self._process.join()

    def answers(self):
        """The answers that they got, in words."""
        return ", ".join(f"{count:,} x {status}" for status, count in sorted(self._counts.items())) or "no answer"


def _attend(port, kind, count, password, over, answering):
    counts = Counter()

    async def one(number, cookie, token):
        while not over.is_set():
            login = f"p{number}" if kind == PEOPLE else f"x{secrets.token_hex(8)}"
            form = urllib.parse.urlencode({"username": login, "password": password, "csrfmiddlewaretoken": token})
            try:
                answer = await _ask(port, "POST", cookie, form)
            except OSError as error:
                counts[type(error).__name__] += 1
                answer = b""
            else:
                counts[answer[9:12].decode() or "no answer"] += 1
            wait = _RETRY_AFTER.search(answer)
            until = time.monotonic() + (int(wait[1]) if wait else 0)
            while time.monotonic() < until and not over.is_set():
                await asyncio.sleep(0.1)

    async def all_at_once():
        # Each has opened the page before: only the passwords come at once.
        pages = [_page(await _ask(port, "GET")) for _ in range(count)]
        answering.send("ready")
        await asyncio.gather(*(one(number, *page) for number, page in enumerate(pages)))

    asyncio.run(all_at_once())
    answering.send(dict(counts))


def _page(answer):
    return b"; ".join(_COOKIE.findall(answer)).decode(), _TOKEN.search(answer)[1].decode()


async def _ask(port, method, cookie="", form=""):
    """The whole answer to one request for the login page, over a connection of its own."""
    reader, writer = await asyncio.open_connection(_HOST, port)
    head = f"{method} /login/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: {cookie}\r\n"
    if form:
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n"
    writer.write(f"{head}\r\n{form}".encode())
    try:
        return await reader.read()
    finally:
        writer.close()
