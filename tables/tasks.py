"""The doorbell's answer: settle what is due. The message carries nothing; the rows say what is to be done."""

import logging

from celery import shared_task
from structlog.contextvars import get_contextvars

from . import doorbell, settling

logger = logging.getLogger(__name__)


@shared_task(base=doorbell.Bell, ignore_result=True)
def settle_due():
    """Settle until nothing is due.

    Its line is written for the requests that rang even if another worker was faster; for beat only if there was work.
    """
    settled = settling.settle_due()
    if settled or get_contextvars().get("request_ids"):
        logger.info("settled", extra={"rounds": settled})
    return settled
