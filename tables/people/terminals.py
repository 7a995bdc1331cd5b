"""Terminals: devices enrolled at a table. Each has a token that is shown once; we keep only the token's SHA-256.

When a terminal was last seen is noted from its requests other than commands, and from the streams that its pages keep
open; at most once in `NOTED`, and never in a command's transaction, which would keep the row locked.
"""

import contextlib
import datetime as dt
import hashlib
import re
import secrets

from django.db import IntegrityError, connection, transaction
from django.db.models import OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header

from audit import log
from casino.statements import Statement

from ..models import SignOn, Table, Terminal, TerminalName
from . import footing
from .wording import WORDING

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,19}\Z")
NOTED = dt.timedelta(minutes=1)
"""The shortest time between two notes that a terminal is there."""
_OF_TOKEN = Statement(
    lambda digest: Terminal.objects.filter(token_digest=digest, revoked_at=None).select_related("table")
)
_HERE = Statement(
    lambda table: footing.beside(
        SignOn.objects.filter(table=table, signed_off_at=None).select_related("staff"), OuterRef("staff_id")
    )
)


def enrol(*, table_id, name, actor):
    """Enrol a terminal at a table, with a token that nobody can show again.

    :returns: the terminal and its token.
    :raises Refused: `terminal_name_wrong` (422), `terminal_taken` if a terminal, revoked or not, has or had the name.
    """
    _check(name)
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    token = secrets.token_urlsafe(32)
    with _free(name):
        terminal = Terminal.objects.create(table=table, name=name, token_digest=_digest(token))
    _log("terminal.enrolled", terminal, actor)
    return terminal, token


def rename(*, terminal_id, name, actor):
    """Give a terminal another name; nothing else about it changes. Its earlier name stays its own.

    :raises Refused: as `enrol`; `terminal_revoked`, `terminal_name_same`.
    """
    _check(name)
    terminal = _standing(terminal_id, renames=True)
    before = terminal.name
    if name == before:
        raise WORDING.refused("terminal_name_same", name=name)
    terminal.name = name
    with _free(name, terminal):
        terminal.save(update_fields=["name"])
    _log("terminal.renamed", terminal, actor, before=before)
    return terminal


def revoke(*, terminal_id, actor):
    """Take a terminal's token away for ever.

    :raises Refused: `terminal_revoked` if it no longer has one.
    """
    terminal = _standing(terminal_id)
    terminal.revoked_at = Now()
    terminal.save(update_fields=["revoked_at"])
    _log("terminal.revoked", terminal, actor)
    return terminal


def _check(name):
    if not _NAME.match(name):
        raise WORDING.refused("terminal_name_wrong")


@contextlib.contextmanager
def _free(name, terminal=None):
    """Refuse a name of another terminal, in letters of any case, as the database does.

    :param terminal: the one that is to have it, if it exists already: a name that it had before is not given again
        either.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        # Among earlier names, which may differ only by case, the exact one comes first.
        *_, taken = sorted(TerminalName.objects.filter(name__iexact=name), key=lambda row: row.name == name)
        own = terminal and taken.terminal_id == terminal.pk
        raise WORDING.refused("terminal_taken:own" if own else "terminal_taken", name=taken.name) from None


def _standing(terminal_id, *, renames=False):
    """The terminal, locked; refused if it is revoked.

    :param renames: whether it is to get another name.
    """
    terminal = Terminal.objects.select_for_update(no_key=True).get(pk=terminal_id)
    if terminal.revoked_at:
        raise WORDING.refused("terminal_revoked:rename" if renames else "terminal_revoked", terminal=terminal)
    return terminal


def _log(event, terminal, actor, **more):
    facts = {"terminal": terminal.ref, "name": terminal.name, "table": f"table:{terminal.table_id}"} | more
    log.record(event, terminal.ref, chain=log.HOUSE, actor=actor, facts=facts)


def of_token(token):
    """The terminal that a token belongs to; None if no terminal has it, or a revoked one."""
    digest = digest_of(token)
    terminal = digest and _OF_TOKEN.first(digest=digest)
    if terminal and (terminal.last_seen_at is None or timezone.now() - terminal.last_seen_at >= NOTED):
        see(digest)
    return terminal


def see(digest):
    """Note that the terminal with this token was seen, unless that was noted just now.

    :param digest: its token's; None belongs to no terminal.
    """
    if digest is None or connection.in_atomic_block:
        return
    long_ago = Q(last_seen_at=None) | Q(last_seen_at__lte=Now() - NOTED)
    Terminal.objects.filter(long_ago, token_digest=digest, revoked_at=None).update(last_seen_at=Now())


def digest_of(token):
    """What we keep of a token; None if it is not one."""
    return _digest(token) if token and token.isascii() else None


def _digest(token):
    return hashlib.sha256(token.encode()).hexdigest()


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`: acts, at the terminal's table alone, for the croupier who is signed on there.

    The person is marked `by_token`, so that `access` gives a croupier's rights at that table and none of what other
    postings give: a device is no password.
    """

    def authenticate(self, request):
        kind, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer":
            return None
        terminal = of_token(token.strip())
        if terminal is None:
            raise WORDING.refused("token_unknown")
        here = _HERE.first(table=terminal.table_id)
        if here is None or not here.staff.is_active:
            raise WORDING.refused("nobody_signed_on:terminal", table=terminal.table)
        request._request.terminal = terminal
        here.staff.by_token = True
        footing.stand(here.staff, here)
        return here.staff, terminal

    def authenticate_header(self, request):
        return "Bearer"
