"""Entries of the log for the auditor: the lines of a search, a round as it was entered, one entry; and their proofs.

A page's content is a dictionary of primitives; `history.py` shows it, and logs each look.
"""

import datetime as dt
import json
import re
from typing import NamedTuple

from audit import form, history, inclusion, log
from audit.models import Entry, Sealing
from casino.models import Staff

from ..models import Table
from ..verbs import fold
from ..words import generations, names, timeline
from ..words.timeline import Reader
from .wording import WORDING

SYSTEM_WORD = "System"
# The name of the fact that says more about an entry than its event.
DETAILS = {
    "round.opened": "slip",
    "round.acted": "kind",
    "movement.made": "kind",
    "history.read": "what",
    "setting.changed": "what",
    "export.made": "what",
    "report.made": "what",
    "sample.drawn": "seed",
    "staff.posted": "role",
    "staff.posting_ended": "role",
    "alarm.raised": "kind",
    "dispute.ruled": "ruling",
    "dispute.raised": "clause",
    "round.held": "clause",
    "entry.passed_over": "what",
    "leaves.passed_over": "what",
}
_REFERENCE_IN = re.compile(r'"((?:staff|round):[0-9]{1,9})"')


def when(at):
    """The time of an entry, as it spells it, in the casino's time; a bad one as it is."""
    return " ".join(filter(None, _moment(at, Reader.in_full())))


def _moment(at, reader):
    """Day and time of day."""
    try:
        moment = dt.datetime.fromisoformat(at)
        return reader.day(moment), reader.clock(moment)
    except (ValueError, OverflowError):
        return "", at


class Names(NamedTuple):
    """People's names for what entries refer to, read at once for all entries of a page."""

    staff: dict
    rounds: dict
    tables: dict

    @classmethod
    def of(cls, entries):
        refs = {ref for entry in entries for ref in (entry.by, entry.subject, *_REFERENCE_IN.findall(entry.body))}
        numbers = [ref.removeprefix("staff:") for ref in refs if re.fullmatch(r"staff:[0-9]{1,9}", ref)]
        return cls(
            {person.ref: f"Staff {person.pk}, {person.name}" for person in Staff.objects.filter(pk__in=numbers)},
            {ref: number for ref, (number, _) in names.named(refs).items()},
            {table.ref: f"{table.code}, {table.name}" for table in Table.objects.all()},
        )

    def __call__(self, ref):
        """A reference as people say it, or itself if it has no other name."""
        if ref == log.SYSTEM.ref:
            return SYSTEM_WORD
        return self.staff.get(ref) or self.rounds.get(ref) or self.tables.get(ref) or ref


def rows(entries):
    """Entries as lines, `day` on the first of each day; a bad one as far as it can be read."""
    names, reader, lines, last = Names.of(entries), Reader.in_full(), [], None
    for entry in entries:
        day, clock = _moment(entry.at, reader)
        fault, body = form.fault(entry.body), form.lenient(entry.body)
        kind, _, number = entry.subject.partition(":")
        lines.append(
            {
                "id": entry.pk,
                "day": "" if day == last else day,
                "clock": clock,
                "place": "House" if entry.chain_id == log.HOUSE else names(entry.chain_id).partition(",")[0],
                "seq": entry.seq,
                "what": f"Bad entry: it {fault}" if fault else _what(entry, body["facts"], names),
                "bad": bool(fault),
                "event": entry.event,
                "subject": "" if entry.subject == history.SUBJECT else names(entry.subject),
                "round": int(number) if kind == "round" and entry.subject in names.rounds else None,
                "by": names(entry.by),
                "terminal": body.get("terminal") or "",
            }
        )
        last = day
    return lines


def _what(entry, facts, names):
    """The event in words, with its subject if that says more."""
    words = history.WORDS.get(entry.event, entry.event)
    detail = facts.get(DETAILS.get(entry.event))
    if entry.event == "round.acted" and facts.get("undoes") and detail == "undo":
        return f"{words}: action {facts['undoes']} is taken back"
    if not isinstance(detail, str):
        return words
    if entry.event == "round.opened":
        return f"{words} from paper {detail}"
    if entry.event == "history.read" and "range" in facts:
        return f"{words}: {_line(facts['range'], names)}"
    detail = names(detail)
    return f"{words}: {detail if '.' in detail or ':' in detail else detail.replace('_', ' ')}"


def _facts(facts, names):
    """Facts laid out: a word and its value, or a block if that has many parts."""
    words = []
    for name, value in facts.items():
        line = _line(value, names)
        fact = {"value": line} if line is not None else {"block": json.dumps(value, indent=1, ensure_ascii=False)}
        words.append({"word": name.replace("_", " "), **fact})
    return words


def _line(value, names):
    """A fact in one line: one value, several, or several with names; None if it has more parts than that."""
    if isinstance(value, dict):
        parts = {name: None if isinstance(part, dict) else _line(part, names) for name, part in value.items()}
        if None in parts.values():
            return None
        return ", ".join(f"{name.replace('_', ' ')} {part}" for name, part in parts.items()) or "none"
    items = value if isinstance(value, list) else [value]
    if all(isinstance(item, str | int) for item in items):
        return ", ".join(names(str(item)) for item in items)
    return None


# --- Entries with their proofs. ---


def proven(entries, hidden=()):
    """Entries in the log's order with facts, bytes and proof; and the state of all of them.

    :param hidden: the keys of those whose cards nobody may see yet: their facts and bytes are left out.
    """
    checkpoint, names = inclusion.newest(), Names.of(entries)
    proofs = inclusion.prove(entries, checkpoint)
    refused = Sealing.objects.get().refused
    lines = []
    for row, entry in zip(rows(entries), entries, strict=True):
        facts, covered = form.facts(entry.body), entry.pk in hidden
        lines.append(
            row
            | {
                "facts": [] if covered else _facts(facts, names),
                "hidden": WORDING("face_down") if covered else "",
                "bytes": "" if covered else entry.body,
                "digest": log.digest(entry.body),
                "proof": _proof(proofs[entry.pk], checkpoint, refused),
            }
        )
    states = [row["proof"]["state"] for row in lines]
    return {
        "entries": lines,
        "count": len(lines),
        "wrong": states.count("wrong"),
        "unsealed": states.count("unsealed"),
        "loose": sum(bool(row["proof"]["loose"]) for row in lines),
        "bad": sum(row["bad"] for row in lines),
        "size": checkpoint.size if checkpoint else 0,
        "downloads": set(states) == {"proven"} and not hidden,
    }


def _proof(proof, checkpoint, refused):
    primitives = {"loose": proof.loose, "leaf": proof.index, "first": proof.first, "why": proof.wrong}
    if proof.proven:
        path = [hash_.hex() for hash_ in proof.path]
        return primitives | {"state": "proven", "path": path, "size": checkpoint.size, "note": checkpoint.note}
    if proof.index is None:
        return primitives | {"state": "unsealed", "why": refused or WORDING("unsealed")}
    return primitives | {"state": "wrong"}


def entries_of(round_):
    """A round's entries in the log's order."""
    return list(Entry.objects.filter(subject=round_.ref, chain=round_.table.ref).order_by("seq"))


def hidden_of(round_, entries):
    """The keys of entries whose cards lie face down, while the round is open."""
    covered = {str(ordinal) for ordinal in fold.face_down(round_, list(round_.actions.order_by("ordinal")))}
    return {
        entry.pk
        for entry in entries
        if entry.event == "round.acted" and str(form.facts(entry.body).get("ordinal")) in covered
    }


def of_round(round_):
    """A round as it was entered: what happened and what each box got and why, then entry by entry with its proof."""
    entries = entries_of(round_)
    words, reader = timeline.words(round_), Reader.in_full()
    return {
        "id": round_.pk,
        "number": str(round_),
        "game": words.game.name,
        "table": str(round_.table),
        "status": round_.get_status_display(),
        "day": round_.session.business_date,
        "sheet": round_.sheet.short,
        "generations": generations.of(round_, words, reader),
        "moments": timeline.rows(round_, reader),
        **proven(entries, hidden_of(round_, entries)),
    }
