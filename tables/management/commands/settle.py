"""Settle what is due without a broker: the worker's own verb, once or again and again."""

import time

from django.core.management.base import BaseCommand

from casino import checks
from tables.verbs import settling


class Command(BaseCommand):
    help = "Settle every round that is due. With --watch, look again each second until stopped."
    # `checks.start` asks what concerns it; all of Django's checks would load every page first.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--watch", action="store_true", help="look again each second")

    def handle(self, *args, watch, **options):
        checks.start()
        while True:
            settled = settling.settle_due()
            if settled or not watch:
                self.stdout.write(f"{settled} rounds settled")
            if not watch:
                return
            time.sleep(1)
