"""schemathesis' cases, sent by one role to a floor in play, and steps of real play between them.

schemathesis makes valid and invalid cases from the schema alone: few name an existing round, and none knows what is
legal in it. So cases that it did not break on purpose are often pointed at something real (`_point`), and others follow
what the last answers offered (`_played`), as a client would. Every answer is checked against the description.
"""

import collections
import json
import logging
import random
import uuid

import schemathesis
from axes.models import AccessAttempt
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as effort
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.parameters import ParameterLocation

from audit.log import Actor
from casino.cards import DECK_52
from casino.models import Setting, Staff
from casino.roles import Right
from casino.web import openapi
from tables.models import (
    Alarm,
    CageShift,
    Case,
    Dispute,
    DropBox,
    GamingDay,
    Posting,
    Question,
    Relief,
    ReportFile,
    ReportToken,
    Round,
    RuleSheet,
    Session,
    SignOn,
    Slip,
    Table,
    Terminal,
)
from tables.people import access, lockout, staff
from tables.verbs import settling

from . import factories

LOGINS = {"croupier": "anna", "pit_boss": "clara", "cage": "hugo", "auditor": "david", "administrator": "ida"}
# Every check of schemathesis but those that follow a resource from its making to its deletion: nothing is deleted here.
CONFIG = {
    "checks": {
        # A valid body may still break the rules of the game (422) or come at the wrong moment (409).
        "positive_data_acceptance": {"expected-statuses": [200, 201, 401, 403, 404, 409, 422, 429]},
        # Whether the round is within reach is asked before the key.
        "missing_required_header": {"expected-statuses": [400, 401, 403, 404, 415, 422]},
        "use_after_free": {"enabled": False},
        "ensure_resource_availability": {"enabled": False},
        "object_level_authorization": {"enabled": False},
        # It would send each case twice more; tests/casino/web/test_openapi.py asks every address.
        "ignored_auth": {"enabled": False},
    }
}
BOTH = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
WEIGHTS = {"actions": 12, "corrections": 6, "release": 5, "sign-on": 4, "close": 3, "report": 3}
WEIGHTS |= dict.fromkeys(("undo", "amend", "ticks"), 2)
# The rounds that a command is for.
MOMENTS = {
    "OPEN": {"actions", "undo", "amend", "close", "void", "report", "release", "disputes"},
    "CLOSED": {"report", "release", "try", "corrections", "disputes"},
    "SETTLED": {"ticks", "left", "corrections", "disputes"},
    "VOIDED": {"disputes", "case"},
}


def _what(path):
    """What an address is about: `undo` of /api/v1/rounds/{round_id}/undo/."""
    return path.rstrip("/").rpartition("/")[2]


def _unticked(shown):
    """The payments of a round that leave its croupier something to do."""
    payments = shown["result"]["payments"] if shown["result"] else []
    return [each for each in payments if not each["ticked"] and each["difference"] != 0]


def edges():
    """The cases at the schema's edges, sorted by what is at the edge, so that every nth has some of each kind.

    Sending a case changes it: each is for one role, once.
    """
    schema = _schema()
    found = []
    for operation in _operations(schema, "post", "get"):
        generation = schema.config.generation_for(operation=operation, phase="coverage")
        found += schema.iter_coverage_cases(operation, generation_modes=BOTH, generation_config=generation)
    return sorted(found, key=lambda case: case.meta.phase.data.scenario)


def one_of_each(edges):
    """One case at the edges for each operation, kind of edge and part of the request.

    If there are several, such as one for each method that an address does not take, the choice varies from operation to
    operation.
    """
    alike = {}
    for case in edges:
        edge = case.meta.phase.data
        alike.setdefault((edge.scenario, edge.location, edge.parameter, case.operation.label), []).append(case)
    return [cases[number % len(cases)] for number, cases in enumerate(alike.values())]


def _schema():
    """The description as schemathesis reads it; its cases are sent to the product in this process."""
    config = schemathesis.config.SchemathesisConfig.from_dict(CONFIG)
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(openapi.document())), config=config)
    schema.app = get_wsgi_application()
    return schema


def _operations(schema, *methods):
    found = [result.ok() for result in schema.get_all_operations()]
    return [operation for method in methods for operation in found if operation.method == method]


def sent(role, count, *, edges, chance=0, wanted=frozenset()):
    """The run of this many cases of a role, on a floor with rounds in every state; everybody's password is the login.

    :param edges: those of the cases at the schema's edges that this role sends, each once.
    :param wanted: commands such as `undo`; play goes on, for as many cases again at most, until each was carried out.
    """
    factories.furnish()
    for person in Staff.objects.all():
        person.set_password(person.login)
        person.save(update_fields=["password"])
    run = Run(role, chance=chance)
    # Each refusal is a line; making an application sets the levels anew, and the run has made one.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    try:
        run.send(count, edges)
        run.play_on(wanted, count)
    finally:
        logging.getLogger("django.request").setLevel(logging.NOTSET)
    return run


class Run:
    """One role's cases. `statuses` counts the answers by operation and status, `failures` has one case of each kind."""

    def __init__(self, role, *, chance=0):
        self.chance = random.Random(f"{role} {chance}")
        self.number = chance
        self.login = LOGINS[role]
        client = factories.client(self.login)
        self.sent = {
            "headers": {"X-CSRFToken": "a" * 32},
            "cookies": {
                settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value,
                settings.CSRF_COOKIE_NAME: "a" * 32,
            },
        }
        schema = _schema()
        self.operations = {each.path.removeprefix("/api/v1/"): each for each in _operations(schema, "post")}
        self.readable = _operations(schema, "get")
        self.reading = next(operation for operation in self.readable if _what(operation.path) == "{round_id}")
        self.seen, self.changed, self.lacking = {}, "", set()
        self.statuses = collections.Counter()
        self.failures = {}

    @property
    def cases(self):
        return self.statuses.total()

    def send(self, count, edges):
        """Send the cases at the schema's edges, each once; of the others, a quarter is drawn, the rest played."""
        played = (count - len(edges)) * 3 // 4
        plan = [*edges, *[None] * played]
        self.chance.shuffle(plan)
        for case in plan:
            self._one(case)
        all_of_them = [*self.operations.values(), *self.readable]
        drawn = st.one_of([operation.as_strategy(generation_mode=mode) for operation in all_of_them for mode in BOTH])

        @seed(self.number)
        @effort(
            max_examples=count - self.cases,
            phases=[Phase.generate],
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(drawn)
        def draw(case):
            self._one(case)

        draw()
        while self.cases < count:
            self._one(None)

    def play_on(self, wanted, most):
        """Play with more weight on the wanted commands that were not carried out yet, until there are none; and on the
        actions of a round, without which the others never become possible."""
        for _ in range(most):
            lacking = {what for what in wanted if f"POST {what}" not in self.done()}
            if not lacking:
                break
            # A round must be reported before it can be released.
            self.lacking = {*lacking, "actions", *({"report"} if "release" in lacking else ())}
            self._one(None)

    def done(self):
        """What was carried out: `POST undo`."""
        return {f"{send.split(' ')[0]} {_what(send)}" for send, status in self.statuses if status in {200, 201}}

    def assert_described(self):
        """Assert that all answers were documented, and that these came: statuses and successes (`POST undo`)."""
        assert not self.failures, "\n\n".join(self.failures.values())
        return {status for _, status in self.statuses}, self.done()

    def told(self):
        """The answers by status, for people."""
        found = collections.Counter()
        for (_, status), number in self.statuses.items():
            found[status] += number
        return ", ".join(f"{status}: {number}" for status, number in sorted(found.items()))

    def _one(self, case):
        if self.cases % 50 == 0:
            self._tend()
            self._look_around()
        elif self.changed.endswith(("/rounds/", "/paper-rounds/")):
            self._look_around()
        elif _what(self.changed).startswith("sign-") or "sessions" in self.changed:
            self._man()
            self._look_around()
        if case is None:
            case = self._played()
        else:
            self._point(case)
        answer = case.call(**self.sent)
        self.changed = case.operation.path if answer.status_code in {200, 201} else ""
        self.statuses[f"{case.method} {case.operation.path}", answer.status_code] += 1
        try:
            case.validate_response(answer, transport_kwargs=self.sent)
        except (Failure, FailureGroup) as failed:
            for failure in getattr(failed, "exceptions", [failed]):
                key = case.operation.label, type(failure).__name__, answer.status_code
                self.failures.setdefault(key, f"{failure}\n{case.as_curl_command()}\n{answer.text[:600]}")
        if answer.status_code < 500 and answer.content:
            self._look(answer.json())

    def _look(self, told):
        """Keep the newest state of every round that an answer shows; a command sent again shows an old one."""
        for shown in (told, told.get("detail", {}).get("round")):
            if isinstance(shown, dict) and "legal" in shown:
                known = self.seen.get(shown["id"])
                if known is None or shown["version"] >= known["version"]:
                    self.seen[shown["id"]] = shown

    def _tend(self):
        """Do what others do meanwhile: the worker settles, the pit boss unlocks and fills the tables, rounds go on."""
        settling.settle_due()
        # Closed rounds may be settled now, so they are read anew.
        self.seen = {pk: shown for pk, shown in self.seen.items() if shown["status"] != "CLOSED"}
        self._man()
        if AccessAttempt.objects.exists():
            for person in Staff.objects.all():
                lockout.lift(person)
        for code in ("T1", "T2"):
            table = factories.table(code)
            if self.login != "anna" and not Round.objects.filter(table=table, status="OPEN").exists():
                factories.act_all(factories.open_round(table), factories.FLUSH_WINS[: self.chance.randint(0, 9)])

    def _man(self):
        """Make sure that both tables are open, with their croupiers."""
        for code in ("T1", "T2"):
            factories.in_session(factories.table(code), {100: 100})
        with transaction.atomic():
            clara = factories.person("clara")
            for code, login in (("T1", "anna"), ("T2", "boris")):
                table, person = factories.table(code), factories.person(login)
                if not SignOn.objects.filter(table=table, staff=person, signed_off_at=None).exists():
                    for away in SignOn.objects.filter(staff=person, signed_off_at=None).select_related("table"):
                        staff.sign_off(table=away.table, actor=Actor(clara))
                    staff.sign_on(staff=person, table=table, actor=Actor(clara), relieve=True)

    def _look_around(self):
        """Find what an address may name."""
        near = list(access.tables(factories.person(self.login), Right.SEE_TABLE).values_list("pk", flat=True))
        rounds = Round.objects.order_by("-pk").values_list("pk", flat=True)
        settled = rounds.filter(table__in=near, status="SETTLED")
        self.places = {
            # A settled round too, however many were voided since.
            "round_id": [*rounds.filter(table__in=near)[:6], *settled[:1], *rounds[:1]],
            "table_id": [*near, *near, *Table.objects.values_list("pk", flat=True)],
            "terminal_id": list(Terminal.objects.values_list("pk", flat=True)) or [1],
            "staff_id": list(Staff.objects.values_list("pk", flat=True)),
            "posting_id": list(Posting.objects.order_by("-pk").values_list("pk", flat=True)[:4]),
            "dispute_id": self._contested(near),
            "setting_id": list(Setting.objects.order_by("-pk").values_list("pk", flat=True)[:4]) or [1],
            "session_id": list(Session.objects.order_by("-pk").values_list("pk", flat=True)[:6]) or [1],
            "case_id": list(Case.objects.order_by("-pk").values_list("pk", flat=True)[:2]) or [1],
            "shift_id": list(CageShift.objects.order_by("-pk").values_list("pk", flat=True)[:2]) or [1],
            "tips_id": list(GamingDay.objects.order_by("-pk").values_list("pk", flat=True)[:3]),
            "day_id": list(GamingDay.objects.order_by("-pk").values_list("pk", flat=True)[:3]),
            "drop_box_id": list(DropBox.objects.order_by("-pk").values_list("pk", flat=True)[:2]) or [1],
            "slip_id": list(Slip.objects.order_by("-pk").values_list("pk", flat=True)[:4]) or [1],
            "relief_id": list(Relief.objects.order_by("-pk").values_list("pk", flat=True)[:4]) or [1],
            "sheet_id": list(RuleSheet.objects.order_by("pk").values_list("pk", flat=True)[:6]),
            "question_id": list(Question.objects.order_by("-pk").values_list("pk", flat=True)[:4]) or [1],
            "report_file_id": list(ReportFile.objects.order_by("-pk").values_list("pk", flat=True)[:4]) or [1],
            "report_token_id": list(ReportToken.objects.order_by("-pk").values_list("pk", flat=True)[:2]) or [1],
            "alarm_id": list(Alarm.objects.order_by("-pk").values_list("pk", flat=True)[:4]) or [1],
        }

    def _contested(self, near):
        """Disputes within reach, those that wait first."""
        found = Dispute.objects.filter(round__table__in=near).order_by("-status", "-pk")
        return [*found.values_list("pk", flat=True)[:4], *Dispute.objects.values_list("pk", flat=True)[:1]]

    def _point(self, case):
        """Mostly, let a case whose address is not broken name something real."""
        if self.chance.random() < 0.95:
            # A token that nobody has comes before the session, and every answer would be 401.
            (case.headers or {}).pop("Authorization", None)
        broken = {place for place, told in case.meta.components.items() if told.mode == GenerationMode.NEGATIVE}
        if ParameterLocation.PATH not in broken and case.path_parameters and self.chance.random() < 0.9:
            for name in case.path_parameters:
                case.path_parameters[name] = self.chance.choice(self.places[name])
        if ParameterLocation.HEADER not in broken and "Idempotency-Key" in (case.headers or {}):
            case.headers["Idempotency-Key"] = self._key(case.headers["Idempotency-Key"])
        if ParameterLocation.BODY not in broken and isinstance(case.body, dict):
            shown = self.seen.get((case.path_parameters or {}).get("round_id"))
            if shown and "version" in case.body and self.chance.random() < 0.8:
                case.body["version"] = shown["version"]
            if case.body.get("signature") and self.chance.random() < 0.5:
                case.body["signature"] = self._signature()

    def _key(self, given):
        """Mostly a new key: with one that was used before, nothing else is looked at."""
        return str(uuid.UUID(int=self.chance.getrandbits(128))) if self.chance.random() < 0.9 else given

    def _signature(self):
        if self.lacking:
            # What is still wanted should succeed: some of it takes a second person, some a pit boss of the pit.
            login = self.chance.choice(["frank", "clara"]) if self.login == "clara" else "clara"
            return {"login": login, "password": login}
        login = self.chance.choice(["anna", "clara", "clara", "frank", "david"])
        return {"login": login, "password": login if self.chance.random() < 0.9 else "wrong"}

    # Steps of real play.

    def _played(self):
        paths = list(self.operations)
        weights = [100 if _what(path) in self.lacking else WEIGHTS.get(_what(path), 1) for path in paths]
        path = self.chance.choices(paths, weights)[0]
        if self.chance.random() < 0.4 and (due := self._due()):
            path = due
        places = {name: self.chance.choice(self.places[name]) for name in self.places if f"{{{name}}}" in path}
        step = {
            "sign-on": lambda: self._sign_on(places),
            "terminals": self._terminal,
            "rename": self._terminal,
            "codes": lambda: {"signature": self._signature()},
            "return": lambda: {"signature": self._signature()},
            "postings": lambda: {"role": self.chance.choice(["cage", "king"]), "signature": self._signature()},
            "counts": self._counted,
            "sign": lambda: {"place": self.chance.randint(1, 2), "reason": "x", "signature": self._signature()},
            "resume": lambda: {"signature": self._signature()},
            "rule": lambda: self._rule(places),
            "case": lambda: self._case(None),
        }.get(_what(path), self._nothing)
        if "round_id" in places:
            shown = self._shown(places["round_id"], _what(path))
            if shown is None:
                return self.reading.Case(path_parameters=places)
            places["round_id"] = shown["id"]
            body = getattr(self, f"_{_what(path)}")(shown)
        else:
            body = step()
        headers = {} if _what(path) == "terminals" else {"Idempotency-Key": self._key("again")}
        return self.operations[path].Case(
            path_parameters=places, headers=headers, body=body, media_type="application/json"
        )

    def _due(self):
        """The address of what play waits for; a croupier alone opens and closes."""
        seen = [self.seen[pk] for pk in self.places["round_id"] if pk in self.seen]
        running = [shown for shown in seen if shown["status"] == "OPEN"]
        if any(shown["hold"] for shown in running):
            return "rounds/{round_id}/release/"
        if self.login != "anna":
            return None
        if not running:
            return "tables/{table_id}/rounds/"
        return "rounds/{round_id}/close/" if any(shown["view"]["final"] for shown in running) else None

    def _shown(self, round_id, command):
        """The newest round seen in which the command may succeed, or that of the id if it was seen."""
        rounds = [self.seen[pk] for pk in self.places["round_id"] if pk in self.seen]
        fitting = [shown for shown in rounds if command in MOMENTS.get(shown["status"], ())]
        if command == "release":
            fitting = [shown for shown in fitting if shown["hold"]] or fitting
        if command in {"ticks", "left"}:
            # Ticks count once; a round that was not seen yet may be settled.
            fitting = [shown for shown in fitting if _unticked(shown)]
        return next(iter(fitting), self.seen.get(round_id))

    def _counted(self):
        """A count of the chips, now and then with one that the table does not have."""
        values = self.chance.sample([100, 500, 2500, 10000, 50000, 100000, 7], 3)
        return {
            "denominations": {str(value): self.chance.randint(0, 100) for value in values},
            "signature": self._signature(),
        }

    def _nothing(self):
        return {}

    def _sign_on(self, places):
        free = factories.person("erik").pk
        anywhere = SignOn.objects.filter(signed_off_at=None)
        here = anywhere.filter(table=places["table_id"]).values_list("staff_id", flat=True)
        staff = self.chance.choice([free, free, *self.places["staff_id"]])
        return {
            "staff": staff,
            "relieve": self.chance.choice([*here, *here, *anywhere.values_list("staff_id", flat=True)]),
        }

    def _terminal(self):
        return {"name": f"T{self.chance.randint(1, 9999)}"}

    def _actions(self, shown):
        if not shown["legal"]:
            return {"version": shown["version"], "kind": "ante", "box": 1, "arguments": {"units": 500}}
        offers = [offer for offer in shown["legal"] if offer["primary"]] * 3 + shown["legal"]
        offer = self.chance.choice(offers)
        arguments = self._arguments(offer["fields"], shown)
        body = {"version": shown["version"], "kind": offer["kind"], "box": offer["box"], "arguments": arguments}
        return body | ({"signature": self._signature()} if offer["role"] == "pit_boss" else {})

    def _arguments(self, fields, shown):
        lying = {card for hand in shown["view"]["hands"] for card in hand["cards"]}
        left = [card for card in DECK_52 if card not in lying]
        self.chance.shuffle(left)
        return {field["name"]: self._value(field, left) for field in fields}

    def _value(self, field, left):
        match field["kind"]:
            case "units" | "count":
                return field["minimum"] + field["step"] * self.chance.randint(0, 20)
            case "choice":
                return self.chance.choice(field["options"])
            case "flag":
                return self.chance.random() < 0.5
            case "card":
                return left.pop()
        if field["optional"] and self.chance.random() < 0.7:
            return None
        return [left.pop() for _ in range(field["maximum"])]

    def _undo(self, shown):
        return {"version": shown["version"]} | ({"signature": self._signature()} if self.chance.random() < 0.5 else {})

    def _amend(self, shown):
        entries = [entry for entry in shown["actions"] if entry["arguments"] and not entry["undone"]]
        if not entries:
            return {"version": shown["version"], "ordinal": 1, "arguments": {"units": 500}}
        entry = self.chance.choice(entries)
        arguments = dict(entry["arguments"])
        if "units" in arguments:
            arguments["units"] += 100
        if "card" in arguments:
            arguments["card"] = self.chance.choice(DECK_52)
        body = {"version": shown["version"], "ordinal": entry["ordinal"], "arguments": arguments}
        return body | {"signature": self._signature()}

    def _close(self, shown):
        return {"version": shown["version"]}

    def _report(self, shown):
        clause = self.chance.choice(["split.30", "split.31", "split.33", "split.36", "house.4"])
        box = self.chance.choice([None, 1, 2]) if clause in {"split.30", "split.33"} else None
        return {"clause": clause, "box": box, "reason": self.chance.choice(["", "A card fell.", "Späte Ansage €"])}

    def _release(self, shown):
        hold = (shown["hold"] or {"ordinal": 1})["ordinal"]
        return {"version": shown["version"], "hold": hold, "reason": "It stands.", "signature": self._signature()}

    def _try(self, shown):
        return {}

    def _void(self, shown):
        body = {"version": shown["version"], "clause": "split.36", "reason": "A pack of 51."}
        return body | {"signature": self._signature()}

    def _case(self, shown):
        return {"question": self.chance.choice(["Whether it was so €.", " "])}

    def _corrections(self, shown):
        if not shown["slots"]:
            changes = [{"path": "boxes[0].ante", "value": 1000}]
        else:
            slot = self.chance.choice(shown["slots"])
            cards = [told["value"] for told in shown["slots"] if told["field"]["kind"] == "cards"]
            lying = {card for hand in cards if hand for card in hand}
            left = [card for card in DECK_52 if card not in lying]
            changes = [{"path": slot["path"], "value": self._value(slot["field"], left)}]
        told = {"line": shown["line"], "changes": changes, "clause": "split.36", "reason": "Seen on the camera."}
        return told | {"signature": self._signature()}

    def _disputes(self, shown):
        about = self.chance.choice(["payment", "illegal play", "split.17", "the weather"])
        boxes = self.chance.choice([[], [1], [2, 1], [7]])
        return {"about": about, "boxes": boxes, "statement": self.chance.choice(["Es war die Acht €.", " "])}

    def _rule(self, places):
        """A ruling on the dispute of the address, signed if it refuses; half of those that uphold change the ANTE of
        the first box."""
        round_ = Dispute.objects.select_related("round").get(pk=places["dispute_id"]).round
        told = {"line": round_.lines.count(), "ruling": self.chance.choice(["upheld", "upheld", "refused"])}
        told |= {"clause": self.chance.choice(["split.17", "house.4"]), "reason": "Seen on the camera."}
        if told["ruling"] == "refused":
            return told | {"signature": self._signature()}
        if self.chance.random() < 0.5:
            return told
        changes = [{"path": "boxes[0].ante", "value": 500 * self.chance.randint(1, 9)}]
        return told | {"changes": changes, "signature": self._signature()}

    def _left(self, shown):
        return self._ticks(shown) | {"signature": self._signature()}

    def _ticks(self, shown):
        if not shown["result"]:
            return {"generation": 1, "box": 1}
        payment = self.chance.choice(_unticked(shown) or shown["result"]["payments"])
        return {"generation": shown["result"]["generation"], "box": payment["box"]}
