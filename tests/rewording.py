"""Rewording: every declared sentence, title and name with its letters turned by thirteen places.

Words keep their lengths and their differences, so that files keep their lines and columns, and no
word means anything any more.
"""

import codecs
import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from certify import library
from certify.checks.quantities import WORDS

FORMED = ("pattern", "enum", "format", "const")
"""What a schema says of a text that is no sentence."""

NO_SENTENCES = frozenset(
    {"$schema", "address", "banking", "file", "jurisdiction", "level", "revision"}
)
"""Texts of any form that are names of files, places, states, meters and editions; who banks."""

INNER = ("items", "additionalProperties")
"""What a schema says of the values inside a value of the same name."""

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NUMBERS = "|".join((*WORDS, "thousand", "million", "billion"))
_ESCAPE = re.compile(rf"(\\u[0-9a-fA-F]{{4}}|\\.|\{{[a-z]+\}}|\b(?:{_NUMBERS})\b)")
"""Escapes of JSON, values that a text is printed with, and numbers, which are values, too."""


@cache
def load_schemas() -> dict[str, Any]:
    """Return every schema by the name of its file."""
    paths = library.schemas().glob("*.schema.json")
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}


@cache
def find_sentence_names() -> frozenset[str]:
    """Return the names of the properties that hold sentences, titles or names, by the schemas."""
    found: set[str] = set()
    met: set[tuple[str, int]] = set()
    waiting = [("", schema, file) for file, schema in load_schemas().items()]
    while waiting:
        name, schema, file = _meant(*waiting.pop())
        if (name, id(schema)) in met:
            continue
        met.add((name, id(schema)))
        if schema.get("type") == "string" and not set(FORMED) & set(schema):
            found.add(name)
        inner = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
        inner += [schema[key] for key in INNER if isinstance(schema.get(key), dict)]
        waiting += [(name, item, file) for item in inner]
        waiting += [(key, one, file) for key, one in schema.get("properties", {}).items()]
    return frozenset(found - NO_SENTENCES)


def _meant(name: str, schema: Any, file: str) -> tuple[str, Any, str]:  # noqa: ANN401 - JSON
    while "$ref" in schema:
        named, _, place = schema["$ref"].partition("#/")
        file = named or file
        schema = load_schemas()[file]
        for part in place.split("/") if place else ():
            schema = schema[part]
    return name, schema, file


def rotate(text: str) -> str:
    """Return text with every letter turned, without its escapes and the names of its values."""
    parts = _ESCAPE.split(text)
    parts[::2] = [codecs.encode(part, "rot13") for part in parts[::2]]
    return "".join(parts)


def reword(text: str, *, also: frozenset[str] = frozenset()) -> str:
    """Return the text of a JSON file, sound or not, with every sentence in it reworded."""
    names = "|".join(sorted(find_sentence_names() | also))
    several = rf"\[\s*{_STRING.pattern}(?:\s*,\s*{_STRING.pattern})*\s*\]"
    value = rf'("(?:{names})"\s*:\s*)({_STRING.pattern}|{several})'

    def one(match: re.Match[str]) -> str:
        return match[1] + _STRING.sub(lambda inner: f'"{rotate(inner[1])}"', match[2])

    return re.sub(value, one, text)


def reword_folder(source: Path, copy: Path) -> Path:
    """Copy a folder with every sentence of its JSON files reworded; return the copy."""
    shutil.copytree(source, copy, dirs_exist_ok=True, symlinks=True)
    for path in filter(Path.is_file, copy.rglob("*.json")):
        data = path.read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue  # a fault of its own
        path.write_bytes(reword(text, also=frozenset({"names"})).encode("utf-8"))
    return copy


def reword_templates(source: Path, copy: Path) -> Path:
    """Copy templates with the text between their tags and marks reworded; return the copy."""
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("fonts", "kit"))
    for path in copy.rglob("*.j2"):
        text = path.read_text(encoding="utf-8")
        parts = re.split(r"(<[^>]*>|\{[{%#].*?[}%#]\}|&[a-z#0-9]+;)", text, flags=re.DOTALL)
        parts[::2] = [codecs.encode(part, "rot13") for part in parts[::2]]
        path.write_text("".join(parts), encoding="utf-8")
    return copy


def mask(text: str) -> str:
    """Return text with the same sign for every letter, digests left out."""
    return re.sub(r"[A-Za-z]", "x", re.sub(r"[0-9a-f]{64}", "", text))
