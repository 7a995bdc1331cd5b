"""The exact edge from scratch, after a change of a coefficient, and Caribbean Stud: seconds, processor seconds, memory.

Each is a process of its own as `manage.py edge` starts it, in a data folder of its own: the first compiles and makes
the tables that the others find there.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from django.conf import settings
from django.core.management.base import CommandError

CHANGED = "1,1,3,4,6,7,20,50,100"
STEPS = (
    ("from nothing", (), 180, 3000),
    ("a coefficient changed", ("--coefficients", CHANGED), 20, 3000),
    ("the same without the game", ("--coefficients", CHANGED, "--no-games"), 20, 3000),
    ("Caribbean Stud, compiled", ("--caribbean",), None, None),
    ("the same again", ("--caribbean",), 2, None),
)
"""What is run, with the seconds and the megabytes that it may take."""


def add_arguments(parser):
    parser.add_argument("--threads", type=int, help="left out: as many as there are processors")


def run(out, *, threads):
    """:raises CommandError: if a mark is not met."""
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, most_seconds, most_mb in STEPS:
            seconds, processor, peak = _measured(
                folder, [*arguments, *(("--threads", str(threads)) if threads else ())]
            )
            memory = "" if peak is None else f", {peak} MB"
            mark = "" if most_seconds is None else f" (at most {most_seconds} s)"
            out.write(f"  {name:<28} {seconds:6.1f} s, {processor:6.1f} s of the processor{memory}{mark}")
            out.flush()
            if (most_seconds and seconds > most_seconds) or (most_mb and peak > most_mb):
                missed.append(name)
    if missed:
        raise CommandError(f"Not within its mark: {', '.join(missed)}.")


def _measured(folder, arguments):
    """Seconds, processor seconds, and the peak in MB that the report names."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", "edge", "--json", *arguments],
        env=os.environ | {"DATA_DIR": folder},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    seconds, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, processor, json.loads(done.stdout).get("peak_mb")
