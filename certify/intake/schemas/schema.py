"""Does a value fit its schema? The contract on disk: JSON Schema 2020-12, from ``schemas/``."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify import library
from certify.intake.schemas.fit import SUFFIX, contents, fit_of
from certify.intake.text.faults import J013
from certify.intake.text.strict_json import MOST_FAULTS
from certify.model.document import Document
from certify.model.finding import Finding

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from referencing import Registry


def schema_named(document: Document) -> str | None:
    """Return the kind that the document's own ``$schema`` names (``paytable``), or None."""
    value = document.value
    named = value.get("$schema") if isinstance(value, dict) else None
    if not isinstance(named, str):
        return None
    return named.replace("\\", "/").rpartition("/")[2].removesuffix(SUFFIX)


def kinds() -> tuple[str, ...]:
    """Return the kinds of files that have a schema, sorted; ``common`` describes no file."""
    return _kinds(library.schemas())


@cache
def _kinds(folder: Path) -> tuple[str, ...]:
    names = (path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))
    return tuple(sorted(name for name in names if name != "common"))


def validate(document: Document, kind: str, *, faulty: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Judge a document against the schema of its kind.

    Args:
        document: the file.
        kind: the schema's name without its suffix, one of `kinds`.
        faulty: pointers of values that are already known to be wrong; nothing more is said there.

    Returns:
        One finding for each fault, in the order of the file.
    """
    if fit_of(library.schemas(), kind)(document.value):
        return ()
    known = frozenset(faulty)
    every = _validator(kind, library.schemas()).iter_errors(document.value)
    errors = tuple(islice(every, MOST_FAULTS + 1))
    mistyped = {error.json_path for error in errors if error.validator == "type"}
    meant = (deepest for failed in errors for deepest in _deepest(failed))
    findings: dict[Finding, None] = {}
    for error in meant:
        if error.json_path in mistyped and error.validator != "type":
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
def _validator(kind: str, folder: Path) -> "Draft202012Validator":
    """Return the validator of a kind; its references are read from ``folder`` and nowhere else."""
    from jsonschema import Draft202012Validator, FormatChecker, ValidationError
    from jsonschema.validators import extend

    from certify.intake.schemas.json_words import canonical

    def unique(_: object, asked: bool, value: object, __: object) -> Iterator[ValidationError]:
        # jsonschema's own compares every item with every other where they are of several kinds
        listed = [canonical(item) for item in value] if isinstance(value, list) else []
        if asked and len(set(listed)) < len(listed):
            yield ValidationError("an item is listed twice")

    registry = _registry(folder)
    schema = registry.contents(f"{kind}{SUFFIX}")
    ours = extend(Draft202012Validator, {"uniqueItems": unique})
    return ours(schema, registry=registry, format_checker=FormatChecker(["date"]))


@cache
def _registry(folder: Path) -> "Registry[Any]":
    """Return every schema by its file's name; with no way to fetch another."""
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    resources = (
        (path.name, DRAFT202012.create_resource(contents(path)))
        for path in sorted(folder.glob(f"*{SUFFIX}"))
    )
    registry: Registry[Any] = Registry()
    return registry.with_resources(resources).crawl()


def _under(pointer: str, known: frozenset[str]) -> bool:
    """Whether ``pointer`` or one of its parents is known to be wrong."""
    return any(pointer == parent or pointer.startswith(f"{parent}/") for parent in known)


def _deepest(error: "ValidationError") -> Iterator["ValidationError"]:
    """Return what is really wrong: for failed alternatives, the faults of the one that was meant.

    The alternative that was meant is the one whose type fits; among several, the one that the
    value follows furthest.
    """
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    fitting = [errors for errors in branches.values() if not any(map(_of_another_type, errors))]
    if error.validator not in ("oneOf", "anyOf") or not fitting or _about_presence(fitting):
        yield error
        return
    meant = max(fitting, key=lambda errors: max(len(error.absolute_path) for error in errors))
    for inner in meant:
        yield from _deepest(inner)


def _of_another_type(error: "ValidationError") -> bool:
    if error.path:
        return False
    kind = type(error.instance)
    words = error.validator_value if error.validator == "enum" else ()
    return error.validator == "type" or (bool(words) and kind not in {type(word) for word in words})


def _about_presence(branches: list[list["ValidationError"]]) -> bool:
    """Whether the alternatives only say which properties must be there."""
    return all(
        error.validator == "required" and not error.path for errors in branches for error in errors
    )


def _findings(document: Document, error: "ValidationError") -> Iterator[Finding]:
    """Return the findings of one fault, in plain words and at its place."""
    from certify.intake.schemas import wording

    pointer = "".join(f"/{_escaped(part)}" for part in error.absolute_path)
    faults = wording.explain(
        error.validator, error.validator_value, error.instance, _described(error)
    )
    for fault in faults:
        inner = f"{pointer}/{_escaped(fault.key)}" if fault.key is not None else pointer
        finding = document.finding(
            fault.code.id, inner, fault.message.replace("{name}", _name(pointer)), fault.remedy
        )
        place = document.key_spans.get(inner) if fault.key is not None else None
        if place is not None:
            finding = replace(finding, line=place.line, column=place.column, length=place.length)
        yield finding


def _described(error: "ValidationError") -> dict[str, Any]:
    """Return the schema that failed, with the words of the one around it if it has none."""
    around: ValidationError | None = error
    while around is not None and "description" not in around.schema:
        around = around.parent
    words = {"description": around.schema["description"]} if around is not None else {}
    return {**words, **error.schema}


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
