"""A croupier at work: `python -m tables.faults FOLDER TABLE...`, see `croupier.work`."""

import sys

import django

django.setup()

from tables.faults import croupier  # noqa: E402 - models need the set-up

croupier.work(*sys.argv[1:])
