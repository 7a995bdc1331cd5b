"""No sheet of a game with a house goes live before what the house keeps by it is known: computed, not the player's, and
outside the casino's band with a reason alone."""

import json

import pytest
from django.db import transaction

from audit.models import Entry
from casino.errors import Refused
from payouts import edge_results
from payouts.models import EdgeResult
from tables.models import RuleSheet
from tables.verbs import grounds, rulesheets
from tables.words import edges as words
from tests.support import edges, factories
from tests.support.factories import RATIOS, actor

UNKNOWN = {"coefficients": RATIOS | {"flush": "6:1", "royal_flush": "101:1"}}
CAPPED = UNKNOWN | {"max_payment": 50_000, "chip": 100, "ante_minimum": 500, "ante_maximum": 10_000}


@pytest.fixture(autouse=True)
def _demo(seeded_db):
    """The demo casino."""


def draft(**values):
    with transaction.atomic():
        return rulesheets.draft(game="split", values=values, actor=actor("clara"))


def publish(sheet, reason=""):
    with transaction.atomic():
        return rulesheets.publish(sheet_id=sheet.pk, reason=reason, actor=actor("frank"))


def refused(code, sheet, reason=""):
    """The refusal of a publication, which wrote nothing."""
    before = Entry.objects.count(), EdgeResult.objects.count()
    with pytest.raises(Refused) as refusal:
        publish(sheet, reason)
    assert refusal.value.code == code
    assert (Entry.objects.count(), EdgeResult.objects.count()) == before
    sheet.refresh_from_db()
    assert sheet.status == RuleSheet.Status.DRAFT
    return refusal.value


def published_facts():
    return json.loads(Entry.objects.filter(event="sheet.published").latest("seq").body)["facts"]


def test_what_is_not_computed_is_not_published():
    sheet = draft(**UNKNOWN)
    refusal = refused("edge_not_computed", sheet)
    assert refusal.message == "The house edge of this sheet hasn’t been computed."
    assert "page of its house edge" in refusal.way_out
    with transaction.atomic():
        (asked,) = edge_results.ask(rulesheets.rules_of(sheet)).values()
    refused("edge_not_computed", sheet)
    edge_results.fail(edge_results.due(), "The sheet is too odd.")
    refusal = refused("edge_not_computed", sheet)
    assert refusal.message == "The house edge of this sheet couldn’t be computed. The sheet is too odd."
    assert words.publication(sheet)["kind"] == "unknown"
    assert words.publication(sheet)["says"] == "The sheet is too odd."
    factories.computed_edge(sheet, edge_percent="17.11")
    pin = {"key": asked.key, "ante": None, "edge": "17.110000000"}
    published = publish(sheet)
    assert published.edge == published_facts()["edge"] == [pin]
    assert (published.reason, published.salt, "reason" in published_facts()) == ("", "", False)


@pytest.mark.parametrize("percent", ["-0.000000001", "-42.34"])
@pytest.mark.parametrize("reason", ["", "The owner wants it so."])
def test_nobody_publishes_what_the_player_wins_by(percent, reason):
    sheet = draft(**UNKNOWN)
    factories.computed_edge(sheet, edge_percent=percent)
    refusal = refused("edge_with_player", sheet, reason)
    assert "nobody can allow this one" in refusal.way_out
    assert words.publication(sheet)["kind"] == "player"


def test_a_sheet_by_which_the_house_sets_the_unseen_cards_is_refused_with_its_figure():
    sheet = draft(**UNKNOWN, unseen_cards="house_way")
    factories.computed_edge(sheet, edge_percent="-42.344201", games=False)
    assert refused("edge_with_player", sheet).message == (
        "The player has the edge: best play wins 42.34 % of each ANTE. It wins more where the game is bought, since"
        " the house sets the unseen cards."
    )


def test_an_edge_without_the_game_is_none_to_publish_by():
    sheet = draft(**UNKNOWN, unseen_cards="house_way")
    factories.computed_edge(sheet, edge_percent="3.2", games=False)
    refusal = refused("edge_not_computed", sheet, "Try it.")
    assert (refusal.clause, "3.20 %" in refusal.message) == ("split.8", True)
    assert words.publication(sheet)["kind"] == "inexact"


@pytest.mark.parametrize(("percent", "outside"), [("0.499999999", True), ("0.5", False), ("30", False), ("31", True)])
def test_outside_the_band_the_publisher_says_why(percent, outside):
    sheet = draft(**UNKNOWN)
    factories.computed_edge(sheet, edge_percent=percent)
    verdict = words.publication(sheet)
    assert verdict["kind"] == ("off" if outside else "within")
    if not outside:
        assert refused("reason_wrong", sheet, "It is fine.").path == "reason"
        assert publish(sheet).reason == ""
        return
    for nothing in ("", "   ", "\u200b"):
        refusal = refused("reason_missing", sheet, nothing)
        assert (refusal.path, refusal.status) == ("reason", 422)
        assert "lies outside the casino’s band of 0.5 to 30 %." in refusal.message
    refused("reason_wrong", sheet, "x" * 501)
    published = publish(sheet, "  A trial of one week, \n says Hugo. ")
    assert published.reason == "A trial of one week, says Hugo."
    assert published_facts()["reason"] == grounds.salted(published.salt, published.reason)
    assert "says Hugo" not in Entry.objects.filter(event="sheet.published").latest("seq").body
    page = factories.client("david").get(f"/sheets/{sheet.pk}/").content.decode()
    assert "“A trial of one week, says Hugo.”" in page


def test_the_band_is_two_settings_of_the_house():
    sheet = draft(**UNKNOWN)
    factories.computed_edge(sheet, edge_percent="17.11")
    factories.set_setting(1_700, name="edge_most")
    assert "band of 0.5 to 17 %" in refused("reason_missing", sheet).message
    factories.set_setting(1_711, name="edge_most")
    assert publish(sheet).edge[0]["edge"] == "17.110000000"


def test_all_that_is_not_computed_is_named():
    refusal = refused("edge_not_computed", draft(**CAPPED | {"coefficients": dict.fromkeys(RATIOS, "5:4")}))
    assert refusal.message == (
        "The house edge of this sheet hasn’t been computed at these ANTEs: one at which nothing is rounded, 5, 100."
    )


def test_where_the_edge_depends_on_the_ante_both_limits_are_pinned_and_the_worse_one_counts():
    sheet = draft(**CAPPED)
    refusal = refused("edge_not_computed", sheet)
    assert refusal.message == "The house edge of this sheet hasn’t been computed at these ANTEs: 5, 100."
    rules = rulesheets.rules_of(sheet)
    with transaction.atomic():
        results = edge_results.ask(rules)
    for percent in ("21.2", "35.5"):
        held = edge_results.due()
        edge_results.done(held, edges.figures(percent, ante=held.inputs.get("ante")))
    computed = {ante: EdgeResult.objects.get(pk=result.pk).figures["edge_percent"] for ante, result in results.items()}
    assert "35.50 %" in refused("reason_missing", sheet).message
    published = publish(sheet, "The cap is for the first night.")
    assert published.edge == [
        {"key": results[ante].key, "ante": ante, "edge": computed[ante]} for ante in (500, 10_000)
    ]  # fmt: skip


def test_between_the_limits_the_player_has_no_edge_either():
    """Chips of 1 and coefficients in quarters: at an ANTE of 2 nothing is rounded, at 1 and at 3 it is."""
    quarters = {"pair": "7:4", "two_pair": "7:4", "three_of_a_kind": "13:4", "straight": "21:4", "flush": "23:4"}
    values = {"coefficients": RATIOS | quarters | {"full_house": "35:4"}, "chip": 100, "ante_minimum": 100}
    sheet = draft(**values, ante_maximum=300)
    rules = rulesheets.rules_of(sheet)
    assert edge_results.antes(rules) == (None, 100, 300)
    with transaction.atomic():
        results = edge_results.ask(rules)

    def compute():
        held = edge_results.due()
        percent = {None: "-0.863755811", 100: "9.1", 300: "1.716915790"}[held.inputs.get("ante")]
        edge_results.done(held, edges.figures(percent, ante=held.inputs.get("ante")))

    for _ in results:
        refused("edge_not_computed", sheet)
        compute()
    assert refused("edge_with_player", sheet).message == (
        "The player has the edge at an ANTE at which nothing is rounded: best play wins 0.86 % of each ANTE."
    )
    lower = draft(**values | {"coefficients": RATIOS | quarters | {"full_house": "34:4"}}, ante_maximum=300)
    factories.computed_edge(lower, edge_percent="2")
    assert [pin["ante"] for pin in publish(lower).edge] == [None, 100, 300]


def test_what_is_shipped_is_published_at_once_and_kept_as_computed():
    sheet = draft(chip=100, ante_minimum=500, ante_maximum=10_000)
    published = publish(sheet)
    result = EdgeResult.objects.get(pk=published.edge[0]["key"])
    assert (result.status, result.figures["edge_percent"]) == ("DONE", published.edge[0]["edge"])


def test_the_page_offers_publication_where_it_is_possible_and_says_why_not():
    def page():
        answer = factories.client("frank").get(f"/sheets/{sheet.pk}/")
        return answer.context["publishes"], answer.content.decode()

    sheet = draft(**UNKNOWN)
    offered, content = page()
    assert not offered
    assert "Its house edge isn’t computed" in content
    factories.computed_edge(sheet, edge_percent="35.5")
    offered, content = page()
    assert offered
    assert 'name="reason"' in content
    other = draft(**UNKNOWN | {"max_payment": 100_000_000})
    answer = factories.send(factories.client("frank"), f"/api/v1/sheets/{other.pk}/publish/", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "reason_missing")
    answer = factories.send(factories.client("frank"), f"/api/v1/sheets/{other.pk}/publish/", {"reason": "A trial."})
    assert (answer.status_code, answer.json()["edge"][0]["edge"], answer.json()["reason"]) == (
        200,
        "35.500000000",
        "A trial.",
    )
