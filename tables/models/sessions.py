"""Tables open for play."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .floor import Table

STAFF = settings.AUTH_USER_MODEL


class Session(models.Model):
    """A table from opener to closer. Its business date is fixed at opening and everything in it carries it."""

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    business_date = models.DateField()
    opened_at = models.DateTimeField(db_default=Now())
    opened_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    opened_with = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    closed_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=Q(status="OPEN"), name="session_one_open"),
            models.CheckConstraint(
                condition=Q(status="OPEN", closed_at=None, closed_by=None, closed_with=None)
                | Q(status="CLOSED", closed_at__isnull=False, closed_by__isnull=False, closed_with__isnull=False),
                name="session_closed_whole",
            ),
            models.CheckConstraint(
                condition=~Q(opened_by=F("opened_with")) & (Q(closed_by=None) | ~Q(closed_by=F("closed_with"))),
                name="session_four_eyes",
            ),
        ]

    def __str__(self):
        return f"{self.table_id} {self.business_date}"

    @property
    def ref(self):
        return f"session:{self.pk}"
