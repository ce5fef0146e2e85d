"""The one place where a kernel is handed to the compiler, so that its type stays known.

`numba` compiles on first use and keeps the result in this user's cache, in a folder named by a
digest of the kernels' source text: numba itself does not notice a change in a kernel that another
one calls. `NUMBA_CACHE_DIR` names another folder. With `NUMBA_DISABLE_JIT=1` every kernel runs as
the plain Python it is. Compiled integers wrap silently: each kernel states the bound of its
accumulators.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

from certify.library import cache


def _keep_compiled_code() -> None:
    """Name the folder of compiled code, unless the user has; before numba is imported."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    folder = cache() / "compiled" / digest.hexdigest()[:16]
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))


_keep_compiled_code()

import numba  # noqa: E402 - it reads the variable while it is imported

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on first use, cached on disk, running without the interpreter's lock."""
    decorate = numba.njit(cache=True, nogil=True, error_model="numpy")
    return cast("Callable[P, R]", decorate(function))
