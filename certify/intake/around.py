"""What files are judged among: all that they rest on, and all that rests on them."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from certify import library
from certify.intake.files import read
from certify.intake.layout import (
    SHARED,
    catalogue_folder,
    game_folder,
    is_of_project,
    rests_on,
    shown,
)
from certify.intake.placement import out_of_place
from certify.intake.read import read_catalogue, read_game
from certify.model.catalogue import Catalogue
from certify.model.finding import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A folder of declared data, or the folder of one game that stands elsewhere."""

    folder: Path
    of_a_game: bool = False

    def game_of(self, path: Path) -> str | None:
        """Return the game in whose folder a file stands; None for what games share."""
        base = self.folder.parent if self.of_a_game else self.folder
        *folders, _ = path.relative_to(base).parts
        return folders[0] if folders and folders[0] not in SHARED else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Some files and what they are judged among.

    ``keys`` are theirs in the catalogue. ``faults`` were found in reading: of the files
    themselves, and of those that they rest on.
    """

    catalogue: Catalogue
    keys: frozenset[str]
    faults: tuple[Finding, ...]


def root_of(path: Path) -> Root | None:
    """Return the folder that a file is declared in; None where it stands on its own."""
    folder = catalogue_folder(path)
    if folder is not None:
        return Root(folder=folder)
    folder = game_folder(path)
    return None if folder is None else Root(folder=folder, of_a_game=True)


def read_around(root: Root, paths: Collection[Path]) -> Around:
    """Read what files of one folder are judged among.

    Every file is held against its schema whether it is named or not, so that what is found does
    not depend on how many are named.
    """
    catalogue, faults = read_root(root, paths)
    key_of = {document.path: key for key, document in catalogue.documents.items()}
    names = {shown(path): path for path in paths}
    keys = frozenset(key_of[name] for name in names if name in key_of)
    left_out = {
        catalogue.documents[left].path
        for left in catalogue.left_out
        if any(rests_on(key, left) for key in keys)
    }
    unread = names.keys() - key_of.keys() - {fault.file for fault in faults}
    return Around(
        catalogue=catalogue,
        keys=keys,
        faults=(
            *(
                fault
                for fault in faults
                if fault.file in names
                or fault.file in left_out
                or names.keys() & set(fault.related)
            ),
            *(fault for name in sorted(unread) for fault in _not_expected(names[name])),
        ),
    )


def _not_expected(path: Path) -> tuple[Finding, ...]:
    """Return why a file below the folder is not among those read: it is not there, or hidden."""
    return read(path, None).findings or (out_of_place(path),)


def read_root(root: Root, paths: Collection[Path]) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read what games share, every game's own file, and all of the games that files are of."""
    if root.of_a_game:
        base, shared = read_catalogue(*library.layers(), games=())
        catalogue, own = read_game(root.folder, base)
        return catalogue, (*shared, *own)
    below: tuple[Path, ...] = ()
    if is_of_project(root.folder):
        library.read_settings(root.folder.parent)
        below = (library.paytables(),)
    games = {root.game_of(path) for path in paths}
    named = None if None in games else {game for game in games if game is not None}
    return read_catalogue(*below, root.folder, games=named)
