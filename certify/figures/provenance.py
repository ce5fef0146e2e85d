"""Comparison of a submission's files with certify's, and lookup of its papers and letter."""

import contextlib
import hashlib
import hmac
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from certify import library, storage
from certify.checks.d_names import D019
from certify.engine.count_cache import seal
from certify.errors import NotConfigured
from certify.intake.files import NO_OVERLAYS, Overlays
from certify.intake.layout import OWN, absolute
from certify.intake.workspace import trim_text
from certify.model.catalog import OWN_EVENTS, Catalog
from certify.model.comparison import CrossCheck, SecondCount
from certify.model.encoding import drop_empty, encode_json, pick_values
from certify.model.finding import Finding, Severity
from certify.model.game import DocumentInfo, Game
from certify.model.jurisdiction import Terms
from certify.model.submission import TO_ACCEPT, Change, CountOrigin, Letter, Provenance
from certify.received.files import is_plain_name, open_file

COUNT: Final = (
    *("target", "house_way", "strategy", "digest", "counted", "version", "recount", "rows"),
    "house_edge",
)
"""Fields of a verification count in a file, in this order."""

SEALED: Final = "verification count"
"""The name under which a user's own counts are sealed."""

PDF: Final = b"%PDF-"

LARGEST_LETTER: Final = 4 << 20
"""Bytes of a letter; it is embedded in the documents, which `verify` reads up to 16 MiB."""

SOURCES: Final = "sources"
"""The folder of a project that may hold the papers that its records cite."""


def build_provenance(
    catalog: Catalog, game: Game, layers: Iterable[Path], letter: Letter | None
) -> Provenance:
    """Return the origin of the files of a submission.

    Args:
        catalog: the records of the submission and their files.
        game: the game.
        layers: the folders of declared data.
        letter: the laboratory's letter.
    """
    return Provenance(
        records=dict(sorted(_changes(catalog, game))),
        counts={
            count.digest: find_origin(count, game.id)
            for count in catalog.second_counts.get(game.id, ())
        },
        papers=dict(_papers(catalog, game, layers)),
        letter=letter,
    )


def is_shipped(key: str, catalog: Catalog) -> bool:
    """Return True if certify ships a file of a catalog, or its part on the files that are filed."""
    document = catalog.documents[key]
    data = library.read_shipped(document.evidence_path.removeprefix(f"{OWN}/"))
    if data is None:
        return False
    if hashlib.sha256(data).hexdigest() == document.sha256:
        return True
    trimmed = trim_text(key, data.decode(), catalog)
    return hashlib.sha256(trimmed.encode()).hexdigest() == document.sha256


def is_template(path: str) -> bool:
    """Return True for a record that makes pages: a template or a style sheet."""
    return path.startswith("templates/")


def _changes(catalog: Catalog, game: Game) -> Iterator[tuple[str, Change]]:
    """Yield every file that differs from certify's; a project's events are only additions."""
    for key, document in catalog.documents.items():
        path = document.evidence_path.removeprefix(f"{OWN}/")
        if key in (OWN_EVENTS, f"{game.id}/second-counts") or is_shipped(key, catalog):
            continue
        if library.read_shipped(path) is not None:
            yield path, Change.REPLACES
        elif path.startswith(TO_ACCEPT):
            yield path, Change.ADDED
    for path in library.changed_files():
        yield path, Change.ADDED if library.read_shipped(path) is None else Change.REPLACES


def _papers(catalog: Catalog, game: Game, layers: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield the papers that can be cited with their digests: the game's own, and those present.

    Of a record that certify ships, the declared digest names the paper without its file.
    """
    ours = is_shipped(game.id, catalog)
    for paper in (game.document, *game.references):
        digest_found = _paper_digest(paper, _folders(game, layers))
        digest = (
            digest_found
            if digest_found and paper.sha256 in (None, digest_found)
            else ours and paper.sha256
        )
        if ours or digest or paper == game.document:
            yield paper.id, digest or ""


def _folders(game: Game, layers: Iterable[Path]) -> list[Path]:
    return [folder for layer in layers for folder in (layer / game.id, layer.parent / SOURCES)]


def missing_papers(
    catalog: Catalog, folder: Path, keys: Collection[str] | None = None
) -> Iterator[Finding]:
    """Yield a finding for each cited paper that is another one, and each reference without a file.

    Args:
        catalog: the records.
        folder: the folder of declared data that they were read from.
        keys: the files that are judged; all if not given.
    """
    for game in catalog.games.values():
        if keys is not None and game.id not in keys:
            continue
        ours = is_shipped(game.id, catalog)
        places = [f"/references/{place}/file" for place in range(len(game.references))]
        papers = zip(("/document/file", *places), (game.document, *game.references), strict=True)
        for pointer, paper in papers:
            digest = _paper_digest(paper, _folders(game, (folder,)))
            if digest is None and (ours or paper == game.document):
                continue
            if digest is None or paper.sha256 not in (None, digest):
                web = "://" in paper.file
                message = (
                    f"{paper.file} is a web page, and no copy of it is in the project."
                    if web
                    else f"The file {paper.file} is missing or has another digest."
                )
                severity = Severity.NOTE if web else D019.severity
                document = catalog.documents[game.id]
                yield document.finding(D019.id, pointer, message, D019.advice(), severity=severity)


def _paper_digest(paper: DocumentInfo, folders: Iterable[Path]) -> str | None:
    """Return the SHA-256 of a paper's file; None if it is not there."""
    if not is_plain_name(paper.file):
        return None
    for folder in folders:
        with contextlib.suppress(OSError), open_file(folder / paper.file) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    return None


def find_origin(count: SecondCount, game: str) -> CountOrigin:
    """Return the origin of a declared count of a game.

    Raises:
        NotPrivate: others may read the key that identifies a user's own counts.
    """
    if count.mac and hmac.compare_digest(count.mac, compute_mac(count)):
        return CountOrigin.THIS_USER
    if any(_figures(count_json(count)) == _figures(known) for known in _read_built_in(game)):
        return CountOrigin.BUILT_IN
    return CountOrigin.DECLARED


def find_program(check: CrossCheck, origin: CountOrigin) -> str:
    """Return the SHA-256 of the program that made a stored count, as certify or its user recorded.

    It is empty if neither did: a digest that a project declares proves nothing.
    """
    if origin is CountOrigin.THIS_USER:
        return check.recount
    ours = _read_built_in(check.target.partition("/")[0]) if origin is CountOrigin.BUILT_IN else ()
    return next((c.get("recount", "") for c in ours if c["digest"] == check.digest), "")


def _read_built_in(game: str) -> list[dict[str, Any]]:
    packaged = library.read_shipped(f"paytables/{game}/second-counts.json")
    return json.loads(packaged)["counts"] if packaged is not None else []


def _figures(stated_count: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the digest and the counts: the day and the program do not matter."""
    return tuple(stated_count.get(name) for name in ("digest", "rows", "house_edge"))


def count_json(count: SecondCount) -> Any:  # noqa: ANN401 - JSON
    """Return a count as its file states it, without its MAC."""
    return encode_json(drop_empty(pick_values(count, *COUNT)))


def compute_mac(count: SecondCount) -> str:
    """Return this user's MAC of a count.

    Raises:
        NotPrivate: others may read the key.
    """
    return seal(SEALED, json.dumps(count_json(count), sort_keys=True))


def refuse_changed_files(terms: Terms, path: Path, overlays: Overlays = NO_OVERLAYS) -> None:
    """Refuse a filing if a file that it supplies is missing or has another digest.

    Args:
        terms: the filing.
        path: its file; the files are in the same folder.
        overlays: contents by absolute path, read in place of the files on disk.

    Raises:
        NotConfigured: a file cannot be read, or differs.
    """
    for file in (file for each in terms.supplied for file in each.files):
        try:
            digest = hashlib.sha256(_read_beside(path, file.name, overlays))
        except OSError as error:
            raise NotConfigured(
                f"The supplied file {file.name} cannot be read: {error.strerror}.",
                remedy="Put the file next to the filing, or remove it from `supplied`.",
            ) from error
        if digest.hexdigest() != file.sha256:
            raise NotConfigured(
                f"The supplied file {file.name} has the SHA-256 {digest.hexdigest()}, but the "
                f"filing declares {file.sha256}.",
                remedy="Supply the right file, or correct `sha256`.",
            )


def _read_beside(path: Path, name: str, overlays: Overlays) -> bytes:
    """Return the content of a file in the folder of another.

    Raises:
        OSError: it cannot be read.
    """
    file = path.parent / name
    known = overlays.get(absolute(file))
    return storage.read_at_most(file, LARGEST_LETTER) if known is None else known


def read_letter(terms: Terms, path: Path, overlays: Overlays = NO_OVERLAYS) -> Letter | None:
    """Return the laboratory's letter that terms name, None if they name no file.

    Args:
        terms: the terms of the table.
        path: their file; the letter is in the same folder.
        overlays: contents by absolute path, read in place of the files on disk.

    Raises:
        NotConfigured: the letter is not there, is no PDF, or has another digest than is stated.
    """
    name = terms.laboratory_letter_file
    if name is None:
        return None
    try:
        data = _read_beside(path, name, overlays)
    except OSError as error:
        raise NotConfigured(
            f"The laboratory's letter {name} cannot be read: {error.strerror}.",
            remedy="Put the letter next to the terms, or remove `laboratory_letter_file`.",
        ) from error
    digest = hashlib.sha256(data).hexdigest()
    if digest != terms.laboratory_letter:
        raise NotConfigured(
            f"The laboratory's letter {name} has the SHA-256 {digest}, but the "
            f"terms declare {terms.laboratory_letter or 'none'}.",
            remedy="Name the right file, or correct `laboratory_letter`.",
        )
    if not data.startswith(PDF):
        raise NotConfigured(
            f"The laboratory's letter {name} is not a PDF.", remedy="Supply the letter as PDF."
        )
    return Letter(name=name, sha256=digest, data=data)
