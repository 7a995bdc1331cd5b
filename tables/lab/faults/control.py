"""The application of the worker that a run breaks: the product's own, but it obeys Celery's remote control.

The fault `worker deaf` uses it. In the product, nobody who reaches the broker may order a worker about.
"""

from casino.celery import app

app.conf.worker_enable_remote_control = True

__all__ = ["app"]
