"""What pictures took is given back: the C library would keep it, in holes between other things."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return every free page of this process to the machine; some 3 ms, so not on every frame."""
    if _TRIM is not None:
        _TRIM(0)


def _trim() -> ctypes._NamedFuncPointer | None:
    """glibc's own; other C libraries keep less, and have none."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


_TRIM = _trim()
