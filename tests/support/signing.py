"""Signatures by passkey, as a browser makes them: the command hashed, the hash signed, and sent with the command."""

import hashlib
import secrets
import uuid

from django.db import transaction
from django.test import Client
from webauthn.helpers import bytes_to_base64url

from audit.form import canonical
from tables.people import credentials, passkeys, signatures

from . import factories
from .authenticator import Authenticator

SITE = passkeys.Site("localhost", "http://localhost")


def passkey(login, **options):
    """A passkey that the person has added."""
    authenticator, person = Authenticator(**options), factories.person(login)
    key = passkeys.Key(authenticator.handle, bytes_to_base64url(authenticator.cose()), 0)
    with transaction.atomic():
        credentials.add_passkey(staff=person, name="Blue key", key=key, site=SITE, actor=factories.actor(login))
    return authenticator


def client(login):
    """An HTTP client that is logged in at localhost, where browsers offer passkeys."""
    made = Client(SERVER_NAME="localhost")
    made.force_login(factories.person(login))
    return made


def command(path, body, key):
    """The command as it is signed, and the salts of its free texts."""
    fields, salts = {name: value for name, value in body.items() if name != "signature"}, {}
    for name in signatures.texts(path) & fields.keys():
        if isinstance(fields[name], str) and fields[name]:
            salts[name] = secrets.token_hex(16)
            fields[name] = {"sha256": hashlib.sha256((salts[name] + fields[name]).encode()).hexdigest()}
    return {"method": "POST", "path": path, "body": fields, "key": key}, salts


def challenge(signed):
    return bytes_to_base64url(hashlib.sha256(canonical(signed).encode()).digest())


def signature(login, authenticator, path, body, key, **wrong):
    """What goes with a command as its signature; `wrong` are the authenticator's."""
    signed, salts = command(path, body, key)
    return {"login": login, "passkey": authenticator.prove(challenge(signed), **wrong), "salts": salts}


def send(browser, login, authenticator, path, body, *, key=None):
    """A command of whoever is logged in, signed by passkey by another."""
    key = key or str(uuid.uuid4())
    signed = {**body, "signature": signature(login, authenticator, path, body, key)}
    return factories.send(browser, path, signed, key=key)
