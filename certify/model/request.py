"""Requests and results of commands: options that are declared once, and results as JSON.

The command line, the web app and the Python interface build the same request.
"""

import datetime as dt
import html
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
)

from msgspec import Struct
from msgspec.structs import FieldInfo, fields, force_setattr, replace

from certify.errors import NotInstalled, NotReadable
from certify.formatting import did_you_mean, plain_reason
from certify.model.encoding import encode_object
from certify.model.paytable import Paytable, declare_paytable

if TYPE_CHECKING:
    from pandas import DataFrame

Choice = TypeVar("Choice", bound=StrEnum)
Asked = TypeVar("Asked", bound="Request")

SHOWN = 60
"""Most rows of a result in a notebook."""


class Option(Struct, frozen=True, kw_only=True):
    """The declaration of a value: its help, its range, and its form on the command line.

    Attributes:
        text: the help; empty for a value that is no option.
        names: the names on the command line, if they are not that of the field.
        is_argument: True if it has no name there.
        by_comma: True for a text that may list several values, separated by commas.
        metavar: the value in the help, if the name of the option does not say what it is.
        least: the smallest number.
        most: the largest number.
        read: the value of the texts of the command line, if it is not read from each of them.
    """

    text: str = ""
    names: tuple[str, ...] = ()
    is_argument: bool = False
    by_comma: bool = False
    metavar: str | None = None
    least: int | None = None
    most: int | None = None
    read: Callable[[Sequence[str]], object] | None = None


def option(
    text: str,
    *names: str,
    metavar: str | None = None,
    by_comma: bool = False,
    least: int | None = None,
    most: int | None = None,
    read: Callable[[Sequence[str]], object] | None = None,
) -> Option:
    """Return the declaration of an option."""
    return Option(
        text=text, names=names, metavar=metavar, by_comma=by_comma, least=least, most=most,
        read=read,
    )  # fmt: skip


def argument(text: str, metavar: str | None = None) -> Option:
    """Return the declaration of an argument."""
    return Option(text=text, is_argument=True, metavar=metavar)


Cents = Annotated[int, Option(least=0)]
"""An amount of money that cannot be negative."""

MeterCents = Annotated[int | Fraction, Option(least=0)]
"""An average amount on a meter in cents: a figure, which may be finer than a cent."""


Contents: TypeAlias = Mapping[str, Any] | bytes
"""The contents of a file in memory: its JSON, or its bytes."""

Target: TypeAlias = str | Contents
"""The id or the path of what a command counts, or the contents of a file."""


class Request(Struct, frozen=True, kw_only=True):
    """Base of the options of a command; a field with a help text is an option.

    A field that is a request has further options of the command. Values are validated when the
    request is built. A path, a date or a choice may be text, and a tuple any sequence.
    `NotReadable` is raised for a value that is not of its type or its range.
    """

    def __post_init__(self) -> None:
        """Refuse values that do not fit their fields."""
        for field in list_fields(type(self)):
            value = getattr(self, field.name)
            if value is not field.default:
                force_setattr(self, field.name, _read(field.name, value, field.type))


def build(request: type[Asked], **values: object) -> Asked:
    """Return a request from values of any type; None takes the default.

    Raises:
        NotReadable: a value is not of its type, or out of its range.
    """
    given = {name: value for name, value in values.items() if value is not None}
    for field, part in list_parts(request):
        own = given.keys() & set(list_options(part))
        if own:
            given[field] = build(part, **{name: given.pop(name) for name in own})
    return request(**given)


def list_parts(request: type[Request]) -> Iterator[tuple[str, type[Request]]]:
    """Yield the fields of a request that are requests, each with its type."""
    for field in list_fields(request):
        if isinstance(field.type, type) and issubclass(field.type, Request):
            yield field.name, field.type


@lru_cache
def list_options(request: type[Request]) -> Mapping[str, FieldInfo]:
    """Return the options of a request and of its parts, by name."""
    parts, options = dict(list_parts(request)), dict[str, FieldInfo]()
    for field in list_fields(request):
        if field.name in parts:
            options |= list_options(parts[field.name])
        elif read_kind(field.type).option.text:
            options[field.name] = field
    return options


@lru_cache
def list_fields(request: type[Request]) -> tuple[FieldInfo, ...]:
    """Return the fields of a request."""
    return fields(request)


class Kind(Struct, frozen=True, kw_only=True):
    """The type of a field without its declaration, and if it may be None."""

    type: Any
    option: Option = Option()
    optional: bool = False


@lru_cache(maxsize=256)
def read_kind(declared: Any) -> Kind:  # noqa: ANN401 - any annotation
    """Return the parts of an annotation; the range of an inner one holds for the outer one."""
    parts = get_args(declared)
    others = [part for part in parts if part is not NoneType]
    if get_origin(declared) is Annotated:
        inner, outer = read_kind(parts[0]), parts[1]
        if outer.least is None:
            outer = replace(outer, least=inner.option.least, most=inner.option.most)
        return replace(inner, option=outer)
    if NoneType in parts and len(others) == 1:
        return replace(read_kind(others[0]), optional=True)
    return Kind(type=declared)


def _read(name: str, value: Any, declared: Any) -> Any:  # noqa: ANN401 - any value and type
    """Return the value of a field in its type."""
    kind = read_kind(declared)
    parts, origin = get_args(kind.type), get_origin(kind.type)
    if value is None and kind.optional:
        return None
    if origin is tuple:
        listed = list_texts(name, value)
        if kind.option.by_comma:
            listed = dict.fromkeys(chain.from_iterable(map(_split, listed)))
        return tuple(_read(name, each, parts[0]) for each in listed)
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise NotReadable(f"{name} is {value!r}, not a mapping.", remedy="Write {name: value}.")
        return {
            _read(name, key, parts[0]): _read(f"{name}[{str(key)!r}]", each, parts[1])
            for key, each in value.items()
        }
    if isinstance(kind.type, type) and issubclass(kind.type, StrEnum):
        return read_choice(value, kind.type)
    if hasattr(kind.type, "parse") and not isinstance(value, kind.type):
        return kind.type.parse(_read_text(name, value, kind.option))
    reader = READERS.get(kind.type)
    return value if reader is None else reader(name, value, kind.option)


def _split(value: object) -> list[object]:
    """Return the parts of a text that may list several."""
    if not isinstance(value, str):
        return [value]
    return [part.strip() for part in value.split(",") if part.strip()]


def list_texts(name: str, values: Iterable[Any]) -> Iterable[Any]:
    """Return the values of an option that takes several; a single text or path is refused."""
    if isinstance(values, str | Path) or not isinstance(values, Iterable):
        raise NotReadable(f"{name} is {values!r}, not a list.", remedy=f"Write [{values!r}].")
    return values


def read_choice(value: object, kind: type[Choice]) -> Choice:
    """Return a value of an enumeration from its text.

    Raises:
        NotReadable: there is none; the remedy names similar ones.
    """
    try:
        return kind(str(value))
    except ValueError as error:
        raise NotReadable(
            f"{str(value)!r} is not a known value.", remedy=did_you_mean(str(value), map(str, kind))
        ) from error


def _read_number(name: str, value: object, option: Option) -> int:
    """Return a whole number in its range."""
    least, most = option.least, option.most
    if type(value) is int and (least is None or least <= value) and not (most and value > most):
        return value
    bounds = "" if least is None else f" from {least}" + ("" if most is None else f" to {most}")
    of_money = name.endswith("_cents") or name.startswith("meters[")
    raise NotReadable(
        f"{name.removesuffix('_cents')} is {value}{' cents' if of_money else ''}, which is not a "
        f"whole number{bounds}.",
        remedy="Write an amount that is not negative, in whole cents."
        if of_money
        else f"Write for example {least or 1}.",
    )


def _read_amount(name: str, value: object, option: Option) -> int | Fraction:
    """Return an exact amount in its range."""
    if type(value) is Fraction and value >= (option.least or 0):
        return value
    return _read_number(name, value, option)


def _read_text(name: str, value: object, _: Option) -> str:
    if isinstance(value, str | Path):
        return str(value)
    raise NotReadable(f"{name} is {value!r}, which is not text.")


def _read_target(name: str, value: object, option: Option) -> Target:
    """Return a target; a record of a paytable as the contents of its file."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, Paytable):
        return declare_paytable(value)
    if not isinstance(value, Mapping):
        return _read_text(name, value, option)
    try:
        contents: Contents = json.loads(json.dumps(dict(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise NotReadable(
            f"{name} is not JSON: {plain_reason(error)}.",
            remedy="Write texts, whole numbers, lists and dictionaries, as in a paytable file.",
        ) from error
    return contents


def _read_flag(name: str, value: object, _: Option) -> bool:
    if isinstance(value, bool):
        return value
    raise NotReadable(f"{name} is {value!r}, which is not True or False.")


def read_day(name: str, value: object, _: Option | None = None) -> dt.date:
    """Return the date of an option or a field.

    Raises:
        NotReadable: it is not a date.
    """
    if type(value) is dt.date:
        return value
    try:
        return dt.date.fromisoformat(str(value))
    except ValueError as error:
        raise NotReadable(
            f"{name}: {value} is not a date.", remedy="Write year-month-day, such as 2026-11-21."
        ) from error


READERS: Final[Mapping[Any, Callable[[str, Any, Option], object]]] = {
    bool: _read_flag,
    dt.date: read_day,
    int: _read_number,
    int | Fraction: _read_amount,
    Path: lambda name, value, option: Path(_read_text(name, value, option)),
    str: _read_text,
    Target: _read_target,
}


class Result(Struct, frozen=True, kw_only=True):
    """Base of the result of a command; `table` names the list of `to_dict` that is its table."""

    table: ClassVar[str] = "results"

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the command prints with ``--format json``."""
        return encode_object(self)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rows of the result: one object each."""
        value = self.to_dict()
        rows: list[dict[str, Any]] = value.get(self.table, [value])
        return rows

    def to_frame(self) -> "DataFrame":
        """Return the rows as a data frame of pandas, which must be installed.

        Raises:
            NotInstalled: it is not.
        """
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise NotInstalled(
                "A data frame needs pandas, which is not installed.",
                remedy="Install it with `pip install pandas`, or use to_records().",
            ) from error
        return DataFrame(self.to_records())

    def __repr__(self) -> str:
        rows = len(self.to_records())
        return f"<{type(self).__name__}: {rows} {self.table}>"

    def _repr_html_(self) -> str:
        """Return the rows as a table for a notebook; lists and objects are left out."""
        rows = self.to_records()
        names = dict.fromkeys(
            name
            for row in rows
            for name, value in row.items()
            if not isinstance(value, list | dict)
        )
        lines = [names, *([row.get(name, "") for name in names] for row in rows[:SHOWN])]
        cells = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in line) for line in lines)
        more = f"<p>{len(rows) - SHOWN} more rows</p>" if len(rows) > SHOWN else ""
        return f"<table>{''.join(f'<tr>{line}</tr>' for line in cells)}</table>{more}"
