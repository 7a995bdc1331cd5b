"""Rounds that were played on paper during an outage: when and on which paper, and whether they may still be entered.

Two people enter one in the session in which it was played, in the order in which the papers were played, as long as
its gaming day is open. Once that session is closed its chips are counted, and what the paper says is in its variance:
the variance gives back what such a round moves (`settling`), and its payments were handed over long ago.
"""

import re
from zoneinfo import ZoneInfo

from django.db import connection

from casino.errors import Refused
from casino.models import Casino

from ..models import GamingDay, Round, Session
from ..models.rounds import PRINTED
from . import dates, grounds

_IN_CASE = "What the paper says is in its variance: the pit boss keeps the paper with the variance's case."


def checked(paper, actor):
    """The number of a paper as it is printed; None of a round that is played here.

    :raises Refused: `same_person`, `paper_wrong` (422); `paper_entered`, if it was entered already.
    """
    if paper is None:
        return None
    grounds.two_people(actor)
    number = paper.strip().upper()
    if not re.fullmatch(PRINTED, number):
        raise Refused(
            "paper_wrong",
            "The number is not one that is printed on a paper.",
            status=422,
            path="paper",
            way_out="Enter it as printed: letters, digits and hyphens, 20 at most.",
        )
    entered = Round.objects.exclude(status=Round.Status.VOIDED).filter(paper=number).select_related("table").first()
    if entered:
        raise Refused(
            "paper_entered",
            f"Paper {number} was entered already, as round {entered}.",
            path="paper",
            way_out="Look at the number on the paper again.",
            detail={"round": entered.pk},
        )
    return number


def hold_day(table_id, happened_at):
    """Keep the gaming day of a round from paper from being closed until the transaction ends; days come before tables
    in the order of locks."""
    session = Session.objects.filter(table=table_id, opened_at__lte=happened_at).order_by("pk").last()
    if session:
        dates.hold(session.business_date)


def session_at(table, session, happened_at):
    """The session in which a round from paper was played: the table's open one, or one that was closed since, of a
    gaming day that is open.

    :param session: the table's open session, or None.
    :raises Refused: `moment_to_come` (422); `paper_too_late`, if the gaming day of its session is closed, or the last
        round was called before; `session_closed`, if the table is not open; `paper_too_early`, if it was not open then.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp() < %s", [happened_at])
        (is_to_come,) = cursor.fetchone()
    if is_to_come:
        raise Refused(
            "moment_to_come",
            f"{spelled(happened_at)} is still to come.",
            status=422,
            path="happened_at",
            way_out="Enter the time at which the round was played.",
        )
    if session and session.opened_at <= happened_at:
        return session
    over = Session.objects.filter(table=table, opened_at__lte=happened_at, closed_at__gte=happened_at).first()
    if over and over.stopped_at < happened_at:
        raise Refused(
            "paper_too_late",
            f"The last round of {table} was called at {spelled(over.stopped_at)}, before {spelled(happened_at)}.",
            path="happened_at",
            way_out="Enter the time at which the round was played.",
            detail={"session": over.pk},
        )
    if over and dates.hold(over.business_date) == GamingDay.Status.CLOSED:
        raise Refused(
            "paper_too_late",
            f"The session of {table} in which {spelled(happened_at)} lies is of a gaming day that is closed.",
            path="happened_at",
            way_out=_IN_CASE,
            detail={"session": over.pk},
        )
    if over:
        return over
    if session is None:
        raise grounds.not_open(table, "The pit boss opens the table.")
    raise Refused(
        "paper_too_early",
        f"{table} was not open at {spelled(happened_at)}: its session began at {spelled(session.opened_at)}.",
        path="happened_at",
        way_out="Enter the time at which the round was played.",
    )


def check_order(session, series, happened_at):
    """Refuse a round from paper that was played before one that was entered from paper in this session, or before a
    round of the series that runs.

    :raises Refused: `paper_out_of_order`.
    """
    standing = Round.objects.exclude(status=Round.Status.VOIDED).select_related("table")
    later = standing.filter(session=session, happened_at__gt=happened_at).order_by("-happened_at").first()
    if later:
        raise Refused(
            "paper_out_of_order",
            f"Paper {later.paper}, played later at {spelled(later.happened_at)}, was entered already as round {later}"
            f" of {session.table}; this one was played at {spelled(happened_at)}.",
            path="happened_at",
            way_out=f"Look at the time again. {_forgotten(later, session)}",
            detail={"round": later.pk},
        )
    newest = standing.filter(series=series).order_by("number").last() if series else None
    if newest and newest.played_at > happened_at:
        raise Refused(
            "paper_out_of_order",
            f"The series that runs has round {newest} of {spelled(newest.played_at)}, and this one was played at"
            f" {spelled(happened_at)}.",
            path="happened_at",
            way_out="Enter it once the series is over.",
            detail={"round": newest.pk},
        )


def _forgotten(later, session):
    """What becomes of a paper that was forgotten, once a `later` one is entered."""
    if later.status == Round.Status.OPEN:
        return f"If this paper was forgotten, void round {later}, enter this one, then paper {later.paper} again."
    if session.closed_at:
        return "A paper that was forgotten is not entered: the pit boss keeps it with the variance's case."
    return "A paper that was forgotten is not entered: keep it with the closing form, whose variance it explains."


def spelled(at):
    """A moment as the casino's clocks show it, for people: `20 November, 21:05`.

    :param at: an aware datetime.
    """
    local = at.astimezone(ZoneInfo(Casino.objects.get().time_zone))
    return f"{local.day} {local:%B}, {local:%H:%M}"
