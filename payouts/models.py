"""The money: coefficient tables, accounts, and what is never updated - settlements, movements, transfers, payments.

All amounts are integers of the currency's smallest unit. Accounts are seen as the house's assets: the debited account
receives, the credited one gives, and a balance is debits less credits.
"""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast, Concat, Now

from casino.models import readable

STAFF = settings.AUTH_USER_MODEL
# More than any house holds in chips, yet small enough that nine million such transfers fit a sum of 64 bits.
MOST_UNITS = 10**12
# The kinds of movements that belong to a session, to a shift of the cage, and to a slip.
_OF_SESSIONS = ("opener", "closer", "buy_in", "tip", "drop", "variance", "correction")
_OF_THE_CAGE = ("issued", "withdrawn", "sold", "cashed")
_OF_SLIPS = ("fill_issued", "fill", "fill_returned", "credit", "credit_received", "credit_returned")
RESULT_IS_JSON = models.Func(
    "result",
    template="(octet_length(%(expressions)s) <= 1048576 AND %(expressions)s IS JSON OBJECT WITH UNIQUE KEYS)",
    output_field=models.BooleanField(),
)


class CoefficientTable(models.Model):
    """What each category pays, drafted by one person and published by another. Once published it never changes."""

    class Status(models.TextChoices):
        DRAFT = "DRAFT", "draft"
        PUBLISHED = "PUBLISHED", "published"

    game = models.CharField(max_length=20)
    name = models.CharField(max_length=60, unique=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    drafted_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    drafted_at = models.DateTimeField(db_default=Now())
    published_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status="DRAFT", published_by=None, published_at=None)
                | Q(status="PUBLISHED", published_by__isnull=False, published_at__isnull=False),
                name="coefficienttable_published_whole",
            ),
            models.CheckConstraint(
                condition=Q(published_by=None) | ~Q(published_by=F("drafted_by")), name="coefficienttable_four_eyes"
            ),
        ]

    def __str__(self):
        return self.name

    def ratios(self):
        """Category to `n:d`, as rule sheets and lines write it."""
        return {row.category: f"{row.numerator}:{row.denominator}" for row in self.coefficients.order_by("ordinal")}


class Coefficient(models.Model):
    """One category's ratio (split.23); `ordinal` keeps the game's order, from the lowest category up.

    It is only stored here: `casino/games/split/settle.py` works out what it is paid on.
    """

    table = models.ForeignKey(CoefficientTable, on_delete=models.PROTECT, related_name="coefficients")
    ordinal = models.SmallIntegerField()
    category = models.CharField(max_length=20)
    numerator = models.IntegerField()
    denominator = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "category"], name="coefficient_once"),
            models.UniqueConstraint(fields=["table", "ordinal"], name="coefficient_ordinal_once"),
            models.CheckConstraint(
                condition=Q(numerator__range=(1, 10_000), denominator__range=(1, 10_000)), name="coefficient_range"
            ),
        ]

    def __str__(self):
        return f"{self.category} {self.numerator}:{self.denominator}"


class AccountQuerySet(models.QuerySet):
    def with_balance(self):
        """Accounts with `balance_units`: what each received less what it gave."""
        return self.annotate(
            balance_units=models.Func("pk", function="account_balance", output_field=models.BigIntegerField())
        )


class Account(models.Model):
    """A place where money is: a table's float, patrons, pot, rake slot or drop boxes, or the casino's cage, chips in
    transit between cage and tables, count room, rake, variance; the chips that it ever issued (below 0: that account
    gave them), the cage's cash: what patrons paid there for chips less what they were paid, and the tips, chips that
    the house keeps and that are not its own.

    `owner` is the table's reference, or `house`; together with the kind it is the account's name in the log. The
    house's rake is that of rounds from before each table had a rake slot of its own.
    """

    class Kind(models.TextChoices):
        FLOAT = "float", "float"
        PATRONS = "patrons", "patrons"
        POT = "pot", "pot"
        CAGE = "cage", "cage"
        TRANSIT = "transit", "in transit"
        COUNT_ROOM = "count_room", "count room"
        RAKE = "rake", "rake"
        VARIANCE = "variance", "variance"
        ISSUED = "issued", "chips issued"
        CASH = "cash", "cash of the cage"
        DROP_BOX = "drop_box", "drop box"
        TIPS = "tips", "tips"

    OF_A_TABLE = (Kind.FLOAT, Kind.PATRONS, Kind.POT, Kind.RAKE, Kind.DROP_BOX)
    OF_THE_HOUSE = (
        Kind.CAGE, Kind.TRANSIT, Kind.COUNT_ROOM, Kind.RAKE, Kind.VARIANCE, Kind.ISSUED, Kind.CASH, Kind.TIPS,
    )  # fmt: skip

    kind = models.CharField(max_length=10, choices=Kind.choices)
    owner = models.CharField(max_length=40)

    objects = AccountQuerySet.as_manager()

    class Meta:
        ordering = ["owner", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "owner"], name="account_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["float", "patrons", "pot", "rake", "drop_box"], owner__regex=r"^table:[0-9]+$")
                | Q(
                    kind__in=["cage", "transit", "count_room", "rake", "variance", "issued", "cash", "tips"],
                    owner="house",
                ),
                name="account_owner_fits",
            ),
        ]

    def __str__(self):
        return self.ref

    @property
    def ref(self):
        """The account's name in the log: `float:table:7`, `cage:house`."""
        return f"{self.kind}:{self.owner}"


class TransactionId(models.Field):
    """PostgreSQL's xid8: the transaction that made a header. Written by a trigger alone."""

    def db_type(self, connection):
        return "xid8"


class Header(models.Model):
    """What a transfer belongs to. Transfers join it only in the transaction that made it: xid and begin both agree,
    since a restored cluster counts xids anew."""

    key = models.CharField(max_length=60)
    business_date = models.DateField()
    made_in = TransactionId(editable=False, db_default=models.Func(function="pg_current_xact_id"))
    begun_at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        abstract = True

    def __str__(self):
        return self.key


class Settlement(Header):
    """One generation of one round's result. Its key is `round:81:1`, the last part the generation. Append-only."""

    round_key = models.CharField(max_length=40)
    generation = models.IntegerField()
    table_key = models.CharField(max_length=40)
    line_ordinal = models.IntegerField()
    sheet_digest = models.CharField(max_length=64)
    result = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="payouts_settlement_key_key"),
            models.UniqueConstraint(fields=["round_key", "generation"], name="settlement_generation_once"),
            models.UniqueConstraint(fields=["round_key", "line_ordinal"], name="settlement_line_once"),
            models.CheckConstraint(condition=Q(generation__gte=1, line_ordinal__gte=1), name="settlement_from_one"),
            models.CheckConstraint(condition=Q(round_key__regex=r"^round:[1-9][0-9]*$"), name="settlement_round_key"),
            models.CheckConstraint(condition=RESULT_IS_JSON, name="settlement_result_json"),
            models.CheckConstraint(condition=readable("result"), name="settlement_result_readable"),
            models.CheckConstraint(
                condition=Q(
                    key=Concat(
                        "round_key",
                        models.Value(":"),
                        Cast("generation", models.TextField()),
                        output_field=models.TextField(),
                    )
                ),
                name="settlement_key_says_both",
            ),
        ]
        indexes = [
            models.Index(fields=["table_key", "business_date"], name="settlement_table_day"),
            models.Index(fields=["table_key"], condition=Q(generation__gt=1), name="settlement_corrected"),
        ]


class Movement(Header):
    """Chips, or cash, that move between cage, float, drop box and count room, by two people. Append-only.

    If nobody knows which chips they were - a variance, a buy-in, a tip, a correction, chips sold - `denominations` is a
    sum in the smallest unit, such as `{"1": 500}`. One person enters a tip, or a buy-in up to what the house lets pass,
    and nobody approves it.
    """

    class Kind(models.TextChoices):
        OPENER = "opener", "opener"
        CLOSER = "closer", "closer"
        RAKE = "rake", "rake"
        FILL_ISSUED = "fill_issued", "fill issued"
        FILL = "fill", "fill"
        FILL_RETURNED = "fill_returned", "fill sent back"
        CREDIT = "credit", "credit"
        CREDIT_RECEIVED = "credit_received", "credit received"
        CREDIT_RETURNED = "credit_returned", "credit sent back"
        BUY_IN = "buy_in", "buy-in"
        TIP = "tip", "tip"
        DROP = "drop", "drop"
        VARIANCE = "variance", "variance"
        ISSUED = "issued", "issued"
        WITHDRAWN = "withdrawn", "taken out of use"
        SOLD = "sold", "sold"
        CASHED = "cashed", "cashed"
        CORRECTION = "correction", "correction"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject = models.CharField(max_length=40)
    number = models.BigIntegerField()
    denominations = models.JSONField()
    requested_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="payouts_movement_key_key"),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=False) | Q(kind__in=["buy_in", "tip"]), name="movement_approved"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["rake", *_OF_SESSIONS, *_OF_SLIPS, *_OF_THE_CAGE]),
                name="movement_kind_known",
            ),
            models.CheckConstraint(condition=~Q(requested_by=F("approved_by")), name="movement_four_eyes"),
            models.CheckConstraint(
                condition=Q(
                    key=Concat(
                        "subject",
                        models.Value(":"),
                        "kind",
                        models.Value(":"),
                        Cast("number", models.TextField()),
                        output_field=models.TextField(),
                    )
                ),
                name="movement_key_says_all",
            ),
            models.CheckConstraint(condition=readable("denominations"), name="movement_denominations_readable"),
        ]
        indexes = [models.Index(fields=["subject"], name="movement_subject")]


class MovementRule(models.Model):
    """Which accounts a kind of movement may join, by their kinds, and what it belongs to. No other chips move.

    Laid down by `sql/movements.sql`; the app only reads it.
    """

    pk = models.CompositePrimaryKey("kind", "debit", "credit", "subject")
    kind = models.CharField(max_length=20)
    debit = models.CharField(max_length=20)
    credit = models.CharField(max_length=20)
    subject = models.CharField(max_length=20)

    class Meta:
        db_table = "movement_rules"

    def __str__(self):
        return f"{self.kind}: {self.credit} to {self.debit}"


class Transfer(models.Model):
    """Money from one account to another: `debit` receives, `credit` gives, never 0. Append-only.

    It can't be unbalanced, since it is one row. It belongs to exactly one header, made in the same transaction; a
    movement has exactly one transfer.
    """

    class Reason(models.TextChoices):
        WAGER = "wager", "wager"
        STAKE_IN = "stake_in", "stake into the pot"
        SHARE = "share", "share of the pot"
        RAKE = "rake", "rake"
        POINTS = "points", "points"
        OPENER = "opener", "opener"
        CLOSER = "closer", "closer"
        FILL_ISSUED = "fill_issued", "fill issued"
        FILL = "fill", "fill"
        FILL_RETURNED = "fill_returned", "fill sent back"
        CREDIT = "credit", "credit"
        CREDIT_RECEIVED = "credit_received", "credit received"
        CREDIT_RETURNED = "credit_returned", "credit sent back"
        BUY_IN = "buy_in", "buy-in"
        TIP = "tip", "tip"
        DROP = "drop", "drop"
        VARIANCE = "variance", "variance"
        ISSUED = "issued", "issued"
        WITHDRAWN = "withdrawn", "taken out of use"
        SOLD = "sold", "sold"
        CASHED = "cashed", "cashed"
        CORRECTION = "correction", "correction"
        REVERSAL = "reversal", "reversal"

    key = models.CharField(max_length=120)
    # Guards check that settlement and accounts exist, for a whole statement at once, and none is ever deleted: foreign
    # keys would look for each again, row by row.
    settlement = models.ForeignKey(
        Settlement, null=True, on_delete=models.PROTECT, related_name="transfers", db_constraint=False
    )
    movement = models.ForeignKey(
        Movement, null=True, on_delete=models.PROTECT, related_name="transfers", db_index=False
    )
    debit = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="debits", db_constraint=False)
    credit = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="credits", db_constraint=False)
    units = models.BigIntegerField()
    business_date = models.DateField()
    reason = models.CharField(max_length=20, choices=Reason.choices)
    reverses = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="reversed_by")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="payouts_transfer_key_key"),
            models.CheckConstraint(condition=Q(units__range=(1, MOST_UNITS)), name="transfer_units_range"),
            models.CheckConstraint(condition=~Q(debit=F("credit")), name="transfer_two_accounts"),
            models.UniqueConstraint(fields=["movement"], name="transfer_movement_once"),
            models.CheckConstraint(
                condition=Q(settlement__isnull=False, movement=None) | Q(settlement=None, movement__isnull=False),
                name="transfer_one_header",
            ),
            models.CheckConstraint(
                condition=Q(reason="reversal", reverses__isnull=False) | (~Q(reason="reversal") & Q(reverses=None)),
                name="transfer_reversal_names",
            ),
            models.CheckConstraint(
                condition=Q(
                    reason__in=[
                        "wager",
                        "stake_in",
                        "share",
                        "rake",
                        "points",
                        *_OF_SESSIONS,
                        *_OF_SLIPS,
                        *_OF_THE_CAGE,
                        "reversal",
                    ]
                ),
                name="transfer_reason_known",
            ),
        ]

    def __str__(self):
        return self.key


class Snapshot(models.Model):
    """What a table's account holds when a session closes, the transfer `upto` being the newest of all. Append-only.

    A balance is the newest snapshot and what came after it, so that it never adds up a table's whole life.
    """

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="snapshots")
    subject = models.CharField(max_length=40)
    upto = models.ForeignKey(Transfer, on_delete=models.PROTECT, related_name="+")
    units = models.BigIntegerField()

    class Meta:
        ordering = ["account", "upto"]
        constraints = [
            models.UniqueConstraint(fields=["account", "upto"], name="snapshot_once"),
            models.UniqueConstraint(fields=["account", "subject"], name="snapshot_once_a_session"),
        ]

    def __str__(self):
        return f"{self.account} {self.subject}"


class Payment(models.Model):
    """What one box staked, got back and was paid in one generation. Append-only."""

    # As with a transfer, a guard checks that the settlement exists.
    settlement = models.ForeignKey(
        Settlement, on_delete=models.PROTECT, related_name="payments", db_index=False, db_constraint=False
    )
    box = models.SmallIntegerField()
    outcome = models.CharField(max_length=20)
    staked_units = models.BigIntegerField()
    returned_units = models.BigIntegerField()
    paid_units = models.BigIntegerField()
    net_units = models.BigIntegerField()
    clauses = ArrayField(models.CharField(max_length=20))

    class Meta:
        ordering = ["settlement", "box"]
        constraints = [
            models.UniqueConstraint(fields=["settlement", "box"], name="payment_box_once"),
            models.CheckConstraint(condition=Q(box__gte=1), name="payment_box_from_one"),
            models.CheckConstraint(
                condition=Q(staked_units__gte=0, returned_units__gte=0, paid_units__gte=0), name="payment_not_negative"
            ),
            models.CheckConstraint(condition=Q(returned_units__lte=F("staked_units")), name="payment_returned_staked"),
            models.CheckConstraint(
                condition=Q(net_units=F("returned_units") + F("paid_units") - F("staked_units")), name="payment_net"
            ),
        ]

    def __str__(self):
        return f"{self.settlement_id} box {self.box}"


class PaymentTick(models.Model):
    """The croupier's word that a payment was handed over; with `left_with` that of two people that it was not, since
    the patron has left. Append-only, one per payment."""

    payment = models.OneToOneField(Payment, on_delete=models.PROTECT, related_name="tick")
    by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())
    left_with = models.ForeignKey(STAFF, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(left_with=F("by")), name="paymenttick_left_four_eyes"),
        ]

    @property
    def left(self):
        return self.left_with_id is not None

    def __str__(self):
        return f"{'left' if self.left else 'paid'} {self.payment_id}"


class EdgeResult(models.Model):
    """What the house expects to win by a Split Poker sheet, computed by a worker. The row is the task: ASKED ->
    COMPUTING -> DONE | FAILED | CANCELLED; what failed or was cancelled may be asked for again.

    `key` is the SHA-256 of the canonical `inputs`, which are all that the figures depend on: sheets that do not differ
    in them share one result. `figures` are decimal text. A worker holds the row as long as `beat_at` is young; `tries`
    counts the workers that held it since it was asked for, and `progress` is in thousandths.
    """

    class Status(models.TextChoices):
        ASKED = "ASKED", "waiting"
        COMPUTING = "COMPUTING", "being computed"
        DONE = "DONE", "computed"
        FAILED = "FAILED", "failed"
        CANCELLED = "CANCELLED", "cancelled"

    key = models.CharField(max_length=64, primary_key=True)
    inputs = models.JSONField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
    asked_at = models.DateTimeField(db_default=Now())
    tries = models.SmallIntegerField(default=0)
    progress = models.SmallIntegerField(default=0)
    begun_at = models.DateTimeField(null=True)
    beat_at = models.DateTimeField(null=True)
    figures = models.JSONField(null=True)
    failure = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["asked_at", "key"]
        constraints = [
            models.CheckConstraint(condition=Q(key__regex="^[0-9a-f]{64}$"), name="edgeresult_key_is_digest"),
            models.CheckConstraint(
                condition=Q(tries__range=(0, 3), progress__range=(0, 1000)), name="edgeresult_in_range"
            ),
            models.CheckConstraint(
                condition=Q(status="ASKED", tries=0, progress=0, begun_at=None, beat_at=None, figures=None, failure="")
                | Q(status__in=["COMPUTING", "CANCELLED"], figures=None, failure="")
                | Q(status="DONE", progress=1000, figures__isnull=False, failure="")
                | Q(status="FAILED", figures=None, failure__gt=""),
                name="edgeresult_ended_whole",
            ),
            models.CheckConstraint(condition=readable("inputs"), name="edgeresult_inputs_readable"),
            models.CheckConstraint(condition=readable("figures"), name="edgeresult_figures_readable"),
        ]
        indexes = [
            models.Index(fields=["asked_at"], condition=Q(status__in=["ASKED", "COMPUTING"]), name="edgeresult_due"),
        ]

    def __str__(self):
        return f"edge {self.key[:8]}"
