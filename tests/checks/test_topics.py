"""Each statement answers one topic, and terms that answer it again are found with both places."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.checks.framework import Context, Fault, statements
from certify.checks.r_jurisdictions.terms import contradictions, replaced_rules
from certify.filing.order import build_filing
from certify.intake.files import read_terms
from certify.intake.read import read_catalog
from certify.model.jurisdiction import TERMS
from certify.model.submission import Order
from certify.model.topic import Procedure, Topic
from tests.checks.test_fixtures import FIXTURES

LIBRARIES = (library.paytables(), FIXTURES / "valid" / "library", FIXTURES / "field" / "paytables")

COMPLETED = {
    "mini-pai-gow": {
        "procedures": {
            "shuffle": "The dealer shuffles by hand.",
            "dealing_order": "Clockwise.",
            "remaining_cards": "They are counted.",
            "settlement": "The bonus is settled first, then the main wager of each player.",
            "misdeal": "A hand with a wrong number of cards is a misdeal for that player only.",
            "foul": "A foul hand is set again by the house way.",
        },
        "players": 6,
        "least_wagers": {"bonus": 1000},
    },
    "dealer-open-pai-gow": {
        "procedures": {
            "shuffle": "The dealer shuffles and deals from the hand.",
            "dealing_order": "Clockwise.",
            "remaining_cards": "The four remaining cards are not looked at.",
            "settlement": "Chan Chu is settled before the Pai Gow wager.",
            "misdeal": "A hand with fewer than seven cards is dead; all other hands play.",
            "dealer_error": "If the dealer's hand is set wrong, all wagers push.",
            "foul": "A foul hand pushes.",
        },
        "foul_against_push": "push",
        "players": 5,
    },
}
"""Terms of the kind with which a reader of filings found twelve contradictions."""

BOTH_PLACES = {
    ("mini-pai-gow", "nevada", "/procedures/misdeal", "A misdeal voids all hands."),
    ("mini-pai-gow", "nevada", "/procedures/foul", "by the rule of traditional pai gow poker"),
    ("mini-pai-gow", "nevada", "/procedures/settlement", "The casino decides the order"),
    ("mini-pai-gow", "nevada", "/least_wagers/bonus", "The minimum wager is $1."),
    ("mini-pai-gow", "nevada", "/players", "The table seats up to seven players."),
    ("dealer-open-pai-gow", "wsgc", "/procedures/misdeal", "fewer than seven cards, all hands"),
    ("dealer-open-pai-gow", "wsgc", "/procedures/remaining_cards", "are verified before any hand"),
    ("dealer-open-pai-gow", "wsgc", "/procedures/settlement", "settled with the Pai Gow wager"),
    ("dealer-open-pai-gow", "wsgc", "/procedures/dealer_error", "corrected to the house way"),
    ("dealer-open-pai-gow", "wsgc", "/procedures/shuffle", "shuffler or dealing shoe may be used"),
    ("dealer-open-pai-gow", "wsgc", "/players", "The table seats up to six players"),
    ("dealer-open-pai-gow", "wsgc", "/procedures/foul", "A foul loses the Pai Gow wager, unless"),
}


def find_faults(game: str, jurisdiction: str, folder: Path) -> Iterator[Fault]:
    """Yield the faults of completed terms."""
    path = folder / "terms.json"
    value = {"$schema": "filing.schema.json", "game": game, **COMPLETED[game]}
    path.write_text(json.dumps(value), encoding="utf-8")
    filing = build_filing(Order(game=game, jurisdiction=jurisdiction))
    filing = replace(filing, terms=read_terms(path)[0])
    context = Context(filing.catalog, filing=filing, terms=filing.terms, game=filing.game)
    yield from contradictions.judge(context)
    yield from replaced_rules.judge(context)


def test_twelve_contradictions_are_found_with_both_places(tmp_path: Path) -> None:
    filed = {(game, jurisdiction) for game, jurisdiction, _, _ in BOTH_PLACES}
    found = {each: [*find_faults(*each, tmp_path)] for each in filed}
    for game, jurisdiction, pointer, words in BOTH_PLACES:
        (fault,) = [
            fault
            for fault in found[game, jurisdiction]
            if fault.pointer == pointer and words in fault.message
        ]
        assert fault.key == TERMS
        assert fault.related[0].startswith((game, f"jurisdictions/{jurisdiction}"))


@pytest.mark.parametrize("folder", LIBRARIES, ids=str)
def test_each_statement_has_a_topic_from_the_schema(folder: Path) -> None:
    catalog, found = read_catalog(folder)
    assert not [finding for finding in found if finding.code.startswith("S")]
    for statement, at in statements(catalog):
        if at.key.startswith("house-ways/"):
            assert statement.topic in (None, Topic.JOKER), (at.key, statement.id)
        else:
            part = "/parts/" in at.pointer
            assert (statement.topic is None) == part, (at.key, statement.id)


def test_each_procedure_has_a_topic() -> None:
    assert {topic.replaced_by for topic in Topic} - {None} == {*Procedure}


def test_a_rule_of_a_jurisdiction_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "terms.json"
    value = {"game": "mini-pai-gow", "procedures": {"exposed_card": "It is played."}}
    path.write_text(json.dumps({"$schema": "filing.schema.json", **value}), encoding="utf-8")
    filing = build_filing(Order(game="mini-pai-gow", jurisdiction="wsgc", terms=path))
    clause = replace(
        filing.jurisdiction.clauses[0], topic=Topic.EXPOSED_CARD, fits=filing.game.dealt
    )
    jurisdiction = replace(filing.jurisdiction, clauses=(clause,))
    catalog = replace(filing.catalog, jurisdictions={"wsgc": jurisdiction})
    filing = replace(filing, jurisdiction=jurisdiction)
    context = Context(catalog, filing=filing, terms=filing.terms, game=filing.game)
    (fault,) = contradictions.judge(context)
    assert (fault.pointer, fault.related) == ("/procedures/exposed_card", ("jurisdictions/wsgc",))
