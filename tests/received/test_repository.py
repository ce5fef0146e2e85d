import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from certify.errors import NotConfigured
from certify.received.repository import find_ignored, find_program, find_repository, hash_blob

NAMES = ("a", "b", "c.json", "d.json", "build", "keep.json")
PATTERNS = (
    *("*.json", "!keep.json", "a/", "/a", "b", "!b", "build/", "a/b/", "**/b/c.json", "a/**", "d*"),
    *("!c.json", "/*.json", "a/*.json", "[ab]", "?.json", "# a", "", "\\!b", "b/ ", "!/a/b/", "*"),
)


def git(folder: Path, *arguments: str, given: str | None = None) -> str:
    named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    ran = subprocess.run(
        ["git", "-C", str(folder), *named, *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


def lay_out(folder: Path, chance: random.Random) -> tuple[Path, ...]:
    """Return files in folders of up to three levels, with rules of git in some of them."""
    for _ in range(12):
        parts = [chance.choice(("a", "b", "build")) for _ in range(chance.randrange(4))]
        path = folder.joinpath(*parts, chance.choice(("c.json", "d.json", "keep.json")))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for path in (folder, *[path for path in folder.rglob("*") if path.is_dir()]):
        if ".git" not in path.parts and chance.random() < 0.5:
            rules = chance.choices(PATTERNS, k=chance.randrange(1, 5))
            (path / ".gitignore").write_text("\n".join(rules) + "\n")
    return tuple(sorted(path for path in folder.rglob("*.json") if ".git" not in path.parts))


@pytest.mark.parametrize("seed", range(40))
def test_the_same_files_are_ignored_as_by_git(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)  # noqa: S311 - a reproducible case
    git(tmp_path, "init", "-q")
    files = lay_out(tmp_path, chance)
    tracked = chance.sample(files, 2)
    git(tmp_path, "add", "-f", *map(str, tracked))
    given = "\0".join(map(str, files))
    listed = git(tmp_path, "check-ignore", "-z", "--stdin", given=given).split("\0")
    assert find_ignored(files, tmp_path) == {Path(name) for name in listed if name}


def test_a_blob_has_the_digest_that_git_gives_it(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"a": 1}\r\n')
    git(tmp_path, "init", "-q")
    assert hash_blob(path) == git(tmp_path, "hash-object", "--no-filters", str(path)).strip()


def commits(folder: Path, *names: Sequence[str]) -> None:
    for listed in names:
        for name in listed:
            (folder / name).write_text(name)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "x")


def test_the_branch_point_is_read_in_work_trees_and_packed_repositories(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    git(top, "init", "-q", "-b", "trunk")
    commits(top, ["a", "name with\nbreak"], ["b"])
    git(top, "checkout", "-q", "-b", "topic", "HEAD~1")
    commits(top, ["c"])
    git(top, "gc", "-q")
    git(top, "worktree", "add", "-q", str(tmp_path / "linked"), "HEAD~0")
    for folder in (top, tmp_path / "linked"):
        found = find_repository(folder)
        assert found is not None
        assert found.read_base("trunk").keys() == {"a", "name with\nbreak"}
        assert found.read_base("trunk")["a"] == hash_blob(folder / "a")
        assert found.list_tracked() == {folder / name for name in ("a", "c", "name with\nbreak")}
        with pytest.raises(NotConfigured, match="unknown: fatal"):
            found.read_base("nowhere")
        with pytest.raises(NotConfigured, match="unknown: fatal"):
            found.read_base("--output=/tmp/x")


def test_a_program_is_not_taken_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join((".", "")))
    assert find_program("git") is None
