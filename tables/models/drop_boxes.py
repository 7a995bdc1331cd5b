"""Drop boxes, into which a table's cash goes, and the buy-ins that put it there."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.phrases import phrase
from payouts.models import MOST_UNITS, Movement

from .floor import Table
from .sessions import Session

STAFF = settings.AUTH_USER_MODEL
# What is printed on a box and on a seal.
PRINTED = r"^[A-Z0-9][A-Z0-9-]{0,19}$"
_NAME = phrase("drop_box", "Drop box {number}")


class DropBoxQuerySet(models.QuerySet):
    def waiting(self):
        """Boxes that are mounted, or taken off and not counted yet."""
        return self.exclude(status=DropBox.Status.COUNTED)


class DropBox(models.Model):
    """A drop box from the moment at which two people mount it at a table, in one session, until two count its cash.

    `number` and `seal` are as printed on them, `removed_seal` is the seal that two people found when they took the box
    off: if it is another one, somebody was at the box. Its cash belongs to the business date of its session:
    `cash_units` is what was counted, `recorded_units` what the buy-ins come to. If the two differ by more than the
    house lets pass, or the counts did, `reason` says why; the log has its SHA-256 behind `salt`.
    """

    class Status(models.TextChoices):
        MOUNTED = "MOUNTED", phrase("drop_box.mounted", "mounted")
        REMOVED = "REMOVED", phrase("drop_box.removed", "taken off, not counted")
        COUNTED = "COUNTED", phrase("drop_box.counted", "counted")

    number = models.CharField(max_length=20)
    seal = models.CharField(max_length=20)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="drop_boxes", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="drop_boxes")
    business_date = models.DateField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.MOUNTED)
    mounted_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    mounted_with = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    mounted_at = models.DateTimeField(db_default=Now())
    removed_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    removed_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    removed_at = models.DateTimeField(null=True)
    removed_seal = models.CharField(max_length=20, null=True)
    counted_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    counted_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    counted_at = models.DateTimeField(null=True)
    cash_units = models.BigIntegerField(null=True)
    recorded_units = models.BigIntegerField(null=True)
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")

    objects = DropBoxQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "drop boxes"
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=Q(status="MOUNTED"), name="dropbox_one_mounted"),
            models.UniqueConstraint(
                fields=["number"], condition=Q(status__in=["MOUNTED", "REMOVED"]), name="dropbox_number_once"
            ),
            models.CheckConstraint(
                condition=Q(number__regex=PRINTED, seal__regex=PRINTED)
                & (Q(removed_seal=None) | Q(removed_seal__regex=PRINTED)),
                name="dropbox_printed",
            ),
            models.CheckConstraint(
                condition=Q(status="MOUNTED", removed_by=None, removed_with=None, removed_at=None, removed_seal=None)
                | Q(status__in=["REMOVED", "COUNTED"], removed_by__isnull=False, removed_with__isnull=False)
                & Q(removed_at__isnull=False, removed_seal__isnull=False),
                name="dropbox_removed_whole",
            ),
            models.CheckConstraint(
                condition=Q(status="COUNTED", counted_by__isnull=False, counted_with__isnull=False)
                & Q(counted_at__isnull=False, cash_units__gte=0, recorded_units__gte=0)
                | Q(status__in=["MOUNTED", "REMOVED"], counted_by=None, counted_with=None, counted_at=None)
                & Q(cash_units=None, recorded_units=None, reason="", salt=""),
                name="dropbox_counted_whole",
            ),
            models.CheckConstraint(
                condition=~Q(mounted_by=F("mounted_with"))
                & (Q(removed_by=None) | ~Q(removed_by=F("removed_with")))
                & (Q(counted_by=None) | ~Q(counted_by=F("counted_with"))),
                name="dropbox_four_eyes",
            ),
            models.CheckConstraint(condition=Q(reason="") | ~Q(salt=""), name="dropbox_reason_salted"),
        ]

    def __str__(self):
        return _NAME.format(number=self.number)

    @property
    def ref(self):
        return f"drop_box:{self.pk}"

    @property
    def variance_units(self):
        """What was counted less what the buy-ins come to, in units; None until it is counted."""
        return None if self.cash_units is None else self.cash_units - self.recorded_units


class BuyIn(models.Model):
    """Cash of a patron that went into a drop box for chips of the float: an amount and the box, never who. Append-only.

    Its movement says when. `approved_by` is the supervisor who signed for one above what the house lets pass.
    """

    movement = models.OneToOneField(Movement, primary_key=True, on_delete=models.PROTECT, related_name="buy_in")
    drop_box = models.ForeignKey(DropBox, on_delete=models.PROTECT, related_name="buy_ins")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="buy_ins")
    box = models.SmallIntegerField()
    units = models.BigIntegerField()
    by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ["movement"]
        constraints = [
            models.CheckConstraint(
                condition=Q(box__gte=1, units__range=(1, MOST_UNITS)), name="buyin_numbers_positive"
            ),
            models.CheckConstraint(condition=Q(approved_by=None) | ~Q(approved_by=F("by")), name="buyin_four_eyes"),
        ]

    def __str__(self):
        return f"movement:{self.movement_id}"
