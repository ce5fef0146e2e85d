"""The one place where a kernel is handed to the compiler, so that its type stays known.

`numba` compiles on first use and keeps the result in this user's cache, in a folder named by a
digest of the kernels' source text: numba itself does not notice a change in a kernel that another
one calls. `NUMBA_CACHE_DIR` names another folder. What is kept there is run when it is loaded, so
the folder must be the user's alone. With `NUMBA_DISABLE_JIT=1` every kernel runs as
the plain Python it is. Compiled integers wrap silently: each kernel states the bound of its
accumulators.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

from certify.storage import cache, private


def _keep_compiled_code() -> None:
    """Name the folder of compiled code, unless the user has; before numba is imported.

    Raises:
        NotPrivate: others may write to it.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    folders = [Path(named)] if named else [cache(), cache() / "compiled"]
    # Where no folder can be made, numba says so itself.
    with contextlib.suppress(OSError):
        for folder in folders:
            private(folder)
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folders[-1] / _digest()))


def _digest() -> str:
    """Return a digest of the kernels' source text, folders below included."""
    digest, folder = hashlib.sha256(), Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


_keep_compiled_code()

import numba  # noqa: E402 - it reads the variable while it is imported

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on first use, cached on disk, running without the interpreter's lock."""
    decorate = numba.njit(cache=True, nogil=True, error_model="numpy")
    return cast("Callable[P, R]", decorate(function))
