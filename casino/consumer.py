"""Celery's consumer of messages, which is given nothing but what was judged."""

import functools
import logging

from celery.worker import consumer
from kombu import compression

from . import messages

logger = logging.getLogger(__name__)
# A small message may grow to gigabytes; without decoders it is one that can't be read.
compression._decoders.clear()


class Consumer(consumer.Consumer):
    """It drops messages that are not ours, from any broker, and goes on."""

    def create_task_handler(self, *args, **kwargs):
        take = super().create_task_handler(*args, **kwargs)
        tasks = {name: task for name, task in self.app.tasks.items() if self._takes(name)}

        def judge_and_take(message):
            try:
                messages.demand_task(message, tasks)
            except messages.ForeignError as error:
                self._drop(message, error)
            else:
                take(message)

        return judge_and_take

    def call_soon_ack(self, p, *args, **kwargs):
        """Send an acknowledgement, or begin the connection anew, whose messages come again then.

        Celery only logs what can't be sent, and its place stays taken: once all are, it takes nothing any more, and
        hears nothing of the connection that it would have to begin anew.
        """
        return super().call_soon_ack(functools.partial(_send, p), *args, **kwargs)

    def on_decode_error(self, message, exc):
        self._drop(message, f"it can't be read ({type(exc).__name__})")

    def _takes(self, name):
        """Whether a task is of this product and its queue is one of this worker's."""
        queue = self.app.amqp.router.route({}, name)["queue"].name
        return not name.startswith("celery.") and queue in self.app.amqp.queues.consume_from

    def _drop(self, message, reason):
        messages.drop(self.app.amqp.queues.consume_from, reason)
        message.ack_log_error(logger, self.connection_errors)


def _send(acknowledge, log, errors, *args, **kwargs):
    """Acknowledge; no error is only logged, as `errors` would be."""
    acknowledge(log, (), *args, **kwargs)
