"""Seal the log without a broker: the worker's own verb."""

from django.core.management.base import BaseCommand, CommandError

from audit import checkpoints, keys, sealer
from audit import seal as sealing
from audit.anchor import AnchorError
from audit.models import Sealing


class Command(BaseCommand):
    help = "Put all that is new in the log into its tree, sign it, and print the newest checkpoint."

    def add_arguments(self, parser):
        parser.add_argument("--anchor", action="store_true", help="append it to the file ANCHOR_FILE, too")
        parser.add_argument(
            "--begin-anchor", action="store_true", help="the same, and make the file where it is not there"
        )

        parser.add_argument(
            "--known",
            action="store_true",
            help="end the alarm of rows that the sealer did not write: somebody knows of them; rows and entries stay",
        )

    def handle(self, *args, anchor, begin_anchor, known, **options):
        try:
            if known:
                with sealer.connected():
                    Sealing.objects.update(forged="")
            while sealing.seal(begin=begin_anchor):
                pass
            if anchor or begin_anchor:
                sealing.anchor_when_due(now=True, begin=begin_anchor)
        except (keys.NoKeyError, sealing.CannotSealError, AnchorError, sealer.NoSealerError) as error:
            raise CommandError(str(error)) from error
        newest = checkpoints.sealed()
        self.stdout.write(newest.note if newest else "The log is empty.")
