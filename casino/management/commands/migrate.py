"""Django's `migrate` as the database's owner: the app's role owns nothing and may not."""

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from casino import earlier
from casino.database import app_role


class Command(migrate.Command):
    def get_check_kwargs(self, options):
        """Checks of the owner's database: those of the app's ask that no migration is lacking."""
        return super().get_check_kwargs(options) | {"databases": [self._named(options)]}

    def handle(self, *args, **options):
        options["database"] = self._named(options)
        self._look_for_roles(options["database"])
        self._take_over(options["database"], only_look=options["plan"] or options["check_unapplied"])
        return super().handle(*args, **options)

    @staticmethod
    def _named(options):
        """The database that is meant: the owner's in the place of the app's.

        :raises CommandError: if its address is not set.
        """
        if options["database"] != "default":
            return options["database"]
        if "owner" not in settings.DATABASES:
            raise CommandError("Migrations run as the owner: set DATABASE_OWNER_URL beside DATABASE_URL.")
        return "owner"

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
        """Mark a database from before the first release as having today's tables; their guards come next."""
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
