"""The terms of a table as a form keeps them: where they stand, and what is wrong with them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from certify import library, storage
from certify.checks.context import Context
from certify.checks.review import review
from certify.errors import NotConfigured
from certify.intake.layout import absolute
from certify.intake.terms import read_terms
from certify.model.finding import Finding, Unfit
from certify.model.game import Game
from certify.model.terms import TERMS
from certify.pipeline.declare.new import written
from certify.pipeline.figures.overview import overview

FOLDER: Final = "terms"
"""The folder of a project that forms keep terms in; any other file may be named, too."""

Record = dict[str, Any]


def path_of(game: str, folder: Path) -> Path:
    """Return where the terms of a game are kept in a project's folder."""
    return folder / FOLDER / f"{game}.json"


def kept(path: Path) -> Record:
    """Return the terms that are kept; none if there is no file.

    Raises:
        Unfit: the file has errors.
    """
    if not path.is_file():
        return {}
    read_terms(path)
    value: Record = json.loads(path.read_bytes())
    return value


def judged(game: Game, path: Path, value: Record) -> tuple[Finding, ...]:
    """Return what is wrong with terms as they would be kept: their form, then what they name."""
    try:
        terms, document = read_terms(path, {absolute(path): written(value)})
    except Unfit as error:
        return error.findings
    catalogue = overview().catalogue
    catalogue = catalogue.only({key for key in catalogue.documents if key.startswith(game.id)})
    catalogue = replace(catalogue, documents={**catalogue.documents, TERMS: document})
    findings = review(Context(catalogue, terms=terms, game=game))
    return tuple(finding for finding in findings if finding.file == document.path)


def keep(path: Path, value: Record) -> None:
    """Write terms to their file.

    Raises:
        Unfit: they are not what the schema asks for; then nothing is written.
        NotConfigured: the file cannot be written.
    """
    data = written(value)
    read_terms(path, {absolute(path): data})
    storage.write_atomically(path, data)


def keep_letter(terms: Path, name: str, data: bytes) -> None:
    """Write the laboratory's letter beside the terms that name it.

    Raises:
        NotConfigured: the file cannot be written.
    """
    storage.write_atomically(terms.parent / name, data)


def own_folder(name: str) -> Path:
    """Return a folder of the user's project by a name that stays inside it.

    Raises:
        NotConfigured: there is no project, or the name leads out of it or among its records.
    """
    project = library.project()
    if project is None:
        raise NotConfigured(
            "This folder is in no project, so nothing can be written.",
            remedy="Make a project with `certify init`, and open the desk there.",
        )
    root = project.resolve()
    try:
        folder = (root / name).resolve()
    except (OSError, ValueError) as error:
        raise NotConfigured(
            f"{name!r} is no folder.", remedy="Write a name such as out."
        ) from error
    inside = folder.is_relative_to(root) and folder != root
    if not inside or folder.is_relative_to(root / "paytables") or not name.isprintable():
        raise NotConfigured(
            f"{name!r} is no folder for documents inside the project.",
            remedy="Write a name such as out or out/nevada.",
        )
    return folder
