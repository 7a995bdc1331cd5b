"""The log's keys: make the first, change it, print what auditors take home."""

import time

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from audit import anchor, checkpoints, keys, log, notes, seal, sealer
from audit.models import Entry


class Command(BaseCommand):
    help = "The keys that the log is signed with; they lie in the folder LOG_KEYS, outside the database."
    # The checks would load every page, and have nothing to do with keys.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument(
            "what",
            choices=["make", "change", "public"],
            help="make: the first key, unless there is one; change: a new key, which one checkpoint hands over to;"
            " public: every key that ever signed, for auditors",
        )

    def handle(self, *args, what, **options):
        try:
            getattr(self, f"_{what}")()
        except (keys.NoKeyError, seal.CannotSealError, anchor.AnchorError, sealer.NoSealerError) as error:
            raise CommandError(str(error)) from error

    def _make(self):
        key, new = keys.make()
        self.stdout.write(f"{key}\n{'Made' if new else 'Was there already'}: {keys.folder() / keys.SIGNING}")

    def _public(self):
        public = keys.public()
        if not public:
            raise CommandError(f"There is no key in {keys.folder()} yet; `manage.py keys make` makes it.")
        self.stdout.write("\n".join(map(str, public)))

    @sealer.connected()
    def _change(self):
        """Change the key: the log records it, the next checkpoint bears both signatures, then the old key is gone."""
        seal.look_outside()
        old, new = keys.begin_change()
        entry = Entry.objects.filter(subject="setting:log_key", body__contains=f'"after":"{new}"')
        if not entry.exists():
            with transaction.atomic():
                log.record(
                    "setting.changed",
                    "setting:log_key",
                    chain=log.HOUSE,
                    actor=log.SYSTEM,
                    facts={"what": "log_key", "before": str(old), "after": str(new)},
                )
        while not self._handed_over(old, new):
            if not seal.seal():
                time.sleep(0.1)
        self.stdout.write(f"{new}\nsigns from now on; auditors need {keys.folder() / keys.PUBLIC} anew.")

    @staticmethod
    @transaction.atomic
    def _handed_over(old, new):
        """Put the new key in the old one's place once both have signed; nobody seals meanwhile."""
        mine = seal.alone()
        newest = checkpoints.sealed()
        note = newest and notes.read(newest.note)
        if not (mine and note and note.signed_by(old) and note.signed_by(new)):
            return False
        keys.end_change()
        return True
