"""The one place where a kernel is handed to the compiler, so that its type stays known.

`numba` compiles on first use and keeps the result in the directory that the caller names in
`NUMBA_CACHE_DIR`. With `NUMBA_DISABLE_JIT=1` every kernel runs as the plain Python it is.
Compiled integers wrap silently: each kernel states the bound of its accumulators.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on first use, cached on disk, running without the interpreter's lock."""
    decorate = numba.njit(cache=True, nogil=True, error_model="numpy")
    return cast("Callable[P, R]", decorate(function))
