"""The page of exports: what an auditor asks for, how far it is, and what is done with it."""

import datetime as dt

from audit import exports, status
from audit.models import Export
from casino.gaming_day import gaming_day
from casino.models import Casino

from . import history as history_page
from . import search as history_search

PAGE = 50


def rows(before=None):
    """What was asked for, newest first, and the number from which on older ones are; None where there are none."""
    asked = Export.objects.select_related("asked_by").order_by("-pk")
    if before:
        asked = asked.filter(pk__lt=before)
    found = list(asked[: PAGE + 1])
    casino, tables = Casino.objects.get(), dict(history_search.chains())
    told = [
        {
            "id": made.pk,
            "what": _what(made, tables, casino),
            "by": history_page.reader().person(made.asked_by),
            "asked": history_page.when(made.asked_at.isoformat()),
            "state": _state(made),
            "leaves": made.leaves,
            "written": made.leaves_written,
            "percent": 100 * made.leaves_written // made.leaves if made.leaves else 0,
            "entries": made.entries,
            "took": lasted(made.ended_at - made.asked_at) if made.ended_at else "",
            "failure": made.failure,
            "checkpoint": made.checkpoint_id,
            "size": _size(made),
            "command": exports.verify_command(made),
        }
        for made in found[:PAGE]
    ]
    return {
        "rows": told,
        "older": found[PAGE - 1].pk if len(found) > PAGE else None,
        "newest": not before,
        "running": any(row["state"] in {"waits", "runs"} for row in told),
    }


def form(fields):
    """The form as it was filled in."""
    return {
        "kinds": Export.Kind.choices,
        "tables": [choice for choice in history_search.chains() if choice[0] != "house"],
        "fields": {"kind": fields.get("kind", Export.Kind.ALL)}
        | {name: fields.get(name, "")[:80] for name in ("table", "from", "to")},
    }


def asked(fields):
    """What the form asks for, as arguments of `exports.ask`.

    :raises Unclear: if a day is none.
    """
    kind = fields.get("kind", "")
    if kind not in Export.Kind.values:
        raise history_search.Unclear("Choose what to export: everything, a table or a period.")
    if kind == Export.Kind.TABLE:
        return {"kind": kind, "table_key": fields.get("table", "")[:40]}
    if kind == Export.Kind.PERIOD:
        first, last = (fields.get(name, "").strip()[:80] for name in ("from", "to"))
        if not first:
            raise history_search.Unclear("Say the first gaming day of the period.")
        from_at, to_at = history_search.days(first, last or first)
        return {"kind": kind, "from_at": from_at, "to_at": to_at}
    return {"kind": kind}


def log_stands():
    """How the log stands, for the admin's first page."""
    found = status.of_log()
    since, ago = (
        lasted(dt.timedelta(seconds=seconds or 0)) for seconds in (found["unsealed_seconds"], found["anchored_seconds"])
    )
    return found | {"unsealed_for": since, "anchored_ago": ago}


def _what(made, tables, casino):
    if made.kind == Export.Kind.TABLE:
        return f"Table {tables.get(made.table_key, made.table_key)}"
    if made.kind == Export.Kind.ALL:
        return "Everything"
    first, last = (
        gaming_day(at, zone=casino.time_zone, starts=casino.day_starts_at)
        for at in (made.from_at, made.to_at - dt.timedelta(microseconds=1))
    )
    return f"Gaming day {first}" if first == last else f"Gaming days {first} to {last}"


def _state(made):
    """One word for the template."""
    if made.status == Export.Status.ASKED:
        return "runs" if made.leaves else "waits"
    if made.status == Export.Status.FAILED:
        return "failed"
    return "done" if exports.folder(made).is_dir() else "gone"


def _size(made):
    """How large the folder is, for people; empty while there is none to take home."""
    if _state(made) != "done":
        return ""
    return spell_bytes(sum(path.stat().st_size for path in exports.folder(made).iterdir() if path.is_file()))


def spell_bytes(count):
    """
    >>> spell_bytes(999), spell_bytes(12_345), spell_bytes(1_500_000), spell_bytes(2_000_000_000)
    ('999 B', '12 kB', '1.5 MB', '2.0 GB')
    """
    if count < 1_000_000:
        return f"{count} B" if count < 1_000 else f"{count // 1_000} kB"
    return f"{count / 1e6:.1f} MB" if count < 1_000_000_000 else f"{count / 1e9:.1f} GB"


def lasted(time):
    """A length of time for people.

    >>> lasted(dt.timedelta(seconds=75)), lasted(dt.timedelta(milliseconds=400)), lasted(dt.timedelta(hours=2))
    ('1 min 15 s', 'under 1 s', '2 h 0 min')
    """
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s" if seconds else "under 1 s"
