"""Start again what ended, after a pause that doubles while it does not hold; kill what gives no sign of life."""

import subprocess
import time

import psycopg

from . import processes
from .folders import Failed

# Seconds before a part that ended starts again: after the first end in a row, the second and so on.
BACKOFF = (0.5, 1, 2, 4, 8, 15, 30, 60)
# A part that ran this long starts again with the shortest pause.
STEADY_SECONDS = 60
# The end in a row at which the part's log is shown.
NOT_HOLDING = 3
# How often we look for a sign of life, and after how many looks in vain we kill.
LOOK_SECONDS = 5
LOOKS_IN_VAIN = 6


class Watched:
    """A part that should run; `lives` says whether it gave a sign of life, where there is a way to see one."""

    def __init__(self, part, steps, lives=None):
        self.part, self.steps, self.lives = part, steps, lives
        self.again_at = self.started_at = None
        self.ends = 0  # in a row
        self.looks_in_vain = 0

    def _say(self, words):
        self.steps.say(f"  {self.part.name:<12} {words}")

    def keep_running(self, heed):
        """Start it again when its pause is over; `heed` is called while waiting and may raise."""
        if self.part.alive:
            return
        now = time.monotonic()
        if self.again_at is None:
            self._plan(now)
        elif now >= self.again_at:
            # Only what came up can have run for long; a start that failed is one more end in a row.
            self.again_at = self.started_at = None
            try:
                self.part.start(heed)
                self.started_at = time.monotonic()
                self._say("started again")
            except (Failed, OSError, psycopg.Error, subprocess.SubprocessError) as error:
                self._say(str(error).splitlines()[0])

    def _plan(self, now):
        if self.started_at is not None and now - self.started_at > STEADY_SECONDS:
            self.ends = 0
        self.ends += 1
        self.looks_in_vain = 0
        pause = BACKOFF[min(self.ends, len(BACKOFF)) - 1]
        self.again_at = now + pause
        process, log = self.part.process, self.part.log
        how = "did not start" if process is None else f"ended unexpectedly ({processes.how_ended(process)})"
        often = f" for the {self.ends}th time in a row" if self.ends > NOT_HOLDING else ""
        self._say(f"{how}{often}, starts again in {pause} s; see {log}")
        if self.ends == NOT_HOLDING:
            self._say(f"does not hold; the end of its log:\n{processes.tail(log)}")

    def look(self):
        """Kill it when it showed no sign of life at this many looks; then it is started again like any that ended.

        After each end in a row it has more time: on an overloaded machine it may just be slow to start.
        """
        if self.lives is None or not self.part.alive:
            return
        self.looks_in_vain = 0 if self.lives() else self.looks_in_vain + 1
        if self.looks_in_vain == LOOKS_IN_VAIN * (1 + self.ends):
            self._say(f"gives no sign of life for {LOOK_SECONDS * self.looks_in_vain} s and is killed")
            processes.end(self.part.process)
