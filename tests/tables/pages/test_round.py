"""The page of a round: who sees it, its timeline in words, what is due at the table, and corrections before signing."""

import html
import json
import re
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit.log import Actor
from casino import catalogue
from casino.games import registry
from casino.models import Staff
from casino.money import spell
from payouts.models import PaymentTick
from tables.models import Round, Terminal
from tables.pages import correction_form
from tables.verbs import rounds, settling
from tables.words import generations, names, places, timeline

from ...support import evening, factories, german, stack, toy

CARDS = "boxes[0].cards"
T1, T2, T3 = "T1", "T2", "T3"
SEES = {
    "anna": {T1},
    "boris": {T2},
    "greta": {T3},
    "clara": {T1, T2},
    "frank": {T3},
    "hugo": {T1, T2, T3},
    "david": {T1, T2, T3},
    "ida": {T1, T2, T3},
    "eve": set(),
}
# Who may ask for a correction of the round at T1.
CORRECTS = {"anna", "clara"}
READS_NAMES = {"clara", "hugo", "david", "ida"}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """T1 has a round in which everything happened, T2 a held one, T3 a void one; the table's code to the round."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.stranger()
        held = factories.open_round(factories.table(T2))
        factories.hold(held)
        void = factories.open_round(factories.table(T3))
        factories.do(void, "ante", 1, units=500)
        factories.void(void)
        yield {T1: eventful(), T2: held, T3: void}


def eventful():
    """Undone, amended, held, released, closed, settled, ticked, corrected, and corrected again."""
    round_ = factories.open_round(factories.table(T1))
    factories.do(round_, "ante", 1, units=500)
    factories.undo(round_)
    factories.do(round_, "ante", 1, units=500)
    factories.amend(round_, 3, units=1000)
    factories.hold(round_, reason="A card lay open.")
    factories.release(round_, reason="It stands.")
    factories.act_all(round_, factories.FLUSH_WINS[1:])
    factories.close(round_)
    settling.settle_due()
    round_.refresh_from_db()
    PaymentTick.objects.create(payment=round_.settlement.payments.get(box=1), by=factories.person("anna"))
    factories.correct(round_, {"boxes[1].ante": 1500}, reason="The ANTE of box 2 was 15.")
    factories.correct(round_, {"boxes[0].ante": 1500, f"{CARDS}[4]": "8h"}, reason="It was a heart.")
    round_.refresh_from_db()
    return round_


def path(round_):
    return f"/rounds/{round_.pk}/"


def text(answer):
    """A page's words as people read them, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def filled(client, round_, **changes):
    """The page's form as it comes, with changed fields."""
    fields = client.get(path(round_)).context["page"]["correct"]
    told = {field["path"]: field["text"] for place in fields["places"] for row in place["rows"] for field in row} | {
        "line": fields["line"]
    }
    return told | changes


def preview(client, round_, told):
    return client.post(f"{path(round_)}preview/", told)


# --- Who sees it ---


@pytest.mark.parametrize("login", SEES)
def test_the_page_is_for_who_sees_the_table_and_absent_for_all_others(floor, login):
    client = factories.client(login)
    for code, round_ in floor.items():
        answer = client.get(path(round_))
        assert answer.status_code == (200 if code in SEES[login] else 404), code
        if code not in SEES[login]:
            assert preview(client, round_, {}).status_code == 404
    assert client.get("/rounds/999999/").status_code == 404


def test_who_is_not_logged_in_is_sent_to_the_login(floor):
    answer = Client().get(path(floor[T1]))
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/login/?next={path(floor[T1])}")
    assert preview(Client(), floor[T1], {}).status_code == 401


@pytest.mark.parametrize("login", [login for login, codes in SEES.items() if T1 in codes])
def test_names_are_for_who_looks_where_no_guest_does_and_corrections_for_who_may_report(floor, login):
    answer = factories.client(login).get(path(floor[T1]))
    assert f"Staff {factories.person('anna').pk}" in text(answer)
    assert ("Anna Adler" in text(answer)) == (login in READS_NAMES)
    assert (answer.context["page"]["correct"] is not None) == (login in CORRECTS)


def test_a_round_that_is_not_closed_has_no_form(floor):
    for login, code in (("clara", T2), ("greta", T3)):
        assert factories.client(login).get(path(floor[code])).context["page"]["correct"] is None


def test_nothing_on_the_page_needs_a_relaxed_policy(floor):
    answer = factories.client("clara").get(path(floor[T1]))
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    page = re.sub(r'<template\s+id="idle".*?</template>', "", answer.content.decode(), flags=re.DOTALL)
    assert not re.search(r"\son\w+=|\sstyle=|<script>|<style", page)
    assert "password" not in re.sub(r"data-password|signature\.password|type=\"password\"", "", page)


# --- What happened ---


def test_the_timeline_tells_everything_in_order_of_time(floor):
    told = [(moment.what, moment.box, moment.struck) for moment in timeline.of(floor[T1])]
    assert told == [
        ("Round opened", None, ""),
        ("ANTE: 5", 1, "undone by action 2"),
        ("Takes action 1 back", 1, ""),
        ("ANTE: 5", 1, "amended by action 4"),
        ("ANTE: 10, in place of action 3", 1, ""),
        ("Held: A card is exposed, missing, double or misdealt, and no clause above fits", None, ""),
        ("Released", None, ""),
        ("ANTE: 5", 2, ""),
        ("Close antes", None, ""),
        ("Open card: 2♠", None, ""),
        ("Bet", 1, ""),
        ("Fold", 2, ""),
        ("Reveal dealer: 9♠ 9♦ A♣ K♥", None, ""),
        ("Dealer’s Small Hand: K♦ 4♣", None, ""),
        ("Show box: 3♠ 4♠ 5♠ 6♠ 8♠, extra A♥ A♦", 1, ""),
        ("Round closed", None, ""),
        ("Settled", None, ""),
        ("Ticked as paid, settlement 1", 1, ""),
        ("Corrected, line 2", None, ""),
        ("Settled again, settlement 2: settlement 1 is reversed", None, ""),
        ("Corrected, line 3", None, ""),
        ("Settled again, settlement 3: settlement 2 is reversed", None, ""),
    ]


def test_a_moment_tells_who_signed_why_and_by_which_clause(floor):
    corrected = next(moment for moment in timeline.of(floor[T1]) if moment.what == "Corrected, line 3")
    assert (corrected.by.login, corrected.approved_by.login) == ("anna", "clara")
    assert (corrected.clause, corrected.reason) == ("split.33", "It was a heart.")
    assert corrected.changes == (
        timeline.Change("Box 1: ANTE", "10", "15"),
        timeline.Change("Box 1: five cards", "3♠ 4♠ 5♠ 6♠ 8♠", "3♠ 4♠ 5♠ 6♠ 8♥"),
    )
    settled = [moment for moment in timeline.of(floor[T1]) if moment.what.startswith("Settled")]
    assert {moment.by for moment in settled} == {None}


def test_a_moment_tells_the_terminal(seeded_db):
    terminal = Terminal.objects.create(table=factories.table(), name="T1-left", token_digest="f" * 64)
    with transaction.atomic():
        opened = rounds.open_round(table_id=terminal.table_id, actor=Actor(factories.person("anna"), terminal=terminal))
    assert [(moment.what, moment.terminal) for moment in timeline.of(opened)] == [("Round opened", "T1-left")]


def test_what_no_longer_counts_is_struck_through_and_said(floor):
    page = factories.client("anna").get(path(floor[T1])).content.decode()
    assert "<del>ANTE: 5</del> <em>undone by action 2</em>" in page
    assert "<del>ANTE: 5</del> <em>amended by action 4</em>" in page


def test_times_are_the_casino_s(floor):
    rows = factories.client("anna").get(path(floor[T1])).context["page"]["moments"]
    local = floor[T1].opened_at.astimezone(ZoneInfo("Europe/Berlin"))
    assert rows[0]["clock"] == f"{local:%H:%M:%S}"
    assert [row["day"] for row in rows if row["day"]] == [f"{local.day} {local:%b %Y}"]


def test_a_held_round_names_the_terminal_where_the_pit_boss_decides(floor):
    answer = factories.client("clara").get(path(floor[T2]))
    assert "under split.36" in text(answer)
    assert f'href="/tables/{floor[T2].table_id}/terminal/"' in answer.content.decode()


def test_a_closed_round_that_is_held_is_released_on_its_page(seeded_db):
    closed = factories.play_round(factories.table(), factories.STAND_OFF)
    factories.hold(closed)
    page = factories.client("clara").get(path(closed))
    assert page.context["page"]["hold"]["release"] == {
        "version": closed.actions.count(),
        "hold": 1,
        "asks_reason": True,
        "reason_length": 500,
        "login": "clara",
    }
    assert "rule on it or void it" not in text(page)
    assert factories.client("boris").get(path(closed)).status_code == 404


def test_a_void_round_says_that_all_goes_back(floor):
    assert "The round is void: all stakes and fees go back." in text(factories.client("greta").get(path(floor[T3])))


# --- What each box got ---


def test_every_generation_stands_there_the_newest_first(floor):
    page = factories.client("clara").get(path(floor[T1])).context["page"]
    assert [generation["number"] for generation in page["generations"]] == [3, 2, 1]
    nets = [{paid["box"]: paid["net"] for paid in told["payments"]} for told in page["generations"]]
    assert nets == [{1: "−45", 2: "−15"}, {1: "+100", 2: "−15"}, {1: "+100", 2: "−5"}]
    newest = page["generations"][0]["payments"]
    assert [paid["difference"] for paid in newest] == ["−145", "0"]
    assert all(paid["reasons"] for told in page["generations"] for paid in told["payments"])


def test_what_is_due_counts_from_the_generation_that_was_ticked(floor):
    """Box 1 was ticked in generation 1; box 2 never, but its stakes were swept when it folded."""
    due = factories.client("anna").get(path(floor[T1])).context["page"]["due"]
    told = ["Collect 145 from box 1", "Collect 10 from box 2"]
    assert (due["generation"], [paid["due"] for paid in due["boxes"]]) == (3, told)
    assert [paid["since"] for paid in due["boxes"]] == ["since settlement 1, ticked as paid", "since the round itself"]


def test_clauses_that_are_named_are_told(floor):
    named = factories.client("anna").get(path(floor[T1])).context["page"]["clauses"]
    clauses = [clause["clause"] for clause in named]
    assert {"split.6", "split.17", "split.33", "split.36"} <= set(clauses)
    assert clauses == [clause for clause in registry.GAMES["split"].clauses if clause in clauses]


# --- In German ---


ENTERED = (
    "A card lay open.",
    "A card lies face up.",
    "It stands.",
    "It was a heart.",
    "The ANTE of box 2 was 15.",
    "The camera shows it.",
    "Two aces of spades.",
    "Entered wrong.",
    "The last card was the eight of hearts.",
    "Europe/Berlin",
    "Big Two",
    "KeyError: <'rules'>",
)
"""What is said in English whatever the language: what people entered, and names."""
ALIKE = {message.id for message in catalogue.read("de", "django") if message.id == message.string}
NAMES = {game.name for game in registry.GAMES.values()}
"""What is the same in both languages."""


def own(page):
    """The page's own texts, without what stands on every page."""
    top, main = r'(?s)<header class="top">.*?</header>', "(?s)<main[ >].*</main>"
    return german.texts(re.search(top, page)[0] + re.search(main, page)[0])


def in_english(read):
    """What a croupier reads in English where it is to be German.

    :param read: a function that gives the texts in the language of the one who reads.
    """
    texts = {}
    for language in ("en-gb", "de"):
        Staff.objects.update(language=language)
        texts[language] = read()
    said = [text for text in texts["de"] if not any(each in text for each in ENTERED)]
    untouched = {text for text in said if re.search("[a-z]{3}", text) and text in texts["en-gb"]} - ALIKE - NAMES
    # Clauses with their numbers, and a table with its.
    untouched = {text for text in untouched if not re.fullmatch(r"[a-z]+[.]\d+(, [a-z]+[.]\d+)*|[A-Z][a-z]+ \d+", text)}
    return sorted({*german.english(said), *untouched})


def shown(login, place):
    page = factories.client(login).get(place).content.decode()
    return own(page)


@pytest.mark.parametrize(("login", "code"), [("anna", T1), ("boris", T2), ("greta", T3)])
def test_a_croupier_reads_it_in_german(floor, login, code):
    assert in_english(lambda: shown(login, path(floor[code]))) == []


def test_a_croupier_reads_in_german_how_a_round_waits_and_what_is_disputed(seeded_db):
    table = factories.table()
    closed = factories.play_round(table)
    Round.objects.filter(pk=closed.pk).update(failures=2, failure="KeyError: <'rules'>")
    assert in_english(lambda: shown("anna", path(closed))) == []
    factories.hold(closed)
    assert in_english(lambda: shown("anna", path(closed))) == []
    factories.release(closed)
    settling.settle_due()
    assert in_english(lambda: shown("anna", path(closed))) == []
    factories.contest(closed, about="illegal play", boxes=(1, 2))
    factories.rule_on(factories.contest(closed))
    assert in_english(lambda: shown("anna", path(closed))) == []
    payment = Round.objects.get(pk=closed.pk).settlement.payments.get(box=1)
    PaymentTick.objects.create(payment=payment, by=factories.person("anna"), left_with=factories.person("clara"))
    assert in_english(lambda: shown("anna", path(closed))) == []


def test_a_croupier_enters_a_round_from_paper_in_german(seeded_db):
    table = factories.table()
    place = f"/tables/{table.pk}/paper-rounds/new/"
    assert in_english(lambda: shown("anna", place)) == []
    factories.void(factories.enter_paper(table))
    assert in_english(lambda: shown("anna", place)) == []
    paper = factories.enter_paper(table, "000413")
    for at in (place, path(paper)):
        assert in_english(lambda at=at: shown("anna", at)) == []


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_croupier_reads_in_german_what_a_correction_comes_to(seeded_db, is_settled):
    table = factories.table(T1)
    round_ = factories.settled_round(table) if is_settled else factories.play_round(table)

    def read():
        client = factories.client("anna")
        changed = {"boxes[0].ante": "2000", CARDS: "3s 4s 5s 6s 10h"}
        return german.texts(preview(client, round_, filled(client, round_, **changed)).content.decode())

    assert in_english(read) == []


@pytest.mark.parametrize("game", ["bigtwo", "dynastia", "genpoker", "presidential"])
def test_every_games_round_is_in_german(seeded_db, game):
    values, dealt = evening.evening(game)
    table = factories.table_of(game, values)
    opened = factories.open_round(table, dealt[0].seats)
    half = len(dealt[0].actions) // 2
    factories.act_all(opened, dealt[0].actions[:half])
    assert in_english(lambda: shown("anna", path(opened))) == []
    factories.act_all(opened, dealt[0].actions[half:])
    factories.close(opened)
    settling.settle_due()
    assert in_english(lambda: shown("anna", path(opened))) == []


# --- Correcting ---


@pytest.fixture
def settled(seeded_db):
    return factories.settled_round(factories.table(T1))


def test_a_preview_tells_what_the_correction_then_does_and_writes_nothing(settled):
    client = factories.client("clara")
    told = filled(client, settled, **{"boxes[0].ante": "15", CARDS: "3s 4s, 5S 6s 10h"})
    before = factories.written()
    answer = preview(client, settled, told)
    assert answer.status_code == 200
    assert factories.written() == before
    shown = answer.context["preview"]
    assert [change["after"] for change in shown["changes"]] == ["15", "3♠ 4♠ 5♠ 6♠ 10♥"]
    command = json.loads(shown["command"])
    assert command == {
        "line": 1,
        "changes": [
            {"path": "boxes[0].ante", "value": 1500},
            {"path": CARDS, "value": ["3s", "4s", "5s", "6s", "Th"]},
        ],
    }
    assert [box["due"] for box in shown["boxes"]] == ["Take 45 from box 1", ""]
    factories.correct(settled, {change["path"]: change["value"] for change in command["changes"]})
    settled.refresh_from_db()
    reader = timeline.Reader(named=True, zone=ZoneInfo("UTC"))
    newest = generations.of(settled, timeline.Words(registry.GAMES["split"]), reader)[0]
    assert [(box["box"], box["word"], box["net"], box["due"]) for box in shown["boxes"]] == [
        (paid["box"], paid["word"], paid["net"], paid["due"]) for paid in newest["payments"]
    ]


def test_a_stake_beyond_the_table_s_limits_is_warned_of_and_stays_possible(settled):
    client = factories.client("clara")
    answer = preview(client, settled, filled(client, settled, **{"boxes[0].ante": "2000", "boxes[1].ante": "20"}))
    assert answer.context["preview"]["warnings"] == [
        "Box 1: ANTE 2\u2009000 is outside this table’s limits of 5 to 100."
    ]
    assert "outside this table’s limits" in text(answer)
    factories.correct(settled, {"boxes[0].ante": 200_000})
    # What was warned of once is warned of no more where something else is corrected.
    answer = preview(client, settled, filled(client, settled, **{"boxes[1].ante": "20"}))
    assert answer.context["preview"]["warnings"] == []


def test_the_form_as_it_comes_changes_nothing(settled):
    client = factories.client("anna")
    refused = preview(client, settled, filled(client, settled))
    assert (refused.status_code, refused.json()["code"]) == (422, "nothing_changed")


@pytest.mark.parametrize(
    ("path_", "entered", "code", "place"),
    [
        (CARDS, "3s 4s 5s 6s 9s", "card_duplicate", f"{CARDS}[4]"),
        (CARDS, "3s 4s 5s 6s", "wrong_card_count", CARDS),
        (CARDS, "3s 4s 5s 6s Xx", "bad_card", f"{CARDS}[4]"),
        ("boxes[0].ante", "ten", "field_wrong", "boxes[0].ante"),
        ("boxes[0].ante", "-5", "field_wrong", "boxes[0].ante"),
        ("boxes[0].ante", "10.001", "field_wrong", "boxes[0].ante"),
        ("boxes[0].ante", "", "missing_field", "boxes[0].ante"),
        ("boxes[0].action", "raise", "bad_field", "boxes[0].action"),
        ("boxes[0].buys_game", "perhaps", "field_wrong", "boxes[0].buys_game"),
    ],
)
def test_a_wrong_field_is_refused_at_its_place(settled, path_, entered, code, place):
    client = factories.client("anna")
    before = factories.written()
    refused = preview(client, settled, filled(client, settled, **{path_: entered}))
    assert (refused.status_code, refused.json()["code"], refused.json()["path"]) == (422, code, place)
    assert factories.written() == before


def test_a_form_of_an_older_line_is_stale(settled):
    client = factories.client("anna")
    told = filled(client, settled, **{"boxes[0].ante": "15"})
    factories.correct(settled, {"boxes[0].ante": 2000})
    refused = preview(client, settled, told)
    assert (refused.status_code, refused.json()["code"], refused.json()["path"]) == (409, "stale_version", "line")


def test_who_may_not_report_has_no_preview(floor):
    for login in ("hugo", "david", "ida"):
        refused = preview(factories.client(login), floor[T1], {"line": 3})
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_right")


def test_an_open_round_has_no_preview(floor):
    refused = preview(factories.client("clara"), floor[T2], {"line": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "round_wrong_moment")


def test_a_preview_takes_a_csrf_token(floor):
    client = factories.client("clara", enforce_csrf_checks=True)
    assert preview(client, floor[T1], {"line": 3}).status_code == 403


def test_further_generations_cost_no_further_queries(settled, django_assert_num_queries):
    words, reader = timeline.words(settled), timeline.Reader(True, ZoneInfo("UTC"))
    with CaptureQueriesContext(connection) as first:
        generations.of(settled, words, reader)
    factories.correct(settled, {"boxes[0].ante": 1500})
    factories.correct(settled, {"boxes[0].ante": 2000})
    with django_assert_num_queries(len(first)):
        assert len(generations.of(settled, words, reader)) == 3


# --- Any game ---


def test_another_game_s_changes_are_told_in_its_own_words(floor):
    words = timeline.Words(toy.TOY)
    line = {"game": "toy", "rounds": 3, "pot": 20, "hands": [{"player": "1", "cards": ["As"]}]}
    after = json.loads(json.dumps(line)) | {"void": {"clause": "house.4"}}
    after["hands"][0]["cards"] = ["As", "Td"]
    assert timeline.changes(words, line, after) == (
        timeline.Change("Box 1: cards", "A♠", "A♠ 10♦"),
        timeline.Change("Void under", "—", "house.4"),
    )
    assert words.arguments({"count": 1}) == "1"
    assert places.label(toy.slots(line)[0]) == "Cards"


def test_amounts_are_read_as_they_are_written(floor):
    """In the currency's own decimals, with any of the spaces that people and pages put between thousands."""
    slot = next(slot for slot in registry.GAMES["split"].slots(json.loads(floor[T1].lines.last().text)) if slot.box)
    words = timeline.Words(registry.GAMES["split"])
    for units in (5, 150, 1000, 123456700):
        assert correction_form.read(words, slot, spell(units, words.decimals), {}) == units
    assert correction_form.read(words, slot, "1 234,50", {}) == 123450


def test_a_round_is_found_by_its_table_s_name(floor):
    own = {Round.objects.get(table__code="T1").pk}
    day = Round.objects.get(table__code="T1").session.business_date
    for words in ("Split 1", "split  1", f"split 1 {day}", "1 split 1", "T1-00001 Split 1"):
        assert {round_.pk for round_ in names.find(words)} == own, words
    assert not names.find("Split 2 T1").exists()
    assert not names.find("split 1 7").exists()


def test_a_word_that_names_no_round_is_left_to_the_other_search(floor):
    for words in ("", "adler", "2026-02-31", "round:x", "T1 adler"):
        assert names.find(words) is None
    assert names.find("t1-1").get() == Round.objects.get(table__code="T1", number=1)
