import re
from functools import cache

import pytest
from msgspec.structs import replace

from certify import library
from certify.filing.documents import PARTS, Part
from certify.intake.read import read_catalog
from tests.commands.submissions import compose_part
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all

STATES = sorted(read_catalog(library.paytables())[0].jurisdictions)
NEW = [state for state in STATES if state not in ("nevada", "wsgc")]
"""Those whose documents no other test reads."""

WORDS = {
    "nevada": r"Nevada|NV-[A-Z]+",
    "wsgc": r"Washington|WAC \d|WSGC|WA-[A-Z]+",
    "pennsylvania": r"Pennsylvania|Pa\. Code|PA-[A-Z]+",
    "new-jersey": r"New Jersey|N\.J\.A\.C\.|NJ-[A-Z]+",
    "maryland": r"Maryland|COMAR|MD-[A-Z]+",
    "california": r"California|CA-[A-Z]+|player-dealer",
}
"""What only the documents of one state say."""

GAME = "pai-gow-mania"


@cache
def text(state: str, part: Part) -> str:
    submission = judge_all(whole(GAME, state), library.paytables())
    return re.sub(r"<style.*?</style>", "", compose_part(submission, part), flags=re.DOTALL)


def test_the_words_of_every_state_are_known() -> None:
    assert sorted(WORDS) == STATES


@pytest.mark.parametrize("state", NEW)
@pytest.mark.parametrize("part", PARTS)
def test_documents_of_a_state_mention_no_other(state: str, part: Part) -> None:
    said = text(state, part)
    submission = whole(GAME, state)
    assert (submission.jurisdiction.regulator in said) is (part != "memo")
    for other, words in WORDS.items():
        assert bool(re.search(words, said)) is (other == state), (other, re.search(words, said))


@pytest.mark.parametrize("state", NEW)
def test_the_memo_of_a_state_lists_each_of_its_rules(state: str) -> None:
    said = text(state, "memo")
    for rule in whole(GAME, state).jurisdiction.rules:
        assert rule.id in said
        assert rule.versions[-1].citation.partition(";")[0] in said or rule.title in said


def test_true_odds_are_printed_where_a_state_requires_them() -> None:
    asked, other = text("maryland", "mathematics"), text("pennsylvania", "mathematics")
    assert ("True odds" in asked, "True odds" in other) == (True, False)
    submission = whole(GAME, "maryland")
    table = next(paytable for paytable in submission.paytables if paytable.progressive is None)
    row = submission.analyses[table.target].rows[0]
    against = 1 / row.probability - 1
    assert f'<td class="number">{float(against):,.1f}</td>' in asked


def test_a_player_dealer_pays_in_california_alone() -> None:
    phrase = "as far as the wager of the player-dealer covers it"
    assert phrase in text("california", "rules")
    silent = replace(judge_all(whole(GAME, "california"), library.paytables()), rules=())
    assert phrase not in compose_part(silent, "rules")
