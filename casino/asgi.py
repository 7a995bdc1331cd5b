"""The ASGI application."""

import os

from django.core.asgi import get_asgi_application

from casino import checks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("DATABASE_POOL", "8")

application = get_asgi_application()
checks.start()
