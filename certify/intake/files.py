"""Files of a project: records, terms, signatories, and the project's own templates."""

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from certify import storage
from certify.errors import ChangedMeanwhile, NotConfigured, NotReadable
from certify.formatting import did_you_mean
from certify.intake.decode import decode
from certify.intake.faults import D001, J011, J014
from certify.intake.layout import (
    FILINGS,
    OWN,
    PAYTABLES,
    PathNames,
    Place,
    absolute,
    display_path,
    filing_place,
    is_file,
    is_of_project,
)
from certify.intake.schema import kinds, schema_named, validate
from certify.intake.strict_json import scan
from certify.intake.wording import S007
from certify.model.approval import (
    Approval,
    LaboratoryStatement,
    Register,
    RegisteredPaytable,
    Signatory,
)
from certify.model.encoding import Forms, drop_empty, encode_json, pick_values
from certify.model.finding import Document, Finding, Unfit
from certify.model.jurisdiction import FILING, TERMS, Terms
from certify.model.paytable import Payout
from certify.received.files import OutsideProject, is_plain_name, links_outside, open_file, walk
from certify.storage import LARGEST, lock, read_at_most

Overlays = Mapping[Path, bytes]
"""Contents by absolute path, read in place of the files on disk."""

NO_OVERLAYS: Final[Overlays] = MappingProxyType({})


class File(Struct, frozen=True, kw_only=True, dict=True):
    """One file of a kind, with the findings on its text, its schema and its ids."""

    kind: str | None
    document: Document
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """True if the file can be decoded."""
        return self.kind is not None and not self.findings

    @property
    def name(self) -> str:
        """The file's path as findings show it."""
        return self.document.path

    @cached_property
    def record(self) -> Any:  # noqa: ANN401 - the kind decides the record's type
        """The record of a sound file."""
        return decode(str(self.kind), self.document.value)


def content(path: Path, overlays: Overlays = NO_OVERLAYS) -> bytes:
    """Return the bytes of a file, from memory or from disk.

    Of a file that is too large, only one byte more than is read of any.

    Raises:
        OSError: it is on disk and cannot be read.
    """
    data = overlays.get(absolute(path)) if overlays else None
    if data is not None:
        return data
    with open_file(path) as stream:
        return stream.read(LARGEST + 1)


def read(
    path: Path,
    place: Place | None,
    *,
    judged: bool = True,
    overlays: Overlays = NO_OVERLAYS,
    names: PathNames | None = None,
) -> File:
    """Read one file.

    Args:
        path: the file.
        place: what the file is by its place; None where its own ``$schema`` must say so.
        judged: whether it is validated; not where it is only looked up.
        overlays: contents in memory.
        names: the names of the files of a folder that is read.
    """
    names = names or PathNames()
    name = names.display(path)
    try:
        data = content(path, overlays)
    except OSError as error:
        nothing = Document(path=name)
        outside = isinstance(error, OutsideProject)
        finding = link_finding(path) if outside else _unreadable(nothing, error)
        kind = place.kind if place else None
        return File(kind=kind, document=nothing, findings=(finding,))
    return _judge(data, name, names.evidence(path), place, judged)


@lru_cache(maxsize=1_024)  # the web app and a series of checks read the same files again
def _judge(data: bytes, name: str, evidence_path: str, place: Place | None, judged: bool) -> File:
    document, findings = scan(data, name)
    document = replace(document, evidence_path=evidence_path)
    if not document.spans:
        return File(kind=place.kind if place else None, document=document, findings=findings)
    kind, unfit = _kind(document, place)
    findings += unfit
    if kind is not None and judged:
        faulty = tuple(finding.pointer for finding in findings)
        findings += validate(document, kind, faulty=faulty)
        pointers = frozenset(finding.pointer for finding in findings)
        misplaced = _check_ids(document, place) if place else ()
        findings += tuple(finding for finding in misplaced if finding.pointer not in pointers)
    return File(kind=kind, document=document, findings=findings)


READ: Final = (PAYTABLES, "templates", "sources", "terms", FILINGS)
"""Folders of a project from which certify reads."""


def find_links_outside(project: Path) -> Iterator[Finding]:
    """Yield the links that lead out of a project, from the folders that certify reads there."""
    yield from map(link_finding, links_outside(project, *READ))


def link_finding(path: Path) -> Finding:
    """Return the finding on a link that leads out of the project."""
    message = "This link leads out of the project, so nothing was read from it."
    return Document(path=display_path(path)).finding(J014.id, "", message, J014.advice())


def _unreadable(document: Document, error: OSError) -> Finding:
    reasons = {
        IsADirectoryError: "it is a folder",
        FileNotFoundError: "it does not exist",
        PermissionError: "you may not read it",
    }
    reason = reasons.get(type(error), error.strerror or str(error))
    return document.finding(J011.id, "", f"The file cannot be read: {reason}.", J011.advice())


def _kind(document: Document, place: Place | None) -> tuple[str | None, tuple[Finding, ...]]:
    """Return the schema that applies, and findings on the schema that the file names."""
    named = schema_named(document)
    if place is not None and named in (None, place.kind):
        return place.kind, ()
    kind, pointer = place.kind if place else named, "/$schema"
    if kind is None:
        pointer, message = "", "The file does not name its schema."
        remedy = 'Add "$schema" with the path of the schema, such as "paytable.schema.json".'
    elif named is not None and named not in kinds():
        kind = place.kind if place else None
        message = f"There is no schema `{named}.schema.json`."
        usable = f"Use one of: {', '.join(kinds())}."
        remedy = did_you_mean(named, kinds(), usable, form="`{}.schema.json`")
    elif named not in (None, kind):
        message = (
            f"The file names `{named}.schema.json`, but its path requires `{kind}.schema.json`."
        )
        remedy = f"Use `{kind}.schema.json`, or move the file."
    else:
        return kind, ()
    return kind, (document.finding(S007.id, pointer, message, remedy),)


def _check_ids(document: Document, place: Place) -> Iterator[Finding]:
    """Yield ids in the file that its folders or its name contradict."""
    value = document.value if isinstance(document.value, dict) else {}
    for name, expected in place.ids:
        actual = value.get(name)
        if isinstance(actual, str) and actual != expected:
            yield document.finding(
                D001.id,
                f"/{name}",
                f"`{name}` is {actual}, but the path of the file requires {expected}.",
                f"Write {expected}, or move or rename the file.",
            )


EVIDENCE_PATH: Final = "terms.json"
"""The name under which evidence states the file of a filing, whatever it is called."""


def read_terms(path: Path, overlays: Overlays = NO_OVERLAYS) -> tuple[Terms, Document]:
    """Read the file of a filing, or terms of version 0.2.

    Raises:
        NotConfigured: there is no such file.
        Unfit: its text or its form is wrong; each finding has line and column.
    """
    if absolute(path) not in overlays and not is_file(path):
        raise NotConfigured(
            f"Cannot read {display_path(path)}: there is no such file.",
            remedy="Name an existing file.",
        )
    file = read(path, filing_place(path) or Place(kind=FILING, key=TERMS), overlays=overlays)
    if file.findings:
        raise Unfit(file.findings)
    return file.record, replace(file.document, evidence_path=EVIDENCE_PATH)


KIND = "signatory"


ERRORS = "The signer file has errors, so nothing was signed."
"""Nothing is signed with incomplete details from a file."""


def read_signatory(path: Path) -> Signatory:
    """Read the details of a signer; a missing file gives empty details.

    Raises:
        Unfit: its text or its form is wrong; each finding has line and column.
    """
    if not path.exists():
        return Signatory()
    file = read(path, Place(kind=KIND, key=KIND))
    if file.findings:
        raise Unfit(file.findings, ERRORS)
    signatory: Signatory = file.record
    return signatory


def format_signatory(signatory: Signatory, path: Path) -> bytes:
    """Return the text of a file that states this, to be written at ``path``.

    Raises:
        Unfit: it does not fit the schema and would be unreadable.
    """
    value = {"$schema": f"{KIND}.schema.json", **encode_json(signatory)}
    data = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
    document, findings = scan(data, display_path(path))
    findings += validate(document, KIND)
    if findings:
        raise Unfit(findings, ERRORS)
    return data


STATEMENT = "statement"
"""The kind of a laboratory's statement, and its name in findings."""


def read_statement(data: bytes) -> LaboratoryStatement:
    """Read a laboratory's statement from the bytes of its file.

    Raises:
        Unfit: its text or its form is wrong; each finding has line and column.
    """
    document, findings = scan(data, STATEMENT)
    findings += validate(document, STATEMENT) if document.spans else ()
    if findings:
        raise Unfit(findings, "The laboratory's statement has errors.")
    statement: LaboratoryStatement = decode(STATEMENT, document.value)
    return statement


TEMPLATES = "templates"
"""The folder of templates, in a library and in a project."""

KINDS = (".j2", ".css")
"""Suffixes of templates and styles; other files of the folder are not used."""


def own_templates(layers: Iterable[Path]) -> tuple[Path, ...]:
    """Return the projects' template folders, which are siblings of the folders of declared data."""
    folders = (layer.parent / TEMPLATES for layer in layers if is_of_project(layer))
    return tuple(folder for folder in folders if folder.is_dir())


def read_templates(folders: Iterable[Path]) -> dict[str, Document]:
    """Return the files of template folders by their key in the documents of a submission.

    Raises:
        NotReadable: a file is not text, or its name has two hyphens in a row, which represent a
            folder in embedded file names.
    """
    paths = {
        path.relative_to(folder).as_posix(): path
        for folder in folders
        for path in walk(folder)
        if path.suffix in KINDS
    }
    return {f"{TEMPLATES}/{name}": _read(path, name) for name, path in paths.items()}


def _read(path: Path, name: str) -> Document:
    plain = all(map(is_plain_name, name.split("/")))
    if "--" in name or not name.isascii() or not plain:
        raise NotReadable(
            f"{path} cannot be embedded because of its name.",
            remedy="Rename it: ASCII letters only, and no two hyphens in a row.",
        )
    try:
        data = read_at_most(path)
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(
            f"{path} cannot be read: {error}.", remedy="Save it as UTF-8 text."
        ) from error
    return Document(
        path=str(path),
        evidence_path=f"{OWN}/{TEMPLATES}/{name}",
        sha256=hashlib.sha256(data).hexdigest(),
        text=text,
    )


REGISTER: Final = "register"
_ATTEMPTS: Final = 20

MOST_VALUES: Final = 400_000
"""Most values of a register, which grows from year to year: some 25,000 approvals."""

Change = Callable[[Register], Register]


def read_register(path: Path) -> tuple[Register, Document]:
    """Read a register; a file that is not there is an empty one.

    Raises:
        Unfit: its text, its form or its ids are wrong; each finding has line and column.
        NotConfigured: it cannot be read.
    """
    return _decode_register(_bytes(path) or b'{"approvals": []}', display_path(path))


def change_register(path: Path, change: Change) -> Register:
    """Change a register without losing concurrent changes.

    The lock of the project excludes other writers of this program. A change saved by an editor in
    the meantime is detected before the file is replaced; the change is then applied to
    the new content. The file is replaced atomically.

    Args:
        path: the register; it is created if it does not exist.
        change: returns the new register for the present one.

    Returns:
        The register as written.

    Raises:
        Unfit: the present register has errors.
        NotConfigured: another writer does not finish, or the file cannot be written.
    """
    with lock(path.parent):
        for _ in range(_ATTEMPTS):
            before = _bytes(path)
            register, _ = _decode_register(before or b'{"approvals": []}', display_path(path))
            changed = change(register)
            data = format_register(changed)
            _decode_register(data, display_path(path))
            with contextlib.suppress(ChangedMeanwhile):
                storage.write_atomically(path, data, before=before)
                return changed
    raise NotConfigured(
        f"Another program keeps changing {display_path(path)}.",
        remedy="Close the other program and try again.",
    )


def format_register(register: Register) -> bytes:
    """Return the text of a register: one property a line, in the order of the schema."""
    value = {"$schema": "register.schema.json", "approvals": register.approvals}
    forms: Forms = {
        Approval: lambda approval: encode_approval(approval, "id", "game", "game_name"),
        RegisteredPaytable: encode_paytable,
        Payout: str,
    }
    return (json.dumps(encode_json(value, forms), indent=2, ensure_ascii=False) + "\n").encode()


@lru_cache(maxsize=4)  # pages of the web app, and commands, look into one register several times
def _decode_register(data: bytes, name: str) -> tuple[Register, Document]:
    document, findings = scan(data, name, most=MOST_VALUES)
    if document.spans:
        faulty = tuple(finding.pointer for finding in findings)
        findings += validate(document, REGISTER, faulty=faulty)
    if not findings:
        findings = tuple(_ids(document))
    if findings:
        message = "The register has errors, so nothing was read from it or written to it."
        raise Unfit(findings, message)
    return Register(approvals=decode(REGISTER, document.value)), document


def encode_approval(approval: Approval, *named: str) -> dict[str, Any]:
    """Return an entry as JSON, the fields in ``named`` first; fields without a value are absent.

    One without a filing has the fields of its paytable.
    """
    answered = {**pick_values(approval, "jurisdiction", "status"), "date": approval.day}
    remaining = pick_values(
        approval, "filing", "operator", "revision", "rules_sha256", "parts_sha256", "conditions",
        "effective", "trial_until", "letter_sha256", "documents", "superseded_by", "correction",
        "person", "time", "version", "build",
    )  # fmt: skip
    remaining["parts_sha256"] = approval.parts_sha256 or None
    written = pick_values(approval, *named)
    if approval.filing is not None:
        return drop_empty({**written, **answered, "paytables": approval.paytables, **remaining})
    paytable = encode_paytable(approval.paytables[0])
    first = {name: paytable.pop(name) for name in ("wager", "paytable")}
    way = {"house_way": approval.house_way}
    return drop_empty({**written, **first, **way, **answered, **paytable, **remaining})


def encode_paytable(paytable: RegisteredPaytable) -> dict[str, Any]:
    """Return a paytable of an entry as JSON; fields without a value are absent."""
    fields = pick_values(paytable, "wager", "paytable", "house_way", "content_sha256")
    return drop_empty(fields | {"pays": paytable.pays or None})


def _ids(document: Document) -> Iterator[Finding]:
    """Yield ids that are used twice, and successors that are not there or do not come later."""
    approvals = document.value["approvals"]
    last = {approval["id"]: place for place, approval in enumerate(approvals)}
    seen: set[str] = set()
    for place, filed in enumerate(approvals):
        if filed["id"] in seen:
            yield _finding(
                document, f"/approvals/{place}/id", f"The id {filed['id']} is used twice."
            )
        seen.add(filed["id"])
        successor = filed.get("superseded_by")
        if successor is not None and last.get(successor, -1) <= place:
            message = f"There is no later entry {successor} that could have superseded this one."
            yield _finding(document, f"/approvals/{place}/superseded_by", message)


def _finding(document: Document, pointer: str, message: str) -> Finding:
    return document.finding(
        "D004", pointer, message, "Correct the id; entries are added and never renamed or removed."
    )


def _bytes(path: Path) -> bytes | None:
    try:
        return content(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotConfigured(
            f"Cannot read {display_path(path)}: {error.strerror}.",
            remedy="Name a register that you may read.",
        ) from error
