"""The floor: pits and tables, who works where, sessions, rule sheets, and rounds with what happened in them."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import ChipSet
from casino.roles import Role
from payouts.models import Account, CoefficientTable, Settlement

STAFF = settings.AUTH_USER_MODEL


class Pit(models.Model):
    """Tables under one pit boss."""

    code = models.CharField(max_length=8, unique=True)
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ["code"]

    def __str__(self):
        return self.name

    @property
    def ref(self):
        return f"pit:{self.pk}"


class Table(models.Model):
    """A table on the floor. Its rounds are numbered without a gap for ever, across games and sessions."""

    code = models.CharField(max_length=8, unique=True)
    name = models.CharField(max_length=40)
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    chip_set = models.ForeignKey(ChipSet, on_delete=models.PROTECT, related_name="+")
    float_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    patrons_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    pot_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    last_number = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z][A-Z0-9]*$"), name="table_code_plain"),
            models.CheckConstraint(condition=Q(last_number__gte=0), name="table_last_number"),
        ]

    def __str__(self):
        return self.name

    @property
    def ref(self):
        """The table's name in the log, and the key of its chain."""
        return f"table:{self.pk}"


class Terminal(models.Model):
    """A device enrolled at a table."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="terminals")
    name = models.CharField(max_length=20, unique=True)
    token_digest = models.CharField(max_length=64, null=True, unique=True)
    enrolled_at = models.DateTimeField(db_default=Now())
    revoked_at = models.DateTimeField(null=True)

    def __str__(self):
        return self.name


class Posting(models.Model):
    """A person's role, in one pit or in all (`pit` empty)."""

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="postings")
    role = models.CharField(max_length=20, choices=[(role.value, role.value.replace("_", " ")) for role in Role])
    pit = models.ForeignKey(Pit, null=True, on_delete=models.PROTECT, related_name="postings")
    posted_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["staff", "role", "pit"],
                condition=Q(ended_at=None),
                nulls_distinct=False,
                name="posting_once",
            ),
            models.CheckConstraint(condition=Q(role__in=[role.value for role in Role]), name="posting_role_known"),
        ]

    def __str__(self):
        return f"{self.role} {self.pit_id or 'everywhere'}"


class SignOn(models.Model):
    """A croupier at a table, from taking it over to handing it on. One table a person, one person a table."""

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="sign_ons")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sign_ons")
    terminal = models.ForeignKey(Terminal, null=True, on_delete=models.PROTECT, related_name="+")
    signed_on_at = models.DateTimeField(db_default=Now())
    signed_off_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff"], condition=Q(signed_off_at=None), name="signon_one_table"),
            models.UniqueConstraint(fields=["table"], condition=Q(signed_off_at=None), name="signon_one_person"),
        ]

    def __str__(self):
        return f"{self.staff_id} at {self.table_id}"


class RuleSheet(models.Model):
    """The rules of one game as tables play them: parameters, limits, coefficients. Once published it never changes.

    `rules` is the canonical text that the log carries, `digest` its SHA-256; both come with publication.
    """

    class Status(models.TextChoices):
        DRAFT = "DRAFT", "draft"
        PUBLISHED = "PUBLISHED", "published"

    MOVES = {Status.DRAFT: {Status.PUBLISHED}, Status.PUBLISHED: set()}

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

    class Meta:
        ordering = ["game", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["game", "version"], name="rulesheet_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="rulesheet_version_from_one"),
            models.CheckConstraint(
                condition=Q(status="DRAFT", published_by=None, published_at=None, rules=None, digest=None)
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
        ]

    def __str__(self):
        return f"{self.game} {self.version}"

    @property
    def ref(self):
        return f"sheet:{self.pk}"

    @property
    def short(self):
        """The first eight digits of the digest as people compare them: `7F3A C91E`."""
        return f"{self.digest[:4]} {self.digest[4:8]}".upper() if self.digest else ""


class InForce(models.Model):
    """A rule sheet at a table from a moment on; rounds opened earlier keep theirs."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sheets_in_force")
    sheet = models.ForeignKey(RuleSheet, on_delete=models.PROTECT, related_name="in_force")
    from_at = models.DateTimeField()
    set_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "rule sheets in force"
        constraints = [models.UniqueConstraint(fields=["table", "from_at"], name="inforce_moment_once")]

    def __str__(self):
        return f"{self.sheet_id} at {self.table_id}"


class Session(models.Model):
    """A table from opener to closer. Its business date is fixed at opening and everything in it carries it."""

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed"

    MOVES = {Status.OPEN: {Status.CLOSED}, Status.CLOSED: set()}

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    business_date = models.DateField()
    opened_at = models.DateTimeField(db_default=Now())
    opened_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    opened_with = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    closed_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=Q(status="OPEN"), name="session_one_open"),
            models.CheckConstraint(
                condition=Q(status="OPEN", closed_at=None, closed_by=None, closed_with=None)
                | Q(status="CLOSED", closed_at__isnull=False, closed_by__isnull=False, closed_with__isnull=False),
                name="session_closed_whole",
            ),
            models.CheckConstraint(
                condition=~Q(opened_by=F("opened_with")) & (Q(closed_by=None) | ~Q(closed_by=F("closed_with"))),
                name="session_four_eyes",
            ),
        ]

    def __str__(self):
        return f"{self.table_id} {self.business_date}"

    @property
    def ref(self):
        return f"session:{self.pk}"


class Series(models.Model):
    """Rounds of one sitting that carry something on: Dynastia's long game, Big Two's rounds, Presidential's redeals."""

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed"

    MOVES = {Status.OPEN: {Status.CLOSED}, Status.CLOSED: set()}

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
            models.UniqueConstraint(fields=["table"], condition=Q(status="OPEN"), name="series_one_open"),
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
        """Closed, not held, and its moment has come: what a worker settles."""
        return self.filter(status=Round.Status.CLOSED, held_at=None, next_at__lte=Now())


class Round(models.Model):
    """From the first stake to paid bets at one table; mostly one deal.

    `phase` is text that the game owns. The state is the fold of its actions; nothing of it is stored here. A closed
    round that is not held is due from `next_at` on; `leases` counts how often a worker took it since it last came back,
    `alone` whether the last lease was for it alone, `failures` how often settling this very round failed.
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        CLOSED = "CLOSED", "closed, not yet settled"
        SETTLED = "SETTLED", "settled"
        VOIDED = "VOIDED", "void"

    MOVES = {
        Status.OPEN: {Status.CLOSED, Status.VOIDED},
        Status.CLOSED: {Status.SETTLED},
        Status.SETTLED: set(),
        Status.VOIDED: set(),
    }

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rounds")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="rounds")
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
    closed_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    settlement = models.OneToOneField(Settlement, null=True, on_delete=models.PROTECT, related_name="+")
    next_at = models.DateTimeField(null=True)
    leases = models.IntegerField(default=0)
    alone = models.BooleanField(default=False)
    failures = models.SmallIntegerField(default=0)

    objects = RoundQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["table"], condition=Q(status="OPEN"), name="round_one_open"),
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


class Action(models.Model):
    """One accepted step of a round. Append-only: what is taken back stays, and the action that takes it back names it.

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
        ]

    def __str__(self):
        return f"{self.ordinal} {self.kind}"


class Line(models.Model):
    """A complete line of contracts/adjudicate.md with its stakes: what one generation settles. Append-only.

    `text` and `wagers` are canonical; `wagers` lists (ordinal, box, kind, units) in the order of staking. `carry` is
    what the round began with as this line sees it: so a correction of an earlier round of the series reaches it.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="lines")
    ordinal = models.IntegerField()
    text = models.TextField()
    wagers = models.TextField()
    carry = models.JSONField(null=True)
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
        ]

    def __str__(self):
        return f"{self.round_id} line {self.ordinal}"


class Intervention(models.Model):
    """Somebody steps into the course of a round, or `by` empty the system does. Append-only.

    `reason` is free text and stays here; the log has its SHA-256 behind `salt` alone. A void and a correction take two
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


class Dispute(models.Model):
    """Somebody contests a round: what about, at which boxes (none: the whole table), and how it was ruled.

    What was raised stays, and so does the ruling once it is made; `line` is the complete line that an upheld one made,
    with a second person. RULED: something is still to be handed over at the table. The two free texts stay here; the
    log has their SHA-256 behind their salts alone.
    """

    class Status(models.TextChoices):
        OPEN = "OPEN", "open"
        RULED = "RULED", "ruled, not yet handed over"
        CLOSED = "CLOSED", "closed"

    class Ruling(models.TextChoices):
        UPHELD = "upheld", "upheld"
        REFUSED = "refused", "refused"

    MOVES = {Status.OPEN: {Status.RULED}, Status.RULED: {Status.CLOSED}, Status.CLOSED: set()}

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
                condition=Q(line=None, approved_by=None)
                | Q(ruling="upheld", line__isnull=False, approved_by__isnull=False) & ~Q(approved_by=F("ruled_by")),
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
        return f"Dispute {self.pk}"

    @property
    def ref(self):
        return f"dispute:{self.pk}"


class Box(models.Model):
    """A box in play in a round, as the state says: for queries and people, written anew with each action."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="boxes")
    number = models.SmallIntegerField()
    state = models.CharField(max_length=20)

    class Meta:
        verbose_name_plural = "boxes"
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="box_once")]

    def __str__(self):
        return f"box {self.number}"


class Hand(models.Model):
    """Cards in one place of a round, as the state says; `box` is empty for the dealer, an unseen card is `?`."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="hands")
    box = models.SmallIntegerField(null=True)
    kind = models.CharField(max_length=20)
    cards = ArrayField(models.CharField(max_length=20))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "box", "kind"], nulls_distinct=False, name="hand_once")]

    def __str__(self):
        return f"{self.kind} {' '.join(self.cards)}"


class Wager(models.Model):
    """A stake in a round, as the state says."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="wagers")
    ordinal = models.SmallIntegerField()
    box = models.SmallIntegerField()
    kind = models.CharField(max_length=20)
    units = models.BigIntegerField()

    class Meta:
        ordering = ["round", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["round", "ordinal"], name="wager_ordinal_once"),
            models.CheckConstraint(condition=Q(units__gt=0), name="wager_units_positive"),
        ]

    def __str__(self):
        return f"{self.kind} {self.units}"
