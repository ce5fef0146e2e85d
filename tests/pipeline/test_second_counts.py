"""Stored verification counts: the records they belong to, and refusal of differences.

That the count itself is right is held against the enumeration of every pair of hands, for every
option, rule and strategy, in `tests/engine/test_main_wager.py`.
"""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from certify.engine.hands.awards import row_counts
from certify.engine.main import evaluate as base_game
from certify.errors import CountsDiffer, NotConfigured
from certify.model.catalog import Catalog
from certify.model.comparison import NOT_COUNTED, Comparison, CrossCheck, SecondCount
from certify.model.condition import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Event,
    FeatureTest,
    Not,
    TwoHands,
)
from certify.model.game import Deck, Game, HandRules, HandShape, JokerRule, Strategy, WheelRule
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import DealerRule, Fold, MainWager, Raise, Ties
from certify.model.own_hand import Companion, HandBonus, HandPay
from certify.model.paytable import CollectionFee, Commission, FeeBand, HandOf, Payout, Paytable
from certify.model.submission import Filing, Order
from certify.pipeline.crosscheck import second_counts
from certify.pipeline.crosscheck.crosscheck import cross_checks
from certify.pipeline.crosscheck.second_counts import main_digest, paytable_digest
from certify.pipeline.play import Play
from tests.declared_files import recount_options, recount_pairs, with_files, write_files

TWO_HANDS = [
    ("dealer-open-pai-gow", "push-ace-high"),
    ("emperors-challenge-exposed", "ace-high-pai-gow-insurance"),
]


def find_paytable(catalog: Catalog, game: str, wager: str) -> Paytable:
    wagers = {wager.id: wager for wager in catalog.games[game].wagers}
    return wagers[wager].paytables[0]


@pytest.mark.parametrize(("name", "wager"), TWO_HANDS)
def test_both_counts_of_a_wager_on_both_hands_agree_on_small_decks(
    catalog: Catalog, name: str, wager: str
) -> None:
    game, paytable = catalog.games[name], find_paytable(catalog, name, wager)
    assert paytable.hand is HandOf.BOTH
    for deck in (Deck(ranks=6, joker=True), Deck(ranks=6, joker=False)):
        shape = HandShape(cards=5, back=4, front=1)
        hands = replace(game.hands, deck=deck, shape=shape)
        short = replace(paytable, cards=5)
        total, counts = row_counts(short, events=catalog.events, hands=hands)
        second = recount_pairs(short, catalog.events, game=game, hands=hands)
        assert sum(second.values()) == total
        assert [second.get(row.event, 0) for row in short.rows] == list(counts)
        assert sum(counts) > 0


@pytest.mark.parametrize("jokers", [1, 2])
@pytest.mark.parametrize("joker", JokerRule)
def test_both_counts_of_ranks_naturals_and_two_jokers_agree(
    catalog: Catalog, jokers: int, joker: JokerRule
) -> None:
    game = catalog.games["dealer-open-pai-gow"]
    paytable = find_paytable(catalog, game.id, "push-ace-high")
    sides: list[tuple[Condition | None, Condition]] = [
        (FeatureTest(feature="queens", minimum=2), FeatureTest(feature="kings", minimum=1)),
        (FeatureTest(feature="jokers", minimum=1), FeatureTest(feature="nines", values=(2,))),
        (FeatureTest(feature="natural_straight_length", minimum=4),
         FeatureTest(feature="natural_of_a_kind", values=(2,))),
        (None, FeatureTest(feature="second_pair", values=("T", "J"))),
    ]  # fmt: skip
    source = paytable.source
    events = {
        f"row{place}": Event(id=f"row{place}", text="", source=source, player=player, dealer=dealer)
        for place, (player, dealer) in enumerate(sides)
    }
    rows = tuple(replace(paytable.rows[0], event=name) for name in events)
    short = replace(paytable, cards=4, rows=rows)
    hands = replace(
        game.hands,
        deck=Deck(ranks=6, joker=jokers),
        shape=HandShape(cards=4, back=4, front=0),
        joker=joker,
    )
    total, counts = row_counts(short, events=events, hands=hands)
    second = recount_pairs(short, events, game=game, hands=hands)
    assert sum(second.values()) == total
    assert [second[name] for name in events] == list(counts)
    assert all(counts)


def test_suits_of_pairs_of_hands_are_refused(catalog: Catalog) -> None:
    game = catalog.games["emperors-challenge-exposed"]
    option = next(
        option for wager in game.wagers for option in wager.options if option.dealer_rules
    )
    rule = replace(option.dealer_rules[0], when=FeatureTest(feature="red_cards", minimum=3))
    red = replace(option, dealer_rules=(rule,))
    small = replace(game, hands=replace(game.hands, deck=Deck(ranks=5)))
    with pytest.raises(NotConfigured, match="red_cards"):
        recount_options((red,), game=small, house_way=catalog.house_ways[game.house_way])


# Digests


def digest(catalog: Catalog, **changed: Any) -> str:  # noqa: ANN401 - records
    game: Game = changed.pop("game", catalog.games["mini-pai-gow"])
    option = changed.pop("option", game.wagers[0].options[0])
    way = changed.pop("way", catalog.house_ways["mini-pai-gow"])
    strategy = changed.pop("strategy", Strategy.OPTIMAL)
    return main_digest(Play(option=option, game=game, house_way=way, strategy=strategy))


def test_a_reworded_declaration_retains_its_count_and_a_changed_one_loses_it(
    catalog: Catalog,
) -> None:
    game = catalog.games["mini-pai-gow"]
    option, way = game.wagers[0].options[0], catalog.house_ways["mini-pai-gow"]
    assert option.raise_ is not None
    same = digest(catalog)
    first = way.sections[0]
    base = replace(first.base, source=replace(first.base.source, clause="Elsewhere"))
    reworded = replace(
        way, name="X", sections=(replace(first, title="Y", base=base), *way.sections[1:])
    )
    assert digest(catalog, way=reworded) == same
    assert digest(catalog, option=replace(option, name="Z", id="2")) == same
    fold = Fold(text="Folded.", source=option.source)
    changes: list[dict[str, Any]] = [
        {"strategy": Strategy.HOUSE_WAY},
        {"way": replace(way, sections=way.sections[1:])},
        {"game": replace(game, dealer_exposed=True)},
        {"game": replace(game, hands=replace(game.hands, wheel=WheelRule.LOWEST))},
        {"game": replace(game, hands=replace(game.hands, deck=Deck(joker=False)))},
        {"option": replace(option, raise_=None)},
        {"option": replace(option, raise_=replace(option.raise_, size=Fraction(2)))},
        {"option": replace(option, raise_=replace(option.raise_, largest=Fraction(2)))},
        {"option": replace(option, raise_=replace(option.raise_, fold=fold))},
        {"option": replace(option, commission=Commission(rate=Fraction(1, 20)))},
    ]
    assert len({digest(catalog, **change) for change in changes} | {same}) == len(changes) + 1


PROSE = {
    "text",
    "source",
    "name",
    "title",
    "assumption",
    "assumptions",
    "text_without_joker",
    "text_fully_wild",
}
"""Fields of records that say in words what others say in values."""

DIGESTED: list[tuple[type, set[str]]] = [
    (HandRules, {"deck", "shape", "joker", "wheel", "joker_beats_ace_in_front", "ranking"}),
    (Deck, {"ranks", "joker", "decks"}),
    (HandShape, {"cards", "back", "front", "dealer_cards", "dealer_shows"}),
    (
        MainWager,
        {
            *("win_pays", "dealer_rules", "ties", "commission", "fee", "wager_cents", "raise_"),
            *("bonus", "companion"),
        },
    ),
    (HandPay, {"id", "when", "pays"}),
    (Companion, {"size", "pays"}),
    (HandBonus, {"id", "when", "pays"}),
    (Ties, {"high", "low", "both_push"}),
    (DealerRule, {"id", "when", "outcome", "win_pays"}),
    (Commission, {"rate", "prepaid", "unit_cents", "rounding", "minimum_cents"}),
    (CollectionFee, {"bands"}),
    (FeeBand, {"from_cents", "cents"}),
    (
        Raise,
        {"size", "largest", "largest_when", "qualifies", "not_qualified", "pays", "fold"},
    ),
    (Payout, {"basis", "amount", "meter"}),
    (HouseWay, {"sections"}),
    (HouseWaySection, {"id", "when", "base", "exceptions"}),
    (HouseWayRule, {"id", "front", "by", "when", "before"}),
    (HighestFront, {"leaves", "at_least", "pair", "highest_back"}),
    (FeatureTest, {"feature", "values", "minimum", "maximum", "part"}),
    (AllOf, {"conditions"}),
    (AnyOf, {"conditions"}),
    (Not, {"condition"}),
    (Event, {"id", "player", "dealer", "compare", "either"}),
    (TwoHands, {"player", "dealer", "compare"}),
    (Compare, {"best_hand", "high_hand", "low_hand"}),
]
LEFT_OUT = {
    HandRules: {"joker_choices"},  # offered, not played
    # Which wager it is, not how it is played; and rounds that are counted apart.
    MainWager: {"id", "game", "wager", "bank"},
    DealerRule: {"fouls"},  # no count plays a foul
    Raise: {"id"},
    Companion: {"id"},
    HouseWay: {"id", "cards", "front", "statements", "general_assumptions", "published"},
    Event: {"when"},  # of one hand
}


@pytest.mark.parametrize(
    ("record", "digested"), DIGESTED, ids=lambda item: getattr(item, "__name__", "")
)
def test_every_field_of_a_record_is_digested_or_left_out_on_purpose(
    record: Any,  # noqa: ANN401 - a class
    digested: set[str],
) -> None:
    known = digested | PROSE | LEFT_OUT.get(record, set())
    assert {field.name for field in fields(record)} <= known


def test_equal_rows_with_different_pays_share_a_count(catalog: Catalog) -> None:
    game = catalog.games["emperors-challenge-exposed"]
    wagers = {wager.id: wager for wager in game.wagers}
    tables = wagers["ace-high-pai-gow-insurance"].paytables

    def of(paytable: Paytable) -> str:
        return paytable_digest(paytable, catalog.events, game.hands)

    assert len({of(table) for table in tables}) == len(
        {tuple(r.event for r in table.rows) for table in tables}
    )


# What is kept


def test_every_printed_edge_of_two_hands_has_a_verification_count(catalog: Catalog) -> None:
    for game in catalog.games.values():
        options = [option for wager in game.wagers for option in wager.options]
        for option, way, strategy in product(options, game.house_ways, Strategy):
            play = Play(
                option=option,
                game=game,
                house_way=catalog.house_ways[way],
                strategy=strategy,
            )
            kept = second_counts.find_count(catalog, play, game)
            assert kept is not None, (option.target, way, strategy)
            assert kept.house_edge is not None
        for wager in game.wagers:
            for paytable in wager.paytables:
                if paytable.hand is HandOf.BOTH:
                    assert second_counts.find_count(catalog, paytable, game) is not None


def test_a_count_that_differs_by_one_is_refused(catalog: Catalog) -> None:
    one = Comparison(event="win", exact=Fraction(1, 9), other=Fraction(1, 9), agrees=True)
    good = CrossCheck(target="g/main/1", method="exact", rounds=9, comparisons=(one,))
    second_counts.refuse_differing([good])
    game = catalog.games["dealer-open-pai-gow"]
    paytable = find_paytable(catalog, game.id, "push-ace-high")
    kept = second_counts.find_count(catalog, paytable, game)
    assert kept is not None
    check = second_counts.compared_paytable(catalog, paytable, kept, game=game)
    assert check.agrees
    first, *others = kept.rows
    rows = {**kept.rows, first: kept.rows[first] + 1, others[0]: kept.rows[others[0]] - 1}
    wrong = second_counts.compared_paytable(catalog, paytable, replace(kept, rows=rows), game=game)
    assert [comparison.event for comparison in wrong.comparisons if not comparison.agrees] == [
        first,
        others[0],
    ]
    with pytest.raises(CountsDiffer, match="differs from the first") as raised:
        second_counts.refuse_differing([good, wrong])
    assert raised.value.exit_code == 1


def test_a_filing_by_another_house_way_is_held_against_the_count_of_that_one(
    catalog: Catalog,
) -> None:
    declared = catalog.games["commission-free-pai-gow-express"]
    game = replace(declared, hands=replace(declared.hands, deck=Deck(ranks=5, joker=False)))
    option, strategy = game.wagers[0].options[0], Strategy.HOUSE_WAY
    way = catalog.house_ways["trump-plaza"]
    assert way.id in game.house_ways
    assert way.id != game.house_way
    analysis = base_game.evaluate(option, game=game, house_way=way, strategy=strategy)
    files = with_files(catalog, write_files(game, option, house_way=way))
    counts = second_counts.count_options(files, (option,), game=game, house_way=way)
    kept = next(count for count in counts if count.strategy is strategy)

    def checked(second: SecondCount, house_way: HouseWay) -> CrossCheck:
        filing = Filing(
            order=Order(game=game.id, jurisdiction="nevada"),
            catalog=replace(catalog, second_counts={game.id: (second,)}),
            game=game,
            jurisdiction=catalog.jurisdictions["nevada"],
            main=option,
            paytables=(),
        )
        (check,) = cross_checks(filing, [analysis], house_way=house_way)
        return check

    check = checked(kept, way)
    assert check.agrees
    assert (check.house_way, check.rounds) == (way.id, analysis.total)
    default = catalog.house_ways[game.house_way]
    assert checked(kept, default).method == NOT_COUNTED
    first, other = list(kept.rows)[:2]
    rows = {**kept.rows, first: kept.rows[first] + 1, other: kept.rows[other] - 1}
    with pytest.raises(CountsDiffer, match=f"in {first}, {other}"):
        checked(replace(kept, rows=rows), way)


def test_a_count_replaces_the_old_one(catalog: Catalog, tmp_path: Path) -> None:
    game = catalog.games["mini-pai-gow"]
    old = catalog.second_counts[game.id][0]
    path = second_counts.keep(game, [replace(old, digest="0" * 64)], tmp_path)
    assert path == tmp_path / game.id / "second-counts.json"
    found = json.loads(path.read_text(encoding="utf-8"))["counts"]
    assert len(found) == len(catalog.second_counts[game.id])
    assert [item["digest"] for item in found].count("0" * 64) == 1
