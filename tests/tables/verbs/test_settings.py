"""A setting of the house is changed by two people, from now on or later, withdrawn before it, and read by the clock."""

import datetime as dt
import json

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from audit import log
from audit.models import Entry
from casino import settings_of_house
from casino.models import Setting
from tables.verbs import settings

from ...support import factories

NAME, OTHER = "closer_variance_units", "opener_variance_units"


def later(**ahead):
    return timezone.now() + dt.timedelta(**ahead)


def standing(name=NAME):
    return next(each for each in settings.standing() if each.definition.name == name)


def refused(code, *, signed_with="ida", **change):
    change = {"name": NAME, "value": 500, "from_at": None, "version": 0} | change
    return factories.refused(code, settings.change, actor=factories.actor("clara", signed_with), **change)


def facts_of(setting):
    return [
        json.loads(body)["facts"]
        for body in Entry.objects.filter(subject=setting.ref).order_by("seq").values_list("body", flat=True)
    ]


def test_each_setting_is_a_line_of_the_table_with_a_default_within_its_bounds():
    for name, definition in settings_of_house.SETTINGS.items():
        assert definition.name == name
        assert definition.fits(definition.default)
        assert definition.fits(definition.least)
        assert definition.fits(definition.most)
        assert definition.about.endswith(".")
        assert len(name) <= Setting._meta.get_field("name").max_length


def test_the_default_counts_until_two_people_set_another_value(seeded_db):
    assert settings_of_house.value(NAME) == 0
    assert standing() == (settings_of_house.SETTINGS[NAME], 0, None, [], 0)
    first = factories.set_setting(500)
    second = factories.set_setting(700)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert settings_of_house.value(NAME) == 700
    assert len(asked) == 1
    assert settings_of_house.value(OTHER) == 0
    assert settings_of_house.value(NAME, at=first.from_at) == 500
    assert settings_of_house.value(NAME, at=first.from_at - dt.timedelta(microseconds=1)) == 0
    assert standing()[1:] == (700, second, [], 2)
    clara, ida = (factories.person(login).ref for login in ("clara", "ida"))
    people = {"requester": clara, "approver": ida}
    (entry,) = Entry.objects.filter(subject=first.ref)
    assert (entry.chain_id, entry.event, entry.by) == (log.HOUSE, "setting.changed", clara)
    assert facts_of(first) == [
        {"what": NAME, "before": 0, "after": 500, "from": log.spell_time(first.from_at)} | people
    ]
    assert facts_of(second) == [
        {"what": NAME, "before": 500, "after": 700, "from": log.spell_time(second.from_at)} | people
    ]


def test_a_change_to_come_counts_from_its_moment_and_another_one_may_come_before_it(seeded_db):
    last = factories.set_setting(900, from_at=later(days=3))
    soon = factories.set_setting(300, from_at=later(days=1))
    assert settings_of_house.value(NAME) == 0
    assert settings_of_house.value(NAME, at=later(days=2)) == 300
    assert settings_of_house.value(NAME, at=later(days=4)) == 900
    assert standing()[1:] == (0, None, [soon, last], 2)
    # What counts then is what the change is compared with, not what counts now.
    refused("setting_unchanged", value=300, from_at=later(days=2), version=2)
    assert facts_of(factories.set_setting(0, from_at=later(days=2)))[0]["before"] == 300


def test_a_change_to_come_is_withdrawn_by_two_and_another_takes_its_moment(seeded_db):
    moment = later(days=1)
    setting = factories.set_setting(500, from_at=moment)
    refused("moment_taken", value=600, from_at=moment, version=1)
    gone = factories.withdraw(setting)
    assert gone.withdrawn_at < gone.from_at
    assert settings_of_house.value(NAME, at=later(days=2)) == 0
    assert standing()[1:] == (0, None, [], 2)
    clara, frank = (factories.person(login).ref for login in ("clara", "frank"))
    assert facts_of(setting)[1] == {
        "what": NAME,
        "before": 500,
        "from": log.spell_time(moment),
        "requester": clara,
        "approver": frank,
    }
    factories.refused(
        "setting_withdrawn", settings.withdraw, setting_id=setting.pk, actor=factories.actor("clara", "ida")
    )
    factories.set_setting(600, from_at=moment)
    assert settings_of_house.value(NAME, at=moment) == 600


def test_what_counts_is_not_withdrawn(seeded_db):
    setting = factories.set_setting(500)
    factories.refused("setting_counts", settings.withdraw, setting_id=setting.pk, actor=factories.actor("clara", "ida"))


def test_one_person_changes_nothing_and_withdraws_nothing(seeded_db):
    assert refused("same_person", signed_with="clara").path == "signature"
    assert refused("same_person", signed_with=None).path == "signature"
    setting = factories.set_setting(500, from_at=later(days=1))
    factories.refused("same_person", settings.withdraw, setting_id=setting.pk, actor=factories.actor("clara", "clara"))


@pytest.mark.parametrize("value", [-1, 10_000_001, True, "500", 1.5, None, 10**30])
def test_a_value_out_of_bounds_is_refused(seeded_db, value):
    refusal = refused("value_wrong", value=value)
    assert (refusal.path, refusal.way_out) == ("value", "Choose a value from 0 EUR to 100\u2009000 EUR.")


def test_what_is_no_setting_is_refused_with_the_names(seeded_db):
    refusal = refused("setting_unknown", name="SECRET_KEY")
    assert refusal.way_out == (
        "Choose one of these: alarm_escalation_minutes, break_due_minutes, break_minutes, buy_in_signed_units,"
        " cage_variance_units, case_hours, closer_variance_units, correction_rate_percent, dispute_hours,"
        " drop_box_hours, drop_variance_units, edge_least, edge_most, float_low_percent, large_cash_near_percent,"
        " large_cash_units, luck_once_in, opener_variance_units, pace_least, pace_most, question_hours, rate_rounds,"
        " refusal_people, report_files_days, report_files_forms, round_minutes, seal_seconds, settlement_seconds,"
        " settlement_tries, signature_by_password, slip_minutes, tips_variance_units,"
        " void_rate_percent."
    )
    with pytest.raises(KeyError):
        settings_of_house.value("SECRET_KEY")


def test_a_change_counts_neither_from_the_past_nor_from_beyond_a_year(seeded_db):
    for from_at in (later(seconds=-1), later(days=366), dt.datetime(8999, 1, 1, tzinfo=dt.UTC)):
        assert refused("moment_wrong", from_at=from_at).path == "from_at"


def test_who_saw_an_older_state_decides_again(seeded_db):
    setting = factories.set_setting(500, from_at=later(days=1))
    refusal = refused("stale_version", version=0)
    assert refusal.detail == {"version": 1}
    factories.withdraw(setting)
    refused("stale_version", version=1)


def test_of_two_changes_at_once_one_is_refused(seeded_db):
    def change(value):
        def work():
            with transaction.atomic():
                return settings.change(
                    name=NAME, value=value, from_at=None, version=0, actor=factories.actor("clara", "ida")
                )

        return work

    outcomes = factories.at_once(*(change(value) for value in (100, 200, 300, 400)))
    assert (
        sorted("done" if isinstance(outcome, Setting) else outcome.code for outcome in outcomes)
        == ["done"] + ["stale_version"] * 3
    )
    assert Setting.objects.count() == 1
