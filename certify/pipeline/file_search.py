"""The files that `certify check` judges under the paths that are named."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from certify.errors import NothingChecked
from certify.intake.layout import PAYTABLES, absolute, catalogue_folder, game_folder, is_folder
from certify.intake.placement import looks_like_json
from certify.library import PROJECT

OTHERS = "node_modules"
"""A folder of other people's files, never looked into."""


def find_files(paths: Iterable[Path], *, leave_out: Path | None = None) -> tuple[Path, ...]:
    """Return the JSON files under `paths`, in order.

    A folder around projects stands for their declared files alone: what else a repository holds is
    no business of certify. A folder without any stands for every JSON file in it.

    Args:
        paths: files, which are taken whatever they are called, and folders.
        leave_out: a file that no folder stands for, such as a baseline.
    """
    files: dict[Path, None] = {}
    for path in paths:
        if not is_folder(path):
            files[absolute(path)] = None
            continue
        found = map(absolute, _below(path))
        files.update((file, None) for file in found if leave_out is None or file != leave_out)
    return tuple(files)


def project_folders() -> tuple[Path, ...]:
    """Return the folder of declared data of the project here or above, or of those below.

    Raises:
        NothingChecked: there is none.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PAYTABLES).is_dir():
            return (folder / PAYTABLES,)
    below = tuple(_projects_below(here))
    if below:
        return below
    raise NothingChecked(
        f"There is no folder {PAYTABLES} here or above, so nothing was checked.",
        remedy="Name files or folders, make a project with `certify init`, or check what comes "
        "with the tool with --builtin.",
    )


def _below(folder: Path) -> list[Path]:
    inside = folder / PAYTABLES
    if catalogue_folder(inside) is not None or game_folder(inside) is not None:
        return _json_files(folder)
    declared = dict.fromkeys([inside] if is_folder(inside) else [])
    declared.update(dict.fromkeys(_projects_below(folder)))
    return [file for part in declared or [folder] for file in _json_files(part)]


def _projects_below(folder: Path) -> Iterator[Path]:
    """Yield the folders of declared data of the projects below a folder, or in it."""
    for parent, folders, files in os.walk(folder):
        if PROJECT in files and PAYTABLES in folders:
            yield Path(parent) / PAYTABLES
        folders[:] = sorted(name for name in folders if name != PAYTABLES and _is_entered(name))


def _json_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are JSON or look it; what is hidden is not looked at."""
    return sorted(
        path
        for path in folder.rglob("*.*")
        if looks_like_json(path) and all(map(_is_entered, path.relative_to(folder).parts))
    )


def _is_entered(name: str) -> bool:
    return not name.startswith(".") and name != OTHERS
