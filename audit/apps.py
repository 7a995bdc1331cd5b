"""The app's name on screens, and its system checks."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "audit"
    verbose_name = "Log"

    def ready(self):
        from . import checks  # noqa: F401
