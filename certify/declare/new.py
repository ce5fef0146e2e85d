"""New projects and records, with the schemas that editors use."""

import contextlib
import json
import os
import re
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import field

from certify import library, storage
from certify.errors import CertifyError, NotConfigured, NotReadable, not_written
from certify.figures.targets import select, unknown_id
from certify.formatting import join_words
from certify.intake.layout import FILINGS, PAYTABLES, SECOND_COUNTS, SHARED
from certify.intake.schema import SUFFIX, bundle_schema, kinds, schema_named, validate
from certify.intake.strict_json import scan
from certify.model.finding import Unfit
from certify.model.game import INITIAL
from certify.model.jurisdiction import FILING
from certify.model.request import Request, argument, option
from certify.received.files import PROJECT, is_plain_name, refuse_outside
from certify.storage import find_project, lock, make_folder

FOLDER = ".schemas"
"""The folder of a project's schemas; hidden, as it holds nothing to check."""

SETTINGS = Path(".vscode/settings.json")

MATCHES: Mapping[str, tuple[str, ...]] = {
    "events": ("events.json",),
    "alternatives": ("alternatives/*.json",),
    "house-way": ("house-ways/*.json",),
    "jurisdiction": ("jurisdictions/*.json",),
    "game": ("*/game.json",),
    "published": ("*/published.json",),
    "discrepancies": ("*/discrepancies.json",),
    "wager": ("*/*/wager.json",),
    "main-wager": ("*/main/*.json", "!**/wager.json"),
    "paytable": ("*/*/*.json", "!**/wager.json", "!**/main/*.json"),
    "envy": ("*/*/envy/*.json",),
}
"""The files of each kind below the folder of declared data; ``!`` leaves out what follows."""


def write_for_editors(project: Path) -> tuple[Path, ...]:
    """Write the schemas of a project, and the settings of an editor if it has none; return them.

    Raises:
        NotConfigured: the folder cannot be written.
    """
    for kind in kinds():
        schema = json.dumps(bundle_schema(kind), indent=2, ensure_ascii=False)
        storage.write_atomically(project / FOLDER / f"{kind}{SUFFIX}", f"{schema}\n".encode())
    settings = project / SETTINGS
    if os.path.lexists(settings):
        return (project / FOLDER,)
    schemas = [
        {
            "fileMatch": [
                pattern if pattern.startswith("!") else f"/{PAYTABLES}/{pattern}"
                for pattern in patterns
            ],
            "url": f"./{FOLDER}/{kind}{SUFFIX}",
        }
        for kind, patterns in MATCHES.items()
    ] + [{"fileMatch": [f"/{FILINGS}/*.json"], "url": f"./{FOLDER}/{FILING}{SUFFIX}"}]
    value = {"json.schemas": schemas}
    storage.write_atomically(settings, f"{json.dumps(value, indent=2)}\n".encode(), before=None)
    return project / FOLDER, settings


_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}").fullmatch


PROJECT_FILE = b"""\
# This folder is a certify project. Files under paytables/ and templates/ add to certify's library
# for each command that runs here. A file with the same path replaces the library's file. The events
# of paytables/events.json are added.
"""


def project(folder: Path) -> tuple[Path, ...]:
    """Make a project in a folder; return its file, its folders, and the settings for editors.

    Raises:
        NotConfigured: the folder is a project or inside one, or cannot be written.
    """
    declared = folder / PAYTABLES
    with lock(folder):
        existing = find_project(folder)
        if existing is not None:
            raise NotConfigured(
                f"{folder} is in the project {existing}.",
                remedy="Use that project, or change to a folder outside of it.",
            )
        try:
            for name in (PAYTABLES, FOLDER, SETTINGS.parent):
                refuse_outside(folder / name, within=folder)
            make_folder(declared)
        except OSError as error:
            raise not_written(declared, error) from error
        for_editors = write_for_editors(folder)
        # Last: an interrupted run leaves no project and can be repeated.
        storage.write_atomically(folder / PROJECT, PROJECT_FILE, before=None)
    return folder / PROJECT, declared, *for_editors


def paytable(target: str, *, like: str | None, clause: str) -> tuple[Path, ...]:
    """Write a copy of a paytable of the same wager under another id; return its file.

    Args:
        target: ``GAME/WAGER/PAYTABLE``, with the new id.
        like: the paytable to copy; the wager's first where it is None.
        clause: where the game's document prints the new one.

    Raises:
        NotReadable: the target or its id is not one.
        NotConfigured: there is no paytable to start from, no project, or a file is there already.
    """
    wager, name = split_target(target)
    ids = [record.id for _, record in select(wager).records]
    if not ids:
        raise NotConfigured(
            f"{wager} has no paytable to start from.",
            remedy='Give rows, such as --row "straight_flush=50 to 1" --row "flush=4 to 1".',
        )
    model = ids[0] if like is None else like
    path = library.find_declared(f"{wager}/{model}.json") if model in ids else None
    if path is None:
        raise unknown_id("paytable", model, ids)
    copy = format_record(copy_record(read_record(path), name, clause))
    return write_new({library.own_paytables() / f"{target}.json": copy})


def split_target(target: str) -> tuple[str, str]:
    """Return the wager and the id of a new paytable.

    Raises:
        NotReadable: the target or its id is not one.
    """
    wager, _, name = target.rpartition("/")
    if wager.count("/") != 1:
        raise NotReadable(
            f"{target} is not the id of a paytable.", remedy="Write GAME/WAGER/PAYTABLE."
        )
    check_id(name)
    return wager, name


def copy_record(value: dict[str, Any], name: str, clause: str) -> dict[str, Any]:
    """Return a paytable or option under another id; ``clause`` is its source."""
    source = {"document": value["source"]["document"], "clause": clause}
    return value | {"id": name, "name": name, "source": source}


def house_way(name: str, *, like: str, out: Path | None) -> tuple[Path, ...]:
    """Write a copy of a declared house way under another id; return its file.

    It goes to the user's own declared data where ``out`` is None.

    Raises:
        NotReadable: the id is not one.
        NotConfigured: the model is not declared, or a file is there already.
    """
    check_id(name)
    value = read_record(find_declared_file(f"house-ways/{like}.json", like, "house-ways/*.json"))
    value |= {"id": name, "name": f"{value['name']} (copy)"}
    folder = out or library.own_paytables() / "house-ways"
    return write_new({folder / f"{name}.json": format_record(value)})


class WrongFields(NotReadable):
    """Fields of a request that cannot be used; ``faults`` has the fault of each by its name."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        options = [f"--{name}" for name in faults if name in NAMED]
        remedy = f"Use {join_words(options)}." if options else ""
        super().__init__(" ".join(faults.values()), remedy=remedy)
        self.faults = faults


NAMED: Mapping[str, str] = {
    "called": "the printed name of the new game",
    "document": "the title of its document",
    "supplier": "its supplier",
    "dated": "the date or revision of its document",
}
"""The fields of a copy that have to be filled, in words."""


class GameRequest(Request, frozen=True, kw_only=True):
    """A new game: a copy of another for another supplier's document, or a blank one.

    ``on`` is the day of the first revision. Without a ``clause``, each source names its own later.
    """

    id: Annotated[str, argument("Id of the new game.", "NAME")]
    like: Annotated[str | None, option("Game to copy.")] = None
    blank: Annotated[bool, option("Start with the usual deck and hands.")] = False
    called: Annotated[str, option("Printed name of the game.")] = ""
    document: Annotated[str, option("Title of its document.")] = ""
    clause: Annotated[str, option("Clause of the document with its rules.")] = ""
    supplier: Annotated[str, option("With --like: supplier of the new game.")] = ""
    dated: Annotated[str, option("With --like: date or revision of its document.")] = ""
    undivided: Annotated[
        int | None,
        option("With --blank: cards of a hand that is not divided. The game has no joker, and "
               "starts with a bonus wager and no main wager.", least=2, most=7),
    ] = None  # fmt: skip
    decks: Annotated[
        int | None, option("With --undivided: decks of a shoe. Default: one.", least=1, most=16)
    ] = None
    out: Annotated[
        Path | None, option("Folder for the files. Default: their folder in the project.")
    ] = None
    on: date = field(default_factory=date.today)

    def list_faults(self) -> dict[str, str]:
        """Return the fault of each field that cannot be used, by its name."""
        faults = {
            name: f"Give {words}."
            for name, words in NAMED.items()
            if not getattr(self, name).strip()
        }
        try:
            check_game_id(self.id, self.out)
        except CertifyError as error:
            faults["id"] = f"{error.message} {error.remedy}"
        return faults


NOT_COPIED = ("published", "discrepancies", SECOND_COUNTS)
"""Files about the document of a game, and its verification counts."""


def copy_game(request: GameRequest) -> tuple[Path, ...]:
    """Write a copy of a declared game under another id, with its files; return them.

    The new game's document replaces that of the copied game, whose name, printed figures and
    discrepancies are left out.

    Raises:
        WrongFields: a field is empty, or the id is declared or is none.
        NotConfigured: the game to copy is not declared, or a file is there already.
    """
    like, name = request.like or "", request.id
    original = read_record(find_declared_file(f"{like}/game.json", like, "*/game.json"))
    folder = request.out or library.own_paytables()
    if faults := request.list_faults():
        raise WrongFields(faults)
    files = {}
    layers = library.layers()
    paths = {path.relative_to(layer) for layer in layers for path in (layer / like).rglob("*.json")}
    for path in sorted(path for path in paths if path.stem not in NOT_COPIED):
        declared = read_record(library.find_declared(path.as_posix()) or path)
        value = _cite(_rename_game(declared, like, name), original, request)
        if path.name == "game.json":
            value = _replace_document(value, request)
        files[folder / name / path.relative_to(like)] = format_record(value)
    return write_new(files)


def _replace_document(value: dict[str, Any], request: GameRequest) -> dict[str, Any]:
    """Return a copied game with its own name, document, supplier and first revision."""
    day = request.on.isoformat()
    left = {part: inner for part, inner in value.items() if part not in ("aliases", "references")}
    return left | {
        "id": request.id,
        "name": request.called,
        "supplier": request.supplier,
        "revision": "1",
        "revised": day,
        "changes": [{"revision": "1", "date": day, "text": INITIAL}],
        "document": {
            "id": request.id,
            "title": request.document,
            "publisher": request.supplier,
            "file": f"{request.id}.pdf",
            "revision": request.dated,
        },
    }


def _cite(value: Any, original: dict[str, Any], request: GameRequest) -> Any:  # noqa: ANN401 - JSON values
    """Return a JSON value with the new game's name in sentences and its document as the source.

    Left out are clauses and numbers of footnotes, as those of the original's document do not apply
    (D023 until they are given), the source's own names of rows, and interpretations that rest on
    another document of the original, except those that replace a convention of the count.
    """
    if isinstance(value, list):
        references = {each["id"] for each in original.get("references", ())}
        parts = [part for part in value if not _cites_any(part, references)]
        return [_cite(part, original, request) for part in parts]
    if isinstance(value, str):
        names = sorted((original["name"], *original.get("aliases", ())), key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in names)
        return re.sub(pattern, lambda _: request.called, value)
    if not isinstance(value, dict):
        return value
    copied = {
        part: _cite(inner, original, request)
        for part, inner in value.items()
        if part != "source_name"
    }
    if isinstance(value.get("source"), dict):
        notes = [{"text": note["text"]} for note in copied["source"].get("notes", ())]
        source = {"document": request.id, "clause": request.clause or None}
        copied["source"] = source | ({"notes": notes} if notes else {})
    return copied


def _cites_any(value: Any, references: Collection[str]) -> bool:  # noqa: ANN401 - JSON values
    """Return True for an interpretation that rests on one of these documents."""
    if not isinstance(value, dict) or "effect" not in value or "replaces" in value:
        return False
    return value.get("source", {}).get("document") in references


def check_id(name: str) -> None:
    """Refuse an invalid id.

    Raises:
        NotReadable: it is not letters, digits and hyphens, 64 at most, or a device of Windows.
    """
    if _id(name) is None or not is_plain_name(name):
        raise NotReadable(
            f"{name} is not an id.",
            remedy="Write letters, digits and hyphens, 64 at most; NUL and CON are devices.",
        )


def check_game_id(name: str, out: Path | None = None) -> None:
    """Refuse an id for a new game that is invalid, or that a declared game has.

    A game in the project with the id of a built-in one would replace it. File systems that ignore
    case keep both in one folder. A folder ``out`` elsewhere replaces none.

    Raises:
        NotReadable: it is not an id.
        NotConfigured: it is the id of a declared game, or the name of another folder.
    """
    check_id(name)
    games = {path.parent.name for layer in library.layers() for path in layer.glob("*/game.json")}
    taken = {each.casefold(): each for each in (*SHARED, *(games if out is None else ()))}
    if other := taken.get(name.casefold()):
        raise NotConfigured(f"{other} already exists.", remedy="Choose another id.")


Replacements = Mapping[Path, tuple[bytes | None, bytes]]
"""The old and the new content of files; the old one is None where there is no file."""


def write_new(
    files: Mapping[Path, bytes], replaced: Replacements = MappingProxyType({})
) -> tuple[Path, ...]:
    """Write files that are not there yet, all or none, and then others in place of old ones.

    In a project they name its own schemas. Return all files.

    Raises:
        ChangedMeanwhile: an editor has changed a file that is replaced.
        NotConfigured: one is there already, or cannot be written.
        Unfit: one breaks the schema that it names.
    """
    for path, data in files.items():
        refuse_faults(path, data)
    return write_missing(
        {path: _naming_schema(path, data) for path, data in files.items()}, replaced
    )


def write_missing(
    files: Mapping[Path, bytes], replaced: Replacements = MappingProxyType({})
) -> tuple[Path, ...]:
    """Write files that are not there yet; see `write_new`.

    If an earlier run was interrupted, the files that it wrote are no conflict.
    """
    whole = {path: (None, data) for path, data in files.items()} | dict(replaced)
    with lock(next(iter(whole)).parent):
        missing = {
            path: contents
            for path, contents in whole.items()
            if storage.read_present(path) != contents[1]
        }
        there = [path for path in files if path.exists() and (path in missing or not missing)]
        if there:
            raise NotConfigured(
                f"{there[0]} already exists.", remedy="Choose another id or another folder."
            )
        top = Path(os.path.commonpath([path.parent for path in whole]))
        if not top.exists():  # a folder appears whole
            inner = {path.relative_to(top).as_posix(): data for path, (_, data) in whole.items()}
            storage.write_folder(top, inner)
            return tuple(whole)
        try:
            for path, (before, data) in missing.items():
                storage.write_atomically(path, data, before=before)
        except BaseException:
            _take_back(missing)
            raise
    return tuple(whole)


def _take_back(contents: Mapping[Path, tuple[bytes | None, bytes]]) -> None:
    """Give files their old content again, unless all have the new one: then the work is whole."""
    written = {
        path: content
        for path, content in contents.items()
        if storage.read_present(path) == content[1]
    }
    if len(written) == len(contents):
        return
    for path, (before, data) in written.items():
        with contextlib.suppress(CertifyError):  # the first error is the one to tell
            if before is None:
                storage.remove(path, data)
            else:
                storage.write_atomically(path, before, before=data)


def refuse_faults(path: Path, data: bytes) -> None:
    """Raise `Unfit` if a file that is to be written breaks the schema that it names."""
    document, _ = scan(data, str(path))
    kind = schema_named(document)
    if kind in kinds() and (faults := validate(document, kind)):
        raise Unfit(faults)


def _naming_schema(path: Path, data: bytes) -> bytes:
    """Return a record that names its schema by a path that an editor can follow."""
    project_folder = library.project()
    if (
        project_folder is None
        or not (project_folder / FOLDER).is_dir()
        or not path.absolute().is_relative_to(project_folder)
    ):
        return data
    value = json.loads(data)
    if "$schema" not in value:
        return data
    up = "../" * (len(path.absolute().relative_to(project_folder).parts) - 1)
    return format_record(value | {"$schema": f"{up}{FOLDER}/{value['$schema']}"})


def _rename_game(value: Any, old: str, new: str) -> Any:  # noqa: ANN401 - JSON values
    """Return a JSON value in which records name the new game; documents keep their ids."""
    if isinstance(value, list):
        return [_rename_game(part, old, new) for part in value]
    if isinstance(value, str):
        return f"{new}{value[len(old) :]}" if value.startswith(f"{old}/") else value
    if not isinstance(value, dict):
        return value
    return {
        name: new if name == "game" and part == old else _rename_game(part, old, new)
        for name, part in value.items()
    }


def find_declared_file(path: str, name: str, pattern: str) -> Path:
    """Return a declared file.

    Raises:
        NotConfigured: there is none; the remedy names similar ids.
    """
    kind = "house way" if path.startswith("house-ways/") else "game"
    files = sorted({file for layer in library.layers() for file in layer.glob(pattern)})
    nearest = library.find_declared(path)
    if nearest not in files:
        names = [file.parent.name if file.name == "game.json" else file.stem for file in files]
        raise unknown_id(kind, name, names)
    return nearest


def read_record(path: Path) -> dict[str, Any]:
    """Return a declared record, its schema named without a path."""
    value: dict[str, Any] = json.loads(storage.read_text(path))
    named = str(value.get("$schema", "")).rpartition("/")[2]
    return ({"$schema": named} if named else {}) | {
        name: part for name, part in value.items() if name != "$schema"
    }


def format_record(value: dict[str, Any]) -> bytes:
    """Return a declared file as text in the usual layout: one row of a table per line."""
    parts = [f"  {json.dumps(name)}: {_part(inner)}" for name, inner in value.items()]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _part(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        rows = [f"    {json.dumps(entry, ensure_ascii=False)}" for entry in value]
        return "[\n" + ",\n".join(rows) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)
