"""Does a value fit its schema? The contract on disk: JSON Schema 2020-12, from ``schemas/``."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify import library
from certify.errors import NotConfigured
from certify.intake.text.faults import J013
from certify.intake.text.strict_json import MOST_FAULTS
from certify.model.document import Document
from certify.model.finding import Finding

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

SUFFIX = ".schema.json"


def schema_named(document: Document) -> str | None:
    """Return the kind that the document's own ``$schema`` names (``paytable``), or None."""
    value = document.value
    named = value.get("$schema") if isinstance(value, dict) else None
    if not isinstance(named, str):
        return None
    return named.replace("\\", "/").rpartition("/")[2].removesuffix(SUFFIX)


def kinds() -> tuple[str, ...]:
    """Return the kinds of files that have a schema, sorted; ``common`` describes no file."""
    return tuple(sorted(_schemas(library.schemas()).keys() - {"common"}))


def contents(kind: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return the schema of a kind as its file has it.

    Raises:
        NotConfigured: there is no such schema in the library.
    """
    folder = library.schemas()
    if kind not in _schemas(folder):
        raise NotConfigured(
            f"The schema {kind}{SUFFIX} is missing from {folder}.",
            remedy="Install certify again, or set CERTIFY_LIBRARY to a whole library.",
        )
    return _schemas(folder)[kind]


@cache
def _schemas(folder: Path) -> dict[str, Any]:
    return {
        path.name.removesuffix(SUFFIX): json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob(f"*{SUFFIX}")
    }


def validate(document: Document, kind: str, *, faulty: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Judge a document against the schema of its kind.

    Args:
        document: the file.
        kind: the schema's name without its suffix, one of `kinds`.
        faulty: pointers of values that are already known to be wrong; nothing more is said there.

    Returns:
        One finding for each fault, in the order of the file.
    """
    contents(kind)
    validator = _validator(library.schemas(), kind)
    if validator.is_valid(document.value):
        return ()
    known = frozenset(faulty)
    every = validator.iter_errors(document.value)
    errors = [_failure(error, document.value, {}) for error in islice(every, MOST_FAULTS + 1)]
    mistyped = {error.pointer for error in errors if error.keyword == "type"}
    findings: dict[Finding, None] = {}
    meant = [deepest for failed in errors for deepest in _deepest(failed)]
    for error in sorted(meant, key=lambda failure: failure.order):
        if error.pointer in mistyped and error.keyword != "type":
            continue  # of a value of another kind nothing else is said
        for finding in islice(_findings(document, error), MOST_FAULTS + 1):
            if not _under(finding.pointer, known):
                findings[finding] = None
    if len(findings) > MOST_FAULTS:
        message = f"More than {MOST_FAULTS} faults stand in this file; the others are not listed."
        more = document.finding(J013.id, "", message, J013.advice())
        return (more, *_in_order(findings)[:MOST_FAULTS])
    return _in_order(findings)


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.column, finding.code)))


@cache
def _validator(folder: Path, kind: str) -> "Draft202012Validator":
    """Return the validator of a kind; its references are read from ``folder`` and nowhere else."""
    from jsonschema_rs import Draft202012Validator, Registry

    schemas = _schemas(folder)
    registry = Registry([(schema["$id"], schema) for schema in schemas.values()])
    return Draft202012Validator(
        schemas[kind], registry=registry, validate_formats=True, offline=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A keyword that a value does not meet, and the schema that it stands in.

    ``order`` is its place among the keywords of the schema's file. ``alternatives`` are the
    failures of each of several schemas of which one was to fit.
    """

    order: tuple[str | int, ...]
    path: tuple[str | int, ...]
    value: Any
    keyword: str
    schema: Mapping[str, Any]
    alternatives: tuple[tuple["Failure", ...], ...] = ()

    @property
    def pointer(self) -> str:
        """The place of the value."""
        return "".join(f"/{_escaped(part)}" for part in self.path)


def _failure(error: "ValidationError", whole: Any, around: Mapping[str, Any]) -> Failure:  # noqa: ANN401 - a JSON value
    """Return what failed, in words of the schema around it where its own has no description."""
    from jsonschema_rs import ValidationErrorKind

    path, value, alternatives = tuple(error.instance_path), whole, []
    for part in path:
        value = value[part]
    match error.kind:
        case ValidationErrorKind.PropertyNames(error=of_name):
            error, value = of_name, of_name.instance
        case ValidationErrorKind.OneOfNotValid(context=context):
            alternatives = context
        case ValidationErrorKind.AnyOf(context=context):
            alternatives = context
    file, _, place = str(error.absolute_keyword_location).partition("#")
    *parents, keyword = place.split("/")[1:]
    schema = contents(file.rpartition("/")[2].removesuffix(SUFFIX))
    order: list[str | int] = [file]
    for name in parents:
        order.append(int(name) if isinstance(schema, list) else [*schema].index(name))
        schema = schema[int(name) if isinstance(schema, list) else name]
    if "description" not in schema and "description" in around:
        schema = {**schema, "description": around["description"]}
    return Failure(
        order=(*order, [*schema].index(keyword)),
        path=path,
        value=value,
        keyword=keyword,
        schema=schema,
        alternatives=tuple(
            tuple(_failure(inner, whole, schema) for inner in errors) for errors in alternatives
        ),
    )


def _under(pointer: str, known: frozenset[str]) -> bool:
    """Whether ``pointer`` or one of its parents is known to be wrong."""
    return any(pointer == parent or pointer.startswith(f"{parent}/") for parent in known)


def _deepest(failure: Failure) -> Iterator[Failure]:
    """Return what is really wrong: for failed alternatives, the faults of the one that was meant.

    The alternative that was meant is the one whose type fits; among several, the one that the
    value follows furthest.
    """
    fitting = [
        failures
        for failures in failure.alternatives
        if not any(_of_another_type(inner, failure) for inner in failures)
    ]
    # Alternatives may only say which properties must be there.
    if all(
        inner.keyword == "required" and inner.path == failure.path
        for failures in fitting
        for inner in failures
    ):
        yield failure
        return
    for inner in max(fitting, key=lambda failures: max(len(inner.path) for inner in failures)):
        yield from _deepest(inner)


def _of_another_type(inner: Failure, failure: Failure) -> bool:
    words = inner.schema["enum"] if inner.keyword == "enum" else ()
    mistyped = bool(words) and type(inner.value) not in {type(word) for word in words}
    return inner.path == failure.path and (inner.keyword == "type" or mistyped)


def _findings(document: Document, failure: Failure) -> Iterator[Finding]:
    """Return the findings of one failure, in plain words and at its place."""
    from certify.intake.schemas import wording

    pointer = failure.pointer
    asked = failure.schema[failure.keyword]
    explained: wording.Explained = wording.EXPLAINED.get(failure.keyword, wording.together)
    for fault in explained(asked, failure.value, failure.schema):
        inner = f"{pointer}/{_escaped(fault.key)}" if fault.key is not None else pointer
        finding = document.finding(
            fault.code.id, inner, fault.message.replace("{name}", _name(pointer)), fault.remedy
        )
        place = document.key_spans.get(inner) if fault.key is not None else None
        if place is not None:
            finding = replace(finding, line=place.line, column=place.column, length=place.length)
        yield finding


def _escaped(part: object) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def _name(pointer: str) -> str:
    """Return the property at ``pointer`` as people call it: its name, or item 3 of a list."""
    if not pointer:
        return "The file"
    parent, _, last = pointer.rpartition("/")
    if last.isdigit():
        inner = parent.rpartition("/")[2]
        return f"Item {int(last) + 1} of `{inner}`"
    return f"`{last.replace('~1', '/').replace('~0', '~')}`"
