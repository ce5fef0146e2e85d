"""The commands of the tutorial and the how-to guides, in the environment of the repository.

`test_pages_from_the_wheel.py` runs every block as a user has certify, in some twenty minutes.
"""

import ast
import json
import os
import re
import shlex
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from certify import evaluate
from certify.cli.app import run
from certify.filing.documents import PARTS
from certify.filing.order import build_filing
from certify.formatting import percentage
from certify.intake.layout import PAYTABLES
from certify.model.comparison import Standing
from certify.model.submission import Order
from tests.acceptance.command_line import ROOT, Certify
from tests.acceptance.pages import HOW_TO, TUTORIAL, arguments, blocks, write_file, write_own_files
from tests.commands.conftest import reading, work_once
from tests.commands.submissions import build_without_counts, compose_part
from tests.homes import new_home
from tests.marks import further

__all__ = ["reading", "work_once"]  # fixtures: documents printed once, and read in this process

ELSEWHERE = {
    "administer.md": "tests/signatures/test_private_keys.py",
    "check-in-ci.md": "tests/acceptance/test_ci_steps.py",
    "file-a-submission.md": "tests/acceptance/test_file_a_submission.py",
    "key-ceremony.md": "tests/acceptance/test_key_ceremony.py",
    "sweep.md": "tests/acceptance/test_small_commands.py",
}
"""Guides whose commands another test runs, because some are meant to fail or need more files."""

OF_THIS_MODULE = {"compare-house-ways.md", "declare-a-jurisdiction.md"}
"""Guides whose commands tests of this module run, for the same reason."""

OTHER_PROGRAMS = {"install.md", "windows.md"}
"""Guides that install certify. Other tests follow them (`tests/architecture`)."""

FROM_THE_WHEEL = {
    "declare-a-filing.md", "declare-a-house-way.md",
    "declare-table-terms.md", "reproduce.md", "sign.md",
}  # fmt: skip
"""Guides that only the slow test runs: they write submissions or edit a file."""

SKIPPED = ELSEWHERE.keys() | OF_THIS_MODULE | OTHER_PROGRAMS | FROM_THE_WHEEL
QUICK = sorted({path.name for path in HOW_TO.glob("*.md")} - SKIPPED)


@pytest.mark.parametrize(
    "page", [*(page for page in QUICK if page != "redline.md"), *further(["redline.md"])]
)
def test_every_command_of_the_page_succeeds(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write_own_files(page, folder)
    for block in blocks(page):
        if block.name:
            write_file(block, Path())
            continue
        for command in block.commands if not block.language else ():
            word, *given = arguments(command)
            if word == "cd":
                os.chdir(given[0])
            elif word == "certify":
                code = run(given)
                output = capsys.readouterr()
                assert code == 0, f"{command}\n{output.out}{output.err}"


def test_the_edge_of_the_tutorial_follows_from_the_pay_that_it_changes() -> None:
    """Each of the 19,752 hands with four of a kind is paid 10 units less."""
    text = (HOW_TO / TUTORIAL).read_text(encoding="utf-8")
    (before,) = evaluate("mini-pai-gow/bonus/A").analyses
    assert before.house_edge is not None
    after = before.house_edge + Fraction(10 * 19752, comb(53, 6))
    assert f"{percentage(after)}  = {after}" in text
    assert f"house edge was {percentage(before.house_edge)} " in text


@pytest.mark.parametrize("page", ELSEWHERE)
def test_another_test_runs_the_page(page: str) -> None:
    assert page in (ROOT / ELSEWHERE[page]).read_text(encoding="utf-8")


PAGE = ROOT / "docs" / "how-to" / "compare-house-ways.md"
COMMANDS = re.findall(r"^    certify (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.long
def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = {command: run(command.split()) for command in COMMANDS}
    # The template holds no counts yet, so that every row differs.
    assert ended.pop("compare counts.csv mini-pai-gow/bonus/A") == 1
    assert set(ended.values()) == {0}
    out = capsys.readouterr().out
    assert "mini-pai-gow/main/1: house edge in percent" in out
    compared = json.loads(out[out.index('{\n  "game"') :].partition("\n}\n")[0] + "}")
    (cell, *_) = compared["options"][0]["cells"]
    assert run(["evaluate", "mini-pai-gow/main", "--format", "json"]) == 0
    assert cell["house_edge"] == json.loads(capsys.readouterr().out)["house_edge"]
    assert (tmp_path / "ways.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "ways.xlsx").exists()


# The notebook runs as printed, and its stored outputs are those of the run.
# `CERTIFY_NOTEBOOK=write pytest tests/acceptance/test_how_to.py` stores the outputs again.


NOTEBOOK = ROOT / "docs" / "tutorial" / "design-a-paytable.ipynb"


def run_cell(source: str, names: dict[str, Any]) -> dict[str, str]:
    """Run one cell; return how a notebook shows the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own notebook
        return {}
    tree.body.pop()
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - our own notebook
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - the same
    if hasattr(value, "_repr_svg_"):
        return {"image/svg+xml": value._repr_svg_()}
    return {"text/plain": repr(value)}


def test_the_outputs_of_the_notebook_are_those_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for number, cell in enumerate(
        each for each in notebook["cells"] if each["cell_type"] == "code"
    ):
        shown = run_cell("".join(cell["source"]), names)
        result = {"output_type": "execute_result", "metadata": {}, "data": shown}
        cell["execution_count"] = number + 1
        cell["outputs"] = [result | {"execution_count": number + 1}] if shown else []
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("CERTIFY_NOTEBOOK") == "write":
        NOTEBOOK.write_text(text, encoding="utf-8")
    assert NOTEBOOK.read_text(encoding="utf-8") == text
    # 19,752 hands of the C(53, 6) have four of a kind and nothing better.
    edges = names["edges"]
    assert edges[25] - edges[75] == 50 * Fraction(19752, comb(53, 6))
    sheet = [*load_workbook("edges.xlsx").active.iter_rows(values_only=True)]
    assert [row[2] for row in sheet[1:]] == [str(edge) for edge in edges.values()]


TEXT = (ROOT / "docs" / "how-to" / "declare-a-jurisdiction.md").read_text(encoding="utf-8")
STEPS = [
    shlex.split(line) for line in re.findall(r"^    (\S.+)$", TEXT.split("```")[0], re.MULTILINE)
]
LATER = [
    shlex.split(line) for line in re.findall(r"^    (\S.+)$", TEXT.split("```")[2], re.MULTILINE)
]
RULES, DEADLINES = map(json.loads, re.findall(r"```json\n(.+?)```", TEXT, re.DOTALL))
STATE = Path(PAYTABLES, "jurisdictions", "sample-state.json")
OTHERS = re.compile(r"Nevada|Washington|WAC |WSGC|Regulation 14|Pennsylvania|Jersey|Maryland")


@pytest.fixture
def jurisdiction_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify
) -> Certify:
    """Follow the page up to its rules, in an empty folder; return what runs further commands."""
    monkeypatch.chdir(tmp_path)
    write_own_files("declare-a-jurisdiction.md", tmp_path)
    for _, *words in STEPS:
        assert run_command(*words).code == 0, words
    value = json.loads(STATE.read_text(encoding="utf-8"))
    STATE.write_text(json.dumps(value | {"rules": RULES, "deadlines": DEADLINES}), encoding="utf-8")
    return run_command


def test_the_steps_of_the_page_declare_a_state_that_is_checked(
    jurisdiction_project: Certify,
) -> None:
    assert [step[:3] for step in STEPS] == [
        ["certify", "new", "jurisdiction"],
        ["certify", "check"],
    ]
    assert jurisdiction_project("check").out == "1 file checked: 0 errors, 0 warnings, 0 notes.\n"
    assert "allowed_paytables" in jurisdiction_project("rule", "--tests").out
    wrong = STATE.read_text(encoding="utf-8").replace("least_cents", "least_cent")
    STATE.write_text(wrong, encoding="utf-8")
    assert "R016" in jurisdiction_project("check").out


def test_a_submission_for_the_jurisdiction_follows_the_page(jurisdiction_project: Certify) -> None:
    assert jurisdiction_project("check").code == 0
    *checked, (_, submit, game, _, state, *_) = LATER
    assert (submit, [step[1] for step in checked]) == ("submit", ["check", "rule", "keys"])
    order = Order(game=game, jurisdiction=state)
    filing = build_filing(order)
    submission = build_without_counts(filing)
    standings = {rule.rule.id: rule.standing for rule in submission.rules}
    assert standings == {"1-2(c)": Standing.BY_PEOPLE, "1-3": Standing.NOT_SATISFIED}
    pages = {part: compose_part(submission, part) for part in PARTS}
    memo = pages.pop("memo")
    assert all("Sample Gaming Board" in page for page in pages.values())
    # The doubts about the source, which the memo lists, speak of the regulator that published it.
    assert OTHERS.findall("".join(pages.values())) == []
    assert "Sample Code § 1-3" in memo
    assert "verified text of 2024-07" in memo


def test_a_state_is_not_written_over(jurisdiction_project: Certify) -> None:
    again = jurisdiction_project(*STEPS[0][1:])
    assert again.code == 2
    assert "already exists" in again.err
    assert "is not an id" in jurisdiction_project("new", "jurisdiction", "a b", *STEPS[0][4:]).err
