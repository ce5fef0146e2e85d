"""The recount of all deals of two hands, against every deal of a small deck one by one."""

import json
from collections import Counter, defaultdict
from itertools import combinations
from math import comb
from typing import Any

import pytest

from certify_recount import recount
from certify_recount.counting import Played, Recounter
from certify_recount.hands import Uncountable
from certify_recount.main_wager import HOUSE_WAY, OPTIMAL
from certify_recount.set_hands import Rules, Undecided
from certify_recount.sweeps import count_flushes
from tests.oracle import main_wager as oracle
from tests.oracle.two_hands import JOKERS, Cards, Game, Setting, find_settings

WAY = {
    "sections": [
        {
            "id": "straights-and-flushes",
            "when": {"straight_or_flush": True},
            "base": {
                "id": "complete",
                "front": {"leaves": ["straight", "flush", "straight_flush", "royal_flush"]},
            },
        },
        {
            "id": "other",
            "when": {"not": {"straight_or_flush": True}},
            "base": {"id": "highest", "front": {}},
        },
    ]
}


def keep_complete(game: Game, hand: Cards) -> Setting:
    """`WAY` in plain code."""
    settings = find_settings(game, hand)
    complete = [setting for setting in settings if setting[0][0] in oracle.COMPLETE]
    return oracle.highest_front(game, complete or settings)


def is_triplet(game: Game, hand: Cards) -> bool:
    ranks = Counter(game.ranks - 1 if rank is None else rank for rank, _ in hand)
    return max(ranks.values()) > 2


PUSH_TRIPLETS = {"id": "push_triplet", "when": {"of_a_kind": {"min": 3}}, "outcome": "push"}
RAISE = {"size": "2", "qualifies": {"of_a_kind": {"min": 3}}, "fold": {}}
OPTION = {"id": "1", "win_pays": "1 to 1"}
MAIN, SIDE = "game/main/1", "game/side/1"


def build_rules(ranks: int, jokers: int, cards: int, front: int) -> Rules:
    return Rules(
        ranks=ranks, jokers=jokers, cards=cards, back=3, front=front, wild=False, low_wheel=False,
        joker_beats_ace=False,
    )  # fmt: skip


def write_files(deck: tuple[int, int, int, int], **files: Any) -> dict[str, bytes]:  # noqa: ANN401 - JSON
    """Return the files of a game with hands of a high hand of three cards.

    ``files`` are its option, ``main``, its house way, ``way``, a paytable, ``side``, with its
    ``events``, or ``seen``.
    """
    ranks, jokers, cards, front = deck
    game = {
        "id": "game", "deck": {"ranks": ranks, "joker": jokers}, "house_way": "way", "players": 6,
        "hand": {"cards": cards, "back": 3, "front": front}, "wheel": "second_highest",
        "dealer_exposed": files.pop("seen", False),
    }  # fmt: skip
    names = {"main": f"{MAIN}.json", "side": f"{SIDE}.json", "way": "house-ways/way.json"}
    written = {names.get(name, f"{name}.json"): value for name, value in files.items()}
    written |= {"game/game.json": game}
    return {f"paytables/{name}": json.dumps(value).encode() for name, value in written.items()}


def write_side(events: dict[str, dict[str, Any]], **paytable: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Return a paytable on both hands of four cards, and its events, as files."""
    table = {"hand": "both", "cards": 4, "award": "first_row_contained", **paytable}
    return {"side": table, "events": {"events": [{"id": id_, **events[id_]} for id_ in events]}}


@pytest.mark.parametrize("folds", [False, True], ids=["pushes", "folds"])
@pytest.mark.parametrize("seen", [False, True], ids=["concealed", "seen"])
@pytest.mark.parametrize(
    ("deck", "ties"),
    [
        ((3, 1, 4, 1), {}),
        ((3, 0, 4, 1), {"both_push": True}),
        ((3, 0, 5, 2), {"high": "push"}),
        ((3, 0, 5, 2), {}),  # flushes change which setting is best
    ],
    ids=["bug", "both push", "high pushes", "flushes matter"],
)
def test_every_deal_of_a_small_deck(
    deck: tuple[int, int, int, int], ties: dict[str, Any], seen: bool, folds: bool
) -> None:
    """A dealer's triplet pushes, or the player may fold or raise by two units against it."""
    if seen and folds:
        pytest.skip("a raise is not offered where the dealer's hand is seen")
    deals = oracle.Deals(Game(*deck), keep_complete)
    option: dict[str, Any] = {**OPTION, "ties": ties}
    option |= {"raise": RAISE} if folds else {"dealer_rules": [PUSH_TRIPLETS]}
    pushes = oracle.Rule("push_triplet", is_triplet, "push")
    rules = oracle.Option(
        rules=() if folds else (pushes,), high_tie=ties.get("high", "dealer"),
        both_push="both_push" in ties, raise_size=2 * folds, fold=folds, qualifies=is_triplet,
    )  # fmt: skip
    recounter = Recounter(write_files(deck, main=option, way=WAY, seen=seen), processes=1)
    for strategy in (HOUSE_WAY, OPTIMAL):
        choices = deals.find_settings() if strategy == OPTIMAL else deals.house_settings()
        tally = deals.play_seen if seen else deals.play_unseen
        expected = oracle.figures(rules, tally(rules, choices))
        counted = recounter.settle(Played(MAIN, strategy))
        assert (counted.counts, counted.edge) == (expected.rows, expected.house_edge)
        assert sum(counted.uses.values()) == len(deals.hands)


@pytest.mark.parametrize(
    ("lengths", "jokers"),
    [((4, 0, 0, 0), 0), ((2, 1, 1, 0), 0), ((1, 1, 1, 1), 0), ((3, 0, 0, 0), 1), ((1, 1, 1, 0), 1)],
)
def test_flushes_that_share_no_card_with_a_hand(lengths: tuple[int, ...], jokers: int) -> None:
    deck = [(rank, suit) for suit, n in enumerate(lengths) for rank in range(n, 5)]
    cards = [*deck, *JOKERS[: 1 - jokers]]
    suits = [[card[1] for card in hand if card in deck] for hand in combinations(cards, 4)]
    flushes = [hand for hand in suits if max(map(hand.count, range(4))) + 4 - len(hand) >= 3]
    assert count_flushes(build_rules(5, 1, 4, 1), jokers, lengths) == len(flushes)


def test_processes_count_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify_recount.pairs.SMALL", 10)
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))

    files = write_files((3, 1, 4, 1), main=OPTION, way=WAY)
    one, two = (recount(files, MAIN, processes=n, progress=progress) for n in (1, 2))
    assert one == two
    assert all(done <= total for done, total in seen)


def test_pairs_by_what_both_hands_hold() -> None:
    deck = (3, 1, 4, 1)
    triplet = {"of_a_kind": {"min": 3}}
    events: dict[str, dict[str, Any]] = {
        "both": {"either": [{"dealer": triplet, "player": triplet}]},
        "dealer": {"dealer": triplet},
        "player": {"player": triplet},
    }
    files = write_side(
        events,
        rows=[{"event": name} for name in ("both", "dealer")],
        also=[{"award": "first_row_contained", "rows": [{"event": "player"}]}],
    )
    expected: defaultdict[str, int] = defaultdict(int)
    game = Game(*deck)
    for mine in game.hands:
        for other in game.hands:
            if not {*mine} & {*other}:
                of_dealer, of_player = is_triplet(game, other), is_triplet(game, mine)
                first = ("both" if of_player else "dealer") if of_dealer else ""
                names = [first, "player" if of_player else ""]
                expected["+".join(filter(None, names)) or "all_other"] += 1
    (counted,) = recount(write_files(deck, way=WAY, **files), SIDE)
    assert counted.rows == expected
    assert sum(expected.values()) == comb(13, 4) * comb(9, 4)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"dealer": {"red_cards": 2}}, "cards by their holder"),
        ({"compare": {"best_hand": "copy", "high_hand": "copy"}}, "best hands together"),
    ],
)
def test_what_differs_between_hands_of_a_class_is_not_counted(
    event: dict[str, Any], said: str
) -> None:
    files = write_side({"one": event}, rows=[{"event": "one"}])
    with pytest.raises(Uncountable, match=said):
        recount(write_files((3, 1, 4, 1), way=WAY, **files), SIDE)


def test_a_house_way_that_decides_no_hand_is_refused() -> None:
    way = {"sections": [WAY["sections"][0]]}
    with pytest.raises(Undecided):
        recount(write_files((3, 1, 4, 1), main=OPTION, way=way), MAIN)
