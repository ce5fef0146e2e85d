import os
import tempfile
from pathlib import Path

import pytest

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
from certify.storage import read_at_most


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
