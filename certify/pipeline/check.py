"""Check of files: read, check and report all findings at once."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from certify import checks, intake, library
from certify.checks.check import Check, Context, iter_objects
from certify.checks.house_ways import not_audited
from certify.checks.review import review
from certify.engine.hands.awards import takers
from certify.errors import CertifyError, NothingChecked, NotInstalled
from certify.intake.decode import decode
from certify.intake.files import read
from certify.intake.layout import (
    PAYTABLES,
    DependencyGraph,
    display_path,
    is_file,
    is_folder,
    is_of_project,
)
from certify.intake.workspace import OpenedFile, Workspace
from certify.library import PROJECT
from certify.model.catalogue import Catalogue
from certify.model.finding import Code, Finding, Severity, Unfit
from certify.model.game import Game, Wager
from certify.model.house_way import AuditedInGame, HouseWay
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import EarlierPays, HandOf, Paytable
from certify.pipeline.alternatives import misfits
from certify.pipeline.artwork import R015
from certify.pipeline.audit import judge_figures
from certify.pipeline.evaluate import evaluate_each, house_way_for
from certify.pipeline.file_search import find_files, only_changed
from certify.pipeline.findings import C001, C002, C003
from certify.pipeline.play import audit_house_ways, declared_play, load_count, refused_options
from certify.pipeline.provenance import D019, missing_papers

SOME = 5
"""Most file names in a notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPart:
    """Findings on files that are checked together, and their folder.

    ``uncounted`` are the targets of main wagers whose return was not checked.
    """

    folder: Path
    findings: tuple[Finding, ...]
    uncounted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Findings by project, the names of the checked files, and notices about the run."""

    parts: tuple[CheckedPart, ...]
    names: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, once."""
        return tuple(dict.fromkeys(finding for part in self.parts for finding in part.findings))

    @property
    def files(self) -> int:
        """The number of checked files."""
        return len(self.names)


def check(
    paths: Iterable[Path],
    *,
    changed_since: str | None = None,
    leave_out: Path | None = None,
    workspace: Workspace | None = None,
) -> Checked:
    """Return the findings about ``paths``, files or folders.

    These are the findings in the given files, and errors and warnings elsewhere that involve these
    files. They do not depend on the number of given files.

    Args:
        paths: the files and folders.
        changed_since: check only files that changed since this commit; there may be none.
        leave_out: a file that is skipped in folders.
        workspace: the overlays to read; none if not given.

    Raises:
        NothingChecked: there is no JSON file.
        NotConfigured: git cannot list the changes.
    """
    workspace = workspace or Workspace()
    named = find_files(paths, leave_out=leave_out)
    if not any(workspace.has_file(path) or is_folder(path) for path in named):
        raise NothingChecked(
            f"There is no file {display_path(named[0])}, so nothing was checked."
            if named
            else "No JSON file was found, so nothing was checked.",
            remedy="Name paytable files, or folders that contain them.",
        )
    if changed_since is not None:
        named = only_changed(named, changed_since)
    by_workspace: dict[Workspace | None, list[Path]] = {}
    for path in named:
        by_workspace.setdefault(workspace.find_workspace(path), []).append(path)
    parts: list[CheckedPart] = []
    alone: list[str] = []
    for around, files in by_workspace.items():
        if around is not None and around.folder is not None:
            parts.append(_check_declared(around, around.folder, files))
            continue
        for path in files:
            opened = workspace.open_file(path)
            parts.append(_check_alone(opened, path.parent))
            if PAYTABLES in path.parts:
                alone.append(opened.file.name)
    uncounted = [target for part in parts for target in part.uncounted]
    return Checked(
        parts=tuple(parts),
        names=tuple(display_path(path) for path in named),
        notices=(
            *((_judged_alone(alone),) if alone else ()),
            *((_uncounted_notice(uncounted),) if uncounted else ()),
        ),
    )


def _judged_alone(names: Sequence[str]) -> str:
    """Return a notice that files below a folder `paytables` do not belong to a project."""
    listed = ", ".join(names[:SOME])
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return (
        f"Checked alone, not as files of a project: {listed}{more}. There "
        f"is no {PROJECT} next to the folder {PAYTABLES}; `certify init` "
        "writes it."
    )


def _uncounted_notice(targets: Sequence[str]) -> str:
    """Return the notice on main wagers that were never counted, so their return was not checked."""
    listed = ", ".join(targets[:SOME])
    more = f" and {len(targets) - SOME} more" if len(targets) > SOME else ""
    return (
        f"P015 was not checked, because these main wagers have no cached count: {listed}{more}. "
        "Run `certify evaluate TARGET` to count one."
    )


def check_unsaved(path: Path, data: bytes) -> Checked:
    """Return the findings about one file whose content an editor holds, at its place or none."""
    return check((path,), workspace=Workspace().overlay(path, data))


def _check_declared(workspace: Workspace, folder: Path, paths: Sequence[Path]) -> CheckedPart:
    """Return the findings that some files of a folder of declared data have a part in."""
    context = workspace.load_context(paths)
    catalogue, keys = context.catalogue, context.keys
    graph = DependencyGraph(catalogue, keys)
    analyses, refusals = evaluate_each(_countable(catalogue), graph.paytables_to_count())
    refusals = {  # a missing extra is reported for these files only
        target: error
        for target, error in (refusals | refused_options(catalogue, keys)).items()
        if target in keys or not isinstance(error, NotInstalled)
    }
    judgements = tuple(
        judgement
        for game in catalogue.games.values()
        for judgement in judge_figures(catalogue, game, analyses)
    )
    audited, left_out = _audit_house_ways(catalogue, graph.house_ways_to_audit())
    games = {key.partition("/")[0] for key in keys}
    options = [  # a state or an event moves no figure of a main wager
        (game, option)
        for game, option in graph.affected_options()
        if option.target not in refusals
        and (game.id in games or f"house-ways/{game.house_way}" in keys)
    ]
    edges, uncounted = _main_edges(catalogue, options)
    key_of = {document.path: key for key, document in catalogue.documents.items()}

    def involves_paths(finding: Finding) -> bool:
        own, *others = (key_of.get(file, file) for file in (finding.file, *finding.related))
        return own in keys or graph.affects(own, *others)

    findings = review(
        Context(
            catalogue,
            analyses,
            judgements,
            house_ways=audited,
            refusals=refusals,
            takers=partial(_takers, catalogue),
            noted=keys,
            earlier_pays=_earlier_pays(keys, folder),
            main_edges=edges,
        )
    )
    changed = () if context.faults or workspace.is_game else _check_approved(folder, catalogue)
    every = (
        *context.faults,
        *filter(involves_paths, (*findings, *changed)),
        *left_out,
        *misfits(catalogue, keys),
        *missing_papers(catalogue, folder, keys),
    )
    return CheckedPart(folder=folder, findings=every, uncounted=uncounted)


def _check_approved(folder: Path, catalogue: Catalogue) -> tuple[Finding, ...]:
    """Return the approved records whose content has changed; few projects have a register."""
    from certify.pipeline.listing import changed_records

    return changed_records(folder.parent, catalogue)


def _check_alone(opened: OpenedFile, folder: Path) -> CheckedPart:
    """Return the findings of a file that is in no folder of declared data."""
    catalogue, entry = opened.catalogue, opened.entry
    if entry is None:
        return CheckedPart(folder=folder, findings=opened.findings)
    tables = [entry] if isinstance(entry, Paytable) else []
    analyses, refusals = evaluate_each(_countable(catalogue), tables)
    if isinstance(entry, MainWager):
        refusals |= refused_options(catalogue, {entry.target})
    ways = [entry.id] if isinstance(entry, HouseWay) else []
    audited, left_out = _audit_house_ways(catalogue, ways)
    findings = review(
        Context(
            catalogue,
            analyses,
            house_ways=audited,
            refusals=refusals,
            takers=partial(_takers, catalogue),
            terms=entry if isinstance(entry, Terms) else None,
            earlier_pays=_earlier_pays([table.target for table in tables]),
        )
    )
    own = (finding for finding in findings if finding.file == opened.file.name)
    return CheckedPart(folder=folder, findings=(*opened.findings, *own, *left_out))


def _audit_house_ways(
    catalogue: Catalogue, names: Collection[str]
) -> tuple[tuple[AuditedInGame, ...] | None, tuple[Finding, ...]]:
    """Audit house ways; yield a finding for each one that could not be audited."""
    audited: list[AuditedInGame] = []
    refused: list[Finding] = []
    code = not_audited.code
    for name in names:
        try:
            audited += audit_house_ways(catalogue, only=(name,))
        except CertifyError as error:
            severity = code.severity if isinstance(error, NotInstalled) else Severity.ERROR
            document = catalogue.documents[f"house-ways/{name}"]
            message = _message(error)
            refused.append(document.finding(code.id, "", message, error.remedy, severity=severity))
    return (tuple(audited) if audited or not refused else None), tuple(refused)


def _message(error: CertifyError) -> str:
    """Return the reason for a refusal: its findings, or else its message."""
    found = error.findings if isinstance(error, Unfit) else ()
    return " ".join(finding.message for finding in found) or error.message


def _takers(catalogue: Catalogue, paytable: Paytable, place: int) -> tuple[int, ...] | None:
    """Return the rows that are awarded a row's hands; None for a wager on two hands."""
    if paytable.hand is HandOf.BOTH:
        return None
    game = catalogue.games[paytable.game]
    try:
        return takers(
            paytable,
            place,
            events=catalogue.events,
            hands=game.hands,
            house_way=house_way_for(catalogue, game, paytable),
        )
    except CertifyError:
        return None  # another finding says that it cannot be counted


def _main_edges(
    catalogue: Catalogue, options: Iterable[tuple[Game, MainWager]]
) -> tuple[dict[str, Fraction], tuple[str, ...]]:
    """Return the house edges that were counted earlier, and the targets of the other options."""
    from certify.pipeline.crosscheck.second_counts import find_count

    edges: dict[str, Fraction | None] = {}
    for game, option in options:
        play = declared_play(option, game, catalogue)
        if play is not None:
            known = load_count(option, game, catalogue) or find_count(catalogue, play, game)
            edges[option.target] = known.house_edge if known else None
    found = {target: edge for target, edge in edges.items() if edge is not None}
    return found, tuple(target for target, edge in edges.items() if edge is None)


def _earlier_pays(
    targets: Collection[str], folder: Path | None = None
) -> dict[str, list[EarlierPays]]:
    """Return the pays of the built-in and the approved paytables with these ids.

    A folder of declared data that is not of a project is the built-in data itself.
    """
    if folder is not None and not is_of_project(folder):
        return {}
    from certify.pipeline.listing import approved_pays

    found = approved_pays(folder.parent, targets) if folder is not None else {}
    files = {target: library.paytables() / f"{target}.json" for target in targets}
    read_files = {target: read(path, None) for target, path in files.items() if is_file(path)}
    for target, file in read_files.items():
        if file.kind == "paytable" and file.sound:
            built_in: Paytable = decode("paytable", file.document.value)
            earlier = EarlierPays(f"the built-in paytable {built_in.id}", built_in.odds)
            found.setdefault(target, []).insert(0, earlier)
    return found


def _countable(catalogue: Catalogue) -> Catalogue:
    """Return the catalog without references from paytables to missing envy tables.

    This is reported as a finding, and the pays of the paytable can be counted without it.
    """

    def wager_at(wager: Wager) -> Wager:
        tables = (
            paytable if wager.find_envy(paytable) else replace(paytable, envy=None)
            for paytable in wager.paytables
        )
        return replace(wager, paytables=tuple(tables))

    games = {
        name: replace(game, wagers=tuple(wager_at(wager) for wager in game.wagers))
        for name, game in catalogue.games.items()
    }
    return replace(catalogue, games=games)


FAMILIES = "JSDPMEGHFRC"
"""The first letters of the codes, in the order in which a file is judged."""

_DECLARED = {
    each.code if isinstance(each, Check) else each
    for each in (*iter_objects(intake), *iter_objects(checks), R015, C001, C002, C003, D019)
    if isinstance(each, Check | Code)
}

CODES = tuple(sorted(_DECLARED, key=lambda code: (FAMILIES.index(code.id[0]), code.id)))
"""All codes, family by family."""


def page(code: Code) -> str:
    """Return the documentation page of a code, as Markdown."""
    return f"# {code.id}: {code.title}\n\nSeverity: {code.severity}\n\n{code.page('## ')}"


def documentation() -> dict[str, str]:
    """Return the files of ``docs/reference/findings`` by name: a page for each code, the index."""
    lines = [f"| [{code.id}]({code.id}.md) | {code.severity} | {code.title} |" for code in CODES]
    head = "# Finding codes\n\n| code | severity | what is found |\n|---|---|---|\n"
    index = head + "\n".join(lines) + "\n"
    return {f"{code.id}.md": page(code) for code in CODES} | {"README.md": index}
