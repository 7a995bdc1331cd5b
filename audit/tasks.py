"""What the log's worker does: seal and anchor what is new, go on with exports, and inspect what is old."""

from celery import shared_task

from casino import bell

from . import exports, inspections
from . import seal as sealing

SEAL_SECONDS, EXPORT_SECONDS, INSPECT_SECONDS = 5, 20, 2


@shared_task(base=bell.Bell, ignore_result=True)
def seal():
    """Seal until nothing is left, for some seconds."""
    return sealing.keep_up(within=SEAL_SECONDS)


@shared_task(base=bell.Bell, ignore_result=True)
def export():
    """Go on with what was asked for; leave the rest to the next message before the broker takes us for lost."""
    return exports.write_due(within=EXPORT_SECONDS)


@shared_task(base=bell.Bell, ignore_result=True)
def inspect():
    """Go on with the inspections that are due, so briefly that sealing never waits."""
    return inspections.go_on(within=INSPECT_SECONDS)
