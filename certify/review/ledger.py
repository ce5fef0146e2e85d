"""The ledger of a run of `check`: files and figures that it did not judge, each with the reason."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from certify.errors import NotConfigured, NotInstalled
from certify.figures.play import Play
from certify.figures.second_counts import is_covered
from certify.intake.layout import PAYTABLES, display_path
from certify.intake.read import looks_like_json
from certify.model.catalog import Catalog
from certify.model.finding import Code, Document, Finding
from certify.model.source import PublishedFigure
from certify.received.files import PROJECT, walk
from certify.received.repository import find_repository

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
    skipped: Sequence[str],
    faulty: Collection[str],
    untracked: Sequence[str],
    unchanged: str,
) -> Iterator[str]:
    """Yield the notices on files that a run did not check, or not as files of a project.

    Args:
        alone: files below a folder `paytables` that do not belong to a project.
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
        message = f"{key} was not counted. {error.message}"
        yield document.finding(N002.id, "", message, error.remedy)


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
        remedy = f"Run `git submodule update --init {name}`."
        yield _entry(path, f"{name} is a submodule without content.", remedy)
    for path in sorted(files):
        message = f"{display_path(path)} is tracked by git, and a sparse checkout leaves it out."
        yield _entry(path, message, "Check out the whole project.")


UNKNOWN = "It is unknown which files of this repository are missing: git cannot list them."


def _is_declared(path: Path, folder: Path) -> bool:
    """Return True for the path of a declared file, or of settings, below a folder."""
    if not path.is_relative_to(folder):
        return False
    parts = path.relative_to(folder).parts
    declared = PAYTABLES in (*parts, folder.name) and looks_like_json(path)
    return declared or path.name == PROJECT


def find_settings(folder: Path) -> Iterator[Finding]:
    """Yield an entry for each file of settings in a project's folder of declared data."""
    for path in walk(folder):
        if path.name == PROJECT:
            message = f"Settings below the folder {PAYTABLES} are not read."
            yield _entry(path, message, f"Move them next to the folder {PAYTABLES}.")


def _entry(path: Path, message: str, remedy: str = "") -> Finding:
    document = Document(path=display_path(path))
    return document.finding(N001.id, "", message, remedy or N001.advice())
