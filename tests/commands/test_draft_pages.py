import os
from functools import partial
from pathlib import Path

import pytest

from certify.filing import documents
from certify.filing.documents import DRAFTS_KEPT, print_draft

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
