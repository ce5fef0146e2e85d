"""JSON values, and what a schema says of them, in plain words."""

# ruff: noqa: ANN401 - the values that are judged are JSON of any kind

import json
from collections.abc import Mapping, Sequence
from typing import Any

from certify.formatting import listed

_SHOWN = 40


def remedy_of(schema: Mapping[str, Any]) -> str:
    """Return what the schema says the value is, as a remedy."""
    description = schema.get("description")
    if description:
        return f"What is wanted: {_lower(description)}"
    return "Correct the value; the schema of the file says what is allowed."


def meaning(schema: Mapping[str, Any]) -> str:
    """Return what the schema says of a property, after a colon; nothing where it is silent."""
    description = schema.get("description")
    return f": {_lower(description).removesuffix('.')}" if description else ""


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def kind_of(value: Any) -> str:
    """Return what sort of JSON value this is, in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    kinds = ((dict, "an object"), (list, "a list"), (str, "text"), (int, "a number"))
    return next((name for type_, name in kinds if isinstance(value, type_)), "null")


def quoted(value: Any) -> str:
    """Return a value as JSON, cut where it is long."""
    return short(json.dumps(value, ensure_ascii=False))


def canonical(value: Any) -> str:
    """Return a value as the one text that all values equal to it have."""
    return json.dumps(value, sort_keys=True)


def short(text: str) -> str:
    """Return a text, cut where it is long."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def any_of(words: Sequence[str]) -> str:
    """Return words as alternatives, each once: ``a, b or c``."""
    return listed(dict.fromkeys(words), "or")


def all_of(names: Sequence[str]) -> str:
    """Return the names of properties as a list."""
    return listed(f"`{name}`" for name in names)
