"""What beat cleans up: stored answers that nobody may ask for again, and sessions that ran out."""

import datetime as dt

from celery import shared_task
from django.core.management import call_command
from django.db.models.functions import Now

from .models import Command

KEPT = dt.timedelta(hours=48)


@shared_task(ignore_result=True)
def prune():
    """Forget commands after 48 h; a client that resends later than that gets its command carried out anew."""
    Command.objects.filter(made_at__lt=Now() - KEPT).delete()
    call_command("clearsessions")
