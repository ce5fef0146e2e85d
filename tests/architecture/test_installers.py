"""The wheel installed as `install.md` says, by each tool, for a user who has nothing yet.

The fix that a missing extra prints is followed as printed.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from certify.errors import install_command
from tests.acceptance.installed import build_wheel, user_environment
from tests.acceptance.pages import blocks

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
PYTHON = Path(sys.base_prefix) / "bin"
PAGE = "install.md"
LINES = [line for block in blocks(PAGE) if not block.language for line in block.commands]
FIXES = {
    "pip": "'{home}/certify/bin/python3' -m pip install --constraint '{constraints}' ",
    "uv tool": "uv tool install --force --constraint '{constraints}' ",
    "pipx": "pipx install --force --pip-args=\"--constraint '{constraints}'\" ",
}
"""The start of the fix by the tool that installed the wheel."""


class User:
    """A user in a checkout that has a wheel in `dist`, with an empty home."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "checkout", folder / "home"
        self.dist = self.folder / "dist"
        self.home.mkdir(mode=0o700)
        self.dist.mkdir(parents=True)
        self.wheel = build_wheel(self.dist)
        for name in ("constraints.txt", "requirements.lock"):
            shutil.copy(ROOT / name, self.dist)
        # The tools and no other program of the environment of the tests, certify above all.
        tools = folder / "tools"
        tools.mkdir()
        for name in ("uv", "pipx"):
            if (TOOLS / name).exists():
                (tools / name).symlink_to(TOOLS / name)
        programs = (self.home / "certify/bin", self.home / ".local/bin", tools, PYTHON)
        self.environment = user_environment(self.home, *programs)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def install(self, command: str) -> None:
        """Run a command that installs; skip if there is no package index."""
        done = self.run(command)
        if done.returncode and re.search(
            r"resolve|connection|fetch|download", done.stderr, re.IGNORECASE
        ):
            pytest.skip(f"no package index: {done.stderr[-300:]}")
        assert done.returncode == 0, (command, done.stderr)

    def assert_works(self) -> None:
        version = self.run("certify --version")
        first, second = version.stdout.splitlines()
        assert re.fullmatch(r"certify [0-9.]+ \(build [0-9a-f]{12}\)", first), version
        assert re.fullmatch(r"certify_recount, SHA-256 [0-9a-f]{64}", second), version
        evaluated = self.run("certify evaluate mini-pai-gow/bonus/A")
        assert "House edge             4.3489%" in evaluated.stdout, evaluated.stderr


@pytest.mark.slow  # it installs from a package index
def test_lock_of_the_page_is_installed_by_pip(tmp_path: Path) -> None:
    user = User(tmp_path)
    lines = LINES[LINES.index("make wheel") + 1 :][:3]
    assert [line.split()[0] for line in lines] == ["python3", *["~/certify/bin/pip"] * 2]
    for line in lines:
        user.install(line)
    user.assert_works()
    assert user.run("certify keys init-dev").returncode == 0


@pytest.mark.slow  # it installs from a package index
@pytest.mark.parametrize("tool", FIXES)
def test_fix_for_a_missing_extra_works_as_printed(tool: str, tmp_path: Path) -> None:
    user = User(tmp_path)
    if tool == "pip":
        user.install("python3 -m venv ~/certify")
        user.install(
            "~/certify/bin/pip install --constraint dist/constraints.txt dist/certify-*.whl"
        )
    else:
        if not (TOOLS / tool.split(maxsplit=1)[0]).exists():
            pytest.skip(f"{tool} is not installed")
        (line,) = [line for line in LINES if line.startswith(tool)]
        assert "[all]" in line
        user.install(line.replace("[all]", ""))
    user.assert_works()
    lacking = user.run("certify keys init-dev")
    assert lacking.returncode == 2
    (fix,) = re.findall(r"^  Fix: Install certify\[sign\]: `(.+)`$", lacking.stderr, re.MULTILINE)
    start = FIXES[tool].format(home=user.home, constraints=user.dist / "constraints.txt")
    assert fix == f"{start}'certify[sign] @ {user.wheel.as_uri()}'"
    user.install(fix)
    assert user.run("certify keys init-dev").returncode == 0
    user.assert_works()


@pytest.mark.slow  # it installs from a package index
@pytest.mark.parametrize("tool", ["uv tool", "pipx"])
def test_line_of_the_page_installs_every_extra(tool: str, tmp_path: Path) -> None:
    user = User(tmp_path)
    if not (TOOLS / tool.split(maxsplit=1)[0]).exists():
        pytest.skip(f"{tool} is not installed")
    user.install(next(line for line in LINES if line.startswith(tool)))
    user.assert_works()
    assert user.run("certify doctor").returncode == 0


@pytest.mark.parametrize(
    ("mark", "start"),
    [
        ("uv-receipt.toml", "uv tool install --force "),
        ("pipx_metadata.json", "pipx install --force "),
        ("no pip", f"uv pip install --python '{sys.executable}' "),
        ("", f"'{sys.executable}' -m pip install "),
    ],
)
def test_fix_names_the_tool_and_the_wheel(
    mark: str, start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "certify-1-py3-none-any.whl"
    origin: dict[str, object] = {"url": wheel.as_uri(), "archive_info": {}}
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(PathDistribution, "read_text", lambda *_: json.dumps(origin))
    if mark == "no pip":
        monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    elif mark:
        (tmp_path / mark).touch()
    assert install_command("sign") == f"{start}'certify[sign] @ {wheel.as_uri()}'"
    (tmp_path / "constraints.txt").touch()
    assert f"--constraint '{tmp_path / 'constraints.txt'}'" in str(install_command("sign"))
    origin["dir_info"] = {"editable": True}
    assert str(install_command("sign")).endswith(f"-e '{wheel}[sign]'")


def test_fix_without_a_recorded_origin_names_no_package_index(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PathDistribution, "read_text", lambda *_: None)
    assert install_command("sign") is None
