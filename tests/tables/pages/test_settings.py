"""The page of the house's settings: how each stands in words, for whom, and changed by two people in a browser."""

import datetime as dt

import pytest
from django.utils import timezone

from casino import settings_of_house
from casino.models import Setting

from ...support import factories

NAME = "closer_variance_units"


def shown(login="clara", name=NAME):
    context = factories.client(login).get("/settings/").context
    return next(each for each in context["settings"] if each["name"] == name)


def test_a_setting_that_nobody_set_shows_its_default_and_its_bounds(seeded_db):
    told = shown()
    assert (told["label"], told["value"], told["row"], told["coming"]) == ("Variance of a closing", "0 EUR", None, [])
    assert told["bounds"] == "0 to 100\u2009000 EUR; 0 EUR until it’s changed."
    assert told["about"] == settings_of_house.SETTINGS[NAME].about


def test_it_shows_who_set_it_from_when_and_what_comes_next(seeded_db):
    factories.set_setting(5050)
    factories.set_setting(7000, from_at=timezone.now() + dt.timedelta(days=2))
    told = shown()
    clara, ida = (factories.person(login) for login in ("clara", "ida"))
    assert told["value"] == "50.50 EUR"
    assert told["typed"] == "50.50"
    assert (told["row"]["by"], told["row"]["with"]) == (
        f"Staff {clara.pk}, {clara.name}",
        f"Staff {ida.pk}, {ida.name}",
    )
    (coming,) = told["coming"]
    assert coming["value"] == "70 EUR"


def test_the_next_gaming_days_may_be_chosen_by_when_they_begin(seeded_db):
    moments = [
        dt.datetime.fromisoformat(each["at"]) for each in factories.client("ida").get("/settings/").context["moments"]
    ]
    assert len(moments) == 7
    assert timezone.now() < moments[0] <= timezone.now() + dt.timedelta(days=2)
    assert moments == sorted(moments)
    assert factories.set_setting(from_at=moments[0]).from_at == moments[0]


@pytest.mark.parametrize(
    ("login", "reads", "proposes"),
    [
        ("clara", True, True),
        ("frank", True, True),
        ("ida", True, True),
        ("david", True, False),
        ("hugo", False, False),
        ("anna", False, False),
    ],
)
def test_pit_bosses_and_administrators_change_what_auditors_read(seeded_db, login, reads, proposes):
    answer = factories.client(login).get("/settings/")
    assert answer.status_code == (200 if reads else 404)
    assert (b"Change it" in answer.content) is proposes
    home = factories.client(login).get("/", follow=True).content
    assert (b'href="/settings/"' in home) is reads


def test_the_back_office_lists_all_changes_withdrawn_ones_too(seeded_db):
    factories.withdraw(factories.set_setting(from_at=timezone.now() + dt.timedelta(days=1)))
    answer = factories.client("david").get("/admin/casino/setting/")
    assert answer.status_code == 200
    assert NAME in answer.content.decode()
    assert factories.client("hugo").get("/admin/casino/setting/").status_code == 403
    number = Setting.objects.get().pk
    assert b'href="/settings/"' in factories.client("ida").get(f"/admin/casino/setting/{number}/change/").content
