"""How many logins of names that nobody has failed, by the minute."""

from django.db import models
from django.db.models.functions import Now, TruncMinute


class FailedLoginsQuerySet(models.QuerySet):
    def over(self):
        """The minutes that are over and have no entry in the log yet."""
        return self.filter(is_logged=False, minute__lt=TruncMinute(Now()))

    def long_over(self, kept):
        """Those that have their entry and were over so long ago."""
        return self.filter(is_logged=True, minute__lt=Now() - kept)


class FailedLogins(models.Model):
    """One minute: a number and no name. `is_logged` once the log has its entry; then nobody counts in it any more."""

    minute = models.DateTimeField(primary_key=True)
    number = models.BigIntegerField()
    is_logged = models.BooleanField(db_default=False)

    objects = FailedLoginsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "failed logins"

    def __str__(self):
        return f"{self.minute}: {self.number}"
