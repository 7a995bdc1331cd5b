"""The memory: chains of entries. Entries are text once written; the bytes are contracts/log.md's."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from casino.models import EARLIEST, LATEST, readable

FIRST_PREV = "0" * 64


class Chain(models.Model):
    """The head of one chain: `table:<id>` for what happens at a table, `house` for everything else.

    `head` is the SHA-256 of the bytes of the newest entry, `seq` its number, `at` its time. A writer locks this row
    last of all locks and keeps it to commit, so the visible part of a chain has no gap.
    """

    key = models.CharField(max_length=40, primary_key=True)
    seq = models.BigIntegerField(default=0)
    head = models.CharField(max_length=64, default=FIRST_PREV)
    at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(key__regex=r"^(house|table:[1-9][0-9]{0,17})$"), name="chain_key_known"
            ),
            models.CheckConstraint(condition=models.Q(head__regex=r"^[0-9a-f]{64}$"), name="chain_head_hex"),
        ]

    def __str__(self):
        return self.key


def _fact():
    """A column that a guard fills from the entry's own text, so that it can't say anything else."""
    return models.CharField(max_length=80, null=True, editable=False)


# The second signer, if two people are needed: queries and an index use this one text.
SIGNER = RawSQL(
    "coalesce((body::jsonb #>> '{facts,approver}'), (body::jsonb #>> '{facts,signers,1}'),"
    " (body::jsonb #>> '{facts,people,1}'), (body::jsonb #>> '{facts,author}'))",
    [],
    output_field=models.TextField(),
)
SIGNED = (
    models.Q(body__contains='"approver":"staff:')
    | models.Q(body__contains='"signers":["staff:')
    | models.Q(body__contains='"people":["staff:')
    | models.Q(body__contains='"author":"staff:')
)


SIGNATURE = "signature.given"
# Who had something signed, and the key of the command.
REQUESTER = RawSQL("(body::jsonb #>> '{facts,requester}')", [], output_field=models.TextField())
KEY = RawSQL("(body::jsonb #>> '{facts,key}')", [], output_field=models.TextField())


class Entry(models.Model):
    """One thing that happened, as canonical text. Append-only.

    It is found by its time: of all, of a chain, a subject, an event or a person.
    """

    # No foreign key: a guard that looks at the chain's head knows that the chain exists.
    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, related_name="entries", db_index=False, db_constraint=False
    )
    seq = models.BigIntegerField()
    body = models.TextField()
    event = _fact()
    subject = _fact()
    by = _fact()
    at = _fact()

    class Meta:
        verbose_name_plural = "history"
        ordering = ["chain", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "seq"], name="entry_seq_once"),
            models.UniqueConstraint(
                REQUESTER, KEY, "chain", condition=models.Q(event=SIGNATURE), name="entry_signed_once"
            ),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="entry_seq_from_one"),
            models.CheckConstraint(
                condition=models.Q(event__isnull=False, subject__isnull=False, by__isnull=False, at__isnull=False),
                name="entry_says_all",
            ),
        ]
        indexes = [
            models.Index(fields=["at", "id"], name="entry_at_id"),
            models.Index(fields=["chain", "at", "id"], name="entry_chain_at"),
            models.Index(fields=["subject", "at", "id"], name="entry_subject_at"),
            models.Index(fields=["event", "at", "id"], name="entry_event_at"),
            models.Index(fields=["by", "at", "id"], name="entry_by_at"),
            models.Index(SIGNER, "at", "id", condition=SIGNED, name="entry_signer_at"),
        ]

    def __str__(self):
        return f"{self.chain_id} {self.seq}"


class Leaf(models.Model):
    """An entry's place in the tree, and the hash of its leaf, which the database works out itself. Append-only, except
    for those that an auditor passes over before they are signed (`ahead.py`).

    Leaves are numbered without a gap from 0; within a chain in the order of its entries.
    """

    index = models.BigIntegerField(primary_key=True)
    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, related_name="leaves", db_index=False, db_constraint=False
    )
    seq = models.BigIntegerField()
    hash = models.BinaryField()

    class Meta:
        verbose_name_plural = "leaves"
        constraints = [models.UniqueConstraint(fields=["chain", "seq"], name="leaf_once")]

    def __str__(self):
        return f"{self.index}"


class PassedLeaf(models.Model):
    """A leaf that no signature covered and that an auditor passed over: moved here as it stood. Append-only."""

    index = models.BigIntegerField()
    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False)
    seq = models.BigIntegerField()
    hash = models.BinaryField()

    class Meta:
        verbose_name_plural = "passed leaves"

    def __str__(self):
        return f"{self.index}"


class Subtree(models.Model):
    """The hash of a complete subtree whose height is a multiple of `STEP`: proofs need no leaf that lies far away.

    Append-only.
    """

    STEP = 8

    height = models.SmallIntegerField()
    place = models.BigIntegerField()
    hash = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["height", "place"], name="subtree_once")]

    def __str__(self):
        return f"{self.height}/{self.place}"


class GrowingQuerySet(models.QuerySet):
    """Rows in the order of the tree's sizes."""

    def newest(self):
        """The row of the largest tree; None while there is none."""
        return self.order_by("-pk").first()


class Checkpoint(models.Model):
    """The tree as it was sealed with its first `size` leaves: the signed note, and the right edge to go on from.

    Append-only.
    """

    size = models.BigIntegerField(primary_key=True)
    root = models.BinaryField()
    edge = ArrayField(models.BinaryField())
    note = models.TextField()
    at = models.DateTimeField(db_default=Now())

    objects = GrowingQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(size__gte=1), name="checkpoint_has_leaves")]

    def __str__(self):
        return f"{self.size}"


class Anchor(models.Model):
    """A checkpoint that was appended to the file outside, where the database's owner can't reach it. Append-only."""

    checkpoint = models.OneToOneField(Checkpoint, on_delete=models.PROTECT, primary_key=True, related_name="anchor")
    at = models.DateTimeField(db_default=Now())

    objects = GrowingQuerySet.as_manager()

    def __str__(self):
        return f"{self.checkpoint_id}"


class Export(models.Model):
    """What an auditor takes home: a folder with entries of the log and the proofs that they are its own.

    The row is the task. A worker writes piece by piece and keeps in `progress` how far it is, so that another can go
    on after a crash; `leaves_written` of `leaves` is for the progress bar.
    """

    class Kind(models.TextChoices):
        ALL = "all", "everything"
        TABLE = "table", "a table"
        PERIOD = "period", "a period"

    class Status(models.TextChoices):
        ASKED = "ASKED", "being written"
        DONE = "DONE", "done"
        FAILED = "FAILED", "failed"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    table_key = models.CharField(max_length=40, blank=True)
    from_at = models.DateTimeField(null=True)
    to_at = models.DateTimeField(null=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(db_default=Now())
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
    checkpoint = models.ForeignKey(Checkpoint, null=True, on_delete=models.PROTECT, related_name="exports")
    leaves = models.BigIntegerField(default=0)
    leaves_written = models.BigIntegerField(default=0)
    entries = models.BigIntegerField(default=0)
    progress = models.JSONField(default=dict)
    ended_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="all", table_key="", from_at=None, to_at=None)
                | models.Q(kind="table", table_key__regex=r"^table:[0-9]+$", from_at=None, to_at=None)
                | models.Q(kind="period", table_key="", from_at__isnull=False, to_at__gt=models.F("from_at")),
                name="export_says_what",
            ),
            models.CheckConstraint(
                condition=models.Q(status="ASKED", ended_at=None)
                | models.Q(status="DONE", ended_at__isnull=False, checkpoint__isnull=False, failure="")
                | models.Q(status="FAILED", ended_at__isnull=False, failure__gt=""),
                name="export_ended_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(from_at=None) | models.Q(from_at__gte=EARLIEST, to_at__lt=LATEST),
                name="export_moments_readable",
            ),
            # It holds the size of each anchored checkpoint, of years.
            models.CheckConstraint(
                condition=readable("progress", models.Value(64 * 2**20)), name="export_progress_readable"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(status="ASKED"), name="export_asked"),
        ]

    @property
    def ref(self):
        return f"export:{self.pk}"

    def __str__(self):
        return f"Export {self.pk}"


class Sealing(models.Model):
    """The one row in which the sealer keeps its state, and which it locks to be alone.

    It holds why sealing or anchoring does not go on, each empty while it does; the rows that the sealer passed over
    because it had not written them, until a person knows of them; the sizes of the newest checkpoint that it signed and
    of the newest that lies outside, and since when. The sealer corrects what somebody else writes here.
    """

    id = models.SmallIntegerField(primary_key=True, default=1, editable=False)
    refused = models.CharField(max_length=500, blank=True)
    unanchored = models.CharField(max_length=500, blank=True)
    forged = models.CharField(max_length=500, blank=True)
    sealed = models.BigIntegerField(default=0)
    anchored = models.BigIntegerField(default=0)
    anchored_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="sealing_one_row"),
            models.CheckConstraint(
                condition=models.Q(anchored_at=None) | models.Q(anchored_at__range=(EARLIEST, LATEST)),
                name="sealing_moment_readable",
            ),
        ]

    def __str__(self):
        return self.refused or self.unanchored or self.forged or "in order"


class Inspection(models.Model):
    """One inspection of what the house has written, part by part, up to what there was when it began.

    The row is the task: `plan`, which the sealer fills, has the parts with the highest key of each, `place` is the part
    under way, `after` the last key looked at in it, and `state` what the part needs to go on. `counts` says, by part,
    how much was looked at. So after a crash any worker can resume it.
    """

    class Kind(models.TextChoices):
        ALL = "all", "everything"
        BOOKS = "books", "the books"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    hurried = models.BooleanField(default=False)
    begun_at = models.DateTimeField(db_default=Now())
    plan = models.JSONField(default=list)
    place = models.SmallIntegerField(default=0)
    after = models.BigIntegerField(default=0)
    state = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=["all", "books"]), name="inspection_kind_known"),
            models.CheckConstraint(condition=models.Q(place__gte=0, after__gte=0), name="inspection_from_the_start"),
            models.CheckConstraint(condition=readable("plan"), name="inspection_plan_readable"),
            models.CheckConstraint(condition=readable("state"), name="inspection_state_readable"),
            models.CheckConstraint(condition=readable("counts"), name="inspection_counts_readable"),
            models.UniqueConstraint(
                fields=["kind", "hurried"], condition=models.Q(ended_at=None), name="inspection_one_under_way"
            ),
        ]
        indexes = [
            models.Index(fields=["kind", "begun_at"], name="inspection_kind_begun"),
        ]

    def __str__(self):
        return f"Inspection {self.pk}"

    @property
    def ref(self):
        return f"inspection:{self.pk}"


class FindingQuerySet(models.QuerySet):
    def open(self):
        """Findings that nobody has accepted: nothing new is sealed while there is one."""
        return self.filter(accepted_at=None)


class Finding(models.Model):
    """A difference that an inspection names: a row, and how it differs from the log. It is never withdrawn.

    A person who knows its cause accepts it; the log records that, the reason stays here, and sealing goes on.
    """

    inspection = models.ForeignKey(Inspection, on_delete=models.PROTECT, related_name="findings")
    subject = models.CharField(max_length=80)
    what = models.CharField(max_length=80)
    sentence = models.CharField(max_length=500)
    named_at = models.DateTimeField(db_default=Now())
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(default="")
    salt = models.CharField(max_length=32, default="")

    objects = FindingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subject", "what", "sentence"], name="finding_named_once"),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None, accepted_by=None, reason="", salt="")
                | models.Q(accepted_at__isnull=False, accepted_by__isnull=False, reason__gt="", salt__gt=""),
                name="finding_accepted_whole",
            ),
        ]
        indexes = [models.Index(fields=["id"], condition=models.Q(accepted_at=None), name="finding_open")]

    def __str__(self):
        return f"{self.subject}: {self.what}"

    @property
    def ref(self):
        return f"finding:{self.pk}"
