"""The bell: a message that something may be due. The database row is the task; nobody waits for a broker.

`ring` calls for the settlement at once, from the request that made something due. Beat rings for every task each
second, and a task with the base `Bell` is not rung again while a message waits in its queue. The function of a task
stands in its app's `tasks`, its queue and its place in beat's schedule in `casino/settings.py` (CELERY_TASK_ROUTES,
CELERY_BEAT_SCHEDULE); `casino/running/stack.py` says which worker reads which queue.

A message carries the ids of the requests that rang, for the worker's lines in the log, and nothing that the task needs.

Nobody rings while a few messages wait: the worker that takes one looks at the rows then. So the queue does not grow
while no worker reads it, however long that is; a request that rang meanwhile is named by the next message.
"""

import functools
import logging
import threading
from collections import deque

from celery import Task
from kombu.pools import producers
from structlog.contextvars import bound_contextvars, get_contextvars

from . import logs
from .celery import app

logger = logging.getLogger(__name__)

SETTLE_DUE = "tables.tasks.settle_due"
WAIT_SECONDS = 0.2
EXPIRES_SECONDS = 5
# At most this many requests are named by one message.
NAMED = 100
WAITING_AT_MOST = 4

_first = threading.Lock()
_pressed = threading.Event()
_pressed_for = deque(maxlen=NAMED)


class Bell(Task):
    """A task that beat does not ring while a message waits in its queue: a set number if tasks share the queue."""

    lying_at_most = 1

    def apply_async(self, *args, producer=None, **options):
        if producer is not None:
            try:
                messages = waiting(producer.channel, app.amqp.router.route({}, self.name)["queue"].name)
            except Exception:
                messages = 0  # beat keeps one producer for ever, and only publishing makes its connection good again
            if messages >= self.lying_at_most:
                return None
        return super().apply_async(*args, producer=producer, **options)


def waiting(channel, queue):
    """How many messages wait in a queue; expired ones too, which a worker throws away unread."""
    return app.amqp.queues[queue](channel).queue_declare().message_count


def ring():
    """Press the bell and go on. A thread of this process's own sends the message, so that a broker which is down, slow
    or hung costs nobody a moment; presses that coincide are one message, and beat makes up for what can't be sent."""
    with _first:
        _ringer()
    _pressed_for.append(logs.request_id())
    _pressed.set()


@functools.cache
def _ringer():
    ringer = threading.Thread(target=_ring_when_pressed, name="bell", daemon=True)
    ringer.start()
    return ringer


def _ring_when_pressed():
    while True:
        _pressed.wait()
        _pressed.clear()
        request_ids = list(filter(None, [_pressed_for.popleft() for _ in range(len(_pressed_for))]))
        with bound_contextvars(request_ids=request_ids):
            try:
                if not send():
                    _pressed_for.extend(request_ids)
            except Exception as error:
                _pressed_for.extend(request_ids)
                logger.warning("The doorbell could not be rung: %s", error)


def send():
    """Send one message, without retries, for the requests that are bound here, unless enough messages wait already.

    :returns: whether it was sent.
    :raises Exception: whatever the broker's library raises when it can't.
    """
    headers = {"request_ids": get_contextvars().get("request_ids", [])}
    with producers[_connection()].acquire(block=True, timeout=WAIT_SECONDS) as producer:
        if waiting(producer.channel, app.conf.task_default_queue) >= WAITING_AT_MOST:
            return False
        app.send_task(SETTLE_DUE, producer=producer, retry=False, expires=EXPIRES_SECONDS, headers=headers)
    return True


@functools.cache
def _connection():
    """A connection of our own that gives up at once: no retries, and 0.2 s for whatever the transport lets us limit."""
    options = {
        **app.conf.broker_transport_options,
        "max_retries": 0,
        "socket_timeout": WAIT_SECONDS,
        "socket_connect_timeout": WAIT_SECONDS,
    }
    return app.connection_for_write(connect_timeout=WAIT_SECONDS, transport_options=options)
