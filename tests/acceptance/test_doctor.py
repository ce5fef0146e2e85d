"""Reports of `certify doctor` on incomplete machines; Pango is in `test_everyday`."""

import importlib
import importlib.util
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from certify.cli import machine
from certify.errors import NotConfigured


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
        status = machine.doctor()
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
