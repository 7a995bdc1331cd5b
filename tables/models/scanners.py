"""How the scanners of terminals spell cards."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.db.models.lookups import Exact

from casino.models import readable

from .floor import Terminal

# What a scanner may type so that the terminal takes it for a scan: visible ASCII without the keys `?` and `.`.
TYPED = r"[!-\-/->@-~]"


class Scanner(models.Model):
    """How the scanner at a terminal spells the cards of a game; the newest counts. Append-only.

    It types the prefix, a card's code and the suffix. `codes` has the code of each card that has its own; every other
    card is typed as on the keyboard.
    """

    terminal = models.ForeignKey(Terminal, on_delete=models.PROTECT, related_name="scanners")
    game = models.CharField(max_length=20)
    prefix = models.CharField(max_length=20, default="", blank=True)
    suffix = models.CharField(max_length=20, default="", blank=True)
    codes = models.JSONField(default=dict)
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    set_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(prefix__regex=f"^{TYPED}*$", suffix__regex=f"^{TYPED}*$"), name="scanner_typed"
            ),
            models.CheckConstraint(condition=readable("codes"), name="scanner_codes_readable"),
            models.CheckConstraint(
                condition=Exact(
                    models.Func(F("codes"), function="jsonb_typeof", output_field=models.CharField()), "object"
                ),
                name="scanner_codes_object",
            ),
        ]

    def __str__(self):
        return f"Scanner of {self.terminal_id} for {self.game}"

    @property
    def ref(self):
        return f"scanner:{self.pk}"
