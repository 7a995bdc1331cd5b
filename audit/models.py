"""The memory: chains of entries. Entries are text once written; the bytes are contracts/log.md's."""

from django.db import models
from django.db.models.expressions import RawSQL

FIRST_PREV = "0" * 64


class Chain(models.Model):
    """The head of one chain: `table:<id>` for what happens at a table, `house` for everything else.

    `head` is the SHA-256 of the bytes of the newest entry, `seq` its number, `at` its time. Whoever appends locks this
    row last of all locks and keeps it to commit, so what is visible of a chain has no gap.
    """

    key = models.CharField(max_length=40, primary_key=True)
    seq = models.BigIntegerField(default=0)
    head = models.CharField(max_length=64, default=FIRST_PREV)
    at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(key__regex=r"^(house|table:[0-9]+)$"), name="chain_key_known"),
            models.CheckConstraint(condition=models.Q(head__regex=r"^[0-9a-f]{64}$"), name="chain_head_hex"),
        ]

    def __str__(self):
        return self.key


def _fact(name):
    """A column that the database reads out of the entry's own text, so that it can't say anything else."""
    return models.GeneratedField(
        expression=RawSQL(f"(body::jsonb ->> '{name}')", []),  # noqa: S611 - a literal of this module
        output_field=models.CharField(max_length=80),
        db_persist=True,
    )


class Entry(models.Model):
    """One thing that happened, as canonical text. Append-only."""

    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="entries")
    seq = models.BigIntegerField()
    body = models.TextField()
    event = _fact("event")
    subject = _fact("subject")
    by = _fact("by")
    at = _fact("at")

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["chain", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "seq"], name="entry_seq_once"),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="entry_seq_from_one"),
            models.CheckConstraint(
                condition=models.Q(event__isnull=False, subject__isnull=False, by__isnull=False, at__isnull=False),
                name="entry_says_all",
            ),
        ]
        indexes = [
            models.Index(fields=["subject", "event"], name="entry_subject"),
            models.Index(fields=["at"], name="entry_at"),
        ]

    def __str__(self):
        return f"{self.chain_id} {self.seq}"
