"""Standing aside for others, on a machine whose clock is a sum: what is worked and slept makes it go on."""

import os
import time
from itertools import cycle, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.courtesy import MOST_OWED, SLICE, Courtesy, ThisMachine, Used

TICK = 0.01
LONG = 120


class Simulated:
    """A machine whose others keep `others(at)` processors busy, counted in whole ticks, as a kernel does."""

    def __init__(self, processors, others):
        self.processors, self.others = processors, others
        self.at = self.own = self.their = self.slept = 0.0

    def clock(self):
        return self.at

    def used(self):
        return Used((self.own + self.their) // TICK * TICK, self.own)

    def sleep(self, seconds):
        self.slept += seconds
        self._goes_on(seconds)

    def work(self, seconds):
        self.own += seconds
        self._goes_on(seconds)

    def _goes_on(self, seconds):
        steps = max(1, round(seconds / 0.005))
        for _ in range(steps):
            self.their += self.others(self.at) * seconds / steps
            self.at += seconds / steps


def compute(courtesy, until, pieces=(0.02,)):
    """Work in pieces until a moment."""
    for seconds in cycle(pieces):
        if courtesy.machine.at >= until:
            return
        courtesy.machine.work(seconds)
        courtesy(0.5)


def computed(machine, pieces=(0.02,)):
    compute(Courtesy(lambda share: None, machine=machine), LONG, pieces)
    return machine


some_pieces = st.lists(st.floats(0.001, 0.6), min_size=1, max_size=20)


@given(st.integers(1, 64), st.floats(0, 1), some_pieces)
def test_beside_a_busy_house_it_works_at_most_an_eighth_of_a_long_time(processors, more, pieces):
    busy = max(0.35, processors - 1.6 + more)
    machine = computed(Simulated(processors, lambda at: busy), pieces)
    assert machine.own <= machine.at / 8


@given(st.integers(1, 64), st.floats(0, 1), some_pieces)
def test_beside_a_house_at_rest_it_never_sleeps(processors, share, pieces):
    rest = share * max(0.25, processors - 1.75)
    assert computed(Simulated(processors, lambda at: rest), pieces).slept == 0


@given(st.integers(1, 4), some_pieces)
def test_what_a_house_at_rest_does_each_second_does_not_hold_it_up(processors, pieces):
    """The bells: 40 ms of a processor, at once."""
    bells = Simulated(processors, lambda at: 1.0 if at % 1 < 0.04 else 0.0)
    assert computed(bells, pieces).slept == 0


@given(st.floats(3, 20), st.floats(0.5, 2))
def test_it_stands_aside_soon_and_goes_on_soon(spell, busy):
    begins, ends = 5, 5 + spell
    machine = Simulated(2, lambda at: busy if begins <= at < ends else 0.0)
    courtesy = Courtesy(lambda share: None, machine=machine)
    compute(courtesy, begins)
    assert machine.slept == 0
    before = machine.own
    compute(courtesy, ends)
    # What it had worked before it saw them, and a tenth of the rest.
    assert machine.own - before < 0.3 + spell / 8
    slept, late = machine.slept, machine.at - ends
    compute(courtesy, ends + LONG)
    assert late + machine.slept - slept < 0.3


def test_a_processor_of_its_own_is_enough():
    assert computed(Simulated(8, lambda at: 6)).slept == 0


def test_what_it_uses_itself_is_not_what_others_use():
    """Also where it works while the clock of the others stands still."""
    assert computed(Simulated(1, lambda at: 0), pieces=[3.3, 0.001]).slept == 0


def test_what_waits_for_a_processor_owes_less():
    """One that others leave a twentieth of the time stands aside already, once it has seen them."""

    class Crowded(Simulated):
        def work(self, seconds):
            self.own += seconds
            self._goes_on(20 * seconds)

    assert computed(Crowded(2, lambda at: 1.95)).slept < 1


def test_it_is_stopped_while_it_stands_aside():
    machine, calls = Simulated(2, lambda at: 2), []

    class GivenUpError(Exception):
        pass

    def progress(share):
        calls.append(machine.at)
        if machine.at > 20:
            raise GivenUpError

    courtesy = Courtesy(progress, machine=machine)
    with pytest.raises(GivenUpError):
        compute(courtesy, until=LONG)
    assert machine.at < 20 + 0.2 + 2 * SLICE
    assert max(later - one for one, later in pairwise(calls)) < 0.2 + SLICE


def test_what_is_to_end_hurries():
    machine = Simulated(2, lambda at: 2)
    courtesy = Courtesy(lambda share: None, machine=machine, hurries=lambda: machine.at >= 20)
    compute(courtesy, 20)
    slept = machine.slept
    assert slept > 15
    compute(courtesy, LONG)
    assert machine.slept == slept


def test_this_machine_says_what_all_use_and_what_we_do():
    """Half a second of our own work is part of what all use, but for what the kernel's ticks miss."""
    machine = ThisMachine()
    before, begun = machine.used(), machine.clock()
    until = time.process_time() + 0.5
    while time.process_time() < until:
        pass
    after, span = machine.used(), machine.clock() - begun
    assert after.own - before.own >= 0.5
    assert after.all - before.all >= 0.25
    assert after.all - before.all <= (span + 1) * os.cpu_count()
    assert machine.processors >= 1


@pytest.mark.parametrize("long", [30, 300])
def test_one_long_piece_beside_others_is_not_held_against_what_follows(long):
    machine = Simulated(2, lambda at: 1.5)
    courtesy = Courtesy(lambda share: None, machine=machine)
    machine.work(long)
    courtesy(0.5)
    assert 5 < machine.slept <= MOST_OWED + 2 * SLICE
