"""A task that beat rings each second: a message that waits is enough, however long no worker takes it."""

from celery import Task

from casino.celery import app


def waiting(channel, queue):
    """How many messages lie in a queue that no worker has taken; expired ones too, which it throws away unread."""
    return app.amqp.queues[queue](channel).queue_declare().message_count


class Bell(Task):
    """A task that beat does not ring while a message lies in its queue."""

    def apply_async(self, *args, producer=None, **options):
        if producer is not None:
            try:
                lying = waiting(producer.channel, app.amqp.router.route({}, self.name)["queue"].name)
            except Exception:
                lying = 0  # beat keeps one producer for ever, and only publishing makes its connection good again
            if lying:
                return None
        return super().apply_async(*args, producer=producer, **options)
