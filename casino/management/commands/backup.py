"""`manage.py backup FILE`: the whole database in one file, while the house plays."""

import signal
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.running import backup, embedded, owner
from casino.running.progress import Steps

OUTSIDE = (
    f"Not in it, to be kept apart: SECRET_KEY (with `make up` in {settings.DATA_DIR / 'environment'}; without it"
    " everybody logs in anew and browsers are enrolled anew), the keys that sign the log, decks loaded by load_deck."
)


class Command(BaseCommand):
    help = (
        "Write the whole database, as it is at this moment, into a new file, while the house plays on. Reads as the"
        " owner: DATABASE_OWNER_URL, or the database of `make up` in DATA_DIR, running or not. What is killed leaves no"
        " file of that name."
    )
    # What is wrong with an installation must not keep it from being saved.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, help="a new file; it reads like the database, so guard it as such")

    def handle(self, *, file, **options):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit cleans up as Ctrl-C does
        steps = Steps(self.stdout._out)
        try:
            with owner.existing(steps) as url:
                steps.begin("backup")
                size = backup.dump(url, file, lambda written: steps.tick(f"{written / 10**6:.1f} MB"))
                steps.done(f"{size / 10**6:.1f} MB in {file}")
        except embedded.Failed as failed:
            raise CommandError(failed) from None
        except OSError as error:
            raise CommandError(f"{file} can't be written ({error.strerror}); name another.") from None
        steps.say(OUTSIDE)
