"""The bell's answer: compute the house edge that is asked for. The message carries nothing; the rows say of what."""

import os

from celery import shared_task

from casino import bell

from . import edge_work

WITHIN_SECONDS, POLITENESS = 5, 19


@shared_task(base=bell.Bell, ignore_result=True, bind=True, lying_at_most=3)
def compute_edges(self):
    """Compute until nothing is asked for. Play goes before: a worker of its own gives way to all others."""
    if self.request.hostname.startswith("edge@"):
        os.nice(max(0, POLITENESS - os.nice(0)))
    return edge_work.compute_due(within=WITHIN_SECONDS)
