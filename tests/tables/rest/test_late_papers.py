"""A round from paper of a closed session, from its form to its settlement, by two pit bosses: nobody deals there."""

import pytest
from django.urls import reverse

from payouts import ledger
from tables.verbs import settling

from ...support import factories
from ...support.chip_nights import pile
from ...support.factories import client, close_session, send, signature, table

pytestmark = pytest.mark.usefixtures("seeded_db")


def test_two_pit_bosses_enter_it_and_the_forms_say_what_it_explains():
    place = table("T1")
    session = place.sessions.get()
    close_session(place, pile(ledger.balance(place.float_account) - 10_000))
    clara = client("clara")
    form = clara.get(reverse("paper-round", args=[place.pk])).content.decode()
    assert 'data-test="closed"' in form
    assert 'data-test="missing"' not in form
    assert clara.get(reverse("late-paper", args=[session.pk])).status_code == 404
    paper = {"paper": "412", "happened_at": session.opened_at.isoformat(), "signature": signature("frank")}
    entered = send(clara, f"/api/v1/tables/{place.pk}/paper-rounds/", paper)
    assert entered.status_code == 201, entered.content
    number = entered.json()["id"]
    assert clara.get(reverse("paper-newest", args=[place.pk])).url == reverse("late-paper", args=[session.pk])
    shown = clara.get(reverse("late-paper", args=[session.pk])).content.decode()
    assert f'data-round="{number}"' in shown
    assert 'data-answers=""' in shown
    assert "From paper 412" in shown
    assert f'data-round="{number}"' not in clara.get(reverse("terminal", args=[place.pk])).content.decode()
    for version, (kind, box, arguments) in enumerate(factories.FLUSH_WINS):
        body = {"version": version, "kind": kind, "arguments": arguments} | ({"box": box} if box is not None else {})
        done = send(clara, f"/api/v1/rounds/{number}/actions/", body)
        assert done.status_code == 200, done.content
    closed = send(clara, f"/api/v1/rounds/{number}/close/", {"version": len(factories.FLUSH_WINS)})
    assert closed.status_code == 200, closed.content
    assert settling.settle_due() == 1
    over = clara.get(reverse("late-felt", args=[session.pk])).content.decode()
    assert 'data-moment="settled"' in over
    assert "Next round" not in over
    for page in (reverse("session", args=[session.pk]), reverse("case", args=[place.cases.get().pk])):
        content = clara.get(page).content.decode()
        for words in ("Of which from paper", "-95<", "Variance left", "-5<"):
            assert words in content.replace("\u2212", "-"), (page, words)
    form = clara.get(reverse("paper-round", args=[place.pk])).content.decode()
    assert "Go on" not in form
    assert "412" in form
