"""The census against published counts, against the recount, and in its refusals."""

import json
from collections import Counter
from math import comb
from pathlib import Path
from typing import Any

import pytest

from certify import library
from certify.engine.hands.awards import event_counts
from certify.engine.hands.conditions import count, find
from certify.engine.hands.features import FEATURES
from certify.errors import NotConfigured
from certify.intake.read import read_catalog
from certify.model.game import Deck, HandRules, HandShape, JokerRule, WheelRule
from tests.engine.census_audit import audit_census
from tests.marks import further
from tests.oracle import one_hand as oracle

FIXTURES = Path(__file__).parents[2] / "fixtures"
VECTORS = json.loads((FIXTURES / "vectors" / "one-hand.json").read_text())["vectors"]
ROWS = sorted((FIXTURES / "census").glob("*.json"))


def rules(
    *,
    ranks: int = 13,
    with_joker: int = 1,
    cards: int = 7,
    back: int = 5,
    joker: JokerRule = JokerRule.BUG,
) -> HandRules:
    return HandRules(
        deck=Deck(ranks=ranks, joker=with_joker),
        shape=HandShape(cards=cards, back=back, front=cards - back),
        joker=joker,
        wheel=WheelRule.LOWEST,
    )


def build_rules(record: dict[str, Any]) -> HandRules:
    return rules(
        ranks=record["deck"]["ranks"],
        with_joker=record["deck"]["joker"],
        cards=record["cards"],
        back=record["complete"],
        joker=JokerRule(record["joker"]),
    )


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_published_counts(vector: dict[str, Any]) -> None:
    catalog, _ = read_catalog(library.paytables(), only="pai-gow-mania")
    events = find(catalog.events, [event for event, _ in vector["tried"]])
    total, counts = event_counts(
        events, range(len(events)), hands=build_rules(vector), cards=vector["cards"]
    )
    assert counts == tuple(number for _, number in vector["tried"])
    assert vector.get("rest", total - sum(counts)) == total - sum(counts)


@pytest.mark.parametrize(("joker", "hands"), [(False, 12_944_820), (True, 1_485_960)])
def test_ace_high_pai_gow_without_and_with_the_joker(joker: bool, hands: int) -> None:
    """Source: Wizard of Odds, pai gow poker, high-card hands by top card."""
    census = count(rules(), cards=7, features=["pai_gow_high", "joker"])
    assert census.features == ("joker", "pai_gow_high")
    assert census.cells[joker, "A"] == hands


@pytest.mark.parametrize("path", ROWS, ids=lambda path: path.stem)
def test_rows_of_the_walk(path: Path) -> None:
    record = json.loads(path.read_text())
    census = count(build_rules(record), cards=record["cards"], features=record["features"])
    order = [record["features"].index(name) for name in census.features]
    walked = {tuple(row[place] for place in order): row[-1] for row in record["rows"]}
    assert dict(census.cells) == walked
    assert sum(walked.values()) == census.total == record["total"]


@pytest.mark.parametrize("joker", JokerRule)
@pytest.mark.parametrize(
    ("ranks", "with_joker", "cards", "back"),
    [(13, 1, 3, 3), (6, 1, 5, 4), (5, 0, 5, 3),
     (5, 1, 4, 3), (3, 1, 3, 3), (6, 1, 5, 5), (13, 2, 3, 3),
     (6, 2, 6, 5), (13, 0, 2, 2), (13, 1, 2, 2), (13, 2, 2, 2),
     *further([(7, 1, 7, 5), (7, 0, 7, 5), (8, 1, 6, 5), (7, 2, 7, 5)])],
)  # fmt: skip
def test_the_recount_agrees_in_every_cell(
    ranks: int, with_joker: int, cards: int, back: int, joker: JokerRule
) -> None:
    hands = rules(ranks=ranks, with_joker=with_joker, cards=cards, back=back, joker=joker)
    audit = audit_census(hands, cards=cards)
    assert audit.differences == ()
    assert audit.hands == comb(4 * ranks + with_joker, cards)


@pytest.mark.parametrize("joker", JokerRule)
@pytest.mark.parametrize(
    ("ranks", "with_joker", "cards", "back"),
    [(4, 2, 4, 4), (5, 2, 3, 3), (6, 2, 2, 2), *further([(4, 1, 5, 4)])],
)
def test_every_hand_of_a_small_deck_has_the_features_of_the_twin(
    ranks: int, with_joker: int, cards: int, back: int, joker: JokerRule
) -> None:
    table = oracle.Table(
        ranks=ranks, joker=with_joker, size=back, wild=joker is JokerRule.FULLY_WILD
    )
    hands = rules(ranks=ranks, with_joker=with_joker, cards=cards, back=back, joker=joker)
    named = [*oracle.holdings(table, next(table.hands(cards)))]
    census = count(hands, cards=cards, features=named)
    seen = Counter(
        tuple(held[name] for name in census.features)
        for held in (oracle.holdings(table, hand) for hand in table.hands(cards))
    )
    assert dict(census.cells) == seen


@pytest.mark.slow
@pytest.mark.parametrize("joker", JokerRule)
@pytest.mark.parametrize("cards", [6, 7])
def test_the_recount_agrees_on_the_whole_deck(cards: int, joker: JokerRule) -> None:
    audit = audit_census(rules(cards=cards, joker=joker), cards=cards)
    assert audit.differences == ()
    assert audit.hands == comb(53, cards)


def test_the_vocabulary_is_that_of_the_schema() -> None:
    schema = json.loads((library.schemas() / "common.schema.json").read_text())
    assert [*FEATURES] == [
        name
        for name in schema["$defs"]["condition"]["properties"]
        if name not in ("all", "any", "not", "high_hand", "low_hand")
    ]


def test_progress_tells_how_many_hands() -> None:
    reported: list[tuple[int, int]] = []
    count(rules(), cards=3, features=["joker"], progress=lambda *seen: reported.append(seen))
    assert reported == [(0, 23_426), (23_426, 23_426)]


@pytest.mark.parametrize(
    ("hands", "cards", "message"),
    [
        (rules(ranks=2), 7, "deck of 2 ranks"),
        (rules(cards=7, back=3), 7, "two suits could hold a flush of 3"),
        (rules(cards=7, back=4), 7, "two suits could hold a flush of 4"),
        (rules(), 1, "complete hand of 1 cards"),
        (rules(), 8, "hands of 8 cards"),
    ],
)
def test_decks_that_cannot_be_counted(hands: HandRules, cards: int, message: str) -> None:
    with pytest.raises(NotConfigured, match=message):
        count(hands, cards=cards, features=["joker"])


def test_an_unknown_feature_is_refused() -> None:
    with pytest.raises(NotConfigured, match="no feature 'beauty'"):
        count(rules(), cards=7, features=["beauty"])
