import json
import re
from fractions import Fraction
from html import unescape
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.filing.documents import render_html
from certify.filing.order import build_filing
from certify.formatting import percentage
from certify.model.submission import Order
from tests.acceptance.command_line import ROOT, Certify
from tests.marks import further, slow
from tests.report.conftest import whole

FIELD = ROOT / "fixtures" / "field"
GAMES = sorted(path.parent.name for path in FIELD.glob("paytables/*/game.json"))

RAISED = {
    "caribbean-stud": ("5.224", "2.555"),
    "crazy-4-poker": ("3.42", "1.09"),
    "four-card-poker": ("2.79", "1.30"),
    "three-card-poker": ("3.37", "2.01"),
}
"""Games with an ante and a raise: the house edge and the element of risk that sources print."""

DEALT = (
    "baccarat-eight-decks",
    "blackjack-eight-decks",
    "blackjack-six-decks",
    "blackjack-two-decks",
    "three-card-poker",
)
"""Games with wagers on dealt cards of a shoe, or of both hands together: they are not filed."""

MINUTES = ("baccarat-eight-decks", "blackjack-six-decks")
"""Games of those whose second counts take half a minute or longer."""

COUNTED = ("caribbean-stud", "ez-pai-gow", "face-up-pai-gow", "four-card-poker")
"""Games whose main wager takes twenty seconds to count or longer."""

# How many printed figures agree, how many agree by the rounding of the source, and how many cannot
# be computed: for those the record says why.
PRINTED = {
    "baccarat-eight-decks": (7, 0, 0),
    "blackjack-eight-decks": (48, 0, 0),
    "blackjack-six-decks": (92, 0, 0),
    "blackjack-two-decks": (15, 0, 0),
    "caribbean-stud": (2, 0, 0),
    "crazy-4-poker": (1, 0, 0),
    "emperors-challenge": (45, 0, 0),
    "ez-pai-gow": (0, 0, 4),
    "face-up-pai-gow": (0, 0, 1),
    "fortune-pai-gow": (23, 0, 1),
    "four-card-poker": (1, 0, 0),
    "three-card-poker": (4, 1, 0),
}

COMPARED = re.findall(
    r"^\| `([^`/]+/[^`/]+/[^`/]+)` \| .* \| (\S+) \| (\S+%) \| `",
    (FIELD / "README.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
"""The table of the project's page: wager, published figure and house edge."""


@pytest.fixture
def run_in_field(certify: Certify, monkeypatch: pytest.MonkeyPatch) -> Certify:
    monkeypatch.chdir(FIELD)
    return certify


def test_nothing_is_wrong_with_the_project(run_in_field: Certify) -> None:
    ran = run_in_field("check", "--format", "json")
    assert ran.code == 4
    # The papers that these games were declared from are not ours to ship, and no verification
    # counts of their main wagers are stored.
    others = [each for each in ran.json["findings"] if each["code"] not in ("D019", "N002")]
    left = {each["file"] for each in ran.json["findings"] if each["code"] == "N002"}
    assert left < {path.relative_to(FIELD).as_posix() for path in FIELD.rglob("main/*.json")}
    warnings = {(f["code"], f["file"]) for f in others if f["severity"] != "note"}
    assert warnings == set()
    assert ran.json["checked"] == len(list(FIELD.rglob("*.json")))


@pytest.mark.parametrize("game", [*(game for game in GAMES if game not in COUNTED), *slow(COUNTED)])
def test_no_printed_figure_differs(run_in_field: Certify, game: str) -> None:
    if game not in PRINTED:
        assert not (FIELD / "paytables" / game / "published.json").exists()
        return
    agrees, rounded, open_ones = PRINTED[game]
    ran = run_in_field("audit", game, "--format", "json")
    assert ran.code == 0
    assert ran.json["totals"] == {
        "agrees": agrees,
        "differs": 0,
        "agrees_under_reading": rounded,
        "not_computable": open_ones,
    }
    for target, printed, edge in COMPARED:
        if target.startswith(f"{game}/"):
            figures = (FIELD / "paytables" / game / "published.json").read_text(encoding="utf-8")
            assert f'"target": "{target}"' in figures
            assert f'"printed": "{printed.replace("−", "-")}"' in figures
            found = run_in_field("evaluate", target, "--format", "json").json["house_edge"]
            assert percentage(Fraction(found)) == edge


@pytest.mark.parametrize("game", sorted({*GAMES} - {*DEALT, *RAISED}))
@pytest.mark.parametrize("state", ["nevada", *further(["wsgc"])])
def test_documents_are_laid_out(game: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIELD)
    filing = build_filing(Order(game=game, jurisdiction=state))
    submission = replace(whole(game, state), templates=filing.templates)
    rules = unescape(render_html(submission, "rules"))
    mathematics = unescape(render_html(submission, "mathematics"))
    assert f"<title>{submission.game.name}: Rules of Play</title>" in rules
    for paytable in submission.paytables:
        for row in paytable.rows:
            assert row.name in rules
            assert row.name in mathematics


@pytest.mark.parametrize(
    "game",
    [
        *(game for game in RAISED if game not in COUNTED),
        *slow(game for game in RAISED if game in COUNTED),
    ],
)
def test_a_raise_has_the_published_edge_and_element_of_risk(
    run_in_field: Certify, game: str
) -> None:
    """Sources: the documents that the games name, and Wizard of Odds for the element of risk."""
    (play,) = run_in_field("strategy", game, "--format", "json").json["strategies"]
    for name, printed in zip(("house_edge", "element_of_risk"), RAISED[game], strict=True):
        places = len(printed.partition(".")[2])
        assert round(Fraction(play[name]) * 100, places) == Fraction(printed)


CARIBBEAN_STUD = {
    "win_raised_raise_royal_flush": 16_759_740,
    "win_raised_raise_straight_flush": 156_929_720,
    "win_raised_raise_four_of_a_kind": 2_832_435_800,
    "win_raised_raise_full_house": 16_624_475_280,
    "win_raised_raise_flush": 21_856_990_280,
    "win_raised_raise_straight": 43_805_516_100,
    "win_raised_raise_three_of_a_kind": 234_242_908_320,
    "win_raised_raise_two_pair": 488_012_139_360,
    "win_raised": 2_343_248_003_808,
    "win_dealer_not_qualified_raised": 4_532_514_033_720,
    "push_raised": 321_623_100,
    "lose_folded": 9_523_005_974_460,
    "lose_raised": 2_726_592_727_512,
}
"""Source: Caribbean Stud Poker Probability, U.S. rules return table (CasinoAdvisor.com)."""


@pytest.mark.slow
def test_each_deal_of_caribbean_stud_ends_as_published(run_in_field: Certify) -> None:
    rows = run_in_field("evaluate", "caribbean-stud", "--format", "json").json["rows"]
    assert {row["event"]: row["combinations"] for row in rows} == CARIBBEAN_STUD


@pytest.mark.slow
def test_play_by_the_lowest_hands_costs_as_published(run_in_field: Certify) -> None:
    """Source: Caribbean Stud Poker Strategy, strategy statistics (toho-talent.com).

    Losses over all deals: optimal play, and raising with A-K-J-8-3 or better.
    """
    deals, optimal, simple = 19_933_230_517_200, 1_041_372_912_372, 1_059_715_400_580
    (play,) = run_in_field("strategy", "caribbean-stud", "--format", "json").json["strategies"]
    assert Fraction(play["house_edge"]) == Fraction(optimal, deals)
    (lowest,) = play["boundary"]["cheapest"]
    assert lowest["ranks"] == "A-K-J-8-3"
    assert Fraction(play["boundary"]["least_cost"]) == Fraction(simple - optimal, deals)


def test_a_raise_is_explained_with_the_card_that_is_seen(run_in_field: Certify) -> None:
    target, hand = "caribbean-stud", "As Kd Qc 7h 3s"
    asked = run_in_field("explain", target, hand)
    assert asked.code != 0
    assert "Give it with --dealer" in asked.err
    # The rules of thumb of the same source: a card that matches one of the player's is raised on.
    assert "Best play: Raise" in run_in_field("explain", target, hand, "--dealer", "7d").out
    low = "As Kd 9c 7h 3s"
    assert "Best play: fold" in run_in_field("explain", target, low, "--dealer", "Jd").out
    ended = run_in_field("explain", target, "5s 5d 5c 7h 3s", "--dealer", "7d Ad Kc Qh 2s").out
    assert "Raise pays 3 to 1 for Three of a kind." in ended


def test_a_companion_wager_is_explained(run_in_field: Certify) -> None:
    target = "crazy-4-poker"
    paid = run_in_field("explain", target, "5s 6d 7c 8h Ks", "--dealer", "Kd Kc 2h 2s 3s").out
    assert "Super Bonus: 1 to 1 for Straight (net 1)" in paid
    assert "The best cards: 8h 7c 6d 5s" in paid
    won = run_in_field("explain", target, "Ks Qd Jc 8h 2s", "--dealer", "Qc Jd 9h 7s 3s").out
    assert "Play wins." in won
    assert "Super Bonus: push" in won
    lost = run_in_field("explain", target, "Ks Qd Jc 8h 2s", "--dealer", "Kc Kd 9h 7s 3s").out
    assert "Super Bonus: loss" in lost


def test_an_event_of_the_project_is_counted_and_explained(run_in_field: Certify) -> None:
    target = "ez-pai-gow-california/dynasty/1"
    ran = run_in_field("evaluate", target, "--format", "json")
    five = next(row for row in ran.json["rows"] if row["event"] == "five_of_a_kind")
    # Four cards of a rank and the joker, beside any two of the other 48 cards.
    assert five["combinations"] == 13 * comb(48, 2)
    assert "100 to 1" in run_in_field("explain", target, "9s 9h 9d 9c Jk 4s 2d").out
    assert "10 to 1" in run_in_field("explain", target, "9s 9h 9d Jk 4s 3d 2d").out


@pytest.mark.parametrize("game", [*(game for game in DEALT if game not in MINUTES), *slow(MINUTES)])
def test_wagers_on_dealt_cards_are_counted_twice(run_in_field: Certify, game: str) -> None:
    counted = run_in_field("crosscheck", game)
    assert counted.code == 0
    assert "agrees" in counted.out
    assert "differs" not in counted.out


def test_cards_of_player_and_dealer_are_explained_as_one_hand(run_in_field: Certify) -> None:
    target = "blackjack-six-decks/twenty-one-plus-three/3"
    printed = run_in_field("explain", target, "5h 5h", "--dealer", "5h").out
    assert "The three cards of the player and the dealer hold" in printed
    assert "Suited three of a kind pays 100 to 1" in printed
    assert "Player and dealer: 5h 5h 5h" in printed
    missing = run_in_field("explain", target, "5h 5h")
    assert missing.code != 0
    assert "The hand has 2 cards, but 3 are needed." in missing.err
    deal = ("Qh Qh", "--dealer", "9c")
    ladies = run_in_field("explain", "blackjack-six-decks/lucky-ladies", *deal).out
    assert "The row Queen of hearts pair pays 125 to 1." in ladies
    together = run_in_field("explain", "blackjack-six-decks/twenty-one-plus-three", *deal).out
    assert "No row of Version 1 takes them" in together
    game = run_in_field("explain", "blackjack-six-decks", *deal, "--format", "json").json
    assert game["left_out"] == [
        {
            "target": "blackjack-six-decks/lucky-ladies-1000/A",
            "message": "The dealer's hand has 1 card, but 2 are needed.",
        }
    ]
    wagers = {each["target"] for each in game["results"]}
    assert {ladies.split()[0], together.split()[0]} < wagers
    nothing = run_in_field("explain", "blackjack-six-decks", "Qh")
    assert nothing.code != 0
    assert "The hand has 1 card, but" in nothing.err


def test_events_are_listed_for_a_shoe(run_in_field: Certify) -> None:
    listed = run_in_field("events", "queen", "--game", "blackjack-six-decks").out
    assert "Qh Qh" in listed
    of_both = run_in_field(
        "events", "dealt_suited_three_of_a_kind", "--game", "blackjack-six-decks", "--cards", 3
    )
    assert "1,040 of 5,013,320 hands" in of_both.out
    usual = run_in_field("events", "queens_of_hearts").out
    assert "cannot be counted by 'hearts'" in usual


def test_a_hand_is_paid_as_the_table_of_2006_prints(run_in_field: Certify) -> None:
    target = "emperors-challenge/emperor-bonus/2006"
    assert "40 to 1" in run_in_field("explain", target, "9s 8h 7d 5c 4s 3d 2d").out
    assert "2 to 1" in run_in_field("explain", target, "Js 9h 8d 7c 4s 3d 2d").out


# The same rule in a built-in game, whose main wager was counted a second time in plain Python
# (second-counts.json): a derivation that shares no code with the count of these games.
SAME_RULE = (
    ("ez-pai-gow/main/queen-high-push", "commission-free-pai-gow-express/main/1", "house-way"),
    ("ez-pai-gow/main/queen-high-push", "commission-free-pai-gow-express/main/1", "optimal"),
    ("face-up-pai-gow/main/ace-high-push", "emperors-challenge-exposed/main/ace-high-push",
     "optimal"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("house_way", ["foxwoods", "trump-plaza"])
@pytest.mark.parametrize(("target", "built_in", "strategy"), SAME_RULE)
def test_base_game_is_that_of_the_same_rule(
    run_in_field: Certify, target: str, built_in: str, strategy: str, house_way: str
) -> None:
    ran = run_in_field(
        "evaluate", target, "--house-way", house_way, "--strategy", strategy, "--format", "json"
    )
    assert Fraction(ran.json["house_edge"]) == second_count(built_in, house_way, strategy)


def second_count(target: str, house_way: str, strategy: str) -> Fraction:
    path: Path = library.paytables() / target.split("/", maxsplit=1)[0] / "second-counts.json"
    counts = json.loads(path.read_text(encoding="utf-8"))["counts"]
    found = next(
        count
        for count in counts
        if (count["target"], count["house_way"], count["strategy"]) == (target, house_way, strategy)
    )
    return Fraction(found["house_edge"])


# Player/Dealer Collection Rates, Hustler Casino: what a player pays at each limit, in dollars.
COLLECTIONS = {"10-100": (10, 1), "50-300": (50, 2), "100-500": (100, 3), "300-1000": (300, 5)}


@pytest.mark.slow
def test_a_collection_costs_its_share_of_the_least_wager(run_in_field: Certify) -> None:
    game = "jokers-wild-pai-gow/main"

    def edge(option: str) -> Fraction:
        return Fraction(
            run_in_field("evaluate", f"{game}/{option}", "--format", "json").json["house_edge"]
        )

    without = edge("no-collection")
    for limit, (wager, fee) in COLLECTIONS.items():
        assert edge(f"collection-{limit}") - without == Fraction(fee, wager)
