"""`manage.py replay`: a recorded night over many tables, compared with `adjudicate`."""

import sys

from django.core.management.base import BaseCommand, CommandError

from casino import checks
from casino.errors import Refused
from tables.lab.replay import pit, recording, run


class Command(BaseCommand):
    help = (
        "Play recorded rounds of Split Poker in the demo casino, at tables of their own, while the running product"
        " settles them; then compare every payment with `adjudicate`. Interrupted, the same command goes on."
    )
    # `checks.start` asks what concerns it; all of Django's checks would load every page first.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument(
            "file", nargs="?", default=recording.SHIPPED, help="JSON Lines; default: 2,000 rounds that come with it"
        )
        parser.add_argument("--tables", type=int, default=20, help="default: 20")

    def handle(self, *, file, tables, **options):
        if not 1 <= tables <= pit.MOST_TABLES:
            raise CommandError(f"--tables {tables}: it must be 1 to {pit.MOST_TABLES}.")
        checks.start()
        try:
            differences = run.run(file, tables=tables, out=self.stdout._out)
        except Refused as refused:
            raise CommandError(f"{refused.message} {refused.way_out}".strip()) from None
        except KeyboardInterrupt:
            self.stderr.write("Stopped; the same command goes on where it was.")
            sys.exit(130)
        if differences:
            sys.exit(1)
