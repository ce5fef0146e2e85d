import os
import random
import re
import resource
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from certify.errors import NotConfigured
from certify.received.files import (
    PROJECT,
    OutsideProject,
    find_boundary,
    is_plain_name,
    leads_outside,
    links_outside,
    open_file,
    refuse_outside,
    walk,
)
from certify.received.repository import find_program, find_repository, find_untracked, hash_blob
from certify.storage import read_at_most

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
    ignored, _ = find_untracked(files, tmp_path)
    assert ignored == {Path(name) for name in listed if name}


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
        with pytest.raises(NotConfigured, match="git does not know the commit"):
            found.read_base("nowhere")
        with pytest.raises(NotConfigured, match="git does not know the commit"):
            found.read_base("--output=/tmp/x")


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """Return a repository with loose and packed references; the test may write no large file."""
    top = tmp_path / "clone"
    top.mkdir()
    git(top, "init", "-q", "-b", "trunk")
    commits(top, ["a"])
    git(top, "pack-refs", "--all")
    commits(top, ["b"])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, limits[1]))
    yield top
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


READ = (
    *("HEAD", "index", "packed-refs", "shallow", "refs", "refs/heads", "refs/heads/trunk"),
    *("refs/x", "objects", "objects/pack", "objects/pack/pack-1.idx", "objects/info/commit-graph"),
)
"""Files and folders of a repository that git reads."""


@pytest.mark.parametrize("kind", ["link", "device", "pipe"])
@pytest.mark.parametrize("name", READ)
def test_only_regular_files_of_a_repository_are_read(clone: Path, name: str, kind: str) -> None:
    path = clone / ".git" / name
    private = clone.parent / "private"
    if path.is_dir():
        path.rename(private)
    else:
        private.write_text("PRIVATE")
        path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
        # Whoever waits for a writer reads an empty file, and the test fails instead of waiting.
        threading.Thread(target=path.write_bytes, args=(b"",), daemon=True).start()
    else:
        path.symlink_to(private if kind == "link" else "/dev/zero")
    found = find_repository(clone)
    assert found is not None
    for read in (found.list_tracked, partial(found.read_base, "trunk")):
        with pytest.raises(NotConfigured) as refused:
            read()
        assert "PRIVATE" not in refused.value.message
        assert re.search("(regular file|Not a directory)", refused.value.message)


@pytest.mark.parametrize("name", ["HEAD", "refs/heads/trunk", "packed-refs"])
def test_no_line_of_a_file_below_git_is_printed(clone: Path, name: str) -> None:
    (clone / ".git" / name).write_text("ref: PRIVATE\nPRIVATE\n")
    found = find_repository(clone)
    assert found is not None
    with pytest.raises(NotConfigured, match="git does not know the commit, or cannot") as refused:
        found.read_base("trunk")
    assert "PRIVATE" not in refused.value.message + refused.value.remedy


@pytest.mark.parametrize("name", ["index", "packed-refs", "refs/heads/trunk", "shallow"])
def test_no_file_without_end_is_copied(clone: Path, name: str) -> None:
    with (clone / ".git" / name).open("ab") as stream:
        os.truncate(stream.fileno(), 8 << 20)
    (clone / ".git" / "refs" / "heads" / "more").write_bytes(b"")
    with (clone / ".git" / "refs" / "heads" / "more").open("ab") as stream:
        os.truncate(stream.fileno(), 8 << 20)
    found = find_repository(clone)
    assert found is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("certify.received.repository.ROOM", 12 << 20)
        with pytest.raises(NotConfigured, match="is larger than 12 MiB"):
            found.list_tracked()


def test_objects_of_other_repositories_are_not_read(clone: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(clone), "shared")
    shared = find_repository(tmp_path / "shared")
    assert shared is not None
    with pytest.raises(NotConfigured, match="objects of other repositories are not read"):
        shared.read_base("HEAD")


def test_trees_without_end_are_not_listed(clone: Path) -> None:
    """Each of ten trees contains the next one ten times: ten billion files."""
    blob = git(clone, "hash-object", "-w", "--stdin", given="")
    entry, kind = blob.strip(), "100644 blob"
    for _ in range(10):
        lines = "".join(f"{kind} {entry}\t{name}\n" for name in "abcdefghij")
        entry, kind = git(clone, "mktree", given=lines).strip(), "040000 tree"
    commit = git(clone, "commit-tree", "-m", "x", entry).strip()
    git(clone, "update-ref", "refs/heads/trunk", commit)
    found = find_repository(clone)
    assert found is not None
    with pytest.raises(NotConfigured, match="git did not finish"):
        found.read_base("trunk")


@pytest.mark.parametrize("works", [True, False])
def test_git_is_ended_by_its_processor_time_and_not_by_the_clock(
    works: bool, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One program works without end; the other one waits for longer than it may work."""
    program = clone.parent / "program"
    action = "while :; do :; done" if works else 'sleep 2; exec git "$@"'
    program.write_text(f"#!/bin/sh\n{action}\n")
    program.chmod(0o755)
    monkeypatch.setattr("certify.received.repository.find_program", lambda _: str(program))
    monkeypatch.setattr("certify.received.repository.SECONDS", 1)
    found = find_repository(clone)
    assert found is not None
    if works:
        with pytest.raises(NotConfigured, match="git did not finish"):
            found.list_tracked()
    else:
        assert found.list_tracked() == {clone / "a", clone / "b"}


@pytest.mark.parametrize("way", ["file", "link", "commondir", "worktree", "modules"])
def test_a_repository_elsewhere_must_name_the_work_tree(clone: Path, way: str) -> None:
    received = clone.parent / "received"
    received.mkdir()
    private = clone / ".git"
    mark = received / ".git"
    if way == "link":
        mark.symlink_to(private)
    elif way == "commondir":
        mark.mkdir()
        (mark / "commondir").write_text(str(private))
        (mark / "gitdir").write_text(str(mark))
    else:
        mark.write_text(f"gitdir: {private}\n")
    if way == "worktree":  # that of another folder
        git(clone, "worktree", "add", "-q", str(clone.parent / "linked"))
        mark.write_text(f"gitdir: {private / 'worktrees' / 'linked'}\n")
    if way == "modules":
        (private / "config").write_text("[core]\n\tworktree = ../../other\n")
    with pytest.raises(NotConfigured, match="does not name this work tree"):
        find_repository(received)


def test_submodules_and_their_work_trees_are_read(clone: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(clone), "inner")
    git(outer / "inner", "worktree", "add", "-q", str(tmp_path / "linked"))
    for folder in (outer / "inner", tmp_path / "linked"):
        found = find_repository(folder)
        assert found is not None
        assert found.list_tracked() == {folder / "a", folder / "b"}
        assert found.read_base("HEAD").keys() == {"a", "b"}


def test_a_file_too_large_to_read_has_no_digest(tmp_path: Path) -> None:
    with (tmp_path / "x.json").open("wb") as stream:
        os.truncate(stream.fileno(), 1 << 40)
    with pytest.raises(OSError, match="it has more than 67,108,864 bytes"):
        hash_blob(tmp_path / "x.json")


def test_a_program_is_not_taken_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join((".", "")))
    assert find_program("git") is None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project next to another one and a private folder."""
    for name in ("project", "other"):
        (tmp_path / name / "paytables" / "game").mkdir(parents=True)
        (tmp_path / name / PROJECT).touch()
        (tmp_path / name / "paytables" / "game" / "game.json").write_text(name)
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "key.json").write_text("private")
    return tmp_path / "project"


def link(path: Path, target: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("x.json", "../private/key.json"),
        ("paytables/x.json", "../../private/key.json"),
        ("paytables/missing.json", "../../private/missing.json"),
        ("first", "second"),
        ("paytables/away", "../../private"),
        ("paytables/away", "../../other"),
    ],
)
def test_link_out_of_the_project_is_never_read(project: Path, name: str, target: str) -> None:
    link(project / "second", "../private/key.json")
    path = link(project / name, target)
    inside = path / "key.json" if target.endswith("private") else path / PROJECT
    for way in (path, inside) if path.is_dir() else (path,):
        assert leads_outside(way)
        with pytest.raises(OutsideProject, match="it is a link that leads out of"):
            open_file(way)
    assert path in [*links_outside(project, "paytables")] or name == "first"
    if path.is_dir():
        assert [found for found in walk(project) if path in found.parents] == []


def test_link_inside_the_project_is_followed(project: Path) -> None:
    same = link(project / "paytables" / "game" / "2.json", "game.json")
    twin = link(project / "paytables" / "twin", "game")
    assert read_at_most(same) == read_at_most(twin / "game.json") == b"project"
    found = [path.relative_to(project).as_posix() for path in walk(project / "paytables")]
    assert found == [
        *("paytables/game", "paytables/twin"),
        *("paytables/game/2.json", "paytables/game/game.json"),
        *("paytables/twin/2.json", "paytables/twin/game.json"),
    ]
    assert [*links_outside(project, "paytables")] == []


def test_links_to_folders_do_not_multiply(project: Path) -> None:
    """Ten folders with two links each to the next one have 1,024 ways to the last."""
    for number in range(10):
        for name in ("left", "right"):
            link(project / f"f{number}" / name, f"../f{number + 1}")
    (project / "f10").mkdir()
    link(project / "f0" / "up", "..")
    assert len([*walk(project)]) < 200


def test_a_project_in_a_linked_folder_is_its_own_boundary(project: Path) -> None:
    linked = link(project.parent / "shortcut", "project")
    assert read_at_most(linked / "paytables" / "game" / "game.json") == b"project"
    assert find_boundary(linked / "paytables" / "x.json") == linked
    assert find_boundary(project / "paytables" / "x.json") == project
    assert find_boundary(project.parent / "private" / "key.json") is None


def test_a_repository_is_the_boundary_without_a_project(project: Path) -> None:
    (project / PROJECT).unlink()
    (project / ".git").mkdir()
    path = link(project / "away", "../other")
    # The project that the link leads to does not vouch for it.
    assert leads_outside(path / "paytables" / "game" / "game.json")


def test_a_file_alone_is_no_link_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "table.json").write_text("{}")
    assert read_at_most(link(tmp_path / "same.json", "table.json")) == b"{}"
    assert leads_outside(link(tmp_path / "folder" / "x.json", "../table.json"))
    refuse_outside(link(tmp_path / "shortcut", "folder"))


def test_a_named_folder_is_the_boundary_outside_of_projects(tmp_path: Path) -> None:
    named, private = tmp_path / "named", tmp_path / "private"
    for folder in (named / "paytables" / "game", private):
        folder.mkdir(parents=True)
        (folder / "game.json").write_text("{}")
    away = link(named / "paytables" / "away", "../../private")
    link(named / "paytables" / "twin", "game")
    assert [path.relative_to(named).as_posix() for path in walk(named) if path.suffix] == [
        *("paytables/game/game.json", "paytables/twin/game.json"),
    ]
    assert [*links_outside(named, "paytables")] == [away]
    shortcut = link(tmp_path / "shortcut", "named")  # the user may name a link
    assert {*walk(shortcut)} == {shortcut / path.relative_to(named) for path in walk(named)}
    linked = link(tmp_path / "received" / "paytables", "../private")
    assert [*walk(linked, named=linked.parent)] == []
    with pytest.raises(OutsideProject):
        refuse_outside(linked, named=linked.parent)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="a folder of Linux")  # noqa: S108
def test_memory_of_the_system_is_a_place_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text("private")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        (Path(folder) / PROJECT).touch()
        assert leads_outside(link(Path(folder) / "x.json", str(tmp_path / "key.json")))
        os.mkfifo(Path(folder) / "pipe")
        with pytest.raises(OSError, match="not a regular file"):
            open_file(Path(folder) / "pipe")


def test_no_pipe_is_waited_for(project: Path) -> None:
    os.mkfifo(project / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        open_file(project / "pipe")
    with pytest.raises(IsADirectoryError):
        open_file(project / "paytables")
    read, write = os.pipe()
    os.write(write, b"given by the shell")
    os.close(write)
    with open_file(Path(f"/dev/fd/{read}")) as stream:
        assert stream.read() == b"given by the shell"
    os.close(read)


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "a/b", "a\\b", "c:", "a*", "x\n", "x\x1b[2J", "x\u202ey", "x.", "x "),
        *("nul", "NUL.json", "con.tar.gz", "aux .json", "com1", "LPT9.pdf", "com¹.txt", "CONIN$"),
    ],
)
def test_name_of_no_file_on_some_system(name: str) -> None:
    assert not is_plain_name(name)


@pytest.mark.parametrize("name", ["1.json", "PT-FLT-EC-ET-01.json", "console.json", ".hidden", "é"])
def test_name_of_a_file_on_every_system(name: str) -> None:
    assert is_plain_name(name)
