"""Sentences that a regulator's reader marked as odd are in no template and no declared text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
