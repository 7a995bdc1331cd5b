"""Interventions in a round: report an irregularity, hold, release, void (split.30 to split.36, house.4)."""

from django.db import transaction
from django.db.models.functions import Now

from audit import log
from casino import bell

from ..models import Intervention, Round
from . import grounds, rounds
from .wording import WORDING


def report(*, standing, clause, box=None, reason="", actor):
    """Report an irregularity. One that stops the round holds it; any other is put on record and play goes on.

    A settled round can't be held: its irregularity is on record, and a correction answers it.

    :raises Refused: `round_wrong_moment` for a void round, `round_held` if it is held already, `clause_unknown`,
        `box_missing`, `box_unexpected`, `reason_missing`.
    """
    reported = standing.round
    if reported.status == Round.Status.VOIDED:
        raise grounds.wrong_moment(reported)
    irregularity = grounds.irregularity(reported, clause)
    stops = irregularity.stops and reported.status != Round.Status.SETTLED
    if stops and reported.held_at:
        raise rounds.held(reported)
    _check_box(standing.folded, irregularity, box)
    reason = grounds.checked_reason(reason, needed=irregularity.reason)
    kind = Intervention.Kind.HELD if stops else Intervention.Kind.REPORTED
    grounds.record(reported, kind, clause=clause, box=box, reason=reason, actor=actor)
    if stops:
        Round.objects.filter(pk=reported.pk).update(held_at=Now())
        reported.refresh_from_db()
    return reported


def _check_box(folded, irregularity, box):
    """Refuse a report without the box that its clause is about, or with one where it is about the whole table."""
    clause = irregularity.clause
    boxes = [played.number for played in folded.game.view(folded.state).boxes]
    if irregularity.asks_box and box not in boxes:
        if box is None:
            raise _box_missing(clause, boxes)
        if not boxes:
            raise WORDING.refused("box_unknown:report_early", clause=clause, box=box)
        raise WORDING.refused("box_unknown:report", clause=clause, box=box, boxes=", ".join(map(str, boxes)))
    if box is not None and not irregularity.asks_box:
        raise WORDING.refused("box_unexpected", clause=clause, named=clause)


def _box_missing(clause, boxes):
    if not boxes:
        return WORDING.refused("box_missing:early", clause=clause, named=clause)
    return WORDING.refused("box_missing", clause=clause, named=clause, boxes=", ".join(map(str, boxes)))


def hold_by_system(round_id):
    """Hold a closed round that can't be settled; the caller has locked it."""
    grounds.record(Round.objects.select_related("table").get(pk=round_id), Intervention.Kind.HELD, actor=log.SYSTEM)
    Round.objects.filter(pk=round_id).update(held_at=Now())


def release(*, standing, version, hold, reason="", actor):
    """Let a held round go on as it stands; a closed one is due for settlement again.

    :param hold: the ordinal of the intervention that held it; another hold is another decision.
    :raises Refused: `round_not_held`, `stale_version`, `reason_missing` where the hold's clause demands one.
    """
    released = standing.round
    if not released.held_at:
        raise WORDING.refused(
            "round_not_held",
            round=released,
            status=released.get_status_display(),
            detail={"status": released.status},
        )
    grounds.newest(released, version, standing.version)
    holding = released.interventions.filter(kind=Intervention.Kind.HELD).last()
    if hold != holding.ordinal:
        raise WORDING.refused("stale_version:hold", round=released, detail={"hold": holding.ordinal})
    needed = bool(holding.clause) and grounds.irregularity(released, holding.clause).reason
    reason = grounds.checked_reason(reason, needed=needed)
    grounds.record(released, Intervention.Kind.RELEASED, clause=holding.clause, reason=reason, actor=actor)
    changes = {"held_at": None}
    if released.status == Round.Status.CLOSED:
        changes |= {"next_at": Now(), "failures": 0, "leases": 0, "alone": False}
        transaction.on_commit(bell.ring, robust=True)
    Round.objects.filter(pk=released.pk).update(**changes)
    released.refresh_from_db()
    return released


def void(*, standing, version, clause, reason, actor):
    """Call an open round off: all stakes and fees go back, nothing is settled. Two people, for ever.

    :raises Refused: `round_wrong_moment` once it is closed, `same_person`, `stale_version`, `clause_unknown`,
        `reason_missing`.
    """
    voided = standing.round
    if voided.status != Round.Status.OPEN:
        raise grounds.wrong_moment(voided, WORDING("only_open_is_voided"))
    grounds.two_people(actor)
    grounds.newest(voided, version, standing.version)
    grounds.irregularity(voided, clause)
    reason = grounds.checked_reason(reason, needed=True)
    grounds.record(voided, Intervention.Kind.VOIDED, clause=clause, reason=reason, actor=actor)
    Round.objects.filter(pk=voided.pk).update(status=Round.Status.VOIDED, held_at=None)
    voided.refresh_from_db()
    return voided
