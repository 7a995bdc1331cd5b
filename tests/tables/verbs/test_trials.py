"""A sheet tried on rounds that were played: what would be paid otherwise, and what nobody can know."""

import pytest
from django.db import transaction

from tables.verbs import rulesheets, settling, trials
from tests.support import evening, factories, proof
from tests.support.factories import FLUSH_WINS, FOLDS, RATIOS, STAND_OFF, actor, table


@pytest.fixture(autouse=True)
def _demo(seeded_db):
    """The demo casino."""


def draft(game="split", **values):
    with transaction.atomic():
        return rulesheets.draft(game=game, values={"chip": 100, **values}, coefficient_table=None, actor=actor("clara"))


def split(**values):
    return draft(**{"ante_minimum": 500, "ante_maximum": 10_000, **values})


def tried(sheet, rounds=trials.DEFAULT, code="T1"):
    before = factories.written()
    trial = trials.of(sheet=sheet, table=table(code), rounds=rounds)
    assert factories.written() == before
    return trial


def test_another_coefficient_changes_what_a_flush_was_paid_and_nothing_else():
    won = factories.settled_round(table("T1"), FLUSH_WINS)
    factories.settled_round(table("T1"), FOLDS)
    trial = tried(split(coefficients={**RATIOS, "flush": "6:1"}))
    flush, fold = (each for each in won.settlement.payments.order_by("box"))
    bet = flush.paid_units // 5
    assert [(each.number, box.number, box.difference) for each, box in trial.boxes if box.differs] == [
        (won.number, flush.box, bet)
    ]
    assert trial.difference == bet
    played = [each for round_ in table("T1").rounds.all() for each in round_.settlement.payments.all()]
    assert trial.won == -sum(payment.net_units for payment in played)
    assert fold.net_units < 0
    capped = tried(split(max_payment=100))
    assert capped.difference == 100 - flush.paid_units
    assert tried(split(max_payment=100), rounds=1).difference == 0


def test_the_sheet_in_force_tried_on_its_own_rounds_changes_nothing():
    for moves in (FLUSH_WINS, FOLDS, STAND_OFF):
        factories.settled_round(table("T1"), moves)
    factories.correct(table("T1").rounds.order_by("number").first(), {"boxes[0].ante": 1500})
    trial = tried(rulesheets.in_force(table("T1")))
    assert len(trial.of(trials.Ending.SETTLED)) == 3
    assert not any(box.differs for _, box in trial.boxes)


def test_an_ante_below_the_sheet_s_lowest_was_not_played_so():
    factories.settled_round(table("T1"), FOLDS)
    (round_,) = tried(split(ante_minimum=1000)).rounds
    assert round_.ending == trials.Ending.NOT_PLAYED
    assert round_.why == "ANTE is 5; it runs from 10 to 100 in multiples of 1."


def test_cards_that_nobody_looked_at_are_not_known_and_counted_apart():
    below = (*STAND_OFF[:-1], ("show", 1, {"cards": ["8c", "7h", "Ad", "Ks", "2d"]}))
    factories.settled_round(table("T1"), below)
    seen = factories.settled_round(table("T1"), STAND_OFF)
    trial = tried(split(unseen_cards="house_way"))
    (unseen,) = trial.of(trials.Ending.NOT_KNOWN)
    assert unseen.round.number != seen.number
    assert "two further cards" in unseen.why
    assert [each.round for each in trial.of(trials.Ending.SETTLED)] == [seen]


@pytest.mark.proof
def test_two_hundred_rounds_are_tried_box_by_box():
    place, courses, count = table("T1"), (FLUSH_WINS, FOLDS, STAND_OFF), proof.size(200, 50)
    for number in range(count):
        factories.settled_round(place, courses[number % 3])
    sheet = split(coefficients={**RATIOS, "flush": "6:1"})
    trial = tried(sheet)
    assert (len(trial.rounds), len(trial.of(trials.Ending.SETTLED))) == (count, count)
    flushes = [box for _, box in trial.boxes if box.differs]
    assert len(flushes) == -(-count // 3)
    assert trial.difference == sum(box.before.net // 5 for box in flushes)


SETTLED, NOT_KNOWN, NOT_PLAYED = trials.Ending.SETTLED, trials.Ending.NOT_KNOWN, trials.Ending.NOT_PLAYED
# Evening, how many rounds of it; by another sheet's values: how many rounds end how, and why of the last apart.
OTHERS = {
    "genpoker": (4, {"rake_percent": 50}, {SETTLED: 4}, ""),
    "dynastia": (2, {"game": "long"}, {NOT_PLAYED: 2}, "Stake isn’t possible"),
    "presidential": (3, {"bet_minimum": 1_000_000}, {NOT_PLAYED: 3}, "it runs from 10\u2009000 to"),
    "dynastia_long": (4, {"price": 200}, {SETTLED: 4}, ""),
    "dynastia_long, fewer rounds": (4, {"rounds": 3}, {SETTLED: 4}, ""),
    "dynastia_long, more rounds": (4, {"rounds": 6}, {SETTLED: 3, NOT_KNOWN: 1}, "Its series would go on after it"),
    "dynastia_long, as a short game": (4, {"game": "short"}, {NOT_PLAYED: 1, NOT_KNOWN: 3}, "an earlier round of its"),
    "bigtwo": (5, {"price": 200, "hands": "entered"}, {SETTLED: 5}, ""),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_sheet_of_each_game_is_tried_on_its_rounds_and_its_series(name):
    count, other, endings, why = OTHERS[name]
    name = name.partition(",")[0]
    values, dealt = evening.evening(name)
    game = evening.game_of(name)
    place = factories.table_of(game.code, values)
    for each in dealt[:count]:
        round_ = factories.open_round(place, each.seats)
        factories.act_all(round_, each.actions)
        factories.close(round_)
        settling.settle_due()
    same = trials.of(sheet=rulesheets.in_force(place), table=place)
    assert [each.ending for each in same.rounds] == [SETTLED] * count
    assert not any(box.differs for _, box in same.boxes)
    with transaction.atomic():
        sheet = rulesheets.draft(game=game.code, values=values | other, actor=actor("clara"))
    trial = trials.of(sheet=sheet, table=place)
    assert {ending: len(trial.of(ending)) for ending in trials.Ending if trial.of(ending)} == endings
    assert all(box.after is not None or "rounds" in other for _, box in trial.boxes)
    apart = [each for each in trial.rounds if each.ending != SETTLED]
    assert why in (apart[-1].why if apart else "")
    if name == "dynastia_long" and other == {"rounds": 3}:
        # What the fourth round paid, the third pays.
        assert trial.boxes[-1][1].after is None
        assert [each.number for each, box in trial.boxes if box.differs][-1] == trial.rounds[-1].round.number
