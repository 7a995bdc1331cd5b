"""What a web session knows about the second step of its login: between the two steps, nobody is logged in.

After the right password the session remembers for a while whose it was; the second step makes it a login. A person who
must have a second step and has none adds one in between. A session that began without one counts as nobody's once its
person must have one.
"""

import time
from typing import NamedTuple

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.utils.crypto import constant_time_compare

from casino.models import Staff

from . import credentials

WAITS_SECONDS = 600
"""So long the second step may come after the password."""
FRESH_SECONDS = 600
"""So long after a login a person may change what they log in with."""
_WAITING, _PASSED, _AT, _CHALLENGE = "waiting", "second_step", "logged_in_at", "challenge"


class Waiting(NamedTuple):
    """A person who gave their password, and the page that they want."""

    person: Staff
    to: str


def begin(request, person, to):
    """Remember that a person gave their password; whoever was logged in here no longer is."""
    request.session.flush()
    request.user = AnonymousUser()
    request.session[_WAITING] = {
        "staff": person.pk,
        "until": int(time.time()) + WAITS_SECONDS,
        "password": person.get_session_auth_hash(),
        "to": to,
    }
    request.session.set_expiry(WAITS_SECONDS)


def waiting(request):
    """Who gave their password in this session, recently and if it is still theirs; None if nobody did."""
    kept = request.session.get(_WAITING)
    if kept is None or time.time() > kept["until"]:
        return None
    person = Staff.objects.filter(pk=kept["staff"], is_active=True).first()
    if person is None or not constant_time_compare(kept["password"], person.get_session_auth_hash()):
        return None
    return Waiting(person, kept["to"])


def complete(request, person, *, passed):
    """Log a person in.

    :param passed: whether they proved a second step.
    """
    request.session.pop(_WAITING, None)
    request.session.set_expiry(None)
    login(request, person, backend="tables.people.access.StaffBackend")
    request.session[_PASSED], request.session[_AT] = passed, int(time.time())


def is_due(person, session):
    """Whether a person has to prove a second step, and did not in this session."""
    return not session.get(_PASSED) and credentials.has_to(person)


def is_fresh(request):
    """Whether the person logged in just now, so that they may change what they log in with."""
    return time.time() - request.session.get(_AT, 0) < FRESH_SECONDS


def challenge(request, text):
    """Remember the challenge that a page asks a browser with."""
    request.session[_CHALLENGE] = text


def taken_challenge(request):
    """Take the challenge of the page that was shown last; it counts once."""
    return request.session.pop(_CHALLENGE, None)
