"""Stored verification counts: the records they belong to, and refusal of differences.

That the count itself is right is held against the enumeration of every pair of hands, for every
option, rule and strategy, in `tests/engine/test_main_wager.py`.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import certify_recount
from certify.engine.hands.awards import row_counts
from certify.engine.main import evaluate as base_game
from certify.errors import CountsDiffer, NotConfigured
from certify.figures import second_counts
from certify.figures.crosscheck import cross_checks
from certify.figures.play import Play
from certify.model.catalog import Catalog
from certify.model.comparison import NOT_COUNTED, Comparison, CrossCheck, SecondCount
from certify.model.condition import (
    Condition,
    Event,
    FeatureTest,
)
from certify.model.game import Deck, HandShape, JokerRule, Strategy
from certify.model.house_way import HouseWay
from certify.model.paytable import HandOf, Paytable
from certify.model.submission import Filing, Order
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

MINI, EMPERORS = "mini-pai-gow", "emperors-challenge-exposed"
EXPRESS, OPEN = "commission-free-pai-gow-express", "dealer-open-pai-gow"
GAME = {
    *("aliases", "supplier", "revision", "revised", "players", "wagers", "sections.id"),
    *("house_way", "house_ways", "house_way_in_source", "strategy"),
}
OPTION = {"game", "wager"}

OTHER_VALUES = {"joker": "fully_wild", "wheel": "lowest"}
"""Other values where a text with one letter more is none."""

WORDS = {
    *("$schema", "text", "source", "title", "name", "document", "references", "changes"),
    *("assumption", "assumptions", "definitions", "statements", "topic"),
}


def list_values(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of each value of a JSON text that is no object and no list."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from list_values(part, (*path, key))
    else:
        yield path


def change(text: bytes, place: tuple[Any, ...]) -> bytes:
    """Return a JSON text with another value in one place."""
    value = json.loads(text)
    *outer, key = place
    inner = reduce(getitem, outer, value)
    old = inner[key]
    other = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old}x"
    inner[key] = OTHER_VALUES.get(key, other)
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("target", "way", "name", "others"),
    [
        (f"{MINI}/main/1", MINI, f"{MINI}/game", GAME),
        (f"{MINI}/main/1", MINI, f"house-ways/{MINI}", {"cards", "front"}),
        (f"{MINI}/main/1", MINI, f"{MINI}/main/1", OPTION | {"raise.id"}),
        (
            f"{EMPERORS}/main/ace-high-push", "foxwoods", f"{EMPERORS}/main/ace-high-push",
            OPTION | {"dealer_rules.fouls"},  # no count plays a foul
        ),
        (f"{EXPRESS}/main/1", "trump-plaza", f"{EXPRESS}/main/1", OPTION),
        (f"{OPEN}/push-ace-high/1", None, f"{OPEN}/push-ace-high/1",
         OPTION | {"hand", "award", "rows.pays"}),  # the rows stand in the order of trial
    ],
)  # fmt: skip
def test_a_digest_depends_on_every_value_but_words_and_those_that_change_no_count(
    catalog: Catalog, target: str, way: str | None, name: str, others: set[str]
) -> None:
    files, path = second_counts._files(catalog), f"paytables/{name}.json"
    ask = partial(certify_recount.identify, target=target, house_way=way, strategy="optimal")
    digest, without_effect, effects = ask(files), set(), 0
    for place in list_values(json.loads(files[path])):
        names = [key for key in place if isinstance(key, str)]
        if WORDS.isdisjoint(names) and names != ["id"]:
            try:
                same = ask({**files, path: change(files[path], place)}) == digest
            except (ValueError, KeyError):  # no such event
                same = False
            effects += not same
            without_effect |= {".".join(names)} if same else set()
    assert without_effect == others
    assert effects > 1


def test_words_are_not_part_of_a_digest(catalog: Catalog) -> None:
    files, path = second_counts._files(catalog), f"paytables/house-ways/{MINI}.json"
    value = json.loads(files[path])
    value["sections"][0]["title"] = value["sections"][0]["base"]["source"] = "other words"
    ask = partial(certify_recount.identify, target=f"{MINI}/main/1", strategy="optimal")
    assert ask({**files, path: json.dumps(value).encode()}) == ask(files)


def test_equal_rows_with_different_pays_share_a_count(catalog: Catalog) -> None:
    wagers = {wager.id: wager for wager in catalog.games[EMPERORS].wagers}
    tables, files = wagers["ace-high-pai-gow-insurance"].paytables, second_counts._files(catalog)
    digests = {certify_recount.identify(files, table.target) for table in tables}
    assert len(digests) == len({tuple(row.event for row in table.rows) for table in tables})


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
    differing = {comparison.event for comparison in wrong.comparisons if not comparison.agrees}
    assert differing == {first, others[0]}
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
            catalog=replace(files, second_counts={game.id: (second,)}),
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
    first, other = (comparison.event for comparison in check.comparisons[:2])
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
