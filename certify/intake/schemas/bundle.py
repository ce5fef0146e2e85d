"""A schema as one file, for editors and other tools: everything that it refers to is within it."""

from collections.abc import Iterator
from typing import Any

from certify.intake.schemas.schema import SUFFIX, contents


def bundled(kind: str) -> dict[str, Any]:
    """Return the schema of a kind of file with what it refers to in other schemas.

    Args:
        kind: one of `kinds`.
    """
    schema: dict[str, Any] = {**contents(kind)}
    named = dict(_parts(kind, schema))
    definitions = {
        **_rewritten(schema.pop("$defs", {}), kind, kind),
        **{name: _rewritten(part, owner, kind) for name, (owner, part) in named.items()},
    }
    whole: dict[str, Any] = _rewritten(schema, kind, kind)
    return whole | ({"$defs": definitions} if definitions else {})


def _parts(kind: str, schema: Any) -> Iterator[tuple[str, tuple[str, Any]]]:  # noqa: ANN401 - a JSON value
    """Yield what a schema refers to in others, and what that refers to, by its new name."""
    seen: set[str] = set()
    open_ = [(kind, schema)]
    while open_:
        here, value = open_.pop()
        for owner, pointer in _references(value, here):
            name = _name(owner, pointer)
            if owner != kind and name not in seen:
                seen.add(name)
                part = _at(contents(owner), pointer)
                yield name, (owner, part)
                open_.append((owner, part))


def _references(value: Any, here: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - a JSON value
    """Yield every reference below a value: the kind of the schema, and the pointer in it."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield _split(value["$ref"], here)
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _references(part, here)


def _split(reference: str, here: str) -> tuple[str, str]:
    file, _, pointer = reference.partition("#")
    return (file.removesuffix(SUFFIX) or here), pointer


def _name(kind: str, pointer: str) -> str:
    return ".".join([kind, *(part for part in pointer.split("/") if part not in ("", "$defs"))])


def _at(schema: Any, pointer: str) -> Any:  # noqa: ANN401 - a JSON value
    for part in pointer.split("/")[1:]:
        schema = schema[part]
    if pointer:
        return schema
    return {name: part for name, part in schema.items() if name not in ("$id", "$schema", "$defs")}


def _rewritten(value: Any, here: str, kind: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return a value of the schema ``here`` whose references lead into the one file of ``kind``."""
    if isinstance(value, list):
        return [_rewritten(part, here, kind) for part in value]
    if not isinstance(value, dict):
        return value
    written = {name: _rewritten(part, here, kind) for name, part in value.items()}
    if isinstance(value.get("$ref"), str):
        owner, pointer = _split(value["$ref"], here)
        written["$ref"] = f"#{pointer}" if owner == kind else f"#/$defs/{_name(owner, pointer)}"
    return written
