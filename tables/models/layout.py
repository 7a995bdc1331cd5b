"""What lies on a table in a round, as its state says."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from .rounds import Round


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
