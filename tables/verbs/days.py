"""The gaming day: which one it is, what keeps one from being closed, and how two people close it.

A day is signed once: its sessions closed, its slips ended, its drop boxes and its tips counted, the cage counted after.
From then on nothing enters it; a later correction has the date on which it was made.
"""

import hashlib
from typing import NamedTuple

from django.db.models import Max
from django.db.models.functions import Now

from audit import log
from casino import gaming_day
from casino.models import Casino

from ..models import CageShift, Count, DropBox, GamingDay, Round, Series, Session, Slip, Table
from . import counts, figures, grounds, tips
from .wording import WORDING

STATUS = GamingDay.Status


class Obstacle(NamedTuple):
    """What keeps a day from being closed: its `kind`, the reference of what is to be done, a sentence that says so, and
    the table, if it is at one."""

    kind: str
    ref: str
    words: str
    table: Table | None = None

    def facts(self):
        return {"kind": self.kind, "ref": self.ref, "words": self.words}


def has_come(date):
    """Whether a gaming day has begun by the clock: no day is closed before that."""
    casino = Casino.objects.annotate(now=Now()).get()
    return date <= gaming_day.gaming_day(casino.now, zone=casino.time_zone, starts=casino.day_starts_at)


def obstacles(day):
    """What keeps a day from being closed, in the order in which it is done."""
    listed = [] if has_come(day.date) else [Obstacle("day", day.ref, WORDING("day_unstarted", day=day))]
    listed += [
        Obstacle("day", earlier.ref, WORDING("day_unclosed", day=earlier))
        for earlier in GamingDay.objects.running().filter(date__lt=day.date)
    ]
    sessions = Session.objects.filter(business_date=day.date).select_related("table__pit")
    listed += [
        Obstacle("session", session.ref, WORDING("table_unclosed", table=session.table), session.table)
        for session in sessions.running().order_by("table__code")
    ]
    listed += [
        Obstacle("slip", slip.ref, WORDING("slip_unreceived", slip=slip, table=slip.table), slip.table)
        for slip in Slip.objects.running().filter(session__in=sessions).select_related("table__pit").order_by("pk")
    ]
    late = Round.objects.filter(session__in=sessions, session__closed_at__isnull=False)
    late = late.filter(status__in=[Round.Status.OPEN, Round.Status.CLOSED]).select_related("table__pit").order_by("pk")
    listed += [Obstacle("round", round_.ref, WORDING("paper_unsettled", round=round_), round_.table) for round_ in late]
    running = Series.objects.filter(session__in=sessions, session__closed_at__isnull=False, status=Series.Status.OPEN)
    listed += [
        Obstacle(
            "series",
            each.ref,
            WORDING("series_unfinished", table=each.table),
            each.table,
        )
        for each in running.select_related("table__pit").order_by("pk")
    ]
    drop_boxes = DropBox.objects.waiting().filter(business_date=day.date).select_related("table__pit")
    listed += [
        Obstacle(
            "drop_box",
            drop_box.ref,
            WORDING("drop_box_uncounted", drop_box=drop_box, table=drop_box.table),
            drop_box.table,
        )
        for drop_box in drop_boxes.order_by("pk")
    ]
    if tips.uncounted(day.date):
        listed.append(Obstacle("tips", tips.ref(day.date), WORDING("tips_uncounted")))
    cage = _cage(day, sessions)
    return [*listed, cage] if cage else listed


def _cage(day, sessions):
    """The cage is counted after the last session of a day is closed: an earlier count has not seen its chips, whenever
    it was signed."""
    shift = CageShift.objects.filter(business_date__lte=day.date, status=CageShift.Status.OPEN).first()
    if shift:
        return Obstacle("cage", shift.ref, WORDING("cage_uncounted"))
    ended = sessions.aggregate(at=Max("closed_at"))["at"]
    if ended is None:
        return None
    for shift in CageShift.objects.filter(business_date__gte=day.date, closed_at__gte=ended):
        entered = counts.last(shift.ref, Count.Part.CAGE, shift.counts_from)
        if entered and entered[0].at >= ended:
            return None
    return Obstacle("cage", log.HOUSE, WORDING("cage_uncounted:since"))


def close(*, day_id, actor):
    """Close a gaming day for good, with its figures.

    :param actor: `approved_by` is who signs too.
    :returns: the day.
    :raises Refused: `day_closed`, `day_unfinished` with what is to be done; `same_person` (422).
    """
    day = GamingDay.objects.select_for_update().get(pk=day_id)
    if day.status == STATUS.CLOSED:
        raise WORDING.refused("day_closed", day=day)
    grounds.two_people(actor)
    left = obstacles(day)
    if left:
        detail = {"obstacles": [obstacle.facts() for obstacle in left]}
        if len(left) == 1:
            raise WORDING.refused("day_unfinished", day=day, obstacle=left[0].words, detail=detail)
        raise WORDING.refused("day_unfinished:more", day=day, obstacle=left[0].words, more=len(left) - 1, detail=detail)
    made = figures.of_day(day.date).facts()
    day.status, day.closed_at = STATUS.CLOSED, Now()
    day.closed_by, day.closed_with = actor.by, actor.approved_by
    day.figures = log.canonical(made)
    day.digest = hashlib.sha256(day.figures.encode()).hexdigest()
    day.save(update_fields=["status", "closed_by", "closed_with", "closed_at", "figures", "digest"])
    facts = {"date": day.date.isoformat(), "figures": made, "people": [actor.ref, actor.approver]}
    log.record("day.closed", day.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return day
