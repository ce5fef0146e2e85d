"""What is compared: the paytables, game, house way or submission that a name stands for."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from certify import library, storage
from certify.errors import NotConfigured, NotReadable
from certify.intake.decode import decode
from certify.intake.files import read
from certify.intake.layout import catalogue_folder, place
from certify.model.document import Document
from certify.model.finding import Unfit
from certify.model.house_way import HouseWay
from certify.pipeline.sound import select_sound
from certify.pipeline.targets import (
    Selection,
    among,
    refuse_errors,
    with_folder,
    within,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side: what it names, and the records under it, or the house way and its file."""

    name: str
    selection: Selection | None = None
    house_way: HouseWay | None = None
    file: Document | None = None
    single: bool = False

    @property
    def documents(self) -> Mapping[str, Document]:
        """The files of this side by their key."""
        if self.selection is not None:
            return self.selection.catalogue.documents
        return {self.name: self.file} if self.file is not None else {}

    @property
    def named(self) -> Mapping[str, Document]:
        """The files of what the side names, by their key."""
        if self.selection is None:
            return self.documents
        targets = [record.target for _, record in self.selection.records]
        return {target: self.documents[target] for target in targets if target in self.documents}


def is_submission(name: str) -> bool:
    """Return whether a name is that of a submitted PDF."""
    return Path(name).suffix.lower() == ".pdf"


def side(name: str) -> Side:
    """Return what a name stands for: a submission, a game's folder, a file, an id."""
    path = Path(name)
    if is_submission(name):
        return Side(name=name, selection=_submission(path))
    if (path / "game.json").is_file():
        return Side(name=name, selection=_folder(path.resolve()))
    if path.suffix == ".json" and path.is_file() and _is_house_way(path):
        return _way_in(path, name)
    # A game and its house way may share an id; the game wins, as in every other command.
    is_game = library.declared(f"{name}/game.json") is not None
    if library.declared(f"house-ways/{name}.json") and not is_game:
        return _way_in(_way_path(name), name)
    if name.startswith("house-ways/"):
        return _way_in(_way_path(name.partition("/")[2]), name)
    selection = select_sound(name)
    return Side(name=name, selection=selection, single=len(selection.records) == 1)


def _folder(folder: Path) -> Selection:
    catalogue, findings = with_folder(folder)
    refuse_errors(findings)
    return within(catalogue, among("game", folder.name, catalogue.games))


def _submission(path: Path) -> Selection:
    """Return what a submitted PDF says it was made from; its signature is not judged here."""
    from certify.pipeline.filing import filed_records
    from certify.pipeline.submit.embedded import evidence_in, filing_in, unpack
    from certify.signatures.verifying.verify import LARGEST, embedded_files

    try:
        files = embedded_files(storage.read_at_most(path, LARGEST))
        evidence = evidence_in(files)
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            wrong = unpack(files, evidence, Path(folder))
            filing = filing_in(evidence, Path(folder))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise NotReadable(
            f"{path} is not a submission that certify made: {error}.",
            remedy="Give a mathematics report or rules of play that `certify submit` wrote.",
        ) from error
    if wrong:
        raise NotReadable(
            f"{path} embeds other files than it states: {', '.join(wrong)}.",
            remedy="Ask for the document again.",
        )
    return filed_records(filing)


def _way_path(name: str) -> Path:
    path = library.declared(f"house-ways/{name}.json")
    if path is None:
        folders = (layer / "house-ways" for layer in library.layers())
        known = sorted({file.stem for folder in folders for file in folder.glob("*.json")})
        raise NotConfigured(
            f"There is no house way {name!r}.", remedy=f"Known: {', '.join(known)}."
        )
    return path


def _is_house_way(path: Path) -> bool:
    return read(path, None, judged=False).kind == "house-way"


def _way_in(path: Path, name: str) -> Side:
    folder = catalogue_folder(path)
    where = place(path.absolute().relative_to(folder).parts) if folder else None
    file = read(path, where)
    if not file.sound:
        raise Unfit(file.findings)
    way: HouseWay = decode("house-way", file.document.value)
    return Side(name=name, house_way=way, file=file.document)
