"""How much slower a worker settles while a house edge is computed beside it.

The edge is computed as its own worker does it: one thread at the lowest priority, which stands aside while others are
busy. The two take turns in one run: rounds are settled alone, then as many of the same tables beside the edge, whose
process stands still in between. When they come due, it has worked alone for a while, so that it has to notice them.
This is done once with many rounds due at each table, and once with a single one at each of many tables.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import psutil
from django.conf import settings
from django.core.management.base import CommandError

from casino.lab import processor
from casino.running.embedded import processes
from casino.running.progress import Progress
from casino.running.trial import new_folder

from ..house import lay_out
from . import night
from .settlement import BATCHED, DUE, ONE_BY_ONE, SINGLE, TABLES, Floor

STARTED = 5
"""Processor seconds after which the program and its tables are loaded, and it computes."""
ALONE_SECONDS = 1
"""So long it computes beside a house at rest before rounds come due."""
AT_MOST = 1.1
"""How many times as long settling may take beside an edge."""


def add_arguments(parser):
    parser.add_argument("--pairs", type=int, default=5, help="how often settling alone and beside the edge take turns")


def run(out, *, pairs):
    """:raises CommandError: if settling beside the edge takes longer than it may, at the median of the pairs."""
    progress = Progress(out._out)
    took = {BATCHED: [], ONE_BY_ONE: []}
    with new_folder() as folder, ExitStack() as closing:
        progress.say("Compiling what computes the edge ...")
        edge = closing.enter_context(Edge(Path(folder) / "computing"))
        progress.say("Starting a stack of its own ...")
        floor = closing.enter_context(Floor(Path(folder)))
        progress.say(f"Laying out {SINGLE} tables ...")
        tables = lay_out(SINGLE)
        kinds = {BATCHED: (tables[:TABLES], DUE), ONE_BY_ONE: (tables, 1)}
        for _ in range(3):
            floor.by_worker(night.wait(floor.superuser, tables, 5))
            floor.superuser.execute("VACUUM (ANALYZE)")
        for number in range(pairs):
            for how, (places, each) in kinds.items():
                progress.show(number, pairs, how)
                pair = {}
                for beside in (False, True) if number % 2 == 0 else (True, False):
                    rounds = night.wait(floor.superuser, places, each)
                    with edge.computed(beside):
                        pair[beside] = floor.by_worker(rounds)
                took[how].append((pair[False].seconds, pair[True].seconds, len(rounds)))
        progress.end()
        ratios = {how: [beside / alone for alone, beside, _ in each] for how, each in took.items()}
        for how, each in took.items():
            alone, beside = (median(pair[2] / pair[side] for pair in each) for side in (0, 1))
            all_ratios = ", ".join(f"{ratio:.2f}" for ratio in sorted(ratios[how]))
            progress.say(
                f"{how:<10} {alone:>8,.0f} rounds/s alone, {beside:,.0f} beside the edge:"
                f" {median(ratios[how]):.2f} times as long (at most {AT_MOST}; {all_ratios})"
            )
        progress.say(f"The edge had {edge.used:.1f} s of the processor; load average {os.getloadavg()[0]:.1f}.")
    for how, each in ratios.items():
        if median(each) > AT_MOST:
            raise CommandError(f"Settling {how} takes {median(each):.2f} times as long, more than {AT_MOST}.")


class Edge:
    """A process that computes an edge again and again within `computed`, and stands still otherwise."""

    def __init__(self, folder):
        self.folder, self.process, self.used = folder, None, 0.0

    def __enter__(self):
        warming = self._start("--warm")  # nothing is measured yet
        try:
            if warming.wait():
                raise CommandError("What computes the edge was not compiled.")
        finally:
            warming.kill()
        self.process = self._start("--json", "--polite")
        while self._processor() < STARTED:
            if self.process.poll() is not None:
                raise CommandError("The edge came to its end before anything was measured.")
            time.sleep(0.2)
        self.process.send_signal(signal.SIGSTOP)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def _start(self, *how):
        return subprocess.Popen(
            [sys.executable, settings.BASE_DIR / "manage.py", "edge", *how],
            env=os.environ | {"DATA_DIR": str(self.folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # It may stand still when we are ended.
            preexec_fn=processes.dies_with_us(signal.SIGKILL),  # noqa: PLW1509 - one system call, no Python lock
        )

    @contextmanager
    def computed(self, beside):
        """Let it go on within the block, if `beside`."""
        if not beside:
            yield
            return
        if self.process.poll() is not None:
            self.process = self._start("--json", "--polite")
        self.process.send_signal(signal.SIGCONT)
        time.sleep(ALONE_SECONDS)
        before = self._processor()
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGSTOP)
            self.used += max(0.0, self._processor() - before)

    def _processor(self):
        try:
            return processor.used(psutil.Process(self.process.pid))
        except psutil.NoSuchProcess:
            return 0.0
