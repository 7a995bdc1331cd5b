"""Django's `createsuperuser`, refused: it would bypass the rights and the log."""

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Refused: there is no superuser: rights are postings, which an administrator gives and the log records."

    def add_arguments(self, parser):
        parser.add_argument("anything", nargs="*")

    def handle(self, *args, **options):
        raise CommandError(
            "There is no superuser: rights are postings, which an administrator gives and the log records."
        )
