"""Contested rounds."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.phrases import phrase

from .floor import Terminal
from .rounds import Line, Round

STAFF = settings.AUTH_USER_MODEL
_NAME = phrase("dispute", "Dispute {number}")


class Dispute(models.Model):
    """Somebody contests a round: what about, at which boxes (none: the whole table), and how it was ruled.

    What was raised stays, and so does the ruling once it is made; `line` is the complete line that an upheld one made.
    A ruling takes a second person if it makes such a line, refuses the dispute, or comes from whoever raised it; that
    person neither raised it nor dealt the round. RULED: something is still to be handed over at the table. The two free
    texts stay here; the log has only their SHA-256, behind their salts. Its number, its owner and its time are those of
    its `Case`.
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        RULED = "RULED", "ruled, not yet handed over"
        CLOSED = "CLOSED", "closed"

    class Ruling(models.TextChoices):
        UPHELD = "upheld", phrase("dispute.upheld", "upheld")
        REFUSED = "refused", phrase("dispute.refused", "refused")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="disputes")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    about = models.CharField(max_length=20)
    boxes = ArrayField(models.SmallIntegerField(), default=list)
    statement = models.TextField()
    salt = models.CharField(max_length=32)
    raised_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    terminal = models.ForeignKey(Terminal, null=True, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField(db_default=Now())
    ruling = models.CharField(max_length=10, choices=Ruling.choices, null=True)
    clause = models.CharField(max_length=20, null=True)
    reason = models.TextField(default="")
    reason_salt = models.CharField(max_length=32, default="")
    line = models.OneToOneField(Line, null=True, on_delete=models.PROTECT, related_name="dispute")
    ruled_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    ruled_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    status="OPEN",
                    ruling=None,
                    clause=None,
                    reason="",
                    line=None,
                    ruled_by=None,
                    approved_by=None,
                    ruled_at=None,
                    closed_at=None,
                )
                | Q(
                    Q(status="RULED", closed_at=None) | Q(status="CLOSED", closed_at__isnull=False),
                    ~Q(reason=""),
                    ruling__in=["upheld", "refused"],
                    clause__isnull=False,
                    ruled_by__isnull=False,
                    ruled_at__isnull=False,
                ),
                name="dispute_status_whole",
            ),
            models.CheckConstraint(
                # One person alone may refuse it: earlier ones were refused so, and the house may set it so (see the
                # guard).
                condition=Q(line=None, approved_by=None)
                | Q(approved_by__isnull=False)
                & ~Q(approved_by=F("ruled_by"))
                & (Q(line=None) | Q(ruling="upheld", line__isnull=False)),
                name="dispute_four_eyes",
            ),
            models.CheckConstraint(
                condition=~Q(statement="") & ~Q(salt="") & (Q(reason="") | ~Q(reason_salt="")),
                name="dispute_texts_salted",
            ),
            models.CheckConstraint(condition=~Q(about=""), name="dispute_about_something"),
        ]
        indexes = [
            models.Index(fields=["raised_at", "id"], condition=~Q(status="CLOSED"), name="dispute_not_closed"),
            models.Index(fields=["round"], name="dispute_round"),
        ]

    def __str__(self):
        return _NAME.format(number=self.pk)

    @property
    def ref(self):
        return f"dispute:{self.pk}"
