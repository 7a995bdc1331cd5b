"""Terminals: devices enrolled at a table. Each knows a token that is shown once; we keep the token's SHA-256 alone."""

import hashlib
import re
import secrets

from django.db import IntegrityError, transaction
from django.db.models import OuterRef
from django.db.models.functions import Now
from rest_framework.authentication import BaseAuthentication, get_authorization_header

from audit import log
from casino.errors import Refused
from casino.statements import Statement

from ..models import SignOn, Table, Terminal
from . import footing

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,19}\Z")
_OF_TOKEN = Statement(
    lambda digest: Terminal.objects.filter(token_digest=digest, revoked_at=None).select_related("table")
)
_HERE = Statement(
    lambda table: footing.beside(
        SignOn.objects.filter(table=table, signed_off_at=None).select_related("staff"), OuterRef("staff_id")
    )
)


def enrol(*, table_id, name, actor):
    """A new terminal at a table, with the token that nobody can show again.

    :returns: the terminal and its token.
    :raises Refused: `terminal_name_wrong` (422), `terminal_taken` if a terminal, revoked or not, has the name.
    """
    if not _NAME.match(name):
        raise Refused(
            "terminal_name_wrong",
            "A terminal's name is 1 to 20 letters, digits and dashes.",
            status=422,
            path="name",
            way_out="Name it like T1-left.",
        )
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    token = secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            terminal = Terminal.objects.create(table=table, name=name, token_digest=_digest(token))
    except IntegrityError:
        raise Refused(
            "terminal_taken",
            f"There is a terminal {name} already.",
            path="name",
            way_out="Choose another name: that of a revoked terminal stays its own, as the log names it.",
        ) from None
    _log("terminal.enrolled", terminal, actor)
    return terminal, token


def revoke(*, terminal_id, actor):
    """Take a terminal's token away for ever.

    :raises Refused: `terminal_revoked` if it has none any more.
    """
    terminal = Terminal.objects.select_for_update(no_key=True).get(pk=terminal_id)
    if terminal.revoked_at:
        raise Refused(
            "terminal_revoked",
            f"The terminal {terminal} is revoked already.",
            way_out="Enrol the device anew under another name.",
        )
    terminal.revoked_at = Now()
    terminal.save(update_fields=["revoked_at"])
    _log("terminal.revoked", terminal, actor)
    return terminal


def _log(event, terminal, actor):
    subject = f"terminal:{terminal.pk}"
    facts = {"terminal": subject, "name": terminal.name, "table": f"table:{terminal.table_id}"}
    log.record(event, subject, chain=log.HOUSE, actor=actor, facts=facts)


def of_token(token):
    """The terminal that a token belongs to; None if no terminal has it, or a revoked one."""
    digest = digest_of(token)
    return digest and _OF_TOKEN.first(digest=digest)


def digest_of(token):
    """What we keep of a token; None of what is none."""
    return _digest(token) if token and token.isascii() else None


def _digest(token):
    return hashlib.sha256(token.encode()).hexdigest()


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`: acts for the croupier who is signed on at the terminal's table, there alone.

    The person is marked `by_token`, so that `access` gives a croupier's rights at that table and none of what other
    postings give: a device is no password.
    """

    def authenticate(self, request):
        kind, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer":
            return None
        terminal = of_token(token.strip())
        if terminal is None:
            raise Refused(
                "token_unknown",
                "No enrolled terminal has this token.",
                status=401,
                path="Authorization",
                way_out="Enrol the device again: its terminal may be revoked.",
            )
        here = _HERE.first(table=terminal.table_id)
        if here is None or not here.staff.is_active:
            raise Refused(
                "nobody_signed_on",
                f"Nobody is signed on at {terminal.table}, for whom the terminal could act.",
                status=401,
                path="Authorization",
                way_out="Sign a croupier on at the table, then send it again.",
            )
        request._request.terminal = terminal
        here.staff.by_token = True
        footing.stand(here.staff, here)
        return here.staff, terminal

    def authenticate_header(self, request):
        return "Bearer"
