"""What an auditor reads of money and people is an entry of the log, as what is read of the log; nobody else's is."""

import json

import pytest
from django.apps import apps
from django.contrib import admin
from django.db.models import ForeignKey

from audit.models import Entry
from casino.models import Staff

from ...support import factories, stack
from .test_admin import MONEY, PAGES, address, row
from .test_admin import floor as floor

# The house's own settings, and the log, whose looks are `history.read`.
UNRECORDED = {
    "casino.casino", "casino.chipset", "audit.checkpoint", "audit.entry", "audit.export", "audit.inspection",
}  # fmt: skip
RECORDED = sorted(set(PAGES) - UNRECORDED)


@pytest.fixture(scope="module")
def david(floor):
    return factories.client("david")


def looks():
    bodies = Entry.objects.filter(event="records.read").order_by("seq").values_list("body", flat=True)
    return [json.loads(body) for body in bodies]


def new_looks(read):
    before = len(looks())
    answer = read()
    return answer, looks()[before:]


def facts(read):
    answer, entries = new_looks(read)
    assert answer.status_code == 200
    return [entry["facts"] for entry in entries]


def test_every_page_with_money_or_people_is_recorded():
    admin.autodiscover()
    for model, page in admin.site._registry.items():
        label = model._meta.label_lower
        if label in PAGES:
            assert page.recorded == (label in RECORDED), label
            keys = [field for field in model._meta.fields if isinstance(field, ForeignKey)]
            if PAGES[label] == MONEY or any(key.related_model is Staff for key in keys):
                assert page.recorded or label in {"audit.export", "audit.inspection"}, label


@pytest.mark.parametrize("label", RECORDED)
def test_an_auditor_s_look_at_a_list_and_at_a_row_is_an_entry_each(david, label):
    name, key = label.partition(".")[2], row(label)
    assert facts(lambda: david.get(address(label))) == [{"what": name}]
    assert facts(lambda: david.get(address(label, f"{key}/change/"))) == [{"what": f"{name}:{key}"}]


@pytest.mark.parametrize("label", RECORDED)
def test_nobody_else_s_is(floor, label):
    login = "hugo" if PAGES[label] == MONEY else "clara"
    assert facts(lambda: factories.client(login).get(address(label))) == []


def test_the_entry_says_who_and_stands_in_the_house_s_chain(david):
    _, (entry,) = new_looks(lambda: david.get(address("payouts.account")))
    assert (entry["by"], entry["chain"], entry["subject"]) == (factories.person("david").ref, "house", "records")


@pytest.mark.parametrize(
    ("label", "asked", "said"),
    [
        ("payouts.transfer", {"p": "2"}, {"p": "2"}),
        ("payouts.transfer", {"o": "-1"}, {"o": True}),
        ("payouts.transfer", {"reason__exact": "wager"}, {"reason__exact": "wager"}),
        ("payouts.transfer", {"business_date__gte": "2026-11-01"}, {"business_date__gte": "2026-11-01"}),
        ("payouts.transfer", {"q": "T1-00001"}, {"search": True}),
        ("casino.staff", {"q": "Anna Adler"}, {"search": True}),
        ("casino.staff", {"login__startswith": "anna"}, {"login__startswith": True}),
        ("casino.staff", {"name__icontains": "Adler"}, {"name__icontains": True}),
        ("casino.staff", {"is_active__exact": "1"}, {"is_active__exact": "1"}),
        ("tables.round", {"status__exact": "SETTLED"}, {"status__exact": "SETTLED"}),
    ],
)
def test_it_says_how_a_list_was_cut_and_never_what_was_typed(david, label, asked, said):
    assert facts(lambda: david.get(address(label), asked)) == [{"what": label.partition(".")[2], "range": said}]


@pytest.mark.parametrize("label", RECORDED)
@pytest.mark.parametrize("path", ["999999/change/", "x/change/", "?nothing=Adler", "?id__exact=Adler", "add/"])
def test_what_shows_nothing_is_no_entry(david, label, path):
    answer, entries = new_looks(lambda: david.get(address(label, path)))
    assert answer.status_code != 200
    assert entries == []


@pytest.mark.parametrize("label", RECORDED)
def test_django_s_own_ways_to_people_past_the_log_are_closed(david, label):
    app, _, model = label.partition(".")
    assert david.get(address(label, f"{row(label)}/history/")).status_code == 404
    for field in apps.get_model(label)._meta.fields:
        query = {"app_label": app, "model_name": model, "field_name": field.name, "term": ""}
        assert david.get("/admin/autocomplete/", query).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/rounds/{round}/",
        "/api/v1/rounds/{round}/",
        "/sessions/{session}/",
        "/disputes/{dispute}/",
        "/api/v1/disputes/{dispute}/",
    ],
)
def test_the_pages_and_rest_of_a_round_a_session_and_a_dispute_too(floor, david, path):
    kinds = {kind: row(f"tables.{kind}") for kind in ("round", "session", "dispute")}
    kind = next(kind for kind in kinds if f"{{{kind}}}" in path)
    there = path.format(**kinds)
    assert facts(lambda: david.get(there)) == [{"what": f"{kind}:{kinds[kind]}"}]
    assert facts(lambda: factories.client("clara").get(there)) == []


def test_what_can_t_be_recorded_is_not_shown(floor, david):
    with stack.cluster().connect(database=floor) as superuser:
        superuser.execute("ALTER TABLE audit_entry RENAME TO audit_elsewhere")
        try:
            with pytest.raises(Exception, match="audit_entry"):
                david.get(address("payouts.account"))
        finally:
            superuser.execute("ALTER TABLE audit_elsewhere RENAME TO audit_entry")
