"""Every address of the product x everybody: who gets through, who may not, for whom there is nothing there."""

import json
import re
import uuid

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import get_resolver

from audit.models import Entry
from casino.models import Setting
from tables.models import CageShift, Case, GamingDay, Terminal

from ..support import factories, stack

# Anna is signed on at T1, Boris at T2; they may relieve her and see until then who deals there and no more. Clara is
# the pit boss of both, Frank of another pit; Eve has no posting.
PEOPLE = ("nobody", "anna", "boris", "clara", "frank", "hugo", "david", "ida", "eve")
GONE = 10**6
SIGNATURE = {"login": "frank", "password": "wrong"}
SIGNED = {"reason": "x", "signature": SIGNATURE}
# In the address: what is at T1. `ok` gets through to the command itself, `no` may not (403), `-` finds nothing (404),
# `in` is asked to log in. The rules of a table are for everybody: players read them at it, without a login.
ROUTES = """
GET  /                                           in ok ok ok ok ok ok ok ok
GET  /login/                                     ok ok ok ok ok ok ok ok ok
GET  /login/second-step/                         ok ok ok ok ok ok ok ok ok
POST /login/second-step/                         ok ok ok ok ok ok ok ok ok
POST /logout/                                    ok ok ok ok ok ok ok ok ok
GET  /account/                                   in ok ok ok ok ok ok ok ok
POST /account/                                   in ok ok ok ok ok ok ok ok
POST /account/language/                          -  -  -  -  -  -  -  -  -
GET  /words/<code>.js                            ok ok ok ok ok ok ok ok ok
GET  /account/keys/                              in ok ok ok ok ok ok ok ok
GET  /first/                                     ok ok ok ok ok ok ok ok ok
GET  /staff/                                     in -  -  -  -  -  ok ok -
GET  /staff/review/                              in -  -  -  -  -  ok ok -
GET  /staff/<staff_id>/                          in -  -  -  -  -  ok ok -
GET  /staff/<staff_id>/logins/                   in -  -  -  -  -  -  ok -
POST /staff/<staff_id>/logins/                   in -  -  -  -  -  -  ok -
GET  /tables/<table_id>/terminal/                in ok ok ok -  ok ok ok -
GET  /tables/<table_id>/terminal/felt/           in ok ok ok -  ok ok ok -
GET  /tables/<table_id>/rules/                   ok ok ok ok ok ok ok ok ok
GET  /tables/<table_id>/enrol/                   in -  -  ok -  -  -  ok -
POST /tables/<table_id>/enrol/                   in -  -  ok -  -  -  ok -
GET  /terminals/                                 in -  -  ok ok -  ok ok -
POST /terminals/                                 in -  -  -  -  -  -  -  -
GET  /terminals/<terminal_id>/                   in -  -  ok -  -  ok ok -
POST /terminals/<terminal_id>/                   in -  -  -  -  -  -  -  -
GET  /terminals/<terminal_id>/scanner/           in -  -  ok -  -  -  ok -
GET  /tables/<table_id>/session/                 in -  -  ok -  ok ok ok -
GET  /sessions/<session_id>/                     in -  -  ok -  ok ok ok -
GET  /sessions/<session_id>/rounds/              in -  -  ok -  -  ok ok -
GET  /sessions/<session_id>/count/               in ok ok ok ok ok -  -  -
GET  /rounds/<round_id>/                         in ok -  ok -  ok ok ok -
POST /rounds/<round_id>/preview/                 in ok -  ok -  no no no -
GET  /disputes/<dispute_id>/                     in -  -  ok -  -  ok ok -
POST /disputes/<dispute_id>/what-if/             in -  -  ok -  -  ok ok -
GET  /settings/                                  in -  -  ok ok -  ok ok -
GET  /sheets/                                    in -  -  ok ok -  ok ok -
GET  /sheets/<sheet_id>/                         in -  -  ok ok -  ok ok -
GET  /sheets/new/                                in -  -  ok ok -  -  ok -
POST /sheets/new/preview/                        in no no ok ok no no ok no
GET  /sheets/<sheet_id>/trial/                   in -  -  ok ok -  ok ok -
GET  /sheets/<sheet_id>/edge/                    in -  -  ok ok -  ok ok -
GET  /sheets/<sheet_id>/par.pdf                  in -  -  ok ok -  ok ok -
GET  /sheets/<sheet_id>/par.json                 in -  -  ok ok -  ok ok -
GET  /sheets/<sheet_id>/rules/                   in -  -  ok ok -  ok ok -
GET  /floor/now/                                 in -  -  ok ok -  ok ok -
GET  /floor/tables/<table_id>/                   in -  -  ok -  -  ok ok -
GET  /floor/tables/<table_id>/people/            in -  -  ok -  -  ok ok -
GET  /floor/people/                              in -  -  ok ok -  ok ok -
GET  /floor/people/now/                          in -  -  ok ok -  ok ok -
GET  /reliefs/asked/                             in ok ok ok ok ok ok ok ok
GET  /calls/                                     in -  -  ok ok -  ok ok -
GET  /calls/corner/                              in ok ok -  -  -  -  -  -
GET  /cases/                                     in -  -  ok ok -  ok ok -
GET  /cases/<case_id>/                           in -  -  ok -  -  ok ok -
GET  /cases/<case_id>/file.pdf                   in -  -  ok -  -  ok ok -
GET  /cases/<case_id>/files/<file_id>.pdf        in -  -  ok -  -  ok ok -
GET  /cage/                                      in -  -  ok ok ok ok ok -
GET  /cage/count/                                in -  -  ok ok ok -  -  -
GET  /cage/shifts/<shift_id>/                    in -  -  ok ok ok ok ok -
GET  /slips/                                     in ok ok ok ok ok ok ok -
GET  /slips/<slip_id>/                           in ok -  ok -  ok ok ok -
GET  /slips/<slip_id>/paper/                     in ok -  ok -  ok ok ok -
GET  /tables/<table_id>/slips/new/               in -  -  ok -  -  -  -  -
GET  /days/                                      in -  -  ok ok ok ok ok -
GET  /days/<day_id>/                             in -  -  ok ok ok ok ok -
GET  /days/<day_id>/tables/<table_id>/           in -  -  ok ok ok ok ok -
GET  /desk/                                      in -  -  -  -  -  ok -  -
GET  /desk/visits/                               in -  -  -  -  -  ok -  -
GET  /reports/                                   in -  -  ok ok -  ok ok -
GET  /reports/<name>/<period>/                   in -  -  ok ok -  ok ok -
GET  /reports/files/                             in -  -  ok ok -  ok ok -
GET  /reports/<name>/<period>/files/             in -  -  ok ok -  ok ok -
GET  /reports/<name>/<period>.csv                in -  -  ok ok -  ok ok -
GET  /reports/<name>/<period>.xlsx               in -  -  ok ok -  ok ok -
GET  /reports/<name>/<period>.pdf                in -  -  ok ok -  ok ok -
GET  /reports/<name>/<period>.json               in -  -  ok ok -  ok ok -
GET  /luck/                                      in -  -  ok ok -  ok ok -
GET  /luck/tables/<table_id>/                    in -  -  ok ok -  ok ok -
GET  /luck/croupiers/<staff_id>/                 in -  -  ok ok -  ok ok -
GET  /drop-boxes/                                in ok ok ok ok ok ok ok -
GET  /drop-boxes/<drop_box_id>/                  in ok -  ok -  ok ok ok -
GET  /drop-boxes/<drop_box_id>/count/            in -  -  -  -  -  -  -  -
GET  /tables/<table_id>/drop-boxes/new/          in -  -  ok -  -  -  -  -
GET  /tips/                                      in -  -  ok ok ok ok ok -
GET  /tips/<tips_id>/                                in -  -  ok ok ok ok ok -
GET  /tips/<tips_id>/count/                          in -  -  -  -  -  -  -  -
GET  /tables/<table_id>/tip/                     in ok -  -  -  -  -  -  -
GET  /live/tips/                                 -  -  -  ok ok ok ok ok -
GET  /alarms/                                    in -  -  ok ok -  ok ok -
GET  /large-cash/                                in -  -  ok ok ok ok ok -
GET  /tables/<table_id>/paper-rounds/new/        in ok -  ok -  -  -  -  -
GET  /tables/<table_id>/paper-rounds/newest/     in -  -  -  -  -  -  -  -
GET  /sessions/<session_id>/paper/               in -  -  -  -  -  -  -  -
GET  /sessions/<session_id>/paper/felt/          in -  -  -  -  -  -  -  -
GET  /tables/<table_id>/buy-in/                  in ok -  -  -  -  -  -  -
GET  /live/drop-boxes/                           -  ok ok ok ok ok ok ok -
GET  /live/cage/                                 -  -  -  ok ok ok ok ok -
GET  /live/slips/                                -  ok ok ok ok ok ok ok -
GET  /live/people/                               -  -  -  ok ok -  ok ok -
GET  /live/asked/                                -  ok ok -  -  -  -  -  -
GET  /live/floor/                                -  -  -  ok ok -  ok ok -
GET  /live/floor/tables/                         -  -  -  ok ok -  ok ok -
GET  /live/tables/<table_id>/                    -  ok -  ok -  ok ok ok -
GET  /api/v1/tables/                             in ok ok ok ok ok ok ok no
POST /api/v1/tables/<table_id>/rounds/           in ok -  no -  no no no no
POST /api/v1/tables/<table_id>/paper-rounds/     in ok -  ok -  no no no no
POST /api/v1/tables/<table_id>/sessions/         in no -  ok -  no no no no
GET  /api/v1/sessions/<session_id>/              in no -  ok -  ok ok ok no
POST /api/v1/sessions/<session_id>/counts/       in ok ok ok ok ok no no no
POST /api/v1/sessions/<session_id>/sign/         in no -  ok -  no no no no
POST /api/v1/sessions/<session_id>/stop/         in no -  ok -  no no no no
POST /api/v1/sessions/<session_id>/resume/       in no -  ok -  no no no no
POST /api/v1/tables/<table_id>/sign-on/          in ok ok ok -  no no no no
POST /api/v1/tables/<table_id>/sign-off/         in ok ok ok -  no no no no
POST /api/v1/tables/<table_id>/call/          in ok ok no no no no no no
POST /api/v1/tables/<table_id>/series/end/       in ok -  ok -  no no no no
POST /api/v1/tables/<table_id>/terminals/        in no no ok -  no no ok no
GET  /api/v1/report-files/                       in no no ok ok no ok ok no
POST /api/v1/report-files/                       in no no ok ok no ok ok no
GET  /api/v1/report-files/<report_file_id>/      in no no ok ok no ok ok no
POST /api/v1/report-files/<report_file_id>/cancel/ in no no ok ok no ok ok no
POST /api/v1/report-files/prune/                 in no no no no no no ok no
GET  /api/v1/report-tokens/                      in no no no no no no ok no
POST /api/v1/report-tokens/                      in no no no no no no ok no
POST /api/v1/report-tokens/<report_token_id>/end/ in no no no no no no ok no
GET  /questions/                                 in -  -  ok ok -  ok ok -
GET  /api/v1/questions/                          in no no ok ok no ok ok no
POST /api/v1/questions/                          in no no no no no ok no no
GET  /api/v1/questions/<question_id>/            in no no ok -  no ok ok no
POST /api/v1/questions/<question_id>/answer/     in no no ok -  no no no no
POST /api/v1/questions/<question_id>/again/      in no no no no no ok no no
POST /api/v1/questions/<question_id>/settle/     in no no no no no ok no no
GET  /api/v1/terminals/                          in no no ok ok no ok ok no
GET  /api/v1/terminals/<terminal_id>/            in no no ok -  no ok ok no
POST /api/v1/terminals/<terminal_id>/rename/     in no no ok -  no no ok no
POST /api/v1/terminals/<terminal_id>/revoke/     in no no ok -  no no ok no
GET  /api/v1/terminals/<terminal_id>/scanner/ in no no ok -  no no ok no
POST /api/v1/terminals/<terminal_id>/scanner/ in no no ok -  no no ok no
GET  /api/v1/staff/                              in no no no no no ok ok no
POST /api/v1/staff/                              in no no no no no no ok no
GET  /api/v1/staff/<staff_id>/                   in no no no no no ok ok no
POST /api/v1/staff/<staff_id>/postings/          in no no no no no no ok no
POST /api/v1/postings/<posting_id>/end/          in no no no no no no ok no
POST /api/v1/staff/<staff_id>/leave/             in no no no no no no ok no
POST /api/v1/staff/<staff_id>/return/            in no no no no no no ok no
POST /api/v1/staff/<staff_id>/codes/             in no no no no no no ok no
POST /api/v1/staff/<staff_id>/unlock/            in no no ok ok no no ok no
GET  /api/v1/settings/                           in no no ok ok no ok ok no
POST /api/v1/settings/                           in no no ok ok no no ok no
POST /api/v1/tables/<table_id>/reliefs/          in no no ok -  no no no no
POST /api/v1/reliefs/<relief_id>/withdraw/       in no no ok -  no no no no
GET  /api/v1/passkeys/                           in ok ok ok ok ok ok ok no
GET  /api/v1/desk/visits/                        in no no no no no ok no no
POST /api/v1/desk/visits/                        in no no no no no ok no no
GET  /api/v1/desk/samples/                       in no no no no no ok no no
POST /api/v1/desk/samples/                       in no no no no no ok no no
GET  /api/v1/people/                             in no no ok ok no ok ok no
POST /api/v1/settings/<setting_id>/withdraw/     in no no ok ok no no ok no
GET  /api/v1/sheets/                             in no no ok ok no ok ok no
POST /api/v1/sheets/                             in no no ok ok no no ok no
GET  /api/v1/sheets/<sheet_id>/                  in no no ok ok no ok ok no
GET  /api/v1/sheets/<sheet_id>/edge/             in no no ok ok no ok ok no
POST /api/v1/sheets/<sheet_id>/edge/             in no no ok ok no no ok no
POST /api/v1/sheets/<sheet_id>/edge/cancel/      in no no ok ok no no ok no
GET  /api/v1/sheets/<sheet_id>/edge/seek/        in no no ok ok no ok ok no
POST /api/v1/sheets/<sheet_id>/edge/seek/        in no no ok ok no no ok no
GET  /api/v1/sheets/<sheet_id>/par/              in no no ok ok no ok ok no
POST /api/v1/sheets/<sheet_id>/publish/          in no no ok ok no no no no
POST /api/v1/sheets/<sheet_id>/in-force/         in no no ok ok no no no no
POST /api/v1/sheets/<sheet_id>/withdraw/         in no no ok ok no no no no
GET  /api/v1/rounds/<round_id>/                  in ok -  ok -  ok ok ok no
POST /api/v1/rounds/<round_id>/actions/          in ok -  no -  no no no no
POST /api/v1/rounds/<round_id>/undo/             in ok -  no -  no no no no
POST /api/v1/rounds/<round_id>/amend/            in ok -  no -  no no no no
POST /api/v1/rounds/<round_id>/close/            in ok -  no -  no no no no
POST /api/v1/rounds/<round_id>/report/           in ok -  ok -  no no no no
POST /api/v1/rounds/<round_id>/release/          in ok -  ok -  no no no no
POST /api/v1/rounds/<round_id>/try/              in ok -  ok -  no no no no
POST /api/v1/rounds/<round_id>/void/             in ok -  ok -  no no no no
POST /api/v1/rounds/<round_id>/corrections/      in ok -  ok -  no no no no
POST /api/v1/rounds/<round_id>/case/             in no no ok -  no no no no
POST /api/v1/sessions/<session_id>/case/         in no no ok -  no no no no
POST /api/v1/rounds/<round_id>/disputes/         in ok -  ok -  no no no no
GET  /api/v1/tables/<table_id>/slips/            in ok -  ok -  ok ok ok no
POST /api/v1/tables/<table_id>/slips/            in no -  ok -  no no no no
GET  /api/v1/slips/<slip_id>/                    in ok -  ok -  ok ok ok no
POST /api/v1/slips/<slip_id>/issue/              in no -  no -  ok no no no
POST /api/v1/slips/<slip_id>/counts/             in ok -  ok -  no no no no
POST /api/v1/slips/<slip_id>/return/             in no -  ok -  ok no no no
POST /api/v1/slips/<slip_id>/void/               in no -  ok -  ok no no no
POST /api/v1/slips/<slip_id>/prints/             in ok -  ok -  ok ok ok no
GET  /api/v1/cases/                              in no no ok ok no ok ok no
GET  /api/v1/cases/<case_id>/                    in no no ok -  no ok ok no
GET  /api/v1/cases/<case_id>/files/              in no no ok -  no ok ok no
POST /api/v1/cases/<case_id>/move/               in no no ok -  no no no no
POST /api/v1/cases/<case_id>/decide/             in no no ok -  no no no no
POST /api/v1/tables/<table_id>/buy-ins/          in ok -  no -  no no no no
POST /api/v1/tables/<table_id>/drop-boxes/       in no -  ok -  no no no no
GET  /api/v1/drop-boxes/                         in ok ok ok ok ok ok ok no
GET  /api/v1/drop-boxes/<drop_box_id>/           in ok -  ok -  ok ok ok no
POST /api/v1/drop-boxes/<drop_box_id>/remove/    in no -  ok -  no no no no
POST /api/v1/drop-boxes/<drop_box_id>/counts/    in no -  no -  no no no no
POST /api/v1/drop-boxes/<drop_box_id>/sign/      in no -  no -  no no no no
GET  /api/v1/large-cash/                         in no no ok ok ok ok ok no
POST /api/v1/tables/<table_id>/tips/             in ok -  no -  no no no no
GET  /api/v1/days/                               in no no ok ok ok ok ok no
GET  /api/v1/days/<day_id>/                      in no no ok ok ok ok ok no
POST /api/v1/days/<day_id>/close/                in no no ok ok no no no no
GET  /api/v1/tips/                               in no no ok ok ok ok ok no
GET  /api/v1/tips/<tips_id>/                         in no no ok ok ok ok ok no
POST /api/v1/tips/<tips_id>/counts/                  in no no no no no no no no
POST /api/v1/tips/<tips_id>/sign/                    in no no no no no no no no
GET  /api/v1/cage/                               in no no ok ok ok ok ok no
POST /api/v1/cage/shifts/                        in no no no no ok no no no
GET  /api/v1/cage/shifts/<shift_id>/             in no no ok ok ok ok ok no
POST /api/v1/cage/shifts/<shift_id>/movements/   in no no no no ok no no no
POST /api/v1/cage/shifts/<shift_id>/counts/      in no no ok ok ok no no no
POST /api/v1/cage/shifts/<shift_id>/sign/        in no no no no ok no no no
GET  /api/v1/floor/                               in no no ok ok no ok ok no
GET  /api/v1/alarms/                         in no no ok ok no ok ok no
GET  /api/v1/alarms/recent/                  in no no ok ok no ok ok no
GET  /api/v1/tables/<table_id>/alarms/       in no no ok -  no ok ok no
POST /api/v1/alarms/<alarm_id>/take/         in no no ok -  no no no no
POST /api/v1/alarms/<alarm_id>/over/         in no no ok -  no no no no
GET  /api/v1/disputes/<dispute_id>/              in no no ok -  no ok ok no
POST /api/v1/disputes/<dispute_id>/rule/         in no -  ok -  no no no no
POST /api/v1/rounds/<round_id>/ticks/            in ok -  no -  no no no no
POST /api/v1/rounds/<round_id>/left/             in ok -  ok -  no no no no
GET  /api/v1/schema/                             in ok ok ok ok ok ok ok ok
GET  /api/v1/docs/                               in ok ok ok ok ok ok ok ok
GET  /api/                                       -  -  -  -  -  -  -  -  -
GET  /healthz                                    ok ok ok ok ok ok ok ok ok
GET  /readyz                                     ok ok ok ok ok ok ok ok ok
"""
BODIES = {
    "actions": {"version": GONE, "kind": "ante", "box": 1, "arguments": {"units": 500}},
    "undo": {"version": GONE},
    "amend": {"version": GONE, "ordinal": 1, "arguments": {"units": 500}},
    "close": {"version": GONE},
    "report": {"clause": "split.99"},
    "release": {"version": GONE, "hold": 1, **SIGNED},
    "void": {"version": GONE, "clause": "split.36", **SIGNED},
    "corrections": {"line": GONE, "changes": [], "clause": "split.36", **SIGNED},
    "disputes": {"about": "split.99", "boxes": [], "statement": "x"},
    "rule": {"line": GONE, "ruling": "refused", "clause": "house.4", "reason": "x"},
    "ticks": {"generation": GONE, "box": 1},
    "sign-on": {"staff": GONE},
    "reliefs": {"staff": GONE},
    "end": {"signature": SIGNATURE},
    "sign": {"signature": SIGNATURE},
    "resume": {"signature": SIGNATURE},
    "slips": {"kind": "gift", "denominations": {"500": 40}},
    "issue": {"carrier": "staff:0"},
    "counts": {"denominations": {"7": 1}, "signature": SIGNATURE},
    "return": SIGNED,
    "staff": {"login": "carl", "name": "Carl", "role": "cage", "signature": SIGNATURE},
    "postings": {"role": "cage", "signature": SIGNATURE},
    "leave": {"signature": SIGNATURE},
    "codes": {"signature": SIGNATURE},
    "buy-ins": {"box": 1, "units": GONE},
    "paper-rounds": {"paper": "-", "happened_at": "2026-11-20T21:05", "signature": SIGNATURE},
    "drop-boxes": {"number": "101", "seal": "S-1", "signature": SIGNATURE},
    "remove": {"number": "101", "seal": "S-1", "signature": SIGNATURE},
    "prints": {},
    "report-files": {"report": "master-game", "period": "2999", "form": "csv"},
    "prune": {"signature": SIGNATURE},
    "report-tokens": {"name": "books", "signature": SIGNATURE},
    "tips": {"units": GONE},
    "movements": {"kind": "sold", "units": 500, "signature": SIGNATURE},
    "sign-off": {"nothing": GONE},
    "questions": {"subject": "round", "words": "x"},
    "answer": {"words": " "},
    "again": {"words": " "},
    "settle": {},
    "visits": {"checkpoint": GONE},
    "terminals": {"name": "T1-right"},
    "rename": {"name": "not plain"},
    "settings": {"name": "closer_variance_units", "value": 500, "version": GONE, "signature": SIGNATURE},
    "withdraw": {"signature": SIGNATURE},
    "sheets": {"game": "none", "values": {}},
    "seek": {"category": "none", "edge": "x"},
    "in-force": {"tables": [GONE], "signature": SIGNATURE},
    "scanner": {"game": "split", "prefix": "", "suffix": "", "codes": {}},
}
TABLE = [line.split() for line in ROUTES.strip().splitlines()]


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """One database in which T1 has a settled round, and what every address needs."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield furnished()


def furnished():
    """Fill the database with what every address needs; gives the ids by their names in the URL conf."""
    settled, _, _, sheet, _ = factories.furnish()
    factories.stranger()
    ids = {"table_id": settled.table_id, "round_id": settled.pk, "terminal_id": Terminal.objects.get().pk}
    ids["session_id"] = settled.session_id
    ids["shift_id"] = CageShift.objects.get().pk
    case = Case.objects.get(kind="variance")
    ids |= {"case_id": case.pk, "file_id": factories.case_file(case).pk}
    ids |= {"report_file_id": factories.report_file().pk, "report_token_id": factories.report_token()[0].pk}
    ids["question_id"] = factories.question(subject=settled.ref).pk
    ids["drop_box_id"] = settled.table.drop_boxes.get().pk
    ids["day_id"] = GamingDay.objects.get(date=settled.session.business_date).pk
    ids["code"] = "de"
    ids |= {"name": "master-game", "period": "2001-02-03"}
    ids["tips_id"] = GamingDay.objects.get(date=factories.day_with_tips()).pk
    ids["dispute_id"] = settled.disputes.get().pk
    ids["alarm_id"] = settled.table.alarms.get().pk
    ids["relief_id"] = factories.relieve(settled.table).pk
    ids["sheet_id"] = sheet.pk
    ids["setting_id"] = Setting.objects.get().pk
    # A fill that is on its way; one person has counted it.
    ids["slip_id"] = settled.table.slips.get(kind="fill").pk
    anna = factories.person("anna")
    return ids | {"staff_id": anna.pk, "posting_id": anna.postings.get().pk}


def where(ids, path):
    """An address of ROUTES with ids in it."""
    return re.sub(r"<(\w+)>", lambda found: str(ids[found[1]]), path)


def client(name):
    return Client() if name == "nobody" else factories.client(name)


@pytest.fixture(scope="module")
def clients(floor):
    """Everybody's, by name."""
    return {name: client(name) for name in PEOPLE}


def sent(made, method, path):
    """How one person's client fares: one of the words of ROUTES."""
    what = path.rstrip("/").rpartition("/")[2]
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    body = json.dumps(BODIES.get(what, {}))
    answer = made.generic(method, path, body if method == "POST" else "", "application/json", headers=headers)
    if answer.status_code == 401 or answer.headers.get("Location", "").startswith("/login/?next="):
        return "in"
    if answer.status_code == 403 and (what == "preview" or answer.json()["code"] == "not_your_right"):
        return "no"
    return "-" if answer.status_code == 404 else "ok"


def patterns(found=None, prefix="/"):
    """Every address but the admin's, as ROUTES writes it."""
    for pattern in get_resolver().url_patterns if found is None else found:
        path = prefix + re.sub(r"<(?:int|slug|str):(\w+)>", r"<\1>", str(pattern.pattern))
        if path.lstrip("/^").startswith("admin/"):
            continue
        if hasattr(pattern, "url_patterns"):
            yield from patterns(pattern.url_patterns, path)
        else:
            yield path


def test_every_address_is_in_the_table():
    assert {path for _, path, *_ in TABLE} == set(patterns())


@pytest.mark.parametrize(("method", "path", "words"), [(m, p, words) for m, p, *words in TABLE])
def test_everybody_fares_as_the_table_says(floor, clients, method, path, words):
    there = where(floor, path)
    # Who logs out comes with a session of his own.
    theirs = {name: client(name) for name in PEOPLE} if path == "/logout/" else clients
    assert {name: sent(theirs[name], method, there) for name in PEOPLE} == dict(zip(PEOPLE, words, strict=True))


def wrong_bodies(body):
    """(body, content type): what is no JSON object, or has each field left out, of another type, or one too many."""
    raw = ["", "[]", "null", "7", '"x"', "{", '{"a":1,"a":2}', '{"a":NaN}', "\udcff", "[" * 300, '{"kind":["x"]}', "{}"]
    yield from ((text.encode("utf-8", "surrogateescape"), "application/json") for text in raw)
    yield from ((json.dumps(body).encode(), kind) for kind in ("text/plain", "application/x-www-form-urlencoded"))
    changed = [{**body, "nothing": 1}]
    for name, value in body.items():
        changed += [{kept: body[kept] for kept in body if kept != name}, {**body, name: None}]
        changed += [
            {**body, name: other} for other in (1.5, True, "x", [], {"x": [1]}) if type(other) is not type(value)
        ]
    yield from ((json.dumps(one).encode(), "application/json") for one in changed)


COMMANDS = [(p, words) for m, p, *words in TABLE if m == "POST" and "/api/" in p]


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.proof)], ids=["some", "all"])
@pytest.mark.parametrize(("path", "words"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_a_person_without_the_right_fares_the_same_whatever_the_body_says(floor, clients, path, words, every):
    """Else a wrong body would tell its fields, or that there is such a round, to those whom it does not concern."""
    there, before = where(floor, path), factories.written()
    body = BODIES.get(path.rstrip("/").rpartition("/")[2], {})
    bodies, met = list(wrong_bodies(body))[len(path) % every :: every], set()
    for place, (name, word) in enumerate(zip(PEOPLE, words, strict=True)):
        if word == "ok":
            continue
        # The first of those who fare alike sends all that is wrong, each of the others a third of it.
        some = bodies[place % 3 :: 3] if word in met else bodies
        met.add(word)
        right = clients[name].post(there, json.dumps(body), "application/json", headers={"Idempotency-Key": "a"})
        for wrong, kind in some:
            answer = clients[name].post(there, wrong, kind, headers={"Idempotency-Key": "b"})
            assert (answer.status_code, answer.content) == (right.status_code, right.content), (name, wrong, kind)
        # Nor does it matter whether the command has its key.
        assert clients[name].post(there, b"{", "application/json").content == right.content, name
    assert factories.written() == before


def admin_addresses():
    """Every list and every other address of the admin, with an id of nothing where there is one."""
    admin.autodiscover()
    for pattern in admin.site.urls[0]:
        inner = getattr(pattern, "url_patterns", [None])
        for one in inner:
            path = "/admin/" + str(pattern.pattern) + (str(one.pattern) if one else "")
            path = re.sub(r"<[^>]+>|\(\?P<[^>]+>[^)]*\)", "1", path)
            yield re.sub(r"[\^$\\?]", "", path)


@pytest.mark.parametrize("name", ["nobody", "anna", "boris", "eve"])
def test_the_admin_is_closed_to_people_without_a_right_in_it(floor, name):
    made = client(name)
    for path in admin_addresses():
        for method in ("GET", "POST"):
            answer = made.generic(method, path)
            if answer.status_code == 200:
                assert path == "/admin/login/", (method, path)
            else:
                assert answer.status_code in {302, 301, 403, 404, 405}, (method, path, answer.status_code)


@pytest.mark.parametrize(
    "name", ["clara", *(pytest.param(name, marks=pytest.mark.proof) for name in ("david", "hugo", "ida"))]
)
def test_nothing_is_changed_through_the_admin(floor, name):
    """Except that the log records each look at it."""
    made, before = client(name), written()
    for path in admin_addresses():
        if "logout" in path:
            continue
        assert made.get(path).status_code in {200, 301, 302, 403, 404, 405, 409}, path
        assert made.post(path).status_code in {200, 301, 302, 400, 403, 404, 405}, path
    assert written() == before


def written():
    """What stands in the database but for looks at the log, and inspections that were asked for."""
    log, *rows = factories.written()
    looks = Entry.objects.filter(event__in=["history.read", "inspection.asked"])
    return (log - looks.count(), *rows)


@pytest.mark.parametrize(
    ("method", "path", "login", "status", "fact"),
    [
        ("GET", "/nothing/", "anna", 404, "There is nothing here"),
        ("GET", "/rounds/999999/", "anna", 404, "There is nothing here"),
        ("GET", "/admin/tables/round/", "hugo", 403, "Your role may not do this"),
        ("POST", "/logout/", "anna", 403, "This page was open too long"),
    ],
)
def test_a_page_that_is_refused_says_why_and_leads_back(floor, method, path, login, status, fact):
    made = factories.client(login, enforce_csrf_checks=True)
    answer = made.generic(method, path)
    assert answer.status_code == status
    told = answer.content.decode()
    assert fact in told
    assert 'href="/"' in told
    assert made.generic(method, path).content == answer.content
