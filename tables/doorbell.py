"""The doorbell: a message that something may be due. The database row is the task; nobody waits for a broker.

It bears the ids of the requests that pressed, for the worker's lines in the log, and nothing that is needed to settle.

Nobody rings while a few messages lie there that nobody has taken: whoever takes one looks at the rows then. So the
queue does not grow while no worker reads it, however long that is; who pressed meanwhile is named by the next message.
"""

import functools
import logging
import threading
from collections import deque

from kombu.pools import producers
from structlog.contextvars import bound_contextvars, get_contextvars

from casino import bell, logs
from casino.celery import app

logger = logging.getLogger(__name__)

WAIT_SECONDS = 0.2
EXPIRES_SECONDS = 5
# So many requests at most are named by one message.
NAMED = 100
WAITING_AT_MOST = 4

_first = threading.Lock()
_pressed = threading.Event()
_pressed_for = deque(maxlen=NAMED)


def ring():
    """Press the bell and go on. A thread of this process's own sends the message, so that a broker which is down, slow
    or hung costs nobody a moment; presses that meet are one message, and what can't be sent beat makes good."""
    with _first:
        _ringer()
    _pressed_for.append(logs.request_id())
    _pressed.set()


@functools.cache
def _ringer():
    ringer = threading.Thread(target=_ring_when_pressed, name="doorbell", daemon=True)
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
    """Send one message, without retries, for the requests that are bound here, unless enough lie there already.

    :returns: whether it was sent.
    :raises Exception: whatever the broker's library raises when it can't.
    """
    headers = {"request_ids": get_contextvars().get("request_ids", [])}
    with producers[_connection()].acquire(block=True, timeout=WAIT_SECONDS) as producer:
        if bell.waiting(producer.channel, app.conf.task_default_queue) >= WAITING_AT_MOST:
            return False
        app.send_task(
            "tables.tasks.settle_due", producer=producer, retry=False, expires=EXPIRES_SECONDS, headers=headers
        )
    return True


@functools.cache
def _connection():
    """A connection of its own that gives up at once: no retries, 0.2 s for what the transport lets bound."""
    options = {
        **app.conf.broker_transport_options,
        "max_retries": 0,
        "socket_timeout": WAIT_SECONDS,
        "socket_connect_timeout": WAIT_SECONDS,
    }
    return app.connection_for_write(connect_timeout=WAIT_SECONDS, transport_options=options)
