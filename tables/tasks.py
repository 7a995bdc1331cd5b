"""The doorbell's answer: settle what is due. The message carries nothing; the rows say what is to be done."""

from celery import shared_task

from . import settling


@shared_task(ignore_result=True)
def settle_due():
    """Settle until nothing is due."""
    return settling.settle_due()
