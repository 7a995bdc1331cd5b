"""What luck brought, in each settled round of Split Poker and on each gaming day, compared with what was expected."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from payouts.models import Settlement

from .floor import Table
from .rounds import Round

STAFF = settings.AUTH_USER_MODEL


def _amount(**options):
    """A column of units, or of their square, with decimals."""
    return models.DecimalField(max_digits=40, decimal_places=9, **options)


class RoundLuck(models.Model):
    """What a settled round of Split Poker won beside what was expected once the dealer's open card lay.

    `settlement` is the one that it describes: after a correction it is written again. `expected` and `variance` are
    those of the house's win, in units and their square; `part` is what the boxes won beyond the expected, in billionths
    of what they could lose, rounded down. A round that is `left_out` has none of these and says why. `edge_keys` are
    the results that it rests on or waits for. A round from paper has no `croupier`: whoever entered it need not have
    dealt it.
    """

    class LeftOut(models.TextChoices):
        NO = "", "counted"
        RULED = "ruled", "ruled or void"
        NO_CARDS = "no_cards", "the dealer's open card is not known"
        NO_RESULT = "no_result", "the house edge of its sheet is not computed"
        INEXACT = "inexact", "the house edge of its sheet leaves out what the game is worth"
        BEYOND = "beyond", "paid what its sheet cannot come to"

    round = models.OneToOneField(Round, primary_key=True, on_delete=models.PROTECT, related_name="luck")
    settlement = models.ForeignKey(Settlement, on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+", db_index=False)
    croupier = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    business_date = models.DateField()
    left_out = models.CharField(max_length=10, choices=LeftOut.choices, blank=True)
    edge_keys = ArrayField(models.CharField(max_length=64), default=list)
    win_units = models.BigIntegerField()
    expected = _amount(null=True)
    variance = _amount(null=True)
    part = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(left_out="", expected__isnull=False, variance__gte=0, part__gte=-(10**9))
                | Q(
                    left_out__in=["ruled", "no_cards", "no_result", "inexact", "beyond"],
                    expected=None,
                    variance=None,
                    part=None,
                ),
                name="roundluck_counted_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["table", "business_date"], name="roundluck_table"),
            models.Index(fields=["croupier", "business_date"], name="roundluck_croupier"),
            models.Index(fields=["round"], condition=Q(left_out="no_result"), name="roundluck_waits"),
        ]

    def __str__(self):
        return f"luck {self.round_id}"


class LuckDay(models.Model):
    """The rounds of a table, or of a croupier, on a gaming day: their sums, and how the bets stand after them.

    `days`, `logs` and `highest` are those of `payouts.luck.Bets`, begun anew with each calendar year; a day without a
    round that counts has none. A `stale` day has to be added up: one of its rounds, or a day before it, has changed.
    """

    table = models.ForeignKey(Table, null=True, on_delete=models.PROTECT, related_name="luck_days", db_index=False)
    croupier = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    business_date = models.DateField()
    stale = models.BooleanField(default=True)
    rounds = models.IntegerField(default=0)
    left_out = models.IntegerField(default=0)
    win_units = models.BigIntegerField(default=0)
    expected = _amount(default=0)
    variance = _amount(default=0)
    days = models.SmallIntegerField(default=0)
    logs = ArrayField(models.BigIntegerField(), default=list)
    highest = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["business_date", "id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "business_date"], name="luckday_of_table_once"),
            models.UniqueConstraint(fields=["croupier", "business_date"], name="luckday_of_croupier_once"),
            models.CheckConstraint(
                condition=Q(table__isnull=False, croupier=None) | Q(table=None, croupier__isnull=False),
                name="luckday_of_one",
            ),
            models.CheckConstraint(
                condition=Q(rounds=0, days=0, highest=0) | Q(rounds__gte=1, days__range=(1, 366), highest__gte=0),
                name="luckday_bets_on_rounds",
            ),
        ]
        indexes = [models.Index(fields=["business_date", "id"], condition=Q(stale=True), name="luckday_stale")]

    def __str__(self):
        return f"luck of {self.whose} {self.business_date}"

    @property
    def whose(self):
        """Whose day it is, as the log names it."""
        return f"table:{self.table_id}" if self.table_id else f"staff:{self.croupier_id}"

    @property
    def ref(self):
        return f"luck_day:{self.pk}"
