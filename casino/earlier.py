"""Databases from before the first release: their migrations were rewritten since, two for each app.

The tables and guards that the old migrations made are those that the new ones make. So a database that has all of the
old ones is taken over as it is; one that has only some of them is for the version that made it.
"""

_MIGRATIONS = {
    "audit": (
        "0001_initial 0002_append_only 0003_guards 0004_append 0005_tree 0006_tree_guards 0007_export"
        " 0008_history_indexes"
    ),
    "casino": "0001_initial 0002_rights 0003_lockout 0004_guards",
    "payouts": "0001_initial 0002_append_only 0003_points 0004_guards 0005_write 0006_corrected 0007_snapshots",
    "tables": (
        "0001_initial 0002_append_only 0003_interventions 0004_disputes 0005_guards 0006_round_held 0007_settling"
        " 0008_closing"
    ),
}
MIGRATIONS = frozenset((app, name) for app, names in _MIGRATIONS.items() for name in names.split())
HAS_TABLES = tuple((app, "0001_tables") for app in _MIGRATIONS)
"""The migrations whose work the old ones did; the guards are laid down again, with their sentences."""

TAKEN_OVER = (
    "The data was made by an earlier version, before the first release: its migrations are recorded anew, and all that"
    " is in it is kept."
)
NOT_YET = (
    "The data was made by an earlier version, before the first release: run migrate, which keeps all that is in it."
)
UNFINISHED = (
    "The data was made by an earlier version, before the first release, and lacks the last migrations of that time;"
    " nothing was changed. To keep what is there, migrate it with the last version that has"
    " tables/migrations/0008_closing.py and then with this one; or choose another DATA_DIR or database."
)


class UnfinishedError(Exception):
    """A database from before the first release that can't be taken over."""


def is_of(applied):
    """Whether a database is from before the first release, by its migrations as pairs of app and name.

    :raises UnfinishedError: if it is, and lacks some of the migrations of that time.
    """
    ours = {(app, name) for app, name in applied if app in _MIGRATIONS}
    if not ours & MIGRATIONS:
        return False
    if ours != MIGRATIONS:
        raise UnfinishedError(UNFINISHED)
    return True
