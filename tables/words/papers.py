"""Rounds from paper as primitives: the form for entering one, those of the session, and how a page names one."""

import datetime as dt
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino.games import registry
from casino.models import Casino
from casino.roles import Right

from ..models import GamingDay, Round, Series, Session
from ..verbs import grounds, rulesheets, series
from ..verbs.papers import spelled
from . import dates
from .wording import WORDING

LAST = 12
"""So many rounds from paper of a session stand beside the form of the next."""


def form(table, staff):
    """The form of a round from paper at a table, and those that were entered in its sessions, the newest first: in the
    one that is open, and in those that are closed, of gaming days that are open."""
    zone = ZoneInfo(Casino.objects.get().time_zone)
    session = Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    closed = _closed(table)
    every = [*closed, session] if session else closed
    page = {
        "table": {"id": table.pk, "name": table.name},
        "zone": zone.key,
        "missing": _missing(table, session, closed),
        "closed": [{"from": spelled(each.opened_at), "to": spelled(each.stopped_at)} for each in closed],
    }
    if not every:
        return page
    entered = Round.objects.filter(session__in=every).exclude(paper=None).select_related("table", "session", "series")
    entered = entered.order_by("-number")[:LAST]
    return page | {
        "since": session and spelled(session.opened_at),
        "dates": _dates(every[0].opened_at.astimezone(zone).date(), timezone.now().astimezone(zone).date()),
        "seating": _seating(table, every),
        "rules": staff.has_perm(Right.RULE, table),
        "rows": [
            {
                "id": each.pk,
                "name": str(each),
                "paper": each.paper,
                "at": spelled(each.happened_at),
                "void": _void(each),
                "goes_on": _goes_on(each),
            }
            for each in entered
        ],
    }


def mark(round_):
    """What a screen says about a round from paper beside its number; None for any other round."""
    if round_ is None or round_.paper is None:
        return None
    return {"number": round_.paper, "at": spelled(round_.happened_at)}


def _closed(table):
    """The closed sessions of a table into which a round from paper can still be entered, the first one first."""
    days = GamingDay.objects.running().values("date")
    closed = Session.objects.filter(table=table, status=Session.Status.CLOSED, business_date__in=days)
    return list(closed.order_by("pk"))


def _missing(table, session, closed):
    """Why no round can be entered now, and the way out; "" if one can."""
    if closed:
        return ""
    if session is None:
        refusal = grounds.not_open(table, WORDING("paper.day_closed"))
        return f"{refusal.message} {refusal.way_out}"
    running = table.rounds.filter(status=Round.Status.OPEN).select_related("table").first()
    if running:
        return WORDING("paper.round_open", round=running)
    return "" if rulesheets.since(table, session.opened_at) else WORDING("paper.no_sheet")


def _dates(first, last):
    """The days from the opening to now; today is chosen."""
    days = [first + dt.timedelta(days=number) for number in range((last - first).days + 1)]
    return [{"value": day.isoformat(), "label": dates.weekday(day), "on": day == last} for day in days]


def _seating(table, sessions):
    """Who played and who dealt, if a game of the sessions names them; None if none does, or each has a series."""
    if all(map(series.running_in, sessions)):
        return None
    games = [registry.GAMES[sheet.game] for sheet in rulesheets.since(table, sessions[0].opened_at)]
    most = max((game.seats[1] for game in games if game.seats), default=0)
    # The seats of a series stay: nobody is chosen for its next paper.
    sat = () if any(map(series.running_in, sessions)) else series.last_seats(table)
    return [{"number": number, "on": number in sat} for number in range(1, most + 1)] or None


def _goes_on(round_):
    """The closed session at whose terminal a round from paper goes on, or its series is ended."""
    if not round_.entered_late:
        return None
    runs = round_.series is not None and round_.series.status == Series.Status.OPEN
    return round_.session_id if runs or round_.status == Round.Status.OPEN else None


def _void(round_):
    return round_.status == Round.Status.VOIDED
