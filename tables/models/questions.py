"""Questions of auditors to the pit, each with its answer and a clock."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.phrases import phrase

from .floor import Table

STAFF = settings.AUTH_USER_MODEL
_PERSON = {"null": True, "on_delete": models.PROTECT, "related_name": "+", "db_index": False}


class Question(models.Model):
    """What an auditor asks the pit about something of the house: ASKED -> ANSWERED -> SETTLED.

    `subject` is what it is about, as the log names it, and `table` is the subject's table, if it has one: a pit boss of
    that table answers by `due_at`, else any pit boss. An auditor accepts the answer, which settles it, or asks again: a
    further question `follows` this one, which then stays as it is. The log has the SHA-256 of words and answer, behind
    a salt.
    """

    class Status(models.TextChoices):
        ASKED = "ASKED", phrase("question.asked", "asked")
        ANSWERED = "ANSWERED", phrase("question.answered", "answered")
        SETTLED = "SETTLED", phrase("question.settled", "settled")

    subject = models.CharField(max_length=60)
    table = models.ForeignKey(Table, null=True, on_delete=models.PROTECT, related_name="questions")
    follows = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="followed_by")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
    words = models.TextField()
    salt = models.CharField(max_length=32)
    asked_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    asked_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField()
    answer = models.TextField(default="")
    answer_salt = models.CharField(max_length=32, default="")
    answered_by = models.ForeignKey(STAFF, **_PERSON)
    answered_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(STAFF, **_PERSON)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["due_at"], condition=Q(status="ASKED"), name="question_waiting")]
        constraints = [
            models.CheckConstraint(condition=~Q(words="") & ~Q(salt=""), name="question_in_words"),
            models.CheckConstraint(
                condition=Q(status="ASKED", answer="", answer_salt="", answered_by=None, answered_at=None)
                & Q(settled_by=None, settled_at=None)
                | Q(status__in=["ANSWERED", "SETTLED"], answered_by__isnull=False, answered_at__isnull=False)
                & ~Q(answer="")
                & ~Q(answer_salt="")
                & (
                    Q(status="ANSWERED", settled_by=None, settled_at=None)
                    | Q(status="SETTLED", settled_by__isnull=False, settled_at__isnull=False)
                ),
                name="question_steps_whole",
            ),
            models.CheckConstraint(
                condition=Q(answered_by=None)
                | ~Q(answered_by=F("asked_by")) & (Q(settled_by=None) | ~Q(answered_by=F("settled_by"))),
                name="question_answered_by_another",
            ),
        ]

    def __str__(self):
        return f"question {self.pk}"

    @property
    def ref(self):
        return f"question:{self.pk}"

    @property
    def chain(self):
        """The chain in which its entries stand."""
        return f"table:{self.table_id}" if self.table_id else "house"
