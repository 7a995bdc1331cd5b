"""How fast the log is exported, and with how much memory, on a log of its own with a given number of entries.

The entries are those of a played and settled round, written again and again to twenty chains and sealed by the
product's own sealer. Each kind of export is written by this process as the log's worker does it.
"""

import resource
import shutil
import time
from itertools import cycle
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, transaction

from audit import exports, log, seal
from audit.models import Checkpoint, Entry, Export
from casino.running.progress import Progress
from casino.running.trial import TEMPLATE, Trial, django_on, new_folder
from tables.models import Table

from ..house import lay_out
from . import night

AT_LEAST = 50_000
CHAINS, BATCH, ROUNDS_A_BATCH = 20, 20_000, 20


def add_arguments(parser):
    parser.add_argument("--entries", type=int, default=200_000, help="so many in the log; default: 200,000")
    parser.add_argument("--turns", type=int, default=3, help="how often it is exported; default: 3")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="copy the last export with its key and anchor there"
    )


def run(out, *, entries, turns, keep):
    """:raises CommandError: if everything is exported slower than it should be, at the fastest of the turns."""
    progress = Progress(out._out)
    with new_folder() as folder, Trial(Path(folder)) as trial:
        env = trial.environment(TEMPLATE)
        trial.manage("keys", "make", env=env)
        settings.LOG_KEYS, settings.EXPORTS = f"{folder}/keys", f"{folder}/exports"
        settings.ANCHOR_FILE = f"{folder}/anchor/checkpoints"
        with django_on(env["DATABASE_URL"], sealer=env["SEALER_DATABASE_URL"]):
            _fill(progress, entries)
            with trial.cluster.connect("postgres", TEMPLATE) as superuser:
                superuser.execute("VACUUM (ANALYZE)")
            rates = [_export(progress, Export.Kind.ALL) for _ in range(turns)]
            _export(progress, Export.Kind.TABLE, table_key=Table.objects.get(code="B1").ref)
            if keep:
                last = Export.objects.filter(kind=Export.Kind.ALL).latest("pk")
                shutil.copytree(exports.folder(last), keep / exports.folder(last).name)
                for path in (Path(settings.LOG_KEYS) / "public", Path(settings.ANCHOR_FILE)):
                    shutil.copy(path, keep)
    if max(rates) < AT_LEAST:
        raise CommandError(f"{max(rates):,.0f} entries a second are exported, less than {AT_LEAST:,}.")


def _fill(progress, entries):
    lay_out(CHAINS)
    records = night.a_round() * ROUNDS_A_BATCH
    chains = cycle(table.ref for table in Table.objects.filter(code__startswith="B"))
    begun = time.monotonic()
    while (written := Entry.objects.count()) < entries:
        for _ in range(BATCH // len(records)):
            with transaction.atomic():
                log.record_all(next(chains), records)
        sealed_from = time.monotonic()
        while seal.seal():
            pass
        progress.show(written, entries, f"sealed {BATCH / (time.monotonic() - sealed_from):,.0f} entries/s")
    progress.end()
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(octet_length(body)), max(octet_length(body)) FROM audit_entry")
        size, longest = cursor.fetchone()
    progress.say(
        f"{written:,} entries of {size // written} bytes on average, {longest} at most, {Checkpoint.objects.count()}"
        f" checkpoints; written and sealed in {time.monotonic() - begun:.0f} s"
    )


def _export(progress, kind, **more):
    with transaction.atomic():
        export = exports.ask(kind=kind, by=None, **more)
    while not exports.ready(export):
        time.sleep(0.01)
    before, begun, used = _memory(), time.perf_counter(), time.process_time()
    while export.status == Export.Status.ASKED:
        exports.go_on(export)
        export.refresh_from_db()
        progress.show(export.leaves_written, export.leaves)
    seconds, used = time.perf_counter() - begun, time.process_time() - used
    progress.end()
    size = sum(path.stat().st_size for path in exports.folder(export).iterdir())
    progress.say(
        f"{export.kind}: {export.entries:,} of {export.leaves:,} entries in {seconds:.1f} s,"
        f" {export.entries / seconds:,.0f} entries/s, {size / seconds / 1e6:.0f} MB/s; {used:.1f} s of this process's"
        f" CPU; {_memory() - before:+.0f} MB at the peak"
    )
    return export.entries / seconds


def _memory():
    """The most memory that this process ever took, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
