"""Who signs, on disk: a file beside the key."""

import json
from pathlib import Path

from certify.intake.decode import decode
from certify.intake.files import read
from certify.intake.layout import Place, shown
from certify.intake.schemas.schema import validate
from certify.intake.text.strict_json import scan
from certify.model.encoding import as_json
from certify.model.finding import Unfit
from certify.model.signatory import Signatory

KIND = "signatory"


ERRORS = "What is stated of the signer has errors, so nothing was signed."
"""Nothing is signed with half of what a file states."""


def read_signatory(path: Path) -> Signatory:
    """Read what is stated of a signer; a file that is not there states nothing.

    Raises:
        Unfit: its text or its form is wrong; each finding has line and column.
    """
    if not path.exists():
        return Signatory()
    file = read(path, Place(kind=KIND, key=KIND))
    if file.findings:
        raise Unfit(file.findings, ERRORS)
    signatory: Signatory = decode(KIND, file.document.value)
    return signatory


def written(signatory: Signatory, path: Path) -> bytes:
    """Return the text of a file that states this, to be written at ``path``.

    Raises:
        Unfit: it does not fit the schema, so that nobody could read it.
    """
    value = {"$schema": f"{KIND}.schema.json", **as_json(signatory)}
    data = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
    document, findings = scan(data, shown(path))
    findings += validate(document, KIND)
    if findings:
        raise Unfit(findings, ERRORS)
    return data
