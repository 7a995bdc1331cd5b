"""The Celery application: settings under the prefix CELERY_, tasks from every app's `tasks` module."""

import os

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_init.connect
@signals.beat_init.connect
def _start(**kwargs):
    from . import checks

    checks.start()
