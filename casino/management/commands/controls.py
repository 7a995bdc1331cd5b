"""`manage.py controls`: which requirements of which standards are held, and what is missing, as Markdown."""

from django.core.management.base import BaseCommand

from casino import controls


class Command(BaseCommand):
    help = "Show which requirements of which standards are held, by which test, as docs/controls.md has it."
    requires_system_checks = ()

    def handle(self, **options):
        self.stdout.write(controls.document(), ending="")
