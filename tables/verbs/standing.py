"""How a round stands under its locks: all that a command decides on, read once.

The locks are taken in the one order for all: table, round, chain.
"""

from functools import cached_property

from django.db import connection
from django.db.models import BigIntegerField, Exists, OuterRef, Subquery

from audit.log import Head
from casino.statements import Statement

from ..models import Action, Intervention, Round, Terminal
from ..people import access, footing
from . import fold

_ROUND = Statement(
    lambda number, staff, device: footing.beside(_with_terminal(Round.objects.filter(pk=number), device), staff)
)
_ACTIONS = Statement(lambda number: Action.objects.filter(round=number).select_related("terminal").order_by("ordinal"))


def _with_terminal(rounds, device):
    terminal = Terminal.objects.filter(token_digest=device, revoked_at=None)
    return rounds.select_related("table", "sheet").annotate(
        terminal_id=Subquery(terminal.values("pk")),
        terminal_name=Subquery(terminal.values("name")),
        intervened=Exists(Intervention.objects.filter(round=OuterRef("pk"))),
    )


class Standing:
    """A round that is locked, with its table, and its `actions` in order.

    `head` is that of their chain, if it is locked too. The round tells the footing of the person for whom it was
    locked, the terminal at which they stand, and whether anybody `intervened`.
    """

    def __init__(self, round_, actions, head=None, folded=None):
        self.round, self.actions, self.head = round_, actions, head
        if folded:
            self.folded = folded

    @cached_property
    def folded(self):
        """What the actions come to."""
        return fold.of(self.round, actions=self.actions)

    @property
    def version(self):
        """How many actions there are."""
        return len(self.actions)


def locked(round_id, *, within=access.EVERYWHERE, staff=None, device=None, chained=False):
    """Lock a round, and read it then.

    :param within: an `access.Extent` that its table has to be in.
    :param staff: the id of the person who asks.
    :param device: the digest of the token of the terminal at which they stand.
    :param chained: the chain is locked too, for who locks no other round after it.
    :returns: its `Standing`, None where there is no such round.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("A verb runs inside its door's transaction.")
    if round_id > BigIntegerField.MAX_BIGINT:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM lock_round(%s, %s, %s, %s, %s)", [round_id, *within, chained])
        place, *head = cursor.fetchone()
    if place is None:
        return None
    round_ = _ROUND.first(number=round_id, staff=staff, device=device)
    return Standing(round_, _ACTIONS.all(number=round_id), Head(*head) if chained else None)
