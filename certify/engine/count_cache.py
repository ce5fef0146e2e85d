"""Cache of slow counts: small JSON files, each written atomically.

A file is named by a digest of all inputs of the count: the rules, the versions, and the source code
that counts. It carries an HMAC under a key of this user, as a protection against forgery; a file
that fails the check is counted again. A final submission counts its figures in the run that writes
the documents (`bypass_cache`), regardless of the cache.
"""

import contextlib
import hashlib
import hmac
import json
import platform
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from certify import __version__, storage
from certify.errors import NotConfigured

KEY: Final = "counts.key"
PACKAGE: Final = Path(__file__).parent.parent
PACKAGES: Final = ("engine", "kernels", "model")
"""The folders whose code determines the counts."""

SOURCES: Final = (*(f"{package}/**/*.py" for package in PACKAGES), "formatting.py")
"""All that code, and the format of amounts in cached explanations."""

LIBRARIES: Final = ("llvmlite", "numba", "numpy")

P = ParamSpec("P")
R = TypeVar("R")

_bypassed: ContextVar[bool] = ContextVar("bypassed", default=False)
_counted: dict[str, str] = {}
"""Counts of this process, as JSON by digest."""


@contextlib.contextmanager
def bypass_cache() -> Iterator[None]:
    """Ignore cached counts from other processes, except verification counts."""
    token = _bypassed.set(True)
    try:
        yield
    finally:
        _bypassed.reset(token)


def cached_count(
    inputs: Iterable[object],
    count: Callable[[], Any],
    *,
    second: bool = False,
    plain: bool = False,
) -> Any:  # noqa: ANN401 - JSON
    """Return a JSON value from the cache, or compute and cache it.

    Args:
        inputs: everything that the count depends on; its ``repr`` must be complete.
        count: computes the value, which must be made of integers, strings, lists and dictionaries.
        second: True for a verification count, which is compared with a first count and never
            printed in its place; it may come from the cache even under `bypass_cache`.
        plain: True if it is counted in Python integers, independent of libraries.

    Raises:
        NotPrivate: others may write to the cache, or read its key.
    """
    digest = _digest(inputs, plain=plain)
    entry = _load(digest, of_process=_bypassed.get() and not second)
    if entry is None:
        entry = _counted[digest] = json.dumps(count())
        _write(digest, entry)
    return json.loads(entry)


def load_cached(inputs: Iterable[object]) -> Any | None:  # noqa: ANN401 - JSON
    """Return the cached value for the inputs of a count; None if there is none.

    Raises:
        NotPrivate: others may write to the cache, or read its key.
    """
    entry = _load(_digest(inputs), of_process=_bypassed.get())
    return None if entry is None else json.loads(entry)


def seal(name: str, value: str) -> str:
    """Return this user's MAC of a value under a name, which no other user can make.

    Raises:
        NotPrivate: others may read the key.
        OSError: the key cannot be made or read.
    """
    return _mac(storage.secret(KEY), name, value)


def memoized(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a function's results in this process; `bypass_cache` computes them once more."""
    ask: Callable[..., R] = function

    @cache
    def result(_: bool, *arguments: Any) -> R:  # noqa: ANN401 - whatever it takes
        return ask(*arguments)

    @wraps(function)
    def call(*arguments: P.args, **_: P.kwargs) -> R:
        return result(_bypassed.get(), *arguments)

    return call


def _digest(inputs: Iterable[object], *, plain: bool = False) -> str:
    """Return the digest of all inputs of a count, which names its file."""
    versions = _PYTHON if plain else _versions()
    text = "\n".join([__version__, versions, source_digest(PACKAGE), *map(repr, inputs)])
    return hashlib.sha256(text.encode()).hexdigest()


def _load(digest: str, *, of_process: bool) -> str | None:
    """Return the cached value of a digest; with ``of_process`` only one of this process."""
    return _counted.get(digest) if of_process else _read(digest)


def _read(digest: str) -> str | None:
    """Return the cached value of a digest; None if it is missing or fails its check."""
    try:
        path, key = _folder() / f"{digest}.json", storage.secret(KEY)
        entry = json.loads(path.read_bytes())
        value = json.dumps(entry["value"])
        sound = hmac.compare_digest(entry["mac"], _mac(key, digest, value))
    except (OSError, ValueError, RecursionError, TypeError, KeyError):
        return None
    return value if sound else None


def _write(digest: str, value: str) -> None:
    try:
        path, key = _folder() / f"{digest}.json", storage.secret(KEY)
        body = {"value": json.loads(value), "mac": _mac(key, digest, value)}
        storage.write_atomically(path, json.dumps(body).encode(), mode=0o600)
    except storage.NotPrivate:
        raise
    except (NotConfigured, OSError):
        # A store that cannot be written costs time, never a figure.
        return


def _folder() -> Path:
    """Return the folder of the counts, after a check of its permissions."""
    return storage.private(storage.private(storage.cache()) / "counts")


def _mac(key: bytes, digest: str, value: str) -> str:
    """Return the HMAC-SHA-256 (RFC 2104) of a value under its name."""
    return hmac.new(key, f"{digest}\n{value}".encode(), hashlib.sha256).hexdigest()


_PYTHON: Final = platform.python_version()


@cache
def _versions() -> str:
    return "\n".join([_PYTHON, *map(_version, LIBRARIES)])


def _version(library_name: str) -> str:
    """Return a library's version; the packages of an extra may be missing."""
    from importlib import metadata

    try:
        return metadata.version(library_name)
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def source_digest(package: Path = PACKAGE) -> str:
    """Return a digest of the source text of all that counts, folders below included."""
    digest = hashlib.sha256()
    for path in sorted(path for source in SOURCES for path in package.glob(source)):
        name = path.relative_to(package).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
