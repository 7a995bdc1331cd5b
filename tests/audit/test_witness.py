"""`verify_export.py witness` remembers a log with a signature of its own, and refuses one that does not extend it."""

import base64
import hashlib
import os
import stat
import time

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audit import verify_export as verifier

from ..support import exports
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)


@pytest.fixture(scope="module")
def log():
    return exports.night(4)


def earlier(log, checkpoints):
    """The log as it was at one of its checkpoints."""
    size = log.sizes[checkpoints - 1]
    return exports.Log(log.entries[:size], log.sizes[:checkpoints])


class Witness(Desk):
    """A desk with a state and a key beside."""

    def __init__(self, folder, log):
        super().__init__(folder, log)
        self.state, self.signer = folder / "state", folder / "signer"

    def see(self, files, *more):
        folder = self.save(files)
        words = ["--state", str(self.state), "--signer", str(self.signer), *more]
        code, told = verifier.judge(["witness", *self.words(folder, *words, anchor=False)])
        assert "broke the verifier" not in told[0], told
        return code, told


@pytest.fixture
def witness(log, tmp_path):
    return Witness(tmp_path, log)


@pytest.fixture
def begun(witness, log):
    """A witness who has seen the log at its third checkpoint."""
    code, told = witness.see(earlier(log, 3).all(), "--init")
    assert code == WHOLE, told
    return witness


def test_it_goes_on_from_export_to_export(begun, log):
    for checkpoints in (4, 5, 6, 6):
        code, told = begun.see(earlier(log, checkpoints).all())
        assert code == WHOLE, told
        assert f": witnessed at {log.sizes[checkpoints - 1]}, before at " in "\n".join(told)
        assert begun.state.read_text("utf-8").startswith(f"casino/demo\n{log.sizes[checkpoints - 1]}\n")


def test_a_part_that_says_something_of_the_old_size_is_enough(begun, log):
    assert begun.see(log.table("table:1"))[0] == WHOLE
    assert begun.state.read_text("utf-8").splitlines()[1] == str(log.size)


def test_the_cosignature_is_that_of_c2sp(begun, log):
    """Checked by somebody else's Ed25519, from the words of the specification alone."""
    body, _, rows = begun.state.read_text("utf-8").partition("\n\n")
    rows = rows.splitlines()
    assert len(rows) == 3  # the log's, the witness's, and the empty line
    assert rows[2] == ""
    _, name, signature = rows[1].split(" ")
    signature = base64.b64decode(signature)
    seed = base64.b64decode(begun.signer.read_text().strip().split("+", 4)[4])[1:]
    public = verifier.public_key(seed)
    assert len(signature) == 4 + 8 + 64
    assert signature[:4] == verifier.hashlib.sha256(name.encode() + b"\n\x04" + public).digest()[:4]
    seen = int.from_bytes(signature[4:12], "big")
    assert abs(seen - time.time()) < 600
    message = f"cosignature/v1\ntime {seen}\n{body}\n".encode()
    Ed25519PublicKey.from_public_bytes(public).verify(signature[12:], message)
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(public).verify(signature[12:], message.replace(b"time ", b"time 1"))


def test_its_public_key_is_printed_and_its_own_is_for_nobody_else(witness, log):
    _, told = witness.see(log.all(), "--init")
    vkey = next(line for line in told if "witnessed at" in line).rpartition(" by ")[2]
    name, shape, data = vkey.split("+", 2)
    assert base64.b64decode(data)[0] == verifier.COSIGNING_KEY
    assert witness.signer.read_text().startswith(f"PRIVATE+KEY+{name}+{shape}+")
    for path in (witness.signer, witness.state):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    witness.signer.chmod(0o640)
    code, told = witness.see(log.all())
    assert code == MALFORMED
    assert "may be read by others" in told[0]


def left_alone(witness, files, *more):
    """The verdict on an export that does not go into the state."""
    before = witness.state.read_bytes() if witness.state.exists() else None
    code, told = witness.see(files, *more)
    assert (witness.state.read_bytes() if witness.state.exists() else None) == before
    assert not [name for name in os.listdir(witness.folder) if name.startswith(".")]
    return code, told


def test_another_history_is_refused(begun, log):
    for seed in range(20):
        other = exports.night(100 + seed)
        code, told = left_alone(begun, other.all())
        assert code == TAMPERED
        assert "its root is not the one of what you have witnessed" in told[0]


def test_a_shorter_log_is_rolled_back(begun, log):
    code, told = left_alone(begun, earlier(log, 2).all())
    assert code == TAMPERED
    assert told[0].startswith(f"tampered: The log was rolled back: it had {log.sizes[2]} entries")


def test_a_part_that_says_nothing_of_the_old_size_is_not_enough(begun, log):
    size = log.sizes[2]
    silent = exports.Log(log.entries, [other for other in log.sizes if other != size])
    files = silent.period("2026-11-20T00:00:00.000000Z", "2026-11-20T00:00:01.000000Z")
    code, told = left_alone(begun, files)
    assert code == NOT_COVERED
    assert f"what you have witnessed, at {size}, says nothing here" in told[0]


def test_a_tampered_or_malformed_export_is_not_witnessed(begun, log):
    files = log.all()
    assert (
        left_alone(begun, {**files, "entries.jsonl": files["entries.jsonl"].replace(b"staff:3", b"staff:4", 1)})[0] == 1
    )
    assert left_alone(begun, {**files, "checkpoints": b"\n"})[0] == MALFORMED
    assert left_alone(begun, log.all(entries=3))[0] == TAMPERED


def test_a_tail_that_is_not_sealed_is_not_witnessed(begun, log):
    tail = exports.Log(log.entries, log.sizes[:-1])
    code, told = left_alone(begun, tail.all())
    assert code == NOT_COVERED
    assert "not sealed" in told[0]


def test_an_edited_state_is_found(begun, log):
    """Whichever bit it is; every seventh is tried."""
    whole = begun.state.read_bytes()
    folder = begun.save(log.all())
    words = ["--state", str(begun.state), "--signer", str(begun.signer)]
    for bit in range(0, 8 * len(whole), 7):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        begun.state.write_bytes(data)
        code, told = verifier.judge(["witness", *begun.words(folder, *words, anchor=False)])
        assert code in {TAMPERED, MALFORMED}, told
        assert begun.state.read_bytes() == data


def test_a_state_of_the_logs_own_making_is_found(begun, log):
    """A thief of the log's key who can write where the state lies does not have the witness's."""
    other = exports.night(9)
    begun.state.write_text(other.notes([other.sizes[0]]), "utf-8")
    code, told = left_alone(begun, other.all())
    assert code == TAMPERED
    assert "is not what this witness signed" in told[0]


def test_a_missing_state_is_not_begun_anew_unasked(begun, log):
    begun.state.unlink()
    code, told = left_alone(begun, log.all())
    assert code == MALFORMED
    assert "--init begins one" in told[0]
    assert begun.see(log.all(), "--init")[0] == WHOLE
    code, told = left_alone(begun, log.all(), "--init")
    assert code == MALFORMED
    assert "is there already" in told[0]


def test_a_missing_or_damaged_key_is_told(begun, log):
    key = begun.signer.read_text()
    for data in ("", key[:-5], key.replace("+", "-"), key.replace("witness/", "witnes/"), "PRIVATE+KEY+a+b+c\n"):
        begun.signer.write_text(data)
        assert left_alone(begun, log.all())[0] == MALFORMED
    begun.signer.unlink()
    assert left_alone(begun, log.all())[0] == MALFORMED
    # Another key than the one that signed the state.
    begun.state.rename(begun.folder / "kept")
    assert begun.see(log.all(), "--init")[0] == WHOLE
    (begun.folder / "kept").replace(begun.state)
    assert left_alone(begun, log.all())[0] == TAMPERED


def private(name, data, kind=4, words="PRIVATE+KEY"):
    """A key as it stands in a file, whole."""
    shape = verifier.Key(name, kind, verifier.public_key(data)).id.hex()
    return f"{words}+{name}+{shape}+{exports.b64(bytes([kind]) + data)}\n"


def test_a_key_is_private_of_a_witness_and_whole(begun, log):
    """Base64 may have a plus too."""
    data = bytes([0xFB] * 32)
    good = private("witness/mine", data)
    assert good.count("+") > 4
    begun.state.unlink()
    begun.signer.write_text(good)
    code, told = begun.see(log.all(), "--init")
    assert (code, any(line.endswith(f"by {verifier.read_signer(begun.signer, False).key.vkey}") for line in told)) == (
        0,
        True,
    )
    assert begun.see(log.all())[0] == WHOLE
    none = [
        private("witness/mine", data, words="PUBLIC+KEY"),
        private("witness/mine", data, words="PRIVATE+LOCK"),
        private("witness/mine", data, kind=1),
        private("a witness", data),
        good.replace("PRIVATE+KEY+", "PRIVATE+KEY+KEY+"),
        "PRIVATE+KEY+a\n",
        "PRIVATE+KEY\n",
    ]
    for text in none:
        begun.signer.write_text(text)
        code, told = left_alone(begun, log.all())
        assert (code, told[0].endswith("signer is no key of a witness.")) == (MALFORMED, True), (text, told)
    begun.signer.write_text(good.replace("witness/mine", "witness/yours"))
    code, told = left_alone(begun, log.all())
    assert (code, "signer was not copied whole: its id is " in told[0]) == (MALFORMED, True)


def test_a_new_key_is_named_by_its_digest_and_has_32_bytes(witness, log):
    witness.see(log.all(), "--init")
    signer = verifier.read_signer(witness.signer, False)
    assert signer.key.name == f"witness/{hashlib.sha256(signer.key.public).hexdigest()[:8]}"
    assert (len(signer.seed), signer.key.public) == (32, verifier.public_key(signer.seed))
    # A key that is there is kept.
    witness.state.unlink()
    witness.see(log.all(), "--init")
    assert verifier.read_signer(witness.signer, True) == signer


def test_a_state_is_one_checkpoint_with_one_signature_of_ours(begun, log):
    whole = begun.state.read_text("utf-8")
    name, *_, row, _, _ = whole.split("\n")
    shape = base64.b64decode(row.split(" ")[2])
    for text, code, says in (
        ("", MALFORMED, "state is empty."),
        (whole + log.notes([log.size]), MALFORMED, "state has more than 1 lines."),
        (whole.replace(f"{row}\n", ""), TAMPERED, "is not what this witness signed: somebody has edited it."),
        (
            whole.replace(row, row.rpartition(" ")[0] + f" {exports.b64(shape[:-1])}"),
            TAMPERED,
            "somebody has edited it.",
        ),
        (whole.replace(row, row.rpartition(" ")[0] + f" {exports.b64(shape + b'7')}"), TAMPERED, "has edited it."),
    ):
        begun.state.write_text(text, "utf-8")
        found, told = left_alone(begun, log.all())
        assert (found, told[0].endswith(says)) == (code, True), told
    assert name == exports.ORIGIN


def test_what_was_witnessed_is_said_with_what_was_before(witness, log):
    for checkpoints, before, more in ((3, 0, ("--init",)), (4, log.sizes[2], ()), (4, log.sizes[3], ())):
        code, told = witness.see(earlier(log, checkpoints).all(), *more)
        size = log.sizes[checkpoints - 1]
        vkey = verifier.read_signer(witness.signer, False).key.vkey
        assert code == WHOLE
        assert f"  the log that you saw before: witnessed at {size}, before at {before}, by {vkey}" in told
    code, told = left_alone(witness, earlier(log, 2).all())
    assert code == TAMPERED
    assert "  the log that you saw before: the state is left as it was" in told


def test_an_anchor_that_is_ahead_is_told(begun, log):
    code, told = left_alone(begun, earlier(log, 4).all(), "--anchor", str(begun.anchor))
    assert code == NOT_COVERED
    assert "anchored outside after this export's end" in told[0]


def test_where_it_can_t_write_the_old_state_stays(begun, log, monkeypatch):
    def full(*paths):
        raise OSError(28, "No space left on device")

    before = begun.state.read_bytes()
    monkeypatch.setattr(os, "replace", full)
    code, told = begun.see(log.all())
    assert code == MALFORMED
    assert "No space left on device" in told[0]
    assert begun.state.read_bytes() == before
    assert not [name for name in os.listdir(begun.folder) if name.startswith(".")]
