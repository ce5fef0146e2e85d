"""The wheel: what it holds, its extras, and how each installer installs it."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from certify.errors import EXTRAS, install_command
from tests.acceptance.installed import build_wheel, user_environment
from tests.acceptance.pages import blocks

ROOT = Path(__file__).parents[2]
DATA = ("schemas", "paytables", "templates")
KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{16}")
SECRET = (".p12", ".pfx", ".key", ".password")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def known_to_git() -> list[str]:
    """Return the tracked files and the new ones that are not ignored: the content of a commit."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a checkout")
def test_wheel_holds_what_is_tracked_and_nothing_else(wheel: Path) -> None:
    kinds = (".py", ".pyi", "py.typed")
    code = {
        path
        for path in known_to_git()
        if path.startswith(("certify/", "certify_recount/")) and path.endswith(kinds)
    }
    data = {f"certify/{path}" for path in known_to_git() if path.split("/")[0] in DATA}
    site = {name for name in names(wheel) if name.startswith("certify/site/")}  # of `make site`
    assert names(wheel) - site == code | data


def test_wheel_holds_no_key(wheel: Path) -> None:
    found = names(wheel)
    assert [item for item in found if item.endswith(SECRET) or "keys/" in item] == []
    with zipfile.ZipFile(wheel) as archive:
        assert [item for item in found if KEY.search(archive.read(item))] == []


def test_wheel_works_outside_the_repository(wheel: Path, tmp_path: Path) -> None:
    package = tmp_path / "site packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(package)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(package)}

    def certify(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", RUN, *arguments],
            cwd=elsewhere,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    doctor = certify("doctor")
    assert f"library in {package / 'certify'}\n" in doctor.stdout
    evaluated = certify("evaluate", "dealer-open-pai-gow/chan-chu/1")
    assert evaluated.returncode == 0, evaluated.stderr
    # The edge that the source prints for this paytable: 4.35 %.
    assert "House edge             4.3461%" in evaluated.stdout
    checked = certify("check", "--builtin")
    assert checked.returncode == 0, checked.stdout
    files = len(list((ROOT / "paytables").rglob("*.json")))
    assert f"{files} files checked: 0 errors" in checked.stdout


RUN = """
import sys
import certify
from certify.__main__ import main
assert "site packages" in certify.__file__, certify.__file__
main()
"""


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TARGET = "mini-pai-gow/bonus/A"

WITHOUT = """\
import sys
from importlib import metadata
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
known = metadata.version
def version(name):
    if name in {packages}:
        raise metadata.PackageNotFoundError(name)
    return known(name)
metadata.version = version
from certify.__main__ import main
main()
"""
"""Runs the command line on a machine that lacks packages."""


def run_without(
    extras: set[str], folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    packages = {package for package, extra in EXTRAS.items() if extra in extras}
    cache = folder / "cache"
    cache.mkdir(mode=0o700, exist_ok=True)
    environment = {"PYTHONPATH": str(ROOT), "CERTIFY_CACHE": str(cache), "CERTIFY_HOME": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(packages=packages), *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def list_packages(requirements: list[str]) -> set[str]:
    words = {re.split(r"[\[<>=~ ]", requirement)[0].lower() for requirement in requirements}
    return {word.replace("-", "_") for word in words}


def test_every_package_of_an_extra_is_known() -> None:
    stated = PROJECT["optional-dependencies"]
    for extra in ("documents", "main-wager", "sign"):
        known = {package.lower() for package, one in EXTRAS.items() if one == extra}
        assert list_packages(stated[extra]) <= known
    assert list_packages(stated["desk"]) - {"certify"} <= set(EXTRAS)
    assert list_packages(PROJECT["dependencies"]).isdisjoint(EXTRAS)


def test_every_import_is_of_a_declared_package() -> None:
    imported = {
        name.partition(".")[0]
        for path in (ROOT / "certify").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    ours = {"certify", "certify_recount", "_typeshed"}  # the last one is of mypy alone
    others = imported - set(sys.stdlib_module_names) - ours
    brought = {"referencing", "markupsafe"}  # by jsonschema and by jinja2
    brought.add("pandas")  # of the user's own, for `to_frame`
    assert others <= list_packages(PROJECT["dependencies"]) | set(EXTRAS) | brought


def test_files_are_validated_without_any_extra(tmp_path: Path) -> None:
    extras = {"documents", "main-wager", "sign"}
    ran = run_without(extras, tmp_path, "check", "paytables/mini-pai-gow/bonus", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["findings"] == []
    ran = run_without(extras, tmp_path, "evaluate", TARGET)
    assert (ran.returncode, "House edge             4.3489%" in ran.stdout) == (0, True)


def test_what_could_not_be_counted_is_not_judged(tmp_path: Path) -> None:
    paths = ("paytables/house-ways/foxwoods.json", "paytables/dealer-open-pai-gow/push-ace-high")
    always = ("check", *paths, "--format", "json", "--fail-on", "warning", "--ignore", "P015")
    ran = run_without({"main-wager"}, tmp_path, *always)
    report = json.loads(ran.stdout)
    others = [finding for finding in report["findings"] if finding["severity"] != "note"]
    said = {finding["message"].partition(" was not counted. ")[0] for finding in others}
    assert ran.returncode == 4
    assert {"house-ways/foxwoods", "dealer-open-pai-gow/push-ace-high/1"} <= said
    for finding in others:
        assert finding["code"] == "N002"
        assert "This needs numpy, which is not installed." in finding["message"]
        assert "Install certify[main-wager]" in finding["remedy"]


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("main-wager", ("evaluate", "mini-pai-gow/main")),
        ("documents", ("diff", TARGET, "mini-pai-gow/bonus/B", "--pdf", os.devnull)),
        ("sign", ("keys", "init-dev")),
        ("desk", ("desk", "--no-browser")),
    ],
)
def test_a_missing_piece_is_named_with_its_extra(
    extra: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    ran = run_without({extra}, tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(
        r"Error: This needs \w+, which is not installed\.\n"
        rf"  Fix: Install certify\[{extra}\]: `.+ -m pip install -e '{ROOT}\[{extra}\]'`\n",
        ran.stderr,
    )


def test_doctor_names_the_extras(tmp_path: Path) -> None:
    ran = run_without({"desk", "documents", "main-wager", "sign"}, tmp_path, "doctor")
    assert ran.returncode == 2
    named = re.findall(r"Install certify\[([a-z-]+)\]", ran.stdout)
    assert named == ["main-wager", "documents", "sign", "desk"]


# The wheel with one extra alone, outside the repository: what it promises, and what it does
# not. What an extra does not bring is installed here all the same, and hidden from the run.


A, B = "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B"
PROMISES = {
    "cluster": ("sweep", "grid.json", "--out", "results", "--parquet"),
    "desk": ("desk", "--no-browser"),
    "documents": ("diff", A, B, "--pdf", "redline.pdf"),
    "main-wager": (
        "evaluate", "emperors-challenge-exposed/ace-high-pai-gow-insurance/PT-FLT-AHPG-01",
    ),
    "sign": ("keys", "init-dev"),
}  # fmt: skip
"""Of each extra a command that needs it and none that it does not bring."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def brings_extra(extra: str, requirements: list[str]) -> bool:
    """Return True if requirements bring another extra of certify."""
    return any(
        re.search(rf"^certify\[.*\b{extra}\b.*\]", requirement) for requirement in requirements
    )


@pytest.mark.slow
@pytest.mark.parametrize("extra", [*PROMISES, None])
def test_an_extra_alone_does_what_it_promises_and_names_what_it_lacks(
    extra: str | None, package: Path, tmp_path: Path
) -> None:
    stated = PROJECT["optional-dependencies"]
    extras = {extra, *(item for item in stated if brings_extra(item, stated.get(extra or "", [])))}
    brought = {package for extra in extras if extra for package in list_packages(stated[extra])}
    hidden = {one for one, by in EXTRAS.items() if by not in extras and one.lower() not in brought}
    (tmp_path / "grid.json").write_text(json.dumps({"$schema": "grid.schema.json", "games": [A]}))
    for part in ("cache", "home"):
        (tmp_path / part).mkdir(mode=0o700)

    def run(*arguments: str) -> tuple[int, str, str]:
        started = subprocess.Popen(
            [sys.executable, "-c", WITHOUT.format(packages=hidden), *arguments],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(package),
                "CERTIFY_CACHE": str(tmp_path / "cache"),
                "CERTIFY_HOME": str(tmp_path / "home"),
                "PYTHONUNBUFFERED": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        with started, started.stdout or sys.stdin as stdout, started.stderr or sys.stdin as stderr:
            out = stdout.readline()
            if "http://127.0.0.1:" in out:  # the desk serves until it is closed
                started.terminate()
                return 0, out, ""
            out, err = out + stdout.read(), stderr.read()
            return started.wait(), out, err

    code, out, _ = run("evaluate", A)
    assert (code, "House edge             4.3489%" in out) == (0, True)
    for each, command in PROMISES.items():
        code, out, err = run(*command)
        if each in extras:
            assert code == 0, err
        else:
            assert (code, out) == (2, ""), (each, err)
            assert f"Fix: Install certify[{each}] from your copy of certify" in err


# The wheel installed as `install.md` says, by each tool, for a user who has nothing yet. The
# fix that a missing extra prints is followed as printed.


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
