"""`manage.py restore FILE`: a backup into an empty database, and the books looked through."""

import signal
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from audit import anchor, seal
from audit.models import Entry
from casino import checks
from casino.running import backup, embedded, owner
from casino.running.progress import Steps
from payouts import books


class Command(BaseCommand):
    help = (
        "Fill an empty database with a backup, all of it or nothing, then verify every chain of the log and that the"
        " money agrees with it. As the owner: DATABASE_OWNER_URL beside DATABASE_URL, or a new DATA_DIR, which"
        " `make up` then goes on with. It takes nothing away: a database with anything in it is refused."
    )
    # The database that the checks ask for is not there yet.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("file", nargs="?", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument(
            "--identity", type=Path, help="for an encrypted one: the file with a recipient's private key"
        )
        parser.add_argument("--check", action="store_true", help="only look through the books of the database as it is")

    def handle(self, *, file, identity, check, **options):
        if check == bool(file):
            raise CommandError("Name the file of a backup, or --check.")
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit cleans up as Ctrl-C does
        steps = Steps(self.stdout._out)
        try:
            if check:
                with owner.readable(steps):
                    self._look_through(steps)
                return
            with backup.opened(file, identity) as (source, contents), owner.prepared(steps) as url:
                steps.begin("restore")
                backup.load(url, source, contents, steps.tick)
                steps.done("done")
                if contents.lacking:
                    steps.say(
                        f"The backup is of an earlier program: it lacks {len(contents.lacking)} migrations, first"
                        f" {contents.lacking[0]}. Run migrate as the owner, or `make up`, which does; then"
                        " manage.py restore --check looks through the books."
                    )
                    return
                self._look_through(steps)
        except embedded.Failed as failed:
            raise CommandError(failed) from None
        except OSError as error:
            raise CommandError(f"{error.filename or file} can't be used ({error.strerror}); name another.") from None

    def _look_through(self, steps):
        steps.begin("books")
        try:
            wrong = [error.msg for error in checks.database_is_safe(None, ["default"])] or books.wrong(steps.tick)
            newest = Entry.objects.order_by("at").values_list("at", flat=True).last()
            entries = Entry.objects.count()
        except DatabaseError as error:
            first = str(error).strip().partition("\n")[0]
            raise CommandError(f"The books can't be read as the app's role: {first}") from None
        if wrong:
            raise CommandError("\n".join([*wrong, "Don't play on this database before that is explained."]))
        steps.done(f"right: {entries} entries, the newest of {newest}")
        self._look_outside(steps)

    def _look_outside(self, steps):
        """Check what a database can't know about itself: whether it is as long as it once was."""
        steps.begin("anchor")
        if not anchor.path().exists():
            steps.done(f"none in {anchor.path()}: bring it there; nothing else says that this is the newest backup")
            return
        try:
            outside = seal.look_outside()
        except (seal.CannotSealError, anchor.AnchorError) as error:
            raise CommandError(str(error)) from None
        steps.done(f"agrees: {outside.size if outside else 0} entries are anchored in {anchor.path()}")
