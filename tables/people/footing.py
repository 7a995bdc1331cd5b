"""What a person's rights rest on: their postings, and the table where they are signed on. `access` says what follows.

A request reads it with the person, and again with the round that it has locked: a relief may have come in between.
"""

import contextlib
from contextvars import ContextVar
from typing import NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Subquery

from casino.models import Staff
from casino.statements import Statement

from ..models import Posting, SignOn


class Footing(NamedTuple):
    """The postings as (role, pit id or None), and table and pit of the sign-on."""

    postings: list
    table_id: int | None
    table_pit_id: int | None


def beside(queryset, staff):
    """The queryset with a person's footing added to each row; `stand` reads it.

    :param staff: the person's id, as an expression.
    """
    postings = Posting.objects.filter(staff=staff, ended_at=None).order_by("pk")
    signed_on = SignOn.objects.filter(staff=staff, signed_off_at=None)
    return queryset.annotate(
        roles=ArraySubquery(postings.values("role")),
        role_pits=ArraySubquery(postings.values("pit_id")),
        signed_on=Subquery(signed_on.values("table_id")[:1]),
        signed_on_pit=Subquery(signed_on.values("table__pit_id")[:1]),
    )


PERSON = Statement(lambda staff: beside(Staff.objects.filter(pk=staff), OuterRef("pk")))


_read = ContextVar("read", default=None)


@contextlib.contextmanager
def read_already(row):
    """Within it, `person` takes a row's `staff`, whose footing the row has, if that is the one asked for."""
    before = _read.set(row)
    try:
        yield
    finally:
        _read.reset(before)


def person(staff_id):
    """The person with this id, whose footing is known until `forget`; None if there is none."""
    row = _read.get()
    if row is not None and row.staff_id == staff_id:
        stand(row.staff, row)
        return row.staff
    row = PERSON.first(staff=staff_id)
    if row:
        stand(row, row)
    return row


def stand(staff, row):
    """Let a person stand on the footing that a row has."""
    postings = list(zip(row.roles, row.role_pits, strict=True))
    staff.footing = Footing(postings, row.signed_on, row.signed_on_pit)


def of(staff):
    """A person's footing; it is read each time for a person who did not come by `person`, `stand` or `remember`."""
    if getattr(staff, "footing", None):
        return staff.footing
    asked = person(staff.pk).footing
    if hasattr(staff, "footing"):
        staff.footing = asked
    return asked


def remember(staff):
    """Read a person's footing when it is first needed, and keep it."""
    staff.footing = None


def forget(staff):
    """Read a person's footing each time from now on."""
    if hasattr(staff, "footing"):
        del staff.footing
