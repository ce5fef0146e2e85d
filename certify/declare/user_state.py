"""Values on a project in the user's own folder: unsaved changes, the last save, choices, jobs."""

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from certify import library, storage
from certify.model.finding import Document
from certify.project_log import account_name, utc_now


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


DRAFTS = "drafts"
OTHERS = "others"
CHOICES = "choices"


class Unsaved(Struct, frozen=True, kw_only=True):
    """Unsaved changes of a file: who typed them, when they began, and the last one (ISO 8601).

    The fields are empty in drafts of earlier releases.
    """

    key: str = ""
    user: str = ""
    since: str = ""
    at: str = ""


def keep_draft(
    key: str, base: str, values: Mapping[str, str], *, window: str = "", seen: str = ""
) -> bool:
    """Keep changes that are not saved, for when the page is opened again; see `editing.save`.

    Changes that another window typed meanwhile are not overwritten: the other changes are kept
    for `load_others`. Return False if the draft is still that of the other window.

    Args:
        key: the file's key in the catalog.
        base: the SHA-256 of the file that was edited.
        values: the changed texts by pointer.
        window: the id of the page that they were typed on.
        seen: the version of the draft that this page showed at first; see `draft_version`.
    """
    draft = load(DRAFTS, key)
    mine = _draft(key, base, values, window, draft)
    if (
        draft is not None
        and draft["values"] != mine["values"]
        and draft.get("window", "") != window
    ):
        outdated = draft["base"] != base
        if outdated or draft_version(key) != seen:
            other = draft if outdated else mine
            others = _load_apart(key) | {other.get("window", ""): other}
            store(OTHERS, key, {"base": "", "values": others})
            if not outdated:
                return False
    store(DRAFTS, key, mine)
    return True


def _draft(
    key: str,
    base: str,
    values: Mapping[str, str],
    window: str,
    before: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return a draft to store, which continues the draft before it of the same user and file."""
    former = convert(before, Unsaved) if before and before["base"] == base else Unsaved()
    user, now = account_name(), utc_now()
    return {
        "key": key,
        "base": base,
        "values": dict(values),
        "window": window,
        "user": user,
        "since": former.since if former.user == user else now,
        "at": now,
    }


def list_unsaved() -> list[Unsaved]:
    """Return the unsaved changes of all files of the project, the latest first."""
    found = convert(list_values(DRAFTS), list[Unsaved])
    return sorted(found, key=lambda each: each.at, reverse=True)


def load_unsaved(key: str, document: Document) -> Unsaved | None:
    """Return who made the unsaved changes to the present file; None without changes."""
    return convert(load(DRAFTS, key), Unsaved) if load_draft(key, document) else None


def draft_version(key: str) -> str:
    """Return a digest of the unsaved changes."""
    draft = load(DRAFTS, key) or {}
    typed = [draft.get(name) for name in ("base", "values", "window")]
    return hashlib.sha256(json.dumps(typed, sort_keys=True).encode()).hexdigest()


def _drop_apart(key: str, window: str) -> None:
    others = _load_apart(key)
    if others.pop(window, None) is not None:
        store(OTHERS, key, {"base": "", "values": others})


def _load_apart(key: str) -> dict[str, Any]:
    """Return the drafts that are kept apart, by the window that they were typed in."""
    return dict((load(OTHERS, key) or {"values": {}})["values"])


def load_others(key: str, document: Document) -> dict[str, Any]:
    """Return the changes that are not in the draft, by the window that they were typed in.

    These were typed while another window changed the draft, or made to an earlier file.
    """
    draft = load(DRAFTS, key)
    outdated = draft is not None and draft["base"] != document.sha256
    return _load_apart(key) | ({draft.get("window", ""): draft} if draft and outdated else {})


def settle_draft(key: str, window: str, document: Document, values: Mapping[str, str]) -> None:
    """Keep the result of a conflict as the draft, in place of it and of a window's changes."""
    _drop_apart(key, window)
    draft = load(DRAFTS, key)
    store(DRAFTS, key, _draft(key, document.sha256, values, "settled", draft))


def load_draft(key: str, document: Document) -> dict[str, str]:
    """Return the unsaved changes, if they were made to the present file."""
    draft = load(DRAFTS, key)
    values = draft.get("values") if draft is not None and draft["base"] == document.sha256 else None
    if not isinstance(values, dict):
        return {}
    return {str(name): str(value) for name, value in values.items()}


def forget_draft(key: str, saved: Mapping[str, str] | None = None) -> None:
    """Delete the unsaved changes; with ``saved`` only if these were saved."""
    draft = load(DRAFTS, key)
    if saved is None or draft is None or draft["values"] == dict(saved):
        discard(DRAFTS, key)
    for window, other in _load_apart(key).items():
        if saved is not None and other["values"] == dict(saved):
            _drop_apart(key, window)


def keep_choices(key: str, choices: Mapping[str, Sequence[str]]) -> None:
    """Keep the choices of a form, for when it is opened again."""
    store(CHOICES, key, {"base": "", "values": choices})


def load_choices(key: str) -> dict[str, list[str]]:
    """Return the choices of a form that were kept last."""
    stored = load(CHOICES, key) or {}
    return {str(name): list(map(str, each)) for name, each in stored.get("values", {}).items()}
