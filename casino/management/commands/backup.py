"""`manage.py backup FILE`: the whole database in one file, while the house plays."""

import signal
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.running import backup, embedded, encryption, owner
from casino.running.progress import Steps

OUTSIDE = (
    f"Not in it, to be kept apart: SECRET_KEY (with `make up` in {settings.DATA_DIR / 'environment'}; without it"
    " everybody logs in anew and browsers are enrolled anew), the keys that sign the log, decks loaded by load_deck."
)


OPEN_TO = ", encrypted to BACKUP_RECIPIENTS"


class Command(BaseCommand):
    help = (
        "Write the whole database, as it is at this moment, into a new file, while the house plays on. Reads as the"
        " owner: DATABASE_OWNER_URL, or the database of `make up` in DATA_DIR, running or not. What is killed leaves no"
        " file of that name."
    )
    # A fault of an installation must not keep it from being backed up.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, help="a new file; it reads like the database, so guard it as such")
        parser.add_argument(
            "--make-identity",
            action="store_true",
            help="no backup: write a new private key into the file and say the public one, for BACKUP_RECIPIENTS",
        )

    def handle(self, *, file, make_identity, **options):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit cleans up as Ctrl-C does
        steps = Steps(self.stdout._out)
        try:
            if make_identity:
                steps.say(f"BACKUP_RECIPIENTS={encryption.make_identity(file)}")
                steps.say(f"What is encrypted to it is read with {file} alone: keep that away from here, twice.")
                return
            to = encryption.recipients(settings.BACKUP_RECIPIENTS)
            with owner.existing(steps) as url:
                steps.begin("backup")
                size = backup.dump(url, file, lambda written: steps.tick(f"{written / 10**6:.1f} MB"), recipients=to)
                steps.done(f"{size / 10**6:.1f} MB in {file}{OPEN_TO if to else ''}")
        except embedded.Failed as failed:
            raise CommandError(failed) from None
        except OSError as error:
            raise CommandError(f"{file} can't be written ({error.strerror}); name another.") from None
        steps.say(OUTSIDE)
