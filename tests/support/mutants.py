"""What may change in the code of the money, the games and the log without any test noticing.

A mutant is a module with one comparison, constant, branch or sum changed: by mutmut's operators, or by negating each
condition that they leave. It is noticed if one of its kind's tests fails or never ends. `KINDS` names the modules and
the tests that ought to notice; what is not noticed stands with its reason in tests/mutants.toml. Texts are left alone,
and so is the `strict` of a zip, which only asserts.

One process imports what is never changed and forks a child for each mutant, which imports the rest anew, with the
changed module in place. A sample is evenly spaced over the mutants that some test must notice: each mutant with a
reason would run all tests twice, and only the whole run says whether the reason holds.

    python -m tests.support.mutants KIND [--sample N] [--only TEXT]
"""

import argparse
import contextlib
import functools
import gc
import importlib.abc
import importlib.util
import inspect
import itertools
import json
import mmap
import os
import resource
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation import mutators

from . import proof, stack

BASE_DIR = Path(__file__).resolve().parents[2]
SURVIVORS = {
    (*place.partition(" ")[::2], line): reason
    for place, lines in tomllib.loads((BASE_DIR / "tests" / "mutants.toml").read_text("utf-8")).items()
    for line, reason in lines.items()
}


class Kind(NamedTuple):
    """Modules by their paths, and the tests that ought to notice, the quickest first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    database: bool = False


def _game(name, *modules, but=()):
    """A game's settling and what it reads: held to its tables of cases first, then to all its other tests."""
    paths = tuple(f"casino/games/{name}/{module}.py" for module in ("settle", "payments", "facts", *modules))
    tests = sorted(path.relative_to(BASE_DIR).as_posix() for path in BASE_DIR.glob(f"tests/games/test_{name}_*.py"))
    tests.sort(key=lambda test: not test.endswith("_cases.py"))
    return Kind(paths, (*tests, *(f"--deselect=tests/games/{test}" for test in but)))


# These tests run a command of Django's.
_OF_A_COMMAND = [
    f"test_presidential_deck.py::test_{name}"
    for name in (
        "a_deck_is_loaded_under_its_name_and_a_line_finds_it_from_any_folder",
        "checking_a_deck_leaves_nothing_behind",
        "a_deck_that_rounds_may_refer_to_is_never_replaced",
        "a_name_that_no_sheet_could_write_is_refused",
        "a_deck_against_the_rules_is_not_loaded",
        "a_file_that_is_not_there_can_not_be_read",
        "a_sheet_names_a_loaded_deck_and_is_faulty_once_the_file_is_broken",
    )
]
_OF_GAMES = [f"tests/games/test_{name}_cases.py" for name in ("split", "genpoker", "dynastia", "presidential")]
_OF_AN_EXPORT = (
    "rules",
    "crypto",
    "bounds",
    "entries",
    "resettling",
    "days",
    "reports",
    "people",
    "signatures",
    "export",
    "damages",
)
# These tests try every line or bit and take long, or run the file itself, without a mutant.
_OF_THE_VERIFIER = [
    f"test_{name}"
    for name in (
        "verify_export.py::test_a_line_that_is_missing_is_tampered",
        "verify_export.py::test_it_runs_by_itself_with_the_standard_library_alone",
        "verify_export.py::test_ctrl_c_ends_it_with_one_line",
        "verify_export.py::test_who_does_not_read_on_gets_no_traceback",
        "verify_damages.py::test_a_damaged_export_is_never_whole[a bomb]",
        "verify_resettling.py::test_it_runs_on_a_bare_python_and_a_copy_of_the_core",
        "verify_resettling.py::test_a_copy_that_does_not_run_is_refused_in_a_sentence",
        "witness.py::test_an_edited_state_is_found",
    )
]
KINDS = {
    "split": _game("split", "retrace"),
    "genpoker": _game("genpoker", "cards", "classes"),
    "dynastia": _game("dynastia", "cards", "sets", "series"),
    "bigtwo": _game("bigtwo", "combinations", "points", "series"),
    "presidential": _game("presidential", "hands", "pack", "ties", but=_OF_A_COMMAND),
    "poker": Kind(
        tuple(f"casino/games/{module}.py" for module in ("poker", "pot", "showdown")),
        (
            *(f"tests/games/test_{name}.py" for name in ("poker", "pot", "void_lines", "genpoker_play")),
            *_OF_GAMES,
            "tests/games/test_split_laws.py",
        ),
    ),
    "money": Kind(
        ("casino/money.py", "payouts/adjudication.py"),
        ("tests/payouts/test_adjudication.py", "tests/games/test_split_cases.py"),
    ),
    "ledger": Kind(
        ("payouts/ledger.py", "payouts/books.py"),
        (
            "tests/payouts/test_ledger.py",
            "tests/tables/verbs/test_sessions.py",
            "tests/payouts/test_books.py",
            "tests/tables/verbs/test_rake.py",
            "tests/tables/verbs/test_cage.py",
            "tests/tables/verbs/test_late_papers.py",
        ),
        database=True,
    ),
    "tree": Kind(("audit/tree.py",), ("tests/audit/test_tree.py",)),
    "verifier": Kind(
        ("audit/verify_export.py",),
        (
            *(f"tests/audit/test_verify_{name}.py" for name in _OF_AN_EXPORT),
            "tests/audit/test_witness.py",
            *(f"--deselect=tests/audit/{test}" for test in _OF_THE_VERIFIER),
        ),
    ),
}

MEMORY = 4 * 2**30
SECONDS_AT_LEAST = 3
LONG = 0.2
PACKAGES = ("casino.", "audit.", "payouts.")
PYTEST = (
    *("-x", "-q", "-o", "addopts=", "--disable-plugin-autoload", "-p", "hypothesispytest"),
    *("-m", "not proof", "--doctest-modules", "--assert=plain", "--tb=no"),
    *(f"-pno:{plugin}" for plugin in ("cacheprovider", "faulthandler", "logging", "unraisableexception", "warnings")),
)
WITH_A_DATABASE = ("-p", "django", "-p", "tests.support.stack")
# mutmut's operators, without those for texts, calls and assignments.
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

    @property
    def has_reason(self):
        return (self.module, self.function, self.line) in SURVIVORS


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
        # Two operators that mutmut lacks or writes differently: a condition without a comparison, and a case left out.
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
    """All mutants of a module, in the order of its text."""
    source = (BASE_DIR / path).read_text("utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    changes = _Changes(wrapper.module)
    wrapper.module.visit(changes)
    # Without leading whitespace if the change has lines of its own, such as a case.
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
    """The lines that a change touches, joined into one."""
    if begin == end:
        return f"without {source[begin:].partition(chr(10))[0]}"
    first = mutated.rfind("\n", 0, begin) + 1
    last = mutated.find("\n", end)
    return " ".join(line.strip() for line in mutated[first:last].splitlines())


class _InItsPlace(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports a mutant in the place of its module."""

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
    """Import what is never changed; code that was read once is kept compiled for this run only."""
    os.chdir(BASE_DIR)
    sys.dont_write_bytecode = False
    import _hypothesis_pytestplugin  # noqa: F401
    import _pytest.python  # noqa: F401
    import hypothesis.strategies  # noqa: F401
    from hypothesis import HealthCheck, Phase, settings

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
    gc.set_threshold(100_000)


class _QuickestFirst:
    """Measures the tests in the run without a change, and sorts them by that in the others: file by file, so that what
    a file prepares is prepared once, and what takes long at the end."""

    def __init__(self, folder):
        self.file = Path(folder, "seconds.json")
        self.seconds = json.loads(self.file.read_text()) if self.file.exists() else {}

    def pytest_collection_modifyitems(self, items):
        of_file = Counter()
        for item in items:
            of_file[item.path] += self.seconds.get(item.nodeid, 0)
        items.sort(key=lambda item: (self.seconds.get(item.nodeid, 0) > LONG, of_file[item.path], item.path))

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration

    def pytest_sessionfinish(self):
        if not self.file.exists():
            self.file.write_text(json.dumps(self.seconds))


class _Swaps:
    """Where pytest would run the tests that it has collected: a child for each mutant, in which the changed function
    gets its code. Writes (place of the mutant, whether it was noticed, seconds) into a pipe, but nothing of a change
    outside of functions. The test that noticed the last one is the first to run: of a function it is often the same."""

    def __init__(self, mutants, seconds, pipe):
        self.mutants, self.seconds, self.pipe = mutants, seconds, pipe
        self.noticed = mmap.mmap(-1, 4)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        functions, self.tests = _functions(), tuple(session.items)
        gc.freeze()
        swaps = ((at, swap) for at, mutant in enumerate(self.mutants) if (swap := _swap(mutant, functions)))
        for (at, _), noticed, seconds in _at_once(swaps, lambda one: self._start(session, one[1])):
            os.write(self.pipe, json.dumps([at, noticed, seconds]).encode() + b"\n")
        os._exit(0)

    def _start(self, session, swap):
        last = self.tests[int.from_bytes(self.noticed[:])]
        session.items.remove(last)
        session.items.insert(0, last)

        def work():
            for function, code in swap:
                function.__code__ = code
            for item, following in itertools.pairwise((*session.items, None)):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    self.noticed[:] = self.tests.index(item).to_bytes(4)
                    break
            failed = session.testsfailed
            session._setupstate.teardown_exact(None)
            return failed

        return _fork(work, self.seconds)


def _functions():
    """The project's functions by where they stand; what some keep in a cache is forgotten."""
    functions = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType | functools._lru_cache_wrapper):
            if not (each.__module__ or "").startswith(PACKAGES):
                continue
            if isinstance(each, FunctionType):
                functions[_place(each.__code__)].append(each)
            else:
                each.cache_clear()
    return functions


def _place(code):
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _swap(mutant, functions):
    """Functions and the code that each gets; None if it is not certain that this is all the change."""
    file = BASE_DIR / f"{mutant.module.replace('.', '/')}.py"
    was, now = (compile(text, str(file), "exec") for text in (file.read_text("utf-8"), mutant.source))
    changed = list(_changed(was, now))
    if len(changed) != 1 or changed[0] is None:
        return None
    ((old, new),) = changed
    alike = [function for function in functions[_place(old)] if _is_same(function.__code__, old)]
    if not alike or old.co_freevars != new.co_freevars or sum(_is_same(old, one) for one in _all(was)) != 1:
        return None
    return [(function, new) for function in alike]


def _inner(code):
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def _all(code):
    yield code
    for inner in _inner(code):
        yield from _all(inner)


def _own(code):
    consts = [None if isinstance(const, CodeType) else repr(const) for const in code.co_consts]
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_qualname


def _is_same(one, other):
    ours, theirs = _inner(one), _inner(other)
    return _own(one) == _own(other) and len(ours) == len(theirs) and all(map(_is_same, ours, theirs))


def _changed(was, now):
    """The outermost functions that differ, as pairs of code; None if a module or a class itself does."""
    if was.co_flags & inspect.CO_OPTIMIZED:
        if not _is_same(was, now):
            yield was, now
    elif _own(was) != _own(now) or len(_inner(was)) != len(_inner(now)):
        yield None
    else:
        for ours, theirs in zip(_inner(was), _inner(now), strict=True):
            yield from _changed(ours, theirs)


def _fork(work, seconds):
    """Start a child that exits with 0 if `work` returns 0; nobody sees what it prints."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(2 if os.environ.get("SHOW") else 3):
            os.dup2(null, number)
        status = min(work(), 1)
    finally:
        os._exit(status)


def _at_once(works, start):
    """Do as many at once as there are processors; yield (work, whether its child failed, its processor seconds)."""
    works, under_way = iter(works), {}
    while True:
        for work in itertools.islice(works, (os.cpu_count() or 1) - len(under_way)):
            under_way[start(work)] = work
        if not under_way:
            return
        pid, status, used = os.wait4(-1, 0)
        if pid in under_way:  # no server
            yield under_way.pop(pid), status != 0, used.ru_utime + used.ru_stime


@contextlib.contextmanager
def _servers(wanted):
    """PostgreSQL and a broker for all children: those of the tests that this is part of, or its own."""
    if wanted and stack.FOLDER not in os.environ:
        with stack.servers():
            yield
    else:
        yield


class Runs:
    """The tests of a kind: without a change, with one function's code swapped, with a module in place of its own."""

    def __init__(self, kind, few):
        modules, tests, database = KINDS[kind]
        self.kind = kind
        # The examples in its own docstrings are tests too.
        self.arguments = *PYTEST, *(WITH_A_DATABASE if database else ["--noconftest"]), *modules, *tests
        self.seconds = 600
        used = self.green()  # compiles them, and so takes longer
        # Few mutants run forever, so a loose limit costs less than measuring a closer one.
        self.seconds = int(SECONDS_AT_LEAST + 2 * (used if few else self.green()))

    def _pytest(self, *plugins):
        return pytest.main(list(self.arguments), plugins=[_QuickestFirst(sys.pycache_prefix), *plugins])

    def green(self):
        """The seconds of processor that the tests take when nothing is changed."""
        ((_, failed, seconds),) = _at_once([None], lambda _: _fork(self._pytest, self.seconds))
        if failed:
            raise RuntimeError(f"Without any change the tests of {self.kind} are not green.")
        return seconds

    def swapped(self, mutants):
        """(place, whether noticed, seconds of processor) of those that are changes of a function."""
        out, into = os.pipe()
        stage = _fork(lambda: self._pytest(_Swaps(mutants, self.seconds, into)), resource.RLIM_INFINITY)
        os.close(into)
        with os.fdopen(out) as lines:
            yield from map(json.loads, lines)
        os.waitpid(stage, 0)

    def replaced(self, mutants):
        """(mutant, whether noticed, seconds of processor) of each."""

        def start(mutant):
            def work():
                sys.meta_path.insert(0, _InItsPlace(mutant))
                return self._pytest()

            return _fork(work, self.seconds)

        return _at_once(mutants, start)


def run(kind, chosen, sample=None):
    """Try the mutants of a kind, as many at once as there are processors.

    Swapping a function's code is quick, for all is imported already; but what was worked out while it was imported
    stays as it was. So a mutant that no test notices is tried again with the whole module, which is imported anew.

    :param chosen: says whether to try a mutant.
    :param sample: how many of them, evenly spaced over those without a reason; all without it.
    :returns: (mutant, whether it was noticed, seconds of processor) of each.
    """
    runs = Runs(kind, few=sample is not None)
    chosen = [mutant for path in KINDS[kind].modules for mutant in mutants(path) if chosen(mutant)]
    if sample:
        chosen = [mutant for mutant in chosen if not mutant.has_reason]
    every = -(-len(chosen) // sample) if sample else 1
    chosen = chosen[every // 2 :: every]
    noticed = set()
    for at, is_noticed, seconds in runs.swapped(chosen):
        if is_noticed:
            noticed.add(at)
            yield chosen[at], True, seconds
    yield from runs.replaced(mutant for at, mutant in enumerate(chosen) if at not in noticed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--sample", type=int, help="how many of those without a reason, evenly spaced")
    parser.add_argument("--only", default="", help="what the module, function and line have in them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _servers(KINDS[given.kind].database):
        sys.pycache_prefix = folder
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        os.environ.setdefault("PYTEST_XDIST_WORKER", "gw0")  # no child starts servers of its own
        _prepare()
        for mutant, noticed, seconds in run(given.kind, lambda each: given.only in each.name, given.sample):
            row = {**mutant._asdict(), "noticed": noticed, "seconds": round(seconds, 2)}
            del row["source"]
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
