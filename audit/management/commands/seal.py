"""Seal the log without a broker: the worker's own verb; and let it go on over a bad entry or bad leaves."""

from getpass import getpass

from django.core.management.base import BaseCommand, CommandError

from audit import ahead, bad_entries, checkpoints, keys, sealer
from audit import seal as sealing
from audit.anchor import AnchorError
from audit.models import Sealing
from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right


class Command(BaseCommand):
    help = "Put all that is new in the log into its tree, sign it, and print the newest checkpoint."

    def add_arguments(self, parser):
        parser.add_argument("--anchor", action="store_true", help="append it to the file ANCHOR_FILE, too")
        parser.add_argument(
            "--begin-anchor", action="store_true", help="the same, and make the file where it is not there"
        )
        parser.add_argument(
            "--pass-over",
            metavar="PLACE",
            help="first let sealing go on over the bad entry of this place (table:7/12), which an auditor decides: it"
            " stays, the log records it, and each verification names it; `leaves`: make all leaves anew that are not"
            " signed yet, which the log records, too",
        )
        parser.add_argument("--by", metavar="LOGIN", help="the auditor, whose password is asked for")
        parser.add_argument(
            "--known",
            action="store_true",
            help="end the alarm of rows that the sealer did not write: somebody knows of them; rows and entries stay",
        )

    def handle(self, *args, anchor, begin_anchor, known, pass_over, by, **options):
        try:
            if pass_over:
                self._pass_over(pass_over, by)
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

    def _pass_over(self, place, login):
        auditor = Staff.objects.filter(login=login or "", is_active=True).first()
        if auditor is None or not auditor.has_perm(Right.READ_LOG):
            raise CommandError("An auditor decides that: give the login with --by.")
        if not auditor.check_password(getpass(f"Password of {auditor.login}: ")):
            raise CommandError("The password is wrong.")
        try:
            if place == ahead.PLACE:
                words = sealing.pass_over_leaves(by=auditor)
            else:
                words = f"entry {place} {bad_entries.pass_over(place=place, by=auditor)}"
        except Refused as error:
            raise CommandError(f"{error.message} {error.way_out}") from error
        self.stdout.write(f"Passed over: {words}.")
