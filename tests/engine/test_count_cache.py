import contextlib
import hashlib
import hmac
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.engine import count_cache
from certify.engine.count_cache import bypass_cache, cached_count, memoized
from certify.engine.hands import awards
from certify.intake.read import read_catalog
from certify.model.game import Deck
from certify.storage import NotPrivate

VALUE = {"labels": [[[True, False], 12, 3, 4]], "uses": [["rule", 5]]}


class Counter:
    def __init__(self, value: object = VALUE) -> None:
        self.asked = 0
        self.value = value

    def __call__(self) -> object:
        self.asked += 1
        return self.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(count_cache, "_counted", {})
    return tmp_path / "cache" / "counts"


def only_file(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_a_count_is_made_once_and_then_read(folder: Path) -> None:
    count = Counter()
    assert cached_count(("a game", 13), count) == VALUE
    assert cached_count(("a game", 13), count) == VALUE
    assert count.asked == 1
    assert only_file(folder).suffix == ".json"


def other_digits(data: bytes) -> bytes:
    return data.replace(b"12", b"13")


def other_key(data: bytes) -> bytes:
    found = json.loads(data)
    text = json.dumps(found["value"]).encode()
    return json.dumps({**found, "mac": hmac.new(b"", text, hashlib.sha256).hexdigest()}).encode()


def a_plain_check(data: bytes) -> bytes:
    """Alter a count and make a check right that needs no key, as once was enough."""
    found = json.loads(other_digits(data))
    plain = hashlib.sha256(json.dumps(found["value"], sort_keys=True).encode()).hexdigest()
    return json.dumps({**found, "mac": plain, "check": plain}).encode()


def without(name: str) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps(
        {key: part for key, part in json.loads(data).items() if key != name}
    ).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        other_digits,
        lambda data: data.replace(b"true", b"1"),  # another type of the same value
        other_key,
        a_plain_check,
        without("mac"),
        without("value"),
        lambda _: b"",
        lambda _: b"[1, 2]",
        lambda _: b"null",
        lambda _: b"\xff\xfe\x00",
        lambda _: b"[" * 100_000,
        lambda data: data + b"x",
    ],
    ids=[
        "truncated", "altered", "another type", "another key", "a plain check", "no mac",
        "no value", "empty", "a list", "null", "no text", "nested too deep", "a tail",
    ],
)  # fmt: skip
def test_a_file_that_is_not_as_it_was_written_is_counted_and_written_again(
    folder: Path, spoil: Callable[[bytes], bytes]
) -> None:
    count = Counter()
    cached_count(("a game",), count)
    path = only_file(folder)
    sound = path.read_bytes()
    path.write_bytes(spoil(sound))
    assert cached_count(("a game",), count) == VALUE
    assert count.asked == 2
    assert only_file(folder).read_bytes() == sound
    assert cached_count(("a game",), count) == VALUE
    assert count.asked == 2


def test_another_rule_set_has_another_file(folder: Path) -> None:
    for inputs in (("a", "b"), ("a", "c"), ("a",), ("a", ("b",)), ("ab",)):
        cached_count(inputs, Counter(inputs))
    assert len(list(folder.iterdir())) == 5
    again = Counter()
    assert cached_count(("a", "c"), again) == ["a", "c"]
    assert again.asked == 0


def test_another_engine_has_another_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached_count(("a game",), Counter())
    monkeypatch.setattr(count_cache, "__version__", "0.0.0-other")
    cached_count(("a game",), Counter())
    monkeypatch.setattr(count_cache, "source_digest", lambda _: "other source text")
    cached_count(("a game",), Counter())
    monkeypatch.setattr(count_cache, "_versions", lambda: "numpy 1.0")
    cached_count(("a game",), Counter())
    assert len(list(folder.iterdir())) == 4


def test_plain_integers_rest_on_no_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached_count(("a game",), Counter(), plain=True)
    monkeypatch.setattr(count_cache, "_versions", lambda: "numpy 1.0")
    again = Counter()
    cached_count(("a game",), again, plain=True)
    assert (again.asked, len(list(folder.iterdir()))) == (0, 1)


@pytest.mark.parametrize("part", count_cache.PACKAGES)
def test_a_change_in_a_folder_below_is_counted_again(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "certify"
    below = package / part / "below" / "deeper"
    shutil.copytree(count_cache.PACKAGE / part, below)
    counts_again(next(below.glob("[a-z]*.py")), package, monkeypatch)


def test_a_change_of_how_amounts_are_written_is_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "formatting.py"
    shutil.copy(count_cache.PACKAGE / module.name, module)
    counts_again(module, tmp_path, monkeypatch)


def counts_again(module: Path, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold that a change of a module is counted again, and counted once."""
    monkeypatch.setattr(count_cache, "PACKAGE", package)
    count = Counter()
    for text in (module.read_text(), "changed = True\n", "changed = True\n"):
        module.write_text(text)
        count_cache.source_digest.cache_clear()
        assert cached_count(("a game",), count) == VALUE
    assert count.asked == 2


def test_an_entry_under_another_name_is_counted_again(folder: Path) -> None:
    cached_count(("a game",), Counter())
    path = only_file(folder)
    other = Counter("other")
    cached_count(("another game",), other)
    for item in folder.iterdir():
        if item != path:
            item.write_bytes(path.read_bytes())
    assert cached_count(("another game",), other) == "other"
    assert other.asked == 2


def test_a_filing_counts_again_whatever_is_cached(folder: Path) -> None:
    """A valid key does not help: a submission reads only verification counts from the cache."""
    cached_count(("a game",), Counter("a lie"))
    cached_count(("a second derivation",), Counter("kept"))
    count_cache._counted.clear()
    count, second = Counter("the truth"), Counter("again")
    with bypass_cache():
        assert cached_count(("a game",), count) == "the truth"
        assert cached_count(("a game",), count) == "the truth"
        assert cached_count(("a second derivation",), second, second=True) == "kept"
    assert (count.asked, second.asked) == (1, 0)
    assert len(list(folder.iterdir())) == 2


def test_what_a_process_remembers_is_counted_again() -> None:
    count = Counter()
    ask = memoized(lambda number: (count(), number))
    assert ask(7) == ask(7) == (VALUE, 7)
    with bypass_cache():
        assert ask(7) == ask(7) == (VALUE, 7)
    assert count.asked == 2


def test_a_filing_counts_the_rows_of_a_paytable_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process that has counted the same rows before."""
    catalog, _ = read_catalog(library.paytables())
    game = catalog.games["mini-pai-gow"]
    hands = replace(game.hands, deck=Deck(ranks=6, joker=True))
    calls = []

    def event_counts(*given: Any, **named: Any) -> tuple[int, tuple[int, ...]]:  # noqa: ANN401
        calls.append(given)
        return real(*given, **named)

    real = awards.event_counts
    monkeypatch.setattr(awards, "event_counts", event_counts)
    for context in (contextlib.nullcontext(), bypass_cache(), contextlib.nullcontext()):
        with context:
            awards.row_counts(game.paytables[0], events=catalog.events, hands=hands)
    assert len(calls) == 2


def test_the_key_and_the_folders_are_this_users_alone(folder: Path, tmp_path: Path) -> None:
    cached_count(("a game",), Counter())
    key = tmp_path / "home" / count_cache.KEY
    assert len(key.read_bytes()) == 32
    before = key.read_bytes()
    cached_count(("another game",), Counter())
    assert key.read_bytes() == before
    if os.name == "posix":
        modes = {
            item: item.stat().st_mode & 0o777 for item in (key, key.parent, folder.parent, folder)
        }
        assert modes == {key: 0o600, key.parent: 0o700, folder.parent: 0o700, folder: 0o700}


posix = pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")


@posix
@pytest.mark.parametrize("name", ["cache", "cache/counts", "home"])
def test_a_folder_that_others_may_write_to_is_refused(name: str, tmp_path: Path) -> None:
    cached_count(("a game",), Counter())
    (tmp_path / name).chmod(0o770)
    with pytest.raises(NotPrivate, match="is not private: other users may write to it") as refused:
        cached_count(("a game",), Counter())
    assert f"chmod 700 {tmp_path / name}" in refused.value.remedy
    (tmp_path / name).chmod(0o755)
    cached_count(("a game",), Counter())
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o700


@posix
def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    cached_count(("a game",), Counter())
    (tmp_path / "home" / count_cache.KEY).chmod(0o640)
    with pytest.raises(NotPrivate, match="other users may read it"):
        cached_count(("a game",), Counter())


@posix
def test_compiled_code_that_others_may_write_to_is_not_loaded(tmp_path: Path) -> None:
    """Loading runs the code; the command explains the refusal and exits with 2."""
    compiled = tmp_path / "own" / "compiled"
    compiled.mkdir(parents=True, mode=0o700)
    compiled.chmod(0o777)
    environment = {item: os.environ[item] for item in os.environ if item != "NUMBA_CACHE_DIR"}
    ended = subprocess.run(
        [sys.executable, "-m", "certify", "evaluate", "mini-pai-gow/main"],
        env=environment | {"CERTIFY_CACHE": str(tmp_path / "own")},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 2, ended.stderr
    assert f"{compiled} is not private: other users may write to it." in ended.stderr
    assert list(compiled.iterdir()) == []


def test_a_count_that_is_interrupted_leaves_no_file(folder: Path) -> None:
    def interrupted() -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached_count(("a game",), interrupted)
    assert list(folder.iterdir()) == []


def test_a_write_that_is_interrupted_leaves_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    count = Counter()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cached_count(("a game",), count)
    assert list(folder.iterdir()) == []
    assert cached_count(("a game",), count) == VALUE
    assert count.asked == 2


def test_a_folder_in_the_place_of_the_file_costs_no_figure(folder: Path) -> None:
    cached_count(("a game",), Counter())
    path = only_file(folder)
    path.unlink()
    path.mkdir()
    assert cached_count(("a game",), Counter()) == VALUE
    assert list(path.iterdir()) == []
    assert only_file(folder) == path
