"""One list of interpretations: its marks in the rules, its rows in the mathematics report."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from certify.figures.alternatives import read_otherwise
from certify.figures.targets import Selection
from certify.filing.documents import render_html
from certify.filing.evidence import public_evidence
from certify.model.source import Concern, Figure, Price
from certify.model.submission import Submission
from certify.report.compose import compose
from certify.report.interpretations import find_marked
from certify.report.mathematics.view import mathematics_view
from certify.report.printed import printed_json
from certify.report.rules.view import rules_view
from tests.html_documents import parse, read_text

Make = Callable[..., Submission]
JURISDICTIONS = ("california", "maryland", "nevada", "new-jersey", "pennsylvania", "wsgc")
TABLES = ("table-readings", "table-assumptions")
ONLY = "Mathematics only"


def with_each_alternative(submission: Submission) -> Submission:
    """Return a submission in which every alternative that touches it changes an edge."""
    records = [(submission.game.find_wager(each), each) for each in submission.records]
    selection = Selection(catalog=submission.catalog, game=submission.game, records=tuple(records))
    analyses = dict(submission.analyses)
    way = submission.way.id if submission.way is not None else ""
    for _, alternative, touched in read_otherwise(selection, way):
        moved = {Figure.HOUSE_EDGE: (Fraction(0), Fraction(1, 100))}
        price = Price(alternative=alternative, moved=moved)
        for _, record in touched.records:
            filed = analyses[record.target]
            analyses[record.target] = replace(filed, alternatives=(*filed.alternatives, price))
    return replace(submission, analyses=analyses)


def find_daggers(rules: ET.Element) -> Iterator[str]:
    """Yield the number of each rule and table with a dagger, as a reader of the pages counts."""
    tables, place = 0, ""
    for element in rules.iter():
        classes = (element.get("class") or "").split()
        text = read_text(element)
        if element.tag == "table" and "rack" not in classes:
            tables += 1
            place = f"Table {tables}"
        elif element.tag == "h2":
            place = f"Section {text.partition('.')[0]}"
        elif "†" not in text:
            continue
        elif "provision" in classes:
            yield next(read_text(each) for each in element if each.get("class") == "rule-number")
        elif element.tag in ("tr", "caption", "p") and "rack-words" not in classes and tables > 1:
            yield place  # the first table is followed by what a dagger means


def find_numbers(mathematics: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield the rules of each interpretation, and its row."""
    for table in mathematics.iter("table"):
        if table.get("id") in TABLES:
            rows = [[read_text(cell) for cell in row] for row in table.iter("tr")]
            at = rows[0].index("Rule")
            for row in rows[1:]:
                yield row[at], " ".join(row)


@pytest.mark.parametrize("jurisdiction", JURISDICTIONS)
def test_a_dagger_and_a_row_of_the_report_go_together(
    make: Make, game: str, jurisdiction: str
) -> None:
    submission = with_each_alternative(make(game, jurisdiction))
    rules = parse(compose("rules.html.j2", rules_view(submission)))
    mathematics = parse(compose("mathematics.html.j2", mathematics_view(submission)))
    numbers = [*find_numbers(mathematics)]
    assert [words for number, words in numbers if number == "–"] == []
    named = {each for number, _ in numbers if number != ONLY for each in number.split(", ")}
    daggers = {*find_daggers(rules)}
    assert named == daggers
    assert len(named) > 5


def test_public_rules_have_the_marks_of_confidential_alternatives(make: Make, game: str) -> None:
    """The public part embeds no alternative: its evidence states which rules they mark."""
    submission = with_each_alternative(make(game, "wsgc"))
    evidence = {"order": {"jurisdiction": "wsgc"}, "sources": {}, "results": []}
    evidence |= {"provenance": {"records": {}, "letter": None}, "printed": printed_json(submission)}
    marks = json.loads(public_evidence(json.dumps(evidence).encode()))["printed"]["marks"]
    analyses = {
        target: replace(each, alternatives=()) for target, each in submission.analyses.items()
    }
    public = replace(submission, analyses=analyses)
    again = replace(public, stated_marks=frozenset(marks))
    rules = render_html(submission, "rules")
    assert render_html(public, "rules") != rules
    assert render_html(again, "rules") == rules
    assert printed_json(again)["marks"] == marks
    unprinted = replace(public, stated_marks=frozenset([*marks, "unprinted"]))
    assert printed_json(unprinted)["marks"] == marks


@pytest.mark.parametrize("jurisdiction", JURISDICTIONS)
def test_a_dagger_is_where_an_interpretation_marks(
    make: Make, game: str, jurisdiction: str
) -> None:
    """Two daggers of one table are told apart by what they are printed with."""
    submission = with_each_alternative(make(game, jurisdiction))
    rules = parse(compose("rules.html.j2", rules_view(submission)))
    signed: dict[str, set[bool]] = {}
    for parent in rules.iter():
        for element in parent:
            if key := element.get("data-rule"):
                whole = parent if element.get("class") == "rule-number" else element
                signed.setdefault(key, set()).add("†" in read_text(whole))
    marked = find_marked(submission)
    assert {key for key in signed if signed[key] == {True}} == marked & signed.keys()
    assert {key for key in signed if signed[key] == {False}} == signed.keys() - marked
    assert marked - signed.keys() == set()


def test_a_mark_is_one_place(make: Make, game: str) -> None:
    """Each id of a numbered rule is printed once, so a mark is about one rule."""
    rules = parse(compose("rules.html.j2", rules_view(make(game, "wsgc"))))
    numbered = [
        element.get("data-rule")
        for element in rules.iter("span")
        if element.get("class") == "rule-number"
    ]
    assert len(numbered) > 20
    assert [key for key, times in Counter(numbered).items() if key and times > 1] == []


def test_a_row_on_figures_only_marks_no_rule(make: Make, game: str) -> None:
    submission = with_each_alternative(make(game, "nevada"))
    mathematics = parse(compose("mathematics.html.j2", mathematics_view(submission)))
    on_figures = [words for number, words in find_numbers(mathematics) if number == ONLY]
    declared = [*submission.assumptions]
    declared += [each for record in submission.records for each in record.assumptions]
    for each in declared:
        if each.concern is Concern.PLAY and each.effect is not None:
            assert not any(words.startswith(f"{each.text} ") for words in on_figures), each.id
    assert any("No player sets" in words for words in on_figures)
