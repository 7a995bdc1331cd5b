"""`manage.py adjudicate [FILE | -] [--explain]`: see contracts/adjudicate.md."""

import os
import sys

from django.core.management.base import BaseCommand

from casino import adjudicate


class Command(BaseCommand):
    help = "Adjudicate rounds: JSON Lines in, one JSON line out for each. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("file", nargs="?", default="-", help="JSON Lines; - or nothing: standard input")
        parser.add_argument("--explain", action="store_true", help="add the reasons to each result")

    def handle(self, *, file, explain, **options):
        try:
            with _opened(file) as stream:
                status = adjudicate.run(stream, self.stdout, explain=explain)
        except adjudicate.UnreadableError as error:
            self.stderr.write(f"{'Standard input' if file == '-' else file} can't be read: {error}.")
            sys.exit(2)
        except OSError as error:
            # Without this Python would flush, and complain, once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                sys.exit(1)  # the reader has left
            self.stderr.write(f"The answers can't be written: {error.strerror}.")
            sys.exit(3)
        if status:
            sys.exit(status)


def _opened(file):
    try:
        if file != "-":
            return open(file, "rb")
        return open(0, "rb", closefd=False)
    except (OSError, ValueError) as error:
        raise adjudicate.UnreadableError(getattr(error, "strerror", None) or str(error)) from error
