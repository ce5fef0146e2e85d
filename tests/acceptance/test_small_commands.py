import io
import json
import re
import sys
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.cli.output import Progress
from tests.acceptance.command_line import ROOT

REGISTER = ROOT / "fixtures" / "register" / "valid" / "register.json"
DECLARED = json.loads(REGISTER.read_text(encoding="utf-8"))["approvals"]
Printed = pytest.CaptureFixture[str]


def test_the_register_is_listed_by_state(capsys: Printed) -> None:
    assert run(["register", "list", "--file", str(REGISTER)]) == 0
    text = capsys.readouterr().out
    assert all(record["id"] in text for record in DECLARED)
    assert "superseded by nevada-2" in text
    assert run(["register", "list", "--file", str(REGISTER), "--jurisdiction", "wsgc"]) == 0
    text = capsys.readouterr().out
    of_state = {record["id"]: record["jurisdiction"] == "wsgc" for record in DECLARED}
    assert {name: name in text for name in of_state} == of_state


def test_an_empty_register_is_reported(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "register.json"
    path.write_text('{"$schema": "register.schema.json", "approvals": []}', encoding="utf-8")
    assert run(["register", "list", "--file", str(path)]) == 0
    assert capsys.readouterr().out == f"{path} has no entries.\n"
    assert run(["register", "check", "--file", str(path)]) == 3


def test_a_record_is_shown_whole(capsys: Printed) -> None:
    (record,) = (item for item in DECLARED if item["id"] == "nevada-2")
    assert run(["register", "show", "nevada-2", "--file", str(REGISTER)]) == 0
    text = capsys.readouterr().out
    assert record["content_sha256"] in text
    assert f"rules.pdf {record['documents'][0]['sha256']}" in text
    named = ["register", "show", "nevada-2", "--file", str(REGISTER), "--format", "json"]
    assert run(named) == 0
    (shown,) = json.loads(capsys.readouterr().out)["approvals"]
    assert (shown["id"], shown["letter_sha256"]) == ("nevada-2", record["letter_sha256"])


def test_the_check_of_a_register_as_json(capsys: Printed) -> None:
    """The sample's records are of a game that nobody declares: each in force is a finding."""
    assert run(["register", "check", "--file", str(REGISTER), "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    in_force = [item for item in DECLARED if item["status"] != "superseded"]
    assert (printed["checked"], len(printed["findings"])) == (len(DECLARED), len(in_force))
    assert {finding["code"] for finding in printed["findings"]} == {"R014"}


def test_keys_are_listed_with_the_roots_that_are_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path))
    assert run(["keys", "list"]) == 0
    assert "No identity." in capsys.readouterr().out
    assert run(["keys", "init-dev"]) == 0
    certificate = str(tmp_path / "keys" / "development-key.pem")
    assert run(["keys", "trust", certificate]) == 0
    capsys.readouterr()
    assert run(["keys", "list"]) == 0
    text = capsys.readouterr().out
    assert "No identity." not in text
    assert re.search(r"^development-key +\S.* +\d{4}-\d\d-\d\d$", text, flags=re.MULTILINE)
    assert re.search(r"^Trusted: .+  SHA-256 [0-9A-Fa-f:]{64,}$", text, flags=re.MULTILINE)


def test_codes_are_listed_explained_and_guessed(capsys: Printed) -> None:
    assert run(["rule", "all"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert run(["rule", listed[0].split()[0].lower()]) == 0
    assert capsys.readouterr().out.startswith(listed[0].split()[0])
    assert run(["rule", "P004", "--where"]) == 0
    file, _, rest = capsys.readouterr().out.strip().partition(":")
    line, name = rest.split()
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    assert any(f"def {name}(" in each for each in lines[int(line) - 1 : int(line) + 9])
    assert run(["rule", "--tests"]) == 0
    assert len(capsys.readouterr().out.split("\n\n")) > 10
    assert run(["rule"]) == 2
    assert run(["rule", "P0O4"]) == 2
    assert "Did you mean P" in capsys.readouterr().err
    assert run(["rule", "zzzzzzzz"]) == 2
    assert "`certify rule all` lists them." in capsys.readouterr().err


def test_counts_of_a_laboratory_that_agree_and_that_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.chdir(tmp_path)
    target = "mini-pai-gow/bonus/A"
    assert run(["evaluate", target, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    ours = {row["event"]: row["combinations"] for row in rows}
    assert run(["compare", "counts.csv", target, "--template"]) == 0
    head, *lines = Path("counts.csv").read_text(encoding="utf-8").splitlines()
    filled = [f"{line}{ours[line.split(',')[0]]}" for line in lines]
    Path("counts.csv").write_text("\n".join([head, *filled]) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert run(["compare", "counts.csv", target, "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert run(["compare", "counts.csv", target]) == 0
    assert f"{len(lines)} rows compared, 0 different." in capsys.readouterr().out
    filled[0] += "0"
    Path("counts.csv").write_text("\n".join([head, *filled]) + "\n", encoding="utf-8")
    assert run(["compare", "counts.csv", target, "-q"]) == 1
    text = capsys.readouterr().out
    assert text.count("DIFFERS") == 1
    assert f"{len(lines)} rows compared, 1 different." in text


def test_progress_is_a_line_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("CI", raising=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress("Counting")
    for done in range(4):
        progress(done, 3)
    Progress("One")(1, 1)
    Progress("None")(0, 0)
    assert terminal.getvalue() == (
        "\rCounting:   0%\rCounting:  33%\rCounting:  66%\rCounting: 100%\n"
        "\rOne: 100%\n"
        "\rNone:   0%\n"
    )
