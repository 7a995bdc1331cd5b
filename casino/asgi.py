"""The ASGI application."""

import asyncio
import contextlib
import ctypes
import os
import resource
import sys

from casino import checks, pulse
from casino.web import handler, limits, queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("DATABASE_POOL", "8")
# Many systems begin with 1,024 open files, and each connection takes one.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

# A command asks the database seven times, and after each answer waits for the interpreter: at most this long for each
# thread that computes, instead of 5 ms.
sys.setswitchinterval(0.001)
# The memory that a password is hashed in goes back to the system each time; glibc would keep it for each thread.
with contextlib.suppress(AttributeError):
    ctypes.CDLL(None).mallopt(-3, 2**20)  # M_MMAP_THRESHOLD

_django = limits.bounded(queue.for_logins(handler.application()))
checks.start()

from casino import urls as urls  # noqa: E402 - the first request need not wait for all pages to load
from tables.terminal.live import hub  # noqa: E402
from tables.verbs import lateness  # noqa: E402 - models load only now

# An alarm is raised by one process of each machine.
if os.environ.get("WEB_NUMBER", "1") == "1":
    lateness.watch()
_pulse = []


def _begin():
    """Start the watch for a silent database, and the pulse, in the loop that runs the application."""
    hub.start()
    if not _pulse:
        _pulse.append(pulse.start(asyncio.get_running_loop()))


async def application(scope, receive, send):
    """Django, and what `_begin` starts as soon as the process does."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
        return
    _begin()
    await _django(scope, receive, send)


async def _live(receive, send):
    """Run from the start of the process to its end (ASGI's lifespan, which Django does not know)."""
    await receive()
    _begin()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})
