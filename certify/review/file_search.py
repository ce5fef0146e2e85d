"""Search for the files that `certify check` checks, and for those that a change affects."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from certify.errors import NotConfigured, NothingChecked
from certify.intake.layout import (
    FILINGS,
    PAYTABLES,
    SHARED,
    absolute,
    catalog_folder,
    game_folder,
    is_folder,
)
from certify.intake.read import looks_like_json
from certify.received.files import GIT, PROJECT, leads_outside, refuse_outside, walk
from certify.received.repository import (
    find_ignored,
    find_repository,
    find_untracked,
    hash_blob,
)

OTHERS = "node_modules"
"""A folder of other people's files, never looked into."""


class FoundFiles(NamedTuple):
    """JSON files, those that are excluded or ignored by git, the named folders, the empty ones.

    ``untracked`` are the files in the folders that git does not track.
    """

    files: tuple[Path, ...]
    skipped: tuple[Path, ...]
    untracked: tuple[Path, ...]
    folders: tuple[Path, ...]
    empty: tuple[Path, ...]


def find_files(
    paths: Iterable[Path], is_excluded: Callable[[Path], bool] = lambda _: False
) -> FoundFiles:
    """Return the JSON files under `paths`, in order.

    A folder with projects in it gives only their declared files; other files of a repository are
    ignored. A folder without projects gives every JSON file in it.

    Args:
        paths: files, with any name, and folders. A file that is named is neither excluded nor
            ignored.
        is_excluded: True for a file to skip in folders.
    """
    files: dict[Path, None] = {}
    skipped: dict[Path, None] = {}
    untracked: set[Path] = set()
    folders: list[Path] = []
    empty: list[Path] = []
    for path in paths:
        if not is_folder(path):
            files[absolute(path)] = None
            continue
        folders.append(absolute(path))
        found = [absolute(file) for file in _list_files(path)]
        if not found:
            empty.append(absolute(path))
        ignored = find_ignored(found, absolute(path))
        for file in found:
            (skipped if file in ignored or is_excluded(file) else files)[file] = None
        untracked |= find_untracked(found, absolute(path))
    return FoundFiles(
        files=tuple(files),
        skipped=tuple(file for file in skipped if file not in files),
        untracked=tuple(file for file in files if file in untracked),
        folders=tuple(folders),
        empty=tuple(empty),
    )


def find_project() -> Path:
    """Return the folder of the project here or above, or this one if projects are below.

    Raises:
        NothingChecked: there is none.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PAYTABLES).is_dir():
            refuse_outside(folder / PAYTABLES, named=folder)
            return folder
    if any(_find_projects(here)):
        return here
    raise NothingChecked(
        f"There is no folder {PAYTABLES} here or above, so nothing was checked.",
        remedy="Name files or folders, create a project with `certify init`, or "
        "check the library with --builtin.",
    )


def _list_files(folder: Path) -> list[Path]:
    inside = folder / PAYTABLES
    if catalog_folder(inside) is not None or game_folder(inside) is not None:
        return _json_files(folder, folder)
    here = [inside, folder / FILINGS] if is_folder(inside) else []
    declared = dict.fromkeys(filter(is_folder, here))
    declared.update(dict.fromkeys(_find_projects(folder)))
    return [file for part in declared or [folder] for file in _json_files(part, folder)]


def _find_projects(folder: Path) -> Iterator[Path]:
    """Yield the folders of declared data and filings of the projects below a folder, or in it."""
    for parent, folders, files in os.walk(folder):
        if PROJECT in files and PAYTABLES in folders:
            yield from (Path(parent) / name for name in (PAYTABLES, FILINGS) if name in folders)
        entered = {*folders} - {PAYTABLES, FILINGS}
        folders[:] = sorted(filter(_is_entered, entered))


def _json_files(folder: Path, named: Path) -> list[Path]:
    """Return the files of a folder that are or look like JSON, without hidden ones.

    Outside of any project and repository also links to folders that are not followed: nothing else
    reports them.
    """
    if _is_refused_link(folder, named):
        return [folder]
    return sorted(
        path
        for path in walk(folder, named=named)
        if (looks_like_json(path) or _is_refused_link(path, folder))
        and all(map(_is_entered, path.relative_to(folder).parts))
    )


def _is_refused_link(path: Path, named: Path) -> bool:
    """Return True for a link to a folder out of ``named`` where no project or repository is."""
    return path.is_dir() and leads_outside(path, named) and not leads_outside(path)


def _is_entered(name: str) -> bool:
    return not name.startswith(".") and name != OTHERS


SETTINGS = (PROJECT, "pyproject.toml")
"""Files that decide how every file below them is judged."""


def only_changed(files: Iterable[Path], ref: str) -> tuple[Path, ...]:
    """Return the files that differ on disk from the branch point.

    A file that was removed is in no list, but what it leaves behind may be wrong: in its place come
    the files of its game, or all files where games share it. Settings that changed are about every
    file below them. A file behind a link counts as changed.

    Args:
        files: the files to choose from.
        ref: a commit or a branch, such as ``origin/main``.

    Raises:
        NotConfigured: this is no work tree of git, the commit is not known in it, or a file belongs
            to another one.
    """
    repository = find_repository(Path.cwd())
    if repository is None:
        raise NotConfigured(
            "The changed files are unknown: this folder is not in a git repository.",
            remedy="Change to the repository, or omit --changed-since.",
        )
    top = Path(os.path.realpath(repository.top))
    names = {file: _name_below(file, top) for file in files}
    base = repository.read_base(ref)

    def is_changed(path: Path) -> bool:
        try:
            return base.get(path.relative_to(top).as_posix()) != hash_blob(path)
        except OSError:
            return os.path.lexists(path) or path.relative_to(top).as_posix() in base

    judged_whole = {_left_behind(top / name) for name in base if not os.path.lexists(top / name)}
    around = {top / parent for name in names.values() if name for parent in name.parents}
    judged_whole |= {
        folder for folder in around if any(is_changed(folder / name) for name in SETTINGS)
    }
    return tuple(
        file
        for file, name in names.items()
        if name is None
        or is_changed(top / name)
        or not judged_whole.isdisjoint((top / name).parents)
    )


def _name_below(file: Path, top: Path) -> Path | None:
    """Return the path of a file below the top of the work tree; None if a link leads to it.

    Raises:
        NotConfigured: git does not track it here: it is in a submodule, or outside of ``top``.
    """
    inner: list[str] = []
    for folder in (file, *file.parents):
        if Path(os.path.realpath(folder)) == top:
            name = Path(*inner)
            return name if Path(os.path.realpath(file)) == top / name else None
        if inner and os.path.lexists(folder / GIT):
            break
        inner.insert(0, folder.name)
    raise NotConfigured(
        f"It is unknown whether {file} changed: it is not in the repository {top}.",
        remedy="Change to the repository or the submodule of the file, or omit --changed-since.",
    )


def _left_behind(removed: Path) -> Path:
    """Return the folder whose files may depend on a removed file."""
    folder = catalog_folder(removed)
    if folder is None:
        return removed.parent
    first = removed.relative_to(folder).parts[0]
    return folder if first in SHARED or removed.parent == folder else folder / first
