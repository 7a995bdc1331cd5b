"""Rounds played on paper during an outage: when and on which paper, and whether they may still be entered.

Two people enter each in the session in which it was played, in the order of play, as long as its gaming day is open.
Once that session is closed, its chips are counted and the round is a part of its variance: so the variance gives back
what such a round moves (`settling`), and its payments were handed over long ago.
"""

import re
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils.formats import date_format

from casino.models import Casino

from ..models import GamingDay, Round, Session
from ..models.rounds import PRINTED
from . import dates, grounds
from .wording import WORDING


def checked(paper, actor):
    """The number of a paper as it is printed; None for a round that is played here.

    :raises Refused: `same_person`, `paper_wrong` (422); `paper_entered`, if it was entered already.
    """
    if paper is None:
        return None
    grounds.two_people(actor)
    number = paper.strip().upper()
    if not re.fullmatch(PRINTED, number):
        raise WORDING.refused("paper_wrong")
    entered = Round.objects.exclude(status=Round.Status.VOIDED).filter(paper=number).select_related("table").first()
    if entered:
        raise WORDING.refused("paper_entered", detail={"round": entered.pk}, paper=number, round=entered)
    return number


def hold_day(table_id, happened_at):
    """Keep the gaming day of a round from paper open until the transaction ends; days come before tables in the order
    of locks."""
    session = Session.objects.filter(table=table_id, opened_at__lte=happened_at).order_by("pk").last()
    if session:
        dates.hold(session.business_date)


def session_at(table, session, happened_at):
    """The session in which a round from paper was played: the table's open one, or one closed since, if its gaming day
    is still open.

    :param session: the table's open session, or None.
    :raises Refused: `moment_to_come` (422); `paper_too_late`, if the gaming day of its session is closed, or the last
        round was called before; `session_closed`, if the table is not open; `paper_too_early`, if it was not open then.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp() < %s", [happened_at])
        (is_to_come,) = cursor.fetchone()
    if is_to_come:
        raise WORDING.refused("moment_to_come", moment=spelled(happened_at))
    if session and session.opened_at <= happened_at:
        return session
    over = Session.objects.filter(table=table, opened_at__lte=happened_at, closed_at__gte=happened_at).first()
    if over and over.stopped_at < happened_at:
        raise WORDING.refused(
            "paper_too_late:last_round",
            detail={"session": over.pk},
            table=table,
            called=spelled(over.stopped_at),
            moment=spelled(happened_at),
        )
    if over and dates.hold(over.business_date) == GamingDay.Status.CLOSED:
        raise WORDING.refused("paper_too_late", detail={"session": over.pk}, table=table, moment=spelled(happened_at))
    if over:
        return over
    if session is None:
        raise grounds.not_open(table, WORDING("opened_by_pit_boss"))
    raise WORDING.refused("paper_too_early", table=table, moment=spelled(happened_at), began=spelled(session.opened_at))


def check_order(session, series, happened_at):
    """Refuse a round from paper played before one already entered from paper in this session, or before a round of the
    series that runs.

    :raises Refused: `paper_out_of_order`.
    """
    standing = Round.objects.exclude(status=Round.Status.VOIDED).select_related("table")
    later = standing.filter(session=session, happened_at__gt=happened_at).order_by("-happened_at").first()
    if later:
        is_over = session.closed_at is not None
        raise WORDING.refused(
            "paper_out_of_order:open"
            if later.status == Round.Status.OPEN
            else ("paper_out_of_order:closed" if is_over else "paper_out_of_order"),
            detail={"round": later.pk},
            later=later.paper,
            table=session.table,
            later_moment=spelled(later.happened_at),
            round=later,
            moment=spelled(happened_at),
        )
    newest = standing.filter(series=series).order_by("number").last() if series else None
    if newest and newest.played_at > happened_at:
        raise WORDING.refused(
            "paper_out_of_order:series",
            detail={"round": newest.pk},
            moment=spelled(happened_at),
            round=newest,
            round_moment=spelled(newest.played_at),
        )


def spelled(at):
    """A moment as the casino's clocks show it, for people: `20 November, 21:05`.

    :param at: an aware datetime.
    """
    local = at.astimezone(ZoneInfo(Casino.objects.get().time_zone))
    return f"{date_format(local, 'MONTH_DAY_FORMAT')}, {local:%H:%M}"
