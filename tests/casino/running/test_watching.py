"""What the launcher kills: what gives no sign of life, and nothing that is merely slow. No time is measured."""

import os
import select
import signal
from pathlib import Path

import pytest

from casino.running import stack as product
from casino.running.embedded import watching

from ...support import stack, waiting

# Its loop turns once for each line that it reads: as slow as the test likes, and it answers nobody.
SLOW = """
import sys
from casino import pulse

class Loop:
    def call_later(self, seconds, call, *arguments):
        self.next = lambda: call(*arguments)

loop = Loop()
pulse.start(loop)
for line in open(sys.argv[1]):
    loop.next()
"""


class Steps:
    """What the launcher says."""

    def __init__(self):
        self.words = ""

    def say(self, words):
        self.words += words


@pytest.fixture
def slow(tmp_path):
    """A part whose loop turns once each time that `turn` is called."""
    os.mkfifo(tmp_path / "turns")
    part = product.Child("web", ["-c", SLOW, str(tmp_path / "turns")], log=tmp_path / "log", env=dict(os.environ))
    part.start()
    with open(tmp_path / "turns", "w") as turns:

        def turn():
            turns.write("\n")
            turns.flush()

        part.turn = turn
        yield part
        part.stop()


def stop(part):
    """Let it stand still, and forget what it gave before."""
    part.process.send_signal(signal.SIGSTOP)
    status = Path(f"/proc/{part.process.pid}/stat")
    waiting.until(lambda: status.read_text().rsplit(") ", 1)[1].startswith("T"))
    part.gave_pulse()


def beat(part):
    """Wait until a sign of life is there, without taking it."""
    assert select.select([part._pulse], [], [], waiting.PATIENCE)[0], part.log.read_text()


def test_what_is_merely_slow_is_not_killed_however_long_it_answers_nobody(slow):
    steps = Steps()
    watched = watching.Watched(slow, steps, slow.gave_pulse)
    for _ in range(2 * watching.LOOKS_IN_VAIN):
        beat(slow)
        for _ in range(watching.LOOKS_IN_VAIN):
            watched.look()
        assert slow.alive
        slow.turn()
    assert steps.words == ""


def test_what_stands_still_is_killed(slow):
    steps = Steps()
    watched = watching.Watched(slow, steps, slow.gave_pulse)
    beat(slow)
    stop(slow)
    slow.turn()
    for _ in range(watching.LOOKS_IN_VAIN):
        assert slow.alive
        watched.look()
    assert slow.process.returncode == -signal.SIGKILL
    assert "gives no sign of life for 30 s and is killed" in steps.words


def test_one_that_ended_gives_none_and_the_next_one_its_own(slow):
    beat(slow)
    slow.process.kill()
    slow.process.wait()
    slow.gave_pulse()
    assert not slow.gave_pulse()
    slow.stop()
    assert not slow.gave_pulse()


def test_the_web_and_a_worker_at_work_give_their_pulse_from_their_loops(live_stack):
    """A worker without work gives none: whether it takes its messages shows that it lives."""
    waiting.until(live_stack.web.gave_pulse)
    with stack.cluster().connect(database=live_stack.database) as other:
        other.execute("BEGIN; LOCK TABLE tables_round IN ACCESS EXCLUSIVE MODE")
        waiting.until(live_stack.worker.gave_pulse)
        waiting.until(live_stack.worker.gave_pulse)
        stop(live_stack.web)
        try:
            assert not live_stack.web.gave_pulse()
        finally:
            live_stack.web.process.send_signal(signal.SIGCONT)
        waiting.until(live_stack.web.gave_pulse)
        other.execute("ROLLBACK")
