"""Files for a recipient alone, in the format of age (https://age-encryption.org/v1): for `backup` and `restore`.

Whoever writes needs the recipients' public keys only. Whoever has the file and no identity reads nothing and changes
nothing unnoticed, since each 64 KB bear a tag of their own and the last ones say that they are the last. Files go
through in pieces, whatever their size.
"""

import os
from pathlib import Path

import pyrage
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

from .embedded import Failed

# A shorter key of RSA has less than 128 bits of security.
RSA_BITS = 3072
_FIRST_LINE = b"age-encryption.org/v1\n"


def recipients(names):
    """Read public keys: `age1...`, `ssh-ed25519 ...` or `ssh-rsa ...`.

    :raises Failed: if one of them is not a public key.
    """
    return [_recipient(name) for name in names]


def _recipient(name):
    kind = pyrage.ssh.Recipient if name.startswith("ssh-") else pyrage.x25519.Recipient
    try:
        recipient = kind.from_str(name)
    except pyrage.RecipientError:
        # Not shown whole: it may be an identity that was put in the wrong place.
        raise Failed(
            f"BACKUP_RECIPIENTS: what begins with {name[:8]!r} is not a public key; name keys as age1...,"
            " ssh-ed25519 ... or ssh-rsa ..., with commas between."
        ) from None
    if name.startswith("ssh-rsa") and (bits := load_ssh_public_key(name.encode()).key_size) < RSA_BITS:
        raise Failed(
            f"BACKUP_RECIPIENTS: a key of ssh-rsa has {bits} bits; name one of {RSA_BITS} or more, or another kind."
        )
    return recipient


def make_identity(file):
    """Write a new identity into a new file that we alone may read; return its public key.

    :raises Failed: if the file is there already.
    """
    identity = pyrage.x25519.Identity.generate()
    recipient = str(identity.to_public())
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise Failed(f"{file} is there already; name a new file.") from None
    with open(opened, "w") as written:
        written.write(f"# public key: {recipient}\n{identity}\n")
        written.flush()
        os.fsync(written.fileno())
    return recipient


def identities(file):
    """The private keys in a file: of age, one a line beside comments, or one of ssh.

    :raises Failed: if there are none.
    """
    text = Path(file).read_bytes()[: 2**20]
    try:
        if text.startswith(b"-----BEGIN"):
            return [pyrage.ssh.Identity.from_buffer(text)]
        lines = [line.strip() for line in text.decode().splitlines()]
        private = [pyrage.x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
    except (pyrage.IdentityError, UnicodeDecodeError):
        private = []
    if not private:
        raise Failed(f"{file} is not a file of identities: lines with AGE-SECRET-KEY-1..., or a private key of ssh.")
    return private


def is_encrypted(file):
    with open(file, "rb") as opened:
        return opened.read(len(_FIRST_LINE)) == _FIRST_LINE


class _Through:
    """A file that keeps what broke it: the library turns even Ctrl-C into another error, at the very end into none."""

    def __init__(self, file):
        self.file, self.broken_by = file, None

    def read(self, size=-1):
        return self._kept(self.file.read, size)

    def write(self, data):
        return self._kept(self.file.write, data)

    def flush(self):
        return self._kept(self.file.flush)

    def _kept(self, work, *arguments):
        try:
            return work(*arguments)
        except BaseException as error:
            self.broken_by = error
            raise

    def raise_again(self):
        if self.broken_by is not None:
            raise self.broken_by from None


def encrypt(source, target, to):
    """Write what can be read from `source` to `target`, for these recipients."""
    source, target = _Through(source), _Through(target)
    try:
        pyrage.encrypt_io(source, target, to)
    finally:
        source.raise_again()
        target.raise_again()


def decrypt(file, target, by):
    """Write what is in an encrypted file to `target`, with one of these identities.

    :raises Failed: if none of them is a recipient's, or the file is not what was written; what `target` has then is
        not to be used.
    """
    with open(file, "rb") as opened:
        source, target = _Through(opened), _Through(target)
        try:
            pyrage.decrypt_io(source, target, by)
        except (pyrage.DecryptError, OSError) as error:
            source.raise_again()
            target.raise_again()
            why = str(error).partition("\n")[0].rstrip(".")
            if "No matching keys" in why:
                raise Failed(f"{file} is encrypted to other recipients; name the identity of one of them.") from None
            raise Failed(
                f"{file} was altered or cut short since it was encrypted ({why}); take another copy."
            ) from None
        target.raise_again()
