"""Tables opened and closed by two people who count the same at once, for whoever needs an open table.

`rake` are the chips of the rake slot, if it is counted with the closer.
"""

from audit.log import Actor
from tables.verbs import payments, sessions, standing


def opened(*, table_id, chips, boss, second, reason=""):
    """A pit boss begins a session and counts its opener with a second person; both sign, with a reason where one is
    wanted."""
    session = sessions.begin(table_id=table_id, actor=Actor(boss))
    return counted(session, chips=chips, boss=boss, second=second, reason=reason)


def closed(session, *, chips, boss, second, reason="", rake=None):
    """What is left to hand over is handed over; the pit boss calls the last round and counts the closer with a second
    person; both sign."""
    paid(session, by=boss)
    session = sessions.stop(session_id=session.pk, actor=Actor(boss))
    return counted(session, chips=chips, boss=boss, second=second, reason=reason, rake=rake)


def paid(session, *, by):
    """Tick each payment of a session that waits for its tick."""
    for round_, due in payments.unticked(session):
        for each in due:
            payments.tick(standing=standing.locked(round_.pk), generation=1, box=each.box, actor=Actor(by))


def counted(session, *, chips, boss, second, reason="", rake=None):
    """Both count what opens or closes a session, and sign."""
    for person in (second, boss):
        sessions.count(session_id=session.pk, denominations=chips, rake=rake, actor=Actor(person))
    return sessions.sign(session_id=session.pk, reason=reason, actor=Actor(boss, second))
