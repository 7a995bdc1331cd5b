"""Encrypted backups: read by the recipients alone, restored whole; whatever is wrong is refused before any database."""

import io
import os
import signal
import stat
import subprocess
import sys

import psutil
import pyrage
import pytest
from django.core.management import CommandError
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.running import backup, embedded, encryption
from casino.running.embedded import Failed

from ...support import factories, proof, stack, waiting
from .test_backup import changed, closed_again, elsewhere, empty, environment, owner_url, said, untouched

__all__ = ["elsewhere", "empty"]
CHUNK = 2**16
OTHERS = r"^\S+ is encrypted to other recipients; name the identity of one of them\.$"
ALTERED = (
    r"^\S+ was altered or cut short since it was encrypted \(.+\); take another copy\.$|^\S+ is encrypted to other "
)


@pytest.fixture(scope="module")
def identity(tmp_path_factory):
    """A file of an identity, as the command makes it."""
    file = tmp_path_factory.mktemp("identity") / "casino.identity"
    said("backup", "--make-identity", str(file))
    return file


def recipient(identity):
    return encryption.recipients([identity.read_text().split()[3]])


@pytest.fixture(scope="module")
def kept(tmp_path_factory, django_db_blocker, identity):
    """An encrypted backup of a house with a row of nearly everything."""
    file = tmp_path_factory.mktemp("kept") / "house.backup"
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.furnish()
        backup.dump(owner_url(database), file, recipients=recipient(identity))
    return file


def clear(file, identity):
    written = io.BytesIO()
    encryption.decrypt(file, written, encryption.identities(identity))
    return written.getvalue()


def refused(file, identity, words):
    with pytest.raises(Failed, match=words), backup.opened(file, identity):
        pytest.fail("It was opened.")


def test_an_identity_is_ours_alone_and_its_public_key_is_said(tmp_path):
    file = tmp_path / "casino.identity"
    screen = said("backup", "--make-identity", str(file))
    (identity,) = encryption.identities(file)
    assert f"BACKUP_RECIPIENTS={identity.to_public()}\n" in screen
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert str(identity) not in screen
    with pytest.raises(CommandError, match=r"is there already; name a new file\.$"):
        said("backup", "--make-identity", str(file))


def test_an_encrypted_backup_is_restored_whole_with_its_identity(kept, identity, elsewhere, empty):
    with environment(elsewhere, empty):
        assert "right: " in said("restore", str(kept), "--identity", str(identity))


def test_the_command_encrypts_where_recipients_are_set(seeded_db, identity, tmp_path, settings):
    settings.BACKUP_RECIPIENTS = [str(encryption.identities(identity)[0].to_public())]
    file = tmp_path / "house.backup"
    with environment(stack.cluster(), seeded_db):
        assert "encrypted to BACKUP_RECIPIENTS" in said("backup", str(file))
    assert encryption.is_encrypted(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    # What is in it is what is written without recipients.
    assert clear(file, identity)[:5] == b"PGDMP"
    with backup.opened(file, identity) as (_, contents):
        assert contents.lacking == ()


def test_nothing_lies_in_the_clear_while_it_is_made(seeded_db, identity, tmp_path):
    seen = []

    def look(written):
        seen.extend(path.read_bytes()[:21] for path in tmp_path.iterdir())

    backup.dump(owner_url(seeded_db), tmp_path / "house.backup", look, recipients=recipient(identity))
    assert set(seen) <= {b"", b"age-encryption.org/v1"}
    assert b"PGDMP" not in (tmp_path / "house.backup").read_bytes()


def test_keys_of_ssh_are_recipients_too(tmp_path):
    key = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    file = tmp_path / "x"
    with file.open("wb") as written:
        encryption.encrypt(io.BytesIO(b"word"), written, encryption.recipients([key.with_suffix(".pub").read_text()]))
    assert clear(file, key) == b"word"


@pytest.mark.parametrize(("bits", "is_taken"), [(2048, False), (3072, True)])
def test_a_key_of_rsa_has_3072_bits_or_more(tmp_path, bits, is_taken):
    key = tmp_path / "id_rsa"
    subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-b", str(bits), "-N", "", "-f", key], check=True)
    public = key.with_suffix(".pub").read_text()
    if is_taken:
        assert len(encryption.recipients([public])) == 1
    else:
        with pytest.raises(Failed, match="has 2048 bits; name one of 3072 or more"):
            encryption.recipients([public])


@pytest.mark.parametrize(
    "name", ["age1", "age1xyz", "ssh-ed25519 AAAA", "x", "AGE-SECRET-KEY-1QQQ", "age1\n", "ssh-", "https://example.org"]
)
def test_what_is_no_public_key_makes_no_backup(seeded_db, tmp_path, settings, name):
    settings.BACKUP_RECIPIENTS = [name]
    with (
        environment(stack.cluster(), seeded_db),
        pytest.raises(CommandError, match=r"^BACKUP_RECIPIENTS: .+ is not a public key; name keys as age1"),
    ):
        said("backup", str(tmp_path / "house.backup"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [b"", b"\n", b"# public key: age1xyz\n", b"age1xyz\n", b"AGE-SECRET-KEY-1QQQ\n", b"\xff\xfe", b"-----BEGIN"],
)
def test_what_holds_no_identity_is_refused(kept, tmp_path, words):
    file = tmp_path / "identity"
    file.write_bytes(words)
    refused(kept, file, rf"^{file} is not a file of identities: lines with AGE-SECRET-KEY-1")


def test_without_the_identity_of_a_recipient_nothing_is_read(kept, tmp_path, elsewhere, empty):
    encryption.make_identity(tmp_path / "another")
    refused(kept, tmp_path / "another", OTHERS)
    refused(kept, None, r"^\S+ is encrypted; name the file with the identity of a recipient: --identity FILE\.$")
    with environment(elsewhere, empty):
        for more in ([], ["--identity", str(tmp_path / "another")]):
            with pytest.raises(CommandError, match="is encrypted"):
                said("restore", str(kept), *more)
        with pytest.raises(CommandError, match=r"none can't be used \(No such file"):
            said("restore", str(kept), "--identity", str(tmp_path / "none"))
    assert untouched(elsewhere, empty)


def header(data):
    """Where the payload begins."""
    at = data.index(b"\n--- ") + 5
    return data.index(b"\n", at) + 1


def test_a_file_that_was_cut_or_pieced_together_is_refused_whole(kept, identity, tmp_path, elsewhere, empty):
    data = kept.read_bytes()
    begin = header(data)
    first = begin + 16
    sealed = CHUNK + 16
    assert len(data) > first + 3 * sealed
    pieces = [data[at : at + sealed] for at in (first, first + sealed)]
    kinds = {
        "cut in the header": data[: begin // 2],
        "cut after the header": data[:begin],
        "cut after the nonce": data[:first],
        "cut within a piece": data[: first + 1000],
        "cut between pieces": data[: first + sealed],
        "cut by one": data[:-1],
        "cut by a piece": data[: first + (len(data) - first) // sealed * sealed],
        "longer by one": data + b"\0",
        "longer by itself": data + data,
        "longer by a piece": data + data[first : first + sealed],
        "a piece is missing": data[:first] + data[first + sealed :],
        "a piece comes twice": data[: first + sealed] + data[first:],
        "pieces in another order": data[:first] + pieces[1] + pieces[0] + data[first + 2 * sealed :],
        "the payload of nobody": data[:begin] + bytes(len(data) - begin),
    }
    for altered in kinds.values():
        refused(changed(kept, tmp_path, lambda _, altered=altered: altered), identity, ALTERED)
    with environment(elsewhere, empty), pytest.raises(CommandError, match="was altered or cut"):
        said("restore", str(changed(kept, tmp_path, lambda data: data[:-1])), "--identity", str(identity))
    assert untouched(elsewhere, empty)


@settings(max_examples=max(5, proof.examples(100) // 5), deadline=None)
@given(data=st.data())
def test_one_bit_anywhere_and_it_is_refused(kept, identity, tmp_path_factory, data):
    whole = kept.read_bytes()
    begin = header(whole)
    at = data.draw(st.one_of(st.integers(0, begin + 15), st.integers(begin, len(whole) - 1)))
    bit = data.draw(st.integers(0, 7))
    altered = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
    file = tmp_path_factory.mktemp("altered") / "changed.backup"
    file.write_bytes(altered)
    # In the first line it is no encrypted file any more, and no other backup either.
    refused(file, identity, f"{ALTERED}|^\\S+ is not a backup, or was cut")


@settings(max_examples=max(5, proof.examples(100) // 5), deadline=None)
@given(
    size=st.one_of(
        st.integers(0, 300), st.integers(0, 4).flatmap(lambda n: st.integers(-2, 2).map(lambda d: n * CHUNK + d))
    ).filter(lambda size: size >= 0),
    people=st.integers(1, 4),
)
def test_each_recipient_reads_what_was_written_whatever_its_size(tmp_path_factory, size, people):
    place = tmp_path_factory.mktemp("sizes")
    content = os.urandom(size)
    keys = [encryption.make_identity(place / f"{number}") for number in range(people)]
    with (place / "x").open("wb") as written:
        encryption.encrypt(io.BytesIO(content), written, encryption.recipients(keys))
    for number in range(people):
        assert clear(place / "x", place / f"{number}") == content


@pytest.mark.parametrize("what", [b"", b"word", b"PGDMP" + bytes(1000)])
def test_what_somebody_else_encrypted_to_us_is_still_no_backup(identity, tmp_path, what):
    """A public key is public: that it was encrypted says nothing of who did it."""
    file = tmp_path / "forged"
    file.write_bytes(pyrage.encrypt(what, recipient(identity)))
    refused(file, identity, r"^\S+forged is not a backup")
    file.write_bytes(pyrage.encrypt(closed_again(what + b"\ncasino backup"), recipient(identity)))
    refused(file, identity, r"^\S+forged is not a backup")


def test_a_dump_that_fails_leaves_nothing(seeded_db, identity, tmp_path):
    with pytest.raises(Failed, match=r"^pg_dump could not read it all: .*permission denied .*\.$"):
        backup.dump(
            stack.cluster().url(embedded.AUDITOR, seeded_db), tmp_path / "house.backup", recipients=recipient(identity)
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_one_that_is_killed_leaves_no_file_of_that_name_and_nothing_that_runs(seeded_db, identity, tmp_path, number):
    env = os.environ | stack.urls(seeded_db)
    env["BACKUP_RECIPIENTS"] = str(encryption.identities(identity)[0].to_public())
    with stack.cluster().connect(database=seeded_db) as connection, connection.transaction():
        connection.execute("LOCK TABLE audit_entry IN ACCESS EXCLUSIVE MODE")
        saving = subprocess.Popen(
            [sys.executable, stack.BASE_DIR / "manage.py", "backup", tmp_path / "house.backup"],
            env=env,
            stdout=subprocess.DEVNULL,
        )
        waiting.until(lambda: waiting.behind(connection))
        dumping = psutil.Process(saving.pid).children()
        assert dumping
        saving.send_signal(number)
        assert saving.wait(waiting.PATIENCE) == (-signal.SIGKILL if number == signal.SIGKILL else 130)
        assert psutil.wait_procs(dumping, timeout=waiting.PATIENCE)[1] == []
    left = [] if number != signal.SIGKILL else ["house.backup.part"]
    assert [entry.name for entry in tmp_path.iterdir()] == left


def test_a_disk_that_is_full_is_said_as_such(kept, identity, tmp_path):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left on device"):
        encryption.encrypt(io.BytesIO(b"word"), Full(), recipient(identity))
    with pytest.raises(OSError, match="No space left on device"):
        encryption.decrypt(kept, Full(), encryption.identities(identity))
