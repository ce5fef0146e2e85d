"""Interpretations and authorities: one list, its marks in the rules, its rows in the report."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from certify import library
from certify.figures.alternatives import read_otherwise
from certify.figures.targets import Selection
from certify.filing.documents import PARTS, render_html
from certify.filing.evidence import public_evidence
from certify.model.comparison import Standing
from certify.model.jurisdiction import Confidence
from certify.model.source import Concern, Figure, Price
from certify.model.submission import ItemState, Submission
from certify.report.printed import printed_json
from certify.report.rules.numbering import find_marked
from certify.report.submission import checklist_text
from tests.catalog import catalog
from tests.commands.submissions import compose_part
from tests.documented_games import GAMES
from tests.html_documents import parse, read_text
from tests.marks import further
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all

# One list of interpretations: its marks in the rules, its rows in the mathematics report.


Make = Callable[..., Submission]
JURISDICTIONS = ("california", "maryland", "nevada", "new-jersey", "pennsylvania", "wsgc")
SMALL, *LARGER = sorted(GAMES, key="mini-pai-gow".__ne__)
LARGEST = "emperors-challenge-exposed"
MARKED = [
    *product([SMALL], JURISDICTIONS),
    (LARGEST, "wsgc"),
    *further(each for each in product(LARGER, JURISDICTIONS) if each != (LARGEST, "wsgc")),
]
"""Games with the jurisdictions of which the marks are compared."""

EACH_GAME = pytest.mark.parametrize("game", [SMALL, *further(LARGER)])

TABLES = ("table-readings", "table-assumptions")
ONLY = "Mathematics only"


@cache
def with_each_alternative(game: str, jurisdiction: str) -> Submission:
    """Return a submission in which every alternative that touches it changes an edge."""
    submission = whole(game, jurisdiction)
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
            at = rows[0].index("In the rules of play")
            for row in rows[1:]:
                yield row[at], " ".join(row)


@pytest.mark.parametrize(("game", "jurisdiction"), MARKED)
def test_a_dagger_and_a_row_of_the_report_go_together(game: str, jurisdiction: str) -> None:
    submission = with_each_alternative(game, jurisdiction)
    rules = parse(compose_part(submission, "rules"))
    mathematics = parse(compose_part(submission, "mathematics"))
    numbers = [*find_numbers(mathematics)]
    assert [words for number, words in numbers if number == "–"] == []
    named = {each for number, _ in numbers if number != ONLY for each in number.split(", ")}
    daggers = {*find_daggers(rules)}
    assert named == daggers
    assert len(named) > 5


@EACH_GAME
def test_public_rules_have_the_marks_of_confidential_alternatives(game: str) -> None:
    """The public part embeds no alternative: its evidence states which rules they mark."""
    submission = with_each_alternative(game, "wsgc")
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


@pytest.mark.parametrize(("game", "jurisdiction"), MARKED)
def test_a_dagger_is_where_an_interpretation_marks(game: str, jurisdiction: str) -> None:
    """Two daggers of one table are told apart by what they are printed with."""
    submission = with_each_alternative(game, jurisdiction)
    rules = parse(compose_part(submission, "rules"))
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


@EACH_GAME
def test_a_mark_is_one_place(make: Make, game: str) -> None:
    """Each id of a numbered rule is printed once, so a mark is about one rule."""
    rules = parse(compose_part(make(game, "wsgc"), "rules"))
    numbered = [
        element.get("data-rule")
        for element in rules.iter("span")
        if element.get("class") == "rule-number"
    ]
    assert len(numbered) > 20
    assert [key for key, times in Counter(numbered).items() if key and times > 1] == []


@EACH_GAME
def test_a_row_on_figures_only_marks_no_rule(game: str) -> None:
    submission = with_each_alternative(game, "nevada")
    mathematics = parse(compose_part(submission, "mathematics"))
    on_figures = [words for number, words in find_numbers(mathematics) if number == ONLY]
    declared = [*submission.assumptions]
    declared += [each for record in submission.records for each in record.assumptions]
    for each in declared:
        if each.concern is Concern.PLAY and each.effect is not None:
            assert not any(words.startswith(f"{each.text} ") for words in on_figures), each.id
    assert any("No player sets" in words for words in on_figures)


STATES = sorted(catalog().jurisdictions)

WORDS = re.compile(
    r"\b(remember|proposal of|newspaper|forum|cardroom's|counsel|field.trial"
    r"|secondary (copy|text))",
    re.IGNORECASE,
)
"""Words of sources that are no authority for a rule of a state."""

HOSTS = re.compile(
    r"docslib|scribd|lrrc|vegas-?aces|vpfree|gamingtoday|arietiform|stonesgambling|bj21"
    r"|gambleglobe|vixio|vdocuments|cupdf|hokaoutlet|courthousenews|wizardofodds",
    re.IGNORECASE,
)
"""Hosts of shared documents, forums, newspapers, counsel and vendors."""

COPIES = re.compile(r"casetext|cloudfront|self-law|justia", re.IGNORECASE)
"""Hosts that reproduce codes: a record that was read there says that it is a reproduction."""


def file(state: str) -> str:
    """Return the file of a jurisdiction, which every filing there embeds unchanged."""
    return (library.paytables() / "jurisdictions" / f"{state}.json").read_text(encoding="utf-8")


@cache
def build_judged(game: str, state: str) -> Submission:
    return judge_all(whole(game, state), library.paytables())


@pytest.mark.parametrize("state", STATES)
@EACH_GAME
def test_no_filed_document_names_what_is_no_authority(game: str, state: str) -> None:
    submission = build_judged(game, state)
    texts: dict[str, str] = {part: compose_part(submission, part) for part in PARTS}
    texts["checklist"] = checklist_text(submission)
    for part, text in texts.items():
        shown = re.sub(r"<style.*?</style>|<svg.*?</svg>", "", text, flags=re.DOTALL)
        assert WORDS.findall(shown) == [], part
        assert HOSTS.findall(shown) + COPIES.findall(shown) == [], part


@pytest.mark.parametrize("state", STATES)
def test_no_embedded_file_of_a_state_names_what_is_no_authority(state: str) -> None:
    text = file(state)
    assert WORDS.findall(text) == []
    assert HOSTS.findall(text) == []


def test_each_record_of_a_state_has_a_grade_that_fits_where_it_was_read() -> None:
    for state in STATES:
        text = json.loads(file(state))
        versions = [version for rule in text["rules"] for version in rule["versions"]]
        for version in versions + text.get("deadlines", []):
            grade = Confidence(version["confidence"])
            assert not COPIES.search(version["address"]) or grade is Confidence.REPRODUCTION
            if grade is Confidence.VERIFIED_TEXT:
                assert re.match(
                    r"https?://(lawfilesext|apps?)\.leg\.wa\.gov/"
                    r"|https?://(www\.)?pacode(andbulletin)?\.(gov|com)/"
                    r"|http://www\.dsd\.state\.md\.us/",
                    version["address"],
                ), version["citation"]


@pytest.mark.parametrize("state", STATES)
@EACH_GAME
def test_only_an_official_text_satisfies_a_rule(game: str, state: str) -> None:
    submission = build_judged(game, state)
    unread = [rule for rule in submission.rules if rule.unread_citation]
    assert all(rule.standing is not Standing.SATISFIED for rule in unread)
    assert all(rule.version and rule.version.official for rule in submission.rules
               if rule.standing is Standing.SATISFIED)  # fmt: skip
    for line in submission.checklist:
        by = line.judgement
        if line.state is ItemState.DONE and by is not None:
            assert by.version is not None
            assert by.version.official
    open_texts = [line for line in submission.checklist if line.item.id == "texts-in-force"]
    assert bool(open_texts) is bool(unread)
    for line in open_texts:
        assert line.state is ItemState.OPEN
        assert all(rule.unread_citation in line.detail for rule in unread)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("nevada", "No official text was read. Text in force to be confirmed before filing: "),
        ("maryland", "Later amendments are not excluded."),
        ("wsgc", "WAC 230-15-140, as proposed by WSR 23-09-065"),
    ],
)
def test_the_memo_lists_the_texts_that_were_read(state: str, words: str) -> None:
    submission = build_judged("mini-pai-gow", state)
    memo = compose_part(submission, "memo")
    assert words in memo
    for rule in submission.rules:
        applied = rule.standing is not Standing.NOT_APPLICABLE
        if rule.version is not None and applied:
            assert rule.version.citation.replace("'", "&#39;") in memo


@pytest.mark.parametrize("state", STATES)
@EACH_GAME
def test_filed_documents_cite_no_text_that_was_not_read(game: str, state: str) -> None:
    submission = build_judged(game, state)
    unread = {rule.unread_citation for rule in submission.rules if rule.unread_citation}
    for part in ("rules", "mathematics"):
        page = compose_part(submission, part)
        margins = re.findall(r'<p class="margin">(.*?)</p>', page)
        assert not unread.intersection(margins), part
        assert "to be confirmed" not in page, part
