"""Rounds, what happened in them, and the complete lines that are settled."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.db.models.lookups import Exact

from casino.models import EARLIEST, readable
from casino.phrases import phrase
from payouts.models import Settlement

from .floor import Table, Terminal
from .rulesheets import RuleSheet
from .sessions import Session

STAFF = settings.AUTH_USER_MODEL
# The number printed on the paper that a round is written down on while the system is away.
PRINTED = r"^[A-Z0-9][A-Z0-9-]{0,19}$"
KIND_OF_ARGUMENTS = models.Func(F("arguments"), function="jsonb_typeof", output_field=models.CharField())


class Series(models.Model):
    """Rounds of one sitting that carry something on: Dynastia's long game, Big Two's rounds, Presidential's redeals.

    A series begun in a closed session is one of rounds from paper, and runs beside what is played at the table.
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="series")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="series")
    game = models.CharField(max_length=20)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    seats = ArrayField(models.SmallIntegerField())
    rounds_agreed = models.SmallIntegerField(null=True)
    target = models.IntegerField(null=True)
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(fields=["session"], condition=Q(status="OPEN"), name="series_one_open"),
            models.CheckConstraint(
                condition=Q(status="OPEN", closed_at=None) | Q(status="CLOSED", closed_at__isnull=False),
                name="series_closed_whole",
            ),
            models.CheckConstraint(
                condition=(Q(rounds_agreed=None) | Q(rounds_agreed__gte=1)) & (Q(target=None) | Q(target__gte=1)),
                name="series_goal_positive",
            ),
        ]

    def __str__(self):
        return f"{self.game} {self.pk}"

    @property
    def ref(self):
        return f"series:{self.pk}"


class RoundQuerySet(models.QuerySet):
    def due(self):
        """Rounds that a worker settles: closed, not held, and their moment has come."""
        return self.filter(status=Round.Status.CLOSED, held_at=None, next_at__lte=Now())

    def entered_late(self):
        """Rounds that were entered from paper after their session was closed."""
        return self.filter(opened_at__gt=F("session__closed_at"))

    def at_the_table(self):
        """All other rounds, from which a table goes on."""
        return self.filter(Q(session__closed_at=None) | Q(opened_at__lte=F("session__closed_at")))


class Round(models.Model):
    """From the first stake to paid bets at one table; mostly one deal.

    `phase` is text that the game owns. The state is the fold of its actions; nothing of it is stored here. A closed
    round that is not held is due from `next_at` on; `leases` counts how often a worker took it since it last came back,
    `alone` says whether the last lease was for it alone, `failures` counts how often settling this very round failed,
    and `failure` says why it last did. A round played on paper during an outage has the time at which it `happened_at`
    and the number of its `paper`, and two people enter it: `opened_with` is the second. The values that it is opened
    with stand in `round_moves` too (tables/sql/rounds.sql).
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", phrase("round.open", "open")
        CLOSED = "CLOSED", phrase("round.closed", "closed, not yet settled")
        SETTLED = "SETTLED", phrase("round.settled", "settled")
        VOIDED = "VOIDED", phrase("round.voided", "void")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    series = models.ForeignKey(Series, null=True, on_delete=models.PROTECT, related_name="rounds")
    sheet = models.ForeignKey(RuleSheet, on_delete=models.PROTECT, related_name="rounds")
    number = models.BigIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    phase = models.CharField(max_length=20)
    seats = ArrayField(models.SmallIntegerField(), default=list)
    carry = models.JSONField(null=True)
    held_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(db_default=Now())
    opened_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    happened_at = models.DateTimeField(null=True)
    paper = models.CharField(max_length=20, null=True)
    opened_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    closed_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    settlement = models.OneToOneField(Settlement, null=True, on_delete=models.PROTECT, related_name="+")
    next_at = models.DateTimeField(null=True)
    leases = models.IntegerField(default=0)
    alone = models.BooleanField(default=False)
    failures = models.SmallIntegerField(default=0)
    failure = models.CharField(max_length=200, db_default="", editable=False)

    objects = RoundQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["session"], condition=Q(status="OPEN"), name="round_one_open"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_one"),
            models.CheckConstraint(
                condition=Q(
                    status__in=["OPEN", "VOIDED"], closed_at=None, settled_at=None, settlement=None, next_at=None
                )
                | Q(status="CLOSED", closed_at__isnull=False, settled_at=None, settlement=None, next_at__isnull=False)
                | Q(
                    status="SETTLED",
                    closed_at__isnull=False,
                    settled_at__isnull=False,
                    settlement__isnull=False,
                    next_at=None,
                ),
                name="round_status_whole",
            ),
            models.CheckConstraint(
                condition=Q(held_at=None) | Q(status__in=["OPEN", "CLOSED"]), name="round_held_unsettled"
            ),
            models.CheckConstraint(condition=Q(leases__gte=0, failures__gte=0), name="round_lease_counts"),
            models.CheckConstraint(
                condition=Q(happened_at=None) | Q(happened_at__gte=EARLIEST, happened_at__lte=F("opened_at")),
                name="round_happened_before",
            ),
            models.CheckConstraint(
                condition=Q(happened_at=None, paper=None, opened_with=None)
                | Q(happened_at__isnull=False, paper__isnull=False, opened_with__isnull=False),
                name="round_paper_whole",
            ),
            models.CheckConstraint(condition=Q(paper=None) | Q(paper__regex=PRINTED), name="round_paper_printed"),
            models.CheckConstraint(
                condition=Q(opened_with=None) | ~Q(opened_with=F("opened_by")), name="round_four_eyes"
            ),
            # A void round is replayed, or entered again from its paper.
            models.UniqueConstraint(
                fields=["paper"], condition=Q(paper__isnull=False) & ~Q(status="VOIDED"), name="round_paper_once"
            ),
            models.CheckConstraint(condition=readable("carry"), name="round_carry_readable"),
        ]
        indexes = [
            models.Index(fields=["next_at", "id"], condition=Q(status="CLOSED", held_at=None), name="round_due"),
            models.Index(fields=["held_at"], condition=Q(held_at__isnull=False), name="round_held"),
            models.Index(fields=["session"], name="round_session"),
        ]

    def __str__(self):
        return f"{self.table.code}-{self.number:05d}"

    @property
    def ref(self):
        return f"round:{self.pk}"

    @property
    def played_at(self):
        """When it began; a round from paper began before it was opened here."""
        return self.happened_at or self.opened_at

    @property
    def entered_late(self):
        """Whether it was entered from paper after its session was closed."""
        closed_at = self.session.closed_at if self.paper else None
        return closed_at is not None and closed_at < self.opened_at


class Action(models.Model):
    """Something done in a round and accepted. Append-only: what is taken back stays, and what takes it back names it.

    An action of the kind `undo` takes `undoes` out; any other that undoes stands in the place of what it undoes.
    `approved_by` is the pit boss who signed what the croupier may not do alone.
    """

    UNDO = "undo"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="actions")
    ordinal = models.IntegerField()
    phase = models.CharField(max_length=20)
    kind = models.CharField(max_length=20)
    box = models.SmallIntegerField(null=True)
    arguments = models.JSONField()
    by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    terminal = models.ForeignKey(Terminal, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())
    undoes = models.IntegerField(null=True)

    class Meta:
        ordering = ["round", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["round", "ordinal"], name="action_ordinal_once"),
            models.UniqueConstraint(fields=["round", "undoes"], name="action_undone_once"),
            models.CheckConstraint(condition=Q(ordinal__gte=1), name="action_ordinal_from_one"),
            models.CheckConstraint(
                condition=Q(undoes=None) | Q(undoes__gte=1, undoes__lt=F("ordinal")), name="action_undoes_earlier"
            ),
            models.CheckConstraint(condition=~Q(kind="undo", undoes=None), name="action_undo_names"),
            models.CheckConstraint(condition=Q(approved_by=None) | ~Q(approved_by=F("by")), name="action_four_eyes"),
            models.CheckConstraint(condition=Exact(KIND_OF_ARGUMENTS, "object"), name="action_arguments_object"),
            models.CheckConstraint(condition=readable("arguments"), name="action_arguments_readable"),
        ]

    def __str__(self):
        return f"{self.ordinal} {self.kind}"


class Line(models.Model):
    """A complete line of contracts/adjudicate.md with its stakes: what one generation settles. Append-only.

    `text` and `wagers` are canonical; `wagers` lists (ordinal, box, kind, units) in the order of staking. `carry` is
    what the round began with according to this line: so a correction of an earlier round of the series reaches it.
    `handed` lists (box, units) of the boxes that were finished before the round's end (house.7); null if none was.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="lines", db_index=False)
    ordinal = models.IntegerField()
    text = models.TextField()
    wagers = models.TextField()
    carry = models.JSONField(null=True)
    handed = models.JSONField(null=True)
    by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["round", "ordinal"]
        constraints = [
            models.CheckConstraint(condition=Q(approved_by=None) | ~Q(approved_by=F("by")), name="line_four_eyes"),
            models.UniqueConstraint(fields=["round", "ordinal"], name="line_ordinal_once"),
            models.CheckConstraint(condition=Q(ordinal__gte=1), name="line_ordinal_from_one"),
            models.CheckConstraint(condition=Q(ordinal=1) | Q(approved_by__isnull=False), name="line_corrected_by_two"),
            models.CheckConstraint(condition=readable("text"), name="line_text_readable"),
            models.CheckConstraint(condition=readable("wagers"), name="line_wagers_readable"),
            models.CheckConstraint(condition=readable("carry"), name="line_carry_readable"),
            models.CheckConstraint(condition=readable("handed"), name="line_handed_readable"),
        ]

    def __str__(self):
        return f"{self.round_id} line {self.ordinal}"
