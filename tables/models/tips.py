"""The count of the tips of a gaming day."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import readable

STAFF = settings.AUTH_USER_MODEL


class TipCount(models.Model):
    """The tips of a gaming day as two of the count team counted them (`Count`), once. Append-only.

    A tip has the business date of its session: `recorded_units` is what the tables entered under this date,
    `counted_units` what the chips in `denominations` come to. If the two differ by more than the house lets pass, or
    the counts did, `reason` says why; the log has its SHA-256 behind `salt`.
    """

    date = models.DateField(unique=True)
    denominations = models.JSONField()
    counted_units = models.BigIntegerField()
    recorded_units = models.BigIntegerField()
    counted_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    counted_with = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    counted_at = models.DateTimeField(db_default=Now())
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")

    class Meta:
        ordering = ["date"]
        constraints = [
            models.CheckConstraint(
                condition=Q(counted_units__gte=0, recorded_units__gt=0), name="tipcount_units_positive"
            ),
            models.CheckConstraint(condition=~Q(counted_by=F("counted_with")), name="tipcount_four_eyes"),
            models.CheckConstraint(condition=Q(reason="") | ~Q(salt=""), name="tipcount_reason_salted"),
            models.CheckConstraint(condition=readable("denominations"), name="tipcount_denominations_readable"),
        ]

    def __str__(self):
        return f"Tips of {self.date.isoformat()}"

    @property
    def ref(self):
        return f"tips:{self.date.isoformat()}"

    @property
    def variance_units(self):
        """What was counted less what was recorded, in units."""
        return self.counted_units - self.recorded_units
