"""Luck told apart: what is expected of rounds by hand, what is left out, corrected, taken up later, and killed."""

import datetime as dt
import json
import math
import os
import signal
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection, transaction

from casino.running import embedded
from payouts import edge_results, ledger
from payouts import luck as bets
from payouts.models import EdgeResult, Settlement
from tables.models import LuckDay, Round, RoundLuck
from tables.verbs import dates, luck, rulesheets, settling

from ...support import edges, factories, stack, waiting
from ...support.factories import FLUSH_WINS, FOLDS, settled_round, table

BILLION = 10**9
# A box of 500 with an open seven.
SEVEN = tuple(("open_card", None, {"card": "7s"}) if kind == "open_card" else (kind, *rest) for kind, *rest in FOLDS)
KEEPS_UP = """
import django
django.setup()
from tables.verbs import luck
print(luck.keep_up())
"""


def cards(**of_rank):
    """The figures of open cards, some with others than the rest."""
    return [card | of_rank.get(f"of_{card['rank']}", {}) for card in edges.figures()["open_cards"]]


KNOWN = cards(
    of_7={"expectation": "-0.412000000", "variance": "9.000000000", "covariance": "0.500000000"},
    of_2={"expectation": "-0.100000001", "variance": "12.460900000", "covariance": "1.500000000"},
)


@pytest.fixture
def computed(seeded_db):
    """T1 plays by a sheet of its own; what is expected differs with the open card."""
    return factories.plays_by(table("T1"), open_cards=KNOWN)


def parts(*shares):
    """How the bets stand after a gaming day of rounds that won these parts, in billionths, of what they could lose."""
    now = bets.FIRST_DAY
    for share in shares:
        now = bets.after(now, bets.Observation(Fraction(share, BILLION), Fraction(-1), Fraction(0)))
    return now


def nights(place, *nights_, last=None):
    """Gaming days on end at a table, each with its rounds, the last of them in the July of last year or on a date."""
    today, chips, played = dates.business_date(), factories.pile(2_000_000), []
    last = last or dt.date(today.year - 1, 7, 10)
    factories.close_session(place, factories.pile(ledger.balance(place.float_account)))
    for before, rounds in zip(range(len(nights_) - 1, -1, -1), nights_, strict=True):
        with factories.days_ago((today - last).days + before):
            factories.open_session(place, chips)
            factories.sign_on(factories.person("anna"), place)
            played.append([settled_round(place, moves) for moves in rounds])
            factories.close_session(place, factories.pile(ledger.balance(place.float_account)))
    return played


def test_what_is_expected_of_a_round_follows_from_its_antes_and_the_open_card(computed):
    won = settled_round(table("T1"), FLUSH_WINS)
    lost = settled_round(table("T1"), SEVEN)
    assert luck.keep_up() == (2, 2)
    # Boxes of 1,000 and 500 against an open two; the first wins ten times its ANTE, the second loses its own.
    row = won.luck
    assert (row.win_units, row.left_out, row.croupier.login) == (-9_500, "", "anna")
    assert row.expected == Decimal("150.000001500")
    assert row.variance == (1_000**2 + 500**2) * Decimal("12.4609") + 2 * 1_000 * 500 * Decimal("1.5")
    excess, least = Fraction(10 - 1, 2) + Fraction("0.100000001"), -5 + Fraction("0.100000001")
    assert row.part == math.floor(BILLION * excess / -least)
    # One box of 500 against an open seven, folded.
    row = lost.luck
    assert (row.win_units, row.expected, row.variance) == (500, Decimal(206), 500**2 * 9)
    assert row.part == math.floor(BILLION * (-1 + Fraction("0.412")) / (5 - Fraction("0.412")))
    assert row.edge_keys == [computed[None].key]
    for day in LuckDay.objects.all():
        assert (day.rounds, day.left_out, day.win_units) == (2, 0, -9_000)
        assert day.expected == Decimal("356.000001500")
        assert (day.days, day.logs) == (1, list(parts(won.luck.part, row.part).logs))
        assert day.highest == parts(won.luck.part, row.part).highest > 0
    assert {day.whose for day in LuckDay.objects.all()} == {table("T1").ref, factories.person("anna").ref}
    assert luck.keep_up() == (0, 0)


def test_a_correction_makes_a_new_figure_and_all_days_from_then_on(computed):
    one = table("T1")
    (first, second), (third,), (fourth,) = nights(one, [FLUSH_WINS, FOLDS], [FOLDS], [FLUSH_WINS])
    luck.keep_up()
    days = list(LuckDay.objects.filter(table=one))
    assert [(day.rounds, day.days) for day in days] == [(2, 1), (1, 2), (1, 3)]
    before = [day.logs for day in days]
    factories.open_session(one, factories.pile(500_000))
    factories.sign_on(factories.person("anna"), one)
    corrected = factories.correct(second, {"boxes[0].ante": 1000})
    assert luck.keep_up() == (1, 2)
    again = RoundLuck.objects.get(pk=second.pk)
    assert (again.settlement_id, again.win_units) == (corrected.settlement_id, 1_000)
    # It counts in the gaming day on which it was played, whatever day it was corrected on.
    assert again.business_date == first.luck.business_date
    assert [(row.settlement_id, row.win_units) for row in RoundLuck.objects.filter(pk__in=[third.pk, fourth.pk])] == [
        (third.settlement_id, 500),
        (fourth.settlement_id, -9_500),
    ]
    days = list(LuckDay.objects.filter(table=one))
    assert days[0].win_units == -9_500 + 1_000
    # One box lost its ANTE, of whatever size: the bets are what they were.
    assert [day.logs for day in days] == before
    # Against another open card something else was expected, and the bets of all days from then on are others.
    factories.correct(second, {"dealer.cards[4]": "3s"})
    assert luck.keep_up() == (1, 3 + 3)
    assert all(a != b for a, b in zip([day.logs for day in LuckDay.objects.filter(table=one)], before, strict=True))


def test_what_does_not_count_says_why(computed):
    one = table("T1")
    ruled = factories.open_round(one)
    factories.act_all(ruled, FLUSH_WINS[:-1])
    factories.do(ruled, "rule", 1, what="void", clause="split.35")
    factories.close(ruled)
    settling.settle_due()
    counted = settled_round(one)
    luck.keep_up()
    assert {row.round_id: row.left_out for row in RoundLuck.objects.all()} == {ruled.pk: "ruled", counted.pk: ""}
    row = RoundLuck.objects.get(pk=ruled.pk)
    assert (row.expected, row.variance, row.part, row.edge_keys) == (None, None, None, [])
    assert [(day.rounds, day.left_out) for day in LuckDay.objects.all()] == [(1, 1), (1, 1)]


def test_a_round_from_paper_is_of_its_table_and_of_no_croupier(computed):
    one = table("T1")
    round_ = factories.enter_paper(one)
    factories.act_all(round_, FOLDS)
    factories.close(round_)
    settling.settle_due()
    luck.keep_up()
    assert RoundLuck.objects.get().croupier is None
    assert [day.whose for day in LuckDay.objects.all()] == [one.ref]


def test_a_round_whose_result_is_not_there_is_left_out_and_taken_up_once_it_is(seeded_db):
    # What a capped sheet comes to between its limits nobody had to compute.
    one = table("T1")
    known = factories.plays_by(one, values={"max_payment": 1_000, "ante_minimum": 100, "ante_maximum": 700})
    round_ = settled_round(one, FOLDS)
    assert luck.keep_up() == (1, 2)
    row = RoundLuck.objects.get()
    assert (row.left_out, len(row.edge_keys)) == ("no_result", 1)
    assert row.edge_keys[0] not in {result.key for result in known.values()}
    # As nobody waits for another, it is asked for.
    asked = EdgeResult.objects.get(key=row.edge_keys[0])
    assert (asked.status, asked.inputs["ante"]) == ("ASKED", 500)
    assert [(day.rounds, day.left_out, day.days, day.logs) for day in LuckDay.objects.all()] == 2 * [(0, 1, 0, [])]
    assert luck.keep_up() == (0, 0)
    edge_results.done(edge_results.due(), edges.figures(ante=500))
    assert luck.keep_up() == (1, 2)
    assert RoundLuck.objects.get(pk=round_.pk).left_out == ""
    assert [(day.rounds, day.left_out, day.days) for day in LuckDay.objects.all()] == 2 * [(1, 0, 1)]


def test_a_person_goes_before_what_luck_waits_for(seeded_db):
    one = table("T1")
    factories.plays_by(one, values={"max_payment": 1_000, "ante_minimum": 100, "ante_maximum": 700})
    settled_round(one, FOLDS)
    with transaction.atomic():
        mine = edge_results.ask({**ODD, "coefficients": factories.RATIOS | {"royal_flush": "103:1"}})[None]
    luck.keep_up()
    assert [row.key for row in EdgeResult.objects.filter(status="ASKED")] == [mine.key]


def test_rounds_wait_for_what_the_program_of_now_computes(seeded_db, monkeypatch):
    one = table("T1")
    factories.plays_by(one, values={"max_payment": 1_000, "ante_minimum": 100, "ante_maximum": 700})
    settled_round(one, FOLDS)
    luck.keep_up()
    (old,) = RoundLuck.objects.get().edge_keys
    monkeypatch.setattr("payouts.edge.PROGRAM", "split-edge-next")
    # Nobody computes for the program of before.
    assert edge_results.due() is None
    luck.keep_up()
    (new,) = RoundLuck.objects.get().edge_keys
    assert new != old
    luck.keep_up()
    edge_results.done(edge_results.due(), edges.figures(ante=500))
    assert EdgeResult.objects.get(key=new).status == "DONE"
    assert luck.keep_up()[0] == 1
    assert RoundLuck.objects.get().left_out == ""


def test_an_edge_that_leaves_out_the_game_expects_nothing(seeded_db):
    one = table("T1")
    known = factories.plays_by(one, values={"max_payment": 1_000, "ante_minimum": 100, "ante_maximum": 700})
    settled_round(one, FOLDS)
    luck.keep_up()
    edge_results.done(edge_results.due(), edges.figures(ante=500, games=False))
    luck.keep_up()
    assert (RoundLuck.objects.get().left_out, len(known)) == ("inexact", 2)
    assert luck.keep_up() == (0, 0)


ODD = {"game": "split", "version": 1, "parameters": {}, "limits": {}}


def test_payments_that_the_sheet_cannot_come_to_are_left_out(computed):
    luck_of = luck._luck(1, 1, 1, dt.date(2026, 1, 1), rulesheets.in_force(table("T1")).pk, LINE, None, {"1": -5_001},
                         luck._Expected())  # fmt: skip
    assert (luck_of.left_out, luck_of.win_units, luck_of.expected) == ("beyond", 5_001, None)


LINE = json.dumps({"boxes": [{"box": 1, "ante": 1_000}], "dealer": {"cards": ["9s", "9d", "Ac", "Kh", "2s"]}})


def test_each_ante_has_its_result_where_the_sheet_caps_what_is_paid(seeded_db):
    one = table("T1")
    known = factories.plays_by(one, values={"max_payment": 20_000, "ante_minimum": 500, "ante_maximum": 1_000})
    settled_round(one, FLUSH_WINS)
    luck.keep_up()
    assert RoundLuck.objects.get().edge_keys == sorted(result.key for result in known.values())
    assert RoundLuck.objects.get().left_out == ""


def test_what_a_sheet_was_published_with_counts_whatever_program_came_since(computed, monkeypatch):
    monkeypatch.setattr("payouts.edge.PROGRAM", "split-edge-next")
    assert settled_round(table("T1"), FOLDS).status == Round.Status.SETTLED
    luck.keep_up()
    row = RoundLuck.objects.get()
    assert (row.left_out, row.edge_keys) == ("", [computed[None].key])


def test_days_of_a_year_follow_on_each_other(computed):
    one = table("T1")
    nights(one, [FOLDS], [FLUSH_WINS])
    luck.keep_up()
    first, second = LuckDay.objects.filter(table=one)
    assert (first.days, second.days) == (1, 2)
    part = RoundLuck.objects.get(business_date=second.business_date).part
    now = bets.next_day(bets.Bets(first.days, tuple(first.logs), first.highest))
    now = bets.after(now, bets.Observation(Fraction(part, BILLION), Fraction(-1), Fraction(0)))
    assert (second.logs, second.highest) == (list(now.logs), now.highest)


def test_a_new_year_begins_with_a_new_purse(computed):
    one = table("T1")
    nights(one, [FLUSH_WINS], [FOLDS], last=dt.date(dates.business_date().year, 1, 1))
    luck.keep_up()
    old, new = LuckDay.objects.filter(table=one)
    assert (old.days, new.days) == (1, 1)
    assert old.highest > new.highest == 0


def test_settlement_never_waits_for_it(computed):
    one = table("T1")
    settled_round(one)
    with LuckInHand(name_of_database()) as process:
        # Its transaction has looked at the first round, and is in the midst.
        assert settled_round(one).status == Round.Status.SETTLED
        factories.correct(Round.objects.earliest("pk"), {"boxes[0].cards[4]": "8h"})
        assert process.poll() is None
    # What it held is given back a moment after it was killed.
    waiting.until(lambda: luck.keep_up() and RoundLuck.objects.count() == 2)
    newest = Settlement.objects.filter(round_key=Round.objects.earliest("pk").ref).latest("pk")
    assert RoundLuck.objects.get(round=Round.objects.earliest("pk")).settlement_id == newest.pk


def test_a_task_that_is_killed_is_made_good_by_the_next(computed):
    settled_round(table("T1"))
    with LuckInHand(name_of_database()) as process:
        process.send_signal(signal.SIGKILL)
        assert process.wait(waiting.PATIENCE) == -signal.SIGKILL
    waiting.until(lambda: luck.keep_up() == (1, 2))
    assert (RoundLuck.objects.count(), LuckDay.objects.filter(stale=False).count()) == (1, 2)


def test_only_one_worker_is_at_it(computed):
    settled_round(table("T1"))
    with LuckInHand(name_of_database()):
        assert luck.keep_up() == (0, 0)


def test_what_was_passed_over_is_found_by_the_sweep(computed, monkeypatch):
    one = table("T1")
    settled_round(one)
    monkeypatch.setattr(luck, "OVERLAP", -1)
    assert luck.keep_up(since=0) == (1, 2)
    later = settled_round(one)
    monkeypatch.setattr(luck, "OVERLAP", -100)
    assert luck.keep_up() == (0, 0)
    assert luck.keep_up(since=0) == (1, 2)
    assert later.luck.left_out == ""


def name_of_database():
    return connection.settings_dict["NAME"]


class LuckInHand:
    """A process that has looked at a round and has got as far as the gaming days, which another one holds."""

    def __init__(self, database):
        self.database = database

    def __enter__(self):
        self.owner = stack.cluster().connect(embedded.OWNER, self.database)
        self.owner.execute("BEGIN; LOCK TABLE tables_luckday IN SHARE MODE")
        self.process = subprocess.Popen(
            [sys.executable, "-c", KEEPS_UP], cwd=stack.BASE_DIR, env=dict(os.environ), stdout=subprocess.PIPE
        )
        waiting.until(lambda: waiting.behind(self.owner) == 1)
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate(timeout=waiting.PATIENCE)
        self.owner.close()


def test_the_task_is_of_the_edges_queue(computed):
    from tables.tasks import sweep_luck, tell_luck_apart

    settled_round(table("T1"))
    assert tell_luck_apart() == (1, 2)
    assert sweep_luck() == (0, 0)
    with transaction.atomic():
        assert luck.keep_up() == (0, 0)
