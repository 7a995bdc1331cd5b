"""An unsafe installation does not start: the system checks, in a process of their own as `manage.py up` runs them."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from casino import embedded
from casino.embedded.cluster import SUPERUSER

from . import stack

NOT_WAITING = "&options=-c%20synchronous_commit%3Doff"


@pytest.fixture(scope="module")
def told(django_test_environment):
    """What `check --database default` said in each environment, by name: (exit status, text)."""
    with stack.clone(stack.TEMPLATE) as database, ThreadPoolExecutor(2) as pool:
        app, owner, superuser = (
            stack.cluster().url(role, database) for role in (embedded.APP, embedded.OWNER, SUPERUSER)
        )
        environments = {
            "tests": {"DATABASE_URL": app},
            "owner": {"DATABASE_URL": owner},
            "superuser": {"DATABASE_URL": superuser},
            "careless": {"DATABASE_URL": app, "FSYNC_OFF_IS_FINE": "0", "SECRET_KEY": "s" * 31},
            "commit": {"DATABASE_URL": app + NOT_WAITING},
            "nowhere": {"DATABASE_URL": "postgresql://casino_app@/casino?host=/nowhere"},
        }
        yield dict(zip(environments, pool.map(check, environments.values()), strict=True))


def check(environment):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--database", "default"],
        cwd=stack.BASE_DIR,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_app_s_role_on_the_tests_cluster_passes(told):
    assert told["tests"] == (0, "System check identified no issues (0 silenced).\n")


@pytest.mark.parametrize(
    ("environment", "errors", "says"),
    [
        ("owner", {"casino.E004"}, "The role casino_owner owns or may create tables."),
        ("superuser", {"casino.E003", "casino.E004"}, "The role postgres may more than the app needs."),
        ("careless", {"casino.E001", "casino.E005"}, "SECRET_KEY is missing or shorter than 32 characters."),
        ("careless", {"casino.E001", "casino.E005"}, "PostgreSQL runs with fsync = off: settled money could be lost."),
        ("commit", {"casino.E005"}, "PostgreSQL runs with synchronous_commit = off: settled money could be lost."),
    ],
)
def test_an_unsafe_installation_is_refused(told, environment, errors, says):
    status, text = told[environment]
    assert status == 1
    assert says in text
    assert {f"casino.E00{number}" for number in range(1, 6) if f"casino.E00{number}" in text} == errors


def test_a_database_out_of_reach_is_refused(told):
    status, text = told["nowhere"]
    assert status == 1
    assert 'socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory' in text


def test_a_refusal_says_the_way_out(told):
    assert "HINT: DATABASE_URL names the app's role; the owner migrates through DATABASE_OWNER_URL." in told["owner"][1]
