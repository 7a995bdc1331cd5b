"""The sealer: it puts new entries into the tree and signs what the tree has become (contracts/log.md).

First, leaves are added and committed; only then are the rows read again, their hashes worked out anew, and a checkpoint
signed. So a crash in between results in leaves without a checkpoint, and never in two trees. One sealer at a time: its
transaction locks a row that no role but the sealer's may lock.

What was signed, and the file outside, decide (`checkpoints.py`): a row that the sealer did not write is passed over and
named.
"""

import contextlib
import logging
import time

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from . import ahead, anchor, bad_entries, checkpoints, form, keys, log, notes, sealer, tree
from .chains import bodies_before
from .checkpoints import CannotSealError
from .models import FIRST_PREV, Anchor, Checkpoint, Entry, Finding, Leaf, Sealing, Subtree

logger = logging.getLogger(__name__)

# Entries at a time, of each chain and of all: memory stays flat however much is unsealed.
OF_A_CHAIN, AT_A_TIME = 2_000, 20_000
# What the log is called while this reason of `Sealing` is empty.
WELL = {"refused": "sealed", "unanchored": "anchored", "forged": "the sealer's alone"}


@sealer.connected()
def keep_up(*, within):
    """Seal until nothing is left, for some seconds, and anchor when it is time; return the number of new leaves.

    What stands in the way is said once in the log, in `/readyz` and in the admin until it is mended.
    """
    begun, added = time.monotonic(), 0
    try:
        while True:
            grown = seal()
            if grown is None:
                # The process that seals keeps the state.
                return added
            added += grown
            if not grown or time.monotonic() - begun > within:
                break
    except (CannotSealError, keys.NoKeyError) as error:
        _tell(refused=str(error))
        return added
    except anchor.AnchorError as error:
        # Nobody knows whether this database is older than its anchor, so nothing new is signed.
        _tell(refused=str(error), unanchored=str(error))
        return added
    _tell(refused="")
    try:
        anchor_when_due()
    except (anchor.AnchorError, CannotSealError) as error:
        _tell(unanchored=str(error))
    else:
        _tell(unanchored="")
    return added


@sealer.connected()
def seal(*, begin=False):
    """Take what is new into the tree and sign it; return the number of leaves that the new checkpoint adds.

    None if somebody else is sealing right now.

    :param begin: the anchor begins anew.

    :raises CannotSealError: if a sealed or new entry is not what it should be, or the anchor is ahead.
    :raises NoKeyError: if there is no key to sign with.
    :raises AnchorError: if the anchor can't be read.
    """
    with transaction.atomic():
        if not alone():
            return None
        keys.signing()
        outside = look_outside(begin=begin)
        look_below()
        _look_ahead()
        _add_leaves()
    with transaction.atomic():
        # Keys are read anew under the lock: a key that was replaced never signs again.
        return _sign(keys.signing(), outside, begin=begin) if alone() else None


@sealer.connected()
def pass_over_leaves(*, by):
    """Have all leaves that are not signed yet made anew; return what is wrong with the present ones.

    :raises Refused: if nothing is wrong with them.
    :raises CannotSealError: if nobody knows what was signed.
    """
    with transaction.atomic():
        Sealing.objects.select_for_update(no_key=True).get()
        size = checkpoints.newest(look_outside()).edge.size
        # The database moves what stands beyond this.
        Sealing.objects.exclude(sealed=size).update(sealed=size)
        return ahead.pass_over(size, by=by)


@sealer.connected()
def anchor_when_due(*, now=False, begin=False):
    """Append the newest checkpoint to the file outside if its time has come and there is something new in it.

    An anchor is itself recorded in the log; that entry alone makes no further one due. The file says what is anchored,
    and rows of anchors are corrected accordingly.

    :param now: do not wait for the time; `begin`: make the file if it is missing.
    :returns: the newest checkpoint outside, None if there is none, or another process looks after it.
    :raises AnchorError: if the file can't be read or written.
    :raises CannotSealError: if what is in it is not ours.
    """
    with transaction.atomic():
        if not alone():
            return None
        outside = look_outside(begin=begin)
        newest = checkpoints.newest(outside, begin=begin)
        anchored = outside.size if outside else 0
        if Checkpoint.objects.filter(size=anchored, anchor=None).exists():
            # A crash came between the file and our row.
            before = Anchor.objects.filter(pk__lt=anchored).newest()
            _anchored(anchored, outside.root, before.pk if before else 0)
        elif newest.edge.size > anchored and (
            not outside or now or (anchor.is_due() and _tells_more(anchored, newest.edge.size))
        ):
            anchor.append(newest.note, begin=begin or not outside)
            anchored = newest.edge.size
            _anchored(anchored, newest.edge.root(), outside.size if outside else 0)
        if anchored:
            _keep(anchored)
    return newest_outside()


def newest_outside():
    """The newest checkpoint of the anchor's file that the database has, too; None if it has none of them.

    :raises CannotSealError: if what is outside is not ours.
    :raises AnchorError: if the anchor can't be read.
    """
    outside = look_outside()
    row = outside and Checkpoint.objects.filter(size=outside.size).first()
    return row if row and checkpoints.Ours().has(row) else None


def _anchored(size, root, before):
    """Record that this checkpoint lies outside, whether somebody else wrote or deleted its row."""
    rows = Checkpoint.objects.filter(size=size)
    Anchor.objects.bulk_create([Anchor(checkpoint=row) for row in rows], ignore_conflicts=True)
    log.record(
        "checkpoint.anchored",
        f"checkpoint:{size}",
        chain=log.HOUSE,
        actor=log.SYSTEM,
        facts={
            "what": notes.encode(root),
            "range": {"from": before, "to": size},
        },
    )


def _keep(anchored):
    """Note how far the file goes, for processes that can't read it, and name rows of anchors that contradict it."""
    state = Sealing.objects.filter(~Q(anchored=anchored) | Q(anchored_at=None) | Q(anchored_at__gt=Now()))
    state.update(anchored=anchored, anchored_at=Now())
    outside = anchor.sizes() or [anchored]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(checkpoint_id, size) FROM audit_anchor FULL JOIN unnest(%s::bigint[]) outside(size)"
            " ON checkpoint_id = size WHERE coalesce(checkpoint_id, size) >= %s"
            " AND (checkpoint_id IS NULL OR size IS NULL OR at > clock_timestamp()) ORDER BY 1 LIMIT 100",
            [outside, outside[0]],
        )
        _name(f"anchor:{size}" for (size,) in cursor.fetchall())


def alone():
    """Whether no other transaction seals, anchors or changes keys until this one ends.

    :raises CannotSealError: if the row that it locks is gone.
    """
    if Sealing.objects.select_for_update(no_key=True, skip_locked=True).first():
        return True
    if Sealing.objects.exists():
        return False
    raise CannotSealError("The one row of audit_sealing is gone; the owner lays it down again with audit/sql/tree.sql.")


def look_outside(*, begin=False):
    """Compare the newest checkpoint outside with ours; return it, or None if there is none.

    :param begin: somebody said that the anchor begins anew, so it may be empty.

    :raises CannotSealError: if it is not ours: this database is not its log.
    :raises AnchorError: if the anchor can't be read.
    """
    outside = anchor.newest()
    if outside is None:
        if Anchor.objects.exists() and not begin:
            raise CannotSealError(
                f"The anchor {anchor.path()} is gone or empty, and checkpoints were anchored: nobody can tell whether"
                " this database is older than they are. Bring it back; or begin a new one, which the auditor must know"
                " of, with `manage.py seal --begin-anchor`."
            )
        return None
    if outside.origin != keys.origin():
        raise CannotSealError(f"The anchor {anchor.path()} is of {outside.origin}, this log is {keys.origin()}.")
    ours = Checkpoint.objects.filter(size=outside.size).first()
    if ours is not None and bytes(ours.root) == outside.root:
        return outside
    what = f"was different when it had {outside.size} entries, as its anchor {anchor.path()} says"
    if not Leaf.objects.filter(index=outside.size - 1).exists():
        newest = Checkpoint.objects.filter(size__lt=outside.size).newest()
        what = (
            f"has {newest.size if newest else 0} sealed entries and its anchor {anchor.path()} has {outside.size}:"
            " it is older than its anchor"
        )
    else:
        # Its row is forged or missing; the tree may still be the one that lies outside.
        with contextlib.suppress(CannotSealError):
            checkpoints.rebuilt(outside)
            return outside
    raise CannotSealError(
        f"The log {what}. Restore a newer backup. If there is none, what lies between is lost: give the anchor to the"
        " auditor, name a new ANCHOR_FILE and begin it with `manage.py seal --begin-anchor`."
    )


def look_below():
    """:raises CannotSealError: if an inspection names something that nobody has accepted (see `inspections.py`)."""
    finding = Finding.objects.open().defer("salt").order_by("pk").first()
    if finding is not None:
        raise CannotSealError(
            f"What stands here is not what the log says: {finding.subject}, {finding.what}. {finding.sentence[:200]}"
            " Keep everything as it is and find out why; then an auditor accepts it, with a reason, on the page"
            " Inspections or with `manage.py inspect --accept`."
        )


def _look_ahead():
    """:raises CannotSealError: if leaves that nobody has signed yet are not what the entries give."""
    what = ahead.fault(Sealing.objects.get().sealed)
    if what:
        raise CannotSealError(ahead.sentence(what))


def _add_leaves():
    """Make leaves of new entries, once all of them were checked.

    :raises CannotSealError: if a text is not an entry or does not follow; then no leaf is made.
    """
    with connection.cursor() as cursor:
        # In the order in which entries were written, as far as the chains allow.
        cursor.execute(
            "SELECT news.* FROM audit_chain"
            " CROSS JOIN LATERAL (SELECT coalesce(max(seq), 0) AS seq FROM audit_leaf WHERE chain_id = key) sealed"
            " CROSS JOIN LATERAL (SELECT id, chain_id, seq, NULL, body FROM audit_entry"
            "  WHERE chain_id = key AND seq > sealed.seq AND seq <= audit_chain.seq ORDER BY seq LIMIT %s) news"
            " ORDER BY news.id LIMIT %s",
            [OF_A_CHAIN, AT_A_TIME],
        )
        rows = cursor.fetchall()
        if not rows:
            return
        heads = _heads(rows)
        for _, chain, seq, _, body in rows:
            _check(heads, chain, seq, body)
        _, chains, seqs, _, bodies = zip(*rows, strict=True)
        cursor.execute(
            "INSERT INTO audit_leaf (index, chain_id, seq, hash)"
            " SELECT (SELECT coalesce(max(index), -1) FROM audit_leaf) + place, chain_id, seq, hash"
            " FROM unnest(%s::text[], %s::bigint[], %s::bytea[]) WITH ORDINALITY news(chain_id, seq, hash, place)"
            " ORDER BY place",
            [list(chains), list(seqs), [tree.leaf_hash(body.encode()) for body in bodies]],
        )


def _sign(signing, outside, *, begin):
    newest = checkpoints.newest(outside, begin=begin)
    edge, begun, subtrees = newest.edge, newest.edge.size, []
    # The guard of checkpoints compares with this, so it must be right, whatever stood there.
    Sealing.objects.exclude(sealed=begun).update(sealed=begun)
    rows = _unsigned(begun)
    while rows and begun + len(rows) in newest.passed:
        # A forged row has this size: seal one entry less now; the entry that names it makes the next size larger.
        rows.pop()
    heads = _heads(rows)
    for index, chain, seq, hash_, body in rows:
        if index != edge.size:
            raise CannotSealError(f"The tree has no leaf {edge.size}.")
        _check(heads, chain, seq, body)
        leaf = tree.leaf_hash(body.encode())
        if leaf != bytes(hash_):
            raise CannotSealError(f"Leaf {index} is not the hash of entry {seq} of {chain}: the entry was changed.")
        subtrees += [
            Subtree(height=height, place=place, hash=grown)
            for height, place, grown in edge.append(leaf)
            if height % Subtree.STEP == 0
        ]
    _name(f"checkpoint:{size}" for size in newest.passed)
    if edge.size == begun:
        return 0
    text = notes.checkpoint_text(keys.origin(), edge.size, edge.root())
    Subtree.objects.bulk_create(subtrees, ignore_conflicts=True)
    _name(_lying(subtrees))
    Checkpoint.objects.create(size=edge.size, root=edge.root(), edge=edge.hashes, note=notes.write(text, signing))
    Sealing.objects.update(sealed=edge.size)
    return edge.size - begun


def _lying(subtrees):
    """The subtrees whose place holds somebody else's row, with another hash."""
    rows = Subtree.objects.filter(
        height__in={one.height for one in subtrees}, place__in={one.place for one in subtrees}
    )
    there = {(row.height, row.place): bytes(row.hash) for row in rows} if subtrees else {}
    for one in subtrees:
        if there[one.height, one.place] != one.hash:
            yield f"subtree:{one.height}:{one.place}"


def _name(forged):
    """Name the rows that the sealer did not write, each once in the log and all in an alarm."""
    known = Entry.objects.filter(event="forgery.found")
    if new := [what for what in forged if not known.filter(subject=what).exists()]:
        records = [log.Record("forgery.found", what, {"what": what}) for what in new]
        log.record_all(log.HOUSE, records)
        state = Sealing.objects.get()
        _tell(forged=", ".join(dict.fromkeys([*filter(None, state.forged.split(", ")), *new])))


def _unsigned(size):
    """What was added to the tree since `size`, read again: index, chain, seq, hash and the entry's text."""
    with connection.cursor() as cursor:
        cursor.execute(
            # One by one by their keys, whatever the planner expects of a table that it has not analyzed yet.
            "SELECT leaf.index, leaf.chain_id, leaf.seq, leaf.hash, entry.body FROM audit_leaf leaf"
            " CROSS JOIN LATERAL (SELECT body FROM audit_entry"
            "  WHERE chain_id = leaf.chain_id AND seq = leaf.seq LIMIT 1) entry"
            " WHERE leaf.index >= %s AND leaf.index < %s ORDER BY leaf.index",
            [size, size + AT_A_TIME],
        )
        return cursor.fetchall()


def _heads(rows):
    """The digest of the entry before the first of each chain, worked out from its text."""
    return {chain: FIRST_PREV if body is None else log.digest(body) for chain, body in bodies_before(rows).items()}


def _check(heads, chain, seq, body):
    """Whether a text is an entry and follows the one before it; `heads` keeps each chain's last digest.

    :raises CannotSealError: if not, unless it was passed over.
    """
    try:
        entry = form.read(body)
        if (entry["chain"], entry["seq"], entry["prev"]) != (chain, seq, heads[chain]):
            raise form.BadEntryError(bad_entries.NO_SUCCESSOR)
    except form.BadEntryError as error:
        if not bad_entries.is_passed_over(chain, seq, body):
            raise CannotSealError(bad_entries.sentence(chain, seq, error)) from error
    heads[chain] = form.digest(body)


def _tells_more(anchored, size):
    """Whether anything but the anchor's own entry was added to the tree since the newest anchor."""
    if size - anchored > 1:
        return True
    leaf = Leaf.objects.get(index=anchored)
    return Entry.objects.get(chain=leaf.chain_id, seq=leaf.seq).event != "checkpoint.anchored"


def _tell(**reasons):
    """Note why something does not go on, and say in the log when that changes."""
    state = Sealing.objects.get()
    changed = {name: reason for name, reason in reasons.items() if getattr(state, name) != reason}
    for name, reason in changed.items():
        setattr(state, name, reason[:500])
        if reason:
            logger.error("ALARM: the log is not %s: %s", WELL[name], reason)
        else:
            logger.warning("ALARM over: the log is %s", WELL[name])
    if changed:
        state.save(update_fields=list(changed))
