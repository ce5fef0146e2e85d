"""Whether a value fits its schema: a plain yes or no, for the many files in which nothing is wrong.

The keywords are those that ``schemas/`` uses. What a fault is, and where, is for the whole
validator to say; loading it alone takes longer than every question here.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence, Sized
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from certify.errors import InvariantBroken, NotConfigured

Value = Any
"""What strict JSON holds: objects, lists, text, integers, true, false and null."""

Fits = Callable[[Value], bool]

SUFFIX = ".schema.json"

_TYPES: Mapping[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}

_SAID = {"$schema", "$id", "$defs", "title", "description", "default", "examples"}
"""Keywords that ask nothing."""

_FURTHER = "additionalProperties"

_is_day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


def contents(path: Path) -> Any:  # noqa: ANN401 - a JSON value
    """Return the value of a schema's file."""
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def fit_of(folder: Path, kind: str, pointer: str = "") -> Fits:
    """Return the question whether a value fits a schema of ``folder``, or a part of it.

    Raises:
        InvariantBroken: the schema uses a keyword that is not known here.
    """
    schema = _whole(folder, kind)
    for name in pointer.split("/")[1:]:
        schema = schema[name]
    return _Compiler(folder, kind).fits(schema)


@cache
def _whole(folder: Path, kind: str) -> Any:  # noqa: ANN401 - a JSON value
    path = folder / f"{kind}{SUFFIX}"
    if not path.is_file():
        raise NotConfigured(
            f"The schema {path.name} is missing from {folder}.",
            remedy="Install certify again, or set CERTIFY_LIBRARY to a whole library.",
        )
    return contents(path)


class _Compiler:
    """Turns the parts of one schema file into questions."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self.kind = kind

    def fits(self, schema: Mapping[str, Any]) -> Fits:
        """Return the question of a part: all that its keywords ask."""
        tests = [
            self._asked(keyword, asked, schema)
            for keyword, asked in schema.items()
            if keyword not in _SAID
        ]
        if len(tests) == 1:
            return tests[0]

        def fits(value: Value) -> bool:
            for test in tests:  # noqa: SIM110 - half the time of all(), asked most of all
                if not test(value):
                    return False
            return True

        return fits

    def _asked(self, keyword: str, asked: Any, schema: Mapping[str, Any]) -> Fits:  # noqa: ANN401 - a JSON value
        if keyword in _PLAIN:
            return _PLAIN[keyword](asked)
        if keyword in ("then", "else") or (keyword == _FURTHER and "properties" in schema):
            return _always  # asked together with `if` and `properties`
        if keyword == _FURTHER:
            return self._properties({}, schema)
        method = getattr(self, f"_{keyword.removeprefix('$').lower()}", None)
        if method is None:
            raise InvariantBroken(f"The keyword {keyword} of a schema is not known.")
        question: Fits = method(asked, schema)
        return question

    def _ref(self, asked: str, _: Mapping[str, Any]) -> Fits:
        file, *inner = asked.split("#")
        kind = file.rpartition("/")[2].removesuffix(SUFFIX) or self.kind

        part: Fits | None = None

        def fits(value: Value) -> bool:
            nonlocal part  # looked up when asked: a condition holds conditions
            part = part or fit_of(self.folder, kind, *inner)
            return part(value)

        return fits

    def _properties(self, asked: Mapping[str, Any], schema: Mapping[str, Any]) -> Fits:
        inner = {name: self.fits(part) for name, part in asked.items()}
        further = schema.get(_FURTHER, True)
        others = self.fits(further) if isinstance(further, dict) else lambda _: bool(further)

        def fits(value: Value) -> bool:
            if isinstance(value, dict):
                for name, part in value.items():  # as above, no all()
                    if not inner.get(name, others)(part):
                        return False
            return True

        return fits

    def _items(self, asked: Mapping[str, Any], _: Mapping[str, Any]) -> Fits:
        each = self.fits(asked)
        return lambda value: not isinstance(value, list) or all(map(each, value))

    def _contains(self, asked: Mapping[str, Any], _: Mapping[str, Any]) -> Fits:
        each = self.fits(asked)
        return lambda value: not isinstance(value, list) or any(map(each, value))

    def _propertynames(self, asked: Mapping[str, Any], _: Mapping[str, Any]) -> Fits:
        each = self.fits(asked)
        return lambda value: not isinstance(value, dict) or all(map(each, value))

    def _dependentschemas(self, asked: Mapping[str, Any], _: Mapping[str, Any]) -> Fits:
        inner = {name: self.fits(part) for name, part in asked.items()}
        return lambda value: (
            not isinstance(value, dict)
            or all(fits(value) for name, fits in inner.items() if name in value)
        )

    def _if(self, asked: Mapping[str, Any], schema: Mapping[str, Any]) -> Fits:
        test = self.fits(asked)
        then, otherwise = (self.fits(schema.get(name, {})) for name in ("then", "else"))
        return lambda value: then(value) if test(value) else otherwise(value)

    def _not(self, asked: Mapping[str, Any], _: Mapping[str, Any]) -> Fits:
        inner = self.fits(asked)
        return lambda value: not inner(value)

    def _allof(self, asked: Sequence[Any], _: Mapping[str, Any]) -> Fits:
        parts = [self.fits(part) for part in asked]
        return lambda value: all(fits(value) for fits in parts)

    def _anyof(self, asked: Sequence[Any], _: Mapping[str, Any]) -> Fits:
        parts = [self.fits(part) for part in asked]
        return lambda value: any(fits(value) for fits in parts)

    def _oneof(self, asked: Sequence[Any], _: Mapping[str, Any]) -> Fits:
        parts = [self.fits(part) for part in asked]
        return lambda value: sum(fits(value) for fits in parts) == 1


def _always(_: Value) -> bool:
    return True


def _of_type(asked: str | Sequence[str]) -> Fits:
    types = {_TYPES[name] for name in ([asked] if isinstance(asked, str) else asked)}
    return lambda value: type(value) in types  # true is no integer


def _among(asked: Sequence[Any]) -> Fits:
    words = {constant for constant in asked if isinstance(constant, str)}
    others = [_hashed(constant) for constant in asked if not isinstance(constant, str)]
    return lambda value: value in words if isinstance(value, str) else _hashed(value) in others


def _hashed(value: Value) -> str:
    """Return the same text for the same value: ``true`` is not ``1``, and order is no matter."""
    return json.dumps(value, sort_keys=True)


def _matching(asked: str) -> Fits:
    search = re.compile(asked).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _is_date(value: Value) -> bool:
    if not isinstance(value, str):
        return True
    try:
        return bool(_is_day(value) and date.fromisoformat(value))
    except ValueError:
        return False


def _at_least(kind: type[Sized]) -> Callable[[int], Fits]:
    return lambda asked: lambda value: not isinstance(value, kind) or len(value) >= asked


def _at_most(kind: type[Sized]) -> Callable[[int], Fits]:
    return lambda asked: lambda value: not isinstance(value, kind) or len(value) <= asked


_PLAIN: Mapping[str, Callable[[Any], Fits]] = {
    "type": _of_type,
    "enum": _among,
    "const": lambda asked: _among([asked]),
    "pattern": _matching,
    "format": lambda asked: _is_date if asked == "date" else _always,
    "required": lambda asked: (
        lambda value: not isinstance(value, dict) or all(name in value for name in asked)
    ),
    "minimum": lambda asked: lambda value: type(value) is not int or value >= asked,
    "maximum": lambda asked: lambda value: type(value) is not int or value <= asked,
    "minLength": _at_least(str),
    "maxLength": _at_most(str),
    "minItems": _at_least(list),
    "maxItems": _at_most(list),
    "minProperties": _at_least(dict),
    "maxProperties": _at_most(dict),
    "uniqueItems": lambda asked: (
        lambda value: (
            not (asked and isinstance(value, list)) or len(set(map(_hashed, value))) == len(value)
        )
    ),
}
