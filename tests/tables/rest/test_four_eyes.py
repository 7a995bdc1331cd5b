"""Every rule of two people, attacked by one who has every role: on the page, over REST, in SQL.

Of the page: its own form, with its token, is sent as its script sends it, or as the browser sends a plain one. Of SQL:
what the verb looks at first is taken out, or what it would write is written without it; the app's role of the database
is left to itself.
"""

import datetime as dt
import json
import re
import uuid
from collections.abc import Callable
from typing import NamedTuple
from unittest import mock

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from audit import log
from casino.roles import Role
from payouts import edge_results
from tables.people import staff
from tables.verbs import (
    cage,
    corrections,
    counts,
    days,
    disputes,
    drop_boxes,
    drops,
    employment,
    grounds,
    interventions,
    payments,
    rounds,
    rulesheets,
    sessions,
    settings,
    slips,
    standing,
    tips,
)

from ...support import factories, signing
from ...support.factories import CHIPS, actor, person, signature, table
from .test_rest import is_refused

ONE = "clara"
FLOAT = {"100": 100}
REASON = "Counted with the camera."


class Attack(NamedTuple):
    """What one person sends: the page with the form, the address and the body; `write` does the same in SQL.

    `form` are the fields of a plain form, which its page takes itself.
    """

    page: str
    path: str | None
    body: dict
    write: Callable
    form: dict | None = None


class Rule(NamedTuple):
    """`arrange` brings the moment about and gives the `Attack`. `code` is the refusal, `guard` what the database says.

    `offered`: the page has the form for this person, since another may sign in it. `status` is that of the refusal.
    """

    arrange: Callable
    code: str
    guard: str
    offered: bool = True
    status: int = 422


def alone():
    return actor(ONE, ONE)


def past_the_verb(verb, **arguments):
    """The verb done by one person, who is not looked at."""

    def write():
        with mock.patch.object(grounds, "two_people", return_value=None), transaction.atomic():
            verb(actor=alone(), **arguments)

    return write


def statement(text, *values):
    def write():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(text, values)

    return write


def second_count(of, part, chips=FLOAT):
    return statement(
        "INSERT INTO tables_count (of, part, attempt, place, by_id, denominations, units)"
        " VALUES (%s, %s, 1, 2, %s, %s::jsonb, %s)",
        *(of, part, person(ONE).pk, json.dumps(chips), counts.worth(chips)),
    )


def body(**more):
    return {**more, "signature": signature(ONE)}


# Tables


def opening(*by):
    """A table is opening, and these people have counted its opener."""
    factories.close_session(table("T1"), FLOAT)
    return counted(factories.begin_session(table("T1")), *by)


def closing(*by):
    return counted(factories.stop_session(table("T1")), *by)


def counted(session, *by):
    for each in by:
        factories.count_session(session, FLOAT, by=each)
    return session


def to_session(session, step, verb, page="", **more):
    arguments = {"session_id": session.pk, **more}
    return Attack(
        f"/sessions/{session.pk}/{page}",
        f"/api/v1/sessions/{session.pk}/{step}/",
        body(**more),
        past_the_verb(verb, **arguments),
    )


def opener_counted_twice():
    session = opening(ONE)
    attack = to_session(session, "counts", sessions.count, "count/", denominations=FLOAT)
    return attack._replace(write=second_count(session.ref, "opener"))


def closer_counted_twice():
    session = closing(ONE)
    attack = to_session(session, "counts", sessions.count, "count/", denominations=FLOAT)
    return attack._replace(write=second_count(session.ref, "closer"))


def opener_signed():
    return to_session(opening("hugo", "frank"), "sign", sessions.sign, "count/", reason=REASON)


def closer_signed():
    return to_session(closing("hugo", "frank"), "sign", sessions.sign, "count/", reason=REASON)


def table_carried_on():
    return to_session(closing("hugo", "frank"), "sign", sessions.sign, "count/", reason=REASON, carry=True)


def table_let_go_on():
    return to_session(closing(), "resume", sessions.resume)


# Slips


def asked(kind="change", by="frank"):
    given = {"2500": 16} if kind == "change" else None
    with transaction.atomic():
        return slips.request(table_id=table("T1").pk, kind=kind, denominations=CHIPS, exchanged=given, actor=actor(by))


def on_its_way(kind="fill", by="hugo"):
    with transaction.atomic():
        return slips.issue(slip_id=asked(kind).pk, actor=actor(by))


def to_slip(slip, step, write, **more):
    return Attack(f"/slips/{slip.pk}/", f"/api/v1/slips/{slip.pk}/{step}/", more, write)


def issued_by_who_asked(kind):
    def arrange():
        slip = asked(kind, by=ONE)
        text = "UPDATE tables_slip SET status = 'ISSUED', issued_by_id = %s, issued_at = now() WHERE id = %s"
        return to_slip(slip, "issue", statement(text, person(ONE).pk, slip.pk))

    return arrange


def slip_counted_by_who_issued_it():
    slip = on_its_way("change", by=ONE)
    # Counted by both who may not: the slip is what is refused.
    both = "".join(
        "INSERT INTO tables_count (of, part, attempt, place, by_id, denominations, units)"
        f" VALUES ('{slip.ref}', 'change', 1, {place}, {person(by).pk}, '{{\"500\": 40, \"10000\": 2}}', 40000);"
        for place, by in ((1, "anna"), (2, ONE))
    )
    received = (
        f"UPDATE tables_slip SET status = 'RECEIVED', received_by_id = {person('anna').pk},"
        f" received_with_id = {person(ONE).pk}, received_at = now() WHERE id = {slip.pk}"
    )
    return to_slip(slip, "counts", statement(both + received), denominations=CHIPS)


def fill_counted_twice():
    slip = factories.count_slip(on_its_way(), by=ONE)
    return to_slip(slip, "counts", second_count(slip.ref, "fill", CHIPS), denominations=CHIPS)


def credit_counted_twice():
    slip = factories.count_slip(on_its_way("credit", by="anna"), by=ONE)
    return to_slip(slip, "counts", second_count(slip.ref, "credit", CHIPS), denominations=CHIPS)


def sent_back(kind):
    def arrange():
        slip = on_its_way(kind)
        write = past_the_verb(slips.send_back, slip_id=slip.pk, reason=REASON)
        return to_slip(slip, "return", write, **body(reason=REASON))

    return arrange


def slip_voided():
    slip = asked()
    write = past_the_verb(slips.void, slip_id=slip.pk, reason=REASON)
    return to_slip(slip, "void", write, **body(reason=REASON))


# Rounds


def entered_from_paper():
    place, now = table("T1"), timezone.now()

    def write():
        with transaction.atomic():
            past_the_verb(rounds.open_round, table_id=place.pk, paper="412", happened_at=now)()

    return Attack(
        f"/tables/{place.pk}/paper-rounds/new/",
        f"/api/v1/tables/{place.pk}/paper-rounds/",
        body(paper="412", happened_at=now.isoformat()),
        write,
    )


# Payments


def patron_left():
    settled = factories.settled_round(table("T1"))

    def write():
        with transaction.atomic():
            past_the_verb(payments.leave, standing=standing.locked(settled.pk), generation=1, box=1)()

    return Attack(f"/rounds/{settled.pk}/", f"/api/v1/rounds/{settled.pk}/left/", body(generation=1, box=1), write)


# The cage


def moved(kind):
    def arrange():
        shift = factories.cage_shift().pk
        more = {"kind": kind, "denominations": {"100": 5}}
        return Attack(
            "/cage/",
            f"/api/v1/cage/shifts/{shift}/movements/",
            body(**more),
            past_the_verb(cage.move, shift_id=shift, **more),
        )

    return arrange


def cage_counted_twice():
    shift = factories.cage_shift()
    factories.count_cage(FLOAT, by=ONE)
    path, more = f"/api/v1/cage/shifts/{shift.pk}/counts/", {"denominations": FLOAT}
    return Attack("/cage/count/", path, more, second_count(shift.ref, "cage"))


def cage_signed():
    shift = factories.cage_shift()
    for by in ("olga", "hugo"):
        factories.count_cage(FLOAT, by=by)
    write = past_the_verb(cage.sign, shift_id=shift.pk, reason=REASON)
    return Attack("/cage/count/", f"/api/v1/cage/shifts/{shift.pk}/sign/", body(reason=REASON), write)


# Settings


def setting_changed():
    more = {"name": "slip_minutes", "value": 20, "version": 0}
    write = past_the_verb(settings.change, from_at=None, **more)
    return Attack("/settings/", "/api/v1/settings/", body(**more), write)


def setting_withdrawn():
    setting = factories.set_setting(20, name="slip_minutes", from_at=timezone.now() + dt.timedelta(days=1))
    write = past_the_verb(settings.withdraw, setting_id=setting.pk)
    return Attack("/settings/", f"/api/v1/settings/{setting.pk}/withdraw/", body(), write)


# Rule sheets


def put_in_force():
    one, sheet = table("T1"), factories.published_sheet("split", {"chip": 100, "ante_minimum": 500})
    write = past_the_verb(rulesheets.put_in_force, sheet_id=sheet.pk, table_id=one.pk)
    return Attack(f"/sheets/{sheet.pk}/", f"/api/v1/sheets/{sheet.pk}/in-force/", body(tables=[one.pk]), write)


def sheet_withdrawn():
    place = factories.sheet_to_come(table("T1"))
    write = past_the_verb(rulesheets.withdraw, place_ids=[place.pk])
    sheet = f"sheets/{place.sheet_id}/"
    return Attack(f"/{sheet}", f"/api/v1/{sheet}withdraw/", body(places=[place.pk]), write)


def sheet_published():
    with transaction.atomic():
        sheet = rulesheets.draft(game="split", values={}, coefficient_table=None, actor=actor(ONE))
        edge = json.dumps(edge_results.pinned(rulesheets.rules_of(sheet)))
    rules = log.canonical(rulesheets.rules_of(sheet))
    text = (
        "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = %s, published_at = now(), rules = %s,"
        " digest = %s, edge = %s WHERE id = %s"
    )
    write = statement(text, person(ONE).pk, rules, log.digest(rules), edge, sheet.pk)
    return Attack(f"/sheets/{sheet.pk}/", f"/api/v1/sheets/{sheet.pk}/publish/", {}, write)


# Drop boxes


def drop_box_mounted():
    place, more = table("T1"), {"number": "101", "seal": "S-1"}
    write = past_the_verb(drop_boxes.mount, table_id=place.pk, **more)
    return Attack(f"/tables/{place.pk}/drop-boxes/new/", f"/api/v1/tables/{place.pk}/drop-boxes/", body(**more), write)


def drop_box_taken_off():
    drop_box, more = factories.mount(table("T1")), {"number": "101", "seal": "S-1"}
    write = past_the_verb(drop_boxes.remove, drop_box_id=drop_box.pk, **more)
    return Attack(f"/drop-boxes/{drop_box.pk}/", f"/api/v1/drop-boxes/{drop_box.pk}/remove/", body(**more), write)


def drop_counted_twice():
    drop_box, cash = factories.take_off(factories.mount(table("T1"))), {"500": 2}
    factories.count_drop(drop_box, cash, by=ONE)
    path, page = f"/api/v1/drop-boxes/{drop_box.pk}/counts/", f"/drop-boxes/{drop_box.pk}/count/"
    return Attack(page, path, {"denominations": cash}, second_count(drop_box.ref, "drop", cash))


def drop_signed():
    drop_box = factories.take_off(factories.mount(table("T1")))
    for by in ("olga", "petra"):
        factories.count_drop(drop_box, {"500": 2}, by=by)
    write = past_the_verb(drops.sign, drop_box_id=drop_box.pk, place=None, reason=REASON)
    path, page = f"/api/v1/drop-boxes/{drop_box.pk}/sign/", f"/drop-boxes/{drop_box.pk}/count/"
    return Attack(page, path, body(reason=REASON), write)


# Days


def day_closed():
    day = factories.idle_day()
    write = past_the_verb(days.close, day_id=day.pk)
    return Attack(f"/days/{day.pk}/", f"/api/v1/days/{day.pk}/close/", body(), write)


# People


def to_person(whom, act, step, verb, **more):
    """An act on the page of a person; over REST it has an address of its own."""
    sign = signature(ONE)
    form = {"act": act, "second_login": sign["login"], "second_password": sign["password"], **more}
    write = past_the_verb(verb, staff_id=whom.pk, **more)
    return Attack(f"/staff/{whom.pk}/", f"/api/v1/staff/{whom.pk}/{step}/", body(**more), write, form)


def person_added():
    sign, more = signature(ONE), {"login": "gerda", "name": "Gerda Gast", "role": "cage"}
    form = {**more, "second_login": sign["login"], "second_password": sign["password"]}
    write = past_the_verb(employment.join, pit=None, **more)
    return Attack("/staff/", "/api/v1/staff/", body(**more), write, form)


def person_posted():
    whom = factories.newcomer()
    attack = to_person(whom, "post", "postings", employment.post, role="cage")
    return attack._replace(write=past_the_verb(employment.post, staff_id=whom.pk, role="cage", pit=None))


def posting_ended():
    whom = factories.newcomer()
    posting = whom.postings.get().pk
    attack = to_person(whom, "end", "", employment.end, posting=posting)
    write = past_the_verb(employment.end, posting_id=posting)
    return attack._replace(path=f"/api/v1/postings/{posting}/end/", body=body(), write=write)


def person_let_go():
    return to_person(factories.newcomer(), "leave", "leave", employment.leave)


def person_returned():
    whom = factories.newcomer()
    with transaction.atomic():
        employment.leave(staff_id=whom.pk, actor=actor("ida", "frank"))
    return to_person(whom, "return", "return", employment.come_back)


def code_given():
    return to_person(factories.newcomer(), "code", "codes", employment.give_code)


def device_lost():
    """A device is ended on the page alone."""
    whom = factories.newcomer()
    signing.passkey(whom.login)
    return to_person(whom, "lost", "", employment.lost)._replace(path=None)


# Rounds, disputes, cases


def in_round(round_, step, verb, more, **arguments):
    def write():
        with transaction.atomic():
            past_the_verb(verb, standing=standing.locked(round_.pk), **{**more, **arguments})()

    return Attack(f"/rounds/{round_.pk}/", f"/api/v1/rounds/{round_.pk}/{step}/", body(**more), write)


def round_voided():
    opened = factories.open_round(table("T1"))
    return in_round(opened, "void", interventions.void, {"version": 0, "clause": "split.36", "reason": REASON})


def round_corrected():
    more = {"line": 1, "clause": "split.33", "reason": REASON}
    more |= {"changes": [{"path": "boxes[0].ante", "value": 1500}]}
    changes = {"boxes[0].ante": 1500}
    return in_round(factories.settled_round(table("T1")), "corrections", corrections.correct, more, changes=changes)


def dispute_refused():
    """It was dealt and raised by another."""
    dispute = factories.contest(factories.settled_round(table("T2")))
    more = {"line": 1, "ruling": "refused", "clause": "split.17", "reason": REASON}
    attack = in_round(dispute.round, "", disputes.rule, more, dispute_id=dispute.pk)
    return attack._replace(page=f"/disputes/{dispute.pk}/", path=f"/api/v1/disputes/{dispute.pk}/rule/")


def case_decided():
    case = factories.vary_session(table("T1"))
    write = statement(
        "UPDATE tables_case SET status = 'DECIDED', outcome = 'found', reason = 'x', salt = repeat('0', 32),"
        " decided_by_id = %s, approved_by_id = %s, decided_at = now() WHERE id = %s",
        *(person(ONE).pk, person(ONE).pk, case.pk),
    )
    more = {"outcome": "found", "reason": REASON}
    return Attack(f"/cases/{case.pk}/", f"/api/v1/cases/{case.pk}/decide/", body(**more), write)


# Tips


def tips_counted_twice():
    date, chips = factories.day_with_tips(), {"500": 1}
    factories.count_tips(date, chips, by=ONE)
    number = tips.number_of(date)
    write = second_count(f"tips:{date}", "tips", chips)
    return Attack(f"/tips/{number}/count/", f"/api/v1/tips/{number}/counts/", {"denominations": chips}, write)


def tips_signed():
    date = factories.day_with_tips()
    for by in ("olga", "petra"):
        factories.count_tips(date, {"500": 2}, by=by)
    number, write = tips.number_of(date), past_the_verb(tips.sign, date=date, reason=REASON)
    return Attack(f"/tips/{number}/count/", f"/api/v1/tips/{number}/sign/", body(reason=REASON), write)


RULES = {
    "an opener is counted by two": Rule(opener_counted_twice, "counted_already", "one person counts twice"),
    "an opener is signed for by two": Rule(opener_signed, "same_person", "four_eyes"),
    "a closer is counted by two": Rule(closer_counted_twice, "counted_already", "one person counts twice"),
    "a closer is signed for by two": Rule(closer_signed, "same_person", "four_eyes"),
    "a table is carried on by two": Rule(table_carried_on, "same_person", "four_eyes"),
    "a table is let go on by two": Rule(table_let_go_on, "same_person", "no entry by two people"),
    **{
        f"who asks for a {kind} does not issue it": Rule(
            issued_by_who_asked(kind), "same_person", "slip_four_eyes", offered=False
        )
        for kind in ("fill", "credit", "change")
    },
    "who issues a slip does not count it": Rule(
        slip_counted_by_who_issued_it, "same_person", "slip_four_eyes", offered=False
    ),
    "a fill is counted by two": Rule(fill_counted_twice, "counted_already", "one person counts twice"),
    "a credit is counted by two": Rule(credit_counted_twice, "counted_already", "one person counts twice"),
    "a fill is sent back by two": Rule(sent_back("fill"), "same_person", "movement_four_eyes"),
    "a change is sent back by two": Rule(sent_back("change"), "same_person", "slip_four_eyes"),
    "a slip is voided by two": Rule(slip_voided, "same_person", "slip_four_eyes"),
    "a round from paper is entered by two": Rule(entered_from_paper, "same_person", "round_four_eyes"),
    "that a patron has left two say": Rule(patron_left, "same_person", "left_four_eyes"),
    **{
        f"chips are {kind} by two": Rule(moved(kind), "same_person", "movement_four_eyes")
        for kind in map(str, cage.KINDS)
    },
    "the cage is counted by two": Rule(cage_counted_twice, "counted_already", "one person counts twice"),
    "the cage is signed for by two": Rule(cage_signed, "same_person", "four_eyes"),
    "a setting is changed by two": Rule(setting_changed, "same_person", "setting_four_eyes"),
    "a sheet is put in force by two": Rule(put_in_force, "same_person", "inforce_four_eyes"),
    "a sheet is withdrawn by two": Rule(sheet_withdrawn, "same_person", "inforce_four_eyes"),
    "who drafts a sheet does not publish it": Rule(
        sheet_published, "same_person", "rulesheet_four_eyes", offered=False, status=409
    ),
    "a setting is withdrawn by two": Rule(setting_withdrawn, "same_person", "no entry that says so"),
    "a drop box is mounted by two": Rule(drop_box_mounted, "same_person", "four_eyes"),
    "a drop box is taken off by two": Rule(drop_box_taken_off, "same_person", "four_eyes"),
    "a drop box is counted by two": Rule(drop_counted_twice, "counted_already", "one person counts twice"),
    "a drop box is signed for by two": Rule(drop_signed, "same_person", "four_eyes"),
    "a day is closed by two": Rule(day_closed, "same_person", "gamingday_four_eyes"),
    "a person is added by two": Rule(person_added, "same_person", "posting_four_eyes"),
    "a person is posted by two": Rule(person_posted, "same_person", "posting_four_eyes"),
    "a posting is ended by two": Rule(posting_ended, "same_person", "posting_four_eyes"),
    "a person is let go by two": Rule(person_let_go, "same_person", "posting_four_eyes"),
    "a person returns by two": Rule(person_returned, "same_person", "onetimecode_four_eyes"),
    "a one-time code is given by two": Rule(code_given, "same_person", "onetimecode_four_eyes"),
    "a lost device is ended by two": Rule(device_lost, "same_person", "credential_four_eyes"),
    "a round is void by two": Rule(round_voided, "same_person", "intervention_four_eyes"),
    "a round is corrected by two": Rule(round_corrected, "same_person", "line_four_eyes"),
    "a dispute is refused by two": Rule(dispute_refused, "same_person", "dispute_four_eyes"),
    "a case is decided by two": Rule(case_decided, "same_person", "signed the closing does not approve it"),
    "tips are counted by two": Rule(tips_counted_twice, "counted_already", "one person counts twice"),
    "tips are signed for by two": Rule(tips_signed, "same_person", "movement_four_eyes"),
}


@pytest.fixture
def one(seeded_db):
    """Clara has every role, and deals at T1."""
    one, two = person(ONE), actor("ida", "frank")
    with transaction.atomic():
        for role in (Role.CROUPIER, Role.CAGE, Role.COUNT_TEAM, Role.ADMINISTRATOR):
            staff.post(staff=one, role=role, pit=table("T1").pit, actor=two)
        staff.sign_off(table=table("T1"), actor=actor(ONE))
        staff.sign_on(staff=one, table=table("T1"), actor=actor(ONE))
    return one


@pytest.mark.parametrize("name", RULES)
def test_one_person_is_not_two(name, one):
    rule = RULES[name]
    attack, status = rule.arrange(), 409 if rule.code == "counted_already" else rule.status
    before = factories.written()
    if attack.path:
        assert is_refused(factories.send(factories.client(ONE), attack.path, attack.body), status, rule.code)
    page = factories.client(ONE, enforce_csrf_checks=True)
    answer = from_page(page, attack)
    assert (answer is not None) == rule.offered
    if attack.form:
        assert answer.status_code == status
        assert "One person can’t both ask and sign" in answer.content.decode()
    else:
        assert answer is None or is_refused(answer, status, rule.code)
    with pytest.raises(IntegrityError, match=rule.guard):
        attack.write()
    assert factories.written() == before


FORMS = ("data-left=", 'id="void-form"', 'id="correction"')
"""What marks the forms of a round that know their address themselves."""


def from_page(client, attack):
    """The answer to a page's own form, sent with the page's token; None where it has no such form for them."""
    shown = client.get(attack.page).content.decode()
    if attack.form:
        forms = re.findall(r'<form method="post".*?</form>', shown, re.DOTALL)
        plain = next((each for each in forms if takes(each, attack)), None)
        token = plain and re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', plain)[1]
        return plain and client.post(attack.page, {**attack.form, "csrfmiddlewaretoken": token})
    if not any(mark in shown for mark in (f'data-to="{attack.path}"', f'data-path="{attack.path}"', *FORMS)):
        return None
    token = re.search(r'name="csrf-token" content="(\w+)"', shown)[1]
    headers = {"Idempotency-Key": str(uuid.uuid4()), "X-CSRFToken": token}
    return client.post(attack.path, attack.body, content_type="application/json", headers=headers)


def takes(form, attack):
    """Whether a plain form of a page has the fields of an attack, and does its act."""
    act = attack.form.get("act")
    return all(f'name="{name}"' in form for name in attack.form) and (act is None or f'value="{act}"' in form)
