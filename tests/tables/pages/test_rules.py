"""The players' page: for everybody, the sheet in force and nothing else, on one page of paper."""

import html
import io
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
import segno
from django.conf import settings
from django.db import transaction
from django.test import Client

from casino.games import registry
from casino.models import Casino
from tables.pages import rules as rules_page
from tables.verbs import pits, rulesheets

from ...games import test_leaflets
from ...support import factories, stack, toy

GAMES = pytest.mark.parametrize("code", registry.GAMES)
LONGEST_NAME = "Grand Salon of the Rotunda, upper Room 7"
VIEWS = ((1280, 900), (390, 844))


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """A database in which tables get sheets of their own."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield database


def path(table):
    return f"/tables/{table.pk}/rules/"


def text(answer):
    """What is read of an answer, without its markup."""
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def read(table):
    return text(Client().get(path(table)))


def terminal_says(table):
    """The rule sheet among the facts of the terminal's top."""
    screen = factories.client("anna").get(f"/tables/{table.pk}/terminal/").context["screen"]
    return next(fact["value"] for fact in screen["facts"] if fact["label"] == "Rule sheet")


def put_in_force(table, sheet):
    with transaction.atomic():
        return rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=factories.actor("clara", "frank"))


def split_sheet(**values):
    return factories.published_sheet("split", {"chip": 100, "ante_minimum": 500, "ante_maximum": 10000, **values})


def test_everybody_reads_it_without_a_login_and_nothing_is_written_or_remembered(floor):
    before, table = factories.written(), factories.table("T1")
    answer = Client().get(path(table))
    told = text(answer)
    assert "Split Poker" in told
    assert "Split 1" in told
    assert not answer.cookies
    assert Client().head(path(table)).status_code == 200
    assert Client().post(path(table)).status_code == 405
    assert Client().get(f"/tables/{table.pk}/rules").headers["Location"] == path(table)
    assert factories.written() == before


def test_it_tells_nothing_of_who_deals_and_what_is_played(floor):
    table = factories.new_table()
    bare = read(table)
    round_ = factories.open_round(table)
    factories.do(round_, "ante", 1, units=1000)
    assert read(table) == bare
    assert not re.search(r"Anna|Clara|Staff|Round \d", bare)


def test_the_fingerprint_is_whole_and_its_short_form_is_what_the_terminal_shows(floor):
    table = factories.new_table()
    content = Client().get(path(table)).content.decode()
    short, rest = re.search(r'<p class="hash"><mark>(.+?)</mark> (.+?)</p>', content).groups()
    assert short == terminal_says(table)
    assert f"{short} {rest}".replace(" ", "").lower() == rulesheets.in_force(table).digest


def test_amounts_are_in_the_currency_and_the_sheet_has_its_number_and_day(floor):
    sheet = split_sheet(ante_maximum=250_000_000)
    table = factories.new_table(sheet)
    told = read(table)
    assert "Limits and choices, EUR" in told
    assert "ANTE, least 5 ANTE, most 2 500 000 ANTE in steps of ◆ 1 BET 2 × ANTE" in told  # thin spaces
    capped = split_sheet(max_payment=3_000_050)
    assert "Most paid per box ◆ 30 000.50" in read(factories.new_table(capped))  # a thin space
    since = rules_page.day(rulesheets.placed(table).from_at, Casino.objects.get().time_zone)
    assert f"Rule sheet {sheet.version}, in force from {since}" in told


def test_a_round_that_began_by_an_older_sheet_is_said(floor):
    older, newer = split_sheet(), split_sheet(max_payment=3_000_000)
    table = factories.new_table(older)
    factories.open_round(table)
    assert "newest round" not in read(table)
    put_in_force(table, newer)
    told = read(table)
    assert "Most paid per box ◆ 30 000" in told  # a thin space
    assert f"The newest round here was opened with rule sheet {older.version}, {older.short}," in told
    assert terminal_says(table) == older.short


def test_a_table_without_a_sheet_says_so(floor):
    with transaction.atomic():
        old = factories.table("T1")
        bare = pits.add_table(
            code="Z1", name="Bare 1", pit=old.pit, chip_set=old.chip_set, actor=factories.actor("clara")
        )
    told = read(bare)
    assert "Bare 1 No rule sheet is in force at this table." in told
    assert "Fingerprint" not in told


def test_a_table_that_does_not_exist_is_told_like_any_address_that_does_not(floor):
    for number in (10**6, 10**30):
        answer = Client().get(f"/tables/{number}/rules/")
        assert answer.status_code == 404
        assert answer.content == Client().get("/nothing/").content


def test_the_code_leads_to_the_page_at_the_host_that_was_asked_and_at_no_other(floor):
    table = factories.table("T1")
    for host in ("testserver", "localhost:8443"):
        content = Client().get(path(table), {"x": "1"}, headers={"host": host}).content.decode()
        address = f"http://{host}{path(table)}"
        drawn = re.search(r'<path[^>]+ d="([^"]+)"', content[content.index('class="qr"') :])[1]
        assert drawn in segno.make_qr(address, error="m").svg_inline(border=0)
        assert f'<p class="address">{address}</p>' in content
    assert Client().get(path(table), headers={"host": "evil.example"}).status_code == 400


def test_the_terminal_and_the_back_office_lead_to_it_and_staff_find_back(floor):
    table = factories.new_table()
    link = f'href="{path(table)}"'
    assert link in factories.client("anna").get(f"/tables/{table.pk}/terminal/").content.decode()
    assert link in factories.client("clara").get(f"/admin/tables/table/{table.pk}/change/").content.decode()
    assert '<a class="btn" href="/">' in factories.client("anna").get(path(table)).content.decode()
    assert 'href="/"' not in Client().get(path(table)).content.decode()


def test_a_sixth_game_has_its_page_too(floor, monkeypatch):
    monkeypatch.setitem(registry.GAMES, "toy", toy.TOY)
    table = factories.table_of("toy", {"stake": 150})
    told = read(table)
    assert "High Draw" in told
    assert "Stake 1.50 Rounds 3" in told
    assert "takes the pot and leads. Odd units in order. ◆ toy.3, house.1" in told


def longest(game):
    """The values of a sheet that says as much as any, in the largest amounts."""
    amounts = {parameter.name: parameter.maximum for parameter in game.parameters if parameter.kind == "units"}
    return max((values | amounts for values in test_leaflets.sheets(game)), key=lambda values: _length(game, values))


def _length(game, values):
    return len(test_leaflets.read(test_leaflets.leaflet(game, values)))


@pytest.fixture
def visit(page):
    """Go to an address in the browser, answered by the product without a network between."""

    def answer(route):
        asked = urlsplit(route.request.url)
        got = Client().get(asked.path, query_params=dict(parse_qsl(asked.query)))
        route.fulfill(status=got.status_code, headers=dict(got.headers), body=got.getvalue())

    page.route("**/*", answer)
    return lambda where: page.goto(f"http://testserver{where}")


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@GAMES
def test_all_that_may_ever_stand_on_it_prints_on_one_page_and_is_read_on_a_telephone(
    floor, page, visit, code, language
):
    from axe_playwright_python.base import AXE_SCRIPT
    from pypdf import PdfReader

    game = registry.GAMES[code]
    table = factories.new_table(factories.published_sheet(code, factories.in_chips(code, {})), LONGEST_NAME)
    factories.open_round(table, () if game.seats is None else (1, 2))
    put_in_force(table, factories.published_sheet(code, longest(game), edge_percent="21.21"))
    assert "newest round" in read(table)
    visit(f"{path(table)}?language={language}")
    assert page.locator("html").get_attribute("lang") == language
    for width, height in VIEWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for paper in ("A4", "Letter"):
        pages = PdfReader(io.BytesIO(page.pdf(format=paper))).pages
        assert len(pages) == 1, paper
        assert rulesheets.in_force(table).digest in re.sub(r"\s", "", pages[0].extract_text()).lower()
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found] == []
