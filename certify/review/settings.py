"""Settings of a project for `check`: selected, accepted and known findings, excluded files."""

import contextlib
import datetime as dt
import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, ValidationError, field
from msgspec.structs import replace

from certify.errors import NotConfigured, NotReadable
from certify.formatting import count_noun
from certify.intake.layout import absolute, catalog_folder, display_path
from certify.model.finding import Finding, Severity, worst_first
from certify.received.files import PROJECT
from certify.report.wording import together
from certify.review.report import (
    LEFT_OUT,
    CheckResult,
    LeftOut,
    ReportFormat,
    always_counts,
    filter_severity,
    is_selected,
    validate_codes,
)
from certify.storage import lock, read_bytes, read_present, read_toml, write_atomically

Key = tuple[str, str, str]
"""Identity of a finding: code, file relative to a folder, pointer by the names of rows."""

IsJudged = Callable[[str], bool]
"""True for a file that this run checked or that no longer exists."""

LONGEST_ACCEPTANCE = dt.timedelta(days=731)
"""The longest time that a finding is accepted: two years."""

SOME = 5
"""Most findings in a notice."""


Filled = Annotated[str, Meta(min_length=1)]


class Acceptance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finding that somebody accepted for a reason, until a day."""

    code: Filled
    file: Filled
    row: str = ""
    reason: Filled
    who: Filled
    until: dt.date

    @property
    def key(self) -> Key:
        """The finding that is accepted."""
        return self.code, self.file, self.row


def relative_name(file: str, folder: Path) -> str:
    """Return a file as the settings name it: below their folder, with ``/``.

    A file that is not here is named as from there already.
    """
    path = Path.cwd() / file
    return Path(os.path.relpath(path, folder)).as_posix() if path.exists() else file


def key_of(finding: Finding, folder: Path) -> Key:
    """Return the key of a finding, independent of the current folder and of lines."""
    return finding.code, relative_name(finding.file, folder), finding.row


def place_of(key: Key) -> str:
    """Return a key in words."""
    code, file, row = key
    return f"{code} in {file}{f' at {row}' if row else ''}"


def split_accepted(
    findings: Sequence[Finding], settings: "Settings", is_judged: IsJudged
) -> tuple[list[Finding], list[LeftOut], list[str]]:
    """Return the findings that count, the accepted ones, and notices of void acceptances."""
    by_key = together((key_of(finding, settings.folder), finding) for finding in findings)
    accepted, notices = [], []
    today = dt.datetime.now(dt.UTC).date()
    for each in settings.accepted:
        if today > each.until:
            notices.append(f"No longer accepted, since {each.until}: {place_of(each.key)}.")
        elif each.key in by_key:
            note = f"Accepted by {each.who} until {each.until}: {place_of(each.key)}. {each.reason}"
            hidden = tuple(by_key.pop(each.key))
            accepted.append(LeftOut(why="as accepted", findings=hidden, note=note))
        elif is_judged(each.file):
            notices.append(f"Accepted, but not found: {place_of(each.key)}. Remove it.")
    counting = {finding for some in by_key.values() for finding in some}
    return [finding for finding in findings if finding in counting], accepted, notices


def read_baseline(path: Path) -> Counter[Key]:
    """Return the findings of a baseline.

    Raises:
        NotReadable: the file is not a baseline.
    """
    try:
        lines = json.loads(read_bytes(path))["findings"]
        return Counter((line["code"], line["file"], line["pointer"]) for line in lines)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotReadable(
            f"{path} is not a baseline.", remedy="Write it again with --write-baseline."
        ) from error


@contextlib.contextmanager
def lock_baselines(paths: Iterable[Path]) -> Iterator[None]:
    """Hold the locks of the projects of baselines, from reading them to writing them.

    Raises:
        NotConfigured: another writer does not finish, or a folder cannot be locked.
    """
    with contextlib.ExitStack() as locks:
        for folder in sorted({absolute(path).parent for path in paths}):  # one order for all
            locks.enter_context(lock(folder))
        yield


def write_baseline(path: Path, keys: Counter[Key], before: bytes | None) -> None:
    """Write findings to a baseline whose content was ``before``; None if it is new.

    Raises:
        ChangedMeanwhile: an editor, which takes no lock, has changed it.
    """
    names = ("code", "file", "pointer")
    lines = sorted(json.dumps(dict(zip(names, key, strict=True))) for key in keys.elements())
    text = ",\n  ".join(lines)
    write_atomically(path, f'{{"findings": [\n  {text}\n]}}\n'.encode(), before=before)


def split_known(
    findings: Iterable[Finding], listed: Counter[Key], folder: Path
) -> tuple[list[Finding], list[Finding], set[Key]]:
    """Return new findings, those in a baseline, and the keys that it lists in vain."""
    left = Counter(listed)
    new, in_baseline = [], []
    for finding in findings:
        key = key_of(finding, folder)
        if left[key] > 0 and not always_counts(finding):
            left[key] -= 1
            in_baseline.append(finding)
        else:
            new.append(finding)
    return new, in_baseline, {*+left}


def stale_notice(path: Path, keys: Iterable[Key]) -> str:
    """Return the notice that a baseline lists findings that are gone."""
    places = sorted(map(place_of, keys))
    more = f" and {len(places) - SOME} more" if len(places) > SOME else ""
    return (
        f"{path} lists findings that are gone: {', '.join(places[:SOME])}{more}. Its files are "
        "relative to the folder of the baseline. Write it again with --write-baseline."
    )


PYPROJECT = "pyproject.toml"


class Settings(Struct, frozen=True, kw_only=True, rename="kebab"):
    """The settings of the nearest folder that has any; paths in them start at ``folder``.

    Without any, that is the folder of the project, and outside of one the folder of the command.

    ``format`` is read for the folder that a command runs in, all others for that of the files.
    """

    folder: Path = Path()
    format: ReportFormat | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fail_on: Severity | None = None
    baseline: Path | None = None
    accepted: tuple[Acceptance, ...] = ()
    exclude: tuple[str, ...] = ()

    def excludes(self, path: Path) -> bool:
        """Return True if a file, or a folder above it, fits a pattern of ``exclude``."""
        name = Path(os.path.relpath(path, self.folder)).as_posix() if self.exclude else ""
        return any(fnmatchcase(f"{name}/", f"{each.rstrip('/')}/*") for each in self.exclude)


def find_settings(here: Path | None = None) -> Settings:
    """Return the settings around a folder, or this one: the nearest `[check]` or `[tool.certify]`.

    None are read in a project's folder of declared data (N001).

    Raises:
        NotConfigured: the file is not TOML, or a setting is unknown or not of its kind.
    """
    here = here or Path.cwd()
    declared = catalog_folder(here / PROJECT)
    here = here if declared is None else declared.parent
    project = None
    for folder in (here, *here.parents):
        if project is None and (folder / PROJECT).is_file():
            project = folder
        for name, table in ((PROJECT, ("check",)), (PYPROJECT, ("tool", "certify"))):
            path = folder / name
            if path.is_file():
                value = _table(path, table)
                if value is not None:
                    return _read_settings(path, value)
    return Settings(folder=project or Path.cwd())


def exclude(baseline: Path | None) -> Callable[[Path], bool]:
    """Return a function that is True for files that the settings exclude, and for the baseline."""
    settings_of = cache(find_settings)
    named = baseline and absolute(baseline)
    return lambda file: file == named or settings_of(file.parent).excludes(file)


def _table(path: Path, names: Iterable[str]) -> Any:  # noqa: ANN401 - any TOML value
    value: Any = read_toml(path)
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


KINDS: Mapping[str, str] = {
    "format": f"one of {', '.join(ReportFormat)}",
    "select": "a list of codes",
    "ignore": "a list of codes",
    "per-file-ignores": "a table of lists of codes",
    "fail-on": f"one of {', '.join(Severity)}",
    "baseline": "the name of a file",
    "accepted": f"a list of tables, each a table with {', '.join(Acceptance.__struct_fields__)}",
    "exclude": "a list of patterns",
    "until of accepted": "a date such as 2027-06-30",
}
"""The form of each setting, and of each field of a setting that is not a text."""


def _read_settings(path: Path, table: Any) -> Settings:  # noqa: ANN401 - any TOML value
    """Return the settings of a table; an unknown name is refused."""
    if not isinstance(table, dict):
        raise _refuse(path, "check", "a table")
    names = [name for name in KINDS if " " not in name]
    for name in table:
        if name not in names:
            raise NotConfigured(
                f"{path}: unknown setting {name}.", remedy=f"Use one of: {', '.join(names)}."
            )
    try:
        read = msgspec.convert(table, Settings, dec_hook=lambda kind, value: kind(value))
    except ValidationError as error:
        name, _, field_name = str(error).partition("`$.")[2].rstrip("`").partition("[")
        inner = field_name.partition(".")[2]
        name = f"{inner} of {name}" if inner else name
        raise _refuse(path, name, KINDS.get(name, "a text")) from error
    _refuse_accepted(path, read.accepted)
    baseline = None if read.baseline is None else path.parent / read.baseline
    if baseline and not absolute(baseline).is_relative_to(absolute(path.parent)):
        raise _refuse(path, "baseline", "a file in the folder of the settings")
    return replace(read, folder=path.parent, baseline=baseline)


def _refuse_accepted(path: Path, accepted: Iterable[Acceptance]) -> None:
    """Refuse findings that nobody can accept, or not for so long."""
    last = dt.datetime.now(dt.UTC).date() + LONGEST_ACCEPTANCE
    for each in accepted:
        if each.until > last:
            raise _refuse(path, "until of accepted", f"a day up to {last}, two years from now")
        if each.code.startswith(LEFT_OUT) or len(validate_codes([each.code])[0]) == 1:
            raise _refuse(path, "code of accepted", "a code that can be accepted, such as D005")


def _refuse(path: Path, name: str, kind: str) -> NotConfigured:
    return NotConfigured(f"{path}: {name} is not {kind}.", remedy="Correct it.")


def apply_settings(
    parts: Iterable[tuple[Settings, Iterable[Finding]]],
    checked: Iterable[str],
    *,
    write: bool = False,
    whole: bool = False,
) -> CheckResult:
    """Return the report after settings and baselines; write the baselines if requested.

    Args:
        parts: findings with the settings of their project.
        checked: the checked files.
        write: True to write the present findings to the baseline. Those of files that were not
            checked stay in it.
        whole: True if every file of the projects was checked.

    Raises:
        NotReadable: a code or a baseline is invalid.
        NotConfigured: another writer of a baseline does not finish.
    """
    projects: dict[Path, tuple[Settings, dict[Finding, None]]] = {}
    for settings, findings in parts:
        _, listed = projects.setdefault(settings.folder, (settings, {}))
        listed.update(dict.fromkeys(findings))
    baselines = [settings.baseline for settings, _ in projects.values() if settings.baseline]
    with lock_baselines(baselines if write else ()):
        return _apply(projects.values(), baselines, tuple(checked), write=write, whole=whole)


def _apply(
    projects: Collection[tuple[Settings, Iterable[Finding]]],
    baselines: Iterable[Path],
    checked: tuple[str, ...],
    *,
    write: bool,
    whole: bool,
) -> CheckResult:
    """Return the report on projects; with ``write``, the baselines are locked."""
    reported: dict[Finding, None] = {}
    failing: set[Finding] = set()
    hidden: dict[str, dict[Finding, None]] = {"by code": {}, "for their file": {}, "as known": {}}
    accepted: list[LeftOut] = []
    notices: list[str] = []
    written: dict[Path, Counter[Key]] = {}
    before = {path: read_present(path) for path in baselines} if write else {}
    stale: dict[Path, set[Key]] = {}
    for settings, findings in projects:
        rest, idle = _not_ignored(findings, settings, hidden)
        void = [f"per-file-ignores: {pattern} ignores nothing." for pattern in idle if whole]
        is_judged = _judge_by(checked, settings.folder)
        rest, some_accepted, unused = split_accepted(rest, settings, is_judged)
        accepted += some_accepted
        project = f"{display_path(settings.folder)}: " if len(projects) > 1 else ""
        notices += [f"{project}{each}" for each in (*void, *unused)]
        if settings.baseline is not None:
            base = absolute(settings.baseline).parent  # in it, files of two projects differ
            is_judged = _judge_by(checked, base)
            listed = Counter[Key]()
            if settings.baseline.exists() or not write:
                listed = read_baseline(settings.baseline)
            if write:
                for key in [key for key in listed if is_judged(key[1])]:
                    del listed[key]
                listed |= Counter(key_of(each, base) for each in rest if not always_counts(each))
                written[settings.baseline] = written.get(settings.baseline, Counter()) | listed
            rest, in_baseline, lacking = split_known(rest, listed, base)
            hidden["as known"].update(dict.fromkeys(in_baseline))
            lacking = {key for key in lacking if is_judged(key[1])}
            stale[settings.baseline] = stale.get(settings.baseline, lacking) & lacking
        elif write:
            raise NotReadable(
                "--write-baseline requires a file.", remedy="Name it with --baseline FILE."
            )
        reported.update(dict.fromkeys(rest))
        failing |= filter_severity(settings.fail_on or Severity.ERROR, rest)
    for baseline, keys in written.items():
        write_baseline(baseline, keys, before[baseline])
    notices += [stale_notice(path, keys) for path, keys in stale.items() if keys]
    return CheckResult(
        findings=worst_first(reported),
        checked=checked,
        failing=frozenset(failing),
        left_out=(
            *(LeftOut(why=why, findings=worst_first(some)) for why, some in hidden.items() if some),
            *accepted,
        ),
        notices=tuple(notices),
        written=tuple(
            f"{count_noun(keys.total(), 'finding')} written to {path}."
            for path, keys in written.items()
        ),
    )


def _judge_by(checked: Iterable[str], folder: Path) -> IsJudged:
    names = {relative_name(name, folder) for name in checked}
    return lambda file: file in names or not (folder / file).is_file()


def _not_ignored(
    findings: Iterable[Finding], settings: Settings, hidden: Mapping[str, dict[Finding, None]]
) -> tuple[list[Finding], list[str]]:
    """Return the findings that are reported by their code, and patterns of files that hide none.

    The other findings are added to ``hidden``.
    """
    select, ignore = validate_codes(settings.select), validate_codes(settings.ignore)
    by_file = {name: validate_codes(codes) for name, codes in settings.per_file_ignores.items()}
    idle = dict.fromkeys(by_file)
    rest = []
    for finding in findings:
        if always_counts(finding):
            rest.append(finding)
            continue
        name = relative_name(finding.file, settings.folder)
        patterns = [
            pattern
            for pattern, codes in by_file.items()
            if finding.code.startswith(codes) and fnmatchcase(name, pattern)
        ]
        for pattern in patterns:
            idle.pop(pattern, None)
        if not is_selected(finding, select, ignore):
            hidden["by code"][finding] = None
        elif patterns:
            hidden["for their file"][finding] = None
        else:
            rest.append(finding)
    return rest, [*idle]
