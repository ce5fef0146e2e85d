"""Resolve a submission request to the catalog entries it covers."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from certify import library
from certify.checks.d_names import uncited
from certify.checks.d_statements import edited_sentences
from certify.checks.d_texts import lowest_hands, texts_against_values
from certify.checks.framework import Context, statements
from certify.checks.m_main_wagers import unfilable
from certify.checks.r_jurisdictions.terms import contradictions
from certify.checks.review import review
from certify.errors import CertifyError, NotConfigured, NotInstalled
from certify.figures.play import refused_options
from certify.figures.provenance import build_provenance, read_letter, refuse_changed_files
from certify.figures.targets import (
    Record,
    Selection,
    lookup,
    refuse_errors,
    select_entries,
    unknown_id,
)
from certify.filing.declaration import declare_filing
from certify.filing.listing import find_approved, find_register, list_elsewhere
from certify.filing.register import consult
from certify.intake.files import (
    NO_OVERLAYS,
    Overlays,
    own_templates,
    read,
    read_templates,
    read_terms,
)
from certify.intake.layout import files_of_game, is_file
from certify.intake.read import read_catalog
from certify.intake.workspace import trim_catalog
from certify.model.catalog import Catalog
from certify.model.comparison import FigureJudgement
from certify.model.finding import Document, Finding, Severity, Unfit
from certify.model.game import Game
from certify.model.jurisdiction import TERMS, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import EarlierVersion, Paytable
from certify.model.source import Banking
from certify.model.submission import Filing, Letter, Order

UNFILED = ("D006", "D009", "D021", "F003", "R021")
"""Codes of findings on files and names of paytables that are left out, as they are not filed.

The whole game has none of these: it is refused with them, before paytables are left out.
"""


def filed_records(filing: Filing) -> Selection:
    """Return the entries that are filed."""
    filed = {record.target for record in filing.records}
    return select_entries(filing.catalog, filing.game, filed)


def build_filing(
    order: Order,
    *layers: Path,
    letter: Letter | None = None,
    ignored: Collection[str] = (),
    embedded: bool = False,
    catalog: Catalog | None = None,
    overlays: Overlays = NO_OVERLAYS,
) -> Filing:
    """Read the declared data and select the submitted entries.

    Args:
        order: the submission request.
        layers: the folders of declared data; without any, those of the library and the project.
        letter: the laboratory's letter; if not given, the file that the terms name.
        ignored: codes of findings that do not keep the game from being filed.
        embedded: the folders hold the files of a filing, so that each of them is filed.
        catalog: the declared data, if it has been read and has no errors.
        overlays: contents by absolute path, read in place of the file of terms on disk.

    Raises:
        NotConfigured: an id is unknown, two options of the main wager are named, the laboratory's
            letter is not the one that the terms declare, or the request names other paytables,
            another house way or strategy than the terms.
        Unfit: the declared data, the rules of the jurisdiction or the terms have errors.
    """
    layers = layers or library.layers()
    if catalog is None:
        catalog, findings = read_catalog(*layers)
        refuse_errors(findings)
    terms, requested = Terms(), order.paytables
    if order.terms is not None:
        terms, document = read_terms(order.terms, overlays)
        letter = letter or read_letter(terms, order.terms, overlays)
        refuse_errors(_find_elsewhere(terms, document, order.jurisdiction))
        catalog = declare_filing(catalog, order.game, document)
        order = order if embedded else _with_choices(order, terms)
    game = lookup("game", order.game, catalog.games)
    lookup("jurisdiction", order.jurisdiction, catalog.jurisdictions)
    options, tables = _find_named(order, game, requested, embedded=embedded)
    files = files_of_game(catalog.documents, game) | {
        TERMS,
        f"jurisdictions/{order.jurisdiction}",
    }
    files.add(f"alternatives/{game.id}")
    catalog = catalog.only(_add_named_files(catalog, game, files))
    left_out = {*_list_tables(game.paytables)} - {*_list_tables(tables)}
    _refuse_unfit(catalog, game, files, terms, ignored=ignored, left_out=left_out)
    templates = own_templates(layers)
    catalog = replace(catalog, documents={**catalog.documents, **read_templates(templates)})
    declared = catalog
    catalog = (
        trim_catalog(catalog, embedded=True) if embedded else select_filed(catalog, game, tables)
    )
    game = catalog.games[game.id]
    provenance = build_provenance(catalog, game, layers, letter)
    filed = {table.target for table in tables}
    catalog = merge_side_tables(catalog, game)
    game = catalog.games[game.id]
    main = next(iter((*options, *game.options)), None)
    return Filing(
        order=order,
        catalog=catalog,
        declared=declared,
        game=_bank_filed(game, main),
        jurisdiction=catalog.jurisdictions[order.jurisdiction],
        main=main,
        paytables=tuple(table for table in game.paytables if table.target in filed),
        templates=templates,
        terms=terms,
        provenance=provenance,
    )


def _find_named(
    order: Order, game: Game, requested: Iterable[str], *, embedded: bool
) -> tuple[tuple[MainWager, ...], tuple[Paytable, ...]]:
    """Return the named options, and the filed paytables: all if none is named.

    Raises:
        NotConfigured: a requested id is unknown, or two options of the main wager are named.
    """
    options = tuple(option for option in game.options if order.names(option))
    tables = tuple(table for table in game.paytables if order.names(table))
    alone = any(option.target in order.paytables for option in options)
    records: tuple[Record, ...] = (*game.options, *game.paytables)
    ids = {name for record in records for name in (record.id, record.target)}
    for name in requested:  # unknown ones of the terms are a finding
        if name not in ids:
            raise unknown_id("paytable", name, sorted(ids))
    if any(option not in game.options_with(options[0]) for option in options):
        raise NotConfigured(
            f"A submission has one option of the main wager, but {len(options)} are named.",
            remedy="File each option in a separate submission.",
        )
    return options, tables if tables or (alone and not embedded) else game.paytables


def _list_tables(tables: Iterable[Paytable]) -> Iterator[str]:
    """Yield the targets of paytables and of their envy tables."""
    for table in tables:
        yield table.target
        if table.envy is not None:
            yield f"{table.game}/{table.wager}/envy/{table.envy}"


def _bank_filed(game: Game, main: MainWager | None) -> Game:
    """Return the game as banked in a filing: an option that is not filed lets no player bank."""
    filed = game.options_with(main) if main is not None else game.options
    if game.banking is None and not any(option.bank is not None for option in filed):
        return replace(game, banking=Banking.HOUSE) if game.banked_by is Banking.ROTATING else game
    return game


def select_filed(catalog: Catalog, game: Game, tables: Collection[Paytable]) -> Catalog:
    """Return the catalog with nothing on paytables and wagers of a game that are not filed.

    Its files are those that the documents embed. A wager that the game does not offer is filed
    with the whole game only.
    """
    filed = {*_list_tables(tables)}
    whole = len(tables) == len(game.paytables)
    wagers = tuple(
        replace(
            wager,
            paytables=tuple(table for table in wager.paytables if table.target in filed),
            envies=tuple(
                envy for envy in wager.envies if f"{wager.target}/envy/{envy.id}" in filed
            ),
        )
        for wager in game.wagers
        if wager.options
        or (whole and wager.absent)
        or any(table.target in filed for table in wager.paytables)
    )
    every = {table.target for table in game.paytables} | {wager.target for wager in game.wagers}
    every |= {f"{wager.target}/envy/{envy.id}" for wager in game.wagers for envy in wager.envies}
    unfiled = every - filed - {wager.target for wager in wagers}
    return trim_catalog(
        replace(
            catalog,
            games={**catalog.games, game.id: replace(game, wagers=wagers)},
            documents={key: file for key, file in catalog.documents.items() if key not in unfiled},
        )
    )


def _find_elsewhere(terms: Terms, document: Document, jurisdiction: str) -> Iterator[Finding]:
    """Yield the finding on a filing that is for another jurisdiction than the request."""
    if terms.jurisdiction not in (None, jurisdiction):
        yield document.finding(
            contradictions.code.id,
            "/jurisdiction",
            f"The filing is for {terms.jurisdiction}, not for {jurisdiction}.",
            "Use the file of a filing in this jurisdiction.",
        )


def _with_choices(order: Order, terms: Terms) -> Order:
    """Return a request with the paytables, the house way and the strategy of its file of terms.

    Raises:
        NotConfigured: the request names others.
    """
    declared = {
        "paytables": terms.paytables,
        "house_way": terms.house_way,
        "strategy": terms.strategy,
    }
    chosen = {name: value for name, value in declared.items() if value}
    for name, value in chosen.items():
        if getattr(order, name) not in ((), None, value):
            words = name.replace("_", " ")
            raise NotConfigured(
                f"The file of terms declares another {words} than the request names.",
                remedy=f"Omit the option, or change `{name}` of the file.",
            )
    return replace(order, **chosen)


def merge_side_tables(catalog: Catalog, game: Game) -> Catalog:
    """Return the catalog with the tables that pay a wager together merged into one.

    Raises:
        NotConfigured: the pays of the tables cannot be added up.
    """
    if not any(table.also for table in game.paytables):
        return catalog
    from certify.engine.joint_tables import merge_tables

    together, events = merge_tables(game, catalog.events, catalog.house_ways.get(game.house_way))
    return replace(catalog, events=events, games={**catalog.games, game.id: together})


def _refuse_unfit(
    catalog: Catalog,
    game: Game,
    keys: Collection[str],
    terms: Terms | None,
    *,
    ignored: Collection[str],
    left_out: Collection[str],
) -> None:
    """Refuse a game that cannot be submitted, unusable rules, and terms that do not fit.

    It is refused before anything is counted, for what `check` finds. A sentence of the terms need
    not name the amounts of the tables that are ``left_out``.

    Raises:
        Unfit: a file of the game, or one that it shares, has errors.
    """
    files = {catalog.documents[key].path for key in keys if key in catalog.documents}
    refusals = refused_options(catalog, {game.id})
    findings = review(Context(catalog, terms=terms, game=game, refusals=refusals))
    unnamed = {catalog.documents[key].path for key in left_out if key in catalog.documents}
    of_texts = texts_against_values.code.id
    refuse_errors(
        finding
        for finding in findings
        if finding.file in files
        and finding.code not in ignored
        and not (finding.code == of_texts and finding.file in unnamed)
    )


def review_filing(
    filing: Filing,
    figures: tuple[FigureJudgement, ...] = (),
    ignored: Collection[str] = (),
) -> tuple[Finding, ...]:
    """Return the findings on a filing and its files, as far as its wagers are counted.

    Args:
        filing: the filing.
        figures: the audit of the printed figures.
        ignored: codes of findings to leave out.
    """
    paths = {document.path for document in filing.game_files}
    context = Context(
        filing.catalog,
        filing.analyses,
        figures,
        filing=filing,
        terms=filing.terms,
        game=filing.game,
    )
    return tuple(
        finding
        for finding in review(context)
        if finding.code not in (*UNFILED, *ignored)
        and (finding.code.startswith("R") or finding.file in paths)
    )


def review_uncounted(filing: Filing, overlays: Overlays = NO_OVERLAYS) -> tuple[Finding, ...]:
    """Return the findings that depend on no count; `submit` refuses the errors first.

    ``overlays`` are contents by absolute path, read in place of supplied files on disk.

    Raises:
        NotConfigured: a file that the filing supplies is missing or has another digest.
    """
    if filing.order.terms is not None:
        refuse_changed_files(filing.terms, filing.order.terms, overlays)
    filed = {paytable.target for paytable in filing.paytables}
    unprintable = _find_against_filing(filing.catalog, filed)
    return (
        *(replace(finding, severity=Severity.ERROR) for finding in unprintable),
        *review_filing(filing),
    )


def review_file(
    terms: Terms,
    document: Document,
    catalog: Catalog,
    *layers: Path,
    path: Path,
    overlays: Overlays = NO_OVERLAYS,
    game: Game | None = None,
) -> tuple[Finding, ...]:
    """Return the findings on the file of a filing that depend on no count.

    These are the findings in the file, and the errors of other files that keep it from being filed.

    Args:
        terms: its entry.
        document: its text.
        catalog: the declared data.
        layers: the folders of these data.
        path: its path.
        overlays: contents by absolute path, read in place of the files on disk.
        game: the game that terms without one are to fit.

    Raises:
        NotInstalled: a package of an extra is not installed.
    """
    refused: tuple[Finding, ...] = ()
    if terms.game is not None and terms.jurisdiction is not None:
        order = Order(game=terms.game, jurisdiction=terms.jurisdiction, terms=path)
        try:
            filing = build_filing(order, *layers, catalog=catalog, overlays=overlays)
            return _involving(document, review_uncounted(filing, overlays))
        except Unfit as error:
            refused = _involving(document, error.findings)
        except NotInstalled:
            raise
        except CertifyError as error:
            code = contradictions.code.id
            refused = (document.finding(code, "", error.message, error.remedy),)
    name = terms.game or (game.id if game is not None else "")
    catalog = declare_filing(catalog, name, document)
    found = review(Context(catalog, terms=terms, game=game or catalog.games.get(name)))
    found = tuple(finding for finding in found if finding.file == document.path)
    return found if any(finding.is_error for finding in found) else (*refused, *found)


def _involving(document: Document, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in a file, and the errors elsewhere."""
    return tuple(each for each in findings if each.file == document.path or each.is_error)


def findings_on_filing(catalog: Catalog, game: Game) -> tuple[Finding, ...]:
    """Return the findings that keep a game from being filed (M009, D023, D026, D027)."""
    return tuple(_find_against_filing(catalog.only(files_of_game(catalog.documents, game))))


def _find_against_filing(
    catalog: Catalog, filed: Collection[str] | None = None
) -> Iterator[Finding]:
    """Yield the findings that keep paytables from being filed; ``filed`` are those, None all."""
    earlier = read_built_in(catalog, catalog.documents)
    context = Context(catalog, judged=filed, earlier_versions=earlier)
    for refuse in (unfilable, uncited, edited_sentences, lowest_hands):
        yield from refuse(context)


def read_built_in(catalog: Catalog, keys: Collection[str]) -> dict[str, list[EarlierVersion]]:
    """Return the built-in files of games and wagers, by these keys of a catalog."""
    places = {game: f"{game}/game.json" for game in catalog.games}
    for game in catalog.games.values():
        places |= {wager.target: f"{wager.target}/wager.json" for wager in game.wagers}
    paths = {key: library.paytables() / place for key, place in places.items() if key in keys}
    files = {key: read(path, None) for key, path in paths.items() if is_file(path)}
    return {
        key: [EarlierVersion("the built-in file", file.document.value)]
        for key, file in files.items()
        if file.sound
    }


def with_register_status(filing: Filing) -> Filing:
    """Return a printable filing with its status in a register.

    The register is that of its request, or of the project.

    Raises:
        NotConfigured: there is no such register, or a file that the filing supplies is missing or
            has another digest.
        Unfit: the printed sentences are not known to be true of the game or of a filed paytable, a
            source has no clause, a rule of the jurisdiction is not satisfied, the register has
            errors, or an id has other content there.
    """
    refuse_errors(review_uncounted(filing))
    order, path = filing.order, register_of(filing.order)
    if path is None:
        return filing
    register = consult(
        path,
        catalog=filing.declared,
        game=filing.game,
        jurisdiction=filing.jurisdiction.id,
        records=filing.records,
        house_way=order.house_way or filing.game.house_way,
        terms=filing.terms,
    )
    document, file = find_approved(path, filing)
    approved = document if file is not None else None
    elsewhere = list_elsewhere(path, filing)
    return replace(filing, register=replace(register, approved=approved, elsewhere=elsewhere))


def register_of(order: Order) -> Path | None:
    """Return the register of a request, or else of the project; None without one."""
    return order.register or find_register(library.project())


def _add_named_files(catalog: Catalog, game: Game, files: set[str]) -> set[str]:
    """Return the keys of the files that a submission needs, and of those that they name."""
    keys = files | {f"alternatives/{way}" for way in game.house_ways}
    named = {statement.jurisdiction for statement, _ in statements(catalog.only(keys))}
    return keys | {f"jurisdictions/{name}" for name in named if name is not None}
