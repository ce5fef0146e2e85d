"""Every block of the tutorial and the how-to guides, from the wheel, in an empty folder and home.

`test_how_to.py` runs the quick pages in the environment of the repository.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance import pages
from tests.acceptance.installed import Installed, build_wheel, install_wheel
from tests.acceptance.pages import HOW_TO, PAGES, TUTORIAL

EXCERPT = "an excerpt of a file or of output"
OTHERS = "other people's files and keys; tests/signatures runs these commands"
OWN_FILES = "files of the reader; tests/acceptance/test_small_commands.py runs such commands"
REPOSITORY = "a checkout; tests/architecture/test_set_up.py and the targets of make"
RUNNER = "a runner of GitHub or GitLab; tests/acceptance/test_ci_steps.py runs its steps"
SETTINGS = "an excerpt of settings; tests/acceptance/test_ci_steps.py and test_known.py use them"
WHEEL = "tests/architecture/test_wheel.py follows these lines"
WINDOWS = "Windows"
DRILL = "a backup; tests/signatures/test_private_keys.py"
CEREMONY = "a token; tests/acceptance/test_key_ceremony.py"
FILED = "a timestamp authority; tests/acceptance/test_file_a_submission.py"
AUTHORITY = "a timestamp authority; tests/signatures/test_renewal.py"

NOT_RUN = {
    ("audit-the-sources.md", '{"id": "1.edge", "target": "sample-game/bonus/1", '): EXCERPT,
    ("check-in-ci.md", '{"findings"'): EXCERPT,
    ("check-in-ci.md", "repos:"): "tests/acceptance/test_ci_steps.py runs pre-commit with it",
    ("check-in-ci.md", "- uses: actions/checkout"): RUNNER,
    ("check-in-ci.md", "include:"): RUNNER,
    ("check-in-ci.md", "[[check.accepted]]"): SETTINGS,
    ("check-in-ci.md", "[check]"): SETTINGS,
    ("file-a-submission.md", "certify"): FILED,
    ("install.md", "make submission"): REPOSITORY,
    ("install.md", "apt-get install"): "an administrator",
    ("install.md", "make wheel"): WHEEL,
    ("install.md", "uv tool install"): WHEEL,
    ("key-ceremony.md", "pkcs11-tool"): CEREMONY,
    ("key-ceremony.md", "openssl"): CEREMONY,
    ("key-ceremony.md", "certify keys trust"): CEREMONY,
    ("key-ceremony.md", "certify submit"): CEREMONY,
    ("redline.md", "certify diff dealer-open-pai-gow/chan-chu/1 my-new-table.json"): OWN_FILES,
    ("redline.md", "certify check --artwork"): OWN_FILES,
    ("administer.md", "certify log"): DRILL,
    ("administer.md", "mkdir /srv/filings"): "two accounts; tests/test_storage.py",
    ("administer.md", "chmod g+w"): "two accounts; tests/test_storage.py",
    ("administer.md", "export CERTIFY_HOME"): DRILL,
    ("company-network.md", "export HTTP_PROXY"): "a proxy; tests/signatures/test_network.py",
    ("company-network.md", "export SSL_CERT_FILE"): "a proxy; tests/signatures/test_network.py",
    ("renew.md", "certify verify"): AUTHORITY,
    ("renew.md", "certify register renewals"): AUTHORITY,
    ("renew.md", "certify renew"): AUTHORITY,
    ("sign.md", "certify verify game.rules.pdf"): OTHERS,
    ("sign.md", "certify verify game.rules.approved.pdf"): OTHERS,
    ("sign.md", "{"): "an example of the file that the next command writes",
    ("store-a-verification-count.md", "certify crosscheck GAME/main"): "hours of counting",
    ("sweep.md", "dask scheduler"): "a network; tests/commands runs a cluster of one machine",
    ("upgrade.md", "certify --version"): "a project with files; each command has its own tests",
    ("use-the-web-app.md", "certify desk"): "a browser; tests/desk",
    ("windows.md", "py -m venv"): WINDOWS,
    ("windows.md", "pip install"): WINDOWS,
}
"""Each block that is not run, by its page and start, and what it needs."""

EXIT_CODES = {
    # A copied game is warned of until it cites its own document.
    ("check-in-ci.md", "certify check --fail-on warning           # exit 1 on warnings too"): 1,
    # The template has no counts yet.
    ("compare-house-ways.md", "certify compare counts.csv mini-pai-gow/bonus/A"): 1,
}
"""Each command that the page says ends otherwise than with 0."""


def change_a_pay(folder: Path, shown: str) -> None:
    path = folder / "paytables/mini-pai-gow/bonus/D.json"
    before = shown.strip().removesuffix(",").replace("40 to 1", "50 to 1")
    assert json.loads(before) in json.loads(path.read_bytes())["rows"]
    pages.edit(path, '"pays": "50 to 1"', '"pays": "40 to 1"')


def add_a_house_way(folder: Path, shown: str) -> None:
    path = folder / "paytables/our-mania/game.json"
    value = json.loads(path.read_bytes()) | json.loads(f"{{{shown.strip().removesuffix(',')}}}")
    path.write_text(json.dumps(value), encoding="utf-8")


def declare(name: str) -> Callable[[Path, str], None]:
    def replace(folder: Path, shown: str) -> None:
        path = folder / "paytables/jurisdictions/sample-state.json"
        value = json.loads(path.read_bytes()) | {name: json.loads(shown)}
        path.write_text(json.dumps(value), encoding="utf-8")

    return replace


EDITS: dict[str, list[Callable[[Path, str], None]]] = {
    TUTORIAL: [change_a_pay],
    "declare-a-house-way.md": [add_a_house_way],
    "declare-a-jurisdiction.md": [declare("rules"), declare("deadlines")],
}
"""What the reader does with each JSON block that does not name its file, in order."""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    found = install_wheel(build_wheel(folder), folder / "environment")
    if isinstance(found, str):
        pytest.skip(found)
    return found


def reason(page: str, block: pages.Block) -> str | None:
    found = (
        why
        for (name, start), why in NOT_RUN.items()
        if (name == page) & block.start.startswith(start)
    )
    return next(found, None)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_the_page_works_as_printed(
    page: str, installed: Installed, tmp_path: Path
) -> None:
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir(mode=0o700)
    folder.mkdir()
    pages.write_own_files(page, folder)
    person = {
        f"GIT_{role}_{part}": "reader@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    edits, printed, ran = iter(EDITS.get(page, [])), "", 0
    for block in pages.blocks(page):
        if reason(page, block):
            continue
        ran += 1
        if block.name:
            pages.write_file(block, folder)
        elif block.language == "json":
            next(edits)(folder, block.text)
        elif block.language == "text":  # output of the commands above, parts of it left out
            shown = [" ".join(line.split()) for line in block.text.splitlines() if line != "…"]
            assert set(shown) <= {" ".join(line.split()) for line in printed.splitlines()}
        else:
            for command in block.commands:
                if command.startswith("cd "):
                    folder /= command.removeprefix("cd ")
                    continue
                done = installed.run(command, folder, home, person)
                expected = EXIT_CODES.get((page, command), 0)
                assert done.returncode == expected, f"{command}\n{done.stdout}{done.stderr}"
                printed += done.stdout
    assert next(edits, None) is None
    assert ran or any(name == page for name, _ in NOT_RUN)


def test_a_block_that_is_not_run_is_on_its_page() -> None:
    known = {(page, block.start) for page in PAGES for block in pages.blocks(page)}
    for page, start in NOT_RUN:
        assert any(name == page and line.startswith(start) for name, line in known), (page, start)
    assert {page for page, _ in NOT_RUN} <= {path.name for path in HOW_TO.glob("*.md")}
