"""Gates: selected and ignored codes, baselines, and the settings of a project."""

import difflib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from certify.cli.formats import LeftOut, Report, ReportFormat, filter_severity, print_report
from certify.cli.output import count_noun, print_json, print_text, warn
from certify.errors import NotConfigured, NotReadable
from certify.library import PROJECT
from certify.model.finding import Finding, Severity, worst_first
from certify.storage import read_bytes, read_toml, write_atomically

PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of the nearest folder that has any; paths in them start at ``folder``.

    Without any, that is the folder of the project, and outside of one the folder of the command.

    ``format`` is read for the folder that a command runs in, all others for that of the files.
    """

    folder: Path
    format: ReportFormat | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fail_on: Severity | None = None
    baseline: Path | None = None


def settings(here: Path | None = None) -> Settings:
    """Return the settings around a folder, or this one: the nearest `[check]` or `[tool.certify]`.

    Raises:
        NotConfigured: the file is not TOML, or a setting is unknown or not of its kind.
    """
    here = here or Path.cwd()
    project = None
    for folder in (here, *here.parents):
        if project is None and (folder / PROJECT).is_file():
            project = folder
        for name, table in ((PROJECT, ("check",)), (PYPROJECT, ("tool", "certify"))):
            path = folder / name
            if path.is_file():
                stated = _table(path, table)
                if stated is not None:
                    return _Reading(path, stated).settings()
    return Settings(folder=project or Path.cwd())


def _table(path: Path, names: Iterable[str]) -> Any:  # noqa: ANN401 - any TOML value
    value: Any = read_toml(path)
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


class _Reading:
    """One table of settings, validated on reading."""

    def __init__(self, path: Path, stated: Any) -> None:  # noqa: ANN401 - any TOML value
        self._path = path
        self._stated = stated if isinstance(stated, dict) else self._refuse("check", "a table")

    def settings(self) -> Settings:
        """Return the settings; an unknown name is refused."""
        known = ("format", "select", "ignore", "per-file-ignores", "fail-on", "baseline")
        for name in self._stated:
            if name not in known:
                raise NotConfigured(
                    f"{self._path}: unknown setting {name}.",
                    remedy=f"Use one of: {', '.join(known)}.",
                )
        files = self._stated.get("per-file-ignores", {})
        if not isinstance(files, dict):
            self._refuse("per-file-ignores", "a table")
        return Settings(
            folder=self._path.parent,
            format=self._read_choice("format", ReportFormat),
            select=self._codes("select", self._stated.get("select", [])),
            ignore=self._codes("ignore", self._stated.get("ignore", [])),
            per_file_ignores={
                name: self._codes("per-file-ignores", codes) for name, codes in files.items()
            },
            fail_on=self._read_choice("fail-on", Severity),
            baseline=self._baseline(),
        )

    def _codes(self, name: str, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any TOML value
        if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
            self._refuse(name, "a list of codes")
        return tuple(value)

    def _read_choice(self, name: str, kinds: Any) -> Any:  # noqa: ANN401 - an enumeration and its member
        value = self._stated.get(name)
        if value is None:
            return None
        if value not in tuple(kinds):
            self._refuse(name, f"one of {', '.join(kinds)}")
        return kinds(value)

    def _baseline(self) -> Path | None:
        value = self._stated.get("baseline")
        if value is None:
            return None
        return self._path.parent / (value if isinstance(value, str) else self._refuse("baseline"))

    def _refuse(self, name: str, kind: str = "the name of a file") -> Any:  # noqa: ANN401 - never returns
        raise NotConfigured(f"{self._path}: {name} is not {kind}.", remedy="Correct it.")


Key = tuple[str, str, str, str]
"""Key of a finding in a baseline: code, file, pointer, digest of the message."""


ALWAYS: Final = ("J", "S", "D001", "D002", "D003", "D010")
"""Findings that leave a file out: nothing else is known of it, so nothing hides them."""


def apply_settings(
    parts: Iterable[tuple[Settings, Iterable[Finding]]],
    checked: Iterable[str],
    *,
    write_baseline: bool = False,
) -> Report:
    """Return the report after settings and baselines; write the baselines if requested.

    Args:
        parts: findings with the settings of their project.
        checked: the checked files.
        write_baseline: True to write the present findings to the baseline.

    Raises:
        NotReadable: a code or a baseline is invalid.
    """
    reported: dict[Finding, None] = {}
    failing: set[Finding] = set()
    hidden: dict[str, dict[Finding, None]] = {"by code": {}, "for their file": {}, "as known": {}}
    written: dict[Path, list[Key]] = {}
    for stated, findings in parts:
        rest = _not_ignored(findings, stated, hidden)
        if stated.baseline is not None:
            if write_baseline:
                keys = [_key(each, stated.folder) for each in rest if not _always_counts(each)]
                written.setdefault(stated.baseline, []).extend(keys)
                listed = Counter(keys)
            else:
                listed = _read(stated.baseline)
            rest = _new_findings(rest, listed, stated.folder, hidden["as known"])
        elif write_baseline:
            raise NotReadable(
                "--write-baseline requires a file.", remedy="Name it with --baseline FILE."
            )
        reported.update(dict.fromkeys(rest))
        failing |= filter_severity(stated.fail_on or Severity.ERROR, rest)
    for baseline, keys in written.items():
        _write(baseline, keys)
    return Report(
        findings=worst_first(reported),
        checked=tuple(checked),
        failing=frozenset(failing),
        left_out=tuple(
            LeftOut(why=why, findings=worst_first(some)) for why, some in hidden.items() if some
        ),
    )


def _not_ignored(
    findings: Iterable[Finding], settings: Settings, hidden: Mapping[str, dict[Finding, None]]
) -> list[Finding]:
    """Return the findings that are reported by their code; add the others to ``hidden``."""
    select, ignore = validate_codes(settings.select), validate_codes(settings.ignore)
    by_file = {name: validate_codes(codes) for name, codes in settings.per_file_ignores.items()}
    rest = []
    for finding in findings:
        selected = not select or finding.code.startswith(select)
        if _always_counts(finding):
            rest.append(finding)
        elif not selected or finding.code.startswith(ignore):
            hidden["by code"][finding] = None
        elif any(
            fnmatchcase(_relative_name(finding.file, settings.folder), pattern)
            and finding.code.startswith(codes)
            for pattern, codes in by_file.items()
        ):
            hidden["for their file"][finding] = None
        else:
            rest.append(finding)
    return rest


def print_result(
    report: Report,
    output: ReportFormat | None,
    *,
    as_text: Callable[[], str],
    as_json: Callable[[], object],
) -> None:
    """Print a whole result, or only its findings in formats for findings and if quiet."""
    output = output or settings().format or ReportFormat.TEXT
    if output is ReportFormat.JSON:
        print_json(as_json())
    elif output is ReportFormat.TEXT and not report.quiet:
        print_text(as_text())
    else:
        print_report(report, output)


def split_codes(given: Iterable[str] | None) -> tuple[str, ...]:
    """Return the codes of an option that may be repeated, or list several."""
    return tuple(
        code.strip() for listed in given or () for code in listed.split(",") if code.strip()
    )


def validate_codes(codes: Sequence[str]) -> tuple[str, ...]:
    """Return codes, each a whole code or the first letter of a family.

    Raises:
        NotReadable: there is no such code.
    """
    if not codes:
        return ()
    from certify.pipeline.check import CODES, FAMILIES

    ids = [code.id for code in CODES]
    for code in codes:
        if code not in ids and code not in tuple(FAMILIES):
            near = difflib.get_close_matches(code, ids, n=3, cutoff=0.5)
            remedy = (
                f"Did you mean {', '.join(near)}?" if near else "`certify rule all` lists them."
            )
            raise NotReadable(f"There is no finding code {code}.", remedy=remedy)
    return tuple(codes)


def _relative_name(file: str, folder: Path) -> str:
    """Return a file as the settings name it: below their folder, with ``/``.

    A file that is not here is named as from there already.
    """
    path = Path.cwd() / file
    return Path(os.path.relpath(path, folder)).as_posix() if path.exists() else file


def _key(finding: Finding, folder: Path) -> Key:
    """Return the key of a finding in a baseline, independent of the current folder."""
    file = _relative_name(finding.file, folder)
    return finding.code, file, finding.pointer, finding.message_digest


def _write(path: Path, keys: Iterable[Key]) -> None:
    names = ("code", "file", "pointer", "message_sha256")
    lines = sorted(json.dumps(dict(zip(names, key, strict=True))) for key in keys)
    text = ",\n  ".join(lines)
    write_atomically(path, f'{{"findings": [\n  {text}\n]}}\n'.encode())
    warn(f"{count_noun(len(lines), 'finding')} written to {path}.")


def _read(path: Path) -> Counter[Key]:
    try:
        stated = json.loads(read_bytes(path))["findings"]
        return Counter(
            (line["code"], line["file"], line["pointer"], line["message_sha256"]) for line in stated
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotReadable(
            f"{path} is not a baseline.", remedy="Write it again with --write-baseline."
        ) from error


def _new_findings(
    findings: Iterable[Finding], listed: Counter[Key], folder: Path, among: dict[Finding, None]
) -> list[Finding]:
    """Return the findings that a baseline does not list; add the others to ``among``."""
    new = []
    for finding in findings:
        key = _key(finding, folder)
        if listed[key] > 0 and not _always_counts(finding):
            listed[key] -= 1
            among[finding] = None
        else:
            new.append(finding)
    return new


def _always_counts(finding: Finding) -> bool:
    return finding.code.startswith(ALWAYS)
