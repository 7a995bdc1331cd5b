"""What a worker takes from its queues: messages that this product sends, and nothing else.

Whoever reaches the broker can put anything into a queue. Celery and kombu trust the form of what lies there, and much
that has another form ends the worker. So each message is judged before anything of it is used: by `Channel` as it comes
from Valkey or Redis, by `casino/consumer.py` in full, from any broker. What is not ours is dropped, and the worker's
log has a line with the queue and the reason, never with the content. Beat makes up for a doorbell that is lost this
way.
"""

import base64
import json
import logging
from datetime import datetime

from kombu.transport import redis, virtual

logger = logging.getLogger(__name__)

# Ours have less than 8 KB; `casino/running/embedded/broker.py` takes nothing above 1 MB.
BODY_AT_MOST = 64 * 1024
WORD_AT_MOST = 200
# What json and kombu's decoders of values raise for what they can't read.
UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError, MemoryError)


class ForeignError(ValueError):
    """A message that nothing of this product has sent, and why."""


def _is_word(value):
    return isinstance(value, str) and len(value) <= WORD_AT_MOST and value.isprintable()


def _is_word_or_none(value):
    return value is None or _is_word(value)


def _is_nothing(value):
    return not value


def _is_number(value):
    return type(value) is int and 0 <= value < 1000


def _is_time(value):
    if value is None:
        return True
    try:
        return _is_word(value) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _is_list_of_words(value):
    return isinstance(value, list) and len(value) <= WORD_AT_MOST and all(map(_is_word, value))


# What Celery writes into the headers of a task, and our doorbells beside it. Without `eta`, limits and what follows:
# nothing of this product uses them, and they would keep a message in the worker's hands for as long as they say.
HEADERS = {
    "lang": _is_word,
    "task": _is_word,
    "id": _is_word,
    "shadow": _is_nothing,
    "eta": _is_nothing,
    "expires": _is_time,
    "group": _is_nothing,
    "group_index": _is_nothing,
    "retries": _is_number,
    "timelimit": lambda value: value in (None, [None, None]),
    "root_id": _is_word_or_none,
    "parent_id": _is_word_or_none,
    "argsrepr": _is_word,
    "kwargsrepr": _is_word,
    "origin": _is_word,
    "ignore_result": lambda value: value in (None, True, False),
    "replaced_task_nesting": _is_number,
    "stamped_headers": _is_nothing,
    "stamps": _is_nothing,
    "request_ids": _is_list_of_words,
    "redelivered": lambda value: value in (True, False),
    "celery_beat_task": lambda value: value is True,
}
NEEDED = ("task", "id")
# RabbitMQ counts deliveries under names of its own.
OF_THE_BROKER = "x-"
PROPERTIES = {
    "body_encoding": lambda value: value == "base64",
    "correlation_id": _is_word_or_none,
    "delivery_info": lambda value: (
        isinstance(value, dict) and _is_word(value.get("exchange")) and _is_word(value.get("routing_key"))
    ),
    "delivery_mode": _is_number,
    "delivery_tag": lambda value: _is_word(value) and value != "",
    "expiration": _is_word_or_none,
    "priority": _is_number,
    "reply_to": _is_word_or_none,
}


def _demand_all(values, known, *, needed):
    for name in needed:
        if name not in values:
            raise ForeignError(f"it has no {name}")
    for name, value in values.items():
        if name not in known:
            raise ForeignError("it has a value under a name that we do not use")
        if not known[name](value):
            raise ForeignError(f"its {name} is not one that we send")


def demand_form(raw):
    """Judge the JSON of a queue by what kombu reads of it.

    :raises ForeignError: with the reason.
    """
    if not isinstance(raw, dict):
        raise ForeignError("it is no object")
    headers, properties = raw.get("headers"), raw.get("properties")
    if not isinstance(headers, dict) or not isinstance(properties, dict):
        raise ForeignError("it has no headers or no properties")
    _demand_all(properties, PROPERTIES, needed=("body_encoding", "delivery_info", "delivery_tag"))
    if "compression" in headers:
        raise ForeignError("it is compressed")
    body = raw.get("body")
    if not isinstance(body, str):
        raise ForeignError("its body is not base64")
    if len(body) > 2 * BODY_AT_MOST:
        raise ForeignError(f"its body has {len(body)} characters")
    try:
        base64.b64decode(body, validate=True).decode()
    except ValueError:
        raise ForeignError("its body is not base64") from None


def demand_task(message, tasks):
    """Judge a message as a whole.

    :param tasks: name -> task, those whose messages this worker takes.
    :raises ForeignError: with the reason.
    """
    headers, body = message.headers, message.body
    if message.errors or not isinstance(headers, dict):
        raise ForeignError("its headers or its body can't be read")
    _demand_all({name: headers[name] for name in headers if not name.startswith(OF_THE_BROKER)}, HEADERS, needed=NEEDED)
    if headers["task"] not in tasks:
        raise ForeignError("it does not name a task of this worker")
    if message.content_type != "application/json" or message.content_encoding != "utf-8":
        raise ForeignError("its content is not declared to be JSON in UTF-8")
    if not isinstance(body, bytes | memoryview | str) or len(body) > BODY_AT_MOST:
        raise ForeignError("its body is missing or too large")
    try:
        content = json.loads(body if isinstance(body, str) else bytes(body))
    except UNREADABLE:
        raise ForeignError("its body is no JSON") from None
    if not isinstance(content, list) or [type(part) for part in content] != [list, dict, dict]:
        raise ForeignError("its body is not arguments, named arguments and what follows")
    arguments, named, follows = content
    if any(follows.values()):
        raise ForeignError("it wants something to follow")
    try:
        tasks[headers["task"]].__header__(*arguments, **named)
    except TypeError:
        raise ForeignError("its task does not take these arguments") from None


def drop(queues, reason):
    logger.error("A message that is not ours was dropped from the queue %s: %s.", " or ".join(queues), reason)


class Message(virtual.Message):
    """A message of Valkey or Redis; what has another form is refused before anything of it is used."""

    def __init__(self, payload, channel=None, **more):
        demand_form(payload)
        super().__init__(payload, channel=channel, **more)


class Channel(redis.Channel):
    """A channel that survives whatever lies in a queue, and whatever stands in a queue's place."""

    Message = Message

    def _brpop_read(self, **options):
        try:
            return super()._brpop_read(**options)
        except ForeignError as error:
            drop(self.active_queues, error)
        except (*UNREADABLE, self.ResponseError) as error:
            if isinstance(error, self.ResponseError) and not str(error).startswith("WRONGTYPE"):
                raise
            if isinstance(error, self.ResponseError):
                self._remove_what_is_no_queue()
            else:
                drop(self.active_queues, f"it can't be read ({type(error).__name__})")
        return None

    def _receive_one(self, c):
        try:
            return super()._receive_one(c)
        except ForeignError as error:
            drop(["of Celery's events"], error)
        return None

    def _remove_what_is_no_queue(self):
        """Remove a key of another type from a queue's place: it would break each reading of all queues."""
        with self.conn_or_acquire() as client:
            for queue in self.active_queues:
                for priority in self.priority_steps:
                    key = self._q_for_pri(queue, priority)
                    if client.type(key) not in (b"list", b"none"):
                        client.delete(key)
                        logger.error(
                            "Something that is no queue stood in the place of the queue %s; it was removed.", queue
                        )


class Transport(redis.Transport):
    Channel = Channel
