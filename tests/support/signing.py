"""Signatures by passkey, as a browser makes them: the command hashed, the hash signed, and sent with the command."""

import hashlib
import json
import secrets
import uuid

from django.db import transaction
from django.test import Client
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from audit.form import canonical
from casino.models import Staff
from tables.people import credentials, passkeys, signatures

from . import factories
from .authenticator import PRESENT, VERIFIED, Authenticator

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


def command(path, body, key, requester):
    """The command as it is signed, and the salts of its free texts."""
    fields, salts = {name: value for name, value in body.items() if name != "signature"}, {}
    for name in signatures.texts(path) & fields.keys():
        if isinstance(fields[name], str) and fields[name]:
            salts[name] = secrets.token_hex(16)
            fields[name] = {"sha256": hashlib.sha256((salts[name] + fields[name]).encode()).hexdigest()}
    return {"method": "POST", "path": path, "body": fields, "key": key, "requester": requester}, salts


def challenge(signed):
    return bytes_to_base64url(hashlib.sha256(canonical(signed).encode()).digest())


def signature(login, authenticator, path, body, key, *, by="clara", **wrong):
    """The signature of a command for `by`; `wrong` goes to the authenticator."""
    signed, salts = command(path, body, key, factories.person(by).ref)
    return {"login": login, "passkey": authenticator.prove(challenge(signed), **wrong), "salts": salts}


def send(browser, login, authenticator, path, body, *, key=None):
    """Send a command of whoever is logged in, signed with another person's passkey."""
    key = key or str(uuid.uuid4())
    by = Staff.objects.get(pk=browser.session["_auth_user_id"]).login
    signed = {**body, "signature": signature(login, authenticator, path, body, key, by=by)}
    return factories.send(browser, path, signed, key=key)


def forged(chance, authenticator, challenge):
    """A proof that the person's own passkey did not give for this challenge: changed, cut, mixed up, or another's."""
    way, proof = chance.randrange(6), json.loads(authenticator.prove(challenge))
    response = proof["response"]
    parts = ["authenticatorData", "clientDataJSON", "signature"]
    name = chance.choice(parts)
    data = bytearray(base64url_to_bytes(response[name]))
    if way == 0:  # a bit of it; DER has no bit to spare
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == 1:
        del data[chance.randrange(len(data)) :]
    elif way == 2:  # what the passkey made for something else, whole or in part
        other = json.loads(authenticator.prove(bytes_to_base64url(chance.randbytes(32))))["response"]
        for each in chance.sample(parts, chance.randint(1, 3)):
            response[each] = other[each]
        # Everything but its data is from another moment; the data alone may differ only by its count.
        data = bytearray(base64url_to_bytes(response[name]))
        if {each for each in parts if response[each] == other[each]} == {"authenticatorData"}:
            data = data if name == "authenticatorData" else data[:-1]
    elif way == 3:  # another passkey, under the same handle
        stranger = Authenticator(ed=chance.random() < 0.5)
        stranger.id, stranger.counter = authenticator.id, authenticator.counter
        return stranger.prove(challenge)
    elif way == 4:  # a fault of the page or of the device that the passkey itself signed
        wrong = [{"host": "casino.example"}, {"origin": "http://127.0.0.1"}, {"kind": "webauthn.create"}]
        wrong += [{"flags": flags} for flags in (0, PRESENT, VERIFIED)]
        return authenticator.prove(challenge, **chance.choice(wrong))
    else:  # random bytes
        data = bytearray(chance.randbytes(len(data)))
    response[name] = bytes_to_base64url(bytes(data))
    return json.dumps(proof)
