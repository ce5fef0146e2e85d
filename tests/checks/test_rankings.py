"""Orders of hands: `check` accepts those in which a hand is of the highest category it contains."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.m_main_wagers import order_incomplete
from certify.engine.main import evaluate as base_game
from certify.figures.targets import Selection, select
from certify.model.game import Deck, Game, HandShape, JokerRule, Ranking, Strategy
from certify.model.house_way import nothing_set
from certify.model.vocabulary import Category
from tests.commands.ante_and_play import ante_and_play
from tests.declared_files import recount_options
from tests.oracle import declared, undivided

RANKS = 5
OF_CARDS = {
    3: ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"),
    4: ("high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind",
        "straight_flush", "four_of_a_kind"),
    5: undivided.FIVE_CARDS,
}  # fmt: skip


def contained(hand: undivided.Hand) -> Iterator[str]:
    """Yield every category of which a hand has what makes it."""
    ranks = [card // 4 for card in hand]
    times = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    runs = [set(range(low, low + len(hand))) for low in range(RANKS - len(hand) + 1)]
    straight = set(ranks) in [*runs, {RANKS - 1, *range(len(hand) - 1)}]
    flush = len({card % 4 for card in hand}) == 1
    yield "high_card"
    for name, least in (("pair", 2), ("three_of_a_kind", 3), ("four_of_a_kind", 4)):
        yield from (name,) * (times[0] >= least)
    if len(times) > 1 and times[1] > 1:
        yield "two_pair"
        yield from ("full_house",) if times[0] > 2 else ()
    made = {"straight": straight, "flush": flush, "straight_flush": straight and flush}
    yield from (name for name, holds in made.items() if holds)


@cache
def kinds(cards: int) -> frozenset[tuple[str, frozenset[str]]]:
    """Return the category by name of the hands of a small deck, with all that they contain."""
    rules = undivided.Rules(ranks=RANKS, cards=cards)
    return frozenset(
        (undivided.find_kind(hand, rules)[0], frozenset(contained(hand)))
        for hand in combinations(range(4 * RANKS), cards)
    )


def reads_as_declared(highest_first: Sequence[str], cards: int) -> bool:
    return all(kind == min(held, key=highest_first.index) for kind, held in kinds(cards))


@pytest.fixture
def selection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Selection:
    monkeypatch.chdir(tmp_path)
    path = ante_and_play(tmp_path)
    assert path.is_dir()
    return select("trio/main")


def with_order(game: Game, order: Sequence[str], cards: int, joker: int = 0) -> Game:
    assert game.hands.ranking is not None
    hands = replace(
        game.hands,
        deck=Deck(ranks=RANKS, joker=joker),
        shape=HandShape(cards=cards, back=cards, front=0),
        ranking=Ranking(
            highest_first=tuple(map(Category, order)), source=game.hands.ranking.source
        ),
    )
    return replace(game, hands=hands)


def passes(selection: Selection, order: Sequence[str], cards: int) -> bool:
    game = with_order(selection.game, order, cards)
    catalog = replace(selection.catalog, games={game.id: game})
    return not [*order_incomplete(Context(catalog))]


def draw_orders(cards: int) -> Iterator[tuple[str, ...]]:
    """Yield every order of three cards; of more, some that are near the usual one."""
    if cards == 3:
        yield from permutations(OF_CARDS[3])
        return
    rng = random.Random(cards)  # noqa: S311 - to be repeated
    for _ in range(600):
        order = [*reversed(OF_CARDS[cards])]
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(order) - 1)
            order[place], order[place + 1] = order[place + 1], order[place]
        yield tuple(order)


@pytest.mark.parametrize("cards", OF_CARDS)
def test_an_order_passes_if_each_hand_is_of_the_highest_category_it_contains(
    selection: Selection, cards: int
) -> None:
    orders = [*draw_orders(cards)]
    expected = [reads_as_declared(order, cards) for order in orders]
    assert [passes(selection, order, cards) for order in orders] == expected
    assert 10 < sum(expected) < len(orders)


def accepted() -> list[tuple[str, ...]]:
    return [order for order in permutations(OF_CARDS[3]) if reads_as_declared(order, 3)]


def edges(selection: Selection, game: Game) -> tuple[object, object]:
    option = replace(selection.game.options[0], raise_=None, dealer_rules=(), bonus=())
    way = nothing_set(3)
    counted = base_game.evaluate(option, game=game, house_way=way, strategy=game.strategy)
    recounted = recount_options([option], game=game, house_way=way)
    return counted.house_edge, recounted[option.id, Strategy.OPTIMAL].edge


def test_every_order_that_passes_is_counted_as_declared(selection: Selection) -> None:
    for order in accepted():
        rules = {
            "deck": {"ranks": RANKS, "joker": False},
            "hand": {"cards": 3, "back": 3},
            "wheel": "lowest",
            "ranking": {"highest_first": order},
        }
        slow = declared.MainWager(rules, {"win_pays": "1 to 1", "ties": {"high": "push"}}).count()
        counted, _ = edges(selection, with_order(selection.game, order, 3))
        assert (order, counted) == (order, slow.edge)


@pytest.mark.parametrize("joker", JokerRule)
def test_every_order_that_passes_is_counted_twice_alike_with_a_joker(
    selection: Selection, joker: JokerRule
) -> None:
    for order in accepted():
        game = with_order(selection.game, order, 3, joker=1)
        counted, recounted = edges(selection, replace(game, hands=replace(game.hands, joker=joker)))
        assert (order, counted) == (order, recounted)
