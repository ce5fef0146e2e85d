"""A game outside the family, whose hands are not divided: Pair Plus, from an empty folder."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from certify.api import explain
from certify.figures.evaluate import Settings, evaluate
from certify.figures.second_counts import recount_paytable
from certify.figures.targets import select
from certify.filing.documents import PARTS, build_submission, count_filing
from certify.filing.evidence import build_evidence
from certify.filing.order import build_filing
from certify.model.submission import Order, Status
from certify.review.check import check
from tests.commands.pair_plus import EVENTS, GAME, pair_plus
from tests.commands.submissions import read_part
from tests.commands.test_kit import reproduce, unzip_kit


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = pair_plus(tmp_path)
    monkeypatch.chdir(tmp_path)
    return made


@pytest.mark.usefixtures("folder")
def test_it_is_declared_without_a_house_way_and_a_main_wager() -> None:
    assert check([Path("paytables")]).findings == ()


@pytest.mark.usefixtures("folder")
def test_its_counts_and_edges_are_those_published() -> None:
    """Source: Wizard of Odds, Three Card Poker; 2.3167 % pays 4 to 1 for a flush, 7.2760 % 3."""
    first, second = evaluate(select(GAME), Settings())
    assert [row.combinations for row in first.rows[:-1]] == [hands for *_, hands in EVENTS]
    assert (first.total, first.rows[-1].combinations) == (22_100, 16_440)
    for analysis, edge in ((first, 0.023167), (second, 0.072760)):
        assert analysis.house_edge is not None
        assert float(analysis.house_edge) == pytest.approx(edge, abs=5e-7)


@pytest.mark.usefixtures("folder")
def test_a_hand_is_explained_under_every_paytable() -> None:
    explained = explain(GAME, "9s 8s 7s", dealer=None, house_way=None)
    assert explained.setting is None
    assert [getattr(record, "pays", "") for record in explained.records] == ["40 to 1", "40 to 1"]


def test_a_deck_with_two_jokers_has_wagers_on_one_hand(folder: Path) -> None:
    path = folder / "game.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    deck = {"ranks": 13, "joker": 2}
    path.write_text(json.dumps({**value, "deck": deck, "joker": "fully_wild"}), encoding="utf-8")
    codes = {finding.code for finding in check([Path("paytables")]).findings}
    assert codes == {"P015", "M009"}  # more wild cards, and a game that cannot be filed
    analysis = evaluate(select(f"{GAME}/pair-plus/1"), Settings())[0]
    assert analysis.total == 54 * 53 * 52 // 6
    assert analysis.assumptions[0].text == (
        "A hand is 3 cards of a deck of 54 cards, two of them jokers; every deal is equally likely."
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("state", ["nevada", "wsgc"])
def test_it_is_filed_without_a_main_wager(state: str) -> None:
    order = Order(game=GAME, jurisdiction=state)
    filing = count_filing(build_filing(order))
    submission = build_submission(filing, status=Status.UNSIGNED)
    evidence = build_evidence(submission, Status.UNSIGNED).decode()
    assert '"option": null' in evidence
    assert filing.report_id == f"{GAME}.{state}.r1.0.2026-11-22"
    rules, mathematics, *_ = (read_part(submission, part) for part in PARTS)
    for printed in (rules, mathematics):
        assert "2.3167%" in printed
        assert "7.2760%" in printed
        assert [
            word
            for word in ("by the house way", "-high pai gow", "Optimal play")
            if word in printed
        ] == []
    assert "The ranking of hands, highest first" in rules
    assert "A-2-3 is the lowest straight." in rules
    assert "22,100 hands of 3 cards" in mathematics
    assert "Misdeals: definition" in rules
    for nothing in ("on a foul", "hand is set wrong"):
        assert nothing not in rules
    assert all(check.agrees for check in submission.crosschecks)


def test_a_wager_may_be_paid_by_two_tables(folder: Path) -> None:
    """A mini royal is paid 50 for 1 in addition to its straight flush: 4 hands of 22,100."""
    path = folder / "pair-plus" / "1.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    royal = {"event": "royal_flush", "name": "Mini royal", "pays": "50 for 1"}
    side = {"name": "Mini royal", "award": "first_row_contained", "rows": [royal]}
    path.write_text(json.dumps({**value, "also": [side]}), encoding="utf-8")
    target = f"{GAME}/pair-plus/1"
    assert check([Path("paytables")]).findings == ()
    (analysis,) = evaluate(select(target), Settings())
    assert analysis.house_edge == Fraction(128, 5525) - Fraction(4 * 50, 22_100)
    assert [(row.name, row.pays, row.combinations) for row in analysis.rows[:2]] == [
        ("Straight flush and Mini royal", "90 to 1", 4),
        ("Straight flush", "40 to 1", 44),
    ]
    (explained,) = explain(target, "As Ks Qs", dealer=None, house_way=None).records
    assert getattr(explained, "pays", "") == "90 to 1"
    catalog = select(target).catalog
    game = catalog.games[GAME]
    paytable = game.wagers[0].paytables[0]
    second = recount_paytable(catalog, paytable, game=game)
    assert [comparison.agrees for comparison in second.comparisons] == [True] * len(analysis.rows)
    order = Order(game=GAME, jurisdiction="nevada")
    filing = count_filing(build_filing(order))
    kit = unzip_kit(filing, folder.parent)
    ended = reproduce(kit, "--coverage")
    assert ended.returncode == 0, ended.stdout
    assert len(analysis.rows) > len(paytable.rows) + 1
    assert f"agrees   {target}: {len(analysis.rows)} rows" in ended.stdout
    submission = build_submission(filing, status=Status.UNSIGNED)
    rules, mathematics, *_ = (read_part(submission, part) for part in PARTS)
    assert "Straight flush and Mini royal" in rules
    assert "Three cards in sequence and of one suit, and A-K-Q of one suit" in rules
    assert "1: several tables pay this wager at once, and a line adds up what they pay" in rules
    assert f"{float(analysis.house_edge) * 100:.4f}%" in mathematics
    assert f"{float(analysis.house_edge) * 100:.4f}%" in rules
    assert all(check.agrees for check in submission.crosschecks)
