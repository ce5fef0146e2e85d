"""One rule: a file belongs to the nearest project, and the nearest settings above it apply.

`docs/how-to/check-in-ci.md` states it.

How a run reaches the file changes nothing: each cell of the matrix has the verdict of the rule.
"""

import io
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.acceptance.command_line import ROOT, Certify, Ran, change, commit

GAME = Path("paytables/mini-pai-gow")
TABLE = GAME / "bonus/ours.json"
STRICT = '[check]\nfail-on = "note"\n'
HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]["entry"]


def run_stdin(certify: Certify, path: Path) -> Ran:
    with pytest.MonkeyPatch.context() as patch:
        given = io.TextIOWrapper(io.BytesIO(path.read_bytes()), encoding="utf-8")
        patch.setattr(sys, "stdin", given)
        return certify("check", "--stdin", "--path", str(path))


FORMS: dict[str, Callable[[Certify, Path], Ran]] = {
    "bare": lambda certify, _: certify("check"),
    "here": lambda certify, _: certify("check", "."),
    "file": lambda certify, project: certify("check", str(project / TABLE)),
    "folder": lambda certify, project: certify("check", str(project / GAME)),
    "hook": lambda certify, _: certify(*shlex.split(HOOK)[1:]),
    "stdin": lambda certify, project: run_stdin(certify, project / TABLE),
}
LAYOUTS = {
    "root": (".", ()),
    "nested": ("team", (".",)),
    "linked": (".", ()),
    "submodule": ("sub", ()),
    "two projects": ("b", ("a",)),
}
"""The project with the note, from the root of the repository, and the projects without one."""


@pytest.fixture
def certify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    monkeypatch.chdir(tmp_path)
    return run_command


def make(certify: Certify, layout: str) -> Path:
    """Make a repository in the current folder; return its project that has a note (D005)."""
    folder, others = LAYOUTS[layout]
    for name in (folder, *others):  # a project is not made inside another one
        assert certify("init", name).code == 0
        os.chdir(name)
        identifier = "ours" if name == folder else "theirs"
        target = f"mini-pai-gow/bonus/{identifier}"
        assert certify("new", "paytable", target, "--clause", "Our own").code == 0
        if name != folder:  # another pay, so that it is a copy of no other
            change(GAME / f"bonus/{identifier}.json", "1000 to 1", "999 to 1")
        Path("certify.toml").write_text("", encoding="utf-8")
        if layout == "submodule":
            commit(first=True)
        os.chdir(Path.cwd() if name == "." else "..")
    if layout == "linked":
        Path("shared").mkdir()
        shutil.move(GAME, "shared/mini-pai-gow")
        GAME.symlink_to("../shared/mini-pai-gow")
    commit(first=True)
    return Path(folder)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_verdict_depends_on_no_way_to_name_a_file(certify: Certify, layout: str) -> None:
    project = make(certify, layout)
    places = {"none": None, "root": Path(), "project": project, "below": project / GAME}
    verdicts = {"none": 0, "root": 1, "project": 1, "below": 4}
    found = {}
    for place, folder in places.items():
        settings = None if folder is None else folder / "certify.toml"
        before = settings.read_bytes() if settings and settings.is_file() else None
        if settings is not None:
            settings.write_text(STRICT, encoding="utf-8")
        for form, run in FORMS.items():
            ran = run(certify, project)
            found[place, form] = ran.code
            assert "1 note" in ran.out, (place, form, ran.out)
        if settings is not None and before is not None:
            settings.write_bytes(before)
        elif settings is not None:
            settings.unlink()
    assert found == {cell: verdicts[cell[0]] for cell in found}
