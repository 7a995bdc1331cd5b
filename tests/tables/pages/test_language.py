"""Who reads a page in which language: the person's choice, the browser's, and what stays in English."""

import json

import pytest
from django.conf import settings

from casino.models import Staff

from ...support import factories

COOKIE = settings.LANGUAGE_COOKIE_NAME


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
