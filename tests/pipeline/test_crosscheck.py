"""The second derivations: that they agree, that they could differ, and how that is judged."""

import json
import math
import os
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from certify import library
from certify.cli.app import run
from certify.engine.hands.awards import row_counts
from certify.engine.hands.one_hand import hand_features
from certify.engine.main import evaluate as base_game
from certify.engine.second import simulation
from certify.engine.second.exhaustive import exhaustive_counts
from certify.engine.second.tables import rules_table
from certify.errors import NotConfigured
from certify.intake.read import read_catalogue
from certify.kernels.plain import hands as plain_hands
from certify.model.audit import CrossCheck
from certify.model.cards import JOKER, RANKS, SUITS, Deck
from certify.model.catalogue import Catalogue
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.pipeline.crosscheck import second_counts, simulated, tails, verification
from certify.pipeline.crosscheck.simulated import simulate_option, simulate_paytable
from certify.pipeline.crosscheck.small_decks import enumerate_option
from certify.pipeline.crosscheck.verification import walk_paytable
from certify.pipeline.figures.play import Play
from tests.oracle import house_way as oracle

DECK = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER]
SUITED_PAIRS = {None: 0, "AK": 1, "AQ": 2, "KQ": 3}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return read_catalogue(library.paytables())[0]


def paytable_of(catalogue: Catalogue, game: str, wager: str, name: str) -> Paytable:
    wagers = {one.id: one for one in catalogue.games[game].wagers}
    return next(one for one in wagers[wager].paytables if one.id == name)


def option_of(catalogue: Catalogue, game: str, name: str) -> MainWager:
    wagers = catalogue.games[game].wagers
    return next(one for wager in wagers for one in wager.options if one.id == name)


def agrees(check: CrossCheck) -> bool:
    return all(one.agrees for one in check.comparisons)


@pytest.mark.parametrize("value", [0, 1, 2, Fraction(1, 3), Fraction(10**9, 7), Fraction(1, 10**9)])
def test_a_square_root_is_exact_to_eighteen_decimals(value: Fraction) -> None:
    root = simulated.root_rounded_down(Fraction(value))
    step = Fraction(1, 10**18)
    assert root**2 <= value < (root + step) ** 2


@pytest.mark.parametrize(
    ("hits", "rounds", "share"),
    [
        (3, 20, Fraction(1, 50)),
        (0, 30, Fraction(1, 7)),
        (19, 20, Fraction(49, 50)),
        (7, 9, Fraction(1, 2)),
    ],
)
def test_a_tail_is_the_sum_of_its_terms(hits: int, rounds: int, share: Fraction) -> None:
    def chance(one: int) -> Fraction:
        return math.comb(rounds, one) * share**one * (1 - share) ** (rounds - one)

    below, above = sum(map(chance, range(hits + 1))), sum(map(chance, range(hits, rounds + 1)))
    found = tails.two_sided(hits, rounds, share, Fraction(0))
    assert abs(found - min(1, 2 * min(below, above))) < Fraction(1, 10**50)


@pytest.mark.parametrize("z", [0, Fraction(1, 2), -2, 4, Fraction(13, 2), 8, 10, 12])
def test_a_normal_tail_is_that_of_the_error_function(z: Fraction) -> None:
    assert math.isclose(tails.normal_tail(Fraction(z)), math.erfc(abs(z) / math.sqrt(2)))


def test_three_hits_where_a_third_of_one_was_expected_agree() -> None:
    # Nine standard errors... of a share so rare that a normal distribution says nothing of it.
    rare = Fraction(3, 10_000_000)
    found = simulated._simulated("rare", rare, 3, 1_000_000, rows=20)
    assert found.z is not None
    assert found.z > 4
    assert found.agrees
    assert not simulated._simulated("rare", rare, 6, 1_000_000, rows=20).agrees


def test_rows_share_out_the_level_of_a_check() -> None:
    # A half in 10,000 rounds, 3.6 standard errors off: a chance of 0.00032.
    seen = 5000 + 180
    assert simulated._simulated("win", Fraction(1, 2), seen, 10_000, rows=10).agrees
    assert not simulated._simulated("win", Fraction(1, 2), seen, 10_000, rows=2).agrees


def test_what_cannot_happen_must_not_happen() -> None:
    def agrees_with(share: int, hits: int) -> bool:
        return simulated._simulated("win", Fraction(share), hits, 10, rows=3).agrees

    assert agrees_with(0, 0)
    assert agrees_with(1, 10)
    assert not agrees_with(0, 1)
    assert not agrees_with(1, 9)


def test_the_walk_agrees_row_by_row_and_sums_to_one(catalogue: Catalogue) -> None:
    game = catalogue.games["pai-gow-mania"]
    paytable = paytable_of(catalogue, game.id, "three-card-bonus", "fitzgeralds-2004")
    check = walk_paytable(paytable, events=catalogue.events, game=game)
    assert agrees(check)
    assert check.rounds == 23426
    assert sum(one.other for one in check.comparisons) == 1


def test_the_walk_differs_where_the_rules_differ(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = catalogue.games["pai-gow-mania"]
    paytable = paytable_of(catalogue, game.id, "three-card-bonus", "fitzgeralds-2004")
    other = replace(game.hands, deck=Deck(joker=False))

    def wrong(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - passed on
        return row_counts(*arguments, **(named | {"hands": other}))

    monkeypatch.setattr(second_counts, "row_counts", wrong)
    check = walk_paytable(paytable, events=catalogue.events, game=game)
    assert not agrees(check)


def test_a_wager_on_two_hands_is_not_walked(catalogue: Catalogue) -> None:
    game = catalogue.games["dealer-open-pai-gow"]
    paytable = paytable_of(catalogue, game.id, "push-ace-high", "1")
    with pytest.raises(NotConfigured, match="two hands"):
        walk_paytable(paytable, events=catalogue.events, game=game)


@pytest.mark.parametrize("joker", ["bug", "fully_wild"])
@pytest.mark.parametrize(("cards", "jokers"), [(7, 1), (6, 1), (3, 1), (7, 2), (3, 2), (2, 2)])
def test_plain_features_are_those_of_the_engine(
    catalogue: Catalogue, joker: str, cards: int, jokers: int
) -> None:
    hands = catalogue.games["emperors-challenge-exposed"].hands
    hands = replace(hands, joker=type(hands.joker)(joker), deck=Deck(joker=jokers))
    rules = rules_table(hands, cards)
    held, own = np.zeros(13, dtype=np.int64), np.zeros(13, dtype=np.int64)
    features = np.zeros(len(plain_hands.FEATURES), dtype=np.int64)
    dice = random.Random(cards)  # noqa: S311 - hands to compare
    # Half of the hands are dealt from one suit and the low and high ranks, to hold rare things.
    deck = [*DECK, *[JOKER] * (jokers - 1)]
    near = [card for card in deck if card[-1] in "sk" or card[0] in "AKQ2"]
    for place in range(400):
        hand = dice.sample(near if place % 2 else deck, cards)
        numbers = np.array([52 if c == JOKER else DECK.index(c) for c in hand], dtype=np.int64)
        plain_hands.read_features(numbers, rules, held, own, features)
        expected = hand_features(hand, hands, cards=cards)
        for name, found in zip(plain_hands.FEATURES, features.tolist(), strict=True):
            value = expected[name]
            if name == "suited_pair":
                value = SUITED_PAIRS[value]  # type: ignore[index] # a pair's name or None
            elif isinstance(value, str):
                value = RANKS.index(value) + 1
            assert found == int(value or 0), (name, hand)


def test_plain_values_order_hands_as_the_slow_twin(catalogue: Catalogue) -> None:
    hands = catalogue.games["emperors-challenge-exposed"].hands
    rules, table = rules_table(hands, 7), oracle.Table()
    held = np.zeros(13, dtype=np.int64)
    dice = random.Random(4)  # noqa: S311 - hands to compare

    def both(hand: list[str]) -> tuple[int, oracle.Value, int, oracle.Value]:
        numbers = np.array([52 if c == JOKER else DECK.index(c) for c in hand], dtype=np.int64)
        cards = [
            oracle.JOKER if c == JOKER else (RANKS.index(c[0]) + 2, SUITS.index(c[1])) for c in hand
        ]
        return (
            plain_hands.back_value(numbers[:5], rules, held),
            oracle.back_value(cards[:5], table),
            plain_hands.front_value(numbers[5:], rules, 0),
            oracle.front_value(cards[5:]),
        )

    near = [card for card in DECK if card[-1] in "sk" or card[0] in "AKQ5"]
    for _ in range(400):
        one, other = both(dice.sample(near, 7)), both(dice.sample(near, 7))
        assert (one[0] > other[0]) == (one[1] > other[1])
        assert (one[0] == other[0]) == (one[1] == other[1])
        assert (one[2] > other[2]) == (one[3] > other[3])


def test_random_numbers_are_those_of_the_published_generator() -> None:
    # MRG32k3a in unbounded integers, as its paper states the recurrences.
    state = [12345] * 6
    found = np.array(state, dtype=np.int64)
    for _ in range(1000):
        one = (1403580 * state[1] - 810728 * state[0]) % 4294967087
        two = (527612 * state[5] - 1370589 * state[3]) % 4294944443
        state = [state[1], state[2], one, state[4], state[5], two]
        number = (one - two) % 4294967087
        if number < 4294967087 - 4294967087 % 53:
            assert plain_hands.draw(found, 53) == number % 53
            assert found.tolist() == state
        else:
            found = np.array(state, dtype=np.int64)


def test_a_simulation_of_a_two_hand_wager_agrees_and_repeats(catalogue: Catalogue) -> None:
    game = catalogue.games["dealer-open-pai-gow"]
    paytable = paytable_of(catalogue, game.id, "push-ace-high", "1")
    first = simulate_paytable(paytable, events=catalogue.events, game=game, rounds=30_000, seed=5)
    assert agrees(first)
    assert sum(one.other for one in first.comparisons) == 1
    other = simulate_paytable(paytable, events=catalogue.events, game=game, rounds=30_000, seed=6)
    assert other.comparisons != first.comparisons
    assert agrees(other)


def test_rounds_do_not_depend_on_the_number_of_threads(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = catalogue.games["mini-pai-gow"].hands
    events = [catalogue.events["pair"], catalogue.events["straight"]]

    def counted() -> list[int]:
        return simulation._award(events, hands, 6, rounds=50_000, seed=1, progress=None)

    alone = counted()
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    assert counted() == alone


def test_the_best_play_against_a_hidden_dealer_is_not_simulated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        run(["crosscheck", "mini-pai-gow/main", "--strategy", "optimal", "--method", "simulation"])
        == 2
    )
    assert "cannot be simulated" in capsys.readouterr().err


def test_a_difference_exits_1_and_agreement_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = "pai-gow-mania/three-card-bonus/fitzgeralds-2004"
    assert run(["crosscheck", target, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert found["method"] == "exhaustive"
    assert found["agrees"]
    assert {one["difference"] for one in found["comparisons"]} == {"0/1"}
    monkeypatch.setattr(
        verification,
        "exhaustive_counts",
        lambda *a, **n: tuple(one + 1 for one in exhaustive_counts(*a, **n)),
    )
    assert run(["crosscheck", target]) == 1
    assert "DIFFERS" in capsys.readouterr().out


def test_without_the_compiler_rounds_are_the_same() -> None:
    program = (
        "from certify import library\n"
        "from certify.engine.second.simulation import _play\n"
        "from certify.intake.read import read_catalogue\n"
        "from certify.model.main_wager import Ties\n"
        "found = read_catalogue(library.paytables())[0]\n"
        "game = found.games['mini-pai-gow']\n"
        "way = found.house_ways['mini-pai-gow']\n"
        "ties, seed = Ties(), 3\n"
        "print(_play(game.hands, way, [], optimal=False, ties=ties, rounds=25, seed=seed,"
        " progress=None))\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                "NUMBA_DISABLE_JIT": jit,
                "NUMBA_CACHE_DIR": os.environ["NUMBA_CACHE_DIR"],
                "PYTHONPATH": str(library.root()),
                "HOME": "/nonexistent",
            },
            capture_output=True,
            check=True,
        ).stdout
        for jit in ("0", "1")
    ]
    assert printed[0] == printed[1]
    assert b"results" in printed[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name", "house_way"),
    [
        ("emperors-challenge-exposed", "any-pai-gow-pays-1-to-2", "foxwoods"),
        ("dealer-open-pai-gow", "ace-high-push", "dealer-open-pai-gow"),
        ("commission-free-pai-gow-express", "1", "trump-plaza"),
        ("pai-gow-mania", "commission-prepaid", "foxwoods"),
        ("mini-pai-gow", "1", "mini-pai-gow"),
    ],
)
def test_every_base_game_agrees_on_small_decks_and_in_play(
    catalogue: Catalogue, game: str, name: str, house_way: str
) -> None:
    record, option = catalogue.games[game], option_of(catalogue, game, name)
    way = catalogue.house_ways[house_way]
    play = Play(option=option, game=record, house_way=way, strategy=record.strategy)
    assert all(agrees(check) for check in enumerate_option(play))
    assert agrees(simulate_option(play, rounds=400_000))


@pytest.mark.slow
def test_a_simulation_tells_one_house_way_from_another(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = catalogue.games["pai-gow-mania"]
    option = option_of(catalogue, game.id, "commission-5-percent")
    exact = base_game.evaluate

    def wrong(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - passed on
        return exact(
            *arguments,
            **(named | {"house_way": catalogue.house_ways["dealer-open-pai-gow"]}),
        )

    monkeypatch.setattr(base_game, "evaluate", wrong)
    play = Play(
        option=option,
        game=game,
        house_way=catalogue.house_ways["foxwoods"],
        strategy=Strategy.HOUSE_WAY,
    )
    check = simulate_option(play, rounds=1_000_000)
    assert not agrees(check)
