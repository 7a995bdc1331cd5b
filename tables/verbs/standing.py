"""How a round stands under its locks: all that a command decides on, read once.

Everybody takes the locks in one order: table, round; on writing, the chain last.
"""

from functools import cached_property

from django.db import connection
from django.db.models import BigIntegerField, Exists, OuterRef, Subquery

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

    The round also has the footing of the person for whom it was locked, the terminal at which they stand, and whether
    anybody `intervened`.
    """

    def __init__(self, round_, actions, folded=None):
        self.round, self.actions = round_, actions
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


def locked(round_id, *, within=access.EVERYWHERE, staff=None, device=None):
    """Lock a round, and read it then.

    :param within: an `access.Extent` that its table has to be in.
    :param staff: the id of the person who asks.
    :param device: the digest of the token of the terminal at which they stand.
    :returns: its `Standing`, None if there is no such round.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("A verb runs inside its door's transaction.")
    if round_id > BigIntegerField.MAX_BIGINT:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT lock_round(%s, %s, %s, %s)", [round_id, *within])
        (is_there,) = cursor.fetchone()
    if not is_there:
        return None
    round_ = _ROUND.first(number=round_id, staff=staff, device=device)
    return Standing(round_, _ACTIONS.all(number=round_id))
