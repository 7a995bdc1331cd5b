"""Shifts of the cage, in which chips are issued, sold and cashed."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import readable

STAFF = settings.AUTH_USER_MODEL


class CageShift(models.Model):
    """The cage from its opening to its count. Its business date is fixed when it is opened and its movements carry it.

    What was issued, sold and cashed is kept as totals of the shift, never by patron. Two people count the cage
    (`Count`): `counts_from` is the attempt with which they last began, 0 before the first, and `expected_units` is what
    the books had in the cage then; if chips of the cage move meanwhile, they begin anew. Two sign for the count that
    stands, `denominations`; `variance_units` is its worth less `expected_units`, and `reason` says why if counts or
    books ask for it: the log has its SHA-256 behind `salt`.
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed"

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    business_date = models.DateField()
    opened_at = models.DateTimeField(db_default=Now())
    opened_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    counts_from = models.SmallIntegerField(default=0)
    expected_units = models.BigIntegerField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    closed_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    denominations = models.JSONField(null=True)
    variance_units = models.BigIntegerField(null=True)
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["status"], condition=Q(status="OPEN"), name="cageshift_one_open"),
            models.CheckConstraint(
                condition=Q(counts_from=0, expected_units=None) | Q(counts_from__gte=1, expected_units__isnull=False),
                name="cageshift_count_whole",
            ),
            models.CheckConstraint(
                condition=Q(status="OPEN", closed_at=None, closed_by=None, closed_with=None)
                & Q(denominations__isnull=True, variance_units=None, reason="", salt="")
                | Q(status="CLOSED", closed_at__isnull=False, closed_by__isnull=False, closed_with__isnull=False)
                & Q(denominations__isnull=False, variance_units__isnull=False, counts_from__gte=1),
                name="cageshift_closed_whole",
            ),
            models.CheckConstraint(
                condition=Q(closed_by=None) | ~Q(closed_by=F("closed_with")), name="cageshift_four_eyes"
            ),
            models.CheckConstraint(condition=Q(reason="") | ~Q(salt=""), name="cageshift_reason_salted"),
            models.CheckConstraint(condition=readable("denominations"), name="cageshift_denominations_readable"),
        ]

    def __str__(self):
        return f"{self.business_date} {self.pk}"

    @property
    def ref(self):
        return f"cage_shift:{self.pk}"
