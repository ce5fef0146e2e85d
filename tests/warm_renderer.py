"""A renderer that has printed one page: the forks of `tests.in_process` have its caches."""

import atexit
import json
import shutil
import tempfile

from certify import library
from certify.printing import _render

FOLDER = tempfile.mkdtemp(prefix="certify-fonts-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def print_job(job: bytes) -> bytes:
    """Print a document, with the font caches in the folder of this module."""
    tempfile.tempdir = FOLDER
    return _render.answer(job, lambda *_: None)


PAGE = {
    "html": '<!DOCTYPE html><html lang="en-US"><head><title>T</title></head><body><h1>T</h1></body>'
    "</html>",
    "title": "T",
    "language": "en-US",
    "document_id": "T",
    "date": "2026-11-21",
    "attachments": [],
    "templates": str(library.templates()),
    "notice": "",
    "style": str(library.templates() / "style.css"),
}
print_job(json.dumps(PAGE).encode())
