"""The Celery application: settings under the prefix CELERY_, tasks from every app's `tasks` module.

A message may carry `request_ids`, those of the requests that it was sent for: the lines of its task bear them.
"""

import os

from celery import Celery, signals
from kombu import transport
from structlog.contextvars import bind_contextvars, clear_contextvars

from . import pulse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
# `checks.start` asks what concerns a worker; Django's own checks would load every page first, which doubles the time of
# a start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# Everything in this process that talks to such a broker reads its messages with our own classes.
transport.TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "casino.messages:Transport")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.setup_logging.connect
def leave_logging_alone(**_):
    """Celery sets up no logging if this signal has a listener: so Django's settings hold for worker and beat too."""


@signals.task_prerun.connect
def bind_requests(task, **_):
    clear_contextvars()
    if request_ids := task.request.get("request_ids"):
        bind_contextvars(request_ids=request_ids)


@signals.task_postrun.connect
def unbind_requests(**_):
    clear_contextvars()


@signals.worker_init.connect
@signals.beat_init.connect
def _start(**kwargs):
    from . import checks

    checks.start()


@signals.worker_ready.connect
def _give_pulse(sender, **kwargs):
    """Let a worker's loop say that it is busy, so that a message may wait. This runs each time a worker is ready: after
    a lost broker it has forgotten its timers."""
    from celery.worker import state

    sender.timer.call_repeatedly(pulse.SECONDS, lambda: state.active_requests and pulse.give())
