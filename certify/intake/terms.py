"""The terms of a table on disk: what a card room or a casino sets."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from certify.errors import NotConfigured
from certify.intake.decode import decode
from certify.intake.files import NO_OVERLAYS, Overlays, read
from certify.intake.layout import Place, absolute, is_file, shown
from certify.model.document import Document
from certify.model.finding import Unfit
from certify.model.terms import TERMS, Terms

FILED_AS: Final = "terms.json"
"""The name under which evidence states the terms, whatever the file is called."""


def read_terms(path: Path, overlays: Overlays = NO_OVERLAYS) -> tuple[Terms, Document]:
    """Read the terms of a table.

    Raises:
        NotConfigured: there is no such file.
        Unfit: its text or its form is wrong; each finding has line and column.
    """
    if absolute(path) not in overlays and not is_file(path):
        raise NotConfigured(
            f"Cannot read {shown(path)}: there is no such file.",
            remedy="Name a file that is there.",
        )
    file = read(path, Place(kind="terms", key=TERMS), overlays=overlays)
    if file.findings:
        raise Unfit(file.findings)
    return decode("terms", file.document.value), replace(file.document, filed_as=FILED_AS)
