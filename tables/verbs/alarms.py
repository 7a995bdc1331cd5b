"""Calls for a pit boss, from the table that calls until whoever came says that it is over.

A call stays when the croupier is relieved. Two who call at once make one call; of two who take it one does, and the
other learns who came.
"""

import secrets

from django.db.models.functions import Now

from audit import log
from casino.errors import Refused

from ..models import Alarm, SignOn, Table
from . import grounds

MAX_WORD = 200


def call(*, table_id, actor):
    """Call the pit boss to a table.

    :raises Refused: `terminal_needed` (403) for who is neither signed on here nor at one of the table's terminals;
        `called_already`.
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    here = SignOn.objects.filter(table=table, staff=actor.by, signed_off_at=None).exists()
    if not here and not (actor.terminal and actor.terminal.table_id == table.pk):
        raise Refused(
            "terminal_needed",
            f"This browser is not a terminal of {table}.",
            status=403,
            way_out="Call at the table.",
        )
    stands = Alarm.objects.standing().filter(kind=Alarm.Kind.CALL, subject=table.ref).first()
    if stands:
        raise Refused(
            "called_already",
            f"The pit boss was called to {table} already.",
            way_out="The call stays until somebody came and says that it is over.",
            detail={"alarm": stands.pk},
        )
    alarm = Alarm.objects.create(kind=Alarm.Kind.CALL, subject=table.ref, table=table, raised_by=actor.by)
    _record("alarm.raised", alarm, actor, kind=alarm.kind, of=alarm.subject)
    return alarm


def take(*, alarm_id, word, actor):
    """Come, or answer for it: one person does, once; `word` is what they say, "" for nothing.

    :raises Refused: `alarm_taken` with who came; `alarm_over`; `word_wrong`.
    """
    alarm = _locked(alarm_id)
    if alarm.taken_by_id is not None:
        raise Refused(
            "alarm_taken",
            f"Staff {alarm.taken_by_id} came already.",
            way_out="Look again.",
            detail={"alarm": alarm.pk, "staff": alarm.taken_by_id},
        )
    alarm.word = grounds.checked_reason(word, needed=False, name="word", most=MAX_WORD)
    alarm.salt = secrets.token_hex(16) if alarm.word else ""
    alarm.taken_by, alarm.taken_at = actor.by, Now()
    alarm.save(update_fields=["word", "salt", "taken_by", "taken_at"])
    digest = grounds.salted(alarm.salt, alarm.word) if alarm.word else None
    _record("alarm.taken", alarm, actor, word=digest)
    return alarm


def end(*, alarm_id, actor):
    """Say that a call which somebody has taken is over.

    :raises Refused: `alarm_not_taken`, `alarm_over`.
    """
    alarm = _locked(alarm_id)
    if alarm.taken_by_id is None:
        raise Refused("alarm_not_taken", "Nobody has come to this call yet.", way_out="Take it first.")
    alarm.over_at = Now()
    alarm.save(update_fields=["over_at"])
    _record("alarm.over", alarm, actor)
    return alarm


def _locked(alarm_id):
    """An alarm that is not over, locked after its table."""
    alarm = Alarm.objects.select_for_update(no_key=True, of=["self"]).select_related("table").get(pk=alarm_id)
    if alarm.over_at:
        raise Refused("alarm_over", "This call is over.", way_out="Look again.", detail={"alarm": alarm.pk})
    return alarm


def _record(event, alarm, actor, **facts):
    log.record(event, alarm.ref, chain=alarm.table.ref, actor=actor, facts={"alarm": alarm.ref, **facts})
