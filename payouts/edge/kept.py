"""Tables that depend on no rule sheet: made once, read by every later process from the folder that `prepare` made."""

import os
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import numpy as np

Table = TypeVar("Table")
_lock = threading.RLock()


def kept(make: Callable[[], Table]) -> Callable[[], Table]:
    """Keep the result of a function without arguments that makes a `NamedTuple` of arrays, or of such tuples.

    Read or made, its arrays have the same type for numba; else all that takes them would be compiled twice.
    """
    kind = get_type_hints(make)["return"]

    @lru_cache(maxsize=1)
    def once() -> Table:
        folder = os.environ.get("NUMBA_CACHE_DIR")
        file = Path(folder) / f"{make.__name__}.npz" if folder else None
        if file and file.exists():
            with np.load(file) as stored:
                return _filled(kind, (stored[name] for name in stored.files))
        arrays = list(_arrays(make()))
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_suffix(f".{os.getpid()}.npz")
            np.savez(draft, *arrays)
            draft.replace(file)
        return _filled(kind, iter(arrays))

    @wraps(make)
    def read() -> Table:
        # Else two threads would both make it.
        with _lock:
            return once()

    return read


def _arrays(table: Any) -> Iterator[Any]:
    for value in table:
        yield from _arrays(value) if isinstance(value, tuple) else [np.ascontiguousarray(value)]


def _filled(kind: Any, arrays: Iterator[Any]) -> Any:
    fields = get_type_hints(kind).values()
    return kind(*(_filled(field, arrays) if hasattr(field, "_fields") else next(arrays) for field in fields))
