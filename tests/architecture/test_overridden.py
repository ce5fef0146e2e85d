"""Overridden functions of other projects have not changed since they were reviewed.

A name here is a function of a library that we replace, wrap or rest on without being offered to.
Where one of these tests fails, a new release has changed the function: read it again, see that ours
still fits (`docs/decisions/0006-inside-other-projects.md`), and write the new digest down.
"""

import hashlib
import importlib
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name, walk_packages

import pytest

import certify.signatures
from certify.kernels.numba_dispatcher import Dispatcher

ROOT = Path(__file__).parents[2]
DECISION = ROOT / "docs" / "decisions" / "0006-inside-other-projects.md"
WRITER = "pyhanko.pdf_utils.incremental_writer"
CLIENT = "pyhanko.sign.timestamps.aiohttp_client"
FETCHERS = "pyhanko_certvalidator.fetchers.aiohttp_fetchers"
SESSION = f"{FETCHERS}.util"
DIGESTS = {
    "numba.core.dispatcher:Dispatcher.__init__": "7b7bc34e60e75241",
    "numba.core.dispatcher:Dispatcher.compile": "0ab4aee15e79bb1d",
    "numba.core.dispatcher:Dispatcher.enable_caching": "8c75d787fa6845ba",
    "numba.core.dispatcher:_DispatcherBase.get_call_template": "f15b62d0e9c0f605",
    f"{WRITER}:IncrementalPdfFileWriter._update_meta": "dfb235b7343ab001",
    f"{WRITER}:IncrementalPdfFileWriter.ensure_output_version": "88364ab06e1174ef",
    "pyhanko.pdf_utils.reader:PdfFileReader._get_object_from_stream": "985c7933a27ed6c9",
    "pyhanko.pdf_utils.writer:BasePdfFileWriter.add_object": "8185c7565041cd19",
    "pyhanko.sign.signers:PdfSigner.init_signing_session": "f5ff4cfe064dfe18",
    f"{CLIENT}:HTTPTimeStamper.__init__": "aa672b9a46acaabe",
    f"{CLIENT}:HTTPTimeStamper.async_request_tsa_response": "b0781b11be5a1d3e",
    f"{SESSION}:AIOHttpMixin._post_fetch_task": "3c481e96a9e3e862",
    f"{SESSION}:LazySession.__init__": "69938945fe6b486f",
    f"{SESSION}:LazySession.get_session": "51ada6ac7d1e93a4",
    "weasyprint.document:Page.__init__": "56afceec729bf2c1",
    "weasyprint.pdf.metadata:DocumentMetadata.generate_rdf_metadata": "bc3e78ab24f1a809",
    "weasyprint.pdf.tags:_build_box_tree": "f716251a83e7096e",
    "weasyprint.text.line_break:split_first_line": "39ad1016863ca34d",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_what_is_overridden_is_as_it_was_read(name: str) -> None:
    source = inspect.getsource(resolve_name(name))
    assert hashlib.sha256(source.encode()).hexdigest()[:16] == DIGESTS[name], source


@pytest.mark.parametrize("name", DIGESTS)
def test_the_decision_lists_each_function(name: str) -> None:
    assert f"`{name.rpartition(':')[2]}`" in DECISION.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "library", sorted({name.partition(".")[0] for name in DIGESTS} | {"pydyf"})
)
def test_a_library_that_is_overridden_has_an_upper_bound(library: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    required = [requirement for extra in extras for requirement in extra]
    bounds = [text for text in required if re.match(rf"{library}\b", text)]
    assert bounds
    assert all("<" in text for text in bounds), bounds


def test_no_other_method_of_the_compiler_is_overridden() -> None:
    ours = {name for name, value in vars(Dispatcher).items() if inspect.isfunction(value)}
    assert ours == {"compile", "get_call_template"}


def test_no_other_private_name_is_read() -> None:
    """Every private attribute of another library is excused where it is read (ruff's SLF001)."""
    read = {
        name
        for path in (ROOT / "certify").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "noqa: SLF001" in line
        for name in re.findall(r"\b\w+\.(_[a-z]\w+)", line)
    }
    known = {re.split("[.:]", name)[-1] for name in DIGESTS}
    assert read - known == {"_page_box"}  # that of Page.__init__


def list_overridden() -> set[str]:
    """Return every method of the signing library that a class of ours has in its place."""
    names = set()
    for module in walk_packages(certify.signatures.__path__, "certify.signatures."):
        for ours in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(ours) and ours.__module__ == module.name:
                names |= {theirs for method in vars(ours) for theirs in _in_place_of(ours, method)}
    return names


def _in_place_of(ours: type, method: str) -> Iterator[str]:
    base = next((base for base in ours.__mro__[1:] if method in vars(base)), object)
    if base.__module__.startswith("pyhanko") and inspect.isroutine(vars(base)[method]):
        yield f"{base.__module__}:{base.__name__}.{method}"


def test_no_other_method_of_the_signing_library_is_overridden() -> None:
    offered = {
        "pyhanko.pdf_utils.font.api:FontEngineFactory.create_font_engine",
        "pyhanko.pdf_utils.reader:PdfFileReader.__init__",
        "pyhanko.sign.signers.pdf_cms:SimpleSigner.async_sign_raw",
        "pyhanko.sign.timestamps.api:TimeStamper.async_timestamp",
        f"{FETCHERS}:AIOHttpFetcherBackend.__init__",
        f"{FETCHERS}:AIOHttpFetcherBackend.get_fetchers",
        f"{FETCHERS}.crl_client:AIOHttpCRLFetcher.fetch",
        f"{FETCHERS}.ocsp_client:AIOHttpOCSPFetcher.fetch",
    }
    known = {resolve_name(name) for name in DIGESTS}
    assert {name for name in list_overridden() if resolve_name(name) not in known} == offered
