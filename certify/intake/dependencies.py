"""Dependencies among declared files, by their keys in a catalog.

This is the one place that decides which files a target or another file needs. `is_needed_by` is the
relation that all others are made of; `DependencyGraph` adds what only the contents of files show.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from certify.intake.layout import OF_A_GAME, SECOND_COUNTS, SHARED
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.game import Game
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable


def is_needed_by(key: str, target: str) -> bool:
    """Return whether a target needs the file with this key.

    A game needs all its own files and all shared files. A wager or a paytable needs its game's file
    and second counts, its wager's file, the wager's envy tables, and the events. Only the main
    wager needs the house ways.
    """
    if key in EVENT_FILES:
        return True
    game, _, rest = target.partition("/")
    wager, _, record = rest.partition("/")
    head, _, tail = key.partition("/")
    if head in SHARED:
        return not wager or wager == "main"
    if head != game or not tail or not wager:
        return head == game
    folder, _, name = tail.partition("/")
    if tail == SECOND_COUNTS:
        return True
    if folder != wager or not name or not record:
        return folder == wager
    return name == record or name.startswith("envy/")


def decides_figures(key: str, target: str) -> bool:
    """Return whether the figures of a target depend on the file with this key."""
    head, _, tail = key.partition("/")
    printed = head in ("alternatives", "jurisdictions") or tail in OF_A_GAME
    return not printed and is_needed_by(key, target)


def can_affect(key: str, other: str) -> bool:
    """Return whether the file with this key alone can cause a finding in another file.

    Published figures and house ways depend on many files; of their findings, only the files that a
    finding names are the cause.
    """
    return key == other or (other.partition("/")[0] not in SHARED and is_needed_by(key, other))


def depends_on(key: str, other: str) -> bool:
    """Return whether the file with this key can be checked only if another file is sound."""
    head, _, tail = key.partition("/")
    if head == "house-ways":
        return key == other or ("/" not in other and other not in EVENT_FILES)
    return can_affect(other, head if tail in OF_A_GAME else key)


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """Dependencies among the files of a catalog that have been named, and the others.

    ``keys`` are those of the named files.
    """

    catalogue: Catalogue
    keys: Collection[str]

    def affects(self, *files: str) -> bool:
        """Return whether a named file can cause a finding that these files take part in."""
        return any(can_affect(key, file) for file in files for key in self.keys)

    def affected_options(self) -> Iterator[tuple[Game, MainWager]]:
        """Yield the options of main wagers that a named file can affect."""
        for game in self.catalogue.games.values():
            yield from ((game, option) for option in game.options if self.affects(option.target))

    def paytables_to_count(self) -> tuple[Paytable, ...]:
        """Return the affected paytables, and those that an affected published figure is about.

        A figure that is published of one paytable and read as another's needs the counts of both.
        """
        games = self.catalogue.games.values()
        tables = [table for game in games for table in game.paytables]
        named = {table.target for table in tables if self.affects(table.target)}
        needed: set[str | None] = set(named)
        for game, figures in self.catalogue.published.items():
            affected = self.affects(f"{game}/published")
            for figure in figures:
                both = {figure.target, figure.reading.target if figure.reading else None}
                if affected or both & named:
                    needed |= both
        return tuple(table for table in tables if table.target in needed)

    def house_ways_to_audit(self) -> tuple[str, ...]:
        """Return the named house ways, and those that a named game may use."""
        games = self.catalogue.games
        used = {way for key in self.keys if key in games for way in games[key].house_ways}
        return tuple(
            way
            for way in self.catalogue.house_ways
            if way in used or f"house-ways/{way}" in self.keys
        )


def files_of_game(keys: Iterable[str], game: Game) -> set[str]:
    """Return the keys of a game's own files, the events, and the house ways that it may use."""
    own = {key for key in keys if f"{key}/".startswith(f"{game.id}/")}
    return own | {*EVENT_FILES, *(f"house-ways/{way}" for way in game.house_ways)}
