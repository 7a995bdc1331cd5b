"""The floor: how each table stands, what its session won by what is known, and what tells that a tile is another."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.roles import RIGHTS, Right
from payouts import ledger
from payouts.winning import Grade
from tables.management.commands.seed_demo import OPENER
from tables.people import access
from tables.verbs import figures, floor
from tables.verbs.floor import STEPS, State

from ...support import factories

pytestmark = pytest.mark.usefixtures("seeded_db")


def places():
    return {place.name: place for place in floor.now(access.EVERYWHERE).places}


def place(table):
    return places()[table.name]


def is_whole(day):
    return all(won.units is not None for _, won in day.sessions)


def digest(table):
    return floor.digests(access.EVERYWHERE)[table.pk]


def test_a_table_goes_through_its_states_and_every_change_is_another_digest():
    at, seen = factories.table(), []

    def step(state, **facts):
        now = place(at)
        assert now.state == state, now
        assert {name: getattr(now, name) for name in facts} == facts
        seen.append(digest(at))
        assert len(set(seen)) == len(seen), "the tile is another, and nothing tells"

    step(State.IDLE, round_id=None, boxes=0, pace=0, dealer=(factories.person("anna").pk, "Anna Adler"))
    opened = factories.open_round(at)
    step(State.PLAYING, round_id=opened.pk, round_since=opened.opened_at, boxes=0, pace=1)
    factories.do(opened, "ante", 2, units=500)
    step(State.PLAYING, boxes=1)
    held = factories.hold(opened)
    step(State.HELD, round_since=held.held_at)
    factories.void(opened)
    step(State.IDLE, boxes=0, round_since=opened.interventions.get(kind="voided").at)
    slip = factories.slip(at)
    step(State.IDLE, float_units=ledger.balance(at.float_account))
    factories.issue(slip)
    step(State.IDLE)
    factories.receive(slip)
    step(State.IDLE, float_units=ledger.balance(at.float_account), slips=[])
    stopped = factories.stop_session(at)
    step(State.CLOSING, float_units=None)
    for login in ("clara", "hugo"):
        factories.count_session(stopped, factories.pile(ledger.balance(at.float_account)), by=login)
    factories.sign_session(stopped)
    step(State.CLOSED, float_units=None)
    factories.begin_session(at)
    step(State.OPENING)
    assert [spell.state for spell in place(at).spells][-2:] == [State.CLOSED, State.OPENING]


def test_a_running_win_is_an_estimate_of_its_rounds_and_a_counted_one_is_final():
    at = factories.table()
    before = ledger.balance(at.float_account)
    factories.settled_round(at)
    factories.mount(at)
    factories.buy_in(at, 40_000)
    factories.receive(factories.issue(factories.slip(at)))
    now = place(at)
    assert (now.win.units, now.win.grade) == (-9_500, Grade.ESTIMATE)
    assert (now.wins[-1], sum(now.paces)) == (-9_500, 1)
    assert (now.opener, now.float_units) == (before, ledger.balance(at.float_account))
    # A correction of a round is in it at once, and stands where it was made.
    factories.contest(factories.settled_round(at))
    assert place(at).win.units == -19_000
    box = at.drop_boxes.get()
    factories.take_off(box)
    factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    now = place(at)
    assert (now.win.units, now.win.reason) == (None, f"Drop box {box.number} isn’t counted.")
    factories.counted_drop(box, {"20000": 2})
    now, (sitting,) = place(at), figures.sittings(at.sessions.all())
    assert (now.win.units, now.win.grade) == (sitting.figures.win, Grade.FINAL) == (-19_000, Grade.FINAL)


def test_what_was_corrected_moves_no_win_to_before_it_was_played():
    at = factories.table()
    round_ = factories.settled_round(at)
    factories.correct(round_, {"boxes[0].ante": 1500})
    now = place(at)
    assert now.win.units != -9_500
    assert now.wins[-1] == now.win.units
    # The last two: a step may end between the round and now.
    assert set(now.wins[:-2]) == {0}


def test_a_session_that_goes_on_from_another_has_a_win_of_its_own():
    at = factories.table()
    factories.settled_round(at)
    factories.carry_session(at, factories.pile(ledger.balance(at.float_account)))
    assert place(at).win.units == 0
    factories.settled_round(at)
    now = place(at)
    assert (now.win.units, now.wins[-1]) == (-9_500, -9_500)
    assert State.CLOSED not in [spell.state for spell in now.spells[1:]]


def test_the_win_of_a_day_is_that_of_all_its_sessions_and_as_good_as_the_worst_of_them():
    at = factories.table()
    factories.settled_round(at)
    box = factories.mount(at)
    factories.take_off(box)
    first = factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    second = factories.open_session(at, OPENER)
    factories.settled_round(at)
    day = place(at).day
    # A drop that is not counted is no 0: the day is what was won since, and not whole.
    assert (day.units, day.grade, is_whole(day)) == (-9_500, Grade.ESTIMATE, False)
    assert [(number, won.units) for number, won in day.sessions] == [(first.pk, None), (second.pk, -9_500)]
    before = digest(at)
    factories.counted_drop(box, {"20000": 2})
    assert digest(at) != before, "the tile is another, and nothing tells"
    day = place(at).day
    assert (day.units, day.grade, is_whole(day)) == (30_500 - 9_500, Grade.ESTIMATE, True)
    factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    day, sittings = place(at).day, figures.sittings(at.sessions.all())
    assert (day.units, day.grade) == (sum(sitting.figures.win for sitting in sittings), Grade.FINAL)
    # While the third is being counted nobody knows what it won.
    factories.begin_session(at)
    assert (place(at).day.units, place(at).day.grade, is_whole(place(at).day)) == (day.units, Grade.ESTIMATE, False)


def test_at_a_pot_the_float_wins_nothing_and_the_rake_is_told():
    at = factories.raked_table()
    now = place(at)
    assert (now.is_pot, now.win.units) == (True, None)
    assert now.rake == ledger.balance(at.rake_account) > 0


def test_the_shift_is_in_whole_steps_and_its_spells_leave_no_gap():
    shown = floor.now(access.EVERYWHERE)
    assert shown.since.minute == 0
    assert dt.timedelta(hours=7) <= shown.now - shown.since < dt.timedelta(hours=8)
    for each in shown.places:
        assert len(each.wins) == len(each.paces) == (shown.now - shown.since) // floor.STEP + 1 <= STEPS
        assert each.spells[0].begun == shown.since
        assert [spell.ended for spell in each.spells[:-1]] == [spell.begun for spell in each.spells[1:]]
        assert each.spells[-1].ended is None


def test_the_floor_takes_one_statement_and_only_tables_within_reach():
    clara = factories.person("clara")
    extent = access.extent(clara, Right.READ_FLOOR)
    with CaptureQueriesContext(connection) as asked:
        within = floor.now(extent).places
    assert len(asked) == 1
    assert {each.name for each in within} == {"Split 1", "Split 2"}
    assert floor.digests(extent).keys() == {each.id for each in within}
    assert floor.now(access.NOWHERE).places == []


@pytest.mark.parametrize("right", [Right.READ_SESSION, Right.READ_SLIPS, Right.READ_CASE, Right.SEE_TABLE])
def test_who_reads_the_floor_may_read_all_that_its_tiles_show(right):
    for role, far in RIGHTS[Right.READ_FLOOR].items():
        assert RIGHTS[right][role] >= far, role
