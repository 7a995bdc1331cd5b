"""`manage.py month`: a house with a month behind it, and its reports, each worked out again from an export."""

import signal

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.running.embedded import Failed
from tables.lab.month import run


class Command(BaseCommand):
    help = (
        "Make a house with gaming days behind it in DATA_DIR, which must be a new folder; make each report of them; and"
        " hold each file against an export of the log, by audit/verify_export.py. `make up` starts the house then."
    )
    # It runs on its own database.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--nights", type=int, default=30, help="default: 30")
        parser.add_argument("--seed", type=int, default=1, help="the same lets the same happen; default: 1")

    def handle(self, *, nights, seed, **options):
        if not 1 <= nights <= run.MOST_NIGHTS:
            raise CommandError(f"--nights {nights}: it must be 1 to {run.MOST_NIGHTS}.")
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit cleans up as Ctrl-C does
        try:
            results = run.run(settings.DATA_DIR, nights=nights, seed=seed, out=self.stdout._out)
        except Failed as failed:
            raise CommandError(failed) from None
        for line in run.lines(results):
            self.stdout.write(line)
        if any(result.differences or result.not_checked for result in results):
            raise SystemExit(1)
