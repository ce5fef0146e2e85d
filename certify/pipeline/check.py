"""Check: read files, judge what they mean, and say what is wrong with all of them at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from certify import library
from certify.checks.review import review
from certify.errors import NothingChecked
from certify.intake.catalogue import read_catalogue
from certify.intake.layout import catalogue_folder, shown
from certify.intake.single import open_file
from certify.model.finding import Finding
from certify.model.paytable import Paytable
from certify.pipeline.audit import judge_figures
from certify.pipeline.evaluate import Settings, evaluate_all


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
    analyses = evaluate_all(catalogue, Settings())
    judgements = tuple(
        judgement
        for game in catalogue.games.values()
        for judgement in judge_figures(catalogue, game, analyses)
    )
    findings += review(catalogue, analyses, judgements)
    names = tuple(one.path for one in catalogue.documents.values())
    return Checked(findings=findings, names=names)


def _check_file(path: Path) -> tuple[Finding, ...]:
    """Return the findings of one file, judged in its place among everything declared."""
    reading = open_file(path)
    if not reading.file.sound:
        return reading.findings
    record = reading.record
    tables = (record,) if isinstance(record, Paytable) else ()
    analyses = evaluate_all(reading.catalogue, Settings(), only=tables)
    found = review(reading.catalogue, analyses)
    return reading.findings + tuple(one for one in found if one.file == reading.file.name)


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
