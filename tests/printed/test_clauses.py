"""Each printed rule cites a clause of its source or a decision; no template has an odd sentence."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from certify import library
from certify.report.rules.numbering import PrintedRule, list_assumptions
from certify.report.rules.view import rules_view
from tests.documented_games import GAMES
from tests.report.conftest import whole

# Each printed rule cites a clause that its source has, or is marked as a decision of the
# filing. ``clauses.json`` has the clauses of each source that rules cite, with the words by
# which they begin there. Whoever has the sources as text compares them: ``CERTIFY_SOURCES``
# names their folder.


CLAUSES: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).parent / "clauses.json").read_text(encoding="utf-8")
)
JURISDICTIONS = sorted(path.stem for path in (library.paytables() / "jurisdictions").glob("*.json"))
HOUSE_WAYS = ("dealer-open-pai-gow", "mini-pai-gow")
"""The house ways that a game's own source states."""

OFFICIAL = {"Commission's wording", "WAC 230-15-065", "WAC 230-15-490(1), (3), (4)"}
"""What the standing clauses of Washington cite: quotations of the Commission, and its code."""


def printed_rules(content: object) -> Iterator[PrintedRule]:
    """Yield every rule in the contents of a section, with its parts."""
    if isinstance(content, PrintedRule):
        yield content
        yield from printed_rules(content.parts)
    elif isinstance(content, dict):
        yield from printed_rules([*content.values()])
    elif isinstance(content, (list, tuple)):
        for part in content:
            yield from printed_rules(part)


@cache
def find_citations(game: str, jurisdiction: str) -> dict[str, list[str]]:
    """Return the rules that are not themselves interpretations, by the clause that they cite."""
    submission, rules = whole(game, jurisdiction), defaultdict(list)
    adopted = {each.text for _, each, _ in list_assumptions(submission) if each.effect is not None}
    for rule in printed_rules(rules_view(submission)["sections"]):
        if rule.text not in adopted:
            rules[rule.clause].append(f"{rule.number} {rule.text}")
    return rules


@pytest.mark.parametrize("jurisdiction", JURISDICTIONS)
@pytest.mark.parametrize("game", GAMES)
def test_each_rule_cites_a_clause_or_is_marked_as_a_decision(game: str, jurisdiction: str) -> None:
    known = CLAUSES[game].keys() | (OFFICIAL if jurisdiction == "wsgc" else set())
    rules = find_citations(game, jurisdiction)
    assert {clause: rules[clause] for clause in rules.keys() - known} == {}
    assert len(rules) > 10


@pytest.mark.parametrize("game", GAMES)
def test_each_listed_clause_is_cited(game: str) -> None:
    used = set().union(*(find_citations(game, jurisdiction) for jurisdiction in JURISDICTIONS))
    assert CLAUSES[game].keys() - used == set()
    assert all(words for begun in CLAUSES[game].values() for words in [begun, *begun])


def find_sources(value: object) -> set[str]:
    """Return the sources that the rules of a house way state, wherever they are."""
    if isinstance(value, list):
        return set().union(*map(find_sources, value))
    if isinstance(value, dict):
        own = {value["source"]} if isinstance(value.get("source"), str) else set()
        return own.union(*map(find_sources, value.values()))
    return set()


@pytest.mark.parametrize("way", HOUSE_WAYS)
def test_each_rule_of_a_house_way_cites_a_clause(way: str) -> None:
    declared = json.loads((library.paytables() / "house-ways" / f"{way}.json").read_bytes())
    assert find_sources(declared) == CLAUSES[f"house-ways/{way}"].keys()


NUMBERS = {
    word: str(number)
    for number, words in enumerate((
        "", "one", "two twos second twice", "three threes third", "four fours", "five fives",
        "six sixes", "seven sevens", "eight eights", "nine nines", "ten tens",
    ))
    for word in words.split()
}  # fmt: skip
NAMES = {
    form: name
    for name, forms in {
        "ace": "ace aces", "king": "king kings k", "queen": "queen queens q",
        "jack": "jack jacks j", "joker": "joker jokers", "pair": "pair pairs",
        "flush": "flush flushes", "straight": "straight straights", "royal": "royal",
        "commission": "commission",
        "push": "push pushes pushed", "shuffle": "shuffle shuffler shuffles shuffled shuffling",
        "dice": "dice", "lammer": "lammer", "shoe": "shoe",
    }.items()
    for form in forms.split()
}  # fmt: skip
OTHERWISE_IN_SOURCE = {
    "contains a straight, with the joker as a ten": {"6", "8", "9", "10"},  # an example
    "including when two or more jacks end": {"2"},  # implied: the dealer then has a pair
    "with two or more jacks no hand is set": {"2"},  # in step 5, beside the introduction
    "Singleton: a card that is not": {"3", "4", "pair"},  # as the groups use the word
    "Complete hand: a straight": {"straight", "flush", "royal"},  # the sections of the group
    "a suited king and queen of another suit": {"king", "queen"},  # "R/M", royal match
    "three of the four hands with fixed payouts": {"2"},  # "one to three"
    "the dealer's cards contain the joker": {"joker"},  # "Jk" in the paytable
    "Mini Pai Gow is a commission-free": {"commission"},  # in the layout
    "The layout states that there is no commission": {"commission"},  # in the picture
    "except the three cards of a Three-Card": {"3"},  # of the wager's name
}
"""Numbers and names that a rule prints and its clause has in other words, by words of the rule."""


def read_facts(text: str) -> set[str]:
    """Return the amounts, numbers, cards and hands that a text names; 1 is a common word."""
    words = re.findall(r"[0-9][0-9,]*%?|[a-z]+", text.lower())
    facts = {NUMBERS.get(word) or NAMES.get(word) or word.replace(",", "") for word in words}
    return {fact for fact in facts if fact[0].isdigit() or fact in NAMES.values()} - {"1"}


def read_source(listed: str) -> str:
    """Return the source of a game or a house way on one line."""
    file = f"{listed.removeprefix('house-ways/')}.txt"
    source = (Path(os.environ["CERTIFY_SOURCES"]) / file).read_text(encoding="utf-8")
    return " ".join(re.sub(r"[*\\]", "", source).split())


with_sources = pytest.mark.skipif(
    "CERTIFY_SOURCES" not in os.environ, reason="no folder of sources is given"
)


@with_sources
@pytest.mark.parametrize("listed", sorted(CLAUSES))
def test_each_clause_begins_in_the_source_as_listed(listed: str) -> None:
    text = read_source(listed)
    missing = [words for begun in CLAUSES[listed].values() for words in begun if words not in text]
    assert missing == []


@with_sources
@pytest.mark.parametrize("game", GAMES)
def test_each_number_and_name_of_a_rule_is_in_its_clause(game: str) -> None:
    """A clause ends where the next one that is listed begins."""
    text, cards = read_source(game), str(whole(game, "nevada").game.hands.shape.cards)
    begun = sorted({text.index(words) for begun in CLAUSES[game].values() for words in begun})
    ends = dict(zip(begun, [*begun[1:], len(text)], strict=True))
    missing = {}
    for jurisdiction in JURISDICTIONS:
        for clause, rules in find_citations(game, jurisdiction).items():
            starts = [text.index(words) for words in CLAUSES[game].get(clause, ())]
            cited = read_facts(" ".join(text[start : ends[start]] for start in starts))
            for rule in rules if starts else ():
                known = {cards, "53"}.union(
                    *(facts for words, facts in OTHERWISE_IN_SOURCE.items() if words in rule)
                )
                facts = read_facts(rule.partition(" ")[2])
                if facts - cited - known:
                    missing[clause, rule] = facts - cited - known
    assert missing == {}


# Sentences that a regulator's reader marked as odd are in no template and no declared text.


ROOT = Path(__file__).parents[2]
GONE = (
    r"paid for the hand of every other player",
    r"Another player lowers the house edge",
    r"For a row of a paytable, the cards contain",
    r"highest cards? that (is|are) missing",
    r"only one group does",
    r"A rule may refer to the rules of another group",
    r"settled as the first wager is",
    r"qualify whatever their rank",
    r"on the hands that gain by it",
    r"^Prizes are paid for the hands of other players\.$",
    r"Joker over ace",
    r"if the dealer has no ace-high",
    r"first payout of the paytable",
    r"while the cards are laid down|turns out to be set wrong",
    r"low hand, the second highest,",
    r"No equipment beyond",
    r"does not rank above the low hand",
    r"even if the dealer's hand beats them",
    r"able to see every player's cards",
    r"A hit is a round",
    r"same counts in a verification count",
    r"[Ww]ager of the figures|Wager that qualifies",
    r"with which this version of certify makes",
    r"what the declared rules and payouts return",
    r"at the least wager that it cuts",
    r"another change shows",
    r"Approved for the regulator",
    r"vouches (for|nobody)|nobody else vouches",
    r"Set otherwise",
    r"exact bounds",
    r"listed }} pays",
)


def iter_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from iter_texts(inner)


def iter_printed() -> Iterator[str]:
    """Yield the lines of the templates, and the texts of the library and of the words."""
    for path in (ROOT / "templates").rglob("*.j2"):
        yield from path.read_text().splitlines()
    for folder in ("templates/words", "paytables"):
        for path in (ROOT / folder).rglob("*.json"):
            yield from iter_texts(json.loads(path.read_text()))


PRINTED = tuple(iter_printed())


@pytest.mark.parametrize("phrase", GONE)
def test_no_document_prints_a_sentence_that_a_reader_marked(phrase: str) -> None:
    assert [text for text in PRINTED if re.search(phrase, text)] == []
