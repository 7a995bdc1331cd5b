"""How the log stands: for `/readyz` in states and counts, for the admin's first page with sizes and reasons too."""

import datetime as dt

from django.conf import settings
from django.db import connection

from casino import settings_of_house

from . import ahead, bad_entries
from .models import Entry, Sealing
from .wording import WORDING

# An anchor is late when what it lacks has waited for this many times its pace.
LATE_TIMES = 3


def measure():
    """What `/readyz` shows of the log: how much is not sealed and since when, how old the newest anchor is.

    An anchor is late when something that it lacks waits for three times its pace; in a quiet house it may be old.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                # As the sealer knows it: rows that somebody else wrote can't be trusted.
                "WITH state AS (SELECT coalesce(max(sealed), 0) AS sealed, coalesce(max(anchored), 0) AS anchored,"
                "  max(anchored_at) FILTER (WHERE isfinite(anchored_at)) AS anchored_at FROM audit_sealing)"
                " SELECT (SELECT sum(seq) FROM audit_chain) - state.sealed,"
                "  (SELECT entry.at FROM audit_leaf leaf JOIN audit_entry entry USING (chain_id, seq)"
                "   WHERE leaf.index >= state.anchored AND entry.event <> 'checkpoint.anchored'"
                "   ORDER BY leaf.index LIMIT 1),"
                "  extract(epoch FROM clock_timestamp() - state.anchored_at)::bigint, clock_timestamp()"
                " FROM state"
            )
            unsealed, unanchored, anchored, now = cursor.fetchone()
        _, seconds = _oldest_unsealed()
        state, allowed = _state(), settings_of_house.value("seal_seconds")
    finally:
        connection.close()
    unanchored = _age(unanchored, now)
    late = seconds > allowed or unanchored > LATE_TIMES * max(settings.ANCHOR_SECONDS, 1)
    return {
        "ok": not (state.refused or state.unanchored or state.forged or late),
        "state": _word(state, late),
        "unsealed": max(0, int(unsealed)),
        "unsealed_seconds": seconds,
        "anchored_seconds": anchored and max(0, anchored),
        "unanchored_seconds": unanchored,
    }


def unsealed_seconds():
    """How long the oldest unsealed entry has waited for its seal; 0 in a house where nothing was sealed yet."""
    sealed, seconds = _oldest_unsealed()
    return seconds if sealed else 0


def _oldest_unsealed():
    """How many leaves the sealer has sealed, and for how many seconds the first unsealed entry has waited."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH state AS (SELECT coalesce(max(sealed), 0) AS sealed FROM audit_sealing)"
            " SELECT state.sealed,"
            "  (SELECT min(entry.at) FROM audit_chain"
            "   CROSS JOIN LATERAL (SELECT coalesce(max(seq), 0) AS seq FROM audit_leaf"
            "    WHERE chain_id = key AND index < state.sealed) sealed"
            "   JOIN audit_entry entry ON entry.chain_id = key AND entry.seq = sealed.seq + 1),"
            "  clock_timestamp()"
            " FROM state"
        )
        sealed, oldest, now = cursor.fetchone()
    return sealed, _age(oldest, now)


def _state():
    """The sealer's state; if somebody deleted that row, nothing is sealed."""
    return Sealing.objects.defer("anchored_at").first() or Sealing(refused=WORDING("sealing_gone"))


def _word(state, late):
    for sentence, word in ((bad_entries.SENTENCE, "bad entry"), (ahead.SENTENCE, "bad leaf")):
        if state.refused.startswith(sentence):
            return word
    return next(
        (name for name in ("refused", "unanchored", "forged") if getattr(state, name)), "late" if late else "sealed"
    )


def _age(at, now):
    """Whole seconds since an instant as entries write it, 0 if there is none or it can't be read."""
    try:
        return max(0, int((now - dt.datetime.fromisoformat(at)).total_seconds())) if at else 0
    except (ValueError, TypeError):
        return 0


def of_log():
    """The state as `/readyz` shows it, with the sizes and reasons that are not for everybody."""
    measured = measure()
    state = _state()
    forged = state.forged and WORDING("forged", count=state.forged)
    return measured | {
        "sealed": state.sealed,
        "anchored": state.anchored,
        "passed_over": Entry.objects.filter(event=bad_entries.EVENT).count(),
        "reasons": list(dict.fromkeys(filter(None, (state.refused, state.unanchored, forged)))),
    }
