"""Every fact of the first edition is still printed, or embedded in the evidence.

`fixtures/first-edition/` holds what the documents of 22 November 2026 stated before they were laid
out anew: pays, counts, edges, prizes, meters, rules of the house way, worked examples. Figures of
the main wager are made up in these tests, then and now, and are no part of it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from certify.model.submission import Submission
from certify.report.compose import compose
from certify.report.evidence import analysis_json, judgements_json
from certify.report.mathematics.view import mathematics_view
from certify.report.rules.view import rules_view
from tests.html_documents import parse, read_text
from tests.report.conftest import whole

ROOT = Path(__file__).resolve().parents[2]

Facts = dict[str, Any]


@cache
def facts(game: str) -> Facts:
    path = ROOT / "fixtures" / "first-edition" / f"{game}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


@cache
def parse_document(game: str, jurisdiction: str, part: str) -> Element:
    views: dict[str, Callable[[Submission], dict[str, Any]]] = {
        "rules": rules_view,
        "mathematics": mathematics_view,
    }
    html = compose(
        f"{part}.html.j2", views[part](whole(game, jurisdiction)), templates=ROOT / "templates"
    )
    return parse(html)


@cache
def evidence(game: str, jurisdiction: str) -> dict[tuple[str, str], Facts]:
    """Return the embedded results of each paytable, by the wager's name and the paytable's id."""
    submission = whole(game, jurisdiction)
    names = {wager.id: wager.name for wager in submission.game.wagers}
    return {
        (names[analysis.wager], analysis.paytable): analysis_json(analysis)
        for analysis in submission.analyses.values()
    }


def plain(words: str) -> str:
    """A pay or a count without the marks of print."""
    return words.replace(",", "").casefold()


def read_facts(rows: Iterable[Facts]) -> Iterator[list[str]]:
    return ([row["name"], plain(row["pays"]), str(row["combinations"])] for row in rows)


def test_counts_of_hands(game: str, jurisdiction: str) -> None:
    hands = judgements_json(whole(game, jurisdiction))["hands"]
    embedded = {name.replace("_", " ").replace(" high ", "-high "): n for name, n in hands.items()}
    printed = read_text(parse_document(game, jurisdiction, "mathematics"))
    for name, count in facts(game)["hands"]:
        assert count in printed, name
        if name not in {"Total", "All other hands"}:
            assert embedded[name.casefold()] == int(plain(count))


def test_pays_counts_and_figures_of_every_paytable(game: str, jurisdiction: str) -> None:
    embedded = evidence(game, jurisdiction)
    printed = read_text(parse_document(game, jurisdiction, "rules"))
    for paytable in facts(game)["paytables"]:
        now = embedded[paytable["wager"], paytable["paytable"]]
        rows = list(read_facts(now["rows"]))
        for name, pays, count in paytable["rows"]:
            assert [name, plain(pays), plain(count)] in rows, (paytable["paytable"], name)
        assert now["total_combinations"] == int(plain(paytable["total"]))
        for figure in ("house_edge", "hit_frequency", "variance"):
            if figure in paytable:
                assert now[figure] == paytable[figure][1], (paytable["paytable"], figure)
        if "house_edge" in paytable:
            assert paytable["house_edge"][0] in printed, paytable["paytable"]


def test_prizes_and_edges_with_other_players(game: str, jurisdiction: str) -> None:
    embedded = evidence(game, jurisdiction)
    for table in facts(game)["prizes"]:
        (now,) = {
            json.dumps(one["envy"]["rows"])
            for (wager, _), one in embedded.items()
            if wager == table["wager"] and one.get("envy", {}).get("paytable") == table["table"]
        }
        rows = list(read_facts(json.loads(now)))
        for name, prize, count in table["rows"]:
            assert [name, plain(prize), plain(count)] in rows, (table["table"], name)
    for edges_by_player in facts(game)["edges_by_players"]:
        edges = embedded[edges_by_player["wager"], edges_by_player["paytable"]]["envy"][
            "house_edge_percent_by_players"
        ]
        assert list(edges.values()) == edges_by_player["house_edge"], edges_by_player["paytable"]


def test_meters_and_dynamic_payouts(game: str, jurisdiction: str) -> None:
    embedded = evidence(game, jurisdiction)
    for item in facts(game)["meters"]:
        now = embedded[item["wager"], item["paytable"]]["progressive"]
        weights = {
            f"Meter {meter['level']}": meter["probability_weight"] for meter in now["meters"]
        }
        weights["Fixed pays"] = now["fixed_return"]
        for part, weight in item["parts"]:
            assert weights[part] == weight, (item["paytable"], part)
    printed = read_text(parse_document(game, jurisdiction, "rules"))
    for item in facts(game)["dynamic"]:
        now = embedded[item["wager"], item["paytable"]]
        (row,) = (row for row in now["rows"] if row["name"] == item["hand"])
        assert row["probability"] == item["each_unit"]
        assert " · ".join(pays.removesuffix(" for 1") for pays in item["payouts"]) in printed


def test_every_rule_of_the_house_way(game: str, jurisdiction: str) -> None:
    now = {}
    for element in parse_document(game, jurisdiction, "rules").iter("li"):
        rule = re.match(r"H([0-9.]+[0-9])(.*)", read_text(element[0]) if len(element) else "")
        if rule is not None:
            now[rule[1]] = read_text(element[1])
    # What the sentences say is tested hand by hand: `tests/engine/test_house_way_sentences.py`.
    assert now == {number: clause for number, _, clause in facts(game)["house_way"]}


CASES = {"Only one row is paid": "Two winning hands"}
"""Kinds of examples that have another title now."""


def test_every_example(game: str, jurisdiction: str) -> None:
    submission = whole(game, jurisdiction)
    (main,) = (wager.name for wager in submission.game.wagers if wager.options)
    shown: dict[str, list[tuple[str, list[list[str]], str]]] = {}
    for table in parse_document(game, jurisdiction, "rules").iter("table"):
        if table.get("class") == "examples":
            wager = read_text(table[0]).removesuffix(": examples")
            shown[wager] = [each for row in list(table.iter("tr"))[1:] for each in examples(row)]
    for example in facts(game)["examples"]:
        wager = main if example["wager"] == "Main wager" else example["wager"]
        case = CASES.get(example["case"], example["case"].partition(":")[0])
        hands = [sorted(cards.split()) for _, cards in example["hands"]]
        assert any(
            title.startswith(case) and cards == hands and settled.endswith(f"{example['pays']}.")
            for title, cards, settled in shown[wager]
        ), example


def examples(row: Element) -> list[tuple[str, list[list[str]], str]]:
    """The case, the cards of each hand, and how it is settled, at every option."""
    title, drawn, settled = row
    hands = [
        sorted(
            code(read_text(card))
            for card in hand.iter("span")
            if (card.get("class") or "").startswith("card ")
        )
        for hand in drawn.iter("p")
    ]
    return [
        (read_text(title), hands, read_text(each)) for each in [*settled.iter("p")] or [settled]
    ]


def code(card: str) -> str:
    if card == "Joker":
        return "Jk"
    return card[:-1].replace("10", "T") + "cdhs"["♣♦♥♠".index(card[-1])]
