"""The doorbell's answer: settle what is due. The message carries nothing; the rows say what is to be done."""

from celery import shared_task

from . import doorbell, settling


@shared_task(base=doorbell.Bell, ignore_result=True)
def settle_due():
    """Settle until nothing is due."""
    return settling.settle_due()
