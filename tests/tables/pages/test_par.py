"""The PAR sheet: what its JSON adds up to, that the PDF is that JSON, and who may have it."""

import hashlib
import io
import json
from decimal import Decimal
from itertools import combinations_with_replacement

import pypdf
import pytest
from django.db import transaction

from casino import adjudicate
from casino.games.poker import CATEGORIES, strength
from payouts import edge_results
from tables.models import RuleSheet
from tables.verbs import rulesheets
from tables.words import edges as edge_words
from tables.words import par, par_method, par_printing

from ...support import edges, factories

CAPPED = {"coefficients": factories.RATIOS | {"flush": "6:1"}, "max_payment": 5_000}
PARTS = [
    *("identity", "rules", "wagers", "assumptions", "combinations", "risk", "volatility", "strategy"),
    *("sensitivity", "bands", "method", "signatures"),
]


@pytest.fixture
def published(seeded_db):
    """The sheet of Split Poker that tables play by; its edge is 21.21 %."""
    return RuleSheet.objects.get(game="split")


def draft(**values):
    with transaction.atomic():
        return rulesheets.draft(game="split", values=values, coefficient_table=None, actor=factories.actor("frank"))


def get(sheet, form, login="clara"):
    return factories.client(login).get(f"/sheets/{sheet.pk}/par.{form}")


def read(content):
    """A PDF's text, without its line ends, and its reader."""
    reader = pypdf.PdfReader(io.BytesIO(content))
    return " ".join("\n".join(page.extract_text() for page in reader.pages).split()), reader


def numbers(value):
    """Every value of an object that is no object or list."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [each for one in value for each in numbers(one)]
    return [value]


def test_the_twelve_parts_hold_texts_and_whole_numbers(published):
    report = par.of(published).report
    assert [*report] == ["document", "edition", *PARTS]
    assert {str if isinstance(each, str) else type(each) for each in numbers(report)} <= {str, int, bool, type(None)}


def added_up(report):
    """The laws of a PAR sheet's figures, for whoever has the JSON alone."""
    total = report["combinations"]["total"]
    hands = report["combinations"]["hands"]
    assert sum(each["combinations"] for each in hands) == total == 2_598_960
    assert abs(sum(Decimal(each["share"]) for each in hands) - 1) < Decimal("1e-8")
    rows = [
        report[part]["by_ante"] for part in ("combinations", "risk", "volatility", "strategy", "sensitivity", "bands")
    ]
    for parts, risk, spread, strategy, sensitivity, bands in zip(*rows, strict=True):
        assert len({each["ante"] for each in (parts, risk, spread, strategy, sensitivity, bands)}) == 1
        expectation = Decimal(risk["expectation"])
        together = sum(Decimal(each["contribution"]) for each in [*parts["categories"], *parts["rest"]])
        assert Decimal(parts["sum"]) == together
        assert together + Decimal(parts["rounding"]) == expectation == Decimal(parts["expectation"])
        assert abs(Decimal(parts["rounding"])) < Decimal("1e-8")
        assert abs(Decimal(risk["edge_percent"]) + 100 * expectation) < Decimal("1e-6")
        assert Decimal(risk["risk_percent"]) + Decimal(risk["returned_percent"]) == 100
        assert abs(Decimal(spread["standard_deviation"]) ** 2 - Decimal(spread["variance"])) < Decimal("1e-5")
        for each in strategy["simple"]:
            cost = 100 * (expectation - Decimal(each["expectation"]))
            assert abs(cost - Decimal(each["cost_percent"])) < Decimal("1e-6")
        for each in sensitivity["rows"]:
            then = Decimal(risk["edge_percent"]) - Decimal(each["cost_percent"])
            assert abs(then - Decimal(each["edge_percent_at_most"])) < Decimal("1e-8")
        for each in bands["rows"]:
            wide = 200 * Decimal(spread["standard_deviation"]) / Decimal(each["rounds"]).sqrt()
            assert abs(Decimal(each["upper_percent"]) - Decimal(risk["edge_percent"]) - wide) < Decimal("1e-8")
            assert abs(Decimal(each["lower_percent"]) - Decimal(risk["edge_percent"]) + wide) < Decimal("1e-8")


def test_everything_in_the_json_adds_up(published):
    given = json.loads(get(published, "json").content)
    added_up(given)
    assert given["risk"]["by_ante"][0]["edge_percent"] == "21.208935989"
    for each in given["combinations"]["by_ante"][0]["categories"]:
        numerator, denominator = map(int, each["coefficient"].split(":"))
        assert Decimal(each["paid_on_bet"]) * denominator == 2 * numerator
    # What the page shows is what a regulator is shown.
    page = edge_words.of(published)
    shown = {row["label"]: row["says"] for row in page["sensitivity"]}
    rows = given["sensitivity"]["by_ante"][0]["rows"]
    assert {row["label"]: f"{Decimal(row['cost_percent']):.3f}" for row in rows} == shown
    ends = [
        f"{Decimal(row['lower_percent']):.1f} to {Decimal(row['upper_percent']):.1f}".replace("-", "−")
        for row in given["bands"]["by_ante"][0]["rows"]
    ]
    assert ends == [column["says"] for column in page["bands"]["columns"]]


def test_the_hands_are_counted_as_they_are_dealt():
    """Each multiset of ranks once in mixed suits and, of five different ranks, four times in one."""
    ranks, counted = "23456789TJQKA", dict.fromkeys(CATEGORIES, 0)
    ways = {1: 4, 2: 6, 3: 4, 4: 1}
    for five in combinations_with_replacement(ranks, 5):
        counts = [five.count(rank) for rank in set(five)]
        if max(counts) > 4:
            continue
        suits = iter("cdhscdhs")
        mixed = strength([rank + next(suits) for rank in five])
        every = 1
        for count in counts:
            every *= ways[count]
        if len(counts) == 5:
            counted[strength([rank + "c" for rank in five]).name] += 4
            every -= 4
        counted[mixed.name] += every
    assert counted == par.COMBINATIONS


def test_the_pdf_is_that_json_with_its_digest_and_the_same_bytes_each_time(published):
    answer, given = get(published, "pdf"), get(published, "json")
    name = f"par-split-{published.version}"
    assert (answer["Content-Type"], given["Content-Type"]) == ("application/pdf", "application/json")
    assert answer["Content-Disposition"] == f'attachment; filename="{name}.pdf"'
    assert given["Content-Disposition"] == f'attachment; filename="{name}.json"'
    assert (get(published, "pdf", "david").content, get(published, "json", "ida").content) == (
        answer.content,
        given.content,
    )
    digest = hashlib.sha256(given.content).hexdigest()
    text, reader = read(answer.content)
    assert all(digest in "".join(page.extract_text().split()) for page in reader.pages), "on every page"
    for heading in par_printing.HEADINGS.values():
        assert heading in text
    report = json.loads(given.content)
    assert report["identity"]["sheet"]["rules_sha256"] == published.digest
    dense = text.replace(" ", "").replace("\u200b", "")
    assert published.digest in dense
    (result,) = report["identity"]["results"]
    assert result["key"] in dense
    for row in report["combinations"]["by_ante"][0]["categories"]:
        assert f"{Decimal(row['share_paid']) * 100:.7f}" in text
        assert f"+{Decimal(row['contribution']) * 100:.7f}" in text
    for row in report["bands"]["by_ante"][0]["rows"]:
        assert f"{Decimal(row['upper_percent']):.4f}".replace("-", "−") in text
    for signed in report["signatures"]["log"]:
        assert signed["entry"]["digest"] in dense
    assert "DRAFT" not in text
    root = reader.trailer["/Root"]
    assert ("/StructTreeRoot" in root, reader.metadata.title) == (True, f"PAR sheet: Split Poker {published.version}")
    for person in ("Anna", "Clara", "Frank", "Adler"):
        assert person not in text, "people are numbers"


def test_a_draft_has_one_that_says_so_on_every_page(published):
    sheet = draft(**CAPPED, ante_minimum=100, ante_maximum=10_000)
    results = factories.computed_edge(sheet, edge_percent="25")
    report = par.of(sheet).report
    added_up(report)
    assert (report["identity"]["sheet"]["status"], report["identity"]["published"]) == ("draft", None)
    assert [each["ante"] for each in report["identity"]["results"]] == list(results) == [100, 10_000]
    paid = [[row["paid_on_bet"] for row in each["categories"]] for each in report["combinations"]["by_ante"]]
    assert (paid[0][-1], set(paid[1])) == ("50.000000", {"0.500000"})
    text, reader = read(get(sheet, "pdf").content)
    assert all("DRAFT" in page.extract_text() for page in reader.pages)
    assert "Nobody plays by it." in text
    assert f"manage.py edge --sheet {sheet.pk} --ante 10000 --json" in text
    # Once it is published it is another one.
    before = par.of(sheet).digest
    with transaction.atomic():
        rulesheets.publish(sheet_id=sheet.pk, actor=factories.actor("clara"))
    assert par.of(RuleSheet.objects.get(pk=sheet.pk)).digest != before


def test_the_examples_are_rounds_that_the_game_settles(published):
    capped = draft(**CAPPED, ante_minimum=100, ante_maximum=10_000)
    factories.computed_edge(capped)
    fractions = factories.RATIOS | {"pair": "3:2", "two_pair": "7:4"}
    chips = draft(coefficients=fractions, chip=100, ante_minimum=100, ante_maximum=10_000)
    factories.computed_edge(chips)
    other = draft(coefficients=CAPPED["coefficients"], unseen_cards="house_way", small_hand_loss_pays="coefficient")
    factories.computed_edge(other)
    for sheet, cut in ((published, False), (capped, "split.24"), (chips, "split.23"), (other, False)):
        examples = par.of(sheet).report["rules"]["examples"]
        assert [each["outcome"]["code"] for each in examples[:4]] == ["win_bet", "win_ante", "no_game", "win_bet"]
        assert len(examples) == (5 if cut else 4)
        if cut:
            assert cut in [reason["clause"] for reason in examples[4]["reasons"]]
        for number, each in enumerate(examples, 1):
            answer, ok = adjudicate.answer(json.dumps(each["line"]).encode(), number, explain=True)
            assert ok
            (box,) = answer["boxes"]
            assert (box["outcome"], box["net"]) == (each["outcome"]["code"], each["net"])
            assert [reason["clause"] for reason in answer["explanation"]] == [r["clause"] for r in each["reasons"]]
            assert each["line"]["coefficients"] == sheet.values["coefficients"]


def test_where_a_payment_is_cut_one_more_to_one_costs_what_is_paid_more(published):
    sheet = draft(**CAPPED, ante_minimum=100, ante_maximum=10_000)
    factories.computed_edge(sheet)
    low, high = par.of(sheet).report["sensitivity"]["by_ante"]
    # At 100: 6 to 1 on 200 and the cap is far. At 10,000 every payment is the cap.
    assert [row["cost_percent"] for row in low["rows"]][4] == "2.680000000"
    assert {row["cost_percent"] for row in high["rows"]} == {"0.000000000"}


def test_there_is_none_before_each_edge_is_computed(published):
    sheet = draft(**CAPPED, ante_minimum=100, ante_maximum=10_000)
    with transaction.atomic():
        edge_results.ask(rulesheets.rules_of(sheet))
    edge_results.done(edge_results.due(), edges.figures())
    api = factories.client("clara").get(f"/api/v1/sheets/{sheet.pk}/par/")
    given, page = get(sheet, "json"), get(sheet, "pdf")
    assert (api.status_code, given.status_code, page.status_code) == (409, 409, 409)
    assert api.json() == given.json()
    assert api.json()["code"] == "edge_not_computed"
    assert "is not computed at each ANTE" in page.content.decode()
    pots = factories.published_sheet("genpoker", {"chip": 50, "stake": 500})
    assert get(pots, "json").json()["code"] == "edge_without_house"


def test_who_reads_sheets_has_it_and_nobody_else(published):
    for login in ("clara", "frank", "david", "ida"):
        assert get(published, "json", login).status_code == 200
    assert {get(published, form, login).status_code for form in ("pdf", "json") for login in ("anna", "hugo")} == {404}
    assert factories.client("clara").get("/sheets/999/par.pdf").status_code == 404


def test_rest_gives_the_same_with_where_its_files_are(published):
    given = factories.client("david").get(f"/api/v1/sheets/{published.pk}/par/").json()
    content = factories.client("david").get(given["json"]).content
    assert hashlib.sha256(content).hexdigest() == given["digest"]
    assert json.loads(content) == given["par"]
    assert factories.client("david").get(given["pdf"])["Content-Type"] == "application/pdf"


def test_its_page_leads_to_it(published):
    assert (
        f"/sheets/{published.pk}/par.pdf"
        in factories.client("david").get(f"/sheets/{published.pk}/edge/").content.decode()
    )
    sheet = draft(coefficients=CAPPED["coefficients"])
    assert "par.pdf" not in factories.client("david").get(f"/sheets/{sheet.pk}/edge/").content.decode()


def test_the_spread_by_open_card_stands_where_a_result_has_it(published):
    sheet = draft(coefficients=CAPPED["coefficients"])
    cards = [{"rank": rank, "expectation": "-0.224300000", "variance": "6.250000000"} for rank in "23456789TJQKA"]
    factories.computed_edge(sheet, open_cards=cards)
    spread = par.of(sheet).report["volatility"]["by_ante"][0]
    assert {card["standard_deviation"] for card in spread["open_cards"]} == {"2.500000000"}
    assert spread["standard_deviation_between_open_cards"] == "0.000000000"
    text = read(get(sheet, "pdf").content)[0]
    assert "2.500000" in text
    assert "Covariance of two boxes" not in text


def test_the_covariance_is_the_one_figure_that_is_sampled_and_has_its_standard_error(published):
    report = par.of(published).report
    (spread,) = report["volatility"]["by_ante"]
    (figures,) = (each.figures for each in edge_results.of(rulesheets.rules_of(published)).values())
    assert spread["covariance_error"] == figures["covariance_error"]
    assert [card["covariance"] for card in spread["open_cards"]] == [
        card["covariance"] for card in figures["open_cards"]
    ]
    text = read(get(published, "pdf").content)[0]
    assert f"{Decimal(spread['covariance_error']):.6f}" in text
    assert f"+{Decimal(spread['open_cards'][0]['covariance']):.6f}" in text
    assert any("is sampled" in step for step in report["method"]["steps"])


def test_what_is_proven_stands_in_the_docs():
    docs = (par._PROJECT.parent / "docs" / "edge.md").read_text("utf-8")
    for figure in (
        "5e-10",
        "−0.052243",
        "52.23",
        "1,768,000",
        "2,598,960",
        "6,175",
        "49,205",
        "141,141",
        "1,035",
        "1e-12",
    ):
        assert figure in docs
        text = json.dumps(par_method.method("sheet:1", [None]), ensure_ascii=False)
        assert figure.replace(",", "\u2009") in text, figure
