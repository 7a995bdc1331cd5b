"""What in the code of the money, the games and the log may change without a test that notices.

A mutant is a module with one comparison, constant, branch or sum changed: by mutmut's operators, and each condition
negated that they leave. It is noticed if one of its kind's tests fails, or comes to no end. `KINDS` names the modules
and the tests that ought to notice; what is not noticed stands with its reason in tests/mutants.toml. Texts are left
alone, and so is the `strict` of a zip, which only asserts.

One process imports what is never changed and forks a child for each mutant, which imports the rest anew, with the
changed module in the place of its own.

    python -m tests.support.mutants KIND [--sample N] [--only TEXT]
"""

import argparse
import gc
import importlib.abc
import importlib.util
import itertools
import json
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation import mutators

BASE_DIR = Path(__file__).resolve().parents[2]


class Kind(NamedTuple):
    """Modules by their paths, and the tests that ought to notice, the quickest first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


KINDS = {
    "tree": Kind(("audit/tree.py",), ("tests/audit/test_tree.py",)),
}

MEMORY = 4 * 2**30
SECONDS_AT_LEAST = 3
PYTEST = (
    *("-x", "-q", "-o", "addopts=", "--noconftest", "--disable-plugin-autoload", "-p", "hypothesispytest"),
    *("-m", "not proof", "--doctest-modules", "--assert=plain", "--tb=no"),
    *(f"-pno:{plugin}" for plugin in ("cacheprovider", "faulthandler", "logging", "unraisableexception", "warnings")),
)
# What mutmut changes, without its changes of texts, calls and assignments.
OPERATORS = (
    (cst.BaseNumber, mutators.operator_number),
    (cst.Name, mutators.operator_name),
    (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops),
    (cst.CSTNode, mutators.operator_keywords),
    (cst.CSTNode, mutators.operator_swap_op),
    (cst.IfExp, mutators.operator_if_exp),
)
SEEN_TO = (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation)


class Mutant(NamedTuple):
    """`function` is empty for what stands outside of all; `line` is the changed line as it then is."""

    module: str
    function: str
    line: str
    source: str

    @property
    def name(self):
        return f"{self.module} {self.function}: {self.line}"


class _Changes(cst.CSTVisitor):
    """Collects (node, text in its place, function)."""

    def __init__(self, module):
        self.module, self.found, self._names = module, [], []

    def on_visit(self, node):
        if isinstance(node, cst.Annotation | cst.Decorator):
            return False
        if isinstance(node, cst.Call) and getattr(node.func, "value", "") == "isinstance":
            return False
        if isinstance(node, cst.Arg) and node.keyword and node.keyword.value == "strict":
            return False
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.append(node)
        function = ".".join(each.name.value for each in self._names)
        for kind, operator in OPERATORS:
            if isinstance(node, kind) and not self._is_of_types(node):
                self.found += [(node, self.module.code_for_node(changed), function) for changed in operator(node)]
        # Two that mutmut lacks or writes for itself: a condition without a comparison, and a case that is left out.
        if isinstance(node, cst.If | cst.While | cst.CompIf) and not isinstance(node.test, SEEN_TO):
            self.found.append((node.test, f"not ({self.module.code_for_node(node.test)})", function))
        if isinstance(node, cst.Match) and len(node.cases) > 1:
            self.found += [(case, "", function) for case in node.cases]
        return True

    def on_leave(self, node):
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.pop()

    def _is_of_types(self, node):
        """`int | None` outside of a function is a type."""
        outside = not any(isinstance(each, cst.FunctionDef) for each in self._names)
        return outside and isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr)


def mutants(path) -> Iterator[Mutant]:
    """All of a module, in the order of its text."""
    source = (BASE_DIR / path).read_text("utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    changes = _Changes(wrapper.module)
    wrapper.module.visit(changes)
    # Without whitespace for what stands in lines of its own, as a case does.
    whole, bare = (wrapper.resolve(way) for way in (WhitespaceInclusivePositionProvider, PositionProvider))
    lines = source.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    module = path.removesuffix(".py").replace("/", ".")
    for node, text, function in changes.found:
        place = (bare if isinstance(node, cst.MatchCase) else whole)[node]
        begin, end = (starts[at.line - 1] + at.column for at in (place.start, place.end))
        mutated = source[:begin] + text + source[end:]
        yield Mutant(module, function, _changed_line(source, mutated, begin, begin + len(text)), mutated)


def _changed_line(source, mutated, begin, end):
    """The lines that a change touches, in one."""
    if begin == end:
        return f"without {source[begin:].partition(chr(10))[0]}"
    first = mutated.rfind("\n", 0, begin) + 1
    last = mutated.find("\n", end)
    return " ".join(line.strip() for line in mutated[first:last].splitlines())


class _InItsPlace(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports a mutant where its module is asked for."""

    def __init__(self, mutant):
        self.mutant = mutant

    def find_spec(self, fullname, path, target=None):
        if fullname != self.mutant.module:
            return None
        origin = BASE_DIR / f"{fullname.replace('.', '/')}.py"
        return importlib.util.spec_from_file_location(fullname, origin, loader=self)

    def get_source(self, fullname):
        return self.mutant.source

    def is_package(self, fullname):
        return False

    def get_filename(self, fullname):
        return str(BASE_DIR / f"{fullname.replace('.', '/')}.py")


def _prepare():
    """Import what is never changed; code that was read once is kept compiled for this run alone."""
    os.chdir(BASE_DIR)
    sys.dont_write_bytecode = False
    import _hypothesis_pytestplugin  # noqa: F401
    import _pytest.python  # noqa: F401
    import hypothesis.strategies  # noqa: F401
    from hypothesis import HealthCheck, Phase, settings

    from . import proof

    settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=10,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")
    proof.examples = lambda short: max(5, short // 40)
    gc.freeze()
    gc.set_threshold(100_000)


def _fork(mutant, tests, seconds):
    """Start a child that tests a mutant, or the code as it is; it says by its exit status whether all is green."""
    pid = os.fork()
    if pid:
        return pid
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant is not None or not os.environ.get("MUTANTS_SHOW"):
            null = os.open(os.devnull, os.O_RDWR)
            for number in range(3):
                os.dup2(null, number)
        import pytest

        if mutant is not None:
            sys.meta_path.insert(0, _InItsPlace(mutant))
        status = pytest.main([*PYTEST, *tests])
    except BaseException:
        status = 99
    finally:
        os._exit(status)


def _green(kind, tests):
    """The seconds of processor that the tests take when nothing is changed."""
    began = os.times()
    _, status = os.waitpid(_fork(None, tests, 600), 0)
    if status:
        raise RuntimeError(f"Without any change the tests of {kind} are not green.")
    ended = os.times()
    return ended.children_user + ended.children_system - began.children_user - began.children_system


def run(kind, chosen, sample=None):
    """Try the mutants of a kind, as many at once as there are processors.

    :param chosen: says of a mutant whether it is to be tried.
    :param sample: how many of them, evenly spaced; all without it.
    :returns: (mutant, whether it was noticed, seconds of processor) of each.
    """
    modules, tests = KINDS[kind]
    tests = modules + tests  # the examples in its own docstrings are tests too
    _green(kind, tests)  # compiles them
    seconds = int(SECONDS_AT_LEAST + 2 * _green(kind, tests))
    waiting = [mutant for path in modules for mutant in mutants(path) if chosen(mutant)]
    every = -(-len(waiting) // sample) if sample else 1
    waiting = waiting[every // 2 :: every][::-1]
    under_way = {}
    while waiting or under_way:
        while waiting and len(under_way) < (os.cpu_count() or 1):
            mutant = waiting.pop()
            under_way[_fork(mutant, tests, seconds)] = mutant
        pid, status, used = os.wait4(-1, 0)
        yield under_way.pop(pid), status != 0, used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--sample", type=int, help="how many, evenly spaced")
    parser.add_argument("--only", default="", help="what the module, function and line have in them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.pycache_prefix = folder
        _prepare()
        for mutant, noticed, seconds in run(given.kind, lambda each: given.only in each.name, given.sample):
            row = {**mutant._asdict(), "noticed": noticed, "seconds": round(seconds, 2)}
            del row["source"]
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
