"""Memory that counts have done with."""

import contextlib
import ctypes
import sys
from typing import Final

LARGE: Final = 1 << 20
"""Bytes of an array that goes back to the system when it is freed."""

_MMAP_THRESHOLD: Final = -3
"""Of ``mallopt`` in ``malloc.h`` of the GNU C library."""


def give_back() -> None:
    """Have the C library give large arrays back; the GNU one would keep up to 32 MiB of each."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, LARGE)
