"""The doorbell: a message that something may be due. The database row is the task; nobody waits for a broker."""

import functools

from kombu.pools import producers

from casino.celery import app

WAIT_SECONDS = 0.2
EXPIRES_SECONDS = 5


@functools.cache
def _connection():
    """A connection of its own that gives up at once: no retries, 0.2 s for anything."""
    options = {
        **app.conf.broker_transport_options,
        "max_retries": 0,
        "socket_timeout": WAIT_SECONDS,
        "socket_connect_timeout": WAIT_SECONDS,
    }
    return app.connection_for_write(connect_timeout=WAIT_SECONDS, transport_options=options)


def prepare():
    """Load the transport's library, so that the first croupier's ring does not wait for it. Connects to nothing."""
    return _connection().transport


def ring():
    """Ring once; called on commit, where Django logs a ring that could not be delivered and goes on."""
    with producers[_connection()].acquire(block=True, timeout=WAIT_SECONDS) as producer:
        app.send_task("tables.tasks.settle_due", producer=producer, retry=False, expires=EXPIRES_SECONDS)
