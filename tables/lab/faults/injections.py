"""The faults themselves: each lets croupiers play on, breaks something while they do, and makes it whole again.

The fault is over when `strike` returns: nothing is left broken, and all that is still due must be settled.
"""

import contextlib
import signal
import threading
import time

import psycopg
from celery import Celery

from casino.running import stack

from .house import SETTLING
from .plan import KILLS, LOCKS, POISON

# Croupiers never touch it, so that they can close rounds while settlement stands still.
GATE = next(lock for lock in LOCKS if lock.table == "payouts_settlement")
# Statements that a worker comes to first: croupiers need those tables, so they close all their rounds before.
EARLY = LOCKS[: LOCKS.index(GATE) + 1]
BELLS = 50


class Held:
    """A lock on a table: requested at once, granted when those before us are done, and released at the end."""

    def __init__(self, house, lock):
        self.house, self.lock = house, lock

    def __enter__(self):
        self.connection = self.house.connect()
        self.pid = self.connection.info.backend_pid
        self.asking = threading.Thread(target=self._ask, daemon=True)
        self.asking.start()
        self.house.wait(lambda: not self.asking.is_alive() or self._waits(), f"asking for {self.lock.table}")
        return self

    def _ask(self):
        with contextlib.suppress(psycopg.Error):
            self.connection.execute(f"LOCK TABLE {self.lock.table} IN {self.lock.mode} MODE")

    def _waits(self):
        return self._seen("SELECT FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'", self.pid)

    def _seen(self, query, *values):
        with self.house.connect() as watching:
            return watching.execute(query, values).fetchall()

    def stops_the_worker(self):
        """Wait until a worker's statement waits for us."""
        self.house.wait(
            lambda: self._seen(
                "SELECT FROM pg_stat_activity WHERE application_name = %s AND %s = ANY(pg_blocking_pids(pid))",
                SETTLING,
                self.pid,
            ),
            f"waiting for the worker to come to {self.lock.at}",
        )

    def release(self):
        while self.asking.is_alive():
            with contextlib.suppress(psycopg.Error):
                self.connection.cancel_safe(timeout=5)
            self.asking.join(0.5)
        self.connection.close()

    def __exit__(self, *_):
        self.release()


@contextlib.contextmanager
def standstill(house, play):
    """Hold settlement at its first insert, a batch in its hands, while rounds are closed; yield the lock."""
    with Held(house, GATE) as gate:
        play()
        gate.stops_the_worker()
        yield gate


@contextlib.contextmanager
def frozen(house):
    """Freeze the worker: it is up and does nothing."""
    house.signal_worker(signal.SIGSTOP)
    try:
        yield
    finally:
        house.signal_worker(signal.SIGCONT)


def strike(house, fault, play):
    """Let one fault happen; `play` lets the croupiers close the next rounds, `play.over()` waits until they have.

    :returns: the id of a poison round.
    """
    if fault.kind in KILLS:
        return _kill(house, fault, play)
    return _STRIKES[fault.kind](house, play)


def _kill(house, fault, play):
    """Stop the worker before the statement, and kill it there, or a moment after letting it go on."""
    with contextlib.ExitStack() as held:
        if fault.lock in EARLY:
            with frozen(house):
                play()
                play.over()
                lock = held.enter_context(Held(house, fault.lock))
        else:
            gate = held.enter_context(standstill(house, play))
            play.over()  # a croupier who waits with a chain's row locked would stop the worker elsewhere
            lock = held.enter_context(Held(house, fault.lock))
            gate.release()
        lock.stops_the_worker()
        if fault.delay_ms is not None:
            lock.release()
            time.sleep(fault.delay_ms / 1000)
        if fault.kind == KILLS[0]:
            house.kill_children()
        else:
            house.kill_worker()
    if fault.kind == KILLS[1]:
        house.worker.start()


def _kill_database(house, play, *, group):
    with standstill(house, play):
        house.kill_database(group=group)
        house.trial.cluster.start()


def _kill_broker(house, play):
    play()
    house.wait(house.settles, "settling")
    house.trial.broker.process.kill()
    house.trial.broker.process.wait()
    house.trial.broker.start()


def _stop_broker(house, play):
    house.trial.broker.stop()
    play()
    play.over()
    house.trial.broker.start()


def _purge(house, play):
    with standstill(house, play):
        house.wait(house.bells, "waiting for a doorbell")
        house.purge()


def _double(house, play):
    """Send each message fifty times, while both of the worker's children stand still with what is due."""
    with standstill(house, play):
        house.wait(house.bells, "waiting for a doorbell")
        play.over()
        for message in house.take_bells() * BELLS:
            house.put_bell(message)


def _drop(house, play):
    """Close rounds and drop every message about them; beat's next message makes up for that."""
    with frozen(house):
        play()
        play.over()
        house.purge()


def _delay(house, play):
    """Deliver messages long after what they were about is settled, the last one first."""
    taken = []

    def gathered():
        taken.extend(house.take_bells())
        return taken and play.is_over()

    with frozen(house):
        play()
        house.wait(gathered, "gathering doorbells")
    house.wait(house.settles, "settling")
    for message in reversed(taken):
        house.put_bell(message)


def _no_beat(house, play):
    """Stop beat and drop messages as well; nothing rings until beat is back."""
    house.absent.add(house.beat)
    house.beat.process.kill()
    house.beat.process.wait()
    _drop(house, play)
    time.sleep(1)
    house.beat.start()
    house.absent.clear()


def _two_beats(house, play):
    second = stack.beat(log=house.log, env=house.env, schedule=house.log / "second-beat-schedule")
    second.start()
    try:
        play()
        play.over()
        time.sleep(2)
    finally:
        second.stop()


def _freeze(house, play):
    with frozen(house):
        play()
        play.over()


def _freeze_and_replace(house, play):
    """Freeze the worker in the middle of a transaction; another worker settles everything, even what the first one
    holds, since the database ends a session that stands still in a transaction."""
    second = house.second_worker()
    try:
        with contextlib.ExitStack() as frozen_one:
            with standstill(house, play):
                frozen_one.enter_context(frozen(house))
            second.start()
            play.over()
            house.wait(lambda: not house.due(failed=False), "settling by another worker")
    finally:
        second.stop()


def _deafen(house, play):
    """Let the worker live but read no messages; `manage.py settle` does its work meanwhile."""
    house.wait(lambda: _obeys(house, "cancel_consumer"), "the worker's turning deaf")
    play()
    play.over()
    house.settle()
    house.wait(lambda: _obeys(house, "add_consumer"), "the worker's hearing again")


def _obeys(house, order):
    """Whether the worker confirms an order of Celery's remote control; on a new connection, since kombu keeps those
    that an earlier fault has broken."""
    with Celery(broker=house.env["BROKER_URL"]) as app, app.connection_for_write() as connection:
        try:
            return getattr(app.control, order)("settlement", reply=True, timeout=2, connection=connection)
        except (*connection.connection_errors, *connection.channel_errors):
            return None


def poison(house, play):
    """Give a closed round a newest line that can't be settled, as anybody with the app's password could; its id."""
    with frozen(house):
        play()
        play.over()
        with house.connect() as connection:
            (round_id,) = connection.execute(
                "SELECT id FROM tables_round WHERE status = 'CLOSED' AND leases = 0 AND failures = 0"
                " ORDER BY id DESC LIMIT 1 FOR UPDATE SKIP LOCKED"
            ).fetchone()
            connection.execute(
                "INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id, approved_by_id)"
                " SELECT r.id, 2, json_build_object('game', s.game), '[]', (SELECT min(id) FROM casino_staff),"
                " (SELECT max(id) FROM casino_staff) FROM tables_round r JOIN tables_rulesheet s ON s.id = r.sheet_id"
                " WHERE r.id = %s",
                [round_id],
            )
    return round_id


_STRIKES = {
    "database killed": lambda house, play: _kill_database(house, play, group=False),
    "database killed with its group": lambda house, play: _kill_database(house, play, group=True),
    "broker killed": _kill_broker,
    "broker stopped": _stop_broker,
    "broker purged": _purge,
    "doorbells doubled": _double,
    "doorbells dropped": _drop,
    "doorbells late and reversed": _delay,
    "beat absent": _no_beat,
    "beat doubled": _two_beats,
    "worker frozen, then goes on": _freeze,
    "worker frozen, another comes": _freeze_and_replace,
    "worker deaf": _deafen,
    POISON: poison,
}
