"""The pages of rule sheets: what is in force where and to come, a sheet in words beside another, and who does what."""

import datetime as dt
import json

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from audit import log
from audit.models import Entry
from casino import money
from casino.games import registry
from tables.models import RuleSheet
from tables.verbs import rulesheets, settling
from tables.words import sheets

from ...support import factories
from ...support.factories import actor, table

VALUES = {
    "chip": 100,
    "ante_minimum": 1000,
    "ante_maximum": 20_000,
    "max_payment": 5_000_000,
    "boxes": 5,
}


@pytest.fixture
def draft(seeded_db):
    """Frank has drafted the next sheet of Split Poker."""
    with transaction.atomic():
        return rulesheets.draft(game="split", values=VALUES, coefficient_table=None, actor=actor("frank"))


def shown(sheet, login="clara"):
    return factories.client(login).get(f"/sheets/{sheet.pk}/")


def text(parts):
    return " ".join(words for words, _ in parts)


def test_a_draft_is_read_in_words_beside_the_sheet_in_force(draft):
    (beside,) = shown(draft).context["compared"]
    assert beside["name"] == "Split Poker 1"
    assert beside["tables"] == "Split 1, Split 2, Split 3"
    assert {each.label: (text(each.before), text(each.after)) for each in beside["values"]} == {
        "Lowest ANTE": ("5", "10"),
        "Highest ANTE": ("100", "200"),
        "Maximum payment per box and round": ("none", "50\u2009000"),
        "Boxes": ("6", "5"),
    }
    assert beside["same"] == len(rulesheets.values_of(draft)) - 1 + 9 - 4
    capped = next(each for each in beside["sentences"] if each.clause == "split.24" and each.after)
    assert "50\u2009000" in text(capped.after)
    values = {each.label: each.text for each in shown(draft).context["sheet"]["values"]}
    assert (values["Lowest ANTE"], values["Flush"]) == ("10", "5 to 1")
    page = factories.client("david").get(f"/sheets/{draft.pk}/rules/").content.decode()
    assert "A draft has no fingerprint" in page


def test_who_drafted_a_sheet_is_not_offered_to_publish_it_and_a_published_one_has_tables(draft):
    clara, frank, ida = (shown(draft, login).context for login in ("clara", "frank", "ida"))
    assert [each["publishes"] for each in (clara, frank, ida)] == [True, False, False]
    assert [each["drafted_it"] for each in (clara, frank, ida)] == [False, True, False]
    assert clara["tables"] == []
    with transaction.atomic():
        rulesheets.publish(sheet_id=draft.pk, actor=actor("clara"))
    assert [each["name"] for each in shown(draft).context["tables"]] == ["Split 1", "Split 2"]
    assert not shown(draft, "ida").context["tables"]


def test_a_sheet_to_come_stands_at_its_tables_until_its_moment(draft):
    one, two, from_at = table("T1"), table("T2"), timezone.now() + dt.timedelta(days=1)
    with transaction.atomic():
        rulesheets.publish(sheet_id=draft.pk, actor=actor("clara"))
        rulesheets.put_in_force_at(
            sheet_id=draft.pk, table_ids=[two.pk, one.pk, one.pk], from_at=from_at, actor=actor("clara", "ida")
        )
    listed = factories.client("david").get("/sheets/").context
    rows = {each["name"]: each for each in listed["tables"]}
    assert rows["Split 1"]["now"]["name"] == "Split Poker 1"
    assert [each["name"] for each in rows["Split 1"]["coming"]] == ["Split Poker 2"]
    assert not rows["Split 3"]["coming"]
    (game,) = (each for each in listed["games"] if each["name"] == "Split Poker")
    assert [(each["version"], len(each["now"]), len(each["coming"])) for each in game["sheets"]] == [
        (2, 0, 2),
        (1, 3, 0),
    ]
    # Who sits at the table has notice, without a login.
    (notice,) = Client().get(f"/tables/{one.pk}/rules/").context["page"]["coming"]
    assert (notice["game"], notice["version"]) == ("Split Poker", 2)
    assert not Client().get(f"/tables/{table('T3').pk}/rules/").context["page"]["coming"]
    assert rulesheets.in_force(one).version == 1
    assert rulesheets.in_force(one, at=from_at) == draft


def test_a_sheet_to_come_is_withdrawn_on_its_page_by_who_has_its_table_and_its_people_are_said(draft):
    place = factories.sheet_to_come(table("T1"))
    assert [each["table"] for each in shown(place.sheet).context["withdraws"]] == ["Split 1"]
    assert not shown(place.sheet, "karl").context["withdraws"]
    assert not shown(place.sheet, "ida").context["withdraws"]
    body = {"places": [place.pk], "signature": factories.signature("ida")}
    address = f"/api/v1/sheets/{place.sheet_id}/withdraw/"
    elsewhere = factories.sheet_to_come(
        table("T1"), draft_published(draft), from_at=place.from_at + dt.timedelta(days=1)
    )
    for wrong in (elsewhere.pk, 10**9):
        answer = factories.send(factories.client("clara"), address, body | {"places": [place.pk, wrong]})
        assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (422, "place_unknown", "places[1]")
    assert factories.send(factories.client("karl"), address, body).json()["code"] == "place_unknown"
    answer = factories.send(factories.client("clara"), address, body)
    (told,) = answer.json()["in_force"]
    assert (told["withdrawn_by"], told["withdrawn_with"]) == (
        factories.person("clara").ref,
        factories.person("ida").ref,
    )
    context = shown(place.sheet).context
    assert not context["withdraws"]
    assert not context["sheet"]["coming"]
    (gone,) = context["withdrawn"]
    assert gone["table"] == "Split 1"
    (notice,) = Client().get(f"/tables/{place.table_id}/rules/").context["page"]["coming"]
    assert notice["version"] == draft.version


def draft_published(draft):
    with transaction.atomic():
        return rulesheets.publish(sheet_id=draft.pk, actor=actor("clara"))


def test_tables_that_play_by_a_sheet_from_now_on_do_so_from_one_moment_on_and_the_pages_ask_no_more_for_more(draft):
    def asked(address):
        with CaptureQueriesContext(connection) as asked_for:
            assert clara.get(address).status_code == 200
        return len(asked_for)

    clara, addresses = factories.client("clara"), ("/sheets/", f"/sheets/{draft.pk}/")
    with transaction.atomic():
        rulesheets.publish(sheet_id=draft.pk, actor=actor("clara"))
    before = [asked(address) for address in addresses]
    tables = [table("T1").pk, table("T2").pk]
    with transaction.atomic():
        placed = rulesheets.put_in_force_at(
            sheet_id=draft.pk, table_ids=tables, from_at=None, actor=actor("clara", "ida")
        )
    assert [place.table_id for place in placed] == tables
    assert placed[0].from_at == placed[1].from_at
    assert [asked(address) for address in addresses] == before


def fields(game, login="clara", more=""):
    """The form of a game's next sheet as a person gets it: path to text."""
    context = factories.client(login).get(f"/sheets/new/?of={game}{more}").context
    return {field["path"]: field["text"] for section in context["sections"] for field in section.fields}


def looked_at(game, texts, login="clara"):
    return factories.client(login).post("/sheets/new/preview/", texts | {"of": game})


@pytest.mark.parametrize("code", registry.GAMES)
def test_each_game_has_a_form_of_all_its_parameters_that_comes_to_the_sheet_it_began_with(draft, code):
    game, before = registry.GAMES[code], factories.written()
    context = factories.client("clara").get(f"/sheets/new/?of={code}").context
    shown_fields = [field for section in context["sections"] for field in section.fields]
    assert {field["path"].partition(".")[0] for field in shown_fields} == {each.name for each in game.parameters}
    assert all(field["clause"] in game.clauses for field in shown_fields)
    assert all(field["bounds"] or field["options"] or "." in field["path"] for field in shown_fields)
    answer = looked_at(code, fields(code))
    begun = rulesheets.most_played(code)
    command = json.loads(answer.context["command"])
    assert command == {"game": code, "values": rulesheets.values_of(begun)}
    assert factories.written() == before
    saved = factories.send(factories.client("ida"), "/api/v1/sheets/", command)
    assert (saved.status_code, saved.json()["status"]) == (201, "DRAFT")
    sheet = RuleSheet.objects.get(pk=saved.json()["id"])
    entry = json.loads(Entry.objects.filter(event="sheet.drafted").order_by("-seq").first().body)
    assert (entry["subject"], entry["by"]) == (sheet.ref, factories.person("ida").ref)
    assert entry["facts"]["sheet"] == log.digest(log.canonical(rulesheets.rules_of(sheet)))
    with transaction.atomic():
        assert rulesheets.publish(sheet_id=sheet.pk, actor=actor("clara")).digest == entry["facts"]["sheet"]


def test_a_draft_is_compared_before_it_is_saved_and_begins_as_another_is(draft):
    texts = fields("split", more=f"&from={draft.pk}")
    assert (texts["ante_minimum"], texts["max_payment"]) == ("10", "50000")
    answer = looked_at("split", texts | {"ante_minimum": "20", "coefficients.flush": "6:1", "max_payment": ""})
    (beside,) = answer.context["compared"]
    changes = {each.label: text(each.after) for each in beside["values"]}
    assert (changes["Lowest ANTE"], changes["Flush"]) == ("20", "6 to 1")
    assert "Maximum payment per box and round" not in changes
    assert "6 to 1" in answer.content.decode()
    assert RuleSheet.objects.filter(game="split").count() == 2


@pytest.mark.parametrize(
    ("game", "wrong", "path", "message", "way_out"),
    [
        ("split", {"ante_minimum": "5.50"}, "ante_minimum", "5.50; it must be a multiple of the smallest chip, 1.", ""),
        ("split", {"ante_minimum": "abc"}, "ante_minimum", '"abc" isn’t an amount.', "Enter it again."),
        ("split", {"ante_minimum": ""}, "ante_minimum", "Lowest ANTE is empty.", "Enter 0.01 to"),
        ("split", {"ante_minimum": "0"}, "ante_minimum", "runs from 0.01 to 10", "from 0.01 to 10"),
        ("split", {"boxes": "7"}, "boxes", "7; it runs from 1 to 6.", "Enter a whole number from 1 to 6."),
        ("split", {"coefficients.flush": "1:1"}, "coefficients.flush", "is lower than that of straight", "n:d"),
        ("split", {"coefficients.flush": ""}, "coefficients.flush", "not a ratio", "n:d"),
        ("split", {"unseen_cards": "x"}, "unseen_cards", "one of small_hand, house_way", "Choose one of"),
        (
            "genpoker",
            {"stake": "5.50"},
            "stake",
            "5.50; it must be a multiple of the smallest chip, 1.",
            "smallest chip",
        ),
        ("genpoker", {"rake_percent": "100"}, "rake_percent", "runs from 0 to 99", "from 0 to 99"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_at_its_field_in_the_currency(draft, game, wrong, path, message, way_out):
    before = factories.written()
    answer = looked_at(game, fields(game) | wrong)
    refusal = answer.json()
    assert (answer.status_code, refusal["path"]) == (422, path)
    assert message in refusal["message"]
    assert way_out in refusal["way_out"]
    assert factories.written() == before


def test_who_may_not_draft_has_no_form_and_no_preview(draft):
    assert factories.client("david").get("/sheets/new/").status_code == 404
    assert not factories.client("david").get("/sheets/").context["drafts"]
    assert looked_at("split", {}, "david").json()["code"] == "not_your_right"
    assert factories.client("clara").get("/sheets/new/?of=whist").status_code == 404


def test_every_sheet_that_the_house_has_is_shown(seeded_db):
    for sheet in RuleSheet.objects.all():
        assert shown(sheet, "david").status_code == 200
        assert factories.client("david").get(f"/sheets/{sheet.pk}/rules/").status_code == 200


def test_a_trial_shows_the_sum_what_changes_and_what_stands_apart(draft):
    won = factories.settled_round(table("T1"), factories.FLUSH_WINS)
    factories.settled_round(table("T1"), factories.FOLDS)
    tried = factories.client("clara").get(f"/sheets/{draft.pk}/trial/?rounds=5").context["tried"]
    assert (tried["rounds"], tried["boxes"], tried["changed"]) == (2, 0, 0)
    assert [(part["title"], part["count"]) for part in tried["apart"]] == [("Not known", 0), ("Couldn’t be played", 2)]
    with transaction.atomic():
        capped = {"chip": 100, "ante_minimum": 500, "max_payment": 1000}
        sheet = rulesheets.draft(game="split", values=capped, coefficient_table=None, actor=actor("frank"))
    context = factories.client("david").get(f"/sheets/{sheet.pk}/trial/?table={won.table_id}").context
    paid = won.settlement.payments.get(box=1).paid_units
    (row,) = context["tried"]["rows"]
    assert (row["id"], row["box"]) == (won.pk, 1)
    assert row["difference"] == context["tried"]["difference"] == money.spell(1000 - paid, 2)
    # Karl's pit has other tables, and no round of this game.
    assert factories.client("karl").get(f"/sheets/{sheet.pk}/trial/?table={won.table_id}").context["tables"] == []


def notices(place):
    """What Anna's terminal says of new rules, and the sheet that it shows."""
    screen = factories.client("anna").get(f"/tables/{place.pk}/terminal/").context["screen"]
    shown_sheet = next(fact["value"] for fact in screen["facts"] if fact["label"] == "Rule sheet")
    return [(each["fact"], each["way_out"]) for each in screen["new_rules"]], shown_sheet


def test_the_terminal_says_what_new_rules_change_before_their_moment_and_from_then_on(draft):
    place, old = table("T1"), rulesheets.in_force(table("T1"))
    with transaction.atomic():
        rulesheets.publish(sheet_id=draft.pk, actor=actor("clara"))
    draft.refresh_from_db()
    assert notices(place) == ([], old.short)
    factories.sheet_to_come(place, draft, from_at=timezone.now() + dt.timedelta(days=2))
    assert notices(place) == ([], old.short)
    changes = "Lowest ANTE: 5, then 10. Highest ANTE: 100, then 200. Boxes: 6, then 5. 1 more on the players’ page."
    soon = factories.sheet_to_come(place, draft, from_at=timezone.now() + dt.timedelta(minutes=50))
    local = soon.from_at.astimezone(sheets.Desk().reader.zone)
    assert notices(place) == ([(f"Split Poker 2 is in force from {local:%H:%M}.", changes)], old.short)
    with transaction.atomic():
        rulesheets.withdraw(place_ids=[soon.pk], actor=actor("clara", "frank"))
    assert notices(place) == ([], old.short)
    running = factories.open_round(place)
    with transaction.atomic():
        rulesheets.put_in_force(sheet_id=draft.pk, table_id=place.pk, actor=actor("clara", "frank"))
    # The round that is open keeps its sheet; the players' page and its fingerprint are those of the new one.
    assert notices(place) == ([("Split Poker 2 is in force from the next round on.", changes)], old.short)
    assert Client().get(f"/tables/{place.pk}/rules/").context["page"]["short"] == draft.short
    factories.act_all(running, factories.FOLDS)
    factories.close(running)
    settling.settle_due()
    assert factories.open_round(place).sheet == draft
    assert notices(place) == ([], draft.short)
