"""Sessions: a table from opener to closer, in one business date."""

from django.db import connection

from audit import log
from casino.errors import Refused
from casino.models import Casino
from payouts import ledger
from payouts.models import Account, Movement

from .models import Session, Table


def business_date():
    """The gaming day of now, by the database's clock and function."""
    casino = Casino.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT gaming_day(now(), %s, %s)", [casino.time_zone, casino.day_starts_at])
        return cursor.fetchone()[0]


def open_session(*, table_id, denominations, by, signed_with):
    """Open a table with its opener from the cage: chips by denomination, counted by two people.

    :param denominations: chip value in units to the number of chips.
    :raises Refused: `session_open` if the table is open, `same_person` if one person signs twice.
    """
    table = Table.objects.select_for_update(no_key=True, of=("self",)).get(id=table_id)
    if Session.objects.filter(table=table, status=Session.Status.OPEN).exists():
        raise Refused("session_open", f"{table} is open already.", way_out="Close the running session first.")
    if by.pk == signed_with.pk:
        raise Refused("same_person", "One person signs twice.", way_out="A second person signs the opener.")
    session = Session.objects.create(table=table, business_date=business_date(), opened_by=by, opened_with=signed_with)
    denominations = {str(value): count for value, count in denominations.items()}
    log.record(
        "session.opened",
        session.ref,
        chain=table.ref,
        by=by.ref,
        facts={
            "business_date": session.business_date.isoformat(),
            "denominations": denominations,
            "signers": [by.ref, signed_with.ref],
        },
    )
    ledger.move(
        kind=Movement.Kind.OPENER,
        subject=session.ref,
        number=1,
        debit=table.float_account,
        credit=Account.objects.get(kind=Account.Kind.CAGE),
        denominations=denominations,
        business_date=session.business_date,
        requested_by=by,
        approved_by=signed_with,
        chain=table.ref,
    )
    return session
