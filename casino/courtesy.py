"""A long computation beside play: it works as long as processors are free, and stands aside while others need them.

The lowest priority is not enough for that. It decides who waits for a processor, but two processors of a machine may
share a core and all of them share the memory: what computes on one slows down what settles on another.
"""

import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import psutil

Progress = Callable[[float], None]
FREE = 1.75
"""As many processors are left free while it works: one for itself, and most of another."""
LEAST = 0.25
"""As many processors others may keep busy on any machine, also on one that has a single one."""
BURST = 0.05
"""Processor seconds: as much more than that is a burst, which passes."""
PART = 10
"""Beside others it works one part in so many."""
MOST_OWED = 10.0
"""Seconds that are owed at most, however long a piece of work was."""
SLICE = 0.03
"""Seconds between two looks at the machine."""
_AT_REST = ("idle", "iowait", "steal")
_COUNTED_TWICE = ("guest", "guest_nice")


class Used(NamedTuple):
    """Processor seconds so far, of all processes of the machine and of this one."""

    all: float
    own: float


class Machine(Protocol):
    """What a computation sees of its machine: the `processors` it may use, a clock in seconds, and what is used."""

    processors: int

    def clock(self) -> float: ...

    def used(self) -> Used: ...

    def sleep(self, seconds: float) -> None: ...


class ThisMachine:
    """The processors that this process may use; what others use of the rest of the machine is not looked at."""

    def __init__(self) -> None:
        self.places = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        self.processors = processors()

    def clock(self) -> float:
        return time.monotonic()

    def used(self) -> Used:
        each = psutil.cpu_times(percpu=True)
        # In a container the kernel's list may name fewer processors than it numbers.
        each = [each[place] for place in self.places] if self.places and self.places[-1] < len(each) else each
        return Used(sum(map(_worked, each)), time.process_time())

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def _worked(times: Any) -> float:
    return float(sum(times) - sum(getattr(times, name, 0.0) for name in (*_AT_REST, *_COUNTED_TWICE)))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Courtesy:
    """A progress that returns once the computation may go on; called after each small piece of work, by its one thread.

    Use by others above what is allowed adds up; use below it is taken off again. Once the sum is more than a burst, the
    computation stands aside for nine times as long as it worked beside them, unless they come to rest before; since it
    did not see them at once, it begins by owing as much as a burst. Meanwhile the progress behind it is called again
    and again, and whatever that raises is passed on.

    :param hurries: whether the computation has to finish without standing aside.
    """

    def __init__(
        self, progress: Progress, *, machine: Machine | None = None, hurries: Callable[[], bool] = lambda: False
    ) -> None:
        self.progress, self.machine, self.hurries = progress, machine or ThisMachine(), hurries
        self.allowed = max(LEAST, self.machine.processors - FREE)
        self.above = self.owed = 0.0
        self.beside = False
        self.looked_at, self.used = self.machine.clock(), self.machine.used()

    def __call__(self, share: float) -> None:
        self.progress(share)
        if self.machine.clock() - self.looked_at < SLICE:
            return
        self._look()
        while self.owed > 0.0 and not self.hurries():
            self.machine.sleep(SLICE)
            self.progress(share)
            self._look()

    def _look(self) -> None:
        """Look at the machine, and work out for how many seconds the computation owes others to stand aside."""
        now, used = self.machine.clock(), self.machine.used()
        span, own = now - self.looked_at, used.own - self.used.own
        others = used.all - self.used.all - own
        self.looked_at, self.used = now, used
        self.above = min(max(0.0, self.above + others - self.allowed * span), 2 * BURST)
        before, self.beside = self.beside, self.above > BURST
        if not before:
            self.owed = PART * BURST
        self.owed = min(MOST_OWED, max(0.0, self.owed + PART * own - span)) if self.beside else 0.0
