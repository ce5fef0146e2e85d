"""New: a record of one's own, scaffolded from a declared one."""

import json
import re
from pathlib import Path
from typing import Any

from certify import library
from certify.errors import NotConfigured, NotReadable
from certify.pipeline.targets import unknown

_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}").fullmatch


def house_way(name: str, *, like: str, out: Path) -> tuple[Path, ...]:
    """Write a copy of a declared house way under another id; return its file.

    Raises:
        NotReadable: the id is not one.
        NotConfigured: the model is not declared, or a file is there already.
    """
    _check_id(name)
    value = _read(_declared(f"house-ways/{like}.json", like, "house-ways/*.json"))
    value |= {"id": name, "name": f"{value['name']} (copy)"}
    return _write({out / f"{name}.json": _written(value)})


def game(name: str, *, like: str, out: Path) -> tuple[Path, ...]:
    """Write a copy of a declared game under another id, with all its files; return them.

    Raises:
        NotReadable: the id is not one.
        NotConfigured: the model is not declared, or a file is there already.
    """
    _check_id(name)
    source = _declared(f"{like}/game.json", like, "*/game.json").parent
    files = {}
    for path in sorted(source.rglob("*.json")):
        value = _renamed(_read(path), like, name)
        if path.name == "game.json":
            value |= {"id": name, "name": f"{value['name']} (copy)"}
        files[out / name / path.relative_to(source)] = _written(value)
    return _write(files)


def _check_id(name: str) -> None:
    if _id(name) is None:
        raise NotReadable(
            f"{name} is not an id.", remedy="Write letters, digits and hyphens, 64 at most."
        )


def _write(files: dict[Path, bytes]) -> tuple[Path, ...]:
    there = [path for path in files if path.exists()]
    if there:
        raise NotConfigured(
            f"{there[0]} is there already.", remedy="Choose another id or another folder."
        )
    for path, data in files.items():
        library.write_atomically(path, data)
    return tuple(files)


def _renamed(value: Any, old: str, new: str) -> Any:  # noqa: ANN401 - JSON values
    """Return a JSON value in which records name the new game; documents keep their ids."""
    if isinstance(value, list):
        return [_renamed(one, old, new) for one in value]
    if isinstance(value, str):
        return f"{new}{value[len(old) :]}" if value.startswith(f"{old}/") else value
    if not isinstance(value, dict):
        return value
    return {
        name: new if name == "game" and one == old else _renamed(one, old, new)
        for name, one in value.items()
    }


def _declared(path: str, name: str, among: str) -> Path:
    """Return a declared file.

    Raises:
        NotConfigured: there is none; the remedy names what is near.
    """
    folder = library.paytables()
    found = folder / path
    known = sorted(folder.glob(among))
    if found not in known:
        names = [one.parent.name if one.name == "game.json" else one.stem for one in known]
        raise unknown("record", name, names)
    return found


def _read(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    named = str(value.get("$schema", "")).rpartition("/")[2]
    return ({"$schema": named} if named else {}) | {
        name: one for name, one in value.items() if name != "$schema"
    }


def _written(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
