"""Numba dispatcher of kernels; imported on the first call, since the compiler is large.

`numba` compiles on first use and caches the result in this user's cache, in a folder named by a
digest of the kernels' source text: numba itself does not notice a change in a kernel that another
one calls. `NUMBA_CACHE_DIR` names another folder. Cached code is executed when it is loaded, so
only the user may have access to the folder. With `NUMBA_DISABLE_JIT=1` every kernel runs as plain
Python.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from certify.errors import NotConfigured
from certify.storage import cache, private

SETTINGS = ".numba_config.yaml"


def _refuse_settings() -> None:
    """Refuse settings of the compiler in the current folder, which may be a received project.

    Raises:
        NotConfigured: there are some, and numba would read them when it is imported.
    """
    if os.path.lexists(SETTINGS):
        raise NotConfigured(
            f"{Path.cwd() / SETTINGS} would change how counts are compiled.",
            remedy="Remove it, or run certify in another folder.",
        )


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


_refuse_settings()
_keep_compiled_code()

from numba.core import config, types  # noqa: E402 - numba reads the variable as it is imported
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402 - after numba
from numba.core.registry import CPUDispatcher  # noqa: E402 - after numba

config.SLP_VECTORIZE = 1  # type: ignore[attr-defined] # several additions in one instruction

P = ParamSpec("P")
R = TypeVar("R")


class Dispatcher(CPUDispatcher):
    """A compiled function, of which a machine compiles each signature once."""

    def get_call_template(self, args: Any, kws: Any) -> Any:  # noqa: ANN401 - numba's types
        """Type a call by another kernel; a number written out there, such as 0, is an integer.

        Otherwise the kernel would be compiled for that number too.
        """
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)

    def compile(self, sig: Any) -> Any:  # noqa: ANN401 - numba's types
        """Compile a signature or load it; wait while another process compiles this kernel."""
        with global_compiler_lock, _alone(self.py_func):
            return super().compile(sig)


@contextlib.contextmanager
def _alone(function: Callable[..., object]) -> Iterator[None]:
    """Hold a kernel's lock file in the cache; the system frees the lock of a dead process."""
    from filelock import FileLock

    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    lock = FileLock(folder / f"{function.__module__}.{function.__qualname__}.lock")
    with contextlib.ExitStack() as stack:
        # If nothing can be written, nothing is cached, and there is nothing to wait for.
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(lock)
        yield


def nothing_compiled() -> bool:
    """Return True if kernels need compiling and this machine has no compiled ones."""
    compiles = not config.DISABLE_JIT  # type: ignore[attr-defined] # numba sets it as it is imported
    return compiles and not Path(os.environ["NUMBA_CACHE_DIR"]).exists()


def build_dispatcher(function: Callable[P, R], *, allocates: bool) -> Callable[P, R]:
    """Return a dispatcher that compiles `function` by its arguments and releases the GIL.

    Args:
        function: a kernel.
        allocates: the kernel makes arrays, so numba counts the references to each array.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined] # numba sets it as it is imported
        return function
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    options["_nrt"] = allocates
    dispatcher = Dispatcher(function, targetoptions=options)
    dispatcher.enable_caching()
    return cast("Callable[P, R]", dispatcher)
