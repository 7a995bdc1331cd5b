"""The worker of the house edge: it takes what is asked for and computes it, beating meanwhile.

Only the function that computes loads the program, and numba with it, so that no other process carries them.
"""

import logging
import threading
import time

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connection

from . import edge_results
from .edge import SheetError, prepare
from .wording import WORDING

logger = logging.getLogger(__name__)
BEAT_SECONDS = 1


class _GivenUpError(Exception):
    """The result was cancelled, or another worker computes it."""


def compute_due(*, within, lease=edge_results.LEASE, courtesy=None):
    """Compute what is asked for, for some seconds; a result that was begun is finished. Return how many.

    :param courtesy: from a progress, makes the one to call in its place, which may hold the work up.
    """
    until, count = time.monotonic() + within, 0
    while time.monotonic() < until and (result := edge_results.due(lease=lease)):
        _compute(result, courtesy)
        count += 1
    return count


def _compute(result, courtesy):
    """Compute a result, or record why that can't be: only what will be so at the next try, too. A missing database is
    not of that kind."""
    try:
        with _Heart(result) as heart:
            # The heart has a thread of its own: it beats even while the work is held up.
            figures = _figures(result.inputs, courtesy(heart) if courtesy else heart)
        if edge_results.done(result, figures):
            logger.info("edge computed", extra={"edge": result.key})
    except _GivenUpError:
        logger.info("edge given up", extra={"edge": result.key})
    except MemoryError:
        logger.exception("%s: no memory", result)
        edge_results.fail(result, WORDING("no_memory"))
    except (OperationalError, InterfaceError):
        raise
    except SheetError as error:
        logger.info("edge not computed", extra={"edge": result.key})
        edge_results.fail(result, error.message)
    except Exception as error:
        # Whatever it is, it would be so at the next try.
        logger.exception("%s was not computed", result)
        edge_results.fail(result, f"{type(error).__name__}: {error}")


def _figures(inputs, progress):
    folder = prepare(settings.DATA_DIR.joinpath("edge"))
    from .edge import report

    # One thread beside play.
    given = {"ante_units": inputs.get("ante"), "progress": progress, "threads": 1, "folder": folder}
    rules = edge_results.rules_of(inputs)
    if "seek" in inputs:
        from .edge import seek

        return seek.figures(rules, inputs["seek"], **given)
    figures = report.figures(rules, **given)
    # The result belongs to every sheet with these inputs, not to a single one.
    return {name: value for name, value in figures.items() if name != "sheet"}


class _Heart:
    """Says each second that a result is being computed and how far it is, from a thread of its own: a step may be long.

    Called with the share that is done; raises `_GivenUpError` once the result is no longer this worker's.
    """

    def __init__(self, result):
        self.result, self.progress, self.lost = result, 0, False
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._beat, name="heart", daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def __call__(self, share):
        self.progress = max(self.progress, min(999, int(share * 1000)))
        if self.lost:
            raise _GivenUpError

    def _beat(self):
        try:
            while not self.over.wait(BEAT_SECONDS):
                try:
                    self.lost = self.lost or not edge_results.beat(self.result, self.progress)
                except Error:
                    connection.close()  # the next beat may reach the database
        finally:
            connection.close()
