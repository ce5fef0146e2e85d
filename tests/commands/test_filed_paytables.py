"""A filing of some paytables: no other one is in its files, its id, or what is made of them."""

import re
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from certify import library
from certify.checks.framework import Context
from certify.checks.r_jurisdictions.terms import unfiled_in_rules
from certify.cli.app import run
from certify.errors import NotConfigured
from certify.filing import documents as build_module
from certify.filing.embedded import LATER, list_layers
from certify.filing.evidence import is_internal
from certify.filing.order import UNFILED, build_filing, filed_records, select_filed
from certify.intake.read import read_catalog
from certify.model.finding import Document
from certify.model.game import Game
from certify.model.submission import Filing, Order, Status
from certify.received.files import PROJECT

from .conftest import Pieces

EXPRESS = "commission-free-pai-gow-express"
EMPEROR = "emperors-challenge-exposed"
INSURANCES = ("pai-gow-insurance/PT-FLT-EC-PGI-01", "ace-high-pai-gow-insurance/PT-FLT-AHPG-01")
MINI = "mini-pai-gow"
SUBSETS = [
    (MINI, ["A"], ["bonus/A"]),
    (MINI, [f"{MINI}/main/1"], []),
    (MINI, ["community", f"{MINI}/main/1"], ["bonus/community", "bonus/envy/community"]),
    (EXPRESS, [f"{EXPRESS}/dynasty-bonus/3"], ["dynasty-bonus/3", "dynasty-bonus/envy/3"]),
    (EMPEROR, [f"{EMPEROR}/{table}" for table in INSURANCES], sorted(INSURANCES)),
]


def build(game: str, *paytables: str) -> Filing:
    return build_filing(Order(game=game, jurisdiction="nevada", paytables=paytables))


def list_targets(game: Game) -> set[str]:
    """Return the targets of the wagers and paytables of a game, and of its envy tables."""
    envies = {f"{wager.target}/envy/{envy.id}" for wager in game.wagers for envy in wager.envies}
    wagers = {wager.target for wager in game.wagers}
    return {table.target for table in game.paytables} | envies | wagers


def rebuild(filing: Filing, files: Iterable[Document], folder: Path) -> Filing:
    """Return a filing as it is made again from these embedded files."""
    for document in files:
        path = folder / document.evidence_path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
    codes = (*LATER, *UNFILED)
    return build_filing(filing.order, *list_layers(folder), ignored=codes, embedded=True)


def list_tables(filing: Filing) -> list[str]:
    """Return the files of paytables and envy tables in a filing, without those of wagers."""
    game = filing.game.id
    keys = [key.removeprefix(f"{game}/") for key in filing.catalog.documents
            if key.startswith(f"{game}/") and not key.startswith(f"{game}/main/")]  # fmt: skip
    return sorted(key for key in keys if "/" in key)


@pytest.mark.parametrize(("game", "named", "embedded"), SUBSETS)
def test_a_subset_has_the_files_of_its_paytables_alone(
    game: str, named: list[str], embedded: list[str], tmp_path: Path
) -> None:
    filing = build(game, *named)
    assert list_tables(filing) == embedded
    filed = {record.target for _, record in filed_records(filing).records}
    assert filed == {record.target for record in filing.records}
    unfiled = list_targets(build(game).game) - list_targets(filing.game)
    for document in filing.catalog.documents.values():
        words = () if is_internal(document.evidence_path) else re.split(r"[\"#]", document.text)
        assert unfiled.isdisjoint(words), document.path
    again = rebuild(filing, filing.catalog.documents.values(), tmp_path)
    assert (again.report_id, again.game) == (filing.report_id, filing.game)
    for name in ("alternatives", "published", "second_counts"):
        assert getattr(again.catalog, name) == getattr(filing.catalog, name)
    assert again.provenance.records == filing.provenance.records == {}
    assert {each.sha256 for each in again.documents} == {each.sha256 for each in filing.documents}


def test_no_rule_of_a_built_in_game_names_a_wager_that_is_not_filed() -> None:
    for game in read_catalog(library.paytables())[0].games.values():
        main = game.options[0].target
        tables = [wager.paytables[0].target for wager in game.wagers if wager.paytables]
        for target in (main, *tables):
            filing = build(game.id, main, target)
            assert [*unfiled_in_rules(Context(filing.catalog, filing=filing))] == []


def test_an_older_filing_is_compared_without_what_is_not_filed(tmp_path: Path) -> None:
    """Builds until version 0.2 embedded the whole file of the game and every wager."""
    filing = build(EXPRESS, f"{EXPRESS}/dynasty-bonus/3")
    targets = list_targets(filing.declared.games[EXPRESS]) - filing.catalog.documents.keys()
    tables = {target for target in targets if target.count("/") > 1}
    files = [file for key, file in filing.declared.documents.items() if key not in tables]
    older = rebuild(filing, files, tmp_path)
    catalog = select_filed(older.catalog, older.game, older.paytables)
    assert {key: file.value for key, file in catalog.documents.items()} == {
        key: file.value for key, file in filing.catalog.documents.items()
    }


def test_an_option_that_is_named_in_full_is_filed_alone() -> None:
    alone = build(MINI, f"{MINI}/main/1")
    assert [record.target for record in alone.records] == [f"{MINI}/main/1"]
    assert ".main-alone." in alone.report_id
    whole = build(MINI, "1")
    assert whole.paytables == build(MINI).paytables
    assert {"A", "community"} <= {table.id for table in whole.paytables}


def test_a_paytable_that_is_not_filed_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The id of a filing depended on how many paytables its game has."""
    (tmp_path / PROJECT).write_text("")
    (tmp_path / "paytables").mkdir()
    monkeypatch.chdir(tmp_path)
    before = build(MINI, "A")
    assert run(["new", "paytable", f"{MINI}/bonus/Z", "--like", "A", "--clause", "Draft"]) == 0
    after = build(MINI, "A")
    assert after.report_id == before.report_id
    assert after.documents == before.documents
    assert after.provenance == before.provenance
    with pytest.raises(NotConfigured):
        build(MINI, "Y")


def test_a_published_figure_of_another_paytable_is_left_out(
    pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = (f"{MINI}/bonus/community", f"{MINI}/bonus/A")
    own, other = (SimpleNamespace(figure=SimpleNamespace(target=each)) for each in targets)
    monkeypatch.setattr(build_module, "judge_figures", lambda *_: (own, other))
    monkeypatch.setattr(build_module, "review", lambda _: ())
    made = build_module.build_submission(pieces.filing, status=Status.DRAFT)
    assert [each.figure.target for each in made.figures] == [targets[0]]
