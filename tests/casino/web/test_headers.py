"""What every answer of every address says to the browser, and the production profile: its checks, headers, cookies."""

import json
import os
import re
import subprocess
import sys

import pytest
from django.conf import settings

from casino.running import embedded

from ...support import factories, stack, waiting
from .. import test_routes

PEOPLE = ("nobody", "anna", "clara", "david")
STRICT = {name: sorted(values) for name, values in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()}
FIXED = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """What every address needs, by the name that the URL conf gives it; `database` is where it stands."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield test_routes.furnished() | {"database": database}


def policy(answer):
    """directive -> its sources."""
    parts = (part.split() for part in answer.headers["Content-Security-Policy"].split(";"))
    return {name: sorted(values) for name, *values in parts}


def is_guarded(path, answer):
    assert {name: answer.headers.get(name) for name in FIXED} == FIXED, path
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")], path
    if kind := answer.headers.get("Content-Type", ""):
        # JSON and event streams are UTF-8 by their standards.
        assert "charset=" in kind or kind.startswith(("application/", "image/", "text/event-stream")), (path, kind)
    else:
        assert answer.status_code in {301, 302} or not answer.content, path
    found = policy(answer)
    if found != STRICT and (path.startswith("/admin/") or path == "/api/v1/docs/"):
        # The two places with a policy of their own: the admin, and the page that tries REST.
        assert found["frame-ancestors"] == found["base-uri"] == found["default-src"] == ["'none'"], path
        assert set(found["script-src"]) <= {"'self'", "'unsafe-eval'", "'unsafe-inline'"}, path
    else:
        assert found == STRICT, path
    if not path.startswith("/static/"):
        assert "no-store" in answer.headers["Cache-Control"], path
    for cookie in filter(lambda cookie: cookie.value, answer.cookies.values()):
        assert cookie["samesite"] in {"Lax", "Strict"}, cookie
        assert cookie["httponly"] or cookie.key == settings.CSRF_COOKIE_NAME, cookie
    return True


def test_the_strict_policy_allows_nothing_inline():
    assert not re.search(r"unsafe|\*|data:|https?:", json.dumps(STRICT))
    assert STRICT["default-src"] == STRICT["frame-ancestors"] == ["'none'"]


@pytest.mark.parametrize("login", [*PEOPLE[:-1], pytest.param(PEOPLE[-1], marks=pytest.mark.proof)])
def test_every_answer_of_every_address_has_its_headers(floor, login):
    client, seen = test_routes.client(login), set()
    addresses = [(method, test_routes.where(floor, path)) for method, path, *_ in test_routes.TABLE]
    if login in {"nobody", "david"}:
        addresses += [("GET", path) for path in test_routes.admin_addresses() if "logout" not in path]
    addresses += [
        ("GET", "/nothing/"), ("GET", "/static/nothing.css"), ("GET", "/static/tables/tokens.css"),
        ("GET", "/?a=%00"), ("GET", "/api/v1/tables/?a=%00"), ("GET", "/?" + "a=1&" * 1001), ("DELETE", "/login/"),
        ("DELETE", "/live/tables/1/"),
    ]  # fmt: skip
    for method, path in addresses:
        # A logout within would make somebody else of the rest.
        made = test_routes.client(login) if path == "/logout/" else client
        answer = made.generic(method, path, "{}" if method == "POST" else "", "application/json")
        assert is_guarded(path, answer)
        seen.add(answer.status_code)
    assert {200, 302, 400, 404, 405} <= seen


def test_no_address_takes_trace(floor):
    for path in ("/", "/login/", "/api/v1/tables/", "/admin/", "/healthz", "/static/tables/tokens.css"):
        for login in ("nobody", "anna", "david"):
            answer = test_routes.client(login).generic("TRACE", path, headers={"x-secret": "echo-me"})
            assert answer.status_code == 405, path
            assert answer.headers["Allow"]
            assert b"echo-me" not in answer.content


def test_a_refused_host_has_the_headers_too(floor):
    for path in ("/", "/api/v1/tables/", "/healthz", "/static/tables/tokens.css"):
        answer = test_routes.client("nobody").get(path, headers={"host": "evil.example"})
        assert answer.status_code == 400
        assert is_guarded("", answer)


# The production profile, in processes of its own: settings are read once.

PRODUCTION = {
    "HTTPS": "1",
    "ALLOWED_HOSTS": "casino.example",
    "CSRF_TRUSTED_ORIGINS": "https://casino.example",
    "SECRET_KEY": "f1nTq8-Zr0vK_3mXw7Lb5Yc2Hs9Dj4Pg6Ae1Uo0Ik8Nt3Qz7Rv2Wd",
    "DEBUG": "0",
}
VISIT = """
import json, sys
import django; django.setup()
from django.test import Client
password, table = sys.argv[1:]
plain = Client(headers={"host": "casino.example"})
proxied = {"host": "casino.example", "x-forwarded-proto": "https"}
client = Client(headers=proxied)
visits = {
    "plain": plain.get("/login/?next=/"),
    "probe": client.get("/healthz"),
    "login": client.post("/login/", {"username": "clara", "password": password}),
    "enrol": client.post(f"/tables/{table}/enrol/", {"name": "T9-left"}),
    "missing": client.get("/api/v1/nothing/"),
    "evil": Client(headers=proxied | {"host": "evil.example"}).get("/api/v1/tables/"),
}
print(json.dumps({
    name: {"status": answer.status_code, "headers": dict(answer.headers),
           "cookies": {key: cookie.OutputString() for key, cookie in answer.cookies.items()}}
    for name, answer in visits.items()
}))
"""


def production(floor, *arguments, **environment):
    url = stack.cluster().url(embedded.APP, floor["database"])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=stack.BASE_DIR,
        env=os.environ
        | PRODUCTION
        | {"ANCHOR_FILE": _of_a_keeper()}
        | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "casino.settings"}
        | environment,
        capture_output=True,
        text=True,
        timeout=waiting.PATIENCE,
        check=False,
    )


def _of_a_keeper():
    """A file that belongs to another account."""
    if os.geteuid():
        return "/etc/passwd"
    path = stack.folder() / "kept-checkpoints"
    path.touch()
    os.chown(path, 65534, -1)
    return str(path)


@pytest.fixture(scope="module")
def visits(floor):
    password = factories.signature("clara")["password"]
    done = production(floor, "-c", VISIT, password, str(floor["table_id"]), SECOND_STEP="0")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


CHECK = ("manage.py", "check", "--deploy", "--database", "default")


def test_the_production_profile_has_no_issue_and_silences_none(floor):
    done = production(floor, *CHECK)
    assert (done.returncode, done.stdout) == (0, "System check identified no issues (0 silenced).\n"), done.stderr


def test_without_https_the_checks_complain(floor):
    said = production(floor, *CHECK, HTTPS="0").stderr
    assert {"security.W004", "security.W008", "security.W010", "security.W016"} <= set(
        re.findall(r"security\.W\d+", said)
    )


def test_under_https_every_answer_is_strict_and_plain_http_is_led_there(visits):
    assert visits["plain"]["status"] == 301
    assert visits["plain"]["headers"]["Location"] == "https://casino.example/login/?next=/"
    assert {name: visit["status"] for name, visit in visits.items() if name != "plain"} == {
        "probe": 200, "login": 302, "enrol": 302, "missing": 404, "evil": 400,
    }  # fmt: skip
    for name in ("probe", "login", "enrol", "missing", "evil"):
        headers = visits[name]["headers"]
        assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload", name
        assert {header: headers.get(header) for header in FIXED} == FIXED, name


def test_under_https_cookies_are_secure_and_scripts_read_the_csrf_token_alone(visits):
    cookies = visits["login"]["cookies"] | visits["enrol"]["cookies"]
    kinds = {key.partition("_")[0]: cookie for key, cookie in cookies.items()}
    assert set(kinds) == {"sessionid", "csrftoken", "terminal"}
    for kind, cookie in kinds.items():
        flags = {flag.strip() for flag in cookie.split(";")[1:]}
        assert "Secure" in flags, cookie
        assert ("HttpOnly" in flags) == (kind != "csrftoken"), cookie
        assert ("SameSite=Strict" if kind == "terminal" else "SameSite=Lax") in flags, cookie
        assert not any(flag.startswith("Domain") for flag in flags), cookie
