"""Files of a submission: names, manifest and checklist, and their delivery.

Three rules, checked in this order:

- A folder holds drafts or documents signed for filing, never both.
- A document signed for filing, or a countersigned one, is never replaced.
- An unsigned document does not replace a signed draft.

A draft may replace the draft of an earlier run.
"""

import hashlib
import hmac
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Struct, to_builtins
from msgspec.json import decode, encode
from msgspec.structs import replace

from certify import storage
from certify.activity import activity
from certify.engine.count_cache import seal
from certify.errors import NotConfigured, not_written
from certify.filing.documents import COUNTERSIGNED, EVERY_PART, REDLINE
from certify.filing.evidence import INTERNAL_FILES, MANIFEST, provenance_json
from certify.model.encoding import drop_empty, encode_json, pick_values
from certify.model.submission import ChecklistLine, Enclosure, Status, Submission
from certify.received.files import open_file, refuse_folder_outside
from certify.report.evidence import requirement_json
from certify.signatures.certificate import Certificate
from certify.storage import lock, make_folder


class OutputFile(Struct, frozen=True, kw_only=True):
    """One file: its part, such as ``rules.pdf``, and its bytes.

    ``confidential`` files are not for publication; ``unsigned`` is a document before its first
    signature, and ``signature`` the PAdES profile of a signed one. ``provable_until`` is the last
    moment at which `verify` accepts a final one unchanged. It is empty until that is known.
    """

    part: str
    data: bytes = b""
    unsigned: bytes = b""
    confidential: bool = False
    signature: str | None = None
    provable_until: str | None = None

    @property
    def internal(self) -> bool:
        """True for a file that is not filed."""
        return self.part in INTERNAL_FILES

    def name(self, report_id: str) -> str:
        """The file's name, which shows if it is confidential."""
        return f"{report_id}.{'confidential.' if self.confidential else ''}{self.part}"


def _json_bytes(value: Mapping[str, Any]) -> bytes:
    """Return a JSON file: one value a line, keys in their order, UTF-8."""
    return (json.dumps(encode_json(value), indent=1, ensure_ascii=False) + "\n").encode()


def manifest(
    submission: Submission,
    files: Sequence[OutputFile],
    notices: Sequence[str],
) -> OutputFile:
    """Return the list of all other files with their digests, and notices on the submission."""
    value: dict[str, Any] = {
        "format": 1,
        "submission": submission.report_id,
        "status": submission.status,
        "game": submission.game.id,
        "jurisdiction": submission.jurisdiction.id,
        "filing": submission.terms.id,
        "option": submission.main.id if submission.main is not None else None,
        "options": [option.id for option in submission.options],
        "paytables": [paytable.target for paytable in submission.paytables],
        "revision": submission.game.revision,
        "revised": submission.game.revised,
        "rules_as_of": submission.as_of,
        "evidence_sha256": submission.evidence_sha256,
        "engine": {"version": submission.engine_version, "sha256": submission.build_sha256},
        "files": [
            _list_file(file, submission.report_id)
            for file in sorted(files, key=lambda file: file.name(submission.report_id))
        ],
        "register": to_builtins(submission.register),
        "provenance": provenance_json(submission.provenance),
        "accept_replaced": submission.order.accept_replaced,
        "notices": notices,
    }
    return OutputFile(part=MANIFEST, data=_json_bytes(value))


def filed_manifest(manifest: OutputFile) -> bytes:
    """Return the copy of a manifest that documents embed: without internal files and notices.

    The copy in the mathematics report is made before anything is signed: it has the digest of the
    rules without their signature, which also holds when somebody countersigns. The letter is made
    last, and its copy has the digests of all other filed files as they are signed.
    """
    value = json.loads(manifest.data)
    del value["notices"]
    value["files"] = [file for file in value["files"] if "internal" not in file]
    return _json_bytes(value)


def list_enclosures(manifest: Mapping[str, Any]) -> tuple[Enclosure, ...]:
    """Return the files of a manifest whose digests are known, in the order of their names."""
    start = f"{manifest['submission']}."
    return tuple(
        Enclosure(
            name=file["name"],
            part=file["name"].removeprefix(start).removeprefix("confidential."),
            sha256=file["sha256"],
            confidential=file["confidential"],
        )
        for file in manifest["files"]
        if "sha256" in file
    )


def _list_file(file: OutputFile, report_id: str) -> dict[str, Any]:
    """Return the manifest's entry for a file."""
    entry: dict[str, Any] = {"name": file.name(report_id), "confidential": file.confidential}
    if file.internal:
        entry["internal"] = True
    if file.data:
        digest = hashlib.sha256(file.data).hexdigest()
        entry |= {"bytes": len(file.data), "sha256": digest}
    if file.unsigned:
        entry["unsigned_sha256"] = hashlib.sha256(file.unsigned).hexdigest()
    return entry | drop_empty(pick_values(file, "signature", "provable_until"))


def checklist(submission: Submission) -> OutputFile:
    """Return the checklist of the submission as data, and every requirement with its verdict."""
    states = [line.state for line in submission.checklist]
    value = {
        "submission": submission.report_id,
        "jurisdiction": submission.jurisdiction.id,
        "rules_as_of": submission.as_of,
        "totals": {state: states.count(state) for state in dict.fromkeys(states)},
        "lines": [_line(line) for line in submission.checklist],
        "requirements": [requirement_json(judgement) for judgement in submission.rules],
    }
    return OutputFile(part="checklist.json", data=_json_bytes(value))


def _line(line: ChecklistLine) -> dict[str, Any]:
    value = pick_values(line.item, "id", "text", "bearer", "rule") | pick_values(
        line, "state", "detail"
    )
    if line.judgement is not None and line.judgement.version is not None:
        text = line.judgement.version
        value |= pick_values(line.judgement, "standing") | pick_values(
            text, "confidence", "text_date"
        )
        value["text_read_on"] = text.read_on
    return value


LARGEST = 16 << 20
"""Most bytes of a file to read; our largest document has about one million."""

DOCUMENTS = (*(f".{part}.pdf" for part in EVERY_PART), f".{REDLINE}")
SHARED = tuple(f".{part}.pdf" for part in COUNTERSIGNED)
"""Endings of the documents that others sign."""

ANOTHER = "Name another output folder"


def refuse_conflicts(folder: Path, report_id: str, status: Status) -> None:
    """Refuse a folder in which a submission would replace or mix protected files.

    Args:
        folder: the folder that receives the files; it need not exist.
        report_id: the prefix of all file names.
        status: the status of the new files.

    Raises:
        NotConfigured: a rule of this module is broken, or a file cannot be read.
    """
    try:
        refuse_folder_outside(folder)
    except OSError as error:
        raise not_written(f"the submission to {folder}", error) from error
    countersigned = folder.glob(f"{report_id}.*/*")
    files = sorted(path for path in (*folder.glob("*"), *countersigned) if path.is_file())
    statuses = {path: found for path in files if (found := find_status(path)) is not None}
    final = [path for path in statuses if statuses[path] is Status.FINAL]
    drafts = [path for path in statuses if statuses[path] is not Status.FINAL]
    replaced = [path for path in files if path.name.startswith(f"{report_id}.")]
    if status is not Status.FINAL:
        if final:
            raise NotConfigured(
                f"{final[0]} is signed, or belongs to a signed filing. Drafts need another folder.",
                remedy=f"{ANOTHER}.",
            )
        _refuse_replaced_drafts(
            [path for path in replaced if path.name.endswith(DOCUMENTS)], status
        )
    elif drafts:
        raise NotConfigured(
            f"{drafts[0]} belongs to a draft. A signed filing needs another folder.",
            remedy=f"{ANOTHER}, or remove the draft.",
        )
    elif replaced:
        raise NotConfigured(
            f"{replaced[0]} already exists. A signed filing is never replaced.",
            remedy=f"{ANOTHER}, or file the next revision: raise `revision` and set `revised` in "
            "game.json.",
        )


def _refuse_replaced_drafts(documents: list[Path], status: Status) -> None:
    """Refuse to replace a countersigned draft, or a signed one by an unsigned one.

    Raises:
        NotConfigured: one of them would be replaced.
    """
    for path in documents:
        number = len(_signers(path))
        if number > 1:
            raise NotConfigured(
                f"{path} carries {number} signatures. A countersigned document is never replaced.",
                remedy=f"{ANOTHER}, or remove the document.",
            )
        if number and status is Status.UNSIGNED:
            raise NotConfigured(
                f"{path} is a signed draft. An unsigned document does not replace it.",
                remedy=f"{ANOTHER}, or remove the draft.",
            )


def find_status(path: Path) -> Status | None:
    """Return the status of the submission that a file belongs to, None if unknown.

    A PDF with a signature of any but a development key counts as signed for filing.

    Raises:
        NotConfigured: the file cannot be read.
    """
    if path.suffix.lower() == ".pdf":
        signers = _signers(path)
        if any(signer is None or not signer.development for signer in signers):
            return Status.FINAL
        if signers:
            return Status.DRAFT
        return Status.UNSIGNED if path.name.endswith(DOCUMENTS) else None
    if not path.name.endswith((".evidence.json", ".manifest.json")):  # which state it
        return None
    try:
        return Status(json.loads(_read(path))["status"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _signers(path: Path) -> Sequence[Certificate | None]:
    from certify.signatures.document import signers  # loads pyHanko: only if there is a document

    return signers(_read(path))


def _read(path: Path) -> bytes:
    try:
        return storage.read_at_most(path, LARGEST)
    except OSError as error:
        raise NotConfigured(
            f"{path} cannot be read, so it may be a signed filing: {error.strerror}.",
            remedy=f"{ANOTHER}.",
        ) from error


COMMIT = "commit.json"
"""The list of the files of a run, in its hidden folder: what it lists is whole."""


class Commit(Struct, frozen=True, kw_only=True):
    """The files of a run, the manifest last, and those that it removes: digests by name.

    ``mac`` is this user's MAC of both, for the folder that receives the files.
    """

    files: dict[str, str]
    stale: dict[str, str]
    mac: str = ""


class Delivery(Struct, frozen=True):
    """The files of a submission, and notices on what was left alone in their folder."""

    files: tuple[Path, ...]
    notices: tuple[str, ...]


def deliver(
    folder: Path, report_id: str, files: Sequence[OutputFile], *, status: Status
) -> Delivery:
    """Write all files of a submission, or none.

    The files are written completely into a hidden folder. A list of files, written last, commits
    the run: an interruption before it leaves the old files. After it, the run finishes on its way
    out, or the next run finishes it. Files of an earlier run that this run does not have are
    removed if they still match the earlier manifest.

    Raises:
        NotConfigured: the folder cannot be written, a file's name is taken by a folder, or a file
            would be replaced that must not be; see `certify.filing.delivery`.
    """
    named = {file.name(report_id): file for file in files}
    try:
        with lock(folder):
            make_folder(folder)
            left = settle(folder, report_id)
            refuse_conflicts(folder, report_id, status)
            for name in named:
                if (folder / name).is_dir():
                    raise IsADirectoryError(0, "a folder has the name of a file", name)
            staging = _staging(folder, report_id, os.urandom(4).hex())
            commit = _stage(folder, report_id, staging, named)
            try:
                _finish(folder, staging, commit)
            except BaseException as error:
                _finish_again(folder, staging, commit)
                if not isinstance(error, OSError):
                    raise
    except OSError as error:
        raise not_written(f"the submission to {folder}", error) from error
    notices = tuple(
        f"{path} is not left from a run of yours in this folder, or was changed since; it was "
        "not used and not removed."
        for path in left
    )
    return Delivery(files=tuple(folder / name for name in named), notices=notices)


def settle(folder: Path, report_id: str) -> tuple[Path, ...]:
    """Finish a run that stopped while its files took their names; drop one that stopped earlier.

    Only folders of this user's own runs are used, and only with the bytes that were committed.

    Returns:
        Other hidden folders and files of the submission's name, which stay as they are.

    Raises:
        OSError: a file cannot be moved.
    """
    left = []
    for path in sorted(folder.glob(f".{report_id}.*")):
        nonce = path.name.removeprefix(f".{report_id}.").partition(".")[0]
        folder_of_run = path.is_dir() and not path.is_symlink()
        is_ours = folder_of_run and path == _staging(folder, report_id, nonce)
        if is_ours and not os.path.lexists(path / COMMIT):
            shutil.rmtree(path, ignore_errors=True)
        elif is_ours and (commit := _read_commit(folder, report_id, path)) is not None:
            _finish(folder, path, commit)
        else:
            left.append(path)
    return tuple(left)


def _stage(folder: Path, report_id: str, staging: Path, named: Mapping[str, OutputFile]) -> Commit:
    """Write the files and the list that commits them into a hidden folder; return the list."""
    digests = {name: hashlib.sha256(file.data).hexdigest() for name, file in named.items()}
    commit = Commit(files=digests, stale=_stale(folder, report_id, digests))
    listed = replace(commit, mac=_seal(folder, commit))
    staging.mkdir(mode=0o700)
    try:
        for name, file in named.items():
            written = storage.write_sibling(
                staging / name, file.data, like=folder / name, confined=file.confidential
            )
            written.replace(staging / name)
        storage.write_sibling(staging / COMMIT, encode(listed)).replace(staging / COMMIT)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    return commit


def _read_commit(folder: Path, report_id: str, staging: Path) -> Commit | None:
    """Return the list of a run of this user if it can be finished, None otherwise."""
    try:
        listed = decode(storage.read_at_most(staging / COMMIT), type=Commit)
    except (OSError, MsgspecError):
        return None
    commit = replace(listed, mac="")
    sound = hmac.compare_digest(listed.mac.encode(), _seal(folder, commit).encode())
    if not sound or not all(_is_plain(name, report_id) for name in (*commit.files, *commit.stale)):
        return None
    for name, digest in commit.files.items():
        staged, placed = staging / name, folder / name
        if _digest(staged if os.path.lexists(staged) else placed) != digest:
            return None
        if os.path.lexists(staged) and placed.is_file() and find_status(placed) is Status.FINAL:
            return None
    return commit


def _finish(folder: Path, staging: Path, commit: Commit) -> None:
    """Give the files of a run their names.

    The manifest goes first and comes last: a folder with a manifest is complete.

    Raises:
        OSError: a file cannot be moved.
    """
    waiting = [name for name in commit.files if (staging / name).is_file()]
    if waiting:
        (folder / [*commit.files][-1]).unlink(missing_ok=True)
    for name, digest in commit.stale.items():
        if _digest(folder / name) == digest:
            (folder / name).unlink(missing_ok=True)
            activity.get().outputs[folder / name] = None
    for name in waiting:
        (staging / name).replace(folder / name)
        activity.get().outputs[folder / name] = commit.files[name]
    shutil.rmtree(staging, ignore_errors=True)


def _finish_again(folder: Path, staging: Path, commit: Commit) -> None:
    """Finish a run after an error or an interruption.

    Raises:
        NotConfigured: that is not possible now; the next run does it.
    """
    try:
        _finish(folder, staging, commit)
    except OSError as error:
        raise NotConfigured(
            f"The submission in {folder} is not complete: {error.strerror}.",
            remedy="When the folder can be written, run the command again: it finishes this "
            "submission first.",
        ) from error


def _staging(folder: Path, report_id: str, nonce: str) -> Path:
    """Return the hidden folder of a run; no other user can name one of this user's."""
    mac = _seal(folder, [report_id, nonce])[:16]
    return folder / f".{report_id}.{nonce}.{mac}{storage.PART}"


def _seal(folder: Path, value: object) -> str:
    """Return this user's MAC of a value for one folder.

    If there is no key and none can be made, it fits nothing: an interrupted run is not finished.
    """
    try:
        return seal("submission", json.dumps([os.path.realpath(folder), to_builtins(value)]))
    except OSError:
        return os.urandom(32).hex()


def _is_plain(name: str, report_id: str) -> bool:
    """Return True for a name that a file of a submission can have: no path, no device."""
    return re.fullmatch(rf"{re.escape(report_id)}(\.[A-Za-z0-9-]+)+", name) is not None


def _stale(folder: Path, report_id: str, named: Mapping[str, str]) -> dict[str, str]:
    """Return the unchanged files of an earlier run that this run does not write."""
    try:
        listed = json.loads(_read(folder / [*named][-1]))["files"]
        old = {str(file["name"]): file["sha256"] for file in listed}
    except (NotConfigured, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {
        name: digest
        for name, digest in old.items()
        if name not in named and _is_plain(name, report_id) and _digest(folder / name) == digest
    }


def _digest(path: Path) -> str | None:
    """Return the digest of a file; None for anything else, or a link."""
    if path.is_symlink():
        return None
    try:
        with open_file(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None
