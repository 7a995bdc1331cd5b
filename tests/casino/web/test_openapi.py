"""OpenAPI: the description names every address, its examples are a session that is replayed here, and no answer to
schemathesis' cases is undocumented.
"""

import contextlib
import datetime as dt
import functools
import html
import json
import os
import re
import threading
import uuid
from importlib import resources

import jsonschema_rs
import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from drf_spectacular.renderers import OpenApiJsonRenderer
from rest_framework.views import APIView

from audit.log import Actor
from audit.models import Checkpoint
from casino.models import ChipSet
from casino.roles import Role
from casino.web import openapi
from payouts import coefficient_tables
from tables.models import Action, Pit, Round, Session
from tables.people import staff
from tables.reports import grading
from tables.rest import schema
from tables.verbs import alarms, pits, rulesheets, settling

from ...support import factories, fuzz, proof, stack, waiting

PASSWORD = "the password of "
TO_COME = "2026-03-08T05:00:00+00:00"
# Now, when the last session of the table in the address was opened, and the gaming day of now.
NOW, OPENED = "2026-03-07T20:05:00+00:00", "2026-03-07T19:00:00+00:00"
TODAY = "2026-03-07"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
# What differs from one day to the next.
# In a body: the size of the newest checkpoint.
SEEN = 412790
MASKS = [
    (re.compile(r"(?<=\"code\": \")[2-9A-Z]{4}(-[2-9A-Z]{4}){3}"), "H7KM-2QRT-XW4P-9DEF"),
    (MOMENT, "2026-03-07T20:15:00.250000+00:00"),
    (re.compile(r'"(business_)?date": "[0-9-]{10}"'), r'"\1date": "2026-03-07"'),
    (re.compile(r'"tips:[0-9-]{10}"'), '"tips:2026-03-07"'),
    (re.compile(r"\b[0-9]{1,2} [A-Z][a-z]+ [0-9]{4}\b"), "7 March 2026"),
    (re.compile(r"ips of [0-9]+ \w+ (are|still)"), r"ips of 7 March \1"),
    (re.compile(r'"token": "[\w-]{43}"'), f'"token": "{"Nq3vX8" * 7}-"'),
    (re.compile(r"[0-9]{1,2} [A-Z][a-z]+, [0-9]{2}:[0-9]{2}"), "7 March, 21:05"),
    (re.compile(r'"dealt_minutes": [0-9]+'), '"dealt_minutes": 0'),
    (re.compile(r'"seed": "[0-9-]{10}/[0-9]+/[0-9a-f]{64}'), f'"seed": "2026-03-07/{SEEN}/{"90be41d7" * 8}'),
    (re.compile(r'"checkpoint": [0-9]+, "root": "[0-9a-f]{64}"'), f'"checkpoint": {SEEN}, "root": "{"90be41d7" * 8}"'),
    (re.compile(r"visit of [0-9]+ entries"), f"visit of {SEEN} entries"),
    (
        re.compile(r'"since": [0-9]+, "checkpoint": [0-9]+, "of": [0-9]+, "rounds": \[[0-9, ]+\]'),
        f'"since": 398112, "checkpoint": {SEEN}, "of": 2914, "rounds": [1214, 1188, 911]',
    ),
    # In a PAR sheet: times as the log has them, and digests of what has them.
    (re.compile(r'at": "[0-9-]{10}T[0-9:.]{15}Z"'), 'at": "2026-03-07T20:15:00.250000Z"'),
    (re.compile(r'"seq": [0-9]+, "digest": "[0-9a-f]{64}"'), f'"seq": 61, "digest": "{"90be41d7" * 8}"'),
    (re.compile(r'"digest": "[0-9a-f]{64}", "json"'), f'"digest": "{"90be41d7" * 8}", "json"'),
    (re.compile(r"such as [0-9a-f-]{36}"), "such as 7028add6-5e36-46cb-8156-2ee4b596064b"),
]


def routes(patterns=None, prefix="/"):
    """(path, methods) of every address of REST, as the schema writes them."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + re.sub(r"<int:(\w+)>", r"{\1}", str(pattern.pattern))
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, path)
        elif path.startswith("/api/v1/") and issubclass(getattr(pattern.callback, "cls", object), APIView):
            yield path, {method.lower() for method in pattern.callback.cls().allowed_methods} - {"head", "options"}


def validator(described):
    """Validates against a schema that refers to the components."""
    return _validator(json.dumps(described))


@functools.cache
def _validator(described):
    """One for all that are described alike: it takes 10 ms to make one."""
    schemas = openapi.document()["components"]["schemas"]
    whole = {"components": {"schemas": schemas}, "allOf": [json.loads(described)]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def operation_of(send):
    """The operation that an address belongs to."""
    method, path = send.split(" ")
    for template, operations in openapi.document()["paths"].items():
        if re.fullmatch(re.sub(r"{\w+}", r"\\d+", template), path.partition("?")[0]):
            return operations[method.lower()]
    raise LookupError(send)


def test_every_address_of_rest_is_described_and_no_other():
    described = {path: set(operations) for path, operations in openapi.document()["paths"].items()}
    # The page itself is for people.
    assert described == {path: methods for path, methods in routes() if path != "/api/v1/docs/"}


def test_the_description_is_valid_openapi():
    standard = resources.files("drf_spectacular.validation") / "openapi_3_1_schema.json"
    valid = jsonschema_rs.Draft202012Validator(json.loads(standard.read_text()))
    described = json.loads(OpenApiJsonRenderer().render(openapi.document()))
    assert described["openapi"].startswith("3.1.")
    valid.validate(described)
    # It does look into each operation.
    described["paths"]["/api/v1/schema/"]["get"]["responses"]["200"].pop("description")
    assert not valid.is_valid(described)
    for component in openapi.document()["components"]["schemas"].values():
        jsonschema_rs.meta.validate(component)


def test_each_operation_has_a_name_a_summary_and_an_example_of_everything():
    operations = [each for path in openapi.document()["paths"].values() for each in path.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    examples = openapi.document()["components"]["examples"]
    for operation in operations:
        assert operation["summary"]
        for status, response in operation["responses"].items():
            content = response["content"]["application/json"]
            if operation["operationId"] == "getSchema" and status == "200":
                continue
            assert content["examples"], (operation["operationId"], status)
            for example in content["examples"].values():
                name = example.get("$ref", "").rpartition("/")[2]
                value = examples[name]["value"] if name else example["value"]
                validator(content["schema"]).validate(value)
        if "requestBody" in operation:
            body = operation["requestBody"]["content"]["application/json"]
            for example in body["examples"].values():
                validator(body["schema"]).validate(example["value"])


# What no schema says.


@pytest.fixture(scope="module")
def seeded_floor(django_test_environment, django_db_blocker):
    """One seeded database for all that changes nothing."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield database


def addresses(number=1):
    return [(re.sub(r"{\w+}", str(number), path), methods) for path, methods in openapi.document()["paths"].items()]


def test_every_address_asks_who_is_there(seeded_floor):
    for path, methods in addresses():
        for method, operation in methods.items():
            for headers, code in (({}, "not_logged_in"), ({"Authorization": "Bearer of-nobody"}, "token_unknown")):
                answer = Client().generic(method.upper(), path, "{}", "application/json", headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (401, code)
                validator(operation["responses"]["401"]["content"]["application/json"]["schema"]).validate(
                    answer.json()
                )


@pytest.mark.parametrize("number", [0, 2**31, 2**63 - 1, 2**63, 10**30, "9" * 5000, "٣", "-1", "1.0", "1e3"])
def test_a_number_of_nothing_is_not_found(seeded_floor, number):
    ida, clara = factories.client("ida"), factories.client("clara")
    for path, methods in addresses(number):
        if str(number) in path:
            for client in (ida, clara):
                for method in methods:
                    answer = client.generic(method.upper(), path, "{}", "application/json")
                    assert answer.status_code in {403, 404}, (path, answer.content)
            assert ida.get(path).status_code in {404, 405}


def test_head_is_get_without_a_body_and_options_tells_the_methods(seeded_floor):
    clara = factories.client("clara")
    for path, methods in addresses():
        options = clara.options(path)
        assert (options.status_code, options.json()) == (200, {})
        allowed = {method.strip().lower() for method in options.headers["Allow"].split(",")} - {"head", "options"}
        assert allowed == set(methods)
        head = clara.head(path)
        assert head.status_code == (clara.get(path).status_code if "get" in methods else 405)
        assert head.content == b""


def test_the_format_is_asked_for_by_accept_alone(seeded_floor):
    clara = factories.client("clara")
    assert clara.get("/api/v1/tables/?format=xml").json() == clara.get("/api/v1/tables/").json()


def test_the_page_is_for_who_is_logged_in_and_takes_nothing_from_elsewhere(seeded_floor):
    assert Client().get("/api/v1/docs/").headers["Location"] == "/login/?next=/api/v1/docs/"
    assert Client().get("/api/v1/schema/").status_code == 401
    anna = factories.client("anna")
    page = anna.get("/api/v1/docs/")
    assert page.status_code == 200
    taken = re.findall(r'(?:src|href)="([^"]+)"', page.content.decode())
    assert len(taken) == 5
    for address in taken:
        assert address.startswith("/")
        assert anna.get(html.unescape(address)).status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self'" in [directive.strip() for directive in policy.split(";")]
    assert "unsafe-eval" not in policy
    script = anna.get(html.unescape(taken[-1])).content.decode()
    assert '"/api/v1/schema/"' in script.replace("\\u002D", "-")
    assert "X-CSRFToken".upper() in script.upper()
    assert anna.get("/api/v1/schema/").json() == openapi.document()


# The examples, replayed.


def _a_new_table():
    """T4, not open yet, without a sheet; Theo is signed on there."""
    clara, by_two = factories.person("clara"), factories.actor("ida", "frank")
    with transaction.atomic():
        table = pits.add_table(
            code="T4", name="Split 4", pit=Pit.objects.get(code="M"), chip_set=ChipSet.objects.get(), actor=by_two
        )
        theo = staff.add(login="theo", name="Theo Tau", password="stranger-1", actor=by_two)
        staff.post(staff=theo, role=Role.CROUPIER, pit=table.pit, actor=by_two)
        staff.sign_on(staff=theo, table=table, actor=Actor(clara))


def _the_new_table_opens():
    factories.open_session(factories.table("T4"), {100: 100})


def _a_raked_pot_is_void():
    """Its table closes, was counted without its rake slot by both, and a pot of its session before is void then."""
    with transaction.atomic():
        staff.sign_off(table=factories.table("T1"), actor=factories.actor("clara"))
    table, chips = factories.raked_table(), {100: 100}
    factories.close_session(table, chips)
    factories.open_session(table, chips)
    stopped = factories.stop_session(table)
    for login in ("erik", "clara"):
        factories.count_session(stopped, chips, by=login)
    factories.void_later(table.rounds.get())


def _sheets_are_drafted():
    """One with coefficients that nobody has published, one with those of the game, one in too small chips, and one each
    whose house edge nobody has asked for, is the player's, and lies outside the casino's band."""
    frank, ratios = factories.actor("frank"), factories.RATIOS
    with transaction.atomic():
        table = coefficient_tables.draft(game="split", name="Next", ratios=ratios, actor=frank)
        limits = {"chip": 100, "ante_minimum": 1000, "ante_maximum": 20_000}
        for coefficients in (table, None):
            rulesheets.draft(game="split", values=limits, coefficient_table=coefficients, actor=frank)
    factories.published_sheet("genpoker", {"chip": 50, "stake": 500})
    for ratio, percent in ((101, None), (102, "-3.31"), (103, "35.5")):
        with transaction.atomic():
            values = limits | {"coefficients": ratios | {"royal_flush": f"{ratio}:1"}}
            sheet = rulesheets.draft(game="split", values=values, actor=frank)
        if percent:
            factories.computed_edge(sheet, edge_percent=percent)


class Replay:
    """The session of `examples.jsonl`, sent line by line."""

    def __init__(self, owner_connection):
        self.owner = owner_connection
        self.logins = {
            person["login"]: person["password"]
            for person in json.loads((stack.seed_folder() / "demo-logins.json").read_text())
        }
        self.tokens = {}
        self.to_come = (timezone.now() + dt.timedelta(days=1)).isoformat()
        self.clients = {}

    def client(self, login):
        if login not in self.clients:
            made = factories.client(login, enforce_csrf_checks=True) if login else Client(enforce_csrf_checks=True)
            made.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
            self.clients[login] = made
        return self.clients[login]

    def send(self, line):
        """The last answer to what the line sends, as many times as it says."""
        given = line.get("given")
        if given == "Theo stands at a new table":
            _a_new_table()
        if given == "The new table is open":
            _the_new_table_opens()
        if given == "Frank drafted sheets":
            _sheets_are_drafted()
        if given == "A round waits for the worker":
            factories.play_round(factories.table("T2"), factories.FOLDS)
        if given == "A box of T2 waits for its payment":
            factories.settled_round(factories.table("T2"))
        if given == "A raked pot is void after both counted":
            _a_raked_pot_is_void()
        if given == "The round from paper is over":
            from_paper = Round.objects.get(paper__isnull=False)
            factories.act_all(from_paper, factories.FOLDS)
            factories.close(from_paper)
        if given == "A day on which nothing was open":
            factories.idle_day()
        if given == "The log is sealed":
            factories.sealed()
        if given == "The tips of a day are due":
            factories.day_with_tips(5_000)
        if given == "An action that no terminal sent":
            jonas = factories.person("jonas")
            Action.objects.create(round_id=3, ordinal=1, phase="ante", kind="win", arguments={}, by=jonas)
        begun = {
            "Another command runs": self.another_command,
            "Passwords are hashed all the time": self.hashings,
            "Much was wrong in this minute": self.flood,
            "Chips are on their way for an hour": self.lateness,
            "A worker has the round in hand": self.leased,
            "The gaming days are closed": self.days_closed,
            "Two administrators let each other go": self.both_let_go,
            "A file of a report was kept long enough": self.old_file,
        }
        with begun.get(given, contextlib.nullcontext)():
            for _ in range(line.get("times", 1) if "raw" not in line else 1):
                answer = self.send_once(line)
        if line["send"].endswith("/close/"):
            settling.settle_due()
        if "token" in answer.json():
            self.tokens[answer.json()["name"]] = answer.json()["token"]
        return answer

    def send_once(self, line):
        method, path = line["send"].split(" ")
        self.table = int(path.split("/")[4]) if path.startswith("/api/v1/tables/") and path.count("/") > 4 else None
        headers = {"Accept": "application/json"}
        if method == "POST":
            headers |= {"Idempotency-Key": str(uuid.uuid4()), "X-CSRFToken": "a" * 32}
        headers |= {name: self.meant(value) for name, value in line.get("headers", {}).items()}
        body = line["raw"] * line.get("times", 1) if "raw" in line else self.meant(line.get("body"))
        kind = headers.pop("Content-Type", "application/json")
        return self.client(line["as"]).generic(
            method, path, body if isinstance(body, str) else json.dumps(body), kind, headers=headers
        )

    def meant(self, value):
        """A value of an example with real passwords and tokens in it."""
        if isinstance(value, dict):
            return {name: self.meant(item) for name, item in value.items()}
        if isinstance(value, str) and value.startswith(PASSWORD):
            return self.logins[value.removeprefix(PASSWORD)]
        if value == TO_COME:
            return self.to_come
        if value == SEEN:
            return Checkpoint.objects.newest().size
        if value == NOW:
            return timezone.now().isoformat()
        if value == TODAY:
            return str(grading.today())
        if value == OPENED:
            return Session.objects.filter(table=self.table).latest("pk").opened_at.isoformat()
        if isinstance(value, str) and value.startswith("Bearer the token of "):
            return f"Bearer {self.tokens[value.removeprefix('Bearer the token of ')]}"
        return value

    @contextlib.contextmanager
    def another_command(self):
        """The table's row is locked, as by a command that takes its time."""
        with self.owner.transaction():
            self.owner.execute("SELECT FROM tables_table WHERE code = 'T1' FOR NO KEY UPDATE")
            yield

    @contextlib.contextmanager
    def leased(self):
        """A worker leased what is due, and is lost afterwards."""
        due = [each.round_id for each in settling.lease()]
        yield
        Round.objects.filter(pk__in=due).update(next_at=timezone.now())

    @contextlib.contextmanager
    def hashings(self):
        """Others hash as many passwords as the house may."""
        with self.owner.transaction():
            self.owner.execute("SELECT FROM casino_hashing FOR UPDATE")
            yield

    @contextlib.contextmanager
    def flood(self):
        """So much was wrong in this minute, and is in the next, that more is refused."""
        self.owner.execute(
            "INSERT INTO casino_wronglogins (minute, number)"
            " SELECT date_trunc('minute', now()) + n * interval '1 minute', 1000"
            " FROM generate_series(0, 9) n ON CONFLICT (minute) DO UPDATE SET number = 1000"
        )
        yield
        self.owner.execute("DELETE FROM casino_wronglogins")

    @contextlib.contextmanager
    def old_file(self):
        factories.old_report_file()
        yield

    @contextlib.contextmanager
    def days_closed(self):
        """All gaming days that were open are closed, for a while."""
        dates = [date for (date,) in self.owner.execute("SELECT date FROM tables_gamingday WHERE status = 'OPEN'")]
        two = [factories.person(login).pk for login in ("clara", "hugo")]
        with self.unguarded("tables_gamingday"):
            self.owner.execute(
                "UPDATE tables_gamingday SET status = 'CLOSED', closed_by_id = %s, closed_with_id = %s,"
                " closed_at = now(), figures = '{}', digest = repeat('0', 64) WHERE date = ANY (%s)",
                [*two, dates],
            )
            yield
            self.owner.execute(
                "UPDATE tables_gamingday SET status = 'OPEN', closed_by_id = NULL, closed_with_id = NULL,"
                " closed_at = NULL, figures = '', digest = '' WHERE date = ANY (%s)",
                [dates],
            )

    @contextlib.contextmanager
    def unguarded(self, table):
        """The table, for a while without its guards."""
        of_table = f"SELECT tgname FROM pg_trigger WHERE tgrelid = '{table}'::regclass AND NOT tgisinternal"
        names = [name for (name,) in self.owner.execute(of_table).fetchall()]
        self.owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        for name in names:
            self.owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")

    @contextlib.contextmanager
    def both_let_go(self):
        """Carl is an administrator too. While Ida's command waits, her posting ends; afterwards it stands again."""
        ida = factories.person("ida")
        with transaction.atomic():
            staff.post(
                staff=factories.person("carl"), role=Role.ADMINISTRATOR, pit=None, actor=factories.actor("ida", "clara")
            )
        self.owner.execute("BEGIN; SELECT FROM audit_chain WHERE key = 'house' FOR NO KEY UPDATE")
        with self.unguarded("tables_posting"):
            self.owner.execute("UPDATE tables_posting SET ended_at = now() WHERE staff_id = %s", [ida.pk])

        def let_go():
            waits = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
            waiting.until(lambda: self.owner.execute(waits).fetchone() is not None)
            self.owner.execute("COMMIT")

        other = threading.Thread(target=let_go)
        other.start()
        yield
        other.join()
        with self.unguarded("tables_posting"):
            self.owner.execute("UPDATE tables_posting SET ended_at = NULL WHERE staff_id = %s", [ida.pk])

    @contextlib.contextmanager
    def lateness(self):
        """The slips on their way set out an hour ago, and the worker has looked."""

        def set_out(age):
            self.owner.execute("ALTER TABLE tables_slip DISABLE TRIGGER USER")
            self.owner.execute(f"UPDATE tables_slip SET issued_at = now() - interval '{age}' WHERE status = 'ISSUED'")
            self.owner.execute("ALTER TABLE tables_slip ENABLE ALWAYS TRIGGER moves")
            alarms.look()

        set_out("1 hour")
        yield
        set_out("0")


def plain(answer):
    """An answer with what differs from day to day written as in the examples."""
    text = json.dumps(answer, ensure_ascii=False)
    for pattern, written in MASKS:
        text = pattern.sub(written, text)
    return json.loads(text)


def test_the_examples_are_a_session_that_happens_as_they_say(seeded_db, owner_connection):
    replay, lines = Replay(owner_connection), schema.exchanges()
    recorded = []
    for line in lines:
        answer = replay.send(line)
        assert answer.status_code == line["status"], (line, answer.content)
        response = operation_of(line["send"])["responses"][str(answer.status_code)]
        validator(response["content"]["application/json"]["schema"]).validate(answer.json())
        if "answer" in line:
            recorded.append(line | {"answer": plain(answer.json())})
            # What tells of today would be another example tomorrow.
            days = {str(timezone.now().date() + dt.timedelta(days)) for days in (-1, 0, 1)}
            assert not [day for day in days if day in json.dumps(recorded[-1])], line
            if line["status"] >= 400:
                assert answer.json()["code"] == line["title"]
        else:
            recorded.append(line)
    if os.environ.get("RECORD_EXAMPLES") == "1":
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in recorded)
        schema.EXAMPLES.write_text(text, "utf-8")
        return
    for line, written in zip(recorded, lines, strict=True):
        assert line == written, (
            "If the answer changed for good: RECORD_EXAMPLES=1 pytest tests/casino/web/test_openapi.py"
        )


# schemathesis. Here the roles share a case of each kind at the schema's edges; `make proof` sends all of all kinds to
# each role, in its short form too.


@pytest.fixture(scope="module")
def edges():
    """role -> its share of a case of each kind at the schema's edges."""
    cases = fuzz.one_of_each(fuzz.edges())
    return {role: cases[number :: len(fuzz.LOGINS)] for number, role in enumerate(fuzz.LOGINS)}


WANTED = {
    "croupier": {"rounds", "actions", "undo", "amend", "close", "report", "ticks", "left"},
    "pit_boss": {"report", "release", "void", "corrections", "disputes", "rule", "sign-on", "terminals"},
}
PLAYED_ON = WANTED | {"administrator": {"terminals"}}


def is_described(run, role):
    """No answer was undocumented, and there were answers of every kind that the role can bring about."""
    statuses, done = run.assert_described()
    assert statuses >= {200, 400, 401, 403, 404, 405, 415}
    if role in WANTED:
        assert statuses >= {201, 409, 422}
        assert done >= {f"POST {what}" for what in WANTED[role]}
    else:
        # They may do so little.
        assert "GET {round_id}" in done
        assert ("POST terminals" in done) == (role == "administrator")
    return True


@pytest.mark.parametrize("role", fuzz.LOGINS)
def test_every_answer_is_documented(seeded_db, edges, role):
    played = 140 if role in WANTED else 50
    run = fuzz.sent(role, len(edges[role]) + played, edges=edges[role], wanted=PLAYED_ON.get(role, ()))
    assert is_described(run, role)


@pytest.mark.proof
@pytest.mark.parametrize("role", fuzz.LOGINS)
def test_every_answer_to_all_edges_and_many_cases_is_documented(seeded_db, role):
    # In short one edge in eight, for each role another.
    every = proof.size(1, 8)
    edges = fuzz.edges()[list(fuzz.LOGINS).index(role) % every :: every]
    run = fuzz.sent(role, len(edges) + proof.size(18_000, 100), edges=edges, chance=1, wanted=WANTED.get(role, ()))
    print(f"\n{role}: {run.cases:,} cases; {run.told()}")
    assert is_described(run, role)
