"""What a person has to look at: the calls for a pit boss, and what the rows themselves call for."""

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce, Now

from .floor import Table

STAFF = settings.AUTH_USER_MODEL
KINDS = [
    "call",
    "slip_late",
    "opener_variance",
    "closer_variance",
    "drop_box_seal",
    "drop_box_swapped",
    "drop_box_overdue",
    "drop_variance",
    "case_late",
    "large_cash",
    "round_held",
    "round_long",
    "settlement_late",
    "settlement_retried",
    "pace",
    "float_low",
    "void_rate",
    "correction_rate",
    "seal_late",
    "log_damaged",
    "lock_out",
    "break_due",
    "luck",
]
REASONS = ["chips", "signature", "error", "dispute", "player", "relief", "equipment", "other"]


class AlarmQuerySet(models.QuerySet):
    def standing(self):
        """Alarms that are raised and not over, whether somebody has taken them or not."""
        return self.filter(over_at=None)

    def untaken_for(self, minutes):
        """Alarms to which nobody came for this many minutes, even if somebody did later."""
        came = Coalesce("taken_at", "over_at", Now())
        return self.filter(raised_at__lte=came - dt.timedelta(minutes=minutes))


class Alarm(models.Model):
    """Somebody has to look at something: raised, taken by a person who answers for it, and over.

    `subject` is what it is about, as the log names it; of one kind at most one stands for each subject. It stands in
    the chain of its `table`, or without one in the house's. A person raises a call, whose subject is the table, and it
    is over when whoever came says so; its `reason` is one of a list, so that nothing personal gets into the log, and
    calls from before there were reasons have none. All other kinds are raised by what the product measures: a `value`
    against its `bound`, which the log calls the limit. Both are minutes of a slip, a case, a round and of dealing
    without a break, hours of a drop box, seconds of a settlement and a seal, tries, rounds of the last hour, parts in a
    hundred of a float and of rates, differences that an inspection names, wrong passwords, honest table-years, and
    units of a variance. A measured alarm is over when its reason is gone; one about a variance, another seal, another
    box or a loss beyond luck, when somebody has taken it. The subject of such a loss is the first day of its table's
    year. `word` is what whoever took it said; the log has its SHA-256 behind its salt.
    """

    class Kind(models.TextChoices):
        CALL = "call", "call for a pit boss"
        SLIP_LATE = "slip_late", "slip overdue"
        OPENER_VARIANCE = "opener_variance", "difference of an opener"
        CLOSER_VARIANCE = "closer_variance", "variance of a closing"
        DROP_BOX_SEAL = "drop_box_seal", "drop box with another seal"
        DROP_BOX_SWAPPED = "drop_box_swapped", "another drop box"
        DROP_BOX_OVERDUE = "drop_box_overdue", "drop box not counted"
        DROP_VARIANCE = "drop_variance", "variance of a drop"
        CASE_LATE = "case_late", "case overdue"
        LARGE_CASH = "large_cash", "large cash at a box"
        ROUND_HELD = "round_held", "round held"
        ROUND_LONG = "round_long", "round open for long"
        SETTLEMENT_LATE = "settlement_late", "settlement late"
        SETTLEMENT_RETRIED = "settlement_retried", "settlement tried again"
        PACE = "pace", "pace out of range"
        FLOAT_LOW = "float_low", "float low"
        VOID_RATE = "void_rate", "many voids"
        CORRECTION_RATE = "correction_rate", "many corrections"
        SEAL_LATE = "seal_late", "log not sealed"
        LOG_DAMAGED = "log_damaged", "log or house damaged"
        LOCK_OUT = "lock_out", "person locked out"
        BREAK_DUE = "break_due", "break due"
        LUCK = "luck", "more lost than luck explains"

    class Reason(models.TextChoices):
        CHIPS = "chips", "chips short"
        SIGNATURE = "signature", "signature"
        ERROR = "error", "dealing error"
        DISPUTE = "dispute", "dispute"
        PLAYER = "player", "player's question"
        RELIEF = "relief", "relief"
        EQUIPMENT = "equipment", "equipment"
        OTHER = "other", "something else"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject = models.CharField(max_length=60)
    table = models.ForeignKey(Table, null=True, on_delete=models.PROTECT, related_name="alarms", db_index=False)
    reason = models.CharField(max_length=20, null=True, choices=Reason.choices)
    box = models.SmallIntegerField(null=True)
    value = models.BigIntegerField(null=True)
    bound = models.BigIntegerField(null=True)
    raised_at = models.DateTimeField(db_default=Now())
    raised_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    taken_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    taken_at = models.DateTimeField(null=True)
    word = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")
    over_at = models.DateTimeField(null=True)

    objects = AlarmQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], condition=Q(over_at=None), name="alarm_one_stands"),
            models.CheckConstraint(condition=~Q(kind="") & ~Q(subject=""), name="alarm_about_something"),
            models.CheckConstraint(condition=Q(kind__in=KINDS), name="alarm_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="call", raised_by__isnull=False, table__isnull=False, value=None, bound=None)
                | ~Q(kind="call") & Q(raised_by=None),
                name="alarm_call_by_person",
            ),
            models.CheckConstraint(
                condition=Q(reason=None) | Q(kind="call", reason__in=REASONS), name="alarm_reason_known"
            ),
            models.CheckConstraint(
                condition=Q(taken_by=None, taken_at=None, word="", salt="")
                | Q(taken_by__isnull=False, taken_at__isnull=False) & (Q(word="") | ~Q(salt="")),
                name="alarm_taken_whole",
            ),
            models.CheckConstraint(
                condition=~Q(kind="call") | Q(over_at=None) | Q(taken_at__isnull=False), name="alarm_call_answered"
            ),
        ]
        indexes = [models.Index(fields=["raised_at", "id"], name="alarm_raised")]

    def __str__(self):
        return f"{self.get_kind_display()} {self.pk}".capitalize()

    @property
    def noun(self):
        """The word for it in sentences for people: a call or an alarm."""
        return "call" if self.kind == self.Kind.CALL else "alarm"

    @property
    def subject_id(self):
        """The key of the row that it is about."""
        return int(self.subject.partition(":")[2])

    @property
    def ref(self):
        return f"alarm:{self.pk}"
