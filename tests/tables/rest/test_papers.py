"""Rounds from paper over REST: by whom, with whose signature, and the time as the casino's clocks showed it."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.utils import timezone

from casino.models import Casino
from tables.models import Round
from tables.people import staff

from ...support import factories
from ...support.factories import table
from .test_rest import is_refused

pytestmark = pytest.mark.usefixtures("seeded_db")
# Anna deals at T1 in Clara's pit, Boris at T2 beside it; Frank is the pit boss of another one.
TWO = """
anna   clara  201
anna   frank  signature_without_right
anna   boris  signature_without_right
anna   hugo   signature_without_right
anna   anna   same_person
clara  anna   201
clara  frank  201
clara  boris  signature_without_right
clara  hugo   signature_without_right
clara  clara  same_person
hugo   clara  not_your_right
david  clara  not_your_right
boris  clara  404
frank  clara  404
"""
PAIRS = [line.split() for line in TWO.strip().splitlines()]


def enter(by="anna", signed_by="clara", of="T1", **body):
    sent = {"paper": "412", "happened_at": timezone.now().isoformat(), "signature": factories.signature(signed_by)}
    return factories.send(factories.client(by), f"/api/v1/tables/{table(of).pk}/paper-rounds/", sent | body)


@pytest.mark.parametrize(("by", "signed_by", "fares"), PAIRS)
def test_one_of_the_two_is_a_pit_boss_of_the_table(by, signed_by, fares):
    answer = enter(by, signed_by)
    assert fares in {str(answer.status_code), answer.json()["code"] if answer.status_code != 201 else ""}
    assert Round.objects.exists() is (fares == "201")


def test_the_answer_says_when_it_was_played_on_which_paper_and_who_entered_it():
    at = timezone.now()
    told = enter(happened_at=at.isoformat()).json()
    two = [factories.person(login).ref for login in ("anna", "clara")]
    assert (told["paper"], told["happened_at"], told["status"]) == ("412", at.isoformat(), "OPEN")
    assert [told["opened_by"], told["opened_with"]] == two
    with transaction.atomic():
        factories.void(Round.objects.get())
    played = factories.send(factories.client("anna"), f"/api/v1/tables/{table().pk}/rounds/", {}).json()
    assert (played["paper"], played["happened_at"], played["opened_with"]) == (None, None, None)


def test_a_time_without_an_offset_is_that_of_the_casino_s_clocks():
    zone = ZoneInfo(Casino.objects.get().time_zone)
    at = timezone.now().astimezone(zone).replace(microsecond=0)
    while at < table().sessions.get().opened_at:
        at += dt.timedelta(seconds=1)
    told = enter(happened_at=at.replace(tzinfo=None).isoformat())
    if told.status_code == 422:
        assert told.json()["code"] == "moment_to_come"
        return
    assert dt.datetime.fromisoformat(told.json()["happened_at"]) == at


def test_an_hour_that_came_twice_is_asked_for_and_one_that_never_came_is_refused():
    both = {"times": ["2025-10-26T02:30:00+02:00", "2025-10-26T02:30:00+01:00"]}
    twice = enter(happened_at="2025-10-26T02:30")
    assert is_refused(twice, 422, "time_twice", path="happened_at", detail=both)
    for time in both["times"]:
        assert is_refused(enter(happened_at=time), 409, "paper_too_early")
    assert is_refused(enter(happened_at="2025-03-30T02:30"), 422, "time_left_out", path="happened_at")


@pytest.mark.parametrize(
    "text", ["", "21:05", "2026-11-25", "2026-11-25 21:05", "2026-13-25T21:05", "2026-11-25T24:05", "1999-01-01T00:00",
             "2026-11-25T21:05Z", "2026-11-25T21:05:00+99:00", "9999-12-31T23:59", "２026-11-25T21:05"],
)  # fmt: skip
def test_what_is_no_time_is_refused(text):
    assert is_refused(enter(happened_at=text), 422, "field_wrong", path="happened_at")


def test_a_pit_boss_who_was_relieved_of_the_pit_meanwhile_does_not_sign():
    with transaction.atomic():
        staff.leave(staff=factories.person("clara"), actor=factories.actor("ida", "frank"))
    assert enter().status_code == 403
    assert not Round.objects.exists()


def test_the_felt_says_so_and_has_no_clock_and_no_scanner():
    enter(paper="p-412")
    page = factories.client("anna").get(f"/tables/{table().pk}/terminal/").content.decode()
    assert "From paper P-412" in page
    assert "data-clock" not in page
    with transaction.atomic():
        factories.void(Round.objects.get())
    factories.open_round(table())
    page = factories.client("anna").get(f"/tables/{table().pk}/terminal/").content.decode()
    assert "From paper" not in page
    assert "data-clock" in page


def test_pages_and_the_back_office_name_the_paper_and_both():
    enter()
    pk = Round.objects.get().pk
    page = factories.client("clara").get(f"/rounds/{pk}/").content.decode()
    for words in ("From paper", "412", "Staff 1, Anna Adler and Staff", "Round opened from paper 412, played"):
        assert words in page, words
    admin = factories.client("david").get(f"/admin/tables/round/{pk}/change/").content.decode()
    assert "412" in admin
    history = factories.client("david").get(f"/admin/audit/entry/round/{pk}/").content.decode()
    assert "Round opened from paper 412" in history
