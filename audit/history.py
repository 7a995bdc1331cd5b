"""Searching the log, newest first; and the entry that each look at it leaves (contracts/log.md: `history.read`).

However long the log is, a search looks at a bounded number of its entries by an index, and says how far back it got.
"""

import json
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Q

from casino.roles import Right

from . import log
from .events import EVENTS
from .models import SIGNED, SIGNER, Entry

PAGE = 50
# At most this many entries are looked at by each way into the log; the next page goes on from there.
LOOKED_AT = 1_000
SUBJECT, RECORDS = "history", "records"
# Each round has these; all others are rare.
OFTEN = {"round.opened", "round.acted", "round.closed", "round.settled", "payment.ticked"}
WORDS = {
    "sheet.drafted": "Rule sheet drafted",
    "sheet.published": "Rule sheet published",
    "table.sheet_set": "Rule sheet put in force",
    "table.sheet_withdrawn": "Rule sheet withdrawn",
    "session.begun": "Session begun",
    "session.opened": "Session opened",
    "session.stopped": "Last round called",
    "session.resumed": "Session goes on",
    "session.closed": "Session closed",
    "series.opened": "Series opened",
    "series.closed": "Series closed",
    "round.opened": "Round opened",
    "round.acted": "Entered",
    "round.closed": "Round closed",
    "round.held": "Round held",
    "round.released": "Round released",
    "round.voided": "Round voided",
    "round.corrected": "Round corrected",
    "round.settled": "Round settled",
    "payment.ticked": "Payment ticked",
    "payment.left": "Payment not handed over, the patron has left",
    "dispute.raised": "Dispute or irregularity raised",
    "dispute.ruled": "Dispute ruled on",
    "dispute.closed": "Dispute closed",
    "alarm.raised": "Pit boss called, or an alarm",
    "alarm.taken": "Call or alarm taken",
    "alarm.over": "Call or alarm over",
    "case.opened": "Case opened",
    "case.moved": "Case given to another, or more time",
    "case.decided": "Case decided",
    "case.filed": "File of a case made",
    "movement.made": "Chips moved",
    "cage.opened": "Shift of the cage opened",
    "cage.count_begun": "Count of the cage begun",
    "cage.closed": "Shift of the cage closed",
    "drop_box.mounted": "Drop box mounted",
    "drop_box.removed": "Drop box taken off",
    "drop_box.counted": "Drop box counted",
    "day.closed": "Gaming day closed",
    "report.made": "File of a report made",
    "report.pruned": "Files of reports pruned",
    "report_token.given": "Token for reports given",
    "report_token.ended": "Token for reports ended",
    "tips.counted": "Tips counted",
    "slip.requested": "Slip requested",
    "slip.issued": "Slip issued",
    "slip.received": "Slip received",
    "slip.returned": "Slip sent back",
    "slip.voided": "Slip voided",
    "slip.printed": "Slip printed",
    "count.entered": "Chips counted",
    "count.agreed": "Count agreed",
    "staff.signed_on": "Signed on",
    "staff.signed_off": "Signed off",
    "relief.asked": "Relief asked for",
    "relief.over": "Relief over",
    "staff.added": "Staff added",
    "staff.posted": "Staff posted",
    "staff.posting_ended": "Posting ended",
    "staff.left": "Staff left",
    "staff.returned": "Staff returned",
    "staff.code_given": "One-time code given",
    "staff.locked": "Locked out",
    "staff.unlocked": "Lock-out lifted",
    "staff.password_changed": "Password changed",
    "signature.given": "Signature given",
    "credential.added": "Second step added",
    "credential.removed": "Second step removed",
    "recovery_codes.made": "Recovery codes made",
    "recovery_codes.ended": "Recovery codes ended",
    "recovery_code.used": "Recovery code used",
    "login.ended": "Logged out from elsewhere",
    "terminal.enrolled": "Terminal enrolled",
    "terminal.renamed": "Terminal renamed",
    "terminal.revoked": "Terminal revoked",
    "setting.changed": "Setting changed",
    "history.read": "Log read",
    "records.read": "Money or people read",
    "login.failed": "Logins of nobody failed",
    "export.made": "Export made",
    "visit.made": "Auditor's visit recorded",
    "sample.drawn": "Sample of rounds drawn",
    "question.asked": "Question to the pit asked",
    "question.answered": "Question to the pit answered",
    "question.settled": "Answer of the pit accepted",
    "checkpoint.anchored": "Checkpoint anchored",
    "entry.passed_over": "Bad entry passed over",
    "leaves.passed_over": "Bad leaves passed over",
    "inspection.asked": "Inspection asked for",
    "finding.named": "Difference found",
    "finding.accepted": "Difference accepted",
    "forgery.found": "Forged row found",
}


class Place(NamedTuple):
    """An entry's place in the order of time, from which a page goes on."""

    at: str
    pk: int


class Search(NamedTuple):
    """What is looked for; empty fields don't count. Times are spelled as entries spell them; `to_at` is excluded.

    `staff` is the person who did or signed it, or whom it concerns.
    """

    from_at: str = ""
    to_at: str = ""
    chain: str = ""
    staff: str = ""
    events: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()

    def facts(self):
        """The search as the log records it."""
        fields = self._asdict() | {"from": self.from_at, "to": self.to_at}
        return {name: value for name, value in fields.items() if value and name not in {"from_at", "to_at"}}

    def within(self):
        """The entries within the times."""
        entries = Entry.objects.alias(signer=SIGNER)
        if self.from_at:
            entries = entries.filter(at__gte=self.from_at)
        return entries.filter(at__lt=self.to_at) if self.to_at else entries

    def condition(self):
        """What else an entry must be."""
        wanted = Q()
        if self.chain:
            wanted &= Q(chain=self.chain)
        if self.events:
            wanted &= Q(event__in=self.events)
        if self.subjects:
            wanted &= Q(subject__in=self.subjects)
        if self.staff:
            wanted &= Q(by=self.staff) | Q(subject=self.staff) | _signed_by(self.staff)
        return wanted

    def ways(self):
        """Conditions, each with an index, that together find every entry that fits; the rarest leads."""
        if self.subjects:
            return [Q(subject=subject) for subject in self.subjects]
        if self.events and not OFTEN.intersection(self.events):
            return [Q(event=event) for event in self.events]
        if self.staff:
            return [Q(by=self.staff), Q(subject=self.staff), _signed_by(self.staff)]
        if self.chain:
            return [Q(chain=self.chain)]
        return [Q(event=event) for event in self.events] or [Q()]


class Page(NamedTuple):
    """A page of entries, newest first. `older` is where the next one begins, None if there is no older entry.

    On a page that is not full, `older` says how far back the search got.
    """

    entries: list[Entry]
    older: Place | None


def find(search, *, before=None):
    """The newest entries that fit, or those before a place."""
    within = search.within()
    if before:
        # The first alone would lose entries of one time, the second alone would begin at the newest.
        within = within.filter(at__lte=before.at).filter(Q(at__lt=before.at) | Q(pk__lt=before.pk))
    seen = set()
    for way in search.ways():
        seen.update(
            Place(*row) for row in within.filter(way).order_by("-at", "-pk").values_list("at", "pk")[:LOOKED_AT]
        )
    # No way saw all of what lies further back than these.
    looked = sorted(seen, reverse=True)[:LOOKED_AT]
    reached = looked[-1] if len(looked) == LOOKED_AT else None
    keys = [place.pk for place in looked]
    entries = list(
        Entry.objects.alias(signer=SIGNER).filter(search.condition(), pk__in=keys).order_by("-at", "-pk")[: PAGE + 1]
    )
    if len(entries) > PAGE:
        last = entries[PAGE - 1]
        return Page(entries[:PAGE], Place(last.at, last.pk))
    return Page(entries, reached)


def facts(entry):
    """The facts of an entry that the database took, and which is therefore in the one form."""
    return json.loads(entry.body)["facts"]


class Deed(NamedTuple):
    """What a person did, or signed as the second of two (`signed`)."""

    event: str
    signed: bool
    at: str
    body: str


class Deeds(NamedTuple):
    """The newest of a person's deeds, newest first, out of a bounded number of entries.

    `reached` says, for an event that is not among the deeds, how far back the search for it got; an event not listed
    there either was looked for in the whole log.
    """

    newest: list[Deed]
    reached: dict[tuple[str, bool], str]


def deeds(staff, events):
    """What a person (`staff:12`) last did or signed, of these kinds of events.

    For events that each round has many of, the person's own newest entries are enough. A rare event may lie behind
    those: then the newest entries of its kind are searched, whoever's they are.
    """
    newest: list[Deed] = []
    reached: dict[tuple[str, bool], str] = {}
    for signed, way in ((False, Q(by=staff)), (True, _signed_by(staff))):
        rows = Entry.objects.alias(signer=SIGNER).filter(way).order_by("-at", "-pk")
        rows = list(rows.values_list("event", "at", "body")[:LOOKED_AT])
        newest += [Deed(event, signed, at, body) for event, at, body in rows]
        if len(rows) == LOOKED_AT:
            reached |= {(event, signed): rows[-1][1] for event in events}
    if behind := [event for event in events if (event, False) in reached and event not in OFTEN]:
        with connection.cursor() as cursor:
            # For each event, how many of its newest entries there are, since when, and which are the person's.
            cursor.execute(
                "SELECT asked.event, looked.number, looked.first, own.at, own.body"
                " FROM unnest(%s::text[]) asked(event)"
                " CROSS JOIN LATERAL (SELECT count(*) AS number, min(newest.at) AS first FROM ("
                "  SELECT e.at FROM audit_entry e WHERE e.event = asked.event ORDER BY e.at DESC, e.id DESC LIMIT %s"
                " ) newest) looked"
                " LEFT JOIN LATERAL (SELECT newest.at, newest.body FROM ("
                "  SELECT e.at, e.by, e.body FROM audit_entry e WHERE e.event = asked.event"
                "  ORDER BY e.at DESC, e.id DESC LIMIT %s"
                " ) newest WHERE newest.by = %s) own ON true",
                [behind, LOOKED_AT, LOOKED_AT, staff],
            )
            for event, number, first, at, body in cursor.fetchall():
                if at:
                    newest.append(Deed(event, False, at, body))
                if number < LOOKED_AT:
                    reached.pop((event, False), None)
                else:
                    reached[event, False] = min(first, reached.get((event, False), first))
    return Deeds(sorted(newest, key=lambda deed: deed.at, reverse=True), reached)


def look(*, what, by, within=None):
    """Log that somebody reads the log. The door calls it last before it shows anything, in one transaction with it.

    :param what: `entries` for a search, or the reference of what is read: `round:81`, `export:3`, `table:7/45`.
    :param within: the range, as JSON; nothing personal may be in it.
    """
    log.record(
        "history.read", SUBJECT, chain=log.HOUSE, actor=log.Actor(by), facts={"what": what, "range": within or None}
    )


def look_at_records(*, what, by, within=None):
    """Log that an auditor reads money or people; what others read for their work is not logged.

    The door calls it last before it shows anything.

    :param what: a kind of row for a list (`transfer`), or the reference of one: `round:81`, `staff:12`, `transfer:5`.
    :param within: how the list was cut, as JSON; nothing personal may be in it.
    """
    if by.has_perm(Right.READ_LOG):
        with transaction.atomic():
            log.record(
                "records.read", RECORDS, chain=log.HOUSE, actor=log.Actor(by), facts={"what": what, "range": within}
            )


def groups():
    """The known events by what they are about: [(word, [event, ...]), ...]."""
    events_by_word = {}
    for event in EVENTS:
        events_by_word.setdefault(event.split(".")[0], []).append(event)
    return list(events_by_word.items())


def _signed_by(staff):
    return Q(SIGNED, signer=staff)
