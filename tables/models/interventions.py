"""Interventions in a round."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .floor import Terminal
from .rounds import Line, Round

STAFF = settings.AUTH_USER_MODEL


class Intervention(models.Model):
    """Somebody intervenes in a round; where `by` is empty, the system. Append-only.

    `reason` is free text and stays here; the log has only its SHA-256, behind `salt`. A void and a correction take two
    people; `line` is the complete line that a correction made.
    """

    class Kind(models.TextChoices):
        REPORTED = "reported", "reported"
        HELD = "held", "held"
        RELEASED = "released", "released"
        VOIDED = "voided", "voided"
        CORRECTED = "corrected", "corrected"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="interventions")
    ordinal = models.IntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    clause = models.CharField(max_length=20, null=True)
    box = models.SmallIntegerField(null=True)
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")
    line = models.OneToOneField(Line, null=True, on_delete=models.PROTECT, related_name="intervention")
    by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    terminal = models.ForeignKey(Terminal, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["round", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["round", "ordinal"], name="intervention_ordinal_once"),
            models.CheckConstraint(condition=Q(ordinal__gte=1), name="intervention_ordinal_from_one"),
            models.CheckConstraint(
                condition=Q(kind__in=["reported", "held", "released", "voided", "corrected"]),
                name="intervention_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | Q(by__isnull=False) & ~Q(approved_by=F("by")),
                name="intervention_four_eyes",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["voided", "corrected"])
                | Q(clause__isnull=False, by__isnull=False, approved_by__isnull=False),
                name="intervention_by_two",
            ),
            models.CheckConstraint(
                condition=Q(kind="corrected", line__isnull=False) | ~Q(kind="corrected") & Q(line=None),
                name="intervention_line_of_correction",
            ),
            models.CheckConstraint(condition=Q(kind="held") | Q(by__isnull=False), name="intervention_system_holds"),
            models.CheckConstraint(condition=Q(reason="") | ~Q(salt=""), name="intervention_reason_salted"),
        ]

    def __str__(self):
        return f"{self.kind} {self.clause or ''}".strip()
