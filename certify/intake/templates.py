"""A user's own templates: text that the documents are made with, filed as declared data is."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from certify.errors import NotReadable
from certify.intake.layout import OWN, is_of_project
from certify.model.document import Document
from certify.storage import read_at_most

TEMPLATES = "templates"
"""The folder of templates, in a library and in a project."""

KINDS = (".j2", ".css")
"""How the names of templates and styles end; other files of the folder are not used."""


def own_templates(layers: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders of templates beside folders of declared data that are of a project."""
    folders = (layer.parent / TEMPLATES for layer in layers if is_of_project(layer))
    return tuple(folder for folder in folders if folder.is_dir())


def read_templates(folders: Iterable[Path]) -> dict[str, Document]:
    """Return the files of folders of templates by their key among the documents of a filing.

    Raises:
        NotReadable: a file is no text, or its name has two hyphens in a row, which stand for a
            folder where files are embedded.
    """
    paths = {
        path.relative_to(folder).as_posix(): path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS
    }
    return {f"{TEMPLATES}/{name}": _read(path, name) for name, path in paths.items()}


def _read(path: Path, name: str) -> Document:
    if "--" in name or not name.isascii():
        raise NotReadable(
            f"{path} cannot be embedded under its name.",
            remedy="Name it with ASCII letters, and without two hyphens in a row.",
        )
    try:
        data = read_at_most(path)
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(
            f"{path} cannot be read: {error}.", remedy="Save it as UTF-8 text."
        ) from error
    return Document(
        path=str(path),
        filed_as=f"{OWN}/{TEMPLATES}/{name}",
        sha256=hashlib.sha256(data).hexdigest(),
        text=text,
    )
