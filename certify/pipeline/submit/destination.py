"""The folder that receives a submission: what it holds, and what nothing may replace.

Three rules, in the order in which they are checked:

- A folder holds drafts or documents signed for filing, never both.
- A document signed for filing is never replaced, nor is a countersigned one.
- An unsigned document does not replace a signed draft.

What is left is a draft that takes the place of its own earlier run.
"""

import json
from pathlib import Path

from certify import storage
from certify.errors import NotConfigured
from certify.model.submission import Status
from certify.signatures.verifying.signers import signers

LARGEST = 16 << 20
"""Bytes of a file that is looked at; the largest document of ours has about one million."""

DOCUMENTS = (".rules.pdf", ".mathematics.pdf")
STATING = (".evidence.json", ".manifest.json")
"""Endings of the files that state the status of their submission."""

ANOTHER = "Name another folder with --out"


def refuse_conflicts(folder: Path, report_id: str, status: Status) -> None:
    """Refuse a folder in which a submission would replace or mix what must be kept.

    Args:
        folder: the folder that receives the files; it need not exist.
        report_id: the name with which the names of all files begin.
        status: the status of what is written.

    Raises:
        NotConfigured: a rule of this module is broken, or a file cannot be looked at.
    """
    files = sorted(path for path in folder.glob("*") if path.is_file())
    held = {path: found for path in files if (found := status_of(path)) is not None}
    final = [path for path in held if held[path] is Status.FINAL]
    drafts = [path for path in held if held[path] is not Status.FINAL]
    own = [path for path in files if path.name.startswith(f"{report_id}.")]
    if status is not Status.FINAL:
        if final:
            raise NotConfigured(
                f"{final[0]} is signed, or belongs to a signed filing. Drafts are kept in another "
                "folder.",
                remedy=f"{ANOTHER}.",
            )
        _refuse_replaced_drafts([path for path in own if path.name.endswith(DOCUMENTS)], status)
    elif drafts:
        raise NotConfigured(
            f"{drafts[0]} belongs to a draft. A signed filing is kept in another folder.",
            remedy=f"{ANOTHER}, or remove the draft.",
        )
    elif own:
        raise NotConfigured(
            f"{own[0]} is there already. A signed filing is never replaced.",
            remedy=f"{ANOTHER}, or file the next revision: raise `revision` and set `revised` in "
            "game.json.",
        )


def _refuse_replaced_drafts(documents: list[Path], status: Status) -> None:
    """Refuse to replace a countersigned draft, or a signed one by an unsigned one.

    Raises:
        NotConfigured: one of them would be replaced.
    """
    for path in documents:
        number = len(signers(_read(path)))
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


def status_of(path: Path) -> Status | None:
    """Return the status of the submission that a file belongs to, None where it does not tell.

    A PDF with a signature of any but a development key counts as signed for filing.

    Raises:
        NotConfigured: the file cannot be read.
    """
    if path.suffix.lower() == ".pdf":
        found = signers(_read(path))
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


def _read(path: Path) -> bytes:
    try:
        return storage.read_at_most(path, LARGEST)
    except OSError as error:
        raise NotConfigured(
            f"{path} cannot be read, so it may be a signed filing: {error.strerror}.",
            remedy=f"{ANOTHER}.",
        ) from error
