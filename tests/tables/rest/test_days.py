"""Gaming days over REST: who reads them, who closes one, and the cage that hands over what is corrected at a closed
table."""

import pytest
from django.db import transaction

from payouts.models import PaymentTick
from tables.models import GamingDay
from tables.verbs import corrections, standing

from ...support import factories
from ...support.factories import actor, client
from .test_rest import is_refused

pytestmark = pytest.mark.usefixtures("seeded_db")
READERS = {"clara", "frank", "hugo", "david", "ida"}
EVERYBODY = READERS | {"anna", "boris", "olga", "petra"}


def close(day, login="clara", signed_with="hugo"):
    signature = {"signature": factories.signature(signed_with)}
    return factories.send(client(login), f"/api/v1/days/{day.pk}/close/", signature)


def test_the_day_is_read_by_those_who_answer_for_it():
    day = GamingDay.objects.get()
    for login in EVERYBODY:
        expected = 200 if login in READERS else 403
        for path in ("/api/v1/days/", f"/api/v1/days/{day.pk}/"):
            assert client(login).get(path).status_code == expected, (login, path)
    shown = client("david").get(f"/api/v1/days/{day.pk}/").json()
    assert (shown["grade"], shown["status"], shown["digest"]) == ("ESTIMATE", "OPEN", None)
    assert {"kind": "session", "ref": "session:1", "words": "Split 1 isn’t closed yet."} in shown["obstacles"]
    assert [line["table"] for line in shown["tables"]] == [f"table:{number}" for number in range(1, 8)]
    assert shown["sums"]["closer"] == {"units": 0, "of": 0, "tables": 7}


def test_a_pit_boss_closes_a_day_with_the_cage_or_another_pit_boss():
    day = factories.end_day()
    for login in EVERYBODY - {"clara", "frank"}:
        is_refused(close(day, login), 403, "not_your_right")
    for signer in ("anna", "olga", "david", "ida"):
        is_refused(close(day, signed_with=signer), 403, "signature_without_right")
    is_refused(close(day, signed_with="clara"), 422, "same_person")
    answer = close(day, signed_with="frank")
    assert answer.status_code == 200
    assert (answer.json()["grade"], answer.json()["obstacles"]) == ("FINAL", [])
    is_refused(close(day), 409, "day_closed")


def test_what_keeps_a_day_open_is_told():
    day = GamingDay.objects.get()
    answer = close(day)
    is_refused(answer, 409, "day_unfinished")
    assert len(answer.json()["detail"]["obstacles"]) == 8


def test_a_day_that_is_none_is_not_found():
    for number in (9_999, 2**63 - 1, "2026-11-24"):
        assert client("clara").get(f"/api/v1/days/{number}/").status_code == 404


def test_what_is_corrected_at_a_closed_table_is_handed_over_by_the_cage():
    round_ = factories.settled_at_a_closed_table()
    with transaction.atomic():
        corrections.correct(
            standing=standing.locked(round_.pk),
            line=1,
            changes={"boxes[0].ante": 2000},
            clause="split.33",
            reason="Entered wrong.",
            actor=actor("clara", "frank"),
        )
    body, path = {"generation": 2, "box": 1}, f"/api/v1/rounds/{round_.pk}/ticks/"
    for login in ("anna", "clara", "david"):
        assert factories.send(client(login), path, body).status_code in {403, 404}
    assert 'data-tick="1"' in client("hugo").get(f"/rounds/{round_.pk}/").content.decode()
    assert factories.send(client("hugo"), path, body).status_code == 200
    assert PaymentTick.objects.latest("pk").by.login == "hugo"
