"""The bell's answer: settle what is due. The message carries nothing; the rows say what is to be done."""

import logging
import os
import time

from celery import shared_task
from structlog.contextvars import get_contextvars

from casino import bell

from .people import wrong_logins
from .reports import making
from .verbs import alarms, luck, reasons, settling

logger = logging.getLogger(__name__)

WITHIN_SECONDS, REPORT_SECONDS, POLITENESS = 5, 20, 10


@shared_task(base=bell.Bell, ignore_result=True)
def settle_due():
    """Settle until nothing is due, for some seconds only: a worker is judged by the messages that it takes.

    It logs a line for the requests that rang, even if another worker was faster; for beat, only if there was work.
    """
    begun = time.monotonic()
    settled = settling.settle_due(within=WITHIN_SECONDS)
    if time.monotonic() - begun > WITHIN_SECONDS:
        bell.ring()
    if settled or get_contextvars().get("request_ids"):
        logger.info("settled", extra={"rounds": settled})
    return settled


@shared_task(base=bell.Bell, ignore_result=True, lying_at_most=3)
def look_at_alarms():
    """Raise and end the alarms that the rows call for, except those that add up what a session did."""
    return alarms.look(reasons.QUICK)


@shared_task(base=bell.Bell, ignore_result=True, lying_at_most=3)
def look_at_sessions():
    """Raise and end the alarms that add up what a session did: its pace, its float, its voids and corrections."""
    return alarms.look(reasons.SLOW)


@shared_task(base=bell.Bell, ignore_result=True, lying_at_most=3)
def record_wrong_logins():
    """Write the entry of each minute that had wrong logins with names that nobody has."""
    return wrong_logins.record()


@shared_task(base=bell.Bell, ignore_result=True, bind=True)
def make_reports(self):
    """Make the files of reports that were asked for. Play comes first: this worker yields to all others."""
    if self.request.hostname.startswith("reports@"):
        os.nice(max(0, POLITENESS - os.nice(0)))
    return making.make_due(within=REPORT_SECONDS)


@shared_task(base=bell.Bell, ignore_result=True)
def sweep_reports():
    """Remove from among the files of reports what does not belong there."""
    return making.sweep()


@shared_task(base=bell.Bell, ignore_result=True, lying_at_most=3)
def tell_luck_apart():
    """Set what rounds won beside what was expected, and add up their gaming days."""
    return luck.keep_up(within=WITHIN_SECONDS)


@shared_task(base=bell.Bell, ignore_result=True, lying_at_most=3)
def sweep_luck():
    """Look through all rounds for one that was passed over."""
    return luck.keep_up(within=WITHIN_SECONDS, since=0)
