"""Base games of hands that are not divided, counted as the slow oracle counts them."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.figures.targets import select
from certify.model.analysis import Analysis
from certify.model.game import Deck, Game, HandShape, Ranking, Strategy
from certify.model.house_way import nothing_set
from certify.model.main_wager import MainWager
from certify.model.source import Source
from certify.model.vocabulary import Category
from certify_recount import files
from certify_recount.main_wager import Action, Option
from tests.commands.ante_and_play import LOWEST_FIRST, NOT_QUALIFIED, ante_and_play
from tests.declared_files import recount_options
from tests.engine.small_games import evaluate_undivided
from tests.oracle import declared
from tests.oracle import undivided as oracle

SOURCE = Source(document="trio", clause="Rules")
TIES = {"dealer": -1, "player": 1, "push": 0, "other_hand": 0}
QUALIFIES = {"pai_gow_high": NOT_QUALIFIED}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_game(folder: Path, **option: object) -> tuple[Game, MainWager]:
    path = ante_and_play(folder) / "main" / "standard.json"
    value = json.loads(path.read_text(encoding="utf-8")) | option
    stated = {name: part for name, part in value.items() if part is not None}
    path.write_text(json.dumps(stated), encoding="utf-8")
    selection = select("trio/main")
    return selection.game, selection.game.wagers[0].options[0]


def small(game: Game, ranks: int, **rules: object) -> Game:
    hands = replace(game.hands, deck=Deck(ranks=ranks, joker=0), **rules)
    return replace(game, hands=hands)


def name_rows(analysis: Analysis) -> Counter[str]:
    """Return the rows of an analysis by the oracle's names; a tie that pushes is a separate row."""
    names = {"push": "tie", "win_dealer_not_qualified": "paid"}
    pairs: Counter[str] = Counter()
    for row in analysis.rows:
        assert row.reason is not None
        end = row.reason.rule or str(row.reason.outcome)
        done = "raised" if row.reason.raised else "folded" if row.reason.folded else ""
        name = done if done == "folded" else f"{names.get(end, end)} {done}".strip()
        pairs[name] += row.combinations
    return +pairs


def met(pairs: Counter[str], tie: str) -> Counter[str]:
    """The oracle's pairs: a fold is one row, and a tie goes to whoever takes it."""
    taken = {"dealer": "lose", "player": "win"}.get(tie, "tie")
    result: Counter[str] = Counter()
    for name, number in pairs.items():
        end, _, done = name.partition(" ")
        result[
            done if done == "folded" else f"{taken if end == 'tie' else end} {done}".strip()
        ] += number
    return result


def is_queen_high(value: oracle.Value) -> bool:
    """Ranks of a small deck are counted from its lowest; ace, king and queen are its highest."""
    return value[0] > 0 or value[1][0] >= RANKS - 3


def ante_bonus(value: oracle.Value) -> int:
    return {"straight": 1, "three_of_a_kind": 4, "straight_flush": 5}.get(LOWEST_FIRST[value[0]], 0)


RANKS = 6
PLAYS: dict[str, dict[str, Any]] = {
    "without a raise": {"raise": None, "dealer_rules": None, "bonus": None},
    "a raise": {"dealer_rules": None, "bonus": None},
    "a raise or a fold, a dealer who qualifies": {"bonus": None},
    "a bonus beside them": {},
}


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("play", PLAYS)
def test_every_pair_of_a_tiny_deck_ends_as_in_the_oracle(folder: Path, play: str, tie: str) -> None:
    changed = dict(PLAYS[play])
    if play == "a raise":
        raised = json.loads((ante_and_play(folder) / "main" / "standard.json").read_text())["raise"]
        changed["raise"] = {key: part for key, part in raised.items() if key != "fold"} | {
            "qualifies": {"of_a_kind": {"min": 1}}
        }
    game, option = write_game(folder, ties={"high": tie}, **changed)
    rules = oracle.Rules(
        ranks=RANKS,
        cards=3,
        order=LOWEST_FIRST,
        tie=TIES[tie],
        raises=option.raise_ is not None,
        folds=option.raise_ is not None and option.raise_.fold is not None,
        qualifies=is_queen_high if option.dealer_rules else None,
        bonus=ante_bonus if option.bonus else None,
    )
    analysis, slow = evaluate_undivided(option, small(game, RANKS)), oracle.every_pair(rules)
    assert name_rows(analysis) == met(slow.pairs, tie)
    assert analysis.house_edge == slow.edge
    assert analysis.total == comb(24, 3) * comb(21, 3)


def other_counts(option: MainWager, game: Game) -> Iterator[Fraction | None]:
    way = nothing_set(game.hands.shape.cards)
    yield recount_options([option], game=game, house_way=way)[option.id, Strategy.OPTIMAL].edge


@pytest.mark.parametrize("tie", TIES)
def test_second_counts_agree_on_a_tiny_deck(folder: Path, tie: str) -> None:
    game, option = write_game(folder, ties={"high": tie}, bonus=None)
    tiny = small(game, 5)
    assert [*other_counts(option, tiny)] == [evaluate_undivided(option, tiny).house_edge]


def test_five_cards_without_a_raise_rank_as_five_cards_do(folder: Path) -> None:
    game, option = write_game(folder, **PLAYS["without a raise"], ties={"high": "dealer"})
    game = small(game, 5, shape=HandShape(cards=5, back=5, front=0), ranking=None)
    slow = oracle.every_pair(oracle.Rules(ranks=5, cards=5, tie=-1))
    analysis = evaluate_undivided(option, game)
    assert name_rows(analysis) == met(slow.pairs, "dealer")
    assert analysis.house_edge == slow.edge
    assert analysis.total == comb(20, 5) * comb(15, 5)


def test_four_cards_in_a_declared_order(folder: Path) -> None:
    game, option = write_game(folder, **PLAYS["without a raise"], ties={"high": "player"})
    order = ("high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind",
             "straight_flush", "four_of_a_kind")  # fmt: skip
    ranking = Ranking(highest_first=tuple(map(Category, reversed(order))), source=SOURCE)
    game = small(game, 5, shape=HandShape(cards=4, back=4, front=0), ranking=ranking)
    slow = oracle.every_pair(oracle.Rules(ranks=5, cards=4, order=order, tie=1))
    assert evaluate_undivided(option, game).house_edge == slow.edge


@pytest.mark.parametrize("cards", [3, 4])
def test_a_joker_is_in_the_first_and_the_second_count(folder: Path, cards: int) -> None:
    game, option = write_game(folder, **PLAYS["without a raise"])
    shape = HandShape(cards=cards, back=cards, front=0)
    ranking = game.hands.ranking if cards == 3 else None
    deck = Deck(ranks=5, joker=1)
    game = replace(game, hands=replace(game.hands, deck=deck, shape=shape, ranking=ranking))
    assert [*other_counts(option, game)] == [evaluate_undivided(option, game).house_edge]


@pytest.mark.parametrize("pays", [1, 3])
def test_a_bonus_is_weighed_where_a_hand_is_played_or_folded(folder: Path, pays: int) -> None:
    """Hands without a pair are paid: more hands are worth playing."""
    paid = {"id": "nothing", "name": "Nothing", "when": {"of_a_kind": 1, "straight_length": 0,
            "flush_length": 0}, "pays": f"{pays} to 1", "text": "Paid.",
            "source": {"document": "trio", "clause": "Bonus"}}  # fmt: skip
    game, option = write_game(folder, bonus=[paid])
    game = small(game, RANKS)
    rules = oracle.Rules(
        ranks=RANKS, cards=3, order=LOWEST_FIRST, raises=True, folds=True,
        qualifies=is_queen_high, bonus=lambda value: pays if value[0] == 0 else 0,
    )  # fmt: skip
    slow, analysis = oracle.every_pair(rules), evaluate_undivided(option, game)
    assert name_rows(analysis) == met(slow.pairs, "push")
    assert analysis.house_edge == slow.edge
    second = recount_options([option], game=game, house_way=nothing_set(3))
    assert second[option.id, Strategy.OPTIMAL].edge == slow.edge
    without = rules._replace(bonus=None)
    assert len(slow.raised) > len(oracle.every_pair(without).raised)


def read_small(folder: Path, game: Game, name: str = "standard") -> declared.MainWager:
    """Return the option as its file declares it, on a small deck, for enumeration."""
    path = folder / "paytables" / "trio" / "main" / f"{name}.json"
    shape = game.hands.shape
    hand = {"cards": shape.cards, "back": shape.back, "dealer_cards": shape.dealer}
    rules = {
        "deck": {"ranks": game.hands.deck.ranks, "joker": False},
        "hand": hand | {"dealer_shows": shape.dealer_shows},
        "wheel": str(game.hands.wheel),
        "ranking": {"highest_first": [*reversed(LOWEST_FIRST)]},
    }
    return declared.MainWager(rules, json.loads(path.read_text(encoding="utf-8")))


def rule(name: str, when: dict[str, Any], **ends: str) -> dict[str, Any]:
    source = {"document": "trio", "clause": "Rules"}
    return {"id": name, "when": when, "text": f"{name}.", "source": source, **ends}


def test_kinds_of_hands_that_are_never_the_best_of_the_dealers_cards(folder: Path) -> None:
    """The dealer has four cards: of the best three, none meets the second rule."""
    rules = [
        rule("win_one_ace", {"aces": 1}, win_pays="2 to 1"),
        rule("win_high", {"pai_gow_high": ["A", "J", "K"]}, outcome="win"),
        rule("lose_flush", {"any": [{"flush_length": 3}, {"of_a_kind": 2}]}, outcome="lose"),
    ]
    game, option = write_game(folder, **PLAYS["without a raise"] | {"dealer_rules": rules})
    game = small(game, 5, shape=HandShape(cards=3, back=3, front=0, dealer_cards=4))
    analysis, slow = evaluate_undivided(option, game), read_small(folder, game).count()
    assert {row.event for row in analysis.rows}.isdisjoint({"win_high"})
    assert min(row.combinations for row in analysis.rows) > 0
    assert (analysis.house_edge, analysis.hit_frequency) == (slow.edge, slow.hits)


def test_a_raise_that_wins_or_is_returned_against_hands_of_one_rule(folder: Path) -> None:
    """Some hands with an ace qualify and some do not: the rule ends the round against both."""
    raised = {
        "id": "play",
        "name": "Play",
        "size": "1",
        "qualifies": {"of_a_kind": {"min": 2}},
        "not_qualified": "win",
        "text": "Play.",
        "source": {"document": "trio", "clause": "P"},
    }
    rules = [rule("push_ace", {"aces": {"min": 1}}, outcome="push")]
    game, option = write_game(folder, dealer_rules=rules, bonus=None, **{"raise": raised})
    game = small(game, 5)
    analysis, slow = evaluate_undivided(option, game), read_small(folder, game).count()
    assert (analysis.house_edge, analysis.hit_frequency) == (slow.edge, slow.hits)
    net = {row.event: row.contribution / row.probability for row in analysis.rows}
    assert net["push_ace_raised"] == 1
    assert net["push_ace_raised_qualified"] == 0


@pytest.mark.parametrize("tie", TIES)
def test_a_companion_wager_loses_with_the_main_wager(folder: Path, tie: str) -> None:
    """Hands that are compared decide it: it loses by a tie if the main wager does."""
    pays = [{"id": "trips", "name": "Trips", "when": {"of_a_kind": 3}, "pays": "5 to 1"}]
    side = {"id": "side", "name": "Side", "size": "2", "pays": pays, "text": "Side.",
            "source": {"document": "trio", "clause": "S"}}  # fmt: skip
    changed = PLAYS["without a raise"] | {"companion": side, "ties": {"high": tie}}
    game, option = write_game(folder, **changed)
    game = small(game, 5)
    analysis, slow = evaluate_undivided(option, game), read_small(folder, game).count()
    assert (analysis.house_edge, analysis.hit_frequency) == (slow.edge, slow.hits)
    net = {row.event: row.contribution / row.probability for row in analysis.rows}
    assert net["lose"] == -1 - 2


def by_hand(paid: str | None, pays: str) -> dict[str, Any]:
    pair = {"id": "pair", "name": "Pair", "when": {"of_a_kind": {"min": 2}}, "pays": pays}
    return pair | ({"paid": paid} if paid else {})


@pytest.mark.parametrize(
    ("paid", "after_fold"),
    [("always", "plays"), ("always", "loses"), ("if_won", "plays"), ("if_not_lost", "plays")],
)
def test_pays_are_due_by_the_result_of_their_wager(
    folder: Path, paid: str, after_fold: str
) -> None:
    """Pairs of a deck of five ranks win, tie and lose, and some are worth folding."""
    clause = {"text": "Pairs.", "source": {"document": "trio", "clause": "P"}}
    terms = {
        "raise": {
            "id": "play", "name": "Play", "size": "2", "qualifies": {"of_a_kind": {"min": 2}},
            "pays": [by_hand(paid, "3 to 1")], "fold": clause, **clause,
        },
        "companion": {
            "id": "side", "name": "Side", "size": "1", "pays": [by_hand(paid, "5 to 1")],
            "after_fold": after_fold, **clause,
        },
        "bonus": [by_hand(paid, "1 to 1") | clause],
        "dealer_rules": [rule("lose_ace", {"aces": 2}, outcome="lose")],
    }  # fmt: skip
    game, option = write_game(folder, **terms)
    game = small(game, 5)
    analysis, slow = evaluate_undivided(option, game), read_small(folder, game).count()
    assert (analysis.house_edge, analysis.hit_frequency) == (slow.edge, slow.hits)
    second = recount_options([option], game=game, house_way=nothing_set(3))
    counted = second[option.id, Strategy.OPTIMAL]
    assert counted.edge == slow.edge
    rows = {row.event: row for row in analysis.rows if row.combinations}
    assert counted.rows == {name: row.combinations for name, row in rows.items()}
    nets = {name: row.contribution / row.probability for name, row in rows.items()}
    everything = "_raise_pair_companion_pair_bonus_pair"
    assert nets[f"win_raised{everything}"] == 1 + 2 * 3 + 5 + 1
    lost = {"always": -1 + 2 * 3 + 5 + 1}.get(paid, -1 - 2 - 1)
    assert nets[f"lose_raised{everything if paid == 'always' else ''}"] == lost
    tied = {"if_won": 0}.get(paid, 2 * 3 + 5 + 1)
    assert nets[f"push_raised{everything if paid != 'if_won' else ''}"] == tied


def test_ids_with_hyphens_are_read_with_underscores(folder: Path) -> None:
    ace = rule("lose_ace", {"aces": 2}, outcome="lose")
    paid = by_hand("always", "1 to 1") | {"text": "P.", "source": ace["source"]}
    plain = {"dealer_rules": [ace], "bonus": [paid | {"id": "low_pair"}]}
    _, option = write_game(folder, **plain)
    with_hyphens = {
        "dealer_rules": [ace | {"id": "lose-ace"}],
        "bonus": [paid | {"id": "low-pair"}],
    }
    assert write_game(folder, **with_hyphens)[1] == option
    path = folder / "paytables" / "trio" / "main" / "standard.json"
    recounted = Option(files.read_record(files.MainWager, json.loads(path.read_bytes())))
    name, *_ = recounted.row(Action(Fraction(1)), (False, True), "win", (True,))
    assert name == "win_raised_bonus_low_pair"
    assert recounted.row(Action(), (True, True), "win", (False,))[0] == "lose_ace"


@pytest.mark.parametrize(("after_fold", "worth"), [("plays", 4), ("loses", -2)])
def test_a_companion_wager_is_settled_after_a_fold(
    folder: Path, after_fold: str, worth: int
) -> None:
    """The side wager pays every hand, and the lowest hands are folded either way."""
    clause = {"text": "Side.", "source": {"document": "trio", "clause": "S"}}
    any_hand = by_hand(None, "5 to 1") | {"when": {"of_a_kind": {"min": 1}}}
    side = {"id": "side", "name": "Side", "size": "1", "pays": [any_hand], **clause}
    raised = {"id": "play", "name": "Play", "size": "9", "qualifies": {"of_a_kind": {"min": 1}}}
    changed = {"companion": side | {"after_fold": after_fold}, "bonus": None, "dealer_rules": None}
    game, option = write_game(folder, **changed, **{"raise": raised | {"fold": clause, **clause}})
    game = small(game, 5)
    analysis, slow = evaluate_undivided(option, game), read_small(folder, game).count()
    assert analysis.house_edge == slow.edge
    rows = {row.event: row for row in analysis.rows if row.combinations}
    (folded,) = (row for row in rows.values() if row.reason and row.reason.folded)
    assert folded.contribution / folded.probability == worth
    second = recount_options([option], game=game, house_way=nothing_set(3))
    assert second[option.id, Strategy.OPTIMAL].edge == slow.edge
    assert second[option.id, Strategy.OPTIMAL].rows == {
        name: row.combinations for name, row in rows.items()
    }


@pytest.mark.slow
def test_every_pair_of_the_whole_deck_ends_as_in_the_oracle(folder: Path) -> None:
    game, option = write_game(folder)
    slow = oracle.every_pair(
        oracle.Rules(
            ranks=13,
            cards=3,
            order=LOWEST_FIRST,
            qualifies=lambda value: value[0] > 0 or value[1][0] >= 10,
            raises=True,
            folds=True,
            bonus=ante_bonus,
        )
    )
    analysis = evaluate_undivided(option, game)
    assert slow.pairs.total() == 407_170_400
    assert name_rows(analysis) == met(slow.pairs, "push")
    assert analysis.house_edge == slow.edge
    unmade = [hand for hand in slow.raised if oracle.find_kind(hand, RULES)[0] == "high_card"]
    assert min(oracle.find_kind(hand, RULES)[1] for hand in unmade) == (10, 4, 2)


RULES = oracle.Rules(ranks=13, cards=3, order=LOWEST_FIRST)
