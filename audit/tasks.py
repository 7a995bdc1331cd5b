"""What the log's worker does, each second: seal and anchor what is new, and go on with exports."""

from celery import shared_task

from casino import bell

from . import exports
from . import seal as sealing

SEAL_SECONDS, EXPORT_SECONDS = 5, 20


@shared_task(base=bell.Bell, ignore_result=True)
def seal():
    """Seal until nothing is left, for some seconds."""
    return sealing.keep_up(within=SEAL_SECONDS)


@shared_task(base=bell.Bell, ignore_result=True)
def export():
    """Go on with what was asked for; well before the broker would take us for lost, the next message goes on."""
    return exports.write_due(within=EXPORT_SECONDS)
