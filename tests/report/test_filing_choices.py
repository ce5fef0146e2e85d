"""The joker and the bank of a filing: every sentence follows the choice."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import against_filing
from certify.engine.bonus import evaluate
from certify.errors import NotConfigured
from certify.filing.order import build_filing
from certify.model.finding import Severity, Unfit
from certify.model.game import JokerRule
from certify.model.submission import Filing, Order
from tests.catalog import catalog
from tests.checks.test_rule_pack import judge_rule
from tests.commands.submissions import build_without_counts, read_part

EXPRESS = "commission-free-pai-gow-express"
PROTECTION = f"{EXPRESS}/protection/1"


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("terms") / "terms.json"


def choose(path: Path, state: str, **chosen: Any) -> Filing:  # noqa: ANN401 - JSON values
    stated = {"$schema": "terms.schema.json", "game": EXPRESS, **chosen}
    path.write_text(json.dumps(stated), encoding="utf-8")
    return build_filing(
        Order(game=EXPRESS, jurisdiction=state, paytables=(PROTECTION,), terms=path)
    )


@cache
def read(path: Path, state: str, part: Any, **chosen: str) -> str:  # noqa: ANN401 - a part
    return read_part(build_without_counts(choose(path, state, **chosen)), part)


SEMI_WILD = (
    r"semi[- ]wild, not|is semi wild|otherwise it is an ace|otherwise an ace|[Ff]ive aces are"
)
HOUSE_BANKS = r"house-banked|plays for the house|players do not bank|exposure of the house|in full"


@pytest.mark.parametrize("part", ["rules", "mathematics"])
def test_no_sentence_of_a_fully_wild_filing_is_on_the_semi_wild_joker(
    terms: Path, part: str
) -> None:
    """Blocker B5: one filing had any card, otherwise an ace, and semi wild, not fully wild."""
    wild = read(terms, "wsgc", part, joker="fully_wild")
    assert re.search(SEMI_WILD, wild) is None
    assert "The joker is fully wild" in wild
    semi = read(terms, "wsgc", part)
    assert re.search(SEMI_WILD, semi)
    assert "is fully wild" not in semi.replace("The joker is fully wild, the other choice", "")


@pytest.mark.parametrize("name", catalog().games[EXPRESS].house_ways)
def test_no_house_way_of_a_fully_wild_filing_counts_the_joker_as_an_ace(
    terms: Path, name: str
) -> None:
    """The Dealer Open house way was printed with its words for the semi wild joker."""
    order = {"game": EXPRESS, "house_way": name, "joker": "fully_wild"}
    terms.write_text(json.dumps(order), encoding="utf-8")
    filing = build_filing(Order(game=EXPRESS, jurisdiction="wsgc", terms=terms))
    printed = read_part(build_without_counts(filing), "rules")
    assert f"House way {catalog().house_ways[name].name}" in printed
    way = catalog().house_ways[name]
    stated = [each for each in (*way.statements, *way.assumptions) if each.topic == "joker"]
    assert {each.fits.wild for each in stated} == {True, False}
    for each in stated:
        assert (each.text in printed) == each.fits.wild, each.id


@pytest.mark.parametrize(
    ("name", "declared", "other"),
    [
        ("house_way", "trump-plaza", "foxwoods"),
        ("strategy", "house-way", "optimal"),
        ("paytables", (PROTECTION,), (f"{EXPRESS}/dynasty-bonus/2",)),
    ],
)
def test_what_a_file_of_terms_declares_is_filed(
    terms: Path, name: str, declared: object, other: object
) -> None:
    """A request for a game with `--terms` left out the file's house way, strategy and paytables."""
    value = {"$schema": "filing.schema.json", "game": EXPRESS, name: declared}
    terms.write_text(json.dumps(value), encoding="utf-8")
    order = Order(game=EXPRESS, jurisdiction="wsgc", terms=terms)
    filing = build_filing(order)
    assert getattr(filing.order, name) == declared
    assert name != "paytables" or tuple(each.target for each in filing.paytables) == declared
    assert build_filing(replace(order, **{name: declared})).order == filing.order
    with pytest.raises(NotConfigured, match="declares another"):
        build_filing(replace(order, **{name: other}))


def test_the_figures_of_a_filing_are_for_its_joker(terms: Path) -> None:
    """A hand with a fully wild joker is never a pai gow.

    The discrepancies of the game derive what follows: 1,485,960 of 14,430,780 ace-high pai gow hold
    the joker, and the edge of the wager is 10.86% and not 7.01%.
    """
    edges = {}
    for joker in JokerRule:
        filed = choose(terms, "wsgc", joker=joker)
        table = filed.paytables[0]
        found = evaluate(
            table, hands=filed.game.hands, players=6, events=filed.catalog.events, envy=None
        )
        edges[joker] = found
    bug, wild = edges[JokerRule.BUG], edges[JokerRule.FULLY_WILD]
    ace_high = [row.combinations for each in (bug, wild) for row in each.rows[-2:-1]]
    assert [round(float(each.house_edge or 0), 4) for each in (bug, wild)] == [0.0701, 0.1086]
    assert ace_high == [14_430_780, 14_430_780 - 1_485_960]


def test_published_figures_for_another_joker_are_not_compared(terms: Path) -> None:
    assert choose(terms, "wsgc").catalog.published[EXPRESS]
    assert not choose(terms, "wsgc", joker="fully_wild").catalog.published[EXPRESS]
    assert choose(terms, "wsgc").report_id != choose(terms, "wsgc", joker="fully_wild").report_id


def test_a_joker_that_the_game_does_not_offer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "terms.json"
    path.write_text(json.dumps({"game": "mini-pai-gow", "joker": "fully_wild"}), encoding="utf-8")
    with pytest.raises(Unfit) as refused:
        build_filing(Order(game="mini-pai-gow", jurisdiction="wsgc", terms=path))
    assert [(each.code, each.pointer) for each in refused.value.findings] == [("R022", "/joker")]


def test_a_statement_on_the_joker_says_for_which_joker(terms: Path) -> None:
    """M009: without `fits` a sentence on the semi wild joker would be printed for the other one."""
    game = catalog().games[choose(terms, "wsgc").game.id]
    stated = [*game.definitions, *game.assumptions]
    stated += [each for record in game.paytables for each in record.assumptions]
    on_joker = [each for each in stated if each.topic == "joker"]
    assert len(on_joker) > 10
    assert all(each.fits.wild is not None for each in on_joker)


def test_a_state_that_requires_a_player_dealer_refuses_a_game_that_the_house_banks(
    terms: Path,
) -> None:
    """Blocker B1, by the value that the text requires."""
    refused = judge_rule(choose(terms, "california"), "CA-BANK")
    assert [fault.message for fault in refused.faults] == [
        "`banking` is `house`; `player_dealer` is required."
    ]
    assert not judge_rule(choose(terms, "california", banking="player_dealer"), "CA-BANK").faults


@pytest.mark.parametrize("part", ["rules", "mathematics"])
def test_no_sentence_on_a_player_dealer_is_of_a_house_that_banks(terms: Path, part: str) -> None:
    """Blocker B1: house-banked, players do not bank, paid in full, and a player-dealer."""
    covered = read(terms, "california", part, banking="player_dealer")
    assert re.search(HOUSE_BANKS, covered) is None
    expected = {
        "rules": ["What is won is paid as far as the wager of the player-dealer covers it."],
        "mathematics": [
            "Maximum exposure of the player-dealer on one wager in one round",
            "the commission and fees of it go to the house, the rest to the player-dealer.",
        ],
    }
    assert all(sentence in covered for sentence in expected[part])
    assert "theoretical hold. " not in covered
    assert "fee of the player-dealer is not included" not in covered  # none is declared
    by_house = read(terms, "nevada", part)
    assert re.search(HOUSE_BANKS, by_house)
    assert "player-dealer" not in by_house


def test_the_rules_of_the_turns_are_asked_of_a_player_dealer_alone(terms: Path) -> None:
    asked = "The turns of the player who banks"
    assert asked in read(terms, "california", "rules", banking="player_dealer")
    assert asked not in read(terms, "nevada", "rules")


@pytest.mark.parametrize(("players", "left"), [(6, 4), (3, 25)])
def test_the_cards_that_remain_are_computed(terms: Path, players: int, left: int) -> None:
    """Seven hands of seven cards leave four of 53, four hands leave 25."""
    printed = read(terms, "nevada", "rules", players=players)
    hands = players + 1
    assert f"If {hands} hands are dealt, {left} of the 53 cards remain." in printed
    assert "Each hand that is not dealt leaves 7 more." in printed


def test_a_required_value_is_an_error_however_its_text_is_known(terms: Path) -> None:
    filed = choose(terms, "california")
    found = [
        each
        for each in against_filing(Context(filed.catalog, filing=filed, game=filed.game))
        if each.code == "R029"
    ]
    assert [each.severity for each in found] == [Severity.ERROR]
