"""Stepping into the course of a round: report an irregularity, hold, release, void (split.30 to split.36, house.4)."""

import hashlib
import secrets
import unicodedata

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from audit import log
from casino import bell
from casino.errors import Refused
from casino.games import registry

from ..models import Intervention, Round
from . import fold, rounds

MAX_REASON = 500
EVENTS = {
    Intervention.Kind.REPORTED: "dispute.raised",
    Intervention.Kind.HELD: "round.held",
    Intervention.Kind.RELEASED: "round.released",
    Intervention.Kind.VOIDED: "round.voided",
    Intervention.Kind.CORRECTED: "round.corrected",
}


def report(*, round_id, clause, box=None, reason="", by, terminal=None):
    """Tell of an irregularity. One that stops the round holds it; any other is put on record and play goes on.

    A settled round can't be held: its irregularity is on record, and a correction answers it.

    :raises Refused: `round_wrong_moment` for a void round, `round_held` if it is held already, `clause_unknown`,
        `box_missing`, `box_unexpected`, `reason_missing`.
    """
    reported = rounds.lock(round_id)
    if reported.status == Round.Status.VOIDED:
        raise wrong_moment(reported, "There is nothing to report on it any more.")
    known = irregularity(reported, clause)
    stops = known.stops and reported.status != Round.Status.SETTLED
    if stops and reported.held_at:
        raise rounds.held(reported)
    game, state, *_ = fold.of(reported)
    boxes = [played.number for played in game.view(state).boxes]
    if known.asks_box and box not in boxes:
        raise Refused(
            "box_missing" if box is None else "box_unknown",
            f"{clause} names a box in play." if box is None else f"Box {box} is not in play.",
            status=422,
            clause=clause,
            path="box",
            way_out=f"In play: {', '.join(map(str, boxes)) or 'none yet'}.",
        )
    if box is not None and not known.asks_box:
        raise Refused(
            "box_unexpected",
            f"{clause} is about the whole table.",
            status=422,
            clause=clause,
            path="box",
            way_out="Leave the box out.",
        )
    reason = checked_reason(reason, needed=known.reason)
    kind = Intervention.Kind.HELD if stops else Intervention.Kind.REPORTED
    record(reported, kind, clause=clause, box=box, reason=reason, by=by, terminal=terminal)
    if stops:
        Round.objects.filter(pk=reported.pk).update(held_at=Now())
        reported.refresh_from_db()
    return reported


def hold_by_system(round_id):
    """Hold a closed round that can't be settled; the caller has locked it."""
    record(Round.objects.select_related("table").get(pk=round_id), Intervention.Kind.HELD)
    Round.objects.filter(pk=round_id).update(held_at=Now())


def release(*, round_id, version, hold, reason="", by, approved_by=None, terminal=None):
    """Let a held round go on as it stands; a closed one is due for settlement again.

    :param hold: the ordinal of the intervention that held it; another hold is another decision.
    :param approved_by: the pit boss, if he is not `by`.
    :raises Refused: `round_not_held`, `stale_version`, `reason_missing` where the hold's clause demands one.
    """
    released = rounds.lock(round_id)
    if not released.held_at:
        raise Refused(
            "round_not_held",
            f"Round {released} is not held ({released.get_status_display()}).",
            way_out="Look at the round as it is now.",
            detail={"status": released.status},
        )
    _newest(released, version)
    holding = released.interventions.filter(kind=Intervention.Kind.HELD).last()
    if hold != holding.ordinal:
        raise Refused(
            "stale_version",
            f"Round {released} was released meanwhile and is held again.",
            path="hold",
            way_out="Look at what holds it now and decide again.",
            detail={"hold": holding.ordinal},
        )
    needed = bool(holding.clause) and irregularity(released, holding.clause).reason
    reason = checked_reason(reason, needed=needed)
    record(
        released,
        Intervention.Kind.RELEASED,
        clause=holding.clause,
        reason=reason,
        by=by,
        approved_by=approved_by,
        terminal=terminal,
    )
    changes = {"held_at": None}
    if released.status == Round.Status.CLOSED:
        changes |= {"next_at": Now(), "failures": 0, "leases": 0, "alone": False}
        transaction.on_commit(bell.ring, robust=True)
    Round.objects.filter(pk=released.pk).update(**changes)
    released.refresh_from_db()
    return released


def void(*, round_id, version, clause, reason, by, approved_by, terminal=None):
    """Call an open round off: all stakes and fees go back, nothing is settled. Two people, for ever.

    :raises Refused: `round_wrong_moment` once it is closed, `same_person`, `stale_version`, `clause_unknown`,
        `reason_missing`.
    """
    voided = rounds.lock(round_id)
    if voided.status != Round.Status.OPEN:
        raise wrong_moment(voided, "Only an open round is voided; a closed one takes a ruling by a correction.")
    two_people(by, approved_by)
    _newest(voided, version)
    irregularity(voided, clause)
    reason = checked_reason(reason, needed=True)
    record(
        voided,
        Intervention.Kind.VOIDED,
        clause=clause,
        reason=reason,
        by=by,
        approved_by=approved_by,
        terminal=terminal,
    )
    Round.objects.filter(pk=voided.pk).update(status=Round.Status.VOIDED, held_at=None)
    voided.refresh_from_db()
    return voided


def record(
    round_, kind, *, clause=None, box=None, reason="", line=None, by=None, approved_by=None, terminal=None, **facts
):
    """Write an intervention and tell it to the log; `facts` are the event's own beside clause, reason and people.

    :returns: the `Intervention`.
    """
    salt = secrets.token_hex(16) if reason else ""
    last = round_.interventions.aggregate(Max("ordinal"))["ordinal__max"] or 0
    made = Intervention.objects.create(
        round=round_,
        ordinal=last + 1,
        kind=kind,
        clause=clause,
        box=box,
        reason=reason,
        salt=salt,
        line=line,
        by=by,
        approved_by=approved_by,
        terminal=terminal,
    )
    log.record(
        EVENTS[kind],
        round_.ref,
        chain=round_.table.ref,
        by=by.ref if by else log.SYSTEM,
        terminal=terminal and terminal.name,
        facts={
            "clause": clause,
            "box": box,
            "reason": reason_digest(made) if reason else None,
            "requester": by and by.ref,
            "approver": approved_by and approved_by.ref,
            **facts,
        },
    )
    return made


def reason_digest(intervention):
    """What the log has of a reason: the SHA-256 of its salt and its text in UTF-8."""
    return salted(intervention.salt, intervention.reason)


def salted(salt, text):
    """The digest by which the log knows a free text."""
    return hashlib.sha256((salt + text).encode()).hexdigest()


def irregularity(round_, clause):
    """What the round's game says of a clause.

    :raises Refused: `clause_unknown`.
    """
    known = {found.clause: found for found in registry.GAMES[round_.sheet.game].IRREGULARITIES}
    if clause not in known:
        raise Refused(
            "clause_unknown",
            f"{clause!r} is no clause that settles an irregularity.",
            status=422,
            path="clause",
            way_out=f"One of: {', '.join(known)}.",
        )
    return known[clause]


def two_people(by, approved_by):
    """Four eyes, whatever role they belong to; the database refuses the same.

    :raises Refused: `same_person`.
    """
    if approved_by is None or approved_by.pk == by.pk:
        raise Refused(
            "same_person",
            "This takes two people, and one has asked and signed.",
            status=422,
            path="signature",
            way_out="A second person signs.",
        )


def wrong_moment(round_, way_out):
    """The refusal of what the round's status does not allow; no way leads out of a void round."""
    return Refused(
        "round_wrong_moment",
        f"Round {round_} is {round_.get_status_display()}.",
        way_out=rounds.VOID_IS_OVER if round_.status == Round.Status.VOIDED else way_out,
        detail={"status": round_.status},
    )


def _newest(round_, version):
    there = round_.actions.count()
    if version != there:
        raise Refused(
            "stale_version",
            f"Round {round_} has moved on: you saw {version} steps, there are {there}.",
            path="version",
            way_out="Look at the round as it is now and decide again.",
            detail={"version": there},
        )


def checked_reason(text, *, needed, name="reason", most=MAX_REASON):
    """A reason or a statement as people wrote it, in one line.

    :raises Refused: `reason_missing`, `reason_wrong`, or those of another `name`.
    """
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(text) > most or any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in text):
        raise Refused(
            f"{name}_wrong",
            f"The {name} has {len(text)} characters, or some that are no writing.",
            status=422,
            path=name,
            way_out=f"Write at most {most} plain characters.",
        )
    # Letters, numbers, punctuation, symbols: what leaves ink.
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in text):
        text = ""
    if needed and not text:
        raise Refused(f"{name}_missing", f"The {name} is missing.", status=422, path=name, way_out="Write one.")
    return text
