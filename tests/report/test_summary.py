import json
from fractions import Fraction
from math import comb
from pathlib import Path

from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import select
from certify.formatting import percentage
from certify.report.summary import build_summary

ROOT = Path(__file__).parents[2]
BONUS = "commission-free-pai-gow-express/dynasty-bonus"


def summarize(target: str) -> dict[str, str]:
    (analysis,) = evaluate(select(target), Settings())
    return dict(build_summary(analysis))


def test_prizes_for_other_players_lower_the_edge_player_by_player() -> None:
    """By the prizes of the record and the hands of the table, for the $5 wager that qualifies."""
    path = ROOT / "paytables" / BONUS / "envy" / "3.json"
    prizes = {row["event"]: row["prize_cents"] for row in json.loads(path.read_text())["rows"]}
    (analysis,) = evaluate(select(f"{BONUS}/3"), Settings())
    hands = {row.event: row.combinations for row in analysis.rows}
    worth = sum(
        (Fraction(cents * hands[event], 500 * comb(53, 7)) for event, cents in prizes.items()),
        Fraction(0),
    )
    figures = summarize(f"{BONUS}/3")
    assert figures["Envy table 3"] == f"{percentage(worth)} of a $5 wager per other player"
    # The source prints a return of 92.2344 % without prizes.
    assert figures["House edge"].startswith("7.7656% ")
    edge = Fraction(1_496_262, 19_267_885)
    assert figures["House edge, 0 other players"] == "7.7656%"
    assert figures["House edge, 1 other player"] == percentage(edge - worth)
    assert figures["House edge, 5 other players"] == percentage(edge - 5 * worth)


def test_a_table_without_prizes_has_no_line_of_them() -> None:
    figures = summarize("mini-pai-gow/bonus/A")
    assert not [name for name in figures if "other player" in name or "table" in name.lower()]
