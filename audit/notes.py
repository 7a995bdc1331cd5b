"""Checkpoints as signed notes: C2SP tlog-checkpoint and signed-note, Ed25519.

A note is three lines (the log's origin, its size, its root in base64), an empty line, and a line for each signature.
Keys are spelled as golang.org/x/mod/sumdb/note does: `<name>+<key id>+<base64>`, a signing key with `PRIVATE+KEY+` in
front.
"""

import base64
import binascii
import hashlib
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\x01"
_PRIVATE = "PRIVATE+KEY+"
_DASH = "— "


class BadNoteError(ValueError):
    """A text that is not a note, or not a key, in the one form; the message says why."""


class PublicKey(NamedTuple):
    """A key that signatures are checked with; `name` is the log's origin."""

    name: str
    data: bytes

    @property
    def id(self):
        """The four bytes that a signature begins with."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.data).digest()[:4]

    def __str__(self):
        return f"{self.name}+{self.id.hex()}+{encode(ED25519 + self.data)}"


class SigningKey(NamedTuple):
    """A key that checkpoints are signed with. Its text is a secret."""

    name: str
    seed: bytes

    @classmethod
    def make(cls, name):
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @property
    def public(self):
        return PublicKey(self.name, self._private.public_key().public_bytes_raw())

    @property
    def _private(self):
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    def sign(self, text):
        """The signature line for a note's text, without its newline."""
        return f"{_DASH}{self.name} {encode(self.public.id + self._private.sign(text.encode()))}"

    def secret(self):
        """The key as it is kept in its file."""
        return f"{_PRIVATE}{self.name}+{self.public.id.hex()}+{encode(ED25519 + self.seed)}"

    @classmethod
    def read(cls, secret):
        """:raises BadNoteError: if this is not a signing key."""
        head, *rest = secret.partition(_PRIVATE)
        if head:
            raise BadNoteError(f"A signing key begins with {_PRIVATE}.")
        name, data = _key(rest[1], "signing key")
        key = cls(name, data)
        if str(key.public).split("+")[1] != rest[1].split("+")[1]:
            raise BadNoteError("The signing key's id is not that of the key.")
        return key


def read_public(text):
    """A public key from its text.

    :raises BadNoteError: if it is not one.
    """
    key = PublicKey(*_key(text, "public key"))
    if str(key) != text:
        raise BadNoteError("The public key's id is not that of the key.")
    return key


class Note(NamedTuple):
    """A checkpoint that was read: what it says, and its signatures as (name, bytes). `text` is what they sign."""

    origin: str
    size: int
    root: bytes
    signatures: tuple

    @property
    def text(self):
        return checkpoint_text(self.origin, self.size, self.root)

    def signed_by(self, key):
        """Whether this key has signed it."""
        for name, data in self.signatures:
            if name == key.name and data[:4] == key.id:
                try:
                    Ed25519PublicKey.from_public_bytes(key.data).verify(data[4:], self.text.encode())
                except InvalidSignature:
                    continue
                return True
        return False


def checkpoint_text(origin, size, root):
    """The three lines that are signed.

    >>> checkpoint_text("casino/demo", 1, bytes(32))
    'casino/demo\\n1\\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\\n'
    """
    return f"{origin}\n{size}\n{encode(root)}\n"


def write(text, keys):
    """The note: a text, signed by each of the keys."""
    return "\n".join([text, *(key.sign(text) for key in keys), ""])


def read(text):
    """A note in its one form.

    :raises BadNoteError: if it is in any other.
    """
    head, gap, tail = text.partition("\n\n")
    lines, signed = head.split("\n"), tail.split("\n")
    if not gap or len(lines) != 3 or len(signed) < 2 or signed.pop():
        raise BadNoteError("A checkpoint is three lines, an empty line and a line for each signature.")
    origin, size, root = lines
    signatures = []
    for line in signed:
        dash, name, data = line[: len(_DASH)], *line[len(_DASH) :].rpartition(" ")[::2]
        if dash != _DASH or not name or " " in name:
            raise BadNoteError("A signature's line is a dash, the key's name and the signature.")
        signatures.append((name, _decode(data)))
    if not (size.isascii() and size.isdigit() and size == str(int(size))):
        raise BadNoteError("A checkpoint's second line is its size.")
    note = Note(origin, int(size), _decode(root), tuple(signatures))
    if len(note.root) != 32:
        raise BadNoteError("A checkpoint's third line is a hash of 32 bytes.")
    return note


def _key(text, what):
    name, _, rest = text.partition("+")
    data = _decode(rest.partition("+")[2])
    if not name or len(data) != 33 or data[:1] != ED25519:
        raise BadNoteError(f"A {what} is <name>+<id>+<base64 of 33 bytes>, of the type Ed25519.")
    return name, data[1:]


def encode(data):
    """Bytes in base64."""
    return base64.b64encode(data).decode()


def _decode(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = None
    if data is None or encode(data) != text:
        raise BadNoteError(f"{text[:100]!r} is not base64 in its one form.")
    return data
