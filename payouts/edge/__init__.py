"""The exact house edge of Split Poker under the player's best play (contracts/edge.md, docs/edge.md).

Pure: rules in, figures out. Only its own worker and `manage.py edge` import its modules, since numba takes 0.3 s and
100 MB. This file itself imports none of them, so that everybody may ask which program it is.
"""

import hashlib
import os
import shutil
from pathlib import Path

from casino.games.game import Fault

PROGRAM = "split-edge-3"
"""What a stored result names: another number wherever a change of this package could change a figure."""


class SheetError(ValueError):
    """Rules for which no edge is computed; `code`, `message` and `path` as adjudicate.md has them."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.code, self.message, self.path = fault.code, fault.message, fault.path


def prepare(folder: Path) -> Path:
    """Set where compiled code and tables are kept; call it before anything else of this package is imported.

    numba looks at the file of a function alone, not at those of the functions it calls, so every state of this package
    has a folder of its own below `folder`, which is returned. Those of other states are removed.
    """
    state = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        state.update(source.read_bytes())
    own = folder / f"edge-{state.hexdigest()[:16]}"
    own.mkdir(parents=True, exist_ok=True)
    for other in folder.glob("edge-*"):
        if other != own:
            shutil.rmtree(other, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(own)
    return own
