"""Logins stand in a queue: a few at a time, the rest without a thread, too many refused at once, nobody behind them."""

import asyncio
import contextlib
import urllib.parse
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.conf import settings

from casino.running import embedded
from casino.web import queue

from ...support import stack, waiting, wire
from ...support.hostile import FORM


class House:
    """An application behind the queue, in which every login waits until it is let go."""

    def __init__(self):
        self.inside, self.answered, self.go = Counter(), Counter(), asyncio.Event()
        self.ids = set()
        self.most = self.made = 0
        self.application = queue.for_logins(self._answer)

    async def _answer(self, scope, receive, send):
        assert (await receive())["body"] == b"first"
        if scope.get("too_many"):
            self.made += 1
            await send({"type": "http.response.start", "status": 429, "headers": [(b"Retry-After", b"5")]})
            await send({"type": "http.response.body", "body": b"Wait."})
            return
        what = f"{scope['method']} {scope['path']}"
        self.inside[what] += 1
        self.most = max(self.most, self.inside["POST /login/"])
        if what == "POST /login/":
            await self.go.wait()
        self.inside[what] -= 1
        self.answered[what] += 1

    def ask(self, method="POST", path="/login/", *, left=None):
        """A request; its sender leaves when `left` is set."""
        messages = [{"type": "http.request", "body": b"first", "more_body": False}]

        async def receive():
            if messages:
                return messages.pop()
            await (left or asyncio.Event()).wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message["type"] == "http.response.start":
                assert (b"Retry-After", b"5") in message["headers"]
                ids = {value for name, value in message["headers"] if name == b"X-Request-ID"}
                assert len(ids) == 1
                self.ids |= ids
            else:
                assert message["body"] == b"Wait."
                self.answered["refused"] += 1

        scope = {"type": "http", "method": method, "path": path, "too_large": False}
        return asyncio.create_task(self.application(scope, receive, send))


async def turns():
    """Whatever can go on has gone on."""
    for _ in range(50):
        await asyncio.sleep(0)


def in_a_loop(course):
    def test():
        asyncio.run(course())

    test.__name__, test.__doc__ = course.__name__, course.__doc__
    return test


@in_a_loop
async def test_a_few_are_inside_the_others_wait_and_beyond_the_queue_they_are_refused():
    house = House()
    at_once, more = settings.HASHINGS - 1, 168
    tasks = [house.ask() for _ in range(at_once + queue.LONGEST + more)]
    await turns()
    assert house.inside["POST /login/"] == at_once
    assert house.answered == {"refused": more}
    house.go.set()
    await asyncio.gather(*tasks)
    assert house.answered == {"refused": more, "POST /login/": at_once + queue.LONGEST}
    # Their page is made once; each answer has an id of its own.
    assert house.made == 1
    assert len(house.ids) == more
    assert house.most == at_once


@in_a_loop
async def test_everybody_else_passes_a_full_queue_and_the_page_itself_is_shown():
    house = House()
    tasks = [house.ask() for _ in range(200)]
    await turns()
    others = [("POST", "/api/v1/tables/1/rounds/"), ("GET", "/"), ("GET", "/login/"), ("POST", "/login")]
    await asyncio.gather(*(house.ask(*other) for other in others))
    assert all(house.answered[f"{method} {path}"] == 1 for method, path in others)
    house.go.set()
    await asyncio.gather(*tasks)


@in_a_loop
async def test_who_leaves_leaves_the_queue_to_others():
    house, left = House(), asyncio.Event()
    tasks = [house.ask() for _ in range(settings.HASHINGS - 1)]
    leaving = [house.ask(left=left) for _ in range(queue.LONGEST)]
    await turns()
    assert not house.answered
    left.set()
    await asyncio.gather(*leaving)
    staying = [house.ask() for _ in range(queue.LONGEST)]
    cancelled = staying.pop()
    await turns()
    cancelled.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await cancelled
    house.go.set()
    await asyncio.gather(*tasks, *staying)
    assert house.answered == {"POST /login/": settings.HASHINGS - 1 + queue.LONGEST - 1}
    assert house.most == settings.HASHINGS - 1


@pytest.fixture
def full(live_stack):
    """The house's hashings are all taken, by whomever."""
    with psycopg.connect(stack.cluster().url(embedded.APP, live_stack.database)) as other:
        other.execute("SELECT number FROM casino_hashing FOR UPDATE")
        yield other


def test_two_hundred_logins_at_once_leave_a_command_its_way_and_are_told_when_to_come_back(live_stack, full):
    web = wire.Web(live_stack)
    full.rollback()
    anna = web.login("anna")
    full.execute("SELECT number FROM casino_hashing FOR UPDATE")
    refused, told = [], []

    def log_in(number):
        form = urllib.parse.urlencode({"username": f"x{number}", "password": "x"}).encode()
        given, answer = web.ask("POST", "/login/", form, content_type=FORM)
        refused.append(given)
        told.append(answer)

    with ThreadPoolExecutor(200) as pool:
        logins = [pool.submit(log_in, number) for number in range(200)]
        # Those who stand in the queue hold it full; all others are told at once.
        waiting.until(lambda: len(refused) >= 200 - queue.LONGEST - settings.HASHINGS)
        before = len(refused)
        status, _ = web.ask("GET", "/api/v1/tables/", cookie=anna)
        assert status == 200
        assert before < 200
        full.rollback()
        for login in logins:
            login.result()
    assert set(refused) <= {200, 429}
    assert refused.count(429) >= 200 - queue.LONGEST - settings.HASHINGS
    for answer in told:
        if wire.status(answer) == 429:
            assert b"retry-after: " in answer.lower()
            # Some were judged, wrong like many others in that minute.
            assert any(words in answer for words in (b"Too many people are logging in", b"within this minute"))
            for header in (b"content-security-policy", b"x-frame-options", b"x-content-type-options", b"x-request-id"):
                assert answer.lower().count(b"\r\n%s: " % header) == 1
