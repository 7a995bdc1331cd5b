"""What the terminal says of a table, as its page tells it: corrections of earlier rounds, rulings, where to sign on."""

import html
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from audit.models import Chain
from tables.models import Round
from tables.people import staff, terminals
from tables.verbs import fold, payments, rounds, settling, standing

from ...support import factories

MINUS = "\u2212"
# Box 1 loses where it had won.
PAIR_OF_THREES = {"boxes[0].cards": ["3s", "3d", "5s", "6s", "8s"]}
# Boxes 1 and 2 take ANTE, box 3 is ruled forfeit: all of it is handed over or taken at the end.
NO_GAME = (
    *(("ante", box, {"units": 1000}) for box in (1, 2, 3)),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "2s"}),
    *(("bet", box, {}) for box in (1, 2, 3)),
    ("rule", 3, {"what": "forfeit", "clause": "split.30"}),
    ("reveal", None, {"cards": ["As", "Kd", "9c", "7h"]}),
    ("take_ante", 1, {}),
    ("take_ante", 2, {}),
)


@pytest.fixture
def settled(seeded_db):
    return factories.settled_round(factories.table())


def screen(client, table=None):
    return client.get(f"/tables/{(table or factories.table()).pk}/terminal/").context["screen"]


def page(client, table=None):
    told = client.get(f"/tables/{(table or factories.table()).pk}/terminal/").content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", told)).split())


def tick(round_, *boxes):
    for box in boxes:
        generation = Round.objects.get(pk=round_.pk).settlement.generation
        with transaction.atomic():
            payments.tick(
                standing=standing.locked(round_.pk), generation=generation, box=box, actor=factories.actor("anna")
            )


def ruled(round_, box, clause):
    with transaction.atomic():
        return rounds.act(
            standing=standing.locked(round_.pk),
            version=fold.of(round_).version,
            kind="rule",
            box=box,
            arguments={"what": "forfeit", "clause": clause},
            actor=factories.actor("clara"),
        )


def boxes(client):
    return {box["number"]: (box["state"], box["label"]) for box in screen(client)["boxes"]}


# --- Corrections ---


def test_a_corrected_box_that_was_never_ticked_is_paid_as_if_for_the_first_time(settled):
    anna = factories.client("anna")
    tick(settled, 2)
    factories.correct(settled, {"boxes[1].ante": 1500})
    shown = screen(anna)
    assert [(pay["heading"], pay["amount"]) for pay in shown["settled"]] == [
        ("Corrected: collect from box 2", "10"),
        ("Hand over to box 1", "100"),
    ]
    assert [offer["label"] for offer in shown["offers"] if offer["kind"] == "tick"] == [
        "Box 2: 10 collected",
        "Box 1 paid",
    ]
    assert boxes(anna)[1] == ("pay", "Pay")
    # The felt shows what was entered; each payment says what of it no longer counts.
    assert [pay["changes"] for pay in shown["settled"]] == [["Box 2: ANTE was 5 and is now 15"]] * 2


def test_a_correction_of_an_earlier_round_is_said_until_it_is_handed_over(settled):
    anna = factories.client("anna")
    tick(settled, 1, 2)
    factories.open_round(settled.table)
    assert screen(anna)["owed"] == []
    factories.correct(settled, PAIR_OF_THREES)
    assert screen(anna)["owed"] == [{"id": settled.pk, "number": "T1-00001", "boxes": ["collect 130 from box 1"]}]
    assert "T1-00001 was corrected: collect 130 from box 1" in page(anna)
    assert f'href="/rounds/{settled.pk}/"' in anna.get(f"/tables/{settled.table_id}/terminal/").content.decode()
    assert anna.get(f"/rounds/{settled.pk}/").context["page"]["may_tick"]
    tick(settled, 1)
    assert screen(anna)["owed"] == []


def test_a_box_of_an_earlier_round_that_was_never_ticked_is_owed_the_whole_payment(settled):
    factories.open_round(settled.table)
    factories.correct(settled, {"boxes[0].ante": 1500})
    (owed,) = screen(factories.client("anna"))["owed"]
    assert owed["boxes"] == ["hand over 150 to box 1, and give back 45 of its stakes"]


def test_who_does_not_see_the_table_hears_of_no_correction(settled):
    factories.open_round(settled.table)
    factories.correct(settled, PAIR_OF_THREES)
    shown = screen(factories.client("boris"))
    assert (shown["moment"], shown["owed"]) == ("away", [])


def test_a_round_s_page_is_a_link_in_the_actions_and_in_the_report(settled):
    told = factories.client("anna").get(f"/tables/{settled.table_id}/terminal/").content.decode()
    actions, report = told.index('id="actions"'), told.index('id="report"')
    assert f'href="/rounds/{settled.pk}/"' in told[actions:report]
    assert f'href="/rounds/{settled.pk}/#correct"' in told[report:]


# --- Irregularities ---


def test_a_report_on_a_settled_round_does_not_say_that_it_stops_the_round(settled):
    cases = screen(factories.client("anna"))["cases"]["list"]
    assert not any(case["stops"] for case in cases)
    assert {case["effect"] for case in cases} == {"Put on record"}
    assert "Stops the round" not in page(factories.client("anna"))


def test_a_ruling_just_made_shows_on_its_box_while_the_round_is_held(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, factories.FLUSH_WINS[:4])
    factories.hold(running, clause="split.30", reason="", box=1)
    anna = factories.client("anna")
    assert boxes(anna)[1] == ("held", "Held")
    ruled(running, 1, "split.30")
    assert boxes(anna)[1] == ("ruled", "Forfeit")


def test_the_clauses_of_a_ruling_are_those_that_stop_the_round(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, factories.FLUSH_WINS[:4])
    factories.refused("field_wrong", ruled, running, 1, "split.32")
    factories.hold(running)
    rule = next(way for way in screen(factories.client("clara"))["ways"] if way["kind"] == "rule")
    (clauses,) = [choice["clauses"] for choice in rule["choices"] if choice["clauses"]]
    assert [option["value"] for option in clauses] == ["split.30", "split.35", "split.36", "house.4"]


def test_out_of_a_void_round_no_way_is_named(seeded_db):
    gone = factories.open_round(factories.table())
    factories.do(gone, "ante", 1, units=500)
    factories.void(gone)
    for work in (
        lambda: factories.do(gone, "ante", 2, units=500),
        lambda: factories.correct(gone, {}),
        lambda: factories.hold(gone),
        lambda: factories.void(gone),
    ):
        refusal = factories.refused("round_wrong_moment", work)
        assert refusal.way_out == "Give all its stakes back and open the next round."


def test_a_box_that_the_table_does_not_have_is_told_apart_from_one_that_waits(seeded_db):
    running = factories.open_round(factories.table())
    refusal = factories.refused("box_unknown", factories.do, running, "ante", 7, units=500)
    assert (refusal.status, refusal.path, refusal.way_out) == (422, "box", "Choose a box from 1 to 6.")
    factories.do(running, "ante", 1, units=500)
    factories.refused("box_wrong_moment", factories.do, running, "ante", 1, units=500)


# --- Cards ---


def test_the_grid_counts_the_deck_that_the_players_need(seeded_db):
    """Ten play Dynastia with 72 cards, two with the 64 of the sheet."""
    table = factories.table_of("dynastia", {})
    counted = {}
    for seats in ((1, 2), tuple(range(1, 11))):
        running = factories.open_round(table, seats)
        for seat in seats:
            factories.do(running, "ante", seat)
        counted[len(seats)] = sum(key["left"] for row in screen(factories.client("anna"), table)["grid"] for key in row)
        factories.void(running, clause="house.4")
    assert counted == {2: 64, 10: 72}


# --- Buttons and facts ---


def test_a_button_says_its_effect_and_beside_the_gold_one_not_the_ringed_box_again(seeded_db):
    running = factories.open_round(factories.table())
    factories.do(running, "ante", 1, units=2500)
    factories.do(running, "close_betting")
    factories.do(running, "open_card", card="9d")
    offers = {offer["kind"]: offer for offer in screen(factories.client("anna"))["offers"] if offer["box"] == 1}
    told = {kind: (offer["label"], offer["whose"], offer["amount"]) for kind, offer in offers.items()}
    assert told == {
        "fold": ("Box 1 folds", "Box 1 ", ""),
        "buy": ("Box 1 buys two", "Box 1 ", "25"),
        "bet": ("Box 1 bets", "Box 1 ", "50"),
    }


def test_a_tick_says_how_much_is_handed_over_or_taken(seeded_db):
    factories.settled_round(factories.table(), NO_GAME)
    shown = screen(factories.client("anna"))
    amounts = {offer["label"]: offer["amount"] for offer in shown["offers"] if offer["kind"] == "tick"}
    results = {box["number"]: box["result"]["amount"] for box in shown["boxes"] if box["result"]}
    assert amounts == {
        f"Box {number} {'taken' if amount.startswith(MINUS) else 'paid'}": amount.removeprefix(MINUS)
        for number, amount in results.items()
    }


def test_boxes_are_paid_from_the_dealer_s_right_and_the_ring_goes_with_them(seeded_db):
    settled = factories.settled_round(factories.table(), NO_GAME)
    anna = factories.client("anna")
    for left in ([3, 2, 1], [2, 1], [1]):
        shown = screen(anna)
        ticks = [offer for offer in shown["offers"] if offer["kind"] == "tick"]
        assert [(offer["box"], offer["primary"]) for offer in ticks] == [(box, box == left[0]) for box in left]
        assert json.loads(shown["client_json"])["ring"] == left[0]
        tick(settled, left[0])


def test_who_is_paid_before_the_replacement_is_said_in_the_order_of_paying(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, [*NO_GAME[:8], NO_GAME[9], NO_GAME[10], ("buy_game", 2, {}), ("take_ante", 3, {})])
    (offer,) = [offer for offer in screen(factories.client("anna"))["offers"] if offer["kind"] == "replacement"]
    assert offer["label"].startswith("2 boxes paid 20; replace the ")
    assert offer["first"] == "Pay first: box 3 10, box 1 10."


def test_the_pace_counts_this_session_s_rounds_of_the_last_hour(settled, monkeypatch):
    anna, later = factories.client("anna"), timezone.now() + timedelta(minutes=61)

    def pace():
        return [fact["value"] for fact in screen(anna)["facts"] if fact["label"] == "Rounds, last hour"]

    assert pace() == ["1"]
    factories.open_round(factories.table())
    assert pace() == ["2"]
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert pace() == ["0"]


# --- Signing on ---


def test_a_browser_that_is_no_terminal_says_where_to_sign_on(seeded_db):
    boris, table = factories.client("boris"), factories.table()
    shown = screen(boris)
    assert shown["offers"] == []
    relieves = f"Relieve Staff {factories.person('anna').pk} at the table, or ask the pit boss to sign you on."
    assert shown["remark"] == f"This browser isn’t a terminal of {table.name}. {relieves}"
    with transaction.atomic():
        _, token = terminals.enrol(table_id=table.pk, name="T1-left", actor=factories.actor("clara"))
    boris.cookies[settings.TERMINAL_COOKIE_NAME] = token
    call, offer = screen(boris)["offers"]
    assert (offer["kind"], offer["key"], offer["enter"]) == ("sign_on", "", False)
    # Whoever stands at the table may call the pit boss before they sign on.
    assert (call["kind"], call["key"]) == ("call", "Y")
    assert screen(boris)["remark"] == ""


def test_a_relief_while_the_screen_is_read_makes_the_page_look_again(seeded_db):
    table = factories.table("T1")
    factories.open_round(table)
    anna, left = factories.client("anna"), []

    def leaves(execute, sql, params, many, context):
        done = execute(sql, params, many, context)
        if "audit_chain" in sql and not left:  # her rights have just been read, with how far the table is
            left.append(True)
            with ThreadPoolExecutor(1) as clara:
                clara.submit(sign_off).result()
        return done

    def sign_off():
        with transaction.atomic():
            staff.sign_off(table=table, actor=factories.actor("clara"))
        connection.close()

    with connection.execute_wrapper(leaves):
        shown = anna.get(f"/tables/{table.pk}/terminal/").context["screen"]
    assert left
    assert shown["acts"]
    assert shown["seq"] < Chain.objects.get(key=table.ref).seq


# Two Americas tie; box 3 has less.
TIE = (
    *(("ante", box, {}) for box in (1, 2, 3)),
    *(("stand", box, {}) for box in (1, 2, 3)),
    ("show", 1, {"cards": ["1R", "2R", "3R", "4R", "5R"]}),
    ("show", 2, {"cards": ["1B", "2B", "3B", "4B", "5B"]}),
    ("show", 3, {"cards": ["6R-01", "6B-02", "5R", "4R", "3R"]}),
)
SHEET = {"stake": 2000, "rake_percent": 5}


def tied(table):
    round_ = factories.open_round(table, (1, 2, 3))
    factories.act_all(round_, TIE)
    factories.close(round_)
    settling.settle_due()
    round_.refresh_from_db()
    return round_


def test_what_decided_stands_first_not_who_takes_the_pot(seeded_db):
    shows = {1: ["1R", "2R", "3R", "4R", "5R"], 2: ["6R-01", "6B-01", "4R", "4B", "5R"]}
    table = factories.table_of("genpoker", SHEET)
    round_ = factories.open_round(table, (1, 2))
    stakes = [(kind, box, {}) for kind in ("ante", "stand") for box in shows]
    factories.act_all(round_, [*stakes, *(("show", box, {"cards": cards}) for box, cards in shows.items())])
    factories.close(round_)
    settling.settle_due()
    shown = screen(factories.client("anna"), table)
    deciding = {pay["number"]: pay["deciding"] for pay in shown["settled"]}
    text = "Box 1 is ahead of box 2: america is a higher class than country."
    assert {box: (each["text"].lower(), each["clause"]) for box, each in deciding.items()} == {
        1: (text.lower(), "genpoker.11"),
        2: (text.lower(), "genpoker.11"),
    }


def test_a_tie_is_paid_in_chips_that_add_up_to_what_is_handed_over(seeded_db):
    table = factories.table_of("genpoker", SHEET)
    round_ = tied(table)
    deciding = {pay["number"]: pay["deciding"]["text"] for pay in screen(factories.client("anna"), table)["settled"]}
    assert deciding[1] == deciding[2]
    assert deciding[1].startswith("Box 1 and box 2 are equal, both with ")
    assert [payment.net_units for payment in round_.settlement.payments.order_by("box")] == [900, 800, -2000]
    read = page(factories.client("anna"), table)
    assert "2850" not in read
    assert "can’t be paid in this table’s chips" not in read


def test_a_sheet_from_before_pays_to_the_unit_and_says_what_no_chip_pays(seeded_db):
    table = factories.table_of_before("genpoker", SHEET)
    round_ = tied(table)
    assert "chip" not in json.loads(round_.lines.get().text)
    assert [payment.net_units for payment in round_.settlement.payments.order_by("box")] == [850, 850, -2000]
    lacks = "0.50 of this can’t be paid in this table’s chips: call the pit boss."
    assert lacks in page(factories.client("anna"), table)
