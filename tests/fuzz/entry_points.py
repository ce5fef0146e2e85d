"""Entry points for files: each with sound files and a function that a command runs on one."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from certify import library
from certify.cli import check_settings, known_findings
from certify.intake.decode import decode
from certify.intake.files import read, read_signatory, read_templates, read_terms
from certify.intake.register import read_register
from certify.intake.results import read_counts, read_results
from certify.pipeline.artwork import check_artwork
from certify.pipeline.check import check_unsaved
from certify.pipeline.sweep import list_tasks, read_grid
from certify.received.files import PROJECT as SETTINGS_FILE

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
LIBRARY = FIXTURES / "valid" / "library"

GRID = b"""{"$schema": "grid.schema.json", "games": ["sample-game/bonus", "sample-game/main"],
 "seats": [1, 6], "house_ways": ["sample-way"], "players": ["sample-way", "optimal"],
 "jokers": ["bug"], "readings": "all", "jurisdictions": ["sample-state"]}"""
SIGNATORY = b"""{"$schema": "signatory.schema.json", "name": "Ada Lovelace", "title": "Director",
 "company": "Sample Games LLC", "licence": "Manufacturer 00000"}"""
TERMS = b"""{"$schema": "terms.schema.json", "game": "sample-game",
 "supplier": {"name": "Sample Games LLC", "address": "1 Main Street", "contact": "C"},
 "procedures": {"misdeal": "All wagers are returned."}, "least_wagers": {"main": 1000},
 "largest_wagers": {"main": 40000, "bonus": 2500}, "links": [], "players": 6,
 "aggregate_limits": [{"cents": 2000000, "wagers": ["bonus"], "scope": "table"}],
 "meter_reductions": ["amount_won", "malfunction"]}"""
BASELINE = b"""{"findings": [
  {"code": "P001", "file": "a.json", "pointer": "/rows/0", "message_sha256": "00"}]}"""
PROJECT = b"""[check]
format = "json"
select = ["P", "D001"]
ignore = ["P002"]
fail-on = "warning"
baseline = "known.json"
[check.per-file-ignores]
"a/*.json" = ["P003"]
"""
PYPROJECT = b"""[tool.certify]
select = ["P"]
[project]
name = "x"
"""
RESULTS = b"""target,name,rounds,average_wager,wagered,paid
sample-game/bonus/1,Table 1,1200,,"6,000",5125.00
sample-game/bonus/1,Table 2,,5.00,1250000,1160000
"""
COUNTS = b'event,name,combinations\nfour_of_a_kind,Four of a Kind,"307,472"\nall_other,,1\n'
ARTWORK = b"BONUS\nFour of a Kind 25 to 1\nFull House ..... 4 TO 1\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPoint:
    """A reader of files. ``read`` gets a file's bytes; it may raise an error for the user."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]
    weight: int = 1


def entry_points(folder: Path) -> Iterator[EntryPoint]:
    """Yield every entry point; ``folder`` is empty, and holds what can only be read from disk."""
    for path in sorted(LIBRARY.rglob("*.json")):
        name = f"declared {path.relative_to(LIBRARY)}"
        seeds = (path.read_bytes(),)
        yield EntryPoint(name=name, seeds=seeds, read=partial(check_unsaved, path), weight=3)
    yield _alone("house way", ["paytables/house-ways", "fixtures/house-ways"])
    yield _alone("jurisdiction", ["paytables/jurisdictions"])
    yield _alone("paytable", ["paytables/mini-pai-gow/bonus", "fixtures/field/paytables"])
    yield EntryPoint(
        name="any kind",
        seeds=_sound([*(ROOT / "paytables").rglob("*.json")], 200_000),
        read=_any_kind,
        weight=4,
    )
    yield EntryPoint(
        name="baseline",
        seeds=(BASELINE,),
        read=_on_disk(folder / "known.json", known_findings.read_baseline),
    )
    yield EntryPoint(
        name="register",
        seeds=_sound([FIXTURES / "register" / "valid" / "register.json"]),
        read=_on_disk(folder / "register.json", read_register),
    )
    for name, seed, file, reader in (
        ("signatory", SIGNATORY, "signatory.json", read_signatory),
        ("terms", TERMS, "terms.json", read_terms),
        ("grid", GRID, "grid.json", lambda path: list_tasks(read_grid(path))),
        ("results", RESULTS, "floor.csv", _results),
        ("counts", COUNTS, "counts.csv", lambda path: read_counts(path, ("1",))),
        (
            "artwork",
            ARTWORK,
            "artwork.txt",
            lambda path: check_artwork(path, "sample-game/bonus/1"),
        ),
        ("settings", PROJECT, "certify.toml", _settings),
        ("settings of pyproject", PYPROJECT, "pyproject.toml", _settings),
        ("template", b"<p>{{ x }}</p>", "own.j2", lambda path: read_templates([path.parent])),
    ):
        inner = folder / name.replace(" ", "-")
        inner.mkdir()
        yield EntryPoint(name=name, seeds=(seed,), read=_on_disk(inner / file, reader))
    terms = partial(check_unsaved, folder / "alone" / "terms.json")
    yield EntryPoint(name="terms checked", seeds=(TERMS,), read=terms)


@contextlib.contextmanager
def sample_library() -> Iterator[None]:
    """Let the sample game be what comes with us."""
    before = os.environ.get("CERTIFY_LIBRARY")
    with contextlib.ExitStack() as stack:
        import tempfile

        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, at in (
            ("schemas", library.schemas()),
            ("templates", library.templates()),
            ("paytables", LIBRARY),
        ):
            (folder / name).symlink_to(at)
        os.environ["CERTIFY_LIBRARY"] = str(folder)
        try:
            yield
        finally:
            os.environ.pop("CERTIFY_LIBRARY")
            if before is not None:
                os.environ["CERTIFY_LIBRARY"] = before


def _sound(paths: list[Path], most: int = 60_000) -> tuple[bytes, ...]:
    found = tuple(path.read_bytes() for path in sorted(paths) if path.stat().st_size < most)
    if not found:
        raise ValueError(paths)
    return found


def _alone(kind: str, folders: list[str]) -> EntryPoint:
    paths = [path for name in folders for path in (ROOT / name).rglob("*.json")]
    if kind == "paytable":
        paths = [path for path in paths if b"paytable.schema.json" in path.read_bytes()]
    read_it = partial(check_unsaved, Path("/nowhere/alone.json"))
    return EntryPoint(name=f"{kind} alone", seeds=_sound(paths), read=read_it, weight=3)


def _any_kind(data: bytes) -> None:
    """Read and decode a file as what it says it is."""
    path = Path("/nowhere/any.json")
    file = read(path, None, overlays={path: data})
    if file.sound and file.kind != "grid":
        decode(str(file.kind), file.document.value)


def _on_disk(path: Path, reader: Callable[[Path], object]) -> Callable[[bytes], object]:
    def read_it(data: bytes) -> object:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return reader(path)

    return read_it


def _results(path: Path) -> object:
    return read_results(path.read_bytes(), path.name, target=None)


def _settings(path: Path) -> object:
    """Read the settings as a command in their folder does."""
    with contextlib.chdir(path.parent):
        if path.name == SETTINGS_FILE:
            library.read_settings(path.parent)
        return check_settings.settings()
