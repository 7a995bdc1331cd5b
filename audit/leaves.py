"""The log inspected again: each sealed entry, its leaf and chain, the tree, and what was signed and anchored.

The sealer trusts the right edge of the newest checkpoint and never looks at what lies below it. Here the tree grows
again from its first leaf, and each checkpoint has to match it.
"""

import re

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from . import bad_entries, form, keys, log, notes, tree
from .chains import bodies_before
from .comparing import Apart, Difference, Part, Reading, all_at_once, differences, one_by_one, readings
from .models import FIRST_PREV, Anchor, Chain, Checkpoint, Entry, Export, Finding, Sealing, Subtree
from .wording import WORDING

BATCH = 500


def sealed_size():
    """How many entries are sealed by the newest checkpoint that the sealer signed."""
    return Sealing.objects.values_list("sealed", flat=True).first() or 0


def look_at_entries(after, upto, state):
    """The entries of the leaves from number `after` to before `upto`: bytes, place in the chain, hash, and the tree."""
    rows, named = _rows(after, upto), []
    edge = _edge(after, state)
    checkpoints = {each.size: each for each in Checkpoint.objects.filter(size__gt=after, size__lte=upto)}
    public, origin = keys.public(), keys.origin()
    heads, grown, read = _before(rows), {}, []
    expected = after
    for index, chain, seq, hash_, body, *columns in rows:
        if index != expected:
            named.append(Difference(f"leaf:{expected}", "audit_leaf", WORDING("leaf_absent")))
            edge = None
        expected = index + 1
        if body is None:
            named.append(Difference(f"{chain} {seq}", "audit_entry", WORDING("entry_absent")))
        else:
            leaf = tree.leaf_hash(body.encode())
            if leaf != bytes(hash_):
                named.append(Difference(f"{chain} {seq}", "audit_entry body", WORDING("entry_other")))
            reading, fault = _entry(heads, chain, seq, body)
            if fault:
                named.append(Difference(f"{chain} {seq}", "audit_entry", fault))
            if reading:
                read.append(reading)
                named += _columns(reading, columns)
        if edge is not None:
            grown |= {(height, place): made for height, place, made in edge.append(bytes(hash_)) if not height % 8}
        checkpoint = checkpoints.get(index + 1)
        if checkpoint is not None:
            named += _checkpoint(checkpoint, edge, origin, public)
            edge = _of_checkpoint(checkpoint) or edge
    if expected < upto:
        named.append(Difference(f"leaf:{expected}", "audit_leaf", WORDING("leaf_absent")))
        edge = None
    if upto == sealed_size() and upto not in checkpoints:
        named.append(Difference(f"checkpoint:{upto}", "audit_checkpoint", WORDING("checkpoint_absent")))
    named += _subtrees(grown)
    state["edge"] = None if edge is None else [hash_.hex() for hash_ in edge.hashes]
    state["size"] = upto
    for path in settings.INSPECTION_ENTRIES:
        named += all_at_once(read, import_string(path))
    return len(rows), named


def _rows(after, upto):
    """Index, chain, seq and hash of each leaf, with the text of its entry (None if that is gone) and its columns."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT leaf.index, leaf.chain_id, leaf.seq, leaf.hash, entry.* FROM audit_leaf leaf"
            ' LEFT JOIN LATERAL (SELECT body, at, "by", event, subject FROM audit_entry'
            "  WHERE chain_id = leaf.chain_id AND seq = leaf.seq LIMIT 1) entry ON true"
            " WHERE leaf.index >= %s AND leaf.index < %s ORDER BY leaf.index",
            [after, upto],
        )
        return cursor.fetchall()


def _edge(size, state):
    """The tree's right edge where the last piece left it; None while it is not known."""
    if size == 0:
        return tree.Edge()
    hashes = state.get("edge")
    if hashes is None or state.get("size") != size:
        return None
    return tree.Edge(size, [bytes.fromhex(hash_) for hash_ in hashes])


def _of_checkpoint(checkpoint):
    """The right edge that a checkpoint keeps, None if it is not a valid one."""
    try:
        return tree.Edge(checkpoint.size, [bytes(hash_) for hash_ in checkpoint.edge])
    except ValueError:
        return None


def _before(rows):
    """Digest and time of the entry before the first one of each chain, worked out from its text."""
    return {
        chain: (FIRST_PREV, "") if body is None else (form.digest(body), _time(body))
        for chain, body in bodies_before(rows).items()
    }


def _time(body):
    """When an entry was written, as it says itself; empty if the text is not an entry."""
    try:
        return form.read(body)["at"]
    except form.BadEntryError:
        return ""


def _entry(heads, chain, seq, body):
    """An entry, read (None: it is bad), and what is wrong with it as the next of its chain (None: nothing).

    If an auditor passed it over, the log already says that it is not an entry, so it is not named again.
    """
    (prev, before), at = heads[chain], ""
    try:
        entry = form.read(body)
        at = entry["at"]
        if (entry["chain"], entry["seq"], entry["prev"]) != (chain, seq, prev):
            raise form.BadEntryError(bad_entries.NO_SUCCESSOR)
        if at < before:
            raise form.BadEntryError("is older than the one before it")
        reading, fault = Reading.of(chain, seq, entry), None
    except form.BadEntryError as error:
        reading, at = None, ""
        fault = None if bad_entries.is_passed_over(chain, seq, body) else WORDING("entry_bad", error=error)
    heads[chain] = form.digest(body), at or before
    return reading, fault


def _columns(reading, columns):
    """The columns of an entry that differ from what the entry says."""
    values = form.spell_time(reading.at), reading.by, reading.event, reading.subject
    for name, column, value in zip(("at", "by", "event", "subject"), columns, values, strict=True):
        if column != value:
            yield Difference(
                f"{reading.chain} {reading.seq}",
                f"audit_entry {name}",
                WORDING("column_differs", value=value, stands=column),
            )


def _checkpoint(checkpoint, edge, origin, public):
    """What is wrong with a checkpoint: it has to match the tree, and one of our keys has to have signed it."""
    subject, root = f"checkpoint:{checkpoint.size}", bytes(checkpoint.root)
    if edge is not None and edge.root() != root:
        yield Difference(subject, "audit_checkpoint root", WORDING("root_differs"))
    own = _of_checkpoint(checkpoint)
    if own is None or own.root() != root:
        yield Difference(subject, "audit_checkpoint edge", WORDING("root_differs:edge"))
    try:
        note = notes.read(checkpoint.note)
    except ValueError as error:
        yield Difference(subject, "audit_checkpoint note", WORDING("note_unreadable", fault=error)[:500])
        return
    if (note.origin, note.size, note.root) != (origin, checkpoint.size, root):
        yield Difference(subject, "audit_checkpoint note", WORDING("note_other"))
    if not any(note.signed_by(key) for key in public):
        yield Difference(subject, "audit_checkpoint note", WORDING("note_unsigned"))


def _subtrees(grown):
    """Compare the kept hashes of subtrees with those worked out from the leaves."""
    if not grown:
        return
    heights = sorted({height for height, _ in grown})
    places = [place for _, place in grown]
    kept = {
        (subtree.height, subtree.place): bytes(subtree.hash)
        for subtree in Subtree.objects.filter(
            height__in=heights, place__gte=min(places), place__lte=max(places)
        ).iterator()
    }
    for key, made in grown.items():
        subject = f"subtree:{key[0]}/{key[1]}"
        if key not in kept:
            yield Difference(subject, "audit_subtree", WORDING("hash_absent"))
        elif kept[key] != made:
            yield Difference(subject, "audit_subtree hash", WORDING("hash_differs"))


def look_at_chains(after, upto, state):
    """Compare each chain's head with its newest entry. Chains have no numbers, so one look takes them all."""
    named, chains = [], list(Chain.objects.order_by("key"))
    for chain in chains:
        last = Entry.objects.filter(chain=chain.key).order_by("-seq").values_list("seq", "body").first()
        if last is None:
            expected = {"seq": 0, "head": FIRST_PREV, "at": None}
        else:
            expected = {"seq": last[0], "head": form.digest(last[1]), "at": _time(last[1])}
        actual = {"seq": chain.seq, "head": chain.head, "at": chain.at and form.spell_time(chain.at)}
        if expected["at"] == "":
            # The newest text is not an entry, so nothing says when it was written.
            del expected["at"]
        named += differences(f"chain:{chain.key}", "audit_chain", "", expected, actual)
    return len(chains), named


def look_at_anchors(after, upto, state):
    """Compare each anchor with the entry that records it."""
    anchors = list(Anchor.objects.filter(pk__gt=after, pk__lte=upto).select_related("checkpoint").order_by("pk"))
    refs = {f"checkpoint:{anchor.pk}": anchor for anchor in anchors}
    said = readings(refs)
    return len(anchors), list(one_by_one(refs.items(), lambda ref, anchor: _anchor(ref, anchor, said[ref])))


def _anchor(ref, anchor, said):
    entry = next((each for each in said if each.event == "checkpoint.anchored"), None)
    if entry is None:
        yield Difference(ref, "audit_anchor", WORDING("surplus:anchor"))
        return
    expected = {"checkpoint": entry.facts["what"], "at": Apart(entry.at)}
    actual = {"checkpoint": notes.encode(bytes(anchor.checkpoint.root)), "at": anchor.at}
    yield from differences(ref, "audit_anchor", "", expected, actual)


def look_at_exports(after, upto, state):
    """Compare what each export was asked for with its entry."""
    exports = {each.ref: each for each in Export.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")}
    said = readings(exports)
    return len(exports), list(one_by_one(exports.items(), lambda ref, export: _export(ref, export, said[ref])))


def _export(ref, export, said):
    entry = next((each for each in said if each.event == "export.made"), None)
    if entry is None:
        yield Difference(ref, "audit_export", WORDING("surplus:export"))
        return
    what, period = entry.facts["what"], entry.facts["range"]
    yield from differences(
        ref,
        "audit_export",
        "",
        {
            "kind": "table" if what.startswith("table:") else what,
            "table_key": what if what.startswith("table:") else "",
            "from_at": period.get("from"),
            "to_at": period.get("to"),
            "asked_by_id": entry.by,
            "asked_at": Apart(entry.at),
        },
        {
            "kind": export.kind,
            "table_key": export.table_key,
            "from_at": export.from_at and form.spell_time(export.from_at),
            "to_at": export.to_at and form.spell_time(export.to_at),
            "asked_by_id": f"staff:{export.asked_by_id}" if export.asked_by_id else log.SYSTEM.ref,
            "asked_at": export.asked_at,
        },
    )


def look_at_findings(after, upto, state):
    """Compare each finding, and who accepted it, with its entries."""
    columns = ("pk", "inspection_id", "subject", "what", "named_at", "accepted_at", "accepted_by_id")
    rows = {
        f"finding:{row['pk']}": row
        for row in Finding.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*columns)
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, reason FROM finding_digests(%s)", [[row["pk"] for row in rows.values()]])
        for pk, reason in cursor.fetchall():
            rows[f"finding:{pk}"]["reason"] = reason
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _finding(ref, row, said[ref])))


def _finding(ref, row, said):
    events = {each.event: each for each in said}
    named, accepted = events.get("finding.named"), events.get("finding.accepted")
    if named is None:
        yield Difference(ref, "audit_finding", WORDING("surplus:finding"))
        return
    yield from differences(
        ref,
        "audit_finding",
        "",
        {
            "inspection_id": named.facts["inspection"],
            "subject": named.facts["of"],
            "what": named.facts["what"],
            "named_at": Apart(named.at),
            "accepted_at": accepted and Apart(accepted.at),
            "accepted_by_id": accepted and accepted.by,
            "reason": accepted and accepted.facts["reason"],
        },
        row
        | {
            "inspection_id": f"inspection:{row['inspection_id']}",
            "accepted_by_id": row["accepted_by_id"] and f"staff:{row['accepted_by_id']}",
        },
    )


def missing(read, event, table, there):
    """The rows that an event's entries record and that do not exist.

    :param read: the entries that were read.
    :param there: from the numbers in their subjects, gives those that exist.
    """
    entries = {
        int(each.subject.partition(":")[2]): each
        for each in read
        if each.event == event and re.fullmatch("[a-z_]+:[0-9]{1,18}", each.subject)
    }
    gone = set(entries) - set(there(list(entries))) if entries else ()
    for number in sorted(gone):
        yield Difference(entries[number].subject, table, WORDING("absent:recorded"))


def rows_of_entries(read):
    """The log's own rows that these entries record."""
    return [
        *missing(read, "checkpoint.anchored", "audit_anchor", _there(Anchor)),
        *missing(read, "export.made", "audit_export", _there(Export)),
        *missing(read, "finding.named", "audit_finding", _there(Finding)),
    ]


def _there(model):
    return lambda numbers: model.objects.filter(pk__in=numbers).values_list("pk", flat=True)


PARTS = (
    Part(
        "entries",
        "entry, with its leaf and checkpoint",
        "entries, with their leaves and checkpoints",
        sealed_size,
        look_at_entries,
        BATCH,
    ),
    Part("chains", "chain", "chains", lambda: 1, look_at_chains, 1),
    Part.of_rows("anchors", "anchor", "anchors", Anchor, look_at_anchors, 10_000),
    Part.of_rows("exports", "export", "exports", Export, look_at_exports, BATCH),
    Part.of_rows("findings", "finding", "findings", Finding, look_at_findings, BATCH),
)
