"""The page of a dispute and the queue in the admin: who sees them, the round again, what if, and who may rule."""

import json
import re
from collections import Counter
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit.log import Actor
from casino.games import registry
from tables.models import Round
from tables.verbs import disputes, rounds, settling, standing
from tables.words import timeline
from tables.words.disputes import queue

from ...support import evening, factories, stack
from .test_round import text

CARD = "boxes[0].cards"
SEES = {"clara", "david", "ida"}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """T1 has a settled round with a dispute, T2 a closed one, T3 an open round with one and a void one."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.stranger()
        settled = factories.ticked(factories.settled_round(factories.table("T1")))
        closed = factories.play_round(factories.table("T2"), factories.FOLDS)
        void = factories.void_round(factories.table("T3"))
        opened = factories.open_round(factories.table("T3"))
        factories.do(opened, "ante", 1, units=500)
        claim = factories.contest(opened, about="announcement")
        factories.undo(opened)
        yield {
            "settled": factories.contest(settled, statement="<b>Frau Adler</b> says it was the eight of hearts."),
            "closed": factories.contest(closed, about="split.17", boxes=()),
            "void": factories.contest(void, about="other"),
            "open": claim,
        }


def path(dispute, query=""):
    return f"/disputes/{dispute.pk}/{query}"


def shown(login, dispute, query=""):
    return factories.client(login).get(path(dispute, query)).context["page"]


def what_if(login, dispute, **changes):
    form = shown(login, dispute)["what_if"]
    told = {field["path"]: field["text"] for place in form["places"] for row in place["rows"] for field in row}
    told |= {field["path"]: field["text"] for field in form["settings"]}
    answer = factories.client(login).post(path(dispute, "what-if/"), told | {"line": form["line"]} | changes)
    return answer, answer.context and answer.context["preview"]


@pytest.mark.parametrize("login", ["anna", "boris", "clara", "frank", "hugo", "david", "ida", "eve"])
def test_the_page_is_for_who_reads_the_floor_there_and_absent_for_all_others(floor, login):
    client = factories.client(login)
    for made in (floor["settled"], floor["closed"]):
        status = 200 if login in SEES else 404
        assert client.get(path(made)).status_code == status
        assert client.post(path(made, "what-if/"), {}).status_code == (409 if login in SEES else 404)
    assert client.get("/disputes/999999/").status_code == 404


def test_who_is_not_logged_in_is_sent_to_the_login(floor):
    answer = Client().get(path(floor["settled"]))
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/login/?next={path(floor['settled'])}")
    assert Client().post(path(floor["settled"], "what-if/")).status_code == 401


@pytest.mark.parametrize("name", ["settled", "closed", "void", "open"])
def test_every_dispute_has_a_page_with_what_was_said(floor, name):
    login = "frank" if name in {"void", "open"} else "clara"
    answer = factories.client(login).get(path(floor[name]))
    assert answer.status_code == 200
    assert floor[name].statement in text(answer) or "<b>" in floor[name].statement
    assert re.search(r"\d h \d+ min left", text(answer))
    page = answer.context["page"]
    assert (page["what_if"] is None) == (name in {"void", "open"})
    assert bool(page["no_change"]) == (name in {"void", "open"})
    assert page["may_rule"]


def test_a_statement_is_text_and_no_markup(floor):
    content = factories.client("clara").get(path(floor["settled"])).content.decode()
    assert "&lt;b&gt;Frau Adler&lt;/b&gt;" in content
    assert "<b>Frau Adler" not in content


def test_the_ruling_is_offered_to_the_pit_boss_and_to_no_reader(floor):
    assert shown("clara", floor["settled"])["may_rule"]
    for login in ("david", "ida"):
        page = shown(login, floor["settled"])
        assert (page["may_rule"], page["dealt"], page["rule"]) == (False, False, None)


def test_the_result_is_explained_clause_by_clause(floor):
    (generation,) = shown("david", floor["settled"])["generations"]
    assert [reason["clause"] for reason in generation["payments"][0]["reasons"]][-1] == "split.22"


def test_the_round_is_seen_again_entry_by_entry(floor):
    page = shown("clara", floor["settled"])
    moments = [moment for moment in page["replay"]["moments"] if moment["action"]]
    assert [moment["action"] for moment in moments] == list(range(1, len(factories.FLUSH_WINS) + 1))
    assert all(moment["by"] == "Staff 1, Anna Adler" and moment["clock"] for moment in moments)
    assert page["replay"]["chosen"] == page["replay"]["last"] == 9
    early = shown("clara", floor["settled"], "?action=2")["replay"]
    assert (early["chosen"], early["before"], early["after"]) == (2, 1, 3)
    assert [stake["amount"] for place in early["places"] for stake in place["stakes"]] == ["10", "5"]
    assert not any(place["hands"] for place in early["places"])
    assert any(place["hands"] for place in page["replay"]["places"])
    assert shown("clara", floor["settled"], "?action=0")["replay"]["before"] is None
    for odd in ("?action=99", "?action=-1", "?action=x", "?action=٣"):
        assert shown("clara", floor["settled"], odd)["replay"]["chosen"] == 9


def test_an_entry_that_was_undone_lies_there_until_it_was(floor):
    def stakes(action):
        places = shown("frank", floor["open"], f"?action={action}")["replay"]["places"]
        return [stake["amount"] for place in places for stake in place["stakes"]]

    assert (stakes(0), stakes(1), stakes(2)) == ([], ["5"], [])


def test_what_if_shows_the_new_result_beside_the_old_for_each_box_and_the_house(floor):
    before = factories.written()
    answer, seen = what_if("clara", floor["settled"], **{CARD: "3s 4s 5s 6s 8h"})
    assert answer.status_code == 200
    one, two = seen["boxes"]
    assert (one["before"], one["word"], one["net"]) == ("BET pays, +100", "Big below", "−30")
    assert one["due"] == "Collect 130 from box 1"
    assert two["same"]
    assert seen["house"] == {"before": "−95", "net": "+35", "difference": "+130", "same": False}
    # What whoever signs for it reads beside their login.
    assert seen["moves"] == ["Collect 130 from box 1"]
    assert json.loads(seen["command"])["changes"] == [{"path": CARD, "value": ["3s", "4s", "5s", "6s", "8h"]}]
    assert factories.written() == before


def test_what_if_a_decision_and_a_stake_had_been_others(floor):
    _, seen = what_if("david", floor["settled"], **{"boxes[1].ante": "10"})
    assert (seen["boxes"][1]["net"], seen["house"]["difference"]) == ("−10", "+5")


def test_on_a_closed_round_what_if_stands_beside_what_it_would_come_to(floor):
    _, seen = what_if("clara", floor["closed"], **{"boxes[0].ante": "10"})
    assert not seen["settled"]
    assert (seen["boxes"][0]["before"], seen["boxes"][0]["net"]) == ("Folded, −5", "−10")
    assert seen["house"] == {"before": "+5", "net": "+10", "difference": "+5", "same": False}
    assert seen["moves"] == ["Box 1: −10, Folded; without the change Folded, −5"]


def test_another_setting_is_looked_at_and_can_t_be_ruled(floor):
    setting = next(
        field for field in shown("clara", floor["settled"])["what_if"]["settings"] if len(field["options"]) > 1
    )
    other = next(option["value"] for option in setting["options"] if option["value"] != setting["text"])
    answer, seen = what_if("clara", floor["settled"], **{setting["path"]: other})
    assert answer.status_code == 200, answer.content
    assert seen["other_settings"]
    assert json.loads(seen["command"])["changes"] == []
    assert "data-other-settings" in answer.content.decode()


def test_what_can_t_be_is_refused_at_its_place(floor):
    answer, _ = what_if("clara", floor["settled"], **{CARD: "3s 4s 5s 6s Ac"})
    assert (answer.status_code, answer.json()["path"].split("[4]")[0]) == (422, CARD)
    assert what_if("clara", floor["settled"])[0].json()["code"] == "nothing_changed"


def test_the_queue_is_on_the_admin_s_first_page_for_who_reads_the_floor(floor):
    def queue(login):
        told = factories.client(login).get("/admin/house/").context.get("disputes")
        return told and {row["id"] for row in told["open"]}

    all_of_them = {made.pk for made in floor.values()}
    assert queue("clara") == {floor["settled"].pk, floor["closed"].pk}
    assert queue("frank") == {floor["void"].pk, floor["open"].pk}
    assert queue("david") == queue("ida") == all_of_them
    assert queue("hugo") is None
    content = text(factories.client("david").get("/admin/house/"))
    assert "Open disputes 4" in content
    assert "Adler says" not in content


def test_further_disputes_cost_the_queue_no_further_queries(seeded_db, django_assert_num_queries):
    clara, reader = factories.person("clara"), timeline.Reader(True, ZoneInfo("UTC"))
    factories.contest(factories.play_round(factories.table("T1"), factories.FOLDS))
    with CaptureQueriesContext(connection) as first:
        queue(clara, reader)
    opened = factories.open_round(factories.table("T2"))
    factories.contest(opened, boxes=())
    with transaction.atomic():
        rounds.act(
            standing=standing.locked(opened.pk),
            version=0,
            kind="ante",
            box=1,
            arguments={"units": 500},
            actor=Actor(clara),
        )
    with django_assert_num_queries(len(first)):
        told = queue(clara, reader)["open"]
    assert [row["dealt"] for row in told] == [False, True]


def test_the_round_s_page_names_its_disputes_and_links_for_who_may_read_them(floor):
    round_ = floor["settled"].round
    for login, links in (("clara", True), ("anna", False), ("hugo", False)):
        content = factories.client(login).get(f"/rounds/{round_.pk}/").content.decode()
        assert f"Dispute {floor['settled'].pk}" in content
        assert (f'href="/disputes/{floor["settled"].pk}/"' in content) == links
        assert "says it was" not in content
        assert ('id="raise-form"' in content) == (login in {"anna", "clara"})


def test_a_ruling_stands_on_the_page_with_what_to_collect(seeded_db):
    settled = factories.ticked(factories.settled_round(factories.table("T1")))
    made = factories.rule_on(factories.contest(settled), ruling="upheld", changes={f"{CARD}[4]": "8h"})
    told = shown("clara", made)
    assert told["ruling"]["due"] == ["Collect 130 from box 1"]
    assert (told["ruling"]["word"], told["ruling"]["line"], told["may_rule"]) == ("Upheld", 2, False)
    assert [generation["number"] for generation in told["generations"]] == [2, 1]
    waiting = factories.client("clara").get("/admin/house/").context["disputes"]
    assert ([row["id"] for row in waiting["open"]], [row["id"] for row in waiting["ruled"]]) == ([], [made.pk])


@pytest.mark.parametrize("code", registry.GAMES)
def test_the_words_of_a_dispute_are_no_clauses_of_a_game(code):
    assert not set(disputes.ABOUT) & set(registry.GAMES[code].clauses)


def test_what_if_a_hand_of_a_pot_had_been_another(seeded_db):
    """The winner's hand is replaced by a low one: another box takes the pot, and the house its rake as before."""
    values, dealt = evening.evening("genpoker")
    table = factories.table_of("genpoker", values)
    opened = factories.open_round(table, dealt[0].seats)
    for action in dealt[0].actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    factories.close(opened)
    settling.settle_due()
    settled = Round.objects.get(pk=opened.pk)
    contested = factories.contest(settled)
    line = json.loads(settled.lines.last().text)
    winner = max(settled.settlement.payments.all(), key=lambda payment: payment.net_units)
    index = next(index for index, hand in enumerate(line["hands"]) if hand["player"] == str(winner.box))
    lying = Counter(card for hand in line["hands"] for card in hand["cards"] if hand["player"] != str(winner.box))
    left = list((Counter(registry.GAMES["genpoker"].deck(None).copies) - lying).elements())
    # A pair: two 6s of different nations, and three cards that go with nothing.
    pair = [next(card for card in left if card.startswith(start)) for start in ("6R-0", "6B-1", "5B", "4R", "3R")]
    answer, seen = what_if("clara", contested, **{f"hands[{index}].cards": " ".join(pair)})
    assert answer.status_code == 200, answer.content
    assert sum(1 for box in seen["boxes"] if not box["same"]) >= 2
    assert seen["house"]["same"]
