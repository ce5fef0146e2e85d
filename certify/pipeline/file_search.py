"""Search for the files that `certify check` checks, and for those that a change affects."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from certify.errors import NotConfigured, NothingChecked
from certify.intake.layout import (
    PAYTABLES,
    SHARED,
    absolute,
    catalog_folder,
    game_folder,
    is_folder,
)
from certify.intake.read import looks_like_json
from certify.library import PROJECT

OTHERS = "node_modules"
"""A folder of other people's files, never looked into."""


def find_files(
    paths: Iterable[Path], is_excluded: Callable[[Path], bool] = lambda _: False
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return the JSON files under `paths`, in order, and those that are excluded or ignored by git.

    A folder with projects in it gives only their declared files; other files of a repository are
    ignored. A folder without projects gives every JSON file in it.

    Args:
        paths: files, with any name, and folders. A file that is named is neither excluded nor
            ignored.
        is_excluded: True for a file to skip in folders.
    """
    files: dict[Path, None] = {}
    skipped: dict[Path, None] = {}
    for path in paths:
        if not is_folder(path):
            files[absolute(path)] = None
            continue
        found = [absolute(file) for file in _list_files(path)]
        ignored = _ignored_by_git(found, absolute(path))
        for file in found:
            (skipped if file in ignored or is_excluded(file) else files)[file] = None
    return tuple(files), tuple(file for file in skipped if file not in files)


def _ignored_by_git(files: Collection[Path], folder: Path) -> frozenset[Path]:
    """Return the files that ``.gitignore`` names and that are not tracked; none without git.

    A folder that is ignored as a whole was meant by whoever named it.
    """
    import subprocess

    if not any((above / ".git").exists() for above in (folder, *folder.parents)):
        return frozenset()
    try:
        ran = subprocess.run(  # noqa: S603 - no shell, and names on standard input
            ["git", "-C", str(folder), "check-ignore", "--stdin", "-z"],  # noqa: S607 - the user's own git
            input=b"\0".join(map(os.fsencode, (folder, *files))),
            capture_output=True,
            check=False,
        )
    except OSError:
        return frozenset()
    ignored = frozenset(Path(os.fsdecode(name)) for name in ran.stdout.split(b"\0") if name)
    return frozenset() if folder in ignored else ignored


def project_folders() -> tuple[Path, ...]:
    """Return the folder of declared data of the project here or above, or of those below.

    Raises:
        NothingChecked: there is none.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PAYTABLES).is_dir():
            return (folder / PAYTABLES,)
    below = tuple(_find_projects(here))
    if below:
        return below
    raise NothingChecked(
        f"There is no folder {PAYTABLES} here or above, so nothing was checked.",
        remedy="Name files or folders, create a project with `certify init`, or "
        "check the library with --builtin.",
    )


def _list_files(folder: Path) -> list[Path]:
    inside = folder / PAYTABLES
    if catalog_folder(inside) is not None or game_folder(inside) is not None:
        return _json_files(folder)
    declared = dict.fromkeys([inside] if is_folder(inside) else [])
    declared.update(dict.fromkeys(_find_projects(folder)))
    return [file for part in declared or [folder] for file in _json_files(part)]


def _find_projects(folder: Path) -> Iterator[Path]:
    """Yield the folders of declared data of the projects below a folder, or in it."""
    for parent, folders, files in os.walk(folder):
        if PROJECT in files and PAYTABLES in folders:
            yield Path(parent) / PAYTABLES
        folders[:] = sorted(name for name in folders if name != PAYTABLES and _is_entered(name))


def _json_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are or look like JSON, without hidden ones."""
    return sorted(
        path
        for path in folder.rglob("*.*")
        if looks_like_json(path) and all(map(_is_entered, path.relative_to(folder).parts))
    )


def _is_entered(name: str) -> bool:
    return not name.startswith(".") and name != OTHERS


SETTINGS = (PROJECT, "pyproject.toml")
"""Files that decide how every file below them is judged."""


def only_changed(files: Iterable[Path], ref: str) -> tuple[Path, ...]:
    """Return the files that differ from the branch point, with the index and disk.

    A file that was removed is in no list, but what it leaves behind may be wrong: in its place come
    the files of its game, or all files where games share it. Settings that changed are about every
    file below them.

    Args:
        files: the files to choose from.
        ref: a commit or a branch, such as ``origin/main``.

    Raises:
        NotConfigured: this is no work tree of git, the commit is not known in it, or a file belongs
            to another one.
    """
    files = tuple(files)
    top = Path(_git(Path.cwd(), "rev-parse", "--show-toplevel").rstrip("\n"))
    for file in files:
        _refuse_others(file, top)
    base = _git(top, "merge-base", "--end-of-options", ref, "HEAD").strip()
    entries = _git(top, "diff", "--name-status", "--no-renames", "-z", base, "--").split("\0")
    changed: set[str] = set()
    judged_whole: set[str] = set()
    new = _git(top, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    pairs = [
        *zip(entries[::2], entries[1::2], strict=False),
        *(("A", name) for name in new if name),
    ]
    for status, name in pairs:
        path = top / name
        if path.name in SETTINGS:
            judged_whole.add(os.path.realpath(path.parent))
        elif status == "D":
            judged_whole.add(os.path.realpath(_left_behind(path)))
        else:
            changed.add(os.path.realpath(path))

    def is_changed(path: Path) -> bool:
        whole = os.path.realpath(path)
        return whole in changed or any(
            whole.startswith(f"{folder.rstrip(os.sep)}{os.sep}") for folder in judged_whole
        )

    return tuple(path for path in files if is_changed(path))


def _refuse_others(file: Path, top: Path) -> None:
    """Refuse a file that git does not track here: in a submodule, or outside of ``top``.

    Raises:
        NotConfigured: it is such a file.
    """
    here = Path(os.path.realpath(file))
    root = Path(os.path.realpath(top))
    for folder in here.parents:
        if folder == root:
            return
        if (folder / ".git").exists():
            break
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


def _git(folder: Path, *arguments: str) -> str:
    """Return the output of git."""
    import subprocess

    try:
        ran = subprocess.run(  # noqa: S603 - no shell, and the reference cannot be an option
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=True,
        )
    except FileNotFoundError as error:
        raise NotConfigured(
            "git was not found, so the changed files are unknown.",
            remedy="Install git, or omit --changed-since.",
        ) from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip() or "it has no commit in common with HEAD"
        raise NotConfigured(
            f"The changed files are unknown: {' '.join(said.split())}",
            remedy="Run certify in a git work tree, and name a commit of this clone; "
            "a shallow clone lacks most commits.",
        ) from error
    return ran.stdout
