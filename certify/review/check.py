"""Check of files: read, check and report all findings at once."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from certify import library
from certify.checks import h_house_ways
from certify.checks.framework import Context
from certify.checks.review import review
from certify.engine.hands.awards import row_counts, winning_rows
from certify.errors import CertifyError, NothingChecked, NotInstalled
from certify.figures.alternatives import find_invalid_alternatives
from certify.figures.audit import judge_figures
from certify.figures.evaluate import evaluate_each, house_way_for
from certify.figures.play import audit_house_ways, refused_options
from certify.figures.provenance import missing_papers
from certify.figures.targets import looks_at_set_hands
from certify.intake.files import find_links_outside, read
from certify.intake.layout import (
    OWN,
    PAYTABLES,
    DependencyGraph,
    PathNames,
    absolute,
    display_path,
    is_file,
    is_of_project,
)
from certify.intake.workspace import OpenedFile, Workspace
from certify.model.catalog import Catalog
from certify.model.finding import Document, Finding, Unfit
from certify.model.game import Wager
from certify.model.house_way import AuditedInGame, HouseWay
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import EarlierVersion, EntryOfWager, Paytable, depends_on_sides
from certify.report.wording import together
from certify.review.file_search import (
    find_files,
    find_misplaced_settings,
    find_missing,
    find_uncounted,
    find_uninstalled,
    notices,
    only_changed,
)


class CheckedPart(Struct, frozen=True, kw_only=True):
    """Findings on files that are checked together, their folder, and what was not judged."""

    folder: Path
    findings: tuple[Finding, ...]
    not_judged: tuple[Finding, ...] = ()


class CheckedFiles(Struct, frozen=True, kw_only=True):
    """Findings by project, the names of the checked files, and notices about the run."""

    parts: tuple[CheckedPart, ...]
    files: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, once."""
        return tuple(dict.fromkeys(finding for part in self.parts for finding in part.findings))

    @property
    def not_judged(self) -> tuple[Finding, ...]:
        """An entry for everything that the run should have judged and did not."""
        return tuple(dict.fromkeys(entry for part in self.parts for entry in part.not_judged))


def check(
    paths: Iterable[Path],
    *,
    changed_since: str | None = None,
    is_excluded: Callable[[Path], bool] = lambda _: False,
    workspace: Workspace | None = None,
) -> CheckedFiles:
    """Return the findings about ``paths``, files or folders.

    These are the findings in the given files, and errors and warnings elsewhere that involve these
    files. They do not depend on the number of given files.

    Args:
        paths: the files and folders.
        changed_since: check only files that changed since this commit; there may be none.
        is_excluded: True for a file to skip in folders.
        workspace: the overlays to read; none if not given.

    Raises:
        NothingChecked: there is no JSON file.
        NotConfigured: git cannot list the changes.
    """
    workspace = workspace or Workspace()
    searched = find_files(paths, is_excluded)
    named = searched.files
    # A pipe is there and is refused as a file; it is not waited for.
    if not any(workspace.has_file(path) or os.path.lexists(path) for path in named):
        raise NothingChecked(
            f"There is no file {display_path(named[0])}, so nothing was checked."
            if named
            else "No JSON file was found, so nothing was checked.",
            remedy="Name paytable files, or folders that contain them.",
        )
    unchanged = ""
    if changed_since is not None:
        named = only_changed(named, changed_since)
        left, whole = len(searched.files) - len(named), len(searched.files)
        unchanged = f"Unchanged since {changed_since}, so not checked: {left} of {whole} files."
    display = PathNames().display
    a_file_of = {path.parent: path for path in named}
    workspace_of = {folder: workspace.find_workspace(path) for folder, path in a_file_of.items()}
    by_workspace = together((workspace_of[path.parent], path) for path in named)
    parts: list[CheckedPart] = []
    alone: list[str] = []
    filed: list[str] = []
    for around, files in by_workspace.items():
        if around is not None and around.folder is not None:
            parts.append(_check_declared(around, around.folder, files))
            continue
        for path in files:
            home = workspace.for_filing(path)
            opened = home.open_file(path)
            parts.append(_check_alone(home, opened, path))
            if PAYTABLES in path.parts:
                alone.append(opened.file.name)
            if isinstance(opened.entry, Terms):
                filed.append(opened.file.name)
    parts += [
        CheckedPart(folder=absolute(Path(entry.file)).parent, findings=(), not_judged=(entry,))
        for entry in find_missing(searched.folders, searched.empty)
    ]
    return CheckedFiles(
        parts=tuple(parts),
        files=tuple(map(display, named)),
        notices=tuple(
            notices(
                alone=alone,
                filed=filed,
                skipped=[*map(display, searched.skipped)],
                faulty={finding.file for part in parts for finding in part.findings},
                untracked=[*map(display, filter({*named}.__contains__, searched.untracked))],
                unchanged=unchanged,
            )
        ),
    )


def check_unsaved(path: Path, data: bytes) -> CheckedFiles:
    """Return the findings about one file whose content an editor holds, at its place or none."""
    return check((path,), workspace=Workspace().overlay(path, data))


def _check_declared(workspace: Workspace, folder: Path, paths: Sequence[Path]) -> CheckedPart:
    """Return the findings that some files of a folder of declared data have a part in."""
    context = workspace.load_context(paths)
    catalog, keys = context.catalog, context.keys
    graph = DependencyGraph(catalog, keys)
    analyses, refusals = evaluate_each(_countable(catalog), graph.paytables_to_count())
    refusals, lacking = _split_lacking(refusals | refused_options(catalog, keys))
    judgements = tuple(
        judgement
        for game in catalog.games.values()
        for judgement in judge_figures(catalog, game, analyses)
    )
    audited, left_out, not_audited = _audit_house_ways(catalog, graph.house_ways_to_audit())
    lacking |= not_audited
    games = {key.partition("/")[0] for key in keys}
    options = [  # a state or an event moves no figure of a main wager
        (game, option)
        for game, option in graph.affected_options()
        if option.target not in refusals.keys() | lacking.keys()
        and (game.id in games or f"house-ways/{game.house_way}" in keys)
    ]

    def involves(key: str, *others: str) -> bool:
        return key in keys or graph.affects(key, *others)

    from certify.figures.stored_plays import judge_mains  # loads the recount

    mains = judge_mains(catalog, options, games, involves, analyses)
    not_judged = (
        *find_uninstalled(catalog, lacking),
        *find_uncounted(catalog, mains.uncounted, mains.unprinted),
    )
    findings = review(
        Context(
            catalog,
            analyses,
            (*judgements, *mains.printed),
            house_ways=audited,
            refusals=refusals,
            winning_rows=partial(_takers, catalog),
            notes_for=keys,
            involves=involves,
            judged=graph.affected_paytables,
            earlier_versions=_earlier_versions(keys, catalog, folder),
            main_edges=mains.edges,
        )
    )
    changed: tuple[Finding, ...] = ()
    if not (context.faults or workspace.is_game):
        from certify.filing.listing import changed_records  # few projects have a register

        changed = changed_records(folder.parent, catalog)
    key_of = {document.path: key for key, document in catalog.documents.items()}
    every = (
        *context.faults,
        *findings,
        *(
            finding
            for finding in changed
            if involves(*(key_of.get(file, file) for file in (finding.file, *finding.related)))
        ),
        *left_out,
        *mains.false_counts,
        *find_invalid_alternatives(catalog, keys),
        *missing_papers(catalog, folder, keys),
    )
    if is_of_project(folder):
        every = (*every, *find_links_outside(folder.parent))
        named = [*map(PathNames().display, paths)]
        every = _move_to_project(every, catalog, named)
        not_judged = (
            *_move_to_project(not_judged, catalog, named),
            *find_misplaced_settings(folder),
        )
    return CheckedPart(folder=folder, findings=every, not_judged=not_judged)


def _move_to_project(
    findings: Iterable[Finding], catalog: Catalog, named: Sequence[str]
) -> tuple[Finding, ...]:
    """Return findings in files of the library as findings in the project's file that causes them.

    Nobody can change the library, and no file of the repository has its path.
    """
    documents = catalog.documents.values()
    editable = {each.path for each in documents if each.evidence_path.startswith(f"{OWN}/")}
    editable.update(named)
    library_files = {each.path for each in documents} - editable
    return tuple(
        Document(path=[*filter(editable.__contains__, finding.related), *named][0]).finding(
            finding.code,
            "",
            f"{finding.file}: {finding.message}",
            finding.remedy,
            severity=finding.severity,
            related=(finding.file,),
        )
        if finding.file in library_files
        else finding
        for finding in findings
    )


def _split_lacking(
    refusals: Mapping[str, CertifyError],
) -> tuple[dict[str, CertifyError], dict[str, NotInstalled]]:
    """Return the refusals that are faults of a file, and those for lack of an optional package."""
    lacking = {key: error for key, error in refusals.items() if isinstance(error, NotInstalled)}
    return {key: error for key, error in refusals.items() if key not in lacking}, lacking


def _check_alone(workspace: Workspace, opened: OpenedFile, path: Path) -> CheckedPart:
    """Return the findings of a file that is in no folder of declared data."""
    catalog, entry, folder = opened.catalog, opened.entry, path.parent
    if entry is None:
        return CheckedPart(folder=folder, findings=opened.findings)
    if isinstance(entry, Terms):
        return _check_filing(workspace, opened, path, entry)
    analyses, refusals = evaluate_each(
        _countable(catalog), [entry] if isinstance(entry, Paytable) else []
    )
    if isinstance(entry, MainWager):
        refusals |= refused_options(catalog, {entry.target})
    refusals, lacking = _split_lacking(refusals)
    audited, left_out, not_audited = _audit_house_ways(
        catalog, [entry.id] if isinstance(entry, HouseWay) else []
    )
    findings = review(
        Context(
            catalog,
            analyses,
            house_ways=audited,
            refusals=refusals,
            winning_rows=partial(_takers, catalog),
            earlier_versions=_earlier_versions(
                [entry.target] if isinstance(entry, EntryOfWager) else (), catalog
            ),
        )
    )
    in_file = (finding for finding in findings if finding.file == opened.file.name)
    return CheckedPart(
        folder=folder,
        findings=(*opened.findings, *in_file, *left_out),
        not_judged=tuple(find_uninstalled(catalog, lacking | not_audited)),
    )


def _check_filing(
    workspace: Workspace, opened: OpenedFile, path: Path, terms: Terms
) -> CheckedPart:
    """Return the findings of a filing and of its files that keep it from being filed."""
    from certify.filing.order import review_file

    catalog, document = opened.catalog, opened.file.document
    found: tuple[Finding, ...] = ()
    lacking: dict[str, NotInstalled] = {}
    try:
        found = review_file(
            terms, document, catalog, *workspace.layers, path=path, overlays=workspace.overlays
        )
    except NotInstalled as error:
        lacking[document.path] = error
    return CheckedPart(
        folder=path.parent,
        findings=(*opened.findings, *_move_to_project(found, catalog, [document.path])),
        not_judged=tuple(find_uninstalled(catalog, lacking)),
    )


def _audit_house_ways(
    catalog: Catalog, names: Collection[str]
) -> tuple[tuple[AuditedInGame, ...] | None, tuple[Finding, ...], dict[str, NotInstalled]]:
    """Audit house ways; return a finding for each refused one, and those that lack a package."""
    audited: list[AuditedInGame] = []
    refused: list[Finding] = []
    lacking: dict[str, NotInstalled] = {}
    for name in names:
        try:
            audited += audit_house_ways(catalog, only=(name,))
        except NotInstalled as error:
            lacking[f"house-ways/{name}"] = error
        except CertifyError as error:
            document = catalog.documents[f"house-ways/{name}"]
            faults = error.findings if isinstance(error, Unfit) else ()
            message = " ".join(finding.message for finding in faults) or error.message
            refused.append(
                document.finding(h_house_ways.not_audited.code.id, "", message, error.remedy)
            )
    is_known = audited or not (refused or lacking)
    return (tuple(audited) if is_known else None), tuple(refused), lacking


def _takers(catalog: Catalog, paytable: Paytable, place: int) -> tuple[int, ...] | None:
    """Return the rows that are awarded a row's hands, by any house way that the game lists.

    None for a wager on two hands by which no house way pays the row.
    """
    game = catalog.games[paytable.game]
    names = game.house_ways if looks_at_set_hands(catalog, paytable) else (None,)
    events, hands, taking = catalog.events, game.hands, set[int]()
    listed = [events[row.event] for row in paytable.rows if row.event in events]
    both = depends_on_sides(paytable, listed)
    try:
        for name in names:
            way = house_way_for(catalog, game, paytable, name)
            if not both:
                rows = winning_rows(paytable, place, events=events, hands=hands, house_way=way)
                taking.update(rows)
            elif row_counts(paytable, events=events, hands=hands, house_way=way)[1][place]:
                taking.add(place)
    except CertifyError:
        return None  # another finding says that it cannot be counted
    return tuple(sorted(taking)) or (None if both else ())


def _earlier_versions(
    keys: Collection[str], catalog: Catalog, folder: Path | None = None
) -> dict[str, list[EarlierVersion]]:
    """Return the built-in and the approved entries with these ids.

    A folder of declared data that is not of a project is the built-in data itself.
    """
    if folder is not None and not is_of_project(folder):
        return {}
    from certify.filing.listing import approved_pays
    from certify.filing.order import read_built_in

    wagers = (wager for game in catalog.games.values() for wager in game.wagers)
    records = [each for wager in wagers for each in (*wager.records, *wager.envies)]
    targets = [record.target for record in records if record.target in keys]
    versions = approved_pays(folder.parent, targets, catalog) if folder is not None else {}
    versions = read_built_in(catalog, keys) | versions
    files = {target: library.paytables() / f"{target}.json" for target in targets}
    read_files = {target: read(path, None) for target, path in files.items() if is_file(path)}
    for target, file in read_files.items():
        if file.sound:
            kind = file.kind if file.kind == "paytable" else "entry"
            name = f"the built-in {kind} {file.document.value['id']}"
            versions.setdefault(target, []).insert(0, EarlierVersion(name, file.document.value))
    return versions


def _countable(catalog: Catalog) -> Catalog:
    """Return the catalog without references from paytables to missing envy tables.

    This is reported as a finding, and the pays of the paytable can be counted without it.
    """

    def drop_missing_envies(wager: Wager) -> Wager:
        tables = (
            replace(paytable, envy=None)
            if paytable.envy is not None and wager.find_envy(paytable) is None
            else paytable
            for paytable in wager.paytables
        )
        return replace(wager, paytables=tuple(tables))

    games = {
        name: replace(game, wagers=tuple(drop_missing_envies(wager) for wager in game.wagers))
        for name, game in catalog.games.items()
    }
    return replace(catalog, games=games)
