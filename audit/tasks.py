"""What the log's worker does, each second: seal what is new, and anchor it when it is time."""

from celery import shared_task

from casino.bell import Bell

from . import seal as sealing

WITHIN_SECONDS = 5


@shared_task(base=Bell, ignore_result=True)
def seal():
    """Seal until nothing is left, for some seconds."""
    return sealing.keep_up(within=WITHIN_SECONDS)
