"""Cases as primitives for their pages: the list of those within reach, and a single one with its clock, people and
decision."""

import datetime as dt
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from casino import money
from casino.models import Casino, Staff
from casino.roles import Right
from payouts import ledger

from ..models import Case, Dispute, Round
from ..people import access
from ..verbs import cases, grounds
from . import disputes, luck
from . import staff as staff_words
from .console import CONSOLE
from .timeline import Reader

KIND, STATUS = Case.Kind, Case.Status
DAYS = (1, 3, 7, 14)
"""A case may get so many more days on its page; REST takes any moment."""
NEWEST = 20
_OF_FLOAT = ("From paper, float", "Variance left, float")
_OF_SLOT = ("From paper, rake slot", "Variance left, rake slot")
# What a case is about, and the name of its page.
_PAGES = {
    KIND.VARIANCE: ("Closing form", "session"),
    KIND.DROP_VARIANCE: ("Count", "drop_box"),
    KIND.VOID: ("Round", "round"),
    KIND.INVESTIGATION: ("Session", "session"),
}
_SIGNED_BY = {
    KIND.VARIANCE: "Closing signed by",
    KIND.DROP_VARIANCE: "Count signed by",
    KIND.VOID: "Void signed by",
    KIND.INVESTIGATION: "Opening or closing signed by",
}
# Who may sign the decision.
_SIGNS = {
    KIND.VARIANCE: "case.signs.closing",
    KIND.DROP_VARIANCE: "case.signs.count",
    KIND.VOID: "case.signs.void",
    KIND.INVESTIGATION: "case.signs.session",
}


class Desk:
    """How cases look to one person: names, times and amounts."""

    def __init__(self, staff):
        self.staff, self.casino, self.now = staff, Casino.objects.get(), timezone.now()
        self.zone = ZoneInfo(self.casino.time_zone)
        self.reader = Reader(staff.has_perm(Right.READ_NAMES), self.zone)

    def person(self, staff, roles):
        """Somebody, with their roles at the time."""
        role = staff and roles.get(staff.pk)
        who = self.reader.person(staff)
        return CONSOLE("person.was", who=who, role=role) if role else who

    def signed(self, units):
        return f"{'+' if units > 0 else ''}{money.spell(units, self.casino.currency_decimals)}"

    def moment(self, at):
        local = at.astimezone(self.zone)
        return f"{local.day} {local:%b %Y %H:%M}"

    def clock(self, case):
        """The time that a case has left, or by which it is late, in hours and minutes."""
        left = abs(case.due_at - self.now) // dt.timedelta(minutes=1)
        return CONSOLE("span.hours", hours=left // 60, minutes=left % 60)

    def is_late(self, case):
        return case.status == STATUS.OPEN and case.due_at <= self.now


def within_reach(staff):
    """The cases that a person reads."""
    return Case.objects.filter(table__in=access.tables(staff, Right.READ_CASE)).select_related(
        "table__pit", "owner", "decided_by", "approved_by"
    )


def listed(staff, of_cases):
    """The list beside a case: those that wait, by when they are due, and the newest decided ones.

    :param of_cases: the rows of their alarms, by the case.
    """
    desk = Desk(staff)
    waiting = list(within_reach(staff).waiting().order_by("due_at", "pk"))
    decided = list(within_reach(staff).filter(status=STATUS.DECIDED).order_by("-decided_at", "-pk")[:NEWEST])
    groups = [("Waiting", waiting), ("Decided", decided)]
    late = sum(map(desk.is_late, waiting))
    filled = [(title, each) for title, each in groups if each]
    numbers = [case.subject_id for case in (*waiting, *decided) if case.kind == KIND.DISPUTE]
    rows = Dispute.objects.filter(pk__in=numbers).select_related("round").prefetch_related("round__lines")
    contested = {dispute.ref: dispute for dispute in rows}
    numbers = [case.subject_id for case in (*waiting, *decided) if case.kind == KIND.VOID]
    void = {round_.ref: round_ for round_ in Round.objects.filter(pk__in=numbers).select_related("table")}
    return {
        "groups": [
            {
                "title": title,
                "rows": [
                    _row(case, desk, contested.get(case.subject), void) | _alarm(of_cases.get(case.pk)) for case in each
                ],
            }
            for title, each in filled
        ],
        "sums": [{"label": "Waiting", "value": len(waiting)}, {"label": "Late", "value": late}],
    }


def _row(case, desk, dispute, void):
    """A row of the list with what is at stake; that of a dispute leads to its page.

    :param void: the void rounds that cases are about, by name.
    """
    late = desk.is_late(case)
    if case.status == STATUS.DECIDED:
        at, icon = case.get_outcome_display(), "ok"
    else:
        at, icon = CONSOLE("due.late" if late else "due.in", time=desk.clock(case)), "warn" if late else "wait"
    place, meaning = [case.table.name], _meaning(case)
    if dispute:
        place, meaning = ["Dispute", *place, disputes.boxes(dispute).lower()], "staked"
    return {
        "id": case.pk,
        "to": reverse("case", args=[case.pk]) if dispute is None else reverse("dispute", args=[dispute.pk]),
        "number": str(case),
        "detail": ", ".join((*place, desk.reader.person(case.owner))),
        "amount": disputes.stake(dispute) if dispute else _about_short(case, desk, void),
        "at": ", ".join((meaning, at)) if meaning else at,
        "late": late,
        "icon": icon,
    }


def _alarm(row):
    """The alarm of a case in its row: who took it, or that nobody did."""
    if row is None or row["state"] == "taken":
        return {"alarm": ""}
    return {"alarm": row["more"] or "Nobody is looking into it yet", "icon": "bell"}


def _about_short(case, desk, void):
    """What stands beside a case in the list: its units, the void round, or the session."""
    if case.units is not None:
        return CONSOLE("amount", amount=desk.signed(case.units), currency=desk.casino.currency)
    return str(void[case.subject]) if case.kind == KIND.VOID else CONSOLE("session", session=case.subject_id)


def _meaning(case):
    """What the units of a variance are, in words; "" for any other case."""
    return "" if case.units is None else "missing" if case.units < 0 else "too much"


def explained(table, session):
    """How much of a closed session's variance its rounds from paper explain, and what is left: for float and rake slot,
    first the one that the case is about, then the other if it varied or papers moved it; nothing without such
    rounds."""
    late = [round_.ref for round_ in session.rounds.entered_late()]
    if not late:
        return []
    slots = [
        (table.float_account, ledger.movement_units(session.ref)["variance"], _OF_FLOAT),
        (table.rake_account, ledger.rake_variance(session.ref), _OF_SLOT),
    ]
    lines = []
    # As at the closing: if both are equally far off, the float is named.
    for account, units, (from_paper, left) in sorted(slots, key=lambda each: abs(each[1]), reverse=True):
        papers = ledger.explained_units(account, *late)
        if not lines:
            lines += [("Of which from paper", papers), ("Variance left", units - papers)]
        elif units or papers:
            lines += [(from_paper, papers), (left, units - papers)]
    return lines


def shown(case, staff):
    """One case for its page, with what the person may do now."""
    desk = Desk(staff)
    about = cases.about(case)
    waits = case.status == STATUS.OPEN
    runs = waits and staff.has_perm(Right.RUN_CASE, case.table)
    date = (about.session if case.kind == KIND.VOID else about).business_date
    return {
        "id": case.pk,
        "number": str(case),
        "title": ", ".join((case.get_kind_display().capitalize(), case.table.name, f"{date.day} {date:%B %Y}")),
        "waits": waits,
        "late": desk.is_late(case),
        "clock": desk.clock(case),
        "question": case.question,
        "decision": None if waits else _decision(case, desk),
        "runs": runs,
        "has_part": runs and cases.has_part(staff, case),
        "outcomes": [{"code": outcome.value, "label": outcome.label} for outcome in cases.CAUSES] if runs else [],
        **_about(case, about, desk),
        **moves(case, desk, runs),
    }


def _about(case, about, desk):
    """What a case is about, and who signed that; for a variance, also its units and what was said."""
    signers = cases.signers(case)
    roles = staff_words.roles([case.owner_id, *(each.pk for each in signers if each)], case.opened_at)
    of_papers = explained(case.table, about) if case.kind == KIND.VARIANCE else []
    label, page = _PAGES[case.kind]
    name = CONSOLE("session", session=about.pk) if page == "session" else str(about)
    units = {}
    if case.kind in cases.VARIANCES:
        of_drop = case.kind == KIND.DROP_VARIANCE
        said = about.reason if of_drop else about.closer_reason
        units = {
            "currency": desk.casino.currency,
            "units": desk.signed(case.units),
            "meaning": CONSOLE("units.drop" if of_drop else "units.closing", meaning=_meaning(case)),
            "said": said and CONSOLE("case.said.count" if of_drop else "case.said.closing", words=said),
        }
    people = [desk.person(person, roles) for person in signers]
    facts = [
        ("Owner", desk.person(case.owner, roles)),
        *((label, desk.signed(units)) for label, units in of_papers),
        ("Opened", desk.moment(case.opened_at)),
        ("Due", desk.moment(case.due_at)),
        *([("Video", case.video)] if case.video else []),
        (_SIGNED_BY[case.kind], _all_of(people)),
    ]
    of_luck = luck.of_session(about, luck.Scale()) if case.kind == KIND.INVESTIGATION else ()
    return {
        "about": {"label": label, "name": name, "to": reverse(page, args=[about.pk])},
        "signs": CONSOLE(_SIGNS[case.kind]),
        "facts": [{"label": label, "value": value} for label, value in facts],
        "luck": [fact._asdict() for fact in of_luck],
        **units,
    }


def _all_of(names):
    """Names in a line.

    >>> _all_of(["A"]), _all_of(["A", "B"]), _all_of(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    *others, last = names
    return CONSOLE("and", one=", ".join(others), other=last) if others else last


def opener(kind, subject, staff):
    """The case of a void round or the investigation of a session, for the page of what it is about: the existing one,
    if the person may read it, or the way to open one; None if they may do neither."""
    case = within_reach(staff).filter(kind=kind, subject=subject.ref).first()
    if case is not None:
        return {"id": case.pk, "number": str(case), "state": case.get_status_display(), "question": case.question}
    if not staff.has_perm(Right.RUN_CASE, subject.table):
        return None
    is_void = kind == KIND.VOID
    return {
        "id": None,
        "head": "Open a case" if is_void else "Investigate this session",
        "to": f"/api/v1/{'rounds' if is_void else 'sessions'}/{subject.pk}/case/",
        "most": grounds.MAX_REASON,
        "button": "Open the case" if is_void else "Open the investigation",
    }


def moves(case, desk, runs):
    """To whom a case may go, until when, and its recording; only for those who run it."""
    return {
        "owners": _owners(case, desk.reader) if runs else [],
        "times": _times(desk) if runs else [],
        "video": case.video,
    }


def of_dispute(dispute, staff):
    """The case of a dispute for the dispute's page: its number, its clock, its owner, and how it is moved; None for a
    dispute from before there were cases."""
    case = within_reach(staff).filter(subject=dispute.ref).first()
    if case is None:
        return None
    desk = Desk(staff)
    runs = case.status == STATUS.OPEN and staff.has_perm(Right.RUN_CASE, case.table)
    whole, gone = case.due_at - case.opened_at, desk.now - case.opened_at
    return {
        "id": case.pk,
        "number": str(case),
        "waits": case.status == STATUS.OPEN,
        "late": desk.is_late(case),
        "clock": desk.clock(case),
        "gone": max(0, min(100, 100 * gone // whole)),
        "due": desk.moment(case.due_at),
        "owner": desk.reader.person(case.owner),
        "owner_id": case.owner_id,
        "runs": runs,
        **moves(case, desk, runs),
    }


def _decision(case, desk):
    two = (case.decided_by, case.approved_by)
    roles = staff_words.roles(two, case.decided_at)
    by, with_ = (desk.person(each, roles) for each in two)
    return {
        "outcome": case.get_outcome_display().capitalize(),
        "reason": case.reason,
        "by": CONSOLE("decided.by", by=by, second=with_),
        "at": desk.moment(case.decided_at),
        "not_apart": CONSOLE("decided.part", who=desk.reader.person(case.decided_by))
        if cases.has_part(case.decided_by, case)
        else "",
    }


def _owners(case, reader):
    """The others to whom the case may go."""
    able = [
        each
        for each in Staff.objects.filter(is_active=True).exclude(pk=case.owner_id).order_by("pk")
        if each.has_perm(Right.RUN_CASE, case.table)
    ]
    return [{"id": each.pk, "name": reader.person(each)} for each in able]


def _times(desk):
    moments = [(days, desk.now + dt.timedelta(days=days)) for days in DAYS]
    return [{"at": at.isoformat(timespec="seconds"), "words": _until(days, desk.moment(at))} for days, at in moments]


def _until(days, at):
    return CONSOLE("due.days:one", at=at) if days == 1 else CONSOLE("due.days", days=days, at=at)
