import os, socket, subprocess, sys, time
import pytest
from . import factories, stack
SCRIPT = """
import time, django
django.setup()
from tests import factories
opened = factories.open_round(factories.table("T1"))
factories.act_all(opened, factories.FOLDS)
for i in range(2):
    begun = time.monotonic()
    closed = factories.close(opened) if i == 0 else None
    if i: 
        from tables import doorbell
        try: doorbell.ring()
        except Exception as e: print(type(e), e)
    print(closed and closed.status, time.monotonic() - begun)
"""
def test_x(seeded_db):
  with socket.socket() as silent:
    silent.bind(("127.0.0.1", 0)); silent.listen()
    port = silent.getsockname()[1]
    for url in ("redis+socket:///nowhere/valkey.sock", f"redis://127.0.0.1:{port}/0", f"amqp://127.0.0.1:{port}//", "redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"):
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=os.environ | {"BROKER_URL": url, "DJANGO_SETTINGS_MODULE": "casino.settings"}, cwd=stack.BASE_DIR, text=True, capture_output=True)
        print(url, done.returncode, done.stdout, done.stderr[-1500:])
        from tables.models import Round
        print(Round.objects.values_list("status"))
