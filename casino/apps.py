"""App configurations: Celery and the system checks load here, so that `casino/__init__.py` stays empty."""

import gc
import logging

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class CasinoConfig(AppConfig):
    name = "casino"
    verbose_name = "House"

    def ready(self):
        from . import celery, checks  # noqa: F401

        # Python's own warnings are lines of the log like all others.
        logging.captureWarnings(True)
        # The collector leaves out what exists now, so that forked workers go on sharing its memory.
        gc.freeze()
        gc.enable()


class AdminConfig(SimpleAdminConfig):
    """Django's admin on our site: our table of rights says who may enter it.

    `casino/urls.py` loads its pages: worker, beat and most commands show none and start sooner without them.
    """

    default_site = "casino.site.Site"
