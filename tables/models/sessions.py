"""Tables open for play."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .floor import Table

STAFF = settings.AUTH_USER_MODEL


def _person():
    return models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)


class SessionQuerySet(models.QuerySet):
    def running(self):
        """Sessions that are not closed: their tables count chips or play."""
        return self.exclude(status=Session.Status.CLOSED)


class Session(models.Model):
    """A table from opener to closer. Its business date is fixed when it begins and everything in it carries it.

    Two people count the opener and two the closer (`Count`), and two sign for what stands: `opened_by` and
    `opened_with`, `closed_by` and `closed_with`. If the counts or the books ask for a reason, they give one, and the
    log has its SHA-256 behind its salt. A closed session names by reference what it leaves `unfinished`. `counts_from`
    is the first attempt whose counts belong to this closing: a session that went on after a count has earlier ones. A
    session `carried_from` another was opened with the chips that closed that one, counted once. A session from before
    two people each counted the opener has neither `begun_by` nor `stopped_by`.
    """

    class Status(models.TextChoices):
        OPENING = "OPENING", "opening"
        OPEN = "OPEN", "open"
        CLOSING = "CLOSING", "closing"
        CLOSED = "CLOSED", "closed"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPENING)
    business_date = models.DateField()
    begun_at = models.DateTimeField(null=True, db_default=Now())
    begun_by = _person()
    carried_from = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="carried_to")
    opened_at = models.DateTimeField(null=True)
    opened_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    opened_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    opener_reason = models.TextField(default="", db_default="")
    opener_salt = models.CharField(max_length=32, default="", db_default="")
    stopped_at = models.DateTimeField(null=True)
    stopped_by = _person()
    counts_from = models.SmallIntegerField(default=1, db_default=1)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    closed_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    closer_reason = models.TextField(default="", db_default="")
    closer_salt = models.CharField(max_length=32, default="", db_default="")
    unfinished = ArrayField(models.CharField(max_length=30), default=list, db_default=[])

    objects = SessionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=~Q(status="CLOSED"), name="session_one_open"),
            models.CheckConstraint(
                condition=Q(status="OPENING", opened_at=None, opened_by=None, opened_with=None)
                | ~Q(status="OPENING") & Q(opened_at__isnull=False, opened_by__isnull=False, opened_with__isnull=False),
                name="session_opened_whole",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["OPENING", "OPEN"], stopped_at=None, stopped_by=None)
                | Q(status="CLOSING", stopped_at__isnull=False, stopped_by__isnull=False)
                | Q(status="CLOSED"),
                name="session_stopped_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status="CLOSED") & Q(closed_at=None, closed_by=None, closed_with=None)
                | Q(status="CLOSED", closed_at__isnull=False, closed_by__isnull=False, closed_with__isnull=False),
                name="session_closed_whole",
            ),
            models.CheckConstraint(condition=Q(status="CLOSED") | Q(unfinished=[]), name="session_leaves_at_end"),
            models.CheckConstraint(
                condition=(Q(opened_by=None) | ~Q(opened_by=F("opened_with")))
                & (Q(closed_by=None) | ~Q(closed_by=F("closed_with"))),
                name="session_four_eyes",
            ),
            models.CheckConstraint(
                condition=(Q(opener_reason="") | ~Q(opener_salt="") & ~Q(status="OPENING"))
                & (Q(closer_reason="") | ~Q(closer_salt="") & Q(status="CLOSED")),
                name="session_reasons_salted",
            ),
        ]

    def __str__(self):
        return f"{self.table_id} {self.business_date}"

    @property
    def ref(self):
        return f"session:{self.pk}"


class SessionFigures(models.Model):
    """What a session came to, in units: written once, by the database, when its gaming day is closed.

    Until then it is worked out from the rows, since a drop is counted, a paper entered and a round corrected after the
    table is closed. `games` are those of its rounds; `rounds` counts those that were not void, and `stakes` is what was
    staked in them. The other columns are as in the figures of a day.
    """

    session = models.OneToOneField(Session, primary_key=True, on_delete=models.PROTECT, related_name="figures")
    games = ArrayField(models.CharField(max_length=20))
    rounds = models.BigIntegerField()
    stakes = models.BigIntegerField()
    opener = models.BigIntegerField()
    fills = models.BigIntegerField()
    credits = models.BigIntegerField()
    closer = models.BigIntegerField()
    drop = models.BigIntegerField()
    buy_ins = models.BigIntegerField()
    win = models.BigIntegerField()
    rake = models.BigIntegerField()
    tips = models.BigIntegerField()
    variance = models.BigIntegerField()

    def __str__(self):
        return f"{self.session_id}: {self.win}"
