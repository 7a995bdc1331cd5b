"""The codes of a file in words, for screens and paper."""

import json
import re

from audit import history
from casino.games import registry

from ..models import Alarm, Case, Dispute, DropBox, Slip

# Columns that name something as the log does; people read their own name for it.
NAMING = {"of", "subject", "session", "dispute", "alarm"}
_STATES = dict([*Slip.Status.choices, *DropBox.Status.choices, *Dispute.Status.choices, *Case.Status.choices])
_STATES |= {"MISSING": "missing"}
_KINDS = dict([*Alarm.Kind.choices, *Case.Kind.choices]) | {
    "cage_variance": "variance of the cage",
    "tips_variance": "variance of the tips",
    "drop_box_overdue": "drop box counted late",
    "slip_late": "slip late",
    "voids": "void rounds",
    "corrections": "corrected rounds",
    "slips_undone": "slips void or sent back",
    "logins_failed": "logins of nobody failed",
    "finding": "finding of an inspection",
}
_OUTCOMES, _REASONS = dict(Case.Outcome.choices), dict(Alarm.Reason.choices)


def words(column, value):
    """A code of a file in words; other texts as they are."""
    match column.name:
        case "what":
            return history.WORDS.get(value, value)
        case "changes":
            return ", ".join(history.WORDS.get(name, name) for name in value.split(", "))
        case "outcome":
            return _OUTCOMES.get(value, value.replace("_", " "))
        case "role":
            return value.replace("_", " ")
        case "status" | "now":
            return _STATES.get(value, value)
        case "kind":
            return _KINDS.get(value, value)
        case "reason":
            return _REASONS.get(value, value)
        case "category" | "about" | "wagers":
            return value.replace("_", " ")
        case "detail" | "before" | "after":
            return _laid_out(value)
        case "game":
            return ", ".join(
                registry.GAMES[name].name if name in registry.GAMES else name for name in value.split(", ")
            )
        case name if name in NAMING:
            return value.replace("_", " ").replace(":", " ").capitalize()
    return value


def _laid_out(value):
    """What the log has as an object, or as the name of something: `{"code": "T1", "pit": "pit:1"}`."""
    if value.startswith("{"):
        return ", ".join(f"{name} {str(of).removeprefix(f'{name}:')}" for name, of in json.loads(value).items())
    if re.fullmatch(r"[a-z_]+:[0-9]+", value):
        return value.replace("_", " ").replace(":", " ").capitalize()
    return value
