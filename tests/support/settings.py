"""The product's settings with a password hash that costs nothing: the suite logs in and signs some thousand times.

It is Argon2 as in the product, with the least work that it takes. All processes of the tests' stacks inherit these
settings; `make up` in `tests/support/up.py` does not.
"""

import os
import sys

from casino.hashing import Argon2
from casino.settings import *  # noqa: F403 - a settings module is read as a whole
from casino.settings import BASE_DIR
from payouts.edge import prepare


class QuickArgon2(Argon2):
    """Argon2 in 8 KiB and one pass, with the product's limit on how many run at once."""

    time_cost = 1
    memory_cost = 8


PASSWORD_HASHERS = ["tests.support.settings.QuickArgon2"]

# Each of Django's test clients starts the middleware anew, which would look through all static files a thousand times.
WHITENOISE_AUTOREFRESH = "pytest" in sys.modules

# The demo's people, who log in everywhere, have no devices: tests of the second step turn it on.
SECOND_STEP = os.environ.get("SECOND_STEP") == "1"

# Compiled code is kept between runs; set before anything can load numba, for this process and all that it starts.
EDGE_CODE = prepare(BASE_DIR / ".pytest_cache" / "edge")
