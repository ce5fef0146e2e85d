"""One file: read, scanned, validated against the schema of its kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from certify.formatting import did_you_mean
from certify.intake.layout import Place, absolute, filed_as, shown
from certify.intake.schemas.schema import kinds, schema_named, validate
from certify.intake.text.strict_json import scan
from certify.model.document import Document
from certify.model.finding import Code, Finding
from certify.storage import LARGEST

Overlays = Mapping[Path, bytes]
"""Contents by absolute path, read in place of the files on disk."""

NO_OVERLAYS: Final[Overlays] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of a kind, and what is wrong with its text, its schema or its ids."""

    kind: str | None
    document: Document
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether the file may be decoded."""
        return self.kind is not None and not self.findings

    @property
    def name(self) -> str:
        """The file's path as findings show it."""
        return self.document.path


def content(path: Path, overlays: Overlays = NO_OVERLAYS) -> bytes:
    """Return the bytes of a file, from memory or from disk.

    Of a file that is too large, only one byte more than is read of any.

    Raises:
        OSError: it is on disk and cannot be read.
    """
    data = overlays.get(absolute(path))
    if data is not None:
        return data
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError("it is no regular file")  # a pipe would be waited for
    with path.open("rb") as stream:
        return stream.read(LARGEST + 1)


def read(
    path: Path, place: Place | None, *, judged: bool = True, overlays: Overlays = NO_OVERLAYS
) -> File:
    """Read one file.

    Args:
        path: the file.
        place: what the file is by its place; None where its own ``$schema`` must say so.
        judged: whether it is validated; not where it is only looked up.
        overlays: contents in memory.
    """
    name = shown(path)
    kind = place.kind if place else None
    try:
        data = content(path, overlays)
    except OSError as error:
        nothing = Document(path=name)
        return File(kind=kind, document=nothing, findings=(_unreadable(nothing, error),))
    document, findings = scan(data, name)
    document = replace(document, filed_as=filed_as(path))
    if not document.spans:
        return File(kind=kind, document=document, findings=findings)
    kind, unfit = _kind(document, place)
    findings += unfit
    if kind is not None and judged:
        faulty = tuple(finding.pointer for finding in findings)
        findings += validate(document, kind, faulty=faulty)
        known = frozenset(finding.pointer for finding in findings)
        misplaced = _misplaced(document, place) if place else ()
        findings += tuple(finding for finding in misplaced if finding.pointer not in known)
    return File(kind=kind, document=document, findings=findings)


J011 = Code(
    "J011",
    "A file cannot be read",
    why="A file that could not be read was not checked, and that is never a pass.",
    mend="See that the file is there and that you may read it.",
    wrong="a file without permission to read, a link to nothing, or a folder named like a file",
    right="a file that you may read",
)


def _unreadable(document: Document, error: OSError) -> Finding:
    reasons = {
        IsADirectoryError: "it is a folder",
        FileNotFoundError: "it is not there",
        PermissionError: "you may not read it",
    }
    reason = reasons.get(type(error), error.strerror or str(error))
    return document.finding(J011.id, "", f"The file cannot be read: {reason}.", J011.advice())


S007 = Code(
    "S007",
    "It is not clear which schema the file follows",
    why="""The same words mean different things in different kinds of files; a file is never read as
    something that it does not say it is.""",
    mend="""Write the path of its schema under "$schema", the one that belongs to the file's
    place.""",
    wrong='{"$schema": "../../schemas/paytabel.schema.json"}',
    right='{"$schema": "../../schemas/paytable.schema.json"}',
)


def _kind(document: Document, place: Place | None) -> tuple[str | None, tuple[Finding, ...]]:
    """Return the schema that applies, and what is wrong with the one that the file names."""
    named = schema_named(document)
    kind, pointer = place.kind if place else named, "/$schema"
    if kind is None:
        pointer, message = "", "The file does not say what it is."
        remedy = 'Add "$schema" with the path of the schema, such as "paytable.schema.json".'
    elif named is not None and named not in kinds():
        kind = place.kind if place else None
        message = f"There is no schema `{named}.schema.json`."
        known = f"Known: {', '.join(kinds())}."
        remedy = did_you_mean(named, kinds(), known, form="`{}.schema.json`")
    elif named not in (None, kind):
        message = f"The file names the schema of {named}, and its place is that of {kind}."
        remedy = f"Name `{kind}.schema.json`, or move the file."
    else:
        return kind, ()
    return kind, (document.finding(S007.id, pointer, message, remedy),)


D001 = Code(
    "D001",
    "An id and its place contradict each other",
    why="""Commands and letters of approval name a record by its id; a file is found by its name.
    If both differ, the wrong paytable may be filed.""",
    mend="Write the id that the folder and the file's name say, or rename them.",
    wrong='dynasty-bonus/3.json with {"id": "4"}',
    right='dynasty-bonus/3.json with {"id": "3"}',
)


def _misplaced(document: Document, place: Place) -> Iterator[Finding]:
    """Yield ids in the file that its folders or its name contradict."""
    value = document.value if isinstance(document.value, dict) else {}
    for name, expected in place.ids.items():
        stated = value.get(name)
        if isinstance(stated, str) and stated != expected:
            yield document.finding(
                D001.id,
                f"/{name}",
                f"`{name}` is {stated}, and the file's place says {expected}.",
                f"Write {expected}, or move or rename the file.",
            )
