"""Logins stand in a queue, so that no command waits behind them.

Django answers each request in a thread of its own, and the threads share one interpreter: two hundred logins at once
would let a command wait for all of them. So the requests for the login page come to Django a few at a time. The others
wait here, in the event loop, where they hold no thread and no connection to the database; whoever leaves meanwhile
leaves the queue. Logins beyond LONGEST are told at once to come back later: `tables/pages/login.py` has the words.
"""

import asyncio

from django.conf import settings

LONGEST = 32
"""Logins that wait: those that a process judges in two seconds or so."""


def for_logins(application):
    """An ASGI application that lets requests for the login page through a few at a time, all others at once."""
    logins, pages = Queue(settings.HASHINGS - 1), Queue(1)

    async def queued(scope, receive, send):
        if scope["type"] != "http" or scope["path"] != str(settings.LOGIN_URL):
            await application(scope, receive, send)
            return
        queue = logins if scope["method"] == "POST" else pages
        if queue is logins and (logins.waiting >= LONGEST or scope["too_large"]):
            queue, scope = pages, {**scope, "too_many": True}
        first = await receive()
        if await queue.enter(receive):
            try:
                await application(scope, _after(first, receive), send)
            finally:
                queue.leave()

    return queued


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
