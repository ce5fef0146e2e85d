"""Validate values against the schemas, and bundle a schema for editors."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify import library
from certify.errors import NotConfigured
from certify.intake.faults import J013
from certify.intake.strict_json import MOST_FAULTS
from certify.intake.wording import matches
from certify.model.finding import Document, Finding

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema_rs import Draft202012Validator as QuickValidator
    from jsonschema_rs import Registry as QuickRegistry

SUFFIX = ".schema.json"

RENAMED = {"terms": "filing"}
"""Kinds of version 0.2 that have another name now."""


def schema_named(document: Document) -> str | None:
    """Return the kind that the document's own ``$schema`` names (``paytable``), or None."""
    value = document.value
    named = value.get("$schema") if isinstance(value, dict) else None
    if not isinstance(named, str):
        return None
    kind = named.replace("\\", "/").rpartition("/")[2].removesuffix(SUFFIX)
    return RENAMED.get(kind, kind)


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
            remedy="Install certify again, or set CERTIFY_LIBRARY to a complete library.",
        )
    return _schemas(folder)[kind]


@cache
def _schemas(folder: Path) -> dict[str, Any]:
    return {
        path.name.removesuffix(SUFFIX): json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob(f"*{SUFFIX}")
    }


COMBINATION = "S008"
"""Code of properties that do not fit together; `certify.intake.wording` words it."""


def validate(document: Document, kind: str, *, faulty: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Judge a document against the schema of its kind.

    Args:
        document: the file.
        kind: the schema's name without its suffix, one of `kinds`.
        faulty: pointers of values that are already known to be wrong; nothing more is said there.

    Returns:
        One finding for each fault, in the order of the file.

    Raises:
        NotConfigured: there is no such schema in the library.
    """
    folder = library.schemas()
    if _accepts(folder, kind).is_valid(document.value):
        return ()
    faulty_pointers = frozenset(faulty)
    every = _validator(folder, kind).iter_errors(document.value)
    errors = tuple(islice(every, MOST_FAULTS + 1))
    mistyped = {error.json_path for error in errors if error.validator == "type"}
    meant = (deepest for failed in errors for deepest in _deepest(failed))
    findings: dict[object, Finding] = {}
    for error in meant:
        if error.json_path in mistyped and error.validator != "type":
            continue  # of a value of another kind nothing else is said
        for finding in islice(_findings(document, error), MOST_FAULTS + 1):
            if not _is_below_fault(finding.pointer, faulty_pointers):
                # One fault of presence for each object: a later rule of the schema is narrower.
                key = finding.pointer if finding.code == COMBINATION else finding
                findings[key] = finding
    if len(findings) > MOST_FAULTS:
        message = f"The file has more than {MOST_FAULTS} errors; the others are not listed."
        more = document.finding(J013.id, "", message, J013.advice())
        return (more, *_sort_findings(findings.values())[:MOST_FAULTS])
    return _sort_findings(findings.values())


def _sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.column, finding.code)))


@cache
def _accepts(folder: Path, kind: str) -> "QuickValidator":
    """Return the fast validator, which accepts most valid files.

    It only saves time: loading jsonschema takes longer than this validator's whole work. jsonschema
    decides on anything that it does not accept; neither reads a reference from outside `folder`.
    """
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(contents(kind), registry=_registry(folder), offline=True)


@cache
def _registry(folder: Path) -> "QuickRegistry":
    """Return the schemas by the names under which they refer to one another."""
    from jsonschema_rs import Registry

    return Registry([(schema["$id"], schema) for schema in _schemas(folder).values()])


@cache
def _validator(folder: Path, kind: str) -> "Draft202012Validator":
    """Return the authoritative validator, which reports the errors."""
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    from certify.intake.wording import canonical

    def unique(
        _: object, requirement: bool, value: object, __: object
    ) -> Iterator[ValidationError]:
        # jsonschema's own compares every item with every other where they are of several kinds
        listed = [canonical(item) for item in value] if isinstance(value, list) else []
        if requirement and len(set(listed)) < len(listed):
            yield ValidationError("an item is listed twice")

    def pattern(
        _: object, requirement: str, value: object, __: object
    ) -> Iterator[ValidationError]:
        # jsonschema's own lets Python read it, whose `$` matches before a final newline
        if isinstance(value, str) and not matches(requirement, value):
            yield ValidationError("the text does not match")

    schemas = _schemas(folder)
    resources = [
        (schema["$id"], DRAFT202012.create_resource(schema)) for schema in schemas.values()
    ]
    registry: Registry[Any] = Registry().with_resources(resources)
    ours = extend(Draft202012Validator, {"uniqueItems": unique, "pattern": pattern})
    return ours(schemas[kind], registry=registry)


def _is_below_fault(pointer: str, faulty: frozenset[str]) -> bool:
    """Return True if ``pointer`` or one of its parents is known to be wrong."""
    return any(pointer == parent or pointer.startswith(f"{parent}/") for parent in faulty)


def _deepest(error: "ValidationError") -> Iterator["ValidationError"]:
    """Return the underlying errors: for failed alternatives, those of the intended one.

    The intended alternative is the one whose type fits; if there are several, the one that the
    value matches furthest.
    """
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    fitting = [errors for errors in branches.values() if not any(map(_has_wrong_type, errors))]
    if error.validator not in ("oneOf", "anyOf") or not fitting or _about_presence(fitting):
        yield error
        return
    meant = max(fitting, key=lambda errors: max(len(error.absolute_path) for error in errors))
    for inner in meant:
        yield from _deepest(inner)


def _has_wrong_type(error: "ValidationError") -> bool:
    if error.path:
        return False
    kind = type(error.instance)
    words = error.validator_value if error.validator == "enum" else ()
    return error.validator == "type" or (bool(words) and kind not in {type(word) for word in words})


def _about_presence(branches: list[list["ValidationError"]]) -> bool:
    """Return True if the alternatives only require properties."""
    return all(
        error.validator == "required" and not error.path for errors in branches for error in errors
    )


def _findings(document: Document, error: "ValidationError") -> Iterator[Finding]:
    """Return the findings of one fault, in plain words and at its place."""
    from certify.intake import wording

    pointer = "".join(f"/{_escape_pointer(part)}" for part in error.absolute_path)
    explained: wording.Explained = wording.EXPLAINED.get(error.validator, wording.together)
    for fault in explained(error.validator_value, error.instance, _find_described_schema(error)):
        inner = f"{pointer}/{_escape_pointer(fault.key)}" if fault.key is not None else pointer
        message = fault.message.replace("{name}", _name(pointer))
        span = document.key_spans.get(inner) if fault.key is not None else None
        yield document.finding(fault.code.id, inner, message, fault.remedy, span=span)


def _find_described_schema(error: "ValidationError") -> dict[str, Any]:
    """Return the schema that failed, with the words of the one around it if it has none."""
    around: ValidationError | None = error
    while around is not None and "description" not in around.schema:
        around = around.parent
    words = {"description": around.schema["description"]} if around is not None else {}
    return {**words, **error.schema}


def _escape_pointer(part: object) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def _name(pointer: str) -> str:
    """Return the name of the property at ``pointer``: its name, or item 3 of a list."""
    if not pointer:
        return "The file"
    parent, _, last = pointer.rpartition("/")
    if last.isdigit():
        inner = parent.rpartition("/")[2]
        return f"Item {int(last) + 1} of `{inner}`"
    return f"`{last.replace('~1', '/').replace('~0', '~')}`"


def bundle_schema(kind: str) -> dict[str, Any]:
    """Return the schema of a kind of file with the referenced parts of other schemas.

    Args:
        kind: one of `kinds`.
    """
    schema: dict[str, Any] = {**contents(kind)}
    named = dict(_parts(kind, schema))
    definitions = {
        **_rewrite_references(schema.pop("$defs", {}), kind, kind),
        **{name: _rewrite_references(part, owner, kind) for name, (owner, part) in named.items()},
    }
    whole: dict[str, Any] = _rewrite_references(schema, kind, kind)
    return whole | ({"$defs": definitions} if definitions else {})


def describe_values(kind: str, pointer: str) -> dict[str, str]:
    """Return the description of each allowed value of the property at ``pointer``."""
    part = _resolve_pointer(contents(kind), pointer)
    if "$ref" in part:
        return describe_values(*_split(part["$ref"], kind))
    return dict(zip(part["enum"], part["enumDescriptions"], strict=True))


def _parts(kind: str, schema: Any) -> Iterator[tuple[str, tuple[str, Any]]]:  # noqa: ANN401 - a JSON value
    """Yield the definitions that a schema refers to, directly or not, by their new names."""
    seen: set[str] = set()
    open_ = [(kind, schema)]
    while open_:
        here, value = open_.pop()
        for owner, pointer in _references(value, here):
            name = _key(owner, pointer)
            if owner != kind and name not in seen:
                seen.add(name)
                part = _resolve_pointer(contents(owner), pointer)
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


def _key(kind: str, pointer: str) -> str:
    return ".".join([kind, *(part for part in pointer.split("/") if part not in ("", "$defs"))])


def _resolve_pointer(schema: Any, pointer: str) -> Any:  # noqa: ANN401 - a JSON value
    for part in pointer.split("/")[1:]:
        schema = schema[part]
    if pointer:
        return schema
    return {name: part for name, part in schema.items() if name not in ("$id", "$schema", "$defs")}


def _rewrite_references(value: Any, here: str, kind: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return a value of the schema ``here`` whose references lead into the one file of ``kind``."""
    if isinstance(value, list):
        return [_rewrite_references(part, here, kind) for part in value]
    if not isinstance(value, dict):
        return value
    written = {name: _rewrite_references(part, here, kind) for name, part in value.items()}
    if isinstance(value.get("$ref"), str):
        owner, pointer = _split(value["$ref"], here)
        written["$ref"] = f"#{pointer}" if owner == kind else f"#/$defs/{_key(owner, pointer)}"
    return written
