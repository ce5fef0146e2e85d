"""Filings of a project: the request that each declares, and the rules as it changes them."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from certify import library
from certify.errors import CertifyError, NotConfigured, NotReadable
from certify.filing.declared import REVISION
from certify.intake.files import read_terms
from certify.intake.layout import FILINGS, display_path, is_file
from certify.intake.workspace import apply_changes
from certify.model.approval import Approval
from certify.model.catalog import Catalog
from certify.model.finding import Document
from certify.model.jurisdiction import METER_AMOUNTS, TERMS, Terms
from certify.model.source import Op, RecordChange
from certify.model.submission import Order
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
    return replace(
        order,
        game=terms.game,
        jurisdiction=terms.jurisdiction,
        paytables=terms.paytables,
        house_way=terms.house_way,
        strategy=terms.strategy,
        terms=path,
    )


def declare_filing(catalog: Catalog, game: str, document: Document) -> Catalog:
    """Return the catalog with the file of a filing, and with the records as it changes them.

    Unknown meters, tables and sentences change nothing; they are a finding (R021). So is a joker
    that the game does not offer (R022). The published figures of a game are for the joker that its
    file declares. They are left out with another one.
    """
    changes = [*_list_changes(game, catalog, document.value)]
    published = catalog.published
    if any(change.path == JOKER for change in changes):
        published = {**published, game: ()}
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


def _list_changes(game: str, catalog: Catalog, stated: Mapping[str, Any]) -> Iterator[RecordChange]:
    """Yield the changes of the records of a game that a filing declares."""
    known = {key: document.value for key, document in catalog.documents.items()}
    if "revision" in stated and "revised" in stated:
        for name in REVISION:
            if name in stated:
                yield RecordChange(record=game, op=Op.ADD, path=f"/{name}", value=stated[name])
            elif name in known.get(game, {}):
                yield RecordChange(record=game, op=Op.REMOVE, path=f"/{name}")
    for sentence in stated.get("sentences", ()):
        record = "/".join((game, *filter(None, [sentence.get("wager")])))
        for path, replaced in _find_sentences(known.get(record), sentence["id"]):
            source = replaced.get("original", replaced["text"])
            for name, text in (("text", sentence["text"]), ("original", source)):
                yield RecordChange(record=record, op=Op.ADD, path=f"{path}/{name}", value=text)
            if "effect" in replaced:  # of the sentence that is not printed
                yield RecordChange(record=record, op=Op.REMOVE, path=f"{path}/effect")
    yield from _list_choices(game, catalog, stated)
    yield from _list_amounts(game, stated)


def _list_choices(game: str, catalog: Catalog, stated: Mapping[str, Any]) -> Iterator[RecordChange]:
    """Yield the choices of a filing among those of its game: the party that banks, the joker."""
    if "banking" in stated:
        yield RecordChange(record=game, op=Op.ADD, path="/banking", value=stated["banking"])
    if game not in catalog.games:
        return
    hands, joker = catalog.games[game].hands, stated.get("joker")
    if joker in hands.joker_choices and joker != hands.joker:
        others = [str(each) for each in (hands.joker, *hands.joker_choices) if each != joker]
        yield RecordChange(record=game, op=Op.ADD, path=JOKER, value=joker)
        yield RecordChange(record=game, op=Op.ADD, path=f"{JOKER}_choices", value=others)


def _list_amounts(game: str, stated: Mapping[str, Any]) -> Iterator[RecordChange]:
    """Yield the amounts of meters and envy tables that a filing declares."""
    for meter in stated.get("meters", ()):
        for name in METER_AMOUNTS:
            if name in meter:
                yield RecordChange(
                    record=f"{game}/{meter['wager']}/{meter['paytable']}",
                    op=Op.ADD,
                    path=f"/progressive/meters/{meter['level']}/{name}",
                    value=meter[name],
                )
    for envy in stated.get("envies", ()):
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
