import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.checks.r_jurisdictions.judge import build_checklist, find_difference, judge
from certify.filing.order import build_filing
from certify.intake.read import read_catalog
from certify.model.comparison import Standing
from certify.model.jurisdiction import Jurisdiction
from certify.model.submission import Filing, Order
from tests.commands.packs_by_game import FIELD, WRITTEN

PACKS = read_catalog(library.paytables())[0].jurisdictions
OF_DIVIDED = re.compile(
    r"pai gow|house way|\bfouls?\b|set (wrong|incorrectly)|(high|low) hand|A-2-3-4-5|vigorish",
    re.IGNORECASE,
)
"""Words of games in which a hand is set in two."""

CHAPTERS = {
    "three cards": {"649a"},
    "three cards with a dealer": set(),
    "four cards": {"649a"},  # named Three Card Poker
    "three-card-poker": {"649a"},
    "four-card-poker": {"641a"},
    "crazy-4-poker": {"657a"},
    "caribbean-stud": {"639a"},
    "blackjack-eight-decks": {"633a"},
    "mini-pai-gow": {"645a", "670a"},
    "fortune-pai-gow": {"645a"},
    "face-up-pai-gow": {"645a", "688a"},
}
"""Chapters of the Pennsylvania Code on each game, as it or notices of the rulemaking name them."""


@pytest.fixture
def filing(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Filing:
    """Return what is filed of a game for Pennsylvania; nothing is counted."""
    name = request.param
    if name in WRITTEN:
        root = WRITTEN[name](tmp_path)
        monkeypatch.chdir(tmp_path)
        name = root.name
    elif name in {path.name for path in (FIELD / "paytables").iterdir()}:
        monkeypatch.chdir(FIELD)
    return build_filing(Order(game=name, jurisdiction="pennsylvania"))


def replace_pack(filing: Filing, pack: Jurisdiction) -> Filing:
    return replace(filing, jurisdiction=pack, order=replace(filing.order, jurisdiction=pack.id))


def iter_said(filing: Filing) -> Iterator[str]:
    """Yield the texts of the pack that concern a filing: rules, clauses, items and sections."""
    judged = [each.judgement for each in judge(filing)]
    for judgement in judged:
        if judgement.standing is not Standing.NOT_APPLICABLE:
            yield judgement.rule.title
            yield from (
                (judgement.version.text, judgement.version.citation) if (judgement.version) else ()
            )
    yield from (clause.text for clause in filing.filter_statements(filing.jurisdiction.clauses))
    yield from (line.item.text for line in build_checklist(filing, judged))


@pytest.mark.parametrize("filing", sorted(CHAPTERS), indirect=True)
def test_no_pack_speaks_of_hands_that_are_set_where_none_is(filing: Filing) -> None:
    divided = filing.game.hands.shape.is_divided
    spoken = {
        pack.id: [text for text in iter_said(replace_pack(filing, pack)) if OF_DIVIDED.search(text)]
        for pack in PACKS.values()
    }
    assert spoken.keys() == PACKS.keys()
    if divided:
        assert spoken["wsgc"]
        assert spoken["pennsylvania"]
    else:
        assert spoken == {name: [] for name in PACKS}


@pytest.mark.parametrize(("filing", "chapters"), sorted(CHAPTERS.items()), indirect=["filing"])
def test_the_chapters_of_the_code_are_those_of_the_game(filing: Filing, chapters: set[str]) -> None:
    named = {
        chapter
        for rule in filing.jurisdiction.rules
        if "a person compares" in rule.versions[0].text
        if not find_difference(filing, rule.applies_to)
        for chapter in re.findall(r"\b6\d\d[a-c](?![.\d])|633a(?=\.)", rule.versions[0].citation)
    }
    assert named == chapters


@pytest.mark.parametrize("filing", ["mini-pai-gow", "blackjack-eight-decks"], indirect=True)
def test_a_rule_of_games_without_a_commission_needs_a_main_wager(filing: Filing) -> None:
    (free,) = [each.judgement for each in judge(filing) if each.judgement.rule.id == "PA-FREE"]
    assert (free.standing is Standing.NOT_APPLICABLE) == (filing.main is None)
