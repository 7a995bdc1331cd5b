"""The people who work here as primitives for their pages: by role and pit, since when, last logged in; one person with
all rights they ever had; and who may do what, for whoever reviews it."""

import datetime as dt
from collections import Counter
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.urls import reverse

from casino.models import Casino, Staff
from casino.roles import Reach, Role

from ..models import Case, Credential, Pit, Posting, SignOn
from ..people import codes, credentials, lockout
from . import rights
from .console import CONSOLE

ROLES = {
    Role.CROUPIER: "role.croupier",
    Role.PIT_BOSS: "role.pit_boss",
    Role.CAGE: "role.cage",
    Role.COUNT_TEAM: "role.count_team",
    Role.AUDITOR: "role.auditor",
    Role.ADMINISTRATOR: "role.administrator",
}
# A person's ways to take the second step at a login.
_KEYS = {Credential.Kind.PASSKEY: "keys.passkey", Credential.Kind.APP: "keys.app"}
_ONE_KEY = {Credential.Kind.PASSKEY: "keys.passkey:one", Credential.Kind.APP: "keys.app:one"}


def label(role):
    return str(role).replace("_", " ").capitalize()


def roles(people, at):
    """The roles of people at a moment, in words, by number; people without a posting are missing."""
    posted = Posting.objects.filter(staff__in=people, posted_at__lte=at)
    posted = posted.filter(Q(ended_at=None) | Q(ended_at__gt=at)).order_by("role")
    held = {}
    for each in posted:
        held.setdefault(each.staff_id, {})[each.get_role_display()] = True
    return {number: ", ".join(labels) for number, labels in held.items()}


class Desk:
    """What the pages share: the casino's clock, who is locked out, who is signed on where, and who owns cases."""

    def __init__(self):
        self.zone = ZoneInfo(Casino.objects.get().time_zone)
        self.locked = {}
        for lock in lockout.locked():
            self.locked.setdefault(lock.staff, []).append(lock)
        signed_on = SignOn.objects.filter(signed_off_at=None).select_related("table")
        self.at = {each.staff_id: str(each.table) for each in signed_on}
        self.keys = {}
        for staff, kind in Credential.objects.standing().order_by("pk").values_list("staff", "kind"):
            self.keys.setdefault(staff, []).append(kind)
        self.coded = set(codes.standing().values_list("staff", flat=True))

    def moment(self, at):
        return at.astimezone(self.zone).strftime("%-d %b %Y, %H:%M") if at else ""

    def row(self, person, postings):
        return {
            "id": person.pk,
            "name": person.name,
            "login": person.login,
            "to": reverse("staff-person", args=[person.pk]),
            "state": self.state(person),
            "locked": [self.lock(lock) for lock in self.locked.get(person.ref, [])],
            "last": self.moment(person.last_login) or "Never",
            "second": _counted(self.keys.get(person.pk, [])) or "None",
            "lacks": person.is_active and person.pk not in self.keys and credentials.has_to(person),
            "at": self.at.get(person.pk, ""),
            "postings": [self.posting(each) for each in postings],
        }

    def lock(self, lock):
        """What was wrong too often, where, and how long the person waits unless somebody lifts the lock-out."""
        return {
            "what": "codes or passkeys" if lock.second else "passwords",
            "where": lock.terminal,
            "until": self.moment(lock.until),
        }

    def state(self, person):
        if not person.is_active:
            return "Left"
        if person.pk in self.coded:
            return "Has a one-time code"
        return "Works here" if person.has_usable_password() else "Has no password"

    def posting(self, posting):
        return {
            "id": posting.pk,
            "role": label(posting.role),
            "pit": posting.pit.name if posting.pit else "All pits",
            "since": self.moment(posting.posted_at),
            "until": self.moment(posting.ended_at),
            "by": _two(posting.posted_by, posting.posted_with) or "When the house was set up",
            "over": _two(posting.ended_by, posting.ended_with),
        }


def listed():
    """Everybody: those with a role by role, those without one, and those who left."""
    desk, postings = Desk(), {}
    for posting in _postings().filter(ended_at=None):
        postings.setdefault(posting.staff_id, []).append(posting)
    people = list(Staff.objects.order_by("name", "pk"))
    working = [person for person in people if person.is_active]
    groups = [
        (label(role), [each for each in working if any(p.role == role for p in postings.get(each.pk, []))])
        for role in Role
    ]
    groups.append(("Without a role", [each for each in working if each.pk not in postings]))
    groups.append(("Left", [each for each in people if not each.is_active]))
    return {
        "groups": [
            {"title": title, "rows": [desk.row(each, postings.get(each.pk, [])) for each in rows]}
            for title, rows in groups
            if rows
        ],
        "sums": [
            {"label": "Work here", "value": len(working)},
            {"label": "Left", "value": len(people) - len(working)},
            {"label": "Locked out", "value": len(desk.locked)},
        ],
    }


def shown(person):
    """One person, with every posting that they ever had."""
    desk = Desk()
    postings = list(_postings().filter(staff=person))
    standing = [each for each in postings if each.ended_at is None]
    owned = Case.objects.filter(owner=person, decided_at=None).order_by("pk")
    return {
        **desk.row(person, standing),
        "added": desk.moment(person.added_at),
        "works": person.is_active,
        "past": [desk.posting(each) for each in postings if each.ended_at],
        "rights": _rights(desk, person, standing),
        "cases": [{"name": str(case), "to": reverse("case", args=[case.pk])} for case in owned],
    }


def _rights(desk, person, standing):
    """A person's rights: how far each carries, by which posting and since when, and when they last used it."""
    last = rights.last_uses(person)
    return [
        {
            "words": rights.WORDS[right].capitalize(),
            "by": [desk.posting(posting) | {"reach": _reach(posting, far)} for posting, far in gives],
            "last": _last(desk, last.get(right)),
            "used": bool((use := last.get(right)) and use.at),
        }
        for right, gives in rights.held(standing)
    ]


def _reach(posting, far):
    if far == Reach.ALL:
        return "Everywhere"
    if far == Reach.PIT:
        return posting.pit.name if posting.pit else "All pits"
    return CONSOLE("reach.signed_on", pit=posting.pit.name) if posting.pit else CONSOLE("reach.signed_on:all")


def _last(desk, use):
    if use is None:
        return "Leaves no entry"
    if use.at:
        return desk.moment(dt.datetime.fromisoformat(use.at))
    if not use.reached:
        return "Never"
    return CONSOLE("unused", at=desk.moment(dt.datetime.fromisoformat(use.reached)))


def reviewed():
    """Who may do what since when, and when they last logged in, role by role."""
    desk = Desk()
    standing = list(_postings().filter(ended_at=None))
    return [
        {
            "role": label(role),
            "words": CONSOLE(ROLES[role]),
            "rows": [
                desk.row(each.staff, []) | {"posting": desk.posting(each)} for each in standing if each.role == role
            ],
        }
        for role in Role
    ]


def choices():
    """The roles and pits of a posting, and who may take over cases."""
    bosses = Staff.objects.filter(postings__role=Role.PIT_BOSS, postings__ended_at=None, is_active=True).distinct()
    return {
        "roles": [{"code": role.value, "label": label(role)} for role in Role],
        "pits": [{"id": pit.pk, "name": pit.name} for pit in Pit.objects.order_by("name")],
        "owners": [{"id": each.pk, "name": each.name} for each in bosses.order_by("name")],
    }


def _postings():
    people = ("staff", "pit", "posted_by", "posted_with", "ended_by", "ended_with")
    return Posting.objects.select_related(*people).order_by("posted_at", "pk")


def _counted(kinds):
    """Kinds in words.

    >>> _counted([Credential.Kind.PASSKEY, Credential.Kind.APP, Credential.Kind.PASSKEY])
    '2 passkeys, 1 authenticator app'
    """
    return ", ".join(
        CONSOLE(_KEYS[kind], count=number) if number > 1 else CONSOLE(_ONE_KEY[kind])
        for kind, number in Counter(kinds).items()
    )


def _two(by, second):
    return CONSOLE("and", one=by.name, other=second.name) if by else ""
