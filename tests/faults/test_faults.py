"""Faults at each file operation of each command that writes, and the list of these commands."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import certify
from certify import library, storage
from certify.declare import deletion, editing, user_state
from certify.errors import CertifyError, ChangedMeanwhile

from .__main__ import use_sample_library
from .saving import TIMES
from .writers import ELSEWHERE, GAME, OTHER, TABLE, WRITERS

PACKAGE = Path(certify.__file__).parent
ROOT = Path(__file__).parents[2]
QUICK = ("first submission", "draft")
"""One writer of each kind that takes little time."""

WRITING = frozenset(
    {
        *("write_atomically", "write_folder", "write_sibling", "write_bytes", "write_text"),
        *("unlink", "removedirs", "rename", "renames", "mkdir", "makedirs", "rmdir", "touch"),
        *("chmod", "fchmod", "link", "symlink", "hardlink_to", "symlink_to", "truncate"),
        *("rmtree", "copyfile", "copytree", "mkdtemp", "mkstemp"),
        *("TemporaryDirectory", "TemporaryFile", "NamedTemporaryFile"),
    }
)
"""Names of functions that change files."""

OF_MODULES = frozenset({"remove", "replace", "copy", "copy2", "move"})
"""Names of such functions of `os`, `shutil` and `storage`; lists and texts have them, too."""


@cache
def try_faults(*names: str) -> set[str]:
    """Try the faults of these commands, once; return the functions that changed files."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.faults", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stdout.splitlines()[-1]))


def test_a_fault_leaves_the_old_or_the_new_files_and_the_next_run_ends() -> None:
    assert try_faults(*QUICK)


@pytest.mark.long
def test_every_function_that_writes_is_tried_or_excused() -> None:
    tried = try_faults(*QUICK) | try_faults(*(name for name in WRITERS if name not in QUICK))
    writing = {*list_writing()}
    assert writing - tried - ELSEWHERE.keys() == set()
    assert ELSEWHERE.keys() <= writing


@pytest.mark.long
def test_every_file_that_a_writer_changes_is_noted_for_the_log() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.faults.logged"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout.splitlines()[-1]) == {}


@pytest.mark.parametrize(
    "text",
    [
        *("path.open('wb')", "path.open(mode='a')", "open(path, 'x')", "io.open(path, 'r+')"),
        *("path.replace(other)", "os.replace(a, b)", "os.open(path, flags)", "path.unlink()"),
        *("shutil.move(a, b)", "os.makedirs(path)", "path.write_bytes(data)"),
    ],
)
def test_a_call_that_changes_files_is_found(text: str) -> None:
    source = f"class A:\n  def b():\n    def c():\n      {text}"
    assert _find_writing(source) == {"A.b.<locals>.c"}


@pytest.mark.parametrize(
    "text",
    [
        *("path.open('rb')", "open(path)", "stream.open()", "os.open(path, os.O_RDONLY | more)"),
        *("text.replace('a', 'b')", "replace(value, name=1)", "moment.replace(tzinfo=utc)"),
        *("rows.remove(row)", "value.copy()"),
    ],
)
def test_a_call_that_reads_is_not_found(text: str) -> None:
    assert not _find_writing(f"def b():\n  {text}")


def list_writing() -> Iterator[str]:
    """Yield the functions of certify that call a function that changes files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        yield from (f"{module}.{name}" for name in _find_writing(path.read_bytes()))


def _find_writing(source: str | bytes) -> set[str]:
    found = _Writing()
    found.visit(ast.parse(source))
    return found.names


class _Writing(ast.NodeVisitor):
    """The qualified names of the functions that call a function that changes files."""

    def __init__(self) -> None:
        self.inside: tuple[str, ...] = ()
        self.names: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_inside(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_inside(node, node.name, "<locals>")

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_inside(node, node.name, "<locals>")

    def visit_Call(self, node: ast.Call) -> None:
        if _writes(node):
            self.names.add(".".join(self.inside).removesuffix(".<locals>"))
        self.generic_visit(node)

    def _visit_inside(self, node: ast.AST, *names: str) -> None:
        before, self.inside = self.inside, (*self.inside, *names)
        self.generic_visit(node)
        self.inside = before


def _writes(node: ast.Call) -> bool:
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    owner = getattr(getattr(node.func, "value", None), "id", "")
    if (owner, name) == ("os", "open"):
        return not {"O_RDONLY", "devnull"}.intersection(re.findall(r"\w+", ast.unparse(node)))
    if name == "open":
        of_a_path = isinstance(node.func, ast.Attribute) and owner != "io"
        named = [each.value for each in node.keywords if each.arg == "mode"]
        modes = [*node.args[not of_a_path :][:1], *named]
        return any(set(str(getattr(mode, "value", ""))) & set("wxa+") for mode in modes)
    if name == "replace" and owner not in {"os", "storage"}:  # of a text it has two arguments
        return isinstance(node.func, ast.Attribute) and (len(node.args), node.keywords) == (1, [])
    return name in WRITING or (owner in {"os", "shutil", "storage"} and name in OF_MODULES)


# Two at once: processes that save different rows, and an editor that knows of no lock


PROCESSES = (("save_row", 0), ("save_row", 1), ("undo_row", 2), ("revise_and_delete", 0))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.setenv("CERTIFY_LIBRARY", str(library.root()))
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    use_sample_library(tmp_path / "library")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.long
def test_processes_that_save_different_rows_at_once_lose_nothing(project: Path) -> None:
    WRITERS["save"].prepare(project)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.saving", kind, str(number)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for kind, number in PROCESSES
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
    for process in running:
        assert process.wait() == 0, process.stderr and process.stderr.read()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()
    rows = editing.open_file(TABLE).value["rows"]
    assert [row["name"] for row in rows[:2]] == [f"Row {TIMES - 1}"] * 2
    game = editing.open_file(GAME).value
    assert [each["revision"] for each in game["changes"]][-TIMES:] == [
        f"0-{number}" for number in range(TIMES)
    ]
    assert not (project / "paytables" / f"{OTHER}.json").exists()
    deletion.restore(OTHER)
    assert editing.open_file(OTHER).value["name"] == f"Name {TIMES - 1}"


REPLACING = (
    *("new wager", "new event", "save over a built-in file", "save", "revise", "undo"),
    *("register", "register correct", "terms", "terms in place of others", "second count"),
    *("countersign", "init"),
)


@pytest.mark.parametrize("name", REPLACING)
def test_an_editor_that_saves_meanwhile_loses_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    writer = WRITERS[name]
    writer.prepare(project)
    edited: list[Path] = []
    write_sibling: Callable[..., Path] = storage.write_sibling

    def write_after_an_editor(path: Path, data: bytes, **options: object) -> Path:
        if path.absolute().is_relative_to(project) and not path.parent.name.startswith("."):
            path.write_bytes(b"of the editor")
            edited.append(path)
        return write_sibling(path, data, **options)

    with monkeypatch.context() as patched:
        patched.setattr(storage, "write_sibling", write_after_an_editor)
        with pytest.raises(CertifyError):
            writer.act(project)
    assert edited[-1].read_bytes() == b"of the editor"


def test_what_an_editor_changes_is_not_deleted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = WRITERS["delete a paytable"]
    writer.prepare(project)
    path = project / "paytables" / f"{TABLE}.json"
    store = user_state.store

    def store_after_an_editor(kind: str, *rest: object) -> None:
        path.write_bytes(b"of the editor")
        store(kind, *rest)  # type: ignore[arg-type] # passed on

    with monkeypatch.context() as patched:
        patched.setattr(user_state, "store", store_after_an_editor)
        with pytest.raises(ChangedMeanwhile):
            writer.act(project)
    assert path.read_bytes() == b"of the editor"


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_countersigned_file_is_as_private_as_the_signed_one(project: Path) -> None:
    writer = WRITERS["countersign"]
    writer.prepare(project)
    before = os.umask(0o022)
    try:
        writer.act(project)
    finally:
        os.umask(before)
    assert (project / "rules.countersigned.pdf").stat().st_mode & 0o777 == 0o600
