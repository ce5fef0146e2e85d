import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.api import explain
from certify.figures.alternatives import read_otherwise
from certify.figures.audit import judge_figures
from certify.figures.evaluate import Settings, evaluate, list_plays
from certify.figures.second_counts import recount_paytables
from certify.figures.targets import Selection, load_catalog, select
from certify.filing.documents import PARTS, build_submission, count_filing
from certify.filing.evidence import build_evidence
from certify.filing.order import build_filing
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import Agreement
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Order, Status
from certify.review.check import check
from tests.commands.pair_plus import EVENTS, GAME, pair_plus
from tests.commands.submissions import read_part
from tests.commands.test_kit import reproduce, unzip_kit

GAMES = (
    "commission-free-pai-gow-express",
    "dealer-open-pai-gow",
    "emperors-challenge-exposed",
    "pai-gow-mania",
)
"""The games that have published figures."""

MAIN = "pai-gow-mania"
"""The game whose main wager has published figures."""


def paytables(selection: Selection) -> Selection:
    records = [(w, record) for w, record in selection.records if isinstance(record, Paytable)]
    return replace(selection, records=tuple(records))


def evaluate_all(selection: Selection, known: Selection | None = None) -> dict[str, Analysis]:
    settings = Settings(known=list_plays(known, Settings()) if known else {})
    return {each.target: each for each in evaluate(selection, settings)}


def met(catalog: Catalog, selection: Selection, analyses: dict[str, Analysis]) -> dict[str, str]:
    """The figures that agree at their printed precision, each with its target."""
    return {
        judged.figure.id: judged.figure.target
        for judged in judge_figures(catalog, selection.game, analyses)
        if judged.agreement in (Agreement.AGREES, Agreement.AGREES_UNDER_READING)
    }


def reads_otherwise(catalog: Catalog, touched: Selection) -> Iterator[str]:
    """The records, or the hands of the rows of paytables, that are read otherwise."""
    other = touched.catalog
    for wager, record in touched.records:
        if isinstance(record, MainWager):
            yield record.target
            continue
        before = next(
            table
            for each in catalog.games[touched.game.id].wagers
            if each.id == wager.id
            for table in each.paytables
            if table.id == record.id
        )
        events = {row.event for row in record.rows} & catalog.events.keys()
        if before != record or any(
            catalog.events[name] != other.events.get(name) for name in events
        ):
            yield record.target


def declared_and_found(
    selection: Selection, house_way: str
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The figures that each reading of some records is declared to meet, and does meet.

    A reading meets the figures of what it changes if it meets each of them that the filed one does.
    """
    catalog = selection.catalog
    filed = met(catalog, selection, evaluate_all(selection))
    targets = {record.target for _, record in selection.records}
    about = {
        figure.id
        for figure in catalog.published.get(selection.game.id, ())
        if figure.target in targets
    }
    stated, ties = {}, {}
    for _, alternative, touched in read_otherwise(selection, house_way):
        changed = set(reads_otherwise(catalog, touched))
        of_changed = {figure for figure, target in filed.items() if target in changed}
        if about & set(alternative.meets):
            stated[alternative.id] = about & set(alternative.meets)
        if of_changed:
            still = met(catalog, touched, evaluate_all(touched, selection))
            if of_changed <= still.keys():
                ties[alternative.id] = of_changed
    return stated, ties


@pytest.mark.parametrize("name", GAMES)
def test_every_reading_that_meets_the_published_figures_is_marked(name: str) -> None:
    stated, ties = declared_and_found(paytables(select(name)), "")
    assert stated.keys() == ties.keys()
    for reading, figures in stated.items():
        assert figures <= ties[reading]


def select_main_wagers(name: str) -> dict[str, Selection]:
    """The main wagers of a game of which figures are published, by the house way of these."""
    selection = select(name)
    figures = selection.catalog.published.get(name, ())
    found = {}
    for way in {figure.house_way or selection.game.house_way for figure in figures}:
        targets = {
            figure.target
            for figure in figures
            if (figure.house_way or selection.game.house_way) == way
        }
        records = [
            (wager, record)
            for wager, record in selection.records
            if isinstance(record, MainWager) and record.target in targets
        ]
        if records:
            found[way] = replace(selection, records=tuple(records))
    return found


def test_figures_of_these_main_wagers_are_published() -> None:
    # Each with the game's own house way and play: the search below counts no other.
    published = {name: select_main_wagers(name) for name in load_catalog().games}
    found = {name: set(ways) for name, ways in published.items() if ways}
    assert found == {MAIN: {"foxwoods"}}
    game = select(MAIN).game
    assert (game.house_way, game.strategy) == ("foxwoods", Strategy.HOUSE_WAY)


@pytest.mark.slow
def test_every_reading_of_a_main_wager_that_meets_the_figures_is_marked() -> None:
    for way, selection in select_main_wagers(MAIN).items():
        stated, ties = declared_and_found(selection, way)
        assert stated == ties


def test_the_two_readings_of_a_wheel_hold_as_many_hands_and_not_the_same() -> None:
    # Counted here from the words alone: the wheel in one suit, its six and seven 4 and 5.
    wheel = {0, 1, 2, 3, 12}
    others = [card for card in range(53) if card not in wheel]
    without_joker, highest = set(), set()
    for two in combinations(others, 2):
        joker, six, seven = (card in two for card in (52, 4, 5))
        if seven and (six or joker):
            continue  # seven cards of a straight flush, which are paid before
        if not joker:
            without_joker.add(two)
        if not six:
            highest.add(two)
    assert 4 * len(without_joker) == 4 * len(highest) == 4320
    assert 4 * len(without_joker - highest) == 4 * len(highest - without_joker) == 180
    counted = {}
    named = ("luhn-tao-wheel-highest", "luhn-tao-wheel-beside-joker")
    selection = select("commission-free-pai-gow-express")
    for _, alternative, touched in read_otherwise(selection, "", only=named):
        analysis = evaluate_all(touched)["commission-free-pai-gow-express/dynasty-bonus/1"]
        rows = {row.event: row.combinations for row in analysis.rows}
        counted[alternative.id] = rows["luhn_tao_wheel"]
    # Twelve more hold the suited ace and queen, and are paid before.
    assert counted["luhn-tao-wheel-highest"] == 4320 - 12
    assert counted["luhn-tao-wheel-beside-joker"] == 4488


# A game outside the family, whose hands are not divided: Pair Plus, from an empty folder


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
    (second,) = recount_paytables(catalog, [paytable], game=game)
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
