"""Exports: what an auditor takes home, written piece by piece by the log's worker.

A folder holds the log up to one checkpoint: the entries of some leaves and, for all others, the hashes that the tree
needs. `verify_export.py`, which reads it and knows nothing of this module, describes its form.
"""

import contextlib
import fcntl
import logging
import shlex
import time
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DataError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from . import anchor, checkpoints, log, pieces, plans, seal, sealer
from .models import Chain, Entry, Export, Leaf, Sealing
from .wording import WORDING

logger = logging.getLogger(__name__)


def ask(*, kind, by, table_key="", from_at=None, to_at=None):
    """Ask for an export; the log records the request, and the export holds the log up to at least that entry.

    :param kind: of `Export.Kind`: everything, one table's chain, or what was written from one instant until just before
        another.
    :param by: who asks; None for a command at the machine itself.
    :raises Refused: if there is no such table, or no such period.
    """
    chain = Chain.objects.filter(key=table_key, seq__gt=0).exclude(key=log.HOUSE)
    if kind == Export.Kind.TABLE and not chain.exists():
        if not table_key:
            raise WORDING.refused("export_no_table:unnamed")
        raise WORDING.refused("export_no_table", table=table_key)
    if kind == Export.Kind.PERIOD and not (from_at and to_at and from_at < to_at <= timezone.now()):
        raise WORDING.refused("export_no_period")
    export = Export.objects.create(kind=kind, table_key=table_key, from_at=from_at, to_at=to_at, asked_by=by)
    period = {"from": log.spell_time(from_at), "to": log.spell_time(to_at)} if from_at else {}
    log.record(
        "export.made",
        export.ref,
        chain=log.HOUSE,
        actor=log.Actor(by),
        facts={"what": table_key or kind, "range": period},
    )
    return export


def folder(export):
    """Where an export lies."""
    return Path(settings.EXPORTS) / f"export-{export.pk}"


def asked(export):
    """What an export was asked for, as the verifier's `--asked` takes it."""
    if export.kind == Export.Kind.PERIOD:
        return f"{log.spell_time(export.from_at)}/{log.spell_time(export.to_at)}"
    return export.table_key or "all"


def verify_command(export, *, verifier="verify_export.py", at=None, key="public", anchored="checkpoints"):
    """What an auditor types: at home with the files taken there, or where `verifier`, the export and the rest lie.

    The command ends with 0 if nothing was changed: `--as-of` passes over what was anchored after the export.
    """
    words = ["python3", verifier, at or f"export-{export.pk}", "--key", key, "--anchor", anchored]
    return shlex.join(map(str, [*words, "--as-of", export.checkpoint_id, "--asked", asked(export)]))


@sealer.connected()
def write_due(*, within):
    """Write what was asked for, the oldest first, for some seconds; return the number of pieces.

    One process at a time: that leaves the worker's other child to seal.
    """
    until, written = time.monotonic() + within, 0
    if not Export.objects.filter(status=Export.Status.ASKED).exists():
        return written
    with _alone() as alone:
        while alone and time.monotonic() < until:
            export = Export.objects.filter(status=Export.Status.ASKED).order_by("pk").first()
            if export is None or not go_on(export):
                break
            written += 1
    return written


@contextlib.contextmanager
def _alone():
    """Whether no other process of this machine writes exports; when ours ends, however it ends, another one may."""
    Path(settings.EXPORTS).mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(Path(settings.EXPORTS) / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@sealer.connected()
def go_on(export):
    """Write an export's next piece; return whether it did: it may be done, wait for its seal, or be in other hands."""
    return ready(export) and _write_piece(export.pk)


def _write_piece(export_id):
    with _failing(export_id), transaction.atomic():
        asked = Export.objects.select_for_update(no_key=True, skip_locked=True)
        export = asked.filter(pk=export_id, status=Export.Status.ASKED).first()
        if export is None:
            return False
        pieces.Piece(export, folder(export)).write()
    return True


@contextlib.contextmanager
def _failing(export_id):
    """Let an export fail only for what will be so at the next try, too: the disk, or a log that somebody changed. A
    missing database is not of that kind."""
    try:
        yield
    except (OSError, LookupError, ValueError, ObjectDoesNotExist, DataError) as error:
        logger.exception("Export %s failed", export_id)
        _fail(export_id, f"{type(error).__name__}: {error}")


def _fail(export_id, failure):
    with transaction.atomic():
        asked = Export.objects.select_for_update(no_key=True).filter(pk=export_id, status=Export.Status.ASKED)
        asked.update(status=Export.Status.FAILED, failure=failure[:500], ended_at=Now())


@sealer.connected()
def ready(export):
    """Whether the export has its checkpoint: sealed after it was asked for, and anchored if that can be done."""
    if export.checkpoint_id:
        return True
    seal.keep_up(within=5)
    entry = Entry.objects.filter(subject=export.ref, event="export.made").first()
    if entry is None:
        # Somebody wrote this row by hand: the other exports go on.
        _fail(export.pk, WORDING("export_unasked"))
        return True
    leaf = Leaf.objects.filter(chain=entry.chain_id, seq=entry.seq).first()
    refused = Sealing.objects.get().refused
    newest = checkpoints.sealed()
    if newest is None and refused:
        _fail(export.pk, WORDING("export_unsealed", fault=refused))
        return True
    if not refused and (leaf is None or newest is None or newest.size <= leaf.index):
        return False
    if not refused:
        try:
            outside = seal.newest_outside()
            if outside is None or outside.size <= leaf.index:
                outside = seal.anchor_when_due(now=True)
            if outside is None or outside.size <= leaf.index:
                return False
            newest = outside
        except (anchor.AnchorError, seal.CannotSealError) as error:
            logger.warning("Export %s is not anchored: %s", export.pk, error)
    with _failing(export.pk), transaction.atomic():
        _plan(export.pk, newest)
    return True


def _plan(export_id, checkpoint):
    export = Export.objects.select_for_update(no_key=True).get(pk=export_id)
    if export.checkpoint_id:
        return
    if folder(export).exists():
        # After a restore, numbers come again; what was exported from the lost history is evidence.
        raise FileExistsError(f"{folder(export)} is there already, of another history; put it elsewhere.")
    export.checkpoint, export.leaves = checkpoint, checkpoint.size
    export.progress = pieces.begin(plans.make(export, checkpoint.size, timezone.now()))
    export.save(update_fields=["checkpoint", "leaves", "progress"])
