"""What is kept between runs costs time when it is lost, and never a figure."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import library
from certify.engine import count_cache
from certify.engine.count_cache import kept
from certify.errors import NotConfigured

VALUE = {"labels": [[[True, False], 12, 3, 4]], "uses": [["rule", 5]]}


class Counter:
    """Counts how often it was asked to count."""

    def __init__(self, value: object = VALUE) -> None:
        self.asked = 0
        self.value = value

    def __call__(self) -> object:
        self.asked += 1
        return self.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path))
    return tmp_path / "counts"


def only_file(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_a_count_is_made_once_and_then_read(folder: Path) -> None:
    count = Counter()
    assert kept(("a game", 13), count) == VALUE
    assert kept(("a game", 13), count) == VALUE
    assert count.asked == 1
    assert only_file(folder).suffix == ".json"


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def other_digits(data: bytes) -> bytes:
    return data.replace(b"12", b"13")


def other_figure_of_the_same_value(data: bytes) -> bytes:
    return data.replace(b"true", b"1")


def other_file(data: bytes) -> bytes:
    return json.dumps({**json.loads(data), "digest": "0" * 64}).encode()


def without_check(data: bytes) -> bytes:
    found = json.loads(data)
    del found["check"]
    return json.dumps(found).encode()


def without_value(data: bytes) -> bytes:
    found = json.loads(data)
    del found["value"]
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        cut,
        other_digits,
        other_figure_of_the_same_value,
        other_file,
        without_check,
        without_value,
        lambda _: b"",
        lambda _: b"[1, 2]",
        lambda _: b"null",
        lambda _: b"\xff\xfe\x00",
        lambda _: b"[" * 100_000,
        lambda data: data + b"x",
    ],
    ids=[
        "truncated", "altered", "another type", "another rule set's", "no check", "no value",
        "empty", "a list", "null", "no text", "nested too deep", "a tail",
    ],
)  # fmt: skip
def test_a_file_that_is_not_as_it_was_written_is_counted_again_and_written_anew(
    folder: Path, spoil: Callable[[bytes], bytes]
) -> None:
    count = Counter()
    kept(("a game",), count)
    path = only_file(folder)
    sound = path.read_bytes()
    path.write_bytes(spoil(sound))
    assert kept(("a game",), count) == VALUE
    assert count.asked == 2
    assert only_file(folder).read_bytes() == sound
    assert kept(("a game",), count) == VALUE
    assert count.asked == 2


def test_another_rule_set_has_another_file(folder: Path) -> None:
    for rests_on in (("a", "b"), ("a", "c"), ("a",), ("a", ("b",)), ("ab",)):
        kept(rests_on, Counter(rests_on))
    assert len(list(folder.iterdir())) == 5
    again = Counter()
    assert kept(("a", "c"), again) == ["a", "c"]
    assert again.asked == 0


def test_another_engine_has_another_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(("a game",), Counter())
    monkeypatch.setattr(count_cache, "__version__", "0.0.0-other")
    kept(("a game",), Counter())
    monkeypatch.setattr(count_cache, "_source_digest", lambda: "other source text")
    kept(("a game",), Counter())
    assert len(list(folder.iterdir())) == 3


def test_the_engines_own_text_names_the_file() -> None:
    assert len(count_cache._source_digest()) == 64


def test_a_count_that_is_interrupted_leaves_no_file(folder: Path) -> None:
    def interrupted() -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept(("a game",), interrupted)
    assert not folder.exists()


def test_a_write_that_is_interrupted_leaves_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    count = Counter()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            kept(("a game",), count)
    assert list(folder.iterdir()) == []
    assert kept(("a game",), count) == VALUE
    assert count.asked == 2


def test_a_full_disk_costs_no_figure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert kept(("a game",), Counter()) == VALUE
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_costs_no_figure(folder: Path) -> None:
    # A file stands where the folder should be; so it is for every user, root included.
    folder.write_text("in the way", encoding="utf-8")
    with pytest.raises(NotConfigured):
        library.write_atomically(folder / "a.json", b"")
    count = Counter()
    assert kept(("a game",), count) == VALUE
    assert kept(("a game",), count) == VALUE
    assert count.asked == 2
    assert folder.read_text(encoding="utf-8") == "in the way"


def test_a_folder_in_the_place_of_the_file_costs_no_figure(folder: Path) -> None:
    kept(("a game",), Counter())
    path = only_file(folder)
    path.unlink()
    path.mkdir()
    assert kept(("a game",), Counter()) == VALUE
    assert list(path.iterdir()) == []
    assert only_file(folder) == path


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere"
)
def test_a_folder_without_permission_costs_no_figure(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o500)
    assert kept(("a game",), Counter()) == VALUE
    assert list(folder.iterdir()) == []
