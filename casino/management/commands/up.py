"""`manage.py up`: the embedded stack in the foreground, until Ctrl-C."""

import contextlib
import json
import os
import time

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino import embedded, stack

SPINNER = "|/-\\"


class Screen:
    """What the person at the terminal sees: a line per step, a turning sign in one that takes over a second."""

    def __init__(self, out):
        self.out = out
        self.live = out.isatty()
        self.step = ""
        self.begun_at = self.shown_at = 0

    def _write(self, text):
        # A terminal or pipe that is gone must not keep us from stopping what runs.
        with contextlib.suppress(OSError):
            self.out.write(f"\r\x1b[K{text}" if self.live else text)
            self.out.flush()

    def say(self, line=""):
        self._write(f"{line}\n")

    def begin(self, step):
        self.step = step
        self.begun_at = self.shown_at = time.monotonic()

    def tick(self):
        """Called over and over by whoever waits; without a terminal it is a line each five seconds."""
        now = time.monotonic()
        waited = now - self.begun_at
        if waited > 1 and now - self.shown_at > (0.2 if self.live else 5):
            self.shown_at = now
            sign = SPINNER[int(waited * 5) % 4] if self.live else "..."
            self._write(f"  {self.step:<12} {sign} {waited:.0f} s" + ("" if self.live else "\n"))

    def done(self, remark="ready"):
        self.say(f"  {self.step:<12} {remark} ({time.monotonic() - self.begun_at:.1f} s)")


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
        screen = Screen(self.stdout._out)
        host = os.environ.get("HOST") or "127.0.0.1"

        running = stack.Stack(
            settings.DATA_DIR, host=host, port=port, disk_free_mb=settings.DISK_FREE_MB, screen=screen
        )

        def greet():
            name = f"[{host}]" if ":" in host else host
            screen.say(f"\nOpen http://{name}:{running.port}/   Ctrl-C stops everything.\n")
            rows = _logins(settings.DATA_DIR / "demo-logins.json")
            for line in _aligned(rows) if rows else ():
                screen.say(f"  {line}")

        screen.say(f"Casino tables; data and logs in {settings.DATA_DIR}")
        try:
            running.run(greet)
        except embedded.Failed as failed:
            raise CommandError(failed) from None
