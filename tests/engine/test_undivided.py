"""Base games of hands that are not divided, against enumerations of their declared files."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.figures.targets import select
from certify.model.analysis import RowAnalysis
from certify.model.game import Deck, Game, HandShape, Strategy
from certify.model.house_way import nothing_set
from certify.model.main_wager import MainWager
from certify_recount import recount
from certify_recount.files import MainWager as DeclaredWager
from certify_recount.files import read_record
from certify_recount.main_wager import Action, Option
from tests.commands.ante_and_play import LOWEST_FIRST, ante_and_play
from tests.declared_files import recount_options, write_files
from tests.engine.small_games import evaluate_undivided
from tests.oracle import declared

TIES = ("push", "dealer", "player", "other_hand")


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


def compare(folder: Path, option: MainWager, game: Game) -> dict[str, RowAnalysis]:
    """Compare figures with an enumeration, and rows with the second count; return the rows."""
    analysis, slow = evaluate_undivided(option, game), read_small(folder, game).count()
    assert [analysis.house_edge, analysis.hit_frequency, analysis.total] == [*slow]
    second = recount_options([option], game=game, house_way=nothing_set(game.hands.shape.cards))
    counted = second[option.id, Strategy.OPTIMAL]
    rows = {row.event: row for row in analysis.rows if row.combinations}
    assert counted.edge == slow.edge
    assert counted.rows == {name: row.combinations for name, row in rows.items()}
    return rows


def read_small(folder: Path, game: Game) -> declared.MainWager:
    """Return the option as its file declares it, on a small deck, for enumeration."""
    path = folder / "paytables" / "trio" / "main" / "standard.json"
    shape = game.hands.shape
    hand = {"cards": shape.cards, "back": shape.back, "dealer_cards": shape.dealer}
    rules = {
        "deck": {"ranks": game.hands.deck.ranks, "joker": False},
        "hand": hand | {"dealer_shows": shape.dealer_shows},
        "wheel": str(game.hands.wheel),
        "ranking": {"highest_first": [*reversed(LOWEST_FIRST)]},
    }
    return declared.MainWager(rules, json.loads(path.read_text(encoding="utf-8")))


PLAYS: dict[str, dict[str, Any]] = {
    "without a raise": {"raise": None, "dealer_rules": None, "bonus": None},
    "a raise": {"dealer_rules": None, "bonus": None},
    "a raise or a fold, a dealer who qualifies": {"bonus": None},
    "a bonus beside them": {},
}
EVERY_TERM = [*PLAYS][-1]


@pytest.mark.parametrize(
    ("play", "tie"), [*((play, "push") for play in PLAYS), *((EVERY_TERM, tie) for tie in TIES[1:])]
)
def test_every_pair_of_a_tiny_deck_ends_as_enumerated(folder: Path, play: str, tie: str) -> None:
    changed = dict(PLAYS[play])
    if play == "a raise":
        raised = json.loads((ante_and_play(folder) / "main" / "standard.json").read_text())["raise"]
        changed["raise"] = {key: part for key, part in raised.items() if key != "fold"} | {
            "qualifies": {"of_a_kind": {"min": 1}}
        }
    game, option = write_game(folder, ties={"high": tie}, **changed)
    # Jack high without a straight needs an eight.
    rows = compare(folder, option, small(game, 7))
    ended = any(name.startswith("win_dealer_not_qualified") for name in rows)
    assert ended == bool(option.dealer_rules)


@pytest.mark.parametrize(
    ("cards", "jokers", "play"),
    [(3, 1, "without a raise"), (4, 1, "without a raise"), (3, 2, "a raise")],
)
def test_a_joker_is_in_the_first_and_the_second_count(
    folder: Path, cards: int, jokers: int, play: str
) -> None:
    """Two jokers and any card are a flush: no hand of such ranks is without one."""
    game, option = write_game(folder, **PLAYS[play])
    shape = HandShape(cards=cards, back=cards, front=0)
    ranking = game.hands.ranking if cards == 3 else None
    deck = Deck(ranks=5, joker=jokers)
    game = replace(game, hands=replace(game.hands, deck=deck, shape=shape, ranking=ranking))
    second = recount_options([option], game=game, house_way=nothing_set(cards))
    counted = second[option.id, Strategy.OPTIMAL]
    assert counted.edge == evaluate_undivided(option, game).house_edge


def test_a_shown_card_decides_nothing_in_an_option_without_a_raise(folder: Path) -> None:
    """Another option of the game has one, and is counted over the same deals."""
    game, raised = write_game(folder, **PLAYS["a raise"])
    plain = replace(raised, id="plain", raise_=None)
    shape = HandShape(cards=3, back=3, front=0, dealer_shows=1)
    game = small(game, 5, shape=shape)
    files = write_files(game, raised, plain, house_way=nothing_set(3))
    (counted,) = recount(files, "trio/main/plain", strategies=["optimal"])
    assert counted.edge == evaluate_undivided(plain, game).house_edge


@pytest.mark.parametrize("pays", [1, 3])
def test_a_bonus_is_weighed_where_a_hand_is_played_or_folded(folder: Path, pays: int) -> None:
    """Hands without a pair are paid: more hands are worth playing."""
    paid = {"id": "nothing", "name": "Nothing", "when": {"of_a_kind": 1, "straight_length": 0,
            "flush_length": 0}, "pays": f"{pays} to 1", "text": "Paid.",
            "source": {"document": "trio", "clause": "Bonus"}}  # fmt: skip
    folded = []
    for bonus in ([paid], None):
        game, option = write_game(folder, bonus=bonus)
        rows = compare(folder, option, small(game, 6))
        folded.append(rows["lose_folded"].combinations if "lose_folded" in rows else 0)
    assert folded[0] < folded[1]


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
    shape = HandShape(cards=3, back=3, front=0, dealer_cards=4)
    rows = compare(folder, option, small(game, 5, shape=shape))
    assert rows.keys() == {"win_one_ace", "lose_flush", "win", "lose", "push"}


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
    rows = compare(folder, option, small(game, 5))
    net = {name: row.contribution / row.probability for name, row in rows.items()}
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
    rows = compare(folder, option, small(game, 5))
    net = {name: row.contribution / row.probability for name, row in rows.items()}
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
    rows = compare(folder, option, small(game, 5))
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
    recounted = Option(read_record(DeclaredWager, json.loads(path.read_bytes())))
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
    rows = compare(folder, option, small(game, 5))
    (folded,) = (row for row in rows.values() if row.reason and row.reason.folded)
    assert folded.contribution / folded.probability == worth
