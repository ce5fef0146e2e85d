"""Check: read files, judge what they mean, and say what is wrong with all of them at once."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from certify import library
from certify.checks.review import review
from certify.errors import NotConfigured, NothingChecked
from certify.intake.catalogue import read_catalogue
from certify.intake.layout import catalogue_folder, shown
from certify.intake.single import FileReading, open_file
from certify.model.analysis import Analysis
from certify.model.audit import FigureJudgement
from certify.model.catalogue import Catalogue
from certify.model.finding import Finding, Severity
from certify.model.house_way import HouseWay
from certify.model.paytable import Paytable
from certify.model.published import PublishedFigure
from certify.model.terms import Terms
from certify.pipeline.audit import judge_figures
from certify.pipeline.evaluate import Settings, evaluate_all
from certify.pipeline.house_way_audit import audit_house_ways


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was found, and the names of the files that were looked at."""

    findings: tuple[Finding, ...]
    names: tuple[str, ...]

    @property
    def files(self) -> int:
        """How many files were looked at."""
        return len(self.names)


def check(paths: Iterable[Path]) -> Checked:
    """Return the findings about ``paths`` (files or folders), or about everything declared.

    Raises:
        NothingChecked: no JSON file is among them.
    """
    named = _files(paths)
    if named is None:
        return _check_folder(library.paytables())
    if not any(path.exists() for path in named):
        raise NothingChecked(
            f"There is no file {named[0]}, so nothing was checked."
            if named
            else "No JSON file was found, so nothing was checked.",
            remedy="Name paytable files, or folders that hold them.",
        )
    found: list[Finding] = []
    for folder, group in groupby(named, key=catalogue_folder):
        files = tuple(group)
        if folder is None or len(files) < TOGETHER:
            found.extend(finding for path in files for finding in _check_file(path))
        else:
            names = {shown(path) for path in files}
            found.extend(one for one in _check_folder(folder).findings if one.file in names)
    return Checked(findings=tuple(dict.fromkeys(found)), names=tuple(shown(path) for path in named))


TOGETHER = 4
"""From so many files of one folder on, reading all of the folder once is quicker."""


def _check_folder(folder: Path) -> Checked:
    """Return the findings of everything declared in a folder."""
    catalogue, findings = read_catalogue(folder)
    analyses, refusal = _evaluated(catalogue, _paytables(catalogue))
    judgements = _judged(catalogue, analyses)
    findings += review(catalogue, analyses, judgements, audited=audit_house_ways(catalogue))
    _raise_unexplained(refusal, findings)
    names = tuple(one.path for one in catalogue.documents.values())
    return Checked(findings=findings, names=names)


def _check_file(path: Path) -> tuple[Finding, ...]:
    """Return the findings of one file, judged in its place among everything declared."""
    reading = open_file(path)
    if not reading.file.sound:
        return reading.findings
    catalogue, record, name = reading.catalogue, reading.record, reading.file.name
    figures = _figures_of(reading) if reading.file.kind == "published" else ()
    about = {one.target for one in figures} | {one.reading.target for one in figures if one.reading}
    tables = [table for table in _paytables(catalogue) if table == record or table.target in about]
    analyses, refusal = _evaluated(catalogue, tables)
    ways = [record.id] if isinstance(record, HouseWay) else []
    found = review(
        catalogue,
        analyses,
        _judged(catalogue, analyses) if tables else (),
        audited=audit_house_ways(catalogue, only=ways) if ways else None,
        terms=record if isinstance(record, Terms) else None,
    )
    declared = catalogue_folder(path) is not None
    found = tuple(one for one in found if one.file == name or (declared and _differs(one)))
    findings = reading.findings + found
    _raise_unexplained(refusal, findings)
    return findings


def _figures_of(reading: FileReading) -> tuple[PublishedFigure, ...]:
    """Return what a file of printed figures holds, if it stands among what is declared."""
    for game, figures in reading.catalogue.published.items():
        if reading.catalogue.documents[f"{game}/published"].path == reading.file.name:
            return figures
    return ()


def _differs(finding: Finding) -> bool:
    """Whether a printed figure of another file differs from what the checked one pays."""
    return finding.code == "F001" and finding.severity is Severity.ERROR


def _paytables(catalogue: Catalogue) -> Iterator[Paytable]:
    for game in catalogue.games.values():
        for wager in game.wagers:
            yield from wager.paytables


def _evaluated(
    catalogue: Catalogue, tables: Iterable[Paytable]
) -> tuple[dict[str, Analysis], NotConfigured | None]:
    """Evaluate what can be; a paytable that cannot is left out, and the first reason returned."""
    analyses: dict[str, Analysis] = {}
    refusal: NotConfigured | None = None
    for paytable in tables:
        try:
            analyses |= evaluate_all(catalogue, Settings(), only=(paytable,))
        except NotConfigured as error:
            refusal = refusal or error
    return analyses, refusal


def _judged(catalogue: Catalogue, analyses: Mapping[str, Analysis]) -> tuple[FigureJudgement, ...]:
    return tuple(
        judgement
        for game in catalogue.games.values()
        for judgement in judge_figures(catalogue, game, analyses)
    )


def _raise_unexplained(refusal: NotConfigured | None, findings: Iterable[Finding]) -> None:
    """Raise if a paytable could not be evaluated and no error says why: that is never a pass."""
    if refusal is not None and not any(one.severity is Severity.ERROR for one in findings):
        raise refusal


def _files(paths: Iterable[Path]) -> list[Path] | None:
    """Return the JSON files under ``paths``, in order; None where no path was given."""
    given = list(paths)
    if not given:
        return None
    files: dict[Path, None] = {}
    for path in given:
        found = _within(path) if path.is_dir() else [path]
        files.update(dict.fromkeys(found))
    return list(files)


def _within(folder: Path) -> list[Path]:
    """Return the JSON files of a folder in order; what is hidden is not looked at."""
    return sorted(
        path
        for path in folder.rglob("*.json")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
