"""A command is carried out once: the same key and content give the first answer again (Stripe's and Zulip's way).

The row of the key is made in the transaction of the command's effect, so both stand or neither does; a refusal leaves
no row, and the key may be used again.
"""

import hashlib
import json
from typing import NamedTuple

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from ..errors import key_reused
from ..models import Command
from .wording import WORDING

PATIENCE_SECONDS = 3
"""How long a command waits for another one that holds its key, its table or its round."""


class Answer(NamedTuple):
    """An HTTP status with a body of JSON text; `again` where it was given before."""

    status: int
    text: str
    again: bool = False


def carry_out(*, staff, key, method, path, body, work):
    """Run `work`, which returns (status, JSON value), once for this person's key.

    :param body: the parsed body, the version that the client saw within it.
    :raises Refused: whatever `work` refuses with; `key_reused` (422) if the key came with other content;
        `in_flight` (409) if another command holds the key, the table or the round for longer than 3 s.
    """
    content = _content(method, path, body)
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                # From here on nothing waits longer; first for a command with the same key that still runs.
                cursor.execute(
                    "WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', %s, true))"
                    " INSERT INTO casino_command (staff_id, key, content)"
                    " SELECT %s, %s, %s FROM patience ON CONFLICT (staff_id, key) DO NOTHING RETURNING id",
                    [f"{PATIENCE_SECONDS}s", staff.pk, key, content],
                )
                row = cursor.fetchone()
            if row is None:
                return _answered(Command.objects.get(staff=staff, key=key), content)
            status, value = work()
            text = json.dumps(value, ensure_ascii=False)
            with connection.cursor() as cursor:
                cursor.execute("UPDATE casino_command SET status = %s, answer = %s WHERE id = %s", [status, text, *row])
            return Answer(status, text)
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise WORDING.refused("in_flight", detail={"retry_after": 1}) from None
        raise


def without_secrets(body):
    """A body with no password in it: a signature counts by its login alone. Even a digest would give a password away.

    >>> without_secrets({"version": 3, "signature": {"login": "clara", "password": "river-1"}})
    {'version': 3, 'signature': {'login': 'clara'}}
    """
    signature = body.get("signature") if isinstance(body, dict) else None
    if signature is None:
        return body
    return {**body, "signature": {"login": signature.get("login")} if isinstance(signature, dict) else None}


def _content(method, path, body):
    text = json.dumps([method, path, without_secrets(body)], sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.sha256(text.encode()).hexdigest()


def _answered(command, content):
    if command.content != content:
        raise key_reused()
    return Answer(command.status, command.answer, again=True)
