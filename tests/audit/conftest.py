"""A house whose log can be sealed."""

import pytest

from audit import keys


@pytest.fixture
def house(seeded_db, tmp_path, settings):
    """The demo, with keys and an anchor in a folder of its own; nothing is sealed yet."""
    return with_keys(tmp_path, settings)


@pytest.fixture
def settled_house(settled_db, tmp_path, settings):
    """Like `house`, with the first round of T1 settled."""
    return with_keys(tmp_path, settings)


def with_keys(tmp_path, settings):
    settings.LOG_KEYS, settings.ANCHOR_FILE = str(tmp_path / "keys"), str(tmp_path / "outside" / "checkpoints")
    settings.ANCHOR_SECONDS = 3600
    keys.make()
    return tmp_path
