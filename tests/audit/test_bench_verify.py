"""The benchmark's made-up export is a whole one, with entries like the demo's."""

import pytest
from django.core.management import CommandError, call_command

from audit import verify_export as verifier
from audit.lab import verify


def test_its_export_is_whole_and_its_entries_are_as_large_as_the_demo_s(tmp_path, monkeypatch):
    monkeypatch.setattr(verify, "BETWEEN_CHECKPOINTS", 300)
    size = verify.write(tmp_path, 1_000)
    assert 350 < size / 1_000 < 550
    words = [tmp_path / "export", "--key", tmp_path / "keys", "--anchor", tmp_path / "anchor"]
    code, told = verifier.judge([str(word) for word in words])
    assert code == verifier.WHOLE, told
    for line in ("anchor: anchored up to entry 1,000, 4 of 4 roots compared", "entries: 1,000 entries, 21 chains: "):
        assert any(there.startswith(f"  {line}") for there in told), told


def test_below_its_mark_it_fails(monkeypatch, capsys):
    monkeypatch.setattr(verify, "LEAST", 10**9)
    with pytest.raises(CommandError, match="at least 1,000,000,000 are promised"):
        call_command("bench", "verify", "--entries", "500", "--runs", "1")
    assert "2 processes are" in capsys.readouterr().out or "1 process:" in capsys.readouterr().out
