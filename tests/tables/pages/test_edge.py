"""The page of a sheet's house edge, and its REST: how far it is, what it says, and who may have it computed."""

from decimal import Decimal

import pytest
from django.db import transaction

from payouts import edge_results
from tables.models import RuleSheet
from tables.verbs import rulesheets
from tables.words import edges as words

from ...support import edges, factories

CAPPED = {"coefficients": factories.RATIOS | {"flush": "6:1"}, "max_payment": 5_000}


@pytest.fixture
def in_force(seeded_db):
    """The sheet of Split Poker that tables play by; its edge is 21.21 %."""
    return RuleSheet.objects.get(game="split")


def draft(**values):
    with transaction.atomic():
        return rulesheets.draft(game="split", values=values, coefficient_table=None, actor=factories.actor("frank"))


def shown(sheet, login="clara", **query):
    return factories.client(login).get(f"/sheets/{sheet.pk}/edge/", query)


def test_a_draft_stands_beside_the_sheet_in_force(in_force):
    sheet = draft(coefficients=factories.RATIOS | {"flush": "6:1"})
    with transaction.atomic():
        edge_results.ask(rulesheets.rules_of(sheet))
    edge_results.done(edge_results.due(), edges.figures("17.11", standard_deviation="3.820000000"))
    page = shown(sheet).context["page"]
    assert (page["edge"]["says"], page["edge_beside"], page["verdict"]["kind"]) == ("17.11", "21.21", "within")
    assert [row["label"] for row in page["coefficients"] if row["new"]] == ["Flush"]
    bars = {row["label"]: row for row in page["contributions"]["rows"]}
    assert (bars["Flush"]["new"], bars["Pair"]["new"]) == (True, False)
    assert bars["Folded ANTEs"]["own"]["says"] == "−24.50"
    assert page["contributions"]["sum"] == {"own": "−17.11", "other": "−21.21"}
    # 17.11 % less and more 2 x 3.82 / sqrt(1,000) ANTEs.
    assert page["bands"]["columns"][0]["says"] == "−7.0 to 41.3"
    assert page["bands"]["columns"][3]["says"] == "16.3 to 17.9"
    best = {row["label"]: row["own"] for row in page["best"]}
    assert (best["Element of risk, %"], best["Staked a round, ANTE"]) == ("5.86", "2.92")
    assert {row["label"]: row["own"]["says"] for row in page["strategies"]["rows"]} == {
        "Best play": "17.11",
        "Never buys": "29.60",
        "Bets on a pair": "31.90",
        "Always bets": "43.50",
    }
    # What is sampled has its standard error; all else is exact.
    assert len(page["by_card"]["rows"]) == 13
    assert page["by_card"]["rows"][0] == {
        "label": "2", "edge": "17.11", "cut": "20.52", "deviation": "3.5300", "covariance": "1.210"
    }  # fmt: skip
    assert page["by_card"]["error"] == "0.020"
    # 13.40 % at 5 to 1.
    assert {row["label"]: row["says"] for row in page["sensitivity"]}["Flush"] == "2.680"


@pytest.mark.parametrize(
    ("percent", "kind", "says"),
    [
        ("-3.31", "player", "Best play wins 3.31 % of each ANTE. Nobody can allow it, not even with a second person."),
        (
            "-59.88",
            "player",
            "Best play wins 59.88 % of each ANTE. Nobody can allow it, not even with a second person.",
        ),
        ("0.49", "off", "0.49 % is below the band: whoever publishes the sheet has to say why."),
        ("0.5", "within", "Another pit boss may publish it."),
        ("30", "within", "Another pit boss may publish it."),
        ("30.01", "off", "30.01 % is above the band: whoever publishes the sheet has to say why."),
        ("0", "off", "0.00 % is below the band: whoever publishes the sheet has to say why."),
    ],
)
def test_an_edge_outside_the_band_says_so(seeded_db, percent, kind, says):
    sheet = draft(coefficients=CAPPED["coefficients"])
    factories.computed_edge(sheet, edge_percent=percent)
    answer = shown(sheet)
    verdict = answer.context["page"]["verdict"]
    assert (verdict["kind"], verdict["says"]) == (kind, says)
    assert verdict["title"] in answer.content.decode()
    assert ("Go to its publication" in answer.content.decode()) == (kind != "player")


def test_the_page_says_how_far_it_is(in_force):
    sheet = draft(coefficients=CAPPED["coefficients"])
    rules = rulesheets.rules_of(sheet)

    def state():
        answer = shown(sheet)
        return answer.context["page"]["state"]["status"], " ".join(answer.content.decode().split())

    assert state()[0] == "NONE"
    with transaction.atomic():
        edge_results.ask(rules)
    status, content = state()
    assert status == "ASKED"
    assert "data-again" in content
    held = edge_results.due()
    edge_results.beat(held, 420)
    assert "Computing: 42 %" in state()[1]
    edge_results.cancel(rules)
    assert "Computing was stopped" in state()[1]
    with transaction.atomic():
        edge_results.ask(rules)
    edge_results.fail(edge_results.due(), "The coefficients fall.")
    status, content = state()
    assert "The coefficients fall." in content
    assert "data-again" not in content
    # What is in force stays readable meanwhile.
    assert "21.21" in content


def test_where_cap_or_chip_bite_each_limit_of_the_table_has_its_edge(in_force):
    sheet = draft(**CAPPED, ante_minimum=100, ante_maximum=10_000)
    results = factories.computed_edge(sheet, edge_percent="25")
    assert set(results) == {100, 10_000}
    page = shown(sheet, ante=10_000).context["page"]
    assert [(ante["says"], ante["here"], ante["known"]) for ante in page["antes"]] == [
        ("1", False, "25.00 %"),
        ("100", True, "25.00 %"),
    ]
    for nonsense in ("x", "7", "9" * 40):
        assert shown(sheet, ante=nonsense).context["page"]["antes"][0]["here"]


def test_where_something_is_rounded_the_edge_without_that_stands_beside(in_force):
    sheet = draft(coefficients=factories.RATIOS | {"pair": "3:4"}, ante_minimum=101, ante_maximum=303)
    factories.computed_edge(sheet, edge_percent="25")
    says = ["where nothing is rounded", "1.01", "3.03"]
    for query, here in ((None, 1), ("none", 0), ("303", 2), ("x", 1), ("7", 1)):
        antes = shown(sheet, **({"ante": query} if query else {})).context["page"]["antes"]
        assert [(ante["says"], ante["here"]) for ante in antes] == [
            (words_, number == here) for number, words_ in enumerate(says)
        ]


def test_a_game_without_a_house_has_its_rake(seeded_db):
    raked = factories.published_sheet("genpoker", {"chip": 50, "stake": 500, "rake_percent": 5})
    free = factories.published_sheet("genpoker", {"chip": 50, "stake": 500})
    assert "By this sheet it keeps 5 % of each pot." in shown(raked).content.decode()
    assert "By this sheet it takes none." in shown(free).content.decode()
    (dealt,) = shown(free).context["page"]["frequencies"]
    assert (dealt["hands"], dealt["sample"]) == ("7\u2009624\u2009512", "")
    assert dealt["rows"][0] == {
        "name": "America",
        "clause": "genpoker.11",
        "share": "0.0017",
        "once": "59\u2009566",
        "error": "counted",
    }
    clara, path = factories.client("clara"), f"/api/v1/sheets/{raked.pk}/edge/"
    assert clara.get(path).json() == {"sheet": raked.pk, "results": []}
    answer = factories.send(clara, path, {})
    assert (answer.status_code, answer.json()["code"]) == (409, "edge_without_house")


def test_what_is_sampled_of_a_game_stands_there_with_its_error(seeded_db):
    (dealt,) = shown(factories.published_sheet("presidential", {})).context["page"]["frequencies"]
    assert dealt["sample"] == "2\u2009000\u2009000"
    rows = {row["name"].partition(",")[0]: row for row in dealt["rows"]}
    assert (rows["7:7"]["share"], rows["7:7"]["error"]) == ("0.00000054", "counted")
    assert (rows["0:7"]["share"], rows["0:7"]["once"]) == ("0", "")
    assert (rows["2:2:1:1:1"]["share"], rows["2:2:1:1:1"]["error"]) == ("48.3444", "±\u20090.0353")


def test_who_reads_sheets_reads_the_edge_and_has_none_computed(in_force):
    sheet = draft(coefficients=CAPPED["coefficients"])
    assert "Compute it" in shown(sheet, "clara").content.decode()
    content = shown(sheet, "david").content.decode()
    assert "Compute it" not in content
    assert "Ask a pit boss to have it computed." in content
    assert shown(sheet, "anna").status_code == 404


def test_what_is_drawn_is_drawn_of_any_figures():
    """Nothing divides by nought or looks for a figure that is none."""
    for percent in ("0", "99999", "-99999", "0.000000001"):
        figures = words._Figures(edges.figures(percent))
        assert figures.parts.keys() == figures.categories.keys() | {"ante_paid", "folded", "lost", "fees"}
        assert abs(sum(figures.parts.values()) + figures.edge) < 1
        assert words._gauge(figures, None, "draft", (Decimal("0.5"), Decimal(30)))["marks"]
        assert words._bands(figures, figures)["columns"]
        assert words._strategies(figures, None)["rows"]
        assert words._decisions(figures, None, "draft")["heads"]


def seek(sheet, category="flush", edge="22", **figures):
    """A coefficient sought, and computed where there are figures."""
    with transaction.atomic():
        edge_results.seek(rulesheets.rules_of(sheet), category, edge)
    if figures:
        while result := edge_results.due():
            edge_results.done(result, figures)
    return shown(sheet)


def test_a_coefficient_is_sought_and_says_what_it_leaves(in_force):
    """A straight at 4 to 1, a full house at 7."""
    asked = seek(in_force)
    assert asked.context["page"]["seek"]["works"]
    content = asked.content.decode()
    assert "data-again" in content
    assert "Waits for the worker." in content
    assert 'name="edge"' not in content, "what is typed would be gone with the next look"
    answers = {
        ("flush", "22", "13:2", "22.030000000"): "Flush at 13 to 2 leaves the house 22.03 % of an ANTE."
        " 7 to 1 would leave less than 22.00 %.",
        ("flush", "20", "7:1", "20.100000000"): "Flush at 7 to 1 leaves the house 20.10 % of an ANTE."
        " A higher one would pass its neighbour.",
        (
            "straight",
            "40",
            None,
            "23.500000000",
        ): "Even at 3 to 1, as low as its neighbour, it leaves the house 23.50 %: less than 40.00 %.",
        (
            "royal_flush",
            "-1.5",
            "5000:1",
            "-1.490000000",
        ): "Royal flush at 5000 to 1 leaves the house −1.49 % of an ANTE. 10001 to 2 would leave less than −1.50 %.",
    }
    for (category, wanted, coefficient, edge), says in answers.items():
        page = seek(in_force, category, wanted, coefficient=coefficient, edge_percent=edge, program="x")
        rows = {row["asks"]: row for row in page.context["page"]["seek"]["rows"]}
        assert says in [row["says"] for row in rows.values()]
    content = page.content.decode()
    assert f"from={in_force.pk}&amp;coefficients.royal_flush=5000:1" in content
    assert 'name="edge"' in content
    assert "data-again" not in content


def test_what_was_sought_opens_a_new_draft_with_it(in_force):
    def ratios(**query):
        answer = factories.client("clara").get("/sheets/new/", {"of": "split", "from": in_force.pk} | query)
        (section,) = [each for each in answer.context["sections"] if each.title == "Coefficients"]
        return {field["path"]: field["text"] for field in section.fields}

    as_it_is = ratios()
    assert as_it_is["coefficients.flush"] == "5:1"
    assert ratios(**{"coefficients.flush": "13:2"}) == as_it_is | {"coefficients.flush": "13:2"}
    for nonsense in ("<b>", "5", "0:1", "5:1:1", "٣:1", "99999999:1"):
        assert ratios(**{"coefficients.flush": nonsense}) == as_it_is


def test_who_reads_sheets_seeks_nothing(in_force):
    content = seek(in_force, coefficient="5:1", edge_percent="22.430000000", program="x") and shown(in_force, "david")
    assert "Flush at 5 to 1 leaves" in content.content.decode()
    assert "Seek it" not in content.content.decode()
    assert "Draft it" not in content.content.decode()
