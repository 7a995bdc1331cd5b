"""What is swept or handed over in a round is asked for no second time; what changes of it later is a difference
(split.12, house.7)."""

import json

import pytest
from django.db import transaction

from audit.models import Entry
from tables.models import Line, Round
from tables.verbs import payments, results, settling, standing

from ...support import factories

# Box 1 folds, box 2 takes ANTE, box 3 buys the game, which makes one, and shows a hand below; box 4 buys it and wins.
EVERYTHING = (
    *(("ante", box, {"units": 1000}) for box in (1, 2, 3, 4)),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "2s"}),
    ("fold", 1, {}),
    *(("bet", box, {}) for box in (2, 3, 4)),
    ("reveal", None, {"cards": ["As", "Kd", "9c", "7h"]}),
    ("take_ante", 2, {}),
    ("buy_game", 3, {}),
    ("buy_game", 4, {}),
    ("replacement", None, {"card": "Kh"}),
    ("small_hand", None, {"cards": ["Qd", "3d"]}),
    ("show", 3, {"cards": ["Qc", "Td", "8c", "6c", "4d"]}),
    ("show", 4, {"cards": ["3h", "4h", "5h", "6h", "8h"], "extra": ["Ah", "Ad"]}),
)
TO_THE_REPLACEMENT = EVERYTHING[:-4]
HANDED = [{"box": 1, "units": -1000}, {"box": 2, "units": 1000}, {"box": 3, "units": -4000}]


@pytest.fixture
def settled(seeded_db):
    return factories.settled_round(factories.table(), EVERYTHING)


def screen(table):
    return factories.client("anna").get(f"/tables/{table.pk}/terminal/").context["screen"]


def due(round_):
    """What is still due for each box, as the units that are left to move."""
    return {pay.box: pay.left_units for pay in results.of(round_).payments if pay.due}


def tick(round_, box):
    with transaction.atomic():
        payments.tick(
            standing=standing.locked(round_.pk),
            actor=factories.actor("anna"),
            box=box,
            generation=results.of(round_).generation,
        )


def test_it_stands_in_the_line_and_in_the_log_from_the_close_on(settled):
    assert [line.handed for line in settled.lines.all()] == [HANDED]
    entry = json.loads(Entry.objects.get(event="round.closed").body)
    assert entry["facts"]["handed"] == HANDED
    factories.correct(settled, {"boxes[3].cards[4]": "9h"})
    assert [line.handed for line in settled.lines.all()] == [HANDED, HANDED]


def test_a_round_in_which_all_is_paid_at_the_end_says_nothing_of_it(seeded_db):
    closed = factories.play_round(factories.table(), factories.STAND_OFF)
    assert closed.lines.get().handed is None
    assert "handed" not in json.loads(Entry.objects.get(event="round.closed").body)["facts"]


def test_only_what_is_left_is_due_and_then_one_step_remains(settled):
    assert due(settled) == {4: 9000}
    offers = [offer for offer in screen(settled.table)["offers"] if not offer["quiet"]]
    assert [(offer["kind"], offer["box"], offer["primary"]) for offer in offers] == [
        ("tick", 4, True),
        ("open", None, False),
    ]
    tick(settled, 4)
    shown = screen(settled.table)
    assert [offer["kind"] for offer in shown["offers"] if not offer["quiet"]] == ["open"]
    assert shown["dock_note"] == "Everything in this round is handed over."


def test_the_screen_says_what_was_done_in_the_round(settled):
    shown = screen(settled.table)
    assert {box["number"]: (box["state"], box["label"]) for box in shown["boxes"][:4]} == {
        1: ("done", "Taken"),
        2: ("done", "Paid"),
        3: ("done", "Taken"),
        4: ("pay", "Pay"),
    }
    assert [(pay["number"], pay["ticked"], pay["heading"], pay["amount"]) for pay in shown["settled"]] == [
        (4, False, "Hand over to box 4", "100"),
        (3, True, "Box 3 taken in the round", "\u221240"),
        (2, True, "Box 2 paid in the round", "10"),
        (1, True, "Box 1 taken in the round", "\u221210"),
    ]


def test_stakes_that_were_swept_lie_on_the_felt_no_more(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, EVERYTHING)
    shown = screen(running.table)
    assert {box["number"]: len(box["wagers"]) for box in shown["boxes"][:4]} == {1: 0, 2: 0, 3: 0, 4: 3}
    assert [box["label"] for box in shown["boxes"][:4]] == ["Folded", "Paid", "Taken", "Shown"]


def test_the_button_of_the_replacement_says_who_is_paid_before_it(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, TO_THE_REPLACEMENT)
    offer = next(offer for offer in screen(running.table)["offers"] if offer["kind"] == "replacement")
    assert offer["label"] == "Box 2 paid 10; replace the ace"


def test_what_was_swept_goes_back_when_its_entry_is_amended_or_undone(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, EVERYTHING)
    shows = running.actions.get(kind="show", box=3)
    factories.amend(running, shows.ordinal, cards=["Qc", "Qs", "Qh", "6c", "4d"], extra=["8c", "8d"])
    shown = screen(running.table)
    assert {box["number"]: (box["note"], len(box["wagers"])) for box in shown["boxes"][2:4]} == {
        3: ("Put back 40", 3),
        4: ("", 3),
    }
    # It is said once, with the step that changed it.
    factories.undo(running)
    assert screen(running.table)["boxes"][2]["note"] == ""


def test_what_was_handed_over_is_collected_when_the_replacement_is_undone(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, (*TO_THE_REPLACEMENT, EVERYTHING[-4]))
    factories.undo(running)
    assert screen(running.table)["boxes"][1]["note"] == "Collect 10"
    factories.do(running, "replacement", card="Qc")
    assert screen(running.table)["boxes"][1]["note"] == ""


def test_a_void_round_gives_back_what_was_swept_and_collects_what_was_paid(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, EVERYTHING)
    factories.hold(running)
    clara = factories.client("clara").get(f"/tables/{running.table_id}/terminal/").context["screen"]
    back = next(way["back"] for way in clara["ways"] if way["kind"] == "void")
    assert back == [
        {"box": 1, "amount": "10", "collects": False},
        {"box": 2, "amount": "10", "collects": True},
        {"box": 3, "amount": "40", "collects": False},
        {"box": 4, "amount": "40", "collects": False},
    ]
    factories.void(running)
    shown = screen(running.table)
    assert [(pay["heading"], pay["amount"]) for pay in shown["settled"]] == [
        ("Give back to box 1", "10"),
        ("Collect from box 2", "10"),
        ("Give back to box 3", "40"),
        ("Give back to box 4", "40"),
    ]
    assert [box["result"]["word"] for box in shown["boxes"][:2]] == ["Goes back", "To collect"]


def test_a_ruling_after_it_asks_for_the_difference(seeded_db):
    running = factories.open_round(factories.table())
    factories.act_all(running, EVERYTHING)
    factories.hold(running, clause="split.35", reason="Cards left the table.")
    factories.do(running, "rule", 3, what="void", clause="split.35")
    factories.release(running)
    factories.close(running)
    settling.settle_due()
    settled = Round.objects.get(pk=running.pk)
    assert settled.lines.get().handed == HANDED
    assert due(settled) == {3: 4000, 4: 9000}


def test_a_correction_of_what_was_swept_or_handed_over_asks_for_the_difference(settled):
    tick(settled, 4)
    corrected = factories.correct(settled, {"boxes[0].ante": 1500, "boxes[1].ante": 500})
    assert due(corrected) == {1: -500, 2: -500}
    tick(corrected, 1)
    assert due(factories.correct(corrected, {"boxes[0].ante": 1000})) == {1: 500, 2: -500}


def test_a_void_after_the_close_gives_back_what_was_swept_and_collects_what_was_paid(settled):
    void = factories.correct(settled, {"void": {"clause": "split.36"}}, clause="split.36")
    assert {pay.box: pay.difference for pay in results.of(void).payments} == {1: 1000, 2: -1000, 3: 4000, 4: None}


def test_a_preview_counts_from_what_was_swept_or_handed_over(settled):
    body = {"line": "1", "boxes[0].ante": "15"}
    answer = factories.client("clara").post(f"/rounds/{settled.pk}/preview/", body)
    assert "Collect 5 from box 1" in " ".join(answer.content.decode().split())


def test_the_rounds_page_says_what_was_done_in_the_round(settled):
    page = " ".join(factories.client("clara").get(f"/rounds/{settled.pk}/").content.decode().split())
    assert page.count("in the round itself") == 3


def test_a_line_from_before_says_nothing_and_all_its_payments_are_due(settled):
    """A line is never changed: what it would be without is read as such a line is."""
    settlement, line = settled.settlement, Line(handed=None)
    assert [pay.due for pay in results.payments(settlement, line.handed)] == [True] * 4
