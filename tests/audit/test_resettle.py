"""`verify_export.py --resettle`: every payment and transfer of an export follows from its cards and the rules."""

import json
import re
from pathlib import Path

import pytest
from django.db import transaction

from audit import verify_export as verifier
from audit.models import Entry
from tables.management.commands.seed_demo import OPENER
from tables.people import staff
from tables.verbs import settling

from ..support import evening, exports, factories, stack
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
PROJECT = Path(__file__).resolve().parents[2]
ANTE = {"boxes[0].ante": 2000}


def settled(table, dealt):
    """A round of an evening, settled."""
    opened = factories.open_round(table, dealt.seats)
    for action in dealt.actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    factories.close(opened)
    settling.settle_due()
    return opened


def play_slips(one, two):
    """Slips of each kind, received, sent back and void, at two tables whose numbers go on together."""
    for kind in ("fill", "credit", "change"):
        slip = factories.issue(factories.slip(one, kind), carrier="boris")
        factories.count_slip(factories.count_slip(slip, chips={"500": 39}))
        factories.receive(factories.print_slip(slip))
        factories.send_back(factories.issue(factories.slip(two, kind)))
        factories.void_slip(factories.slip(one, kind))
    # One is counted, another is asked for.
    factories.count_slip(factories.issue(factories.slip(two)))
    factories.slip(one)


def work_the_cage():
    """Chips sold, cashed, issued and taken out of use; a shift of the cage closed with a variance, and the next one."""
    factories.move_chips("sold", units=250_050)
    factories.move_chips("cashed", {"500": 3})
    factories.move_chips("issued", {"100": 7})
    factories.move_chips("withdrawn", {"100": 2})
    for by in ("olga", "hugo"):
        factories.count_cage({"100": 3}, by=by)
    factories.sign_cage(reason="The vault was not counted.")
    factories.move_chips("sold", units=100)


def play_the_night():
    """Split Poker with all that may happen to a round, a pot game, and a series corrected from its first round on."""
    one = factories.table("T1")
    play_slips(one, factories.table("T2"))
    work_the_cage()
    factories.carry_session(factories.table("T3"), OPENER)
    factories.settled_round(one)
    voided = factories.open_round(one)
    factories.do(voided, "ante", 1, units=500)
    factories.void(voided)
    opened = factories.open_round(one)
    factories.do(opened, "ante", 1, units=500)
    factories.undo(opened)
    factories.do(opened, "ante", 1, units=1000)
    factories.amend(opened, 3, units=1500)
    factories.hold(opened)
    factories.release(opened)
    factories.act_all(opened, factories.FOLDS[1:])
    factories.close(opened)
    settling.settle_due()
    twice = factories.settled_round(one)
    factories.correct(twice, ANTE)
    factories.correct(twice, {"void": {"clause": "split.36"}}, clause="split.36")
    # Held once it is closed, it is not settled.
    factories.hold(factories.play_round(one))
    pot = factories.table_of("genpoker", evening.evening("genpoker")[0])
    for dealt in evening.evening("genpoker")[1][:2]:
        settled(pot, dealt)
    before = factories.table_of_before("genpoker", {"stake": 500, "rake_percent": 7})
    for dealt in evening.evening("genpoker")[1][:2]:
        old = settled(before, dealt)
    factories.correct(old, {"void": {"clause": "house.4"}}, clause="house.4")
    long = factories.table_of("dynastia", {"game": "long", "price": 100, "rounds": 3})
    _, dealt = evening.evening("dynastia_long")
    first, *_ = [settled(long, of_three) for of_three in [one for one in dealt if set(one.seats) == {1, 2, 3}][:3]]
    factories.correct(first, {"void.clause": "house.6"}, clause="house.4")
    factories.open_round(long, (1, 2, 3))


def play_a_night_of_pots():
    """Genpoker in two sessions, the first closed with a rake variance; a round from before tables had rake slots is
    corrected in the second. At another table, whose series of Dynastia is broken off, no rake is taken."""
    genpoker = factories.table_of("genpoker", evening.evening("genpoker")[0] | {"rake_percent": 20})
    dealt = evening.evening("genpoker")[1]
    opened = factories.open_round(genpoker, dealt[0].seats)
    for action in dealt[0].actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    old = factories.settled_before_slots(factories.close(opened))
    corrected = settled(genpoker, dealt[1])
    factories.correct(corrected, {"void": {"clause": "house.4"}}, clause="house.4")
    settled(genpoker, dealt[2])
    factories.close_session(genpoker, {100: 101}, rake={500: 1, 100: 7})
    factories.open_session(genpoker, {100: 100})
    with transaction.atomic():
        staff.sign_on(staff=factories.person("anna"), table=genpoker, actor=factories.actor("clara"))
    factories.correct(old, {"void": {"clause": "house.4"}}, clause="house.4")
    settled(genpoker, dealt[0])
    factories.close_session(genpoker, {100: 100})


def test_a_night_of_pots_closed_with_a_variance_of_the_rake_is_settled_again_whole(seeded_db, tmp_path):
    play_a_night_of_pots()
    entries = [json.loads(body) for body in Entry.objects.order_by("id").values_list("body", flat=True)]
    night = exports.Log(entries, [len(entries) // 2, len(entries)])
    code, told = Desk(tmp_path, night).judge(night.all(), "--resettle", str(PROJECT))
    assert code == WHOLE, told
    moved = [entry["facts"]["transfer"] for entry in entries if entry["event"] == "movement.made"]
    raked = [(each["reason"], each["debit"].partition(":")[0]) for each in moved if "rake:table:" in str(each)]
    assert raked == [("variance", "rake"), ("rake", "cage"), ("rake", "cage")]
    told = [str(each["facts"]) for each in entries if each["event"] == "round.settled"]
    assert ["rake:house" in facts for facts in told] == [True, False, False, False, True, False]


@pytest.fixture(scope="module")
def log(django_test_environment, django_db_blocker):
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        play_the_night()
        entries = [json.loads(body) for body in Entry.objects.order_by("id").values_list("body", flat=True)]
    count = len(entries)
    return exports.Log(entries, [count // 3, count // 2, count])


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_night_is_settled_again_without_a_difference(jobs, desk, log, monkeypatch):
    monkeypatch.setattr(verifier, "BLOCK", 50_000)
    code, told = desk.judge(log.all(), "--resettle", str(PROJECT), "--jobs", jobs)
    assert code == WHOLE, told
    settlements = sum(entry["event"] == "round.settled" for entry in log.entries)
    assert settlements >= 10
    found = re.search(
        rf"^  payments and transfers: {settlements} settlements worked out again: (\d+) payments, (\d+) transfers,"
        r" 0 differences$",
        "\n".join(told),
        re.MULTILINE,
    )
    assert "  rounds that are not whole here: 1 round closed and not settled yet (" in "\n".join(told)
    facts = [entry["facts"] for entry in log.entries if entry["event"] == "round.settled"]
    moved = sum(entry["event"] == "movement.made" for entry in log.entries)
    assert int(found[1]) == sum(len(fact["payments"]) for fact in facts)
    assert int(found[2]) == sum(len(fact["transfers"]) for fact in facts) + moved


def test_the_kept_night_has_the_form_of_tonight_s(log, tmp_path):
    """Where the log's form is another by now, tonight's takes its place."""
    tonight = tmp_path / "night.jsonl"
    tonight.write_bytes(b"".join(line + b"\n" for line in log.lines))
    kept = {(entry["event"], entry["v"], *entry["facts"]) for entry in exports.kept_night()}
    new = {(entry["event"], entry["v"], *entry["facts"]) for entry in log.entries}
    assert kept == new, f"{tonight} takes the place of {exports.KEPT_NIGHT}"


def play_a_night_of_cash():
    """Two drop boxes at a table, one with another seal, buy-ins into both, a closer and a drop that differ; one box
    that waits to be counted, and one that is mounted."""
    one, two = factories.table("T1"), factories.table("T2")
    factories.settled_round(one)
    first = factories.mount(one)
    factories.buy_in(one, 30_000)
    factories.buy_in(one, 250_000, box=2, signed=True)
    factories.take_off(first, seal="S-9")
    second = factories.mount(one, "102")
    factories.buy_in(one, 500, box=6)
    factories.take_off(second)
    third = factories.mount(two, "103")
    factories.buy_in(two, 700)
    for cash in ({"50000": 5, "10000": 3}, {"50000": 5, "10000": 2}):
        factories.count_drop(first, cash, by="olga")
        factories.count_drop(first, {"50000": 5, "5000": 6}, by="petra")
    factories.sign_drop(first, signed_with="clara", place=1, reason="A note was torn.")
    factories.counted_drop(second, {})
    factories.close_session(one, {100: 100})
    factories.take_off(third)
    factories.mount(two, "104")
    factories.tip(two, 700)
    factories.counted_tips(factories.day_with_tips(), {"100": 4}, reason="One is gone.")


def test_a_night_with_cash_and_drop_is_settled_again_whole(seeded_db, tmp_path):
    play_a_night_of_cash()
    entries = [json.loads(body) for body in Entry.objects.order_by("id").values_list("body", flat=True)]
    night = exports.Log(entries, [len(entries) // 2, len(entries)])
    code, told = Desk(tmp_path, night).judge(night.all(), "--resettle", str(PROJECT))
    assert code == WHOLE, told
    counted = [entry["facts"] for entry in entries if entry["event"] == "drop_box.counted"]
    assert [(each["units"], each["recorded"], each["variance"]) for each in counted] == [
        (270_000, 280_000, -10_000),
        (0, 500, -500),
    ]
    # A buy-in that is left out, and one that is another amount, are told.
    for change in (lambda all_: all_.remove(bought(all_)), lambda all_: more(bought(all_))):
        changed = json.loads(json.dumps(entries))
        change(changed)
        forged = exports.Log(changed, [len(changed) // 2, len(changed)])
        folder = tmp_path / str(len(changed))
        folder.mkdir()
        code, told = Desk(folder, forged).judge(forged.all(), "--resettle", str(PROJECT))
        assert code == TAMPERED, told


def bought(entries):
    return next(each for each in entries if each["facts"].get("kind") == "buy_in")


def more(entry):
    entry["facts"]["denominations"]["1"] += 100
    entry["facts"]["transfer"]["units"] += 100
