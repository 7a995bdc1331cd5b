"""Gaming days, each closed once by two people."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

STAFF = settings.AUTH_USER_MODEL


class GamingDayQuerySet(models.QuerySet):
    def running(self):
        """The days that are not closed."""
        return self.filter(status=GamingDay.Status.OPEN)


class GamingDay(models.Model):
    """A gaming day from its first session, shift of the cage or movement until two people sign it: then it is final.

    Several may be open at once, since a drop is counted the morning after; they are closed in their order. `figures` is
    what the day came to as the canonical JSON that its entry in the log has, `digest` its SHA-256.
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed"

    date = models.DateField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    closed_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    closed_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    closed_at = models.DateTimeField(null=True)
    figures = models.TextField(default="")
    digest = models.CharField(max_length=64, default="")

    objects = GamingDayQuerySet.as_manager()

    class Meta:
        ordering = ["date"]
        constraints = [
            models.UniqueConstraint(fields=["date"], name="gamingday_once"),
            models.CheckConstraint(
                condition=Q(status="OPEN", closed_by=None, closed_with=None, closed_at=None, figures="", digest="")
                | Q(status="CLOSED", closed_by__isnull=False, closed_with__isnull=False, closed_at__isnull=False)
                & ~Q(figures="")
                & ~Q(digest=""),
                name="gamingday_closed_whole",
            ),
            models.CheckConstraint(
                condition=Q(closed_by=None) | ~Q(closed_by=F("closed_with")), name="gamingday_four_eyes"
            ),
        ]

    def __str__(self):
        return f"{self.date.day} {self.date:%B %Y}"

    @property
    def ref(self):
        return f"day:{self.pk}"


class HouseFigures(models.Model):
    """Where the house's chips were in the books at the end of a gaming day, and what was moved on it, in units: written
    once, by the database, when the day is closed.

    `issued` is how many chips are in use, None if the house has not said so; they are in the `cage`, in the `floats`
    and `rake` slots of tables, on their way (`transit`) or with patrons. During the day, chips were `brought` into use
    and `withdrawn` from it, and the cage `sold` and `cashed` some.
    """

    day = models.OneToOneField(GamingDay, primary_key=True, on_delete=models.PROTECT, related_name="house")
    issued = models.BigIntegerField(null=True)
    cage = models.BigIntegerField()
    floats = models.BigIntegerField()
    transit = models.BigIntegerField()
    rake = models.BigIntegerField()
    brought = models.BigIntegerField()
    withdrawn = models.BigIntegerField()
    sold = models.BigIntegerField()
    cashed = models.BigIntegerField()

    def __str__(self):
        return f"{self.day_id}: {self.cage}"
