"""What a decision on a round stands on: its moment, two people, a clause, a reason; and the record of it."""

import hashlib
import unicodedata

from django.db.models import Max

from audit import log
from casino.errors import Refused, same_person
from casino.games import registry

from ..models import Intervention, Round, Session

MAX_REASON = 500
VOID_IS_OVER = "All its stakes go back and nothing follows. Open the next round."
_EVENTS = {
    Intervention.Kind.REPORTED: "dispute.raised",
    Intervention.Kind.HELD: "round.held",
    Intervention.Kind.RELEASED: "round.released",
    Intervention.Kind.VOIDED: "round.voided",
    Intervention.Kind.CORRECTED: "round.corrected",
}


def wrong_moment(round_, way_out, rule=""):
    """The refusal of what the round's status does not allow; no way leads out of a void round.

    :param rule: a further sentence: what the status has to be.
    """
    return Refused(
        "round_wrong_moment",
        f"Round {round_} is {round_.get_status_display()}. {rule}".rstrip(),
        way_out=VOID_IS_OVER if round_.status == Round.Status.VOIDED else way_out,
        detail={"status": round_.status},
    )


def newest(round_, version, actions):
    """Refuse to decide on a round that has moved on.

    :param version: how many actions the caller saw.
    :param actions: how many there are.
    :raises Refused: `stale_version`.
    """
    if version != actions:
        raise Refused(
            "stale_version",
            f"Round {round_} has moved on: you saw {version} actions, there are {actions}.",
            path="version",
            way_out="Look at the round as it is now and decide again.",
            detail={"version": actions},
        )


def two_people(actor):
    """Four eyes, whatever role they belong to; the database refuses the same.

    :raises Refused: `same_person`.
    """
    if actor.approved_by is None or actor.approved_by.pk == actor.by.pk:
        raise same_person()


def not_open(table, way_out):
    """The refusal of what takes an open table; `way_out` for one that is closed."""
    running = Session.objects.running().filter(table=table).first()
    ways = {
        Session.Status.OPENING: "Two people count its opener first.",
        Session.Status.CLOSING: "Its last round was played: two people count it, or two let it go on.",
    }
    return Refused("session_closed", f"{table} is not open.", way_out=ways.get(running and running.status, way_out))


def irregularity(round_, clause):
    """What the round's game says of a clause.

    :raises Refused: `clause_unknown`.
    """
    irregularities = {each.clause: each for each in registry.GAMES[round_.sheet.game].irregularities}
    if clause not in irregularities:
        raise Refused(
            "clause_unknown",
            f"{clause!r} is no clause that settles an irregularity.",
            status=422,
            path="clause",
            way_out=f"One of: {', '.join(irregularities)}.",
        )
    return irregularities[clause]


def checked_reason(text, *, needed, name="reason", says="", most=MAX_REASON):
    """A reason or a statement as people wrote it, in one line.

    :param says: what it is in words, where that is not its field's `name`.
    :raises Refused: `reason_missing`, `reason_wrong`, or those of another `name`.
    """
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(text) > most or any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in text):
        raise Refused(
            f"{name}_wrong",
            f"The {says or name} has {len(text)} characters, or some that are no writing.",
            status=422,
            path=name,
            way_out=f"Write at most {most} plain characters.",
        )
    # Letters, numbers, punctuation, symbols: what leaves ink.
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in text):
        text = ""
    if needed and not text:
        raise Refused(f"{name}_missing", f"The {says or name} is missing.", status=422, path=name, way_out="Write one.")
    return text


def salted(salt, text):
    """The digest by which the log knows a free text."""
    return hashlib.sha256((salt + text).encode()).hexdigest()


def record(round_, kind, *, actor, clause=None, box=None, reason="", line=None, **facts):
    """Write an intervention and its entry in the log; `facts` are the event's own beside clause, reason and people.

    :returns: the `Intervention`.
    """
    salt = log.salt(reason) if reason else ""
    last = round_.interventions.aggregate(Max("ordinal"))["ordinal__max"] or 0
    intervention = Intervention.objects.create(
        round=round_,
        ordinal=last + 1,
        kind=kind,
        clause=clause,
        box=box,
        reason=reason,
        salt=salt,
        line=line,
        **actor._asdict(),
    )
    log.record(
        _EVENTS[kind],
        round_.ref,
        chain=round_.table.ref,
        actor=actor,
        facts={
            "clause": clause,
            "box": box,
            "reason": salted(salt, reason) if reason else None,
            "requester": actor.by and actor.ref,
            "approver": actor.approver,
            **facts,
        },
    )
    return intervention
