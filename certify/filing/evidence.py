"""Evidence of a submission, its attachments, and the laboratory kit.

The kit is a zip with the evidence, the declared data, the census and the exact fractions as CSV,
digests, and a reproducer that runs without certify. It contains `certify_recount` and none of the
code that computed the figures.
"""

import ctypes
import hashlib
import json
import platform
import zlib
from collections.abc import Iterator, Mapping
from ctypes.util import find_library
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import replace

import certify_recount
from certify import __version__, library
from certify.engine.hands.conditions import count, find, list_features
from certify.engine.hands.features import FEATURES
from certify.filing.order import filed_records
from certify.model.analysis import Census
from certify.model.encoding import encode_json, encode_object, pick_values
from certify.model.finding import Document
from certify.model.jurisdiction import TERMS
from certify.model.paytable import EnvyRow, Row
from certify.model.submission import Filing, Provenance, Status, Submission
from certify.printing.print_pdf import Attachment
from certify.report.evidence import analysis_json, census_csv, fractions_csv, judgements_json
from certify.report.printed import printed_json, verification_json

PACKAGES: Final = (
    "cssselect2", "fonttools", "jinja2", "llvmlite", "numba", "numpy", "pydyf", "pyphen",
    "tinycss2", "tinyhtml5", "weasyprint", "xlsxwriter",
)  # fmt: skip
"""The packages that count, set the text and write the files."""

SHARED: Final = {"pango": ("pango-1.0", "pango_version_string"),
                 "harfbuzz": ("harfbuzz", "hb_version_string")}  # fmt: skip
"""System libraries for line breaking and text shaping, each with its version function."""


@cache
def list_versions() -> dict[str, Any]:
    """Return the versions that a figure or a byte of a document may depend on.

    ``sha256`` is of certify's code and of its templates, and distinguishes builds of one version.
    """
    libraries = {name: _version(name) for name in PACKAGES}
    libraries |= {
        name: _library_version(*library_function) for name, library_function in SHARED.items()
    }
    libraries["zlib"] = zlib.ZLIB_RUNTIME_VERSION
    return {
        "version": __version__,
        "sha256": library.build_sha256(),
        "recount_sha256": certify_recount.digest(),
        "python": platform.python_version(),
        "libraries": dict(sorted(libraries.items())),
    }


def other_than(engine: dict[str, Any]) -> list[str]:
    """Return the differences between a document's declared versions and ours, in words."""
    here = list_versions()
    if engine["version"] != here["version"]:
        return [f"certify {engine['version']} (here {here['version']})"]
    differing = []
    if engine.get("sha256") != here["sha256"]:
        differing.append(f"another build of certify {engine['version']}, or other templates")
    before = {"Python": engine.get("python"), **engine.get("libraries", {})}
    now = {"Python": here["python"], **here["libraries"]}
    return differing + [
        f"{name} {before.get(name)} (here {now.get(name)})"
        for name in dict.fromkeys((*before, *now))
        if before.get(name) != now.get(name)
    ]


def is_this_build(engine: Mapping[str, Any]) -> bool:
    """Return True if the engine part of evidence states this build."""
    return bool(engine["sha256"] == library.build_sha256())


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _library_version(name: str, function: str) -> str | None:
    """Return the version that a shared library reports; None if there is none."""
    path = find_library(name)
    try:
        version = getattr(ctypes.CDLL(path), function) if path else None
    except (OSError, AttributeError):
        return None
    if version is None:
        return None
    version.restype = ctypes.c_char_p
    text: bytes = version()
    return text.decode("ascii", "replace")


EVIDENCE = "evidence.json"
WORKBOOK = "workbook_sha256"
"""The field for the digest of the workbook."""

LABEL = "document.json"
MANIFEST = "manifest.json"
FORMAT = 2

INTERNAL_FILES = ("memo.pdf", "checklist.json", "checklist.txt")
"""The files of a submission that are not filed; no signature covers the checklists."""

DOUBTS = "discrepancies.json"
"""The file of a game with the doubts about its source."""

COMPLETE = "complete_evidence_sha256"
"""The public part's field for the digest of the confidential evidence."""

ORDERED = (
    *("game", "jurisdiction", "paytables", "house_way", "strategy", "as_of", "accept_replaced"),
)
"""Fields of a submission request that the evidence copies."""

PUBLISHED = frozenset(
    ("target", "game", "wager", "paytable", "method", "house_edge", "house_edge_decimal")
) | {"house_edge_percent", "rounding", "limit"}
"""Fields of a wager in the public part if the mathematics is confidential: its edges."""


def build_evidence(
    filing: Filing,
    status: Status,
    *,
    engine: Mapping[str, Any] | None = None,
    workbook_sha256: str | None = None,
) -> bytes:
    """Return the machine-readable twin of the report: the request, and every exact figure.

    A submission adds the figures that its documents derive. It has no doubt about the source and
    no open item, because every filed document embeds it. ``engine`` is that of earlier evidence
    that is reproduced. ``workbook_sha256`` is the digest of the workbook; None to write it here.
    """
    engine = engine or list_versions()
    terms = filing.catalog.documents.get(TERMS)
    value = {
        "format": FORMAT,
        "engine": engine,
        "order": encode_json(
            pick_values(filing.order, *ORDERED)
            | {
                "command": filing.order.stated_command,
                "option": filing.main.id if filing.main is not None else None,
                "terms": terms and source_name(terms),
            }
        ),
        "register": to_builtins(filing.register),
        "provenance": provenance_json(filing.provenance),
        "status": str(status),
        "results": [
            analysis_json(replace(analysis, engine_version=engine["version"]))
            for analysis in filing.analyses.values()
        ],
        "sources": {
            source_name(document): document.sha256
            for document in filing.documents
            if not is_internal(document.evidence_path)
        },
        WORKBOOK: hashlib.sha256(par_sheets(filing)).hexdigest()
        if workbook_sha256 is None
        else workbook_sha256,
    }
    if isinstance(filing, Submission):
        value["judgements"] = judgements_json(filing)
        value["printed"] = printed_json(filing)
        value["verification"] = verification_json(filing)
    return _bytes(value)


def par_sheets(filing: Filing) -> bytes:
    """Return the workbook of a filing: a sheet for every table that was counted."""
    from certify.report.workbook import workbook  # a recipient has no spreadsheet writer

    analyses = filing.analyses
    counted = [
        (table, analyses[table.target]) for table in filing.records if table.target in analyses
    ]
    return workbook(filing.game, counted, report_id=filing.report_id)


def provenance_json(provenance: Provenance) -> dict[str, Any]:
    """Return the origin of records, verification counts, papers and the laboratory's letter."""
    letter = provenance.letter
    parts = pick_values(provenance, "records", "counts", "papers")
    parts["letter"] = None if letter is None else pick_values(letter, "name", "sha256")
    return encode_object(parts)


def public_evidence(evidence: bytes, complete: str = "") -> bytes:
    """Return the evidence without its mathematics, tied to the complete one by its digest.

    A jurisdiction that publishes the rules keeps the mathematics confidential. The public part
    states each wager's edge, the figures that its text prints, the sources of the rules, and the
    digest of the complete evidence: ``complete``, or that of ``evidence``.
    """
    value: dict[str, Any] = json.loads(evidence)
    jurisdiction = value["order"]["jurisdiction"]
    value["sources"] = {
        name: digest
        for name, digest in value["sources"].items()
        if not is_confidential(name.replace("--", "/"), jurisdiction)
    }
    value["provenance"] = {part: value["provenance"][part] for part in ("records", "letter")}
    value["results"] = [
        {key: result[key] for key in result if key in PUBLISHED} for result in value["results"]
    ]
    for part in ("judgements", "verification", WORKBOOK):
        value.pop(part, None)
    if "printed" in value:
        value["printed"] = {part: value["printed"][part] for part in ("rules", "marks")}
    value[COMPLETE] = complete or hashlib.sha256(evidence).hexdigest()
    return _bytes(value)


def is_internal(path: str) -> bool:
    """Return True for a declared file that no filed document embeds: doubts about the source.

    The words that a filed page prints of it are in the evidence.
    """
    match path.rpartition("paytables/")[2].split("/"):
        case ["alternatives" | "house-ways" | "jurisdictions", _]:
            return False
        case [_, name]:
            return name == DOUBTS
    return False


def is_confidential(path: str, jurisdiction: str) -> bool:
    """Return True for a declared file that a public part does not embed.

    These are alternative interpretations, published figures of others, and the records of other
    jurisdictions. ``path`` is as evidence has it.
    """
    _, _, place = path.removesuffix(".json").rpartition("paytables/")
    match place.split("/"):
        case ["jurisdictions", name]:
            return name != jurisdiction
        case ["house-ways", _]:
            return False
        case ["alternatives", _] | [_, "published"]:
            return True
    return False


def list_attachments(
    filing: Filing, evidence: bytes, *, internal: bool = False
) -> tuple[Attachment, ...]:
    """Return the evidence and every declared file that it names as a source.

    The verification counts and the laboratory's letter come with the complete evidence only, as
    they hold figures. An ``internal`` document also has the doubts about the source.
    """
    value = json.loads(evidence)
    public = COMPLETE in value
    description = (
        "What this document states, and the digest of the confidential evidence"
        if public
        else "Every exact figure of this submission"
    )
    attached = [data_attachment(EVIDENCE, evidence, description)]
    for document in filing.documents:
        name = source_name(document)
        if name not in value["sources"] and not (internal and is_internal(document.evidence_path)):
            continue
        template = document.value is None
        kind = "Template" if template else "Declared data"
        attached.append(
            Attachment(
                name=name,
                data=document.text.encode(),
                relationship="Source",
                description=f"{kind}: {document.evidence_path}",
                media_type="text/plain" if template else "application/json",
            )
        )
    second = filing.second_counts
    if second is not None and not public:
        description = "Second exact counts, each with the digest of what was counted"
        attached.append(data_attachment(source_name(second), second.text.encode(), description))
    letter = filing.provenance.letter
    if letter is not None and letter.data is not None and not public:
        description = "The laboratory's letter"
        attached.append(data_attachment(letter.name, letter.data, description, "application/pdf"))
    return tuple(attached)


def part_label(report_id: str, part: str) -> Attachment:
    """Return the small file by which a program knows which document this is."""
    label = json.dumps({"document": report_id, "part": part}).encode()
    return data_attachment(LABEL, label, "Which document of the submission this is")


def manifest_attachment(data: bytes) -> Attachment:
    """Return the signed copy of the manifest of the filed files."""
    return data_attachment(MANIFEST, data, "The files of the submission, with digests")


def data_attachment(
    name: str, data: bytes, description: str, media_type: str = "application/json"
) -> Attachment:
    """Return a file of data that a document embeds."""
    return Attachment(
        name=name,
        data=data,
        relationship="Data",
        description=description,
        media_type=media_type,
    )


def source_name(document: Document) -> str:
    """Return the attachment's name of a declared file: its path with ``--`` for ``/``.

    No id has two hyphens in a row, so the name gives the path back.
    """
    return document.evidence_path.replace("/", "--")


def _bytes(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


STATIC = ("README.txt", "reproduce.py")
"""Files of ``templates/kit`` that go into every kit as they are."""

RECOUNT = Path(certify_recount.__file__).parent
"""The package whose modules go into every kit, under its name."""

ALWAYS = frozenset({"of_a_kind"})
"""Features of every census, which needs one even if no event does."""

WITH_JOKER = frozenset({"joker"})
"""Additional feature of every census if the deck has a joker."""


def build_kit(filing: Filing, evidence: bytes) -> bytes:
    """Return the kit as a zip: the same filing always gives the same bytes.

    Args:
        filing: the filing, whose name is that of the folder in the zip.
        evidence: the complete evidence.
    """
    from certify.report.workbook import zip_uncompressed

    name = f"{filing.report_id}.kit"
    folder = library.templates() / "kit"
    files = {
        "evidence.json": evidence,
        "fractions.csv": fractions_csv(filing.analyses.values()),
        **{
            document.evidence_path: document.text.encode()
            for document in filing.documents
            if not is_internal(document.evidence_path)
        },
        **{
            f"census/{deck_census.cards}-cards.csv": census_csv(deck_census)
            for deck_census in censuses(filing)
        },
        **{path: (folder / path).read_bytes() for path in STATIC},
        **{f"{RECOUNT.name}/{path.name}": path.read_bytes() for path in RECOUNT.glob("*.py")},
    }
    sums = (f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()))
    files["SHA256SUMS"] = "".join(sums).encode("ascii")
    packed = {f"{name}/{path}": data for path, data in sorted(files.items())}
    return zip_uncompressed(packed, filing.game.revised, mode=0o644)


def censuses(filing: Filing) -> Iterator[Census]:
    """Yield one census for each number of cards, by the features that the filed paytables ask for.

    The dealt hand is always included, with or without paytables.
    """
    filed = [(table, wager.find_envy(table)) for wager, table in filed_records(filing).tables]
    hands, events = filing.game.hands, filing.catalog.events
    always = ALWAYS | WITH_JOKER if filing.game.hands.deck.joker else ALWAYS
    for cards in sorted({filing.game.hands.shape.cards, *(table.cards for table, _ in filed)}):
        rows: list[Row | EnvyRow] = []
        for table, envy in filed:
            if table.cards == cards:
                rows += [*table.rows, *(envy.rows if envy else ())]
        events_of_rows = find(events, dict.fromkeys(row.event for row in rows))
        features = (
            list_features(part) & FEATURES.keys()
            for event in events_of_rows
            for part in event.conditions
        )
        rules = next((hands.for_wager(table) for table, _ in filed if table.cards == cards), hands)
        yield count(rules, cards=cards, features=always.union(*features))
