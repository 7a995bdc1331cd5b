"""Inspections: the house checks at an even pace that all it has written still agrees with the log.

The sealer checks what is new, and guards check what changes. Somebody with more rights than either can change old rows:
so each sealed entry, leaf and checkpoint is checked again within INSPECTION_HOURS, and so is each row that entries
record; the books are checked once a gaming day. The parts come from the apps, named in `settings.INSPECTIONS`. A
difference is a `Finding`: an alarm, an entry of the log, and nothing new is sealed until a person accepts it.

Each piece is looked at in one snapshot, in which entries and rows agree, and written down after it.
"""

import datetime as dt
import logging
import time
from hashlib import sha256

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.module_loading import import_string

from casino import outages
from casino.models import Casino

from . import leaves, log, sealer
from .comparing import Difference, why
from .models import Finding, Inspection
from .wording import WORDING

logger = logging.getLogger(__name__)

# The most differences that wait for somebody to accept them: one fault in a whole table must not fill the log.
MOST_OPEN = 500
MOST_REASON = 500
# The alarm is raised when no inspection has finished for this many times INSPECTION_HOURS.
LATE_TIMES = 2


def parts(kind):
    """The parts of a kind of inspection, in order."""
    return [part for path in settings.INSPECTIONS[kind] for part in import_string(path)]


@sealer.connected()
def go_on(*, within):
    """Go on with what is under way, as far as it is due, for some seconds; return the number of pieces."""
    until, pieces = time.monotonic() + within, 0
    if not (Casino.objects.exists() and leaves.sealed_size()):
        return pieces
    _begin_when_due()
    while time.monotonic() < until:
        due = next(filter(is_due, under_way()), None)
        if due is None or not look(due):
            break
        pieces += 1
    return pieces


def under_way():
    """The inspections that have not finished; those that somebody asked for come first."""
    return list(Inspection.objects.filter(ended_at=None).order_by("-hurried", "id"))


def _begin_when_due():
    kinds = Inspection.Kind
    if not Inspection.objects.filter(kind=kinds.ALL, hurried=False, ended_at=None).exists():
        begin(kinds.ALL)
    last = Inspection.objects.filter(kind=kinds.BOOKS).order_by("-begun_at").first()
    if last is None or _gaming_day(last.begun_at) < _gaming_day(timezone.now()):
        begin(kinds.BOOKS, hurried=True)


def _gaming_day(at):
    casino = Casino.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT gaming_day(%s, %s, %s)", [at, casino.time_zone, casino.day_starts_at])
        return cursor.fetchone()[0]


def begin(kind, *, hurried=False, by=None):
    """Begin an inspection, unless one of the same kind and pace is under way; the sealer plans it."""
    Inspection.objects.bulk_create([Inspection(kind=kind, hurried=hurried, asked_by=by)], ignore_conflicts=True)
    return Inspection.objects.filter(kind=kind, hurried=hurried).latest("pk")


@sealer.connected()
def plan(inspection):
    """Let an inspection that has no plan yet look through all that there is now."""
    if not inspection.plan:
        planned = [[part.name, part.newest()] for part in parts(inspection.kind)]
        Inspection.objects.filter(pk=inspection.pk, plan=[]).update(plan=planned)
        inspection.refresh_from_db()


def ask(*, by):
    """Ask for everything to be inspected now; the log records who asked. Call it in a transaction."""
    log.record("inspection.asked", "inspection", chain=log.HOUSE, actor=log.Actor(by), facts={"what": "all"})
    return [begin(kind, hurried=True, by=by) for kind in Inspection.Kind.values]


def is_due(inspection):
    """Whether the inspection's next piece is due; if somebody asked for it, it always is."""
    if inspection.hurried:
        return True
    gone = timezone.now() - inspection.begun_at
    return share(inspection) < gone / dt.timedelta(hours=settings.INSPECTION_HOURS)


def share(inspection):
    """How much of an inspection was looked at, from 0 to 1."""
    if not inspection.plan:
        return 0
    last = [newest for _, newest in inspection.plan]
    return (sum(last[: inspection.place]) + inspection.after + 1) / (sum(last) + 1)


@sealer.connected()
def look(inspection):
    """Look at the next piece and write down what differs; False if somebody else did or does.

    :raises OperationalError: if the database is out of reach.
    """
    plan(inspection)
    known = {part.name: part for part in parts(inspection.kind)}
    named, counted, state = [], 0, dict(inspection.state)
    # A part that this program no longer has counts as done.
    name, last = inspection.plan[inspection.place] if inspection.place < len(inspection.plan) else ("", 0)
    upto = last
    part = known.get(name)
    if part and (inspection.after < last or (part.model and not inspection.after)):
        upto = part.reach(inspection.after, last)
        counted, named = _look_at(part, part.first(inspection.after), upto, state)
    with transaction.atomic():
        mine = Inspection.objects.select_for_update(no_key=True, skip_locked=True).filter(
            pk=inspection.pk, place=inspection.place, after=inspection.after, ended_at=None
        )
        held = mine.first()
        if held is None:
            return False
        held.counts[name] = held.counts.get(name, 0) + counted
        if upto < last:
            held.after, held.state = upto, state
        else:
            held.place, held.after, held.state = inspection.place + 1, 0, {}
        if held.place >= len(held.plan):
            held.ended_at = Now()
        held.save(update_fields=["counts", "after", "state", "place", "ended_at"])
        _name(held, named)
    return True


def _look_at(part, after, upto, state):
    """Look at one piece in one snapshot. If that fails, look at each half: an unreadable row hides no other."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return part.look(after, upto, state)
    except Exception as error:
        if outages.out_of_reach(error):
            raise
        keys = part.keys(after, upto)
        if len(keys) > 1:
            middle = keys[len(keys) // 2 - 1]
            halves = [_look_at(part, *ends, state) for ends in ((after, middle), (middle, upto))]
            return sum(count for count, _ in halves), [each for _, named in halves for each in named]
        logger.exception("Inspection: %s %s to %s", part.name, after + 1, upto)
        subject = part.ref(keys[0]) if keys else f"{part.name} {max(after, 0) + 1} to {upto}"
        return len(keys), [Difference(subject, part.name, WORDING("unreadable", why=why(error)))]


def _name(inspection, named):
    """Write down the differences that are new, in the log too, and raise the alarm."""
    if not named:
        return
    known = set(
        Finding.objects.filter(subject__in={each.subject[:80] for each in named}).values_list(
            "subject", "what", "sentence"
        )
    )
    new = dict.fromkeys((each.subject[:80], each.what[:80], each.sentence[:500]) for each in named)
    new = [each for each in new if each not in known][: max(0, MOST_OPEN - Finding.objects.open().count())]
    findings = [
        Finding.objects.create(inspection=inspection, subject=subject, what=what, sentence=sentence)
        for subject, what, sentence in new
    ]
    for finding in findings:
        logger.error("ALARM: %s names %s, %s: %s", inspection, finding.subject, finding.what, finding.sentence)
    if findings:
        facts = [
            log.Record("finding.named", each.ref, {"inspection": inspection.ref, "of": each.subject, "what": each.what})
            for each in findings
        ]
        log.record_all(log.HOUSE, facts)


def accept(*, findings, reason, by):
    """Accept findings, so that sealing goes on: they stay, with who accepted them and why.

    Within a transaction.

    :param findings: their ids.
    :raises Refused: `reason_missing`, `nothing_to_accept`.
    """
    reason = " ".join(reason.split())[:MOST_REASON]
    if not reason:
        raise WORDING.refused("reason_missing")
    waiting = list(Finding.objects.select_for_update(no_key=True).filter(pk__in=findings, accepted_at=None))
    if not waiting:
        raise WORDING.refused("nothing_to_accept")
    for finding in waiting:
        finding.accepted_at, finding.accepted_by = Now(), by
        finding.reason, finding.salt = reason, log.salt(reason)
        finding.save(update_fields=["accepted_at", "accepted_by", "reason", "salt"])
        digest = sha256((finding.salt + reason).encode()).hexdigest()
        log.record(
            "finding.accepted",
            finding.ref,
            chain=log.HOUSE,
            actor=log.Actor(by),
            facts={"reason": digest, "requester": by.ref},
        )
    return waiting


def measure():
    """What `/readyz` shows: whether anything differs, and how long ago everything was last looked through."""
    try:
        state = stand()
    finally:
        connection.close()
    return {name: state[name] for name in ("ok", "state", "open", "looked_seconds")}


def stand():
    """How the inspections stand.

    `state` is `differs`, `late` (nothing was looked through for long), `first` (the first one is under way) or
    `agrees`.
    """
    done = Inspection.objects.filter(ended_at__isnull=False).order_by("-ended_at")
    last, books = (done.filter(kind=kind).first() for kind in (Inspection.Kind.ALL, Inspection.Kind.BOOKS))
    first = Inspection.objects.order_by("begun_at").first()
    since = last.ended_at if last else first and first.begun_at
    late = since and timezone.now() - since > LATE_TIMES * dt.timedelta(hours=settings.INSPECTION_HOURS)
    unanswered = Finding.objects.open().count()
    return {
        "ok": not (unanswered or late),
        "state": "differs" if unanswered else "late" if late else "agrees" if last else "first",
        "open": unanswered,
        "looked_seconds": int((timezone.now() - last.ended_at).total_seconds()) if last else None,
        "last": last,
        "books": books,
    }
