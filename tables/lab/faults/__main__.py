"""A croupier at work: `python -m tables.lab.faults FOLDER TABLE...`, see `croupier.work`."""

import sys

import django

django.setup()

from tables.lab.faults import croupier  # noqa: E402 - models need the set-up

croupier.work(*sys.argv[1:])
