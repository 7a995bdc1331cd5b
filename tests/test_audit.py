"""What `make audit` says: never that no flaw is known where nobody could know."""

import importlib.util
import re
import subprocess

import pytest

from .test_architecture import BASE_DIR

specification = importlib.util.spec_from_file_location("locks", BASE_DIR / ".ci" / "audit.py")
locks = importlib.util.module_from_spec(specification)
specification.loader.exec_module(locks)

FLAW = {"id": "PYSEC-2021-98", "fix_versions": ["3.2.4"]}
FLAWED = {"dependencies": [{"name": "django", "version": "3.2.0", "vulns": [FLAW]}]}
SOUND = {"name": "segno", "version": "1.6.6", "vulns": []}
UNSEEN = {"name": "amqp", "skip_reason": "Dependency not found on PyPI and could not be audited: amqp (5.4.2)"}


def report(*packages):
    return {"dependencies": list(packages)}


@pytest.mark.parametrize(
    ("reports", "flawed", "status", "words"),
    [
        ({"a.txt": report(SOUND)}, FLAWED, 0, "a.txt: 1 packages looked at, no flaw is known."),
        (
            {"a.txt": report(SOUND, FLAWED["dependencies"][0])},
            FLAWED,
            1,
            "django 3.2.0: PYSEC-2021-98, mended in 3.2.4",
        ),
        ({"a.txt": report(SOUND, UNSEEN)}, FLAWED, 2, "1 of 2 packages were not looked at: amqp"),
        ({"a.txt": report(UNSEEN, FLAWED["dependencies"][0])}, FLAWED, 1, "were not looked at"),
        ({"a.txt": None}, FLAWED, 2, "a.txt: it could not be asked about."),
        ({"a.txt": FLAWED, "b.txt": None}, FLAWED, 1, "b.txt: it could not be asked about."),
        # An index that has no such data answers as if it knew of no flaw.
        ({"a.txt": report(SOUND)}, report({"name": "django", "version": "3.2.0", "vulns": []}), 2, "can't be had here"),
        ({"a.txt": report(SOUND)}, report(UNSEEN), 2, "can't be had here"),
        ({"a.txt": report(SOUND)}, None, 2, "can't be had here"),
        ({"a.txt": report(SOUND)}, {}, 2, "can't be had here"),
    ],
)
def test_it_says_what_was_looked_at(reports, flawed, status, words):
    given, said = locks.judge(reports, flawed)
    assert given == status
    assert words in "\n".join(said)
    assert ("no flaw is known" in "\n".join(said)) == (status == 0)


def test_it_looks_at_every_lock_and_is_no_part_of_the_tests():
    listed = ["git", "ls-files", "*requirements.txt"]
    tracked = subprocess.run(listed, cwd=BASE_DIR, capture_output=True, text=True, check=False).stdout.split()
    # A copy without its history has its locks in these places.
    assert set(locks.LOCKS.values()) == set(
        tracked or ["requirements.txt", "tests/requirements.txt", ".ci/requirements.txt"]
    )
    makefile = (BASE_DIR / "Makefile").read_text("utf-8")
    assert re.search(r"^audit: venv$", makefile, re.MULTILINE)
    assert not re.search(r"^(test|proof|check|tools|product|up)\b.*:.*\baudit\b", makefile, re.MULTILINE)
    assert "make audit" not in (BASE_DIR / ".ci" / "run").read_text("utf-8")


@pytest.mark.parametrize("lock", locks.LOCKS.values())
def test_each_package_of_a_lock_has_its_hashes(lock):
    text = (BASE_DIR / lock).read_text("utf-8")
    packages = re.findall(r"^(\S+==\S+)[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64} ?\\?)+)", text, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^\S+==", text, re.MULTILINE)) > 0
