"""REST: who may, in which shape errors come, and a whole round over HTTP."""

import json

import pytest
from django.conf import settings
from django.test import Client

from casino.games import registry
from tables.models import Action, Round
from tables.verbs import settling

from ...support import factories, stack

SHAPE = {"code", "message", "clause", "path", "way_out", "detail"}
TOKEN = "a" * 32


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """One seeded database for all that is refused: T1 has an open round, nothing in it yet."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.stranger()
        yield factories.open_round(factories.table("T1"))


@pytest.fixture
def opened(seeded_db):
    """An open round at T1 in a database of its own."""
    return factories.open_round(factories.table("T1"))


def address(round_, what=""):
    return f"/api/v1/rounds/{round_.pk}/{what}"


def rounds_of(code):
    return f"/api/v1/tables/{factories.table(code).pk}/rounds/"


def is_refused(answer, status, code, **more):
    """Whether the answer is a refusal in the one shape."""
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json"), answer.content
    told = answer.json()
    assert set(told) == SHAPE
    assert told["code"] == code
    assert isinstance(told["message"], str)
    assert told["message"]
    assert isinstance(told["way_out"], str)
    assert isinstance(told["detail"], dict)
    assert {name: told[name] for name in more} == more
    return True


ANTE = {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}}
RULE = {"version": 0, "kind": "rule", "box": 1, "arguments": {"what": "void", "clause": "split.30"}}


# Who may.


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_who_is_not_logged_in_is_told_to_log_in(floor, method):
    before = factories.written()
    for path in (
        "/api/v1/tables/",
        rounds_of("T1"),
        address(floor),
        address(floor, "actions/"),
        address(floor, "close/"),
    ):
        answer = getattr(Client(), method)(path)
        assert is_refused(answer, 401, "not_logged_in", path="", clause=None)
        assert answer.headers["WWW-Authenticate"] == "Session"
    assert factories.written() == before


def test_a_command_with_a_wrong_csrf_token_is_refused(opened):
    anna = factories.client("anna", enforce_csrf_checks=True)
    anna.cookies[settings.CSRF_COOKIE_NAME] = TOKEN
    before = factories.written()
    for headers in ({}, {"X-CSRFToken": "b" * 32}):
        answer = anna.post(
            address(opened, "actions/"), ANTE, "application/json", headers={"Idempotency-Key": "k", **headers}
        )
        assert is_refused(answer, 403, "csrf_failed")
        assert factories.written() == before
    answer = anna.post(
        address(opened, "actions/"), ANTE, "application/json", headers={"Idempotency-Key": "k", "X-CSRFToken": TOKEN}
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("login", ["boris", "frank", "eve"])
def test_what_is_out_of_reach_reads_like_what_does_not_exist(floor, login):
    """Boris stands at T2, Frank's pit is another, Eve has no posting."""
    client, before = factories.client(login), factories.written()
    pairs = [(rounds_of("T1"), "/api/v1/tables/999999/rounds/", {})] + [
        (address(floor, what), f"/api/v1/rounds/999999/{what}", body)
        for what, body in (("", None), ("actions/", ANTE), ("actions/", RULE), ("close/", {"version": 0}))
    ]
    for real, absent, body in pairs:
        answers = [
            client.get(path) if body is None else factories.send(client, path, body, key="k") for path in (real, absent)
        ]
        expected = (403, "not_your_right") if login == "eve" else (404, "not_found")
        assert is_refused(answers[0], *expected)
        assert answers[0].content == answers[1].content
        assert len({answer.headers.pop("X-Request-ID") for answer in answers}) == 2
        assert answers[0].headers == answers[1].headers
    assert factories.written() == before


@pytest.mark.parametrize("login", ["david", "ida", "hugo", "clara"])
def test_who_only_looks_may_read_and_not_act(floor, login):
    client, before = factories.client(login), factories.written()
    assert floor.table_id in [table["id"] for table in client.get("/api/v1/tables/").json()["tables"]]
    assert client.get(address(floor)).json()["status"] == "OPEN"
    for path, body in (
        (rounds_of("T1"), {}),
        (address(floor, "actions/"), ANTE),
        (address(floor, "close/"), {"version": 0}),
    ):
        assert is_refused(factories.send(client, path, body), 403, "not_your_right")
    assert factories.written() == before


@pytest.mark.parametrize(
    ("login", "codes"),
    [
        ("anna", ["T1"]),
        ("clara", ["T1", "T2"]),
        ("frank", ["T3"]),
        ("hugo", ["G1", "G2", "G3", "G4", "T1", "T2", "T3"]),
        ("david", ["G1", "G2", "G3", "G4", "T1", "T2", "T3"]),
    ],
)
def test_the_tables_are_those_within_reach(floor, login, codes):
    tables = factories.client(login).get("/api/v1/tables/").json()["tables"]
    assert [table["code"] for table in tables] == codes
    assert [table["open_round"] for table in tables] == [floor.pk if code == "T1" else None for code in codes]


def test_the_pit_boss_rules_and_the_croupier_may_not(opened):
    factories.act_all(opened, factories.FLUSH_WINS[:4])
    ruling = {**RULE, "version": 4}
    before = factories.written()
    for login, status, code in (
        ("anna", 422, "signature_missing"),
        ("david", 403, "not_your_right"),
        ("frank", 404, "not_found"),
    ):
        assert is_refused(factories.send(factories.client(login), address(opened, "actions/"), ruling), status, code)
    assert factories.written() == before
    clara = factories.client("clara")
    assert is_refused(factories.send(clara, address(opened, "actions/"), ruling), 422, "signature_missing")
    answer = factories.send(clara, address(opened, "actions/"), ruling | {"signature": factories.signature("clara")})
    assert answer.status_code == 200
    assert [box["state"] for box in answer.json()["view"]["boxes"]] == ["ruled", "next"]
    assert Action.objects.get(kind="rule").by == factories.person("clara")
    offers = {offer["kind"]: offer["role"] for offer in clara.get(address(opened)).json()["legal"]}
    assert (offers["rule"], offers["bet"]) == ("pit_boss", "croupier")


# The one shape.


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing/", "/api/v1/", "/api/v1/tables", "/api/v1/rounds/x/", "/api/nothing"]
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_address_is_answered_in_the_one_shape(floor, path, method):
    anna = factories.client("anna", enforce_csrf_checks=True)
    assert is_refused(getattr(anna, method)(path), 404, "not_found")


@pytest.mark.parametrize(("what", "methods"), [("", "post put patch delete"), ("actions/", "get put patch delete")])
def test_another_method_is_refused(floor, what, methods):
    before = factories.written()
    for method in methods.split():
        answer = getattr(factories.client("anna"), method)(address(floor, what))
        assert is_refused(answer, 405, "method_not_allowed")
        assert answer.headers["Allow"]
    assert factories.written() == before


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", json.dumps(ANTE)),
        ("application/x-www-form-urlencoded", "version=0&kind=ante&box=1"),
        ("multipart/form-data; boundary=x", "--x--\r\n"),
        ("application/xml", "<ante/>"),
    ],
)
def test_what_is_not_sent_as_json_is_refused(floor, kind, body):
    before = factories.written()
    headers = {"Idempotency-Key": "k"}
    answer = factories.client("anna").post(address(floor, "actions/"), body, content_type=kind, headers=headers)
    assert is_refused(answer, 415, "not_json")
    assert factories.written() == before


def test_an_answer_in_html_is_refused(floor):
    answer = factories.client("anna").get(address(floor), headers={"Accept": "text/html"})
    assert is_refused(answer, 406, "not_acceptable")


def ante(**changes):
    return json.dumps(ANTE | changes)


BODIES = {
    "no JSON": ("ante", 400, "bad_json", ""),
    "nothing": ("", 422, "field_missing", "version"),
    "a list": ("[]", 400, "bad_json", ""),
    "no UTF-8": (b'{"kind": "\xff"}', 400, "bad_json", ""),
    "NaN": ('{"version": NaN, "kind": "ante"}', 400, "bad_json", ""),
    "Infinity": ('{"version": -Infinity, "kind": "ante"}', 400, "bad_json", ""),
    "full-width digits": ('{"version": ０, "kind": "ante"}', 400, "bad_json", ""),
    "an endless number": ('{"version": %s, "kind": "ante"}' % ("1" * 5000), 422, "field_wrong", "version"),
    "a key twice": ('{"version": 0, "kind": "ante", "kind": "fold"}', 400, "key_twice", "kind"),
    "a key twice within": (
        '{"version": 0, "arguments": {"a": [{"é": 1, "é": 2}]}}',
        400,
        "key_twice",
        "arguments.a[0].é",
    ),
    "100 kB": (ante(kind="a" * 100_000), 413, "too_large", ""),
    "deep nesting": (ante(arguments=0)[:-2] + "[" * 20_000 + "]" * 20_000 + "}", 400, "bad_json", ""),
    "depth 301": ('{"version": ' + "[" * 301 + "]" * 301 + "}", 400, "bad_json", ""),
    "an unknown field": (ante(colour="red"), 422, "field_unknown", "colour"),
    "no kind": ('{"version": 0}', 422, "field_missing", "kind"),
    "null for the kind": (ante(kind=None), 422, "field_missing", "kind"),
    "true for the version": (ante(version=True), 422, "field_wrong", "version"),
    "a fraction for the version": (ante(version=0.0), 422, "field_wrong", "version"),
    "text for the version": (ante(version="０"), 422, "field_wrong", "version"),
    "true for the box": (ante(box=True), 422, "field_wrong", "box"),
    "a list for the arguments": (ante(arguments=[]), 422, "field_wrong", "arguments"),
    "a number for the kind": (ante(kind=1), 422, "field_wrong", "kind"),
    "a kind that is none": (ante(kind="tip"), 422, "action_unknown", "kind"),
    "a kind with a NUL": (ante(kind="ante\x00"), 422, "action_unknown", "kind"),
    "an unknown argument": (ante(arguments={"units": 500, "tip": 1}), 422, "field_unknown", "tip"),
    "true for the stake": (ante(arguments={"units": True}), 422, "field_wrong", "units"),
    "a fraction for the stake": (ante(arguments={"units": 500.0}), 422, "field_wrong", "units"),
    "text for the stake": (ante(arguments={"units": "500"}), 422, "field_wrong", "units"),
    "an enormous stake": (ante(arguments={"units": 10**4000}), 422, "field_out_of_range", "units"),
    "a stake below 0": (ante(arguments={"units": -500}), 422, "field_out_of_range", "units"),
    "an enormous box": (ante(box=10**30), 422, "field_wrong", "box"),
    "an enormous version": (ante(version=10**30), 422, "field_wrong", "version"),
    "a version below 0": (ante(version=-1), 409, "stale_version", "version"),
}


@pytest.mark.parametrize(("body", "status", "code", "path"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_command_is_refused(floor, body, status, code, path):
    before = factories.written()
    answer = factories.send(factories.client("anna"), address(floor, "actions/"), body)
    assert is_refused(answer, status, code, path=path)
    assert factories.written() == before


@pytest.mark.parametrize(
    "body",
    [
        ante(kind="\ud800"),
        ante(**{"\ud800": 1}),
        ante(arguments={"\ud800": 1}),
        ante(arguments={"units": "\ud800"}),
        '{"\\ud800": 0, "\\ud800": 1}',
    ],
    ids=["kind", "field", "argument", "stake", "key twice"],
)
def test_half_a_character_is_refused_wherever_it_stands(floor, body):
    """A lone surrogate is valid in JSON's escapes and has no UTF-8."""
    before = factories.written()
    answer = factories.send(factories.client("anna"), address(floor, "actions/"), body)
    assert answer.status_code in {400, 422}
    assert is_refused(answer, answer.status_code, answer.json()["code"])
    assert factories.written() == before


@pytest.mark.parametrize("what", ["rounds", "close/"])
def test_the_other_commands_take_no_unknown_field_either(floor, what):
    path = rounds_of("T1") if what == "rounds" else address(floor, what)
    before = factories.written()
    body = {"places": [1]} if what == "rounds" else {"version": 0, "places": [1]}
    assert is_refused(factories.send(factories.client("anna"), path, body), 422, "field_unknown", path="places")
    assert factories.written() == before


# What the core and the rounds refuse.


# On a round of FLUSH_WINS: the version, what is tried, and how it is refused.
MISTAKES = [
    (0, ("ante", 1, {"units": 400}), (422, "field_out_of_range", "split.4", "units")),
    (0, ("ante", 1, {"units": 550}), (422, "field_out_of_range", "split.23", "units")),
    (0, ("fold", 1, {}), (409, "action_wrong_moment", None, "kind")),
    (0, ("ante", None, {"units": 500}), (409, "box_missing", None, "box")),
    (2, ("ante", 1, {"units": 500}), (409, "box_wrong_moment", None, "box")),
    (2, ("close_betting", 1, {}), (409, "box_unexpected", None, "box")),
    (3, ("open_card", None, {"card": "1s"}), (422, "bad_card", None, "card")),
    (6, ("reveal", None, {"cards": ["9s", "2s", "Ac", "Kh"]}), (422, "card_duplicate", "house.2", "cards[1]")),
    (6, ("reveal", None, {"cards": ["9s"]}), (422, "wrong_card_count", "split.10", "cards")),
    (9, ("bet", 1, {}), (409, "action_wrong_moment", None, "kind")),
]


def test_a_refusal_of_the_game_arrives_with_clause_place_and_way_out(opened):
    anna = factories.client("anna")
    for moves, (kind, box, arguments), (status, code, clause, path) in MISTAKES:
        factories.act_all(opened, factories.FLUSH_WINS[opened.actions.count() : moves])
        before = factories.written()
        body = {"version": moves, "kind": kind, "box": box, "arguments": arguments}
        answer = factories.send(anna, address(opened, "actions/"), body)
        assert is_refused(answer, status, code, clause=clause, path=path)
        assert answer.json()["way_out"]
        assert factories.written() == before


def test_who_comes_too_late_gets_the_round_as_it_is(opened):
    anna = factories.client("anna")
    factories.do(opened, "ante", 1, units=500)
    before = factories.written()
    answer = factories.send(anna, address(opened, "actions/"), ANTE)
    assert is_refused(answer, 409, "stale_version", path="version")
    assert answer.json()["detail"] == {"version": 1, "round": anna.get(address(opened)).json()}
    assert factories.written() == before


def test_a_closed_round_is_not_acted_in_and_a_running_one_not_closed(opened):
    anna = factories.client("anna")
    before = factories.written()
    answer = factories.send(anna, address(opened, "close/"), {"version": 0})
    assert is_refused(answer, 409, "round_not_final", way_out="Next: ANTE on box 1.")
    assert is_refused(factories.send(anna, rounds_of("T1"), {}), 409, "round_open", detail={"round": opened.pk})
    assert factories.written() == before
    factories.act_all(opened, factories.FOLDS)
    factories.close(opened)
    before = factories.written()
    for what, body in (("actions/", ANTE), ("close/", {"version": 5})):
        answer = factories.send(anna, address(opened, what), body)
        assert is_refused(answer, 409, "round_wrong_moment")
        assert answer.json()["detail"]["round"]["status"] == "CLOSED"
    assert factories.written() == before


def test_a_whole_round_over_http(seeded_db):
    anna = factories.client("anna")
    table = factories.table("T1")
    opened = factories.send(anna, rounds_of("T1"), {})
    assert (opened.status_code, opened.json()["number"], opened.json()["version"]) == (201, "T1-00001", 0)
    path = f"/api/v1/rounds/{opened.json()['id']}/"
    for version, (kind, box, arguments) in enumerate(factories.FLUSH_WINS):
        answer = factories.send(
            anna, f"{path}actions/", {"version": version, "kind": kind, "box": box, "arguments": arguments}
        )
        assert answer.status_code == 200
        assert answer.json()["version"] == version + 1
    assert answer.json()["view"]["final"]
    closed = factories.send(anna, f"{path}close/", {"version": 9})
    assert (closed.status_code, closed.json()["status"], closed.json()["legal"]) == (200, "CLOSED", [])
    assert closed.json()["result"] is None
    assert settling.settle_due() == 1
    told = anna.get(path).json()
    assert (told["status"], told["table"], told["game"]) == ("SETTLED", table.pk, "split")
    assert [(row["box"], row["outcome"], row["net"], row["clauses"]) for row in told["result"]["payments"]] == [
        (1, "win_bet", 10000, ["split.19"]),
        (2, "fold", -500, ["split.6"]),
    ]
    [folded] = [row for row in told["result"]["explanation"] if row["box"] == 2]
    assert folded["clause"] == "split.6"
    assert folded["text"].startswith("Box 2 folded")
    assert {row["clause"] for row in told["result"]["explanation"]} <= set(registry.GAMES["split"].clauses)
    assert list(Round.objects.values_list("status", flat=True)) == ["SETTLED"]
