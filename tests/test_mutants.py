"""Whatever comparison, constant or branch of the money's code is changed alone, some test fails.

See `tests/support/mutants.py`.
"""

import json
import subprocess
import sys
from collections import Counter

import pytest

from .support import mutants, proof
from .support.mutants import SURVIVORS

SAMPLE = 3
NOTICED_OF_100 = 95

TEXT = """
LOWEST = 5


class Chip:
    def worth(self, count: int = 1) -> int | None:
        if self.lost:
            return None
        return [one for one in zip(count, "a", strict=True) if one <= LOWEST]


def name(suit):
    match suit:
        case "h":
            return "hearts"
        case "s":
            return "spades" if suit else None
"""


def test_comparisons_constants_and_branches_are_changed_one_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "BASE_DIR", tmp_path)
    (tmp_path / "chips.py").write_text(TEXT)
    changed = list(mutants.mutants("chips.py"))
    assert [(mutant.function, mutant.line) for mutant in changed] == [
        ("", "LOWEST = 6"),
        ("Chip.worth", "def worth(self, count: int = 2) -> int | None:"),
        ("Chip.worth", "if not (self.lost):"),
        ("Chip.worth", 'return [one for one in zip(count, "a", strict=True) if one < LOWEST]'),
        ("name", 'without case "h":'),
        ("name", 'without case "s":'),
        ("name", 'return "spades" if (suit) and False else None'),
        ("name", 'return "spades" if (suit) or True else None'),
    ]
    for mutant in changed:
        assert mutant.module == "chips"
        compile(mutant.source, "chips.py", "exec")


def test_every_survivor_is_of_a_module_that_is_changed():
    modules = {path.removesuffix(".py").replace("/", ".") for kind in mutants.KINDS.values() for path in kind.modules}
    assert {module for module, _, _ in SURVIVORS} <= modules
    assert all(reason.endswith(".") for reason in SURVIVORS.values())


@pytest.mark.proof
@pytest.mark.parametrize("kind", mutants.KINDS)
def test_what_is_changed_alone_is_noticed(kind):
    sample = [f"--sample={SAMPLE}"] if proof.RUN == "short" else []
    command = [sys.executable, "-m", "tests.support.mutants", kind, *sample]
    done = subprocess.run(command, cwd=mutants.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    tried = [json.loads(line) for line in done.stdout.splitlines()]
    of_each = Counter((mutant["module"], mutant["function"], mutant["line"]) for mutant in tried)
    survivors = {(mutant["module"], mutant["function"], mutant["line"]) for mutant in tried if not mutant["noticed"]}
    noticed = sum(mutant["noticed"] for mutant in tried)
    seconds = sum(mutant["seconds"] for mutant in tried)
    print(f"\n{kind}: {noticed} of {len(tried)} changes noticed in {seconds:.0f} s of processor")
    for module, function, line in sorted(survivors & SURVIVORS.keys()):
        print(f"  {module} {function}: {line}\n    {SURVIVORS[module, function, line]}")
    assert not survivors - SURVIVORS.keys(), "no test notices these, and tests/mutants.toml has no reason"
    assert not of_each.keys() & SURVIVORS.keys() - survivors, "these are noticed: take them out of tests/mutants.toml"
    if not sample:
        assert 100 * noticed >= NOTICED_OF_100 * len(tried)
        of_kind = {mutant["module"] for mutant in tried}
        gone = {key for key in SURVIVORS if key[0] in of_kind} - of_each.keys()
        assert not gone, "there are no such changes any more: take them out of tests/mutants.toml"
