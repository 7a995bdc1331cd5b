"""The rounds of a session: what each brought the house, and that they add up to what the session won."""

import pytest

from payouts import ledger
from tables.management.commands.seed_demo import OPENER
from tables.words import session_rounds, session_sums

from ...support import factories
from ...support.factories import client, person

pytestmark = pytest.mark.usefixtures("seeded_db")


def shown(session, login="clara", number=None):
    session.refresh_from_db()
    return session_rounds.shown(session, person(login), number)


def amounts(page):
    return {line["name"]: line["amount"] for line in page["sums"]}


def closed(table):
    return factories.close_session(table, factories.pile(ledger.balance(table.float_account)))


def test_each_round_has_its_figures_void_ones_none_and_together_they_are_the_win():
    at = factories.table()
    settled = factories.settled_round(at)
    factories.void(factories.open_round(at))
    page = shown(at.sessions.get())
    assert (page["count"], page["voids"], page["raked"]) == (2, 1, False)
    void, played = page["rows"]
    assert (void["state"], void["amounts"]) == ("Void", None)
    assert (played["number"], played["state"], played["marks"]) == (str(settled), "Settled", [])
    assert played["amounts"] == {"staked": "35", "returned": "30", "paid": "100", "house": "−95", "rake": "0"}
    assert page["all"] == played["amounts"]
    assert amounts(page) == {"own": "−95", "won": "−95"}
    assert page["sums"][-1]["grade"] == "ESTIMATE"
    opened = factories.open_round(at)
    assert shown(at.sessions.get())["rows"][0]["state"] == "Open"
    facts = client("clara").get(f"/rounds/{opened.pk}/").context["page"]["facts"]
    assert {"label": "Status", "value": "Open"} in facts


def test_a_correction_is_marked_and_is_of_the_session_in_which_it_was_made():
    at = factories.table()
    early, late = factories.settled_round(at), factories.settled_round(at)
    factories.correct(early, {"boxes[1].ante": 1500})
    first = at.sessions.get()
    won = amounts(shown(first))["won"]
    assert [row["marks"] for row in shown(first)["rows"]] == [[], ["corrected"]]
    first = closed(at)
    page = shown(first)
    assert amounts(page)["won"] == amounts(page)["counted"] == won
    second = factories.open_session(at, OPENER)
    factories.sign_on(person("anna"), at)
    factories.correct(late, {"boxes[1].ante": 1500})
    assert amounts(shown(first))["won"] == won
    assert shown(first)["rows"][0]["marks"] == ["corrected after the table was closed"]
    page = shown(second)
    assert page["sums"][1]["label"] == f"Correction of round {late}"
    second = closed(at)
    assert amounts(shown(second))["counted"] == amounts(shown(second))["won"] != "0"
    for session in (first, second):
        sums = session_sums.of(session)
        assert amounts(shown(session))["won"].replace("\u2009", "") == f"{sums.won / 100:+.0f}".replace("-", "−")


def test_at_a_pot_the_rake_has_a_column_and_is_in_no_win():
    at = factories.raked_table()
    page = shown(at.sessions.get())
    assert page["raked"]
    assert (amounts(page)["won"], page["all"]["house"]) == ("0", "0")
    assert page["all"]["rake"] != "0"


def test_while_chips_are_counted_no_amount_is_told_and_only_readers_of_the_floor_see_the_page():
    at = factories.table()
    factories.settled_round(at)
    session = factories.stop_session(at)
    path = f"/sessions/{session.pk}/rounds/"
    page = client("clara").get(path)
    assert page.context["page"]["sums"] is page.context["page"]["rows"][0]["amounts"] is None
    assert "95" not in page.content.decode().partition("<main>")[2]
    for login, status in (("david", 200), ("ida", 200), ("hugo", 404), ("frank", 404), ("anna", 404)):
        assert client(login).get(path).status_code == status, login


def test_many_rounds_are_turned_by_pages_and_the_sums_are_over_all(monkeypatch):
    at = factories.table()
    rounds = [factories.settled_round(at) for _ in range(3)]
    monkeypatch.setattr(session_rounds, "A_PAGE", 2)
    session = at.sessions.get()
    pages = [shown(session, number=number) for number in (1, "2", "999", "x")]
    numbers = [[row["number"] for row in page["rows"]] for page in pages]
    newest_first = [str(round_) for round_ in reversed(rounds)]
    assert numbers == [newest_first[:2], newest_first[2:], newest_first[2:], newest_first[:2]]
    assert {page["all"]["house"] for page in pages} == {"−285"}


def test_a_win_leads_to_its_rounds_and_a_round_to_its_entries_in_two_clicks():
    at = factories.table()
    settled = factories.settled_round(at)
    floor = client("clara").get("/").content.decode()
    rounds = f"/sessions/{at.sessions.get().pk}/rounds/"
    assert f'href="{rounds}"' in floor
    assert f'href="/rounds/{settled.pk}/"' in client("clara").get(rounds).content.decode()
    entries = client("clara").get(f"/rounds/{settled.pk}/").context["page"]["entries"]
    assert [(row["reason"], row["credit"], row["debit"], row["amount"]) for row in entries["rows"]] == [
        ("Wager", "Patrons", "Float", "5"), ("Wager", "Float", "Patrons", "100"),
    ]  # fmt: skip
    assert entries["ways"] == []
    ways = client("david").get(f"/rounds/{settled.pk}/").context["page"]["entries"]["ways"]
    assert [way["label"] for way in ways] == ["Its transfers", "As the log has it"]
    for way in ways:
        answer = client("david").get(way["href"])
        assert (answer.status_code, str(settled) in answer.content.decode()) == (200, True), way
