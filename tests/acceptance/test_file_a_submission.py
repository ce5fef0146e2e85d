"""The commands of file-a-submission.md, as printed, with keys and an authority of a test."""

import re
from pathlib import Path

import pikepdf
import pytest
from asn1crypto import pem
from certomancer.registry import CertLabel

from certify.cli.app import run
from certify.desk.app import MENU
from certify.library import templates
from tests.acceptance.pages import HOW_TO, arguments, blocks
from tests.commands.conftest import blank_pages, reading
from tests.commands.pair_plus import GAME, pair_plus
from tests.homes import new_home
from tests.signatures.conftest import World, server_of_world, world

# Fixtures: a timestamp authority on loopback; documents on blank pages, read in this process.
__all__ = ["blank_pages", "reading", "server_of_world", "world"]

PAGE = "file-a-submission.md"
DESK = templates() / "desk"
AUTHORITY = "http://timestamp.example.com"
ROLES = {"company": "signer", "laboratory": "reviewer"}
"""The files of a key, and the person of the test who has it."""

ROOTS = {"company-root": "root", "laboratory-root": "second", "tsa-root": "second"}


def write_keys(world: World, folder: Path) -> None:
    """Write the files that the page asks for."""
    for name, label in ROLES.items():
        archive = world.architecture.package_pkcs12(CertLabel(label), password=b"test only")
        for path, data in (
            (folder / f"{name}.p12", archive),
            (folder / f"{name}.password", b"test only"),
        ):
            path.write_bytes(data)
            path.chmod(0o600)
    for name, label in ROOTS.items():
        certificate = world.architecture.get_cert(CertLabel(label)).dump()
        (folder / f"{name}.pem").write_bytes(pem.armor("CERTIFICATE", certificate))
    (folder / "letter.pdf").write_bytes(b"The regulator approves the filing.")


def test_each_label_of_the_web_app_is_on_a_page_of_it() -> None:
    text = (HOW_TO / PAGE).read_text(encoding="utf-8")
    steps = re.findall(r"\{admonition\} (.+?)\n(.+?)\n:::\n", text, re.DOTALL)
    labels = {label for name, step in steps if name == "Web app"
              for label in re.findall(r"\*(.+?)\*", step)}  # fmt: skip
    pages = "".join(path.read_text(encoding="utf-8") for path in DESK.glob("*.j2"))
    shown = {word for pair in re.findall(r"[>}](?:\d\. )?([^<>{}]+)[<{]|', '([^']+)'", pages)
             for word in pair} | {name for name, _ in MENU}  # fmt: skip
    assert len(steps) == 2 * len(re.findall(r"^## \d", text, re.MULTILINE))
    assert len(labels) > 10
    assert labels <= shown


@pytest.mark.usefixtures("blank_pages")
def test_the_page_leads_from_a_filing_to_a_decision_and_its_revision(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    monkeypatch.chdir(tmp_path)
    assert run(["init", "our-casino"]) == 0
    monkeypatch.chdir(tmp_path / "our-casino")
    pair_plus(Path())  # final documents count each figure again: of three cards it takes no time
    write_keys(world, Path())
    printed = ""
    for block in blocks(PAGE):
        for command in block.commands:
            line = command.replace(AUTHORITY, world.url)
            line = line.replace("mini-pai-gow", GAME).replace("Grace Hopper", "TEST ONLY Reviewer")
            code = run(arguments(line)[1:])
            output = capsys.readouterr()
            printed += output.out
            # Certificates of the test are valid for thirty days: each document is due.
            due = line.startswith("certify register renewals")
            assert code == int(due), f"{line}\n{output.out}{output.err}"
    assert "nv-harbor" in printed
    (redline,) = Path("revised").glob("*redline*.pdf")
    assert len(pikepdf.open(redline).pages) > 0
