"""Tasks of a sweep and their rows."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import asdict, replace

from certify import __version__, library
from certify.engine.count_cache import source_digest
from certify.errors import NotConfigured
from certify.figures.alternatives import read_otherwise
from certify.figures.evaluate import Settings, apply_joker_rule, list_inputs
from certify.figures.play import Play
from certify.figures.targets import (
    Selection,
    load_catalog,
    lookup,
    refuse_errors_on,
    review_whole,
    select,
)
from certify.intake.layout import list_deciding
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.finding import Finding
from certify.model.game import Game, JokerRule, Strategy
from certify.model.main_wager import MainWager


class Task(Struct, frozen=True, kw_only=True, order=True):
    """One figure to compute. What is empty, or 0, is as the game declares it.

    ``player`` is how the player of a main wager sets: a strategy, or the id of a house way.
    ``reading`` is another reading of the game's rules or of the dealer's house way, and
    ``jurisdiction`` the state by whose rules the figure is judged; empty for none.
    """

    target: str
    house_way: str = ""
    player: str = ""
    joker: str = ""
    seats: int = 0
    reading: str = ""
    jurisdiction: str = ""

    @property
    def settings(self) -> dict[str, str | int]:
        """The task as JSON, as its row and its digest have it."""
        return asdict(self)

    @property
    def evaluation_settings(self) -> Settings:
        """The settings of an evaluation for the task."""
        return Settings(
            joker=JokerRule(self.joker) if self.joker else None, players=self.seats or None
        )


@cache
def everything() -> Catalog:
    """Return all that is declared, read once in a process."""
    return load_catalog()


@lru_cache(maxsize=1000)
def select_target(target: str) -> Selection:
    """Return the entries that a target of a grid selects, with all files of their game.

    Raises:
        NotConfigured: nothing has that id.
        Unfit: a file of the game cannot be read.
    """
    return select(target, whole=True)


@lru_cache(maxsize=8)
def review_game(game: str) -> tuple[Mapping[str, Selection], tuple[Finding, ...]]:
    """Return the options and paytables of a game by target, and the findings in its files."""
    whole = select_target(game)
    entries = {
        record.target: replace(whole, records=((wager, record),)) for wager, record in whole.records
    }
    return entries, review_whole(whole)


@cache
def select_record(target: str) -> Selection:
    """Return the option or paytable of a task, with the files that it depends on.

    Raises:
        NotConfigured: nothing has that id.
        Unfit: a file that the figures of the target depend on has errors.
    """
    entries, findings = review_game(target.partition("/")[0])
    selection = lookup("paytable", target, entries)
    refuse_errors_on(selection, findings)
    return selection


@lru_cache(maxsize=256)
def select_interpretation(target: str, house_way: str = "", reading: str = "") -> Selection:
    """Return the option or paytable of a task in the whole catalog, under one interpretation.

    Args:
        target: the option or paytable.
        house_way: the dealer's house way, whose interpretations are included with the game's; empty
            for the game's own.
        reading: the id of another interpretation; empty for the declared one.

    Raises:
        NotConfigured: no interpretation or more than one of that id applies to the target.
        Unfit: the interpretation cannot be applied.
    """
    of_file, catalog = select_record(target), everything()
    game = catalog.games[of_file.game.id]
    selection = Selection(catalog=catalog, game=game, records=of_file.records)
    if not reading:
        return selection
    others = list(read_otherwise(selection, house_way or game.house_way, only=(reading,)))
    if len(others) != 1:
        raise NotConfigured(
            f"{len(others) or 'No'} interpretations {reading!r} apply to {target}.",
            remedy="Give each interpretation of the game and of its house way its own id.",
        )
    return others[0][2]


def select_task(task: Task) -> Selection:
    """Return the option or paytable of a task, under its interpretation."""
    return select_interpretation(task.target, task.house_way, task.reading)


def build_play(task: Task, selection: Selection) -> Play | None:
    """Return the play of a main wager; None for a bonus wager.

    Args:
        task: the task.
        selection: its option or paytable, under its interpretation.

    Raises:
        NotConfigured: the game does not allow the joker rule.
    """
    ((_, record),) = selection.records
    if not isinstance(record, MainWager):
        return None
    game = apply_joker_rule(selection.game, task.evaluation_settings)
    ways = selection.catalog.house_ways
    way = task.player if task.player not in set(Strategy) else ""
    return Play(
        option=record,
        game=game,
        house_way=ways[task.house_way or game.house_way],
        strategy=Strategy.HOUSE_WAY if way else Strategy(task.player or game.strategy),
        player=ways[way] if way else None,
    )


def digest(task: Task) -> str:
    """Return the digest of all inputs of a task's figure: rules, files, code, version.

    Another reading and the rules of a state can rest on every file of the game, and on code outside
    the engine.
    """
    declared_as, read = select_record(task.target), select_task(task)
    beyond = bool(task.reading or task.jurisdiction)
    ways = {task.house_way, task.player, *_ways(declared_as.game), *_ways(read.game)}
    keys = [*list_files(read.game.id if beyond else task.target.rpartition("/")[0]), task.target]
    keys += [f"house-ways/{way}" for way in ways]
    if task.reading:
        keys += [f"alternatives/{owner}" for owner in (read.game.id, *ways)]
    if task.jurisdiction:
        keys += [f"jurisdictions/{task.jurisdiction}"]
    inputs = list_inputs(everything(), (*EVENT_FILES, *keys))
    state = {
        "task": task.settings,
        "inputs": [[file.path, file.sha256] for file in inputs],
        "code": [__version__, library.build_sha256() if beyond else source_digest()],
    }
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


@cache
def list_files(target: str) -> tuple[str, ...]:
    """Return the keys of the files of a whole game, or of those that all entries of a wager need.

    All options of a main wager are counted in one pass.
    """
    game, _, wager = target.partition("/")
    keys = (key for key in everything().documents if key.partition("/")[0] == game)
    if not wager:
        return tuple(keys)
    options = {option.target for option in everything().games[game].options}
    needed = list_deciding(keys, {f"{target}/", *options} if wager == "main" else {f"{target}/"})
    return tuple(needed)


def forget() -> None:
    """Let the next task read the project again, since its files may have changed."""
    readers = (
        everything,
        list_files,
        review_game,
        select_record,
        select_interpretation,
        select_target,
    )
    for reader in readers:
        reader.cache_clear()


def _ways(game: Game) -> tuple[str, ...]:
    return (game.house_way, *game.house_ways)
