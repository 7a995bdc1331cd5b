"""Authenticators in software: what a browser would bring from a passkey, faulty on demand, and what an app shows."""

import base64
import hashlib
import json
import secrets
import time

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40


def code(secret, steps=0):
    """The code that an authenticator app shows this many half minutes from now."""
    hotp = HOTP(base64.b32decode(secret.replace(" ", "")), 6, hashes.SHA1())
    return hotp.generate(int(time.time()) // 30 + steps).decode()


class Authenticator:
    """One passkey, P-256 or Ed25519, of one host."""

    def __init__(self, host="localhost", origin="http://localhost", *, ed=False, counts=True):
        self.host, self.origin, self.ed = host, origin, ed
        self.key = ed25519.Ed25519PrivateKey.generate() if ed else ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.counter, self.step = (0, 1) if counts else (0, 0)

    @property
    def handle(self):
        return bytes_to_base64url(self.id)

    def cose(self):
        """The public key as COSE has it."""
        public = self.key.public_key()
        if self.ed:
            return cbor2.dumps({1: 1, 3: -8, -1: 6, -2: public.public_bytes_raw()})
        numbers = public.public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})

    def data(self, flags, more=b"", *, host=None):
        """The authenticator's data: the host, its flags, its signature count."""
        self.counter += self.step
        digest = hashlib.sha256((host or self.host).encode()).digest()
        return digest + bytes([flags]) + self.counter.to_bytes(4, "big") + more

    def client(self, kind, challenge, origin=None):
        """The client's data: what for, which challenge, on a page of which origin."""
        said = {"type": kind, "challenge": challenge, "origin": origin or self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def signature(self, data, client):
        signed = data + hashlib.sha256(client).digest()
        return self.key.sign(signed) if self.ed else self.key.sign(signed, ec.ECDSA(hashes.SHA256()))

    def make(self, challenge, *, flags=PRESENT | VERIFIED, **wrong):
        """What a browser brings for a new passkey."""
        key = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self.cose()
        data = self.data(flags | WITH_KEY, key, host=wrong.get("host"))
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self.client(wrong.get("kind", "webauthn.create"), challenge, wrong.get("origin"))
        return self._brought(clientDataJSON=client, attestationObject=attested)

    def prove(self, challenge, *, flags=PRESENT | VERIFIED, **wrong):
        """What a browser brings for a proof."""
        data = self.data(flags, host=wrong.get("host"))
        client = self.client(wrong.get("kind", "webauthn.get"), challenge, wrong.get("origin"))
        return self._brought(clientDataJSON=client, authenticatorData=data, signature=self.signature(data, client))

    def _brought(self, **response):
        response = {name: bytes_to_base64url(value) for name, value in response.items()}
        brought = {"id": self.handle, "rawId": self.handle, "type": "public-key", "response": response}
        return json.dumps(brought | {"clientExtensionResults": {}})
