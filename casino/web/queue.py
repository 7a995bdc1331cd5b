"""Logins stand in a queue, so that no command waits behind them.

Django answers each request in a thread of its own, and the threads share one interpreter: two hundred logins at once
would let a command wait for all of them. So the requests for the login page come to Django a few at a time. The others
wait here, in the event loop, where they hold no thread and no connection to the database; whoever leaves meanwhile
leaves the queue. Logins beyond LONGEST are told at once to come back later, by a page that Django makes once.
"""

import asyncio
import time

from django.conf import settings

from .. import logs

LONGEST = 32
"""Logins that wait: those that a process judges in two seconds or so."""


def for_logins(application):
    """An ASGI application that lets requests for the login page through a few at a time, all others at once."""
    logins, pages, refusal = Queue(settings.HASHINGS - 1), Queue(1), Refusal(application)

    async def queued(scope, receive, send):
        if scope["type"] != "http" or scope["path"] != str(settings.LOGIN_URL):
            await application(scope, receive, send)
            return
        queue = logins if scope["method"] == "POST" else pages
        if queue is logins and logins.waiting >= LONGEST and not scope["too_large"]:
            await refusal.send(scope, receive, send)
            return
        first = await receive()
        if await queue.enter(receive):
            try:
                begun = time.perf_counter()
                await application(scope, _after(first, receive), send)
                # The next one is let in after an equally long rest, in which commands have the interpreter to
                # themselves.
                await asyncio.sleep(time.perf_counter() - begun)
            finally:
                queue.leave()

    return queued


class Refusal:
    """The answer when the queue is full: `limits.guard` makes it once, then it costs next to nothing."""

    def __init__(self, application):
        self._application, self._making = application, asyncio.Lock()
        self._head = self._body = None

    async def send(self, scope, receive, send):
        """Answer a request by it."""
        begun = time.perf_counter()
        async with self._making:
            other = None if self._head else await self._make(scope, receive)
        if other is not None:
            for message in other:
                await send(message)
            return
        number = logs.accepted_id("")
        headers = [header for header in self._head["headers"] if header[0].lower() != logs.HEADER.lower().encode()]
        headers.append((logs.HEADER.encode(), number.encode()))
        await send({**self._head, "headers": headers})
        await send({"type": "http.response.body", "body": self._body})
        logs.tell(number, scope["method"], scope["path"], self._head["status"], begun)

    async def _make(self, scope, receive):
        """Ask Django, which may have another answer for this request: to a wrong host, say."""
        messages = []

        async def keep(message):
            messages.append(message)

        await self._application({**scope, "too_many": True}, receive, keep)
        if messages and messages[0]["status"] == 429:
            self._head, self._body = messages[0], b"".join(part["body"] for part in messages[1:])
            return None
        return messages


def _after(first, receive):
    """`receive` with a message before all others."""
    messages = [first]

    async def replay():
        return messages.pop() if messages else await receive()

    return replay


class Queue:
    """Those inside, at most `at_once`, and those who wait to be let in, in the order in which they came."""

    def __init__(self, at_once):
        self._turns = asyncio.Semaphore(at_once)
        self.waiting = 0

    async def enter(self, receive):
        """Wait for a turn; False if the other side left before it came."""
        if not self._turns.locked():
            return await self._turns.acquire()
        turn, left = asyncio.ensure_future(self._turns.acquire()), asyncio.ensure_future(receive())
        inside = False
        self.waiting += 1
        try:
            await asyncio.wait([turn, left], return_when=asyncio.FIRST_COMPLETED)
            inside = turn.done() and not left.done()
        finally:
            self.waiting -= 1
            left.cancel()
            if not inside and not turn.cancel():
                self.leave()
        return inside

    def leave(self):
        """Let the next one in."""
        self._turns.release()
