"""What takes two people, and what a table needs before it plays: coefficients, rule sheets, sessions, sign-ons."""

import datetime as dt
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from audit import log
from audit.log import Actor
from audit.models import Entry
from casino.errors import Refused
from casino.models import Staff
from casino.running import embedded
from payouts import adjudication, coefficient_tables
from payouts.models import Account, CoefficientTable, Transfer
from tables.models import InForce, Posting, Round, RuleSheet, Session, SignOn, Table
from tables.people import staff
from tables.verbs import dates, fold, rounds, rulesheets, sessions
from tests.support import factories, stack, waiting
from tests.support.factories import RATIOS, actor, person


@pytest.fixture(autouse=True)
def _demo(seeded_db):
    """The demo casino."""


def written():
    """How much there is of everything that these verbs write."""
    return [
        model.objects.count()
        for model in (CoefficientTable, RuleSheet, InForce, Session, SignOn, Posting, Entry, Transfer, Round)
    ]


def refused(code, verb, **arguments):
    """The refusal of a verb, after a look that it wrote nothing."""
    before = written()
    with pytest.raises(Refused) as refusal, transaction.atomic():
        verb(**arguments)
    assert refusal.value.code == code
    assert refusal.value.way_out
    assert written() == before
    return refusal.value


def draft(**ratios):
    with transaction.atomic():
        return coefficient_tables.draft(game="split", name="Another", ratios={**RATIOS, **ratios}, actor=actor("clara"))


def draft_sheet(table=None, **values):
    with transaction.atomic():
        return rulesheets.draft(game="split", values=values, coefficient_table=table, actor=actor("clara"))


@pytest.mark.parametrize(
    ("ratios", "path"),
    [
        ({name: ratio for name, ratio in RATIOS.items() if name != "royal_flush"}, "coefficients.royal_flush"),
        ({**RATIOS, "flush": "5"}, "coefficients.flush"),
        ({**RATIOS, "flush": "0:1"}, "coefficients.flush"),
        ({**RATIOS, "flush": "1:1"}, "coefficients.flush"),
        ({**RATIOS, "five_aces": "500:1"}, "coefficients.five_aces"),
    ],
)
def test_a_coefficient_table_pays_every_category_and_no_other(ratios, path):
    refusal = refused(
        "coefficient_wrong", coefficient_tables.draft, game="split", name="Another", ratios=ratios, actor=actor("clara")
    )
    assert refusal.path == path


def test_a_coefficient_table_is_published_by_somebody_else_and_once():
    table = draft(pair="3:2", two_pair="3:2")
    refused("same_person", coefficient_tables.publish, table_id=table.pk, actor=actor("clara", "frank"))
    with transaction.atomic():
        published = coefficient_tables.publish(table_id=table.pk, actor=actor("frank"))
    assert published.ratios() == {**RATIOS, "pair": "3:2", "two_pair": "3:2"}
    refused("not_a_draft", coefficient_tables.publish, table_id=table.pk, actor=actor("frank"))


def test_a_sheet_is_published_by_somebody_else_with_published_coefficients_and_once():
    table = draft()
    sheet = draft_sheet(table, chip=100, ante_minimum=500, ante_maximum=5000)
    assert sheet.version == 2
    refused("same_person", rulesheets.publish, sheet_id=sheet.pk, actor=actor("clara"))
    refused("coefficients_unpublished", rulesheets.publish, sheet_id=sheet.pk, actor=actor("frank"))
    with transaction.atomic():
        coefficient_tables.publish(table_id=table.pk, actor=actor("frank"))
        published = rulesheets.publish(sheet_id=sheet.pk, actor=actor("frank"))
    told = json.loads(Entry.objects.filter(event="sheet.published").order_by("-seq").first().body)["facts"]
    assert told["sheet"] == published.digest == log.digest(log.canonical(told["rules"]))
    assert told["rules"]["limits"]["ante_maximum"] == 5000
    assert adjudication.sheet_of(published.rules) == rulesheets.checked(published)
    refused("not_a_draft", rulesheets.publish, sheet_id=sheet.pk, actor=actor("frank"))


def test_a_sheet_with_a_fault_is_refused_at_its_place():
    arguments = {"game": "split", "coefficient_table": None, "actor": actor("clara")}
    refusal = refused("sheet_wrong", rulesheets.draft, values={"chip": 100, "ante_minimum": 550}, **arguments)
    assert refusal.path == "ante_minimum"


def test_a_table_plays_by_a_new_sheet_from_the_next_round_on():
    anna, table = person("anna"), Table.objects.get(code="T1")
    sheet = draft_sheet(chip=100, ante_minimum=1000, ante_maximum=2000)
    refused(
        "sheet_unpublished",
        rulesheets.put_in_force,
        sheet_id=sheet.pk,
        table_id=table.pk,
        actor=actor("clara", "frank"),
    )
    with transaction.atomic():
        running = rounds.open_round(table_id=table.pk, actor=Actor(anna))
        rulesheets.publish(sheet_id=sheet.pk, actor=actor("frank"))
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=actor("clara", "frank"))
    assert fold.of(running).state.sheet.ante_minimum_units == 500
    assert rulesheets.in_force(table) == sheet


@pytest.mark.parametrize(
    ("game", "values"),
    [
        ("genpoker", {"stake": 500}),
        ("dynastia", {"chip": 50, "stake": 500}),
        ("presidential", {"chip": 150, "stake": 600, "bet_minimum": 600}),
        ("bigtwo", {"price": 100}),
        ("split", {"chip": 250, "ante_minimum": 500, "ante_maximum": 1000}),
    ],
)
def test_a_table_plays_no_sheet_whose_chip_its_smallest_does_not_divide(game, values):
    sheet = factories.published_sheet(game, values)
    place = {"sheet_id": sheet.pk, "table_id": Table.objects.get(code="T1").pk}
    refusal = refused("chip_not_payable", rulesheets.put_in_force, **place, actor=actor("clara", "frank"))
    assert refusal.clause == "house.5"
    assert f"chips of {values.get('chip', 1)}, but the smallest chip of Split 1 is 100." in refusal.message


def test_a_table_plays_a_sheet_in_larger_chips_than_its_smallest():
    sheet, table = factories.published_sheet("genpoker", {"chip": 500, "stake": 1000}), Table.objects.get(code="T1")
    with transaction.atomic():
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=actor("clara", "frank"))
    assert rulesheets.in_force(table) == sheet


def test_a_draft_from_before_sheets_had_a_chip_is_published_as_it_is():
    clara = person("clara")
    values = {"stake": 500, "rake_percent": 5, "rake_cap": None}
    with transaction.atomic():
        sheet = RuleSheet.objects.create(game="genpoker", version=7, values=values, drafted_by=clara)
        rules = rulesheets.rules_of(sheet)
        facts = {"rules": rules, "sheet": log.digest(log.canonical(rules)), "author": clara.ref}
        log.record("sheet.drafted", sheet.ref, chain=log.HOUSE, actor=Actor(clara), facts=facts)
        published = rulesheets.publish(sheet_id=sheet.pk, actor=actor("frank"))
    assert json.loads(published.rules)["limits"] == {"stake": 500}
    assert rulesheets.values_of(published) == {"chip": 1, **values}


def test_a_sheet_is_put_in_force_from_now_on_within_a_year_and_alone_at_its_moment():
    sheet, one, two = (
        factories.published_sheet("split", {"chip": 100, "ante_minimum": 500}),
        *Table.objects.order_by("pk")[:2],
    )
    place = {"sheet_id": sheet.pk, "actor": actor("clara", "frank")}
    now = timezone.now()
    for wrong in (now - dt.timedelta(seconds=1), now + dt.timedelta(days=365)):
        refused("moment_wrong", rulesheets.put_in_force, **place, table_id=one.pk, from_at=wrong)
    refused("tables_missing", rulesheets.put_in_force_at, **place, table_ids=[], from_at=None)
    at_eight = now + dt.timedelta(hours=8)
    with transaction.atomic():
        placed = rulesheets.put_in_force(**place, table_id=two.pk, from_at=at_eight)
    # At both tables, or at none.
    refused("moment_taken", rulesheets.put_in_force_at, **place, table_ids=[one.pk, two.pk], from_at=at_eight)
    assert rulesheets.coming(two) == [placed]
    entry = json.loads(Entry.objects.filter(chain_id=two.ref).order_by("-seq").first().body)
    assert entry["facts"]["from"] == log.spell_time(at_eight)


@pytest.mark.parametrize("second", [None, "clara"])
def test_one_person_alone_puts_no_sheet_in_force(second):
    table = Table.objects.get(code="T1")
    sheet = rulesheets.in_force(table)
    place = {"sheet_id": sheet.pk, "table_id": table.pk}
    refused("same_person", rulesheets.put_in_force, **place, actor=actor("clara", second))


def test_who_puts_a_sheet_in_force_and_who_approves_are_in_its_row_and_its_entry():
    table = Table.objects.get(code="T1")
    sheet, clara, frank = rulesheets.in_force(table), person("clara"), person("frank")
    with transaction.atomic():
        placed = rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=Actor(clara, frank))
    assert (placed.set_by, placed.approved_by) == (clara, frank)
    entry = json.loads(Entry.objects.filter(chain_id=table.ref).order_by("-seq").first().body)
    assert (entry["event"], entry["by"], entry["subject"]) == ("table.sheet_set", clara.ref, table.ref)
    assert entry["facts"] == {
        "sheet": sheet.digest,
        "from": log.spell_time(placed.from_at),
        "requester": clara.ref,
        "approver": frank.ref,
    }


def withdraw(*places, by="frank", second="ida"):
    with transaction.atomic():
        return rulesheets.withdraw(place_ids=[place.pk for place in places], actor=actor(by, second))


def test_two_others_withdraw_a_sheet_before_its_moment_and_another_takes_it():
    one, two = Table.objects.order_by("pk")[:2]
    at_eight = timezone.now() + dt.timedelta(hours=8)
    places = [factories.sheet_to_come(table, from_at=at_eight) for table in (one, two)]
    in_force = rulesheets.in_force(one)
    gone = withdraw(*places)
    assert [place.withdrawn_at < place.from_at for place in gone] == [True, True]
    assert not rulesheets.coming(one)
    assert rulesheets.in_force(one, at=at_eight) == in_force
    assert not [place for place in rulesheets.places() if place.pk in {each.pk for each in places}]
    entry = json.loads(Entry.objects.filter(chain_id=two.ref).order_by("-seq").first().body)
    assert (entry["event"], entry["by"]) == ("table.sheet_withdrawn", person("frank").ref)
    assert entry["facts"] == {
        "sheet": places[1].sheet.digest,
        "from": log.spell_time(at_eight),
        "requester": person("frank").ref,
        "approver": person("ida").ref,
    }
    refused("sheet_withdrawn", rulesheets.withdraw, place_ids=[places[0].pk], actor=actor("clara", "ida"))
    again = factories.sheet_to_come(one, from_at=at_eight)
    assert rulesheets.coming(one) == [again]


def test_a_sheet_that_counts_is_not_withdrawn_nor_is_one_beside_it():
    one, two = Table.objects.order_by("pk")[:2]
    counts, to_come = InForce.objects.get(table=one), factories.sheet_to_come(two)
    place_ids = [counts.pk, to_come.pk]
    refusal = refused("sheet_counts", rulesheets.withdraw, place_ids=place_ids, actor=actor("clara", "ida"))
    assert "is already in force at Split 1" in refusal.message
    assert rulesheets.coming(two) == [to_come]
    refused("places_missing", rulesheets.withdraw, place_ids=[], actor=actor("clara", "ida"))
    refused("same_person", rulesheets.withdraw, place_ids=[to_come.pk], actor=actor("clara", "clara"))
    refused("same_person", rulesheets.withdraw, place_ids=[to_come.pk], actor=actor("clara"))


def test_of_two_who_place_or_withdraw_at_once_one_does():
    table, at_eight = Table.objects.get(code="T1"), timezone.now() + dt.timedelta(hours=8)
    sheets = [factories.published_sheet("split", {"chip": 100, "ante_minimum": units}) for units in (500, 600)]
    done = factories.at_once(*(lambda s=each: factories.sheet_to_come(table, s, from_at=at_eight) for each in sheets))
    (place,) = (each for each in done if isinstance(each, InForce))
    assert [each.code for each in done if isinstance(each, Refused)] == ["moment_taken"]
    done = factories.at_once(lambda: withdraw(place), lambda: withdraw(place, by="clara"))
    assert [each.code for each in done if isinstance(each, Refused)] == ["sheet_withdrawn"]
    assert Entry.objects.filter(event="table.sheet_withdrawn").count() == 1


def test_a_round_that_opens_as_its_sheet_comes_into_force_waits_for_a_withdrawal_under_way():
    """Whoever holds the app's password withdraws it without the table's lock, and does not go through with it."""
    table, clara, frank = Table.objects.get(code="T1"), person("clara"), person("frank")
    place = factories.sheet_to_come(table, from_at=timezone.now() + dt.timedelta(seconds=1))
    name = connection.settings_dict["NAME"]
    with stack.cluster().connect(embedded.APP, name) as other, ThreadPoolExecutor(1) as thread:
        other.autocommit = False
        other.execute(
            "UPDATE tables_inforce SET withdrawn_at = now(), withdrawn_by_id = %s, withdrawn_with_id = %s"
            " WHERE id = %s",
            [clara.pk, frank.pk, place.pk],
        )
        waiting.until(lambda: timezone.now() > place.from_at)
        opened = thread.submit(factories.open_round, table)
        waiting.until(lambda: waiting.behind(other))
        other.rollback()
        assert opened.result().sheet == place.sheet
        thread.submit(lambda: connection.close()).result()  # noqa: PLW0108 - that of the thread


def test_a_session_takes_two_people_and_a_closed_table():
    table = Table.objects.get(code="T1")
    clara = person("clara")
    refused("session_open", sessions.begin, table_id=table.pk, actor=Actor(clara))
    factories.close_session(table, {})
    refused("session_closed", rounds.open_round, table_id=table.pk, actor=actor("anna"))
    before = balance("float")
    session = factories.open_session(table, {100: 1})
    assert session.business_date == dates.business_date()
    assert balance("float") == before + 100


def balance(kind):
    return Account.objects.with_balance().get(kind=kind, owner=Table.objects.get(code="T1").ref).balance_units


def test_a_croupier_stands_at_one_table_and_a_table_has_one_croupier():
    one, two = Table.objects.get(code="T1"), Table.objects.get(code="T2")
    by = person("clara")
    refused("table_taken", staff.sign_on, staff=person("greta"), table=one, actor=Actor(by))
    SignOn.objects.filter(table=two).update(signed_off_at="2026-11-21T05:00Z")
    refused("signed_on_elsewhere", staff.sign_on, staff=person("anna"), table=two, actor=Actor(by))


def test_the_log_names_nobody():
    names = [word for name in Staff.objects.values_list("name", flat=True) for word in name.split()]
    logins = list(Staff.objects.values_list("login", flat=True))
    for body in Entry.objects.values_list("body", flat=True):
        assert not [word for word in [*names, *logins] if f'"{word}' in body or f" {word}" in body]
