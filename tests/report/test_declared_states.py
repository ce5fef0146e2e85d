import re
from functools import cache

import pytest
from msgspec.structs import replace

from certify import library
from certify.filing.documents import PARTS, Part
from certify.intake.read import read_catalog
from certify.model.jurisdiction import Jurisdiction
from certify.model.source import Banking
from tests.commands.submissions import compose_part
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all


def list_words(state: Jurisdiction) -> set[str]:
    """Return the names of a state, of its rules, and of the codes and registers that it cites."""
    cited = " ".join(version.citation for rule in state.rules for version in rule.versions)
    codes = re.findall(r"\b(?:(?:[A-Z][a-z]*\.)+(?: [A-Z][a-z]+)?|[A-Z]{3,}\b)", cited)
    rules = {f"{rule.id.partition('-')[0]}-" for rule in state.rules}
    return {state.name, state.id.upper(), *rules, *(code for code in codes if len(code) > 2)}


DECLARED = read_catalog(library.paytables())[0].jurisdictions
NEW = [state for state in sorted(DECLARED) if state not in ("nevada", "wsgc")]
"""Those whose documents no other test reads."""

SAID = {name: list_words(state) for name, state in DECLARED.items()}
WORDS = {
    name: words - {word for other in SAID if other != name for word in SAID[other]}
    for name, words in SAID.items()
}
"""What only the documents of one state say."""

GAME = "pai-gow-mania"


@cache
def text(state: str, part: Part) -> str:
    submission = judge_all(whole(GAME, state), library.paytables())
    return re.sub(r"<style.*?</style>", "", compose_part(submission, part), flags=re.DOTALL)


def test_the_words_of_a_state_are_those_of_its_record() -> None:
    assert {"Washington", "WA-", "WAC", "WSGC"} <= WORDS["wsgc"]
    assert {"Maryland", "MD-", "COMAR"} <= WORDS["maryland"]
    assert {"Pa. Code", "PA-"} < WORDS["pennsylvania"]
    assert "N.J.A.C." in WORDS["new-jersey"]


@pytest.mark.parametrize("state", NEW)
@pytest.mark.parametrize("part", PARTS)
def test_documents_of_a_state_mention_no_other(state: str, part: Part) -> None:
    said = text(state, part)
    submission = whole(GAME, state)
    assert (submission.jurisdiction.regulator in said) is (part != "memo")
    for other, words in WORDS.items():
        found = {word for word in words if re.search(rf"\b{re.escape(word)}", said)}
        assert bool(found) is (other == state), (other, found)


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


def test_a_player_dealer_pays_as_far_as_the_wager_goes() -> None:
    phrase = "as far as the wager of the player-dealer covers it"
    submission = judge_all(whole(GAME, "california"), library.paytables())
    assert phrase not in compose_part(submission, "rules")
    game = replace(submission.game, banking=Banking.PLAYER_DEALER)
    assert phrase in compose_part(replace(submission, game=game), "rules")
