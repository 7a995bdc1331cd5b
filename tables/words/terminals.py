"""The terminals as primitives for their pages: where each stands, who enrolled it, who deals there, when it was seen
last; and what happened to one."""

import datetime as dt
from zoneinfo import ZoneInfo

from audit import history
from audit.models import Entry
from casino.models import Casino, Staff

from ..models import SignOn
from ..people import lockout

_ENROLLED = "terminal.enrolled"
_EVENTS = (_ENROLLED, "terminal.renamed", "terminal.revoked")


class Desk:
    """What the pages share: the casino's clock, what the log says of these terminals, and who deals at their tables."""

    def __init__(self, terminals):
        self.zone = ZoneInfo(Casino.objects.get().time_zone)
        entries = Entry.objects.filter(subject__in=[each.ref for each in terminals], event__in=_EVENTS)
        self.entries = {}
        for entry in entries.order_by("at", "pk"):
            self.entries.setdefault(entry.subject, []).append(entry)
        refs = {entry.by for own in self.entries.values() for entry in own}
        numbers = [ref.partition(":")[2] for ref in refs if ref.startswith("staff:")]
        self.people = {person.ref: person.name for person in Staff.objects.filter(pk__in=numbers)}
        tables = {each.table_id for each in terminals}
        here = SignOn.objects.filter(table__in=tables, signed_off_at=None).select_related("staff")
        self.dealing = {sign_on.table_id: sign_on for sign_on in here}

    def moment(self, at):
        return at.astimezone(self.zone).strftime("%-d %b %Y, %H:%M") if at else ""

    def row(self, terminal):
        own = self.entries.get(terminal.ref, [])
        enrolled = next((entry for entry in own if entry.event == _ENROLLED), None)
        dealing = None if terminal.revoked_at else self.dealing.get(terminal.table_id)
        return {
            "id": terminal.pk,
            "name": terminal.name,
            "table": {"id": terminal.table_id, "name": terminal.table.name, "pit": terminal.table.pit.name},
            "enrolled": self.moment(terminal.enrolled_at),
            "by": self.person(enrolled.by) if enrolled else "",
            "seen": self.moment(terminal.last_seen_at) or "Not yet",
            "revoked": self.moment(terminal.revoked_at),
            "dealing": dealing and dealing.staff.name,
            "here": bool(dealing and dealing.terminal_id == terminal.pk),
        }

    def person(self, ref):
        return self.people.get(ref, "The house")


def listed(terminals):
    """The enrolled terminals and the revoked ones, by table and name."""
    terminals = list(terminals.select_related("table__pit").order_by("table__code", "name"))
    desk = Desk(terminals)
    return {
        "standing": [desk.row(each) for each in terminals if each.revoked_at is None],
        "revoked": [desk.row(each) for each in terminals if each.revoked_at],
    }


def shown(terminal):
    """One terminal, with what happened to it."""
    desk = Desk([terminal])
    return desk.row(terminal) | {
        "events": [
            {
                "at": desk.moment(dt.datetime.fromisoformat(entry.at)),
                "what": history.WORDS[entry.event],
                "name": history.facts(entry)["name"],
                "before": history.facts(entry).get("before", ""),
                "by": desk.person(entry.by),
            }
            for entry in desk.entries.get(terminal.ref, [])
        ],
    }


def locks():
    """Who is locked out now, where, and until when."""
    zone = ZoneInfo(Casino.objects.get().time_zone)
    return [
        {
            "id": lock.staff.partition(":")[2],
            "where": lock.terminal,
            "what": "codes or passkeys" if lock.second else "passwords",
            "until": lock.until.astimezone(zone).strftime("%H:%M"),
        }
        for lock in lockout.locked()
    ]
