"""The admin: every page for the roles that hold its right and nobody else, and nothing in it changes anything."""

import json
import re

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from audit import exports, inspections, seal
from audit.models import Checkpoint
from casino.models import Staff
from casino.roles import Right
from tables.models import Round, Session, SignOn, Table

from ...support import factories, stack

FLOOR, MONEY, LOG, EXPORT = Right.READ_FLOOR, Right.READ_MONEY, Right.READ_LOG, Right.EXPORT_LOG
INSPECT, SETTINGS = Right.INSPECT, Right.READ_SETTINGS
PAGES = {
    "casino.staff": FLOOR,
    "casino.casino": FLOOR,
    "casino.chipset": FLOOR,
    "casino.setting": SETTINGS,
    "audit.checkpoint": LOG,
    "audit.entry": LOG,
    "audit.export": EXPORT,
    "audit.inspection": INSPECT,
    "payouts.coefficienttable": FLOOR,
    "payouts.account": MONEY,
    "payouts.settlement": MONEY,
    "payouts.payment": MONEY,
    "payouts.transfer": MONEY,
    "payouts.movement": MONEY,
    "tables.pit": FLOOR,
    "tables.table": FLOOR,
    "tables.session": FLOOR,
    "tables.signon": FLOOR,
    "tables.posting": FLOOR,
    "tables.rulesheet": FLOOR,
    "tables.round": FLOOR,
    "tables.intervention": FLOOR,
    "tables.dispute": FLOOR,
    "tables.terminal": FLOOR,
}
# Who may read what; Anna, a croupier, nothing at all.
READERS = {
    "clara": {FLOOR, SETTINGS},
    "hugo": {MONEY},
    "david": {FLOOR, SETTINGS, MONEY, LOG, EXPORT, INSPECT},
    "ida": {FLOOR, SETTINGS, INSPECT},
}
SEARCHES = {
    "audit.checkpoint": ["SIZE"],
    "casino.staff": ["adler"],
    "payouts.settlement": ["round:1:1", "T1-00001", "1"],
    "payouts.payment": ["round:1:1", "T1-1", "1"],
    "payouts.transfer": ["round:1:1:3", "t1-1", "1"],
    "tables.table": ["T1"],
    "tables.round": ["T1-1", "T1-00001", "1", "T1", "round:1"],
    "tables.intervention": ["T1-1", "entered wrong", "1", "T1"],
    "tables.dispute": ["T1-1", "eight of hearts", "1", "T1"],
}
# What belongs to a round is found by what people call the round; the path leads from a row to the round.
OF_A_ROUND = {
    "payouts.settlement": "round_key",
    "payouts.payment": "settlement__round_key",
    "payouts.transfer": "settlement__round_key",
    "tables.round": "pk",
    "tables.intervention": "round_id",
    "tables.dispute": "round_id",
}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker, tmp_path_factory):
    """A seeded database with a row for every page."""
    folder = tmp_path_factory.mktemp("anchor")
    sealed = override_settings(LOG_KEYS=str(stack.seed_folder() / "keys"), ANCHOR_FILE=str(folder / "checkpoints"))
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database), sealed:
        settled, _, running, *_ = factories.furnish()
        factories.correct(settled, {"boxes[0].ante": 1500})
        # An undone and an amended entry.
        factories.do(running, "ante", 1, units=1000)
        factories.undo(running)
        factories.do(running, "ante", 2, units=1000)
        factories.amend(running, 3, units=2000)
        seal.keep_up(within=60)
        with transaction.atomic():
            exports.ask(kind="all", by=factories.person("david"))
            inspections.ask(by=factories.person("david"))
        yield database


@pytest.fixture(scope="module")
def clients(floor):
    return {login: factories.client(login) for login in ("anna", *READERS)}


def address(label, what=""):
    return f"/admin/{label.replace('.', '/')}/{what}"


def row(label):
    return apps.get_model(label).objects.order_by("pk").first().pk


def test_these_pages_are_registered_and_no_others_are_ours():
    admin.autodiscover()
    ours = {"casino", "audit", "payouts", "tables"}
    assert {model._meta.label_lower for model in admin.site._registry if model._meta.app_label in ours} == set(PAGES)
    assert {admin_.right for model, admin_ in admin.site._registry.items() if model._meta.label_lower in PAGES} == {
        FLOOR, SETTINGS, MONEY, LOG, EXPORT, INSPECT,
    }  # fmt: skip


@pytest.mark.parametrize("label", PAGES)
def test_a_page_is_for_the_roles_that_hold_its_right(clients, label):
    for login, rights in READERS.items():
        for path in (address(label), address(label, f"{row(label)}/change/")):
            assert clients[login].get(path).status_code == (200 if PAGES[label] in rights else 403), (login, path)
    refused = clients["anna"].get(address(label), follow=True)
    assert refused.status_code == 403
    assert refused.redirect_chain == [(f"/admin/login/?next={address(label)}", 302)]


@pytest.mark.parametrize(("label", "words"), [(label, words) for label, all_ in SEARCHES.items() for words in all_])
def test_a_search_finds_the_row_and_only_what_fits(clients, label, words):
    words = words.replace("SIZE", str(Checkpoint.objects.first().pk))
    found = clients["david"].get(address(label), {"q": words})
    assert found.status_code == 200
    assert found.context["cl"].result_count >= 1
    assert clients["david"].get(address(label), {"q": "nothing-like-it"}).context["cl"].result_count == 0


def found(client, label, words):
    """The rounds of the rows that a search finds, as ids."""
    rows = client.get(address(label), {"q": words}).context["cl"].queryset
    return {int(str(ref).removeprefix("round:")) for ref in rows.values_list(OF_A_ROUND[label], flat=True)}


@pytest.mark.parametrize("label", OF_A_ROUND)
def test_a_round_is_searched_by_its_number_its_table_and_its_day(clients, label):
    rounds = {round_.table.code: round_ for round_ in Round.objects.select_related("table", "session")}
    one, day = rounds["T1"], str(rounds["T1"].session.business_date)
    for words in ("T1-00001", "t1-1", "T1", f"T1 {day}", f"round:{one.pk}", one.table.name, one.table.name.lower()):
        assert found(clients["david"], label, words) == {one.pk}, words
    everywhere = found(clients["david"], label, day)
    assert one.pk in everywhere
    assert everywhere == found(clients["david"], label, "1") <= {round_.pk for round_ in rounds.values()}
    for words in ("T1-2", "T9-1", "2", "2026-02-31", "T2 T1-1", "1999-12-31"):
        assert found(clients["david"], label, words) == set(), words


@pytest.mark.parametrize("label", ["payouts.payment", "payouts.settlement", "payouts.transfer"])
def test_money_names_its_round_as_people_do(clients, label):
    rows = clients["david"].get(address(label), {"q": "T1-00001"}).content.decode()
    assert "T1-00001" in re.sub(r'value="[^"]*"', "", rows)
    one = clients["david"].get(address(label, f"{row(label)}/change/"))
    assert one.status_code == 200


def test_payments_tell_the_generation_and_the_outcome_in_the_game_s_words(clients):
    told = clients["david"].get(address("payouts.payment")).content.decode()
    columns = re.findall(r"field-(round_name|generation|box|said)[^>]*>(?:<a[^>]*>)?\s*([^<]*?)\s*<", told)
    assert ("round_name", "T1-00001") in columns
    assert {("generation", "1"), ("generation", "2")} <= set(columns)
    assert {word for name, word in columns if name == "said"} == {"BET pays", "Folded"}
    assert "round:1:" not in told
    filtered = clients["david"].get(address("payouts.payment"), {"outcome": "fold"}).context["cl"]
    assert {payment.outcome for payment in filtered.result_list} == {"fold"}


def test_a_list_names_all_its_rounds_in_one_query(clients):
    with CaptureQueriesContext(connection) as asked:
        clients["david"].get(address("payouts.payment"))
    assert sum('FROM "tables_round"' in query["sql"] for query in asked.captured_queries) == 1


def test_a_pit_boss_finds_no_round_of_another_pit(clients):
    assert found(clients["clara"], "tables.round", "T3") == set()
    assert found(clients["clara"], "tables.round", "T3-1") == set()
    own = Round.objects.filter(table__pit__code="M").values_list("pk", flat=True)
    assert found(clients["clara"], "tables.round", "1") == set(own)


def test_every_page_that_searches_is_searched_here():
    admin.autodiscover()
    searching = {model._meta.label_lower for model, page in admin.site._registry.items() if page.search_fields}
    assert searching & set(PAGES) == set(SEARCHES)


@pytest.mark.parametrize("label", PAGES)
def test_nothing_is_added_changed_or_deleted_by_anybody(clients, label):
    before, pk = factories.written(), row(label)
    stored = list(apps.get_model(label).objects.order_by("pk").values())
    for login in READERS:
        for what in ("add/", f"{pk}/change/", f"{pk}/delete/"):
            answer = clients[login].post(address(label, what), {"post": "yes", "name": "x", "status": "OPEN"})
            assert answer.status_code == 403, (login, what)
    for what in ("add/", f"{pk}/delete/"):
        assert clients["david"].get(address(label, what)).status_code == 403
    clients["david"].post(address(label), {"action": "delete_selected", "_selected_action": [pk], "post": "yes"})
    assert list(apps.get_model(label).objects.order_by("pk").values()) == stored
    assert factories.written() == before


def test_a_password_is_not_changed_past_the_log(clients):
    """It is changed on the page of one's account, with its entry; the admin has no page for it."""
    people = json.loads((stack.seed_folder() / "demo-logins.json").read_text())
    old = next(person["password"] for person in people if person["login"] == "hugo")
    new = {"old_password": old, "new_password1": "velvet-river-1", "new_password2": "velvet-river-1"}
    before = Staff.objects.get(login="hugo").password
    answer = clients["hugo"].post("/admin/password_change/", new)
    assert Staff.objects.get(login="hugo").password == before
    assert answer.status_code in {403, 404}


@pytest.mark.parametrize(
    "path",
    [
        address("casino.staff", "?password__startswith=argon2"),
        address("tables.signon", "?staff__password__startswith=argon2"),
        address("tables.posting", "?staff__password__startswith=argon2"),
        address("tables.terminal", "?token_digest__startswith=f"),
        address("tables.signon", "?terminal__token_digest__startswith=f"),
        address("tables.intervention", "?terminal__token_digest__startswith=f"),
    ],
)
def test_a_hash_can_t_be_guessed_by_filtering(clients, path):
    assert clients["david"].get(path).status_code == 400


def test_a_pit_boss_sees_the_rows_of_his_pit_alone(clients):
    rounds = {round_.table.code: round_ for round_ in Round.objects.select_related("table")}
    assert set(rounds) == {"T1", "T2", "T3"}
    # Split 2 was carried on once: it has two sessions.
    for label, of_pit, all_of_them in (
        ("tables.table", 2, Table.objects.count()),
        ("tables.session", 3, Session.objects.count()),
        ("tables.signon", 2, SignOn.objects.count()),
        ("tables.round", 2, 3),
    ):
        assert clients["clara"].get(address(label)).context["cl"].result_count == of_pit, label
        assert clients["david"].get(address(label)).context["cl"].result_count == all_of_them, label
    assert clients["clara"].get(address("tables.round", f"{rounds['T1'].pk}/change/")).status_code == 200
    foreign = clients["clara"].get(address("tables.round", f"{rounds['T3'].pk}/change/"))
    absent = clients["clara"].get(address("tables.round", "999999/change/"))
    assert (foreign.status_code, absent.status_code) == (404, 404)
    assert foreign.content == absent.content


def shown(client, round_):
    return client.get(address("tables.round", f"{round_.pk}/change/")).content.decode()


def told(client, round_):
    """A round as its history tells it."""
    return client.get(f"/admin/audit/entry/round/{round_.pk}/").content.decode()


def test_a_movement_tells_its_chips_in_its_list_and_leads_to_what_it_is_of(clients):
    listed = clients["david"].get("/admin/payouts/movement/").content.decode()
    assert re.search(r'href="/sessions/1/">Session 1</a>', listed)
    assert "100 of 25" in listed


def test_each_page_leads_back_to_the_floor_and_none_to_a_group_of_the_menu(clients):
    for login, label in (("clara", "Floor"), ("hugo", "Tables")):
        page = clients[login].get("/admin/payouts/account/" if login == "hugo" else "/admin/tables/session/")
        head = page.content.decode().partition('id="header-inner"')[2].partition("chevron_right")[0]
        assert re.search(rf'href="/"[^>]*>\s*{label}</a>', head), login
    row = clients["clara"].get(f"/admin/tables/session/{Session.objects.first().pk}/change/")
    assert 'href="/admin/tables/"' not in row.content.decode().partition('id="header-inner"')[2].partition("<main")[0]


def test_a_round_s_row_leads_to_its_page_and_tells_nothing_twice(clients):
    settled = Round.objects.get(status=Round.Status.SETTLED)
    page = shown(clients["david"], settled)
    assert f'href="/rounds/{settled.pk}/"' in page
    assert "Settlement 1" not in page
    assert "Corrected, line 2" not in page


def test_a_round_s_history_tells_every_generation_with_clauses_and_differences(clients):
    settled = Round.objects.get(status=Round.Status.SETTLED)
    page = told(clients["david"], settled)
    assert page.index("Settlement 2") < page.index("Settlement 1")
    assert "split.19" in page
    assert "difference +50" in page
    assert "ticked" in page
    assert f'href="/rounds/{settled.pk}/"' in page


def test_a_round_s_history_tells_its_timeline_with_undone_and_amended_entries(clients):
    page = told(clients["david"], Round.objects.get(status=Round.Status.OPEN))
    for words in (
        "<del>ANTE: 10</del> (undone by action 2)",
        "Takes action 1 back",
        "<del>ANTE: 10</del> (amended by action 4)",
        "ANTE: 20, in place of action 3",
        "Greta Graf",
    ):
        assert words in page
    page = told(clients["david"], Round.objects.get(status=Round.Status.SETTLED))
    for words in (
        "Corrected, line 2",
        "“Entered wrong.”",
        f"signed by Staff {factories.person('clara').pk}, Clara Conrad",
        "Box 1: ANTE: <del>10</del>",
    ):
        assert words in page


def test_a_terminal_s_page_has_no_digest(clients):
    pk = row("tables.terminal")
    assert "f" * 64 not in clients["david"].get(address("tables.terminal", f"{pk}/change/")).content.decode()


def test_anonymous_is_sent_to_the_login(floor):
    for path in ("/admin/", "/admin/search/?s=anna", "/admin/nothing/", *map(address, PAGES)):
        answer = Client().get(path)
        assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/admin/login/"), path
    answer = Client().get(address("payouts.transfer"), follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[-1] == ("/login/?next=/admin/payouts/transfer/", 302)


OURS = (
    *("/admin/house/", "/admin/audit/entry/", "/admin/audit/entry/1/change/", "/admin/audit/export/"),
    *("/admin/audit/export/rows/", "/admin/audit/entry/1/proof/"),
)
"""Our own pages in the admin; a round of the history is tried in the browser. Every other page there is unfold's."""


def test_unfold_s_own_pages_alone_have_the_relaxed_policy(clients):
    def policy(path):
        directives = clients["david"].get(path).headers["Content-Security-Policy"].split("; ")
        return dict(directive.split(" ", 1) for directive in directives)

    inside = [policy(path) for path in (address("tables.round"), "/admin/tables/", "/admin/audit/checkpoint/")]
    outside = [policy(path) for path in ("/", "/login/", "/api/v1/tables/", "/healthz", "/nothing", *OURS)]
    assert all("'unsafe-eval'" in found["script-src"] for found in inside)
    for found in outside:
        assert not any("unsafe" in sources for sources in found.values())
        assert found["default-src"] == found["frame-ancestors"] == found["base-uri"] == "'none'"
    for found in inside:
        assert found["default-src"] == found["frame-ancestors"] == found["base-uri"] == "'none'"


def test_our_own_pages_stand_in_our_own_frame():
    """One in unfold's would load scripts that its policy refuses."""
    pages = list((settings.BASE_DIR / "templates").rglob("*.html"))
    theirs = [path for path in pages if re.search(r'extends "(admin/base|unfold)', path.read_text())]
    # The frame of theirs, which says who was idle for too long.
    assert theirs == [settings.BASE_DIR / "templates" / "admin" / "base.html"]
    for path in pages:
        assert not re.search(r"\s(x-[a-z]+[.:=]|on[a-z]+=|style=|hx-)", path.read_text()), path


def test_the_frame_has_unfold_s_colours(clients):
    colors = clients["david"].get("/admin/house/").context["colors"]
    wanted = {
        f"--color-{name}-{weight}: {value};" for name, weights in colors.items() for weight, value in weights.items()
    }
    palette = (settings.BASE_DIR / "tables" / "static" / "tables" / "palette.css").read_text()
    assert set(re.findall("--color.*;", palette)) == wanted
