"""Filings of a project: requests, changes of rules, and the declared values with their digests."""

import contextlib
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from certify import library
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.figures.targets import Selection, select_entries
from certify.intake.files import TEMPLATES, read_terms
from certify.intake.layout import FILINGS, SECOND_COUNTS, display_path, is_file
from certify.intake.workspace import apply_changes
from certify.model.approval import Approval
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.finding import Document
from certify.model.game import Game
from certify.model.jurisdiction import AMOUNTS, METER_AMOUNTS, TERMS, Terms
from certify.model.paytable import Paytable
from certify.model.source import OF_PRIZES, Op, RecordChange
from certify.model.submission import Filing, Order
from certify.received.files import is_plain_name

JOKER = "/joker"
"""The place of the joker in the file of a game."""


def list_filings() -> dict[str, Path]:
    """Return the files of the project's filings, by name."""
    project = library.project()
    files = () if project is None else sorted((project / FILINGS).glob("*.json"))
    return {path.stem: path for path in files if is_file(path)}


def read_filings() -> dict[str, Terms]:
    """Return the project's filings by name, without files that cannot be read."""
    filings = {}
    for name, path in list_filings().items():
        with contextlib.suppress(CertifyError):
            filings[name] = read_terms(path)[0]
    return filings


def filing_path(name: str) -> Path:
    """Return the path of a filing of the project, or of this folder without one."""
    return (library.project() or Path.cwd()) / FILINGS / f"{name}.json"


def project_folder(name: str) -> Path:
    """Return a folder of the user's project by a name that stays inside it.

    Raises:
        NotConfigured: there is no project, or the name leads out of it or into its declared data.
    """
    project = library.project()
    if project is None:
        raise NotConfigured(
            "This folder is not in a project, so nothing can be written.",
            remedy="Create a project first: the link is at the foot of the page.",
        )
    root = project.resolve()
    try:
        folder = (root / name).resolve()
    except (OSError, ValueError) as error:
        raise NotConfigured(
            f"{name!r} is not a folder.", remedy="Write a name such as out."
        ) from error
    inside = folder.is_relative_to(root) and folder != root
    declared = any(folder.is_relative_to(root / name) for name in ("paytables", FILINGS))
    if not inside or declared or not name.isprintable():
        raise NotConfigured(
            f"{name!r} is not a folder for documents inside the project.",
            remedy="Write a name such as out or out/nevada.",
        )
    return folder


def find_filing(name: str) -> Path | None:
    """Return the file of a filing of the project; None if there is none of this name."""
    if library.project() is None or not is_plain_name(name):
        return None
    path = filing_path(name)
    return path if is_file(path) else None


def resolve_order(order: Order) -> Order:
    """Return a request for a filing of the project, by its name, as a request for its game.

    A request for a game is returned unchanged.

    Raises:
        NotReadable: the request names nothing.
        NotConfigured: the request is for a game without a jurisdiction, the filing lacks its id,
            game or jurisdiction, or the request repeats what the filing declares.
        Unfit: the file of the filing has errors.
    """
    if not order.game:
        raise NotReadable("No filing is named.", remedy="Name a filing or a game, or use --all.")
    path = find_filing(order.game)
    if path is None:
        if not order.jurisdiction:
            raise NotConfigured(
                f"No jurisdiction is named, and the project has no filing {order.game}.",
                remedy="Use --jurisdiction, or create the filing with `certify new filing`.",
            )
        return order
    if order.jurisdiction or order.paytables or order.house_way or order.strategy or order.terms:
        raise NotConfigured(
            f"The filing {order.game} declares its jurisdiction, paytables, house way and terms.",
            remedy=f"Omit these options, or change {display_path(path)}.",
        )
    terms, _ = read_terms(path)
    if terms.id is None or terms.game is None or terms.jurisdiction is None:
        raise NotConfigured(
            f"{display_path(path)} lacks its id, its game or its jurisdiction.",
            remedy="Declare `id`, `game` and `jurisdiction`.",
        )
    return replace(order, game=terms.game, jurisdiction=terms.jurisdiction, terms=path)


def declare_filing(catalog: Catalog, game: str, document: Document) -> Catalog:
    """Return the catalog with the file of a filing, and with the records as it changes them.

    Unknown meters, tables and sentences change nothing; they are a finding (R021). So is a joker
    that the game does not offer (R022). The published figures of a game are for the joker and the
    wagers for prizes that its files declare. They are left out with others.
    """
    changes = [*_list_changes(game, catalog, document.value)]
    published = catalog.published
    if any(change.path == JOKER for change in changes):
        published = {**published, game: ()}
    elif "envies" in document.value:
        changed = {(each["wager"], each["table"]) for each in document.value["envies"]}
        own = catalog.games[game].paytables if game in catalog.games else ()
        targets = {table.target for table in own if (table.wager, table.envy) in changed}
        figures = catalog.published.get(game, ())
        kept = [
            each for each in figures if each.target not in targets or each.quantity not in OF_PRIZES
        ]
        published = {**published, game: tuple(kept)}
    catalog = replace(apply_changes(catalog, changes), published=published)
    return replace(catalog, documents={**catalog.documents, TERMS: document})


def declare_approved(approvals: Iterable[Approval], catalog: Catalog) -> dict[str | None, Catalog]:
    """Return the catalog by which each filing of some entries is declared now, by its id.

    Entries without a filing have the given one. A filing without a file has none.

    Raises:
        Unfit: the file of a filing has errors.
    """
    catalogs: dict[str | None, Catalog] = {None: catalog}
    for name, game in {(each.filing, each.game): None for each in approvals}:
        path = find_filing(name) if name is not None else None
        if path is not None:
            catalogs[name] = declare_filing(catalog, game, read_terms(path)[1])
    return catalogs


def _list_changes(game: str, catalog: Catalog, filing: Mapping[str, Any]) -> Iterator[RecordChange]:
    """Yield the changes of the records of a game that a filing declares."""
    records = {key: document.value for key, document in catalog.documents.items()}
    if "revision" in filing and "revised" in filing:
        for name in REVISION:
            if name in filing:
                yield RecordChange(record=game, op=Op.ADD, path=f"/{name}", value=filing[name])
            elif name in records.get(game, {}):
                yield RecordChange(record=game, op=Op.REMOVE, path=f"/{name}")
    for sentence in filing.get("sentences", ()):
        record = "/".join((game, *filter(None, [sentence.get("wager")])))
        for path, replaced in _find_sentences(records.get(record), sentence["id"]):
            source = replaced.get("original", replaced["text"])
            for name, text in (("text", sentence["text"]), ("original", source)):
                yield RecordChange(record=record, op=Op.ADD, path=f"{path}/{name}", value=text)
            if "effect" in replaced:  # of the sentence that is not printed
                yield RecordChange(record=record, op=Op.REMOVE, path=f"{path}/effect")
    yield from _list_choices(game, catalog, filing)
    yield from _list_amounts(game, filing)


def _list_choices(game: str, catalog: Catalog, filing: Mapping[str, Any]) -> Iterator[RecordChange]:
    """Yield the choices of a filing among those of its game: the party that banks, the joker."""
    if "banking" in filing:
        yield RecordChange(record=game, op=Op.ADD, path="/banking", value=filing["banking"])
    if game not in catalog.games:
        return
    hands, joker = catalog.games[game].hands, filing.get("joker")
    if joker in hands.joker_choices and joker != hands.joker:
        others = [str(each) for each in (hands.joker, *hands.joker_choices) if each != joker]
        yield RecordChange(record=game, op=Op.ADD, path=JOKER, value=joker)
        yield RecordChange(record=game, op=Op.ADD, path=f"{JOKER}_choices", value=others)


def _list_amounts(game: str, filing: Mapping[str, Any]) -> Iterator[RecordChange]:
    """Yield the amounts of meters and envy tables that a filing declares."""
    for meter in filing.get("meters", ()):
        for name in METER_AMOUNTS:
            if name in meter:
                yield RecordChange(
                    record=f"{game}/{meter['wager']}/{meter['paytable']}",
                    op=Op.ADD,
                    path=f"/progressive/meters/{meter['level']}/{name}",
                    value=meter[name],
                )
    for envy in filing.get("envies", ()):
        yield RecordChange(
            record=f"{game}/{envy['wager']}/envy/{envy['table']}",
            op=Op.ADD,
            path="/qualifying_wager_cents",
            value=envy["qualifying_wager_cents"],
        )


def _find_sentences(value: Any, name: str, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a JSON value
    """Yield the sentences with an id in a record, each with its path."""
    if isinstance(value, dict):
        if value.get("id") == name and "text" in value and "source" in value:
            yield path, value
        for key, part in value.items():
            yield from _find_sentences(part, name, f"{path}/{key}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _find_sentences(part, name, f"{path}/{number}")


SCHEMA: Final = "$schema"
OWN_ID: Final = (SCHEMA, "id", "game", "wager")
"""Properties that identify a file, and are no part of its content."""

REVISION: Final = ("revision", "revised", "changes")
"""Properties of a game on its revision."""

RECORD: Final = "paytable"
"""The name of the record of a register entry."""

SENTENCE: Final = "#"
"""Between the name of a file and the id of its sentence."""

SECTION: Final = "section"
"""The section in which a sentence is declared, next to its own properties."""

GAME: Final = "game"
"""The name of a game's file, and the folder of its others."""

PRIZES: Final = " prizes"
"""After the name of a paytable, for its table of prizes."""

Values = Mapping[str, Any]
"""Values of declared files, by the name of the file."""


def selected_values(selection: Selection, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of all files that a selection prints or counts.

    ``names`` are names of records, by target; the names of other files have no id of the game.
    """
    shared = game_values(selection.catalog, selection.game)
    return shared | record_values(selection, names)


def game_values(catalog: Catalog, game: Game) -> dict[str, Any]:
    """Return the values of a game's files, of its house ways and of their interpretations."""
    documents = catalog.documents
    shared = [f"house-ways/{way}" for way in game.house_ways]
    shared += [f"alternatives/{name}" for name in (game.id, *game.house_ways)]
    files = {key: key.replace(f"/{game.id}", "/game") for key in shared}
    for key in documents:
        first, *rest = key.split("/")
        if first == game.id and len(rest) <= 1:
            files[key] = "/".join((GAME, *rest))
    return {name: documents[key].value for key, name in files.items() if key in documents}


def record_values(selection: Selection, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the selected records, of their prizes and of the events they pay."""
    documents = selection.catalog.documents
    values: dict[str, Any] = {}
    for wager, record in selection.records:
        parts = {"": record.target}
        envy = wager.find_envy(record) if isinstance(record, Paytable) else None
        if envy is not None:
            parts[PRIZES] = f"{wager.target}/envy/{envy.id}"
        for part, key in parts.items():
            if key in documents:
                values[f"{names[record.target]}{part}"] = _without(documents[key].value, OWN_ID)
    used = {row["event"] for value in values.values() for row in value.get("rows", ())}
    values["events"] = [
        event
        for key in EVENT_FILES
        if key in documents
        for event in documents[key].value["events"]
        if event["id"] in used
    ]
    return values


def filing_values(filing: Filing) -> dict[str, Any]:
    """Return the values of a filing that are not of its game: request, terms, jurisdiction, texts.

    A request and terms that are not there are empty, as they are compared with others.
    """
    documents, order = filing.catalog.documents, filing.order
    values: dict[str, Any] = {
        "request": {"house_way": order.house_way, "strategy": order.strategy},
        TERMS: _without(documents[TERMS].value, IN_RECORDS) if TERMS in documents else {},
        f"jurisdictions/{order.jurisdiction}": filing.catalog.documents[
            f"jurisdictions/{order.jurisdiction}"
        ].value,
    }
    folder = f"{TEMPLATES}/"
    return values | {key: file.text for key, file in documents.items() if key.startswith(folder)}


IN_RECORDS: Final = ("id", *REVISION, "sentences", "meters", "envies")
"""The id of a filing, and its properties that change records, which are compared."""

NOT_TERMS: Final = (
    *(SCHEMA, "game", "jurisdiction", "paytables", "house_way", "strategy", *IN_RECORDS),
)
"""Properties of a filing that are no terms."""


def take_amounts(record: Any) -> tuple[Any, list[Any]]:  # noqa: ANN401 - a JSON value
    """Return a paytable or an envy table without the amounts that a filing sets, and these."""
    if isinstance(record, list):
        parts = [take_amounts(part) for part in record]
        return [rest for rest, _ in parts], [each for _, amounts in parts for each in amounts]
    if not isinstance(record, dict):
        return record, []
    inner = {name: take_amounts(part) for name, part in record.items() if name not in AMOUNTS}
    amounts_here = [{name: record[name]} for name in AMOUNTS if name in record]
    every = amounts_here + [each for _, amounts in inner.values() for each in amounts]
    return {name: rest for name, (rest, _) in inner.items()}, every


def term_values(filing: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms of a filing by their topics; each procedure is one."""
    topics = {name: part for name, part in filing.items() if name not in NOT_TERMS}
    return {**topics.pop("procedures", {}), **topics}


def file_values(document: Document) -> dict[str, Any]:
    """Return the values of a file that is compared alone, without its own ids."""
    return {"": _without(document.value, OWN_ID)}


def split_sentences(value: object) -> dict[str, Any]:
    """Return a file's sentences by their ids, each with its section, and the rest of the file."""
    sentences: dict[str, Any] = {}
    rest = _take_sentences(value, "", sentences)
    return {**sentences, "": rest}


def _take_sentences(value: object, place: str, sentences: dict[str, Any]) -> object:
    """Move the sentences of a value to ``sentences``, and return the rest."""
    if isinstance(value, list):
        parts = [_take_sentences(part, place, sentences) for part in value]
        return [part for part in parts if part is not None]
    if not isinstance(value, dict):
        return value
    name = str(value.get("id", ""))
    if name and isinstance(value.get("text"), str) and name not in sentences:
        sentences[name] = {**value, SECTION: place}
        return None
    return {
        key: _take_sentences(part, str(value.get("id", key)) if place else key, sentences)
        for key, part in value.items()
        if key != SCHEMA
    }


def game_digests(catalog: Catalog, game: Game) -> dict[str, str]:
    """Return the digests that all entries on a game have, by file and id of a sentence.

    They cover each sentence of the game and its wagers, and the other files as a whole. The
    revision and verification counts are left out: they change without the rules.
    """
    values = game_values(catalog, game)
    values.pop(f"{GAME}/{SECOND_COUNTS}", None)
    values[GAME] = _without(values[GAME], REVISION)
    return {
        f"{name}{SENTENCE}{key}" if key else name: digest_value(part)[:32]
        for name, value in values.items()
        for key, part in (split_sentences(value) if name.startswith(GAME) else {"": value}).items()
    }


def entry_digests(
    catalog: Catalog, targets: Collection[str], of_game: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the digests of all that a register entry is about, by file and id of a sentence.

    ``targets`` are its paytables, of one game; ``of_game`` are the `game_digests`, if known.
    """
    game = catalog.games[next(iter(targets)).partition("/")[0]]
    names = {target: name_record(target, catalog) for target in targets}
    values = record_values(select_entries(catalog, game, {*targets}), names)
    if TERMS in catalog.documents:
        terms = term_values(catalog.documents[TERMS].value)
        for name in (each for each in values if each.startswith(RECORD)):
            values[name], terms[f"amounts of {name}"] = take_amounts(values[name])
        values |= {f"{TERMS}{SENTENCE}{topic}": part for topic, part in terms.items()}
    of_records = {name: digest_value(value)[:32] for name, value in values.items()}
    return {**(game_digests(catalog, game) if of_game is None else of_game), **of_records}


def name_record(target: str, catalog: Catalog) -> str:
    """Return the name of a paytable among the digests of an entry; a filing has several."""
    return f"{RECORD} {target.partition('/')[2]}" if TERMS in catalog.documents else RECORD


def digest_value(value: object) -> str:
    """Return the SHA-256 digest of a JSON value; the order of properties does not matter."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def canonical_json(value: object) -> str:
    """Return a JSON value as text in which the order of properties does not matter."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _without(value: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: part for name, part in value.items() if name not in names}
