"""Every figure that a document prints is in its evidence, as an exact value.

The documents are composed with marks around what each filter writes and around each text of a
view. Then nothing is looked up loosely: a figure is compared, as the exact value that its filter
was given, with the part of the evidence that its section is about; a text with digits is one that
the evidence or an embedded declared file holds, or its figures round exact values of the evidence;
and what is left is text of the templates, of which the numbers are listed here.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from certify.engine.main.dealer_labels import Labeling
from certify.filing.delivery import manifest
from certify.filing.evidence import public_evidence
from certify.formatting import exact_percentage, money, percentage, thousands
from certify.library import paytables
from certify.model.paytable import Basis, Payout
from certify.report import compose as composing
from certify.report.compose import FILTERS
from certify.report.mathematics.view import mathematics_view
from certify.report.rules.view import rules_view
from certify.report.wording import UNBROKEN
from tests.commands.conftest import Pieces, build_pieces, order

FIGURES = frozenset(
    ("count", "decimal", "exact", "plain", "percent", "points", "root", "rounds", "against")
) | {"money", "dollars", "edge_words", "share", "odds", "amount"}
"""The filters that write numbers."""

VIEWS = {"mathematics": mathematics_view, "rules": rules_view}

RESULTS = ("results",)
"""What every section may print: the figures of what is filed."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "summary": (*RESULTS, "printed/mathematics/summary", "printed/mathematics/meters",
                "judgements/comparison", "judgements/other_house_ways", "verification"),
    "assumptions": (*RESULTS, "printed/mathematics/interpretations"),
    "method": ("printed/mathematics/method",),
    "main": (*RESULTS, "printed/mathematics/main_wager", "printed/mathematics/limits",
             "judgements/comparison", "judgements/other_options", "judgements/other_house_ways"),
    "bonus": (*RESULTS, "printed/mathematics/par_tables", "printed/mathematics/prizes",
              "printed/mathematics/limits"),
    "progressive": (*RESULTS, "printed/mathematics/meters", "printed/mathematics/control_sheet"),
    "risk": ("printed/mathematics/volatility", "printed/mathematics/exposure",
             "judgements/least_limits"),
    "verification": (*RESULTS, "verification", "judgements/comparison",
                     "judgements/other_options"),
    "signatures": ("verification/together",),
}  # fmt: skip
"""By section of the mathematics report, the parts of the evidence in which its figures are."""

DECLARED = frozenset({"money", "plain", "share", "count"})
"""The filters that write declared amounts, pays, shares and numbers in the rules of play."""

IN_RULES = (*RESULTS, "printed/rules")

ROOT = Path(__file__).parents[2]

ROUNDED = ("_decimal", "_percent")
"""Ends of the keys of rounded values, which the page describes together."""

BEGIN, END, TEXT, CLOSE = "\x02", "\x03", "\x0e", "\x0f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A figure: the value that a filter was given, what it wrote, and the template's name."""

    filter: str
    value: object
    text: str
    section: str


@dataclass(slots=True)
class Recorded:
    """A composed document: its figures, the texts of its view, and the templates' own text."""

    figures: list[Printed] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    own: str = ""


def section() -> str:
    """Return the template that called, leaving out those of macros: ``risk``."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        parts = frame.f_code.co_filename.split("/")
        if parts[-2:-1] in (["mathematics"], ["rules"]) and parts[-1] != "parts.html.j2":
            return str(parts[-1].removesuffix(".html.j2"))
        frame = frame.f_back
    return ""


Record = Callable[[Pieces, str], Recorded]


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Iterator[Record]:
    found = Recorded()

    def recording(name: str) -> Callable[..., str]:
        def write(value: object, *arguments: object, **named: object) -> str:
            text = FILTERS[name](value, *arguments, **named)
            if value is None:
                return text
            found.figures.append(Printed(filter=name, value=value, text=text, section=section()))
            return f"{BEGIN}{text}{END}"

        return write

    def visible(value: object) -> object:
        if type(value) is str and BEGIN not in value:
            found.texts.append(value)
            return f"{TEXT}{value}{CLOSE}"
        return value

    monkeypatch.setattr(
        composing,
        "FILTERS",
        {name: recording(name) if name in FIGURES else FILTERS[name] for name in FILTERS},
    )
    monkeypatch.setattr(composing, "visible", visible)
    composing.build_environment.cache_clear()

    def composed(pieces: Pieces, part: str) -> Recorded:
        view = VIEWS[part](pieces.submission)  # that of the mathematics composes the rules
        found.figures.clear()
        found.texts.clear()
        html = composing.compose(f"{part}.html.j2", view)
        html = re.sub(rf"{BEGIN}.*?{END}|{TEXT}.*?{CLOSE}", " ", html, flags=re.DOTALL)
        html = re.sub(r"<(style|head|svg).*?</\1>", " ", html, flags=re.DOTALL)
        found.own = re.sub(r"<[^>]*>|&#?\w+;", " ", html)
        return found

    yield composed
    composing.build_environment.cache_clear()


def find_value(evidence: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 - a JSON value
    for key in path.split("/"):
        evidence = evidence.get(key) or {}
    return evidence


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if re.fullmatch(r"[0-9]+", key):
                yield name, int(key)
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


Exact = list[tuple[str, Fraction]]
ByParts = Mapping[tuple[str, ...], Exact]


def list_exact(evidence: Mapping[str, Any], parts: tuple[str, ...]) -> Exact:
    """Return the integers and fractions of parts of the evidence with their keys."""
    return [
        (key, Fraction(value))
        for part in parts
        for key, value in leaves(find_value(evidence, part))
        if type(value) is int or (type(value) is str and re.fullmatch(r"-?\d+/\d+", value))
    ]


def list_by_parts(evidence: Mapping[str, Any]) -> ByParts:
    return {parts: list_exact(evidence, parts) for parts in {*PARTS.values(), IN_RULES}}


def exact_values(
    evidence: Mapping[str, Any], parts: tuple[str, ...], only: frozenset[str]
) -> set[Fraction]:
    """Return the integers and fractions under some keys in parts of the evidence."""
    return {value for key, value in list_exact(evidence, parts) if key in only}


def list_texts(value: object) -> set[str]:
    return {text for _, text in leaves(value) if type(text) is str}


def list_declared(pieces: Pieces) -> list[tuple[str, Any]]:
    """Return every value of the embedded declared files with its key."""
    return [leaf for each in pieces.filing.documents for leaf in leaves(each.value)]


def find_missing(
    exact: ByParts, pieces: Pieces, figures: Iterable[Printed], part: str, without: str = ""
) -> list[Printed]:
    """Return the figures that the evidence, without a key, does not have as exact values.

    Payouts are declared as they are printed. The rules print declared amounts, too; those of the
    mathematics report are all in the evidence.
    """
    of_records = list_declared(pieces)
    odds = {value for _, value in of_records if type(value) is str}
    amounts = {
        Fraction(value)
        for key, value in of_records
        if type(value) is int and ("_cents" in key or key in {"parameters", "value", "wagers"})
    }
    known = {
        parts: {value for key, value in values if key != without} for parts, values in exact.items()
    }

    def found(figure: Printed) -> bool:
        parts = PARTS[figure.section] if part == "mathematics" else IN_RULES
        values = known[parts]
        match figure.value:
            case Payout(basis=Basis.PUSH | Basis.LOSS):
                return not re.search(r"[0-9]", figure.text)
            case Payout(basis=Basis.METER) as payout:
                return exact_percentage(payout.amount) in odds
            case Payout() as payout:
                return str(payout) in odds
            case int() | Fraction() as value:
                if part == "rules" and figure.filter in DECLARED:
                    as_declared = {f"{value} for 1", exact_percentage(Fraction(value))}
                    return value in values | amounts or not odds.isdisjoint(as_declared)
                return value in values
        return False

    return [figure for figure in dict.fromkeys(figures) if not found(figure)]


IN_WORDS = frozenset(
    ("house_edge", "house_edge_by_players", "recomputed", "return_to_player", "total_combinations")
)
"""The figures that views hand over as words: charts, sentences on edges, published figures."""

FIGURE = re.compile(r"[0-9][0-9,.]*%|\$[0-9][0-9,]*(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+|"
                    r"(?<![0-9.])0\.[0-9]+")  # fmt: skip
"""What looks like a figure in a text: a percentage, dollars, a large count, a probability."""


def list_missing(evidence: Mapping[str, Any], pieces: Pieces, texts: Iterable[str]) -> list[str]:
    """Return the texts with a figure that is neither declared nor rounded from the evidence."""
    words = "\n".join({value for _, value in list_declared(pieces) if type(value) is str})
    words += "\n".join(list_texts(evidence))
    counted = paytables() / pieces.filing.game.id / "second-counts.json"
    words += counted.read_text(encoding="utf-8") if counted.exists() else ""  # embedded, too
    exact = exact_values(evidence, ("results", "judgements"), only=IN_WORDS)
    printed = {
        each["printed"] for each in find_value(evidence, "judgements/published_figures") or ()
    }
    chart = mathematics_view(pieces.submission)["summary"]["chart"]
    scale = {text.words for text in chart.texts if text.anchor == "middle"} if chart else set()

    limits = exact_values(evidence, ("results",), only=frozenset({"cents"}))
    printed |= {money(cents) for cents in limits}

    def is_stated(figure: str) -> bool:
        places = len(figure.rstrip("%").partition(".")[2])
        write = percentage if figure.endswith("%") else thousands
        return figure in printed or any(write(abs(value), places) == figure for value in exact)

    return [
        text
        for text in dict.fromkeys(texts)
        if text not in scale
        and text.replace(UNBROKEN, " ") not in words
        and not all(map(is_stated, FIGURE.findall(text)))
    ]


OWN = {"$1", "$1,000", "1.00000000"}
"""Figures that the templates write themselves: units, and the sum of all probabilities."""


GAMES = [
    pytest.param("mini-pai-gow", "nevada"),
    pytest.param("emperors-challenge-exposed", "nevada", marks=pytest.mark.further),
    pytest.param("dealer-open-pai-gow", "wsgc", marks=pytest.mark.slow),
    pytest.param("commission-free-pai-gow-express", "nevada", marks=pytest.mark.slow),
    pytest.param("pai-gow-mania", "nevada", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("part", VIEWS)
@pytest.mark.parametrize(("game", "jurisdiction"), GAMES)
def test_every_printed_figure_is_in_the_evidence(
    record: Record, game: str, jurisdiction: str, part: str
) -> None:
    pieces = load_pieces(game, jurisdiction)
    assert_stated(record, pieces, part)


@cache
def load_pieces(game: str, jurisdiction: str) -> Pieces:
    return build_pieces(order(jurisdiction, game=game, paytables=()))


def assert_stated(record: Record, pieces: Pieces, part: str) -> None:
    found = record(pieces, part)
    public = part == "rules" and pieces.filing.jurisdiction.confidential
    evidence = json.loads(public_evidence(pieces.evidence) if public else pieces.evidence)
    assert len(found.figures) > 80
    assert find_missing(list_by_parts(evidence), pieces, found.figures, part) == []
    assert list_missing(evidence, pieces, found.texts) == []
    assert set(FIGURE.findall(found.own)) <= OWN


def test_page_of_the_evidence_names_its_keys() -> None:
    pieces = load_pieces("mini-pai-gow", "nevada")
    value = json.loads(pieces.evidence)
    listed = json.loads(manifest(pieces.submission, [], []).data)
    printed = value["printed"]
    objects = [value, value["order"], value["verification"], value["judgements"], listed]
    objects += [value["provenance"], *printed.values(), *value["results"]]
    keys = {key for each in objects if isinstance(each, dict) for key in each}
    text = (ROOT / "docs/reference/evidence.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"`([^`\s]+)`", text))
    assert len(keys) > 60
    assert [key for key in sorted(keys - shown) if not key.endswith(ROUNDED)] == []


def invent_deals(play: Labeling, *_: object) -> dict[str, Any]:
    """Return deals by label that sum to all deals of the game, and differ with the play."""
    deck, hand = play.hands.deck.cards, play.hands.shape.cards
    deals, labels = comb(deck, hand) * comb(deck - hand, hand), len(play.conditions) + 1
    truths = [[place == label for place in range(labels - 1)] for label in range(labels)]
    first, each, mark = deals % labels, deals // labels, crc32(repr(play).encode())
    return {
        "labels": [
            [truth, each + first * (not label), each // 3 + label, each // 4 - mark]
            for label, truth in enumerate(truths)
        ],
        "uses": [[rule.id, each - number] for number, rule in enumerate(play.house_way.rules)],
    }


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    """Pieces of a game with all that documents print, without a count of its main wager.

    What is invented is cached apart, where no other test finds it.
    """
    metered, insured = "emperors-treasure-progressive", "pai-gow-insurance-progressive"
    limits = [
        {"wagers": ["main"], "cents": 500_000, "scope": "player"},
        {"wagers": [metered], "cents": 5_000, "scope": "player"},
    ]
    terms = tmp_path_factory.mktemp("terms") / "terms.json"
    amounts = {"seed_cents": 1_000_000, "increment": "15%", "reserve": "2%"}
    capped = amounts | {"cap_cents": 4_000_000}
    meters = [
        {"wager": metered, "paytable": "PT-BJS-EC-ET-03", "level": "1"} | amounts,
        {"wager": insured, "paytable": "PT-BJS-EC-PGI-03", "level": "1"} | capped,
    ]
    stated = {
        "game": "emperors-challenge-exposed",
        "jurisdiction": "nevada",
        "aggregate_limits": limits,
        "largest_wagers": {"main": 1_000_000},
        "meters": meters,
    }
    terms.write_text(json.dumps(stated), encoding="utf-8")
    asked = order("nevada", game="emperors-challenge-exposed", paytables=(), terms=terms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CERTIFY_CACHE", f"{os.environ['CERTIFY_HOME']}/invented")
        patch.setattr("certify.engine.main.counts.count_by_label", invent_deals)
        patch.setattr("certify.figures.alternatives.count_together", lambda *_: None)
        # The published edge and the verification counts contradict what is invented.
        patch.setattr("certify.filing.documents.refuse_errors", lambda _: None)
        patch.setattr("certify.figures.crosscheck.refuse_differing", lambda _: None)
        return build_pieces(asked)


def test_every_figure_of_limits_and_meters_is_in_the_evidence(
    record: Record, invented: Pieces
) -> None:
    evidence = json.loads(invented.evidence)
    found = record(invented, "mathematics")
    assert any(limit["break_evens"] for limit in evidence["printed"]["mathematics"]["limits"])
    exact = list_by_parts(evidence)
    figures = [*found.figures]  # the pages of the evidence compose the rules, too
    assert find_missing(exact, invented, figures, "mathematics") == []
    assert list_missing(evidence, invented, found.texts) == []
    of_meters = ("average_cents", "contributions", "seeds", "return_at_reset", "greatest_reduction")
    for needed in ("top_award_cents", *of_meters, "covered_by_reserve"):
        assert find_missing(exact, invented, figures, "mathematics", needed), needed


NEEDED = {
    "mathematics": (
        "all_players", "break_even_cents", "combinations", "each", "each_1000_dollars_add",
        "fixed_return", "hands", "hit_probability", "house_edge", "mean",
        "meter_cents", "net", "number", "one_player", "per_other_player", "per_suit",
        "probability", "push", "return", "rounds", "share", "square", "suits",
        "total_combinations", "variance",
    ),
    "rules": ("amount_cents", "shares"),
}  # fmt: skip
"""Figures of Emperor's Challenge that are in the evidence under one key each."""


@pytest.mark.parametrize("part", VIEWS)
def test_a_figure_that_the_evidence_lacks_is_found(
    record: Record, invented: Pieces, part: str
) -> None:
    found = record(invented, part)
    exact = list_by_parts(json.loads(invented.evidence))
    unnoticed = [
        key for key in NEEDED[part] if not find_missing(exact, invented, found.figures, part, key)
    ]
    assert unnoticed == []


def test_a_figure_in_words_that_the_evidence_lacks_is_found() -> None:
    pieces = load_pieces("mini-pai-gow", "nevada")
    evidence = json.loads(pieces.evidence)
    true = ["The house edge is 2.7006%.", "22,957,480 hands"]
    false = ["The house edge is 2.7007%.", "22,957,481 hands", "It pays $12,345.67."]
    assert list_missing(evidence, pieces, [*true, *false]) == false
