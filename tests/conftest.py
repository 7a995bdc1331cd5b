"""Fixtures: databases that the app's role works on, connections of the other roles, a running stack, a browser."""

import asyncio
import gc
import os
import re
import shutil

import psycopg
import pytest
from hypothesis import HealthCheck, settings

from casino.running import embedded

from .support import live, proof, stack, waiting
from .support.terminal import new_page

# An example may take as long as the machine needs; a failure says how to repeat it.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=proof.examples(100),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

# The headless shell is Chromium without windows: it starts sooner and takes two thirds of the processor time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FAILED = pytest.StashKey[bool]()
LONGEST = (
    "test_races",
    "test_chip_races",
    "test_day_races",
    "test_chip_nights",
    "test_week",
    "test_openapi",
    "test_up",
    "test_replay",
    "test_routes",
    "test_round_machine",
    "test_terminal",
    "test_looks",
    "test_faults",
    "test_resend",
    "test_lockout",
    "test_hands",
    "test_outages",
    "test_limits",
    "test_health",
)
LONGEST_PROOFS = (
    "test_up",
    "test_mutants",
    "test_faults",
    "test_openapi",
    "test_outages",
    "test_month",
    "test_dropped_guards",
    "test_shift",
    "test_felts",
    "test_taps",
    "test_day_kills",
    "test_inspections",
    "test_night",
    "test_whole_day",
    "test_chip_nights",
)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment):
    """Each worker's own clone of the migrated template; the `db` fixture rolls back on it as the app's role."""
    with stack.clone(stack.TEMPLATE) as database, stack.django_on(database):
        yield database


@pytest.fixture
def transactional_db():
    """Django's flush between tests cannot pass the append-only triggers."""
    pytest.fail("Use fresh_db: a clone of its own with real commits.")


@pytest.fixture
def fresh_db(django_test_environment, django_db_blocker):
    """A new database for one test, with real commits; its name."""
    with stack.clone(stack.TEMPLATE) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield database


@pytest.fixture
def seeded_db(django_test_environment, django_db_blocker):
    """Like `fresh_db`, with the demo's pits, people and rounds in it."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield database


@pytest.fixture
def settled_db(django_test_environment, django_db_blocker):
    """Like `seeded_db`, with the first round of T1 settled in it."""
    with django_db_blocker.unblock(), stack.clone(stack.SETTLED) as database, stack.django_on(database):
        yield database


@pytest.fixture
def settled(settled_db):
    """The first round of T1, settled."""
    from tables.models import Round

    return Round.objects.get()


def _connection(request, role):
    """A connection to the test's database; it does not see what the `db` fixture has not committed."""
    for name in ("fresh_db", "seeded_db", "settled_db"):
        if name in request.fixturenames:
            break
    else:
        name = "django_db_setup"
    return psycopg.connect(stack.cluster().url(role, request.getfixturevalue(name)), autocommit=True)


@pytest.fixture
def owner_connection(request):
    with _connection(request, embedded.OWNER) as connection:
        yield connection


@pytest.fixture
def auditor_connection(request):
    with _connection(request, embedded.AUDITOR) as connection:
        yield connection


@pytest.fixture(scope="session")
def _processes():
    with stack.clone(stack.SEEDED) as database, live.LiveStack(database) as running:
        yield running


@pytest.fixture(scope="module")
def live_stack(_processes):
    """Web, worker and beat on a seeded database, shared by the tests of a module; see `tests.live.LiveStack`.

    The processes serve one module after the other, each with a new database, and rest in between.
    """
    _processes.wake()
    yield _processes
    _processes.rest()


@pytest.fixture(scope="session")
def _chromium():
    """The system's Chromium under Playwright, and Playwright's event loop, at rest."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    wanted = [os.environ["CHROMIUM"]] if "CHROMIUM" in os.environ else CHROMIUM_NAMES
    found = next(filter(None, map(shutil.which, wanted)), None)
    if not found:
        pytest.skip(f"No {' or '.join(wanted)} found: install one of {', '.join(CHROMIUM_NAMES)} or set CHROMIUM.")
    quiet = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_api.sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        sync_api.expect.set_options(timeout=1000 * waiting.PATIENCE)
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--no-first-run", *quiet])
        asyncio._set_running_loop(None)
        yield chromium, loop
        asyncio._set_running_loop(loop)
        chromium.close()


@pytest.fixture(scope="module")
def browser(_chromium):
    """A browser for the tests of a module; it serves one module after the other.

    Playwright keeps an event loop in this thread, beside which asyncio would run no other and Django would refuse the
    tests' own queries: it is there while a module needs it.
    """
    chromium, loop = _chromium
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        asyncio._set_running_loop(loop)
        yield chromium
        asyncio._set_running_loop(None)


@pytest.fixture
def page(browser, request, django_db_blocker):
    """A page in a context of its own; a failed test leaves a picture in test-results/."""
    page = new_page(browser)
    # The product's own verbs may prepare what the page shows: see `LiveStack.in_process`.
    with django_db_blocker.unblock():
        yield page
    if request.node.stash.get(FAILED, False):
        name = re.sub(r"\W+", "-", request.node.nodeid).strip("-")
        page.screenshot(path=f"test-results/{name}.png", full_page=True)
    page.context.close()


def pytest_sessionstart(session):
    """Make what gettext reads once, before the workers start."""
    if not hasattr(session.config, "workerinput"):
        from casino import catalogue

        catalogue.compile_all()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    # The longest tests begin first, so that no worker is left alone with them at the end.
    longest = LONGEST_PROOFS if proof.RUN else LONGEST
    items.sort(key=lambda item: longest.index(item.path.stem) if item.path.stem in longest else len(longest))


def pytest_collection_finish():
    # What exists now stays, so the collector need not look through it again and again, and only seldom through what is
    # new.
    gc.freeze()
    gc.set_threshold(20_000)


def _forbidden_skips(config):
    """The skipped tests of a run that forbids skips: CI_NO_SKIPS=1."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI_NO_SKIPS") != "1" or reporter is None or "PYTEST_XDIST_WORKER" in os.environ:
        return []
    return reporter.stats.get("skipped", [])


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    if _forbidden_skips(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    skipped = _forbidden_skips(config)
    if skipped:
        terminalreporter.section("CI_NO_SKIPS=1: skipped tests fail this run", red=True, bold=True)
        for report in skipped:
            terminalreporter.line(report.nodeid)
