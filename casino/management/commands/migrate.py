"""Django's `migrate` as the database's owner: the app's role owns nothing and may not."""

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate


class Command(migrate.Command):
    def handle(self, *args, **options):
        if options["database"] == "default":
            if "owner" not in settings.DATABASES:
                raise CommandError("Migrations run as the owner: set DATABASE_OWNER_URL beside DATABASE_URL.")
            options["database"] = "owner"
        return super().handle(*args, **options)
