"""`manage.py guards`: what the database refuses, table by table, as Markdown."""

from django.core.management.base import BaseCommand, CommandError

from casino import guards
from casino.running import embedded, owner
from casino.running.progress import Steps


class Command(BaseCommand):
    help = "Show what the database refuses and by which guard, as docs/guards.md has it."
    requires_system_checks = ()

    def handle(self, **options):
        try:
            with owner.readable(Steps(self.stderr._out)):
                self.stdout.write(guards.document(), ending="")
        except embedded.Failed as failed:
            raise CommandError(failed) from None
