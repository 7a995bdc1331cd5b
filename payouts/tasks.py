"""The bell's answer: compute the house edges that are asked for. The message carries nothing; the rows say which."""

import functools
import mmap
import os

from celery import shared_task, signals

from casino import bell
from casino.courtesy import Courtesy

from . import edge_work

WITHIN_SECONDS, POLITENESS = 5, 19
# A byte that a worker shares with the processes of its pool, which it forks.
_closing = mmap.mmap(-1, 1)


@signals.worker_shutting_down.connect
def close(**_):
    """Let the computation hurry: a worker that is to end waits for what its pool computes."""
    _closing[0] = True


def is_closing():
    return bool(_closing[0])


@shared_task(base=bell.Bell, ignore_result=True, bind=True, lying_at_most=3)
def compute_edges(self):
    """Compute until nothing is asked for. Play comes first: this worker yields to all others, and stands aside while
    they are busy."""
    if not self.request.hostname.startswith("edge@"):
        return edge_work.compute_due(within=WITHIN_SECONDS)
    os.nice(max(0, POLITENESS - os.nice(0)))
    return edge_work.compute_due(within=WITHIN_SECONDS, courtesy=functools.partial(Courtesy, hurries=is_closing))
