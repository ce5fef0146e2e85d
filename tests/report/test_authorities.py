import json
import re
from functools import cache

import pytest

from certify import library
from certify.filing.documents import PARTS
from certify.model.comparison import Standing
from certify.model.jurisdiction import Confidence
from certify.model.submission import ItemState, Submission
from certify.report.submission import checklist_text
from tests.catalog import catalog
from tests.commands.submissions import compose_part
from tests.documented_games import GAMES
from tests.marks import long
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all

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
@pytest.mark.parametrize("game", [*GAMES[:1], *long(GAMES[1:])])
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
@pytest.mark.parametrize("game", [*GAMES[:1], *long(GAMES[1:])])
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
@pytest.mark.parametrize("game", [*GAMES[:1], *long(GAMES[1:])])
def test_filed_documents_cite_no_text_that_was_not_read(game: str, state: str) -> None:
    submission = build_judged(game, state)
    unread = {rule.unread_citation for rule in submission.rules if rule.unread_citation}
    for part in ("rules", "mathematics"):
        page = compose_part(submission, part)
        margins = re.findall(r'<p class="margin">(.*?)</p>', page)
        assert not unread.intersection(margins), part
        assert "to be confirmed" not in page, part
