"""Coefficient tables: drafted by one person, published by another, then unchangeable (split.21 to split.23).

The game decides what a ratio is paid on and what becomes of fractions: `verdict` and `payment` in
`casino/games/split/settle.py`, `paid_units` in `casino/money.py`.
"""

from django.db.models.functions import Now

from casino.games import registry
from casino.games.game import Fault

from .models import Coefficient, CoefficientTable
from .wording import WORDING


def draft(*, game, name, ratios, actor):
    """Draft a table; `ratios` maps every category that the game pays to `n:d`.

    :raises Refused: `coefficient_wrong` for a category that is missing (split.22) or unknown, or for a wrong ratio
        (split.23).
    """
    rules = registry.GAMES[game]
    sheet = rules.sheet({"coefficients": ratios})
    if isinstance(sheet, Fault):
        raise WORDING.refused("coefficient_wrong", path=sheet.path, fault=sheet.message)
    table = CoefficientTable.objects.create(game=game, name=name, drafted_by=actor.by)
    # In the game's own order, from the lowest category up.
    rows = enumerate(rules.values(sheet)["coefficients"].items(), start=1)
    Coefficient.objects.bulk_create(
        Coefficient(table=table, ordinal=ordinal, category=category, numerator=n, denominator=d)
        for ordinal, (category, ratio) in rows
        for n, d in [ratio.split(":")]
    )
    return table


def publish(*, table_id, actor):
    """Make a drafted table final, so that rule sheets may carry it.

    :raises Refused: `same_person` if the publisher also drafted it; `not_a_draft` if it is published already.
    """
    table = CoefficientTable.objects.select_for_update(no_key=True).get(id=table_id)
    if table.status != CoefficientTable.Status.DRAFT:
        raise WORDING.refused("not_a_draft", coefficients=table)
    if table.drafted_by_id == actor.by.pk:
        raise WORDING.refused("same_person", coefficients=table)
    table.status = CoefficientTable.Status.PUBLISHED
    table.published_by = actor.by
    table.published_at = Now()
    table.save(update_fields=["status", "published_by", "published_at"])
    table.refresh_from_db()
    return table
