"""Export the log at the machine itself, with a progress bar."""

import datetime as dt
import os
import time
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from audit import anchor, exports, keys, sealer, verify_export
from audit.models import Export
from casino.errors import Refused
from casino.running.progress import Progress


class Command(BaseCommand):
    help = (
        "Write an export of the log for audit/verify_export.py: everything, one table, or a period. Interrupted, the"
        " log's worker goes on with it."
    )

    def add_arguments(self, parser):
        parser.add_argument("--table", type=int, metavar="ID", help="only the chain of this table")
        parser.add_argument("--from", dest="from_at", type=_instant, metavar="INSTANT", help="2026-11-20T05:00:00Z")
        parser.add_argument("--to", dest="to_at", type=_instant, metavar="INSTANT", help="the instant that ends it")

    def handle(self, *args, table, from_at, to_at, **options):
        kind = Export.Kind.TABLE if table else Export.Kind.PERIOD if from_at or to_at else Export.Kind.ALL
        if table and (from_at or to_at):
            raise CommandError("A table or a period, not both.")
        try:
            with transaction.atomic():
                export = exports.ask(
                    kind=kind, table_key=f"table:{table}" if table else "", from_at=from_at, to_at=to_at, by=None
                )
        except Refused as error:
            raise CommandError(f"{error.message} {error.way_out}") from error
        progress = Progress(self.stdout)
        try:
            while export.status == Export.Status.ASKED:
                if not exports.go_on(export):
                    time.sleep(0.2)
                export.refresh_from_db()
                progress.show(export.leaves_written, export.leaves, f"{export.entries} entries")
        except sealer.NoSealerError as error:
            raise CommandError(f"{export} is asked for, and the log's worker writes it. {error}") from None
        except KeyboardInterrupt:
            progress.end()
            raise CommandError(f"Interrupted; the log's worker goes on with {export.ref}.") from None
        progress.end()
        if export.status == Export.Status.FAILED:
            raise CommandError(f"{export} failed. {export.failure}")
        self.stdout.write(
            f"{exports.folder(export)}: {export.entries} of {export.leaves} entries, up to checkpoint"
            f" {export.checkpoint_id}.\nPublic keys: {keys.folder() / keys.PUBLIC}, anchor: {anchor.path()}\n"
            f"Verify it: {_command(export)}"
        )


def _command(export):
    """The path from the folder in which the command was given."""
    public = keys.folder() / keys.PUBLIC
    paths = (Path(verify_export.__file__), exports.folder(export), public, anchor.path())
    verifier, at, key, anchored = (os.path.relpath(path) if path.is_relative_to(Path.cwd()) else path for path in paths)
    return exports.verify_command(export, verifier=verifier, at=at, key=key, anchored=anchored)


def _instant(text):
    at = dt.datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=dt.UTC)
