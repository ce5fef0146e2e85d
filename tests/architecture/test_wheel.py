import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

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
