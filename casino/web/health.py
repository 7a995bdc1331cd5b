"""`/readyz`: how the process and what it leans on are, for a probe and for the person who is called at night.

A measure is a function without arguments that gives what it found as a dictionary, with `ok` false where somebody must
act, or raises where it got no answer at all; `casino/urls.py` names all of them. Nobody need log in, for a probe has no
account: so there are states, counts and seconds in it and no word about money, people, tables, addresses,
versions or errors. And asking costs next to nothing: a measure is made at most once a second in each process, by one
thread, however many ask, and nobody waits for it longer than two seconds.

`/healthz` says whether the process lives, and is what a load balancer asks: while the worker or the broker is away,
croupiers play on, and a web process that was taken out for it would stop them. `/readyz` is what raises the alarm.
"""

import logging
import threading
import time
from concurrent.futures import Future

import psycopg
from django.db import connections
from django.http import HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..celery import app

logger = logging.getLogger(__name__)

KEPT_SECONDS = 1
PATIENCE_SECONDS = 2
# Longer than anybody waits: so a server that accepts and is silent differs from one that refuses.
_SILENCE_SECONDS = 2 * PATIENCE_SECONDS
UP, DOWN, SILENT = "up", "down", "silent"


@require_safe
def healthz(request):
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def readyz(**measures):
    """The view of these measures by their names: 200 where all are ok, else 503."""
    kept = {name: Kept(measure) for name, measure in measures.items()}

    @require_safe
    @never_cache
    def view(request):
        asked = {name: measure.ask() for name, measure in kept.items()}
        until = time.monotonic() + PATIENCE_SECONDS
        answers = {name: kept[name].answer(future, until) for name, future in asked.items()}
        ok = all(each["ok"] for each in answers.values())
        return JsonResponse({"ok": ok, **answers}, status=200 if ok else 503)

    return view


class Kept:
    """A measure that is made by one thread at a time, and whose answer is good for a second."""

    def __init__(self, measure):
        self._measure = measure
        self._lock = threading.Lock()
        self._future, self._asked_at = None, 0
        self._failed = False

    def ask(self):
        """The answer that is under way or still good, else one that is begun now."""
        with self._lock:
            now = time.monotonic()
            if self._future is None or (self._future.done() and now - self._asked_at >= KEPT_SECONDS):
                self._future, self._asked_at = Future(), now
                # A daemon: one that hangs must not keep the process from ending.
                threading.Thread(target=self._make, args=[self._future], name="measure", daemon=True).start()
            return self._future

    def _make(self, future):
        try:
            answer = self._measure()
        except Exception as error:
            if not self._failed:
                logger.warning("The measure %s fails: %s", self._measure.__name__, error)
            self._failed = True
            future.set_exception(error)
        else:
            self._failed = False
            future.set_result(answer)

    def answer(self, future, until):
        """The measure's answer; a request that comes while it hangs waits no longer than the one that came first."""
        until = min(until, self._asked_at + PATIENCE_SECONDS)
        try:
            return future.result(timeout=max(0, until - time.monotonic()))
        except TimeoutError:
            return {"ok": False, "state": SILENT}
        except Exception:
            return {"ok": False, "state": DOWN}


def database():
    """Whether PostgreSQL lets us in and answers, past the pool: a pool goes on waiting when nobody is there."""
    parameters = connections["default"].get_connection_params() | {
        "application_name": "casino-health",
        "connect_timeout": _SILENCE_SECONDS,
        # A network that swallows everything is found out, too.
        "tcp_user_timeout": 1000 * _SILENCE_SECONDS,
    }
    with psycopg.connect(**parameters) as connection:
        connection.execute("SELECT 1")
    return {"ok": True, "state": UP}


def broker():
    """Whether the broker takes a connection and speaks with us, by Celery's own way to it."""
    options = app.conf.broker_transport_options | {
        "max_retries": 0,
        "socket_timeout": _SILENCE_SECONDS,
        "socket_connect_timeout": _SILENCE_SECONDS,
    }
    with app.connection_for_write(connect_timeout=_SILENCE_SECONDS, transport_options=options) as connection:
        # At once and once; `connect` would try again after two seconds.
        transport = connection.transport
        transport.close_connection(transport.establish_connection())
    return {"ok": True, "state": UP}
