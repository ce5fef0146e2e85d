"""The submissions of a project, as the manifests in its folders state them."""

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from certify import storage
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.filing.delivery import DOCUMENTS, LARGEST, SHARED
from certify.filing.evidence import MANIFEST
from certify.filing.identities import CountersignOptions, TrustOptions
from certify.filing.listing import REGISTER, find_register
from certify.filing.registration import Entry, add, describe_documents
from certify.filing.verify import countersign
from certify.intake.files import read_register
from certify.model.approval import ROLES as SIGNED_AS
from certify.model.approval import Approval, ApprovalStatus, Register, Role
from certify.model.finding import Unfit
from certify.model.submission import ItemState, Status
from certify.received.files import walk
from certify.signatures.document import Damaged, read, signers
from certify.signatures.identity import Identity
from certify.storage import lock

DEPTH = 3
"""Folders below the project that are searched."""

ROLES = 3
"""Signatures of a complete filing: preparer, laboratory, approver."""


class FileState(StrEnum):
    """The state of a file against its recorded digest."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MISSING = "missing"


class Step(StrEnum):
    """The next step of a submission."""

    REPAIR = "repair"
    """A file is missing or changed."""

    SIGN = "sign"
    """It is a draft: make the filing with a signing key."""

    LABORATORY = "laboratory"
    APPROVER = "approver"
    REGISTER = "register"
    CORRECT = "correct"
    """The register has errors, so it is unknown what was registered."""

    WAIT = "wait"
    """It is pending in the register."""

    DECIDED = "decided"
    """The register has the decision."""


class FoundSubmission(Struct, frozen=True, kw_only=True, dict=True):
    """A submission of a folder.

    Attributes:
        folder: its folder.
        manifest: the contents of its manifest.
        files: the state of each file that the manifest lists, by its name.
        digests: the SHA-256 that the manifest states of each.
        entries: the latest entry of the register for each paytable that names one of its PDFs;
            None if the register has errors.
    """

    folder: Path
    manifest: Mapping[str, Any]
    status: Status
    files: Mapping[str, FileState]
    digests: Mapping[str, str]
    entries: tuple[Approval, ...] | None = ()

    @property
    def id(self) -> str:
        """The prefix of its files' names."""
        return str(self.manifest["submission"])

    @property
    def manifest_name(self) -> str:
        """The name of its manifest."""
        return f"{self.id}.{MANIFEST}"

    @property
    def digest(self) -> str:
        """The first digits of the digest of its evidence."""
        return str(self.manifest["evidence_sha256"])[:8]

    @property
    def day(self) -> dt.date:
        """The date of its revision."""
        return dt.date.fromisoformat(self.manifest["revised"])

    @property
    def whole(self) -> bool:
        """True if every file is unchanged."""
        return set(self.files.values()) == {FileState.UNCHANGED}

    @cached_property
    def signed(self) -> tuple[str, ...]:
        """The names of the signers of the rules of play, in their order."""
        path = self.latest(self.documents[0])
        certificates = signers(storage.read_bytes(path)) if path.is_file() else ()
        return tuple("unknown" if signer is None else signer.common_name for signer in certificates)

    @cached_property
    def signatures(self) -> Mapping[Role, tuple[str, dt.datetime | None]]:
        """Who signed the rules of play, by role, and when, as the signatures state it."""
        path = self.latest(self.documents[0])
        try:
            signatures = read(storage.read_bytes(path)).signatures
            return {
                SIGNED_AS[each.field_name]: (
                    each.certificate.common_name,
                    each.embedded.self_reported_timestamp,
                )
                for each in signatures
                if each.field_name in SIGNED_AS
            }
        except (CertifyError, Damaged):
            return {}

    @property
    def registrable(self) -> bool:
        """True if it is final and unchanged, and a sound register does not have it."""
        return self.whole and self.status is Status.FINAL and self.entries == ()

    @property
    def step(self) -> Step:
        """The next step."""
        if not self.whole:
            return Step.REPAIR
        if self.status is not Status.FINAL:
            return Step.SIGN
        if self.entries is None:
            return Step.CORRECT
        if any(entry.status is not ApprovalStatus.PENDING for entry in self.entries):
            return Step.DECIDED
        if len(self.signed) < ROLES:
            return (Step.LABORATORY, Step.APPROVER)[max(len(self.signed), 1) - 1]
        return Step.WAIT if self.entries else Step.REGISTER

    def path(self, part: str) -> Path | None:
        """Return the unchanged file with an ending, None if there is none."""
        names = (name for name in self.files if name.endswith(f".{part}"))
        unchanged = (name for name in names if self.files[name] is FileState.UNCHANGED)
        return next((self.folder / name for name in unchanged), None)

    def latest(self, document: str) -> Path:
        """Return the copy of a document with the most signatures; they are appended to it."""
        copies = [name for name in self.copies if name in _copy_names(self.id, document)]
        paths = [self.folder / name for name in (document, *copies)]
        return max(paths, key=lambda path: path.stat().st_size if path.is_file() else 0)

    @property
    def copies(self) -> tuple[str, ...]:
        """The paths of the countersigned copies that exist, below the folder."""
        names = (copy for name in self.documents for copy in _copy_names(self.id, name))
        return tuple(name for name in names if (self.folder / name).is_file())

    @property
    def shared(self) -> tuple[str, ...]:
        """The names of the PDFs that others sign: rules of play and mathematics report."""
        return tuple(name for name in self.documents if name.endswith(SHARED))

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets of the filed options and paytables."""
        game, options = self.manifest["game"], self.manifest["options"]
        return (*(f"{game}/main/{name}" for name in options), *self.manifest["paytables"])

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of its PDFs, the rules of play first."""
        return tuple(name for end in DOCUMENTS for name in self.files if name.endswith(end))


def countersign_submission(
    submission: FoundSubmission,
    options: CountersignOptions,
    *,
    identity: Identity,
    statement: bytes = b"",
    warn: Callable[[str], None] = lambda _: None,
) -> None:
    """Sign the latest copy of each shared document into the folder of the role.

    The folder appears complete, or not at all. ``statement`` is the file of the laboratory's.
    ``warn`` receives the notices of `countersign`.

    Raises:
        CertifyError: a document is not accepted, or cannot be signed in this role.
        NotConfigured: the role has signed, or a copy cannot be written.
    """
    signed = {
        Path(countersigned_name(submission.id, name, options.role)).name: countersign(
            storage.read_bytes(submission.latest(name)),
            identity=identity,
            **asdict(options),
            statement=statement,
            warn=warn,
            **TrustOptions().read(),
        )
        for name in submission.shared
    }
    with lock(submission.folder):
        storage.write_folder(
            submission.folder / _role_folder(submission.id, options.role), signed, confined=True
        )


def register_submission(submission: FoundSubmission, project: Path, day: dt.date) -> None:
    """Add a pending entry to the project's register for everything that was filed.

    Raises:
        NotConfigured: a target or the jurisdiction is no longer declared.
        Unfit: the register or the declared data has errors.
    """
    documents = describe_documents(submission.latest(name) for name in submission.shared)
    way = describe(submission)["house_way"]
    for target in submission.targets:
        entry = Entry(
            target=target,
            jurisdiction=submission.manifest["jurisdiction"],
            status=ApprovalStatus.PENDING,
            day=day,
            house_way=way,
            documents=documents,
        )
        add(project / REGISTER, entry)


COUNTERSIGNERS = (Role.LABORATORY, Role.APPROVER)


def countersigned_name(report_id: str, document: str, role: Role) -> str:
    """Return the path of the copy that a role signed last, below the folder of the submission."""
    named = f"{report_id}.{role}{document.removeprefix(report_id)}"
    return f"{_role_folder(report_id, role)}/{named}"


def _role_folder(report_id: str, role: Role) -> str:
    return f"{report_id}.{role}"


def _copy_names(report_id: str, document: str) -> list[str]:
    return [countersigned_name(report_id, document, role) for role in COUNTERSIGNERS]


def list_submissions(project: Path) -> tuple[tuple[FoundSubmission, ...], tuple[str, ...]]:
    """Return the submissions in the folders of a project, the latest revision first.

    Also return why the register or a manifest cannot be read.
    """
    paths = [
        path
        for path in walk(project, DEPTH)
        if path.name.endswith(f".{MANIFEST}")
        and path.parent != project
        and not any(part.startswith(".") for part in path.relative_to(project).parent.parts)
    ]
    register, problem = _register(project)
    problems = [problem] if problem else []
    submissions = []
    for path in paths:
        try:
            submissions.append(_read(path, register))
        except NotReadable as error:
            name = path.relative_to(project).as_posix()
            problems.append(f"{name}: {error.message} {error.remedy}")
    submissions.sort(key=lambda each: (each.day, each.folder, each.id), reverse=True)
    return tuple(submissions), tuple(problems)


def find_submission(project: Path, folder: Path, report_id: str) -> FoundSubmission:
    """Return one submission of a folder.

    Raises:
        NotConfigured: the folder has no manifest of it.
        NotReadable: its manifest has errors.
    """
    path = folder / f"{report_id}.{MANIFEST}"
    if not path.is_file():
        raise NotConfigured(
            f"There is no submission {report_id} in {folder.name}.",
            remedy="Choose a submission from the list.",
        )
    return _read(path, _register(project)[0])


def _register(project: Path) -> tuple[Register | None, str]:
    """Return the project's register, an empty one if it has none; if it has errors, the first."""
    path = find_register(project)
    try:
        return (read_register(path)[0] if path is not None else Register()), ""
    except Unfit as error:
        finding = error.findings[0]
        return None, f"{REGISTER}, line {finding.line}: {finding.message} {finding.remedy}"
    except CertifyError as error:
        return None, f"{error.message} {error.remedy}"


def _read(path: Path, register: Register | None) -> FoundSubmission:
    """Return the submission that a manifest states.

    Raises:
        NotReadable: it is no manifest of a submission.
    """
    try:
        manifest = json.loads(storage.read_at_most(path, LARGEST))
        digests = {Path(file["name"]).name: str(file["sha256"]) for file in manifest["files"]}
        submission = FoundSubmission(
            folder=path.parent,
            manifest=manifest,
            status=Status(manifest["status"]),
            files={name: _state(path.parent / name, digest) for name, digest in digests.items()},
            digests=digests,
        )
        if submission.manifest_name == path.name and submission.day and submission.documents:
            entries = None if register is None else _find_entries(submission, register)
            return replace(submission, entries=entries)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    raise NotReadable(
        "This is no complete manifest of a submission.",
        remedy="Restore it, or move it out of the project.",
    )


def _state(path: Path, digest: str) -> FileState:
    try:
        present = hashlib.sha256(storage.read_at_most(path, LARGEST)).hexdigest()
    except OSError:
        return FileState.MISSING
    return FileState.UNCHANGED if present == digest else FileState.CHANGED


def _find_entries(submission: FoundSubmission, register: Register) -> tuple[Approval, ...]:
    """Return the latest entry for each paytable that names a PDF of a submission.

    Content does not matter: a draft has that of the filing.
    """
    copies = (storage.read_at_most(submission.folder / name, LARGEST) for name in submission.copies)
    pdfs = {digest for name, digest in submission.digests.items() if name.endswith(".pdf")}
    pdfs |= {hashlib.sha256(data).hexdigest() for data in copies}
    latest = {
        entry.target: entry
        for entry in register.approvals
        if not pdfs.isdisjoint(document.sha256 for document in entry.documents)
    }
    return tuple(latest.values())


def describe(submission: FoundSubmission) -> dict[str, Any]:
    """Return the filed wagers with their figures, and the checklist by state, from the files.

    The names are those of `certify.report.submission.filed_view`.
    """
    evidence, checklist = submission.path("evidence.json"), submission.path("checklist.json")
    results = json.loads(storage.read_at_most(evidence, LARGEST))["results"] if evidence else ()
    lines = json.loads(storage.read_at_most(checklist, LARGEST))["lines"] if checklist else ()
    by_state = {
        str(state): [
            {"item": line, "detail": line["detail"]} for line in lines if line["state"] == state
        ]
        for state in ItemState
    }
    return {
        "revision": submission.manifest["revision"],
        "revised": submission.day,
        "house_way": next((way["house_way"] for way in results if "house_way" in way), None),
        "wagers": [_wager(result) for result in results],
        "checklist": by_state,
        "totals": {state: len(listed) for state, listed in by_state.items()},
    }


def _wager(result: Mapping[str, Any]) -> tuple[str, Any, Any, bool]:
    """Return a wager of the evidence, its paytable, its figures, and True if a meter decides."""
    figures = {
        name: Fraction(result[name]) if name in result else None
        for name in ("house_edge", "hit_frequency")
    }
    return result["wager"], {"id": result["paytable"]}, figures, figures["house_edge"] is None
