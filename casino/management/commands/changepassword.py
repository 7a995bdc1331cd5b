"""Django's `changepassword`, refused: it would bypass the rights and the log."""

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Refused: a password is not changed without an entry in the log."

    def add_arguments(self, parser):
        parser.add_argument("anything", nargs="*")

    def handle(self, *args, **options):
        raise CommandError("A password is not changed without an entry in the log.")
