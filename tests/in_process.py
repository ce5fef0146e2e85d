"""Signatures read in the process of the tests: a child imports its libraries for each file.

The child itself, with its limits, is tested by ``signatures/test_limits.py``, by the files of
``signatures/attacks.py``, and by each command that the tests start.
"""

import pytest

from certify.signatures import _reading


def answer_in_process(_: str, job: bytes, *__: object, **___: object) -> bytes:
    return _reading.answer(job, lambda *_: None)


def read_in_process(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("certify.signatures.verify.run", answer_in_process)
