"""Reports of `certify doctor` on incomplete machines; Pango is in `test_everyday`."""

import datetime as dt
import importlib
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from certify.cli import machine
from certify.errors import NotConfigured
from certify.signatures import identity_folder


@pytest.fixture
def answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> "Answers":
    monkeypatch.setattr(machine, "folder", lambda: tmp_path)
    return Answers(capsys)


class Answers:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self) -> tuple[int, dict[str, str], str]:
        status = machine.doctor(None)
        *lines, last = self.capsys.readouterr().out.splitlines()
        return status, {line[9:]: line[:7].strip() for line in lines}, last


def refuse(*_: object) -> NoReturn:
    raise NotConfigured("It is not there.", remedy="Put it there.")


def test_a_machine_that_lacks_what_is_optional_is_fine(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(machine, "project", lambda: None)
    status, items, last = answers()
    assert status == 0
    assert last == "All required parts are installed."
    assert {text.split(",")[0] for text, standing in items.items() if standing == "absent"} == {
        "an enclosing project (`certify init` creates one)",
        "a memory limit for reading foreign PDFs: this system has none; file size and processor "
        "time are limited",
        "a signing identity: `certify keys init-dev` creates one for drafts",
        "verapdf",
        "pdftoppm",
        "pdfsig",
    }
    assert "missing" not in items.values()


def test_a_project_and_identities_are_found(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "project", lambda: tmp_path)
    for name in ("one.p12", "two.p12", "two.password"):
        (tmp_path / name).touch()
    status, items, _ = answers()
    assert status == 0
    assert items[f"project in {tmp_path}"] == "ok"
    assert items[f"signing identities in {tmp_path}: one, two"] == "ok"


@pytest.mark.parametrize("place", ["root", "project"])
def test_data_that_cannot_be_found_are_missing(
    answers: Answers, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(machine, place, refuse)
    status, items, last = answers()
    assert status == 2
    assert last == "A required part is missing. Commands that do not need it work."
    assert [text for text, standing in items.items() if standing == "missing"] == [
        "It is not there. Put it there."
    ]


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("numba", "numba, to count main wagers and audit house ways. Install certify[main-wager]"),
        ("uvicorn", "uvicorn, to run the web app. Install certify[desk]"),
    ],
)  # fmt: skip
def test_a_package_that_is_missing_is_named_with_its_extra(
    answers: Answers, monkeypatch: pytest.MonkeyPatch, module: str, said: str
) -> None:
    known = importlib.import_module

    def without(name: str) -> object:
        if name == module:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return known(name)

    monkeypatch.setattr(importlib, "import_module", without)
    status, items, _ = answers()
    assert status == 2
    (item,) = [item for item in items if item.startswith(said)]
    assert items[item] == "missing"


def describe(items: Mapping[str, str], start: str) -> list[tuple[str, str]]:
    return [(mark, text) for text, mark in items.items() if text.startswith(start)]


@pytest.mark.parametrize(
    ("days", "mark", "ending"),
    [(200, "ok", ""), (310, "warning", ", which is in 54 days"), (400, "warning", ", not now")],
)
def test_keys_and_roots_that_expire_are_told(
    days: int,
    mark: str,
    *,
    ending: str,
    answers: Answers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key of one year, looked at so many days later."""
    tmp_path.chmod(0o700)
    now = dt.datetime.now(dt.UTC)
    today = now.date()
    _, root = identity_folder.make_archive(common_name="A Root", today=today, password="x")  # noqa: S106 - a throwaway
    identity_folder.init_development(tmp_path, name="Ada", today=today)

    monkeypatch.setattr(machine, "list_roots", lambda: {root: ()})
    clock = SimpleNamespace(now=lambda _: now + dt.timedelta(days=days))
    monkeypatch.setattr(machine, "dt", SimpleNamespace(UTC=dt.UTC, datetime=clock))
    status, items, _ = answers()
    assert status == 0
    for name in ("identity development-ada: ", "trusted root A Root: "):
        ((found, text),) = describe(items, name)
        end = today + dt.timedelta(days=365)
        assert (found, text.endswith(f" to {end}{ending}")) == (mark, True), text


def test_a_key_without_certificate_and_a_key_in_the_working_folder_are_told(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.p12").touch()
    monkeypatch.chdir(tmp_path)
    _, items, _ = answers()
    assert describe(items, "one.p12: ") == [
        ("warning", "one.p12: one.pem is missing, so its dates are not known")
    ]
    assert describe(items, "one.p12 in this folder")[0][0] == "warning"


@pytest.mark.parametrize("name", ["CERTIFY_HOME", "CERTIFY_CACHE"])
def test_a_folder_that_cannot_be_written_is_told(
    name: str, answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(name, str(tmp_path / "file" / "below"))
    status, items, _ = answers()
    assert status == 0
    ((mark, text),) = describe(items, f"{tmp_path / 'file' / 'below'} cannot be written")
    assert mark == "warning"
    assert f"Fix: set {name} to a folder" in text


BANNER = """\
import importlib, os, sys
from certify.cli import machine
os.environ["LD_LIBRARY_PATH"] = ""
import cffi
def refuse(*_, **__):
    raise OSError("cannot load library 'libpango-1.0-0'")
cffi.FFI.dlopen = refuse
machine.doctor(None)
"""


def test_without_pango_the_printing_library_prints_no_lines_of_its_own() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", BANNER], capture_output=True, encoding="utf-8", check=False
    )
    assert "weasyprint, to print documents: cannot load library" in ended.stdout
    assert "external libraries" not in ended.stdout + ended.stderr
    assert ended.stderr == ""
