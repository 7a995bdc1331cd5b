"""Slips, by which chips go between the cage and a table, and the counts that people make of chips."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import readable
from payouts.models import MOST_UNITS, Movement

from .floor import Table, Terminal
from .sessions import Session

STAFF = settings.AUTH_USER_MODEL


def _person():
    return models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)


class SlipQuerySet(models.QuerySet):
    def running(self):
        """Slips that are asked for or on their way."""
        return self.filter(status__in=Slip.RUNNING)

    def at_the_croupier(self, table):
        """Slips that concern a table's croupier now: chips that come, and chips that are asked for."""
        comes = Q(status="ISSUED") & ~Q(kind="credit")
        return self.filter(comes | Q(status="REQUESTED", kind="credit"), table=table)

    def of_table(self, table):
        """Slips of a table's last session, and those under way."""
        last = Session.objects.filter(table=table).order_by("-pk").values("pk")[:1]
        return self.filter(table=table).filter(Q(session__in=last) | Q(status__in=Slip.RUNNING))


class Slip(models.Model):
    """Chips from the cage to a table (a fill), back (a credit), or both at equal worth (a change), in one session.

    `denominations` is what goes, chip value in units to how many; `exchanged` is what the table gives in a change.
    Numbers count each kind and year from 1, without a gap. `out` is the movement by which its chips set out and `back`
    the one by which they came to where they are now; a change moves no money. `voided_by` sent the slip back or voided
    it, and says why in `reason`; the log has its SHA-256 behind `salt`. `prints` is how often it was printed.
    """

    class Kind(models.TextChoices):
        FILL = "fill", "fill"
        CREDIT = "credit", "credit"
        CHANGE = "change", "change"

    class Status(models.TextChoices):
        REQUESTED = "REQUESTED", "requested"
        ISSUED = "ISSUED", "on its way"
        RECEIVED = "RECEIVED", "received"
        RETURNED = "RETURNED", "sent back"
        VOIDED = "VOIDED", "void"

    RUNNING = (Status.REQUESTED, Status.ISSUED)
    LETTERS = {Kind.FILL: "F", Kind.CREDIT: "C", Kind.CHANGE: "X"}

    kind = models.CharField(max_length=10, choices=Kind.choices)
    year = models.SmallIntegerField()
    number = models.IntegerField()
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="slips", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="slips")
    denominations = models.JSONField()
    exchanged = models.JSONField(null=True)
    units = models.BigIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.REQUESTED)
    requested_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    requested_at = models.DateTimeField(db_default=Now())
    issued_by = _person()
    issued_at = models.DateTimeField(null=True)
    carried_by = _person()
    received_by = _person()
    received_with = _person()
    received_at = models.DateTimeField(null=True)
    voided_by = _person()
    approved_by = _person()
    voided_at = models.DateTimeField(null=True)
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")
    out = models.OneToOneField(Movement, null=True, on_delete=models.PROTECT, related_name="+")
    back = models.OneToOneField(Movement, null=True, on_delete=models.PROTECT, related_name="+")
    prints = models.SmallIntegerField(default=0)

    objects = SlipQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["table"], condition=Q(status__in=["REQUESTED", "ISSUED"]), name="slip_running")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "year", "number"], name="slip_number_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["fill", "credit"], exchanged__isnull=True)
                | Q(kind="change", exchanged__isnull=False),
                name="slip_kind_whole",
            ),
            models.CheckConstraint(
                condition=Q(units__range=(1, MOST_UNITS), number__gte=1, prints__gte=0), name="slip_numbers_positive"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["REQUESTED", "VOIDED"], issued_by=None, issued_at=None, carried_by=None)
                | Q(status__in=["ISSUED", "RECEIVED", "RETURNED"], issued_by__isnull=False, issued_at__isnull=False),
                name="slip_issued_whole",
            ),
            models.CheckConstraint(
                condition=Q(status="RECEIVED", received_by__isnull=False, received_with__isnull=False)
                & Q(received_at__isnull=False)
                | ~Q(status="RECEIVED") & Q(received_by=None, received_with=None, received_at=None),
                name="slip_received_whole",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["RETURNED", "VOIDED"], voided_by__isnull=False, approved_by__isnull=False)
                & Q(voided_at__isnull=False)
                & ~Q(reason="")
                & ~Q(salt="")
                | ~Q(status__in=["RETURNED", "VOIDED"])
                & Q(voided_by=None, approved_by=None, voided_at=None, reason="", salt=""),
                name="slip_voided_whole",
            ),
            models.CheckConstraint(
                condition=Q(kind="change", out=None, back=None)
                | ~Q(kind="change") & Q(status__in=["REQUESTED", "VOIDED"], out=None, back=None)
                | ~Q(kind="change") & Q(status="ISSUED", out__isnull=False, back=None)
                | ~Q(kind="change") & Q(status__in=["RECEIVED", "RETURNED"], out__isnull=False, back__isnull=False),
                name="slip_moves_its_chips",
            ),
            models.CheckConstraint(
                condition=(Q(issued_by=None) | ~Q(issued_by=F("requested_by")))
                & (Q(received_by=None) | ~Q(received_by=F("received_with")))
                & (
                    Q(received_by=None)
                    | Q(issued_by=None)
                    | ~Q(issued_by=F("received_by")) & ~Q(issued_by=F("received_with"))
                )
                & (Q(voided_by=None) | ~Q(voided_by=F("approved_by"))),
                name="slip_four_eyes",
            ),
            models.CheckConstraint(condition=readable("denominations"), name="slip_denominations_readable"),
            models.CheckConstraint(condition=readable("exchanged"), name="slip_exchanged_readable"),
        ]

    def __str__(self):
        return f"{self.LETTERS[self.kind]}-{self.year}-{self.number:06d}"

    @property
    def ref(self):
        return f"slip:{self.pk}"


class SlipNumber(models.Model):
    """The last number of a kind of slip in a year; it grows with a slip alone."""

    kind = models.CharField(max_length=10)
    year = models.SmallIntegerField()
    last = models.IntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "year"], name="slipnumber_once")]

    def __str__(self):
        return f"{self.kind} {self.year}: {self.last}"


class Count(models.Model):
    """Chips, or a drop box's cash, as one person counted them. Two count the same, blind to each other; append-only.

    `of` is what is counted, as the log names it, `part` which part of it, `attempt` how often counting was begun,
    `place` which of the two people it is: 1 counts first. A rake slot is counted with the closer: its count has the
    closer's attempt, place and person.
    """

    class Part(models.TextChoices):
        OPENER = "opener", "opener"
        CLOSER = "closer", "closer"
        RAKE = "rake", "rake"
        FILL = "fill", "fill"
        CREDIT = "credit", "credit"
        CHANGE = "change", "change"
        CAGE = "cage", "cage"
        DROP = "drop", "drop"
        TIPS = "tips", "tips"

    of = models.CharField(max_length=40)
    part = models.CharField(max_length=10, choices=Part.choices)
    attempt = models.SmallIntegerField()
    place = models.SmallIntegerField()
    by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    terminal = models.ForeignKey(Terminal, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now())
    denominations = models.JSONField()
    units = models.BigIntegerField()

    class Meta:
        ordering = ["of", "part", "attempt", "place"]
        constraints = [
            models.UniqueConstraint(fields=["of", "part", "attempt", "place"], name="count_once"),
            models.CheckConstraint(condition=Q(attempt__gte=1, place__in=[1, 2], units__gte=0), name="count_places"),
            models.CheckConstraint(condition=readable("denominations"), name="count_denominations_readable"),
        ]

    def __str__(self):
        return f"{self.of} {self.part} {self.attempt}.{self.place}"

    @property
    def ref(self):
        return f"count:{self.pk}"
