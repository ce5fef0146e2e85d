"""Work of child processes in this process, or once for all tests: a child imports its libraries.

The child itself, with its limits, is tested by ``signatures/test_limits.py``, by the files of
``signatures/attacks.py``, and by each command that the tests start. That the same pages are printed
to the same bytes is tested by ``printing/test_print_pdf.py`` and ``commands/test_submit.py``.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from certify import library
from certify.errors import CertifyError
from certify.worker import Limits, run

if TYPE_CHECKING:
    import pytest

PRINTED = Path(__file__).parents[1] / ".cache" / "tests" / "printed"
"""Printed documents, in a folder for each state of the code."""


def print_once(module: str, job: bytes, limits: Limits, *, subject: str) -> bytes:
    """Return what printing a job gives, or what it gave before.

    Answers are kept for jobs that print with certify's own templates, which the name of the folder
    covers, as it covers the code. An error is never kept.
    """
    templates = str(library.templates().resolve())
    pages = json.loads(job)
    if pages["templates"] != templates or Path(templates) not in Path(pages["style"]).parents:
        return run(module, job, limits, subject=subject)
    name = hashlib.sha256(repr(limits).encode() + job).hexdigest()
    path = PRINTED / library.build_sha256() / f"{name}.pdf"
    if path.is_file():
        return path.read_bytes()
    answer = run(module, job, limits, subject=subject)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(answer)
    part.replace(path)
    return answer


def answer_in_process(_: str, job: bytes, *__: object, **___: object) -> bytes:
    from certify.signatures import _reading

    return _reading.answer(job, lambda *_: None)


def read_within(module: str, job: bytes, limits: Limits, *, subject: str) -> bytes:
    """Read signatures in this process; a file that cannot be read so is one for the child."""
    try:
        return answer_in_process(module, job)
    except CertifyError:
        raise
    except Exception:  # noqa: BLE001 - hostile input can make libraries raise anything
        return run(module, job, limits, subject=subject)


def read_in_process(patch: "pytest.MonkeyPatch") -> None:
    patch.setattr("certify.signatures.verify.run", answer_in_process)


def print_each_once(patch: "pytest.MonkeyPatch") -> None:
    """Keep what is printed for the tests of a file, whatever the templates are."""
    patch.setattr("certify.printing.print_pdf.run", cache(run))
