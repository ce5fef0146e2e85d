"""Records as JSON values, and the listener of a run: its progress, steps and parts."""

from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import asdict

from certify.formatting import json_decimal, json_exact
from certify.model.finding import Finding
from certify.model.source import Source

PLACES: Final = 10
"""Decimals of the decimal form of an exact value."""

Forms = Mapping[Any, Callable[[Any], Any]]
"""By class, a function for the written form of objects that differs from their fields."""


def encode_json(value: object, forms: Forms | None = None) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value as JSON: exact values as ``n/d``, days as ISO 8601 has them.

    An object is written with its fields; fields that are None or empty are omitted. A mapping is
    written completely. A source is written as its document and clause.

    Args:
        value: objects, figures, days, and sequences and mappings of these.
        forms: by class, a function for the written form; its parts are encoded in turn.
    """
    form = (forms or {}).get(type(value))
    if form is not None:
        return encode_json(form(value), forms)
    match value:
        case StrEnum() | Source():
            written: Any = str(value)
        case Fraction():
            written = json_exact(value)
        case date():
            written = value.isoformat()
        case Mapping():
            written = {str(name): encode_json(part, forms) for name, part in value.items()}
        case tuple() | list():
            written = [encode_json(part, forms) for part in value]
        case Struct():
            named = {name.rstrip("_"): part for name, part in asdict(value).items()}
            written = encode_json(drop_empty(named), forms)
        case _:
            written = value
    return written


def encode_object(value: object, forms: Forms | None = None) -> dict[str, Any]:
    """Return an object or a mapping as a JSON object, see `encode_json`."""
    written: dict[str, Any] = encode_json(value, forms)
    return written


def drop_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are there: not None, and not empty."""
    return {name: value for name, value in values.items() if value not in (None, "", ())}


def pick_values(record: object, *names: str) -> dict[str, Any]:
    """Return these values of a record, empty ones too."""
    return {name: getattr(record, name) for name in names}


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as the contract prints it."""
    named = ("code", "severity", "file", "pointer", "row", "line", "column", "message")
    return pick_values(finding, *named, "remedy")


def encode_exact(name: str, value: Fraction | None) -> dict[str, Any]:
    """Return an exact value and its decimal as JSON fields; an empty dict for None."""
    if value is None:
        return {}
    return {name: value, f"{name}_decimal": json_decimal(value, PLACES)}


Progress = Callable[[int, int], None]
"""Callback with the finished number and the total: hands, tasks, rounds."""


class Work(StrEnum):
    """The work on a part, as reported to a listener."""

    COUNTING = "Counting"
    COUNTING_AGAIN = "Counting again"
    PRINTING = "Printing"


@runtime_checkable
class Named(Protocol):
    """A listener that distinguishes the parts of a run."""

    def about(self, what: str) -> Progress:
        """Return the listener for one part, such as ``Counting mini-pai-gow/bonus/A``."""
        ...


def about(progress: Progress | None, work: Work, name: str) -> Progress | None:
    """Return the listener for one part of a run: a target, a document."""
    return progress.about(f"{work} {name}") if isinstance(progress, Named) else progress


class Step(StrEnum):
    """The steps of a submission, in their order."""

    FILED = "the filed wagers"
    OTHERS = "the other options, strategies and house ways"
    VERIFICATION = "the independent recount"
    DOCUMENTS = "the documents"


@runtime_checkable
class Stepped(Protocol):
    """A listener that distinguishes the steps of a run."""

    def begin(self, step: Step) -> None:
        """Begin a step."""
        ...


def begin(progress: Progress | None, step: Step) -> None:
    """Tell a listener that a step of a run begins."""
    listener: object = progress
    if isinstance(listener, Stepped):
        listener.begin(step)
