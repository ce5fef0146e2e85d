"""What is overridden inside other projects is still what it was when it was read.

A name here is a function of a library that we replace, wrap or rest on without being offered to.
Where one of these tests fails, a new release has changed the function: read it again, see that ours
still fits (`docs/decisions/0006-inside-other-projects.md`), and write the new digest down.
"""

import hashlib
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name, walk_packages

import pytest

import certify.signatures

ROOT = Path(__file__).parents[2]
DECISION = ROOT / "docs" / "decisions" / "0006-inside-other-projects.md"
WRITER = "pyhanko.pdf_utils.incremental_writer"
DIGESTS = {
    f"{WRITER}:IncrementalPdfFileWriter._update_meta": "dfb235b7343ab001",
    f"{WRITER}:IncrementalPdfFileWriter.ensure_output_version": "88364ab06e1174ef",
    "pyhanko.pdf_utils.reader:PdfFileReader._get_object_from_stream": "985c7933a27ed6c9",
    "pyhanko.sign.signers:PdfSigner.init_signing_session": "f5ff4cfe064dfe18",
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
def test_the_decision_says_why_it_is_overridden(name: str) -> None:
    assert f"`{name.rpartition(':')[2]}`" in DECISION.read_text(encoding="utf-8")


def overridden() -> set[str]:
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
    }
    known = {resolve_name(name) for name in DIGESTS}
    assert {name for name in overridden() if resolve_name(name) not in known} == offered
