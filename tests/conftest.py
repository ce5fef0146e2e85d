"""One cache of counts and compiled code for all tests, and a home that is nobody's."""

import atexit
import gc
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.homes import new_home

if TYPE_CHECKING:
    from certify.model.catalog import Catalog

# Thousands of tests and what they load live to the end: to look for cycles among them as often as
# usual costs a tenth of the time.
gc.set_threshold(100_000, 50, 1000)

CACHE = Path(__file__).parents[1] / ".cache" / "tests"


def kernels() -> str:
    """Return the digest of the kernels' source by which the commands name the folder, too.

    Numba keeps a kernel when one that it calls changes. `.ci/run` compiles into this folder.
    """
    digest, folder = hashlib.sha256(), Path(__file__).parents[1] / "certify" / "kernels"
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


# Set before numba is imported: it reads its folder once. Counts are named by a digest of the
# engine's source, so a changed engine counts again.
os.environ["CERTIFY_CACHE"] = str(CACHE)
os.environ["NUMBA_CACHE_DIR"] = str(CACHE / "compiled" / kernels())
HOME = tempfile.mkdtemp(prefix="certify-tests-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["CERTIFY_HOME"] = str(new_home(Path(HOME)))
os.umask(0o077)  # keys and passwords that tests write are private, as certify demands
for name in ("CERTIFY_LIBRARY", "CERTIFY_KEY_PASSWORD", "CERTIFY_FORMAT", "COLUMNS"):
    os.environ.pop(name, None)


REPRESENTATION = re.compile(r"<\w+\.\w+: ")
"""The Python representation of a member of an enum, such as ``<HandOf.BOTH: 'both'>``."""


@pytest.fixture(autouse=True, scope="session")
def plain_messages() -> None:
    """Fail each test that raises an error whose message has a representation of Python."""
    from certify.errors import CertifyError

    whole = CertifyError.__init__

    def refuse_representation(self: CertifyError, message: str, **others: str) -> None:
        texts = (message, *others.values())
        assert not any(map(REPRESENTATION.search, texts)), texts
        whole(self, message, **others)

    CertifyError.__init__ = refuse_representation  # type: ignore[method-assign]


@pytest.fixture(autouse=True, scope="session")
def lasting_loaders() -> Iterator[None]:
    """Leave the name of the running test out of the environment of loaders.

    A loader is reused in the same environment: each test would import the libraries again.
    """
    from certify import worker

    plain = worker._environment

    def environment() -> dict[str, str]:
        return {name: text for name, text in plain().items() if name != "PYTEST_CURRENT_TEST"}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "_environment", environment)
        yield


@pytest.fixture(scope="session")
def catalog() -> "Catalog":
    from tests import catalog as declared

    return declared.catalog()


@pytest.fixture
def hard_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give children limits that certify cannot raise, which ends a test if certify sets none.

    The system kills what uses more processor time; certify's own limit ends in another way.
    """
    from certify import worker

    ours = worker._command
    bounds = 'ulimit -t 60 && ulimit -v 8388608 && exec "$@"'
    monkeypatch.setattr(
        worker, "_command", lambda *given: ["sh", "-c", bounds, "sh", *ours(*given)]
    )
