"""Signatures read and pages printed in this process: a child imports its libraries for each file.

The child itself, with its limits, is tested by ``signatures/test_limits.py``, by the files of
``signatures/attacks.py``, and by each command that the tests start.
"""

import tempfile
from functools import cache
from pathlib import Path

import pytest

from certify.printing import _render
from certify.signatures import _reading


def answer_in_process(_: str, job: bytes, *__: object, **___: object) -> bytes:
    return _reading.answer(job, lambda *_: None)


def read_in_process(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("certify.signatures.verify.run", answer_in_process)


def print_in_process(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Print documents in this process, each once, with the font cache in a folder."""
    patch.setattr(tempfile, "tempdir", str(folder))

    @cache
    def answer(_: str, job: bytes, *__: object, **___: object) -> bytes:
        return _render.answer(job, lambda *_: None)

    patch.setattr("certify.printing.print_pdf.run", answer)
