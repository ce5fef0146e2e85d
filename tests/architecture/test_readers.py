"""Every reader of project files goes through `certify.received`, which follows no link out."""

import ast
from collections.abc import Iterator
from pathlib import Path

import certify

PACKAGE = Path(certify.__file__).parent
READING = {"open", "read_bytes", "read_text"}

SHIPPED = "what comes with certify"
PRIVATE = "the private folders of the user"

OTHERS = {
    "certify.__main__": "standard streams",
    "certify.desk.app": SHIPPED,
    "certify.desk.guard": PRIVATE,
    "certify.engine.count_cache": PRIVATE,
    "certify.intake.grids": "a PDF of a vendor in memory",
    "certify.intake.schema": SHIPPED,
    "certify.kernels.numba_dispatcher": SHIPPED,
    "certify.library": SHIPPED,
    "certify.declare.blank": SHIPPED,
    "certify.declare.terms_form": SHIPPED,
    "certify.declare.user_state": PRIVATE,
    "certify.filing.evidence": SHIPPED,
    "certify.filing.documents": PRIVATE,
    "certify.printing.archival": SHIPPED,
    "certify.printing.figures": "pages and fonts of a PDF in memory",
    "certify.printing.fonts": SHIPPED,
    "certify.project_log": "the log, which is opened to append a line and follows no link",
    "certify.received.files": "the boundary itself",
    "certify.received.repository": "copies of references and an index, which it writes for git",
    "certify.signatures.appearance": SHIPPED,
    "certify.signatures.revisions": "attachments of a PDF in memory",
    "certify.storage": "keys of the user, and signed files before they are replaced",
    "certify.errors": "the metadata of the installed package",
}
"""Modules that open files in another way, and what these files are."""


def test_no_reader_passes_by_the_boundary() -> None:
    assert {*list_readers()} == OTHERS.keys()


def list_readers() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and _reads(node):
                yield ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def _reads(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name):
        return node.func.id == "open"
    owner = ast.unparse(getattr(node.func, "value", node.func))
    return getattr(node.func, "attr", "") in READING and owner not in (
        "storage",
        "os",
        "webbrowser",
    )
