"""Set-up and precompiled kernels."""

import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD_PIP = "23.0.1"
"""The pip of Debian 12; it refuses a lock whose packages require an extra of another one."""

RECIPES = (
    ".ci/setup", "Containerfile", "action.yml", ".gitlab/certify.gitlab-ci.yml", "Makefile",
    "docs/how-to/install.md", "docs/how-to/windows.md", "docs/how-to/check-in-ci.md",
)  # fmt: skip


def copy_of_the_tree(folder: Path) -> Path:
    ignored = shutil.ignore_patterns(
        ".git", ".venv", ".cache", "out", "dist", "__pycache__", ".*_cache"
    )
    return shutil.copytree(ROOT, folder / "tree", symlinks=True, ignore=ignored)


@pytest.mark.slow  # it installs all packages
def test_set_up_works_with_an_old_pip(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    python = tree / ".venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", tree / ".venv"], check=True)
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check"]
    got = subprocess.run([*pip, "install", "-q", f"pip=={OLD_PIP}"], check=False)
    if got.returncode:
        pytest.skip(f"no package index gave pip {OLD_PIP}")
    # apt is not asked: the packages of the system are those that the tests found. The kernels are
    # compiled elsewhere, so they are not compiled here.
    stub = tmp_path / "bin" / "dpkg-query"
    stub.parent.mkdir()
    stub.write_text("#!/bin/sh\necho install ok installed\n")
    stub.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{stub.parent}:{os.environ['PATH']}",
        "NUMBA_DISABLE_JIT": "1",
        "PYTHON": sys.executable,
    }
    environment.pop("VIRTUAL_ENV", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        ["bash", ".ci/setup", "tests"],
        cwd=tree, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, ran.stderr
    assert "failed" not in ran.stderr
    assert after.ru_utime - before.ru_utime < 60
    version = subprocess.run([*pip, "--version"], check=True, capture_output=True, text=True)
    assert version.stdout.startswith("pip ")
    for command in (("certify", "--version"), ("pytest", "--version")):
        assert (
            subprocess.run([tree / ".venv/bin" / command[0], command[1]], check=False).returncode
            == 0
        )
    certify = subprocess.run(
        [python, "-c", "import certify; print(certify.__file__)"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert Path(certify.stdout.strip()).is_relative_to(tree)


def run_with_stubs(tree: Path, apt: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up where the system has all packages but chromium, up to the Python packages."""
    scripts = {
        "dpkg-query": 'case "$*" in *chromium*) exit 1;; esac; echo install ok installed',
        "apt-get": apt,
        "sudo": 'exec "$@"',
        "sleep": "true",
        "python-stub": "exit 1",  # the set-up ends here
    }
    folder = tree / "bin"
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHON": "python-stub"} | variables
    return subprocess.run(
        ["bash", ".ci/setup", "tests"],
        cwd=tree, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.fixture
def bare_tree(tmp_path: Path) -> Path:
    """A folder with the set-up alone."""
    (tmp_path / "tree" / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "setup", tmp_path / "tree" / ".ci")
    return tmp_path / "tree"


def test_set_up_fails_where_a_package_of_the_tests_is_missing(bare_tree: Path) -> None:
    ran = run_with_stubs(bare_tree, "exit 100")
    assert ran.returncode == 2
    assert "apt-get install --no-install-recommends chromium" in ran.stderr
    assert "needs Python" not in ran.stderr


def test_set_up_goes_on_without_a_named_package(bare_tree: Path) -> None:
    ran = run_with_stubs(bare_tree, "exit 100", WITHOUT="qpdf chromium")
    assert "could not be installed" not in ran.stderr
    assert "certify needs Python 3.11" in ran.stderr


def test_set_up_waits_for_another_apt(bare_tree: Path) -> None:
    busy = 'echo "$*" >> log; [ -e free ] || { touch free; echo E: Could not get lock; exit 100; }'
    ran = run_with_stubs(bare_tree, busy)
    assert "waiting for another apt" in ran.stderr
    asked = [line.split()[2] for line in (bare_tree / "log").read_text().splitlines()]
    assert asked == ["update", "update", "install"]
    assert "certify needs Python 3.11" in ran.stderr


def commands(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    if array := re.search(r"^install_locked=\((.*)\)\n", text, flags=re.MULTILINE):
        text = text.replace(array[0], "").replace('"${install_locked[@]}"', array[1])
    return [
        line
        for part in text.splitlines()
        if not part.lstrip().startswith("#")
        for line in re.split(r"&&|\|\|", part)
        if re.search(r"\bpip install\b", line)
    ]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_installs_by_digest_and_resolves_nothing(name: str) -> None:
    """A lock has no digest of certify itself, a folder or a wheel, which brings no package."""
    for line in commands(name):
        assert "--no-deps" in line, line
        own = "--no-build-isolation" in line or ".whl" in line
        assert "--require-hashes" in line or own, line


def pins(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line.removesuffix("\\").rstrip() for line in lines if re.match(r"[a-z0-9]", line)]


def test_constraints_are_the_versions_of_the_lock() -> None:
    assert pins("constraints.txt") == pins("requirements.lock")
    # What pip reads digests from, it checks them for everything: a folder has none.
    assert "--hash" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_what_takes_no_digests_takes_the_versions() -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "additional_dependencies: [--constraint=constraints.txt, " in hook
    documented = "".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))
    )
    tools = re.findall(r"^.*\b(?:uv tool|pipx) install\b.*$", documented, flags=re.MULTILINE)
    assert tools
    assert [line for line in tools if "--constraint" not in line] == []


@pytest.mark.parametrize("name", ["requirements.lock", "packaging/pyinstaller.lock"])
def test_each_pin_of_a_lock_has_a_digest(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    pinned = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert [pin.partition("\n")[0] for pin in pinned if "--hash=sha256:" not in pin] == []
    assert "pyinstaller==" in text or name == "requirements.lock"


WITHOUT_THE_REST = """
import sys
from importlib.metadata import packages_distributions

names, first = packages_distributions(), {"certify", *sys.argv[2].split("|")}

class Refusing:
    def find_spec(name, path, target=None):
        if not first.intersection(names.get(name.partition(".")[0], first)):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Refusing)
sys.path.insert(0, sys.argv[1])
import certify.engine.deck
import certify.kernels.numba_dispatcher
"""


def test_set_up_installs_first_what_compiles_ahead(tmp_path: Path) -> None:
    first = re.search(
        r"only '([a-z|]+)' requirements\.lock", (ROOT / ".ci" / "setup").read_text(encoding="utf-8")
    )
    assert first is not None
    kept = {name: text for name, text in os.environ.items() if name not in ELSEWHERE}
    ran = subprocess.run(
        [sys.executable, "-I", "-c", WITHOUT_THE_REST, str(ROOT), first[1]],
        env={**kept, "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stderr == ""


ELSEWHERE = ("CERTIFY_CACHE", "CERTIFY_HOME", "NUMBA_CACHE_DIR")
"""A user who has set none of them has folders where the system keeps them."""
