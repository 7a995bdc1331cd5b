"""Coefficient tables: drafted by one person, published by another, then unchangeable (split.21 to split.23)."""

import re

from django.db.models.functions import Now

from casino.errors import Refused

from .models import Coefficient, CoefficientTable

_RATIO = re.compile(r"([1-9][0-9]{0,4}):([1-9][0-9]{0,4})\Z", re.ASCII)


def draft(*, game, name, ratios, by):
    """Write down a table; `ratios` maps category to `n:d`, from the lowest category up."""
    pairs = {}
    for category, ratio in ratios.items():
        match = _RATIO.match(ratio)
        if not match:
            raise Refused(
                "coefficient_wrong",
                f"The coefficient of {category} is {ratio!r}, no ratio.",
                status=422,
                clause="split.23",
                path=f"ratios.{category}",
                way_out="Write n:d in whole numbers, as 3:2.",
            )
        pairs[category] = (int(match[1]), int(match[2]))
    table = CoefficientTable.objects.create(game=game, name=name, drafted_by=by)
    Coefficient.objects.bulk_create(
        Coefficient(table=table, ordinal=ordinal, category=category, numerator=n, denominator=d)
        for ordinal, (category, (n, d)) in enumerate(pairs.items(), start=1)
    )
    return table


def publish(*, table_id, by):
    """Make a drafted table final, so that rule sheets may carry it.

    :raises Refused: `same_person` if the publisher also drafted it; `not_a_draft` if it is published already.
    """
    table = CoefficientTable.objects.select_for_update(no_key=True).get(id=table_id)
    if table.status != CoefficientTable.Status.DRAFT:
        raise Refused(
            "not_a_draft", f"{table} is published already.", way_out="Draft a new table to change a coefficient."
        )
    if table.drafted_by_id == by.pk:
        raise Refused(
            "same_person", f"You drafted {table} yourself.", way_out="Somebody else publishes what you drafted."
        )
    table.status = CoefficientTable.Status.PUBLISHED
    table.published_by = by
    table.published_at = Now()
    table.save(update_fields=["status", "published_by", "published_at"])
    table.refresh_from_db()
    return table
