"""What a project sets for `check`: in its `certify.toml`, or in its `pyproject.toml`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from certify.cli.formats.report import ReportFormat
from certify.errors import NotConfigured
from certify.library import PROJECT
from certify.model.finding import Severity
from certify.storage import read_toml

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
    """One table of settings, judged as it is read."""

    def __init__(self, path: Path, stated: Any) -> None:  # noqa: ANN401 - any TOML value
        self._path = path
        self._stated = stated if isinstance(stated, dict) else self._refuse("check", "a table")

    def settings(self) -> Settings:
        """Return the settings; an unknown name is refused."""
        known = ("format", "select", "ignore", "per-file-ignores", "fail-on", "baseline")
        for name in self._stated:
            if name not in known:
                raise NotConfigured(
                    f"{self._path}: there is no setting {name}.",
                    remedy=f"Known: {', '.join(known)}.",
                )
        files = self._stated.get("per-file-ignores", {})
        if not isinstance(files, dict):
            self._refuse("per-file-ignores", "a table")
        return Settings(
            folder=self._path.parent,
            format=self._one_of("format", ReportFormat),
            select=self._codes("select", self._stated.get("select", [])),
            ignore=self._codes("ignore", self._stated.get("ignore", [])),
            per_file_ignores={
                name: self._codes("per-file-ignores", codes) for name, codes in files.items()
            },
            fail_on=self._one_of("fail-on", Severity),
            baseline=self._baseline(),
        )

    def _codes(self, name: str, value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any TOML value
        if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
            self._refuse(name, "a list of codes")
        return tuple(value)

    def _one_of(self, name: str, kinds: Any) -> Any:  # noqa: ANN401 - an enumeration and its member
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
