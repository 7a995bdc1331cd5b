"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from casino import checks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("DATABASE_POOL", "8")

application = get_wsgi_application()
checks.start()

from tables.verbs import lateness  # noqa: E402 - models load only now

lateness.watch()
