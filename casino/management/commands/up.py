"""`manage.py up`: the embedded stack in the foreground, until Ctrl-C."""

import json
import os

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.running import embedded, stack
from casino.running.progress import Steps


def _aligned(rows):
    """Lines of text columns, each as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _logins(path):
    """The demo's people, as `seed_demo` left them: rows of where, role, login and password under their titles."""
    try:
        people = json.loads(path.read_text())
    except FileNotFoundError:
        return []
    titles = ("where", "role", "login", "password")
    return [titles, *(tuple(str(person[title]) for title in titles) for person in people)]


class Command(BaseCommand):
    help = "Start database, broker, web, worker and beat on one data folder, and stop them on Ctrl-C."
    # The database that the checks ask for does not run yet.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument(
            "--port", type=int, default=os.environ.get("PORT") or "8000", help="default: PORT, else 8000"
        )

    def handle(self, *, port, **options):
        steps = Steps(self.stdout._out)
        host = os.environ.get("HOST") or "127.0.0.1"

        running = stack.Stack(
            settings.DATA_DIR,
            host=host,
            port=port,
            web_processes=settings.WEB_PROCESSES,
            disk_free_mb=settings.DISK_FREE_MB,
            steps=steps,
            house=settings.HOUSE,
            warm_edge=settings.WARM_EDGE,
        )

        def greet():
            # A passkey is bound to a name; browsers take none of an address.
            name = "localhost" if host == "127.0.0.1" else f"[{host}]" if ":" in host else host
            steps.say(f"\nOpen http://{name}:{running.port}/   Ctrl-C stops everything.\n")
            if clear := stack.travels_in_the_clear(host, https=settings.HTTPS):
                steps.say(f"{clear}\n")
            rows = _logins(settings.DATA_DIR / "demo-logins.json")
            for line in _aligned(rows) if rows else ():
                steps.say(f"  {line}")

        try:
            running.run(greet)
        except embedded.Failed as failed:
            raise CommandError(failed) from None
