import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.acceptance.command_line import ROOT, Certify
from tests.acceptance.test_everyday import read_rest
from tests.marks import long

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no terminals of this kind")

LONG = ("evaluate", "mini-pai-gow/bonus/A", "--details")
SHORT = ("check", "paytables/pai-gow-mania", "--notes")
MARK = "paged: "
PAGER = f"sed 's/^/{MARK}/'"
PAGED = {"CERTIFY_PAGER": PAGER}


def on_a_terminal(
    *arguments: str, rows: int, environment: Mapping[str, str | None], code: int = 0
) -> list[str]:
    terminal, end = os.openpty()
    kept = {name: os.environ[name] for name in os.environ if name not in ("CI", "NO_COLOR", "LESS")}
    kept |= {"TERM": "xterm", "LINES": f"{rows}", "COLUMNS": "100"}
    for name, value in environment.items():
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
    with subprocess.Popen(
        [sys.executable, "-m", "certify", *arguments],
        cwd=ROOT, env=kept, stdin=end, stdout=end, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        os.close(end)
        said = read_rest(terminal).decode()
        assert process.stderr is not None
        assert (process.wait(), process.stderr.read()) == (code, b"")
    return said.splitlines()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (LONG, 0),
        *long([(("audit", "commission-free-pai-gow-express"), 0), (("events",), 0)]),
        (("check", "fixtures/invalid/P004/rise/library/sample-game", "--fail-on", "note"), 1),
        (("evaluate", "--help"), 0),
    ],
    ids=str,
)
def test_output_longer_than_the_screen_is_paged_whole(
    command: tuple[str, ...], code: int, certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("FORCE_COLOR", "1")
    whole = certify(*command).out.rstrip("\n").split("\n")
    height = len(whole)
    lower = on_a_terminal(*command, rows=height, code=code, environment=PAGED)
    higher = on_a_terminal(*command, rows=height + 1, code=code, environment=PAGED)
    assert lower == [f"{MARK}{line}" for line in whole]
    assert higher == whole


def test_colors_reach_the_pager() -> None:
    shown = on_a_terminal(*SHORT, rows=3, environment=PAGED)
    assert all(line.startswith(MARK) for line in shown)
    assert any(re.search(r"\x1b\[[0-9;]+m", line) for line in shown)


@pytest.mark.parametrize(
    "environment",
    [
        {"CERTIFY_PAGER": "", "PAGER": PAGER},
        {"CERTIFY_PAGER": None, "PAGER": ""},
        {"CERTIFY_PAGER": PAGER, "TERM": "dumb"},
        {"CERTIFY_PAGER": PAGER, "CI": "true"},
        {"CERTIFY_PAGER": "a-pager-that-is-not-there"},
    ],
    ids=str,
)
def test_output_is_printed_where_no_pager_is_wanted(environment: dict[str, str | None]) -> None:
    shown = on_a_terminal(*LONG, rows=5, environment=environment)
    assert shown[0].startswith("mini-pai-gow")
    assert not any(MARK in line for line in shown)


def test_usual_variable_names_the_pager() -> None:
    shown = on_a_terminal(*LONG, rows=5, environment={"CERTIFY_PAGER": None, "PAGER": PAGER})
    assert all(line.startswith(MARK) for line in shown)


def test_reader_may_leave_the_pager_early() -> None:
    assert len(on_a_terminal(*LONG, rows=5, environment={"CERTIFY_PAGER": "head -n 2"})) == 2


def test_output_into_a_file_is_not_paged(spawn: Certify, tmp_path: Path) -> None:
    environment = {"CERTIFY_PAGER": f"tee {tmp_path / 'paged'}", "TERM": "xterm", "LINES": "5"}
    assert spawn(*LONG, environment=environment).out.startswith("mini-pai-gow")
    assert not (tmp_path / "paged").exists()
