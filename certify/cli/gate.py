"""What is reported: a result or its findings, selected and ignored codes, a baseline."""

import difflib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from certify.cli.formats.render import print_report
from certify.cli.formats.report import LeftOut, Report, ReportFormat
from certify.cli.given import read_bytes
from certify.cli.output import counted, print_json, say, warn
from certify.cli.settings import Settings, settings
from certify.errors import NotReadable
from certify.model.finding import Finding, Severity, worst_first
from certify.storage import write_atomically

Key = tuple[str, str, str, str]
"""What a baseline knows a finding by: code, file, pointer, digest of the message."""


def gated(
    findings: Iterable[Finding],
    checked: Iterable[str],
    settings: Settings,
    *,
    write: bool = False,
    notes: bool = False,
    quiet: bool = False,
) -> Report:
    """Return the report of what settings leave of findings; write the baseline if asked to.

    Raises:
        NotReadable: a code or a baseline is not one.
    """
    baseline = settings.baseline
    if write and baseline is None:
        raise NotReadable("--write-baseline needs a file.", remedy="Name it with --baseline FILE.")
    select, ignore = known(settings.select), known(settings.ignore)
    by_file = {name: known(codes) for name, codes in settings.per_file_ignores.items()}

    def by_code(finding: Finding) -> bool:
        selected = not select or finding.code.startswith(select)
        return not selected or finding.code.startswith(ignore)

    def for_its_file(finding: Finding) -> bool:
        name = _below(finding.file, settings.folder)
        return any(
            fnmatchcase(name, pattern) and finding.code.startswith(codes)
            for pattern, codes in by_file.items()
        )

    parts: dict[str, list[Finding]] = {"by code": [], "for their file": [], "as known": []}
    rest = []
    for finding in worst_first(findings):
        if by_code(finding):
            parts["by code"].append(finding)
        elif for_its_file(finding):
            parts["for their file"].append(finding)
        else:
            rest.append(finding)
    if write and baseline is not None:
        _write(baseline, rest)
    if baseline is not None:
        rest = _unknown(rest, _read(baseline), parts["as known"])
    return Report(
        findings=tuple(rest),
        checked=tuple(checked),
        notes=notes,
        quiet=quiet,
        fail_on=settings.fail_on or Severity.ERROR,
        left_out=tuple(
            LeftOut(why=why, findings=tuple(some)) for why, some in parts.items() if some
        ),
    )


def print_result(
    report: Report,
    output: ReportFormat | None,
    *,
    as_text: Callable[[], str],
    as_json: Callable[[], object],
) -> None:
    """Print a result whole, or its findings in the formats that hold nothing else and if quiet."""
    output = output or settings().format or ReportFormat.TEXT
    if output is ReportFormat.JSON:
        print_json(as_json())
    elif output is ReportFormat.TEXT and not report.quiet:
        say(as_text())
    else:
        print_report(report, output)


def codes_of(given: Iterable[str] | None) -> tuple[str, ...]:
    """Return the codes of an option that may be repeated, or list several."""
    return tuple(
        code.strip() for listed in given or () for code in listed.split(",") if code.strip()
    )


def known(codes: Sequence[str]) -> tuple[str, ...]:
    """Return codes, each a whole code or the first letter of a family.

    Raises:
        NotReadable: there is no such code.
    """
    if not codes:
        return ()
    from certify.pipeline.codes import CODES, FAMILIES

    ids = [code.id for code in CODES]
    for code in codes:
        if code not in ids and code not in tuple(FAMILIES):
            near = difflib.get_close_matches(code, ids, n=3, cutoff=0.5)
            remedy = (
                f"Did you mean {', '.join(near)}?" if near else "`certify rule all` lists them."
            )
            raise NotReadable(f"There is no finding code {code}.", remedy=remedy)
    return tuple(codes)


def _below(file: str, folder: Path) -> str:
    """Return a file as the settings name it: below their folder, with ``/``."""
    return Path(os.path.relpath(file, folder)).as_posix()


def _key(finding: Finding) -> Key:
    return finding.code, finding.file, finding.pointer, finding.message_digest


def _write(path: Path, findings: Iterable[Finding]) -> None:
    names = ("code", "file", "pointer", "message_sha256")
    lines = sorted(json.dumps(dict(zip(names, _key(finding), strict=True))) for finding in findings)
    text = ",\n  ".join(lines)
    write_atomically(path, f'{{"findings": [\n  {text}\n]}}\n'.encode())
    warn(f"{counted(len(lines), 'finding')} written to {path}.")


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


def _unknown(
    findings: Iterable[Finding], baseline: Counter[Key], among: list[Finding]
) -> list[Finding]:
    """Return the findings that a baseline does not hold; the others are added to ``among``."""
    new = []
    for finding in findings:
        if baseline[_key(finding)] > 0:
            baseline[_key(finding)] -= 1
            among.append(finding)
        else:
            new.append(finding)
    return new
