"""The app's name on screens."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    verbose_name = "At the tables"
