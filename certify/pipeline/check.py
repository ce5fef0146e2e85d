"""Check: read files, judge what they mean, and say what is wrong with all of them at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from certify import library
from certify.checks.review import review
from certify.errors import NothingChecked
from certify.intake.catalogue import read_catalogue
from certify.intake.single import open_file
from certify.model.finding import Finding
from certify.model.paytable import Paytable
from certify.pipeline.audit import judge_figures
from certify.pipeline.evaluate import Settings, evaluate_all


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was found, and how many files were looked at."""

    findings: tuple[Finding, ...]
    files: int


def check(paths: Iterable[Path]) -> Checked:
    """Return the findings about ``paths`` (files or folders), or about everything declared.

    Raises:
        NothingChecked: no JSON file is among them.
    """
    named = _files(paths)
    if named is None:
        return _check_everything()
    if not named:
        raise NothingChecked(
            "No JSON file was found, so nothing was checked.",
            remedy="Name paytable files, or folders that hold them.",
        )
    found: list[Finding] = []
    for path in named:
        found.extend(_check_file(path))
    return Checked(findings=tuple(dict.fromkeys(found)), files=len(named))


def _check_everything() -> Checked:
    catalogue, findings = read_catalogue(library.paytables())
    analyses = evaluate_all(catalogue, Settings())
    judgements = tuple(
        judgement
        for game in catalogue.games.values()
        for judgement in judge_figures(catalogue, game, analyses)
    )
    findings += review(catalogue, analyses, judgements)
    return Checked(findings=findings, files=len(catalogue.documents))


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
        found = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        files.update(dict.fromkeys(found))
    return list(files)
