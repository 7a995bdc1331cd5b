"""What has to be cleared up: cases with an owner, a clock and a decision by two people."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.phrases import phrase

from .floor import Table

STAFF = settings.AUTH_USER_MODEL
VIDEO = "[A-Za-z0-9:/.-]{0,40}"
"""The reference of a recording: letters, digits, - : / and dots, nothing personal; "" for none."""


class CaseQuerySet(models.QuerySet):
    def waiting(self):
        """Cases that are not decided."""
        return self.filter(status=Case.Status.OPEN)


class Case(models.Model):
    """Something to be cleared up at a table: whoever owns it answers for it by `due_at`, and two people decide it.

    A variance opens one when a table is closed or a drop box is counted: `subject` is the session or the drop box, as
    the log names it, and `units` is what was counted less what should have been there. The database numbers each kind
    and year from 1, without a gap. The owner is a pit boss. A step of its own gives the case to another owner, gives it
    more time, or adds `video`, the reference of the recording that shows it. `outcome` says whether the cause was
    found, and `reason` what it was; the log has its SHA-256 behind `salt`. Whoever decides has a second person with
    them, who did not sign the closing or the count.

    A dispute has a case, too, but the words of its ruling stay with the dispute: its case has no `units` and no reason,
    and the same people end it with the ruling. Disputes from before there were cases have none.

    A pit boss opens a case about a void round, and an investigation of a session, open or closed. Neither has `units`;
    `question` says what is to be found out; the log has its SHA-256 behind `question_salt`. The second person of the
    decision neither asked for the void nor approved it; for a session, they signed neither its opening nor its closing
    and dealt no round in it.
    """

    class Kind(models.TextChoices):
        VARIANCE = "variance", "variance"
        DROP_VARIANCE = "drop_variance", "variance of a drop"
        DISPUTE = "dispute", "dispute"
        VOID = "void", "void round"
        INVESTIGATION = "investigation", "investigation"

    class Status(models.TextChoices):
        OPEN = "OPEN", phrase("case.open", "open")
        DECIDED = "DECIDED", phrase("case.decided", "decided")

    class Outcome(models.TextChoices):
        FOUND = "found", "cause found"
        NOT_FOUND = "not_found", "cause not found"
        UPHELD = "upheld", "upheld"
        REFUSED = "refused", "refused"

    LETTERS = {
        Kind.VARIANCE: "V",
        Kind.DROP_VARIANCE: "DV",
        Kind.DISPUTE: "D",
        Kind.VOID: "VO",
        Kind.INVESTIGATION: "I",
    }

    kind = models.CharField(max_length=20, choices=Kind.choices)
    year = models.SmallIntegerField()
    number = models.IntegerField(default=0)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="cases")
    subject = models.CharField(max_length=60)
    units = models.BigIntegerField(null=True)
    question = models.TextField(default="", db_default="")
    question_salt = models.CharField(max_length=32, default="", db_default="")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    owner = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    opened_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField()
    video = models.CharField(max_length=40, default="")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, null=True)
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")
    decided_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    decided_at = models.DateTimeField(null=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["due_at"], condition=Q(status="OPEN"), name="case_waiting")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "year", "number"], name="case_number_once"),
            models.UniqueConstraint(fields=["kind", "subject"], name="case_one_of_each"),
            models.CheckConstraint(
                condition=Q(kind__in=["variance", "drop_variance", "dispute", "void", "investigation"])
                & Q(number__gte=1),
                name="case_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["variance", "drop_variance"], units__isnull=False)
                | ~Q(kind__in=["variance", "drop_variance"]) & Q(units=None),
                name="case_units_of_variance",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["void", "investigation"]) & ~Q(question="") & ~Q(question_salt="")
                | ~Q(kind__in=["void", "investigation"]) & Q(question="", question_salt=""),
                name="case_question_of_opener",
            ),
            models.CheckConstraint(condition=Q(video__regex=rf"^{VIDEO}$"), name="case_video_plain"),
            models.CheckConstraint(
                condition=Q(status="OPEN", outcome=None, reason="", salt="", decided_by=None, approved_by=None)
                & Q(decided_at=None)
                | Q(status="DECIDED", outcome__in=["found", "not_found"], outcome__isnull=False)
                & Q(decided_by__isnull=False)
                & Q(approved_by__isnull=False, decided_at__isnull=False)
                & ~Q(kind="dispute")
                & ~Q(reason="")
                & ~Q(salt="")
                | Q(status="DECIDED", outcome__in=["upheld", "refused"], outcome__isnull=False)
                & Q(decided_by__isnull=False, decided_at__isnull=False)
                & Q(kind="dispute", reason="", salt=""),
                name="case_decided_whole",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | ~Q(approved_by=F("decided_by")), name="case_four_eyes"
            ),
        ]

    def __str__(self):
        return f"{self.LETTERS[self.kind]}-{self.year}-{self.number:06d}"

    @property
    def ref(self):
        return f"case:{self.pk}"

    @property
    def subject_id(self):
        """The key of the row that it is about."""
        return int(self.subject.partition(":")[2])
