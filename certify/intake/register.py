"""The register of approvals on disk: read strictly, written whole, by one program at a time."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from certify import storage
from certify.errors import ChangedMeanwhile, NotConfigured
from certify.intake.decode import decode
from certify.intake.files import content
from certify.intake.layout import display_path
from certify.intake.schema import validate
from certify.intake.strict_json import scan
from certify.locking import lock
from certify.model.approval import Approval, Register
from certify.model.encoding import Forms, drop_empty, encode_json, pick_values
from certify.model.finding import Document, Finding, Unfit
from certify.model.paytable import Payout

KIND: Final = "register"
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
    return _decode_register(_bytes(path) or b'{"approvals": []}', path)


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
            register, _ = _decode_register(before or b'{"approvals": []}', path)
            changed = change(register)
            data = format_register(changed)
            _decode_register(data, path)
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
        Approval: lambda approval: encode_approval(
            approval, "id", "game", "game_name", "wager", "paytable", "house_way"
        ),
        Payout: str,
    }
    written = encode_json(value, forms)
    return (json.dumps(written, indent=2, ensure_ascii=False) + "\n").encode()


def _decode_register(data: bytes, path: Path) -> tuple[Register, Document]:
    document, findings = scan(data, display_path(path), most=MOST_VALUES)
    if document.spans:
        faulty = tuple(finding.pointer for finding in findings)
        findings += validate(document, KIND, faulty=faulty)
    if not findings:
        findings = tuple(_ids(document))
    if findings:
        message = "The register has errors, so nothing was read from it or written to it."
        raise Unfit(findings, message)
    return Register(approvals=decode(KIND, document.value)), document


def encode_approval(approval: Approval, *filed: str) -> dict[str, Any]:
    """Return an entry as JSON, the fields in ``filed`` first; fields without a value are absent."""
    answered = {**pick_values(approval, "jurisdiction", "status"), "date": approval.day}
    kept = pick_values(
        approval, "content_sha256", "pays", "revision", "rules_sha256", "letter_sha256",
        "documents", "superseded_by", "correction", "person", "time", "version", "build",
    )  # fmt: skip
    named = pick_values(approval, *filed)
    return drop_empty({**named, **answered, **kept, "pays": approval.pays or None})


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
