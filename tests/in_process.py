"""Work of child processes in this process, or once for all tests: a child imports its libraries.

The child itself, with its limits, is tested by ``signatures/test_limits.py``, by the files of
``signatures/attacks.py``, and by each command that the tests start. That the same pages are printed
to the same bytes is tested by ``printing/test_print_pdf.py`` and ``commands/test_submit.py``.
"""

import contextlib
import hashlib
import json
import multiprocessing
import os
from collections.abc import Callable
from functools import cache, partial
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from certify import library
from certify.errors import CertifyError
from certify.worker import Limits, run

if TYPE_CHECKING:
    import pytest

PRINTED = Path(__file__).parents[1] / ".cache" / "tests" / "printed"
"""Printed documents, in a folder for each state of the code."""


Print = Callable[..., bytes]

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", "tests.warm_renderer"])


@cache
def start_forks() -> None:
    """Start the process that is forked; it finds modules of the tests from the current folder."""
    with contextlib.chdir(Path(__file__).parents[1]):
        forkserver.ensure_running()


def _print(job: bytes, answer: Connection) -> None:
    from tests.warm_renderer import print_job

    with contextlib.suppress(CertifyError):
        answer.send_bytes(print_job(job))


def print_in_a_fork(module: str, job: bytes, limits: Limits, *, subject: str) -> bytes:
    """Print a document; what cannot be printed is left to the process that reports why."""
    start_forks()
    receiver, sender = FORKS.Pipe(duplex=False)
    child = FORKS.Process(target=_print, args=(job, sender))
    child.start()
    sender.close()
    try:
        return receiver.recv_bytes()
    except EOFError:
        return run(module, job, limits, subject=subject)
    finally:
        receiver.close()
        child.join()


def print_once(
    module: str,
    job: bytes,
    limits: Limits,
    *,
    subject: str,
    printing: Print = print_in_a_fork,
) -> bytes:
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
    answer = printing(module, job, limits, subject=subject)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(answer)
    part.replace(path)
    return answer


print_once_in_a_child = partial(print_once, printing=run)
"""For a process that can be canceled while it prints."""


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


def print_in_forks(patch: "pytest.MonkeyPatch") -> None:
    """Print documents in forks, each once."""
    patch.setattr("certify.printing.print_pdf.run", cache(print_in_a_fork))
