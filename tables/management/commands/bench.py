"""`manage.py bench WHAT`: the benchmarks of all labs, in casino/lab, audit/lab and tables/lab/bench."""

from django.core.management.base import BaseCommand

from audit.lab import verify
from casino.lab import adjudicate, broker
from tables.lab.bench import (
    beside,
    carrying,
    edge,
    exporting,
    floor,
    growth,
    logins,
    reporting,
    screen,
    sealing,
    settlement,
    terminals,
)

OF_DJANGO = {"verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"}
BENCHES = {
    "adjudicate": adjudicate,
    "broker": broker,
    "settlement": settlement,
    "beside": beside,
    "terminals": terminals,
    "screen": screen,
    "floor": floor,
    "logins": logins,
    "growth": growth,
    "house": carrying,
    "seal": sealing,
    "export": exporting,
    "reports": reporting,
    "verify": verify,
    "edge": edge,
}


class Command(BaseCommand):
    help = "Measure, and print the figures."
    requires_system_checks = ()

    def add_arguments(self, parser):
        kinds = parser.add_subparsers(dest="what", required=True)
        for name, bench in BENCHES.items():
            bench.add_arguments(kinds.add_parser(name, help=bench.__doc__.split("\n")[0]))

    def handle(self, *args, what, **options):
        BENCHES[what].run(self.stdout, **{name: value for name, value in options.items() if name not in OF_DJANGO})
