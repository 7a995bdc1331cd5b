"""Attackers of an export, each as clever as possible: what they change, and how they cover it up.

Whoever holds the log's key, or a key at all, can link the chain again behind a change, build the tree and its proofs
anew, sign every checkpoint and write manifest and CSV to fit. They cannot reach the auditor's key file and anchor.
"""

import copy
import json

from . import exports

DRESSES = ("bare", "treed", "linked", "forged key", "stolen key")


def edit(chance, entries):
    """Change one thing about one entry."""
    entry = chance.choice(entries)
    match chance.randrange(5):
        case 0:
            entry["facts"] = {**entry["facts"], "sum": chance.randint(1, 9_999)}
        case 1:
            entry["subject"] += "0"
        case 2:
            entry["by"] = "staff:99"
        case 3:
            entry["terminal"] = f"T{chance.randint(100, 999)}"
        case 4:
            entry["event"] += "_again"
    return entries


def delete(chance, entries):
    first = chance.randrange(len(entries))
    del entries[first : first + chance.randint(1, 3)]
    return entries


def renumber(chance, entries):
    """Give one entry another number, from which those after it in its chain go on."""
    start = chance.randrange(len(entries))
    for entry in entries[start:]:
        if entry["chain"] == entries[start]["chain"]:
            entry["seq"] += 1
    return entries


def swap(chance, entries):
    """Swap two entries: their content, or themselves."""
    one, other = chance.sample(range(len(entries)), 2)
    if chance.random() < 0.5:
        entries[one], entries[other] = entries[other], entries[one]
        return entries
    for name in ("event", "facts", "subject"):
        entries[one][name], entries[other][name] = entries[other][name], entries[one][name]
    entries[one]["terminal"], entries[other]["terminal"] = "T-one", "T-other"
    return entries


def insert(chance, entries):
    at = chance.randrange(len(entries))
    made = {**copy.deepcopy(entries[at]), "subject": f"round:{chance.randint(1_000, 9_999)}"}
    entries.insert(at, made)
    return entries


def append(chance, entries):
    for _ in range(chance.randint(1, 3)):
        entries.append({**copy.deepcopy(chance.choice(entries)), "at": entries[-1]["at"]})
    return entries


def duplicate(chance, entries):
    at = chance.randrange(len(entries))
    entries.insert(chance.randint(at + 1, len(entries)), copy.deepcopy(entries[at]))
    return entries


def cut_the_tail(chance, entries):
    return entries[: -chance.randint(1, len(entries) // 2)]


def dressed(chance, log, entries, dress, linked):
    """The files of an export of false entries."""
    if linked:
        entries = exports.chained(entries, numbered=linked == "numbered")
    sizes = sorted({size for size in log.sizes if size < len(entries)} | {len(entries)})
    false = exports.Log(entries, sizes)
    if dress == "forged key":
        false.old = exports.private_key("eve")
    files = _of_a_kind(chance, false)
    if dress in {"bare", "treed", "linked"}:
        # The checkpoints stay as they were signed, as far as they fit.
        kept = [size for size in log.sizes if size in sizes] or [log.sizes[0]]
        files["checkpoints"] = log.notes(log.sizes if dress == "bare" else kept).encode()
        if dress == "bare":
            files["tree.jsonl"] = log.all()["tree.jsonl"]
    return files


def _of_a_kind(chance, log):
    """An export of a random kind, mostly of the whole log; a part would do as well."""
    kind = chance.random()
    if kind < 0.6:
        return log.all()
    if kind < 0.8:
        return log.table(chance.choice(log.chains()))
    moments = sorted({entry["at"] for entry in log.entries})
    return log.period(*sorted(chance.sample(moments, 2))) if len(moments) > 1 else log.all()


def changed(change):
    """An attack: one change of the entries in any dress."""

    def attack(chance, log):
        dress = chance.choice(DRESSES)
        linked = dress in {"linked", "forged key", "stolen key"} and ("numbered" if change is renumber else "anew")
        entries = change(chance, copy.deepcopy(log.entries))
        return dress, dressed(chance, log, entries, dress, linked)

    return attack


def cut_tail_and_checkpoints(chance, log):
    """An earlier state of the log with what was signed then: only its end is false."""
    kept = chance.randint(1, len(log.sizes) - 1)
    earlier = exports.Log(log.entries[: log.sizes[kept - 1]], log.sizes[:kept])
    return "earlier", _of_a_kind(chance, earlier)


def forged_key(chance, log):
    """The log as it is, but signed by somebody else: in addition, instead, or in the name of the log."""
    eve = exports.private_key("eve")
    false = exports.Log(log.entries, log.sizes)
    match chance.randrange(3):
        case 0:
            false.signing = lambda size: [eve]
        case 1:
            false.signing = lambda size: [log.old, eve] if size == log.size else [log.old]
        case 2:
            false.signing = lambda size: [eve] if size == chosen else [log.old]
            chosen = chance.choice(log.sizes)
    files = _of_a_kind(chance, false)
    if chance.random() < 0.3:
        # With the key id of the log's own key.
        for size in log.sizes:
            body = f"{log.origin}\n{size}\n{exports.b64(log.root(size))}\n".encode()
            mine = exports.b64(exports.key_id(eve) + eve.sign(body))
            theirs = exports.b64(exports.key_id(log.old) + eve.sign(body))
            files["checkpoints"] = files["checkpoints"].replace(mine.encode(), theirs.encode())
    return "", files


def stolen_key(chance, log):
    """A perfectly consistent other history from the first entry on, by the log's own key."""
    other = exports.night(chance.randrange(10**9), rounds=chance.randint(4, 12))
    return "", _of_a_kind(chance, other)


def rollback(chance, log):
    """Back to an earlier state, which is genuine, and on from there with other entries, by the log's own key."""
    kept = chance.randrange(exports.PEOPLE, log.size - 1)
    other = exports.night(chance.randrange(10**9), rounds=chance.randint(6, 16)).entries[exports.PEOPLE :]
    entries = exports.chained([*log.entries[:kept], *({**e, "at": "2026-11-22T00:00:00.000000Z"} for e in other)])
    sizes = sorted(
        {size for size in log.sizes if size <= kept} | {chance.randrange(kept + 1, len(entries)), len(entries)}
    )
    return "", _of_a_kind(chance, exports.Log(entries, sizes))


def reordered_checkpoints(chance, log):
    """Reorder checkpoints in their file, in the tree, or in both."""
    files = _of_a_kind(chance, log)
    one, other = chance.sample(range(len(log.sizes)), 2)
    where = chance.randrange(3)
    if where != 1:
        notes = [log.notes([size]) for size in log.sizes]
        notes[one], notes[other] = notes[other], notes[one]
        files["checkpoints"] = "".join(notes).encode()
    if where != 0:
        lines = files["tree.jsonl"].splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if b"checkpoint" in line]
        lines[places[one]], lines[places[other]] = lines[places[other]], lines[places[one]]
        files["tree.jsonl"] = b"".join(lines)
    return "", files


def removed_checkpoints(chance, log):
    """Remove anchored checkpoints from their file, from the tree, from both, with new proofs, or all of them."""
    gone = chance.sample(log.sizes, chance.randint(1, len(log.sizes) - 1))
    kept = [size for size in log.sizes if size not in gone]
    files = log.all()
    without = b"".join(
        line for line in files["tree.jsonl"].splitlines(keepends=True) if json.loads(line).get("checkpoint") not in gone
    )
    match chance.randrange(5):
        case 0:
            files["checkpoints"] = log.notes(kept).encode()
        case 1:
            files["tree.jsonl"] = without
        case 2:
            files |= {"checkpoints": log.notes(kept).encode(), "tree.jsonl": without}
        case 3:
            files["checkpoints"] = b""
        case 4:
            files = exports.Log(log.entries, kept).all()
    return "", files


ATTACKS = {
    **{
        made.__name__: changed(made) for made in (edit, delete, renumber, swap, insert, append, duplicate, cut_the_tail)
    },
    **{
        made.__name__: made
        for made in (
            cut_tail_and_checkpoints,
            forged_key,
            stolen_key,
            rollback,
            reordered_checkpoints,
            removed_checkpoints,
        )
    },
}
