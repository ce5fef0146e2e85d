"""The small installs of who receives a filing: `certify[sign]` and `certify[verify]`."""

import datetime as dt
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from certify import library
from certify.commands.reproduce import reproduce as reproducing
from certify.commands.reproduce.stated import Step, describe
from certify.errors import NotConfigured
from certify.filing.embedded import Recounted
from certify.filing.evidence import EVIDENCE, list_attachments, part_label
from certify.printing.print_pdf import print_pdf
from certify.signatures.identity_folder import init_development
from tests.homes import new_home
from tests.small_install import link_extra

from .conftest import Pieces, World

MODULES = (
    "certify.filing.verdict, certify.commands.reproduce.reproduce, "
    "certify.signatures._reading, certify.signatures.pades"
)
PRINTERS = {"jinja2", "openpyxl", "pydyf", "weasyprint", "xlsxwriter"}
FIELDS = ("signature-block", "laboratory-signature-block")


@pytest.fixture(scope="module", params=["sign", "verify"])
def extra(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def python(extra: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return link_extra(extra, tmp_path_factory.mktemp(extra))


def test_the_modules_of_a_recipient_need_no_spreadsheet_writer_and_no_printer(python: Path) -> None:
    packages = {path.name for path in python.parents[1].glob("lib/python*/site-packages/*")}
    assert not PRINTERS & packages
    ended = subprocess.run(
        [python, "-P", "-c", f"import {MODULES}"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The home of two people: the second is a laboratory under its own root."""
    folder = new_home(tmp_path_factory.mktemp("home")) / "keys"
    preparer, _ = (
        init_development(folder, name=name, today=dt.datetime.now(dt.UTC).date())
        for name in ("Preparer", "Laboratory")
    )
    return World(identity=preparer, folder=folder)


@pytest.fixture(scope="module")
def filing(pieces: Pieces, home: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One signed page that embeds what a mathematics report does."""
    blocks = "".join(f'<div id="{field}" class="signature-block"></div>' for field in FIELDS)
    head = '<html lang="en-US"><head><title>Sheet</title></head>'
    page = print_pdf(
        f"<!DOCTYPE html>{head}<body><h1>Sheet</h1>{blocks}</body></html>",
        title="Sheet",
        language="en-US",
        document_id="sheet",
        date=dt.date(2026, 11, 21),
        attachments=(
            *list_attachments(pieces.filing, pieces.evidence),
            part_label("sheet", "mathematics"),
        ),
        templates=library.templates(),
    )
    path = tmp_path_factory.mktemp("filing") / "sheet.pdf"
    path.write_bytes(home.sign(page))
    return path


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def certify(python: Path, home: World, tmp_path: Path) -> Run:
    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, "-P", "-m", "certify", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "CERTIFY_HOME": str(home.folder.parent)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return run


@pytest.mark.long
def test_a_recipient_verifies_countersigns_and_reproduces(
    extra: str, certify: Run, filing: Path, tmp_path: Path
) -> None:
    ran = certify("verify", filing)
    assert ran.returncode == 0, ran.stderr
    if extra == "sign":  # every reproduction counts worked examples with arrays
        ran = certify("reproduce", filing, "--figures-only")
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "Fix: Install certify[main-wager]" in ran.stderr
        return
    signed = tmp_path / "countersigned.pdf"
    asked = ("--as", "laboratory", "--identity", "development-laboratory", "--out", signed)
    ran = certify("countersign", filing, *asked)
    assert (ran.returncode, signed.exists()) == (0, True), ran.stderr

    ran = certify("reproduce", signed, "--figures-only", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    answer = json.loads(ran.stdout)
    assert answer["figures_only"]
    assert answer["verdict"].startswith("FIGURES ONLY: ")
    checks = {check["id"]: check for check in answer["checks"]}
    workbook = checks["workbook"]
    assert (workbook["passed"], workbook["required"]) == (False, False)
    assert "not written again" in workbook["detail"]
    marks = checks["marks"]
    assert (marks["passed"], marks["required"]) == (False, False)
    assert "not composed again, because jinja2 is not installed" in marks["detail"]

    ran = certify("reproduce", signed)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "Fix: Install certify[documents]" in ran.stderr


def test_pages_that_cannot_be_printed_here_are_not_called_different() -> None:
    printing = Step(id="print", passed=False, detail="", verdict=describe("unprinted"))
    figure = Step(id="mini-pai-gow/bonus/A", passed=False, detail="")
    signature = Step(id="signature", passed=True, detail="")
    assert reproducing._summary([signature, printing], figures_only=False) == (
        "Every figure of the evidence agrees, but the document cannot be printed again here: its "
        "pages were not compared."
    )
    verdict = reproducing._summary([signature, figure, printing], figures_only=False)
    assert verdict.startswith("Some of what the document states does not agree")


def test_pages_without_pango_are_told_apart_from_other_pages(
    pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise NotConfigured("The libraries that print documents are missing.")

    monkeypatch.setattr(reproducing, "compare_pages", refuse)
    evidence = json.loads(pieces.evidence)
    counted = Recounted(evidence=evidence, filing=pieces.filing)
    asked = reproducing.Comparisons(signer="", pages=True)
    (step,) = reproducing._pages({EVIDENCE: pieces.evidence}, counted, b"", asked)
    assert step.verdict == describe("unprinted")
    assert "The libraries that print documents are missing." in step.detail
