"""Deliver a submission: file names, manifest and checklist, in a folder that keeps signed files.

Three rules, checked in this order:

- A folder holds drafts or documents signed for filing, never both.
- A document signed for filing, or a countersigned one, is never replaced.
- An unsigned document does not replace a signed draft.

A draft may replace the draft of an earlier run.
"""

import contextlib
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from certify import storage
from certify.errors import NotConfigured
from certify.model.encoding import encode_json, pick_values
from certify.model.submission import ChecklistLine, Status, Submission
from certify.pipeline.submit.evidence import provenance_json
from certify.signatures.certificate import Certificate

LARGEST = 16 << 20
"""Most bytes of a file to read; our largest document has about one million."""

DOCUMENTS = (".rules.pdf", ".mathematics.pdf", ".memo.pdf")
STATING = (".evidence.json", ".manifest.json")
"""Endings of the files that state the status of their submission."""

ANOTHER = "Name another folder with --out"


def refuse_conflicts(folder: Path, report_id: str, status: Status) -> None:
    """Refuse a folder in which a submission would replace or mix protected files.

    Args:
        folder: the folder that receives the files; it need not exist.
        report_id: the prefix of all file names.
        status: the status of the new files.

    Raises:
        NotConfigured: a rule of this module is broken, or a file cannot be read.
    """
    countersigned = folder.glob(f"{report_id}.*/*")
    files = sorted(path for path in (*folder.glob("*"), *countersigned) if path.is_file())
    held = {path: found for path in files if (found := find_status(path)) is not None}
    final = [path for path in held if held[path] is Status.FINAL]
    drafts = [path for path in held if held[path] is not Status.FINAL]
    own = [path for path in files if path.name.startswith(f"{report_id}.")]
    if status is not Status.FINAL:
        if final:
            raise NotConfigured(
                f"{final[0]} is signed, or belongs to a signed filing. Drafts need another folder.",
                remedy=f"{ANOTHER}.",
            )
        _refuse_replaced_drafts([path for path in own if path.name.endswith(DOCUMENTS)], status)
    elif drafts:
        raise NotConfigured(
            f"{drafts[0]} belongs to a draft. A signed filing needs another folder.",
            remedy=f"{ANOTHER}, or remove the draft.",
        )
    elif own:
        raise NotConfigured(
            f"{own[0]} already exists. A signed filing is never replaced.",
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
        found = _signers(path)
        if any(signer is None or not signer.development for signer in found):
            return Status.FINAL
        if found:
            return Status.DRAFT
        return Status.UNSIGNED if path.name.endswith(DOCUMENTS) else None
    if not path.name.endswith(STATING):
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


MANIFEST = "manifest.json"
COMMIT = "commit.json"
"""The list of the files of a run, in its hidden folder: what it lists is whole."""


class OutputFile(Struct, frozen=True, kw_only=True):
    """One file: its part, such as ``rules.pdf``, and its bytes.

    ``confidential`` files are not for publication; ``signature`` is the PAdES profile of a signed
    document.
    """

    part: str
    data: bytes
    confidential: bool = False
    signature: str | None = None

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
        "option": submission.main.id if submission.main is not None else None,
        "options": [option.id for option in submission.options],
        "paytables": [paytable.target for paytable in submission.paytables],
        "revision": submission.game.revision,
        "revised": submission.game.revised,
        "rules_as_of": submission.as_of,
        "evidence_sha256": submission.evidence_sha256,
        "engine": {"version": submission.engine_version},
        "files": [
            {
                "name": file.name(submission.report_id),
                "confidential": file.confidential,
                "bytes": len(file.data),
                "sha256": hashlib.sha256(file.data).hexdigest(),
            }
            | ({"signature": file.signature} if file.signature else {})
            for file in sorted(files, key=lambda file: file.name(submission.report_id))
        ],
        "register": to_builtins(submission.register),
        "provenance": provenance_json(submission.provenance),
        "accept_replaced": submission.order.accept_replaced,
        "notices": notices,
    }
    return OutputFile(part=MANIFEST, data=_json_bytes(value))


def checklist(submission: Submission) -> OutputFile:
    """Return the checklist of the submission as data: done, open, or not needed."""
    states = [line.state for line in submission.checklist]
    value = {
        "submission": submission.report_id,
        "jurisdiction": submission.jurisdiction.id,
        "rules_as_of": submission.as_of,
        "totals": {state: states.count(state) for state in dict.fromkeys(states)},
        "lines": [_line(line) for line in submission.checklist],
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


def deliver(
    folder: Path, report_id: str, files: Sequence[OutputFile], *, status: Status
) -> tuple[Path, ...]:
    """Write all files of a submission, or none.

    The files are written completely into a hidden folder. A list of files, written last, commits
    the run: an interruption before it leaves the old files. After it, the run finishes on its way
    out, or the next run finishes it. Files of an earlier run that this run does not have are
    removed if they still match the earlier manifest.

    Raises:
        NotConfigured: the folder cannot be written, a file's name is taken by a folder, or a file
            would be replaced that must not be; see `certify.pipeline.submit.delivery`.
    """
    named = {file.name(report_id): file.data for file in files}
    staging = _staging(folder, report_id)
    try:
        settle(folder, report_id)
        refuse_conflicts(folder, report_id, status)
        for name in named:
            if (folder / name).is_dir():
                raise IsADirectoryError(0, "a folder has the name of a file", name)
        staging.mkdir(parents=True)
        stale = _stale(folder, next(reversed(named)), named)
        listed = json.dumps({"files": list(named), "stale": stale}).encode()
        for name, data in {**named, COMMIT: listed}.items():
            storage.write_sibling(staging / name, data).replace(staging / name)
        settle(folder, report_id)
    except OSError as error:
        raise NotConfigured(
            f"The submission cannot be written to {folder}: {error.strerror}.",
            remedy="Choose a folder with free space that you may write to.",
        ) from error
    finally:
        with contextlib.suppress(OSError):
            settle(folder, report_id)
    return tuple(folder / name for name in named)


def settle(folder: Path, report_id: str) -> None:
    """Finish a run that stopped while its files took their names; drop one that stopped earlier.

    The manifest goes first and comes last: a folder with a manifest is complete.

    Raises:
        NotConfigured: a file would be replaced that is signed for filing.
        OSError: a file cannot be moved.
    """
    staging = _staging(folder, report_id)
    if not staging.is_dir():
        return
    try:
        listed = json.loads((staging / COMMIT).read_bytes())
    except FileNotFoundError:
        shutil.rmtree(staging)
        return
    waiting = [name for name in listed["files"] if (staging / name).is_file()]
    for name in waiting:
        if (folder / name).is_file() and find_status(folder / name) is Status.FINAL:
            raise NotConfigured(
                f"{folder / name} is signed for filing, so the files of an "
                f"interrupted run in {staging} do not replace it.",
                remedy="Remove that hidden folder, or name another one with --out.",
            )
    if waiting:
        (folder / listed["files"][-1]).unlink(missing_ok=True)
    for name in listed["stale"]:
        (folder / name).unlink(missing_ok=True)
    for name in waiting:
        (staging / name).replace(folder / name)
    shutil.rmtree(staging)


def _staging(folder: Path, report_id: str) -> Path:
    return folder / f".{report_id}{storage.PART}"


def _stale(folder: Path, manifest_name: str, named: Mapping[str, bytes]) -> list[str]:
    """Return the unchanged files of an earlier run that this run does not write."""
    try:
        listed = json.loads((folder / manifest_name).read_bytes())["files"]
        old = {str(file["name"]): file["sha256"] for file in listed}
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [
        name
        for name, digest in old.items()
        if name not in named and Path(name).name == name and _digest(folder / name) == digest
    ]


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
