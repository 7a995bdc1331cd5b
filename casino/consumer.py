"""Celery's consumer of messages, which gets no message that was not judged."""

import functools
import logging

from celery.worker import consumer
from kombu import compression

from . import messages

logger = logging.getLogger(__name__)
# A small compressed message may grow to gigabytes; without decoders, it just can't be read.
compression._decoders.clear()


class Consumer(consumer.Consumer):
    """A consumer that drops messages that are not ours, from any broker, and goes on."""

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
        """Send an acknowledgement, or else reconnect, so that the messages come again.

        Celery only logs an acknowledgement that can't be sent, and the message keeps its place: once all places are
        taken, it takes no more messages and never notices that it should reconnect.
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
    """Acknowledge and let every error through: Celery would only log those in `errors`."""
    acknowledge(log, (), *args, **kwargs)
