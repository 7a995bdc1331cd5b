"""The sealer: it puts new entries into the tree and signs what the tree has become (contracts/log.md).

First leaves are added and committed; only then the rows are read again, their hashes worked out anew, and a checkpoint
is signed. So a crash in between leaves leaves without a checkpoint, and never two trees. One sealer at a time: a lock
that its transaction takes with it.
"""

import datetime as dt
import logging
import time

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from . import anchor, bad_entries, form, keys, log, notes, tree
from .models import FIRST_PREV, Anchor, Checkpoint, Entry, Leaf, Sealing, Subtree

logger = logging.getLogger(__name__)

LOCK = 0x5EA1
# Of each chain at a time, and of all: memory stays flat however much lies unsealed.
OF_A_CHAIN, AT_A_TIME = 2_000, 20_000


class CannotSealError(Exception):
    """What stands in the database is not what was sealed, or its anchor is ahead; the message says what to do."""


def keep_up(*, within):
    """Seal until nothing is left, for some seconds, and anchor when it is time; gives the number of new leaves.

    What stands in the way is said once in the log, in `/readyz` and in the admin until it is mended.
    """
    begun, added = time.monotonic(), 0
    try:
        while True:
            grown = seal()
            if grown is None:
                # The process that seals says how it goes.
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


def seal(*, begin=False):
    """Take what is new into the tree and sign it; gives the number of leaves that the new checkpoint adds.

    None where somebody else seals right now.

    :param begin: the anchor begins anew.

    :raises CannotSealError: if a sealed or new entry is not what it should be, or the anchor is ahead.
    :raises NoKeyError: if there is no key to sign with.
    :raises AnchorError: if the anchor can't be read.
    """
    with transaction.atomic():
        if not alone():
            return None
        keys.signing()
        look_outside(begin=begin)
        _add_leaves()
    with transaction.atomic():
        # Keys are read anew under the lock: one that was handed over from never signs again.
        return _sign(keys.signing()) if alone() else None


def anchor_when_due(*, now=False, begin=False):
    """Append the newest checkpoint to the file outside if its time has come and there is something new in it.

    An anchor is itself recorded in the log; that entry alone makes no further one due.

    :param now: do not wait for the time; `begin`: make the file where it is not there.
    :returns: the newest anchor, None if there is none.
    :raises AnchorError: if the file can't be read or written.
    :raises CannotSealError: if what is in it is not ours.
    """
    with transaction.atomic():
        mine = alone()
        last = Anchor.objects.newest()
        newest = Checkpoint.objects.newest()
        if newest is None or not mine:
            return last
        outside = look_outside(begin=begin)
        if outside is not None and (last is None or last.checkpoint_id < outside.size):
            # A crash came between the file and our row.
            return _anchored(Checkpoint.objects.get(size=outside.size), last)
        if last and newest.size == last.checkpoint_id:
            return last
        if last and not now and timezone.now() - last.at < dt.timedelta(seconds=settings.ANCHOR_SECONDS):
            return last
        if last and not now and not _tells_more(last.checkpoint_id, newest.size):
            return last
        anchor.append(newest.note, begin=begin or last is None)
        return _anchored(newest, last)


def _anchored(checkpoint, last):
    new = Anchor.objects.create(checkpoint=checkpoint)
    log.record(
        "checkpoint.anchored",
        f"checkpoint:{checkpoint.size}",
        chain=log.HOUSE,
        actor=log.SYSTEM,
        facts={
            "what": notes.encode(bytes(checkpoint.root)),
            "range": {"from": last.checkpoint_id if last else 0, "to": checkpoint.size},
        },
    )
    return new


def alone():
    """Whether no other transaction seals, anchors or changes keys until this one ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        return cursor.fetchone()[0]


def look_outside(*, begin=False):
    """Compare the newest checkpoint outside with ours; gives it, None where there is none.

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
    newest = Checkpoint.objects.newest()
    reached = newest.size if newest else 0
    what = (
        f"has {reached} sealed entries and its anchor {anchor.path()} has {outside.size}: it is older than its anchor"
        if reached < outside.size
        else f"was another when it had {outside.size} entries, says its anchor {anchor.path()}"
    )
    raise CannotSealError(
        f"The log {what}. Restore a newer backup. If there is none, what lies between is lost: give the anchor to the"
        " auditor, name a new ANCHOR_FILE and begin it with `manage.py seal --begin-anchor`."
    )


def _add_leaves():
    """Make leaves of what is new, once all of it was looked through.

    :raises CannotSealError: if something of it is no entry or does not follow; then there is no leaf.
    """
    with connection.cursor() as cursor:
        # In the order in which entries were written, as far as chains allow.
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


def _sign(signing):
    newest = Checkpoint.objects.newest()
    edge = _trusted(newest)
    begun, subtrees = edge.size, []
    rows = _unsigned(edge.size)
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
    if edge.size == begun:
        return 0
    text = notes.checkpoint_text(keys.origin(), edge.size, edge.root())
    Subtree.objects.bulk_create(subtrees)
    Checkpoint.objects.create(size=edge.size, root=edge.root(), edge=edge.hashes, note=notes.write(text, signing))
    return edge.size - begun


def _trusted(newest):
    """The right edge of the newest checkpoint, if one of our keys signed just that.

    :raises CannotSealError: if it is not what was signed.
    """
    if newest is None:
        return tree.Edge()
    try:
        edge = tree.Edge(newest.size, [bytes(hash_) for hash_ in newest.edge])
        note = notes.read(newest.note)
    except ValueError as error:
        raise CannotSealError(f"Checkpoint {newest.size} was changed: {error}") from error
    if (note.origin, note.size, note.root) != (keys.origin(), newest.size, edge.root()) or bytes(
        newest.root
    ) != edge.root():
        raise CannotSealError(f"Checkpoint {newest.size} was changed: its hashes are not those that it was signed for.")
    if not any(note.signed_by(key) for key in keys.public()):
        raise CannotSealError(
            f"Checkpoint {newest.size} is signed by no key of {keys.folder() / keys.PUBLIC}; bring back the folder of"
            " this house's keys. If they are lost, write its old public key there as the first line: auditors have it."
        )
    return edge


def _unsigned(size):
    """What was added to the tree since, read again: index, chain, seq, hash and the entry's text."""
    with connection.cursor() as cursor:
        cursor.execute(
            # One by one by their keys, whatever the planner thinks of a table that it has not analyzed yet.
            "SELECT leaf.index, leaf.chain_id, leaf.seq, leaf.hash, entry.body FROM audit_leaf leaf"
            " CROSS JOIN LATERAL (SELECT body FROM audit_entry"
            "  WHERE chain_id = leaf.chain_id AND seq = leaf.seq LIMIT 1) entry"
            " WHERE leaf.index >= %s AND leaf.index < %s ORDER BY leaf.index",
            [size, size + AT_A_TIME],
        )
        return cursor.fetchall()


def _heads(rows):
    """The digest of the entry before the first of each chain, worked out from its text."""
    first = {}
    for _, chain, seq, _, _ in rows:
        first.setdefault(chain, seq)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chain, body FROM unnest(%s::text[], %s::bigint[]) first(chain, seq) CROSS JOIN LATERAL"
            " (SELECT body FROM audit_entry"
            "  WHERE chain_id = first.chain AND audit_entry.seq = first.seq - 1 LIMIT 1) before",
            [list(first), list(first.values())],
        )
        return dict.fromkeys(first, FIRST_PREV) | {chain: log.digest(body) for chain, body in cursor.fetchall()}


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
    """Whether the tree has more since the newest anchor than the entry that it was anchored."""
    if size - anchored > 1:
        return True
    leaf = Leaf.objects.get(index=anchored)
    return Entry.objects.get(chain=leaf.chain_id, seq=leaf.seq).event != "checkpoint.anchored"


def _tell(**reasons):
    """Keep why something does not go on, and say in the log when that changes."""
    state = Sealing.objects.get()
    changed = {name: reason for name, reason in reasons.items() if getattr(state, name) != reason}
    for name, reason in changed.items():
        setattr(state, name, reason[:500])
        if reason:
            logger.error("ALARM: the log is not %s: %s", "sealed" if name == "refused" else "anchored", reason)
        else:
            logger.warning("ALARM over: the log is %s", "sealed" if name == "refused" else "anchored")
    if changed:
        state.save(update_fields=list(changed))
