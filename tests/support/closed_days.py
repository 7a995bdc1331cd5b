"""A house with closed gaming days behind it, each with everything that reports cover."""

import datetime as dt
import io

from payouts import ledger
from payouts.models import Transfer
from tables.models import DropBox, GamingDay, Session
from tables.reports import files
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import dates

from . import factories
from .factories import person, pile, table

DAYS = 2


def csv(name, period):
    """The bytes of a report's file, and what was made: its rows and their digest."""
    content = io.BytesIO()
    made = files.csv(REPORTS[name], period, content)
    return content.getvalue(), made


def furnished(playing=None, closed=None):
    """Make the house; return the period of the closed days.

    :param playing: adds events while the tables of a night are open, and `closed` after they are closed; both get how
        many days ago the night is.
    """
    for running in Session.objects.running().select_related("table__float_account"):
        factories.close_session(running.table, pile(ledger.balance(running.table.float_account)))
    count_cage()
    today = dates.business_date()
    for ago in range(DAYS, 0, -1):
        with factories.days_ago(ago):
            night(ago, playing, closed)
    for at in (table("T1"), table("T2")):
        factories.open_session(at, left(at))
    # A table whose closer one person has counted.
    stopped = factories.stop_session(table("T2"))
    factories.count_session(stopped, pile(300_000), by="hugo")
    factories.set_setting(400)
    return Period(today - dt.timedelta(DAYS), today - dt.timedelta(1))


def closed():
    """The period of the closed gaming days, in a house that is furnished already."""
    days = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).order_by("date").values_list("date", flat=True)
    return Period(days[0], days[len(days) - 1])


def left(at):
    """The chips that a table was closed with."""
    return pile(Transfer.objects.filter(reason="closer", credit=at.float_account).latest("pk").units)


def count_cage():
    for by in ("hugo", "olga"):
        factories.count_cage({"100": 3}, by=by)
    factories.sign_cage(reason="Counted twice.")


def night(ago, playing=None, closed=None):
    """A gaming day of T1 and T2, T1 twice; closed by two."""
    one, two = table("T1"), table("T2")
    factories.cage_shift()
    for at, login in ((one, "anna"), (two, "boris")):
        factories.open_session(at, left(at))
        factories.sign_on(person(login), at)
        box = factories.mount(at, f"{ago}0{at.pk}")
        factories.buy_in(at, 5_000 * ago)
        factories.receive(factories.issue(factories.slip(at)))
        factories.take_off(box)
        factories.settled_round(at, factories.FOLDS if ago % 2 else factories.FLUSH_WINS)
    factories.void_slip(factories.slip(one))
    factories.send_back(factories.issue(factories.slip(one)))
    factories.receive(factories.issue(factories.slip(two, "credit")))
    factories.send_back(factories.issue(factories.slip(two, "credit")))
    factories.receive(factories.issue(factories.slip(two, "change")))
    factories.void_round(one)
    factories.tip(two, 500)
    if playing:
        playing(ago)
    factories.close_session(one, pile(ledger.balance(one.float_account) - 500))
    factories.open_session(one, left(one))
    for at in (one, two):
        factories.close_session(at, pile(ledger.balance(at.float_account)))
    if closed:
        closed(ago)
    for box in DropBox.objects.waiting():
        factories.counted_drop(box, {"500": 10 * ago + 1})
    date = dates.business_date()
    factories.counted_tips(date, {"500": 1})
    count_cage()
    factories.close_day(GamingDay.objects.get(date=date))
