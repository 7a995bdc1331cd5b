"""Who reads a page in which language: the person's choice, the browser's, and what stays in English."""

import json
import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from casino.models import Staff
from tables.models import DropBox
from tables.pages.urls import urlpatterns
from tables.people import languages
from tables.verbs import settling
from tables.verbs.wording import WORDING

from ...casino.test_routes import furnished
from ...support import factories

COOKIE = settings.LANGUAGE_COOKIE_NAME
PRINTED = {"slip-paper"}
"""What is printed is in English, whoever prints it."""
LEADING_ON = {"home", "paper-newest", "second-step"}
"""From there whoever deals, is logged in, or enters a round from paper is led on."""


def choose(client, language, next_="/login/"):
    return client.post("/account/language/", {"language": language, "next": next_})


def test_a_browser_keeps_the_language_that_is_chosen_at_its_login(seeded_db, client):
    assert 'lang="en-gb"' in client.get("/login/").content.decode()
    assert choose(client, "de").headers["Location"] == "/login/"
    shown = client.get("/login/").content.decode()
    assert 'lang="de"' in shown
    assert "Anmelden" in shown
    assert "/words/de.js" in shown


def test_a_persons_choice_goes_before_the_browsers_and_with_them_to_another(seeded_db):
    anna, elsewhere = factories.client("anna"), factories.client("anna")
    anna.cookies[COOKIE] = "de"
    table = factories.table()
    place = f"/tables/{table.pk}/terminal/"
    assert 'lang="de"' in anna.get(place).content.decode()
    choose(anna, "en-gb", place)
    assert Staff.objects.get(login="anna").language == "en-gb"
    assert 'lang="en-gb"' in anna.get(place).content.decode()
    choose(anna, "de", place)
    assert 'lang="de"' in elsewhere.get(place).content.decode()


@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_each_language_is_called_what_its_speakers_call_it(seeded_db, client, language):
    anna, table = factories.client("anna"), factories.table()
    for reader, place in (
        (client, "/login/"),
        (client, f"/tables/{table.pk}/rules/"),
        (anna, "/account/"),
        (anna, f"/tables/{table.pk}/terminal/"),
    ):
        choose(reader, language)
        shown = reader.get(place).content.decode()
        assert f'<html lang="{language}"' in shown
        chosen = 'aria-current="true"'
        for code, name in (("en-gb", "English"), ("de", "Deutsch")):
            (more,) = re.findall(f'lang="{code}"([^>]*)>{name}<', shown)
            assert (chosen in more) == (code == language), place


def test_the_console_stays_in_english(seeded_db):
    clara = factories.client("clara")
    choose(clara, "de")
    for place in ("/", "/admin/", "/reports/", "/settings/"):
        assert 'lang="de"' not in clara.get(place, follow=True).content.decode()


def test_a_refusal_is_in_the_language_that_is_asked_for(seeded_db):
    anna, table = factories.client("anna"), factories.table()
    place = f"/api/v1/tables/{table.pk}/rounds/"

    def refused(**headers):
        answer = anna.post(place, "{", "application/json", headers={"Idempotency-Key": "a", **headers})
        assert answer.status_code >= 400
        return answer.json()["message"]

    english = refused()
    assert refused(**{"Accept-Language": "fr"}) == english
    assert refused(**{"Accept-Language": "en-gb,de;q=0.5"}) == english

    def closed(**headers):
        answer = anna.post(
            f"/api/v1/tables/{table.pk}/call/",
            '{"reason": "hunger"}',
            "application/json",
            headers={"Idempotency-Key": str(len(headers)), **headers},
        )
        return answer.json()["code"], answer.json()["message"]

    code, message = closed()
    assert closed(**{"Accept-Language": "de"}) != (code, message)
    assert closed(**{"Accept-Language": "de-AT,en;q=0.5"})[0] == code


def test_a_refusal_says_a_state_in_the_language_of_its_sentence(seeded_db):
    anna, closed = factories.client("anna"), factories.play_round(factories.table())
    answer = anna.post(
        f"/api/v1/rounds/{closed.pk}/close/",
        {"version": closed.actions.count()},
        "application/json",
        headers={"Idempotency-Key": "a", "Accept-Language": "de"},
    )
    assert answer.json()["message"].startswith(f"Runde {closed} ist geschlossen, noch nicht abgerechnet.")


def test_a_refusal_calls_a_row_in_the_language_of_its_sentence():
    with translation.override("de"):
        refused = WORDING.refused("drop_box_wrong_moment:mounted", drop_box=DropBox(number="101"), table="Split 1")
    assert refused.message == "Drop-Box 101 hängt noch an Split 1."


def test_what_is_refused_before_there_is_a_view_is_said_in_the_language_that_is_asked_for(client):
    answer = client.trace("/api/v1/tables/", headers={"Accept-Language": "de"})
    assert answer.json()["message"] == "TRACE wird an keiner Adresse angenommen."
    assert client.trace("/api/v1/tables/").json()["message"] == "TRACE isn’t accepted at any address."


def test_what_a_door_of_rest_refuses_is_said_in_the_language_that_is_asked_for(seeded_db):
    """Also whose move it is instead: by the slip as it stands."""
    fill = factories.slip(factories.table())
    answer = factories.client("anna").post(
        f"/api/v1/slips/{fill.pk}/issue/",
        {},
        "application/json",
        headers={"Idempotency-Key": "a", "Accept-Language": "de"},
    )
    assert answer.status_code == 403
    assert answer.json()["way_out"] == "Lassen Sie das jemanden von der Kassa tun."


@pytest.mark.parametrize("language", ["", "fr", "de-at", "DE", "../de"])
def test_an_unknown_language_is_none(seeded_db, client, language):
    assert choose(client, language).status_code == 404
    client.cookies[COOKIE] = language
    assert 'lang="en-gb"' in client.get("/login/").content.decode()


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
def test_a_choice_leads_to_no_other_site(seeded_db, client, elsewhere):
    assert choose(client, "de", elsewhere).headers["Location"] == "/"


def test_scripts_get_the_sentences_of_their_language(db, client):
    answer = client.get("/words/de.js")
    assert answer.headers["Content-Type"] == 'text/javascript; charset="utf-8"'
    assert "gettext" in answer.content.decode()
    assert [client.get(f"/words/{code}.js").status_code for code in ("en-gb", "fr")] == [404, 404]


def test_what_is_written_is_in_english_whoever_writes(seeded_db):
    """The language of a request is nothing that the next one on its thread inherits."""
    anna, table = factories.client("anna"), factories.table()
    choose(anna, "de")
    anna.get(f"/tables/{table.pk}/terminal/")
    answer = anna.get("/api/v1/nothing/")
    assert json.loads(answer.content)["message"].startswith("There is nothing here")


def test_a_page_that_a_pit_boss_works_with_too_is_in_the_language_of_whoever_is_nothing_but_a_croupier(seeded_db):
    place = f"/rounds/{factories.open_round(factories.table()).pk}/"
    for login, language in (("anna", "de"), ("clara", "en-gb")):
        person = factories.client(login)
        choose(person, "de")
        assert f'lang="{language}"' in person.get(place).content.decode()


@pytest.mark.parametrize("place", ["/nothing/", "/rounds/999999/"])
def test_that_there_is_nothing_is_said_in_the_language_of_a_croupier_and_of_a_browser(seeded_db, client, place):
    anna, clara = factories.client("anna"), factories.client("clara")
    for each in (anna, clara, client):
        choose(each, "de")
    if place == "/nothing/":
        assert "Hier ist nichts" in client.get(place).content.decode()
    assert "Hier ist nichts" in anna.get(place).content.decode()
    assert "There is nothing here" in clara.get(place).content.decode()


def addresses(ids):
    """Every address of the pages with its name; one for which an id is missing fails."""
    for pattern in urlpatterns:
        names = {name: ids[name] for name in pattern.pattern.converters}
        yield pattern.name, reverse(pattern.name, kwargs=names | pattern.default_args)


def test_every_page_that_a_croupier_may_read_is_in_their_language(seeded_db):
    """Of each page there is one with something on it: a slip that was printed, a table whose closer is counted."""
    ids, table = furnished(), factories.table()
    factories.print_slip(table.slips.get(pk=ids["slip_id"]))
    settling.settle_due()
    ids["session_id"] = factories.stop_session(factories.table("T2")).pk
    anna = factories.client("anna")
    choose(anna, "de")
    pages, moved, others, in_german = set(), set(), set(), set()
    for name, path in addresses(ids):
        answer = anna.get(path, headers={"Accept-Language": "de"})
        assert answer.status_code in (200, 302, 404, 405), name
        if answer.status_code == 302:
            moved.add(name)
        elif answer.status_code == 405:
            others.add(name)
        elif answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            pages.add(name)
            content = answer.content.decode()
            if 'lang="de"' in content or "<html" not in content:
                in_german.add(name)
    assert moved <= LEADING_ON
    assert pages - in_german == PRINTED
    known = languages.PAGES | languages.SHARED | languages.FRAGMENTS
    assert in_german == known & {each.name for each in urlpatterns} - LEADING_ON - others
