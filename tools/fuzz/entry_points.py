"""Entry points for files: the commands that read one, each with sound files to start from."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path

from tools.fuzz.games import SOURCE, Drawn, dealt_cards, divided, undivided, write_project
from tools.fuzz.surface import Answer, answer

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
LIBRARY = FIXTURES / "valid" / "library"
SMALL = "small/w0/t"
"""The only table of the project whose wagers are counted: it takes no time."""

GRID = b"""{"$schema": "grid.schema.json", "games": ["small/w0"], "seats": [1, 6],
 "readings": "all", "jurisdictions": ["nevada"]}"""
SIGNATORY = b"""{"$schema": "signatory.schema.json", "name": "Ada Lovelace", "title": "Director",
 "company": "Sample Games LLC", "licence": "Manufacturer 00000"}"""
TERMS = b"""{"$schema": "filing.schema.json", "game": "sample-game",
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
RESULTS = b"""target,name,rounds,wagered,paid
small/w0/t,Table 1,1200,"6,000",5125.00
small/w0/t,Table 2,250000,1250000,1160000
"""
COUNTS = b'event,name,combinations\nfour_of_a_kind,Four of a Kind,"307,472"\nall_other,,1\n'
ARTWORK = b"BONUS\nFour of a Kind 25 to 1\nFull House ..... 4 TO 1\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPoint:
    """A command that reads a file. ``read`` gets the file's bytes and returns the answer."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], Answer]
    weight: int = 1


def entry_points(folder: Path, seed: int = 0) -> Iterator[EntryPoint]:
    """Yield every entry point; ``folder`` is empty, and ``seed`` draws the games to mutate."""
    sample = folder / "sample"
    sample.mkdir(parents=True)
    for name, at in (("schemas", ROOT), ("templates", ROOT), ("paytables", LIBRARY)):
        (sample / name).symlink_to(at if at is LIBRARY else at / name)
    given = partial(_given, folder=folder, library=sample)
    for path in sorted(LIBRARY.rglob("*.json")):
        seeds: tuple[bytes, ...] = (path.read_bytes(),)
        name = f"declared {path.relative_to(LIBRARY)}"
        yield EntryPoint(name=name, seeds=seeds, read=partial(given, path), weight=3)
    every = (*_sound([*(ROOT / "paytables").rglob("*.json")], 200_000), SIGNATORY, TERMS, GRID)
    kinds: tuple[tuple[str, tuple[bytes, ...]], ...] = (
        ("house way", _sound([*FIXTURES.glob("house-ways/*.json")])),
        ("paytable", _sound([*(ROOT / "paytables" / "mini-pai-gow" / "bonus").glob("*.json")])),
        ("any kind", every),
        ("terms", (TERMS,)),
    )
    for name, seeds in kinds:
        alone = partial(given, Path("/nowhere/alone.json"))
        yield EntryPoint(name=f"{name} alone", seeds=seeds, read=alone, weight=3)
    yield from _of_project(folder)
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for shape in (undivided, divided, dealt_cards):
        project = folder / shape.__name__
        drawn = _draw_sound(shape, project, rng)
        for path in sorted((project / "paytables").rglob("*.json")):
            yield EntryPoint(
                name=f"{shape.__name__} game, {path.name}",
                seeds=(path.read_bytes(),),
                read=partial(_play, drawn, path, project, path.read_bytes()),
                weight=2,
            )


def _draw_sound(
    shape: Callable[[str, random.Random], Drawn], project: Path, rng: random.Random
) -> Drawn:
    """Write a project with a game of a shape that passes the check; return the game."""
    while True:
        drawn = shape("drawn", rng)
        shutil.rmtree(project, ignore_errors=True)
        write_project(project, [drawn])
        if not answer("check", "--allow-not-judged", folder=project).code:
            return drawn


def _of_project(folder: Path) -> Iterator[EntryPoint]:
    """Yield the commands that read something else than a declared file, in a project each."""
    settings = ("check", "paytables/small/w0/t.json")
    for name, seed, file, command in (
        ("baseline", BASELINE, "known.json", (*settings, "--baseline", "known.json")),
        ("register", _register(), "register.json", ("register", "list")),
        ("grid", GRID, "grid.json", ("sweep", "grid.json")),
        ("results", RESULTS, "floor.csv", ("monitor", "floor.csv")),
        ("counts", COUNTS, "counts.csv", ("compare", "counts.csv", SMALL)),
        ("artwork", ARTWORK, "art.txt", ("check", "--artwork", "art.txt", "--target", SMALL)),
        ("settings", PROJECT, "certify.toml", settings),
        ("settings of pyproject", PYPROJECT, "pyproject.toml", settings),
    ):
        project = folder / name.replace(" ", "-")
        write_project(project, [small_game()])
        (project / "known.json").write_bytes(BASELINE)
        read = partial(_written, project / file, command)
        yield EntryPoint(name=name, seeds=(seed,), read=read)


def small_game() -> Drawn:
    """Return a game with one wager on three dealt cards."""
    drawn = dealt_cards("small", random.Random(3))  # noqa: S311 - always the same
    files = {path: drawn.files[path] for path in ("game.json", "w0/wager.json", "w0/t.json")}
    files["game.json"]["wagers"] = ["w0"]
    event = {"id": "small_pair", "text": "A pair", "when": {"of_a_kind": {"min": 2}}}
    row = {"event": "small_pair", "name": "Pair", "pays": "2 to 1"}
    files["w0/t.json"] |= {"rows": [row]}
    return Drawn("small", files, (event | {"source": SOURCE},))


def _register() -> bytes:
    return (FIXTURES / "register" / "valid" / "register.json").read_bytes()


def _sound(paths: list[Path], most: int = 60_000) -> tuple[bytes, ...]:
    found = tuple(path.read_bytes() for path in sorted(paths) if path.stat().st_size < most)
    if not found:
        raise ValueError(paths)
    return found


def _given(path: Path, data: bytes, *, folder: Path, library: Path) -> Answer:
    """Check a file whose content an editor holds."""
    command = ("check", "--stdin", "--path", str(path))
    return answer(*command, folder=folder, given=data, library=library)


def _written(path: Path, command: tuple[str, ...], data: bytes) -> Answer:
    """Write a file into its project and run the command that reads it."""
    path.write_bytes(data)
    return answer(*command, folder=path.parent)


def _play(drawn: Drawn, path: Path, project: Path, sound: bytes, data: bytes) -> Answer:
    """Check a game with a mutated file; evaluate it if that passes and its deck is still small.

    Raises:
        AssertionError: `check` passes and `evaluate` does not.
    """
    try:
        path.write_bytes(data)
        checked = answer("check", "--allow-not-judged", folder=project)
        if checked.code or not _is_small(project / "paytables" / drawn.id / "game.json"):
            return checked
        evaluated = answer("evaluate", drawn.id, folder=project)
        if evaluated.is_plain and evaluated.code:
            raise AssertionError(f"`check` passes, `evaluate` does not: {evaluated.errors}")
        return evaluated
    finally:
        path.write_bytes(sound)


def _is_small(path: Path) -> bool:
    game = json.loads(path.read_bytes())
    hand, deck = game["hand"], 4 * game["deck"]["ranks"] * game["deck"].get("decks", 1) + 2
    most = max(hand["cards"], hand.get("dealer_cards", 0))
    return comb(deck, most) <= 20_000
