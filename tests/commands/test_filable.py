import json
import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.commands.submit import preview
from certify.figures.evaluate import Settings, evaluate, evaluate_each
from certify.figures.play import least_limits, limit_analyses, own_limits
from certify.figures.targets import select
from certify.filing import documents
from certify.filing.documents import count_filing
from certify.filing.evidence import build_evidence, public_evidence
from certify.filing.order import build_filing, with_register_status
from certify.model.analysis import Analysis, RowAnalysis
from certify.model.finding import Unfit
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.submission import Filing, Order, Status
from tests.commands.packs_by_game import FIELD, WRITTEN
from tests.commands.pair_plus import pair_plus, write_json
from tests.commands.submissions import (
    build_without_counts,
    compose_part,
    count_submission,
    read_part,
)

STATES = ("nevada", "wsgc", "pennsylvania")
DEALT = {
    "nevada": "blackjack-eight-decks",
    "wsgc": "blackjack-six-decks",
    "pennsylvania": "three-card-poker",
}
WILD = ("ez-pai-gow-california", "jokers-wild-pai-gow")

OF_SET_HANDS = re.compile(
    r"pai gow|house way|however (it|they)|(?<!stored )\bcop(y|ies)\b(?! of (these|a card))"
    r"|\bfouls?\b|(low|high) hand|Setting the hands",
    re.IGNORECASE,
)
"""Words of hands that are set in two."""

ONE_JOKER = {"deck": {"ranks": 13, "joker": True}, "joker": "bug"}
SHORT = {"deck": {"ranks": 9, "joker": False}}


def project(root: Path, monkeypatch: pytest.MonkeyPatch, **game: Any) -> str:  # noqa: ANN401
    path = root / "game.json"
    value = json.loads(path.read_text(encoding="utf-8")) | game
    path.write_text(json.dumps(value), encoding="utf-8")
    monkeypatch.chdir(root.parents[1])
    return str(value["id"])


@pytest.mark.parametrize(
    ("game", "pointer", "words"),
    [
        (ONE_JOKER, "/hand", "without a joker"),
        (SHORT, "/deck/ranks", "this one has 9"),
    ],
)
def test_another_hand_is_not_filed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: dict[str, Any],
    pointer: str,
    words: str,
) -> None:
    name = project(pair_plus(tmp_path / "our"), monkeypatch, **game)
    order = Order(game=name, jurisdiction="nevada")
    for make in (lambda: preview(order), lambda: with_register_status(build_filing(order))):
        with pytest.raises(Unfit) as refused:
            make()
        assert [(finding.code, finding.pointer) for finding in refused.value.findings] == [
            ("M009", pointer)
        ]
        assert words in refused.value.findings[0].message


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", WRITTEN)
def test_undivided_hands_are_filed_without_the_words_of_pai_gow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, state: str
) -> None:
    submission = count_submission(project(WRITTEN[name](tmp_path), monkeypatch), state)
    rules, mathematics = read_part(submission, "rules"), read_part(submission, "mathematics")
    for printed in (rules, mathematics):
        assert [found[0] for found in OF_SET_HANDS.finditer(printed)] == []
    for printed, limited in ((rules, "These rules are"), (mathematics, "This report is")):
        only = f"{limited} limited to Pair Plus, offered in addition to a game."
        assert (only in printed) == (submission.main is None)
    # Pairs of hands are counted by the main wager alone.
    assert ("formula-pairs" in compose_part(submission, "mathematics")) == bool(submission.main)


def test_a_table_of_hands_has_the_names_of_the_ranking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts of three cards: C(13,3) suits and runs; of five cards: published poker odds."""
    three = count_submission(project(WRITTEN["three cards"](tmp_path / "3"), monkeypatch), "nevada")
    names = [str(cell[0]) for cell in three.frequencies.cells]
    assert [*three.frequencies.cells.values()] == [48, 52, 720, 1_096, 3_744, 16_440]
    assert names == [*three.ranking]
    assert "Straight flush Three cards in sequence and of one suit 48" in read_part(
        three, "mathematics"
    )
    five = count_submission(project(WRITTEN["five cards"](tmp_path / "5"), monkeypatch), "nevada")
    assert [*five.frequencies.cells.values()] == [
        40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540,
    ]  # fmt: skip
    assert "A-2-3-4-5 is the lowest straight" in read_part(five, "rules")


def test_no_ranking_is_printed_of_hands_that_nothing_ranks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    four = count_submission(project(WRITTEN["four cards"](tmp_path), monkeypatch), "nevada")
    rules, mathematics = read_part(four, "rules"), read_part(four, "mathematics")
    assert "Royal flush A-K-Q-J of one suit" in rules
    for printed in (rules, mathematics):
        assert "highest first" not in printed
        assert "A-K-Q-J-10" not in printed
    assert "by highest ranking" not in mathematics


@pytest.mark.parametrize(("state", "game"), DEALT.items())
def test_wagers_on_dealt_cards_are_filed(
    monkeypatch: pytest.MonkeyPatch, game: str, state: str
) -> None:
    if game == "blackjack-six-decks":  # `tests.acceptance.test_field` recounts it in half a minute
        monkeypatch.setattr(documents, "cross_checks", lambda *_, **__: ())
    monkeypatch.chdir(FIELD)
    submission = count_submission(game, state)
    rules, mathematics = read_part(submission, "rules"), read_part(submission, "mathematics")
    assert [found[0] for found in OF_SET_HANDS.finditer(rules + mathematics)] == []
    assert ("They do not describe that game." in rules) == (submission.main is None)
    assert ("It does not describe that game." in mathematics) == (submission.main is None)
    sizes = {
        "blackjack-eight-decks": {2},
        "blackjack-six-decks": {2, 3},
        "three-card-poker": {3, 6},
    }
    counted = {
        int(cards) for cards in re.findall(r"[\d,]+ hands of (\d) cards(?! by)", mathematics)
    }
    assert counted == sizes[game]
    straights = {int(size) for size in re.findall(r"In a straight of (\d) cards", rules)}
    assert straights == {"blackjack-six-decks": {3}, "three-card-poker": {5}}.get(game, set())
    assert ("Copies of a card are different cards" in mathematics) == ("blackjack" in game)


METERS = (
    ("straight_flush", "100%", "1", 100_000, "9%"),
    ("four_of_a_kind", "100%", "2", 25_000, "20%"),
    ("full_house", "100%", "3", 5_000, "8%"),
    ("flush", "50 for 1", "", 0, ""),
    ("straight", "10 for 1", "", 0, ""),
)
"""Event, pay, level, seed in cents and increment. Source: see the test."""


@pytest.mark.parametrize("state", ["nevada", "wsgc"])
def test_a_progressive_with_three_meters_is_filed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """Wizard of Odds, "Casino Hold Em Progressive Jackpot Side Bet", pay table 1.

    The source prints 65.4960 %. It is the sum of the fixed pays, (50 x 5,108 + 10 x 10,200) of
    2,598,960 hands, the increments of 37 %, and the seeds times 40, 624 and 3,744 hands.
    """
    root = pair_plus(tmp_path)
    (root / "pair-plus" / "2.json").unlink()
    game = project(root, monkeypatch, hand={"cards": 5, "back": 5, "front": 0})
    rows = [
        {"event": event, "name": event.replace("_", " "), "pays": pays}
        | ({"meter": level} if level else {})
        for event, pays, level, _, _ in METERS
    ]
    meters = [
        {"level": level, "seed_cents": seed, "increment": increment, "reserve": "0%"}
        for _, _, level, seed, increment in METERS
        if level
    ]
    progressive = {"base_wager_cents": 100, "meters": meters}
    changes = {
        "1": {"cards": 5, "rows": rows, "progressive": progressive},
        "wager": {"kind": "progressive", "rules": []},
    }
    for name, changed in changes.items():
        path = root / "pair-plus" / f"{name}.json"
        write_json(path, json.loads(path.read_text(encoding="utf-8")) | changed)
    submission = count_submission(game, state)
    mathematics = read_part(submission, "mathematics")
    assert "13.7517% 37.0000% 14.7444% 65.4960%" in mathematics
    rules = read_part(submission, "rules")
    for level, seed, increment in (("1", "$1,000", "9%"), ("2", "$250", "20%"), ("3", "$50", "8%")):
        assert f"{level} 1 $1 {seed} {increment} 0%" in rules


@pytest.mark.parametrize("game", WILD)
def test_a_fully_wild_joker_is_not_said_to_be_an_ace(
    monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.chdir(FIELD)
    submission = build_without_counts(build_filing(Order(game=game, jurisdiction="nevada")))
    rules, mathematics = read_part(submission, "rules"), read_part(submission, "mathematics")
    for printed in (rules, mathematics):
        assert re.findall(r"joker (?:is|counts|is counted) (?:an|as an) ace", printed) == []
        assert "as an ace" not in printed
    # Four cards of a rank and the joker, with any two of the other 48 cards.
    assert submission.frequencies.cells["five_of_a_kind",] == 13 * 1_128
    assert "Five of a kind Four cards of one rank and the joker 14,664" in mathematics


EMPEROR = "emperors-challenge-exposed"
TODAY = date(2026, 11, 21)
TREASURE = "PT-FLT-EC-ET-01"


def build_filings(
    jurisdiction: str, terms: Terms, *, as_of: date = TODAY
) -> tuple[Filing, Filing, dict[str, Analysis]]:
    order = Order(game=EMPEROR, jurisdiction=jurisdiction, paytables=(TREASURE,), as_of=as_of)
    filing = build_filing(order)
    analyses = evaluate_each(filing.catalog, filing.paytables)[0]
    facts = replace(filing, analyses=analyses, terms=terms)
    return filing, facts, analyses


def test_the_least_limit_in_washington_is_fifty_times_the_largest_wager() -> None:
    """WAC 230-15-490(3)(b): $400 x 50 = $20,000; at 5,000 to 1 it binds above $4.

    At $400 it leaves 50 to 1, so that 1,890,600 less is paid over 154,143,080 hands.
    """
    _, facts, analyses = build_filings("wsgc", Terms())
    (target, found), *others = least_limits(facts).items()
    assert others == []
    assert target.endswith(TREASURE)
    assert found.limits[0].cents == 2_000_000
    assert found.binds_above_cents == 400
    assert [amount.wager_cents for amount in found.amounts] == [401, 500, 40_000]
    assert found.amounts[-1].cost == Fraction(1_890_600, comb(53, 7))
    assert analyses[target].limit is None


def test_at_a_smaller_largest_wager_the_least_limit_is_smaller() -> None:
    _, facts, _ = build_filings("wsgc", Terms(largest_wagers=(("emperors-treasure", 10_000),)))
    (found,) = least_limits(facts).values()
    assert found.limits[0].cents == 500_000
    assert found.binds_above_cents == 100


@pytest.mark.parametrize("limits", [(), None])
def test_none_is_given_where_the_terms_declare_limits(limits: tuple[()] | None) -> None:
    _, facts, _ = build_filings("wsgc", Terms(aggregate_limits=limits))
    assert bool(least_limits(facts)) is (limits is None)


def test_a_fee_under_a_limit_is_that_of_the_requested_wager() -> None:
    """A limit of $20 leaves $20 to 1 whole: of $50 it takes $30 from any wager."""
    path = "field/paytables/jokers-wild-pai-gow/main/collection-10-100.json"
    selection = select(str(Path(__file__).parents[2] / "fixtures" / path))
    ((wager, option),) = selection.records
    assert isinstance(option, MainWager)
    asked, half, fee = 5_000, Fraction(1, 2), Fraction(1, 50)
    rows = tuple(
        RowAnalysis(
            event=event, name=event, pays="", combinations=1, probability=half,
            contribution=half * (net - fee),
        )
        for event, net in (("win", 1), ("lose", -1))
    )  # fmt: skip
    analysis = Analysis(
        target=option.target, game=option.game, wager=option.wager, paytable=option.id, total=2,
        rows=rows, hit_frequency=half, assumptions=(), inputs=(), engine_version="",
        return_to_player=1 - fee, house_edge=fee,
    )  # fmt: skip
    (under,) = limit_analyses(
        selection.records, [analysis], terms=own_limits([wager], 2_000), lawful_cents=None,
        seats=6, cents=asked,
    )  # fmt: skip
    assert under.limit is not None
    assert under.limit.binds_above_cents == 2_000
    (amount,) = under.limit.amounts
    assert (amount.wager_cents, amount.cost) == (asked, half * Fraction(30, 50))


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value inside a JSON value with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, f"{path}/{place}")
    else:
        yield path, value


def test_the_evidence_with_a_limit_is_the_one_without_and_what_the_limit_makes_of_it(
    tmp_path: Path,
) -> None:
    """Mini Pai Gow's bonus A pays up to 1,000 to 1; at $100 a limit of $5,000 leaves 50 to 1.

    Its edge under the limit follows from the rows of the evidence without one.
    """
    terms = tmp_path / "terms.json"
    wagers = {"least_wagers": {"bonus": 100}, "largest_wagers": {"bonus": 10_000}}
    limits = {"aggregate_limits": [{"cents": 500_000, "wagers": ["bonus"]}]}
    found = []
    for text in (wagers, wagers | limits):
        terms.write_text(json.dumps(text))
        order = Order(game="mini-pai-gow", jurisdiction="wsgc", paytables=("A",), terms=terms)
        filing = build_filing(order)
        evidence = build_evidence(count_filing(filing), Status.UNSIGNED)
        found.append((json.loads(evidence), json.loads(public_evidence(evidence))))
    (free, _), (limited, public) = found
    (main, bonus), (same, cut) = free["results"], limited["results"]
    assert main == same
    limit, (_, spread) = cut.pop("limit"), cut.pop("volatility_with_limit")
    assert cut == bonus
    pays = [
        (Fraction(row["probability"]), Fraction(row["return"]) / Fraction(row["probability"]))
        for row in bonus["rows"]
    ]
    greatest = limit["amounts"][-1]
    assert greatest["wager_cents"] == spread["wager_cents"] == 10_000
    edge = -sum(chance * min(pay, Fraction(50)) for chance, pay in pays)
    assert Fraction(greatest["house_edge"]) == edge > Fraction(bonus["house_edge"])
    squares = sum(chance * min(pay, Fraction(50)) ** 2 for chance, pay in pays)
    assert Fraction(spread["variance"]) == squares - edge**2
    stated = next(result for result in public["results"] if result["paytable"] == "A")
    assert stated["limit"] == limit
    assert not [path for path, _ in leaves(stated) if "variance" in path or "deviation" in path]


def test_edges_with_prizes_are_for_the_players_of_the_terms() -> None:
    chosen, terms = select("dealer-open-pai-gow/chan-chu/3"), Terms(players=4)
    (filed,) = evaluate(chosen, Settings(terms=terms))
    (asked,) = evaluate(chosen, Settings(terms=terms, players=2))
    assert filed.envy is not None
    assert asked.envy is not None
    assert [*filed.envy.house_edge_by_players] == [1, 2, 3, 4]
    assert [*asked.envy.house_edge_by_players] == [1, 2]
