"""`manage.py faults`: whether settlement can be broken."""

import signal

from django.core.management.base import BaseCommand, CommandError

from casino.running import embedded
from casino.running.trial import Trial, new_folder
from tables.lab.faults import run


class Command(BaseCommand):
    help = (
        "Play rounds on a stack of its own in a temporary folder while everything that settlement needs is killed,"
        " stopped and lied to; then say whether it was broken. The same seed strikes the same way."
    )
    # It runs on its own database.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--rounds", type=int, default=200, help="default: 200")
        parser.add_argument("--seed", type=int, default=1, help="default: 1")

        parser.add_argument(
            "--drain", type=int, default=0, metavar="SECONDS", help="then offer twice what settlement manages so long"
        )

    def handle(self, *, rounds, seed, drain, **options):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit cleans up as Ctrl-C does
        with new_folder() as folder:
            try:
                with Trial(folder) as trial:
                    wrong = run.run(trial, rounds=rounds, seed=seed, offered=drain, out=self.stdout._out)
            except embedded.Failed as failed:
                raise CommandError(failed) from None
        if wrong:
            raise SystemExit(1)
