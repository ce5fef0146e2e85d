"""Whether files and folders stand where they belong, before what they say is judged."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from certify.formatting import did_you_mean
from certify.intake.files import D001, File
from certify.intake.layout import SHARED, shown
from certify.model.catalogue import EVENT_FILES
from certify.model.finding import Code, Document, Finding

OF_WAGER = ("wager", "paytable", "main-wager", "envy")
"""The kinds of files that stand in a wager's folder."""


def rightly_named(files: Mapping[str, File]) -> tuple[dict[str, File], tuple[Finding, ...]]:
    """Return the files as if each folder had the name that everything in it says.

    A folder of a game or a wager whose files all say one other id is one finding, and its files
    are judged under that id; or not at all if another folder has it.

    Returns:
        The files by key, and every fault of theirs.
    """
    findings: list[Finding] = []
    for folder, kind in _folders(files):
        inside = {key: file for key, file in files.items() if _holds(folder, key)}
        stated = _stated(inside, kind)
        head, _, name = folder.rpartition("/")
        others = set(stated.values())
        if len(others) != 1 or name in others:
            continue
        (other,) = others
        first = inside[folder if folder in stated else min(stated)]
        findings.append(
            first.document.finding(
                D001.id,
                _pointer(first, kind),
                f"The folder is {name}, and everything in it says {other}.",
                f"Rename the folder to {other}, or write {name} in all of its files.",
                related=tuple(file.name for file in inside.values() if file is not first),
            )
        )
        home = f"{head}/{other}" if head else other
        taken = any(_holds(home, key) for key in files)
        renamed = {}
        for key, file in files.items():
            if key not in inside:
                renamed[key] = file
            elif taken:
                renamed[key] = replace(file, kind=None, findings=_without(file, kind))
            else:
                key_there = f"{home}{key[len(folder) :]}"
                renamed[key_there] = replace(file, findings=_without(file, kind))
        files = renamed
    findings += [finding for file in files.values() for finding in file.findings]
    return dict(files), tuple(findings)


def _folders(files: Mapping[str, File]) -> list[tuple[str, str]]:
    """Return the folders of wagers and of games, with the kind of record that is their head."""
    wagers = {"/".join(key.split("/")[:2]) for key, file in files.items() if file.kind in OF_WAGER}
    games = {key.partition("/")[0] for key in files} - {*SHARED, *EVENT_FILES}
    return [
        *((name, "wager") for name in sorted(wagers)),
        *((name, "game") for name in sorted(games)),
    ]


def _holds(folder: str, key: str) -> bool:
    return key == folder or key.startswith(f"{folder}/")


def _pointer(file: File, kind: str) -> str:
    return "/id" if file.kind == kind else f"/{kind}"


def _stated(files: Mapping[str, File], kind: str) -> dict[str, str]:
    """Return the id of the game or the wager that each file says, where it says one."""
    values = {key: (file.document.value, _pointer(file, kind)[1:]) for key, file in files.items()}
    return {
        key: value[name]
        for key, (value, name) in values.items()
        if isinstance(value, dict) and isinstance(value.get(name), str)
    }


def _without(file: File, kind: str) -> tuple[Finding, ...]:
    """Return a file's findings without the one that its folder has."""
    said = (D001.id, _pointer(file, kind))
    return tuple(finding for finding in file.findings if (finding.code, finding.pointer) != said)


D003 = Code(
    "D003",
    "The game's list of wagers and its folders differ",
    why="""A wager that the rules name and that is not declared would be missing from the documents;
    one that is declared and not listed would never be printed.""",
    mend="Declare the wager in <wager>/wager.json and list it in the game's file, or do neither.",
    wrong='{"wagers": ["main", "dynasty"]} beside the folder dynasty-bonus',
    right='{"wagers": ["main", "dynasty-bonus"]} beside the folder dynasty-bonus',
)


def unmatched(key: str, files: Mapping[str, File]) -> Iterator[Finding]:
    """Yield wagers that the game lists and that have no file, and the other way round."""
    document, wagers = files[key].document, wagers_of(files[key])
    folders = {
        name.split("/")[1]
        for name, file in files.items()
        if name.startswith(f"{key}/") and file.kind in OF_WAGER
    }
    for index, name in enumerate(wagers):
        if f"{key}/{name}" not in files:
            mend = "Declare the wager, or do not list it."
            yield document.finding(
                D003.id,
                f"/wagers/{index}",
                f"The game lists the wager {name}, and there is no {name}/wager.json.",
                did_you_mean(name, sorted(folders - set(wagers)), mend),
                related=_within(f"{key}/{name}", files),
            )
    for name in sorted(folders - set(wagers)):
        yield document.finding(
            D003.id,
            "/wagers",
            f"The folder {name} holds a wager that the game does not list.",
            f"Add {name} to `wagers` at its place in print, or remove the folder.",
            related=_within(f"{key}/{name}", files),
        )


def wagers_of(game: File) -> list[str]:
    """Return the wagers that a game's file lists, in printed order."""
    return list(dict.fromkeys(game.document.value["wagers"]))


def _within(key: str, files: Mapping[str, File]) -> tuple[str, ...]:
    """Return the files of a wager's folder as findings show them."""
    return tuple(file.name for name, file in files.items() if _holds(key, name))


D010 = Code(
    "D010",
    "A file names a game or a wager that is not declared",
    why="Without its game there are no deck, no hands and no rules to count by.",
    mend="Correct the id, or declare the game or the wager first.",
    wrong='{"game": "dealer-open", "wager": "chan-chu"}',
    right='{"game": "dealer-open-pai-gow", "wager": "chan-chu"}',
)


def without_game(files: Mapping[str, File]) -> Iterator[Finding]:
    """Yield the files of a game's folder that has no ``game.json``."""
    for key, file in files.items():
        head, _, inner = key.partition("/")
        if inner and head not in SHARED and head not in files:
            yield file.document.finding(
                D010.id,
                "/game",
                f"There is no game {head}.",
                f"Declare it in {head}/game.json, or move the file to its game's folder.",
            )


D002 = Code(
    "D002",
    "A file stands where none is expected",
    why="Nothing is read from it, and somebody may believe that it counts.",
    mend="""Move it to its place (<game>/<wager>/<paytable>.json, envy tables in the folder envy
    below), or out of the folder of declared data.""",
    wrong="dynasty-bonus/old/3.json",
    right="dynasty-bonus/3.json",
)


def out_of_place(path: Path) -> Finding:
    """Return the finding about a file that nothing is expected in."""
    message = "No file is expected at this place, so nothing was read from it."
    remedy = "Move it to <game>/<wager>/<paytable>.json, or out of the folder of declared data."
    return Document(path=shown(path)).finding(D002.id, "", message, remedy)


def looks_like_json(path: Path) -> bool:
    """Whether a file is JSON by its name, or was perhaps meant to be: ``1.jsn``, ``1.json.txt``.

    Neither a program (``app.js``) nor the lock beside a register (``register.json.lock``) is.
    """
    name = path.name.lower()
    meant = ".jso" in name or ".jsn" in name
    return meant and not name.startswith(".") and not name.endswith(".lock")


def not_json(path: Path) -> Finding:
    """Return the finding about a file that is passed over because of its name."""
    message = "The name does not end with .json, so nothing was read from the file."
    name = path.name[: path.name.lower().rindex(".js")]
    remedy = f"Rename it to {name}.json, or move it out of the folder of declared data."
    return Document(path=shown(path)).finding(D002.id, "", message, remedy)
