"""Files of reports as a worker makes them, and the tokens by which other programs fetch them."""

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.phrases import phrase

STAFF = settings.AUTH_USER_MODEL
_PERSON = {"null": True, "on_delete": models.PROTECT, "related_name": "+", "db_index": False}


class ReportFile(models.Model):
    """A file of a report of gaming days that are closed. The row is the task: ASKED -> DONE | FAILED | CANCELLED, and
    DONE -> PRUNED.

    `form` is the kind of file, `edition` that of the report; `digest` is the SHA-256 of the report, that is its CSV,
    and `file_digest` that of these bytes. While it is made, `rows_made` says how far that is. `asked_by` is empty if
    the casino had it made when it closed a day.
    """

    class Form(models.TextChoices):
        CSV = "csv", "CSV"
        XLSX = "xlsx", "XLSX"
        PDF = "pdf", "PDF"

    class Status(models.TextChoices):
        ASKED = "ASKED", phrase("report_file.asked", "being made")
        DONE = "DONE", phrase("report_file.done", "done")
        FAILED = "FAILED", phrase("report_file.failed", "failed")
        CANCELLED = "CANCELLED", phrase("report_file.cancelled", "cancelled")
        PRUNED = "PRUNED", phrase("report_file.pruned", "pruned")

    report = models.CharField(max_length=40)
    edition = models.SmallIntegerField(default=1)
    period = models.CharField(max_length=24)
    first = models.DateField()
    last = models.DateField()
    form = models.CharField(max_length=4, choices=Form.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
    asked_by = models.ForeignKey(STAFF, **_PERSON)
    asked_at = models.DateTimeField(db_default=Now())
    rows_made = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    file_digest = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField(null=True)
    failure = models.CharField(max_length=500, blank=True)
    ended_at = models.DateTimeField(null=True)
    pruned_by = models.ForeignKey(STAFF, **_PERSON)
    pruned_with = models.ForeignKey(STAFF, **_PERSON)
    pruned_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["report", "edition", "period", "form"],
                condition=Q(status__in=["ASKED", "DONE"]),
                name="reportfile_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    form__in=["csv", "xlsx", "pdf"],
                    report__regex="^[a-z]+(-[a-z]+)*$",
                    period__regex="^[0-9][0-9.-]+$",
                    edition__gte=1,
                    first__gte=dt.date(2000, 1, 1),
                    first__lte=F("last"),
                    last__lt=dt.date(9000, 1, 1),
                ),
                name="reportfile_says_what",
            ),
            models.CheckConstraint(
                condition=Q(status="ASKED", ended_at=None, digest="", file_digest="", size=None, failure="")
                | Q(status="FAILED", ended_at__isnull=False, digest="", file_digest="", size=None, failure__gt="")
                | Q(status="CANCELLED", ended_at__isnull=False, digest="", file_digest="", size=None, failure="")
                | Q(
                    status__in=["DONE", "PRUNED"],
                    ended_at__isnull=False,
                    digest__regex="^[0-9a-f]{64}$",
                    file_digest__regex="^[0-9a-f]{64}$",
                    size__gte=1,
                    failure="",
                ),
                name="reportfile_ended_whole",
            ),
            models.CheckConstraint(
                condition=Q(
                    status="PRUNED", pruned_at__isnull=False, pruned_by__isnull=False, pruned_with__isnull=False
                )
                & ~Q(pruned_by=F("pruned_with"))
                | ~Q(status="PRUNED") & Q(pruned_at=None, pruned_by=None, pruned_with=None),
                name="reportfile_pruned_by_two",
            ),
            models.CheckConstraint(
                condition=~Q(form="csv") | Q(digest=F("file_digest")), name="reportfile_csv_is_the_report"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(status="ASKED"), name="reportfile_asked"),
            models.Index(fields=["report", "period"], name="reportfile_of_period"),
        ]

    def __str__(self):
        return self.name

    @property
    def ref(self):
        return f"report_file:{self.pk}"

    @property
    def name(self):
        """The name of the file: `master-game-2026-11-21.csv`."""
        return f"{self.report}-{self.period}.{self.form}"


class ReportToken(models.Model):
    """What another program shows to fetch files of reports, and nothing else; we keep the token's SHA-256 alone. Two
    people give it, and two end it."""

    name = models.CharField(max_length=20, unique=True)
    token_digest = models.CharField(max_length=64, unique=True)
    given_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    given_with = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    given_at = models.DateTimeField(db_default=Now())
    ended_by = models.ForeignKey(STAFF, **_PERSON)
    ended_with = models.ForeignKey(STAFF, **_PERSON)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=~Q(given_by=F("given_with")), name="reporttoken_given_by_two"),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None, ended_with=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False, ended_with__isnull=False)
                & ~Q(ended_by=F("ended_with")),
                name="reporttoken_ended_by_two",
            ),
        ]

    def __str__(self):
        return self.name

    @property
    def ref(self):
        return f"report_token:{self.pk}"
