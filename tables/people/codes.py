"""One-time codes: a person sets a password of their choice with one; it is shown once, and kept as its SHA-256.

Two others give it, or the system if there are no two. It counts for a day and is used once; another code or a change of
the password ends it.
"""

import datetime as dt
import hashlib
import secrets

from django.db.models.functions import Now
from django.views.decorators.debug import sensitive_variables

from audit import log
from casino.models import Staff

from ..models import OneTimeCode

HOURS = 24
"""So long a code counts."""
_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
# 16 signs of 31 are 79 bits: nobody guesses that, and a plain hash is enough.
_GROUPS, _LONG = 4, 4


def give(*, staff, actor):
    """Give a new one-time code to a person, whose row is locked, by two others; it ends an earlier one.

    The database lets the system give it as long as there are no two others with a password.

    :returns: the code, which nobody can show again.
    """
    end(staff)
    code = new()
    OneTimeCode.objects.create(staff=staff, digest=digest(code), given_by=actor.by, given_with=actor.approved_by)
    facts = {"staff": staff.ref, "requester": actor.by and actor.ref, "approver": actor.approver}
    log.record("staff.code_given", staff.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return code


def end(staff):
    """End the code that a person has, if there is one."""
    OneTimeCode.objects.filter(staff=staff, ended_at=None).update(ended_at=Now())


def standing():
    """The codes that still count."""
    return OneTimeCode.objects.filter(ended_at=None, given_at__gt=Now() - dt.timedelta(hours=HOURS))


@sensitive_variables()
def holder(login, code):
    """The person with this login, if that is their code; None if not."""
    return Staff.objects.filter(login=login, is_active=True, codes__in=standing().filter(digest=digest(code))).first()


def new(groups=_GROUPS):
    """A new random code, in groups that are easy to read."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_LONG)) for _ in range(groups))


def digest(code):
    """What is kept of a code as people type it: small letters, blanks and dashes do not count."""
    plain = "".join(code.split()).replace("-", "").upper()
    return hashlib.sha256(plain.encode()).hexdigest()
