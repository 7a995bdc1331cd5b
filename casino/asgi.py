"""The ASGI application."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("DATABASE_POOL", "8")

_django = get_asgi_application()

from tables import lateness  # noqa: E402 - models load only now
from tables.live import hub  # noqa: E402

lateness.watch()


async def application(scope, receive, send):
    """Django, and beside it what notices that the database is silent, from the first request on."""
    hub.start()
    await _django(scope, receive, send)
