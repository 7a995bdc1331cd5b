"""Big Two with unseen hands on the real floor: what its rounds leave behind, and the one that can't come to an end."""

import json

import pytest

from audit.models import Entry
from casino.errors import Refused
from casino.games.game import Action
from tables.models import Round, RuleSheet
from tables.verbs import fold, settling

from ...games.test_bigtwo_unseen import TWO, WINS, show
from ...support import evening, factories
from ...support.bigtwo_rounds import move
from .test_house_games import as_adjudicated, check, played

LOWER = ("3d", *TWO[1][1:])


@pytest.fixture
def table(seeded_db):
    return factories.table_of("bigtwo", {"hands": "unseen"})


def act_all(round_, *actions):
    for action in actions:
        done = action if isinstance(action, Action) else move(action)
        factories.do(round_, done.kind, done.box, **done.arguments)
    return Round.objects.get(pk=round_.pk)


def test_the_rounds_of_an_evening_are_settled_as_adjudicated(seeded_db):
    values, rounds_dealt = evening.unseen(*evening.evening("bigtwo"))
    own = factories.table_of("bigtwo", values)
    for dealt in rounds_dealt[:5]:
        closed = played(own, dealt)
        assert settling.settle_due() == 1
        assert as_adjudicated(Round.objects.get(pk=closed.pk, status=Round.Status.SETTLED))
    assert check(own)[0] == 20


def test_a_new_draft_is_proposed_with_unseen_hands(seeded_db):
    drafted = RuleSheet.objects.filter(game="bigtwo").latest("version")
    assert drafted.values["hands"] == "unseen"


def test_a_round_whose_first_play_was_against_the_rules_is_held_and_can_only_be_voided(table):
    opened = factories.open_round(table, (1, 2))
    held = act_all(opened, *WINS, show(1, *LOWER))
    assert held.held_at
    (hold,) = held.interventions.all()
    assert (hold.kind, hold.clause, hold.by.login) == ("held", "house.4", "anna")
    assert hold.reason == "Box 1 holds the three of diamonds, the lowest card dealt; box 2 led the round without it."
    facts = json.loads(Entry.objects.get(event="round.held", subject=opened.ref).body)["facts"]
    assert facts["clause"] == "house.4"
    with pytest.raises(Refused, match="is held"):
        factories.close(opened)
    factories.release(opened)
    with pytest.raises(Refused, match="isn’t finished yet"):
        factories.close(opened)
    factories.hold(opened, clause="house.4", reason="Against the rules.")
    factories.void(opened, clause="house.4")
    assert Round.objects.get(pk=opened.pk).status == "VOIDED"
    # The series goes on with the same round.
    again = factories.open_round(table)
    assert again.series_id == opened.series_id
    assert again.carry is None


def test_the_answer_to_the_hand_that_shows_it_says_that_the_round_is_held(table):
    opened = factories.open_round(table, (1, 2))
    act_all(opened, *WINS)
    shows = show(1, *LOWER)
    body = {"version": opened.actions.count(), "kind": shows.kind, "box": shows.box, "arguments": dict(shows.arguments)}
    answer = factories.send(factories.client("anna"), f"/api/v1/rounds/{opened.pk}/actions/", body)
    assert answer.status_code == 200
    assert (answer.json()["hold"]["clause"], answer.json()["legal"]) == ("house.4", [])


def test_a_card_shown_wrong_is_taken_back_after_the_release(table):
    opened = factories.open_round(table, (1, 2))
    act_all(opened, *WINS, show(1, *LOWER))
    factories.release(opened, reason="The three of hearts was read as that of diamonds.")
    factories.undo(opened)
    again = act_all(opened, show(1, *TWO[1]))
    assert again.held_at is None
    assert fold.of(again).game.view(fold.of(again).state).final
    factories.close(opened)
    assert settling.settle_due() == 1


def test_an_amended_card_can_hold_the_round_too(table):
    opened = factories.open_round(table, (1, 2))
    act_all(opened, *WINS, show(1, *TWO[1]))
    factories.amend(opened, len(WINS) + 1, cards=list(LOWER))
    assert Round.objects.get(pk=opened.pk).held_at
