"""Each release has a stored filing, whose figures this build reproduces."""

import io
import json
import re
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest

from certify import __version__
from certify.commands.reproduce.reproduce import Comparisons, compare, reproduce
from certify.filing.evidence import EVIDENCE
from tests.acceptance.command_line import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASES = [match[1] for match in re.finditer(r"(?m)^## \[([0-9.]+)\] - [0-9]", CHANGELOG)]
"""The versions of the changelog, the newest first."""


def read_filing(version: str) -> bytes:
    return (ROOT / "fixtures" / "releases" / version / "mathematics.pdf").read_bytes()


def test_the_version_is_that_of_no_other_build() -> None:
    newest, _, stage = __version__.partition(".dev")
    assert stage.isdigit(), "a build after a release has a development version"
    assert tuple(map(int, newest.split("."))) > tuple(map(int, RELEASES[0].split(".")))


@pytest.mark.long
@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("version", RELEASES)
def test_the_figures_of_each_release_are_reproduced(version: str) -> None:
    result = reproduce(read_filing(version), trust=(), figures_only=True)
    assert result.agreed, result.steps
    made = rf"Made by certify {version}, build [0-9a-f]{{12}}; this is certify {__version__}, build"
    assert re.match(made, result.verdict)
    assert "Every figure that both builds state agrees" in result.verdict
    passed = {step.id for step in result.steps if step.passed}
    assert passed >= {"sources", "mini-pai-gow/main/1", "mini-pai-gow/bonus/A", "evidence"}


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("version", RELEASES)
def test_the_build_is_named_first_where_the_root_of_the_signer_is_unknown(version: str) -> None:
    """The table of docs/reference/versioning.md has the first digits of each build."""
    page = (ROOT / "docs" / "reference" / "versioning.md").read_text(encoding="utf-8")
    build = re.search(rf"(?m)^\| {version} \|.*`([0-9a-f]{{12}})", page)
    assert build is not None
    result = reproduce(read_filing(version), trust=())
    assert not result.agreed
    stated = f"The file states that certify {version}, build {build[1]}, made it; this is certify "
    assert result.verdict.startswith(f"{stated}{__version__}, build ")
    assert [(step.id, step.required) for step in result.steps] == [
        ("signature", True), ("build", False)
    ]  # fmt: skip
    assert result.verdict.endswith(result.steps[0].detail)


def change_edge(evidence: dict[str, Any]) -> None:
    evidence["results"][0]["house_edge"] = "1/200"


def change_judgement(evidence: dict[str, Any]) -> None:
    evidence["judgements"]["comparison"][0]["house_edge_percent"] = "0.5000"


def drop_rows(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["rows"].pop(0)


def drop_count(evidence: dict[str, Any]) -> None:
    del evidence["results"][1]["rows"][0]["combinations"]


def drop_figures(evidence: dict[str, Any]) -> None:
    evidence["results"][1] = {"target": evidence["results"][1]["target"]}


def change_pay(evidence: dict[str, Any]) -> None:
    rows = evidence["results"][0]["rows"]
    row = next(row for row in rows if row["pays"] == "push")
    row["pays"] = "loss"


def change_words(evidence: dict[str, Any]) -> None:
    evidence["results"][0]["assumptions"][0]["text"] = "Other words."


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (change_edge, {"mini-pai-gow/main/1", "evidence"}),
        (change_judgement, {"evidence"}),
        (change_pay, {"mini-pai-gow/main/1", "evidence"}),
        (drop_rows, {"mini-pai-gow/bonus/A"}),
        (drop_count, {"mini-pai-gow/bonus/A"}),
        (drop_figures, {"mini-pai-gow/bonus/A"}),
        (change_words, set()),
    ],
)
def test_a_figure_of_an_earlier_release_that_is_changed_is_found(
    change: Callable[[dict[str, Any]], None], failed: set[str]
) -> None:
    with pikepdf.open(io.BytesIO(read_filing(RELEASES[0]))) as pdf:
        files = {name: file.get_file().read_bytes() for name, file in pdf.attachments.items()}
    evidence = json.loads(files[EVIDENCE])
    change(evidence)
    files[EVIDENCE] = json.dumps(evidence).encode()
    steps = compare(files, None, Comparisons(signer=None, pages=False), None)
    assert {step.id for step in steps if step.required and not step.passed} == failed
