"""Live screens: server-sent events that say that something happened at a table, never what.

To be heard, a verb writes an entry to the table's chain: `append_entries` (audit/sql/append.sql) notifies.

Each process keeps one LISTEN connection outside the pool, which also shows whether the database answers. An event's id
is the sequence number of the table's chain in the log, so a client that comes back names what it saw last and learns at
once if there is more.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context

import psycopg
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, connections
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from audit.log import CHANNEL
from audit.models import Chain
from casino import outages
from casino.models import Staff
from casino.roles import Right

from ..people import access, terminals, web_sessions
from ..words import cage, calls, drop_boxes, floor, people, slips, tips

logger = logging.getLogger(__name__)

RECONNECT_SECONDS = (0.2, 0.5, 1)
# How often each process checks that the database answers, and how long it waits for that.
PING_SECONDS, ANSWER_SECONDS, ANSWER_PARTS = 0.5, 1.5, 3
# How often a stream sends something; a terminal that hears nothing for three times as long says so.
BEAT_SECONDS = 1
# The floor of a busy house changes many times a second; people see it this often.
PACE_SECONDS = 0.4
MAX_STREAMS = 24
"""Streams of one person at a process: more tabs than anybody looks at, fewer than would keep others out."""
# All streams together hold at most this many of the pool's connections, so that pages find one.
_looking = ThreadPoolExecutor(4, thread_name_prefix="live")


class Hub:
    """One LISTEN connection and the streams that wait on it, within one event loop.

    The same connection shows whether the database answers: `lost` while it does not; then there are no streams.
    """

    def __init__(self):
        self.lost = False
        self._waiting = defaultdict(set)
        self._streams = Counter()
        self._task = None

    def full(self, person):
        """Whether somebody holds as many streams as one person may."""
        return self._streams[person] >= MAX_STREAMS

    def start(self):
        """From the first request to the end of the process."""
        if self._task is None or self._task.done():
            # In a context of its own: it listens for everybody, not for the request that came first.
            self._task = asyncio.get_running_loop().create_task(self._listen(), context=Context())

    def join(self, chains, person):
        """A queue that gets an item whenever one of the chains grows, or the database is lost; `leave` gives it back.

        The item is the chain's newest known length, or None if it is not known.
        """
        self.start()
        queue = asyncio.Queue(maxsize=1)
        for chain in chains:
            self._waiting[chain].add(queue)
        self._streams[person] += 1
        return queue

    def leave(self, chains, person, queue):
        for chain in chains:
            self._waiting[chain].discard(queue)
            if not self._waiting[chain]:
                del self._waiting[chain]
        self._streams[person] -= 1
        if not self._streams[person]:
            del self._streams[person]

    async def _listen(self):
        pauses = iter(RECONNECT_SECONDS)
        while True:
            try:
                listening = await psycopg.AsyncConnection.connect(_conninfo(), autocommit=True)
                try:
                    await _answered(listening, f"LISTEN {CHANNEL}")
                    pauses = iter(RECONNECT_SECONDS)
                    self._regain()
                    while True:
                        async for notice in listening.notifies(timeout=PING_SECONDS):
                            self._heed(notice.payload)
                        await _answered(listening, "SELECT")
                finally:
                    await listening.close()
            except (TimeoutError, psycopg.Error) as error:
                pause = next(pauses, RECONNECT_SECONDS[-1])
                logger.warning("The database is out of reach, LISTEN again in %s s: %s", pause, error)
                # A database that refuses is not silent: whatever else waits for it gets a refusal, too.
                self._lose(silent=isinstance(error, TimeoutError | psycopg.errors.ConnectionTimeout))
                await asyncio.sleep(pause)

    def _regain(self):
        if self.lost:
            logger.warning("The database answers again.")
            _renew_pool()
        self.lost = False
        outages.silent.clear()
        # Notifications sent while nobody listened are lost, so everybody looks once.
        self._wake(self._waiting)

    def _lose(self, *, silent):
        self.lost = True
        if silent:
            outages.silent.set()
        else:
            outages.silent.clear()
        self._wake(self._waiting)

    def _heed(self, payload):
        """`table:8 57`; whoever may connect may send any text."""
        chain, _, length = payload.partition(" ")
        self._wake([chain], int(length) if length.isascii() and length.isdigit() and len(length) < 19 else None)

    def _wake(self, chains, length=None):
        for chain in list(chains):
            for queue in self._waiting.get(chain, ()):
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(length)


async def _answered(listening, statement):
    """:raises TimeoutError: if the database does not answer in time; the connection is closed then."""
    answer = asyncio.ensure_future(listening.execute(statement))
    # In parts: if this process stood still, the answer is there when it goes on.
    for _ in range(ANSWER_PARTS):
        await asyncio.wait([answer], timeout=ANSWER_SECONDS / ANSWER_PARTS)
    if not answer.done():
        # Closed first: on an open connection, cancelling would make psycopg ask the database to cancel, and wait.
        await listening.close()
        answer.cancel()
        raise TimeoutError(f"No answer in {ANSWER_SECONDS} s.")
    answer.result()


def _renew_pool():
    """Replace the pool: its connections lead to a database that has gone, and nobody must get one."""
    pool = connections["default"].pool
    if pool:
        pool.drain()


hub = Hub()


def _conninfo():
    database = settings.DATABASES["default"]
    parts = {"dbname": connections["default"].settings_dict["NAME"], "application_name": "casino-live"}
    names = {"USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    parts |= {part: database[name] for name, part in names.items() if database[name]}
    of_django = {"pool", "server_side_binding", "prepare_threshold"}
    parts |= {name: value for name, value in database["OPTIONS"].items() if name not in of_django}
    return psycopg.conninfo.make_conninfo(**parts)


def _asked(ask):
    """Ask the database in one of the few threads that all streams share."""
    return sync_to_async(ask, thread_sensitive=False, executor=_looking)


@_asked
def _reach(request, table_id):
    """The table's chain and the caller's id if they are still logged in, active and may see the table, else None.

    The connection goes back to the pool at once: a stream must not keep one.
    """
    try:
        if not request.user.is_authenticated:
            return None
        user = Staff.objects.get(pk=request.user.pk)
        if not web_sessions.is_alive(request.session, user):
            return None
        terminals.see(access.device(request))
        return access.table_or_404(user, Right.SEE_TABLE, table_id).ref, user.pk
    except Http404:
        return None
    finally:
        connection.close()


@_asked
def _seq(chain):
    try:
        return Chain.objects.values_list("seq", flat=True).get(key=chain)
    finally:
        connection.close()


@require_GET
async def table_events(request, table_id):
    """The stream of one table. Rights are checked again with each heartbeat."""
    if hub.lost:
        raise OperationalError("A stream would have nothing to tell of.")
    reached = await _reach(request, table_id)
    if reached is None:
        return HttpResponse(status=404)
    chain, person = reached
    if hub.full(person):
        return HttpResponse(status=429)
    last = request.headers.get("Last-Event-ID", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else -1
    return _answer(_stream(chain, _events(request, table_id, chain, person, seen)))


def _answer(events):
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


async def _stream(name, events):
    """The events, and a last one when the database is lost: the screen says so at once and comes back."""
    try:
        async for event in events:
            yield event
        if not hub.lost:
            return
    except (OperationalError, InterfaceError) as error:
        logger.warning("A stream of %s ends: %s", name, error)
    yield "event: down\ndata:\n\n"


async def _events(request, table_id, chain, person, seen):
    if hub.full(person):  # others joined since it was asked
        return
    queue = hub.join([chain], person)
    try:
        yield "retry: 1000\n\n"
        clock = asyncio.get_running_loop().time
        ask_at = clock() + settings.HEARTBEAT_SECONDS
        grew, said = True, None
        while not hub.lost:
            if grew:
                seq = said if said is not None and said > seen else await _seq(chain)
                # A length heard before is false, then or now: so the stream says again that something happened.
                if seq != seen or said is not None:
                    seen = seq
                    yield f"id: {seq}\nevent: changed\ndata: {chain}\n\n"
            # However busy the table is, rights are checked again in time.
            if clock() >= ask_at:
                if await _reach(request, table_id) is None:
                    return
                ask_at = clock() + settings.HEARTBEAT_SECONDS
            try:
                said = await asyncio.wait_for(queue.get(), BEAT_SECONDS)
                grew = True
            except TimeoutError:
                grew = False
                yield "event: beat\ndata:\n\n"
    finally:
        hub.leave([chain], person, queue)


# --- What waits at all tables within reach: calls and held rounds, and slips. ---


@_asked
def _reached(request, standing):
    """The caller's id, the chains that concern what they look at, and what waits there; None if they may not look."""
    try:
        if not request.user.is_authenticated:
            return None
        user = Staff.objects.get(pk=request.user.pk)
        waiting = standing(user) if web_sessions.is_alive(request.session, user) else None
        if waiting:
            terminals.see(access.device(request))
        return waiting and (user.pk, *waiting)
    finally:
        connection.close()


@require_GET
async def floor_events(request):
    """The stream of the pit boss's pages: it says that calls or held rounds have changed."""
    return await _of_many(request, "the floor", calls.standing)


@require_GET
async def place_events(request):
    """The stream of the floor: it says that what the tiles show has changed."""
    return await _of_many(request, "the floor's tables", floor.standing)


@require_GET
async def people_events(request):
    """The stream of the page of people: it says that who deals, who comes, or the minute has changed."""
    return await _of_many(request, "people", people.standing)


@require_GET
async def asked_events(request):
    """The stream of a croupier's first page: it says that they are asked to relieve, or no longer asked."""
    return await _of_many(request, "reliefs", people.waits)


@require_GET
async def slip_events(request):
    """The stream of the pages of slips: it says that these have changed."""
    return await _of_many(request, "slips", slips.standing)


@require_GET
async def drop_box_events(request):
    """The stream of the pages of drop boxes: it says that these have changed."""
    return await _of_many(request, "drop boxes", drop_boxes.standing)


@require_GET
async def tips_events(request):
    """The stream of the pages of tips: it says that a day of tips has changed."""
    return await _of_many(request, "tips", tips.standing)


@require_GET
async def cage_events(request):
    """The stream of the pages of the cage: it says that its shift or its count has changed."""
    return await _of_many(request, "the cage", cage.live)


async def _of_many(request, name, standing):
    if hub.lost:
        raise OperationalError("A stream would have nothing to tell of.")
    reached = await _reached(request, standing)
    if reached is None:
        return HttpResponse(status=404)
    person, chains, _ = reached
    if hub.full(person):
        return HttpResponse(status=429)
    return _answer(_stream(name, _events_of_many(request, standing, person, chains)))


async def _events_of_many(request, standing, person, chains):
    """Look when a chain has grown, but no more often than a person would; each look checks the rights."""
    if hub.full(person):  # others joined since it was asked
        return
    queue = hub.join(chains, person)
    try:
        yield "retry: 1000\n\n"
        clock = asyncio.get_running_loop().time
        seen = None
        while not hub.lost:
            look_at = clock() + settings.HEARTBEAT_SECONDS
            reached = await _reached(request, standing)
            # A stream hears the chains that it began with: if these change, the page begins another stream.
            if reached is None or reached[1] != chains:
                return
            if reached[2] != seen:
                seen = reached[2]
                yield "event: changed\ndata: floor\n\n"
            await asyncio.sleep(PACE_SECONDS)
            grew = False
            while not grew and clock() < look_at:
                try:
                    await asyncio.wait_for(queue.get(), BEAT_SECONDS)
                    grew = True
                except TimeoutError:
                    yield "event: beat\ndata:\n\n"
    finally:
        hub.leave(chains, person, queue)
