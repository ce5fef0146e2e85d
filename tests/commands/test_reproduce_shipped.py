"""Reproduce, for every game and both jurisdictions: the print is made again from embedded files.

The pages are compared as HTML, from which the same libraries make the same PDF; the bytes of the
shipped submissions are compared among the slow tests.
"""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from certify import library
from certify.checks.framework import Context
from certify.checks.review import review
from certify.commands.reproduce.reproduce import reproduce
from certify.commands.submit import Signing, submit
from certify.filing.documents import PARTS, render_html, select_attachments
from certify.filing.embedded import read_evidence, rebuild_order, recount, unpack
from certify.filing.evidence import build_evidence, list_attachments
from certify.filing.order import build_filing
from certify.model.finding import Severity
from certify.model.game import Strategy
from certify.model.submission import Status
from certify.printing.print_pdf import Attachment

from .conftest import ROOT, Pieces, World, build_pieces, find_file, order

GAMES = sorted(path.parent.name for path in (ROOT / "paytables").glob("*/game.json"))
STATES = sorted(path.stem for path in (ROOT / "paytables" / "jurisdictions").glob("*.json"))
QUICK = (("mini-pai-gow", "nevada"), ("mini-pai-gow", "wsgc"))
"""A small game. The others count every reading of theirs, some for more than a minute."""

FILINGS = [
    pytest.param(game, state, marks=() if (game, state) in QUICK else pytest.mark.slow)
    for game in GAMES
    for state in STATES
]


def collect_files(attachments: tuple[Attachment, ...]) -> dict[str, bytes]:
    return {attachment.name: attachment.data for attachment in attachments}


def made_again(files: Mapping[str, bytes], folder: Path) -> dict[str, str]:
    evidence = read_evidence(files)
    assert unpack(files, evidence, folder) == []
    submission = recount(evidence, folder).submission(files)
    return {part: render_html(submission, part) for part in PARTS}


def pages(pieces: Pieces) -> dict[str, str]:
    return {part: render_html(pieces.submission, part) for part in PARTS}


@pytest.mark.parametrize(("game", "state"), FILINGS)
def test_the_pages_of_every_filing_are_made_again(
    game: str, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = build_pieces(order(state, game=game, paytables=()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CERTIFY_LIBRARY", str(own_library(tmp_path / "library")))
    for part in PARTS:
        files = collect_files(select_attachments(made.filing, part, made.evidence))
        assert made_again(files, tmp_path / part)[part] == pages(made)[part]


def own_library(folder: Path) -> Path:
    (folder / "paytables").mkdir(parents=True)
    for name in ("schemas", "templates"):
        (folder / name).symlink_to(ROOT / name)
    return folder


TERMS = {
    "largest_wagers": {"main": 30000, "bonus": 10000},
    "aggregate_limits": [{"cents": 5000000, "wagers": ["bonus"]}],
    "players": 6,
}


def terms(folder: Path) -> Path:
    path = folder / "paytables" / "mini-pai-gow" / "our terms--2026.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(TERMS), encoding="utf-8")
    return path


CHOICES: tuple[dict[str, object], ...] = (
    {"game": "mini-pai-gow", "paytables": ("B", "C")},
    {"game": "mini-pai-gow", "terms": True},
    {"game": "mini-pai-gow", "strategy": Strategy.HOUSE_WAY, "paytables": ("A",)},
    {"game": "mini-pai-gow", "as_of": date(2026, 3, 1), "paytables": ("A",)},
    {"game": "mini-pai-gow", "house_way": "mini-pai-gow", "paytables": ("A",)},
    {"game": "dealer-open-pai-gow", "paytables": ("no-push", "dealer-open-pai-gow/chan-chu/2")},
    {"game": "pai-gow-mania", "house_way": "trump-plaza", "paytables": ("commission-prepaid",)},
)
SMALL = sum(asked["game"] == "mini-pai-gow" for asked in CHOICES)
CHOSEN = [
    # Each choice of the small game once, and each state: all pairs are among the slow tests.
    pytest.param(
        asked,
        state,
        id=f"{'-'.join(asked)}-{number}-{state}",
        marks=()
        if asked["game"] == "mini-pai-gow" and STATES.index(state) % SMALL == number
        else pytest.mark.slow,
    )
    for number, asked in enumerate(CHOICES)
    for state in STATES
    if state != "california"  # which refuses a game that the house banks
]


@pytest.mark.parametrize(("asked", "state"), CHOSEN)
def test_what_was_chosen_is_chosen_again(
    asked: dict[str, object], state: str, tmp_path: Path
) -> None:
    if "terms" in asked:
        asked = asked | {"terms": terms(tmp_path / "own")}
    made = build_pieces(order(state, **asked))
    attached = list_attachments(made.filing, made.evidence, internal=True)
    assert made_again(collect_files(attached), tmp_path / "again") == pages(made)


RECORDS = (
    "events", "games", "house_ways", "jurisdictions", "published", "discrepancies", "alternatives",
)  # fmt: skip


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("game", GAMES)
def test_a_filing_rests_on_nothing_that_is_not_embedded(
    game: str, state: str, tmp_path: Path
) -> None:
    """Nothing is counted here: equal records give equal results."""
    asked = order(state, game=game, paytables=())
    filing = build_filing(asked)
    stated = build_evidence(filing, Status.DRAFT)
    files = collect_files(list_attachments(filing, stated, internal=True))
    evidence = read_evidence(files)
    assert unpack(files, evidence, tmp_path) == []
    asked = rebuild_order(evidence, tmp_path)
    again = build_filing(asked, tmp_path / "paytables")
    assert build_evidence(again, Status.DRAFT) == stated
    for name in RECORDS:
        assert getattr(again.catalog, name) == getattr(filing.catalog, name)
    found = review(Context(again.catalog))
    assert [item for item in found if item.severity is Severity.ERROR] == []


@pytest.mark.parametrize("folder", ["paytables", "paytables/mini-pai-gow/bonus", "/"])
def test_evidence_does_not_depend_on_where_certify_runs(
    folder: str, pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(library.root() / folder)
    assert build_pieces(order()).evidence == pieces.evidence


def test_only_what_the_filing_names_is_embedded() -> None:
    """Dealer Open has rules of both states, one house way, and nothing of another game."""
    filing = build_filing(order("wsgc", game="dealer-open-pai-gow", paytables=()))
    names = {document.evidence_path.removeprefix("paytables/") for document in filing.documents}
    shared = {name for name in names if not name.startswith("dealer-open-pai-gow/")}
    assert shared == {
        "alternatives/dealer-open-pai-gow.json",
        "events.json",
        "house-ways/dealer-open-pai-gow.json",
        "jurisdictions/nevada.json",
        "jurisdictions/wsgc.json",
    }


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("game", GAMES)
def test_the_bytes_of_every_filing_are_made_again(
    game: str, state: str, signing_home: World, tmp_path: Path
) -> None:
    signing = Signing(identity=signing_home.identity, trust=signing_home.trust)
    made = submit(order(state, game=game, paytables=()), signing=signing, out=tmp_path)
    for part in PARTS:
        result = reproduce(find_file(made, f".{part}.pdf").read_bytes(), trust=signing_home.trust)
        assert [step.detail for step in result.steps if not step.passed] == []
