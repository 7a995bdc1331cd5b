"""The business date: the gaming day of whatever begins now, held so that nobody closes it meanwhile."""

from django.db import connection

from ..models import GamingDay


def business_date():
    """The date of whatever begins now, by the database's clock: the current gaming day or, if that is closed already,
    the day after the last closed one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT business_date()")
        return cursor.fetchone()[0]


def hold(date):
    """Keep a gaming day from being closed until the transaction ends; create it if there is none.

    Days are held before tables (decisions: lock order).

    :returns: its status.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT hold_day(%s)", [date])
        return cursor.fetchone()[0]


def today():
    """The date of whatever begins now, held: nobody closes that day before the transaction ends."""
    while True:
        date = business_date()
        if hold(date) == GamingDay.Status.OPEN:
            return date
