"""Values on a project in the user's own folder: drafts, the last save, choices, jobs."""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from certify import library, storage


def locate(kind: str, key: str) -> Path:
    """Return the path of a stored value of this project."""
    name = hashlib.sha256(f"{library.project() or library.root()}\n{key}".encode()).hexdigest()
    return storage.home() / kind / f"{name}.json"


def store(kind: str, key: str, value: Mapping[str, Any]) -> None:
    """Store a value.

    Raises:
        NotPrivate: the user's folder is open to others.
        NotConfigured: it cannot be written.
    """
    write(locate(kind, key), value)


def load(kind: str, key: str) -> dict[str, Any] | None:
    """Return a stored value, None if there is none."""
    try:
        value: Any = json.loads(locate(kind, key).read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and "base" in value else None


def list_values(kind: str) -> list[dict[str, Any]]:
    """Return the stored values of this project that have a ``key``."""
    values = []
    for path in sorted((storage.home() / kind).glob("*.json")):
        with contextlib.suppress(OSError, ValueError):
            value: Any = json.loads(path.read_bytes())
            if isinstance(value, dict) and locate(kind, str(value.get("key"))) == path:
                values.append(value)
    return values


def discard(kind: str, key: str) -> None:
    """Remove a stored value that is no longer of use; a value that stays does no harm."""
    with contextlib.suppress(OSError):
        locate(kind, key).unlink()


def write(path: Path, value: Mapping[str, Any]) -> None:
    """Write a value to a file that only this user may read; see `store`."""
    storage.private(storage.home())
    storage.write_atomically(path, json.dumps(value).encode(), mode=0o600)
