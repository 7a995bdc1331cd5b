"""Django's `migrate` as the database's owner: the app's role owns nothing and may not."""

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from casino import earlier
from casino.database import app_role


class Command(migrate.Command):
    def handle(self, *args, **options):
        if options["database"] == "default":
            if "owner" not in settings.DATABASES:
                raise CommandError("Migrations run as the owner: set DATABASE_OWNER_URL beside DATABASE_URL.")
            options["database"] = "owner"
        self._look_for_roles(options["database"])
        self._take_over(options["database"], only_look=options["plan"] or options["check_unapplied"])
        return super().handle(*args, **options)

    @staticmethod
    def _look_for_roles(database):
        """:raises CommandError: if a role that migrations grant to is not there; they make none."""
        needed = (app_role(), settings.SEALER_ROLE, settings.AUDITOR_ROLE)
        with connections[database].cursor() as cursor:
            cursor.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY (%s)", [list(needed)])
            there = {name for (name,) in cursor.fetchall()}
        if missing := [role for role in needed if role not in there]:
            raise CommandError(
                f"The database's server has no role {missing[0]}, and migrations grant to it. Make it first, as a"
                f" superuser: CREATE ROLE {missing[0]} LOGIN PASSWORD '...';"
            )

    def _take_over(self, database, *, only_look):
        """A database of before the first release says that it has the tables of today, whose guards come next."""
        recorder = MigrationRecorder(connections[database])
        try:
            if not earlier.is_of(recorder.applied_migrations()):
                return
        except earlier.UnfinishedError as error:
            raise CommandError(str(error)) from None
        if only_look:
            raise CommandError(earlier.NOT_YET)
        with transaction.atomic(using=database):
            for migration in earlier.MIGRATIONS:
                recorder.record_unapplied(*migration)
            for migration in earlier.HAS_TABLES:
                recorder.record_applied(*migration)
        self.stdout.write(earlier.TAKEN_OVER)
