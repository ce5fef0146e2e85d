"""Files of a run of `check`: those that it judges, and the ledger of those that it does not."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from certify.errors import NotConfigured, NothingChecked, NotInstalled
from certify.figures.play import Play
from certify.figures.second_counts import is_covered
from certify.intake.layout import (
    FILINGS,
    PAYTABLES,
    SHARED,
    absolute,
    catalog_folder,
    display_path,
    game_folder,
    is_folder,
)
from certify.intake.read import looks_like_json
from certify.model.catalog import Catalog
from certify.model.finding import Code, Document, Finding
from certify.model.source import PublishedFigure
from certify.received.files import GIT, PROJECT, leads_outside, refuse_outside, walk
from certify.received.repository import (
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
        listed = [absolute(file) for file in _list_files(path)]
        if not listed:
            empty.append(absolute(path))
        ignored, others = find_untracked(listed, absolute(path))
        untracked |= others
        for file in listed:
            (skipped if file in ignored or is_excluded(file) else files)[file] = None
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
    names = {file: _find_name(file, top) for file in files}
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


def _find_name(file: Path, top: Path) -> Path | None:
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


N001 = Code(
    "N001",
    "A file was not judged",
    why=(
        "A run that did not read a file says nothing on it. Findings make the exit code 1; if "
        "nothing is wrong except that something was not judged, it is 4."
    ),
    fix="Give the run the file, or accept its absence under `[[check.accepted]]` in the settings.",
    wrong="`certify check a b`, where `b` is a submodule without content",
    right="`git submodule update --init b`, then `certify check a b`",
)

N002 = Code(
    "N002",
    "A figure was not judged",
    why=(
        "`check` counts no main wager and judges it by the count in `second-counts.json`. Without "
        "one its return and its printed figures are not judged, and neither are wagers and house "
        "ways that an optional package counts. A cache never decides. A stored count is compared "
        "with the declaration, the number of deals and its own house edge; `check` does not repeat "
        "it. `certify crosscheck` does."
    ),
    fix="Store a verification count: `certify crosscheck TARGET --store`.",
    wrong="an option of the project's own without a count in `second-counts.json`",
    right="the same, after `certify crosscheck my-game/main/1 --store`",
)

NOT_COVERED = (
    "The verification count does not cover it. Count it with `certify evaluate {target}`, and "
    "accept this finding under `[[check.accepted]]` with the name of whoever judged the figures."
)


SOME = 5
"""Most file names in a notice."""


def notices(
    *,
    alone: Sequence[str],
    filed: Sequence[str],
    skipped: Sequence[str],
    faulty: Collection[str],
    untracked: Sequence[str],
    unchanged: str,
) -> Iterator[str]:
    """Yield the notices on files that a run did not check, or not as files of a project.

    Args:
        alone: files below a folder `paytables` that do not belong to a project.
        filed: files of filings.
        skipped: files in the given folders that are excluded or ignored.
        faulty: the files with findings.
        untracked: files that were checked, and that git does not track.
        unchanged: the sentence on files that did not change, if only others are checked.
    """
    if unchanged:
        yield unchanged
    if alone:
        yield (
            f"Checked alone, not as files of a project: {_some(alone)}. There is no {PROJECT} next "
            f"to the folder {PAYTABLES}; `certify init` writes it."
        )
    if filed:
        yield (
            f"Judged without the figures of the filing, which `certify submit` counts: "
            f"{_some(filed)}."
        )
    needed = [name for name in skipped if name in faulty]
    idle = [name for name in skipped if name not in faulty]
    if needed:
        yield f"Excluded, or ignored by git, but checked files need them: {_some(needed)}."
    if idle:
        yield f"Excluded, or ignored by git: {_some(idle)}."
    if untracked:
        yield f"Judged, but not tracked by git, so a checkout lacks them: {_some(untracked)}."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return f"{', '.join(names[:SOME])}{more}"


def find_uninstalled(catalog: Catalog, lacking: Mapping[str, NotInstalled]) -> Iterator[Finding]:
    """Yield an entry for each record that was not counted without an optional package."""
    for key, error in lacking.items():
        document = catalog.documents.get(key, Document(path=key))
        yield document.finding(N002.id, "", f"{key} was not counted. {error.message}", error.remedy)


def find_uncounted(
    catalog: Catalog,
    plays: Iterable[Play],
    printed: Iterable[tuple[PublishedFigure, Play]] = (),
) -> Iterator[Finding]:
    """Yield an entry for each main wager, and each other play of a figure, without a stored count.

    Args:
        catalog: the records.
        plays: the declared plays of main wagers without a stored count.
        printed: printed figures, each with the play that it is for.
    """
    seen = set[tuple[str, str, str]]()
    for play in plays:
        seen.add(_name_play(play))
        target = play.option.target
        message = f"The return of {target} was not judged: no verification count of it is stored."
        document = catalog.documents[target]
        yield document.finding(N002.id, "", message, _advise(catalog, play))
    for figure, play in printed:
        if _name_play(play) in seen:
            continue
        seen.add(_name_play(play))
        document = catalog.documents[f"{play.game.id}/published"]
        places = [each["id"] for each in document.value["figures"]]
        message = (
            f"Printed figures of {figure.target} by the house way {play.house_way.id} were not "
            "judged: no verification count of this play is stored."
        )
        pointer = f"/figures/{places.index(figure.id)}"
        yield document.finding(N002.id, pointer, message, _advise(catalog, play))


def _name_play(play: Play) -> tuple[str, str, str]:
    return play.option.target, play.house_way.id, str(play.strategy)


def _advise(catalog: Catalog, play: Play) -> str:
    """Return the command that stores a count of a play."""
    target = play.option.target
    try:
        covered = is_covered(catalog, target)
    except ValueError:  # a file of the game has errors, which other findings report
        return f"Correct the other findings first, then run `certify crosscheck {target} --store`."
    if not covered:
        return NOT_COVERED.format(target=target)
    way = (
        ""
        if play.house_way.id in ("", play.game.house_way)
        else f" --house-way {play.house_way.id}"
    )
    return f"Run `certify crosscheck {target}{way} --store`."


def find_missing(folders: Iterable[Path], empty: Collection[Path]) -> Iterator[Finding]:
    """Yield an entry for each named folder without files, and each tracked file that is not here.

    Args:
        folders: the named folders.
        empty: those in which no JSON file was found.
    """
    modules, files = set[Path](), set[Path]()
    for folder in folders:
        try:
            repository = find_repository(folder)
            if repository is None or not repository.may_lack_files:
                continue
            lacking, left_out = repository.list_absent()
        except NotConfigured:
            yield _entry(folder, UNKNOWN, "Check a whole clone, where git is installed.")
            continue
        modules |= {path for path in lacking if path.is_relative_to(folder)}
        files |= {path for path in left_out if _is_declared(path, folder)}
    for folder in empty:
        if folder not in modules:
            yield _entry(folder, f"There is no JSON file in {display_path(folder)}.")
    for path in sorted(modules):
        name = display_path(path)
        yield _entry(
            path,
            f"{name} is a submodule without content.",
            f"Run `git submodule update --init {name}`.",
        )
    for path in sorted(files):
        yield _entry(
            path,
            f"{display_path(path)} is tracked by git, and a sparse checkout leaves it out.",
            "Check out the whole project.",
        )


UNKNOWN = "It is unknown which files of this repository are missing: git cannot list them."


def _is_declared(path: Path, folder: Path) -> bool:
    """Return True for the path of a declared file, or of settings, below a folder."""
    if not path.is_relative_to(folder):
        return False
    parts = path.relative_to(folder).parts
    declared = PAYTABLES in (*parts, folder.name) and looks_like_json(path)
    return declared or path.name == PROJECT


def find_misplaced_settings(folder: Path) -> Iterator[Finding]:
    """Yield an entry for each file of settings in a project's folder of declared data."""
    for path in walk(folder):
        if path.name == PROJECT:
            yield _entry(
                path,
                f"Settings below the folder {PAYTABLES} are not read.",
                f"Move them next to the folder {PAYTABLES}.",
            )


def _entry(path: Path, message: str, remedy: str = "") -> Finding:
    document = Document(path=display_path(path))
    return document.finding(N001.id, "", message, remedy or N001.advice())
