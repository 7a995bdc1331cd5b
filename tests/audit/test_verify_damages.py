"""Damage of every kind is found, with a verdict and a sentence; a word that nobody signed is told as such."""

import random
import tarfile
from collections import Counter

import pytest

from ..support import damages, exports, proof
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
WORDS = {"number": "export", "time_of_making": "made_at", "begin_of_the_period": "from"}


@pytest.fixture(scope="module")
def log():
    return exports.night(1)


def found(name, count, log, folder):
    """Verdicts on a number of exports with this kind of damage; an archive may refuse to be unpacked."""
    verdicts, desk = Counter(), Desk(folder, log)
    for seed in range(count):
        chance = random.Random(f"{name} {seed}")
        if name in damages.FOLDERS:
            saved = desk.save(damages.given(chance, log))
            try:
                damages.FOLDERS[name](chance, saved)
            except tarfile.TarError:
                verdicts["not unpacked"] += 1
                continue
        else:
            _, saved = damages.damaged(damages.KINDS[name], chance, log)
        code, lines = desk.judge(saved)
        assert code in ({TAMPERED} if name in damages.MISSING else {TAMPERED, MALFORMED, NOT_COVERED}), (seed, lines)
        verdicts[code] += 1
    return verdicts


@pytest.mark.parametrize("name", [*damages.KINDS, *damages.FOLDERS])
def test_a_damaged_export_is_never_whole(name, log, tmp_path):
    found(name, 1, log, tmp_path)


@pytest.mark.proof
def test_a_thousand_exports_with_each_kind_of_damage_are_never_whole(tmp_path):
    """Seven of each kind, each kind on nights of its own."""
    each, verdicts = proof.size(7, 1), Counter()
    kinds = [*damages.KINDS, *damages.FOLDERS]
    for seed, name in enumerate(kinds):
        (tmp_path / str(seed)).mkdir()
        verdicts += found(name, each, exports.night(seed), tmp_path / str(seed))
    assert verdicts.total() == each * len(kinds)
    print(f"\n{verdicts.total():,} exports, {len(kinds)} kinds of damage: {dict(verdicts)}; 0 whole, 0 tracebacks")


@pytest.mark.parametrize("name", damages.UNSIGNED)
def test_a_word_that_nobody_signed_is_told_as_such(name, log, tmp_path):
    """It is no fault that could be found: it stands in the last line alone, and is what somebody says."""
    desk = Desk(tmp_path, log)
    for seed in range(5):
        files, changed = damages.damaged(damages.UNSIGNED[name], random.Random(f"{name} {seed}"), log)
        word = WORDS[name]
        value = exports.manifest_of(changed)[word]
        code, lines = desk.judge(changed)
        assert (code, desk.report(changed)["unsigned"][word]) == (WHOLE, value)
        assert f"{word} {value}" in lines[-1]
        assert lines[-1].startswith("Said by the manifest, and signed by nobody: ")
        assert lines[:-1] == desk.judge(files)[1][:-1]
        assert any(line.startswith("  unsigned words of the manifest: its number and its time of") for line in lines)


def test_a_period_that_was_asked_for_is_held_against_its_unsigned_words(log, tmp_path):
    desk = Desk(tmp_path, log)
    files, changed = damages.damaged(damages.UNSIGNED["begin_of_the_period"], random.Random("asked"), log)
    manifest = exports.manifest_of(files)
    asked = ("--asked", f"{manifest['from']}/{manifest['to']}")
    assert desk.judge(files, *asked)[0] == WHOLE
    assert desk.judge(changed, *asked)[0] == TAMPERED


def test_a_whole_log_that_claims_to_be_a_table_s_is_said_to_hold_the_table_alone(log, tmp_path):
    """It claims less than it has: nothing more is said for it."""
    desk = Desk(tmp_path, log)
    chain = log.chains()[1]
    claim = {chain: {"first": 1, "last": len(log.of(chain))}}
    files = damages.with_manifest(log.all(), kind="table", table=chain, chains=claim)
    report = desk.report(files)
    assert report["verdict"] == "whole"
    assert report["looks"]["claim"] == f"of the log of casino/demo, without a gap: {chain} 1 to {len(log.of(chain))}"
    assert desk.judge(files, "--asked", "all")[0] == TAMPERED


def test_a_csv_that_is_gone_is_said_not_to_have_been_looked_at(log, tmp_path):
    files = log.all()
    del files["entries.csv"]
    report = Desk(tmp_path, log).report(files)
    assert (report["verdict"], report["gaps"]["csv"]) == ("whole", "it is not here; it proves nothing by itself")
