"""Counts that took long, kept between runs: small JSON files, each written whole or not at all.

A file is named by a digest of everything the count rests on: the rules, the engine's version and
the engine's own source text. A file that does not read as it was written is counted again.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from certify import __version__, library
from certify.errors import CertifyError


def kept(rests_on: Iterable[object], count: Callable[[], Any]) -> Any:  # noqa: ANN401 - JSON
    """Return a JSON value from the cache, or count it and keep it.

    Args:
        rests_on: everything that the count depends on; its ``repr`` must be complete.
        count: counts; its value must be made of integers, strings, lists and dictionaries.
    """
    text = "\n".join([__version__, _source_digest(), *map(repr, rests_on)])
    digest = hashlib.sha256(text.encode()).hexdigest()
    path = library.cache() / "counts" / f"{digest}.json"
    found = _read(path, digest)
    if found is not None:
        return found["value"]
    value = count()
    body = json.dumps({"digest": digest, "value": value, "check": _check(value)})
    try:
        library.write_atomically(path, body.encode())
    except (CertifyError, OSError):
        # A cache that cannot be written costs time, never a figure.
        return value
    return value


def _read(path: Path, digest: str) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("digest") != digest:
        return None
    return found if found.get("check") == _check(found.get("value")) else None


def _check(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@cache
def _source_digest() -> str:
    """Return a digest of the engine's and the kernels' own source text."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted([*package.glob("engine/*.py"), *package.glob("kernels/*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
