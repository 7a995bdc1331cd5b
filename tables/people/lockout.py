"""A person who mistypes a password too often is locked out for a while: at that terminal and nowhere else.

Wrong passwords, for known and unknown names alike, are also counted by the minute for the whole house. Beyond
WRONG_LOGINS both get the same 429 for the same work: with separate counts, the limit would tell which names exist. The
right password still gets its person in.

django-axes counts, under our key: the person and the terminal. No address, no browser and nothing that was typed is
kept; a casino has one address, and an address would lock out everybody. LOCKOUT_FAILURES and LOCKOUT_MINUTES in
casino/settings.py say after how many tries and for how long.
"""

import datetime as dt
import hashlib
import re
from typing import NamedTuple

from axes.backends import AxesStandaloneBackend
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db import transaction
from django.shortcuts import render
from django.utils import timezone

from audit import log
from casino.models import Staff

from ..models import Terminal
from . import access, wrong_logins
from .wording import WORDING

LOGIN = re.compile(r"[a-z][a-z0-9._-]{0,39}\Z")
"""A login as the database keeps it."""
# Nobody's address (RFC 5737). The column must have one value, or two rows could count the same key.
NOWHERE = "192.0.2.0"
NOBODY = "nobody:"
# Follows the terminal's number. Wrong second steps are counted apart from wrong passwords: else the right password of a
# person whose code somebody guesses would clear the guesses.
SECOND = " second step"
# The keys say whether second steps, not passwords, were wrong, and whether the wait is one minute.
_LOCKED = {
    (False, False): "locked",
    (False, True): "locked:one",
    (True, False): "locked:second_step",
    (True, True): "locked:second_step_one",
}


def plain(login):
    """A login as the database keeps it; empty if nobody can have it.

    >>> plain(" Anna "), plain("anna\\0")
    ('anna', '')
    """
    login = login.strip().lower()
    return login if LOGIN.match(login) else ""


def _who(credentials):
    """`staff:12`; for a login that nobody has, its digest, which is counted and locked in the same way."""
    login = plain(credentials.get("username") or credentials.get(Staff.USERNAME_FIELD) or "")
    person = Staff.objects.filter(login=login).first()
    return person.ref if person else f"{NOBODY}{hashlib.sha256(login.encode()).hexdigest()}"


def _attempts(request, credentials):
    terminal = access.terminal_of(request)
    where = (terminal.ref if terminal else "") + (SECOND if getattr(request, "second_step", False) else "")
    return {"username": _who(credentials), "user_agent": where, "ip_address": NOWHERE}


def key(request, credentials):
    """The columns of axes that hold our key."""
    return [["username", "user_agent"]]


class Backend(AxesStandaloneBackend):
    """Refuses a login that is locked out before the password is checked. Without a request nothing is counted."""

    def authenticate(self, request, username=None, password=None, **more):
        if request is not None:
            super().authenticate(request, username, password, **more)


class Handler(AxesDatabaseHandler):
    """Counts wrong passwords under our key and records a lock in the log once, in the transaction that makes it."""

    def filter_user_attempts(self, request, credentials=None):
        return [AccessAttempt.objects.filter(**_attempts(request, credentials or {}))]

    def user_login_failed(self, sender, credentials, request=None, **kwargs):
        if request is None:
            return
        columns = _attempts(request, credentials)
        wrong_logins.count(unknown=columns["username"].startswith(NOBODY))
        if request.axes_locked_out:
            return
        self.clean_expired_user_attempts(request)
        # Durable: in a command's transaction a refusal would take the count back.
        with transaction.atomic(durable=True):
            attempt, _ = AccessAttempt.objects.select_for_update().get_or_create(
                **columns, defaults={"failures_since_start": 0}
            )
            attempt.failures_since_start += 1
            attempt.attempt_time = request.axes_attempt_time
            attempt.save()
            if attempt.failures_since_start == settings.AXES_FAILURE_LIMIT:
                _record(attempt, access.terminal_of(request))
        request.axes_locked_out = attempt.failures_since_start >= settings.AXES_FAILURE_LIMIT
        if not request.axes_locked_out and wrong_logins.in_this_minute() > settings.WRONG_LOGINS:
            request.axes_locked_out, request.axes_refusal = True, _many_wrong()


def _record(attempt, terminal):
    if attempt.username.startswith("staff:"):
        terminal = terminal and terminal.name
        step = "second" if attempt.user_agent.endswith(SECOND) else None
        facts = {"staff": attempt.username, "terminal": terminal, "step": step}
        record = log.Record("staff.locked", attempt.username, facts, terminal=terminal)
        log.record_all(log.HOUSE, [record])


def refusal(request):
    """Why a login was not judged, or the answer to its wrong password."""
    return getattr(request, "axes_refusal", None) or _locked_out(is_second=getattr(request, "second_step", False))


def _many_wrong():
    return WORDING.refused("many_wrong_logins", detail={"retry_after": 60})


def _locked_out(*, is_second):
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    minutes = seconds // 60
    return WORDING.refused(_LOCKED[is_second, minutes == 1], minutes=minutes, detail={"retry_after": seconds})


def answer(request, *_):
    """The login page for a person who is locked out; axes asks for it, with different arguments in async code."""
    return page(request, refusal(request))


def page(request, refused):
    """The login page with a refusal that says when to come back."""
    context = {
        "locked": f"{refused.message} {refused.way_out}",
        "next": request.POST.get("next", ""),
        "no_second_step": not settings.SECOND_STEP,
    }
    response = render(request, "login.html", context, status=refused.status)
    response.headers["Retry-After"] = str(refused.detail["retry_after"])
    return response


def forget(request, login):
    """Clear what was mistyped, after a right password that logs nobody in."""
    AccessAttempt.objects.filter(**_attempts(request, {"username": login})).delete()


class Lock(NamedTuple):
    """A person (`staff:12`) who is locked out at a terminal, by its name, or (empty) at no terminal; until when."""

    staff: str
    terminal: str
    second: bool
    until: dt.datetime


def locked():
    """The people who are locked out now, and where."""
    rows = list(_locked().order_by("username", "user_agent"))
    places = [row.user_agent.removesuffix(SECOND) for row in rows]
    numbers = {place.removeprefix("terminal:") for place in places if place.startswith("terminal:")}
    names = {terminal.ref: terminal.name for terminal in Terminal.objects.filter(pk__in=numbers)}
    return [
        Lock(
            row.username,
            names.get(place, ""),
            row.user_agent.endswith(SECOND),
            row.attempt_time + settings.AXES_COOLOFF_TIME,
        )
        for row, place in zip(rows, places, strict=True)
    ]


def lift(staff):
    """Lift a person's lock-outs everywhere; return whether there were any."""
    # If two calls come at once, only one deletes the rows.
    lifted, _ = _locked().filter(username=staff.ref).delete()
    if lifted:
        AccessAttempt.objects.filter(username=staff.ref).delete()
    return bool(lifted)


def _locked():
    return AccessAttempt.objects.filter(
        username__startswith="staff:",
        failures_since_start__gte=settings.AXES_FAILURE_LIMIT,
        attempt_time__gte=timezone.now() - settings.AXES_COOLOFF_TIME,
    )
