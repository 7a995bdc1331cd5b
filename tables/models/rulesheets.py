"""Rule sheets and where they are in force."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import readable
from payouts.models import CoefficientTable

from .floor import Table

STAFF = settings.AUTH_USER_MODEL


class RuleSheet(models.Model):
    """The rules of one game as tables play them: parameters, limits, coefficients. Once published it never changes.

    `rules` is the canonical text that the log carries, `digest` its SHA-256; both come with publication. The game says
    which parameters there are: `PARAMETERS` in its `sheet.py`. `edge` pins what was computed for a sheet of a game with
    a house, [{key, ante, edge}]; sheets published before edges were computed have none. `reason` is the publisher's, if
    the edge lies outside the casino's band; the log has its SHA-256 behind `salt`.
    """

    class Status(models.TextChoices):
        DRAFT = "DRAFT", "draft"
        PUBLISHED = "PUBLISHED", "published"

    game = models.CharField(max_length=20)
    version = models.IntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    values = models.JSONField()
    coefficient_table = models.ForeignKey(CoefficientTable, null=True, on_delete=models.PROTECT, related_name="+")
    rules = models.TextField(null=True)
    digest = models.CharField(max_length=64, null=True, unique=True)
    drafted_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    drafted_at = models.DateTimeField(db_default=Now())
    published_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(null=True)
    edge = models.JSONField(null=True)
    reason = models.CharField(max_length=500, default="", db_default="")
    salt = models.CharField(max_length=32, default="", db_default="")

    class Meta:
        ordering = ["game", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["game", "version"], name="rulesheet_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="rulesheet_version_from_one"),
            models.CheckConstraint(
                condition=Q(
                    status="DRAFT", published_by=None, published_at=None, rules=None, digest=None, edge=None, reason=""
                )
                | Q(
                    status="PUBLISHED",
                    published_by__isnull=False,
                    published_at__isnull=False,
                    rules__isnull=False,
                    digest__isnull=False,
                ),
                name="rulesheet_published_whole",
            ),
            models.CheckConstraint(
                condition=Q(published_by=None) | ~Q(published_by=F("drafted_by")), name="rulesheet_four_eyes"
            ),
            models.CheckConstraint(condition=readable("values"), name="rulesheet_values_readable"),
            models.CheckConstraint(condition=readable("rules"), name="rulesheet_rules_readable"),
            models.CheckConstraint(condition=Q(reason="") | ~Q(salt=""), name="rulesheet_reason_salted"),
        ]

    def __str__(self):
        return f"{self.game} {self.version}"

    @property
    def ref(self):
        return f"sheet:{self.pk}"

    @property
    def fingerprint(self):
        """The digest as people compare it, in groups of four digits; none for a draft."""
        return [self.digest[at : at + 4].upper() for at in range(0, 64, 4)] if self.digest else []

    @property
    def short(self):
        """The first eight digits of the digest: `7F3A C91E`."""
        return " ".join(self.fingerprint[:2])


class InForceQuerySet(models.QuerySet):
    """Queries for rule sheets at tables."""

    def standing(self):
        """Rows that nobody withdrew."""
        return self.filter(withdrawn_at=None)


class InForce(models.Model):
    """A rule sheet at a table from a moment on; rounds opened earlier keep theirs. Until that moment two people may
    withdraw it; then it does not count.

    Rows of the first versions have no `approved_by`; the database no longer takes such a row.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sheets_in_force")
    sheet = models.ForeignKey(RuleSheet, on_delete=models.PROTECT, related_name="in_force")
    from_at = models.DateTimeField()
    set_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    withdrawn_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)

    objects = InForceQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "rule sheets in force"
        constraints = [
            models.UniqueConstraint(
                fields=["table", "from_at"], condition=Q(withdrawn_at=None), name="inforce_moment_once"
            ),
            models.CheckConstraint(
                condition=(Q(approved_by=None) | ~Q(approved_by=F("set_by")))
                & (Q(withdrawn_with=None) | ~Q(withdrawn_with=F("withdrawn_by"))),
                name="inforce_four_eyes",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None, withdrawn_by=None, withdrawn_with=None)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False, withdrawn_with__isnull=False),
                name="inforce_withdrawn_whole",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None) | Q(withdrawn_at__lt=F("from_at")), name="inforce_withdrawn_before"
            ),
        ]

    def __str__(self):
        return f"{self.sheet_id} at {self.table_id}"
