import html
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from certify.cli.app import run as command
from certify.signatures.identity_folder import init_development
from tests.desk.conftest import ROOT, Client, run
from tests.desk.test_pages import SEEN
from tests.desk.test_signing import TODAY

GAME = "mini-pai-gow"
PRINTED = re.compile(r"<(code|pre)\b[^>]*>(certify [a-z].*?)</\1>", re.DOTALL)
PLACES = (f"/options/{GAME}/main/1", f"/compare/house-ways/{GAME}")
"""Pages with a command until their figures are counted."""


@pytest.fixture(scope="module")
def fresh_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A web app with one built-in game, which is not counted, and without keys."""
    folder = tmp_path_factory.mktemp("uncounted")
    names = ("schemas", "templates", "paytables/jurisdictions", f"paytables/{GAME}")
    for name in names:
        shutil.copytree(ROOT / name, folder / "library" / name)
    for name in ("events.json", f"house-ways/{GAME}.json"):
        path = folder / "library" / "paytables" / name
        path.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "paytables" / name, path)
    running = run(
        folder / "project",
        CERTIFY_LIBRARY=str(folder / "library"),
        CERTIFY_CACHE=str(folder / "cache"),
        CERTIFY_HOME=str(folder / "home"),
    )
    client = running.enter()
    client.home = folder / "home"
    yield client
    running.end()


@pytest.fixture
def command_line(fresh_app: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line in the project of the web app, with its folders."""
    folder = fresh_app.folder.parent
    monkeypatch.chdir(fresh_app.folder)
    for name in ("library", "cache", "home"):
        monkeypatch.setenv(f"CERTIFY_{name.upper()}", str(folder / name))


def find_commands(client: Client, address: str) -> list[str]:
    return [html.unescape(found[1]) for found in PRINTED.findall(client.get(address).text)]


def test_each_template_with_a_command_is_known() -> None:
    folder = ROOT / "templates" / "desk"
    found = {
        path.name.partition(".")[0]
        for path in folder.glob("*.j2")
        if re.search(r"<code>certify |\{\{ command", path.read_text(encoding="utf-8"))
    }
    # `tests.desk.test_filing` runs the command of a submission; `stopped` names `certify desk`.
    elsewhere = {"submission_made", "stopped"}
    assert found == {"option", "matrix", "verification"} | elsewhere


@pytest.mark.long
@pytest.mark.usefixtures("command_line")
def test_a_printed_command_gives_what_its_page_gives(
    fresh_app: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {*SEEN, *PLACES, "/register", "/signers", "/cases", "/verify", "/jobs", "/log"}
    found = {
        address: find_commands(fresh_app, address) for address in pages if "emperors" not in address
    }
    assert {address for address in found if found[address]} == {*PLACES, "/verify"}
    for address in PLACES:
        (words,) = found[address]
        refused = json.loads(fresh_app.get(f"{address}.json").text)
        assert f"`{words}`" in refused["error"]["remedy"]
        assert command([*shlex.split(words)[1:], "--format", "json"]) == 0
        assert fresh_app.get(f"{address}.json").text == capsys.readouterr().out
        assert find_commands(fresh_app, address) == []


@pytest.mark.usefixtures("command_line")
def test_the_command_for_keys_names_the_folder_of_the_page(
    fresh_app: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    (words,) = find_commands(fresh_app, "/verify")
    assert command(shlex.split(words)[1:]) == 0
    folder = re.search(r"^Folder: (.+)$", capsys.readouterr().out, re.MULTILINE)
    assert folder is not None
    init_development(Path(folder[1]), name="Test Only", today=TODAY)
    name = next(Path(folder[1]).glob("*.p12")).stem
    assert f'<option value="{name}"' in fresh_app.get("/verify").text
    assert find_commands(fresh_app, "/verify") == []
    assert command(shlex.split(words)[1:]) == 0
    assert name in capsys.readouterr().out
