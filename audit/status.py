"""How the log stands: for `/readyz` in states and counts, for the admin's first page with sizes and reasons too."""

import datetime as dt

from django.conf import settings
from django.db import connection

from . import bad_entries
from .models import Anchor, Checkpoint, Entry, Sealing

# How long an entry may wait for its seal before the alarm.
LATE_SECONDS = 10
# An anchor is late when what it lacks waits for this many times its pace.
LATE_TIMES = 3


def measure():
    """What `/readyz` shows of the log: how much is not sealed and since when, how old the newest anchor is.

    An anchor is late when something that it lacks waits for three times its pace; in a quiet house it may be old.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "WITH checkpoint AS (SELECT coalesce(max(size), 0) AS size FROM audit_checkpoint),"
                " anchor AS (SELECT checkpoint_id AS size, at FROM audit_anchor ORDER BY checkpoint_id DESC LIMIT 1)"
                " SELECT (SELECT sum(seq) FROM audit_chain) - checkpoint.size,"
                "  (SELECT min(entry.at) FROM audit_chain"
                "   CROSS JOIN LATERAL (SELECT coalesce(max(seq), 0) AS seq FROM audit_leaf"
                "    WHERE chain_id = key AND index < checkpoint.size) sealed"
                "   JOIN audit_entry entry ON entry.chain_id = key AND entry.seq = sealed.seq + 1),"
                "  (SELECT entry.at FROM audit_leaf leaf JOIN audit_entry entry USING (chain_id, seq)"
                "   WHERE leaf.index >= coalesce((SELECT size FROM anchor), 0) AND entry.event <> 'checkpoint.anchored'"
                "   ORDER BY leaf.index LIMIT 1),"
                "  extract(epoch FROM clock_timestamp() - (SELECT at FROM anchor))::int, clock_timestamp()"
                " FROM checkpoint"
            )
            unsealed, oldest, unanchored, anchored, now = cursor.fetchone()
        state = Sealing.objects.get()
    finally:
        connection.close()
    seconds, unanchored = _age(oldest, now), _age(unanchored, now)
    late = seconds > LATE_SECONDS or unanchored > LATE_TIMES * max(settings.ANCHOR_SECONDS, 1)
    return {
        "ok": not (state.refused or state.unanchored or late),
        "state": _state(state, late),
        "unsealed": int(unsealed),
        "unsealed_seconds": seconds,
        "anchored_seconds": anchored,
        "unanchored_seconds": unanchored,
    }


def _state(state, late):
    if state.refused:
        return "bad entry" if state.refused.startswith(bad_entries.SENTENCE) else "refused"
    return "unanchored" if state.unanchored else "late" if late else "sealed"


def _age(at, now):
    """Whole seconds since an instant as entries write it, 0 for none and for what a bad entry has in its place."""
    try:
        return max(0, int((now - dt.datetime.fromisoformat(at)).total_seconds())) if at else 0
    except (ValueError, TypeError):
        return 0


def of_log():
    """As `/readyz` shows it, with the sizes and reasons that are not for everybody."""
    measured = measure()
    state = Sealing.objects.get()
    return measured | {
        "sealed": Checkpoint.objects.order_by("-size").values_list("size", flat=True).first() or 0,
        "anchored": Anchor.objects.order_by("-checkpoint").values_list("checkpoint", flat=True).first() or 0,
        "passed_over": Entry.objects.filter(event=bad_entries.EVENT).count(),
        "reasons": list(dict.fromkeys(filter(None, (state.refused, state.unanchored)))),
    }
