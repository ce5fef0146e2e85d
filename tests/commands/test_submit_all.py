"""All filings of a project are submitted at once, and a refused one does not stop the others."""

import json
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.commands import submit as submitting

from .test_filings import declare, project  # noqa: F401 - a fixture

ALL = ["submit", "--all", "--unsigned", "--out", "out"]


@pytest.mark.usefixtures("project")
def test_each_filing_is_submitted_into_its_own_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(submitting, "print_draft", lambda _: b"%PDF-")  # pages are tested elsewhere
    amounts = {"wager": "bonus", "table": "community", "qualifying_wager_cents": 100}
    declare("md", "maryland", paytables=["A"])
    declare("nv", "nevada", envies=[amounts])  # a rule says $5 (D022)
    declare("wa", "wsgc", paytables=["A"])
    capsys.readouterr()
    assert run(ALL) == 1
    said = capsys.readouterr()
    written, refused, last = said.out.splitlines()
    assert written.startswith("md: ")
    assert written.endswith(f" files in {Path('out/md')}")
    assert refused.startswith("nv: refused: ")
    assert last.startswith("wa: ")
    assert "D022" in said.err
    assert {path.name for path in Path("out").iterdir()} == {"md", "wa"}
    for name, state in (("md", "maryland"), ("wa", "wsgc")):
        (evidence,) = Path("out", name).glob("*.evidence.json")
        assert json.loads(evidence.read_text())["order"]["jurisdiction"] == state


@pytest.mark.usefixtures("project")
def test_all_filings_are_named_by_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ALL) == 2
    assert "The project has no filing." in capsys.readouterr().err
    assert run([*ALL, "nv"]) == 2
    assert "--all submits every filing." in capsys.readouterr().err
    assert run(["submit", "--unsigned", "--out", "out"]) == 2
    assert "No filing is named." in capsys.readouterr().err
