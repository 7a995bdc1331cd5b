"""Garbage in a queue ends no worker: the product's own workers, a real broker, and every kind of what is not ours."""

import base64
import json
import os
import pickle
import zlib

import pytest
import redis
from celery.beat import Scheduler
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.celery import app
from casino.running import embedded
from casino.running import stack as product
from tables.models import Round

from ..support import factories, proof, stack, waiting

TASKS = {
    "tables.tasks.settle_due": "settlement",
    "casino.tasks.prune": "settlement",
    "audit.tasks.seal": "log",
    "audit.tasks.export": "exports",
}
DROPPED = "was dropped from the queue"
REMOVED = "it was removed"


class House:
    """Both workers of the product, and what lies in their broker."""

    def __init__(self, folder):
        broker = embedded.Broker(stack.folder() / "broker")
        number = stack.worker_number() % 16
        self.redis = redis.Redis(unix_socket_path=str(broker.socket), db=number)
        self.workers = [product.worker(log=folder, env=dict(os.environ), queues=queues) for queues in product.WORKERS]

    def __enter__(self):
        self.redis.flushdb()
        for worker in self.workers:
            worker.start()
        # Celery's own book of who reads which queue.
        waiting.until(lambda: all(self.redis.exists(f"_kombu.binding.{queue}") for queue in product.QUEUES))
        return self

    def __exit__(self, *_):
        for worker in self.workers:
            worker.stop()
        self.redis.flushdb()

    def lines(self, words):
        return sum(worker.log.read_text().count(words) for worker in self.workers)

    def drops(self, *messages):
        """Put these into the queues, (queue, bytes); wait for a line about each, and show that nobody ended of it."""
        pids, before = [worker.process.pid for worker in self.workers], self.lines(DROPPED)
        for queue, message in messages:
            self.redis.lpush(queue, message)
        waiting.until(lambda: self.lines(DROPPED) >= before + len(messages) or not self.are_alive())
        assert self.are_alive(), self.workers[0].log.read_text()[-4000:] + self.workers[1].log.read_text()[-4000:]
        assert self.lines(DROPPED) == before + len(messages)
        assert [worker.process.pid for worker in self.workers] == pids
        assert not any(self.redis.llen(queue) for queue in product.QUEUES)
        waiting.until(lambda: not self.redis.hlen("unacked"))

    def are_alive(self):
        return all(worker.alive for worker in self.workers)


def message(task="tables.tasks.settle_due", *, queue=None, content=None, body=None, raw=None, **headers):
    """A message as Celery writes it, of this task, with other headers or another body."""
    if body is None:
        follows = dict.fromkeys(("callbacks", "errbacks", "chain", "chord"))
        body = json.dumps([[], {}, follows] if content is None else content).encode()
    return {
        "body": base64.b64encode(body).decode() if raw is None else raw,
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {"lang": "py", "task": task, "id": "1", "retries": 0, "eta": None, "expires": None} | headers,
        "properties": {
            "correlation_id": "1",
            "reply_to": "1",
            "delivery_mode": 2,
            "delivery_info": {"exchange": "", "routing_key": queue or TASKS.get(task, "settlement")},
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": "1",
        },
    }


def written(one):
    return json.dumps(one).encode()


def without(one, *path):
    for step in path[:-1]:
        one = one[step]
    del one[path[-1]]


def leaves(value, path=()):
    """The paths of all values within a message."""
    for name, part in value.items():
        yield (*path, name)
        if isinstance(part, dict):
            yield from leaves(part, (*path, name))


PATHS = sorted(leaves(message()))
# No value of any of our messages.
JUNK = [{"a": 1}, [[1]], 2**70, -1.5, "\0", "x" * 300]
NEEDED = [
    ("body",),
    ("content-type",),
    ("content-encoding",),
    ("headers",),
    ("headers", "task"),
    ("headers", "id"),
    ("properties",),
    ("properties", "delivery_info"),
    ("properties", "delivery_tag"),
    ("properties", "body_encoding"),
]
KINDS = {
    "bytes": st.binary(max_size=300),
    "text": st.text(max_size=300).map(str.encode),
    "JSON of another form": st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
        max_leaves=12,
    ).map(written),
    "a part is missing": st.sampled_from(NEEDED).map(lambda path: _changed(lambda one: without(one, *path))),
    "a value of another type": st.tuples(st.sampled_from(PATHS), st.sampled_from(JUNK)).map(
        lambda changed: _changed(lambda one: _put(one, *changed))
    ),
    "a name that we do not use": st.sampled_from(["headers", "properties"]).map(
        lambda where: _changed(lambda one: one[where].update(chain=[1]))
    ),
    "no task": st.sampled_from(["", "os.system", "tables.tasks.settle", "__main__", "celery.chord"]).map(
        lambda name: written(message(name))
    ),
    "a task of Celery's own": st.sampled_from(sorted(name for name in app.tasks if name.startswith("celery."))).map(
        lambda name: written(message(name))
    ),
    "other arguments": st.sampled_from([[[1, 2, 3], {}, {}], [[], {"a": 1}, {}], [["../../x"], {}, {}]]).map(
        lambda content: written(message(content=content))
    ),
    "another body": st.sampled_from([None, 1, "x", [], [[]], [[], {}], [{}, [], {}], [[], {}, {}, {}]]).map(
        lambda content: written(message(body=json.dumps(content).encode()))
    ),
    "a body that is no JSON": st.binary(min_size=1, max_size=60)
    .filter(lambda body: not _is_json(body))
    .map(lambda body: written(message(body=body))),
    "base64 that ends too early": st.integers(1, 3).map(
        lambda less: _changed(lambda one: one.update(body=one["body"][: -4 + less]))
    ),
    "base64 with other signs": st.sampled_from(["*", "AAAA=AAA", "é" * 8]).map(lambda raw: written(message(raw=raw))),
    "pickled": st.sampled_from([{}, [[], {}, {}]]).map(
        lambda content: _changed(
            lambda one: one.update({"content-type": "application/x-python-serialize"}), body=pickle.dumps(content)
        )
    ),
    "another kind of content": st.sampled_from(
        ["application/x-python-serialize", "application/x-yaml", "application/x-msgpack", "text/plain", ""]
    ).map(lambda kind: _changed(lambda one: one.update({"content-type": kind}))),
    "another encoding": st.sampled_from(["binary", "utf-16", "rot13", ""]).map(
        lambda name: _changed(lambda one: one.update({"content-encoding": name}))
    ),
    "compressed": st.sampled_from(["zlib", "gzip", "bzip2", "application/x-lzma", "nothing"]).map(
        lambda name: written(message(body=zlib.compress(b" " * 10**6), compression=name))
    ),
    "far ahead": st.sampled_from(["9999-12-31T23:59:59+00:00", "2030-01-01", "soon"]).map(
        lambda moment: written(message(eta=moment))
    ),
    "with an end that is no time": st.sampled_from(["soon", "2030-13-01T00:00:00+00:00", 5]).map(
        lambda moment: written(message(expires=moment))
    ),
    "with something to follow": st.sampled_from(["callbacks", "errbacks", "chain", "chord"]).map(
        lambda name: written(message(content=[[], {}, {name: [{"task": "tables.tasks.settle_due"}]}]))
    ),
    "deep": st.integers(2_000, 100_000).map(lambda depth: b"[" * depth),
    "deep within": st.integers(2_000, 20_000).map(lambda depth: written(message(body=b"[" * depth + b"]" * depth))),
    "large": st.integers(200_000, 900_000).map(lambda size: b'"' + b"x" * size + b'"'),
    "large within": st.integers(70_000, 300_000).map(lambda size: written(message(body=b" " * size + b"[[], {}, {}]"))),
}


def _changed(change, **more):
    one = message(**more)
    change(one)
    return written(one)


def _put(one, path, value):
    for step in path[:-1]:
        one = one[step]
    one[path[-1]] = value


def _is_json(body):
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with (
        stack.clone(stack.SEEDED) as database,
        stack.django_on(database),
        House(tmp_path_factory.mktemp("workers")) as running,
    ):
        yield running


@pytest.mark.parametrize("kind", KINDS)
def test_garbage_of_every_kind_is_dropped_from_every_queue(house, kind):
    @settings(max_examples=max(1, proof.examples(100) // 25), suppress_health_check=list(HealthCheck), deadline=None)
    @given(st.lists(KINDS[kind], min_size=1, max_size=5), st.sampled_from(["", "\x06\x163", "\x06\x169"]))
    def drops(garbage, priority):
        house.drops(*((queue + priority, one) for one in garbage for queue in product.QUEUES))

    drops()


def test_a_task_of_another_worker_s_queue_is_dropped(house):
    # Whoever reaches the settlement's queue makes its worker neither seal nor export, and the other way round.
    of_worker = {queue: queues for queues in product.WORKERS for queue in queues}
    house.drops(
        *(
            (queue, written(message(task, queue=queue)))
            for task, own in TASKS.items()
            for queue in product.QUEUES
            if of_worker[queue] != of_worker[own]
        )
    )


@pytest.mark.parametrize("queue", product.QUEUES)
@pytest.mark.parametrize("put", ["set", "hset", "sadd", "zadd"])
def test_what_is_no_queue_is_removed_from_a_queue_s_place(house, queue, put):
    before = house.lines(REMOVED)
    content = {"set": ("x",), "hset": ("a", "b"), "sadd": ("a",), "zadd": ({"a": 1},)}[put]
    with house.redis.pipeline() as together:
        together.delete(queue)
        getattr(together, put)(queue, *content)
        together.execute()
    waiting.until(lambda: house.lines(REMOVED) > before or not house.are_alive())
    assert house.are_alive()
    assert not house.redis.exists(queue)


def test_the_broker_takes_nothing_above_a_megabyte(house):
    with pytest.raises(redis.RedisError):
        house.redis.lpush("settlement", b"x" * (2 * 2**20))
    assert house.are_alive()


def test_nobody_orders_a_worker_to_end(house):
    with app.connection_for_write() as connection:
        assert app.control.broadcast("shutdown", reply=True, timeout=0.5, connection=connection) == []
    assert house.are_alive()


def test_a_doorbell_after_all_that_is_heard(house, django_db_blocker):
    with django_db_blocker.unblock():
        played = factories.play_round(factories.table("T1"))
        house.redis.lpush("settlement", b"garbage", written(message()))
        waiting.until(lambda: Round.objects.filter(pk=played.pk, status=Round.Status.SETTLED).exists())
    assert house.are_alive()


@pytest.mark.parametrize("task", TASKS)
def test_what_celery_sends_is_ours(house, task):
    """In the form that this version of Celery writes; a later one that adds a header is found here."""
    dropped = house.lines(DROPPED)
    with app.connection_for_write() as connection:
        app.send_task(task, connection=connection, expires=60, headers={"request_ids": ["a" * 64] * 100})
    waiting.until(lambda: not house.redis.llen(TASKS[task]) and not house.redis.hlen("unacked"))
    assert house.lines(DROPPED) == dropped


@pytest.mark.parametrize("name", app.conf.beat_schedule)
def test_what_beat_sends_is_ours(house, name):
    dropped, scheduler = house.lines(DROPPED), Scheduler(app=app, lazy=True)
    entry = scheduler.Entry(**app.conf.beat_schedule[name], name=name, app=app)
    scheduler.apply_async(entry, advance=False)
    waiting.until(lambda: not any(map(house.redis.llen, product.QUEUES)) and not house.redis.hlen("unacked"))
    assert house.lines(DROPPED) == dropped
