"""How late settlement is, as a table's terminal says it."""

from .wording import WORDING


def spelled(waiting):
    """How many rounds wait, and how long the first of them does.

    >>> from tables.verbs.lateness import Waiting
    >>> spelled(Waiting(3, 25, 0, 0)), spelled(Waiting(1, 100, 0, 0))
    ('3 rounds are waiting, the oldest for 25 s', '1 round has been waiting for 1 min 40 s')

    :param waiting: as `tables.verbs.lateness.waiting` gives it.
    """
    minutes, seconds = divmod(waiting.oldest_seconds, 60)
    if minutes:
        age = WORDING("waiting.minutes", minutes=minutes, seconds=seconds)
    else:
        age = WORDING("waiting.seconds", seconds=seconds)
    return WORDING("waiting", count=waiting.due, age=age) if waiting.due > 1 else WORDING("waiting:one", age=age)
