"""New declared files with their author’s values, and revisions of filings."""

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from certify import library, storage
from certify.declare.new import (
    GameRequest,
    check_game_id,
    check_id,
    copy_game,
    find_declared_file,
    format_record,
    read_record,
    refuse_faults,
    split_target,
    write_missing,
    write_new,
)
from certify.declare.rewriting import add_revision
from certify.errors import NotConfigured, NotReadable
from certify.figures.targets import load_catalog, lookup, refuse_errors, select, unknown_id
from certify.filing.declaration import find_filing, list_filings
from certify.filing.listing import refuse_approved_rules
from certify.intake.faults import D003
from certify.intake.files import read_terms
from certify.intake.layout import EVENTS, FILINGS, absolute
from certify.intake.read import read_catalog
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.condition import Event
from certify.model.game import WagerKind
from certify.model.jurisdiction import FILING
from certify.model.paytable import HandOf
from certify.model.request import Request, argument, option
from certify.storage import lock

Record = dict[str, Any]

FOLDER = "blank"
"""The template folder of blank files, each with the names of its values."""

_name = re.compile(r"\{(\w+)\}")


def _stating(path: str, **values: str) -> Record:
    """Return a blank file with only these values."""
    text = (library.templates() / FOLDER / path).read_text(encoding="utf-8")
    record: Record = json.loads(_name.sub(lambda named: json.dumps(values[named[1]])[1:-1], text))
    return record


OF_DIVIDED_HANDS = ("joker", "house_way", "house_ways", "house_way_in_source", "strategy")
"""Properties of a game with a joker whose players set their hands."""

MOST_RANKED = 5
"""Cards of the longest hand that is ranked."""


def game(request: GameRequest) -> tuple[Path, ...]:
    """Write the requested game and return its files.

    Raises:
        NotReadable: the request does not fit together, or the id is not one.
        NotConfigured: there is no project, or a game has the id.
    """
    if request.blank is (request.like is not None):
        raise NotReadable(
            "A new game needs a game to copy, or --blank.",
            remedy="Use --like GAME with --called, --document, --supplier and --dated; "
            "or --blank with --called, --document and --clause.",
        )
    if request.decks is not None and request.undivided is None:
        raise NotReadable(
            "Hands of several decks are not divided.", remedy="Use --undivided with --decks."
        )
    if request.like is not None:
        return copy_game(request)
    if not (request.called and request.document and request.clause):
        raise NotReadable(
            "A blank game needs its name and the source of its rules.",
            remedy="Use --called, --document and --clause.",
        )
    return _write_blank_game(request)


def _write_blank_game(request: GameRequest) -> tuple[Path, ...]:
    """Write a game of the usual deck and hands, with a main wager that pays 1 to 1 less 5%.

    A game of undivided hands has no joker, and its only wager is a bonus wager without a paytable.
    """
    name, undivided, decks = request.id, request.undivided, request.decks
    check_game_id(name)
    values = {
        "called": request.called,
        "document": request.document,
        "clause": request.clause,
        "on": request.on.isoformat(),
    }
    parts = {
        part: _stating(f"game/{part}", game=name, **values)
        for part in ("game.json", "main/wager.json", "main/standard.json")
    }
    if undivided is not None:
        record = parts["game.json"]
        for divided in OF_DIVIDED_HANDS:
            del record[divided]
        hand = {"cards": undivided, "back": min(undivided, MOST_RANKED), "front": 0}
        deck: Record = {"ranks": 13, "joker": False} | ({"decks": decks} if decks else {})
        record |= {"deck": deck, "hand": hand, "wheel": "lowest", "wagers": ["bonus"]}
        bonus = values | {"called": "Bonus wager", "document": name}
        parts = {
            "game.json": record,
            "bonus/wager.json": _stating("wager.json", game=name, wager="bonus", **bonus),
        }
    folder = library.own_paytables() / name
    return write_new({folder / part: format_record(value) for part, value in parts.items()})


class WagerRequest(Request, frozen=True, kw_only=True):
    """A new wager of a game, without a paytable."""

    target: Annotated[str, argument("Id of the new wager: GAME/WAGER.")]
    called: Annotated[str, option("Printed name of the wager.")]
    clause: Annotated[str, option("Clause of the game's document with its rules.")]
    hand: Annotated[HandOf, option("Hand or hands that it uses.")] = HandOf.PLAYER
    cards: Annotated[
        int | None,
        option("Cards that its paytables use. Default: those of a hand.", least=1, most=7),
    ] = None
    kind: Annotated[WagerKind, option("Kind of the wager: bonus or progressive.")] = WagerKind.BONUS


def wager(request: WagerRequest) -> tuple[Path, ...]:
    """Write a wager without a paytable, and list it with its game.

    Raises:
        NotReadable: the target or its id is not one, or it would be a main wager.
        NotConfigured: the game is not declared, there is no project, or the wager is there already;
            or the revision of the game is approved.
    """
    owner, _, name = request.target.partition("/")
    if not name or "/" in name:
        raise NotReadable(f"{request.target} is not the id of a wager.", remedy="Write GAME/WAGER.")
    check_id(name)
    if request.kind is WagerKind.MAIN:
        raise NotReadable(
            "A main wager is created with its game.", remedy="Use --kind bonus or progressive."
        )
    folder = library.own_paytables() / owner
    with lock(folder.parent):
        before = storage.read_present(folder / "game.json")
        listed = find_declared_file(f"{owner}/game.json", owner, "*/game.json")
        catalog, findings = read_catalog(*library.layers())
        # An interrupted run leaves D003, and this run ends it.
        refuse_errors(finding for finding in findings if finding.code != D003.id)
        record = catalog.games[owner]
        refuse_approved_rules(record)
        document = record.document.id
        values = {"called": request.called, "document": document, "clause": request.clause}
        value = _stating("wager.json", game=owner, wager=name, **values)
        value |= {"kind": request.kind, "hand": request.hand}
        value |= {"cards": request.cards} if request.cards else {}
        with_it = read_record(listed)
        with_it["wagers"] = [*dict.fromkeys((*with_it["wagers"], name))]
        return write_new(
            {folder / name / "wager.json": format_record(value)},
            {folder / "game.json": (before, format_record(with_it))},
        )


def paytable(target: str, *, rows: Sequence[str], clause: str) -> tuple[Path, ...]:
    """Write a paytable of a bonus wager with the rows that are given.

    Args:
        target: ``GAME/WAGER/PAYTABLE``, with the new id.
        rows: ``EVENT=PAYS`` in the order of print, such as ``flush=4 to 1``.
        clause: where the game's document prints the paytable.

    Raises:
        NotReadable: the target, its id or a row is not one.
        NotConfigured: the wager or an event is not declared, or a file is there already.
    """
    owner, name = split_target(target)
    selection = select(owner)
    owning = next(each for each in selection.game.wagers if each.target == owner)
    value = _stating(
        "paytable.json",
        game=selection.game.id,
        wager=owner.partition("/")[2],
        paytable=name,
        hand=str(owning.hand),
        document=selection.game.document.id,
        clause=clause,
    )
    value["cards"] = owning.cards or selection.game.hands.shape.cards
    value["rows"] = [_row(text, selection.catalog.events) for text in rows]
    return write_new({library.own_paytables() / f"{target}.json": format_record(value)})


def _row(text: str, events: Mapping[str, Event]) -> Record:
    event, equals, pays = (part.strip() for part in text.partition("="))
    if not equals or not pays:
        raise NotReadable(
            f"{text} is not a row.", remedy='Write EVENT=PAYS, such as --row "flush=4 to 1".'
        )
    name = lookup("event", event, events).name or event.replace("_", " ").title()
    return {"event": event, "name": name, "pays": pays}


CONDITIONS = ("when", "dealer", "player")
"""The fields that hold the condition of an event."""


def event(
    name: str, *, text: str, when: str | None, like: str | None, document: str, clause: str
) -> tuple[Path, ...]:
    """Create an event in the project.

    Args:
        name: the id of the event, in words joined by underscores.
        text: what the rules print of it.
        when: its condition as JSON; that of ``like`` if None.
        like: the event whose condition is copied.
        document: the id of the document that defines the hand.
        clause: where it defines it.

    Raises:
        NotReadable: the id is not one, or the condition is not JSON.
        NotConfigured: there is no project, the id is taken, or ``like`` is not declared.
        Unfit: the id or the condition breaks the schema.
    """
    if library.project() is None:
        raise NotConfigured(
            "This folder is in no project.",
            remedy="Create a project with `certify init`, or change to the folder of your project.",
        )
    source = {"document": document, "clause": clause}
    path = library.own_paytables() / EVENTS
    empty: Record = {"$schema": "events.schema.json", "events": []}
    with lock(path.parent):
        before = storage.read_present(path)
        catalog, _ = read_catalog(*library.layers())
        if name in catalog.events:
            raise NotConfigured(f"The event {name} already exists.", remedy="Choose another id.")
        value = {"id": name, "text": text, **_condition(when, like, catalog), "source": source}
        record = empty if before is None else read_record(path)
        record["events"] = [*record["events"], value]
        data = format_record(record)
        refuse_faults(path, data)
        storage.write_atomically(path, data, before=before)
    return (path,)


def jurisdiction(
    name: str, *, called: str, regulator: str, clause: str, address: str, on: date
) -> tuple[Path, ...]:
    """Write the rule pack of a jurisdiction with a first rule, which is still to be written.

    Args:
        name: the id of the jurisdiction.
        called: its printed name.
        regulator: the body that approves games there.
        clause: the citation of the first rule.
        address: the address at which its text was read.
        on: the day it was read.

    Raises:
        NotReadable: the id is invalid.
        NotConfigured: there is no project, or a file exists already.
    """
    check_id(name)
    value = _stating(
        "jurisdiction.json",
        jurisdiction=name,
        rule=f"{name.upper()[:36]}-1",
        called=called,
        regulator=regulator,
        clause=clause,
        address=address,
        on=on.isoformat(),
    )
    return write_new({library.own_paytables() / f"jurisdictions/{name}.json": format_record(value)})


def _condition(when: str | None, like: str | None, catalog: Catalog) -> Record:
    """Return the condition of the new event."""
    if when is not None:
        try:
            return {"when": json.loads(when)}
        except ValueError as error:
            raise NotReadable(
                f"The condition is not JSON: {error}.",
                remedy="""Write it such as --when '{"flush_length": 6, "joker": false}'.""",
            ) from error
    for key in EVENT_FILES:
        document = catalog.documents.get(key)
        for declared in document.value["events"] if document else ():
            if declared["id"] == like:
                return {part: declared[part] for part in CONDITIONS if part in declared}
    if like is None:
        raise NotReadable(
            "The event has no condition.", remedy="Use --like EVENT, or --when CONDITION."
        )
    raise unknown_id("event", like, catalog.events)


FIRST = {"id", "game", "jurisdiction", "revision", "revised", "changes", "$schema"}
"""Properties that a new filing does not take from another."""


def new_filing(
    name: str,
    *,
    day: dt.date,
    game: str | None = None,
    jurisdiction: str | None = None,
    like: str | None = None,
) -> tuple[Path, ...]:
    """Write a filing in its first revision; return its file.

    Args:
        name: its id, and the name of its file.
        day: the date of the revision.
        game: the id of its game; None for that of ``like``.
        jurisdiction: the id of its jurisdiction; None for that of ``like``.
        like: a filing of the project, or a file of a filing or of terms, to copy the others from.

    Raises:
        NotReadable: the name is no id.
        NotConfigured: the game or the jurisdiction is unknown or missing, the name is that of a
            game, there is no such filing, no project, or a file is there already.
        Unfit: the copied file has errors.
    """
    check_id(name)
    project, catalog = library.own_paytables().parent, load_catalog()
    copied: dict[str, Any] = {}
    letters: dict[Path, bytes] = {}
    if like is not None:
        source = find_filing(like) or Path(like)
        letter, copied = read_terms(source)[0].laboratory_letter_file, read_record(source)
        if letter is not None and absolute(source.parent) != absolute(project / FILINGS):
            letters = {project / FILINGS / letter: storage.read_bytes(source.parent / letter)}
    game, jurisdiction = game or copied.get("game"), jurisdiction or copied.get("jurisdiction")
    if game is None or jurisdiction is None:
        raise NotConfigured(
            "A filing needs a game and a jurisdiction.", remedy="Use --game and --jurisdiction."
        )
    lookup("game", game, catalog.games)
    lookup("jurisdiction", jurisdiction, catalog.jurisdictions)
    if name in catalog.games:
        raise NotConfigured(
            f"{name} is the id of a game.", remedy="Choose another name, such as nj-2027."
        )
    values = {"id": name, "game": game, "jurisdiction": jurisdiction}
    values |= {"revision": "1", "revised": day.isoformat()}
    others = {key: part for key, part in copied.items() if key not in FIRST}
    value = {"$schema": f"{FILING}.schema.json", **values, **others}
    path = project / FILINGS / f"{name}.json"
    return (*write_new({path: format_record(value)}), *(write_missing(letters) if letters else ()))


def revise_filing(name: str, *, text: str, day: dt.date, revision: str | None = None) -> Path:
    """Create the next revision of a filing; return its file. See `add_revision`.

    Raises:
        NotConfigured: there is no such filing, it has no revision, or has this one already.
        Unfit: its file has errors, or would have.
    """
    path = find_filing(name)
    if path is None:
        raise unknown_id("filing", name, list(list_filings()))
    with lock(path.parent):
        before = storage.read_bytes(path)
        terms, document = read_terms(path)
        if terms.revision is None or terms.revised is None:
            raise NotConfigured(
                f"{name} declares no revision.", remedy="Declare `revision` and `revised`."
            )
        data = add_revision(document, revision, day.isoformat(), text).encode()
        read_terms(path, {absolute(path): data})
        storage.write_atomically(path, data, before=before)
    return path
