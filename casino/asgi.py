"""The ASGI application."""

import os
import resource

from django.core.asgi import get_asgi_application

from . import edge

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("DATABASE_POOL", "8")
# Many systems begin with 1024, and each connection takes one.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

application = edge.bounded(get_asgi_application())
